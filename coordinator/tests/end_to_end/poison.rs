//! A shard that its workers do not survive, among others that they would.

use crate::network::Coordinator;
use crate::process::{Process, until};
use crate::report::{check_unfinished, decimal};
use crate::room::Room;

/// Short shards before and after one that takes longer than any worker lives here: a single heap for which all smaller ones
/// are solved.
const POISONED: &str = "name = \"poisoned\"\nfamily = \"partizan-subtraction\"\nclaims = [\"truncated-support/thm-1.3.*\"]\n\
    [[space]]\nleft = \"1..=3\"\nright = \"5..=7\"\nheap = \"0..=4000\"\n\
    [[space]]\nleft = \"1..=3\"\nright = \"5..=7\"\nheap = 1099511627776\n\
    [[space]]\nleft = \"1..=4\"\nright = \"5..=7\"\nheap = \"0..=4000\"\n\
    [run]\nshard_seconds = 0.000001\n";

/// Waits until a heartbeat has named the shard that is under way for longer than any short one, and returns its number. A
/// worker with a shard says nothing else, so it was heard after the shard was leased only if a heartbeat came.
fn poison(coordinator: &Coordinator<'_>) -> u64 {
    const LONG_MS: u64 = 500;
    until("the poison to be under way", || {
        let workers = coordinator.refute(&["workers", "--json"]).json(0);
        workers.as_array().unwrap().iter().find_map(|worker| {
            let shard = worker["shards"].as_array().unwrap().first()?;
            let heard_after_ms = shard["running_ms"].as_u64().unwrap().saturating_sub(worker["silent_ms"].as_u64().unwrap());
            (heard_after_ms > LONG_MS).then(|| shard["shard"].as_u64().unwrap())
        })
    })
}

fn start_and_take(room: &Room, coordinator: &Coordinator<'_>) -> (Process, u64) {
    let worker = room.start_worker(&coordinator.address);
    (worker, poison(coordinator))
}

#[test]
fn a_shard_that_kills_three_workers_is_quarantined_and_the_others_are_solved_without_blame() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 1_500);
    let id = coordinator.submit(POISONED);
    let mut numbers = Vec::new();
    // Workers that are told to stop hand it back; it may be tried as often as that happens.
    for _ in 0..3 {
        let (mut worker, number) = start_and_take(&room, &coordinator);
        numbers.push(number);
        worker.signal("TERM");
        assert_eq!(worker.wait().code, Some(0));
        assert_eq!(coordinator.status(&id).leased, 0, "it was handed back at once");
    }
    for attempt in 1..=3 {
        let status = coordinator.status(&id);
        assert_eq!((status.state.as_str(), status.quarantined), ("running", 0), "before attempt {attempt}");
        let (mut worker, number) = start_and_take(&room, &coordinator);
        numbers.push(number);
        worker.kill();
        until("the lease to run out", || (coordinator.status(&id).leased == 0).then_some(()));
    }
    let _worker = room.start_worker(&coordinator.address);
    let status = until("the sweep to end", || {
        let status = coordinator.status(&id);
        (status.state == "incomplete").then_some(status)
    });
    let number = numbers[0];
    assert!(numbers.iter().all(|other| *other == number), "{numbers:?}");
    assert!(status.total > 2 && number > 0 && number + 1 < status.total, "{status:?}");
    assert_eq!((status.quarantined, status.done), (1, status.total - 1));
    assert_eq!(status.decided, status.configurations - 1);
    let reason = status.reason.unwrap();
    let expected = format!("1 shard was quarantined; shard {number} after 3 attempts: the worker was silent");
    assert!(reason.starts_with(&expected), "{reason}");
    let report = coordinator.refute(&["report", &id, "--format", "json"]).json(3);
    check_unfinished(&report, "incomplete");
    assert_eq!(decimal(&report["configurations"]["decided"]), status.decided);
}
