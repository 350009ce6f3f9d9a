//! A data directory that cannot be written, mostly because the disk is full: workers keep their results and come back with
//! them, what the schedule decides is kept in memory, and as soon as there is room, and no backup and no report reads the
//! database, the coordinator goes on by itself.

use tracing::{error, info};

use crate::store::StoreError;

use super::disk::Disk;

/// How often it is tried whether there is room again.
const TRY_EVERY_MS: u64 = 1_000;

/// The disk, and whether it can be written. Every write goes through here.
pub struct Gate<D> {
    disk: D,
    outage: Option<Outage>,
}

/// That the data directory cannot be written.
struct Outage {
    /// What the first write that failed said.
    failure: StoreError,
    /// When it is tried again.
    next_try_ms: u64,
}

/// Why something was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWritten {
    /// The data directory cannot be written, and what the first write that failed said: it is to be tried again.
    Outage(StoreError),
    /// What was to be written contradicts what is on disk, which is a fault of the program: trying again would not help.
    Fault(StoreError),
}

impl NotWritten {
    /// What the store said.
    pub fn into_failure(self) -> StoreError {
        match self {
            Self::Outage(failure) | Self::Fault(failure) => failure,
        }
    }
}

impl<D: Disk> Gate<D> {
    /// A disk that can be written as far as anybody knows.
    pub fn new(disk: D) -> Self {
        Self { disk, outage: None }
    }

    /// The disk, to be read.
    pub fn disk(&self) -> &D {
        &self.disk
    }

    /// What the first write that failed said, while the directory cannot be written.
    pub fn outage(&self) -> Option<&StoreError> {
        self.outage.as_ref().map(|outage| &outage.failure)
    }

    /// Writes something. During an outage nothing is tried.
    ///
    /// # Errors
    /// [`NotWritten`]; the first failure of the directory begins an outage.
    pub fn write<T>(&mut self, write: impl FnOnce(&D) -> Result<T, StoreError>) -> Result<T, NotWritten> {
        if let Some(outage) = &self.outage {
            return Err(NotWritten::Outage(outage.failure.clone()));
        }
        write(&self.disk).map_err(|failure| {
            if failure.is_fault() {
                return NotWritten::Fault(failure);
            }
            self.begin_outage(&failure);
            NotWritten::Outage(failure)
        })
    }

    /// From now on nothing is written until the directory has been opened again and all sweeps have been read.
    pub fn begin_outage(&mut self, failure: &StoreError) {
        if self.outage.is_none() {
            error!(%failure, "the data directory cannot be written; results wait at the workers until it can");
            self.outage = Some(Outage { failure: failure.clone(), next_try_ms: 0 });
        }
    }

    /// Opens the directory again if a write has failed and there is room now. The outage is over when also `reload` has
    /// read what is there: a write that failed may be on disk.
    pub fn retry(&mut self, now_ms: u64, reload: impl FnOnce(&D) -> Result<(), StoreError>) {
        let Some(outage) = self.outage.as_mut().filter(|outage| outage.next_try_ms <= now_ms) else { return };
        outage.next_try_ms = now_ms + TRY_EVERY_MS;
        match self.disk.reopen().and_then(|()| reload(&self.disk)) {
            Ok(()) => {
                info!("the data directory can be written again");
                self.outage = None;
            }
            // There is no room yet, a backup is being made, or reports are read: nothing that the log has not said.
            Err(StoreError::File { .. } | StoreError::BackingUp { .. } | StoreError::Reopening { .. }) => {}
            // The outage goes on, and every status says so.
            Err(failure) => error!(%failure, "the database cannot be opened again"),
        }
    }
}
