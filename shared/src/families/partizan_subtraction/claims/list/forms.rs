//! The claims about canonical forms and the order of heaps as data: Theorems 1.1, 1.4 and 2.1, the lemmas and observations of
//! section 3, Observation 5.2, Proposition 7.2 and Problem 7.1.

use crate::claim::Kind;
use crate::families::Printed;

use super::super::super::PartizanSubtraction;
use super::super::super::rules::Support;
use super::super::forms;
use super::Scope;

/// All rulesets of Problem 7.1 are of one kind.
fn on_the_edge(_: &Support) -> &'static str {
    "tau = b-a, 3 <= a < b"
}

/// The claims about canonical forms and the order of heaps.
pub static PRINTED: &[Printed<PartizanSubtraction>] = &[
    Printed {
        id: "truncated-support/thm-1.1",
        kind: Kind::Theorem,
        item: "Theorem 1.1",
        section: "1",
        hypothesis: "full support (tau = 0), a < b",
        statement: "the canonical form is *n for n <= a, else {FS(n-1), ..., FS(n-a)|0} with no Left option dominated or reversible",
        scope: Scope::FORM,
        predict: |view| view.says(forms::theorem_1_1),
    },
    Printed {
        id: "truncated-support/thm-1.4",
        kind: Kind::Theorem,
        item: "Theorem 1.4",
        section: "1",
        hypothesis: "truncated support, tau = b-a, n >= 0",
        statement: "TS(n) = TS(n mod (b+1))",
        scope: Scope::FORM,
        predict: |view| view.says(forms::theorem_1_4),
    },
    Printed {
        id: "truncated-support/thm-2.1",
        kind: Kind::Theorem,
        item: "Theorem 2.1",
        section: "2",
        hypothesis: "full support (tau = 0), a = b, n >= 1",
        statement: "*(n mod (a+1))",
        scope: Scope::FORM,
        predict: |view| view.says(forms::theorem_2_1),
    },
    Printed {
        id: "truncated-support/obs-3.2.1",
        kind: Kind::Observation,
        item: "Observation 3.2, part 1",
        section: "3",
        hypothesis: "full support (tau = 0)",
        statement: "all-small",
        scope: Scope::FORM,
        predict: |view| view.says(forms::observation_3_2_1),
    },
    Printed {
        id: "truncated-support/obs-3.2.2",
        kind: Kind::Observation,
        item: "Observation 3.2, part 2",
        section: "3",
        hypothesis: "full support (tau = 0), n <= min(a,b)",
        statement: "*n",
        scope: Scope::FORM,
        predict: |view| view.says(forms::observation_3_2_2),
    },
    Printed {
        id: "truncated-support/lemma-3.4.1",
        kind: Kind::Lemma,
        item: "Lemma 3.4, part 1",
        section: "3",
        hypothesis: "full support (tau = 0), a < b, n > m >= 0, n-m <= a; at n over all such m",
        statement: "FS(n) and FS(m) are confused",
        scope: Scope::FORM,
        predict: |view| view.says(forms::lemma_3_4_1),
    },
    Printed {
        id: "truncated-support/lemma-3.4.2",
        kind: Kind::Lemma,
        item: "Lemma 3.4, part 2",
        section: "3",
        hypothesis: "full support (tau = 0), a < b, n > m >= 0, n-m > a; at n over all such m",
        statement: "FS(n) < FS(m)",
        scope: Scope::FORM,
        predict: |view| view.says(forms::lemma_3_4_2),
    },
    Printed {
        id: "truncated-support/lemma-3.5",
        kind: Kind::Lemma,
        item: "Lemma 3.5",
        section: "3",
        hypothesis: "full support (tau = 0), a < b",
        statement: "the Left options of FS(n) are pairwise confused",
        scope: Scope::FORM,
        predict: |view| view.says(forms::lemma_3_5),
    },
    Printed {
        id: "truncated-support/lemma-3.6",
        kind: Kind::Lemma,
        item: "Lemma 3.6",
        section: "3",
        hypothesis: "full support (tau = 0), a < b, n > a",
        statement: "FS(n) = {FS(n-1), ..., FS(n-a)|0}",
        scope: Scope::FORM,
        predict: |view| view.says(forms::lemma_3_6),
    },
    Printed {
        id: "truncated-support/obs-3.7",
        kind: Kind::Observation,
        item: "Observation 3.7",
        section: "3",
        hypothesis: "full support (tau = 0), a < b, n >= 1",
        statement: "FS(n;a,b) = FS(n;a,b+1)",
        scope: Scope { asks_wider: true, ..Scope::FORM },
        predict: |view| view.says(forms::observation_3_7),
    },
    Printed {
        id: "truncated-support/obs-5.2",
        kind: Kind::Observation,
        item: "Observation 5.2",
        section: "5",
        hypothesis: "truncated support, 1 <= n <= tau",
        statement: "TS(n) = n",
        scope: Scope::FORM,
        predict: |view| view.says(forms::observation_5_2),
    },
    Printed {
        id: "truncated-support/prop-7.2",
        kind: Kind::Proposition,
        item: "Proposition 7.2",
        section: "7",
        hypothesis: "truncated support, tau = b-a, 3 <= a < b, n in b-a+1..b-2 outside Q = {(m+1)(b-a)+m : m >= 1}",
        statement: "TS(n) <= TS(n+1)",
        scope: Scope::FORM,
        predict: |view| view.says(forms::proposition_7_2),
    },
    Printed {
        id: "truncated-support/problem-7.1",
        kind: Kind::Open,
        item: "Problem 7.1",
        section: "7",
        hypothesis: "truncated support, tau = b-a, 3 <= a < b, n in b-a+1..b-1; at n over all i != n in b-a+1..b-1",
        statement: "as we read it, of all heaps and not only of options of one: TS(i) <= TS(n) only if i < n and no element of Q = {(m+1)(b-a)+m : m >= 1} is in i..n-1",
        scope: Scope { census: Some(on_the_edge), ..Scope::FORM },
        predict: |view| view.says(forms::problem_7_1),
    },
    Printed {
        id: "truncated-support/problem-7.1-mixed",
        kind: Kind::Open,
        item: "Problem 7.1, heaps up to b-a and larger ones",
        section: "7",
        hypothesis: "truncated support, tau = b-a, 3 <= a < b, n in b-a+1..b-1; at n over all i in 0..b-a",
        statement: "as we read it, of all heaps and not only of options of one: TS(i) and TS(n) are confused",
        scope: Scope { census: Some(on_the_edge), ..Scope::FORM },
        predict: |view| view.says(forms::problem_7_1_mixed),
    },
];
