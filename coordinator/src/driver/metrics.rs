use std::collections::BTreeMap;

use crate::schedule::{ShardCounts, SweepState};

use super::core::Core;
use super::counters::Counters;

/// How many sweeps are told of one by one.
const MAX_SWEEPS: usize = 100;

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

impl Core {
    /// Whether it hands out work.
    #[must_use]
    pub fn readiness(&self) -> Readiness {
        match &self.outage {
            _ if self.closing => Readiness::Stopping,
            Some(outage) => Readiness::Unwritable(outage.reason.clone()),
            None => Readiness::Ready,
        }
    }

    /// What it is doing, in numbers.
    ///
    /// Cost: O(sweeps + workers), some tens of questions to the database, and a look at the list of its files.
    #[must_use]
    pub fn metrics(&self, now_ms: u64) -> Metrics {
        let (mut states, mut waiting, mut leased) = (BTreeMap::new(), 0, 0);
        let mut listed = Vec::new();
        for (id, active) in &self.sweeps {
            let (Some(state), Some(shards)) = (self.schedule.state(id), self.schedule.counts(id)) else { continue };
            *states.entry(state).or_default() += 1;
            waiting += if state.is_open() { shards.pending } else { 0 };
            leased += shards.leased;
            if !state.is_terminal() || self.ended.contains(id) {
                listed.push((state.is_terminal(), std::cmp::Reverse(active.record.sequence), id, active));
            }
        }
        listed.sort_unstable_by_key(|(ended, newest, ..)| (*ended, *newest));
        let sweep = |(_, _, id, active): (bool, _, &String, &super::active::ActiveSweep)| SweepMetrics {
            id: id.clone(),
            shards: self.schedule.counts(id).unwrap_or_default(),
            claims_refuted: active.claims_refuted() as u64,
        };
        let (mut workers, mut banned, mut busy, mut free) = (0, 0, 0, 0);
        for view in self.schedule.workers() {
            workers += 1;
            // The leases beyond the slots are those whose results are on their way.
            let (slots, leases) = (u64::from(view.info.slots), view.leases as u64);
            busy += leases.min(slots);
            match view.banned {
                Some(_) => banned += 1,
                None => free += slots.saturating_sub(leases),
            }
        }
        Metrics {
            sweeps: listed.into_iter().take(MAX_SWEEPS).map(sweep).collect(),
            states,
            waiting,
            leased,
            oldest_lease_ms: self.schedule.leases().next().map(|lease| now_ms.saturating_sub(lease.given_ms)),
            workers,
            banned,
            busy,
            free,
            is_writable: self.outage.is_none(),
            bytes: self.store.sizes(),
            counters: self.counters.clone(),
        }
    }
}
