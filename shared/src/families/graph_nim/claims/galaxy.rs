//! Section 2, and those parts of section 4 that follow from it: galaxy graphs are Nim.

use super::view::{Says, View, losing_iff, winning_if};

pub fn theorem_2_3(view: &View) -> Says {
    losing_iff(view.sum > 0, view.stars_xor == 0)
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

/// The lemma singles out a third star; the statement is about the position, so any star may be the third.
pub fn lemma_4_13(view: &View) -> Says {
    let [a, b, c] = view.first_stars;
    let applies = |k: u64, others: [u64; 2]| {
        // The lemma is about k >= 1, which weights of at least 1 make sure of.
        let exponent = k.max(1).ilog2() + 1;
        let [(m1, l1), (m2, l2)] = others.map(|sum| (sum >> exponent, sum & ((1 << exponent) - 1)));
        m1 == m2 && l1 + l2 < k
    };
    winning_if(view.least >= 1 && (applies(a, [b, c]) || applies(b, [a, c]) || applies(c, [a, b])))
}
