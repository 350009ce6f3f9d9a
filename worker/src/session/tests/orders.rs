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

/// A shard that a slot has.
#[derive(Debug, PartialEq)]
struct Running {
    lease_id: u64,
    stopped: Option<StoppedBy>,
}

/// Who stopped a shard: a coordinator that took it back does not need to be told.
#[derive(Clone, Copy, Debug, PartialEq)]
enum StoppedBy {
    Coordinator,
    Drain,
}

/// The world as it should be after every step.
struct World {
    harness: Harness,
    /// Calls that have not been answered yet.
    calls: Vec<Action>,
    slots: BTreeMap<usize, Running>,
    most_slots: usize,
    /// The reports on shards that have ended, by lease, and whether each is a result.
    kept: BTreeMap<u64, bool>,
    /// Requests for shards that were answered.
    answered: u64,
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
            harness: Harness::new(slots),
            calls: Vec::new(),
            slots: BTreeMap::new(),
            most_slots: slots,
            kept: BTreeMap::new(),
            answered: 0,
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
        let actions = self.harness.tell(event);
        assert!(!self.over || actions.is_empty(), "something follows the end: {actions:?}");
        for action in actions {
            self.perform(action);
        }
        self.check();
    }

    fn perform(&mut self, action: Action) {
        match &action {
            Action::Register => assert!(!self.calls.contains(&Action::Register), "registers twice at a time"),
            Action::RequestLeases { shards, .. } => {
                assert!(self.draining_since_ms.is_none(), "asks while it drains");
                assert!(*shards as usize + self.slots.len() <= self.most_slots, "asks for more than it has idle slots");
                assert!(!self.asks(), "asks twice at a time");
                assert_eq!(self.harness.requests.last(), Some(&(self.answered + 1)), "it is another request once the last is answered");
            }
            Action::Heartbeat { worker_id, .. } => {
                let same = |call: &Action| matches!(call, Action::Heartbeat { worker_id: other, .. } if other == worker_id);
                assert!(!self.calls.iter().any(same), "two heartbeats at a time");
            }
            Action::Deliver { results, .. } => {
                assert!(!results.is_empty(), "hands back nothing");
                for (_, solved) in results {
                    self.check_reported_once(solved.assignment.lease_id, true);
                }
            }
            Action::Release { lease_id, .. } => self.check_reported_once(*lease_id, false),
            Action::Start { slot, assignment } => {
                let lease_id = assignment.lease_id;
                let before = self.slots.insert(*slot, Running { lease_id, stopped: None });
                assert_eq!(before, None, "a slot has two shards");
                return;
            }
            Action::Stop { slot } => {
                let Some(Running { stopped, .. }) = self.slots.get_mut(slot) else { panic!("stops a slot that does not run") };
                let by = if self.draining_since_ms.is_some() { StoppedBy::Drain } else { StoppedBy::Coordinator };
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

    fn asks(&self) -> bool {
        self.calls.iter().any(|call| matches!(call, Action::RequestLeases { .. }))
    }

    fn check_reported_once(&self, lease_id: u64, is_solved: bool) {
        assert_eq!(self.kept.get(&lease_id), Some(&is_solved), "reports lease {lease_id}");
        let reported = self.calls.iter().any(|call| match call {
            Action::Deliver { results, .. } => results.iter().any(|(_, solved)| solved.assignment.lease_id == lease_id),
            Action::Release { lease_id: other, .. } => *other == lease_id,
            _ => false,
        });
        assert!(!reported, "reports lease {lease_id} twice at a time");
    }

    /// No result is lost: each is delivered, refused, or still kept, or was left behind when time was over.
    fn check(&self) {
        for lease_id in &self.solved {
            let places = [self.delivered.contains(lease_id), self.refused.contains(lease_id), self.kept.contains_key(lease_id)];
            assert_eq!(places.into_iter().filter(|is_there| *is_there).count(), 1, "lease {lease_id}");
        }
        assert!(self.slots.len() + self.kept.len() <= self.most_slots + BACKLOG);
        let left = self.slots.len() + self.kept.len();
        if self.over && self.draining_since_ms.is_some() {
            assert_eq!(self.abandoned, left);
        }
        if !self.over {
            if let Some(since_ms) = self.draining_since_ms {
                assert!(self.harness.now_ms < since_ms + DRAIN_MS, "drains too long");
                assert!(left > 0 || self.asks());
            }
            let heard = self.harness.session.next_timer().is_some() || !self.calls.is_empty() || left > 0;
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
            Action::RequestLeases { worker_id, shards, .. } => match failure(worker_id) {
                Some(failure) => self.tell(Event::LeaseFailed { failure }),
                None => {
                    self.answered += 1;
                    if how < 7 { self.tell(Event::NothingToDo { retry_after_ms: 500 }) } else { self.grant(shards, how) }
                }
            },
            Action::Heartbeat { worker_id, leases } => match failure(worker_id) {
                Some(failure) => self.tell(Event::HeartbeatFailed { worker_id, failure }),
                None => {
                    let stop = leases.iter().filter(|lease| lease.lease_id as usize % 12 == how).map(|lease| lease.lease_id).collect();
                    self.tell(Event::HeartbeatAnswered { worker_id, stop });
                }
            },
            Action::Deliver { worker_id, results } => {
                // One that fails takes no others with it.
                let fails = |place: usize| place == 0 || which.is_multiple_of(2);
                let leases = results.iter().map(|(report, solved)| (*report, solved.assignment.lease_id));
                let answers =
                    leases.enumerate().map(|(place, (report, lease_id))| (report, lease_id, failure(worker_id).filter(|_| fails(place))));
                self.answer_reports(answers.collect());
            }
            Action::Release { report, worker_id, lease_id, .. } => self.answer_reports(vec![(report, lease_id, failure(worker_id))]),
            other => panic!("no call: {other:?}"),
        }
    }

    /// Grants leases: all that were asked for, fewer, or one more, of which one may make no sense.
    fn grant(&mut self, shards: u32, how: usize) {
        let count = match how {
            8 => 1,
            9 => shards + 1,
            _ => shards,
        };
        let idle = self.most_slots - self.slots.len();
        let mut leases = Vec::new();
        for place in 0..count as usize {
            let lease_id = self.next_lease;
            self.next_lease += 1;
            let malformed = how == 7 && place == 0;
            let started = place - usize::from(how == 7 && place > 0) < idle;
            // One that comes too late, is too much or makes no sense is given back without ever having run.
            if malformed || !started || self.draining_since_ms.is_some() {
                self.kept.insert(lease_id, false);
            }
            leases.push(if malformed { Granted::Malformed { lease_id, problem: "nonsense".into() } } else { shard(lease_id) });
        }
        self.tell(Event::Leased { leases });
    }

    fn answer_reports(&mut self, reports: Vec<(u64, u64, Option<CallFailure>)>) {
        let mut answers = Vec::new();
        for (report, lease_id, failure) in reports {
            let is_refused = matches!(failure, Some(CallFailure::Refused { .. }));
            if failure.is_none() || is_refused {
                let is_solved = self.kept.remove(&lease_id) == Some(true);
                let place = if is_refused { &mut self.refused } else { &mut self.delivered };
                place.extend(is_solved.then_some(lease_id));
            }
            answers.push((report, failure.map_or(Ok(()), Err)));
        }
        self.tell(Event::Reported { answers });
    }

    fn finish(&mut self, which: usize, how: usize) {
        let running: Vec<usize> = self.slots.keys().copied().collect();
        if running.is_empty() {
            return;
        }
        let slot = running[which % running.len()];
        let Some(Running { lease_id, stopped }) = self.slots.remove(&slot) else { return };
        if let Some(by) = stopped.filter(|_| how < 3) {
            if by == StoppedBy::Drain {
                self.kept.insert(lease_id, false);
            }
            self.tell(Event::Finished { slot, outcome: ShardOutcome::Stopped });
        } else if how == 3 {
            self.kept.insert(lease_id, false);
            self.tell(Event::Finished { slot, outcome: ShardOutcome::Failed("too large".into()) });
        } else {
            self.kept.insert(lease_id, true);
            self.solved.insert(lease_id);
            self.tell(Event::Finished { slot, outcome: ShardOutcome::Solved(solved(lease_id)) });
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
                let timer_ms = self.harness.session.next_timer().unwrap_or(u64::MAX);
                self.harness.now_ms = (self.harness.now_ms + ms).min(timer_ms);
                self.tell(Event::Tick);
            }
            Step::WaitForTimer => {
                if let Some(timer_ms) = self.harness.session.next_timer() {
                    self.harness.now_ms = timer_ms;
                    self.tell(Event::Tick);
                }
            }
            Step::Drain => {
                self.draining_since_ms = Some(self.harness.now_ms);
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
                let how = if matches!(world.calls[0], Action::RequestLeases { .. }) { 5 } else { 11 };
                world.answer(0, how);
            }
            for which in 0..slots {
                world.finish(which, 5);
            }
            world.step(&Step::WaitForTimer);
        }
        prop_assert_eq!(world.kept.len(), 0);
        prop_assert_eq!(world.delivered.len() + world.refused.len(), world.solved.len());
    }
}
