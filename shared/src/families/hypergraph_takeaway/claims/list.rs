use std::sync::LazyLock;

use crate::claim::{Claim, Kind, Paper, Place};

use super::position::{Position, Says};
use super::{structure, values};

static PAPER: Paper = Paper {
    key: "hypergraphs",
    title: "Take-away impartial combinatorial games on hypergraphs and other related geometric and discrete structures",
    cite: "arXiv 2203.09696",
};

/// A claim with its predicate.
pub struct Entry {
    /// The claim as data.
    pub claim: Claim,
    /// Whether it is about members of the family of section 1, and not about hypergraphs at large.
    pub is_about_members: bool,
    /// What it predicts.
    pub predict: fn(&Position) -> Says,
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

const fn member(place: Place, predict: fn(&Position) -> Says, words: [&'static str; 2]) -> Entry {
    Entry { claim: Claim::new(&PAPER, place, words), is_about_members: true, predict }
}

const fn any(place: Place, predict: fn(&Position) -> Says, words: [&'static str; 2]) -> Entry {
    Entry { claim: Claim::new(&PAPER, place, words), is_about_members: false, predict }
}

static ENTRIES: &[Entry] = &[
    any(
        ("hypergraphs/thm-2.4", Kind::Theorem, "Theorem 2.4 of its reference [1], as used in the proofs", "2"),
        values::theorem_2_4,
        [
            "any hypergraph all of whose hyperedges have an odd number of vertices",
            "g = 0, 1, 2, 3 for (|V|, |E|) = (even, even), (odd, even), (odd, odd), (even, odd)",
        ],
    ),
    any(
        ("hypergraphs/thm-2.8", Kind::Theorem, "Theorem 2.8 of its reference [1], as used in the proofs", "2"),
        values::theorem_2_8,
        [
            "any hypergraph all of whose hyperedges have an even number of vertices, where some set of vertices meets each in an odd number",
            "g = (|V| mod 2) + 2 (|E| mod 2)",
        ],
    ),
    member(
        ("hypergraphs/lemma-1", Kind::Lemma, "Lemma 1", "2.1"),
        structure::lemma_1,
        ["every member of the family", "not all vertices of X are in subcategory C"],
    ),
    member(
        ("hypergraphs/lemma-2", Kind::Lemma, "Lemma 2", "2.2"),
        structure::lemma_2,
        ["members with all vertices of X in subcategory B", "|E(Y)| = |V(X)|"],
    ),
    member(
        ("hypergraphs/remark-2", Kind::Remark, "Remark after Lemma 2", "2.2"),
        structure::remark_2,
        ["members with the greatest |E(Y)| of all with the same |V(X)|", "the greatest |E(Y)| equals |V(X)|"],
    ),
    member(
        ("hypergraphs/lemma-3", Kind::Lemma, "Lemma 3", "2.3"),
        structure::lemma_3,
        ["members with all vertices of X in subcategory B", "|E(Y)| >= 4"],
    ),
    member(
        ("hypergraphs/lemma-4", Kind::Lemma, "Lemma 4", "2.4"),
        structure::lemma_4,
        ["every member of the family", "not all vertices of X are in subcategories B and C with both occurring"],
    ),
    member(
        ("hypergraphs/lemma-5", Kind::Lemma, "Lemma 5", "2.5"),
        structure::lemma_5,
        ["members where subcategories A and B occur and C does not", "|E(Y)| >= 3"],
    ),
    member(
        ("hypergraphs/lemma-6", Kind::Lemma, "Lemma 6", "2.6"),
        structure::lemma_6,
        [
            "every member of the family",
            "it is in exactly one of the groups I (all A), II (all B), III (A and B), IV (A and C), V (A, B and C)",
        ],
    ),
    member(
        ("hypergraphs/remark-6.a", Kind::Remark, "Remark after Lemma 6, part 1", "2.6"),
        structure::remark_6_a,
        ["members outside group II", "some vertex of X is in subcategory A"],
    ),
    member(
        ("hypergraphs/remark-6.b", Kind::Remark, "Remark after Lemma 6, part 2", "2.6"),
        structure::remark_6_b,
        ["members of groups III, IV and V", "some vertex of X is in subcategory B or C"],
    ),
    member(
        ("hypergraphs/thm-7", Kind::Theorem, "Theorem 7", "2"),
        values::theorem_7,
        ["members with |E(Y)| odd, in a group or not", "g = 1"],
    ),
    member(
        ("hypergraphs/thm-8", Kind::Theorem, "Theorem 8", "2"),
        values::theorem_8,
        ["members of groups III, IV and V with |E(Y)| even", "g = 4"],
    ),
    member(("hypergraphs/thm-9", Kind::Theorem, "Theorem 9", "2"), values::theorem_9, ["members of group I with |E(Y)| even", "g = 0"]),
    member(("hypergraphs/thm-10", Kind::Theorem, "Theorem 10", "2"), values::theorem_10, ["members of group II with |E(Y)| even", "g = 3"]),
];
