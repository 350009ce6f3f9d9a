//! Counts configurations by the set of claims that predicted them rightly, at O(1) for each of many small additions.

use std::collections::HashMap;

const SLOTS: usize = 256;

/// Counts of configurations by the set of claims that predicted them rightly, made for many small additions.
///
/// The sets of a sweep are few, so nearly every addition finds its set in its slot.
pub struct Classes {
    slots: Vec<(u64, u128)>,
    rest: HashMap<u64, u128>,
}

impl Classes {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self { slots: vec![(0, 0); SLOTS], rest: HashMap::new() }
    }

    /// Counts so many configurations of a class. Cost: O(1).
    #[inline]
    pub fn add(&mut self, claims: u64, count: u64) {
        // Multiplication by an odd constant spreads the bits; the top 8 of them number the slots.
        let slot = &mut self.slots[(claims.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize];
        if slot.0 != claims {
            if slot.1 > 0 {
                *self.rest.entry(slot.0).or_default() += slot.1;
            }
            *slot = (claims, 0);
        }
        slot.1 += u128::from(count);
    }

    /// Calls `visit` with each set that was counted, some of them perhaps twice, and its count.
    pub fn each(self, mut visit: impl FnMut(u64, u128)) {
        let counted = self.rest.into_iter().chain(self.slots).filter(|(_, count)| *count > 0);
        counted.for_each(|(claims, count)| visit(claims, count));
    }
}
