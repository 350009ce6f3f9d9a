//! Opens the RocksDB of a data directory to write it, opens it again after a failed write, and has the synced writes that the rest
//! of the store is made of.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write as _;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rocksdb::{DB, DBRecoveryMode, WriteBatch, WriteOptions};
use serde::Serialize;

use super::format::{self, FORMAT, Found};
use super::keys::{EPOCH_KEY, FORMAT_KEY, META};
use super::lock::{Lock, failed};
use super::options::{RECOVERY, column_families, writing};
use super::reader::Reader;
use super::{LOCK_FILE, StoreError, private};

/// A hidden file that is written to see whether there is room.
const PROBE_FILE: &str = ".room";
const PROBE_BYTES: usize = 16 << 20;

/// The data directory of one process, which reads it as any [`Reader`] does and alone writes it. All methods may be called
/// from any thread; they block for as long as the disk does.
pub struct Store {
    /// Declared before the lock, so that the database is closed when another process gets the directory.
    reader: Reader,
    pub(super) lock: Arc<Mutex<Lock>>,
    /// Shared with the backup that is being made, if one is.
    pub(super) backup: Arc<()>,
    /// Whether those who read moments are to end, since the database is to be opened again.
    pub(super) ending: Arc<AtomicBool>,
    /// Held by whoever reads something in order to write something that depends on it.
    writer: Mutex<()>,
    epoch: u32,
    /// Whether a write returns only once it is on the disk.
    sync: bool,
}

impl Deref for Store {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Store").field("directory", &self.directory()).field("epoch", &self.epoch).finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the store of a directory, and makes both if they are not there.
    ///
    /// # Errors
    /// [`StoreError::InUse`], [`StoreError::NotADirectory`], [`StoreError::NotOurs`] and [`StoreError::Newer`] leave the
    /// directory as it is; of one that could only be made and not filled nothing stays.
    pub fn open_or_create(directory: &Path) -> Result<Self, StoreError> {
        let missing = missing(directory);
        let made = private::make_directory(directory, true).map_err(|error| format::not_made(directory, &error));
        let opened = made.and_then(|()| Self::open(directory, true));
        if opened.is_err() {
            for made in missing {
                // One that is not empty stays, since somebody else has it. What is left behind is no error on top of the one
                // that is reported.
                let _ = std::fs::remove_dir(made);
            }
        }
        opened
    }

    /// Opens the store of a directory that has one.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] if there is none; nothing is made then. Else as [`Store::open_or_create`].
    pub fn open_existing(directory: &Path) -> Result<Self, StoreError> {
        format::refuse_absent(directory)?;
        Self::open(directory, false).map_err(format::as_absent)
    }

    fn open(directory: &Path, create: bool) -> Result<Self, StoreError> {
        Self::open_with(directory, create, RECOVERY)
    }

    pub(super) fn open_with(directory: &Path, create: bool, recovery: DBRecoveryMode) -> Result<Self, StoreError> {
        // A directory without our lock file may be anybody's, or a backup, so it is looked into before the file is put there.
        let lock_file = directory.join(LOCK_FILE);
        let had_lock_file = lock_file.exists();
        if !had_lock_file
            && let Err(error) = format::inspect(directory)
            // Else another process is just making a store of it.
            && !lock_file.exists()
        {
            return Err(error);
        }
        let lock = Arc::new(Mutex::new(Lock::take(directory)?));
        let opened = Self::open_locked(directory, create, recovery, Arc::clone(&lock));
        if opened.is_err() && !had_lock_file {
            lock.lock().unwrap_or_else(PoisonError::into_inner).remove();
        }
        opened
    }

    fn open_locked(directory: &Path, create: bool, recovery: DBRecoveryMode, lock: Arc<Mutex<Lock>>) -> Result<Self, StoreError> {
        match format::inspect(directory)? {
            Found::Nothing if !create => Err(format::nothing_started(directory)),
            Found::Nothing => {
                let before = names(directory)?;
                let filled = Self::fill(directory, recovery, lock);
                if filled.is_err() {
                    for name in names(directory).unwrap_or_default().difference(&before) {
                        let _ = std::fs::remove_file(directory.join(name));
                    }
                }
                filled
            }
            Found::Store(version) => {
                let store = Self::of(directory, false, recovery, lock)?;
                format::migrate(directory, version, || store.put(META, FORMAT_KEY, "the version of the format", &FORMAT))?;
                store.counted()
            }
        }
    }

    /// Makes a database in a directory that has none.
    fn fill(directory: &Path, recovery: DBRecoveryMode, lock: Arc<Mutex<Lock>>) -> Result<Self, StoreError> {
        let store = Self::of(directory, true, recovery, lock)?;
        store.put(META, FORMAT_KEY, "the version of the format", &FORMAT)?;
        store.counted()
    }

    fn of(directory: &Path, create: bool, recovery: DBRecoveryMode, lock: Arc<Mutex<Lock>>) -> Result<Self, StoreError> {
        let reader = Reader::of(directory, Arc::new(open_database(directory, create, recovery)?));
        Ok(Self { reader, lock, backup: Arc::default(), ending: Arc::default(), writer: Mutex::new(()), epoch: 0, sync: true })
    }

    /// Counts this opening.
    fn counted(mut self) -> Result<Self, StoreError> {
        // None where the process that made the store was killed before its first opening was counted, when no id was given yet.
        let before: u32 = self.get(META, EPOCH_KEY, "the count of openings")?.unwrap_or_default();
        self.epoch = before.wrapping_add(1);
        self.put(META, EPOCH_KEY, "the count of openings", &self.epoch)?;
        Ok(self)
    }

    /// From now on a write returns when the system has it: it survives the end of this process and not that of the machine's
    /// power. For benches, which measure what waiting for the disk costs.
    #[must_use]
    pub fn without_sync(self) -> Self {
        Self { sync: false, ..self }
    }

    /// Opens the database anew. After a write failed RocksDB takes no further one, also when the disk has room again.
    ///
    /// The batch that failed is there afterwards whole or not at all.
    ///
    /// # Errors
    /// [`StoreError::File`] where nothing can be written yet, [`StoreError::BackingUp`], and [`StoreError::Reopening`] where
    /// somebody still reads a moment, who is told to end; the database stays as it is then, and can be read.
    /// [`StoreError::Database`] where it could not be opened; every other method fails until it is.
    pub fn reopen(&mut self) -> Result<(), StoreError> {
        self.probe()?;
        if self.is_backed_up() {
            return Err(StoreError::BackingUp { directory: self.directory().to_owned() });
        }
        // The old one must be closed first, which those who still read it forbid.
        self.ending.store(true, Ordering::Relaxed);
        if let Some(database) = self.reader.database.take() {
            match Arc::try_unwrap(database) {
                Ok(database) => drop(database),
                Err(shared) => {
                    self.reader.database = Some(shared);
                    return Err(StoreError::Reopening { directory: self.directory().to_owned() });
                }
            }
        }
        let opened = open_database(self.directory(), false, RECOVERY)?;
        self.reader.database = Some(Arc::new(opened));
        self.ending = Arc::default();
        Ok(())
    }

    /// Whether a backup is being made.
    pub(super) fn is_backed_up(&self) -> bool {
        Arc::strong_count(&self.backup) > 1
    }

    /// Whether so much as a new database needs to begin with can be written.
    fn probe(&self) -> Result<(), StoreError> {
        let path = self.directory().join(PROBE_FILE);
        // One may be there still, of a process that was killed, or a link that somebody has put there.
        let _ = std::fs::remove_file(&path);
        let written = private::create(&path).and_then(|mut file| file.write_all(&vec![1; PROBE_BYTES]));
        let written = written.map_err(|error| failed(&path, "write", &error));
        // Whether it could be written or not it is in the way.
        let _ = std::fs::remove_file(&path);
        written
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

    pub(super) fn put<T: Serialize + ?Sized>(&self, family: &str, key: &[u8], what: &'static str, value: &T) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        batch.put_cf(self.family(family)?, key, encode(what, value)?);
        self.write(batch)
    }

    pub(super) fn delete(&self, family: &str, key: &[u8]) -> Result<(), StoreError> {
        let _writer = self.writer();
        let mut batch = WriteBatch::default();
        batch.delete_cf(self.family(family)?, key);
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
    let opened = DB::open_cf_descriptors(&writing(create, recovery), directory, column_families());
    opened.map_err(|error| StoreError::database(directory, error))
}

/// A directory and those around it, as far as they are not there, from the inside out.
fn missing(directory: &Path) -> Vec<&Path> {
    directory.ancestors().take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists()).collect()
}

fn names(directory: &Path) -> Result<BTreeSet<OsString>, StoreError> {
    let entries = directory.read_dir().map_err(|error| failed(directory, "read", &error))?;
    entries.map(|entry| Ok(entry.map_err(|error| failed(directory, "read", &error))?.file_name())).collect()
}
