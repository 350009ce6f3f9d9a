//! Sweeps: a manifest becomes a space and claims, the space is cut into shards, their tallies add up to a result.

mod fingerprint;
mod manifest;
mod manifest_error;
mod plan;
mod range;
mod resolved;
mod shard;
mod smallest;
mod stated;
mod stated_toml;
mod tally;

pub use fingerprint::{Fingerprint, record_hash};
pub use manifest::{Manifest, Override, OverrideError, Record, RunOptions};
pub use manifest_error::ManifestError;
pub use plan::{BoxPlan, MAX_SHARDS, Plan, PlanError};
pub use range::{Range, RangeError};
pub use resolved::Sweep;
pub use shard::Shard;
pub use smallest::{Offer, Smallest};
pub use stated::{Sentence, Stated, StatedClaim, Written};
pub use tally::{Candidate, ClaimTally, Coverage, CoverageKey, Group, GroupKind, Groups, KeptRecord, MergeError, ShardResult, Tally};
