//! The moves that the paper names where it shows that a position is won: each is legal, and leads to a position of the kind that the
//! paper says. Whether positions of that kind are lost is for other claims; nothing here asks for an outcome.

use super::g4::{Special, equal, is_a1, is_a2, special, unique_m};
use super::h1::H1;
use super::view::{Says, View, states_if};

/// Weights, in the order that the paper writes them in.
pub type Weights = [u64; 4];

/// What is removed from each edge, as the paper's formula has it: a formula may give what cannot be removed.
pub type Removed = [i64; 4];

/// A move as the paper names it, at a position.
#[derive(Clone, Copy)]
pub struct Move {
    /// The edges at the vertex that is chosen.
    pub at: &'static [usize],
    /// What is removed from each edge.
    pub removed: Removed,
    /// Whether weights are of the kind that it leads to.
    pub is_there: fn(Weights) -> bool,
}

impl Move {
    /// The weights after it, if it is legal: a positive amount in all, from edges at the vertex alone, and from no edge more than it
    /// has.
    fn after(&self, weights: Weights) -> Option<Weights> {
        let mut left = weights;
        for (edge, removed) in self.removed.iter().enumerate() {
            let removed = u64::try_from(*removed).ok().filter(|removed| *removed == 0 || self.at.contains(&edge))?;
            left[edge] = left[edge].checked_sub(removed)?;
        }
        self.removed.iter().any(|removed| *removed > 0).then_some(left)
    }

    /// That it is legal and leads where the paper says.
    pub fn says(&self, weights: Weights) -> Says {
        const SAYS: &str = "the move that is named is legal and leads where it is to lead";
        match self.after(weights) {
            None => states_if(true, false, SAYS, "the move that is named is not legal"),
            Some(left) => states_if(true, (self.is_there)(left), SAYS, "the move that is named leads to another position"),
        }
    }
}

/// The move that is named at a position, if one is.
pub type Naming = fn(&View) -> Option<Move>;

/// That the move that is named at a position, if one is, is legal and leads where the paper says.
pub fn leads(view: &View, named: Naming) -> Says {
    named(view).map_or(Says::Silent, |named| named.says(view.named))
}

/// Weights as numbers that may be taken from each other.
fn signed<const COUNT: usize>(weights: [u64; COUNT]) -> [i64; COUNT] {
    // Weights are below 2^16.
    weights.map(|weight| weight as i64)
}

/// The moves by the ids of their claims, without the paper's key and `-move`.
#[cfg(test)]
pub const MOVES: [(&str, Naming); 12] = [
    ("thm-4.3", theorem_4_3),
    ("thm-4.4.g2", theorem_4_4_g2),
    ("thm-4.4.g3", theorem_4_4_g3),
    ("step-d1", step_d1),
    ("step-d3", step_d3),
    ("step-d5", step_d5),
    ("lemma-4.7", lemma_4_7),
    ("thm-4.8.1", theorem_4_8_1),
    ("thm-4.8.2", theorem_4_8_2),
    ("lemma-4.9.iii", lemma_4_9_iii),
    ("lemma-4.11.a", lemma_4_11_a),
    ("remark-4.12", remark_4_12),
];

/// Section 5, on F2, wherever Theorem 4.3 says N.
pub fn theorem_4_3(view: &View) -> Option<Move> {
    let [ab, bc, cd, db] = signed(view.named);
    if view.least < 1 || (bc == db && cd == ab + bc) {
        return None;
    }
    let (less, more) = (bc.min(db), bc.max(db));
    // BC and the vertex C, or DB and the vertex D.
    let heavier = if bc > db { 1 } else { 3 };
    let mut removed = [0; 4];
    removed[heavier] = more - less;
    let at: &[usize] = if cd >= less + ab {
        removed[2] = cd - (less + ab);
        if heavier == 1 { &[1, 2] } else { &[2, 3] }
    } else {
        removed[0] = ab - (cd - less);
        &[0, 1, 3]
    };
    Some(Move { at, removed, is_there: |[ab, bc, cd, db]| bc == db && cd == ab + bc })
}

/// Section 5, on G2.
pub fn theorem_4_4_g2(view: &View) -> Option<Move> {
    let [ab, ac, ad, be] = signed(view.named);
    if view.least < 1 {
        return None;
    }
    let is_there: fn(Weights) -> bool = |[ab, ac, ad, be]| ab == 0 && ac + ad == be;
    Some(if be >= ac + ad {
        Move { at: &[0, 3], removed: [ab, 0, 0, be - (ac + ad)], is_there }
    } else {
        // The paper leaves it open how much is removed from which of AC and AD.
        let of_ac = ac.min(ac + ad - be);
        Move { at: &[0, 1, 2], removed: [ab, of_ac, ac + ad - be - of_ac, 0], is_there }
    })
}

/// Section 5, on G3, where the paper's cases are said of one end and of the other.
pub fn theorem_4_4_g3(view: &View) -> Option<Move> {
    let [ab, bc, cd, de] = signed(view.named);
    if view.least < 1 {
        return None;
    }
    let is_there: fn(Weights) -> bool = |[ab, bc, cd, de]| (cd == 0 && ab + bc == de) || (bc == 0 && ab == cd + de);
    Some(if de >= ab + bc {
        Move { at: &[2, 3], removed: [0, 0, cd, de - (ab + bc)], is_there }
    } else if ab >= cd + de {
        Move { at: &[0, 1], removed: [ab - (cd + de), bc, 0, 0], is_there }
    } else if de >= ab {
        Move { at: &[1, 2], removed: [0, ab + bc - de, cd, 0], is_there }
    } else {
        Move { at: &[1, 2], removed: [0, bc, cd + de - ab, 0], is_there }
    })
}

/// The edges of G4's triangle, the lightest first.
fn by_weight(view: &View) -> [usize; 3] {
    let mut edges = [0, 1, 2];
    edges.sort_by_key(|edge| view.named[*edge]);
    edges
}

fn triangle([ab, bc, ca, _]: Weights) -> [u64; 3] {
    [ab, bc, ca]
}

/// The edges at the vertex that two edges of the triangle have in common: any two have one.
const TRIANGLE: [[&[usize]; 3]; 3] = [[&[0], &[0, 1], &[0, 2]], [&[0, 1], &[1], &[1, 2]], [&[0, 2], &[1, 2], &[2]]];

/// Section 6.1, where step D1 speaks.
pub fn step_d1(view: &View) -> Option<Move> {
    let edges = by_weight(view);
    let [low, middle, high] = signed(edges.map(|edge| view.named[edge]));
    let de = view.named[3] as i64;
    if view.least < 1 || de < low || de > middle + high {
        return None;
    }
    let mut removed = [0; 4];
    let other = if de <= low + high {
        (removed[edges[1]], removed[edges[2]]) = (middle, low + high - de);
        edges[2]
    } else {
        (removed[edges[1]], removed[edges[0]]) = (middle + high - de, low);
        edges[0]
    };
    let is_there = |left: Weights| triangle(left).contains(&0) && triangle(left).iter().sum::<u64>() == left[3];
    Some(Move { at: TRIANGLE[edges[1]][other], removed, is_there })
}

/// Section 6.3, where step D3 speaks.
pub fn step_d3(view: &View) -> Option<Move> {
    let edges = by_weight(view);
    let [low, middle, high] = signed(edges.map(|edge| view.named[edge]));
    let k = view.named[3] as i64;
    if view.least < 1 || k >= low || is_a1(triangle(view.named), view.named[3]) {
        return None;
    }
    let m = unique_m(view.named[3]) as i64;
    // w = k + r + (m+1)l with r in 1..=m+1.
    let parts = [low, middle, high].map(|weight| ((weight - k - 1) % (m + 1) + 1, (weight - k - 1) / (m + 1)));
    let [(r1, l1), (r2, l2), (r3, l3)] = parts;
    let mut removed = [0; 4];
    let mut at = TRIANGLE[edges[0]][edges[2]];
    if l1 == l3 && r1 == r3 {
        removed[3] = k;
        at = &[3];
    } else if l1 == l3 && m + 2 - r2 <= r3 {
        (removed[edges[0]], removed[edges[2]]) = (r1 - 1, r3 - (m + 2 - r2));
    } else if l1 == l3 {
        let fewer = r2 + r3 - 2 * r1;
        let first = fewer * (fewer + 1) / 2;
        removed[3] = k - (first + (k + r1 - 1 + (m + 1) * l1 - first).rem_euclid(fewer + 1));
        at = &[3];
    } else {
        (removed[edges[2]], removed[edges[1]]) = (high - (k + m + 2 - r1 + (m + 1) * l1), r2 - 1 + (m + 1) * (l2 - l1));
        at = TRIANGLE[edges[1]][edges[2]];
    }
    Some(Move { at, removed, is_there: |left| is_a1(triangle(left), left[3]) || (left[3] == 0 && equal(triangle(left))) })
}

/// Section 6.5, where step D5 speaks.
pub fn step_d5(view: &View) -> Option<Move> {
    let edges = by_weight(view);
    let [low, middle, high] = signed(edges.map(|edge| view.named[edge]));
    let (de, sum) = (view.named[3] as i64, low + middle + high);
    let is_special = special(triangle(view.named)).next().is_some();
    if view.least < 1 || de <= middle + high || de == sum || is_special {
        return None;
    }
    let mut removed = [0; 4];
    let mut at: &[usize] = &[3];
    if equal(triangle(view.named)) {
        removed[3] = de;
    } else if de > sum {
        removed[3] = de - sum;
    } else {
        at = TRIANGLE[edges[0]][edges[0]];
        removed[edges[0]] = sum - de;
    }
    Some(Move { at, removed, is_there: |left| is_a2(triangle(left), left[3]) || (left[3] == 0 && equal(triangle(left))) })
}

/// The edges at B and at C of H1, AB BC CD EF.
const AT_B: &[usize] = &[0, 1];
const AT_C: &[usize] = &[1, 2];

/// Removes so much from AB, or from CD, and so much from BC.
fn beside(of_ab: bool, removed: i64, of_bc: i64, is_there: fn(Weights) -> bool) -> Move {
    if of_ab {
        Move { at: AT_B, removed: [removed, of_bc, 0, 0], is_there }
    } else {
        Move { at: AT_C, removed: [0, of_bc, removed, 0], is_there }
    }
}

/// Three single edges whose xor is 0.
fn is_balanced([ab, bc, cd, ef]: Weights) -> bool {
    bc == 0 && ab ^ cd ^ ef == 0
}

/// Section 7.1, where Lemma 4.7 speaks.
pub fn lemma_4_7(view: &View) -> Option<Move> {
    let [ab, bc, cd, ef] = signed(view.named);
    let is_there: fn(Weights) -> bool = |[ab, bc, cd, ef]| (cd == 0 && ab + bc == ef) || (ab == 0 && bc + cd == ef);
    if view.least >= 1 && (ab..=ab + bc).contains(&ef) {
        Some(beside(false, cd, ab + bc - ef, is_there))
    } else if view.least >= 1 && (cd..=bc + cd).contains(&ef) {
        Some(beside(true, ab, bc + cd - ef, is_there))
    } else {
        None
    }
}

/// Section 7.2, where part 1 of Theorem 4.8 speaks.
pub fn theorem_4_8_1(view: &View) -> Option<Move> {
    if view.least < 1 || H1::of(view).xor() != 0 {
        return None;
    }
    Some(beside(true, 0, view.named[1] as i64, is_balanced))
}

/// Section 7.2, where part 2 of Theorem 4.8 speaks.
pub fn theorem_4_8_2(view: &View) -> Option<Move> {
    let h1 = H1::of(view);
    let xor = h1.xor();
    if h1.ab < 1 || h1.cd < 1 || h1.ef < 1 || xor == 0 || (h1.ab | h1.cd) >> xor.ilog2() & 1 == 0 {
        return None;
    }
    let of_ab = h1.ab >> xor.ilog2() & 1 == 1;
    let [ab, bc, cd, others_of_ab, others_of_cd] = signed([h1.ab, h1.bc, h1.cd, h1.cd ^ h1.ef, h1.ab ^ h1.ef]);
    let removed = if of_ab { ab - others_of_ab } else { cd - others_of_cd };
    Some(beside(of_ab, removed, bc, is_balanced))
}

/// Section 7.3, where part (iii) of Lemma 4.9 speaks as its proof has it, with m1 = m2.
pub fn lemma_4_9_iii(view: &View) -> Option<Move> {
    let h1 = H1::of(view);
    let [m1, m2] = h1.quotients();
    let [l1, l2] = h1.remainders();
    let speaks = h1.ef >= 1 && m1 == m2 && (l1 == h1.ef || l2 == h1.ef) && (l1.min(l2) > 0 || h1.bc > 0);
    if !speaks {
        return None;
    }
    let of_ab = l1 != h1.ef;
    let removed = if of_ab { l1 } else { l2 };
    Some(beside(of_ab, removed as i64, h1.bc as i64, is_balanced))
}

/// Section 7.5, where the first part of Lemma 4.11 speaks, with m1 = m2: the move leads to a position of the form (4.4) with r = 0.
pub fn lemma_4_11_a(view: &View) -> Option<Move> {
    let h1 = H1::of(view);
    let [m1, m2] = h1.quotients();
    let [l1, l2] = h1.remainders();
    let (less, k) = (l1.min(l2), h1.ef);
    if k < 1 || m1 != m2 || less >= k || h1.bc <= k - less {
        return None;
    }
    let (of_ab, removed) = (l2 < l1, l1.max(l2));
    let is_there: fn(Weights) -> bool = |[ab, bc, cd, ef]| {
        let (low, high) = (ab.min(cd), ab.max(cd));
        (1..=ef).contains(&bc) && low % H1 { ab, bc, cd, ef }.modulus() == 0 && high - low == ef - bc
    };
    Some(beside(of_ab, removed as i64, (h1.bc - (k - less)) as i64, is_there))
}

/// Remark 4.12 with the roles of AB and CD put right: AB loses AB - CD where it is the heavier one, and BC goes.
pub fn remark_4_12(view: &View) -> Option<Move> {
    let [ab, bc, cd, ef] = signed(view.named);
    if ef != 0 {
        return None;
    }
    Some(beside(ab >= cd, (ab - cd).abs(), bc, |[ab, bc, cd, _]| bc == 0 && ab == cd))
}

/// The one number m of section 4.1 for k = DE, counted where the triangle's weights are 1.
pub fn section_4_1_m(view: &View) -> Says {
    ways_to_m(view, |m| m * (m + 3) / 2)
}

/// The same with another end of the range of k.
pub fn ways_to_m(view: &View, last: fn(u64) -> u64) -> Says {
    let k = view.named[3];
    let is_counted = triangle(view.named) == [1, 1, 1] && k >= 1;
    // A greater m begins beyond k.
    let ways = (1..=k).take_while(|m| m * (m + 1) / 2 <= k).filter(|m| k <= last(*m)).count();
    states_if(is_counted, ways == 1, "exactly one m has m(m+1)/2 <= k <= m(m+3)/2", "no m, or several, have m(m+1)/2 <= k <= m(m+3)/2")
}

/// The multiset of a way to be special, as the remark on Definition 4.5 writes it out, in ascending order.
pub type WrittenOut = fn(&Special) -> Option<[u64; 3]>;

/// i = 1: k+1+(m+1)l twice, and k+m+1+(m+1)l.
pub fn example_4_5_first(view: &View) -> Says {
    becomes(view, |Special { k, l, m, i }| (*i == 1).then(|| [k + 1, k + 1, k + m + 1].map(|element| element + (m + 1) * l)))
}

/// m even, i = m/2+1, as it is printed: k+1+(m+1)l, and k+m+1+(m+1)l twice.
pub fn example_4_5_middle_printed(view: &View) -> Says {
    becomes(view, |Special { k, l, m, i }| {
        (m % 2 == 0 && *i == m / 2 + 1).then(|| [k + 1, k + m + 1, k + m + 1].map(|element| element + (m + 1) * l))
    })
}

/// m even, i = m/2+1, by the definition: k+1+(m+1)l, and k+m/2+1+(m+1)l twice.
pub fn example_4_5_middle(view: &View) -> Says {
    becomes(view, |Special { k, l, m, i }| {
        (m % 2 == 0 && *i == m / 2 + 1).then(|| [k + 1, k + m / 2 + 1, k + m / 2 + 1].map(|element| element + (m + 1) * l))
    })
}

/// That the triangle of G4 is what is written out, for each way to be special with k = DE of which it speaks.
pub fn becomes(view: &View, written: WrittenOut) -> Says {
    let mut sorted = triangle(view.named);
    sorted.sort_unstable();
    let mut spoken = special(sorted).filter(|found| found.k == view.named[3]).filter_map(|found| written(&found)).peekable();
    let speaks = view.least >= 1 && spoken.peek().is_some();
    states_if(
        speaks,
        spoken.all(|elements| elements == sorted),
        "the multiset is the one that is written out",
        "the multiset is another one",
    )
}
