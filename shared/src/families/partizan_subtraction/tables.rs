//! What the tables of solved heaps take in memory.

use crate::value::Ordered;

use super::quantity::{Quantities, STEPS_PER_WEIGHT};

/// Bytes of a step, an upper bound.
const BYTES_PER_STEP: u128 = 150;
/// Heaps of a ruleset that claims may ask for beyond those of a box, or b + 1 of them if that is more.
const HEAPS_ASKED: u64 = 512;
/// The most rulesets that are kept at a time where claims of a manifest look at others.
pub const MOST_RULESETS: u64 = 4;

/// Bytes for the heaps up to `heap` of a ruleset: an upper bound. `rulesets` says how many are solved at a time.
pub fn bytes(left: u64, right: u64, reach: u64, heap: u64, quantities: Quantities, rulesets: u64) -> u128 {
    let heaps = heap.max(reach + 1).max(HEAPS_ASKED).saturating_add(1);
    // Where there are more than two, claims ask for outcomes of other heaps too.
    let mut bytes = if rulesets > 2 { u128::from(rulesets) * u128::from(heaps) } else { 0 };
    if quantities.canonical_form {
        bytes += Ordered::bytes(rulesets * heaps, left + right + 1);
    }
    if quantities.atomic_weight {
        // A row of nimbers is no longer than the heap.
        bytes += u128::from(heaps) * 32 + u128::from(reach.min(heaps)) * (200 + u128::from(heaps) / 4);
        bytes += u128::from(STEPS_PER_WEIGHT) * BYTES_PER_STEP;
    }
    bytes
}
