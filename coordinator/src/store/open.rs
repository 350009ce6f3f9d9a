//! Opens the RocksDB of a data directory, opens it again after a failed write, and has the typed reads and synced writes that
//! the rest of the store is made of.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rocksdb::{BlockBasedOptions, Cache, ColumnFamily, ColumnFamilyDescriptor, DB, DBCompressionType, DBRecoveryMode, LogLevel, Options};
use rocksdb::{WriteBatch, WriteOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::format::{self, FORMAT, Found};
use super::keys::{self, EPOCH_KEY, FAMILIES, FORMAT_KEY, META};
use super::lock::{Lock, failed};
use super::{LOCK_FILE, StoreError};

const WRITE_BUFFER_BYTES: usize = 8 << 20;
const ALL_WRITE_BUFFERS_BYTES: usize = 24 << 20;
const BLOCK_CACHE_BYTES: usize = 8 << 20;
const MAX_WAL_BYTES: u64 = 32 << 20;
const MAX_OPEN_FILES: i32 = 128;
/// A hidden file that is written to see whether there is room.
const PROBE_FILE: &str = ".room";
const PROBE_BYTES: usize = 16 << 20;

/// The data directory of one process. All methods may be called from any thread; they block for as long as the disk does.
pub struct Store {
    /// None only where it could not be opened again ([`Store::reopen`]). Declared before the lock, so that the database is
    /// closed when another process gets the directory. Shared with nobody but a backup that is being made.
    pub(super) database: Option<Arc<DB>>,
    pub(super) lock: Arc<Mutex<Lock>>,
    /// Held by whoever reads something in order to write something that depends on it.
    writer: Mutex<()>,
    directory: PathBuf,
    epoch: u32,
    /// Whether a write returns only once it is on the disk.
    sync: bool,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Store").field("directory", &self.directory).field("epoch", &self.epoch).finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the store of a directory, and makes both if they are not there.
    ///
    /// # Errors
    /// [`StoreError::InUse`], [`StoreError::NotOurs`] and [`StoreError::Newer`] leave the directory as it is; a directory
    /// that could only be made and not filled is removed again.
    pub fn open_or_create(directory: &Path) -> Result<Self, StoreError> {
        let existed = directory.exists();
        std::fs::create_dir_all(directory).map_err(|error| failed(directory, "create", &error))?;
        let opened = Self::open(directory, true);
        if opened.is_err() && !existed {
            // What is left behind is no error on top of the one that is reported.
            let _ = std::fs::remove_file(directory.join(LOCK_FILE));
            let _ = std::fs::remove_dir(directory);
        }
        opened
    }

    /// Opens the store of a directory that has one.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] if there is none; nothing is made then. Else as [`Store::open_or_create`].
    pub fn open_existing(directory: &Path) -> Result<Self, StoreError> {
        if !format::has_database(directory) {
            return Err(StoreError::NoStore { directory: directory.to_owned() });
        }
        Self::open(directory, false)
    }

    fn open(directory: &Path, create: bool) -> Result<Self, StoreError> {
        // Only a write that was never acknowledged may be torn. The default would silently end history at the first damage,
        // wherever it is.
        Self::open_with(directory, create, DBRecoveryMode::TolerateCorruptedTailRecords)
    }

    pub(super) fn open_with(directory: &Path, create: bool, recovery: DBRecoveryMode) -> Result<Self, StoreError> {
        // A directory without our lock file may be anybody's, or a backup, so it is looked into before the file is put there.
        if !directory.join(LOCK_FILE).exists() {
            format::inspect(directory)?;
        }
        let lock = Lock::take(directory)?;
        let found = format::inspect(directory)?;
        if found == Found::Nothing && !create {
            return Err(StoreError::NoStore { directory: directory.to_owned() });
        }
        let database = open_database(directory, found == Found::Nothing, recovery)?;
        let directory = directory.to_owned();
        let (database, lock) = (Some(Arc::new(database)), Arc::new(Mutex::new(lock)));
        let mut store = Self { database, lock, writer: Mutex::new(()), directory, epoch: 0, sync: true };
        match found {
            Found::Nothing => store.put(META, FORMAT_KEY, "the version of the format", &FORMAT)?,
            Found::Store(version) => {
                format::migrate(&store.directory, version, || store.put(META, FORMAT_KEY, "the version of the format", &FORMAT))?;
            }
        }
        // None where the process that made the store was killed before its first opening was counted, when no id was given yet.
        let before: u32 = store.get(META, EPOCH_KEY, "the count of openings")?.unwrap_or_default();
        store.epoch = before.wrapping_add(1);
        store.put(META, EPOCH_KEY, "the count of openings", &store.epoch)?;
        Ok(store)
    }

    /// From now on a write returns when the system has it: it survives the end of this process and not that of the machine's
    /// power. For benches, which measure what waiting for the disk costs.
    #[must_use]
    pub fn without_sync(self) -> Self {
        Self { sync: false, ..self }
    }

    /// The data directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Opens the database anew. After a write failed RocksDB takes no further one, also when the disk has room again.
    ///
    /// The batch that failed is there afterwards whole or not at all.
    ///
    /// # Errors
    /// [`StoreError::File`] where nothing can be written yet, and [`StoreError::BackingUp`]; the database stays as it is then,
    /// and can be read. [`StoreError::Database`] where it could not be opened; every other method fails until it is.
    pub fn reopen(&mut self) -> Result<(), StoreError> {
        self.probe()?;
        // The old one must be closed first, which a backup that still reads it forbids.
        if let Some(database) = self.database.take() {
            match Arc::try_unwrap(database) {
                Ok(database) => drop(database),
                Err(shared) => {
                    self.database = Some(shared);
                    return Err(StoreError::BackingUp { directory: self.directory.clone() });
                }
            }
        }
        let opened = open_database(&self.directory, false, DBRecoveryMode::TolerateCorruptedTailRecords)?;
        self.database = Some(Arc::new(opened));
        Ok(())
    }

    /// Whether so much as a new database needs to begin with can be written.
    fn probe(&self) -> Result<(), StoreError> {
        let path = self.directory.join(PROBE_FILE);
        let written = std::fs::write(&path, vec![1; PROBE_BYTES]).map_err(|error| failed(&path, "write", &error));
        // Whether it could be written or not it is in the way.
        let _ = std::fs::remove_file(&path);
        written
    }

    pub(super) fn database(&self) -> Result<&DB, StoreError> {
        let message = || "it is closed, since it could not be opened again after a write had failed".to_owned();
        self.database.as_deref().ok_or_else(|| StoreError::Database { directory: self.directory.clone(), message: message() })
    }

    /// How often the store has been opened, this time included: differs from run to run of the coordinator.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Writes into the lock file where this process takes connections, for those who find the directory in use.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn set_address(&self, address: &str) -> Result<(), StoreError> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner).write(Some(address))
    }

    /// Keeps other writers out. What the lock guards is on disk and whole at any time, so a panic elsewhere is no obstacle.
    pub(super) fn writer(&self) -> MutexGuard<'_, ()> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn family(&self, name: &str) -> Result<&ColumnFamily, StoreError> {
        self.database()?.cf_handle(name).ok_or_else(|| StoreError::Database {
            directory: self.directory.clone(),
            message: format!("the column family '{name}' is missing"),
        })
    }

    pub(super) fn database_error(&self, error: rocksdb::Error) -> StoreError {
        StoreError::Database { directory: self.directory.clone(), message: error.into_string() }
    }

    pub(super) fn damaged(&self, what: &'static str, key: &[u8], message: impl ToString) -> StoreError {
        StoreError::Damaged { directory: self.directory.clone(), what, key: keys::shown(key), message: message.to_string() }
    }

    pub(super) fn decode<T: DeserializeOwned>(&self, what: &'static str, key: &[u8], value: &[u8]) -> Result<T, StoreError> {
        serde_json::from_slice(value).map_err(|error| self.damaged(what, key, error))
    }

    pub(super) fn get<T: DeserializeOwned>(&self, family: &str, key: &[u8], what: &'static str) -> Result<Option<T>, StoreError> {
        let value = self.database()?.get_pinned_cf(self.family(family)?, key).map_err(|error| self.database_error(error))?;
        value.map(|value| self.decode(what, key, &value)).transpose()
    }

    pub(super) fn put<T: Serialize + ?Sized>(&self, family: &str, key: &[u8], what: &'static str, value: &T) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        batch.put_cf(self.family(family)?, key, encode(what, value)?);
        self.write(batch)
    }

    /// Writes a batch and returns once it is on disk, unless the store is one without sync.
    pub(super) fn write(&self, batch: WriteBatch) -> Result<(), StoreError> {
        let mut options = WriteOptions::default();
        options.set_sync(self.sync);
        self.database()?.write_opt(batch, &options).map_err(|error| self.database_error(error))
    }
}

pub(super) fn encode<T: Serialize + ?Sized>(what: &'static str, value: &T) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Unwritable { what, message: error.to_string() })
}

fn open_database(directory: &Path, create: bool, recovery: DBRecoveryMode) -> Result<DB, StoreError> {
    let mut options = Options::default();
    options.create_if_missing(create);
    options.create_missing_column_families(create);
    options.set_max_open_files(MAX_OPEN_FILES);
    options.set_max_background_jobs(2);
    options.set_db_write_buffer_size(ALL_WRITE_BUFFERS_BYTES);
    options.set_max_total_wal_size(MAX_WAL_BYTES);
    options.set_log_level(LogLevel::Warn);
    options.set_keep_log_file_num(2);
    options.set_max_log_file_size(1 << 20);
    options.set_stats_dump_period_sec(0);
    options.set_stats_persist_period_sec(0);
    options.set_wal_recovery_mode(recovery);
    options.set_track_and_verify_wals_in_manifest(true);

    let mut table = BlockBasedOptions::default();
    table.set_block_cache(&Cache::new_lru_cache(BLOCK_CACHE_BYTES));
    table.set_cache_index_and_filter_blocks(true);
    // Every commit asks whether its shards are there already, and mostly they are not.
    table.set_bloom_filter(10.0, false);
    let families = FAMILIES.iter().map(|name| {
        let mut options = Options::default();
        options.set_compression_type(DBCompressionType::Lz4);
        options.set_write_buffer_size(WRITE_BUFFER_BYTES);
        options.set_max_write_buffer_number(2);
        options.set_block_based_table_factory(&table);
        ColumnFamilyDescriptor::new(*name, options)
    });
    DB::open_cf_descriptors(&options, directory, families)
        .map_err(|error| StoreError::Database { directory: directory.to_owned(), message: error.into_string() })
}
