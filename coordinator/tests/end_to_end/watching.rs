//! `refute watch`: it follows a sweep to its end, whatever end that is.

use crate::manifests::{HELD, LONG};
use crate::network::Coordinator;
use crate::process::{Process, until};
use crate::report::{check_complete, check_unfinished};
use crate::room::Room;

/// Starts to watch a sweep.
fn watch(room: &Room, coordinator: &Coordinator<'_>, id: &str, more: &[&str]) -> Process {
    room.start_refute(["watch", id, "--coordinator", &coordinator.address].iter().chain(more))
}

#[test]
fn a_sweep_is_followed_to_its_end_and_its_report_printed() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(LONG);
    let mut watchers = [watch(&room, &coordinator, &id, &["--json"]), watch(&room, &coordinator, &id, &[])];
    let _worker = room.start_worker(&coordinator.address);
    until("some shards to be done", || (coordinator.status(&id).done > 0).then_some(()));
    for watcher in &mut watchers {
        assert!(watcher.is_running() && watcher.stdout().is_empty(), "nothing is said before the end: {}", watcher.stderr());
    }
    let [json, text] = watchers.each_mut().map(Process::wait);
    let status = coordinator.status(&id);
    assert_eq!((status.state.as_str(), status.done), ("complete", status.total), "they wait for the end");
    let report = json.json(1);
    check_complete(&report, 67u128.pow(4));
    assert_eq!(report, coordinator.refute(&["report", &id, "--format", "json"]).json(1));
    assert_eq!(text.expect(1), coordinator.refute(&["report", &id]).expect(1));
    assert_eq!((json.stderr.as_str(), text.stderr.as_str()), ("", ""), "no bar where there is no terminal");
}

#[test]
fn a_sweep_on_which_nothing_is_refuted_ends_the_watching_with_0() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(HELD);
    let mut watcher = watch(&room, &coordinator, &id, &["--json"]);
    until("the watcher to watch", || catches(&watcher, "INT").then_some(()));
    let _worker = room.start_worker(&coordinator.address);
    check_complete(&watcher.wait().json(0), 6u128.pow(4));
    // What has ended before is reported at once.
    check_complete(&coordinator.refute(&["watch", &id, "--json"]).json(0), 6u128.pow(4));
}

#[test]
fn a_sweep_that_is_paused_is_watched_on_and_one_that_is_cancelled_ends_the_watching_with_3() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(LONG);
    let mut watchers = [watch(&room, &coordinator, &id, &["--json"]), watch(&room, &coordinator, &id, &[])];
    coordinator.refute(&["pause", &id]).expect(0);
    // Another sweep is submitted and solved in the meantime.
    let _worker = room.start_worker(&coordinator.address);
    coordinator.complete(&coordinator.submit(HELD));
    for watcher in &mut watchers {
        assert!(watcher.is_running(), "a pause is no end: {}{}", watcher.stdout(), watcher.stderr());
    }
    coordinator.refute(&["cancel", &id]).expect(0);
    let [json, text] = watchers.each_mut().map(Process::wait);
    check_unfinished(&json.json(3), "cancelled");
    assert!(text.expect(3).starts_with(&format!("{id}: cancelled\n")) && !text.stdout.contains("HELD"), "{}", text.stdout);
    check_unfinished(&coordinator.refute(&["watch", &id, "--json"]).json(3), "cancelled");
}

#[test]
fn who_stops_watching_leaves_the_sweep_as_it_is() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(HELD);
    for signal in ["INT", "TERM"] {
        let mut watcher = watch(&room, &coordinator, &id, &[]);
        until("the watcher to listen to signals", || catches(&watcher, signal).then_some(()));
        watcher.signal(signal);
        let ended = watcher.wait();
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
        assert_eq!(ended.stderr, format!("refute: stopped watching; the sweep goes on ({id})\n"));
    }
    assert_eq!(coordinator.status(&id).state, "queued");
    let _worker = room.start_worker(&coordinator.address);
    check_complete(&coordinator.complete(&id), 6u128.pow(4));
}

/// Whether a process has a handler for a signal, by the mask of them that the system shows.
fn catches(process: &Process, signal: &str) -> bool {
    let number = match signal {
        "INT" => 2,
        "TERM" => 15,
        other => panic!("no number is known for {other}"),
    };
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
}

#[test]
fn a_coordinator_that_goes_away_ends_the_watching_with_3_and_an_unknown_sweep_with_2() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let unknown = coordinator.refute(&["watch", "held-000000000000"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (Some(2), ""));
    assert_eq!(unknown.stderr, "refute: there is no sweep 'held-000000000000'; 'refute list' lists them\n");
    let id = coordinator.submit(HELD);
    let mut watcher = watch(&room, &coordinator, &id, &["--json"]);
    until("the watcher to watch", || catches(&watcher, "INT").then_some(()));
    coordinator.process.kill();
    for ended in [watcher.wait(), coordinator.refute(&["watch", &id])] {
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("refute: ") && ended.stderr.lines().count() == 1, "one sentence: {}", ended.stderr);
        assert!(ended.stderr.contains(&coordinator.address), "{}", ended.stderr);
    }
}
