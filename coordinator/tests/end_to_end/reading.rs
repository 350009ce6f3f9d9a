//! What people read, word for word.

use insta::{Settings, assert_snapshot};

use crate::manifests::REFUTED;
use crate::room::Room;

/// Snapshots with what differs from run to run left out.
fn filtered(check: impl FnOnce()) {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"\d+\.\d\d s\b", "[seconds] s");
    settings.bind(check);
}

#[test]
fn the_report_of_a_small_sweep() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    let report = room.refute(["run", &manifest]);
    filtered(|| assert_snapshot!("report", report.expect(1)));
    let id = report.stdout.split(':').next().unwrap();
    let claim = room.refute(["report", id, "--claim", "four-edges/lemma-4.9.iii-printed"]);
    filtered(|| assert_snapshot!("report_of_one_claim", claim.expect(1)));
}

#[test]
fn the_check_of_a_small_sweep() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    filtered(|| assert_snapshot!("check", room.refute(["check", &manifest]).expect(0)));
}

#[test]
fn one_position_explained() {
    let room = Room::new();
    let explained = room.refute(["explain", "graph-nim", "--graph", "H1", "--weights", "5,1,6,11"]);
    filtered(|| assert_snapshot!("explain", explained.expect(0)));
}
