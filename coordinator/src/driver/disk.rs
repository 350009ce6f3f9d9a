//! What the core asks of the disk: the store, or in the simulation one that crashes and fills up.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use refute_shared::sweep::Tally;

use crate::schedule::{RangeSet, Vote};
use crate::store::{Disagreement, QuarantineRecord, Reader, ShardCommit, ShardRecord, Store, StoreError, SweepRecord, VoteRecord};

/// A data directory. Each write is there whole or not at all, and on disk when it returns; after one that failed, only
/// [`Disk::reopen`] tells which.
pub trait Disk {
    /// How often the directory has been opened, this time included.
    fn epoch(&self) -> u32;

    /// The workers that get no more work, by instance, and why.
    ///
    /// # Errors
    /// [`StoreError`].
    fn banned(&self) -> Result<Vec<(String, String)>, StoreError>;

    /// The hosts that get no more leases.
    ///
    /// # Errors
    /// [`StoreError`].
    fn drained(&self) -> Result<Vec<String>, StoreError>;

    /// All sweeps, in the order in which they were submitted.
    ///
    /// # Errors
    /// [`StoreError`].
    fn sweeps(&self) -> Result<Vec<SweepRecord>, StoreError>;

    /// A sweep.
    ///
    /// # Errors
    /// [`StoreError`].
    fn sweep(&self, sweep_id: &str) -> Result<Option<SweepRecord>, StoreError>;

    /// What a sweep with so many claims has come to. Its parts are verified against each other.
    ///
    /// # Errors
    /// [`StoreError`].
    fn progress(&self, sweep_id: &str, claims: usize) -> Result<SweepProgress, StoreError>;

    /// The record of a shard, if it is done.
    ///
    /// # Errors
    /// [`StoreError`].
    fn shard(&self, sweep_id: &str, shard_number: u64) -> Result<Option<ShardRecord>, StoreError>;

    /// The done shards of a sweep whose result one worker alone gave, by its instance and host.
    ///
    /// Cost: reads every done shard.
    ///
    /// # Errors
    /// [`StoreError`].
    fn unverified(&self, sweep_id: &str) -> Result<Vec<(String, String, RangeSet)>, StoreError>;

    /// Notes that another worker agrees with the result of a done shard.
    ///
    /// # Errors
    /// [`StoreError`].
    fn add_agreement(&self, sweep_id: &str, shard_number: u64, worker: &str) -> Result<(), StoreError>;

    /// The results for a shard that wait for others.
    ///
    /// # Errors
    /// [`StoreError`].
    fn votes_on(&self, sweep_id: &str, shard_number: u64) -> Result<Vec<VoteRecord>, StoreError>;

    /// Writes a sweep, new or changed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn put_sweep(&self, sweep: &SweepRecord) -> Result<(), StoreError>;

    /// Writes all that the results of some shards change, and returns how long that took.
    ///
    /// # Errors
    /// [`StoreError`].
    fn commit(&self, commits: &[ShardCommit]) -> Result<Duration, StoreError>;

    /// Keeps a result that others must come to as well.
    ///
    /// # Errors
    /// [`StoreError`].
    fn put_vote(&self, sweep_id: &str, shard_number: u64, vote: &VoteRecord) -> Result<(), StoreError>;

    /// Notes that a later result for a done shard was different.
    ///
    /// # Errors
    /// [`StoreError`].
    fn add_disagreement(&self, sweep_id: &str, shard_number: u64, disagreement: Disagreement) -> Result<(), StoreError>;

    /// Notes that a shard was quarantined.
    ///
    /// # Errors
    /// [`StoreError`].
    fn put_quarantined(&self, sweep_id: &str, shard_number: u64, record: &QuarantineRecord) -> Result<(), StoreError>;

    /// Forgets that shards of a sweep were quarantined.
    ///
    /// # Errors
    /// [`StoreError`].
    fn clear_quarantined(&self, sweep_id: &str) -> Result<(), StoreError>;

    /// Notes that a worker gets no more work, and why.
    ///
    /// # Errors
    /// [`StoreError`].
    fn put_banned(&self, instance: &str, reason: &str) -> Result<(), StoreError>;

    /// Notes that a worker may be given work again, since very many others are banned.
    ///
    /// # Errors
    /// [`StoreError`].
    fn forget_banned(&self, instance: &str) -> Result<(), StoreError>;

    /// Notes that a host gets no more leases, or gets them again.
    ///
    /// # Errors
    /// [`StoreError`].
    fn put_drained(&self, host: &str, drained: bool) -> Result<(), StoreError>;

    /// Opens the directory again after a write has failed.
    ///
    /// # Errors
    /// [`StoreError::File`], [`StoreError::BackingUp`] and [`StoreError::Reopening`] if it must wait; anything else if it cannot be opened.
    fn reopen(&mut self) -> Result<(), StoreError>;
}

/// What a sweep has come to, as it is on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepProgress {
    /// The sum over the done shards; none before the first.
    pub tally: Option<Tally>,
    /// The kept counterexamples: the claim, the family's key, and whether it was confirmed.
    pub counterexamples: Vec<(u32, Vec<u8>, bool)>,
    /// The done shards.
    pub done: RangeSet,
    /// The shards that were quarantined.
    pub quarantined: RangeSet,
    /// The done shards that need another worker's agreement, by the instance and the host of the one that solved them.
    pub unverified: Vec<(String, String, RangeSet)>,
    /// The results that wait for another worker to agree.
    pub votes: Vec<(u64, Vote)>,
    /// The results that differ from those that count: the shard, the worker's instance, and its name for people.
    pub outvoted: Vec<(u64, String, String)>,
}

impl Disk for Store {
    fn epoch(&self) -> u32 {
        Self::epoch(self)
    }

    fn banned(&self) -> Result<Vec<(String, String)>, StoreError> {
        Self::banned(self)
    }

    fn drained(&self) -> Result<Vec<String>, StoreError> {
        Self::drained(self)
    }

    fn sweeps(&self) -> Result<Vec<SweepRecord>, StoreError> {
        Reader::sweeps(self)
    }

    fn sweep(&self, sweep_id: &str) -> Result<Option<SweepRecord>, StoreError> {
        Reader::sweep(self, sweep_id)
    }

    fn progress(&self, sweep_id: &str, claims: usize) -> Result<SweepProgress, StoreError> {
        self.verify(sweep_id)?;
        let mut progress = SweepProgress { tally: self.tally(sweep_id)?, ..SweepProgress::default() };
        for claim in (0u32..).take(claims) {
            let found = self.counterexamples(sweep_id, claim, usize::MAX)?;
            progress.counterexamples.extend(found.into_iter().map(|(key, found)| (claim, key, found.confirmed)));
        }
        progress.done = self.done_shards(sweep_id)?.into_iter().collect();
        progress.quarantined = self.quarantined(sweep_id)?.into_iter().map(|(shard, _)| shard).collect();
        for (shard_number, VoteRecord { instance, host, worker, digest, .. }) in self.votes(sweep_id)? {
            match self.shard(sweep_id, shard_number)? {
                None => progress.votes.push((shard_number, Vote { instance, host, digest })),
                Some(counted) if counted.digest != digest => progress.outvoted.push((shard_number, instance, worker)),
                // It agrees, so there is nothing to say against it.
                Some(_) => {}
            }
        }
        Ok(progress)
    }

    fn unverified(&self, sweep_id: &str) -> Result<Vec<(String, String, RangeSet)>, StoreError> {
        let mut unverified: BTreeMap<(String, String), RangeSet> = BTreeMap::new();
        for shard_number in self.done_shards(sweep_id)?.into_iter().flatten() {
            if let Some(record) = Reader::shard(self, sweep_id, shard_number)?.filter(|record| record.agreed.is_empty()) {
                unverified.entry((record.instance, record.host)).or_default().insert(shard_number);
            }
        }
        Ok(unverified.into_iter().map(|((instance, host), shards)| (instance, host, shards)).collect())
    }

    fn add_agreement(&self, sweep_id: &str, shard_number: u64, worker: &str) -> Result<(), StoreError> {
        Self::add_agreement(self, sweep_id, shard_number, worker)
    }

    fn shard(&self, sweep_id: &str, shard_number: u64) -> Result<Option<ShardRecord>, StoreError> {
        Reader::shard(self, sweep_id, shard_number)
    }

    fn votes_on(&self, sweep_id: &str, shard_number: u64) -> Result<Vec<VoteRecord>, StoreError> {
        Self::votes_on(self, sweep_id, shard_number)
    }

    fn put_sweep(&self, sweep: &SweepRecord) -> Result<(), StoreError> {
        Self::put_sweep(self, sweep)
    }

    fn commit(&self, commits: &[ShardCommit]) -> Result<Duration, StoreError> {
        let started = Instant::now();
        Self::commit(self, commits)?;
        Ok(started.elapsed())
    }

    fn put_vote(&self, sweep_id: &str, shard_number: u64, vote: &VoteRecord) -> Result<(), StoreError> {
        Self::put_vote(self, sweep_id, shard_number, vote)
    }

    fn add_disagreement(&self, sweep_id: &str, shard_number: u64, disagreement: Disagreement) -> Result<(), StoreError> {
        Self::add_disagreement(self, sweep_id, shard_number, disagreement)
    }

    fn put_quarantined(&self, sweep_id: &str, shard_number: u64, record: &QuarantineRecord) -> Result<(), StoreError> {
        Self::put_quarantined(self, sweep_id, shard_number, record)
    }

    fn clear_quarantined(&self, sweep_id: &str) -> Result<(), StoreError> {
        Self::clear_quarantined(self, sweep_id)
    }

    fn put_drained(&self, host: &str, drained: bool) -> Result<(), StoreError> {
        Self::put_drained(self, host, drained)
    }

    fn put_banned(&self, instance: &str, reason: &str) -> Result<(), StoreError> {
        Self::put_banned(self, instance, reason)
    }

    fn forget_banned(&self, instance: &str) -> Result<(), StoreError> {
        Self::forget_banned(self, instance)
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        Self::reopen(self)
    }
}
