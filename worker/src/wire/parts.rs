//! A result as the messages that hand it back.

use std::ops::Bound;
use std::sync::Arc;

use prost::Message;
use refute_proto::MAX_MESSAGE_BYTES;
use refute_proto::v1;
use refute_proto::v1::complete_request::Part;
use refute_shared::sweep::{Candidate, ClaimTally, CoverageKey, Group, KeptRecord, ShardResult, Tally};

use crate::assignment::Solved;

/// What the items of one part may take when encoded, in bytes; the rest of the message is for what stands around them.
pub(super) const PART_BYTES: usize = MAX_MESSAGE_BYTES - 1024;

/// An item of a result that does not fit into a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a {item} of the result takes {bytes} bytes and a message holds {PART_BYTES}")]
pub struct TooLarge {
    /// What it is.
    pub item: &'static str,
    /// What it takes.
    pub bytes: usize,
}

/// Whether every item of a result fits into a message; whatever does can be sent by [`Parts`].
///
/// Cost: O(size of the result).
///
/// # Errors
/// [`TooLarge`].
pub fn check_sendable(result: &ShardResult) -> Result<(), TooLarge> {
    let claims = claim_counts(&result.tally);
    let checks = [
        ("header", claims.iter().map(item_bytes).sum()),
        ("counterexample", result.counterexamples.iter().flatten().map(|item| item_bytes(&candidate(item))).max().unwrap_or(0)),
        ("record", result.records.iter().map(|item| item_bytes(&record(item))).max().unwrap_or(0)),
        ("group count", result.tally.groups.0.iter().map(|item| item_bytes(&group(item))).max().unwrap_or(0)),
        ("coverage count", result.tally.coverage.0.iter().map(|item| item_bytes(&coverage(item))).max().unwrap_or(0)),
    ];
    match checks.into_iter().find(|(_, bytes)| *bytes > PART_BYTES) {
        Some((item, bytes)) => Err(TooLarge { item, bytes }),
        None => Ok(()),
    }
}

/// A result as messages, each below [`MAX_MESSAGE_BYTES`], made one at a time: a header, then the counterexamples, the
/// records, the coverage and the groups. Every counterexample, record and count is in exactly one of them, in order.
///
/// The result must have passed [`check_sendable`].
#[derive(Debug)]
pub struct Parts {
    worker_id: u64,
    instance: String,
    solved: Arc<Solved>,
    next: Next,
}

/// What the next message starts with.
#[derive(Debug)]
enum Next {
    Header,
    Counterexamples { claim: usize, from: usize },
    Records { from: usize },
    Coverage { after: Bound<CoverageKey> },
    Groups { after: Bound<(u32, Group)> },
    Nothing,
}

impl Parts {
    /// The messages that hand back `solved` in the name of this worker.
    #[must_use]
    pub fn new(worker_id: u64, instance: &str, solved: Arc<Solved>) -> Self {
        Self { worker_id, instance: instance.to_owned(), solved, next: Next::Header }
    }
}

impl Iterator for Parts {
    type Item = v1::CompleteRequest;

    fn next(&mut self) -> Option<Self::Item> {
        let result = &self.solved.result;
        loop {
            match &mut self.next {
                Next::Header => {
                    self.next = Next::Counterexamples { claim: 0, from: 0 };
                    return Some(message(Part::Header(header(self.worker_id, &self.instance, &self.solved))));
                }
                Next::Counterexamples { claim, from } => {
                    let Some(list) = result.counterexamples.get(*claim) else {
                        self.next = Next::Records { from: 0 };
                        continue;
                    };
                    let candidates = chunk(list[*from..].iter().map(candidate));
                    if candidates.is_empty() {
                        self.next = Next::Counterexamples { claim: *claim + 1, from: 0 };
                        continue;
                    }
                    *from += candidates.len();
                    // The claims fit the header, so their number fits 32 bits.
                    return Some(message(Part::Counterexamples(v1::CounterexamplePart { claim: *claim as u32, candidates })));
                }
                Next::Records { from } => {
                    let records = chunk(result.records[*from..].iter().map(record));
                    if records.is_empty() {
                        self.next = Next::Coverage { after: Bound::Unbounded };
                        continue;
                    }
                    *from += records.len();
                    return Some(message(Part::Records(v1::RecordPart { records })));
                }
                Next::Coverage { after } => {
                    let rest = || result.tally.coverage.0.range((after.as_ref(), Bound::Unbounded));
                    let counts = chunk(rest().map(coverage));
                    let Some((last, _)) = counts.len().checked_sub(1).and_then(|index| rest().nth(index)) else {
                        self.next = Next::Groups { after: Bound::Unbounded };
                        continue;
                    };
                    let after = Bound::Excluded(last.clone());
                    self.next = Next::Coverage { after };
                    return Some(message(Part::Coverage(v1::CoveragePart { counts })));
                }
                Next::Groups { after } => {
                    let rest = || result.tally.groups.0.range((after.as_ref(), Bound::Unbounded));
                    let counts = chunk(rest().map(group));
                    let Some((last, _)) = counts.len().checked_sub(1).and_then(|index| rest().nth(index)) else {
                        self.next = Next::Nothing;
                        continue;
                    };
                    let after = Bound::Excluded(last.clone());
                    self.next = Next::Groups { after };
                    return Some(message(Part::Groups(v1::GroupPart { counts })));
                }
                Next::Nothing => return None,
            }
        }
    }
}

/// As many items from the front as one part holds; at least one if there is one.
fn chunk<M: Message>(items: impl Iterator<Item = M>) -> Vec<M> {
    let mut chunk = Vec::new();
    let mut bytes = 0;
    for item in items {
        bytes += item_bytes(&item);
        if bytes > PART_BYTES && !chunk.is_empty() {
            break;
        }
        chunk.push(item);
    }
    chunk
}

/// An upper bound on what an item of a repeated field takes when encoded: itself, a tag and a length.
fn item_bytes(item: &impl Message) -> usize {
    const TAG_AND_LENGTH: usize = 6;
    item.encoded_len() + TAG_AND_LENGTH
}

fn message(part: Part) -> v1::CompleteRequest {
    v1::CompleteRequest { part: Some(part) }
}

fn header(worker_id: u64, instance: &str, solved: &Solved) -> v1::CompleteHeader {
    let Solved { assignment, result, seconds } = solved;
    v1::CompleteHeader {
        worker_id,
        lease_id: assignment.lease_id,
        sweep_id: assignment.sweep_id.clone(),
        shard_number: assignment.shard_number,
        decided: Some(result.tally.decided.into()),
        claims: claim_counts(&result.tally),
        records_hash: Some(result.tally.records_hash.into()),
        seconds: *seconds,
        instance: instance.to_owned(),
        // There are at most as many as claims, of which a sweep has at most 128.
        stated: u32::try_from(result.counterexamples.len().saturating_sub(result.tally.claims.len())).unwrap_or(0),
    }
}

fn claim_counts(tally: &Tally) -> Vec<v1::ClaimCounts> {
    let some = |count: u128| (count > 0).then(|| count.into());
    let counts = |claim: &ClaimTally| v1::ClaimCounts {
        held: Some(claim.held.into()),
        refuted: Some(claim.refuted.into()),
        vacuous: some(claim.vacuous),
        undefined: some(claim.undefined),
    };
    tally.claims.iter().map(counts).collect()
}

fn candidate(candidate: &Candidate) -> v1::Candidate {
    v1::Candidate { key: candidate.key.clone(), actual: candidate.actual.clone() }
}

fn record(record: &KeptRecord) -> v1::Record {
    v1::Record { key: record.key.clone(), value: record.value.clone() }
}

fn group(((box_index, group), count): (&(u32, Group), &u128)) -> v1::GroupCount {
    v1::GroupCount { box_index: *box_index, label: group.encode(), count: Some((*count).into()) }
}

fn coverage((key, count): (&CoverageKey, &u128)) -> v1::CoverageCount {
    v1::CoverageCount { box_index: key.box_index, value: key.value.clone(), claims: Some(key.claims.into()), count: Some((*count).into()) }
}
