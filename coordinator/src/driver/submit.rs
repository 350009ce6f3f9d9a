//! A sweep on its way in: what is checked before anything is written.

use std::collections::BTreeSet;

use refute_proto::MAX_MESSAGE_BYTES;
use refute_shared::language;
use refute_shared::sweep::{Manifest, ManifestError, Plan, PlanError, StatedClaim, Sweep};
use refute_shared::text::bytes;

use crate::schedule::{ControlError, Schedule, SweepState};
use crate::store::{StoreError, SweepRecord};

use super::active::{LoadError, largest_table};
use super::disk::Disk;

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

/// A sweep that can be submitted, and how it is cut.
///
/// # Errors
/// [`SubmitError`]: the manifest, the plan, or the size of a lease.
pub fn prepare(manifest: &str) -> Result<(Sweep, Plan), SubmitError> {
    let sweep = Sweep::resolve(Manifest::parse(manifest)?)?;
    let plan = Plan::new(sweep.space.as_ref(), sweep.options())?;
    check_lease(&sweep)?;
    Ok((sweep, plan))
}

/// Whether a worker that is there can solve it, if any worker is.
///
/// # Errors
/// [`SubmitError::TooLarge`].
pub fn check_memory(schedule: &Schedule, sweep: &Sweep) -> Result<(), SubmitError> {
    let (box_text, needs) = largest_table(sweep);
    match schedule.workers().map(|worker| worker.info.slot_bytes).max() {
        Some(largest) if needs > u128::from(largest) => Err(SubmitError::TooLarge { box_text, needs, largest }),
        _ => Ok(()),
    }
}

/// The first of id, id-2, id-3, … that is not there yet.
///
/// # Errors
/// [`StoreError`].
pub fn fresh_id(disk: &impl Disk, id: String) -> Result<String, StoreError> {
    let mut candidate = id.clone();
    let mut number = 2;
    while disk.sweep(&candidate)?.is_some() {
        candidate = format!("{id}-{number}");
        number += 1;
    }
    Ok(candidate)
}

/// The record of a sweep that is submitted now, after all that are there.
///
/// # Errors
/// [`StoreError`].
pub fn record_of(disk: &impl Disk, id: String, sweep: &Sweep, plan: Plan, priority: i32, unix_ms: u64) -> Result<SweepRecord, StoreError> {
    let sequence = disk.sweeps()?.iter().map(|record| record.sequence + 1).max().unwrap_or(0);
    Ok(SweepRecord {
        id,
        manifest_toml: sweep.manifest.to_toml(),
        family: sweep.family.id().to_owned(),
        solver_version: sweep.family.solver_version(),
        language: Some(language::VERSION).filter(|_| !sweep.stated().is_empty()),
        plan,
        state: SweepState::Queued,
        reason: None,
        created_unix_ms: unix_ms,
        active_ms: 0,
        priority,
        sequence,
        hosts: BTreeSet::new(),
        verifies: false,
    })
}
