//! Checks that what is on disk of a sweep adds up: its tally against its shards, and how many counterexamples and kept
//! positions there are against how many were committed.

use rocksdb::{DB, IteratorMode, SnapshotWithThreadMode};

use super::keys::{self, COUNTEREXAMPLES, RECORDS, SHARDS, ShardState, TALLIES};
use super::read::within;
use super::reader::Reader;
use super::{ShardRecord, StoreError, TotalsRecord};

impl Reader {
    /// Checks that a sweep's tally is the sum over its shard records, that these are shards of its plan, and that as many
    /// counterexamples are there as were committed. Commits may go on meanwhile: what is checked is one moment.
    ///
    /// Cost: reads every shard record and counterexample of the sweep.
    ///
    /// # Errors
    /// [`StoreError::Mismatch`] and [`StoreError::Inconsistent`] say what does not fit; [`StoreError::NoSuchSweep`];
    /// [`StoreError::Database`] and [`StoreError::Damaged`] if something cannot be read.
    pub fn verify(&self, sweep_id: &str) -> Result<(), StoreError> {
        let sweep = self.sweep(sweep_id)?.ok_or_else(|| StoreError::NoSuchSweep { sweep_id: sweep_id.to_owned() })?;
        let snapshot = self.database()?.snapshot();
        let TotalsRecord { tally, counterexamples, .. } = self.totals_of(&snapshot, sweep_id)?;
        let decided = self.sum_over_shards(&snapshot, sweep_id, sweep.plan.shards())?;
        if tally.decided != decided {
            return Err(StoreError::Mismatch { sweep_id: sweep_id.to_owned(), tally: tally.decided, shards: decided });
        }
        if !tally.is_consistent(decided, tally.claims.len()) {
            let what = "a claim held and was refuted on more configurations than were decided".to_owned();
            return Err(StoreError::Inconsistent { sweep_id: sweep_id.to_owned(), what });
        }
        self.compare_count(&snapshot, COUNTEREXAMPLES, sweep_id, counterexamples)
    }

    /// Checks that as many solved positions are there as were committed. Apart from [`Reader::verify`], because there can be
    /// far more of them than of anything else.
    ///
    /// Cost: reads every solved position that the sweep keeps.
    ///
    /// # Errors
    /// As [`Reader::verify`].
    pub fn verify_records(&self, sweep_id: &str) -> Result<(), StoreError> {
        let snapshot = self.database()?.snapshot();
        let TotalsRecord { records, .. } = self.totals_of(&snapshot, sweep_id)?;
        self.compare_count(&snapshot, RECORDS, sweep_id, records)
    }

    fn totals_of(&self, snapshot: &Snapshot<'_>, sweep_id: &str) -> Result<TotalsRecord, StoreError> {
        let key = keys::sweep(sweep_id)?;
        let value = snapshot.get_cf(self.family(TALLIES)?, &key).map_err(|error| self.database_error(error))?;
        value.map_or_else(|| Ok(TotalsRecord::default()), |value| self.decode("a tally", &key, &value))
    }

    fn sum_over_shards(&self, snapshot: &Snapshot<'_>, sweep_id: &str, shards: u64) -> Result<u128, StoreError> {
        let inconsistent = |what: String| StoreError::Inconsistent { sweep_id: sweep_id.to_owned(), what };
        let prefix = keys::shards(sweep_id, ShardState::Done)?;
        let mut decided: u128 = 0;
        for item in snapshot.iterator_cf_opt(self.family(SHARDS)?, within(&prefix), IteratorMode::Start) {
            let (key, value) = item.map_err(|error| self.database_error(error))?;
            let number = self.shard_number(&key, &prefix)?;
            if number >= shards {
                return Err(inconsistent(format!("shard {number} is done and there are only {shards}")));
            }
            let record: ShardRecord = self.decode("a shard", &key, &value)?;
            let sum = decided.checked_add(record.decided);
            decided = sum.ok_or_else(|| inconsistent("the shards decide more than 2^128 configurations".to_owned()))?;
        }
        Ok(decided)
    }

    fn compare_count(&self, snapshot: &Snapshot<'_>, family: &str, sweep_id: &str, committed: u64) -> Result<(), StoreError> {
        let mut found: u64 = 0;
        for item in snapshot.iterator_cf_opt(self.family(family)?, within(&keys::sweep(sweep_id)?), IteratorMode::Start) {
            item.map_err(|error| self.database_error(error))?;
            found += 1;
        }
        if found == committed {
            return Ok(());
        }
        let what = format!("{committed} {family} were committed and {found} are there");
        Err(StoreError::Inconsistent { sweep_id: sweep_id.to_owned(), what })
    }
}

type Snapshot<'a> = SnapshotWithThreadMode<'a, DB>;
