//! What a sweep of partizan subtraction counts besides its claims.

use crate::families::Entry;
use crate::sweep::{Group, GroupKind};

use super::PartizanSubtraction;
use super::long_run::LongRun;

/// The largest number that has a label of its own.
const MOST: u64 = 100;

/// The most bytes in which a kind of support is named.
const MOST_OF_A_KIND: usize = 60;

/// Whether a shard of a box may count into a group, in a sweep with these claims.
pub fn may_count(group: &Group, claims: &[Entry<PartizanSubtraction>]) -> bool {
    group.kind == GroupKind::Sum && (LongRun::may_be(&group.label) || is_census_label(&group.label, claims))
}

/// Whether a census (`census.rs`) may count into a group of this label, in a sweep with these claims.
fn is_census_label(label: &str, claims: &[Entry<PartizanSubtraction>]) -> bool {
    const PLAIN: [&str; 3] = ["heaps it speaks about", "rulesets it speaks about", "rulesets where it is refuted"];
    let Some((head, tail)) = label.rsplit_once(": ") else { return false };
    let (of, kind) = head.split_once(", ").unwrap_or((head, ""));
    let is_counted =
        |entry: &Entry<PartizanSubtraction>| entry.claim.id == of && entry.scope.as_ref().is_some_and(|scope| scope.census.is_some());
    // A coordinator asks this of each group of each result. A number is written in one way alone.
    let is_number = |text: &str| capped(text.parse().unwrap_or(MOST + 1)) == text;
    let between = |start: &str, end: &str| tail.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    let weight = tail.strip_prefix("heaps where the weight is ");
    let is_tail = PLAIN.contains(&tail)
        || between("rulesets where it is refuted first ", " heaps after the first it speaks about").is_some_and(is_number)
        || weight == Some("no integer")
        || [" less than predicted", " more than predicted"]
            .iter()
            .any(|end| between("heaps where the weight is ", end).is_some_and(is_number));
    // What a kind of support is called is known to the claim alone, in a few words.
    claims.iter().any(is_counted) && kind.len() <= MOST_OF_A_KIND && is_tail
}

/// A number, or for a large one only that it is large, so that there are not as many labels as heaps.
pub fn capped(number: u64) -> String {
    if number > MOST { format!("more than {MOST}") } else { number.to_string() }
}
