//! Finds out what a directory holds before anything is written there, refuses what is foreign or newer, and migrates older
//! formats.

use std::io;
use std::path::Path;

use rocksdb::{DB, IteratorMode, Options};

use super::keys::{FAMILIES, FORMAT_KEY, META};
use super::lock::failed;
use super::options::looking;
use super::{LOCK_FILE, StoreError};

/// The version of the layout that this program writes.
pub const FORMAT: u64 = 2;

/// The file that makes a directory a backup. It is the last to be written, so where it is the backup is whole.
pub const BACKUP_FILE: &str = "BACKUP.refute";

/// The directory within a data directory in which a backup is restored.
pub(super) const RESTORING: &str = ".restoring";

/// The file that makes a database of the others.
pub(super) const CURRENT: &str = "CURRENT";

/// What a directory holds, found out without changing anything in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No database, or one that was made and never written to.
    Nothing,
    /// A store of this format, which is not newer than [`FORMAT`].
    Store(u64),
}

/// Whether RocksDB has ever finished making a database here.
pub(super) fn has_database(directory: &Path) -> bool {
    directory.join(CURRENT).exists()
}

/// Refuses a path where there is no database to read, and says what is there instead.
///
/// # Errors
/// [`StoreError::NoStore`], [`StoreError::NotADirectory`], and [`StoreError::File`] where one may not look.
pub(super) fn refuse_absent(directory: &Path) -> Result<(), StoreError> {
    match directory.metadata() {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(StoreError::NotADirectory { path: directory.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(no_store(directory, "there is no such directory")),
        Err(error) => return Err(not_a_directory(directory).unwrap_or_else(|| failed(directory, "look at", &error))),
    }
    let current = directory.join(CURRENT);
    if current.try_exists().map_err(|error| failed(&current, "look at", &error))? {
        return Ok(());
    }
    refuse_foreign_files(directory).map_err(as_absent)?;
    let is_empty = directory.read_dir().map_err(|error| failed(directory, "read", &error))?.next().is_none();
    Err(if is_empty { no_store(directory, "it is empty") } else { nothing_started(directory) })
}

/// That a directory belongs to something else means to who wants to read it that there is nothing to read.
pub(super) fn as_absent(error: StoreError) -> StoreError {
    match error {
        StoreError::NotOurs { directory, what } => StoreError::NoStore { directory, reason: format!("it holds {what}") },
        other => other,
    }
}

/// That a store was made, or begun, and never written to.
pub(super) fn nothing_started(directory: &Path) -> StoreError {
    no_store(directory, "nothing was ever started there")
}

fn no_store(directory: &Path, reason: &str) -> StoreError {
    StoreError::NoStore { directory: directory.to_owned(), reason: reason.to_owned() }
}

/// Why a directory could not be made.
pub(super) fn not_made(directory: &Path, error: &io::Error) -> StoreError {
    not_a_directory(directory).unwrap_or_else(|| failed(directory, "create", error))
}

/// What stands where a directory should be, if something does: the path itself or one that it leads through.
fn not_a_directory(directory: &Path) -> Option<StoreError> {
    let (path, metadata) = directory.ancestors().find_map(|path| Some((path, path.metadata().ok()?)))?;
    (!metadata.is_dir()).then(|| StoreError::NotADirectory { path: path.to_owned() })
}

/// Looks into a directory that exists.
///
/// # Errors
/// [`StoreError::NotOurs`] and [`StoreError::Newer`] if it must be left alone.
pub(super) fn inspect(directory: &Path) -> Result<Found, StoreError> {
    if directory.join(BACKUP_FILE).exists() {
        return Err(StoreError::IsBackup { directory: directory.to_owned() });
    }
    if !has_database(directory) {
        return refuse_foreign_files(directory).map(|()| Found::Nothing);
    }
    let failed = |error: rocksdb::Error| StoreError::database(directory, error);
    let options = looking();
    let families = DB::list_cf(&options, directory).map_err(failed)?;
    if families.iter().any(|family| family == META) {
        let database = DB::open_cf_for_read_only(&options, directory, [META], false).map_err(failed)?;
        if let Some(meta) = database.cf_handle(META)
            && let Some(value) = database.get_cf(meta, FORMAT_KEY).map_err(failed)?
        {
            return known(directory, &value).map(Found::Store);
        }
    }
    let ours = |family: &String| family == rocksdb::DEFAULT_COLUMN_FAMILY_NAME || FAMILIES.contains(&family.as_str());
    if !families.iter().all(ours) || holds_anything(directory, &options, &families)? {
        return Err(not_ours(directory, "a database of another program"));
    }
    // The process that made the database was killed before it wrote the format down.
    Ok(Found::Nothing)
}

/// Brings a store of an older format up to [`FORMAT`]. Called with the directory locked and the database open.
///
/// One step a version, of which the last one ends by writing its number. Version 2 added votes and banned workers, of
/// which version 1 has none.
pub(super) fn migrate(directory: &Path, from: u64, write: impl FnOnce() -> Result<(), StoreError>) -> Result<(), StoreError> {
    check_known(directory, from)?;
    if from == FORMAT { Ok(()) } else { write() }
}

/// Refuses a version that never was. One that is older than [`FORMAT`] can be read as it is.
pub(super) fn check_known(directory: &Path, version: u64) -> Result<(), StoreError> {
    match version {
        1..=FORMAT => Ok(()),
        other => Err(damaged(directory, format!("there never was a format {other}"))),
    }
}

fn known(directory: &Path, value: &[u8]) -> Result<u64, StoreError> {
    let found: u64 = serde_json::from_slice(value).map_err(|error| damaged(directory, error.to_string()))?;
    match found > FORMAT {
        true => Err(StoreError::Newer { directory: directory.to_owned(), found, known: FORMAT }),
        false => Ok(found),
    }
}

fn damaged(directory: &Path, message: String) -> StoreError {
    StoreError::Damaged { directory: directory.to_owned(), what: "the version of the format", key: "\"format\"".to_owned(), message }
}

fn not_ours(directory: &Path, what: &str) -> StoreError {
    StoreError::NotOurs { directory: directory.to_owned(), what: what.to_owned() }
}

fn holds_anything(directory: &Path, options: &Options, families: &[String]) -> Result<bool, StoreError> {
    let failed = |error: rocksdb::Error| StoreError::database(directory, error);
    let database = DB::open_cf_for_read_only(options, directory, families, false).map_err(failed)?;
    for family in families {
        let Some(handle) = database.cf_handle(family) else { continue };
        if let Some(item) = database.iterator_cf(handle, IteratorMode::Start).next() {
            return item.map(|_| true).map_err(failed);
        }
    }
    Ok(false)
}

/// Without a database there may only be what does not belong to anybody's work: hidden files, `lost+found` of a fresh
/// volume, and what was left when this program was killed while it made the database.
fn refuse_foreign_files(directory: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| failed(directory, "read", &error);
    if directory.join(RESTORING).exists() {
        return Err(not_ours(directory, "what is left of an interrupted restore, which 'refute restore' starts again"));
    }
    for entry in directory.read_dir().map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy();
        let harmless = is_harmless(&name);
        let whole = ["IDENTITY", "LOCK", "LOG"].contains(&name.as_ref());
        let begun = ["LOG.old.", "MANIFEST-", "OPTIONS-"].iter().any(|start| name.starts_with(start)) || name.ends_with(".dbtmp");
        if !(harmless || whole || begun) {
            return Err(not_ours(directory, &format!("files of something else, such as '{name}'")));
        }
    }
    Ok(())
}

/// Whether a file without a database beside it may be in a directory that counts as empty.
pub(super) fn is_harmless(name: &str) -> bool {
    name.starts_with('.') || name == "lost+found" || name == LOCK_FILE
}
