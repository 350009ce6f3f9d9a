//! Data directories in which something is wrong.

use refute_coordinator::store::Store;

use crate::manifests::{HELD, REFUTED};
use crate::network::Coordinator;
use crate::report::{check_complete, decimal};
use crate::room::Room;

#[test]
fn a_directory_that_holds_something_else_is_left_alone() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", HELD);
    std::fs::create_dir(room.path("photos")).unwrap();
    std::fs::write(room.path("photos/one.jpg"), "a photo").unwrap();
    for arguments in
        [vec!["run", &manifest, "--data", "photos"], vec!["list", "--data", "photos"], vec!["run", &manifest, "--data", &manifest]]
    {
        let refused = room.refute(&arguments);
        assert!([Some(2), Some(3)].contains(&refused.code) && refused.stdout.is_empty(), "{refused:?}");
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    }
    let left: Vec<_> = std::fs::read_dir(room.path("photos")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["one.jpg"]);
}

#[test]
fn a_sweep_of_another_solver_version_is_left_out_and_keeps_nobody_waiting() {
    let room = Room::new();
    let manifest = room.write("old.toml", REFUTED);
    let old = room.refute(["run", &manifest, "--data", "data", "--json"]).json(1);
    let id = old["sweep"]["id"].as_str().unwrap();
    // As a later version of the program would find it.
    let store = Store::open_existing(&room.path("data")).unwrap();
    let mut record = store.sweep(id).unwrap().unwrap();
    record.solver_version += 7;
    store.put_sweep(&record).unwrap();
    drop(store);

    let coordinator = Coordinator::start(&room, 15_000);
    let _worker = room.start_worker(&coordinator.address);
    let held = coordinator.submit(HELD);
    check_complete(&coordinator.complete(&held), 6u128.pow(4));
    let listed = coordinator.refute(&["list", "--json"]).json(0);
    assert_eq!((&listed[0]["id"], &listed[1]["id"]), (&old["sweep"]["id"], &serde_json::json!(held)));
    let reason = coordinator.status(id).reason.unwrap();
    assert!(reason.starts_with(&format!("'{id}' is pinned to solver version {} of graph-nim", record.solver_version)), "{reason}");
    // What it found is still there, and says which version found it.
    let report = coordinator.refute(&["report", id, "--format", "json"]).json(1);
    assert_eq!(report["sweep"]["solver_version"], record.solver_version);
    assert_eq!((&report["claims"], decimal(&report["configurations"]["decided"])), (&old["claims"], 7u128.pow(4)));
    let refused = coordinator.refute(&["submit", &manifest]);
    assert!(refused.code == Some(2) && refused.stderr.contains("pinned to solver version"), "{}", refused.stderr);
}

#[test]
fn a_damaged_database_is_told_of_in_a_sentence() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", HELD);
    room.refute(["run", &manifest, "--data", "data"]).expect(0);
    std::fs::write(room.path("data/CURRENT"), "MANIFEST-999999\n").unwrap();
    for arguments in [vec!["list", "--data", "data"], vec!["run", &manifest, "--data", "data"]] {
        let ended = room.refute(&arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("refute: the database in 'data"), "{}", ended.stderr);
    }
}
