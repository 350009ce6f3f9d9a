use std::sync::LazyLock;

use crate::claim::{Claim, Kind, Paper, Place};

use super::outcomes;
use super::position::{Position, Says};

static PAPER: Paper = Paper {
    key: "truncated-support",
    title: "Partizan Subtraction with full and truncated support",
    cite: "Partizan Subtraction with full and truncated support",
};

/// A claim with its predicate.
pub struct Entry {
    /// The claim as data.
    pub claim: Claim,
    /// What it predicts of a heap of full or truncated support.
    pub predict: fn(&Position) -> Says,
}

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| ENTRIES.iter().map(|entry| entry.claim).collect());

/// The claims as data, in the order of [`entries`].
#[must_use]
pub fn claims() -> &'static [Claim] {
    &CLAIMS
}

/// Every claim of the paper about outcomes.
#[must_use]
pub fn entries() -> &'static [Entry] {
    ENTRIES
}

const fn entry(place: Place, predict: fn(&Position) -> Says, words: [&'static str; 2]) -> Entry {
    Entry { claim: Claim::new(&PAPER, place, words), predict }
}

static ENTRIES: &[Entry] = &[
    entry(
        ("truncated-support/thm-1.3.1", Kind::Theorem, "Theorem 1.3, part 1", "1"),
        outcomes::theorem_1_3_1,
        ["truncated support, tau > b-a, n >= b+1", "L"],
    ),
    entry(
        ("truncated-support/thm-1.3.2", Kind::Theorem, "Theorem 1.3, part 2", "1"),
        outcomes::theorem_1_3_2,
        ["truncated support, tau = b-a, n >= 0; t = n mod (b+1)", "P for t = 0, L for t in 1..tau, N for t in tau+1..b"],
    ),
    entry(
        ("truncated-support/thm-1.3.3", Kind::Theorem, "Theorem 1.3, part 3", "1"),
        outcomes::theorem_1_3_3,
        ["truncated support, tau < b-a, n >= floor((b-a)/(b-a-tau)) (a+tau+1)", "R"],
    ),
    entry(
        ("truncated-support/prop-3.3", Kind::Proposition, "Proposition 3.3", "3"),
        outcomes::proposition_3_3,
        ["full support (tau = 0), a < b, n > a", "R"],
    ),
    entry(
        ("truncated-support/lemma-5.3.1-printed", Kind::Lemma, "Lemma 5.3, part 1, as printed", "5"),
        outcomes::lemma_5_3_1_printed,
        ["truncated support, 0 <= n <= tau", "L"],
    ),
    entry(
        ("truncated-support/lemma-5.3.1", Kind::Lemma, "Lemma 5.3, part 1, from heap 1 on", "5"),
        outcomes::lemma_5_3_1,
        ["truncated support, 1 <= n <= tau", "L"],
    ),
    entry(
        ("truncated-support/lemma-5.3.2", Kind::Lemma, "Lemma 5.3, part 2", "5"),
        outcomes::lemma_5_3_2,
        ["truncated support, tau+1 <= n <= min(tau+a, b)", "N"],
    ),
    entry(
        ("truncated-support/lemma-5.3.3", Kind::Lemma, "Lemma 5.3, part 3", "5"),
        outcomes::lemma_5_3_3,
        ["truncated support, min(tau+a, b)+1 <= n <= b", "R"],
    ),
    entry(
        ("truncated-support/lemma-5.5", Kind::Lemma, "Lemma 5.5", "5.3"),
        outcomes::lemma_5_5,
        [
            "truncated support, tau < b-a, n in block j, 1 <= j < floor((b-a)/(b-a-tau))",
            "L from (j-1)(b+1)+1, N from j(a+tau+1)-a, R from j(a+tau+1) to j(b+1)-1, P at j(b+1)",
        ],
    ),
    entry(
        ("truncated-support/lemma-5.6", Kind::Lemma, "Lemma 5.6", "5.3"),
        outcomes::lemma_5_6,
        [
            "truncated support, tau < b-a, n in block j = floor((b-a)/(b-a-tau))",
            "L from (j-1)(b+1)+1, N from j(a+tau+1)-a, R from j(a+tau+1) to j(b+1)",
        ],
    ),
    entry(
        ("truncated-support/lemma-5.7", Kind::Lemma, "Lemma 5.7", "5.3"),
        outcomes::lemma_5_7,
        ["truncated support, tau < b-a, n >= floor((b-a)/(b-a-tau)) (a+tau+1)", "R"],
    ),
    entry(
        ("truncated-support/example-5.4", Kind::Example, "Example 5.4", "5.3"),
        outcomes::example_5_4,
        ["truncated support, a = 5, b = 11, tau = 4, n in 1..12", "L L L L N N N N N R R P"],
    ),
    entry(
        ("truncated-support/figure-3-text", Kind::Remark, "Text on figure 3", "1"),
        outcomes::figure_3_text,
        [
            "truncated support, a = 3, b = 7; about all heaps of a ruleset at once, counted at n = 0",
            "R for all large n at tau <= 3; P and N infinitely often at tau = 4; L for all large n at tau >= 5",
        ],
    ),
];
