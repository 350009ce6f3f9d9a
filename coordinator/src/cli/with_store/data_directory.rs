//! A data directory that is read in place of a coordinator, also while another process has it in use.

use std::path::{Path, PathBuf};

use crate::driver::{ReportError, read_export, read_report, read_status};
use crate::export::{ExportError, Exported, Sink};
use crate::report::Report;
use crate::status::SweepStatus;
use crate::store::{BackupError, Reader, Refusal, Store, StoreError, keep_private};

use super::super::exit::Failure;

/// Where `run` keeps its data unless told otherwise.
pub const DEFAULT_DATA: &str = "./refute-data";

/// A data directory to read.
pub struct DataDirectory(PathBuf);

impl DataDirectory {
    /// The directory that was named, or else the default one. It is not opened.
    ///
    /// # Errors
    /// None: a build without a store has some.
    pub fn choose(named: Option<&Path>) -> Result<Self, Failure> {
        Ok(Self(named.unwrap_or(Path::new(DEFAULT_DATA)).to_owned()))
    }

    /// The report of a sweep.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn report(&self, id: &str) -> Result<Report, Failure> {
        self.read(|reader| read_report(reader, id))
    }

    /// Hands a table of what a sweep has found to a sink; what that says of the table is in the answer.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn export(&self, id: &str, what: Exported, to: &mut dyn Sink) -> Result<Result<(), ExportError>, Failure> {
        self.read(|reader| match read_export(reader, id, what, to) {
            Ok(()) => Ok(Ok(())),
            Err(ReportError::Export(error)) => Ok(Err(error)),
            Err(error) => Err(error),
        })
    }

    /// Where every sweep stands.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn list(&self) -> Result<Vec<SweepStatus>, Failure> {
        self.read(read_status)
    }

    /// Where a sweep stands.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn status(&self, id: &str) -> Result<SweepStatus, Failure> {
        self.read(|reader| {
            let found = read_status(reader)?.into_iter().find(|status| status.id == id);
            found.ok_or_else(|| ReportError::NoSuchSweep { id: id.to_owned() })
        })
    }

    /// Makes a backup, and returns where it is, the number of sweeps in it and its size in bytes. Nobody may have the directory
    /// in use, since RocksDB makes one only of a database that it may write.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn back_up(&self, to: &Path) -> Result<(String, u64, u64), Failure> {
        keep_private();
        let source = Store::open_existing(&self.0).and_then(|store| store.backup_source()).map_err(|error| match error {
            StoreError::InUse { address: Some(_), .. } => {
                Failure::not_done(format!("{error}; that one makes the backup with --coordinator"))
            }
            other => store_failure(other),
        })?;
        let backup = source.back_up(to).map_err(|error| match error {
            BackupError::Place { .. } => Failure::wrong(error),
            BackupError::Gathering { .. } => Failure::not_done(error),
            BackupError::Store(error) => store_failure(error),
        })?;
        let place = to.canonicalize().unwrap_or_else(|_| to.to_owned());
        Ok((place.to_string_lossy().into_owned(), backup.sweeps, backup.bytes()))
    }

    fn read<T>(&self, read: impl FnOnce(&Reader) -> Result<T, ReportError>) -> Result<T, Failure> {
        // All table files are open at the same time. If the system does not allow more, those that it allows must do.
        let _ = rlimit::increase_nofile_limit(u64::MAX);
        let reader = Reader::open(&self.0).map_err(store_failure)?;
        read(&reader).map_err(|error| match error {
            ReportError::NoSuchSweep { .. } => Failure::wrong(error),
            ReportError::Manifest { .. } | ReportError::NotWritten(_) | ReportError::Export(_) => Failure::not_done(error),
            ReportError::Store(error) => store_failure(error),
        })
    }
}

/// A path that is no data directory, or one that this user may not use, is the caller's mistake; any other error means that
/// the command is not done.
pub fn store_failure(error: StoreError) -> Failure {
    match (&error, error.refusal()) {
        (StoreError::NoStore { .. } | StoreError::NotADirectory { .. } | StoreError::NotOurs { .. } | StoreError::IsBackup { .. }, _)
        | (_, Some(Refusal::NoRight | Refusal::ReadOnly)) => Failure::wrong(error),
        _ => Failure::not_done(error),
    }
}
