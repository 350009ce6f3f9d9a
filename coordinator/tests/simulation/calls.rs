//! What passes between workers and the coordinator. It stands for the messages of the wire and for what `rpc` and the worker's
//! `calls` make of them.

use std::sync::Arc;

use refute_coordinator::schedule::{LeaseGrant, LeaseId, WorkerId};
use refute_shared::sweep::{Record, Shard};
use refute_worker::assignment::{Assignment, Solved};
use refute_worker::session::{CallFailure, Event};

use super::coordinator::{HEARTBEAT_MS, SWEEP};

/// One process of a machine: a machine that is started again is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Process {
    pub machine: usize,
    pub generation: u32,
}

impl Process {
    /// The name by which the coordinator tells this process from every other one.
    pub fn instance(self) -> String {
        format!("machine {}, process {}", self.machine, self.generation)
    }
}

#[derive(Clone, Debug)]
pub struct Call {
    pub id: u64,
    pub from: Process,
    pub request: Request,
}

#[derive(Clone, Debug)]
pub enum Request {
    Register { slots: usize },
    Lease { slot: usize, worker: u64 },
    Heartbeat { worker: u64, leases: Vec<(LeaseId, u128)> },
    Complete { slot: usize, worker: u64, solved: Arc<Solved> },
    Release { slot: usize, worker: u64, lease: u64, error: String },
    Goodbye { worker: u64 },
}

#[derive(Clone, Debug)]
pub enum Answer {
    Registered {
        worker: WorkerId,
        lease_ttl_ms: u64,
    },
    Granted(LeaseGrant),
    NothingToDo,
    Heard {
        stop: Vec<u64>,
    },
    /// A result or a release is taken.
    Taken,
    UnknownWorker,
    Refused(String),
    /// No answer: the connection broke, nobody listens, or the disk is full.
    Unreachable,
}

impl Request {
    /// What a worker is told when a call of its is answered, as in its `calls`.
    pub fn event(&self, answer: Answer) -> Option<Event> {
        let worker_id = self.worker();
        let failure = match answer {
            Answer::Registered { worker, lease_ttl_ms } => {
                return Some(Event::Registered { worker_id: worker.0, lease_ttl_ms, heartbeat_every_ms: HEARTBEAT_MS });
            }
            Answer::Granted(grant) => {
                let Self::Lease { slot, .. } = self else { return None };
                return Some(Event::LeaseGranted { slot: *slot, assignment: Box::new(assignment(grant)) });
            }
            Answer::NothingToDo => {
                let Self::Lease { slot, .. } = self else { return None };
                return Some(Event::NothingToDo { slot: *slot, retry_after_ms: 200 });
            }
            Answer::Heard { stop } => return Some(Event::HeartbeatAnswered { worker_id, stop }),
            Answer::Taken => {
                let (Self::Complete { slot, .. } | Self::Release { slot, .. }) = self else { return None };
                return Some(Event::Delivered { slot: *slot });
            }
            Answer::UnknownWorker => CallFailure::UnknownWorker { worker_id },
            Answer::Refused(reason) => CallFailure::Refused { reason },
            Answer::Unreachable => CallFailure::Unreachable { reason: "no answer".into() },
        };
        Some(match self {
            Self::Register { .. } => Event::RegisterFailed(failure),
            Self::Lease { slot, .. } => Event::LeaseFailed { slot: *slot, failure },
            Self::Heartbeat { .. } => Event::HeartbeatFailed { worker_id, failure },
            Self::Complete { slot, .. } | Self::Release { slot, .. } => Event::DeliveryFailed { slot: *slot, failure },
            Self::Goodbye { .. } => return None,
        })
    }

    fn worker(&self) -> u64 {
        match self {
            Self::Register { .. } => 0,
            Self::Lease { worker, .. }
            | Self::Heartbeat { worker, .. }
            | Self::Complete { worker, .. }
            | Self::Release { worker, .. }
            | Self::Goodbye { worker } => *worker,
        }
    }
}

fn assignment(grant: LeaseGrant) -> Assignment {
    Assignment {
        lease_id: grant.lease_id.0,
        sweep_id: SWEEP.into(),
        shard_number: grant.shard_number,
        shard: Shard { box_index: 0, start: grant.shard_number, end: grant.shard_number + 1 },
        family: "family".into(),
        solver_version: 1,
        space: String::new(),
        claims: Vec::new(),
        counterexamples: 1,
        record: Record::None,
    }
}
