//! Section 2, and those parts of section 4 that follow from it: galaxy graphs are Nim.

use super::view::{Says, View, losing_iff, winning_if};

/// Nim: piles that are single edges, each of at least one chip. The position is lost iff the sum of the digits is even at each place.
pub fn theorem_2_1(view: &View) -> Says {
    let is_even = |place: u32| view.weights.iter().filter(|weight| **weight >> place & 1 == 1).count().is_multiple_of(2);
    losing_iff(view.least >= 1, (0..u32::BITS).all(is_even))
}

pub fn theorem_2_3(view: &View) -> Says {
    losing_iff(true, view.stars_xor == 0)
}

pub fn theorem_4_1_1(view: &View) -> Says {
    winning_if(view.sum > 0)
}

pub fn theorem_4_1_2(view: &View) -> Says {
    let [ab, bc, de, ef] = view.named;
    losing_iff(view.least >= 1, ab + bc == de + ef)
}

pub fn theorem_4_1_3(view: &View) -> Says {
    let [ab, ac, ad, ef] = view.named;
    losing_iff(view.least >= 1, ab + ac + ad == ef)
}

pub fn theorem_4_1_4(view: &View) -> Says {
    let [ab, bc, de, fg] = view.named;
    losing_iff(view.least >= 1, (ab + bc) ^ de ^ fg == 0)
}

pub fn theorem_4_1_5(view: &View) -> Says {
    let [ab, cd, ef, gh] = view.named;
    losing_iff(view.least >= 1, ab ^ cd ^ ef ^ gh == 0)
}

/// With the paper's assumption on weights: each is at least 1.
pub fn lemma_4_13(view: &View) -> Says {
    if view.least >= 1 { lemma_4_13_as_used(view) } else { winning_if(false) }
}

/// The lemma singles out a third star; the statement is about the position, so any star may be the third.
pub fn lemma_4_13_as_used(view: &View) -> Says {
    let [a, b, c] = view.first_stars;
    let applies = |k: u64, others: [u64; 2]| {
        // The lemma is about k >= 1, and l1 + l2 < 0 is never so.
        let exponent = k.max(1).ilog2() + 1;
        let [(m1, l1), (m2, l2)] = others.map(|sum| (sum >> exponent, sum & ((1 << exponent) - 1)));
        m1 == m2 && l1 + l2 < k
    };
    winning_if(applies(a, [b, c]) || applies(b, [a, c]) || applies(c, [a, b]))
}
