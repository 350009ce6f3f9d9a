//! A result on its way: as a worker hands it over, and what can be said about it without the schedule.

use refute_shared::families::Counterexample;
use refute_shared::sweep::{Candidate, ShardResult, record_hash};
use refute_shared::text::quoted;
use serde::Serialize;

use crate::schedule::{LeaseId, ResultStanding, Vote, WorkerId};

use super::active::ActiveSweep;

/// A shard's result as a worker handed it over.
#[derive(Debug)]
pub struct Delivery {
    /// Who.
    pub worker: WorkerId,
    /// The name that the worker chose when it started.
    pub instance: String,
    /// Under which lease; the first valid result counts whatever its lease.
    pub lease: LeaseId,
    /// Of which sweep.
    pub sweep_id: String,
    /// Of which shard.
    pub shard_number: u64,
    /// What it came to.
    pub result: ShardResult,
    /// Wall time spent on it, in seconds.
    pub seconds: f64,
}

/// Why a result was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryError {
    /// There is no such sweep or shard, or the sweep takes no results any more.
    #[error("{0}")]
    NotWanted(String),
    /// It cannot be the result of this shard.
    #[error("this cannot be the result of shard {shard_number} of '{}': {problem}", quoted(sweep_id))]
    Invalid {
        /// The sweep.
        sweep_id: String,
        /// The shard.
        shard_number: u64,
        /// What does not fit.
        problem: String,
    },
    /// It could not be written; the worker keeps it and comes back.
    #[error("the result could not be written: {0}")]
    NotWritten(String),
    /// Its worker has handed it in again, and that call is answered instead.
    #[error("the same result came in again, and is answered there")]
    HandedInAgain,
}

/// What tells a result from every other one: its sweep, its shard, and who came to what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultKey {
    /// The sweep.
    pub sweep_id: String,
    /// The shard.
    pub shard_number: u64,
    /// The worker and the hash of its result.
    pub vote: Vote,
}

/// A result that can be that of its shard, and who waits to hear what becomes of it.
pub struct Checked<C> {
    /// As it came.
    pub delivery: Delivery,
    /// The host it came from; empty if its worker is not known any more.
    pub host: String,
    /// Its hash.
    pub digest: u128,
    /// Who waits.
    pub caller: C,
}

/// A result that waits to be written.
pub struct Ready<C> {
    /// The result.
    pub checked: Checked<C>,
    /// What the reference says.
    pub reference: ReferenceVerdict,
}

/// What the reference says about the counterexamples of a result that would be kept.
pub enum ReferenceVerdict {
    /// It was not asked, since others must agree first.
    NotAsked,
    /// They stand.
    Confirmed(Vec<Confirmed>),
    /// One of them does not, and why.
    Contradicts(String),
}

/// A counterexample that stands, ready to be written.
pub struct Confirmed {
    /// The claim, by its place in the sweep.
    pub claim: u32,
    /// The family's key.
    pub key: Vec<u8>,
    /// The counterexample.
    pub counterexample: Counterexample,
}

impl<C> Checked<C> {
    /// What the schedule needs to know about it.
    pub fn vote(&self) -> Vote {
        Vote { instance: self.delivery.instance.clone(), host: self.host.clone(), digest: self.digest }
    }

    /// What tells it from every other one.
    pub fn key(&self) -> ResultKey {
        ResultKey { sweep_id: self.delivery.sweep_id.clone(), shard_number: self.delivery.shard_number, vote: self.vote() }
    }
}

/// The counterexamples of a result that are small enough to be kept.
pub fn candidates(active: &ActiveSweep, result: &ShardResult) -> Vec<(u32, Candidate)> {
    let mut entering = Vec::new();
    for ((claim, kept), candidates) in (0u32..).zip(&active.kept).zip(&result.counterexamples) {
        entering.extend(candidates.iter().filter(|candidate| kept.would_keep(&candidate.key)).map(|candidate| (claim, candidate.clone())));
    }
    entering
}

/// Why nobody wants a result of this standing, if that is so.
pub fn not_wanted(delivery: &Delivery, standing: ResultStanding) -> Option<String> {
    let id = &delivery.sweep_id;
    match standing {
        ResultStanding::Decides { .. } | ResultStanding::Vote => None,
        ResultStanding::Repeated | ResultStanding::Checks | ResultStanding::Duplicate => None,
        ResultStanding::UnknownSweep => Some(format!("there is no sweep '{id}'")),
        ResultStanding::NoSuchShard => Some(format!("sweep '{id}' has no shard {}", delivery.shard_number)),
        ResultStanding::SweepClosed => Some(format!("sweep '{id}' takes no more results")),
        ResultStanding::Banned => Some(format!("worker {} was contradicted by others, and no result of its is taken", delivery.worker)),
    }
}

/// The hash of a result, to compare two of them by.
///
/// # Errors
/// A sentence if it cannot be written as JSON.
pub fn digest(result: &impl Serialize) -> Result<u128, String> {
    // Every part has one order, so equal results have equal texts.
    let text = serde_json::to_vec(result)
        .map_err(|error| format!("a result cannot be written as JSON, so that it cannot be compared: {error}"))?;
    Ok(record_hash(&text))
}
