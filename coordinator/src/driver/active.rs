use std::sync::Arc;

use refute_shared::sweep::{Manifest, Smallest, Sweep, Tally};

use crate::schedule::{Opinion, RangeSet, SweepEntry};
use crate::store::{OpinionRecord, Store, StoreError, SweepRecord};

use super::rate::Rate;
use super::submit::largest_table;

/// A sweep in memory: what is on disk of it, added up.
pub struct ActiveSweep {
    pub sweep: Arc<Sweep>,
    pub record: SweepRecord,
    /// Its space as workers are handed it.
    pub encoded_space: String,
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
    SolverVersion { id: String, family: String, pinned: u32, ours: u32 },
    /// The program no longer understands it.
    #[error("the stored manifest of '{id}' is not understood by this version: {reason}")]
    Manifest { id: String, reason: String },
}

impl ActiveSweep {
    /// Takes up a sweep from disk.
    pub fn load(store: &Store, record: SweepRecord) -> Result<Self, LoadError> {
        let manifest = |reason: String| LoadError::Manifest { id: record.id.clone(), reason };
        let sweep = Manifest::parse(&record.manifest_toml).and_then(Sweep::resolve).map_err(|error| manifest(error.to_string()))?;
        let (pinned, ours) = (record.solver_version, sweep.family.solver_version());
        if pinned != ours {
            return Err(LoadError::SolverVersion { id: record.id, family: record.family, pinned, ours });
        }
        store.verify(&record.id)?;
        let claims = sweep.claims.len();
        let tally = store.tally(&record.id)?.unwrap_or_else(|| Tally::new(claims));
        if tally.claims.len() != claims {
            return Err(manifest(format!("it has {claims} claims and its tally {}", tally.claims.len())));
        }
        let mut kept = vec![Smallest::new(sweep.options().counterexamples); claims];
        let mut confirmed = vec![false; claims];
        for ((claim, kept), confirmed) in (0u32..).zip(&mut kept).zip(&mut confirmed) {
            for (key, found) in store.counterexamples(&record.id, claim, usize::MAX)? {
                kept.offer(key);
                *confirmed |= found.confirmed;
            }
        }
        let encoded_space = sweep.space.encode();
        Ok(Self { sweep: Arc::new(sweep), record, encoded_space, tally, kept, confirmed, rate: Rate::default(), written_ms: 0 })
    }

    /// What the schedule wants to know of it.
    pub fn entry(&self, store: &Store) -> Result<SweepEntry, StoreError> {
        let mut done = RangeSet::new();
        for range in store.done_shards(&self.record.id)? {
            done.insert_range(range);
        }
        let mut quarantined = RangeSet::new();
        for (shard, _) in store.quarantined(&self.record.id)? {
            quarantined.insert(shard);
        }
        let opinion = |(shard, record): (u64, OpinionRecord)| (shard, Opinion { instance: record.instance, digest: record.digest });
        Ok(SweepEntry {
            id: self.record.id.clone(),
            family: self.record.family.clone(),
            solver_version: self.record.solver_version,
            shards: self.record.plan.shards(),
            done,
            quarantined,
            bytes: largest_table(&self.sweep).1,
            state: self.record.state,
            reason: self.record.reason.clone(),
            priority: self.record.priority,
            replicas: self.sweep.options().replicas,
            opinions: store.opinions(&self.record.id)?.into_iter().map(opinion).collect(),
        })
    }

    /// How many claims have a confirmed counterexample.
    pub fn claims_refuted(&self) -> usize {
        self.confirmed.iter().filter(|confirmed| **confirmed).count()
    }
}
