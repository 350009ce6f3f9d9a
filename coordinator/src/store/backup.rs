//! A backup: a directory with a checkpoint of the database and [`BACKUP_FILE`], made while the store goes on committing.
//!
//! RocksDB links the table files, which never change, and copies the end of the write-ahead log: on the same file system a
//! backup takes next to no room and no time, and elsewhere it is a copy. It is made in a directory beside its place,
//! `NAME.partial`, and renamed once it is whole and synced; the next backup to the same place clears away what a killed one
//! has left there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use rocksdb::checkpoint::Checkpoint;
use rocksdb::{DB, IteratorMode};
use serde::{Deserialize, Serialize};

use super::format::{BACKUP_FILE, FORMAT};
use super::keys::SWEEPS;
use super::lock::{LOCK_FILE, Lock, failed};
use super::options::looking;
use super::{Store, StoreError, private};

/// In the directory beside: what becomes the backup, and the name under which RocksDB gathers it.
const CHECKPOINT: &str = "checkpoint";
const GATHERING: &str = "checkpoint.tmp";

/// What is in a backup, as [`BACKUP_FILE`] says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backup {
    /// The version of the layout of its data.
    pub format: u64,
    /// When it was made, in seconds since 1970.
    pub made_unix_seconds: u64,
    /// How many sweeps are in it.
    pub sweeps: u64,
    /// How many writes the database had seen, so that it shows if the end of its log is lost.
    pub(super) sequence: u64,
    /// Its other files, each with its length in bytes.
    pub(super) files: BTreeMap<String, u64>,
}

/// Why there is no backup. Nothing is left of it then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackupError {
    /// It cannot be there.
    #[error("no backup can be made at '{}': {problem}", directory.display())]
    Place {
        /// Where it was to be.
        directory: PathBuf,
        /// What is wrong with that, and what would be right.
        problem: String,
    },
    /// RocksDB did not gather it: mostly there is no room.
    #[error("the backup '{}' cannot be made: {message}", directory.display())]
    Gathering {
        /// Where it was to be.
        directory: PathBuf,
        /// What RocksDB says.
        message: String,
    },
    /// The store, or the disk.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The database of a store, to be backed up on a thread of its own. The directory stays locked as long as this is there.
pub struct BackupSource {
    // Before the lock, as in the store.
    database: Arc<DB>,
    _lock: Arc<Mutex<Lock>>,
    _only: Arc<()>,
    directory: PathBuf,
}

impl Backup {
    /// How large its files are together.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.values().sum()
    }
}

impl Store {
    /// What a backup is made from, while this store goes on. One at a time.
    ///
    /// # Errors
    /// [`StoreError::BackingUp`] if there is one already; [`StoreError::Database`] if the database is closed.
    pub fn backup_source(&self) -> Result<BackupSource, StoreError> {
        self.database()?;
        let free = self.database.as_ref().filter(|_| !self.is_backed_up());
        let database = free.map(Arc::clone).ok_or_else(|| StoreError::BackingUp { directory: self.directory().to_owned() })?;
        let directory = self.directory().to_owned();
        Ok(BackupSource { database, _lock: Arc::clone(&self.lock), _only: Arc::clone(&self.backup), directory })
    }
}

impl BackupSource {
    /// Makes a backup in a directory that does not exist. All that was committed before is in it, what is committed in the meantime
    /// up to some moment. It is synced before this returns.
    ///
    /// Cost: a link for each table file on the same file system, else a copy; the write-ahead log is read twice.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn back_up(self, to: &Path) -> Result<Backup, BackupError> {
        let staging = self.staging(to)?;
        let checkpoint = staging.directory.join(CHECKPOINT);
        let refused = |error: rocksdb::Error| BackupError::Gathering { directory: to.to_owned(), message: error.into_string() };
        // Without a flush: it would write into the data directory, which may be full, and hold up who commits.
        let made = Checkpoint::new(&self.database).and_then(|made| made.create_checkpoint_with_log_size(&checkpoint, u64::MAX));
        made.map_err(refused)?;
        private::close_to_others(&checkpoint).map_err(|error| failed(&checkpoint, "keep others out of", &error))?;
        let backup = describe(&checkpoint)?;
        write_description(&checkpoint, &backup)?;
        sync_all(&checkpoint)?;
        // The place may have been taken meanwhile.
        refuse_existing(to)?;
        fs::rename(&checkpoint, to).map_err(|error| failed(to, "make", &error))?;
        sync(staging.parent())?;
        Ok(backup)
    }

    /// Finds the place, and makes the directory beside it.
    fn staging(&self, to: &Path) -> Result<Staging, BackupError> {
        let will_not_do = |problem: &str| BackupError::Place { directory: to.to_owned(), problem: problem.to_owned() };
        let name = to.file_name().ok_or_else(|| will_not_do("that names no new directory"))?;
        refuse_existing(to)?;
        let parent = match to.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let parent = parent.canonicalize().map_err(|error| will_not_do(&format!("'{}' cannot be found: {error}", parent.display())))?;
        if !parent.is_dir() {
            return Err(will_not_do(&format!("'{}' is no directory", parent.display())));
        }
        let data = self.directory.canonicalize().map_err(|error| failed(&self.directory, "find", &error))?;
        if parent.starts_with(&data) {
            return Err(will_not_do("that lies in the data directory; choose a place outside of it"));
        }
        if parent.ancestors().any(|ancestor| ancestor.join(BACKUP_FILE).exists()) {
            return Err(will_not_do("that lies in another backup; choose a place outside of it"));
        }
        let mut partial = name.to_owned();
        partial.push(".partial");
        Staging::make(parent.join(partial))
    }
}

fn refuse_existing(to: &Path) -> Result<(), BackupError> {
    match to.symlink_metadata() {
        // In what is no directory there is nothing either; that its parent is none is said next.
        Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => Ok(()),
        Err(error) => Err(failed(to, "look at", &error).into()),
        Ok(_) => {
            let problem = "something of that name is there already; a backup makes its directory itself".to_owned();
            Err(BackupError::Place { directory: to.to_owned(), problem })
        }
    }
}

/// The directory in which a backup is made; gone when this is dropped.
struct Staging {
    directory: PathBuf,
    _lock: Lock,
}

impl Staging {
    fn make(directory: PathBuf) -> Result<Self, BackupError> {
        match private::make_directory(&directory, false) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => made.map_err(|error| failed(&directory, "make", &error))?,
        }
        if !directory.symlink_metadata().map_err(|error| failed(&directory, "look at", &error))?.is_dir() {
            let problem = "something that is no directory stands where the backup is made; remove it".to_owned();
            return Err(BackupError::Place { directory, problem });
        }

        for entry in directory.read_dir().map_err(|error| failed(&directory, "read", &error))? {
            let name = entry.map_err(|error| failed(&directory, "read", &error))?.file_name();
            if ![LOCK_FILE, CHECKPOINT, GATHERING].iter().any(|ours| name == *ours) {
                let problem = format!("it holds '{}', and what is not finished of the backup would be put there", name.to_string_lossy());
                return Err(BackupError::Place { directory, problem });
            }
        }
        // It fails where the directory is another's, who could put there what it likes.
        private::close_to_others(&directory).map_err(|error| failed(&directory, "keep others out of", &error))?;
        let lock = Lock::take(&directory).map_err(|error| match error {
            StoreError::InUse { .. } => {
                BackupError::Place { directory: directory.clone(), problem: "another process is making one there".to_owned() }
            }
            other => other.into(),
        })?;
        let staging = Self { directory, _lock: lock };
        staging.clear();
        Ok(staging)
    }

    fn parent(&self) -> &Path {
        self.directory.parent().unwrap_or(&self.directory)
    }

    /// Removes what is there of a backup, also of one that was killed.
    fn clear(&self) {
        for name in [CHECKPOINT, GATHERING] {
            // There mostly is none. If one cannot be removed, the next backup says so.
            let _ = fs::remove_dir_all(self.directory.join(name));
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        self.clear();
        // What is left behind is no error on top of one that is reported.
        let _ = fs::remove_file(self.directory.join(LOCK_FILE));
        let _ = fs::remove_dir(&self.directory);
    }
}

/// Opens a checkpoint, which shows that it can be opened, and says what is in it.
fn describe(checkpoint: &Path) -> Result<Backup, StoreError> {
    let refused = |error: rocksdb::Error| StoreError::Database { directory: checkpoint.to_owned(), message: error.into_string() };
    let database = DB::open_cf_for_read_only(&looking(), checkpoint, [SWEEPS], false).map_err(refused)?;
    let (mut sweeps, sequence) = (0, database.latest_sequence_number());
    if let Some(family) = database.cf_handle(SWEEPS) {
        for item in database.iterator_cf(family, IteratorMode::Start) {
            item.map_err(refused)?;
            sweeps += 1;
        }
    }
    let mut files = BTreeMap::new();
    for entry in checkpoint.read_dir().map_err(|error| failed(checkpoint, "read", &error))? {
        let entry = entry.map_err(|error| failed(checkpoint, "read", &error))?;
        let length = entry.metadata().map_err(|error| failed(&entry.path(), "look at", &error))?.len();
        files.insert(entry.file_name().to_string_lossy().into_owned(), length);
    }
    Ok(Backup { format: FORMAT, made_unix_seconds: unix_seconds(), sweeps, sequence, files })
}

fn write_description(checkpoint: &Path, backup: &Backup) -> Result<(), StoreError> {
    let unwritable = |error: serde_json::Error| StoreError::Unwritable { what: "what is in the backup", message: error.to_string() };
    let text = serde_json::to_vec_pretty(backup).map_err(unwritable)?;
    let path = checkpoint.join(BACKUP_FILE);
    let written = private::create(&path).and_then(|mut file| file.write_all(&text));
    written.map_err(|error| failed(&path, "write", &error))
}

/// Has the disk take every file of a directory, and the directory.
pub(super) fn sync_all(directory: &Path) -> Result<(), StoreError> {
    for entry in directory.read_dir().map_err(|error| failed(directory, "read", &error))? {
        sync(&entry.map_err(|error| failed(directory, "read", &error))?.path())?;
    }
    sync(directory)
}

pub(super) fn sync(path: &Path) -> Result<(), StoreError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| failed(path, "sync", &error))
}

pub(super) fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
