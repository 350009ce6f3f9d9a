//! Commands that read a data directory: as many at a time as people like, beside a `run` too, and without a trace.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::manifests::{LONG, REFUTED};
use crate::network::Status;
use crate::process::until;
use crate::report::{check_complete, findings};
use crate::room::Room;

/// Every file of a directory with its contents and the time of its last change, and that of the directory itself.
fn state(directory: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let of = |path: &Path| (fs::read(path).unwrap_or_default(), path.metadata().unwrap().modified().unwrap());
    let entries = directory.read_dir().unwrap().map(|entry| entry.unwrap());
    let files = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), of(&entry.path())));
    files.chain([(".".to_owned(), of(directory))]).collect()
}

#[test]
fn reading_commands_leave_no_trace() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    let id = room.refute(["run", &manifest, "--json"]).json(1)["sweep"]["id"].as_str().unwrap().to_owned();
    let before = state(&room.path("refute-data"));
    for (question, code) in [
        (vec!["list"], 0),
        (vec!["list", "--json"], 0),
        (vec!["status", &id], 0),
        (vec!["report", &id], 1),
        (vec!["report", &id, "--format", "markdown"], 1),
        (vec!["counterexamples", &id], 0),
        (vec!["status", "nothing-0"], 2),
    ] {
        room.refute(&question).expect(code);
        assert!(state(&room.path("refute-data")) == before, "{question:?} has changed the directory");
    }
}

#[test]
fn many_read_at_a_time_beside_a_run_and_the_run_is_as_if_nobody_had() {
    let room = Room::new();
    room.write("long.toml", LONG);
    let expected = findings(&room.refute(["run", "long.toml", "--data", "undisturbed", "--json"]).json(1));
    let id = room.refute(["check", "long.toml", "--json"]).json(0)["id"].as_str().unwrap().to_owned();
    let mut run = room.start_refute(["run", "long.toml", "--data", "data", "--workers", "1", "--json"]);
    let (mut last, mut seen) = (0, 0);
    until("the run to end", || {
        let mut readers: Vec<_> = (0..6).map(|_| room.start_refute(["status", &id, "--data", "data", "--json"])).collect();
        let (before, seen_before) = (last, seen);
        for reader in &mut readers {
            let ended = reader.wait();
            // At first there is no directory, no database and no sweep; readers of one round do not start at the same moment.
            if seen_before == 0 && ended.code == Some(2) {
                continue;
            }
            let status = Status::read(&ended.json(0));
            assert!(status.done >= before, "{status:?} after {before}");
            last = last.max(status.done);
            seen += u32::from(status.done > 0 && status.done < status.total);
        }
        (!run.is_running()).then_some(())
    });
    assert!(seen > 0, "the run was too short for this test");
    let report = run.wait().json(1);
    check_complete(&report, 51u128.pow(4));
    assert_eq!(findings(&report), expected);
    assert_eq!(room.refute(["report", &id, "--data", "data", "--json"]).json(1), report);
}
