//! Whether the coordinator knows the worker, and the call by which the two keep in touch: the registration or the heartbeat.

use super::slot::Call;

/// Where the worker stands with its coordinator.
#[derive(Debug)]
pub(super) enum Link {
    /// The coordinator does not know it yet, or does not know it any more.
    Stranger { register: Call },
    /// It has an id. A heartbeat is also how it finds out whether a coordinator that did not answer is back.
    Member { worker_id: u64, heartbeat_every_ms: u64, heartbeat: Call },
}

impl Link {
    pub(super) fn worker_id(&self) -> Option<u64> {
        match self {
            Self::Stranger { .. } => None,
            Self::Member { worker_id, .. } => Some(*worker_id),
        }
    }

    /// The call by which the worker keeps in touch.
    pub(super) fn call(&self) -> Call {
        match self {
            Self::Stranger { register: call } | Self::Member { heartbeat: call, .. } => *call,
        }
    }

    pub(super) fn call_mut(&mut self) -> &mut Call {
        match self {
            Self::Stranger { register: call } | Self::Member { heartbeat: call, .. } => call,
        }
    }

    /// Makes that call again at this time, unless it has been made and not been answered.
    pub(super) fn put_off(&mut self, due_ms: u64) {
        let call = self.call_mut();
        if *call != Call::InFlight {
            *call = Call::DueMs(due_ms);
        }
    }
}
