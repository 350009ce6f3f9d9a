use std::collections::BTreeMap;

use super::{LeaseId, RangeSet, ShardCounts};

/// Where each shard of one sweep is.
///
/// Invariant: every number below `total` is in exactly one of `fresh`, `retry`, `leased`, `done` and `quarantined`, and no
/// other number is in any; `attempts` has only shards that are pending or leased.
#[derive(Clone, Debug)]
pub(super) struct Shards {
    pub(super) total: u64,
    /// Pending and never leased in this run.
    pub(super) fresh: RangeSet,
    /// Pending after a lease that came to nothing.
    pub(super) retry: RangeSet,
    pub(super) leased: BTreeMap<u64, LeaseId>,
    pub(super) done: RangeSet,
    pub(super) quarantined: RangeSet,
    attempts: BTreeMap<u64, Attempts>,
}

/// What went wrong with a shard so far.
#[derive(Clone, Copy, Debug, Default)]
struct Attempts {
    failed: u32,
    /// A lease ended before any heartbeat had named it.
    lost_unseen: bool,
}

/// What became of a shard after an attempt that went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blamed {
    Retry,
    Quarantined { attempts: u32 },
}

impl Shards {
    /// Everything that is neither done nor quarantined is pending. Numbers that are no shards are left out.
    pub(super) fn new(total: u64, mut done: RangeSet, mut quarantined: RangeSet) -> Self {
        done.remove_range(total..u64::MAX);
        quarantined.remove_range(total..u64::MAX);
        let mut fresh: RangeSet = std::iter::once(0..total).collect();
        for range in done.iter() {
            quarantined.remove_range(range.clone());
            fresh.remove_range(range);
        }
        for range in quarantined.iter() {
            fresh.remove_range(range);
        }
        Self { total, fresh, retry: RangeSet::new(), leased: BTreeMap::new(), done, quarantined, attempts: BTreeMap::new() }
    }

    pub(super) fn pending(&self) -> u64 {
        self.fresh.len() + self.retry.len()
    }

    pub(super) fn counts(&self) -> ShardCounts {
        ShardCounts {
            total: self.total,
            done: self.done.len(),
            leased: self.leased.len() as u64,
            quarantined: self.quarantined.len(),
            pending: self.pending(),
        }
    }

    /// Hands out a pending shard: retried ones first, each kind in ascending order.
    pub(super) fn lease(&mut self, lease_id: LeaseId) -> Option<u64> {
        let number = self.retry.pop_first().or_else(|| self.fresh.pop_first())?;
        self.leased.insert(number, lease_id);
        Some(number)
    }

    /// Makes a leased shard pending again without blame.
    pub(super) fn give_back(&mut self, number: u64) {
        if self.leased.remove(&number).is_some() {
            self.retry.insert(number);
        }
    }

    /// A leased shard came back with an error, or its worker was lost while it was known to solve it.
    pub(super) fn blame(&mut self, number: u64, max_attempts: u32) -> Blamed {
        if self.leased.remove(&number).is_none() {
            return Blamed::Retry;
        }
        let attempts = self.attempts.entry(number).or_default();
        attempts.failed += 1;
        let failed = attempts.failed;
        if failed < max_attempts {
            self.retry.insert(number);
            return Blamed::Retry;
        }
        self.attempts.remove(&number);
        self.quarantined.insert(number);
        Blamed::Quarantined { attempts: failed }
    }

    /// The worker of a leased shard was lost before it said that it had begun.
    ///
    /// The lease may never have reached the worker, so the first such loss is nobody's fault. A shard that kills its worker
    /// at once looks the same and must not go round for ever, so every further one counts.
    pub(super) fn lose_unseen(&mut self, number: u64, max_attempts: u32) -> Blamed {
        let attempts = self.attempts.entry(number).or_default();
        if attempts.lost_unseen {
            return self.blame(number, max_attempts);
        }
        attempts.lost_unseen = true;
        self.give_back(number);
        Blamed::Retry
    }

    /// Marks a shard as done wherever it is, and returns the lease on it.
    pub(super) fn finish(&mut self, number: u64) -> Option<LeaseId> {
        self.fresh.remove(number);
        self.retry.remove(number);
        self.quarantined.remove(number);
        self.attempts.remove(&number);
        self.done.insert(number);
        self.leased.remove(&number)
    }

    /// Makes every leased shard pending again, and returns the leases.
    pub(super) fn give_back_all(&mut self) -> Vec<LeaseId> {
        let leased = std::mem::take(&mut self.leased);
        for number in leased.keys() {
            self.retry.insert(*number);
        }
        leased.into_values().collect()
    }

    /// Makes quarantined shards pending again with all their attempts before them, and says whether there were any.
    pub(super) fn clear_quarantine(&mut self) -> bool {
        let quarantined = std::mem::take(&mut self.quarantined);
        for range in quarantined.iter() {
            self.fresh.insert_range(range);
        }
        self.attempts.clear();
        !quarantined.is_empty()
    }
}
