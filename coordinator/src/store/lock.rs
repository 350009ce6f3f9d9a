//! The lock that gives a data directory to one process, and tells a second process who has it.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::file_system::file_system;
use super::private;

/// The file in a data directory that the one process which has it open keeps locked.
///
/// It stays when the process ends, since the system ends the lock by itself. A process that made it and could not open the
/// directory removes it while it has the lock. Another process that opened the file before that, and locks it afterwards, sees
/// that it is not in its place any more and opens it again.
pub const LOCK_FILE: &str = "LOCK.refute";

/// How often a file that is not in its place any more when it is locked is opened again.
const MOST_TRIES: u32 = 100;

/// The lock on a data directory, held until it is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
}

/// Who has the lock.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Holder {
    pid: Option<u32>,
    address: Option<String>,
}

impl Lock {
    /// Takes the lock of a directory that exists.
    pub(super) fn take(directory: &Path) -> Result<Self, StoreError> {
        let is_new = !directory.join(LOCK_FILE).exists();
        let mut lock = Self::of(directory, is_new)?;
        // A file system that numbers its files anew at every look cannot tell, so it is not asked for ever.
        for _ in 0..MOST_TRIES {
            if lock.is_in_place() {
                break;
            }
            drop(lock);
            lock = Self::of(directory, is_new)?;
        }
        match lock.write(None) {
            Err(error) => {
                if is_new {
                    lock.remove();
                }
                Err(error)
            }
            Ok(()) => Ok(lock),
        }
    }

    fn of(directory: &Path, is_new: bool) -> Result<Self, StoreError> {
        let path = directory.join(LOCK_FILE);
        let opened = private::open(OpenOptions::new().read(true).write(true).create(true).truncate(false), &path);
        let mut file = opened.map_err(|error| failed(&path, "open", &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file, path }),
            Err(TryLockError::WouldBlock) => {
                let Holder { pid, address } = holder(&mut file);
                Err(StoreError::InUse { directory: directory.to_owned(), pid, address })
            }
            Err(TryLockError::Error(error)) => {
                if is_new {
                    // What is left behind is no error on top of the one that is reported.
                    let _ = std::fs::remove_file(&path);
                }
                let file_system = file_system(directory);
                Err(StoreError::NoLock { path, file_system, message: error.to_string() })
            }
        }
    }

    /// Whether the file that is locked is the one that others find: who made it may have removed it in between.
    fn is_in_place(&self) -> bool {
        let same = |locked: Metadata, found: Metadata| (locked.dev(), locked.ino()) == (found.dev(), found.ino());
        self.file.metadata().is_ok_and(|locked| self.path.symlink_metadata().is_ok_and(|found| same(locked, found)))
    }

    /// Removes the file. The lock must not be relied on afterwards.
    pub(super) fn remove(&self) {
        // What is left behind is no error on top of the one that is reported.
        let _ = std::fs::remove_file(&self.path);
    }

    /// Writes who has the lock.
    pub(super) fn write(&mut self, address: Option<&str>) -> Result<(), StoreError> {
        let holder = Holder { pid: Some(std::process::id()), address: address.map(str::to_owned) };
        let text =
            serde_json::to_string(&holder).map_err(|error| StoreError::Unwritable { what: "the address", message: error.to_string() })?;
        let file = &mut self.file;
        let written = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).and_then(|_| file.write_all(text.as_bytes()));
        written.map_err(|error| failed(&self.path, "write", &error))
    }
}

/// Who has a lock that is taken, for a sentence. Nobody in particular if the file is just being written or cannot be read: that
/// the lock is taken the system has said already.
fn holder(file: &mut File) -> Holder {
    let mut text = String::new();
    match file.read_to_string(&mut text) {
        Ok(_) => serde_json::from_str(&text).unwrap_or_default(),
        Err(_) => Holder::default(),
    }
}

pub(super) fn failed(path: &Path, action: &'static str, error: &std::io::Error) -> StoreError {
    StoreError::File { path: path.to_owned(), action, message: error.to_string() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn one_has_the_lock_at_a_time_also_where_some_remove_its_file() {
        let directory = tempfile::tempdir().unwrap();
        let held = AtomicU32::new(0);
        // Whether it was there to take; every other one is removed when it is given back.
        let take_and_give_back = |round: u32| match Lock::take(directory.path()) {
            Ok(lock) => {
                assert_eq!(held.fetch_add(1, Ordering::SeqCst), 0, "two have the lock");
                std::thread::yield_now();
                held.fetch_sub(1, Ordering::SeqCst);
                if round.is_multiple_of(2) {
                    lock.remove();
                }
                true
            }
            Err(error) => {
                assert!(matches!(error, StoreError::InUse { .. }), "{error}");
                false
            }
        };
        // Each tries until it has had the lock so often, however busy the machine is.
        let have_it_often = || (0..).filter(|round| take_and_give_back(*round)).take(100).count();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(have_it_often);
            }
        });
    }
}
