//! A data directory that is read: by any number of processes, also while another writes it, and without changing anything
//! in it.
//!
//! RocksDB opens it for reading as the writer itself would: the list of table files, the tables, then the write-ahead logs.
//! The writer may go on meanwhile. Two things can then go wrong, and both show in the names of the files:
//!
//! - A table was removed before it was opened. Opening fails, and some file has come, gone or grown.
//! - A log was removed after the list of tables was read, because its writes are in a new table: they would be missing. The
//!   last log is the one that is written and has the highest number, and a log goes only once a later one was begun. So where
//!   the logs are the same before and after, none was begun and none has gone.
//!
//! Either way the directory is opened again. What is read in the end is one moment: everything that was committed before it
//! began to be opened, and nothing half.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rocksdb::{ColumnFamily, DB};
use serde::de::DeserializeOwned;

use super::StoreError;
use super::format::{self, Found};
use super::keys;
use super::lock::failed;
use super::options::{column_families, reading};

/// How often it is tried to open a directory that changes meanwhile, and how long is waited in between: ten seconds in all.
const MOST_TRIES: u32 = 500;
const PAUSE: Duration = Duration::from_millis(20);

/// What a data directory holds, to be read. [`Store`](super::Store) is one that also writes. All methods may be called from
/// any thread; they block for as long as the disk does.
pub struct Reader {
    /// None only in a store that could not be opened again. Shared with nobody but a backup that is being made and those who read
    /// a moment.
    pub(super) database: Option<Arc<DB>>,
    directory: PathBuf,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Reader").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl Reader {
    /// Opens a data directory for reading, as it is at this moment. Nothing in it is changed, and nobody is kept from it.
    ///
    /// Cost: reads the list of tables and the write-ahead logs, at most some 32 MiB, and keeps every table file open.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] and [`StoreError::NotADirectory`] if there is nothing to read, [`StoreError::IsBackup`],
    /// [`StoreError::Newer`], [`StoreError::Database`], [`StoreError::Damaged`], [`StoreError::File`]; and
    /// [`StoreError::Restless`] if it changes too fast.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        format::refuse_absent(directory)?;
        undisturbed(directory, MOST_TRIES, || Self::open_once(directory))
    }

    fn open_once(directory: &Path) -> Result<Self, StoreError> {
        let version = match format::inspect(directory).map_err(format::as_absent)? {
            Found::Nothing => return Err(format::nothing_started(directory)),
            Found::Store(version) => version,
        };
        format::check_known(directory, version)?;
        let opened = DB::open_cf_descriptors_read_only(&reading(), directory, column_families(), false);
        let database = opened.map_err(|error| StoreError::database(directory, error))?;
        Ok(Self::of(directory, Arc::new(database)))
    }

    pub(super) fn of(directory: &Path, database: Arc<DB>) -> Self {
        Self { database: Some(database), directory: directory.to_owned() }
    }

    /// The data directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) fn database(&self) -> Result<&DB, StoreError> {
        let message = || "it is closed, since it could not be opened again after a write had failed".to_owned();
        self.database.as_deref().ok_or_else(|| StoreError::Database { directory: self.directory.clone(), message: message() })
    }

    pub(super) fn family(&self, name: &str) -> Result<&ColumnFamily, StoreError> {
        self.database()?.cf_handle(name).ok_or_else(|| StoreError::Database {
            directory: self.directory.clone(),
            message: format!("the column family '{name}' is missing"),
        })
    }

    pub(super) fn database_error(&self, error: rocksdb::Error) -> StoreError {
        StoreError::database(&self.directory, error)
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
}

/// Opens something in a directory until no file there has changed meanwhile in a way that matters.
fn undisturbed<T>(directory: &Path, most_tries: u32, mut open: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    for _ in 0..most_tries {
        let before = Files::of(directory)?;
        let opened = open();
        let after = Files::of(directory)?;
        let is_undisturbed = if opened.is_ok() { before.logs().eq(after.logs()) } else { before == after };
        if is_undisturbed {
            return opened;
        }
        std::thread::sleep(PAUSE);
    }
    Err(StoreError::Restless { directory: directory.to_owned() })
}

/// The files of a directory by name, each with its length in bytes.
#[derive(PartialEq, Eq)]
struct Files(BTreeMap<String, u64>);

impl Files {
    fn of(directory: &Path) -> Result<Self, StoreError> {
        let mut files = BTreeMap::new();
        for entry in directory.read_dir().map_err(|error| failed(directory, "read", &error))? {
            let entry = entry.map_err(|error| failed(directory, "read", &error))?;
            // One that is gone meanwhile is none of them.
            let Ok(metadata) = entry.metadata() else { continue };
            files.insert(entry.file_name().to_string_lossy().into_owned(), metadata.len());
        }
        Ok(Self(files))
    }

    /// The names of the write-ahead logs.
    fn logs(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str).filter(|name| name.ends_with(".log"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Opens a directory with a table and a log; at each try `disturb` does something to it and says what opening comes to.
    fn open(mut disturb: impl FnMut(&Path, u32) -> Result<(), StoreError>) -> (Result<(), StoreError>, u32) {
        let directory = tempfile::tempdir().unwrap();
        for name in ["000004.log", "000005.sst"] {
            fs::write(directory.path().join(name), "").unwrap();
        }
        let mut tries = 0;
        let opened = undisturbed(directory.path(), 4, || {
            tries += 1;
            disturb(directory.path(), tries)
        });
        (opened, tries)
    }

    fn failure() -> Result<(), StoreError> {
        Err(StoreError::NoSuchSweep { sweep_id: "h1".into() })
    }

    #[test]
    fn a_directory_is_opened_again_as_long_as_it_changes_meanwhile() {
        assert_eq!(open(|_, _| Ok(())), (Ok(()), 1));
        // What fails in peace fails.
        assert_eq!(open(|_, _| failure()), (failure(), 1));
        // A log goes, the next one is there: what was in it may be missing.
        let next_log = |directory: &Path, tries: u32| {
            if tries <= 2 {
                fs::rename(directory.join(format!("{:06}.log", 3 + tries)), directory.join(format!("{:06}.log", 4 + tries))).unwrap();
            }
            Ok(())
        };
        assert_eq!(open(next_log), (Ok(()), 3));
        // A log that only grows is read up to some moment, and tables that come and go were all open.
        let grows = |directory: &Path, _| {
            fs::write(directory.join("000004.log"), "more").unwrap();
            fs::rename(directory.join("000005.sst"), directory.join("000006.sst")).unwrap();
            Ok(())
        };
        assert_eq!(open(grows), (Ok(()), 1));
        // A table that goes before it is opened makes it fail.
        let next_table = |directory: &Path, tries: u32| match tries {
            1 => {
                fs::rename(directory.join("000005.sst"), directory.join("000006.sst")).unwrap();
                failure()
            }
            _ => Ok(()),
        };
        assert_eq!(open(next_table), (Ok(()), 2));
    }

    #[test]
    fn a_directory_that_never_rests_is_given_up_with_a_sentence() {
        let (opened, tries) = open(|directory, tries| {
            fs::write(directory.join(format!("{:06}.log", 4 + tries)), "").unwrap();
            Ok(())
        });
        assert_eq!(tries, 4);
        assert!(opened.unwrap_err().to_string().contains("changes faster than it can be read"));
    }
}
