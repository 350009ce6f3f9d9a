//! The values of the layout that `mod.rs` documents, field by field, and all that the result of one shard changes.

use std::collections::BTreeSet;

use refute_shared::families::Counterexample;
use refute_shared::sweep::{KeptRecord, Plan, ShardResult, Tally};
use serde::{Deserialize, Deserializer, Serialize};

use crate::schedule::SweepState;

/// A sweep as it was submitted, and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRecord {
    /// Its id.
    pub id: String,
    /// The manifest, as text.
    pub manifest_toml: String,
    /// The id of its family.
    pub family: String,
    /// The only version of the family's solver that may solve it.
    pub solver_version: u32,
    /// The least version of the language that may read the claims that the manifest states, if it states any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<u32>,
    /// How it is cut into shards. Never changes, since shard numbers refer to it.
    pub plan: Plan,
    /// Where it stands.
    pub state: SweepState,
    /// Why, where it failed.
    pub reason: Option<String>,
    /// When it was submitted, in wall time: for display only.
    pub created_unix_ms: u64,
    /// For how long it has been running, restarts left out: for display only.
    pub active_ms: u64,
    /// Sweeps of higher priority go first.
    pub priority: i32,
    /// Sweeps are in the order of this number, which grows with each submission.
    pub sequence: u64,
    /// The hosts from which results came, at most [`MAX_HOSTS`] of them; none of those that came before hosts were noted.
    #[serde(default)]
    pub hosts: BTreeSet<String>,
    /// Whether two workers must agree since it was submitted again, and one was enough before.
    #[serde(default)]
    pub verifies: bool,
}

/// How many hosts of a sweep are noted.
pub const MAX_HOSTS: usize = 4_096;

/// How many disagreeing results are kept a shard.
pub const MAX_DISAGREEMENTS: usize = 16;

/// The result of a shard that counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardRecord {
    /// The hash of the canonical result, to compare later results with.
    pub digest: u128,
    /// Who solved it, for people.
    pub worker: String,
    /// The worker, by the name it chose when it started; empty where that was not noted.
    #[serde(default)]
    pub instance: String,
    /// Its host; empty where that was not noted.
    #[serde(default)]
    pub host: String,
    /// Seconds that it took, for people. What is no number, or infinite, is read back as 0.
    #[serde(deserialize_with = "number_or_zero")]
    pub seconds: f64,
    /// Configurations decided.
    pub decided: u128,
    /// What it came to by itself, so that the totals can be summed up again; none in format 1.
    #[serde(default)]
    pub tally: Option<Tally>,
    /// How many solved positions it gave to keep.
    #[serde(default)]
    pub records: u64,
    /// Other workers that agreed, for people.
    #[serde(default)]
    pub agreed: Vec<String>,
    /// Other results that were different, at most [`MAX_DISAGREEMENTS`] of them.
    #[serde(default)]
    pub disagreements: Vec<Disagreement>,
}

/// A later result for a shard that is not the same as the one that counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The hash of the canonical result.
    pub digest: u128,
    /// Who solved it, for people.
    pub worker: String,
}

/// A result that others must come to as well before it counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VoteRecord {
    /// The worker, by the name it chose when it started.
    pub instance: String,
    /// The host it came from; empty where that is not known, as of those that were written before hosts were.
    #[serde(default)]
    pub host: String,
    /// Who that is, for people.
    pub worker: String,
    /// The hash of the canonical result.
    pub digest: u128,
    /// Seconds that it took, for people. What is no number, or infinite, is read back as 0.
    #[serde(deserialize_with = "number_or_zero")]
    pub seconds: f64,
    /// What the reference said against it, where it did.
    pub contradicted: Option<String>,
    /// The result itself.
    pub result: ShardResult,
}

/// Why a shard was quarantined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantineRecord {
    /// How many attempts went wrong.
    pub attempts: u32,
    /// How the last one went wrong.
    pub error: String,
}

/// What the results of a sweep come to, and how much was kept of them, so that a loss is noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TotalsRecord {
    /// The sum over the done shards.
    pub tally: Tally,
    /// How many counterexamples the sweep has on disk.
    pub counterexamples: u64,
    /// How many solved positions the sweep has on disk.
    pub records: u64,
}

/// All that the result of one shard changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardCommit {
    /// The sweep.
    pub sweep_id: String,
    /// The shard.
    pub shard_number: u64,
    /// Its record.
    pub record: ShardRecord,
    /// The instances of the workers that agreed before, whose votes are no longer kept.
    pub agreed: Vec<String>,
    /// The whole tally of the sweep with this shard and those before it in the same batch.
    pub tally: Tally,
    /// Counterexamples to put, which must be new: the claim, by its place in the sweep's list, and the family's key.
    pub put_counterexamples: Vec<(u32, Vec<u8>, Counterexample)>,
    /// Counterexamples that smaller ones have pushed out, which must be there, perhaps from the same batch.
    pub delete_counterexamples: Vec<(u32, Vec<u8>)>,
    /// Solved positions to keep, which must be new.
    pub records: Vec<KeptRecord>,
}

/// JSON has no word for what is no number or infinite, so such a number is written as null.
fn number_or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::<f64>::deserialize(deserializer).map(Option::unwrap_or_default)
}
