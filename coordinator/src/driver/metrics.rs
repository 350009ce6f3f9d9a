//! What monitoring asks.

use std::collections::BTreeMap;

use crate::schedule::{ShardCounts, SweepState};

use super::counters::Counters;

/// How many sweeps have metrics of their own.
pub(super) const MAX_SWEEPS: usize = 100;

/// What a coordinator is doing, in numbers.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// Sweep by sweep, at most 100 of them: those that have not come to an end, then those that did in this run, and of each
    /// those first that were submitted last.
    pub sweeps: Vec<SweepMetrics>,
    /// How many sweeps are in which state.
    pub states: BTreeMap<SweepState, u64>,
    /// Shards that could be handed out.
    pub waiting: u64,
    /// Shards that workers have.
    pub leased: u64,
    /// How long ago the oldest lease that has not ended was given.
    pub oldest_lease_ms: Option<u64>,
    /// Workers that are there.
    pub workers: u64,
    /// Those of them that get no more work.
    pub banned: u64,
    /// Slots that solve a shard.
    pub busy: u64,
    /// Slots that do not, of workers that get work.
    pub free: u64,
    /// Whether the data directory can be written.
    pub is_writable: bool,
    /// Bytes that the database takes, by what takes them.
    pub bytes: Vec<(&'static str, u64)>,
    /// What has happened in this run.
    pub counters: Counters,
}

/// A sweep in numbers.
#[derive(Clone, Debug)]
pub struct SweepMetrics {
    /// Its id.
    pub id: String,
    /// Its shards.
    pub shards: ShardCounts,
    /// Claims with a confirmed counterexample.
    pub claims_refuted: u64,
}

/// Whether a coordinator hands out work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It does.
    Ready,
    /// It is about to end.
    Stopping,
    /// Its data directory cannot be written, and why.
    Unwritable(String),
}
