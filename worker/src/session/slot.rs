use std::sync::Arc;

use crate::assignment::Solved;

use super::backoff::{backoff_ms, bounded_ms};
use super::{CallFailure, Moment};

/// A call to the coordinator that is to be made or has been made and not been answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// To be made at this time.
    DueMs(u64),
    /// Made.
    InFlight,
}

impl Call {
    /// When it is to be made, if it has not been made.
    pub(super) fn due_ms(self) -> Option<u64> {
        match self {
            Self::DueMs(due_ms) => Some(due_ms),
            Self::InFlight => None,
        }
    }

    /// Makes it if it is due, and says whether it was.
    pub(super) fn make(&mut self, now_ms: u64) -> bool {
        let due = self.due_ms().is_some_and(|due_ms| due_ms <= now_ms);
        if due {
            *self = Self::InFlight;
        }
        due
    }
}

/// One slot: it has at most one shard, and keeps it until the coordinator has what became of it.
#[derive(Debug)]
pub(super) enum Slot {
    Idle,
    Asking { worker_id: u64 },
    Running { held: Held, stopping: Stopping },
    Reporting(Reporting),
}

/// A lease and the worker id that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) lease_id: u64,
    /// Differs from the session's own id after the worker has registered again, until the coordinator lets the lease stand.
    pub(super) granted_to: u64,
}

/// Whether a running shard has been told to stop, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopping {
    No,
    /// By the coordinator, which needs not be told.
    Revoked,
    /// Because the worker drains: the lease is handed back.
    Draining,
}

/// What the coordinator is to be told of a shard.
#[derive(Clone, Debug)]
pub(super) enum Report {
    Solved(Arc<Solved>),
    /// With the reason where the shard is to blame, else empty.
    GivenBack(String),
}

/// A report on its way, over as many attempts as it takes.
#[derive(Debug)]
pub(super) struct Reporting {
    pub(super) held: Held,
    pub(super) report: Report,
    pub(super) call: Call,
    failures: u32,
}

impl Reporting {
    pub(super) fn new(held: Held, report: Report, now_ms: u64) -> Self {
        Self { held, report, call: Call::DueMs(now_ms), failures: 0 }
    }

    /// Puts the next attempt off: as long as the coordinator said, or ever longer.
    pub(super) fn put_off(&mut self, moment: Moment, failure: &CallFailure) {
        self.failures = self.failures.saturating_add(1);
        let wait_ms = match failure {
            CallFailure::Busy { retry_after_ms: Some(retry_after_ms), .. } => bounded_ms(*retry_after_ms),
            _ => backoff_ms(self.failures, moment.jitter),
        };
        self.call = Call::DueMs(moment.now_ms + wait_ms);
    }

    /// Lets a waiting attempt be made at once.
    pub(super) fn hurry(&mut self, now_ms: u64) {
        if self.call != Call::InFlight {
            self.call = Call::DueMs(now_ms);
        }
    }
}
