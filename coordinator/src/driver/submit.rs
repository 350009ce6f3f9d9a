use refute_proto::MAX_MESSAGE_BYTES;
use refute_shared::sweep::{Manifest, ManifestError, Plan, PlanError, Shard, Sweep};
use refute_shared::text::bytes;

use crate::schedule::SweepState;
use crate::store::{StoreError, SweepRecord};

use super::active::LoadError;
use super::clock::Clock;
use super::core::Core;

/// What the space and the claims of a lease may take, in bytes; the rest of the message is for what stands around them.
const MAX_LEASE_BYTES: usize = MAX_MESSAGE_BYTES - 4096;

/// Why a sweep was not taken.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The manifest.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Its shards.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// No worker could solve it.
    #[error("{box_text} needs {} of tables a slot, and the largest slot of the workers here has {} (refute-worker --memory)", bytes(*needs), bytes(u128::from(*largest)))]
    TooLarge {
        /// The box.
        box_text: String,
        /// Bytes needed.
        needs: u128,
        /// Bytes of the largest slot.
        largest: u64,
    },
    /// Its leases would not fit into a message.
    #[error("space: its {boxes} boxes take {} and a lease holds {}; put them into several sweeps", bytes(*needs as u128), bytes(MAX_LEASE_BYTES as u128))]
    TooManyBoxes {
        /// How many boxes.
        boxes: u32,
        /// Bytes of the space and the claims.
        needs: usize,
    },
    /// It was here before and has failed.
    #[error("sweep '{id}' failed before: {reason}; --fresh starts it anew")]
    Failed {
        /// Its id.
        id: String,
        /// Why it failed.
        reason: String,
    },
    /// It was here before and cannot be taken up.
    #[error("{0}")]
    Load(String),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<LoadError> for SubmitError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Store(error) => Self::Store(error),
            error @ (LoadError::SolverVersion { .. } | LoadError::Manifest { .. }) => Self::Load(error.to_string()),
        }
    }
}

/// The box of a sweep whose tables are largest, in words, and how many bytes they are.
#[must_use]
pub fn largest_table(sweep: &Sweep) -> (String, u128) {
    let table = |box_index| {
        let whole = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
        (sweep.space.describe(box_index), sweep.space.cost(&whole).bytes)
    };
    (0..sweep.space.boxes()).map(table).max_by_key(|(_, bytes)| *bytes).unwrap_or_default()
}

/// Whether a sweep fits into a lease: a worker is handed the whole space with every one.
///
/// # Errors
/// [`SubmitError::TooManyBoxes`].
pub fn check_lease(sweep: &Sweep) -> Result<(), SubmitError> {
    // A few bytes a claim for its tag and its length.
    let needs = sweep.space.encode().len() + sweep.claim_ids().iter().map(|id| id.len() + 8).sum::<usize>();
    if needs > MAX_LEASE_BYTES { Err(SubmitError::TooManyBoxes { boxes: sweep.space.boxes(), needs }) } else { Ok(()) }
}

impl Core {
    /// Lays down a sweep, or goes on with the same one if it is there, and returns its id.
    ///
    /// # Errors
    /// [`SubmitError`]; nothing is left behind.
    pub fn submit(&mut self, manifest: &str, fresh: bool, priority: Option<i32>) -> Result<String, SubmitError> {
        let sweep = Sweep::resolve(Manifest::parse(manifest)?)?;
        let plan = Plan::new(sweep.space.as_ref(), sweep.options())?;
        check_lease(&sweep)?;
        self.check_memory(&sweep)?;
        let mut id = sweep.id();
        if fresh {
            id = self.fresh_id(id)?;
        } else if self.go_on(&id)? {
            if let Some(priority) = priority {
                // The sweep is there, as `go_on` says.
                let _ = self.schedule.set_priority(&id, priority);
                self.write_changes();
            }
            return Ok(id);
        }
        let sequence = self.store.sweeps()?.iter().map(|record| record.sequence + 1).max().unwrap_or(0);
        let record = SweepRecord {
            id: id.clone(),
            manifest_toml: sweep.manifest.to_toml(),
            family: sweep.family.id().to_owned(),
            solver_version: sweep.family.solver_version(),
            plan,
            state: SweepState::Queued,
            reason: None,
            created_unix_ms: Clock::unix_ms(),
            active_ms: 0,
            priority: priority.unwrap_or(0),
            sequence,
        };
        if let Err(failure) = self.store.put_sweep(&record) {
            self.write_failed(&failure);
            return Err(failure.into());
        }
        self.load(record)?;
        self.write_changes();
        Ok(id)
    }

    fn check_memory(&self, sweep: &Sweep) -> Result<(), SubmitError> {
        let (box_text, needs) = largest_table(sweep);
        match self.schedule.workers().map(|worker| worker.info.slot_bytes).max() {
            Some(largest) if needs > u128::from(largest) => Err(SubmitError::TooLarge { box_text, needs, largest }),
            _ => Ok(()),
        }
    }

    /// Takes up a sweep that is in memory or on disk, and says whether there is one.
    fn go_on(&mut self, id: &str) -> Result<bool, SubmitError> {
        if !self.sweeps.contains_key(id) {
            match self.store.sweep(id)? {
                Some(record) => self.load(record)?,
                None => return Ok(false),
            }
        }
        if self.schedule.reopen(id).is_err() {
            let reason = self.schedule.reason(id).unwrap_or("no reason is known").to_owned();
            return Err(SubmitError::Failed { id: id.to_owned(), reason });
        }
        if self.schedule.state(id) == Some(SweepState::Paused) {
            // Submitting a paused sweep again asks for it to go on.
            let _ = self.schedule.resume(id);
        }
        self.write_changes();
        Ok(true)
    }

    /// The first of id, id-2, id-3, … that is not there yet.
    fn fresh_id(&self, id: String) -> Result<String, StoreError> {
        let mut candidate = id.clone();
        let mut number = 2;
        while self.store.sweep(&candidate)?.is_some() {
            candidate = format!("{id}-{number}");
            number += 1;
        }
        Ok(candidate)
    }
}
