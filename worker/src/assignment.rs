//! What passes between the parts of a worker: a leased shard, and what became of it.

use std::sync::Arc;

use refute_shared::sweep::{Record, Shard, ShardResult, StatedClaim};

/// A shard to solve, as the coordinator leased it. Family, space and claims are names that have not been looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The coordinator's number for this lease.
    pub lease_id: u64,
    /// The sweep that the shard is part of.
    pub sweep_id: String,
    /// The shard's number in the sweep's plan.
    pub shard_number: u64,
    /// Which units of which box; at least one unit.
    pub shard: Shard,
    /// The id of the family.
    pub family: String,
    /// The version of the family's solver that the sweep is pinned to.
    pub solver_version: u32,
    /// The family's encoding of the space.
    pub space: String,
    /// The claims of the manifest's own to hold against the shard: the first of the tally.
    pub stated: Vec<StatedClaim>,
    /// The ids of the other claims, in the order of the tally.
    pub claims: Vec<String>,
    /// Counterexamples to keep per claim.
    pub counterexamples: usize,
    /// Solved positions to keep.
    pub record: Record,
}

/// A shard that was solved to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// What was leased.
    pub assignment: Assignment,
    /// What it came to.
    pub result: ShardResult,
    /// Wall time spent on it, in seconds.
    pub seconds: f64,
}

impl Solved {
    /// About how many bytes the result takes in memory.
    ///
    /// Cost: O(counterexamples and records of the result).
    #[must_use]
    pub fn bytes(&self) -> usize {
        /// What an item takes besides its bytes.
        const ITEM: usize = 48;
        let ShardResult { tally, counterexamples, records } = &self.result;
        let candidates: usize = counterexamples.iter().flatten().map(|found| ITEM + found.key.len() + found.actual.len()).sum();
        let records: usize = records.iter().map(|record| ITEM + record.key.len() + record.value.len()).sum();
        candidates + records + ITEM * (tally.claims.len() + tally.coverage.0.len() + tally.groups.0.len())
    }
}

/// What became of a shard that a slot was given.
#[derive(Clone, Debug, PartialEq)]
pub enum ShardOutcome {
    /// It was solved to its end. Shared, since it is kept until the coordinator has it, over any number of attempts.
    Solved(Arc<Solved>),
    /// It was stopped as asked; there is no partial result.
    Stopped,
    /// It cannot be solved here, and this sentence says why.
    Failed(String),
}
