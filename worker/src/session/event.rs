//! The vocabulary of a session: the events it is told, the actions it asks for, and the notices for people.

use std::sync::Arc;

use crate::assignment::{Assignment, ShardOutcome, Solved};

/// When something is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds on a clock that never goes back.
    pub now_ms: u64,
    /// Any number, a new one each time: a session has no randomness of its own and spreads its waits by this.
    pub jitter: u64,
}

/// What a session is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Nothing happened but time: the first event, and whenever [`Session::next_timer`](super::Session::next_timer) is due.
    Tick,
    /// The coordinator took the worker in.
    Registered {
        /// What it calls this worker.
        worker_id: u64,
        /// How long it waits for a heartbeat before it gives a lease to another worker.
        lease_ttl_ms: u64,
        /// How often it wants to hear.
        heartbeat_every_ms: u64,
    },
    /// [`Action::Register`] failed.
    RegisterFailed(CallFailure),
    /// [`Action::RequestLeases`] is answered with leases, at least one.
    Leased {
        /// What was given, in order.
        leases: Vec<Granted>,
    },
    /// [`Action::RequestLeases`] is answered: there is nothing to do for now.
    NothingToDo {
        /// When to ask again.
        retry_after_ms: u64,
    },
    /// [`Action::RequestLeases`] failed.
    LeaseFailed {
        /// Why.
        failure: CallFailure,
    },
    /// The coordinator heard the heartbeat.
    HeartbeatAnswered {
        /// The worker id that the heartbeat was sent with.
        worker_id: u64,
        /// Leases to stop.
        stop: Vec<u64>,
    },
    /// [`Action::Heartbeat`] failed.
    HeartbeatFailed {
        /// The worker id that the heartbeat was sent with.
        worker_id: u64,
        /// Why.
        failure: CallFailure,
    },
    /// A slot is done with its shard.
    Finished {
        /// The slot.
        slot: usize,
        /// What became of the shard.
        outcome: ShardOutcome,
    },
    /// [`Action::Deliver`] or [`Action::Release`] is answered, or failed.
    Reported {
        /// What became of each report of the action: the coordinator has it on disk, or why it does not.
        answers: Vec<(u64, Result<(), CallFailure>)>,
    },
    /// The worker is told to stop: take nothing new, stop what runs and hand it back without blame, then exit.
    Drain,
}

/// A lease as it was given.
#[derive(Clone, Debug, PartialEq)]
pub enum Granted {
    /// A shard to solve.
    Shard(Box<Assignment>),
    /// A lease that makes no sense.
    Malformed {
        /// The lease, which goes back.
        lease_id: u64,
        /// What is wrong with it.
        problem: String,
    },
}

/// Why a call brought no answer, or none of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallFailure {
    /// No answer came: the coordinator may be down, or the network.
    Unreachable {
        /// What the connection says.
        reason: String,
    },
    /// The coordinator does not know the worker: it restarted.
    UnknownWorker {
        /// The worker id that the call was made with.
        worker_id: u64,
    },
    /// The coordinator cannot do it now.
    Busy {
        /// When to come back, if it said so.
        retry_after_ms: Option<u64>,
        /// What it said.
        reason: String,
    },
    /// The coordinator refuses it, now and later.
    Refused {
        /// What it said.
        reason: String,
    },
}

/// What a session wants done. Each call to the coordinator is answered by an event, however it ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Introduce the worker.
    Register,
    /// Ask for shards.
    RequestLeases {
        /// Who asks.
        worker_id: u64,
        /// How many, at least one.
        shards: u32,
        /// The number of the request. One whose answer did not come is made again under its number, so that the coordinator hands
        /// out once more what it has answered.
        number: u64,
    },
    /// Solve a shard.
    Start {
        /// The slot, which is idle.
        slot: usize,
        /// The shard.
        assignment: Box<Assignment>,
    },
    /// Stop solving; the slot answers with [`Event::Finished`] all the same.
    Stop {
        /// The slot.
        slot: usize,
    },
    /// Hand back results in one call.
    Deliver {
        /// Who hands them back.
        worker_id: u64,
        /// The results, at least one, each under the number of its report.
        results: Vec<(u64, Arc<Solved>)>,
    },
    /// Give a lease back without a result.
    Release {
        /// The number of the report.
        report: u64,
        /// Who gives it back.
        worker_id: u64,
        /// The lease.
        lease_id: u64,
        /// Why, where the shard is to blame; else empty.
        error: String,
    },
    /// Say that the worker lives and how far it is.
    Heartbeat {
        /// Who lives.
        worker_id: u64,
        /// The leases that it holds.
        leases: Vec<HeldLease>,
    },
    /// Tell people.
    Tell(Notice),
    /// The coordinator refuses this worker, and this is why. Nothing follows.
    GiveUp {
        /// The coordinator's sentence.
        reason: String,
    },
    /// The worker is drained. Nothing follows.
    Exit {
        /// Who says goodbye to the coordinator; nobody where it does not answer.
        worker_id: Option<u64>,
    },
}

/// A lease that the worker holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLease {
    /// The lease.
    pub lease_id: u64,
    /// How far it is.
    pub progress: LeaseProgress,
}

/// How far a shard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseProgress {
    /// As far as this slot is.
    Slot(usize),
    /// So many configurations are decided, and no more will be.
    Ended(u128),
}

/// What people are told, once a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The coordinator took the worker in.
    Registered {
        /// What it calls this worker.
        worker_id: u64,
    },
    /// The coordinator does not answer any more.
    Unreachable {
        /// What the connection says.
        reason: String,
    },
    /// It answers again.
    Reachable,
    /// It does not know this worker any more.
    Forgotten,
    /// It refuses to give this worker a shard.
    NoWork {
        /// What it said.
        reason: String,
    },
    /// It refuses a result, which is dropped.
    ResultRefused {
        /// The lease.
        lease_id: u64,
        /// What it said.
        reason: String,
    },
    /// Time to drain is over and these leases were not handed back.
    Abandoned {
        /// How many.
        leases: usize,
    },
}
