//! The vocabulary of the schedule: its configuration and ids, what goes in, and the grants, views, changes and errors that come
//! out.

use std::fmt;

use refute_shared::text::quoted;

use super::{RangeSet, SweepState};

/// How leases are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How long a lease lasts without a heartbeat.
    pub lease_ttl_ms: u64,
    /// How often a worker should send a heartbeat; less than a third of the ttl, so that two may get lost.
    pub heartbeat_every_ms: u64,
    /// How many attempts at a shard may go wrong; with the last of them it is quarantined. 0 is taken as 1.
    pub max_attempts: u32,
    /// Differs from run to run of the coordinator, so that no id of an earlier run is taken for one of this run: ids are
    /// `epoch · 2^32 + count`.
    pub epoch: u32,
}

/// A worker as this run of the coordinator knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u64);

impl fmt::Display for WorkerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A lease of this run of the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseId(pub u64);

impl fmt::Display for LeaseId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// What stands among a worker's families for the language in which manifests state claims.
pub const LANGUAGE: &str = "language";

/// A sweep as it is submitted, or as it is found on disk after a restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepEntry {
    /// Its id.
    pub id: String,
    /// The id of its family.
    pub family: String,
    /// The only version of the family's solver that may solve it.
    pub solver_version: u32,
    /// The least version of the language that may read its claims, if its manifest states any.
    pub language: Option<u32>,
    /// How many shards it has, numbered from 0.
    pub shards: u64,
    /// The shards whose results are on disk.
    pub done: RangeSet,
    /// The shards that were quarantined. A shard that is done as well counts as done.
    pub quarantined: RangeSet,
    /// Bytes of tables that its largest shard needs.
    pub bytes: u128,
    /// Where it stood.
    pub state: SweepState,
    /// Why, where it failed.
    pub reason: Option<String>,
    /// Sweeps of higher priority go first; among equals the one that was added first.
    pub priority: i32,
    /// How many workers must agree on the result of a shard.
    pub replicas: u32,
    /// The shards that are done and need another worker's agreement, since one was enough when they were solved, by the worker's
    /// instance and host.
    pub unverified: Vec<(String, String, RangeSet)>,
    /// The results, as they are on disk, for shards that are not done and wait for another worker to agree.
    pub votes: Vec<(u64, Vote)>,
}

/// A worker's result for a shard, as far as it matters whether another worker agrees.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vote {
    /// The worker, as [`WorkerInfo::instance`] names it.
    pub instance: String,
    /// Its host, as [`WorkerInfo::host`] names it; empty where that is not known.
    pub host: String,
    /// The hash of the result.
    pub digest: u128,
}

/// What a worker says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerInfo {
    /// The name in its certificate, or the address that it calls from without one: not what it says about itself.
    pub host: String,
    /// Its machine, as it says, for people.
    pub machine: String,
    /// Its build, for people.
    pub build: String,
    /// Chosen by the worker when it started, so that it is known for the same under another id.
    pub instance: String,
    /// How many shards it solves at a time.
    pub slots: u32,
    /// How many more leases it may have: results on their way here.
    pub backlog: u32,
    /// Bytes of tables that each slot may have.
    pub slot_bytes: u64,
    /// How often lack of memory had ended processes of its control group when it started, for people.
    pub memory_kills: u64,
    /// The families it can solve, each with the version of its solver; and under `language` the language that it reads.
    pub families: Vec<(String, u32)>,
}

/// A shard handed to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseGrant {
    /// The lease, which heartbeats name.
    pub lease_id: LeaseId,
    /// The sweep.
    pub sweep_id: String,
    /// The shard, by its number in the sweep's plan.
    pub shard_number: u64,
}

/// A lease that ended because its worker was silent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiredLease {
    /// The lease.
    pub lease_id: LeaseId,
    /// Who had it.
    pub worker: WorkerId,
    /// The sweep.
    pub sweep_id: String,
    /// The shard.
    pub shard_number: u64,
    /// Whether the shard is quarantined now; otherwise it is pending again.
    pub quarantined: bool,
}

/// What became of a lease that its worker gave back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Released {
    /// The worker had no such lease any more; nothing was changed.
    Stale,
    /// The shard is pending again.
    Pending,
    /// The shard has used up its attempts and is quarantined.
    Quarantined,
}

/// What a result for a shard is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultStanding {
    /// There is no such sweep.
    UnknownSweep,
    /// The sweep has fewer shards.
    NoSuchShard,
    /// The shard is not done yet and with this result enough workers agree, so it counts, whichever worker has a lease on it and
    /// even if it is quarantined.
    Decides {
        /// How many other workers agreed before.
        agreeing: usize,
    },
    /// The shard is not done yet, and the result is kept until another worker agrees.
    Vote,
    /// This worker has given a result for the shard before.
    Repeated,
    /// A result counts, and was one worker's alone: to be compared, and never added. If it is the same, the shard is done.
    Checks,
    /// The shard is done: to be compared and never added.
    Duplicate,
    /// The sweep was cancelled or has failed and takes no results.
    SweepClosed,
    /// Others contradicted this worker before, so nothing that it says is accepted.
    Banned,
}

/// How many shards of a sweep are where. `done + leased + quarantined + pending = total`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShardCounts {
    /// All.
    pub total: u64,
    /// Those whose result is on disk.
    pub done: u64,
    /// Those a worker has.
    pub leased: u64,
    /// Those that were quarantined after their last attempt.
    pub quarantined: u64,
    /// The rest.
    pub pending: u64,
}

/// Something that must be written down to survive a restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A sweep stands elsewhere now.
    State {
        /// The sweep.
        sweep_id: String,
        /// Where it stands.
        state: SweepState,
        /// Why, where it failed.
        reason: Option<String>,
    },
    /// A sweep has another priority.
    Priority {
        /// The sweep.
        sweep_id: String,
        /// Its priority.
        priority: i32,
    },
    /// A shard was quarantined.
    Quarantined {
        /// The sweep.
        sweep_id: String,
        /// The shard.
        shard_number: u64,
        /// How many attempts went wrong.
        attempts: u32,
        /// How the last one went wrong.
        error: String,
    },
    /// A worker gave a result that others contradict, and gets no more work.
    Banned {
        /// The worker, as [`WorkerInfo::instance`] names it.
        instance: String,
        /// What it did, for people.
        reason: String,
    },
    /// Very many workers are banned, and this one no longer is.
    BanForgotten {
        /// The worker.
        instance: String,
    },
    /// A host gets no more leases, or gets them again.
    Drained {
        /// The host, as [`WorkerInfo::host`] names it.
        host: String,
        /// Whether it is drained now.
        drained: bool,
    },
    /// The quarantined shards of a sweep were made pending again, because it was reopened.
    QuarantineCleared {
        /// The sweep.
        sweep_id: String,
    },
}

/// A worker, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerView<'a> {
    /// Its id.
    pub id: WorkerId,
    /// What it said about itself.
    pub info: &'a WorkerInfo,
    /// How many leases it has.
    pub leases: usize,
    /// When it was heard last.
    pub heard_ms: u64,
    /// Why it gets no more work, if it does not.
    pub banned: Option<&'a str>,
    /// Whether its host is drained.
    pub drained: bool,
    /// How it stands on probation, if it does.
    pub probation: Option<Probation>,
}

/// How a worker stands whose failures came one after the other: it gets one shard at a time, after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probation {
    /// Failures in a row, as far as they are counted.
    pub failures: u32,
    /// Processes that its host lost before it was started, and that it has not outlived.
    pub lost: u32,
    /// When it may have its next shard.
    pub resumes_ms: u64,
}

/// No more workers are taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooManyWorkers {
    /// In all.
    #[error("{most} workers are here, and no more are taken; come back when some have left")]
    InAll {
        /// How many there may be.
        most: usize,
    },
    /// Of one host.
    #[error(
        "{most} workers of '{}' are here, and no more are taken of one host; come back when some have left, or give a worker more --slots",
        quoted(host)
    )]
    OfHost {
        /// The host.
        host: String,
        /// How many there may be.
        most: usize,
    },
}

/// No more hosts can be drained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{most} hosts are drained, and no more can be; undrain those that are gone for good")]
pub struct TooManyDrained {
    /// How many may be.
    pub most: usize,
}

/// A lease, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseView<'a> {
    /// Its id.
    pub lease_id: LeaseId,
    /// Who has it.
    pub worker: WorkerId,
    /// The sweep.
    pub sweep_id: &'a str,
    /// The shard.
    pub shard_number: u64,
    /// When it was given.
    pub given_ms: u64,
    /// When it ends unless a heartbeat comes.
    pub expires_ms: u64,
    /// Configurations decided so far, as the worker last said.
    pub decided: u128,
}

/// The coordinator does not know a worker: it was silent for too long, or the coordinator has been restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("worker {worker} is not known here; it has to register (again)")]
pub struct UnknownWorker {
    /// Its id.
    pub worker: WorkerId,
}

/// There is no sweep of this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no sweep '{sweep_id}'")]
pub struct UnknownSweep {
    /// The id.
    pub sweep_id: String,
}

/// There is no shard of this number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownShard {
    /// There is no such sweep.
    #[error(transparent)]
    Sweep(#[from] UnknownSweep),
    /// The sweep has fewer shards.
    #[error("sweep '{sweep_id}' has no shard {shard_number}: its {shards} shards are numbered from 0")]
    Shard {
        /// The sweep.
        sweep_id: String,
        /// The number.
        shard_number: u64,
        /// How many it has.
        shards: u64,
    },
}

/// Why a sweep cannot be paused, resumed, cancelled, failed or reopened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// There is no such sweep.
    #[error(transparent)]
    Sweep(#[from] UnknownSweep),
    /// It has come to an end that does not change any more.
    #[error("sweep '{sweep_id}' is {state} and cannot be {action}; {}", what_remains(*state))]
    Ended {
        /// The sweep.
        sweep_id: String,
        /// Where it stands.
        state: SweepState,
        /// What was asked for, such as `paused`.
        action: &'static str,
    },
}

/// What can be done with a sweep that has come to an end.
fn what_remains(state: SweepState) -> &'static str {
    match state {
        SweepState::Cancelled | SweepState::Incomplete => "submit it again to go on with it",
        SweepState::Failed => "submit it with --fresh to start anew",
        _ => "nothing of it is left to do",
    }
}
