//! Logs as JSON: what happens to a shard is found by its ids, in the coordinator's log and in its worker's.

use std::net::TcpListener;

use serde_json::{Value, json};

use crate::manifests::REFUTED;
use crate::network::Coordinator;
use crate::process::{Process, refute, refute_worker, until};
use crate::puppet::Puppet;
use crate::report::check_complete;
use crate::room::Room;

/// The lines of a log, each of which is a JSON object.
fn lines(process: &Process) -> Vec<Value> {
    let log = process.stderr();
    // The last one may still be written.
    let whole = log.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The fields of the line with this message that are about a shard, if there is one about it.
fn about(process: &Process, message: &str, shard: u64) -> Option<Value> {
    let found = lines(process).into_iter().find(|line| line["fields"]["message"] == message && line["fields"]["shard"] == shard)?;
    let fields = &found["fields"];
    Some(json!({ "sweep": fields["sweep"], "shard": fields["shard"], "worker": fields["worker"], "lease": fields["lease"] }))
}

#[test]
fn a_shard_is_followed_by_its_ids_from_its_lease_to_its_count_through_both_logs() {
    let room = Room::new();
    let mut command = refute();
    command
        .args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--log-format", "json"])
        .env("RUST_LOG", "refute_coordinator=debug");
    let coordinator = Coordinator::of(&room, room.start(command));
    let mut command = refute_worker();
    command.args(["--coordinator", &coordinator.address, "--slots", "1", "--log-format", "json"]).env("RUST_LOG", "refute_worker=debug");
    let worker = room.start(command);
    let id = coordinator.submit(&format!("{REFUTED}[run]\nshard_seconds = 0.000005\n"));
    coordinator.complete(&id);
    let listed = coordinator.refute(&["workers", "--json"]).json(0);
    let worker_id: u64 = listed[0]["worker_id"].as_str().unwrap().parse().unwrap();

    for shard in [0, 3] {
        let granted = about(&coordinator.process, "lease granted", shard).unwrap();
        assert_eq!((&granted["sweep"], &granted["worker"]), (&json!(id), &json!(worker_id)));
        assert!(granted["lease"].is_u64(), "{granted}");
        for message in ["solving", "solved", "result delivered"] {
            let found = until(message, || about(&worker, message, shard));
            assert_eq!(found, granted, "{message}");
        }
        assert_eq!(about(&coordinator.process, "result counted", shard), Some(granted));
    }
    let line = |process: &Process, message: &str| lines(process).into_iter().find(|line| line["fields"]["message"] == message).unwrap();
    assert_eq!(line(&coordinator.process, "worker registered")["fields"]["worker"], worker_id);
    let working = format!("working for http://{}", coordinator.address);
    assert_eq!(line(&worker, &working)["fields"]["worker"], worker_id);
}

#[test]
fn a_log_that_nobody_reads_any_more_stops_nothing() {
    let room = Room::new();
    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0"]).env("RUST_LOG", "debug");
    let mut coordinator = Coordinator::of(&room, room.start_unheard(command));
    let mut command = refute_worker();
    command.args(["--coordinator", &coordinator.address, "--slots", "2"]).env("RUST_LOG", "debug");
    let mut worker = room.start_unheard(command);
    let id = coordinator.submit(&format!("{REFUTED}[run]\nshard_seconds = 0.000005\n"));
    check_complete(&coordinator.complete(&id), 7u128.pow(4));
    assert!(coordinator.process.is_running() && worker.is_running());
    // A run whose progress nobody reads comes to its end as well, and so does one that is stopped.
    let manifest = room.write("manifest.toml", REFUTED);
    let mut command = refute();
    command.args(["run", &manifest, "--data", "run"]).env("RUST_LOG", "debug");
    assert_eq!(room.start_unheard(command).wait().code, Some(1));
    for process in [&mut worker, &mut coordinator.process] {
        process.signal("TERM");
        assert_eq!(process.wait().code, Some(0));
    }
}

#[test]
fn a_coordinator_serves_also_where_nobody_reads_where_it_listens() {
    let room = Room::new();
    // A port that nobody listens on: it was just free.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", &address]).current_dir(room.path(".")).stdout(writer.try_clone().unwrap());
    let mut coordinator = command.stderr(writer).spawn().unwrap();
    until("the coordinator to answer", || (room.refute(["list", "--coordinator", &address]).code == Some(0)).then_some(()));
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
}

#[test]
fn what_is_printed_and_read_by_nobody_ends_as_it_would_have_otherwise() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    room.refute(["run", &manifest]).expect(1);
    let id = room.refute(["check", &manifest, "--json"]).json(0)["id"].as_str().unwrap().to_owned();
    for (arguments, code) in [
        (vec!["list"], 0),
        (vec!["report", &id], 1),
        (vec!["report", &id, "--json"], 1),
        (vec!["status", "nothing"], 2),
        (vec!["--version"], 0),
        (vec!["--version", "--verbose"], 0),
        (vec!["--help"], 0),
        (vec!["rnu"], 2),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = refute();
        command.args(&arguments).current_dir(room.path(".")).stdout(writer.try_clone().unwrap()).stderr(writer);
        assert_eq!(command.status().unwrap().code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn what_goes_wrong_with_a_shard_is_told_with_its_ids() {
    let room = Room::new();
    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--lease-ttl-ms", "400", "--log-format", "json"]);
    let coordinator = Coordinator::of(&room, room.start(command));
    let id = coordinator.submit(REFUTED);
    let mut puppet = Puppet::new(&coordinator.address, "puppet");
    let assignment = puppet.lease().unwrap().unwrap();
    let mut wrong = Puppet::solve(&assignment);
    wrong.tally.decided += 1;
    assert!(puppet.deliver(&assignment, wrong).is_err());
    let ids = json!({ "sweep": id, "shard": 0, "worker": puppet.worker_id(), "lease": assignment.lease_id });
    for message in ["result refused", "lease ran out"] {
        assert_eq!(until(message, || about(&coordinator.process, message, 0)), ids, "{message}");
    }
}
