//! Clocks that are set while a sweep runs.

use std::process::Command;
use std::time::Duration;

use crate::manifests::{HELD, one_shard};
use crate::network::Coordinator;
use crate::process::{is_able, refute, refute_worker, until};
use crate::report::check_complete;
use crate::room::Room;

/// The library that shows a process another time than the machine's.
fn library() -> String {
    let output = Command::new("faketime").args(["-m", "-f", "+0", "printenv", "LD_PRELOAD"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A command whose clock on the wall is off by what the file `clock` says; a clock that only counts is never set.
fn with_clock_of(room: &Room, mut command: Command) -> Command {
    command.env("LD_PRELOAD", library()).env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("FAKETIME_NO_CACHE", "1");
    command.env("FAKETIME_TIMESTAMP_FILE", room.path("clock"));
    command
}

/// The hours of the day in the last line of a log.
fn last_hour(log: &str) -> u32 {
    let time = log.lines().rev().find_map(|line| line.split_whitespace().next()?.split_once('T')).unwrap().1;
    time[..2].parse().unwrap()
}

#[test]
fn no_lease_runs_out_when_clocks_are_set_an_hour_forwards_or_back() {
    const TTL_MS: u32 = 2_500;
    if !is_able(&["faketime", "-m", "-f", "+0", "true"], "clocks that are set") {
        return;
    }
    let room = Room::new();
    room.write("clock", "+0\n");
    let mut serve = refute();
    serve.args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--lease-ttl-ms", &TTL_MS.to_string()]);
    let coordinator = Coordinator::of(&room, room.start(with_clock_of(&room, serve)));
    let mut command = refute_worker();
    command.args(["--coordinator", &coordinator.address, "--slots", "2"]).env("RUST_LOG", "refute_worker=debug");
    let worker = room.start(with_clock_of(&room, command));
    let endless = coordinator.submit(&one_shard("endless", 1 << 40));
    until("the endless shard to be leased", || (coordinator.status(&endless).leased == 1).then_some(()));
    let running_ms = || {
        let workers = coordinator.refute(&["workers", "--json"]).json(0);
        let shards = workers[0]["shards"].as_array().unwrap_or_else(|| panic!("{workers}")).clone();
        let shard = shards.iter().find(|shard| shard["sweep"] == endless).unwrap_or_else(|| panic!("it is gone: {shards:?}"));
        shard["running_ms"].as_u64().unwrap()
    };
    let mut hours = Vec::new();
    for (step, offset) in ["+0", "+1h", "-1h", "+0"].into_iter().enumerate() {
        room.write("clock", &format!("{offset}\n"));
        // The other slot solves this meanwhile, and both say so in their logs.
        let id = coordinator.submit(&HELD.replace("held", &format!("held-{step}")));
        check_complete(&coordinator.complete(&id), 6u128.pow(4));
        until("the worker to say so", || worker.stderr().contains(&id).then_some(()));
        hours.push([last_hour(&coordinator.process.stderr()), last_hour(&worker.stderr())]);
        // Longer than a lease lasts that is not kept alive.
        let before = running_ms();
        std::thread::sleep(Duration::from_millis(u64::from(TTL_MS) + 500));
        let ran = running_ms() - before;
        assert!((u64::from(TTL_MS)..600_000).contains(&ran), "after {offset} it ran for {ran} ms");
    }
    for process in 0..2 {
        assert_ne!(hours[0][process], hours[1][process], "the clock was not set: {hours:?}");
        assert_ne!(hours[1][process], hours[2][process], "the clock was not set: {hours:?}");
    }
    let (log, worker) = (coordinator.process.stderr(), worker.stderr());
    assert!(!log.contains("lease ran out") && !worker.contains("registering again"), "{log}\n{worker}");
    assert_eq!(coordinator.status(&endless).leased, 1);
    assert_eq!(log.matches("worker registered").count(), 1, "{log}");
}
