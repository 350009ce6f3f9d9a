//! Writes sweeps, results and quarantined shards, and refuses a batch after which a tally would not be the sum over its shards.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rocksdb::WriteBatch;

use super::keys::{self, COUNTEREXAMPLES, RECORDS, SHARDS, SWEEPS, ShardState, TALLIES};
use super::open::encode;
use super::{Disagreement, MAX_DISAGREEMENTS, QuarantineRecord, ShardCommit, ShardRecord, Store, StoreError, SweepRecord, TotalsRecord};

impl Store {
    /// Writes a sweep, new or changed, and returns once it is on disk.
    ///
    /// # Errors
    /// [`StoreError::Id`], [`StoreError::Database`].
    pub fn put_sweep(&self, sweep: &SweepRecord) -> Result<(), StoreError> {
        self.put(SWEEPS, &keys::sweep(&sweep.id)?, "a sweep", sweep)
    }

    /// Writes all that the results of some shards change, in one batch, and returns once it is on disk. Either all of it is
    /// there afterwards, even after a crash, or nothing. A shard that was quarantined leaves quarantine.
    ///
    /// Cost: the size of what is written, and two reads for each shard and one for each sweep.
    ///
    /// # Errors
    /// Nothing is written if a shard is done already ([`StoreError::AlreadyDone`]), if the tally is not what the tally on
    /// disk and the new shards sum up to ([`StoreError::Mismatch`]), or if there is no such sweep or shard. After
    /// [`StoreError::Database`] the batch is there whole or not at all, which only reopening the store can tell.
    pub fn commit(&self, commits: &[ShardCommit]) -> Result<(), StoreError> {
        let _writer = self.writer();
        let totals = self.check(commits)?;
        let mut batch = WriteBatch::default();
        for commit in commits {
            self.add_to_batch(&mut batch, commit)?;
        }
        let family = self.family(TALLIES)?;
        for (sweep_id, totals) in totals {
            batch.put_cf(family, keys::sweep(sweep_id)?, encode("a tally", &totals)?);
        }
        self.write(batch)
    }

    /// Notes that a later result for a done shard was different; beyond [`MAX_DISAGREEMENTS`] nothing more is noted.
    ///
    /// # Errors
    /// [`StoreError::NoSuchShard`] if the shard is not done.
    pub fn add_disagreement(&self, sweep_id: &str, shard_number: u64, disagreement: Disagreement) -> Result<(), StoreError> {
        let _writer = self.writer();
        let key = keys::shard(sweep_id, ShardState::Done, shard_number)?;
        let record: Option<ShardRecord> = self.get(SHARDS, &key, "a shard")?;
        let mut record = record.ok_or_else(|| StoreError::NoSuchShard { sweep_id: sweep_id.to_owned(), shard_number })?;
        if record.disagreements.len() >= MAX_DISAGREEMENTS {
            return Ok(());
        }
        record.disagreements.push(disagreement);
        self.put(SHARDS, &key, "a shard", &record)
    }

    /// Notes that another worker agrees with the result of a done shard.
    ///
    /// # Errors
    /// [`StoreError::NoSuchShard`], [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn add_agreement(&self, sweep_id: &str, shard_number: u64, worker: &str) -> Result<(), StoreError> {
        let _writer = self.writer();
        let key = keys::shard(sweep_id, ShardState::Done, shard_number)?;
        let record: Option<ShardRecord> = self.get(SHARDS, &key, "a shard")?;
        let mut record = record.ok_or_else(|| StoreError::NoSuchShard { sweep_id: sweep_id.to_owned(), shard_number })?;
        record.agreed.push(worker.to_owned());
        self.put(SHARDS, &key, "a shard", &record)
    }

    /// Notes that a shard was quarantined. A shard that is done is left as it is.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_quarantined(&self, sweep_id: &str, shard_number: u64, record: &QuarantineRecord) -> Result<(), StoreError> {
        let _writer = self.writer();
        if self.is_done(sweep_id, shard_number)? {
            return Ok(());
        }
        self.put(SHARDS, &keys::shard(sweep_id, ShardState::Quarantined, shard_number)?, "a quarantined shard", record)
    }

    /// Forgets that shards of a sweep were quarantined, because it was reopened.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn clear_quarantined(&self, sweep_id: &str) -> Result<(), StoreError> {
        let _writer = self.writer();
        let start = keys::shards(sweep_id, ShardState::Quarantined)?;
        let Some(end) = keys::after(&start) else { return Ok(()) };
        let mut batch = WriteBatch::default();
        batch.delete_range_cf(self.family(SHARDS)?, start, end);
        self.write(batch)
    }

    pub(super) fn is_done(&self, sweep_id: &str, shard_number: u64) -> Result<bool, StoreError> {
        self.has(SHARDS, &keys::shard(sweep_id, ShardState::Done, shard_number)?)
    }

    /// Deletes the note that a shard was quarantined, if there is one: a deletion leaves a trace that every later reading of the
    /// quarantined shards passes over, so none is made without need.
    pub(super) fn end_quarantine(&self, batch: &mut WriteBatch, sweep_id: &str, shard_number: u64) -> Result<(), StoreError> {
        let key = keys::shard(sweep_id, ShardState::Quarantined, shard_number)?;
        if self.has(SHARDS, &key)? {
            batch.delete_cf(self.family(SHARDS)?, key);
        }
        Ok(())
    }

    fn has(&self, family: &str, key: &[u8]) -> Result<bool, StoreError> {
        let value = self.database()?.get_pinned_cf(self.family(family)?, key).map_err(|error| self.database_error(error))?;
        Ok(value.is_some())
    }

    /// Refuses commits after which a tally would not be the sum over the shards, and returns the totals after them.
    fn check<'a>(&self, commits: &'a [ShardCommit]) -> Result<BTreeMap<&'a str, TotalsRecord>, StoreError> {
        let mut sweeps: BTreeMap<&str, (u64, TotalsRecord)> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for commit in commits {
            let (sweep_id, shard_number) = (commit.sweep_id.as_str(), commit.shard_number);
            let (shards, totals) = match sweeps.entry(sweep_id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let sweep = self.sweep(sweep_id)?.ok_or_else(|| StoreError::NoSuchSweep { sweep_id: sweep_id.to_owned() })?;
                    new.insert((sweep.plan.shards(), self.totals(sweep_id)?.unwrap_or_default()))
                }
            };
            if shard_number >= *shards {
                return Err(StoreError::NoSuchShard { sweep_id: sweep_id.to_owned(), shard_number });
            }
            if !seen.insert((sweep_id, shard_number)) || self.is_done(sweep_id, shard_number)? {
                return Err(StoreError::AlreadyDone { sweep_id: sweep_id.to_owned(), shard_number });
            }
            let sum = totals.tally.decided.wrapping_add(commit.record.decided);
            if sum != commit.tally.decided {
                return Err(StoreError::Mismatch { sweep_id: sweep_id.to_owned(), tally: commit.tally.decided, shards: sum });
            }
            totals.tally.clone_from(&commit.tally);
            let counterexamples = totals.counterexamples + commit.put_counterexamples.len() as u64;
            totals.counterexamples = counterexamples.saturating_sub(commit.delete_counterexamples.len() as u64);
            totals.records += commit.records.len() as u64;
        }
        Ok(sweeps.into_iter().map(|(sweep_id, (_, totals))| (sweep_id, totals)).collect())
    }

    fn add_to_batch(&self, batch: &mut WriteBatch, commit: &ShardCommit) -> Result<(), StoreError> {
        let (sweep_id, number) = (&commit.sweep_id, commit.shard_number);
        let shards = self.family(SHARDS)?;
        batch.put_cf(shards, keys::shard(sweep_id, ShardState::Done, number)?, encode("a shard", &commit.record)?);
        self.end_quarantine(batch, sweep_id, number)?;
        for instance in &commit.agreed {
            batch.delete_cf(shards, keys::vote(sweep_id, number, instance)?);
        }
        let counterexamples = self.family(COUNTEREXAMPLES)?;
        for (claim, key, counterexample) in &commit.put_counterexamples {
            batch.put_cf(counterexamples, keys::counterexample(sweep_id, *claim, key)?, encode("a counterexample", counterexample)?);
        }
        for (claim, key) in &commit.delete_counterexamples {
            batch.delete_cf(counterexamples, keys::counterexample(sweep_id, *claim, key)?);
        }
        let records = self.family(RECORDS)?;
        for record in &commit.records {
            batch.put_cf(records, keys::record(sweep_id, &record.key)?, &record.value);
        }
        Ok(())
    }
}
