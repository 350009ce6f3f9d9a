//! Random orders of events: a model of the world answers what the session asks for, in any order, late, or with a failure.

use super::*;

/// One step of the world; numbers choose among what is possible.
#[derive(Clone, Debug)]
enum Step {
    Answer { which: usize, how: usize },
    Finish { which: usize, how: usize },
    Pass { ms: u64 },
    WaitForTimer,
    Drain,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (any::<usize>(), 0usize..12).prop_map(|(which, how)| Step::Answer { which, how }),
        4 => (any::<usize>(), 0usize..6).prop_map(|(which, how)| Step::Finish { which, how }),
        2 => (0u64..3_000).prop_map(|ms| Step::Pass { ms }),
        3 => Just(Step::WaitForTimer),
    ]
}

/// What becomes of a shard that a slot was given.
#[derive(Debug, PartialEq)]
enum Shard {
    Running { lease_id: u64, stopped: Option<By> },
    Kept { lease_id: u64, solved: bool },
}

/// Who stopped a shard: a coordinator that took it back needs not be told.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Coordinator,
    Drain,
}

/// The world as it should be after every step.
struct World {
    bench: Bench,
    /// Calls that have not been answered yet.
    calls: Vec<Action>,
    slots: BTreeMap<usize, Shard>,
    delivered: BTreeSet<u64>,
    refused: BTreeSet<u64>,
    solved: BTreeSet<u64>,
    abandoned: usize,
    next_lease: u64,
    next_worker: u64,
    draining_since_ms: Option<u64>,
    over: bool,
}

impl World {
    fn new(slots: usize) -> Self {
        let mut world = Self {
            bench: Bench::new(slots),
            calls: Vec::new(),
            slots: BTreeMap::new(),
            delivered: BTreeSet::new(),
            refused: BTreeSet::new(),
            solved: BTreeSet::new(),
            abandoned: 0,
            next_lease: 1,
            next_worker: 1,
            draining_since_ms: None,
            over: false,
        };
        world.tell(Event::Tick);
        world
    }

    fn tell(&mut self, event: Event) {
        let actions = self.bench.tell(event);
        assert!(!self.over || actions.is_empty(), "something follows the end: {actions:?}");
        for action in actions {
            self.perform(action);
        }
        self.check();
    }

    fn perform(&mut self, action: Action) {
        match &action {
            Action::Register => assert!(!self.calls.contains(&Action::Register), "registers twice at a time"),
            Action::RequestLease { slot, .. } => {
                assert!(self.draining_since_ms.is_none(), "asks while it drains");
                assert!(!self.slots.contains_key(slot), "asks for a slot that has a shard");
                let asked = |call: &Action| matches!(call, Action::RequestLease { slot: other, .. } if other == slot);
                assert!(!self.calls.iter().any(asked), "asks twice for a slot");
            }
            Action::Heartbeat { worker_id, .. } => {
                let same = |call: &Action| matches!(call, Action::Heartbeat { worker_id: other, .. } if other == worker_id);
                assert!(!self.calls.iter().any(same), "two heartbeats at a time");
            }
            Action::Deliver { slot, solved, .. } => {
                let lease_id = solved.assignment.lease_id;
                assert_eq!(self.slots.get(slot), Some(&Shard::Kept { lease_id, solved: true }));
                self.check_reported_once(*slot);
            }
            Action::Release { slot, lease_id, .. } => {
                assert_eq!(self.slots.get(slot), Some(&Shard::Kept { lease_id: *lease_id, solved: false }));
                self.check_reported_once(*slot);
            }
            Action::Start { slot, assignment } => {
                let lease_id = assignment.lease_id;
                let before = self.slots.insert(*slot, Shard::Running { lease_id, stopped: None });
                assert_eq!(before, None, "a slot has two shards");
                return;
            }
            Action::Stop { slot } => {
                let Some(Shard::Running { stopped, .. }) = self.slots.get_mut(slot) else { panic!("stops a slot that does not run") };
                let by = if self.draining_since_ms.is_some() { By::Drain } else { By::Coordinator };
                assert_eq!(stopped.replace(by), None, "stops twice");
                return;
            }
            Action::Tell(Notice::Abandoned { leases }) => {
                self.abandoned = *leases;
                return;
            }
            Action::Tell(_) => return,
            Action::GiveUp { .. } | Action::Exit { .. } => {
                self.over = true;
                return;
            }
        }
        self.calls.push(action);
    }

    fn check_reported_once(&self, slot: usize) {
        let reported = self
            .calls
            .iter()
            .any(|call| matches!(call, Action::Deliver { slot: other, .. } | Action::Release { slot: other, .. } if *other == slot));
        assert!(!reported, "reports twice at a time");
    }

    /// No result is lost: each is delivered, refused, or still with its slot, or was left behind when time was over.
    fn check(&self) {
        let kept: BTreeSet<u64> = self
            .slots
            .values()
            .filter_map(|shard| match shard {
                Shard::Kept { lease_id, solved: true } => Some(*lease_id),
                _ => None,
            })
            .collect();
        for lease_id in &self.solved {
            let places = [&self.delivered, &self.refused, &kept].map(|place| usize::from(place.contains(lease_id)));
            assert_eq!(places.iter().sum::<usize>(), 1, "lease {lease_id}");
        }
        if self.over && self.draining_since_ms.is_some() {
            assert_eq!(self.abandoned, self.slots.len());
        }
        if !self.over {
            if let Some(since_ms) = self.draining_since_ms {
                assert!(self.bench.now_ms < since_ms + DRAIN_MS, "drains too long");
                assert!(!self.slots.is_empty() || self.calls.iter().any(|call| matches!(call, Action::RequestLease { .. })));
            }
            let heard = self.bench.session.next_timer().is_some() || !self.calls.is_empty() || !self.slots.is_empty();
            assert!(heard, "waits for nothing at all");
        }
    }

    fn answer(&mut self, which: usize, how: usize) {
        if self.calls.is_empty() {
            return;
        }
        let call = self.calls.swap_remove(which % self.calls.len());
        let failure = |worker_id| match how {
            0 => Some(CallFailure::Unreachable { reason: "gone".into() }),
            1 => Some(CallFailure::UnknownWorker { worker_id }),
            2 => Some(CallFailure::Busy { retry_after_ms: Some(300), reason: "full".into() }),
            3 => Some(CallFailure::Busy { retry_after_ms: None, reason: "full".into() }),
            4 => Some(CallFailure::Refused { reason: "no".into() }),
            _ => None,
        };
        match call {
            Action::Register => match failure(0).filter(|_| how != 4) {
                Some(failure) => self.tell(Event::RegisterFailed(failure)),
                None => {
                    let worker_id = self.next_worker;
                    self.next_worker += 1;
                    self.tell(Event::Registered { worker_id, lease_ttl_ms: TTL_MS, heartbeat_every_ms: HEARTBEAT_MS });
                }
            },
            Action::RequestLease { slot, worker_id } => match failure(worker_id) {
                Some(failure) => self.tell(Event::LeaseFailed { slot, failure }),
                None if how < 7 => self.tell(Event::NothingToDo { slot, retry_after_ms: 500 }),
                None => {
                    let lease_id = self.next_lease;
                    self.next_lease += 1;
                    // A lease that came too late or makes no sense is given back without ever having run.
                    if how == 7 || self.draining_since_ms.is_some() {
                        self.slots.insert(slot, Shard::Kept { lease_id, solved: false });
                    }
                    self.tell(match how {
                        7 => Event::LeaseMalformed { slot, lease_id, problem: "nonsense".into() },
                        _ => Event::LeaseGranted { slot, assignment: Box::new(assignment(lease_id)) },
                    });
                }
            },
            Action::Heartbeat { worker_id, leases } => match failure(worker_id) {
                Some(failure) => self.tell(Event::HeartbeatFailed { worker_id, failure }),
                None => {
                    let stop = leases.iter().filter(|lease| lease.lease_id as usize % 12 == how).map(|lease| lease.lease_id).collect();
                    self.tell(Event::HeartbeatAnswered { worker_id, stop });
                }
            },
            Action::Deliver { slot, worker_id, solved } => self.answer_report(slot, failure(worker_id), Some(solved.assignment.lease_id)),
            Action::Release { slot, worker_id, .. } => self.answer_report(slot, failure(worker_id), None),
            other => panic!("no call: {other:?}"),
        }
    }

    fn answer_report(&mut self, slot: usize, failure: Option<CallFailure>, solved: Option<u64>) {
        match failure {
            None => {
                self.slots.remove(&slot);
                self.delivered.extend(solved);
                self.tell(Event::Delivered { slot });
            }
            Some(failure) => {
                if matches!(failure, CallFailure::Refused { .. }) {
                    self.slots.remove(&slot);
                    self.refused.extend(solved);
                }
                self.tell(Event::DeliveryFailed { slot, failure });
            }
        }
    }

    fn finish(&mut self, which: usize, how: usize) {
        let running: Vec<(usize, u64, Option<By>)> = self
            .slots
            .iter()
            .filter_map(|(slot, shard)| match shard {
                Shard::Running { lease_id, stopped } => Some((*slot, *lease_id, *stopped)),
                Shard::Kept { .. } => None,
            })
            .collect();
        if running.is_empty() {
            return;
        }
        let (slot, lease_id, stopped) = running[which % running.len()];
        if let Some(by) = stopped.filter(|_| how < 3) {
            match by {
                By::Coordinator => self.slots.remove(&slot),
                By::Drain => self.slots.insert(slot, Shard::Kept { lease_id, solved: false }),
            };
            self.tell(Event::Finished { slot, outcome: Outcome::Stopped });
        } else if how == 3 {
            self.slots.insert(slot, Shard::Kept { lease_id, solved: false });
            self.tell(Event::Finished { slot, outcome: Outcome::Failed("too large".into()) });
        } else {
            self.slots.insert(slot, Shard::Kept { lease_id, solved: true });
            self.solved.insert(lease_id);
            self.tell(Event::Finished { slot, outcome: Outcome::Solved(solved(lease_id)) });
        }
    }

    fn step(&mut self, step: &Step) {
        if self.over {
            return;
        }
        match step {
            Step::Answer { which, how } => self.answer(*which, *how),
            Step::Finish { which, how } => self.finish(*which, *how),
            // A driver may be late, but it is never told to sleep past a timer.
            Step::Pass { ms } => {
                let timer_ms = self.bench.session.next_timer().unwrap_or(u64::MAX);
                self.bench.now_ms = (self.bench.now_ms + ms).min(timer_ms);
                self.tell(Event::Tick);
            }
            Step::WaitForTimer => {
                if let Some(timer_ms) = self.bench.session.next_timer() {
                    self.bench.now_ms = timer_ms;
                    self.tell(Event::Tick);
                }
            }
            Step::Drain => {
                self.draining_since_ms = Some(self.bench.now_ms);
                self.tell(Event::Drain);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_the_order_no_result_is_lost_and_no_slot_has_two_shards(
        slots in 1usize..5,
        before in prop::collection::vec(step(), 0..120),
        drain in any::<bool>(),
        after in prop::collection::vec(step(), 0..60),
    ) {
        let mut world = World::new(slots);
        before.iter().for_each(|step| world.step(step));
        if drain {
            world.step(&Step::Drain);
        }
        after.iter().for_each(|step| world.step(step));
        if drain {
            // Even if nobody answers any more.
            while !world.over {
                world.step(&Step::WaitForTimer);
            }
        }
    }

    #[test]
    fn once_the_coordinator_answers_everything_kept_is_delivered(slots in 1usize..5, before in prop::collection::vec(step(), 0..120)) {
        let mut world = World::new(slots);
        before.iter().for_each(|step| world.step(step));
        // From now on every call is answered well, and every shard is solved; a bounded time is enough.
        for _ in 0..40 * slots {
            while !world.calls.is_empty() {
                let how = if matches!(world.calls[0], Action::RequestLease { .. }) { 5 } else { 11 };
                world.answer(0, how);
            }
            for which in 0..slots {
                world.finish(which, 5);
            }
            world.step(&Step::WaitForTimer);
        }
        let left = world.slots.values().filter(|shard| matches!(shard, Shard::Kept { .. })).count();
        prop_assert_eq!(left, 0);
        prop_assert_eq!(world.delivered.len() + world.refused.len(), world.solved.len());
    }
}
