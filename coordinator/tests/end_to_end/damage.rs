//! A data directory with a damaged file: a clear error, and `serve --repair` saves the rest and solves again what is gone.

use std::path::PathBuf;

use crate::manifests::REFUTED;
use crate::network::Coordinator;
use crate::process::{refute, until};
use crate::report::{check_complete, findings};
use crate::room::Room;

/// The largest file of the database that holds data.
fn largest(room: &Room) -> PathBuf {
    let files = room.path("data").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let data = files.filter(|file| file.extension().is_some_and(|extension| extension == "sst" || extension == "log"));
    data.max_by_key(|file| std::fs::metadata(file).unwrap().len()).unwrap()
}

#[test]
fn what_a_damaged_file_cost_is_told_and_solved_again() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", &format!("{REFUTED}[run]\nshard_seconds = 0.000005\n"));
    let whole = room.refute(["run", &manifest, "--json", "--data", "data"]).json(1);
    let id = whole["sweep"]["id"].as_str().unwrap().to_owned();
    // Opened once more, what was in the log is in table files.
    room.refute(["report", &id, "--data", "data"]).expect(1);
    let file = largest(&room);
    let mut contents = std::fs::read(&file).unwrap();
    let middle = contents.len() / 2;
    contents[middle] ^= 1;
    std::fs::write(&file, contents).unwrap();

    let refused = room.refute(["serve", "--data", "data", "--listen", "127.0.0.1:0"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(3), ""), "{refused:?}");
    assert!(refused.stderr.contains("Corruption") || refused.stderr.contains("damaged"), "{}", refused.stderr);
    assert!(refused.stderr.contains("'refute serve --repair --data data' saves the rest"), "{}", refused.stderr);

    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--repair"]);
    let coordinator = Coordinator::of(&room, room.start(command));
    let said = coordinator.process.stderr();
    assert!(said.contains("refute: files were damaged; "), "{said}");
    let line = said.lines().find(|line| line.starts_with(&format!("refute: {id}: "))).unwrap_or_else(|| panic!("{said}"));
    if line.ends_with("submit it again") {
        coordinator.refute(&["submit", "./manifest.toml"]).expect(0);
    } else {
        assert!(line.contains(" shards are not done or not whole, and will be solved: "), "{line}");
        let status = coordinator.status(&id);
        assert!(status.done < status.total, "{status:?}");
    }
    let _worker = room.start_worker(&coordinator.address);
    let report = coordinator.complete(&id);
    check_complete(&report, 7u128.pow(4));
    assert_eq!(findings(&report), findings(&whole));
}

#[test]
fn a_repair_of_what_is_whole_loses_nothing_and_of_nothing_is_refused() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    let whole = room.refute(["run", &manifest, "--json", "--data", "data"]).json(1);
    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--repair"]);
    let coordinator = Coordinator::of(&room, room.start(command));
    until("it to say so", || coordinator.process.stderr().contains("refute: all that is there is whole\n").then_some(()));
    let id = whole["sweep"]["id"].as_str().unwrap();
    assert_eq!(findings(&coordinator.complete(id)), findings(&whole));
    let refused = room.refute(["serve", "--data", "nowhere", "--listen", "127.0.0.1:0", "--repair"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("there is no data in 'nowhere'"), "{}", refused.stderr);
    assert!(!room.path("nowhere").exists());
}
