//! A sweep in memory: its record, its tally and its kept counterexamples as they are on disk, and why one on disk cannot be
//! taken up again.

use std::sync::Arc;

use refute_shared::language;
use refute_shared::sweep::{Manifest, MergeError, Shard, Smallest, Sweep, Tally};

use crate::schedule::SweepEntry;
use crate::store::{MAX_HOSTS, StoreError, SweepRecord};

use super::disk::SweepProgress;
use super::rate::Rate;

/// How many counts by coverage and by group a sweep may keep, besides so many for each of its boxes: all of them are written
/// with every result.
const MAX_COUNTS: usize = 1 << 16;
const MAX_COUNTS_A_BOX: usize = 64;

/// What a sweep keeps besides its texts and its boxes, in bytes: its record, its plan, its claims.
const SWEEP_BYTES: u128 = 4 << 10;

/// A sweep in memory: what is on disk of it, added up.
pub struct ActiveSweep {
    pub sweep: Arc<Sweep>,
    pub record: SweepRecord,
    /// Its space as workers are handed it.
    pub encoded_space: String,
    /// What the tables of its largest box take, in bytes.
    bytes: u128,
    pub tally: Tally,
    /// The keys of the kept counterexamples of each claim.
    pub kept: Vec<Smallest<Vec<u8>>>,
    /// Whether a counterexample of each claim was confirmed.
    pub confirmed: Vec<bool>,
    pub rate: Rate,
    /// When its record was last written, for the running time in it.
    pub written_ms: u64,
}

/// Why a sweep on disk cannot be taken up again.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another version of the solver began it.
    #[error("'{id}' is pinned to solver version {pinned} of {family} and this program has {ours}; --fresh starts it anew")]
    SolverVersion {
        /// Its id.
        id: String,
        /// Its family.
        family: String,
        /// The version that it is pinned to.
        pinned: u32,
        /// The version of this program.
        ours: u32,
    },
    /// Its claims are in another version of the language.
    #[error(
        "the claims that '{id}' states are in version {pinned} of the language, and this program, of version {}, reads them as something else; --fresh starts it anew",
        language::VERSION
    )]
    Language {
        /// Its id.
        id: String,
        /// The version that it is pinned to.
        pinned: u32,
    },
    /// The program no longer understands it.
    #[error("the stored manifest of '{id}' is not understood by this version: {reason}")]
    Manifest {
        /// Its id.
        id: String,
        /// What is not understood.
        reason: String,
    },
}

/// Why a result cannot be added to its sweep; nothing is changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddError {
    /// The sums.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// It would keep too much.
    #[error("the sweep would keep {counts} counts by box, and keeps at most {most}")]
    TooManyCounts {
        /// How many counts by coverage and by group there would be.
        counts: usize,
        /// How many there may be.
        most: usize,
    },
}

impl ActiveSweep {
    /// Adds the counts of a result.
    ///
    /// # Errors
    /// [`AddError`]; nothing is added then.
    pub fn add(&mut self, part: &Tally) -> Result<(), AddError> {
        let most = MAX_COUNTS + MAX_COUNTS_A_BOX * self.sweep.space.boxes() as usize;
        let counts = self.tally.counts_with(part);
        if counts > most {
            return Err(AddError::TooManyCounts { counts, most });
        }
        Ok(self.tally.merge(part)?)
    }

    /// A sweep with nothing read from disk but its record.
    pub fn of_record(record: SweepRecord) -> Result<Self, LoadError> {
        let parsed = Manifest::parse(&record.manifest_toml).and_then(Sweep::resolve);
        let sweep = parsed.map_err(|error| LoadError::Manifest { id: record.id.clone(), reason: error.to_string() })?;
        Self::new(record, sweep)
    }

    /// The same where its manifest has been resolved already.
    pub fn new(record: SweepRecord, sweep: Sweep) -> Result<Self, LoadError> {
        let (pinned, ours) = (record.solver_version, sweep.family.solver_version());
        if pinned != ours {
            return Err(LoadError::SolverVersion { id: record.id, family: record.family, pinned, ours });
        }
        // What the claims take today is what they took then, unless a name in them means something else by now.
        let ours = sweep.language();
        if let Some(pinned) = record.language.filter(|pinned| Some(*pinned) != ours) {
            return Err(LoadError::Language { id: record.id, pinned });
        }
        let (encoded_space, bytes) = (sweep.space.encode(), largest_table(&sweep).1);
        Ok(Self::of(record, sweep, encoded_space, bytes))
    }

    /// The same where what follows from its boxes is known, and it is of this version.
    pub(super) fn of(record: SweepRecord, sweep: Sweep, encoded_space: String, bytes: u128) -> Self {
        Self {
            record,
            encoded_space,
            bytes,
            tally: Tally::new(sweep.claims.len()),
            kept: Vec::new(),
            confirmed: Vec::new(),
            rate: Rate::default(),
            written_ms: 0,
            sweep: Arc::new(sweep),
        }
    }

    /// Takes what is on disk of it in place of what was in memory. On an error it stays as it was.
    pub fn take(&mut self, progress: &SweepProgress) -> Result<(), LoadError> {
        let claims = self.sweep.claims.len();
        let tally = progress.tally.clone().unwrap_or_else(|| Tally::new(claims));
        let manifest = |reason: String| LoadError::Manifest { id: self.record.id.clone(), reason };
        if tally.claims.len() != claims {
            return Err(manifest(format!("it has {claims} claims and its tally {}", tally.claims.len())));
        }
        let lists = self.sweep.lists();
        let mut kept = vec![Smallest::new(self.sweep.options().counterexamples); lists];
        let mut confirmed = vec![false; lists];
        for (claim, key, is_confirmed) in &progress.counterexamples {
            let claim = *claim as usize;
            let (Some(kept), Some(confirmed)) = (kept.get_mut(claim), confirmed.get_mut(claim)) else {
                return Err(manifest(format!("it has {claims} claims and a counterexample to claim {claim}")));
            };
            kept.offer(key.clone());
            *confirmed |= is_confirmed;
        }
        (self.tally, self.kept, self.confirmed) = (tally, kept, confirmed);
        Ok(())
    }

    /// What the schedule needs to know about it.
    pub fn entry(&self, progress: SweepProgress) -> SweepEntry {
        SweepEntry {
            id: self.record.id.clone(),
            family: self.record.family.clone(),
            solver_version: self.record.solver_version,
            language: self.record.language,
            shards: self.record.plan.shards(),
            done: progress.done,
            quarantined: progress.quarantined,
            bytes: self.bytes,
            state: self.record.state,
            reason: self.record.reason.clone(),
            priority: self.record.priority,
            replicas: self.sweep.options().replicas,
            unverified: progress.unverified,
            votes: progress.votes,
        }
    }

    /// Notes a host from which a result came, and says whether it is new.
    pub fn note_host(&mut self, host: &str) -> bool {
        let hosts = &mut self.record.hosts;
        !host.is_empty() && hosts.len() < MAX_HOSTS && hosts.insert(host.to_owned())
    }

    /// From now on so many workers must agree: the manifest says so, and the record that fewer were enough before. `again` is the
    /// same sweep as it was submitted now, with the same boxes and claims.
    pub fn verifying(&self, replicas: u32, again: Sweep) -> Self {
        let mut manifest = self.sweep.manifest.clone();
        manifest.run.replicas = replicas;
        let record = SweepRecord { manifest_toml: manifest.to_toml(), verifies: true, ..self.record.clone() };
        Self {
            tally: self.tally.clone(),
            kept: self.kept.clone(),
            confirmed: self.confirmed.clone(),
            rate: self.rate.clone(),
            written_ms: self.written_ms,
            ..Self::of(record, Sweep { manifest, ..again }, self.encoded_space.clone(), self.bytes)
        }
    }

    /// How many claims have a confirmed counterexample.
    pub fn claims_refuted(&self) -> usize {
        self.confirmed.iter().filter(|confirmed| **confirmed).count()
    }
}

/// The box of a sweep whose tables are largest, in words, and how many bytes they are.
#[must_use]
pub fn largest_table(sweep: &Sweep) -> (String, u128) {
    let table = |box_index| {
        let whole = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
        (sweep.space.describe(box_index), sweep.space.cost(&whole).bytes)
    };
    // A sweep without boxes, which no manifest describes, needs no table.
    (0..sweep.space.boxes()).map(table).max_by_key(|(_, bytes)| *bytes).unwrap_or_default()
}

/// What a sweep keeps in memory, in bytes, and how many steps it takes to read it.
pub fn size(sweep: &Sweep, texts: [&str; 2]) -> (u128, u128) {
    let room = sweep.space.room();
    let texts = texts.iter().map(|text| text.len() as u128).sum::<u128>();
    (SWEEP_BYTES + 64 * u128::from(sweep.space.boxes()) + texts + room.bytes(), room.work())
}
