use std::sync::LazyLock;

use crate::claim::Kind;
use crate::families::legacy::{Claim, Paper, Place};

use super::super::graph::Graph;
use super::rows::Along;
use super::view::{Domain, Says, View};
use super::{figure, g4, galaxy, h1, h1_rows, others};

static PAPER: Paper = Paper { key: "four-edges", title: "The Game of Graph Nim on graphs with four edges", cite: "arXiv 2509.05064" };

/// A claim with the graphs it speaks about and its predicate.
pub struct Entry {
    /// The claim as data.
    pub claim: Claim,
    /// On which graphs it speaks.
    pub domain: Domain,
    /// What it predicts there.
    pub predicate: Predicate,
    /// What it says along a row, where that is known; without it every position is looked at.
    pub along: Option<Along>,
}

/// What a claim predicts of a position.
pub type PositionPredicate = fn(&View) -> Says;

/// A claim's predicate.
#[derive(Clone, Copy)]
pub enum Predicate {
    /// Of a position.
    Position(PositionPredicate),
    /// Of a graph.
    Graph(fn(&Graph) -> Says),
}

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| ENTRIES.iter().map(|entry| entry.claim).collect());

/// The claims as data, in the order of [`entries`].
#[must_use]
pub fn claims() -> &'static [Claim] {
    &CLAIMS
}

/// Every claim of the paper.
#[must_use]
pub fn entries() -> &'static [Entry] {
    ENTRIES
}

const fn entry(place: Place, domain: Domain, predicate: PositionPredicate, words: [&'static str; 2]) -> Entry {
    Entry { claim: Claim::new(&PAPER, place, words), domain, predicate: Predicate::Position(predicate), along: None }
}

const fn named(graph: &'static str, place: Place, predicate: PositionPredicate, words: [&'static str; 2]) -> Entry {
    entry(place, Domain::Named(graph), predicate, words)
}

/// A claim on H1, with what it says along a row.
const fn on_h1(place: Place, predicate: PositionPredicate, along: Along, words: [&'static str; 2]) -> Entry {
    Entry { along: Some(along), ..named("H1", place, predicate, words) }
}

static ENTRIES: &[Entry] = &[
    entry(
        ("four-edges/thm-2.3", Kind::Theorem, "Theorem 2.3", "2"),
        Domain::Galaxy,
        galaxy::theorem_2_3,
        ["any galaxy graph (every component a star), weights at least 0 and not all 0", "P iff the xor of the stars' weight sums is 0"],
    ),
    named(
        "G1",
        ("four-edges/thm-4.1.1", Kind::Theorem, "Theorem 4.1, part 1", "4"),
        galaxy::theorem_4_1_1,
        ["G1, weights at least 0 and not all 0", "N"],
    ),
    named(
        "H2",
        ("four-edges/thm-4.1.2", Kind::Theorem, "Theorem 4.1, part 2", "4"),
        galaxy::theorem_4_1_2,
        ["H2, all weights at least 1", "P iff AB + BC = DE + EF"],
    ),
    named(
        "H3",
        ("four-edges/thm-4.1.3", Kind::Theorem, "Theorem 4.1, part 3", "4"),
        galaxy::theorem_4_1_3,
        ["H3, all weights at least 1", "P iff AB + AC + AD = EF"],
    ),
    named(
        "I1",
        ("four-edges/thm-4.1.4", Kind::Theorem, "Theorem 4.1, part 4", "4"),
        galaxy::theorem_4_1_4,
        ["I1, all weights at least 1", "P iff (AB + BC) xor DE xor FG = 0"],
    ),
    named(
        "I2",
        ("four-edges/thm-4.1.5", Kind::Theorem, "Theorem 4.1, part 5", "4"),
        galaxy::theorem_4_1_5,
        ["I2, all weights at least 1", "P iff AB xor CD xor EF xor GH = 0"],
    ),
    named(
        "F1",
        ("four-edges/thm-4.2", Kind::Theorem, "Theorem 4.2", "4"),
        others::theorem_4_2,
        ["F1, all weights at least 1", "P iff AB = CD and BC = DA"],
    ),
    named(
        "F2",
        ("four-edges/thm-4.3", Kind::Theorem, "Theorem 4.3", "4"),
        others::theorem_4_3,
        ["F2, all weights at least 1", "P iff BC = DB and CD = AB + BC"],
    ),
    named(
        "G2",
        ("four-edges/thm-4.4.g2", Kind::Theorem, "Theorem 4.4 for G2", "4"),
        others::theorem_4_4,
        ["G2, all weights at least 1", "N"],
    ),
    named(
        "G3",
        ("four-edges/thm-4.4.g3", Kind::Theorem, "Theorem 4.4 for G3", "4"),
        others::theorem_4_4,
        ["G3, all weights at least 1", "N"],
    ),
    named(
        "K3",
        ("four-edges/thm-5.1", Kind::Theorem, "Theorem 5.1", "5"),
        others::theorem_5_1,
        ["K3, all weights at least 1", "P iff all three weights are equal"],
    ),
    named(
        "G4",
        ("four-edges/thm-4.6", Kind::Theorem, "Theorem 4.6", "4.1"),
        g4::theorem_4_6,
        [
            POSITIVE_G4,
            "P iff exactly one holds: (A1) {AB,BC,CA} is (DE,l,m,i)-special for some l, m, i; (A2) DE = AB+BC+CA, not all three are \
             equal, and {AB,BC,CA} is not special",
        ],
    ),
    named(
        "G4",
        ("four-edges/step-d1", Kind::Step, "Step D1", "6"),
        g4::step_d1,
        ["G4, all weights at least 1, min <= DE <= sum - min, over AB, BC, CA", "N"],
    ),
    named("G4", ("four-edges/step-d2", Kind::Step, "Step D2", "6"), g4::step_d2, ["G4, all weights at least 1, (A1) of Theorem 4.6", "P"]),
    named(
        "G4",
        ("four-edges/step-d3", Kind::Step, "Step D3", "6"),
        g4::step_d3,
        ["G4, all weights at least 1, 0 < DE < min of AB, BC, CA, and not (A1) of Theorem 4.6", "N"],
    ),
    named("G4", ("four-edges/step-d4", Kind::Step, "Step D4", "6"), g4::step_d4, ["G4, all weights at least 1, (A2) of Theorem 4.6", "P"]),
    named(
        "G4",
        ("four-edges/step-d5", Kind::Step, "Step D5", "6"),
        g4::step_d5,
        ["G4, all weights at least 1, DE > sum - min, DE != sum, over AB, BC, CA, and {AB,BC,CA} not special", "N"],
    ),
    named(
        "G4",
        ("four-edges/steps-complete", Kind::Step, "Steps D1 to D5", "6"),
        g4::steps_complete,
        [POSITIVE_G4, "one of the steps D1 to D5 speaks, so that with them Theorem 4.6 is proved"],
    ),
    named(
        "G4",
        ("four-edges/example-4.5", Kind::Remark, "Remark on Definition 4.5", "4.1"),
        g4::example_4_5,
        [
            "G4, all weights at least 1, {AB,BC,CA} is (DE,l,m,i)-special with m even and i in {2..m+1} without m/2+1, or m odd and i > 1",
            "AB, BC, CA are all distinct",
        ],
    ),
    named(
        "K3",
        ("four-edges/lemma-6.1", Kind::Lemma, "Lemma 6.1", "6.3"),
        g4::lemma_6_1,
        [
            "K3, all weights at least 1, AB <= BC <= CA, not all equal",
            "{AB,BC,CA} is special iff 2AB > (BC+CA-2AB)(BC+CA-2AB+1); about the predicate, not about play",
        ],
    ),
    on_h1(
        ("four-edges/lemma-4.7", Kind::Lemma, "Lemma 4.7", "4.2"),
        h1::lemma_4_7,
        Along::Winning(h1_rows::lemma_4_7),
        ["H1, all weights at least 1, AB <= EF <= AB+BC or CD <= EF <= BC+CD", "N"],
    ),
    on_h1(
        ("four-edges/thm-4.8.1", Kind::Theorem, "Theorem 4.8, part 1", "4.2"),
        h1::theorem_4_8_1,
        Along::Winning(h1_rows::theorem_4_8_1),
        ["H1, all weights at least 1, AB xor CD xor EF = 0", "N"],
    ),
    on_h1(
        ("four-edges/thm-4.8.2", Kind::Theorem, "Theorem 4.8, part 2", "4.2"),
        h1::theorem_4_8_2,
        Along::Winning(h1_rows::theorem_4_8_2),
        ["H1, AB, CD, EF at least 1, BC at least 0, x = AB xor CD xor EF > 0, and the top bit of x is on in AB or in CD", "N"],
    ),
    on_h1(
        ("four-edges/lemma-4.9.i", Kind::Lemma, "Lemma 4.9 (i)", "4.2"),
        h1::lemma_4_9_i,
        Along::Winning(h1_rows::lemma_4_9_i),
        [
            "H1, k = EF at least 1, AB, BC, CD at least 0, m1 != m2; AB = M m1 + l1, CD = M m2 + l2, 0 <= l1, l2 < M = 2^(f(k)+1), f(k) = floor(log2 k)",
            "N",
        ],
    ),
    on_h1(
        ("four-edges/lemma-4.9.ii", Kind::Lemma, "Lemma 4.9 (ii)", "4.2"),
        h1::lemma_4_9_ii,
        Along::Winning(h1_rows::lemma_4_9_ii),
        [
            "H1, k = EF at least 1, AB, BC, CD at least 0, min(l1,l2) >= k; AB = M m1 + l1, CD = M m2 + l2, 0 <= l1, l2 < M = 2^(f(k)+1), f(k) = floor(log2 k)",
            "N",
        ],
    ),
    on_h1(
        ("four-edges/lemma-4.9.iii-printed", Kind::Lemma, "Lemma 4.9 (iii), as printed", "4.2"),
        h1::lemma_4_9_iii_printed,
        Along::Winning(h1_rows::lemma_4_9_iii_printed),
        [
            "H1, k = EF at least 1, AB, BC, CD at least 0, k in {l1,l2}, and min(l1,l2) > 0 or BC = 0; AB = M m1 + l1, CD = M m2 + l2, 0 <= l1, l2 < M = 2^(f(k)+1), f(k) = floor(log2 k)",
            "N",
        ],
    ),
    on_h1(
        ("four-edges/lemma-4.9.iii-proof", Kind::Lemma, "Lemma 4.9 (iii), as its proof has it", "7.3"),
        h1::lemma_4_9_iii_proof,
        Along::Winning(h1_rows::lemma_4_9_iii_proof),
        [
            "H1, k = EF at least 1, AB, BC, CD at least 0, k in {l1,l2}, and min(l1,l2) > 0 or BC > 0; AB = M m1 + l1, CD = M m2 + l2, 0 <= l1, l2 < M = 2^(f(k)+1), f(k) = floor(log2 k)",
            "N",
        ],
    ),
    on_h1(
        ("four-edges/thm-4.10.1", Kind::Theorem, "Theorem 4.10, part 1", "4.2"),
        h1::theorem_4_10_1,
        Along::Spots(h1_rows::theorem_4_10_1),
        [
            "H1, all weights at least 1, {AB,CD} = {Mm+r, Mm+k-r-s} with r in {0,1,3}, 1 <= s <= k-2r; s = BC, k = EF, m >= 0, M = 2^(f(k)+1), f(k) = floor(log2 k), either of AB, CD may carry r",
            "P",
        ],
    ),
    on_h1(
        ("four-edges/thm-4.10.2", Kind::Theorem, "Theorem 4.10, part 2", "4.2"),
        h1::theorem_4_10_2,
        Along::Spots(h1_rows::theorem_4_10_2),
        [
            "H1, all weights at least 1, {AB,CD} = {Mm+r, Mm+k+r-s} with r in {2,4}, 1 <= s < r, k mod 2^(f(r)+1) in s..r-1; s = BC, k = EF, m >= 0, M = 2^(f(k)+1), f(k) = floor(log2 k), either of AB, CD may carry r",
            "P",
        ],
    ),
    on_h1(
        ("four-edges/thm-4.10.3", Kind::Theorem, "Theorem 4.10, part 3", "4.2"),
        h1::theorem_4_10_3,
        Along::Spots(h1_rows::theorem_4_10_3),
        [
            "H1, all weights at least 1, {AB,CD} = {Mm+r, Mm+k-r-s} with r in {2,4}, 1 <= s < r, k >= 3r, \
             k mod 2^(f(r)+1) not in s..r-1; s = BC, k = EF, m >= 0, M = 2^(f(k)+1), f(k) = floor(log2 k), either of AB, CD may carry r",
            "P",
        ],
    ),
    on_h1(
        ("four-edges/thm-4.10.4", Kind::Theorem, "Theorem 4.10, part 4", "4.2"),
        h1::theorem_4_10_4,
        Along::Spots(h1_rows::theorem_4_10_4),
        [
            "H1, all weights at least 1, {AB,CD} = {Mm+r, Mm+k-r-s} with r in {2,4}, k >= 3r, r <= s <= k-2r; s = BC, k = EF, m >= 0, M = 2^(f(k)+1), f(k) = floor(log2 k), either of AB, CD may carry r",
            "P",
        ],
    ),
    on_h1(
        ("four-edges/lemma-4.11.a", Kind::Lemma, "Lemma 4.11, first part", "4.2"),
        h1::lemma_4_11_a,
        Along::Winning(h1_rows::lemma_4_11_a),
        [
            "H1, k = EF and BC at least 1, AB, CD at least 0, min(l1,l2) < k, BC > k - min(l1,l2); AB = M m1 + l1, CD = M m2 + l2, 0 <= l1, l2 < M = 2^(f(k)+1), f(k) = floor(log2 k)",
            "N",
        ],
    ),
    on_h1(
        ("four-edges/lemma-4.11.b", Kind::Lemma, "Lemma 4.11, second part", "4.2"),
        h1::lemma_4_11_b,
        Along::Winning(h1_rows::lemma_4_11_b),
        ["H1, EF and BC at least 1, AB, CD at least 0, BC > EF", "N"],
    ),
    on_h1(
        ("four-edges/remark-4.12-printed", Kind::Remark, "Remark 4.12, as printed", "4.2"),
        h1::remark_4_12_printed,
        Along::Winning(h1_rows::remark_4_12_printed),
        ["H1, EF = 0, AB, BC, CD at least 0", "N"],
    ),
    on_h1(
        ("four-edges/remark-4.12-proof", Kind::Remark, "Remark 4.12, as its proof has it", "4.2"),
        h1::remark_4_12_proof,
        Along::Winning(h1_rows::remark_4_12_proof),
        ["H1, EF = 0, BC at least 1, AB, CD at least 0", "N"],
    ),
    entry(
        ("four-edges/lemma-4.13", Kind::Lemma, "Lemma 4.13", "4.2"),
        Domain::ThreeStars,
        galaxy::lemma_4_13,
        [
            "exactly three stars, all weights at least 1; one star's sum is k, the others' are Mm + l1 and Mm + l2 with the same m, \
             0 <= l1, l2 < M = 2^(f(k)+1), f(k) = floor(log2 k), and l1 + l2 < k",
            "N",
        ],
    ),
    on_h1(
        ("four-edges/example-h1", Kind::Example, "Example after Theorem 4.10", "4.2"),
        h1::example_h1,
        Along::Spots(h1_rows::example_h1),
        ["H1 at (16m+5, 1, 16m+6, 11) and at (16m+6, 1, 16m+5, 11), m >= 0", "P"],
    ),
    on_h1(
        ("four-edges/example-h1-outside", Kind::Remark, "Example after Theorem 4.10, on the theorem's reach", "4.2"),
        h1::example_h1_outside,
        Along::Spots(h1_rows::example_h1),
        ["H1 at (16m+5, 1, 16m+6, 11) and at (16m+6, 1, 16m+5, 11), m >= 0", "no family of Theorem 4.10 names it"],
    ),
    Entry {
        claim: Claim::new(
            &PAPER,
            ("four-edges/figure-2", Kind::Remark, "Figure 2", "4"),
            [
                "graphs with four edges and no isolated vertex, so at most 8 vertices",
                "each is isomorphic to exactly one of F1, F2, G1, G2, G3, G4, H1, H2, H3, I1, I2",
            ],
        ),
        domain: Domain::Graphs,
        predicate: Predicate::Graph(figure::figure_2),
        along: None,
    },
];

const POSITIVE_G4: &str = "G4, all weights at least 1";
