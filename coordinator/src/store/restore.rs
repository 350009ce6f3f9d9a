//! A data directory made from a backup.
//!
//! The copy is made, opened and verified in the hidden directory [`RESTORING`] of the data directory, so that a mount point
//! will do as well. Then its files are linked to their places, and last of all `CURRENT`, which makes a database of them. Until
//! `RESTORING` is gone, whatever has the same name beside it is the restore's own: what a killed one has left is cleared away
//! by the next.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use refute_shared::text::quoted;

use super::backup::{Backup, sync, sync_all, unix_seconds};
use super::format::{BACKUP_FILE, CURRENT, RESTORING, has_database, is_harmless};
use super::keys::{EPOCH_KEY, META};
use super::lock::{Lock, failed};
use super::{FORMAT, LOCK_FILE, Store, StoreError, private};

/// The most that is read of the description of a backup: a line for each of its files, of which there are far fewer.
const MAX_DESCRIPTION_BYTES: u64 = 64 << 20;

/// Why a backup was not restored. Nothing is left of it then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// It is none, or not all of it.
    #[error("'{}' is no backup: {problem}; 'refute backup DIR' makes one", directory.display())]
    NotABackup {
        /// What was to be restored.
        directory: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// It is not what it was when it was made.
    #[error("the backup '{}' is damaged: {problem}", directory.display())]
    Damaged {
        /// The backup.
        directory: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The data directory holds something.
    #[error("'{}' holds something already, such as '{name}'; --data names a directory that is empty or does not exist", data.display())]
    Occupied {
        /// The data directory.
        data: PathBuf,
        /// What is in it.
        name: String,
    },
    /// There is something that is no directory.
    #[error("'{}' is no directory; --data names one that is empty or does not exist", data.display())]
    NotADirectory {
        /// What was to be the data directory.
        data: PathBuf,
    },
    /// The data directory would be a part of the backup.
    #[error("'{}' lies in the backup; --data names a directory outside of it", data.display())]
    Inside {
        /// The data directory.
        data: PathBuf,
    },
    /// A newer format, a data directory that is in use, or the disk.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a data directory, which is empty or does not exist, from a backup, and opens it. All of it is a copy, and every sweep
/// is verified.
///
/// The store counts its openings from the present second on, so that it gives no id that another coordinator, which goes on
/// from the state that was backed up, gives as well.
///
/// Cost: copies the backup, and reads all of the copy.
///
/// # Errors
/// [`RestoreError`]; the data directory is left as it was.
pub fn restore(from: &Path, data: &Path) -> Result<(Store, Backup), RestoreError> {
    let backup = read(from)?;
    if lies_in(data, from) {
        return Err(RestoreError::Inside { data: data.to_owned() });
    }
    let existed = data.exists();
    private::make_directory(data, true).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => RestoreError::NotADirectory { data: data.to_owned() },
        _ => failed(data, "create", &error).into(),
    })?;
    let had_lock_file = data.join(LOCK_FILE).exists();
    let restored = fill(from, &backup, data);
    if let Err(error) = restored {
        // What is left behind is no error on top of the one that is reported.
        if !had_lock_file && !matches!(error, RestoreError::Store(StoreError::InUse { .. })) {
            let _ = fs::remove_file(data.join(LOCK_FILE));
        }
        if !existed {
            let _ = fs::remove_dir(data);
        }
        return Err(error);
    }
    Ok((Store::open_existing(data)?, backup))
}

/// Whether a directory, which need not exist, lies in one that does.
fn lies_in(directory: &Path, outer: &Path) -> bool {
    let (Ok(directory), Ok(outer)) = (std::path::absolute(directory), outer.canonicalize()) else { return false };
    let exists = directory.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
    exists.is_some_and(|ancestor| ancestor.starts_with(outer))
}

/// What is in a backup, by what it says itself.
fn read(from: &Path) -> Result<Backup, RestoreError> {
    let not_a_backup = |problem: String| RestoreError::NotABackup { directory: from.to_owned(), problem };
    let path = from.join(BACKUP_FILE);
    let text = read_file(&path).map_err(|error| not_a_backup(format!("its file '{BACKUP_FILE}' cannot be read ({error})")))?;
    let damaged = |error: serde_json::Error| RestoreError::Damaged {
        directory: from.to_owned(),
        problem: format!("its file '{BACKUP_FILE}' is not understood ({error})"),
    };
    // What else a newer format says nobody knows.
    let value: serde_json::Value = serde_json::from_slice(&text).map_err(damaged)?;
    match value["format"].as_u64() {
        Some(found) if found > FORMAT => Err(StoreError::Newer { directory: from.to_owned(), found, known: FORMAT }.into()),
        _ => serde_json::from_value(value).map_err(damaged),
    }
}

/// What is in a regular file, of which no more is read than the description of a backup may have.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    private::open(OpenOptions::new().read(true), path)?.take(MAX_DESCRIPTION_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

fn fill(from: &Path, backup: &Backup, data: &Path) -> Result<(), RestoreError> {
    // An occupied directory gets no lock file; if somebody has it, that is said.
    if let Err(occupied) = check_empty(data) {
        return Err(if data.join(LOCK_FILE).exists() { Lock::take(data).err().map_or(occupied, Into::into) } else { occupied });
    }
    let _lock = Lock::take(data)?;
    let restoring = data.join(RESTORING);
    clear_away(data, &restoring)?;
    check_empty(data)?;
    private::make_directory(&restoring, false).map_err(|error| failed(&restoring, "create", &error))?;
    let restored = copy(from, backup, &restoring).and_then(|()| verify(from, backup, &restoring)).and_then(|()| link(&restoring, data));
    clear_away(data, &restoring)?;
    restored
}

/// Removes what there is of a restore that did not come to its end.
fn clear_away(data: &Path, restoring: &Path) -> Result<(), StoreError> {
    if !restoring.exists() {
        return Ok(());
    }
    if !has_database(data) {
        for name in names(restoring)? {
            // Not all of them have been linked.
            let _ = fs::remove_file(data.join(name));
        }
    }
    fs::remove_dir_all(restoring).map_err(|error| failed(restoring, "remove", &error))
}

fn check_empty(data: &Path) -> Result<(), RestoreError> {
    let restoring = data.join(RESTORING);
    let own = if restoring.exists() && !has_database(data) { names(&restoring)? } else { Vec::new() };
    match names(data)?.into_iter().find(|name| !is_harmless(name) && !own.contains(name)) {
        Some(name) => Err(RestoreError::Occupied { data: data.to_owned(), name }),
        None => Ok(()),
    }
}

fn names(directory: &Path) -> Result<Vec<String>, StoreError> {
    let entries = directory.read_dir().map_err(|error| failed(directory, "read", &error))?;
    let name = |entry: std::io::Result<fs::DirEntry>| entry.map(|entry| entry.file_name().to_string_lossy().into_owned());
    entries.map(|entry| name(entry).map_err(|error| failed(directory, "read", &error))).collect()
}

/// Copies the files of a backup, each of which must be as long as it was.
fn copy(from: &Path, backup: &Backup, restoring: &Path) -> Result<(), RestoreError> {
    for (name, length) in &backup.files {
        let damaged = |problem: String| RestoreError::Damaged { directory: from.to_owned(), problem };
        if Path::new(name).file_name().is_none_or(|plain| plain != name.as_str()) {
            return Err(damaged(format!("'{}' cannot be the name of a file in it", quoted(name))));
        }
        let opened = private::open(OpenOptions::new().read(true), &from.join(name));
        let opened = opened.and_then(|file| Ok((file.metadata()?.len(), file)));
        let (found, source) = opened.map_err(|error| damaged(format!("its file '{name}' cannot be read ({error})")))?;
        if found != *length {
            return Err(damaged(format!("its file '{name}' has {found} bytes and had {length}")));
        }
        let target = restoring.join(name);
        let copied = private::create(&target).and_then(|mut copy| io::copy(&mut source.take(*length), &mut copy));
        copied.map_err(|error| failed(&target, "write", &error))?;
    }
    Ok(())
}

/// Opens a copy and checks all that is in it.
fn verify(from: &Path, backup: &Backup, restoring: &Path) -> Result<(), RestoreError> {
    let damaged = |problem: String| RestoreError::Damaged { directory: from.to_owned(), problem };
    let of_the_copy = |error: StoreError| match error {
        // The disk on which the copy is.
        StoreError::File { .. } => RestoreError::Store(error),
        other => damaged(other.to_string()),
    };
    let store = Store::open_existing(restoring).map_err(of_the_copy)?;
    let seen = store.database().map_err(of_the_copy)?.latest_sequence_number();
    if seen <= backup.sequence {
        return Err(damaged("the end of its write-ahead log is lost".to_owned()));
    }
    store.read_everything().map_err(of_the_copy)?;
    for sweep in store.sweeps().map_err(of_the_copy)? {
        store.verify(&sweep.id).and_then(|()| store.verify_records(&sweep.id)).map_err(of_the_copy)?;
    }
    let epoch = store.epoch().max(u32::try_from(unix_seconds()).unwrap_or(u32::MAX));
    store.put(META, EPOCH_KEY, "the count of openings", &epoch).map_err(of_the_copy)
}

/// Puts the files of a copy in their places.
fn link(restoring: &Path, data: &Path) -> Result<(), RestoreError> {
    sync_all(restoring)?;
    let is_needed = |name: &String| ![LOCK_FILE, CURRENT, "LOCK"].contains(&name.as_str()) && !name.starts_with("LOG");
    let place = |name: &str| fs::hard_link(restoring.join(name), data.join(name)).map_err(|error| failed(&data.join(name), "make", &error));
    for name in names(restoring)?.iter().filter(|name| is_needed(name)) {
        place(name)?;
    }
    sync(data)?;
    place(CURRENT)?;
    let synced = sync(data);
    if synced.is_err() {
        // Without it the rest is cleared away.
        let _ = fs::remove_file(data.join(CURRENT));
    }
    Ok(synced?)
}
