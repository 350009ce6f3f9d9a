//! What can be saved of a damaged data directory.
//!
//! RocksDB's own repair gives up every file that it cannot read to its end, so any keys may be missing afterwards. What is
//! left is brought back to where every law of the store holds: a shard whose record is gone, or of which something else is
//! gone, is pending again, and totals are the sum over the shards that are left.
//!
//! Kept counterexamples and solved positions do not say which shard they are from. So if a sweep lost anything, all of them go,
//! and with them every shard that gave some.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use refute_shared::sweep::Tally;
use rocksdb::{DB, DBRecoveryMode, IteratorMode, Options, WriteBatch};

use crate::schedule::RangeSet;

use super::format;
use super::keys::{self, COUNTEREXAMPLES, FAMILIES, FORMAT_KEY, META, RECORDS, SHARDS, SWEEPS, ShardState, TALLIES};
use super::open::encode;
use super::{FORMAT, ShardRecord, Store, StoreError, SweepRecord, TotalsRecord};

/// What a repair could not save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Shards of a sweep: not done, or not whole any more, and pending (again). Where the sweep had not been complete they
    /// cannot be told from those that were never solved.
    Shards {
        /// The sweep.
        sweep_id: String,
        /// How many it has.
        of: u64,
        /// Those that are pending, as ranges in ascending order.
        shards: Vec<Range<u64>>,
    },
    /// A sweep as a whole: its manifest and its plan are gone.
    Sweep {
        /// Its id.
        sweep_id: String,
    },
}

/// What a repair found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Whether some file could not be read to its end.
    pub were_files_damaged: bool,
    /// What is not there.
    pub lost: Vec<Lost>,
}

impl fmt::Display for Lost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shards { sweep_id, of, shards } => {
                let count: u64 = shards.iter().map(|range| range.end - range.start).sum();
                let numbers = shards.iter().map(|range| match range.end - range.start {
                    1 => range.start.to_string(),
                    _ => format!("{}..={}", range.start, range.end - 1),
                });
                let numbers: Vec<String> = numbers.collect();
                write!(
                    formatter,
                    "{sweep_id}: {count} of {of} shards are not done or not whole, and will be solved: {}",
                    numbers.join(", ")
                )
            }
            Self::Sweep { sweep_id } => {
                write!(formatter, "{sweep_id}: its manifest is lost, and so is what it found; submit it again")
            }
        }
    }
}

impl Store {
    /// Opens a store whose files may be damaged, saves what can be saved, and says what could not be: every shard that is not
    /// done, and every sweep of which only parts are there. Of what was written last there may be no trace.
    ///
    /// First the entries of the write-ahead log that can be read are taken, one by one; only if that does not do, RocksDB's own
    /// repair is asked. Cost: reads the whole store, up to three times if something is damaged.
    ///
    /// # Errors
    /// As [`Store::open_existing`]; and if not even a repair makes it readable.
    pub fn repair(directory: &Path) -> Result<(Self, Repaired), StoreError> {
        let readable = |store: Self| store.read_everything().map(|()| store);
        let is_damage = |error: &StoreError| match error {
            StoreError::Database { .. } | StoreError::Damaged { .. } => true,
            // The entry that says whose database it is can be gone as well.
            StoreError::NoStore { .. } => format::has_database(directory),
            _ => false,
        };
        let mut were_files_damaged = true;
        let store = match Self::open_existing(directory).and_then(readable) {
            Err(error) if is_damage(&error) => {
                let salvaged = Self::open_with(directory, false, DBRecoveryMode::SkipAnyCorruptedRecord).and_then(readable);
                match salvaged {
                    Err(error) if is_damage(&error) => {
                        Self::repair_files(directory)?;
                        Self::open_existing(directory).and_then(readable)?
                    }
                    salvaged => salvaged?,
                }
            }
            other => {
                were_files_damaged = false;
                other?
            }
        };
        let lost = store.settle_all()?;
        Ok((store, Repaired { were_files_damaged, lost }))
    }

    /// Has RocksDB gather what it can read into a database of whole files.
    fn repair_files(directory: &Path) -> Result<(), StoreError> {
        let _lock = super::lock::Lock::take(directory)?;
        let failed = |error: rocksdb::Error| StoreError::Database { directory: directory.to_owned(), message: error.into_string() };
        DB::repair(&Options::default(), directory).map_err(failed)?;
        // Without this key the directory would be taken for one that was never filled, or for another program's.
        let mut options = Options::default();
        options.create_missing_column_families(true);
        let database = DB::open_cf(&options, directory, FAMILIES).map_err(failed)?;
        if let Some(meta) = database.cf_handle(META)
            && database.get_cf(meta, FORMAT_KEY).map_err(failed)?.is_none()
        {
            database.put_cf(meta, FORMAT_KEY, encode("the version of the format", &FORMAT)?).map_err(failed)?;
        }
        Ok(())
    }

    /// Reads every key and value, so that damage in any file shows.
    pub(super) fn read_everything(&self) -> Result<(), StoreError> {
        for name in FAMILIES {
            for item in self.database()?.iterator_cf(self.family(name)?, IteratorMode::Start) {
                item.map_err(|error| self.database_error(error))?;
            }
        }
        Ok(())
    }

    fn settle_all(&self) -> Result<Vec<Lost>, StoreError> {
        let mut lost = Vec::new();
        for sweep_id in self.sweep_ids()? {
            match self.sweep(&sweep_id) {
                Ok(Some(sweep)) => lost.extend(self.settle_sweep(&sweep)?),
                Ok(None) | Err(StoreError::Damaged { .. }) => {
                    self.forget(&sweep_id)?;
                    lost.push(Lost::Sweep { sweep_id });
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(lost)
    }

    /// The ids of all sweeps of which anything is there.
    fn sweep_ids(&self) -> Result<BTreeSet<String>, StoreError> {
        let mut ids = BTreeSet::new();
        for name in [SWEEPS, SHARDS, TALLIES, COUNTEREXAMPLES, RECORDS] {
            let mut cursor = self.database()?.raw_iterator_cf(self.family(name)?);
            cursor.seek_to_first();
            while let Some(key) = cursor.key() {
                let id = key.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
                ids.insert(String::from_utf8_lossy(&id).into_owned());
                // On to the first key of another sweep.
                match keys::after(&[&id[..], &[0]].concat()) {
                    Some(next) => cursor.seek(next),
                    None => break,
                }
            }
            cursor.status().map_err(|error| self.database_error(error))?;
        }
        Ok(ids)
    }

    /// Deletes all that is there of a sweep.
    fn forget(&self, sweep_id: &str) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        for name in [SWEEPS, SHARDS, TALLIES, COUNTEREXAMPLES, RECORDS] {
            self.delete_below(&mut batch, name, &keys::sweep(sweep_id)?)?;
        }
        self.write(batch)
    }

    fn delete_below(&self, batch: &mut WriteBatch, family: &str, prefix: &[u8]) -> Result<(), StoreError> {
        if let Some(end) = keys::after(prefix) {
            batch.delete_range_cf(self.family(family)?, prefix, &end[..]);
        }
        Ok(())
    }

    /// Brings a sweep back to where the laws hold, and says what that cost.
    fn settle_sweep(&self, sweep: &SweepRecord) -> Result<Option<Lost>, StoreError> {
        if self.verify(&sweep.id).is_ok() && self.verify_records(&sweep.id).is_ok() {
            // It is as it was once; what was done later may be gone.
            let pending = self.pending(sweep)?;
            let is_short = !pending.is_empty();
            return Ok(is_short.then(|| Lost::Shards { sweep_id: sweep.id.clone(), of: sweep.plan.shards(), shards: pending }));
        }
        let is_whole = |record: &ShardRecord| {
            let gave_none = |tally: &Tally| tally.claims.iter().all(|claim| claim.refuted == 0);
            record.records == 0 && record.tally.as_ref().is_some_and(gave_none)
        };
        let kept: Vec<(u64, ShardRecord)> = self.readable_shards(sweep)?.into_iter().filter(|(_, record)| is_whole(record)).collect();
        self.keep_only(sweep, &kept)?;
        Ok(Some(Lost::Shards { sweep_id: sweep.id.clone(), of: sweep.plan.shards(), shards: self.pending(sweep)? }))
    }

    /// The shards of a sweep that are not done.
    fn pending(&self, sweep: &SweepRecord) -> Result<Vec<Range<u64>>, StoreError> {
        let mut pending: RangeSet = std::iter::once(0..sweep.plan.shards()).collect();
        for done in self.done_shards(&sweep.id)? {
            pending.remove_range(done);
        }
        Ok(pending.iter().collect())
    }

    fn readable_shards(&self, sweep: &SweepRecord) -> Result<Vec<(u64, ShardRecord)>, StoreError> {
        let prefix = keys::shards(&sweep.id, ShardState::Done)?;
        let mut whole = Vec::new();
        for item in self.items(SHARDS, &prefix)? {
            let (key, value) = item.map_err(|error| self.database_error(error))?;
            if let (Ok(number), Ok(record)) = (self.shard_number(&key, &prefix), self.decode("a shard", &key, &value))
                && number < sweep.plan.shards()
            {
                whole.push((number, record));
            }
        }
        Ok(whole)
    }

    /// Makes these the only shards of a sweep that are done; they gave no counterexamples and no positions.
    fn keep_only(&self, sweep: &SweepRecord, kept: &[(u64, ShardRecord)]) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        let shards = self.family(SHARDS)?;
        for name in [SHARDS, COUNTEREXAMPLES, RECORDS] {
            self.delete_below(&mut batch, name, &keys::sweep(&sweep.id)?)?;
        }
        let mut totals = TotalsRecord::default();
        for (number, record) in kept {
            batch.put_cf(shards, keys::shard(&sweep.id, ShardState::Done, *number)?, encode("a shard", record)?);
            let Some(tally) = &record.tally else { continue };
            if totals.tally.claims.is_empty() {
                totals.tally = Tally::new(tally.claims.len());
            }
            let inconsistent = |error| StoreError::Inconsistent { sweep_id: sweep.id.clone(), what: format!("shard {number}: {error}") };
            totals.tally.merge(tally).map_err(inconsistent)?;
        }
        if kept.is_empty() {
            self.delete_below(&mut batch, TALLIES, &keys::sweep(&sweep.id)?)?;
        } else {
            batch.put_cf(self.family(TALLIES)?, keys::sweep(&sweep.id)?, encode("a tally", &totals)?);
        }
        self.write(batch)
    }
}
