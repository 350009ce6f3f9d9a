//! Section 4.2 and section 7: H1, the path AB BC CD and an edge EF beside it.

use super::view::{Says, View, losing_if, states_if, winning_if};

/// A position on H1, with k = EF and M = 2^(f(k)+1) where k >= 1.
#[derive(Clone, Copy, Debug)]
pub struct H1 {
    pub ab: u64,
    pub bc: u64,
    pub cd: u64,
    pub ef: u64,
}

impl H1 {
    pub fn of(view: &View) -> Self {
        let [ab, bc, cd, ef] = view.named;
        Self { ab, bc, cd, ef }
    }

    /// f(k) + 1, so that M = 2^(f(k)+1) is the least power of 2 above k; k >= 1.
    fn exponent(self) -> u32 {
        self.ef.max(1).ilog2() + 1
    }

    /// M = 2^(f(k)+1).
    pub fn modulus(self) -> u64 {
        1 << self.exponent()
    }

    /// (m1, m2): AB = M m1 + l1, CD = M m2 + l2.
    pub fn quotients(self) -> [u64; 2] {
        [self.ab >> self.exponent(), self.cd >> self.exponent()]
    }

    /// (l1, l2): AB = M m1 + l1, CD = M m2 + l2.
    pub fn remainders(self) -> [u64; 2] {
        [self.ab & (self.modulus() - 1), self.cd & (self.modulus() - 1)]
    }

    /// AB xor CD xor EF.
    pub fn xor(self) -> u64 {
        self.ab ^ self.cd ^ self.ef
    }
}

pub fn lemma_4_7(view: &View) -> Says {
    let H1 { ab, bc, cd, ef } = H1::of(view);
    winning_if(view.least >= 1 && ((ab <= ef && ef <= ab + bc) || (cd <= ef && ef <= bc + cd)))
}

pub fn theorem_4_8_1(view: &View) -> Says {
    winning_if(view.least >= 1 && H1::of(view).xor() == 0)
}

pub fn theorem_4_8_2(view: &View) -> Says {
    let h1 = H1::of(view);
    let positive = h1.ab >= 1 && h1.cd >= 1 && h1.ef >= 1;
    let top_bit_is_on = |xor: u64| (h1.ab | h1.cd) >> xor.ilog2() & 1 == 1;
    winning_if(positive && h1.xor() > 0 && top_bit_is_on(h1.xor()))
}

pub fn lemma_4_9_i(view: &View) -> Says {
    let h1 = H1::of(view);
    let [m1, m2] = h1.quotients();
    winning_if(h1.ef >= 1 && m1 != m2)
}

pub fn lemma_4_9_ii(view: &View) -> Says {
    let h1 = H1::of(view);
    let [l1, l2] = h1.remainders();
    winning_if(h1.ef >= 1 && l1.min(l2) >= h1.ef)
}

/// As the lemma is printed: with `BC = 0` as the alternative.
pub fn lemma_4_9_iii_printed(view: &View) -> Says {
    lemma_4_9_iii(view, |bc| bc == 0)
}

/// As its proof has it: with `BC > 0` as the alternative.
pub fn lemma_4_9_iii_proof(view: &View) -> Says {
    lemma_4_9_iii(view, |bc| bc > 0)
}

fn lemma_4_9_iii(view: &View, alternative: fn(u64) -> bool) -> Says {
    let h1 = H1::of(view);
    let [l1, l2] = h1.remainders();
    let k_is_a_remainder = l1 == h1.ef || l2 == h1.ef;
    winning_if(h1.ef >= 1 && k_is_a_remainder && (l1.min(l2) > 0 || alternative(h1.bc)))
}

/// Whether {AB, CD} = {M m + r, M m + other} for some m >= 0, as a multiset: either may carry r.
fn is_pair(h1: H1, r: u64, other: u64) -> bool {
    let carries =
        |with_r: u64, without: u64| with_r >= r && (with_r - r) & (h1.modulus() - 1) == 0 && without.checked_sub(with_r - r) == Some(other);
    carries(h1.ab, h1.cd) || carries(h1.cd, h1.ab)
}

/// k mod 2^(f(r)+1).
fn residue(k: u64, r: u64) -> u64 {
    k % (2 << r.ilog2())
}

fn family_1(h1: H1) -> bool {
    let (k, s) = (h1.ef, h1.bc);
    [0, 1, 3].into_iter().any(|r| s >= 1 && s + 2 * r <= k && is_pair(h1, r, k - r - s))
}

fn family_2(h1: H1) -> bool {
    let (k, s) = (h1.ef, h1.bc);
    [2, 4].into_iter().any(|r| s >= 1 && s < r && (s..r).contains(&residue(k, r)) && is_pair(h1, r, k + r - s))
}

fn family_3(h1: H1) -> bool {
    let (k, s) = (h1.ef, h1.bc);
    [2, 4].into_iter().any(|r| s >= 1 && s < r && k >= 3 * r && !(s..r).contains(&residue(k, r)) && is_pair(h1, r, k - r - s))
}

fn family_4(h1: H1) -> bool {
    let (k, s) = (h1.ef, h1.bc);
    [2, 4].into_iter().any(|r| k >= 3 * r && r <= s && s + 2 * r <= k && is_pair(h1, r, k - r - s))
}

pub fn theorem_4_10_1(view: &View) -> Says {
    losing_if(view.least >= 1 && family_1(H1::of(view)))
}

pub fn theorem_4_10_2(view: &View) -> Says {
    losing_if(view.least >= 1 && family_2(H1::of(view)))
}

pub fn theorem_4_10_3(view: &View) -> Says {
    losing_if(view.least >= 1 && family_3(H1::of(view)))
}

pub fn theorem_4_10_4(view: &View) -> Says {
    losing_if(view.least >= 1 && family_4(H1::of(view)))
}

pub fn lemma_4_11_a(view: &View) -> Says {
    let h1 = H1::of(view);
    let [l1, l2] = h1.remainders();
    let least = l1.min(l2);
    winning_if(h1.ef >= 1 && h1.bc >= 1 && least < h1.ef && h1.bc > h1.ef - least)
}

pub fn lemma_4_11_b(view: &View) -> Says {
    let h1 = H1::of(view);
    winning_if(h1.bc > h1.ef)
}

pub fn remark_4_12_printed(view: &View) -> Says {
    winning_if(H1::of(view).ef == 0)
}

pub fn remark_4_12_proof(view: &View) -> Says {
    let h1 = H1::of(view);
    winning_if(h1.ef == 0 && h1.bc >= 1)
}

/// (16m+5, 1, 16m+6, 11), or the same with AB and CD exchanged.
fn is_the_example(h1: H1) -> bool {
    let pair = |a: u64, b: u64| a % 16 == 5 && b == a + 1;
    h1.bc == 1 && h1.ef == 11 && (pair(h1.ab, h1.cd) || pair(h1.cd, h1.ab))
}

pub fn example_h1(view: &View) -> Says {
    losing_if(is_the_example(H1::of(view)))
}

pub fn example_h1_outside(view: &View) -> Says {
    let h1 = H1::of(view);
    let named = family_1(h1) || family_2(h1) || family_3(h1) || family_4(h1);
    states_if(is_the_example(h1), !named, "no family of Theorem 4.10 names it", "a family of Theorem 4.10 names it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modulus_is_the_least_power_of_two_above_k() {
        for (ef, modulus) in [(1, 2), (2, 4), (3, 4), (4, 8), (11, 16), (15, 16), (16, 32)] {
            assert_eq!(H1 { ab: 0, bc: 0, cd: 0, ef }.modulus(), modulus);
        }
    }

    /// The families of Theorem 4.10 as lists: every r, s and m, written down.
    fn listed(k: u64, s: u64, reach: u64) -> [Vec<[u64; 2]>; 4] {
        let modulus = H1 { ab: 0, bc: 0, cd: 0, ef: k }.modulus();
        let mut families: [Vec<[u64; 2]>; 4] = Default::default();
        for m in 0..=reach {
            let base = modulus * m;
            for r in [0, 1, 3] {
                if s >= 1 && s as i64 <= k as i64 - 2 * r as i64 {
                    families[0].push([base + r, base + k - r - s]);
                }
            }
            for (r, power) in [(2, 4), (4, 8)] {
                let inside = (s..r).any(|j| k % power == j);
                if s >= 1 && s < r && inside {
                    families[1].push([base + r, base + k + r - s]);
                }
                if s >= 1 && s < r && !inside && k >= 3 * r {
                    families[2].push([base + r, base + k - r - s]);
                }
                if k >= 3 * r && (r..=k - 2 * r).contains(&s) {
                    families[3].push([base + r, base + k - r - s]);
                }
            }
        }
        families
    }

    #[test]
    fn the_families_of_theorem_4_10_are_the_lists_that_it_prints() {
        let reach = 20;
        for ef in 1..=reach {
            for bc in 1..=reach {
                let lists = listed(ef, bc, reach);
                for ab in 0..=reach {
                    for cd in 0..=reach {
                        let h1 = H1 { ab, bc, cd, ef };
                        let found = [family_1(h1), family_2(h1), family_3(h1), family_4(h1)];
                        let expected = lists.each_ref().map(|list| list.contains(&[ab, cd]) || list.contains(&[cd, ab]));
                        assert_eq!(found, expected, "{h1:?}");
                    }
                }
            }
        }
    }
}
