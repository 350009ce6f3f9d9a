//! What shows that a result cannot be that of its shard. Whatever a worker hands in is held against what the sweep asks for and
//! what the family can produce, before anything of it is added.

use std::collections::BTreeSet;

use refute_shared::sweep::{Candidate, GroupKind, Record, Shard, ShardResult, Sweep, Tally};

use super::delivery::Delivery;

/// The most counts by coverage and by group that one result may have. The largest box of any family has some hundreds.
const MAX_COUNTS: usize = 1 << 14;

/// The longest value of a coverage class, in bytes.
const MAX_CLASS_BYTES: usize = 64;

/// The longest label of a group, in bytes.
const MAX_LABEL_BYTES: usize = 255;

/// What shows that a result cannot be that of a shard of so many configurations, if anything does.
///
/// Cost: O(size of the result), and each of its keys is decoded.
pub fn problem(sweep: &Sweep, shard: &Shard, decided: u128, delivery: &Delivery) -> Option<&'static str> {
    let Delivery { result, seconds, .. } = delivery;
    if !seconds.is_finite() || *seconds < 0.0 {
        return Some("its seconds are no time that something takes");
    }
    if !result.tally.is_consistent(decided, sweep.claims.len()) {
        return Some("its counts do not add up to the configurations of the shard");
    }
    problem_of_counterexamples(sweep, shard, result)
        .or_else(|| problem_of_coverage(sweep, shard, &result.tally))
        .or_else(|| problem_of_groups(sweep, shard, &result.tally))
        .or_else(|| problem_of_records(sweep, shard, result))
}

fn problem_of_counterexamples(sweep: &Sweep, shard: &Shard, result: &ShardResult) -> Option<&'static str> {
    let ShardResult { tally, counterexamples, .. } = result;
    if counterexamples.len() != sweep.lists() {
        return Some("it has counterexamples for another number of claims");
    }
    if tally.claims.iter().skip(sweep.stated().len()).any(|counts| counts.undefined > 0) {
        return Some("it counts what is not defined for a claim that is defined everywhere");
    }
    let kept = |refuted: u128| u128::min(refuted, sweep.options().counterexamples as u128);
    // Behind the lists of the claims are those of what is not defined, of the claims that the manifest states.
    let counted = tally.claims.iter().map(|counts| counts.refuted).chain(tally.claims.iter().map(|counts| counts.undefined));
    let fits = |(count, kept_here): (u128, &Vec<Candidate>)| {
        kept_here.len() as u128 == kept(count) && kept_here.is_sorted_by(|a, b| a.key < b.key)
    };
    if !counted.zip(counterexamples).all(fits) {
        return Some("its counterexamples are not the smallest ones of those that it counts");
    }
    let is_one = |found: &Candidate| is_plain(&found.actual) && sweep.space.has_key(shard.box_index, &found.key);
    if !counterexamples.iter().flatten().all(is_one) {
        return Some("one of its counterexamples is no configuration of the box, or its value is no plain text");
    }
    None
}

fn problem_of_coverage(sweep: &Sweep, shard: &Shard, tally: &Tally) -> Option<&'static str> {
    let coverage = &tally.coverage.0;
    let covered = coverage.values().try_fold(0u128, |sum, count| sum.checked_add(*count));
    if !coverage.is_empty() && covered != Some(tally.decided) {
        return Some("its coverage does not add up to the configurations of the shard");
    }
    if coverage.len() > MAX_COUNTS {
        return Some("it has more classes of coverage than a box can have");
    }
    // A sweep has at most 128 claims.
    let is_known = |claims: u128| claims.checked_shr(sweep.claims.len() as u32).unwrap_or(0) == 0;
    let is_class = |value: &str| !value.is_empty() && value.len() <= MAX_CLASS_BYTES && is_plain(value);
    if !coverage.keys().all(|key| key.box_index == shard.box_index && is_known(key.claims) && is_class(&key.value)) {
        return Some("its coverage is not that of the box and of the claims of the sweep");
    }
    None
}

fn problem_of_groups(sweep: &Sweep, shard: &Shard, tally: &Tally) -> Option<&'static str> {
    let groups = &tally.groups.0;
    if groups.len() > MAX_COUNTS {
        return Some("it counts more groups than a box can have");
    }
    for ((box_index, group), number) in groups {
        if *box_index != shard.box_index {
            return Some("it counts groups of another box");
        }
        // No configuration is counted into a group twice.
        if group.kind == GroupKind::Sum && *number > tally.decided {
            return Some("it counts more in a group than there are configurations in the shard");
        }
        let is_label = group.label.len() <= MAX_LABEL_BYTES && is_plain(&group.label);
        if !is_label || !sweep.space.may_count(shard.box_index, group, *number) {
            return Some("it counts a group that its family does not count in the box");
        }
    }
    None
}

fn problem_of_records(sweep: &Sweep, shard: &Shard, result: &ShardResult) -> Option<&'static str> {
    let records = &result.records;
    if sweep.options().record == Record::None && !records.is_empty() {
        return Some("it has records and none were asked for");
    }
    if records.len() as u128 > result.tally.decided {
        return Some("it has more records than configurations");
    }
    if !records.iter().all(|record| is_plain(&record.value) && sweep.space.has_key(shard.box_index, &record.key)) {
        return Some("one of its records is no configuration of the box, or its value is no plain text");
    }
    if records.iter().map(|record| &record.key).collect::<BTreeSet<_>>().len() < records.len() {
        return Some("it has a record twice");
    }
    None
}

/// Whether a text may be shown to people as it is.
fn is_plain(text: &str) -> bool {
    !text.chars().any(char::is_control)
}
