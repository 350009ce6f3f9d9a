//! Other heaps for claims of a manifest: of the same ruleset or of another one, the options, and the heaps of a box.

use crate::families::Around;
use crate::language::Reason;

use super::PartizanSubtraction;
use super::key::Heap;
use super::quantity::Value;
use super::rules::{MAX_ELEMENT, MAX_HEAP, Ruleset, SubtractionSet};

/// Heaps beyond the last one of a box of which claims may ask for values, or two windows of the ruleset if that is more.
const HEAPS_BEYOND: u64 = 512;

/// The largest heap of which claims may ask for values in a box that ends with a heap.
pub fn limit(reach: u64, last: u64) -> u64 {
    last.saturating_add(HEAPS_BEYOND.max(2 * (reach + 1)))
}

/// The heap with another size, or of another ruleset of full or truncated support.
///
/// # Errors
/// [`Reason::NoPosition`] outside the family, [`Reason::LargePosition`]; [`Reason::NoName`] where the sets are no such ruleset.
pub fn at(of: &Heap, changes: &[(&str, i64)]) -> Result<Heap, Reason> {
    let mut heap = of.clone();
    let mut support = of.support;
    for (name, value) in changes {
        let value = u64::try_from(*value).map_err(|_| Reason::NoPosition)?;
        match (*name, &mut support) {
            ("heap", _) if value > MAX_HEAP => return Err(Reason::LargePosition),
            ("heap", _) => heap.size = value,
            (_, None) => return Err(Reason::NoName),
            _ if value > MAX_ELEMENT => return Err(Reason::LargePosition),
            ("a", Some(support)) => support.a = value,
            ("b", Some(support)) => support.b = value,
            ("tau", Some(support)) => support.tau = value,
            _ => return Err(Reason::NoName),
        }
    }
    if support != of.support {
        let found = support.filter(|support| support.a >= 1).and_then(|support| support.ruleset());
        heap.ruleset = found.ok_or(Reason::NoPosition)?.into();
        heap.support = support;
    }
    Ok(heap)
}

fn of(set: fn(&Ruleset) -> &SubtractionSet, heap: &Heap) -> &[u32] {
    let elements = set(&heap.ruleset).elements();
    &elements[..elements.partition_point(|element| u64::from(*element) <= heap.size)]
}

/// The heaps that a player can move to, the largest first.
pub fn options(set: fn(&Ruleset) -> &SubtractionSet, heap: &Heap, index: u64) -> Option<Heap> {
    let removed = *of(set, heap).get(usize::try_from(index).ok()?)?;
    Some(heap.at(heap.size - u64::from(removed)))
}

/// How many there are.
pub fn count(set: fn(&Ruleset) -> &SubtractionSet, heap: &Heap) -> u64 {
    of(set, heap).len() as u64
}

/// The least heaps that have the values of the options of the canonical form, of one player.
pub fn canonical<'a>(side: fn(&super::quantity::Form) -> &Vec<u64>, around: &'a Around<'_, PartizanSubtraction>) -> Option<&'a Vec<u64>> {
    around.answer.as_ref().and_then(Value::form).map(side)
}

/// The heaps of the ruleset in a box, by their index.
pub fn heaps(around: &Around<'_, PartizanSubtraction>) -> Option<std::ops::RangeInclusive<u64>> {
    around.one.and_then(|one| one.heaps_of(around.position))
}
