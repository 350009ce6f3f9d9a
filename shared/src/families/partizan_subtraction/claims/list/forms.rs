use crate::claim::Kind;

use super::super::super::rules::Support;
use super::super::forms;
use super::{Entry, form};

/// All rulesets of Problem 7.1 are of one kind.
fn on_the_edge(_: &Support) -> &'static str {
    "tau = b-a, 3 <= a < b"
}

/// The claims about canonical forms and the order of heaps.
pub static ENTRIES: &[Entry] = &[
    form(
        ("truncated-support/thm-1.1", Kind::Theorem, "Theorem 1.1", "1"),
        forms::theorem_1_1,
        [
            "full support (tau = 0), a < b",
            "the canonical form is *n for n <= a, else {FS(n-1), ..., FS(n-a)|0} with no Left option dominated or reversible",
        ],
    ),
    form(
        ("truncated-support/thm-1.4", Kind::Theorem, "Theorem 1.4", "1"),
        forms::theorem_1_4,
        ["truncated support, tau = b-a, n >= 0", "TS(n) = TS(n mod (b+1))"],
    ),
    form(
        ("truncated-support/thm-2.1", Kind::Theorem, "Theorem 2.1", "2"),
        forms::theorem_2_1,
        ["full support (tau = 0), a = b", "*(n mod (a+1))"],
    ),
    form(
        ("truncated-support/obs-3.2.1", Kind::Observation, "Observation 3.2, part 1", "3"),
        forms::observation_3_2_1,
        ["full support (tau = 0)", "all-small"],
    ),
    form(
        ("truncated-support/obs-3.2.2", Kind::Observation, "Observation 3.2, part 2", "3"),
        forms::observation_3_2_2,
        ["full support (tau = 0), n <= min(a,b)", "*n"],
    ),
    form(
        ("truncated-support/lemma-3.4.1", Kind::Lemma, "Lemma 3.4, part 1", "3"),
        forms::lemma_3_4_1,
        ["full support (tau = 0), a < b, n > m >= 0, n-m <= a; at n over all such m", "FS(n) and FS(m) are confused"],
    ),
    form(
        ("truncated-support/lemma-3.4.2", Kind::Lemma, "Lemma 3.4, part 2", "3"),
        forms::lemma_3_4_2,
        ["full support (tau = 0), a < b, n > m >= 0, n-m > a; at n over all such m", "FS(n) < FS(m)"],
    ),
    form(
        ("truncated-support/lemma-3.5", Kind::Lemma, "Lemma 3.5", "3"),
        forms::lemma_3_5,
        ["full support (tau = 0), a < b", "the Left options of FS(n) are pairwise confused"],
    ),
    form(
        ("truncated-support/lemma-3.6", Kind::Lemma, "Lemma 3.6", "3"),
        forms::lemma_3_6,
        ["full support (tau = 0), a < b, n > a", "FS(n) = {FS(n-1), ..., FS(n-a)|0}"],
    ),
    form(
        ("truncated-support/obs-3.7", Kind::Observation, "Observation 3.7", "3"),
        forms::observation_3_7,
        ["full support (tau = 0), a < b", "FS(n;a,b) = FS(n;a,b+1)"],
    )
    .asking_wider(),
    form(
        ("truncated-support/obs-5.2", Kind::Observation, "Observation 5.2", "5"),
        forms::observation_5_2,
        ["truncated support, 1 <= n <= tau", "TS(n) = n"],
    ),
    form(
        ("truncated-support/prop-7.2", Kind::Proposition, "Proposition 7.2", "7"),
        forms::proposition_7_2,
        ["truncated support, tau = b-a, 3 <= a < b, n in b-a+1..b-2 outside Q = {(m+1)(b-a)+m : m >= 1}", "TS(n) <= TS(n+1)"],
    ),
    form(
        ("truncated-support/problem-7.1", Kind::Open, "Problem 7.1", "7"),
        forms::problem_7_1,
        [
            "truncated support, tau = b-a, 3 <= a < b, n in b-a+1..b-1; at n over all i != n in b-a+1..b-1",
            "TS(i) <= TS(n) only if i < n and no element of Q = {(m+1)(b-a)+m : m >= 1} is in i..n-1",
        ],
    )
    .counted_by(on_the_edge),
    form(
        ("truncated-support/problem-7.1-mixed", Kind::Open, "Problem 7.1, heaps up to b-a and larger ones", "7"),
        forms::problem_7_1_mixed,
        ["truncated support, tau = b-a, 3 <= a < b, n in b-a+1..b-1; at n over all i in 0..b-a", "TS(i) and TS(n) are confused"],
    )
    .counted_by(on_the_edge),
];
