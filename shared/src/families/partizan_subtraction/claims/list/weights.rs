use crate::claim::Kind;

use super::super::super::rules::Support;
use super::super::weights;
use super::{Entry, weight};

fn by_step(Support { a, b, tau }: &Support) -> &'static str {
    // Only where tau < b - a.
    match (*a == 1, (b - a).is_multiple_of(b - a - tau)) {
        (true, true) => "a = 1, b-a-tau divides b-a",
        (true, false) => "a = 1, b-a-tau does not divide b-a",
        (false, true) => "a >= 2, b-a-tau divides b-a",
        (false, false) => "a >= 2, b-a-tau does not divide b-a",
    }
}

fn full(_: &Support) -> &'static str {
    "tau = 0, a < b"
}

/// The claims about atomic weights and outcomes beside a far star.
pub static ENTRIES: &[Entry] = &[
    weight(
        ("truncated-support/thm-1.2.1", Kind::Theorem, "Theorem 1.2, part 1", "1"),
        weights::theorem_1_2_1,
        ["full support (tau = 0), a = b", "atomic weight 0"],
    ),
    weight(
        ("truncated-support/thm-1.2.2", Kind::Theorem, "Theorem 1.2, part 2, as section 4 restates it", "4"),
        weights::theorem_1_2_2,
        ["full support (tau = 0), a < b, n >= 1", "atomic weight -ceil(n/a)+1"],
    ),
    weight(
        ("truncated-support/thm-1.2.2-intro", Kind::Theorem, "Theorem 1.2, part 2, as section 1 prints it", "1"),
        weights::theorem_1_2_2_intro,
        ["full support (tau = 0), a < b, n >= 0", "atomic weight -ceil(n/a)+1"],
    )
    .counted_by(full),
    weight(
        ("truncated-support/thm-1.5", Kind::Theorem, "Theorem 1.5", "1"),
        weights::theorem_1_5,
        ["truncated support, 1 <= tau < (b-a)/2, n >= a+tau+1", "atomic weight -floor((n-(a+tau+1))/a)"],
    ),
    weight(
        ("truncated-support/lemma-4.1", Kind::Lemma, "Lemma 4.1", "4"),
        weights::lemma_4_1,
        ["full support (tau = 0), a < b, n > a", "FS(n) + far star is R"],
    ),
    weight(
        ("truncated-support/lemma-6.1", Kind::Lemma, "Lemma 6.1", "6"),
        weights::lemma_6_1,
        ["truncated support, 0 < tau < (b-a)/2, tau+1 <= n <= tau+a", "TS(n) + up + far star is L"],
    ),
    weight(
        ("truncated-support/conj-7.1", Kind::Open, "Conjecture 7.1", "7"),
        weights::conjecture_7_1,
        ["truncated support, tau < b-a, n >= R = floor((b-a)/(b-a-tau)) (a+tau+1)", "atomic weight -floor((n-R)/a)"],
    )
    .counted_by(by_step),
];
