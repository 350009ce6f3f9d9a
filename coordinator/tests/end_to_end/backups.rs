//! `refute backup` and `refute restore`: of a coordinator that is at work, and of a directory that nobody has in use.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::manifests::{HELD, LONG, REFUTED};
use crate::network::Coordinator;
use crate::process::{refute, until};
use crate::report::{check_complete, check_unfinished, decimal, findings};
use crate::room::Room;

#[test]
fn a_backup_of_a_sweep_that_runs_goes_on_elsewhere_to_the_same_result() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let mut workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    let id = coordinator.submit(LONG);
    let before = until("some shards to be done", || {
        let status = coordinator.status(&id);
        assert_ne!(status.state, "complete", "the sweep is too short for this test");
        (status.done >= 3).then_some(status)
    });
    let path = room.path("backup");
    let made = coordinator.refute(&["backup", path.to_str().unwrap(), "--json"]).json(0);
    assert_eq!((&made["directory"], &made["sweeps"]), (&json!(path), &json!(1)));
    assert!(made["bytes"].as_u64().unwrap() > 1000, "{made}");
    // Nobody has noticed: it goes on to its end.
    let whole = coordinator.complete(&id);
    check_complete(&whole, 51u128.pow(4));
    coordinator.process.kill();
    for worker in &mut workers {
        worker.kill();
    }

    std::fs::rename(room.path("data"), room.path("lost")).unwrap();
    let restored = room.refute(["restore", "backup", "--data", "data", "--json"]).json(0);
    assert_eq!((&restored["sweeps"][0]["id"], &restored["sweeps"][0]["state"]), (&json!(id), &json!("running")));
    let report = room.refute(["report", &id, "--data", "data", "--format", "json"]).json(3);
    check_unfinished(&report, "running");
    let done = restored["sweeps"][0]["shards"]["done"].as_u64().unwrap();
    assert!(done >= before.done && done < before.total, "{restored}");
    assert!(decimal(&report["configurations"]["decided"]) >= before.decided, "{report}");

    let coordinator = Coordinator::start(&room, 15_000);
    assert_eq!(coordinator.status(&id).done, done);
    let _worker = room.start_worker(&coordinator.address);
    let report = coordinator.complete(&id);
    check_complete(&report, 51u128.pow(4));
    assert_eq!(findings(&report), findings(&whole));
}

#[test]
fn a_backup_of_a_directory_that_nobody_has_in_use_is_restored_with_all_its_sweeps() {
    let room = Room::new();
    let mut reports = Vec::new();
    for (name, manifest, code) in [("held.toml", HELD, 0), ("refuted.toml", REFUTED, 1)] {
        let manifest = room.write(name, manifest);
        reports.push((room.refute(["run", &manifest, "--json"]).json(code), code));
    }
    let size = |line: &str| line.rsplit(' ').take(2).count() == 2 && (line.contains(" KiB") || line.contains(" B"));
    // ./refute-data, as for every command that reads.
    let said = room.refute(["backup", "backup"]).expect(0).to_owned();
    let start = format!("{}: 2 sweeps, ", room.path("backup").canonicalize().unwrap().display());
    assert!(said.starts_with(&start) && size(&said) && said.lines().count() == 1, "{said}");
    let said = room.refute(["restore", "backup", "--data", "new/data"]).expect(0).to_owned();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("new/data: 2 sweeps, ") && lines[0].ends_with(", all verified"), "{said}");
    for ((report, code), line) in reports.iter().zip(&lines[1..]) {
        let id = report["sweep"]["id"].as_str().unwrap();
        let start = format!("  {id}: complete, ");
        assert!(line.starts_with(&start) && line.ends_with(" done"), "{said}");
        assert_eq!(&room.refute(["report", id, "--data", "new/data", "--format", "json"]).json(*code), report);
    }
}

#[test]
fn a_coordinator_makes_backups_in_the_directory_that_it_was_given_and_for_its_owner_alone() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    coordinator.submit(HELD);
    assert!(coordinator.refute(&["backup", "monday"]).expect(0).starts_with("monday: 1 sweep, "));
    let mode = |name: &str| std::fs::metadata(room.path(name)).unwrap().permissions().mode() & 0o777;
    for directory in ["data", "monday"] {
        assert_eq!(mode(directory), 0o700, "{directory}");
        for entry in std::fs::read_dir(room.path(directory)).unwrap() {
            let name = format!("{directory}/{}", entry.unwrap().file_name().to_str().unwrap());
            assert_eq!(mode(&name), 0o600, "{name}");
        }
    }
    drop(coordinator);

    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]);
    let coordinator = Coordinator::of(&room, room.start(command));
    let refused = coordinator.refute(&["backup", room.path("tuesday").to_str().unwrap()]);
    assert!(refused.code == Some(3) && refused.stderr.contains("it was started without --backups DIR"), "{}", refused.stderr);
    for (backups, problem) in [("nowhere", "--backups: 'nowhere' cannot be found: "), ("output/1.out", "--backups: 'output/1.out' ")] {
        let refused = room.refute(["serve", "--data", "new", "--listen", "127.0.0.1:0", "--backups", backups]);
        assert!(refused.code == Some(2) && refused.stderr.contains(problem), "{}", refused.stderr);
    }
    assert!(!room.path("tuesday").exists() && !room.path("new").exists());
}

#[test]
fn what_cannot_be_backed_up_or_restored_is_told_in_a_sentence_and_leaves_nothing_behind() {
    let room = Room::new();
    let manifest = room.write("held.toml", HELD);
    room.refute(["run", &manifest, "--data", "old"]).expect(0);
    room.refute(["backup", "backup", "--data", "old"]).expect(0);
    let coordinator = Coordinator::start(&room, 15_000);
    let taken = room.path("backup");
    for (directory, problem) in [
        ("../backup-2", "'../backup-2' does not lie in '"),
        ("/etc/backup-2", "'/etc/backup-2' does not lie in '"),
        (taken.to_str().unwrap(), "something of that name is there already"),
        (room.path("no/where").to_str().unwrap(), "no/where' does not lie in '"),
        (room.path("held.toml/backup").to_str().unwrap(), "held.toml/backup' does not lie in '"),
        (room.path("backup/another").to_str().unwrap(), "backup/another' does not lie in '"),
        (room.path("data/backup").to_str().unwrap(), "data/backup' does not lie in '"),
    ] {
        let refused = coordinator.refute(&["backup", directory]);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
        assert!(refused.stderr.contains(problem) && refused.stderr.lines().count() == 1, "{}", refused.stderr);
    }
    for (arguments, code, problem) in [
        (vec!["backup", "backup-2", "--data", "nothing"], 2, "there is no data in 'nothing'"),
        (vec!["backup", "backup-2", "--data", "data"], 3, "; that one makes the backup with --coordinator"),
        (vec!["backup", "backup-2", "--data", "backup"], 2, "'refute restore backup --data DIR' makes a data directory of it"),
        (vec!["backup", "/backup-2", "--coordinator", "127.0.0.1:9"], 3, "cannot reach a coordinator"),
        (vec!["restore", "old", "--data", "new"], 2, "'old' is no backup: "),
        (vec!["restore", "nothing", "--data", "new"], 2, "'nothing' is no backup: "),
        (vec!["restore", "backup", "--data", "old"], 2, "'old' holds something already, such as "),
        (vec!["restore", "backup", "--data", "data"], 3, "is in use by process"),
        (vec!["restore", "backup", "--data", "backup/new"], 2, "'backup/new' lies in the backup; --data names a directory outside of it"),
        (vec!["restore", "backup", "--data", "held.toml"], 2, "'held.toml' is no directory; --data names one that is empty or does "),
        (vec!["restore", "backup", "--data", "held.toml/new"], 2, "'held.toml/new' is no directory; --data names one that is empty"),
        (vec!["restore", "backup"], 2, "--data <DATA>"),
        (vec!["serve", "--data", "backup", "--listen", "127.0.0.1:0"], 2, "'backup' is a backup; "),
    ] {
        let refused = room.refute(&arguments);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(code), ""), "{arguments:?}: {}", refused.stderr);
        assert!(refused.stderr.contains(problem) && refused.stderr.lines().count() == 1, "{}", refused.stderr);
    }
    for name in ["backup-2", "backup-2.partial", "new", "nothing", "data/backup", "data/backup.partial", "backup/new", "backup/another"] {
        assert!(!room.path(name).exists(), "{name}");
    }
}
