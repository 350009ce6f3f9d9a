//! What a worker does on each event: pure, so that a test drives it without a runtime. It is handed events and the time and
//! says what to do next; it has no clock, socket, thread or randomness.
//!
//! Invariants, whatever the order of events:
//! - a slot has at most one shard, and one is asked for only while a slot has none;
//! - a finished result stays in the outbox until the coordinator has it or refuses it, or the time to drain is over;
//! - a worker holds at most [`BACKLOG`] leases more than it has slots;
//! - after [`Event::Drain`] nothing new is asked for, and [`Action::Exit`] follows within [`DRAIN_MS`].

mod backoff;
mod event;
mod link;
mod outbox;
mod slot;
#[cfg(test)]
mod tests;

pub use event::{Action, CallFailure, Event, Granted, HeldLease, LeaseProgress, Moment, Notice};

use crate::assignment::ShardOutcome;
use backoff::{backoff_ms, bounded_ms};
use link::Link;
use outbox::{Handback, Outbox};
use slot::{Call, Held, Slot, Stopping};

/// The most time that draining takes, in milliseconds.
pub const DRAIN_MS: u64 = 1_500;

/// The most leases that a worker holds besides those that its slots solve: results on their way to the coordinator.
pub const BACKLOG: usize = 64;

/// When to ask again where the coordinator did not say, in milliseconds.
const ASK_AGAIN_MS: u64 = 1_000;

/// The state of a worker between events.
#[derive(Debug)]
pub struct Session {
    link: Link,
    slots: Vec<Slot>,
    outbox: Outbox,
    /// Set while a request for shards has not been answered: who asked.
    asking: Option<u64>,
    /// How many requests for shards have been answered. One that failed may have been answered too, and that answer been lost with
    /// its leases; the next one has the same number and brings them.
    requests: u64,
    /// Attempts in a row to keep in touch that brought no answer; 0 while the coordinator answers.
    failures: u32,
    /// Registrations that came to nothing since the coordinator last did something for this worker.
    vain_registrations: u32,
    /// Why the coordinator was last said not to be reached; none while it answers.
    unreachable: Option<String>,
    /// Why the coordinator last refused to give it work, so that it is told once.
    refused: Option<String>,
    /// Set while there is nothing to do: when to ask again.
    dry_until_ms: Option<u64>,
    /// Set once the worker drains: when it exits at the latest.
    drain_until_ms: Option<u64>,
    over: bool,
}

impl Session {
    /// A worker that nobody knows yet. The first event to hand it is [`Event::Tick`].
    #[must_use]
    pub fn new(slots: usize) -> Self {
        Self {
            link: Link::Stranger { register: Call::DueMs(0) },
            slots: (0..slots).map(|_| Slot::Idle).collect(),
            outbox: Outbox::default(),
            asking: None,
            requests: 0,
            failures: 0,
            vain_registrations: 0,
            unreachable: None,
            refused: None,
            dry_until_ms: None,
            drain_until_ms: None,
            over: false,
        }
    }

    /// Takes in one event and says what to do. Events that answer nothing that was asked are ignored.
    ///
    /// Cost: O(slots).
    pub fn handle(&mut self, moment: Moment, event: Event) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.over {
            return actions;
        }
        match event {
            Event::Tick => {}
            Event::Registered { worker_id, lease_ttl_ms, heartbeat_every_ms } => {
                let every_ms = heartbeat_every_ms.min(lease_ttl_ms / 3);
                self.registered(moment.now_ms, worker_id, every_ms, &mut actions);
            }
            Event::RegisterFailed(failure) => self.register_failed(moment, failure, &mut actions),
            Event::Leased { leases } => self.leased(moment.now_ms, leases, &mut actions),
            Event::NothingToDo { retry_after_ms } => {
                self.served(&mut actions);
                self.asking = None;
                self.requests += 1;
                self.dry_until_ms = Some(moment.now_ms + bounded_ms(retry_after_ms));
            }
            Event::LeaseFailed { failure } => self.lease_failed(moment, &failure, &mut actions),
            Event::HeartbeatAnswered { worker_id, stop } => self.heartbeat_answered(moment.now_ms, worker_id, &stop, &mut actions),
            Event::HeartbeatFailed { worker_id, failure } => self.heartbeat_failed(moment, worker_id, &failure, &mut actions),
            Event::Finished { slot, outcome } => self.finished(moment.now_ms, slot, outcome),
            Event::Reported { answers } => {
                for (report, answer) in answers {
                    self.reported(moment, report, answer, &mut actions);
                }
            }
            Event::Drain => self.drain(moment.now_ms, &mut actions),
        }
        if !self.over {
            self.pump(moment.now_ms, &mut actions);
        }
        actions
    }

    /// When to hand in the next [`Event::Tick`], on the clock of [`Moment`]; always later than the last event.
    ///
    /// Cost: O(slots).
    #[must_use]
    pub fn next_timer(&self) -> Option<u64> {
        if self.over {
            return None;
        }
        let mut timer = earliest(self.link.call().due_ms(), self.drain_until_ms);
        if self.usable().is_some() {
            timer = earliest(timer, self.outbox.next_timer());
            if self.may_ask() > 0 {
                timer = earliest(timer, self.dry_until_ms);
            }
        }
        timer
    }

    /// Does all that is due. What [`Session::next_timer`] waits for is what this would do.
    fn pump(&mut self, now_ms: u64, actions: &mut Vec<Action>) {
        if self.link.call_mut().make(now_ms) {
            actions.push(match self.link.worker_id() {
                None => Action::Register,
                Some(worker_id) => Action::Heartbeat { worker_id, leases: self.held_leases() },
            });
        }
        if let Some(worker_id) = self.usable() {
            self.outbox.make_calls(now_ms, worker_id, actions);
            self.ask(now_ms, worker_id, actions);
        }
        let Some(drain_until_ms) = self.drain_until_ms else { return };
        let busy = self.idle() < self.slots.len() || self.outbox.len() > 0 || self.asking.is_some();
        if !busy || drain_until_ms <= now_ms {
            let leases = self.held_leases().len();
            if leases > 0 {
                actions.push(Action::Tell(Notice::Abandoned { leases }));
            }
            self.over = true;
            actions.push(Action::Exit { worker_id: self.usable() });
        }
    }

    fn ask(&mut self, now_ms: u64, worker_id: u64, actions: &mut Vec<Action>) {
        let shards = self.may_ask();
        if shards > 0 && self.dry_until_ms.is_none_or(|dry_until_ms| dry_until_ms <= now_ms) {
            self.asking = Some(worker_id);
            // There are few slots.
            actions.push(Action::RequestLeases { worker_id, shards: shards as u32, number: self.requests + 1 });
        }
    }

    /// How many shards could be asked for, now or when there may be something to do again. One request is on its way at a time,
    /// for all slots that are idle when it is made.
    fn may_ask(&self) -> usize {
        if self.asking.is_some() || self.drain_until_ms.is_some() { 0 } else { self.outbox.room(self.idle()) }
    }

    fn idle(&self) -> usize {
        self.slots.iter().filter(|slot| matches!(slot, Slot::Idle)).count()
    }

    /// The worker id, if the coordinator knows the worker and answers.
    fn usable(&self) -> Option<u64> {
        self.link.worker_id().filter(|_| self.failures == 0)
    }

    fn held_leases(&self) -> Vec<HeldLease> {
        let running = self.slots.iter().enumerate().filter_map(|(slot, state)| match state {
            Slot::Idle => None,
            Slot::Running { held, .. } => Some(HeldLease { lease_id: held.lease_id, progress: LeaseProgress::Slot(slot) }),
        });
        running.chain(self.outbox.held_leases()).collect()
    }

    /// The coordinator answered, if only to say no.
    fn answered(&mut self, actions: &mut Vec<Action>) {
        if self.failures > 0 {
            self.failures = 0;
            self.unreachable = None;
            actions.push(Action::Tell(Notice::Reachable));
        }
    }

    /// The coordinator did something for this worker, so the registration was of use.
    fn served(&mut self, actions: &mut Vec<Action>) {
        self.answered(actions);
        self.vain_registrations = 0;
    }

    /// Takes in what every failure means for the link. `probe` says that the call was the one that keeps in touch: only its
    /// failures make the waits longer, since many calls fail together when a connection breaks.
    fn failed(&mut self, moment: Moment, failure: &CallFailure, probe: bool, actions: &mut Vec<Action>) {
        match failure {
            CallFailure::Unreachable { reason } => {
                if self.failures == 0 || probe {
                    // A network that is down and a certificate that is refused are mended by different people.
                    if self.unreachable.as_ref() != Some(reason) {
                        self.unreachable = Some(reason.clone());
                        actions.push(Action::Tell(Notice::Unreachable { reason: reason.clone() }));
                    }
                    self.failures = self.failures.saturating_add(1);
                    self.link.put_off(moment.now_ms + backoff_ms(self.failures, moment.jitter));
                }
            }
            CallFailure::UnknownWorker { worker_id } => {
                self.answered(actions);
                // Calls made before the worker registered again may fail after; they say nothing of the new id.
                if self.link.worker_id() == Some(*worker_id) {
                    let wait_ms = if self.vain_registrations == 0 { 0 } else { backoff_ms(self.vain_registrations, moment.jitter) };
                    self.vain_registrations = self.vain_registrations.saturating_add(1);
                    self.link = Link::Stranger { register: Call::DueMs(moment.now_ms + wait_ms) };
                    actions.push(Action::Tell(Notice::Forgotten));
                }
            }
            CallFailure::Busy { .. } | CallFailure::Refused { .. } => self.answered(actions),
        }
    }

    fn registered(&mut self, now_ms: u64, worker_id: u64, every_ms: u64, actions: &mut Vec<Action>) {
        if !matches!(self.link, Link::Stranger { register: Call::InFlight }) {
            return;
        }
        self.answered(actions);
        actions.push(Action::Tell(Notice::Registered { worker_id }));
        let heartbeat_every_ms = bounded_ms(every_ms);
        // A worker that comes back with leases says so at once, so that the coordinator can let them stand.
        let first_ms = if self.held_leases().is_empty() { now_ms + heartbeat_every_ms } else { now_ms };
        self.link = Link::Member { worker_id, heartbeat_every_ms, heartbeat: Call::DueMs(first_ms) };
        self.dry_until_ms = None;
    }

    fn register_failed(&mut self, moment: Moment, failure: CallFailure, actions: &mut Vec<Action>) {
        if !matches!(self.link, Link::Stranger { register: Call::InFlight }) {
            return;
        }
        self.vain_registrations = self.vain_registrations.saturating_add(1);
        let wait_ms = match &failure {
            CallFailure::Busy { retry_after_ms: Some(retry_after_ms), .. } => bounded_ms(*retry_after_ms),
            _ => backoff_ms(self.vain_registrations, moment.jitter),
        };
        self.link = Link::Stranger { register: Call::DueMs(moment.now_ms + wait_ms) };
        self.failed(moment, &failure, true, actions);
        if let CallFailure::Refused { reason } = failure {
            self.over = true;
            actions.push(Action::GiveUp { reason });
        }
    }

    fn leased(&mut self, now_ms: u64, leases: Vec<Granted>, actions: &mut Vec<Action>) {
        self.served(actions);
        let Some(worker_id) = self.asking.take() else { return };
        self.requests += 1;
        self.dry_until_ms = None;
        for granted in leases {
            let assignment = match granted {
                Granted::Shard(assignment) => assignment,
                Granted::Malformed { lease_id, problem } => {
                    self.outbox.put(lease_id, Handback::GivenBack(problem), now_ms);
                    continue;
                }
            };
            let lease_id = assignment.lease_id;
            let idle = self.slots.iter().position(|slot| matches!(slot, Slot::Idle)).filter(|_| self.drain_until_ms.is_none());
            let Some(slot) = idle else {
                // It came too late, or is more than was asked for.
                self.outbox.put(lease_id, Handback::GivenBack(String::new()), now_ms);
                continue;
            };
            self.slots[slot] = Slot::Running { held: Held { lease_id, granted_to: worker_id }, stopping: Stopping::No };
            actions.push(Action::Start { slot, assignment });
        }
    }

    fn lease_failed(&mut self, moment: Moment, failure: &CallFailure, actions: &mut Vec<Action>) {
        self.failed(moment, failure, false, actions);
        self.asking = None;
        match failure {
            CallFailure::Busy { retry_after_ms, .. } => {
                self.dry_until_ms = Some(moment.now_ms + bounded_ms(retry_after_ms.unwrap_or(ASK_AGAIN_MS)));
            }
            CallFailure::Refused { reason } => {
                self.dry_until_ms = Some(moment.now_ms + ASK_AGAIN_MS);
                if self.refused.as_ref() != Some(reason) {
                    self.refused = Some(reason.clone());
                    actions.push(Action::Tell(Notice::NoWork { reason: reason.clone() }));
                }
            }
            CallFailure::Unreachable { .. } | CallFailure::UnknownWorker { .. } => {}
        }
    }

    fn heartbeat_answered(&mut self, now_ms: u64, answered_id: u64, stop: &[u64], actions: &mut Vec<Action>) {
        let Link::Member { worker_id, heartbeat_every_ms, heartbeat } = &mut self.link else { return };
        if *worker_id != answered_id {
            return;
        }
        *heartbeat = Call::DueMs(now_ms + *heartbeat_every_ms);
        for (slot, state) in self.slots.iter_mut().enumerate() {
            let Slot::Running { held, stopping } = state else { continue };
            if !stop.contains(&held.lease_id) {
                held.granted_to = answered_id;
                continue;
            }
            // A coordinator that forgot the worker may have forgotten its leases too, and then cannot tell them from those
            // it took back. Such a shard goes on: the first valid result counts, whatever its lease.
            if held.granted_to == answered_id && *stopping == Stopping::No {
                *stopping = Stopping::Revoked;
                actions.push(Action::Stop { slot });
            }
        }
        self.served(actions);
    }

    fn heartbeat_failed(&mut self, moment: Moment, failed_id: u64, failure: &CallFailure, actions: &mut Vec<Action>) {
        let Link::Member { worker_id, heartbeat_every_ms, heartbeat } = &mut self.link else { return };
        if *worker_id != failed_id {
            return;
        }
        *heartbeat = Call::DueMs(moment.now_ms + *heartbeat_every_ms);
        self.failed(moment, failure, true, actions);
    }

    fn finished(&mut self, now_ms: u64, slot: usize, outcome: ShardOutcome) {
        let Some(Slot::Running { held, stopping }) = self.slots.get(slot) else { return };
        let report = match outcome {
            ShardOutcome::Solved(solved) => Some(Handback::Solved(solved)),
            ShardOutcome::Failed(error) => Some(Handback::GivenBack(error)),
            ShardOutcome::Stopped if *stopping == Stopping::Revoked => None,
            ShardOutcome::Stopped => Some(Handback::GivenBack(String::new())),
        };
        if let Some(report) = report {
            self.outbox.put(held.lease_id, report, now_ms);
        }
        self.slots[slot] = Slot::Idle;
    }

    fn reported(&mut self, moment: Moment, report: u64, answer: Result<(), CallFailure>, actions: &mut Vec<Action>) {
        match answer {
            Ok(()) => {
                if self.outbox.take(report).is_some() {
                    self.served(actions);
                    // A result may have made room for something to do, so there is no waiting.
                    self.dry_until_ms = self.dry_until_ms.map(|_| moment.now_ms);
                }
            }
            Err(failure @ CallFailure::Refused { .. }) => {
                let Some(lease_id) = self.outbox.take(report) else { return };
                self.failed(moment, &failure, false, actions);
                self.dry_until_ms = Some(moment.now_ms + ASK_AGAIN_MS);
                if let CallFailure::Refused { reason } = failure {
                    actions.push(Action::Tell(Notice::ResultRefused { lease_id, reason }));
                }
            }
            Err(failure) => {
                if self.outbox.put_off(report, moment, &failure) {
                    self.failed(moment, &failure, false, actions);
                }
            }
        }
    }

    fn drain(&mut self, now_ms: u64, actions: &mut Vec<Action>) {
        if self.drain_until_ms.is_some() {
            return;
        }
        self.drain_until_ms = Some(now_ms + DRAIN_MS);
        for (slot, state) in self.slots.iter_mut().enumerate() {
            if let Slot::Running { stopping: stopping @ Stopping::No, .. } = state {
                *stopping = Stopping::Draining;
                actions.push(Action::Stop { slot });
            }
        }
        self.outbox.hurry(now_ms);
        if self.usable().is_none() {
            self.link.put_off(now_ms);
        }
    }
}

fn earliest(left: Option<u64>, right: Option<u64>) -> Option<u64> {
    left.into_iter().chain(right).min()
}
