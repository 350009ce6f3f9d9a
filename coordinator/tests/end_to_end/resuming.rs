//! `refute run` that is killed or told to stop, and run again.

use refute_coordinator::store::LOCK_FILE;

use crate::manifests::LONG;
use crate::network::Status;
use crate::process::{Process, until};
use crate::report::{check_complete, check_unfinished, fingerprint};
use crate::room::Room;

/// The coordinator inside a run, found as a person would find it: the sentence that says who has the directory names it.
fn address_inside(room: &Room, run: &mut Process) -> String {
    // Asked too early, the second run would have the directory and keep the first from it.
    until("the run to have its directory", || {
        assert!(run.is_running(), "the run ended: {}", run.stderr());
        let lock = std::fs::read_to_string(room.path("data").join(LOCK_FILE)).unwrap_or_default();
        (lock.contains(&run.id().to_string()) && lock.contains("127.0.0.1:")).then_some(())
    });
    let sentence = room.refute(["run", "h1", "--data", "data"]).stderr;
    let by = format!("is in use by process {}, which listens on ", run.id());
    let address = sentence.split_once(&by).and_then(|(_, rest)| rest.split(';').next()).unwrap_or_else(|| panic!("{sentence}"));
    address.to_owned()
}

/// Starts a run and waits until some of its shards are done, at least so many; returns it with where it stands.
fn start(room: &Room, id: &str, least_done: u64) -> (Process, Status) {
    let mut run = room.start_refute(["run", "long.toml", "--data", "data", "--workers", "1", "--json"]);
    let address = address_inside(room, &mut run);
    let status = until("some shards to be done", || {
        let ended = room.refute(["status", id, "--coordinator", &address, "--json"]);
        // The sweep is submitted a moment after the server listens.
        if ended.code == Some(2) {
            return None;
        }
        let status = Status::read(&ended.json(0));
        assert!(["queued", "running"].contains(&status.state.as_str()), "the sweep is too short for this test: {status:?}");
        assert!(status.done >= least_done, "it starts over: {status:?}");
        (status.done > least_done && status.leased > 0).then_some(status)
    });
    (run, status)
}

/// What is on disk when nobody has the directory.
fn on_disk(room: &Room, id: &str, seen: &Status) -> Status {
    let status = Status::read(&room.refute(["status", id, "--data", "data", "--json"]).json(0));
    assert!(status.done >= seen.done && status.done < status.total, "{status:?} after {seen:?}");
    assert!(status.decided >= seen.decided && status.decided < status.configurations, "{status:?} after {seen:?}");
    assert_eq!((status.state.as_str(), status.leased, status.in_progress), ("running", 0, 0));
    check_unfinished(&room.refute(["report", id, "--data", "data", "--json"]).json(3), "running");
    status
}

#[test]
fn a_run_that_was_killed_and_then_interrupted_goes_on_and_ends_as_if_nothing_had_been() {
    let room = Room::new();
    room.write("long.toml", LONG);
    let id = room.refute(["check", "long.toml", "--json"]).json(0)["id"].as_str().unwrap().to_owned();

    let (mut run, seen) = start(&room, &id, 0);
    run.kill();
    let kept = on_disk(&room, &id, &seen);

    let (mut run, seen) = start(&room, &id, kept.done);
    run.signal("INT");
    let ended = run.wait();
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""));
    let last = format!("refute: stopped; run the same command again and it goes on ({id})");
    assert_eq!(ended.stderr.lines().last(), Some(last.as_str()));
    let kept = on_disk(&room, &id, &seen);

    let (mut run, seen) = start(&room, &id, kept.done);
    run.signal("TERM");
    assert_eq!(run.wait().code, Some(3));
    on_disk(&room, &id, &seen);

    let report = room.refute(["run", "long.toml", "--data", "data", "--json"]).json(1);
    check_complete(&report, 51u128.pow(4));
    let undisturbed = room.refute(["run", "long.toml", "--data", "undisturbed", "--json"]).json(1);
    assert_eq!(fingerprint(&report), fingerprint(&undisturbed));
    assert_eq!(report["claims"], undisturbed["claims"]);
    // The seconds are those of all starts together.
    assert!(report["seconds"].as_f64().unwrap() > 0.2, "{}", report["seconds"]);
}

#[test]
fn the_same_directory_serves_one_run_at_a_time() {
    let room = Room::new();
    room.write("long.toml", LONG);
    let id = room.refute(["check", "long.toml", "--json"]).json(0)["id"].as_str().unwrap().to_owned();
    let (mut run, _) = start(&room, &id, 0);
    let second = room.refute(["run", "h1", "--data", "data"]);
    assert_eq!((second.code, second.stdout.as_str()), (Some(3), ""));
    assert!(second.stderr.contains(&format!("is in use by process {}", run.id())), "{}", second.stderr);
    let remedy = "; give each run a directory of its own with --data, or start 'refute serve' once and 'refute submit' all sweeps to it\n";
    assert!(second.stderr.ends_with(remedy), "{}", second.stderr);
    assert!(run.is_running(), "the second leaves the first in peace");
}
