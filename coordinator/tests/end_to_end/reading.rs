//! What people read, word for word.

use insta::{Settings, assert_snapshot};

use crate::manifests::REFUTED;
use crate::room::Room;

/// Snapshots with what differs from run to run left out.
fn filtered(check: impl FnOnce()) {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"\b\d+(\.\d+)? s\b", "[seconds] s");
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
fn a_space_that_no_slot_can_hold_is_checked_with_what_it_needs() {
    let room = Room::new();
    let checked = room.refute(["check", "h1", "--set", "space.weights=0..=60000"]);
    filtered(|| assert_snapshot!("check_too_large", checked.expect(0)));
    let fits = room.refute(["check", "h1", "--set", "space.weights=0..=20000"]);
    assert!(fits.expect(0).contains(" 1.5 GiB of tables per slot") && !fits.stdout.contains("too little"), "{}", fits.stdout);
}

#[test]
fn one_position_explained() {
    let room = Room::new();
    let explained = room.refute(["explain", "graph-nim", "--graph", "H1", "--weights", "5,1,6,11"]);
    filtered(|| assert_snapshot!("explain", explained.expect(0)));
}

#[test]
fn the_figures_of_truncated_support() {
    let room = Room::new();
    filtered(|| assert_snapshot!("figures", room.refute(["run", "figures"]).expect(1)));
}

#[test]
fn one_heap_explained() {
    let room = Room::new();
    for (name, parameters) in [
        ("explain_truncated_support", "--left 1..3 --right 5..7 --heap 26"),
        ("explain_sets", "--left 1,4,6 --right 2..9 --heap 14"),
        ("explain_a_heap_without_moves", "--a 3 --b 7 --tau 2 --heap 0"),
    ] {
        let explained = room.refute(["explain", "partizan-subtraction"].into_iter().chain(parameters.split_whitespace()));
        filtered(|| assert_snapshot!(name, explained.expect(0)));
    }
}

#[test]
fn one_hypergraph_explained() {
    let room = Room::new();
    let explained = room.refute(["explain", "hypergraph-takeaway", "--edges", "abcd,Sab,Sbc"]);
    filtered(|| assert_snapshot!("explain_hypergraph", explained.expect(0)));
}

#[test]
fn one_grabbing_game_explained() {
    let room = Room::new();
    for (name, parameters) in [
        ("explain_paths", "--paths 3,1,2;0,4"),
        ("explain_grid", "--grid 010;111"),
        ("explain_arcs", "--arcs a>b,b>c --weights a=1,b=0,c=2"),
    ] {
        let explained = room.refute(["explain", "directed-grabbing"].into_iter().chain(parameters.split_whitespace()));
        filtered(|| assert_snapshot!(name, explained.expect(0)));
    }
}

#[test]
fn the_counterexamples_of_a_small_sweep() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    let report = room.refute(["run", &manifest]);
    let id = report.expect(1).split(':').next().unwrap();
    filtered(|| assert_snapshot!("counterexamples", room.refute(["counterexamples", id, "--limit", "2"]).expect(0)));
}

#[test]
fn reports_as_markdown() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    for (name, arguments) in [
        ("markdown", vec!["run", &manifest]),
        ("markdown_with_figures", vec!["run", "figures", "--set", "space.heap=0..=16", "--set", "space.b=7"]),
    ] {
        let report = room.refute(arguments);
        let id = report.expect(1).split(':').next().unwrap();
        let markdown = room.refute(["report", id, "--format", "markdown"]);
        assert!(!markdown.expect(1).contains(" s\n"), "how long it took is no part of it: {}", markdown.stdout);
        assert_snapshot_as_it_is(name, &markdown.stdout);
    }
}

/// A snapshot without any filter: whatever differs from run to run shows.
fn assert_snapshot_as_it_is(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, text));
}
