//! What passes between workers and the coordinator. It stands for the messages of the wire and for what `rpc` and the worker's
//! `calls` make of them.

use std::sync::Arc;

use refute_coordinator::schedule::{LeaseGrant, LeaseId, WorkerId};
use refute_shared::sweep::{Record, Shard};
use refute_worker::assignment::{Assignment, Solved};
use refute_worker::session::{CallFailure, Event, Granted};

use super::scenario::HEARTBEAT_MS;

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
    Lease { worker: u64, shards: u32, number: u64 },
    Heartbeat { worker: u64, leases: Vec<(LeaseId, u128)> },
    Complete { worker: u64, results: Vec<(u64, Arc<Solved>)> },
    Release { report: u64, worker: u64, lease: u64, error: String },
    Goodbye { worker: u64 },
}

#[derive(Clone, Debug)]
pub enum Answer {
    Registered {
        worker: WorkerId,
        lease_ttl_ms: u64,
    },
    Granted(Vec<LeaseGrant>),
    NothingToDo,
    Heard {
        stop: Vec<u64>,
    },
    /// A result or a release is taken.
    Taken,
    /// What becomes of each result of a call.
    Results(Vec<Answer>),
    UnknownWorker,
    /// It is to be handed in again.
    Busy,
    Refused(String),
    /// No answer: the connection broke, nobody listens, or the disk is full.
    Unreachable,
}

impl Request {
    /// What a worker is told when a call of its is answered, as in its `calls`.
    pub fn event(&self, answer: Answer) -> Option<Event> {
        let worker_id = self.worker();
        Some(match (self, answer) {
            (Self::Goodbye { .. }, _) => return None,
            (Self::Register { .. }, Answer::Registered { worker, lease_ttl_ms }) => {
                Event::Registered { worker_id: worker.0, lease_ttl_ms, heartbeat_every_ms: HEARTBEAT_MS }
            }
            (Self::Register { .. }, other) => Event::RegisterFailed(failure(other, worker_id)),
            (Self::Lease { .. }, Answer::Granted(grants)) => {
                Event::Leased { leases: grants.into_iter().map(|grant| Granted::Shard(Box::new(assignment(grant)))).collect() }
            }
            (Self::Lease { .. }, Answer::NothingToDo) => Event::NothingToDo { retry_after_ms: 200 },
            (Self::Lease { .. }, other) => Event::LeaseFailed { failure: failure(other, worker_id) },
            (Self::Heartbeat { .. }, Answer::Heard { stop }) => Event::HeartbeatAnswered { worker_id, stop },
            (Self::Heartbeat { .. }, other) => Event::HeartbeatFailed { worker_id, failure: failure(other, worker_id) },
            (Self::Release { report, .. }, answer) => Event::Reported { answers: vec![(*report, outcome(answer, worker_id))] },
            (Self::Complete { results, .. }, Answer::Results(answers)) => {
                let reports = results.iter().map(|(report, _)| *report);
                Event::Reported { answers: reports.zip(answers.into_iter().map(|answer| outcome(answer, worker_id))).collect() }
            }
            (Self::Complete { results, .. }, other) => {
                let failure = failure(other, worker_id);
                Event::Reported { answers: results.iter().map(|(report, _)| (*report, Err(failure.clone()))).collect() }
            }
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

/// What a report comes to.
fn outcome(answer: Answer, worker_id: u64) -> Result<(), CallFailure> {
    if matches!(answer, Answer::Taken) { Ok(()) } else { Err(failure(answer, worker_id)) }
}

fn failure(answer: Answer, worker_id: u64) -> CallFailure {
    match answer {
        Answer::UnknownWorker => CallFailure::UnknownWorker { worker_id },
        Answer::Busy => CallFailure::Busy { retry_after_ms: None, reason: "handed in again".into() },
        Answer::Refused(reason) => CallFailure::Refused { reason },
        Answer::Unreachable => CallFailure::Unreachable { reason: "no answer".into() },
        other => panic!("{other:?} answers something else"),
    }
}

fn assignment(grant: LeaseGrant) -> Assignment {
    Assignment {
        lease_id: grant.lease_id.0,
        sweep_id: grant.sweep_id,
        shard_number: grant.shard_number,
        shard: Shard { box_index: 0, start: grant.shard_number, end: grant.shard_number + 1 },
        family: "family".into(),
        solver_version: 1,
        space: String::new(),
        stated: Vec::new(),
        claims: Vec::new(),
        counterexamples: 1,
        record: Record::None,
    }
}
