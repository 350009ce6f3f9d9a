//! Where sweeps and workers stand, as the coordinator says it and a client reads it. Plain data.

use crate::schedule::{ShardCounts, SweepState};

/// Where a sweep stands.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepStatus {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its family's id.
    pub family: String,
    /// Sweeps of higher priority go first.
    pub priority: i32,
    /// Its state.
    pub state: SweepState,
    /// Why it is in this state.
    pub reason: Option<String>,
    /// Its shards.
    pub shards: ShardCounts,
    /// Configurations in its space.
    pub total: u128,
    /// Configurations of the shards that are done.
    pub decided: u128,
    /// Configurations that running leases have decided so far.
    pub in_progress: u128,
    /// Configurations a second lately; 0 where nothing runs.
    pub rate: f64,
    /// Claims with a confirmed counterexample.
    pub claims_refuted: usize,
    /// How many workers must come to the same result for each shard.
    pub replicas: u32,
    /// From how many hosts results came; 0 if that was not noted.
    pub hosts: u64,
    /// Its boxes in their order, where a coordinator is asked for this sweep alone and it has at most [`MAX_BOXES`] of them;
    /// else empty.
    pub boxes: Vec<BoxStatus>,
}

/// A sweep with more boxes than this is not reported box by box.
pub const MAX_BOXES: usize = 256;

/// Where a box of a sweep stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxStatus {
    /// The box, in words.
    pub text: String,
    /// Its shards.
    pub shards: ShardCounts,
}

/// A worker, what it is doing, and what it has done in this run of the coordinator.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerStatus {
    /// Its id in this run of the coordinator.
    pub worker_id: u64,
    /// Its machine.
    pub host: String,
    /// Its version.
    pub build: String,
    /// How many shards it solves at a time.
    pub slots: u32,
    /// Bytes of tables that each slot may have.
    pub slot_bytes: u64,
    /// Since it was last heard.
    pub silent_ms: u64,
    /// The shards it has.
    pub shards: Vec<RunningShard>,
    /// Why it gets no more work, if it does not.
    pub banned: Option<String>,
    /// Why it gets no shard of an open sweep of a family that it knows, if its solver is of another version.
    pub other_version: Option<String>,
    /// Why it gets no shard of an open sweep of a family that it knows, if its slots have too little memory.
    pub too_small: Option<String>,
    /// How often the kernel had ended processes of its control group for lack of memory when it started.
    pub memory_kills: u64,
    /// Since it registered first.
    pub registered_for_ms: u64,
    /// Configurations a second lately; 0 where it does nothing.
    pub rate: f64,
    /// How many of its results were taken, to count or to be compared with another's.
    pub shards_done: u64,
    /// Configurations of these.
    pub decided: u128,
    /// How many of its leases ran out.
    pub leases_lost: u64,
    /// How many shards it gave back with an error.
    pub errors: u64,
    /// How many shards it gave back because it was told to stop.
    pub returned: u64,
    /// How many of its results others contradicted.
    pub contradicted: u64,
    /// The shards that it lost last, each with its sweep, the latest at the end.
    pub lost_shards: Vec<(String, u64)>,
    /// The host that answers for its failures, by which it is drained: the name in its certificate, or its address.
    pub peer: String,
    /// Whether that host is drained.
    pub drained: bool,
    /// Why it gets one shard at a time, if it does.
    pub probation: Option<String>,
    /// Whether it has been silent for so long that it is not counted as there any more.
    pub is_lost: bool,
}

/// A shard that a worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningShard {
    /// Of which sweep.
    pub sweep_id: String,
    /// Its number.
    pub shard_number: u64,
    /// Configurations decided so far, as the worker last said.
    pub decided: u128,
    /// Since it was leased.
    pub running_ms: u64,
}

impl SweepStatus {
    /// Seconds until it is complete at the present rate; none where it is not known.
    #[must_use]
    pub fn eta_seconds(&self) -> Option<f64> {
        let left = self.total.saturating_sub(self.decided).saturating_sub(self.in_progress);
        (self.rate > 0.0 && !self.state.is_terminal()).then(|| left as f64 / self.rate)
    }
}
