//! One moment of a database: what is read of it is of that moment, however long the reading takes and whatever is written
//! meanwhile. A store hands out what moments are read from, so that they can be read on other threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use refute_shared::families::Counterexample;
use refute_shared::sweep::{KeptRecord, Tally};
use rocksdb::{DB, IteratorMode, ReadOptions, SnapshotWithThreadMode};
use serde::de::DeserializeOwned;

use super::keys::{self, COUNTEREXAMPLES, RECORDS, SHARDS, SWEEPS, ShardState, TALLIES};
use super::lock::Lock;
use super::read::within;
use super::reader::Reader;
use super::{QuarantineRecord, Store, StoreError, SweepRecord, TotalsRecord};

/// A key and its value.
type Entry = (Box<[u8]>, Box<[u8]>);

/// The database of a store, of which moments can be read on a thread of its own while the store goes on. The directory stays locked
/// as long as this is there.
pub struct MomentSource {
    // Before the lock, as in the store.
    reader: Reader,
    ending: Arc<AtomicBool>,
    _lock: Arc<Mutex<Lock>>,
}

/// A database as it is at one moment.
pub struct Moment<'a> {
    reader: &'a Reader,
    /// None where nobody writes through this database.
    snapshot: Option<SnapshotWithThreadMode<'a, DB>>,
    ending: Option<&'a AtomicBool>,
}

impl Store {
    /// What moments are read from, while this store goes on. As long as it is there the database is not opened again.
    ///
    /// # Errors
    /// [`StoreError::Reopening`] while it is to be opened again; [`StoreError::Database`] if it is closed.
    pub fn moment_source(&self) -> Result<MomentSource, StoreError> {
        self.database()?;
        let database = self.database.as_ref().filter(|_| !self.ending.load(Ordering::Relaxed));
        let database = database.ok_or_else(|| StoreError::Reopening { directory: self.directory().to_owned() })?;
        let reader = Reader::of(self.directory(), Arc::clone(database));
        Ok(MomentSource { reader, ending: Arc::clone(&self.ending), _lock: Arc::clone(&self.lock) })
    }
}

impl MomentSource {
    /// This moment.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn moment(&self) -> Result<Moment<'_>, StoreError> {
        let snapshot = self.reader.database()?.snapshot();
        Ok(Moment { reader: &self.reader, snapshot: Some(snapshot), ending: Some(&self.ending) })
    }
}

impl Reader {
    /// What is there now. A directory that was opened for reading is always of one moment.
    #[must_use]
    pub fn now(&self) -> Moment<'_> {
        Moment { reader: self, snapshot: None, ending: None }
    }
}

impl<'a> Moment<'a> {
    /// A sweep.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn sweep(&self, sweep_id: &str) -> Result<Option<SweepRecord>, StoreError> {
        self.get(SWEEPS, &keys::sweep(sweep_id)?, "a sweep")
    }

    /// The tally of a sweep so far; none before its first shard is done.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`].
    pub fn tally(&self, sweep_id: &str) -> Result<Option<Tally>, StoreError> {
        Ok(self.totals(sweep_id)?.map(|totals| totals.tally))
    }

    pub(super) fn totals(&self, sweep_id: &str) -> Result<Option<TotalsRecord>, StoreError> {
        self.get(TALLIES, &keys::sweep(sweep_id)?, "a tally")
    }

    /// The shards that were quarantined, in ascending order, read as they are asked for.
    ///
    /// # Errors
    /// [`StoreError::Database`], also of each item, and [`StoreError::Damaged`] of an item.
    pub fn quarantined(
        &self,
        sweep_id: &str,
    ) -> Result<impl Iterator<Item = Result<(u64, QuarantineRecord), StoreError>> + use<'a>, StoreError> {
        let prefix = keys::shards(sweep_id, ShardState::Quarantined)?;
        let reader = self.reader;
        Ok(self.entries(SHARDS, &prefix)?.map(move |entry| {
            let (key, value) = entry?;
            Ok((reader.shard_number(&key, &prefix)?, reader.decode("a quarantined shard", &key, &value)?))
        }))
    }

    /// The kept counterexamples to a claim, each with the family's key, smallest first, read as they are asked for. The claim is
    /// given by its place in the list of the sweep's claims.
    ///
    /// # Errors
    /// [`StoreError::Database`], also of each item, and [`StoreError::Damaged`] of an item.
    pub fn counterexamples(
        &self,
        sweep_id: &str,
        claim: u32,
    ) -> Result<impl Iterator<Item = Result<(Vec<u8>, Counterexample), StoreError>> + use<'a>, StoreError> {
        let prefix = keys::claim(sweep_id, claim)?;
        let reader = self.reader;
        Ok(self.entries(COUNTEREXAMPLES, &prefix)?.map(move |entry| {
            let (key, value) = entry?;
            Ok((key[prefix.len()..].to_vec(), reader.decode("a counterexample", &key, &value)?))
        }))
    }

    /// The solved positions that are kept, smallest first, read as they are asked for.
    ///
    /// # Errors
    /// [`StoreError::Database`], also of each item, and [`StoreError::Damaged`] of an item.
    pub fn records(&self, sweep_id: &str) -> Result<impl Iterator<Item = Result<KeptRecord, StoreError>> + use<'a>, StoreError> {
        let prefix = keys::sweep(sweep_id)?;
        let reader = self.reader;
        Ok(self.entries(RECORDS, &prefix)?.map(move |entry| {
            let (key, value) = entry?;
            let value = String::from_utf8(value.into_vec()).map_err(|error| reader.damaged("a solved position", &key, error))?;
            Ok(KeptRecord { key: key[prefix.len()..].to_vec(), value })
        }))
    }

    fn get<T: DeserializeOwned>(&self, family: &str, key: &[u8], what: &'static str) -> Result<Option<T>, StoreError> {
        let (reader, options) = (self.reader, self.seeing(ReadOptions::default()));
        let value = reader.database()?.get_pinned_cf_opt(reader.family(family)?, key, &options);
        value.map_err(|error| reader.database_error(error))?.map(|value| reader.decode(what, key, &value)).transpose()
    }

    /// The entries whose keys begin with `prefix`. They end with an error when the database is to be opened again.
    fn entries(&self, family: &str, prefix: &[u8]) -> Result<impl Iterator<Item = Result<Entry, StoreError>> + use<'a>, StoreError> {
        let (reader, ending) = (self.reader, self.ending);
        let options = self.seeing(within(prefix));
        let entries = reader.database()?.iterator_cf_opt(reader.family(family)?, options, IteratorMode::Start);
        Ok(entries.map(move |entry| match ending.is_some_and(|ending| ending.load(Ordering::Relaxed)) {
            true => Err(StoreError::Reopening { directory: reader.directory().to_owned() }),
            false => entry.map_err(|error| reader.database_error(error)),
        }))
    }

    fn seeing(&self, mut options: ReadOptions) -> ReadOptions {
        if let Some(snapshot) = &self.snapshot {
            options.set_snapshot(snapshot);
        }
        options
    }
}
