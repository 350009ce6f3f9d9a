//! The session in small stories: leases, results, heartbeats, a coordinator that is away or forgets, and draining.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use refute_shared::sweep::{Record, Shard, ShardResult};

use super::*;
use crate::assignment::{Assignment, Solved};

const TTL_MS: u64 = 30_000;
const HEARTBEAT_MS: u64 = 5_000;

fn assignment(lease_id: u64) -> Assignment {
    Assignment {
        lease_id,
        sweep_id: "t".into(),
        shard_number: lease_id,
        shard: Shard { box_index: 0, start: 0, end: 1 },
        family: "graph-nim".into(),
        solver_version: 1,
        space: "space".into(),
        stated: Vec::new(),
        claims: vec!["claim".into()],
        counterexamples: 1,
        record: Record::None,
    }
}

fn solved(lease_id: u64) -> Arc<Solved> {
    Arc::new(Solved { assignment: assignment(lease_id), result: ShardResult::default(), seconds: 1.0 })
}

fn unreachable() -> CallFailure {
    CallFailure::Unreachable { reason: "refused".into() }
}

/// A session and a clock that stands until it is moved.
///
/// Requests for shards have number 0 in the actions that it returns: the numbers are kept beside them.
struct Harness {
    session: Session,
    now_ms: u64,
    requests: Vec<u64>,
}

impl Harness {
    fn new(slots: usize) -> Self {
        Self { session: Session::new(slots), now_ms: 0, requests: Vec::new() }
    }

    /// A session that worker id `1` has been given, with nothing asked of it yet but one lease a slot.
    fn registered(slots: usize) -> Self {
        let mut harness = Self::new(slots);
        assert_eq!(harness.tell(Event::Tick), [Action::Register]);
        harness.register(1);
        harness
    }

    fn register(&mut self, worker_id: u64) -> Vec<Action> {
        self.tell(Event::Registered { worker_id, lease_ttl_ms: TTL_MS, heartbeat_every_ms: HEARTBEAT_MS })
    }

    fn tell(&mut self, event: Event) -> Vec<Action> {
        let moment = Moment { now_ms: self.now_ms, jitter: 0 };
        let mut actions = self.session.handle(moment, event);
        for action in &mut actions {
            if let Action::RequestLeases { number, .. } = action {
                self.requests.push(std::mem::take(number));
            }
        }
        assert!(self.session.next_timer().is_none_or(|due_ms| due_ms > self.now_ms), "a timer that is due was not acted on");
        actions
    }

    /// Lets time pass until the session wants to act.
    fn wait(&mut self) -> Vec<Action> {
        self.now_ms = self.session.next_timer().expect("a session that is not over waits for something");
        self.tell(Event::Tick)
    }

    /// Grants these leases, which go to the first idle slots in their order.
    fn grant(&mut self, lease_ids: &[u64]) -> Vec<Action> {
        let actions = self.tell(Event::Leased { leases: lease_ids.iter().map(|lease_id| shard(*lease_id)).collect() });
        for lease_id in lease_ids {
            let starts = |action: &Action| matches!(action, Action::Start { assignment, .. } if assignment.lease_id == *lease_id);
            assert!(actions.iter().any(starts), "{actions:?}");
        }
        actions.into_iter().filter(|action| !matches!(action, Action::Start { .. })).collect()
    }

    fn finish(&mut self, slot: usize, outcome: ShardOutcome) -> Vec<Action> {
        self.tell(Event::Finished { slot, outcome })
    }

    /// The coordinator has these reports.
    fn taken(&mut self, reports: &[u64]) -> Vec<Action> {
        self.tell(Event::Reported { answers: reports.iter().map(|report| (*report, Ok(()))).collect() })
    }

    fn not_taken(&mut self, report: u64, failure: CallFailure) -> Vec<Action> {
        self.tell(Event::Reported { answers: vec![(report, Err(failure))] })
    }
}

fn shard(lease_id: u64) -> Granted {
    Granted::Shard(Box::new(assignment(lease_id)))
}

fn request(worker_id: u64, shards: u32) -> Action {
    Action::RequestLeases { worker_id, shards, number: 0 }
}

/// Reports and calls that several results share are numbered together, from 1.
fn deliver(worker_id: u64, results: &[(u64, u64)]) -> Action {
    Action::Deliver { worker_id, results: results.iter().map(|(report, lease_id)| (*report, solved(*lease_id))).collect() }
}

fn release(report: u64, worker_id: u64, lease_id: u64, error: &str) -> Action {
    Action::Release { report, worker_id, lease_id, error: error.into() }
}

fn running(slot: usize, lease_id: u64) -> HeldLease {
    HeldLease { lease_id, progress: LeaseProgress::Slot(slot) }
}

fn ended(lease_id: u64) -> HeldLease {
    HeldLease { lease_id, progress: LeaseProgress::Ended(0) }
}

#[test]
fn one_request_asks_for_all_idle_slots_and_a_slot_goes_on_while_its_result_is_on_its_way() {
    let mut harness = Harness::new(3);
    harness.tell(Event::Tick);
    let told = Action::Tell(Notice::Registered { worker_id: 1 });
    assert_eq!(harness.register(1), [told, request(1, 3)]);
    assert_eq!(harness.grant(&[10, 11]), [request(1, 1)]);
    assert_eq!(harness.finish(0, ShardOutcome::Solved(solved(10))), [deliver(1, &[(1, 10)])]);
    // One request at a time: the slot that is free now waits for the answer to the other's.
    assert_eq!(harness.grant(&[12]), [request(1, 1)]);
    assert_eq!(harness.taken(&[1]), []);
}

#[test]
fn more_leases_than_were_asked_for_are_given_back_without_blame() {
    let mut harness = Harness::registered(1);
    let actions = harness.tell(Event::Leased { leases: vec![shard(10), shard(11)] });
    assert_eq!(actions, [Action::Start { slot: 0, assignment: Box::new(assignment(10)) }, release(1, 1, 11, "")]);
}

#[test]
fn while_there_is_nothing_to_do_it_is_asked_again_when_the_coordinator_said() {
    let mut harness = Harness::registered(3);
    assert_eq!(harness.tell(Event::NothingToDo { retry_after_ms: 400 }), []);
    assert_eq!(harness.wait(), [request(1, 3)]);
    assert_eq!(harness.now_ms, 400);
    assert_eq!(harness.grant(&[10]), [request(1, 2)]);
}

#[test]
fn what_is_refused_is_dropped_and_the_worker_asks_a_little_later() {
    let mut harness = Harness::registered(1);
    harness.grant(&[10]);
    harness.finish(0, ShardOutcome::Failed("too large".into()));
    harness.tell(Event::NothingToDo { retry_after_ms: 60_000 });
    let failure = CallFailure::Refused { reason: "cancelled".into() };
    let refused = Notice::ResultRefused { lease_id: 10, reason: "cancelled".into() };
    assert_eq!(harness.not_taken(1, failure), [Action::Tell(refused)]);
    assert_eq!(harness.wait(), [request(1, 1)]);
    assert_eq!(harness.now_ms, ASK_AGAIN_MS);
}

#[test]
fn a_delivered_result_ends_the_waiting() {
    let mut harness = Harness::registered(2);
    harness.grant(&[10]);
    harness.tell(Event::NothingToDo { retry_after_ms: 60_000 });
    harness.finish(0, ShardOutcome::Solved(solved(10)));
    assert_eq!(harness.taken(&[1]), [request(1, 2)]);
}

#[test]
fn a_shard_that_cannot_be_solved_is_given_back_with_the_reason() {
    let mut harness = Harness::registered(1);
    harness.grant(&[10]);
    assert_eq!(harness.finish(0, ShardOutcome::Failed("too large".into())), [release(1, 1, 10, "too large"), request(1, 1)]);
    assert_eq!(harness.taken(&[1]), []);
}

#[test]
fn a_lease_that_makes_no_sense_is_given_back_with_the_reason() {
    let mut harness = Harness::registered(1);
    let malformed = Granted::Malformed { lease_id: 10, problem: "no units".into() };
    assert_eq!(harness.tell(Event::Leased { leases: vec![malformed] }), [release(1, 1, 10, "no units"), request(1, 1)]);
}

#[test]
fn heartbeats_name_every_lease_and_stop_those_that_the_coordinator_names() {
    let mut harness = Harness::registered(3);
    harness.grant(&[9, 10, 11]);
    harness.finish(0, ShardOutcome::Solved(solved(9)));
    let leases = vec![running(1, 10), running(2, 11), ended(9)];
    assert_eq!(harness.wait(), [Action::Heartbeat { worker_id: 1, leases }]);
    assert_eq!(harness.now_ms, HEARTBEAT_MS);
    assert_eq!(harness.tell(Event::HeartbeatAnswered { worker_id: 1, stop: vec![11, 9, 99] }), [Action::Stop { slot: 2 }]);
    // The coordinator took the lease back itself, so there is nothing to give back.
    assert_eq!(harness.finish(2, ShardOutcome::Stopped), []);
    assert_eq!(harness.taken(&[1]), [], "what was solved is delivered all the same");
}

#[test]
fn heartbeats_come_well_within_the_life_of_a_lease() {
    let mut harness = Harness::new(1);
    harness.tell(Event::Tick);
    harness.tell(Event::Registered { worker_id: 1, lease_ttl_ms: 300, heartbeat_every_ms: 5_000 });
    assert_eq!(harness.session.next_timer(), Some(100));
}

#[test]
fn a_result_that_was_solved_before_the_stop_came_is_delivered() {
    let mut harness = Harness::registered(1);
    harness.grant(&[10]);
    harness.wait();
    assert_eq!(harness.tell(Event::HeartbeatAnswered { worker_id: 1, stop: vec![10] }), [Action::Stop { slot: 0 }]);
    assert_eq!(harness.finish(0, ShardOutcome::Solved(solved(10)))[0], deliver(1, &[(1, 10)]));
}

#[test]
fn a_coordinator_that_does_not_answer_is_told_of_once_and_tried_ever_more_rarely() {
    let mut harness = Harness::new(1);
    harness.tell(Event::Tick);
    let told = Action::Tell(Notice::Unreachable { reason: "refused".into() });
    assert_eq!(harness.tell(Event::RegisterFailed(unreachable())), [told]);
    let mut waits_ms = Vec::new();
    for _ in 0..7 {
        let before_ms = harness.now_ms;
        assert_eq!(harness.wait(), [Action::Register]);
        waits_ms.push(harness.now_ms - before_ms);
        assert_eq!(harness.tell(Event::RegisterFailed(unreachable())), []);
    }
    assert_eq!(waits_ms, [125, 250, 500, 1000, 2000, 2500, 2500]);
    harness.wait();
    assert_eq!(harness.register(1)[0], Action::Tell(Notice::Reachable));
}

#[test]
fn another_reason_why_the_coordinator_cannot_be_reached_is_told_as_well() {
    let mut harness = Harness::new(1);
    harness.tell(Event::Tick);
    let mut told = |reason: &str| {
        let actions = harness.tell(Event::RegisterFailed(CallFailure::Unreachable { reason: reason.into() }));
        harness.wait();
        actions == [Action::Tell(Notice::Unreachable { reason: reason.into() })]
    };
    assert_eq!(["down", "down", "expired", "expired", "down"].map(&mut told), [true, false, true, false, true]);
    harness.register(1);
    harness.tell(Event::HeartbeatFailed { worker_id: 1, failure: unreachable() });
    assert_eq!(harness.wait().len(), 1);
}

#[test]
fn a_result_is_kept_while_the_coordinator_is_away_and_delivered_when_it_is_back() {
    let mut harness = Harness::registered(2);
    harness.grant(&[10]);
    harness.finish(0, ShardOutcome::Solved(solved(10)));
    let told = Action::Tell(Notice::Unreachable { reason: "refused".into() });
    assert_eq!(harness.not_taken(1, unreachable()), [told]);
    // The request fails with the same connection; that says nothing new.
    assert_eq!(harness.tell(Event::LeaseFailed { failure: unreachable() }), []);
    let probe = [Action::Heartbeat { worker_id: 1, leases: vec![ended(10)] }];
    for _ in 0..5 {
        assert_eq!(harness.wait(), probe);
        assert_eq!(harness.tell(Event::HeartbeatFailed { worker_id: 1, failure: unreachable() }), []);
    }
    assert_eq!(harness.wait(), probe);
    let actions = harness.tell(Event::HeartbeatAnswered { worker_id: 1, stop: vec![] });
    assert_eq!(actions, [Action::Tell(Notice::Reachable), deliver(1, &[(1, 10)]), request(1, 1)]);
}

#[test]
fn a_request_for_shards_keeps_its_number_until_it_is_answered() {
    let mut harness = Harness::registered(1);
    for _ in 0..2 {
        harness.tell(Event::LeaseFailed { failure: unreachable() });
        harness.wait();
        assert_eq!(harness.tell(Event::HeartbeatAnswered { worker_id: 1, stop: vec![] }).last(), Some(&request(1, 1)));
    }
    harness.tell(Event::LeaseFailed { failure: CallFailure::Busy { retry_after_ms: Some(300), reason: "full".into() } });
    assert_eq!(harness.wait(), [request(1, 1)]);
    assert_eq!(harness.tell(Event::NothingToDo { retry_after_ms: 400 }), []);
    assert_eq!(harness.wait(), [request(1, 1)]);
    harness.grant(&[10]);
    harness.finish(0, ShardOutcome::Solved(solved(10)));
    assert_eq!(harness.requests, [1, 1, 1, 1, 2, 3]);
}

#[test]
fn a_worker_that_was_forgotten_registers_again_and_delivers_under_its_new_id() {
    let mut harness = Harness::registered(2);
    harness.grant(&[10, 11]);
    harness.finish(0, ShardOutcome::Solved(solved(10)));
    let unknown = CallFailure::UnknownWorker { worker_id: 1 };
    let actions = harness.not_taken(1, unknown.clone());
    assert_eq!(actions, [Action::Tell(Notice::Forgotten), Action::Register]);
    let leases = vec![running(1, 11), ended(10)];
    assert_eq!(harness.register(2), [Action::Tell(Notice::Registered { worker_id: 2 }), Action::Heartbeat { worker_id: 2, leases }]);
    // A call of the old id that fails late does not undo the registration.
    assert_eq!(harness.tell(Event::HeartbeatFailed { worker_id: 1, failure: unknown }), []);
    // The new coordinator does not know the leases; the shard that runs goes on.
    assert_eq!(harness.tell(Event::HeartbeatAnswered { worker_id: 2, stop: vec![10, 11] }), []);
    assert_eq!(harness.wait(), [deliver(2, &[(1, 10)])]);
    assert_eq!(harness.finish(1, ShardOutcome::Solved(solved(11))), [deliver(2, &[(4, 11)])]);
}

#[test]
fn a_lease_that_a_new_coordinator_let_stand_can_be_stopped_by_it() {
    let mut harness = Harness::registered(1);
    harness.grant(&[10]);
    harness.wait();
    harness.tell(Event::HeartbeatFailed { worker_id: 1, failure: CallFailure::UnknownWorker { worker_id: 1 } });
    harness.register(2);
    assert_eq!(harness.tell(Event::HeartbeatAnswered { worker_id: 2, stop: vec![] }), []);
    harness.wait();
    assert_eq!(harness.tell(Event::HeartbeatAnswered { worker_id: 2, stop: vec![10] }), [Action::Stop { slot: 0 }]);
}

#[test]
fn a_coordinator_that_forgets_at_once_is_not_stormed() {
    let mut harness = Harness::registered(1);
    let forget = |worker_id| Event::LeaseFailed { failure: CallFailure::UnknownWorker { worker_id } };
    assert_eq!(harness.tell(forget(1))[1..], [Action::Register]);
    harness.register(2);
    assert_eq!(harness.tell(forget(2)), [Action::Tell(Notice::Forgotten)]);
    assert_eq!(harness.wait(), [Action::Register]);
    assert!(harness.now_ms > 0);
}

#[test]
fn a_busy_coordinator_is_asked_when_it_said() {
    let mut harness = Harness::registered(2);
    let failure = CallFailure::Busy { retry_after_ms: Some(700), reason: "full".into() };
    harness.grant(&[11]);
    assert_eq!(harness.tell(Event::LeaseFailed { failure: failure.clone() }), []);
    harness.finish(0, ShardOutcome::Solved(solved(11)));
    harness.not_taken(1, failure);
    assert_eq!(harness.wait(), [deliver(1, &[(1, 11)]), request(1, 1)]);
    assert_eq!(harness.now_ms, 700);
}

#[test]
fn a_worker_that_is_refused_gives_up() {
    let mut harness = Harness::new(1);
    harness.tell(Event::Tick);
    let actions = harness.tell(Event::RegisterFailed(CallFailure::Refused { reason: "protocol 2".into() }));
    assert_eq!(actions, [Action::GiveUp { reason: "protocol 2".into() }]);
    assert_eq!(harness.session.next_timer(), None);
}

#[test]
fn draining_gives_back_without_blame_and_exits_when_all_is_handed_back() {
    let mut harness = Harness::registered(3);
    harness.grant(&[10, 11]);
    harness.finish(1, ShardOutcome::Solved(solved(11)));
    assert_eq!(harness.tell(Event::Drain), [Action::Stop { slot: 0 }]);
    assert_eq!(harness.finish(0, ShardOutcome::Stopped), [release(3, 1, 10, "")]);
    // The request that was on its way is granted after all.
    assert_eq!(harness.tell(Event::Leased { leases: vec![shard(12)] }), [release(4, 1, 12, "")]);
    assert_eq!(harness.taken(&[3]), []);
    assert_eq!(harness.taken(&[1]), []);
    assert_eq!(harness.taken(&[4]), [Action::Exit { worker_id: Some(1) }]);
}

#[test]
fn draining_ends_in_time_even_if_nobody_answers() {
    let mut harness = Harness::registered(1);
    harness.grant(&[10]);
    harness.finish(0, ShardOutcome::Solved(solved(10)));
    harness.not_taken(1, unreachable());
    let mut last = harness.tell(Event::Drain);
    while last.last() != Some(&Action::Exit { worker_id: None }) {
        if matches!(last.last(), Some(Action::Heartbeat { .. })) {
            last = harness.tell(Event::HeartbeatFailed { worker_id: 1, failure: unreachable() });
        } else {
            last = harness.wait();
        }
    }
    assert_eq!(harness.now_ms, DRAIN_MS);
    assert!(last.contains(&Action::Tell(Notice::Abandoned { leases: 1 })));
}

#[test]
fn a_worker_that_nobody_knows_and_that_has_nothing_exits_at_once() {
    let mut harness = Harness::new(4);
    harness.tell(Event::Tick);
    assert_eq!(harness.tell(Event::Drain), [Action::Exit { worker_id: None }]);
    assert_eq!(harness.tell(Event::Tick), []);
}

mod orders;
mod outbox;
