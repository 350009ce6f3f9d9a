//! What goes together and what alone, and how much may be on its way.

use refute_proto::MAX_RESULTS;
use refute_shared::sweep::{Candidate, KeptRecord};

use super::*;

/// A result with a record of so many bytes.
fn solved_with(lease_id: u64, bytes: usize) -> Arc<Solved> {
    let records = vec![KeptRecord { key: vec![0; bytes], value: String::new() }];
    Arc::new(Solved { result: ShardResult { records, ..ShardResult::default() }, ..(*solved(lease_id)).clone() })
}

#[test]
fn a_call_has_no_more_results_than_it_may_have() {
    let slots = 2 * MAX_RESULTS + 5;
    let mut harness = Harness::registered(slots);
    harness.grant(&(0..slots as u64).collect::<Vec<_>>());
    let mut calls = Vec::new();
    for slot in 0..slots {
        let actions = harness.finish(slot, ShardOutcome::Solved(solved(slot as u64)));
        calls.extend(actions.into_iter().filter_map(|action| match action {
            Action::Deliver { results, .. } => Some(results.into_iter().map(|(report, _)| report).collect::<Vec<_>>()),
            _ => None,
        }));
    }
    assert_eq!(calls.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    let answers: Vec<Vec<u64>> = std::mem::take(&mut calls);
    let actions = harness.taken(&answers.concat());
    let sizes = actions.iter().filter_map(|action| match action {
        Action::Deliver { results, .. } => Some(results.len()),
        _ => None,
    });
    assert_eq!(sizes.collect::<Vec<_>>(), [MAX_RESULTS, MAX_RESULTS], "and three wait");
}

#[test]
fn a_large_result_goes_alone_and_keeps_none_waiting() {
    let mut harness = Harness::registered(3);
    harness.grant(&[10, 11, 12]);
    for (slot, lease_id, number) in [(0, 10, 1), (1, 11, 2)] {
        let large = solved_with(lease_id, 1 << 14);
        let alone = Action::Deliver { worker_id: 1, results: vec![(number, large.clone())] };
        assert_eq!(harness.finish(slot, ShardOutcome::Solved(large))[0], alone);
    }
    assert_eq!(harness.finish(2, ShardOutcome::Solved(solved(12))), [deliver(1, &[(3, 12)])], "those that are alone are not counted");
}

#[test]
fn no_more_is_asked_for_while_results_take_too_much_memory() {
    let mut harness = Harness::registered(2);
    harness.grant(&[10, 11]);
    let requests = |actions: &[Action]| actions.iter().filter(|action| matches!(action, Action::RequestLeases { .. })).count();
    assert_eq!(requests(&harness.finish(0, ShardOutcome::Solved(solved_with(10, 1 << 25)))), 1);
    assert_eq!(harness.tell(Event::NothingToDo { retry_after_ms: 10 }), []);
    assert_eq!(requests(&harness.finish(1, ShardOutcome::Solved(solved_with(11, 1 << 25)))), 0);
    harness.now_ms = 100;
    assert_eq!(harness.tell(Event::Tick), [], "64 MiB wait");
    assert_eq!(requests(&harness.taken(&[1])), 1);
}

#[test]
fn attempts_at_a_result_become_ever_rarer_while_nobody_says_when_to_come_back() {
    let mut harness = Harness::registered(1);
    harness.grant(&[10]);
    harness.finish(0, ShardOutcome::Solved(solved(10)));
    let mut waits_ms = Vec::new();
    for _ in 0..7 {
        let before_ms = harness.now_ms;
        assert_eq!(harness.not_taken(1, CallFailure::Busy { retry_after_ms: None, reason: "full".into() }), []);
        while !matches!(harness.wait()[..], [Action::Deliver { .. }]) {
            harness.tell(Event::HeartbeatAnswered { worker_id: 1, stop: vec![] });
        }
        waits_ms.push(harness.now_ms - before_ms);
    }
    assert_eq!(waits_ms, [125, 250, 500, 1000, 2000, 2500, 2500]);
}

#[test]
fn draining_tries_at_once_what_was_to_wait() {
    let mut harness = Harness::registered(1);
    harness.grant(&[10]);
    harness.finish(0, ShardOutcome::Solved(solved(10)));
    harness.not_taken(1, CallFailure::Busy { retry_after_ms: Some(60_000), reason: "full".into() });
    harness.tell(Event::NothingToDo { retry_after_ms: 60_000 });
    assert_eq!(harness.tell(Event::Drain), [deliver(1, &[(1, 10)])]);
    assert_eq!(harness.taken(&[1]), [Action::Exit { worker_id: Some(1) }]);
}

#[test]
fn results_that_are_ready_together_go_together_and_wait_while_two_calls_are_on_their_way() {
    let mut harness = Harness::registered(4);
    harness.grant(&[10, 11, 12, 13]);
    assert_eq!(harness.finish(0, ShardOutcome::Solved(solved(10)))[0], deliver(1, &[(1, 10)]));
    assert_eq!(harness.finish(1, ShardOutcome::Solved(solved(11))), [deliver(1, &[(3, 11)])]);
    assert_eq!(harness.finish(2, ShardOutcome::Solved(solved(12))), []);
    assert_eq!(harness.finish(3, ShardOutcome::Solved(solved(13))), []);
    assert_eq!(harness.taken(&[1]), [deliver(1, &[(5, 12), (6, 13)])]);
}

#[test]
fn a_result_with_counterexamples_goes_alone_and_keeps_none_waiting() {
    let mut harness = Harness::registered(3);
    harness.grant(&[10, 11, 12]);
    let candidate = Candidate { key: vec![1], actual: "P".into() };
    let result = ShardResult { counterexamples: vec![vec![candidate]], ..ShardResult::default() };
    let found = Arc::new(Solved { result, ..(*solved(10)).clone() });
    let alone = Action::Deliver { worker_id: 1, results: vec![(1, found.clone())] };
    assert_eq!(harness.finish(0, ShardOutcome::Solved(found))[0], alone);
    assert_eq!(harness.finish(1, ShardOutcome::Solved(solved(11))), [deliver(1, &[(2, 11)])]);
    assert_eq!(harness.finish(2, ShardOutcome::Solved(solved(12))), [deliver(1, &[(4, 12)])], "the one that is alone is not counted");
}

#[test]
fn no_more_is_asked_for_while_too_much_is_on_its_way() {
    let mut harness = Harness::registered(1);
    for lease_id in 0..BACKLOG as u64 {
        harness.grant(&[lease_id]);
        harness.finish(0, ShardOutcome::Solved(solved(lease_id)));
    }
    assert!(harness.session.asking.is_none(), "{BACKLOG} results are on their way");
    assert_eq!(harness.taken(&[1]).last(), Some(&request(1, 1)));
}

#[test]
fn a_result_that_does_not_get_through_holds_one_slot_back() {
    let mut harness = Harness::registered(2);
    harness.grant(&[10, 11]);
    harness.finish(0, ShardOutcome::Solved(solved(10)));
    harness.grant(&[12]);
    let failure = CallFailure::Busy { retry_after_ms: Some(700), reason: "full".into() };
    assert_eq!(harness.not_taken(1, failure), []);
    assert_eq!(
        harness.finish(0, ShardOutcome::Solved(solved(12))),
        [deliver(1, &[(3, 12)])],
        "one of two slots is free and counts as taken"
    );
    assert_eq!(harness.finish(1, ShardOutcome::Solved(solved(11))), [deliver(1, &[(5, 11)]), request(1, 1)]);
}
