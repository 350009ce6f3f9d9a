//! The claims about atomic weights and outcomes beside a far star as data: Theorems 1.2 and 1.5, Lemmas 4.1 and 6.1, and
//! Conjecture 7.1.

use crate::claim::Kind;
use crate::families::Printed;

use super::super::super::PartizanSubtraction;
use super::super::super::rules::Support;
use super::super::weights;
use super::Scope;

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
pub static PRINTED: &[Printed<PartizanSubtraction>] = &[
    Printed {
        id: "truncated-support/thm-1.2.1",
        kind: Kind::Theorem,
        item: "Theorem 1.2, part 1",
        section: "1",
        hypothesis: "full support (tau = 0), a = b",
        statement: "atomic weight 0",
        scope: Scope::WEIGHT,
        predict: |view| view.says(weights::theorem_1_2_1),
    },
    Printed {
        id: "truncated-support/thm-1.2.2",
        kind: Kind::Theorem,
        item: "Theorem 1.2, part 2, as section 4 restates it",
        section: "4",
        hypothesis: "full support (tau = 0), a < b, n >= 1",
        statement: "atomic weight -ceil(n/a)+1",
        scope: Scope::WEIGHT,
        predict: |view| view.says(weights::theorem_1_2_2),
    },
    Printed {
        id: "truncated-support/thm-1.2.2-intro",
        kind: Kind::Theorem,
        item: "Theorem 1.2, part 2, as section 1 prints it",
        section: "1",
        hypothesis: "full support (tau = 0), a < b, n >= 0",
        statement: "atomic weight -ceil(n/a)+1",
        scope: Scope { census: Some(full), ..Scope::WEIGHT },
        predict: |view| view.says(weights::theorem_1_2_2_intro),
    },
    Printed {
        id: "truncated-support/thm-1.5",
        kind: Kind::Theorem,
        item: "Theorem 1.5",
        section: "1",
        hypothesis: "truncated support, 1 <= tau < (b-a)/2, n >= a+tau+1",
        statement: "atomic weight -floor((n-(a+tau+1))/a)",
        scope: Scope::WEIGHT,
        predict: |view| view.says(weights::theorem_1_5),
    },
    Printed {
        id: "truncated-support/lemma-4.1",
        kind: Kind::Lemma,
        item: "Lemma 4.1",
        section: "4",
        hypothesis: "full support (tau = 0), a < b, n > a",
        statement: "FS(n) + far star is R",
        scope: Scope::WEIGHT,
        predict: |view| view.says(weights::lemma_4_1),
    },
    Printed {
        id: "truncated-support/lemma-6.1",
        kind: Kind::Lemma,
        item: "Lemma 6.1",
        section: "6",
        hypothesis: "truncated support, 0 < tau < (b-a)/2, tau+1 <= n <= tau+a",
        statement: "TS(n) + up + far star is L",
        scope: Scope::WEIGHT,
        predict: |view| view.says(weights::lemma_6_1),
    },
    Printed {
        id: "truncated-support/conj-7.1",
        kind: Kind::Open,
        item: "Conjecture 7.1",
        section: "7",
        hypothesis: "truncated support, tau < b-a, n >= R = floor((b-a)/(b-a-tau)) (a+tau+1)",
        statement: "atomic weight -floor((n-R)/a)",
        scope: Scope { census: Some(by_step), ..Scope::WEIGHT },
        predict: |view| view.says(weights::conjecture_7_1),
    },
];
