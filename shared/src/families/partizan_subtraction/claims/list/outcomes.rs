use crate::claim::Kind;

use super::super::outcomes;
use super::{Entry, outcome};

/// The claims about outcomes.
pub static ENTRIES: &[Entry] = &[
    outcome(
        ("truncated-support/thm-1.3.1", Kind::Theorem, "Theorem 1.3, part 1", "1"),
        outcomes::theorem_1_3_1,
        ["truncated support, tau > b-a, n >= b+1", "L"],
    ),
    outcome(
        ("truncated-support/thm-1.3.2", Kind::Theorem, "Theorem 1.3, part 2", "1"),
        outcomes::theorem_1_3_2,
        ["truncated support, tau = b-a, n >= 0; t = n mod (b+1)", "P for t = 0, L for t in 1..tau, N for t in tau+1..b"],
    ),
    outcome(
        ("truncated-support/thm-1.3.3", Kind::Theorem, "Theorem 1.3, part 3", "1"),
        outcomes::theorem_1_3_3,
        ["truncated support, tau < b-a, n >= floor((b-a)/(b-a-tau)) (a+tau+1)", "R"],
    ),
    outcome(
        ("truncated-support/prop-3.3", Kind::Proposition, "Proposition 3.3", "3"),
        outcomes::proposition_3_3,
        ["full support (tau = 0), a < b, n > a", "R"],
    ),
    outcome(
        ("truncated-support/lemma-5.3.1-printed", Kind::Lemma, "Lemma 5.3, part 1, as printed", "5"),
        outcomes::lemma_5_3_1_printed,
        ["truncated support, 0 <= n <= tau", "L"],
    ),
    outcome(
        ("truncated-support/lemma-5.3.1", Kind::Lemma, "Lemma 5.3, part 1, from heap 1 on", "5"),
        outcomes::lemma_5_3_1,
        ["truncated support, 1 <= n <= tau", "L"],
    ),
    outcome(
        ("truncated-support/lemma-5.3.2", Kind::Lemma, "Lemma 5.3, part 2", "5"),
        outcomes::lemma_5_3_2,
        ["truncated support, tau+1 <= n <= min(tau+a, b)", "N"],
    ),
    outcome(
        ("truncated-support/lemma-5.3.3", Kind::Lemma, "Lemma 5.3, part 3", "5"),
        outcomes::lemma_5_3_3,
        ["truncated support, min(tau+a, b)+1 <= n <= b", "R"],
    ),
    outcome(
        ("truncated-support/lemma-5.5", Kind::Lemma, "Lemma 5.5", "5.3"),
        outcomes::lemma_5_5,
        [
            "truncated support, tau < b-a, n in block j, 1 <= j < floor((b-a)/(b-a-tau))",
            "L from (j-1)(b+1)+1, N from j(a+tau+1)-a, R from j(a+tau+1) to j(b+1)-1, P at j(b+1)",
        ],
    ),
    outcome(
        ("truncated-support/lemma-5.6", Kind::Lemma, "Lemma 5.6", "5.3"),
        outcomes::lemma_5_6,
        [
            "truncated support, tau < b-a, n in block j = floor((b-a)/(b-a-tau))",
            "L from (j-1)(b+1)+1, N from j(a+tau+1)-a, R from j(a+tau+1) to j(b+1)",
        ],
    ),
    outcome(
        ("truncated-support/lemma-5.7", Kind::Lemma, "Lemma 5.7", "5.3"),
        outcomes::lemma_5_7,
        ["truncated support, tau < b-a, n >= floor((b-a)/(b-a-tau)) (a+tau+1)", "R"],
    ),
    outcome(
        ("truncated-support/example-5.4", Kind::Example, "Example 5.4", "5.3"),
        outcomes::example_5_4,
        ["truncated support, a = 5, b = 11, tau = 4, n in 1..12", "L L L L N N N N N R R P"],
    ),
    outcome(
        ("truncated-support/figure-3-text", Kind::Remark, "Text on figure 3", "1"),
        outcomes::figure_3_text,
        [
            "truncated support, a = 3, b = 7; about all heaps of a ruleset at once, counted at n = 0",
            "R for all large n at tau <= 3; P and N infinitely often at tau = 4; L for all large n at tau >= 5",
        ],
    ),
];
