//! A slot with the lease that it solves, and a call that is due or in flight.

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

    /// Whether it is to be made now.
    pub(super) fn is_due(self, now_ms: u64) -> bool {
        self.due_ms().is_some_and(|due_ms| due_ms <= now_ms)
    }

    /// Makes it if it is due, and says whether it was.
    pub(super) fn make(&mut self, now_ms: u64) -> bool {
        let due = self.is_due(now_ms);
        if due {
            *self = Self::InFlight;
        }
        due
    }
}

/// One slot: it has at most one shard. What becomes of the shard goes into the outbox.
#[derive(Debug)]
pub(super) enum Slot {
    Idle,
    Running { held: Held, stopping: Stopping },
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
    /// By the coordinator, which does not need to be told.
    Revoked,
    /// Because the worker drains: the lease is handed back.
    Draining,
}
