use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::file_system::file_system;

/// The file in a data directory that the one process which has it open keeps locked.
///
/// It stays when the process ends, since the system ends the lock by itself: a file that is removed could be locked by one
/// process while another makes and locks a new one.
pub const LOCK_FILE: &str = "LOCK.refute";

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
        let path = directory.join(LOCK_FILE);
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = open.map_err(|error| failed(&path, "open", &error))?;
        match file.try_lock() {
            Ok(()) => {
                let mut lock = Self { file, path };
                lock.write(None)?;
                Ok(lock)
            }
            Err(TryLockError::WouldBlock) => {
                let Holder { pid, address } = holder(&mut file);
                Err(StoreError::InUse { directory: directory.to_owned(), pid, address })
            }
            Err(TryLockError::Error(error)) => {
                let file_system = file_system(directory);
                Err(StoreError::NoLock { path, file_system, message: error.to_string() })
            }
        }
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
