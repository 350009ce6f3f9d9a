use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use refute_shared::sweep::{Record, Shard, ShardResult};

use super::*;
use crate::assignment::Solved;

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
struct Bench {
    session: Session,
    now_ms: u64,
}

impl Bench {
    fn new(slots: usize) -> Self {
        Self { session: Session::new(slots), now_ms: 0 }
    }

    /// A session that worker id `1` has been given, with nothing asked of it yet but one lease a slot.
    fn registered(slots: usize) -> Self {
        let mut bench = Self::new(slots);
        assert_eq!(bench.tell(Event::Tick), [Action::Register]);
        bench.register(1);
        bench
    }

    fn register(&mut self, worker_id: u64) -> Vec<Action> {
        self.tell(Event::Registered { worker_id, lease_ttl_ms: TTL_MS, heartbeat_every_ms: HEARTBEAT_MS })
    }

    fn tell(&mut self, event: Event) -> Vec<Action> {
        let moment = Moment { now_ms: self.now_ms, jitter: 0 };
        let actions = self.session.handle(moment, event);
        assert!(self.session.next_timer().is_none_or(|due_ms| due_ms > self.now_ms), "a timer that is due was not acted on");
        actions
    }

    /// Lets time pass until the session wants to act.
    fn wait(&mut self) -> Vec<Action> {
        self.now_ms = self.session.next_timer().expect("a session that is not over waits for something");
        self.tell(Event::Tick)
    }

    fn grant(&mut self, slot: usize, lease_id: u64) {
        let actions = self.tell(Event::LeaseGranted { slot, assignment: Box::new(assignment(lease_id)) });
        assert!(actions.contains(&Action::Start { slot, assignment: Box::new(assignment(lease_id)) }), "{actions:?}");
    }

    fn finish(&mut self, slot: usize, outcome: Outcome) -> Vec<Action> {
        self.tell(Event::Finished { slot, outcome })
    }
}

fn request(slot: usize, worker_id: u64) -> Action {
    Action::RequestLease { slot, worker_id }
}

fn deliver(slot: usize, worker_id: u64, lease_id: u64) -> Action {
    Action::Deliver { slot, worker_id, solved: solved(lease_id) }
}

fn release(slot: usize, worker_id: u64, lease_id: u64, error: &str) -> Action {
    Action::Release { slot, worker_id, lease_id, error: error.into() }
}

#[test]
fn every_idle_slot_asks_and_asks_again_at_once_after_its_result_is_delivered() {
    let mut bench = Bench::new(2);
    bench.tell(Event::Tick);
    let told = Action::Tell(Notice::Registered { worker_id: 1 });
    assert_eq!(bench.register(1), [told, request(0, 1), request(1, 1)]);
    bench.grant(0, 10);
    assert_eq!(bench.finish(0, Outcome::Solved(solved(10))), [deliver(0, 1, 10)]);
    assert_eq!(bench.tell(Event::Delivered { slot: 0 }), [request(0, 1)]);
}

#[test]
fn while_there_is_nothing_to_do_one_slot_asks_for_all() {
    let mut bench = Bench::registered(3);
    for slot in 0..3 {
        assert_eq!(bench.tell(Event::NothingToDo { slot, retry_after_ms: 400 }), []);
    }
    assert_eq!(bench.wait(), [request(0, 1)]);
    assert_eq!(bench.now_ms, 400);
    let actions = bench.tell(Event::LeaseGranted { slot: 0, assignment: Box::new(assignment(10)) });
    assert_eq!(actions[1..], [request(1, 1), request(2, 1)]);
}

#[test]
fn what_is_refused_is_dropped_and_the_slot_asks_a_little_later() {
    let mut bench = Bench::registered(1);
    bench.grant(0, 10);
    bench.finish(0, Outcome::Failed("too large".into()));
    let failure = CallFailure::Refused { reason: "cancelled".into() };
    let refused = Notice::ResultRefused { lease_id: 10, reason: "cancelled".into() };
    assert_eq!(bench.tell(Event::DeliveryFailed { slot: 0, failure }), [Action::Tell(refused)]);
    assert_eq!(bench.wait(), [request(0, 1)]);
    assert_eq!(bench.now_ms, ASK_AGAIN_MS);
}

#[test]
fn a_delivered_result_ends_the_waiting() {
    let mut bench = Bench::registered(2);
    bench.grant(0, 10);
    bench.tell(Event::NothingToDo { slot: 1, retry_after_ms: 60_000 });
    bench.finish(0, Outcome::Solved(solved(10)));
    assert_eq!(bench.tell(Event::Delivered { slot: 0 }), [request(0, 1)]);
}

#[test]
fn a_shard_that_cannot_be_solved_is_given_back_with_the_reason() {
    let mut bench = Bench::registered(1);
    bench.grant(0, 10);
    assert_eq!(bench.finish(0, Outcome::Failed("too large".into())), [release(0, 1, 10, "too large")]);
    assert_eq!(bench.tell(Event::Delivered { slot: 0 }), [request(0, 1)]);
}

#[test]
fn a_lease_that_makes_no_sense_is_given_back_with_the_reason() {
    let mut bench = Bench::registered(1);
    let actions = bench.tell(Event::LeaseMalformed { slot: 0, lease_id: 10, problem: "no units".into() });
    assert_eq!(actions, [release(0, 1, 10, "no units")]);
}

#[test]
fn heartbeats_name_every_lease_and_stop_those_that_the_coordinator_names() {
    let mut bench = Bench::registered(3);
    for slot in 0..2 {
        bench.grant(slot, 10 + slot as u64);
    }
    let leases = vec![HeldLease { slot: 0, lease_id: 10 }, HeldLease { slot: 1, lease_id: 11 }];
    assert_eq!(bench.wait(), [Action::Heartbeat { worker_id: 1, leases }]);
    assert_eq!(bench.now_ms, HEARTBEAT_MS);
    assert_eq!(bench.tell(Event::HeartbeatAnswered { worker_id: 1, stop: vec![11, 99] }), [Action::Stop { slot: 1 }]);
    // The coordinator took the lease back itself, so there is nothing to give back.
    assert_eq!(bench.finish(1, Outcome::Stopped), [request(1, 1)]);
}

#[test]
fn heartbeats_come_well_within_the_life_of_a_lease() {
    let mut bench = Bench::new(1);
    bench.tell(Event::Tick);
    bench.tell(Event::Registered { worker_id: 1, lease_ttl_ms: 300, heartbeat_every_ms: 5_000 });
    assert_eq!(bench.session.next_timer(), Some(100));
}

#[test]
fn a_result_that_was_solved_before_the_stop_came_is_delivered() {
    let mut bench = Bench::registered(1);
    bench.grant(0, 10);
    bench.wait();
    assert_eq!(bench.tell(Event::HeartbeatAnswered { worker_id: 1, stop: vec![10] }), [Action::Stop { slot: 0 }]);
    assert_eq!(bench.finish(0, Outcome::Solved(solved(10))), [deliver(0, 1, 10)]);
}

#[test]
fn a_coordinator_that_does_not_answer_is_told_of_once_and_tried_ever_more_rarely() {
    let mut bench = Bench::new(1);
    bench.tell(Event::Tick);
    let told = Action::Tell(Notice::Unreachable { reason: "refused".into() });
    assert_eq!(bench.tell(Event::RegisterFailed(unreachable())), [told]);
    let mut waits_ms = Vec::new();
    for _ in 0..7 {
        let before_ms = bench.now_ms;
        assert_eq!(bench.wait(), [Action::Register]);
        waits_ms.push(bench.now_ms - before_ms);
        assert_eq!(bench.tell(Event::RegisterFailed(unreachable())), []);
    }
    assert_eq!(waits_ms, [125, 250, 500, 1000, 2000, 2500, 2500]);
    bench.wait();
    assert_eq!(bench.register(1)[0], Action::Tell(Notice::Reachable));
}

#[test]
fn another_reason_why_the_coordinator_cannot_be_reached_is_told_as_well() {
    let mut bench = Bench::new(1);
    bench.tell(Event::Tick);
    let mut told = |reason: &str| {
        let actions = bench.tell(Event::RegisterFailed(CallFailure::Unreachable { reason: reason.into() }));
        bench.wait();
        actions == [Action::Tell(Notice::Unreachable { reason: reason.into() })]
    };
    assert_eq!(["down", "down", "expired", "expired", "down"].map(&mut told), [true, false, true, false, true]);
    bench.register(1);
    bench.tell(Event::HeartbeatFailed { worker_id: 1, failure: unreachable() });
    assert_eq!(bench.wait().len(), 1);
}

#[test]
fn a_result_is_kept_while_the_coordinator_is_away_and_delivered_when_it_is_back() {
    let mut bench = Bench::registered(2);
    bench.grant(0, 10);
    bench.finish(0, Outcome::Solved(solved(10)));
    let told = Action::Tell(Notice::Unreachable { reason: "refused".into() });
    assert_eq!(bench.tell(Event::DeliveryFailed { slot: 0, failure: unreachable() }), [told]);
    // The other slot's request breaks off with the same connection; that says nothing new.
    assert_eq!(bench.tell(Event::LeaseFailed { slot: 1, failure: unreachable() }), []);
    let probe = [Action::Heartbeat { worker_id: 1, leases: vec![HeldLease { slot: 0, lease_id: 10 }] }];
    for _ in 0..5 {
        assert_eq!(bench.wait(), probe);
        assert_eq!(bench.tell(Event::HeartbeatFailed { worker_id: 1, failure: unreachable() }), []);
    }
    assert_eq!(bench.wait(), probe);
    let actions = bench.tell(Event::HeartbeatAnswered { worker_id: 1, stop: vec![] });
    assert_eq!(actions, [Action::Tell(Notice::Reachable), deliver(0, 1, 10), request(1, 1)]);
}

#[test]
fn a_worker_that_was_forgotten_registers_again_and_delivers_under_its_new_id() {
    let mut bench = Bench::registered(2);
    bench.grant(0, 10);
    bench.grant(1, 11);
    bench.finish(0, Outcome::Solved(solved(10)));
    let unknown = CallFailure::UnknownWorker { worker_id: 1 };
    let actions = bench.tell(Event::DeliveryFailed { slot: 0, failure: unknown.clone() });
    assert_eq!(actions, [Action::Tell(Notice::Forgotten), Action::Register]);
    let leases = vec![HeldLease { slot: 0, lease_id: 10 }, HeldLease { slot: 1, lease_id: 11 }];
    assert_eq!(bench.register(2), [Action::Tell(Notice::Registered { worker_id: 2 }), Action::Heartbeat { worker_id: 2, leases }]);
    // A call of the old id that fails late does not undo the registration.
    assert_eq!(bench.tell(Event::HeartbeatFailed { worker_id: 1, failure: unknown }), []);
    // The new coordinator does not know the leases; the shard that runs goes on.
    assert_eq!(bench.tell(Event::HeartbeatAnswered { worker_id: 2, stop: vec![10, 11] }), []);
    assert_eq!(bench.wait(), [deliver(0, 2, 10)]);
    assert_eq!(bench.finish(1, Outcome::Solved(solved(11))), [deliver(1, 2, 11)]);
}

#[test]
fn a_lease_that_a_new_coordinator_let_stand_can_be_stopped_by_it() {
    let mut bench = Bench::registered(1);
    bench.grant(0, 10);
    bench.wait();
    bench.tell(Event::HeartbeatFailed { worker_id: 1, failure: CallFailure::UnknownWorker { worker_id: 1 } });
    bench.register(2);
    assert_eq!(bench.tell(Event::HeartbeatAnswered { worker_id: 2, stop: vec![] }), []);
    bench.wait();
    assert_eq!(bench.tell(Event::HeartbeatAnswered { worker_id: 2, stop: vec![10] }), [Action::Stop { slot: 0 }]);
}

#[test]
fn a_coordinator_that_forgets_at_once_is_not_stormed() {
    let mut bench = Bench::registered(1);
    let forget = |worker_id| Event::LeaseFailed { slot: 0, failure: CallFailure::UnknownWorker { worker_id } };
    assert_eq!(bench.tell(forget(1))[1..], [Action::Register]);
    bench.register(2);
    assert_eq!(bench.tell(forget(2)), [Action::Tell(Notice::Forgotten)]);
    assert_eq!(bench.wait(), [Action::Register]);
    assert!(bench.now_ms > 0);
}

#[test]
fn a_busy_coordinator_is_asked_when_it_said() {
    let mut bench = Bench::registered(2);
    let failure = CallFailure::Busy { retry_after_ms: Some(700), reason: "full".into() };
    bench.grant(1, 11);
    assert_eq!(bench.tell(Event::LeaseFailed { slot: 0, failure: failure.clone() }), []);
    bench.finish(1, Outcome::Solved(solved(11)));
    bench.tell(Event::DeliveryFailed { slot: 1, failure });
    assert_eq!(bench.wait(), [deliver(1, 1, 11), request(0, 1)]);
    assert_eq!(bench.now_ms, 700);
}

#[test]
fn a_worker_that_is_refused_gives_up() {
    let mut bench = Bench::new(1);
    bench.tell(Event::Tick);
    let actions = bench.tell(Event::RegisterFailed(CallFailure::Refused { reason: "protocol 2".into() }));
    assert_eq!(actions, [Action::GiveUp { reason: "protocol 2".into() }]);
    assert_eq!(bench.session.next_timer(), None);
}

#[test]
fn draining_gives_back_without_blame_and_exits_when_all_is_handed_back() {
    let mut bench = Bench::registered(3);
    bench.grant(0, 10);
    bench.grant(1, 11);
    bench.finish(1, Outcome::Solved(solved(11)));
    assert_eq!(bench.tell(Event::Drain), [Action::Stop { slot: 0 }]);
    assert_eq!(bench.finish(0, Outcome::Stopped), [release(0, 1, 10, "")]);
    // The request that was on its way is granted after all.
    let late = Event::LeaseGranted { slot: 2, assignment: Box::new(assignment(12)) };
    assert_eq!(bench.tell(late), [release(2, 1, 12, "")]);
    assert_eq!(bench.tell(Event::Delivered { slot: 0 }), []);
    assert_eq!(bench.tell(Event::Delivered { slot: 1 }), []);
    assert_eq!(bench.tell(Event::Delivered { slot: 2 }), [Action::Exit { worker_id: Some(1) }]);
}

#[test]
fn draining_ends_in_time_even_if_nobody_answers() {
    let mut bench = Bench::registered(1);
    bench.grant(0, 10);
    bench.finish(0, Outcome::Solved(solved(10)));
    bench.tell(Event::DeliveryFailed { slot: 0, failure: unreachable() });
    let mut last = bench.tell(Event::Drain);
    while last.last() != Some(&Action::Exit { worker_id: None }) {
        if matches!(last.last(), Some(Action::Heartbeat { .. })) {
            last = bench.tell(Event::HeartbeatFailed { worker_id: 1, failure: unreachable() });
        } else {
            last = bench.wait();
        }
    }
    assert_eq!(bench.now_ms, DRAIN_MS);
    assert!(last.contains(&Action::Tell(Notice::Abandoned { leases: 1 })));
}

#[test]
fn a_worker_that_nobody_knows_and_that_has_nothing_exits_at_once() {
    let mut bench = Bench::new(4);
    bench.tell(Event::Tick);
    assert_eq!(bench.tell(Event::Drain), [Action::Exit { worker_id: None }]);
    assert_eq!(bench.tell(Event::Tick), []);
}

mod orders;
