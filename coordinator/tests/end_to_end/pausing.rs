//! Sweeps that are paused and go on: nothing is lost, and nothing is called held in the meantime.

use serde_json::{Value, json};

use crate::crashes::undisturbed;
use crate::manifests::{HELD, LONG, one_shard};
use crate::network::{Coordinator, Status};
use crate::process::until;
use crate::report::{check_complete, check_unfinished, findings};
use crate::room::Room;

/// Leases that last longer than any test.
const LONG_LEASE_MS: u32 = 600_000;

/// Sees a worker ask for shards, get those of a sweep that was submitted later, and none of the paused one.
#[track_caller]
fn stays_put(coordinator: &Coordinator<'_>, id: &str, paused: &Status, other: &str) {
    let other = coordinator.submit(&HELD.replace("held", other));
    check_complete(&coordinator.complete(&other), 6u128.pow(4));
    let now = coordinator.status(id);
    assert_eq!((now.state.as_str(), now.leased, now.in_progress), ("paused", 0, 0), "{now:?}");
    assert_eq!((now.done, now.decided), (paused.done, paused.decided), "no shard of it is handed out");
    let report = coordinator.refute(&["report", id, "--format", "json"]).json(3);
    check_unfinished(&report, "paused");
}

#[test]
fn a_paused_sweep_finishes_what_is_running_survives_a_restart_and_goes_on_to_the_same_result() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, LONG_LEASE_MS);
    let worker = room.start_worker(&coordinator.address);
    let id = coordinator.submit(LONG);
    until("a shard to be done", || (coordinator.status(&id).done > 0).then_some(()));
    coordinator.freeze_with_a_lease(&id, &worker, 1);
    assert_eq!(coordinator.refute(&["pause", &id]).expect(0), format!("{id}: paused\n"));
    let paused = coordinator.status(&id);
    assert_eq!(paused.state, "paused");
    worker.signal("CONT");
    let finished = until("the running shard to be finished", || {
        let status = coordinator.status(&id);
        (status.leased == 0).then_some(status)
    });
    assert_eq!(finished.done, paused.done + paused.leased, "what was running counts");
    assert!(finished.decided > 0 && finished.done < finished.total, "{finished:?}");
    stays_put(&coordinator, &id, &finished, "meanwhile");
    // To pause it again changes nothing.
    assert_eq!(coordinator.refute(&["pause", &id, "--json"]).json(0), json!({ "id": id, "state": "paused" }));
    let text = coordinator.refute(&["report", &id]);
    assert!(text.expect(3).starts_with(&format!("{id}: paused\n")) && text.stdout.contains("(not all)"), "{}", text.stdout);
    assert!(!text.stdout.contains("HELD") && !text.stdout.contains("fingerprint"), "{}", text.stdout);
    assert!(coordinator.refute(&["list"]).expect(0).contains(&format!("{id}: paused, ")));

    coordinator.process.kill();
    check_unfinished(&room.refute(["report", &id, "--data", "data", "--json"]).json(3), "paused");
    let address = coordinator.address.clone();
    let coordinator = Coordinator::start_at(&room, &address, LONG_LEASE_MS);
    stays_put(&coordinator, &id, &finished, "afterwards");

    assert_eq!(coordinator.refute(&["resume", &id, "--json"]).json(0), json!({ "id": id, "state": "queued" }));
    let report = coordinator.complete(&id);
    check_complete(&report, 51u128.pow(4));
    assert_eq!(&findings(&report), undisturbed());
}

#[test]
fn a_sweep_paused_while_its_last_shard_runs_is_complete_with_it() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, LONG_LEASE_MS);
    let worker = room.start_worker(&coordinator.address);
    // A second or two of one core.
    let id = coordinator.submit(&one_shard("single", 300_000_000));
    coordinator.freeze_with_a_lease(&id, &worker, 1);
    assert_eq!(coordinator.refute(&["pause", &id]).expect(0), format!("{id}: paused\n"));
    let paused = coordinator.status(&id);
    assert_eq!((paused.state.as_str(), paused.total, paused.done), ("paused", 1, 0));
    // Going on while it runs is going on with it, and pausing it once more leaves it to its worker.
    assert_eq!(coordinator.refute(&["resume", &id]).expect(0), format!("{id}: running\n"));
    coordinator.refute(&["pause", &id]).expect(0);
    worker.signal("CONT");
    until("the sweep to be complete", || (coordinator.status(&id).state == "complete").then_some(()));
    let report = coordinator.refute(&["report", &id, "--format", "json"]).json(0);
    check_complete(&report, 1);
    assert_eq!(findings(&report), findings(&room.refute(["run", "submitted.toml", "--data", "undisturbed", "--json"]).json(0)));
}

#[test]
fn a_sweep_that_is_paused_before_it_begins_goes_on_when_it_is_resumed_submitted_or_run() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(HELD);
    // One that is not paused goes on as it was.
    assert_eq!(coordinator.refute(&["resume", &id]).expect(0), format!("{id}: queued\n"));
    for going_on in [vec!["resume", &id], vec!["submit", "./submitted.toml"]] {
        assert_eq!(coordinator.refute(&["pause", &id]).expect(0), format!("{id}: paused\n"));
        assert_eq!(coordinator.status(&id).state, "paused");
        coordinator.refute(&going_on).expect(0);
        assert_eq!(coordinator.status(&id).state, "queued", "{going_on:?}");
    }
    coordinator.refute(&["pause", &id]).expect(0);
    coordinator.process.signal("TERM");
    assert_eq!(coordinator.process.wait().code, Some(0));
    check_unfinished(&room.refute(["report", &id, "--data", "data", "--json"]).json(3), "paused");
    check_complete(&room.refute(["run", "submitted.toml", "--data", "data", "--json"]).json(0), 6u128.pow(4));
}

#[test]
fn what_has_ended_or_is_not_there_can_be_neither_paused_nor_resumed() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let cancelled = coordinator.submit(&HELD.replace("held", "other"));
    coordinator.refute(&["cancel", &cancelled]).expect(0);
    let _worker = room.start_worker(&coordinator.address);
    let complete = coordinator.submit(HELD);
    let report = coordinator.complete(&complete);
    for (command, done) in [("pause", "paused"), ("resume", "resumed")] {
        for (id, state) in [(&complete, "complete"), (&cancelled, "cancelled")] {
            let refused = coordinator.refute(&[command, id]);
            let rest = if state == "complete" { "nothing of it is left to do" } else { "submit it again to go on with it" };
            let sentence = format!("refute: sweep '{id}' is {state} and cannot be {done}; {rest}\n");
            assert_eq!((refused.code, refused.stdout.as_str(), refused.stderr.as_str()), (Some(2), "", sentence.as_str()));
            assert_eq!(&coordinator.status(id).state, state);
        }
        for id in ["held-000000000000", ""] {
            let refused = coordinator.refute(&[command, id]);
            let sentence = format!("refute: there is no sweep '{id}'; 'refute list' lists them\n");
            assert_eq!((refused.code, refused.stdout.as_str(), refused.stderr.as_str()), (Some(2), "", sentence.as_str()));
        }
        // Nobody listens on port 9 of this machine.
        assert_eq!(room.refute([command, &complete, "--coordinator", "127.0.0.1:9"]).code, Some(3));
        let refused = room.refute([command, &complete]);
        assert!(refused.code == Some(2) && refused.stderr.contains("--coordinator"), "{}", refused.stderr);
    }
    let after: Value = coordinator.refute(&["report", &complete, "--format", "json"]).json(0);
    assert_eq!(after, report);
}
