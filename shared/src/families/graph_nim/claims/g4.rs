//! Section 6: G4, a triangle ABC and an edge DE beside it.

use std::borrow::Cow;

use crate::claim::Prediction;

use super::view::{Says, View, losing_if, losing_iff, states_if, winning_if};

/// The numbers k, l, m, i of Definition 4.5 for a multiset that is (k, l, m, i)-special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Special {
    /// The weight of DE that condition (A1) asks for, at least 1.
    pub k: u64,
    /// At least 0.
    pub l: u64,
    /// At least 1, with m(m+1)/2 <= k <= m(m+3)/2.
    pub m: u64,
    /// From 1 to m+1.
    pub i: u64,
}

/// Every way in which {a, b, c} is special, by Definition 4.5: it equals {k+1+(m+1)l, k+i+(m+1)l, k+m+2-i+(m+1)l}.
///
/// The first element is at most the other two, so it is the least of the three, and k+(m+1)l is one less. The other two add up to
/// m+2 more than twice that, so they say what m is. For this m the m+1 values that k may take leave all remainders mod m+1, so at
/// most one of them fits; then i is what either of the other elements leaves. Cost: O(1).
pub fn special(multiset: [u64; 3]) -> impl Iterator<Item = Special> {
    let mut sorted = multiset;
    sorted.sort_unstable();
    let [a, b, c] = sorted;
    let base = a.saturating_sub(1);
    let m = (b + c).checked_sub(2 * base + 2).filter(|m| *m >= 1 && m * (m + 1) / 2 <= base);
    m.into_iter().flat_map(move |m| {
        let first = m * (m + 1) / 2;
        let k = first + (base - first) % (m + 1);
        let l = (base - k) / (m + 1);
        let both = [b, c].into_iter().take(if b == c { 1 } else { 2 });
        both.map(move |second| second - base).filter(move |i| (1..=m + 1).contains(i)).map(move |i| Special { k, l, m, i })
    })
}

fn triangle(view: &View) -> ([u64; 3], u64) {
    let [ab, bc, ca, de] = view.named;
    ([ab, bc, ca], de)
}

/// Condition (A1) of Theorem 4.6: the triangle is (DE, l, m, i)-special for some l, m and i.
pub fn is_a1(multiset: [u64; 3], de: u64) -> bool {
    special(multiset).any(|found| found.k == de)
}

/// Condition (A2) of Theorem 4.6: DE is the sum, the three are not all equal, and they are not special.
pub fn is_a2(multiset: [u64; 3], de: u64) -> bool {
    de == multiset.iter().sum::<u64>() && !equal(multiset) && special(multiset).next().is_none()
}

/// Whether three weights are equal.
pub fn equal([ab, bc, ca]: [u64; 3]) -> bool {
    ab == bc && bc == ca
}

/// The m >= 1 with m(m+1)/2 <= k <= m(m+3)/2 for k >= 1: the greatest that satisfies the first inequality.
pub fn unique_m(k: u64) -> u64 {
    (1..).take_while(|m| m * (m + 1) / 2 <= k).last().unwrap_or(1)
}

fn a1(view: &View) -> bool {
    let (multiset, de) = triangle(view);
    is_a1(multiset, de)
}

fn a2(view: &View) -> bool {
    let (multiset, de) = triangle(view);
    is_a2(multiset, de)
}

pub fn theorem_4_6(view: &View) -> Says {
    losing_iff(view.least >= 1, a1(view) != a2(view))
}

/// The least of the triangle's weights and their sum.
fn bounds(view: &View) -> (u64, u64) {
    let ([ab, bc, ca], _) = triangle(view);
    (ab.min(bc).min(ca), ab + bc + ca)
}

pub fn step_d1(view: &View) -> Says {
    let ((least, sum), de) = (bounds(view), view.named[3]);
    winning_if(view.least >= 1 && least <= de && de <= sum - least)
}

pub fn step_d2(view: &View) -> Says {
    losing_if(view.least >= 1 && a1(view))
}

pub fn step_d3(view: &View) -> Says {
    let ((least, _), de) = (bounds(view), view.named[3]);
    winning_if(view.least >= 1 && 0 < de && de < least && !a1(view))
}

pub fn step_d4(view: &View) -> Says {
    losing_if(view.least >= 1 && a2(view))
}

pub fn step_d5(view: &View) -> Says {
    let ((least, sum), (multiset, de)) = (bounds(view), triangle(view));
    winning_if(view.least >= 1 && de > sum - least && de != sum && special(multiset).next().is_none())
}

pub fn steps_complete(view: &View) -> Says {
    let speaks = |step: fn(&View) -> Says| !matches!(step(view), Prediction::Silent);
    let some = [step_d1, step_d2, step_d3, step_d4, step_d5].into_iter().any(speaks);
    states_if(view.least >= 1, some, "one of the steps D1 to D5 speaks", "none of the steps D1 to D5 speaks")
}

/// The remark on Definition 4.5, held against every (k, l, m, i) that makes the triangle special with k = DE.
pub fn example_4_5(view: &View) -> Says {
    let (multiset, de) = triangle(view);
    let named = |found: &Special| {
        let Special { m, i, .. } = *found;
        if m % 2 == 0 { i >= 2 && i != m / 2 + 1 } else { i > 1 }
    };
    let [a, b, c] = multiset;
    let distinct = a != b && b != c && a != c;
    let Some(Special { k, l, m, i }) = special(multiset).find(|found| found.k == de && named(found)) else { return Prediction::Silent };
    let denies = if distinct { Cow::Borrowed("") } else { Cow::Owned(format!("two of them are equal, with k={k}, l={l}, m={m}, i={i}")) };
    states_if(view.least >= 1, distinct, "AB, BC, CA are all distinct", denies)
}

/// Lemma 6.1, which is about K3 without the edge DE.
pub fn lemma_6_1(view: &View) -> Says {
    let [ab, bc, ca, _] = view.named;
    let hypothesis = view.least >= 1 && ab <= bc && bc <= ca && ab != ca;
    if !hypothesis {
        return Prediction::Silent;
    }
    let excess = bc + ca - 2 * ab;
    let inequality = 2 * ab > excess * (excess + 1);
    let special = special([ab, bc, ca]).next().is_some();
    let (says, denies) = if inequality {
        ("special, as 2AB > (BC+CA-2AB)(BC+CA-2AB+1)", "not special")
    } else {
        ("not special, as 2AB <= (BC+CA-2AB)(BC+CA-2AB+1)", "special")
    };
    states_if(true, inequality == special, says, denies)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Definition 4.5 word by word: every k, l, m, i in reach, and the multisets compared.
    fn special_by_definition(multiset: [u64; 3]) -> Vec<(u64, u64, u64, u64)> {
        let mut sorted = multiset;
        sorted.sort_unstable();
        let reach = sorted[2];
        let mut found = Vec::new();
        for m in 1..=reach {
            for k in (m * (m + 1) / 2)..=(m * (m + 3) / 2).min(reach) {
                for l in 0..=reach {
                    for i in 1..=m + 1 {
                        let mut elements = [k + 1 + (m + 1) * l, k + i + (m + 1) * l, k + m + 2 - i + (m + 1) * l];
                        elements.sort_unstable();
                        if elements == sorted {
                            found.push((k, l, m, i));
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn special_is_what_definition_4_5_says() {
        for a in 0..14 {
            for b in 0..14 {
                for c in 0..14 {
                    let mut found: Vec<_> = special([a, b, c]).map(|s| (s.k, s.l, s.m, s.i)).collect();
                    found.sort_unstable();
                    assert_eq!(found, special_by_definition([a, b, c]), "{a} {b} {c}");
                }
            }
        }
    }
}
