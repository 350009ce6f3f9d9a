//! Reads sweeps, tallies, shards, counterexamples and kept positions from the store.

use std::ops::Range;

use refute_shared::families::Counterexample;
use refute_shared::sweep::{KeptRecord, Tally};
use rocksdb::{DBIteratorWithThreadMode, DBRawIteratorWithThreadMode, IteratorMode, ReadOptions};

use super::keys::{self, SHARDS, SWEEPS, ShardState};
use super::reader::Reader;
use super::{QuarantineRecord, ShardRecord, StoreError, SweepRecord, TotalsRecord};

impl Reader {
    /// All sweeps, in the order in which they were submitted.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn sweeps(&self) -> Result<Vec<SweepRecord>, StoreError> {
        let mut sweeps = Vec::new();
        for item in self.database()?.iterator_cf(self.family(SWEEPS)?, IteratorMode::Start) {
            let (key, value) = item.map_err(|error| self.database_error(error))?;
            sweeps.push(self.decode::<SweepRecord>("a sweep", &key, &value)?);
        }
        sweeps.sort_by_key(|sweep| sweep.sequence);
        Ok(sweeps)
    }

    /// A sweep.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn sweep(&self, sweep_id: &str) -> Result<Option<SweepRecord>, StoreError> {
        self.now().sweep(sweep_id)
    }

    /// The tally of a sweep so far; none before its first shard is done.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn tally(&self, sweep_id: &str) -> Result<Option<Tally>, StoreError> {
        self.now().tally(sweep_id)
    }

    pub(super) fn totals(&self, sweep_id: &str) -> Result<Option<TotalsRecord>, StoreError> {
        self.now().totals(sweep_id)
    }

    /// The record of a shard, if it is done.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn shard(&self, sweep_id: &str, shard_number: u64) -> Result<Option<ShardRecord>, StoreError> {
        self.get(SHARDS, &keys::shard(sweep_id, ShardState::Done, shard_number)?, "a shard")
    }

    /// The numbers of the done shards as ranges in ascending order, no two of which touch.
    ///
    /// Cost: reads a key for each done shard and keeps only the ranges.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn done_shards(&self, sweep_id: &str) -> Result<Vec<Range<u64>>, StoreError> {
        let prefix = keys::shards(sweep_id, ShardState::Done)?;
        let mut ranges: Vec<Range<u64>> = Vec::new();
        self.each_key(SHARDS, &prefix, |key| {
            let number = self.shard_number(key, &prefix)?;
            match ranges.last_mut() {
                Some(range) if range.end == number => range.end += 1,
                _ => ranges.push(number..number.saturating_add(1)),
            }
            Ok(())
        })?;
        Ok(ranges)
    }

    /// The shards that were quarantined, in ascending order.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn quarantined(&self, sweep_id: &str) -> Result<Vec<(u64, QuarantineRecord)>, StoreError> {
        self.now().quarantined(sweep_id)?.collect()
    }

    /// The smallest counterexamples to a claim, each with the family's key, smallest first and at most `limit` of them.
    /// The claim is given by its place in the list of the sweep's claims.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn counterexamples(&self, sweep_id: &str, claim: u32, limit: usize) -> Result<Vec<(Vec<u8>, Counterexample)>, StoreError> {
        self.now().counterexamples(sweep_id, claim)?.take(limit).collect()
    }

    /// The solved positions that are kept, smallest first, read as they are asked for.
    ///
    /// # Errors
    /// [`StoreError::Database`], also of each item, and [`StoreError::Damaged`] of an item.
    pub fn records<'a>(&'a self, sweep_id: &str) -> Result<impl Iterator<Item = Result<KeptRecord, StoreError>> + use<'a>, StoreError> {
        self.now().records(sweep_id)
    }

    pub(super) fn items(&self, family: &str, prefix: &[u8]) -> Result<DBIteratorWithThreadMode<'_, rocksdb::DB>, StoreError> {
        Ok(self.database()?.iterator_cf_opt(self.family(family)?, within(prefix), IteratorMode::Start))
    }

    /// Visits the keys that begin with `prefix` in ascending order, without copying a key or a value.
    fn each_key(&self, family: &str, prefix: &[u8], mut visit: impl FnMut(&[u8]) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let mut cursor: DBRawIteratorWithThreadMode<'_, rocksdb::DB> =
            self.database()?.raw_iterator_cf_opt(self.family(family)?, within(prefix));
        cursor.seek_to_first();
        while let Some(key) = cursor.key() {
            visit(key)?;
            cursor.next();
        }
        // The loop also ends where the database cannot be read on.
        cursor.status().map_err(|error| self.database_error(error))
    }

    pub(super) fn shard_number(&self, key: &[u8], prefix: &[u8]) -> Result<u64, StoreError> {
        key.strip_prefix(prefix)
            .and_then(keys::shard_number)
            .ok_or_else(|| self.damaged("a shard", key, "the key does not end in a number of eight bytes"))
    }
}

/// Options for reading exactly the keys that begin with `prefix`.
pub(super) fn within(prefix: &[u8]) -> ReadOptions {
    let mut options = ReadOptions::default();
    options.set_iterate_lower_bound(prefix);
    if let Some(end) = keys::after(prefix) {
        options.set_iterate_upper_bound(end);
    }
    options
}
