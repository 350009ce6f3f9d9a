//! `refute watch`: it follows a sweep to its end, whatever end that is.

use crate::manifests::{HELD, LONG};
use crate::network::Coordinator;
use crate::process::{Process, refute, until};
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
    let mut watchers = [watch(&room, &coordinator, &id, &["--json", "--quiet"]), watch(&room, &coordinator, &id, &[])];
    let _worker = room.start_worker(&coordinator.address);
    until("some shards to be done", || (coordinator.status(&id).done > 0).then_some(()));
    for watcher in &mut watchers {
        assert!(watcher.is_running() && watcher.stdout().is_empty(), "nothing is said before the end: {}", watcher.stderr());
    }
    let [json, text] = watchers.each_mut().map(Process::wait);
    let status = coordinator.status(&id);
    assert_eq!((status.state.as_str(), status.done), ("complete", status.total), "they wait for the end");
    let report = json.json(1);
    check_complete(&report, 51u128.pow(4));
    assert_eq!(report, coordinator.refute(&["report", &id, "--format", "json"]).json(1));
    assert_eq!(text.expect(1), coordinator.refute(&["report", &id]).expect(1));
    assert_eq!(json.stderr, "", "nothing is shown where nothing is wanted");
    let end = format!("{id}: complete: 6,765,201 of 6,765,201 configurations (100 %), ");
    assert!(text.stderr.lines().last().is_some_and(|line| line.starts_with(&end)), "{}", text.stderr);
    assert!(!text.stderr.contains(['\r', '\u{1b}']), "no bar where there is no terminal: {}", text.stderr);
}

#[test]
fn a_sweep_on_which_nothing_is_refuted_ends_the_watching_with_0() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(HELD);
    let mut watcher = watch(&room, &coordinator, &id, &["--json"]);
    until("the watcher to watch", || watcher.catches("INT").then_some(()));
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
    for signal in ["INT", "TERM", "HUP"] {
        let mut watcher = watch(&room, &coordinator, &id, &[]);
        until("the watcher to listen to signals", || watcher.catches(signal).then_some(()));
        watcher.signal(signal);
        let ended = watcher.wait();
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
        assert_eq!(ended.stderr, format!("refute: stopped watching; the sweep goes on ({id})\n"));
    }
    assert_eq!(coordinator.status(&id).state, "queued");
    let _worker = room.start_worker(&coordinator.address);
    check_complete(&coordinator.complete(&id), 6u128.pow(4));
}

#[test]
fn a_pause_is_told_with_the_command_that_ends_it() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(HELD);
    coordinator.refute(&["pause", &id]).expect(0);
    let resume = format!("refute resume {id} --coordinator http://{}", coordinator.address);
    let mut watcher = watch(&room, &coordinator, &id, &[]);
    until("the pause to be told", || watcher.stderr().contains(&format!("{id}: paused; '{resume}' resumes it\n")).then_some(()));
    watcher.signal("INT");
    let ended = watcher.wait();
    assert_eq!(ended.code, Some(3));
    let last = format!("refute: stopped watching; the sweep is paused, and '{resume}' resumes it");
    assert_eq!(ended.stderr.lines().last(), Some(last.as_str()));

    // The command is typed as it stands there.
    let mut watcher = watch(&room, &coordinator, &id, &[]);
    until("the pause to be told", || watcher.stderr().contains("paused").then_some(()));
    room.refute(resume.split(' ').skip(1)).expect(0);
    until("the end of the pause to be told", || watcher.stderr().contains(&format!("{id}: resumed\n")).then_some(()));
    let _worker = room.start_worker(&coordinator.address);
    assert_eq!(watcher.wait().code, Some(0));

    // What the environment says is not typed again.
    let paused = coordinator.submit(LONG);
    coordinator.refute(&["pause", &paused]).expect(0);
    let mut command = refute();
    command.args(["watch", &paused]).env("REFUTE_COORDINATOR", &coordinator.address);
    let watcher = room.start(command);
    let told = format!("{paused}: paused; 'refute resume {paused}' resumes it\n");
    until("the pause to be told", || watcher.stderr().contains(&told).then_some(()));
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
    until("the watcher to watch", || watcher.catches("INT").then_some(()));
    coordinator.process.kill();
    for ended in [watcher.wait(), coordinator.refute(&["watch", &id])] {
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("refute: ") && ended.stderr.lines().count() == 1, "one sentence: {}", ended.stderr);
        assert!(ended.stderr.contains(&coordinator.address), "{}", ended.stderr);
    }
}
