//! Keeps what the coordinator must still learn about shards until it has it. So a slot goes on to its next shard while the last
//! one's result is on its way, and results that are ready together go together.

use std::collections::BTreeSet;
use std::sync::Arc;

use refute_proto::MAX_RESULTS;

use crate::assignment::Solved;

use super::backoff::{backoff_ms, bounded_ms};
use super::slot::Call;
use super::{Action, BACKLOG, CallFailure, HeldLease, LeaseProgress, Moment};

/// While the outbox takes so many bytes no slot asks for a shard.
const FULL_BYTES: usize = 64 << 20;

/// A result of more bytes is handed back in a call of its own.
const LARGE_BYTES: usize = 1 << 14;

/// Calls at a time that hand back several results. What is ready before they end goes with the next one.
const SHARED_CALLS: usize = 2;

/// What the coordinator must learn about a shard.
#[derive(Clone, Debug)]
pub(super) enum Handback {
    Solved(Arc<Solved>),
    /// With the reason where the shard is to blame, else empty.
    GivenBack(String),
}

/// A handback on its way, over as many attempts as it takes.
#[derive(Debug)]
struct Pending {
    number: u64,
    lease_id: u64,
    handback: Handback,
    call: Call,
    failures: u32,
    bytes: usize,
    /// The number of the call that it shares with others, while that is on its way.
    shares: Option<u64>,
}

impl Pending {
    /// Whether it must not wait for others nor keep them waiting: a large one, or one whose counterexamples are solved again
    /// before it is answered.
    fn goes_alone(&self) -> bool {
        match &self.handback {
            Handback::Solved(solved) => self.bytes > LARGE_BYTES || solved.result.counterexamples.iter().any(|list| !list.is_empty()),
            Handback::GivenBack(_) => true,
        }
    }
}

/// The entries, in the order in which their shards ended.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    entries: Vec<Pending>,
    /// How many numbers have been given, to entries and to calls.
    numbers: u64,
}

impl Outbox {
    /// Puts in a handback, to be made now.
    pub(super) fn put(&mut self, lease_id: u64, handback: Handback, now_ms: u64) {
        let bytes = match &handback {
            Handback::Solved(solved) => solved.bytes(),
            Handback::GivenBack(reason) => reason.len(),
        };
        let number = self.next_number();
        self.entries.push(Pending { number, lease_id, handback, call: Call::DueMs(now_ms), failures: 0, bytes, shares: None });
    }

    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many of so many idle slots may ask for a shard: none once too much waits, and one less for each handback that did not get
    /// through, as if its slot still had it.
    pub(super) fn room(&self, idle: usize) -> usize {
        let bytes: usize = self.entries.iter().map(|pending| pending.bytes).sum();
        if bytes >= FULL_BYTES {
            return 0;
        }
        let stuck = self.entries.iter().filter(|pending| pending.failures > 0).count();
        idle.saturating_sub(stuck).min(BACKLOG.saturating_sub(self.entries.len()))
    }

    /// The calls that are due, as actions of this worker.
    pub(super) fn make_calls(&mut self, now_ms: u64, worker_id: u64, actions: &mut Vec<Action>) {
        for pending in self.entries.iter_mut().filter(|pending| pending.goes_alone()) {
            if pending.call.make(now_ms) {
                actions.push(match &pending.handback {
                    Handback::Solved(solved) => Action::Deliver { worker_id, results: vec![(pending.number, solved.clone())] },
                    Handback::GivenBack(error) => {
                        let (report, lease_id, error) = (pending.number, pending.lease_id, error.clone());
                        Action::Release { report, worker_id, lease_id, error }
                    }
                });
            }
        }
        let due = |pending: &Pending| !pending.goes_alone() && pending.call.is_due(now_ms);
        while self.may_share() && self.entries.iter().any(due) {
            let call = self.next_number();
            let mut results = Vec::new();
            for pending in self.entries.iter_mut().filter(|pending| due(pending)).take(MAX_RESULTS) {
                if let Handback::Solved(solved) = &pending.handback {
                    pending.call.make(now_ms);
                    pending.shares = Some(call);
                    results.push((pending.number, solved.clone()));
                }
            }
            actions.push(Action::Deliver { worker_id, results });
        }
    }

    /// Whether another call that several results share may be made.
    fn may_share(&self) -> bool {
        let on_their_way: BTreeSet<u64> = self.entries.iter().filter_map(|pending| pending.shares).collect();
        on_their_way.len() < SHARED_CALLS
    }

    /// When the next call is due that may be made.
    pub(super) fn next_timer(&self) -> Option<u64> {
        let may_share = self.may_share();
        let may_be_made = |pending: &&Pending| may_share || pending.goes_alone();
        self.entries.iter().filter(may_be_made).filter_map(|pending| pending.call.due_ms()).min()
    }

    /// Takes out a handback that was made, and returns its lease; nothing if there is none.
    pub(super) fn take(&mut self, number: u64) -> Option<u64> {
        let place = self.entries.iter().position(|pending| pending.number == number && pending.call == Call::InFlight)?;
        Some(self.entries.remove(place).lease_id)
    }

    /// Puts the next attempt at a handback off: as long as the coordinator said, or ever longer. Says whether there is such a
    /// handback on its way.
    pub(super) fn put_off(&mut self, number: u64, moment: Moment, failure: &CallFailure) -> bool {
        let made = |pending: &&mut Pending| pending.number == number && pending.call == Call::InFlight;
        let Some(pending) = self.entries.iter_mut().find(made) else { return false };
        pending.failures = pending.failures.saturating_add(1);
        let wait_ms = match failure {
            CallFailure::Busy { retry_after_ms: Some(retry_after_ms), .. } => bounded_ms(*retry_after_ms),
            _ => backoff_ms(pending.failures, moment.jitter),
        };
        pending.call = Call::DueMs(moment.now_ms + wait_ms);
        pending.shares = None;
        true
    }

    /// Lets every waiting attempt be made at once.
    pub(super) fn hurry(&mut self, now_ms: u64) {
        for pending in self.entries.iter_mut().filter(|pending| pending.call != Call::InFlight) {
            pending.call = Call::DueMs(now_ms);
        }
    }

    /// The leases that the entries are about.
    pub(super) fn held_leases(&self) -> impl Iterator<Item = HeldLease> + '_ {
        self.entries.iter().map(|pending| {
            let decided = match &pending.handback {
                Handback::Solved(solved) => solved.result.tally.decided,
                Handback::GivenBack(_) => 0,
            };
            HeldLease { lease_id: pending.lease_id, progress: LeaseProgress::Ended(decided) }
        })
    }
}
