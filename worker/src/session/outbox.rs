//! Keeps what the coordinator must still learn about shards until it has it. So a slot goes on to its next shard while the last
//! one's result is on its way, and results that are ready together go together.

use std::collections::BTreeSet;
use std::sync::Arc;

use refute_proto::MAX_RESULTS;

use crate::assignment::Solved;

use super::backoff::{backoff_ms, bounded_ms};
use super::slot::Call;
use super::{Action, BACKLOG, CallFailure, HeldLease, Moment, Progress};

/// While the outbox takes so many bytes no slot asks for a shard.
const FULL_BYTES: usize = 64 << 20;

/// A result of more bytes is handed back in a call of its own.
const LARGE_BYTES: usize = 1 << 14;

/// Calls at a time that hand back several results. What is ready before they end goes with the next one.
const SHARED_CALLS: usize = 2;

/// What the coordinator must learn about a shard.
#[derive(Clone, Debug)]
pub(super) enum Report {
    Solved(Arc<Solved>),
    /// With the reason where the shard is to blame, else empty.
    GivenBack(String),
}

/// A report on its way, over as many attempts as it takes.
#[derive(Debug)]
struct Reporting {
    number: u64,
    lease_id: u64,
    report: Report,
    call: Call,
    failures: u32,
    bytes: usize,
    /// The number of the call that it shares with others, while that is on its way.
    shares: Option<u64>,
}

impl Reporting {
    /// Whether it must not wait for others nor keep them waiting: a large one, or one whose counterexamples are solved again
    /// before it is answered.
    fn goes_alone(&self) -> bool {
        match &self.report {
            Report::Solved(solved) => self.bytes > LARGE_BYTES || solved.result.counterexamples.iter().any(|list| !list.is_empty()),
            Report::GivenBack(_) => true,
        }
    }
}

/// The reports, in the order in which their shards ended.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    reports: Vec<Reporting>,
    /// How many numbers have been given, to reports and to calls.
    numbers: u64,
}

impl Outbox {
    /// Puts in a report, to be made now.
    pub(super) fn put(&mut self, lease_id: u64, report: Report, now_ms: u64) {
        let bytes = match &report {
            Report::Solved(solved) => solved.bytes(),
            Report::GivenBack(reason) => reason.len(),
        };
        let number = self.next_number();
        self.reports.push(Reporting { number, lease_id, report, call: Call::DueMs(now_ms), failures: 0, bytes, shares: None });
    }

    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    pub(super) fn len(&self) -> usize {
        self.reports.len()
    }

    /// How many of so many idle slots may ask for a shard: none once too much waits, and one less for each report that did not get
    /// through, as if its slot still had it.
    pub(super) fn room(&self, idle: usize) -> usize {
        let bytes: usize = self.reports.iter().map(|reporting| reporting.bytes).sum();
        if bytes >= FULL_BYTES {
            return 0;
        }
        let stuck = self.reports.iter().filter(|reporting| reporting.failures > 0).count();
        idle.saturating_sub(stuck).min(BACKLOG.saturating_sub(self.reports.len()))
    }

    /// The calls that are due, as actions of this worker.
    pub(super) fn make_calls(&mut self, now_ms: u64, worker_id: u64, actions: &mut Vec<Action>) {
        for reporting in self.reports.iter_mut().filter(|reporting| reporting.goes_alone()) {
            if reporting.call.make(now_ms) {
                actions.push(match &reporting.report {
                    Report::Solved(solved) => Action::Deliver { worker_id, results: vec![(reporting.number, solved.clone())] },
                    Report::GivenBack(error) => {
                        let (report, lease_id, error) = (reporting.number, reporting.lease_id, error.clone());
                        Action::Release { report, worker_id, lease_id, error }
                    }
                });
            }
        }
        let due = |reporting: &Reporting| !reporting.goes_alone() && reporting.call.is_due(now_ms);
        while self.may_share() && self.reports.iter().any(due) {
            let call = self.next_number();
            let mut results = Vec::new();
            for reporting in self.reports.iter_mut().filter(|reporting| due(reporting)).take(MAX_RESULTS) {
                if let Report::Solved(solved) = &reporting.report {
                    reporting.call.make(now_ms);
                    reporting.shares = Some(call);
                    results.push((reporting.number, solved.clone()));
                }
            }
            actions.push(Action::Deliver { worker_id, results });
        }
    }

    /// Whether another call that several results share may be made.
    fn may_share(&self) -> bool {
        let on_their_way: BTreeSet<u64> = self.reports.iter().filter_map(|reporting| reporting.shares).collect();
        on_their_way.len() < SHARED_CALLS
    }

    /// When the next call is due that may be made.
    pub(super) fn next_timer(&self) -> Option<u64> {
        let may_share = self.may_share();
        let may_be_made = |reporting: &&Reporting| may_share || reporting.goes_alone();
        self.reports.iter().filter(may_be_made).filter_map(|reporting| reporting.call.due_ms()).min()
    }

    /// Takes out a report that was made, and returns its lease; nothing if there is none.
    pub(super) fn take(&mut self, number: u64) -> Option<u64> {
        let place = self.reports.iter().position(|reporting| reporting.number == number && reporting.call == Call::InFlight)?;
        Some(self.reports.remove(place).lease_id)
    }

    /// Puts the next attempt at a report off: as long as the coordinator said, or ever longer. Says whether there is such a
    /// report on its way.
    pub(super) fn put_off(&mut self, number: u64, moment: Moment, failure: &CallFailure) -> bool {
        let made = |reporting: &&mut Reporting| reporting.number == number && reporting.call == Call::InFlight;
        let Some(reporting) = self.reports.iter_mut().find(made) else { return false };
        reporting.failures = reporting.failures.saturating_add(1);
        let wait_ms = match failure {
            CallFailure::Busy { retry_after_ms: Some(retry_after_ms), .. } => bounded_ms(*retry_after_ms),
            _ => backoff_ms(reporting.failures, moment.jitter),
        };
        reporting.call = Call::DueMs(moment.now_ms + wait_ms);
        reporting.shares = None;
        true
    }

    /// Lets every waiting attempt be made at once.
    pub(super) fn hurry(&mut self, now_ms: u64) {
        for reporting in self.reports.iter_mut().filter(|reporting| reporting.call != Call::InFlight) {
            reporting.call = Call::DueMs(now_ms);
        }
    }

    /// The leases that the reports are about.
    pub(super) fn held_leases(&self) -> impl Iterator<Item = HeldLease> + '_ {
        self.reports.iter().map(|reporting| {
            let decided = match &reporting.report {
                Report::Solved(solved) => solved.result.tally.decided,
                Report::GivenBack(_) => 0,
            };
            HeldLease { lease_id: reporting.lease_id, progress: Progress::Ended(decided) }
        })
    }
}
