//! A sweep on its way in: what is checked before anything is written.

use std::collections::BTreeSet;

use refute_proto::MAX_MESSAGE_BYTES;
use refute_shared::sweep::{Manifest, ManifestError, Plan, PlanError, StatedClaim, Sweep};
use refute_shared::text::{bytes, grouped};

use crate::schedule::{ControlError, Schedule, SweepState};
use crate::store::{StoreError, SweepRecord};

use super::active::{ActiveSweep, LoadError, largest_table};
use super::disk::Disk;
use super::sweeps::size;

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
    #[error("space: its {boxes} boxes take, with the claims, {} and a lease holds {}; put them into several sweeps", bytes(*needs as u128), bytes(MAX_LEASE_BYTES as u128))]
    TooManyBoxes {
        /// How many boxes.
        boxes: u32,
        /// Bytes of the space and the claims.
        needs: usize,
    },
    /// The data directory is full of them.
    #[error("the data directory has {most} sweeps, and no more are taken; start the coordinator on a new one (--data)")]
    TooManySweeps {
        /// How many there may be.
        most: usize,
    },
    /// The coordinator would keep too much.
    #[error("the sweeps here take as much as they may, {} of memory or {} steps to read them again, and this one does not fit beside them; start the coordinator on a new data directory (--data)", self::bytes(*bytes), grouped(*steps))]
    TooMuchKept {
        /// How many bytes they may keep.
        bytes: u128,
        /// How many steps they may take.
        steps: u128,
    },
    /// It was here before and has failed.
    #[error("sweep '{id}' failed before: {reason}; --fresh starts it anew")]
    Failed {
        /// Its id.
        id: String,
        /// Why it failed.
        reason: String,
    },
    /// It is there and cannot go on.
    #[error(transparent)]
    Control(#[from] ControlError),
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
            error @ (LoadError::SolverVersion { .. } | LoadError::Language { .. } | LoadError::Manifest { .. }) => {
                Self::Load(error.to_string())
            }
        }
    }
}

/// Whether a sweep fits into a lease: a worker is handed the whole space with every one.
///
/// # Errors
/// [`SubmitError::TooManyBoxes`].
pub fn check_lease(sweep: &Sweep) -> Result<(), SubmitError> {
    // A few bytes a claim for its tag and its length.
    let ids = sweep.claim_ids().iter().map(|id| id.len() + 8).sum::<usize>();
    let written = |claim: &&StatedClaim| {
        claim.condition.iter().chain([claim.sentence.written()]).map(|written| written.text.len() + 8).sum::<usize>()
    };
    let needs = sweep.space.encode().len() + ids + sweep.stated().iter().map(written).sum::<usize>();
    if needs > MAX_LEASE_BYTES { Err(SubmitError::TooManyBoxes { boxes: sweep.space.boxes(), needs }) } else { Ok(()) }
}

/// A sweep that can be submitted: resolved and cut, with all that costs time where it has many boxes. None of it needs the
/// driver's thread.
pub struct Prepared {
    pub(super) sweep: Sweep,
    plan: Plan,
    id: String,
    manifest_toml: String,
    /// The box whose tables are largest, in words, and what they take, in bytes.
    largest: (String, u128),
    encoded_space: String,
}

impl Prepared {
    /// Reads a manifest.
    ///
    /// # Errors
    /// [`SubmitError`]: the manifest, the plan, or the size of a lease.
    pub fn new(manifest: &str) -> Result<Self, SubmitError> {
        let sweep = Sweep::resolve(Manifest::parse(manifest)?)?;
        let plan = Plan::new(sweep.space.as_ref(), sweep.options())?;
        check_lease(&sweep)?;
        Ok(Self {
            plan,
            id: sweep.id(),
            manifest_toml: sweep.manifest.to_toml(),
            largest: largest_table(&sweep),
            encoded_space: sweep.space.encode(),
            sweep,
        })
    }

    /// The id that it has where it is not submitted anew.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it keeps in memory, in bytes, and how many steps it takes to read it.
    pub fn size(&self) -> (u128, u128) {
        size(&self.sweep, [&self.manifest_toml, &self.encoded_space])
    }

    /// How many must come to the same result for each shard.
    pub fn replicas(&self) -> u32 {
        self.sweep.options().replicas
    }

    /// Whether a worker that is there can solve it, if any worker is.
    ///
    /// # Errors
    /// [`SubmitError::TooLarge`].
    pub fn check_memory(&self, schedule: &Schedule) -> Result<(), SubmitError> {
        let (box_text, needs) = &self.largest;
        match schedule.workers().map(|worker| worker.info.slot_bytes).max() {
            Some(largest) if *needs > u128::from(largest) => {
                Err(SubmitError::TooLarge { box_text: box_text.clone(), needs: *needs, largest })
            }
            _ => Ok(()),
        }
    }

    /// The record of the sweep, submitted under an id after so many others.
    pub fn record(&self, id: String, sequence: u64, priority: i32, unix_ms: u64) -> SweepRecord {
        SweepRecord {
            id,
            manifest_toml: self.manifest_toml.clone(),
            family: self.sweep.family.id().to_owned(),
            solver_version: self.sweep.family.solver_version(),
            language: self.sweep.language(),
            plan: self.plan.clone(),
            state: SweepState::Queued,
            reason: None,
            created_unix_ms: unix_ms,
            active_ms: 0,
            priority,
            sequence,
            hosts: BTreeSet::new(),
            verifies: false,
        }
    }

    /// The sweep in memory, with nothing of it on disk but this record.
    pub fn activate(self, record: SweepRecord) -> ActiveSweep {
        ActiveSweep::of(record, self.sweep, self.encoded_space, self.largest.1)
    }
}

/// The first of id, id-2, id-3, … that is not there yet.
///
/// Cost: O(log n) looks at the disk where n are there, since no sweep is ever removed and so no number is left out.
///
/// # Errors
/// [`StoreError`].
pub fn fresh_id(disk: &impl Disk, id: &str) -> Result<String, StoreError> {
    let numbered = |number: u64| if number == 1 { id.to_owned() } else { format!("{id}-{number}") };
    let is_there = |number: u64| Ok::<bool, StoreError>(disk.sweep(&numbered(number))?.is_some());
    // Every number up to `there` is there, and `free` is not.
    let (mut there, mut free) = (0, 1);
    while is_there(free)? {
        (there, free) = (free, free * 2);
    }
    while free - there > 1 {
        let middle = there.midpoint(free);
        *(if is_there(middle)? { &mut there } else { &mut free }) = middle;
    }
    Ok(numbered(free))
}
