//! A lease as the coordinator sends it, read and checked.

use std::str::FromStr;

use refute_proto::v1;
use refute_proto::v1::stated_claim;
use refute_shared::sweep::{Record, Sentence, Shard, StatedClaim, Written};

use crate::assignment::Assignment;

/// Why a lease makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("lease {lease_id} of shard {shard_number} of sweep '{sweep_id}' {problem}")]
pub struct LeaseError {
    /// The lease.
    pub lease_id: u64,
    /// Its shard.
    pub shard_number: u64,
    /// The shard's sweep.
    pub sweep_id: String,
    /// What is wrong with it.
    pub problem: LeaseProblem,
}

/// What is wrong with a lease.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeaseProblem {
    /// Its units are missing.
    #[error("does not say which units")]
    NoUnits,
    /// There is no unit from `start` to before `end`.
    #[error("is of units {start}..{end}, which are none")]
    EmptyUnits {
        /// The first.
        start: u64,
        /// The one behind the last.
        end: u64,
    },
    /// What it asks to record is not known here.
    #[error("asks to record '{record}'; none, losing and all are known")]
    Record {
        /// The word.
        record: String,
    },
    /// A claim that the manifest states says nothing.
    #[error("has a claim '{id}' that says nothing")]
    Claim {
        /// The claim.
        id: String,
    },
    /// The number of counterexamples to keep does not fit this machine.
    #[error("keeps {counterexamples} counterexamples")]
    Counterexamples {
        /// The number.
        counterexamples: u32,
    },
}

/// Reads a lease.
///
/// # Errors
/// [`LeaseError`].
pub fn assignment(lease: v1::Lease) -> Result<Assignment, LeaseError> {
    let wrong =
        |problem| LeaseError { lease_id: lease.lease_id, shard_number: lease.shard_number, sweep_id: lease.sweep_id.clone(), problem };
    let shard = lease.shard.ok_or_else(|| wrong(LeaseProblem::NoUnits))?;
    if shard.start >= shard.end {
        return Err(wrong(LeaseProblem::EmptyUnits { start: shard.start, end: shard.end }));
    }
    let record = Record::from_str(&lease.record).map_err(|()| wrong(LeaseProblem::Record { record: lease.record.clone() }))?;
    let counterexamples = usize::try_from(lease.counterexamples)
        .map_err(|_| wrong(LeaseProblem::Counterexamples { counterexamples: lease.counterexamples }))?;
    let stated = lease.stated.iter().map(|claim| stated(claim).ok_or_else(|| wrong(LeaseProblem::Claim { id: claim.id.clone() })));
    let stated = stated.collect::<Result<_, _>>()?;
    Ok(Assignment {
        lease_id: lease.lease_id,
        sweep_id: lease.sweep_id,
        shard_number: lease.shard_number,
        shard: Shard { box_index: shard.box_index, start: shard.start, end: shard.end },
        family: lease.family,
        solver_version: lease.solver_version,
        space: lease.space,
        stated,
        claims: lease.claims,
        counterexamples,
        record,
    })
}

/// A claim that the manifest states; none if it says nothing.
fn stated(claim: &v1::StatedClaim) -> Option<StatedClaim> {
    let sentence = match claim.sentence.clone()? {
        stated_claim::Sentence::Says(text) => Sentence::Says(Written::new(text)),
        stated_claim::Sentence::Predict(text) => Sentence::Predict(Written::new(text)),
    };
    let condition = claim.r#where.clone().map(Written::new);
    Some(StatedClaim { id: claim.id.clone(), source: None, title: None, per: claim.per.clone(), condition, sentence })
}
