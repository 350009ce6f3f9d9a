//! Every claim of *Take-away impartial combinatorial games on hypergraphs and other related geometric and discrete structures*
//! (arXiv 2203.09696) as data: its item, hypothesis and statement, with its predicate.

use crate::claim::{Kind, Paper};
use crate::families::{Entry, Printed};

use super::super::HypergraphTakeaway;
use super::{structure, values};

/// What a claim speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Members of the family of section 1.
    Members,
    /// Hypergraphs at large.
    Any,
}

/// Every claim of the paper.
pub fn claims() -> Vec<Entry<HypergraphTakeaway>> {
    let title = "Take-away impartial combinatorial games on hypergraphs and other related geometric and discrete structures";
    Printed::of(&Paper::new("hypergraphs", title, "arXiv 2203.09696"), PRINTED)
}

static PRINTED: &[Printed<HypergraphTakeaway>] = &[
    Printed {
        id: "hypergraphs/thm-2.4",
        kind: Kind::Theorem,
        item: "Theorem 2.4 of its reference [1], as used in the proofs",
        section: "2",
        hypothesis: "any hypergraph all of whose hyperedges have an odd number of vertices",
        statement: "g = 0, 1, 2, 3 for (|V|, |E|) = (even, even), (odd, even), (odd, odd), (even, odd)",
        scope: Scope::Any,
        predict: values::theorem_2_4,
    },
    Printed {
        id: "hypergraphs/thm-2.8",
        kind: Kind::Theorem,
        item: "Theorem 2.8 of its reference [1], as used in the proofs",
        section: "2",
        hypothesis: "any hypergraph all of whose hyperedges have an even number of vertices, where some set of vertices meets each in an odd number",
        statement: "g = (|V| mod 2) + 2 (|E| mod 2)",
        scope: Scope::Any,
        predict: values::theorem_2_8,
    },
    Printed {
        id: "hypergraphs/lemma-1",
        kind: Kind::Lemma,
        item: "Lemma 1",
        section: "2.1",
        hypothesis: "every member of the family",
        statement: "not all vertices of X are in subcategory C",
        scope: Scope::Members,
        predict: structure::lemma_1,
    },
    Printed {
        id: "hypergraphs/lemma-2",
        kind: Kind::Lemma,
        item: "Lemma 2",
        section: "2.2",
        hypothesis: "members with all vertices of X in subcategory B",
        statement: "|E(Y)| = |V(X)|",
        scope: Scope::Members,
        predict: structure::lemma_2,
    },
    Printed {
        id: "hypergraphs/remark-2",
        kind: Kind::Remark,
        item: "Remark after Lemma 2",
        section: "2.2",
        hypothesis: "members with the greatest |E(Y)| of all with the same |V(X)|",
        statement: "the greatest |E(Y)| equals |V(X)|",
        scope: Scope::Members,
        predict: structure::remark_2,
    },
    Printed {
        id: "hypergraphs/lemma-3",
        kind: Kind::Lemma,
        item: "Lemma 3",
        section: "2.3",
        hypothesis: "members with all vertices of X in subcategory B",
        statement: "|E(Y)| >= 4",
        scope: Scope::Members,
        predict: structure::lemma_3,
    },
    Printed {
        id: "hypergraphs/lemma-4",
        kind: Kind::Lemma,
        item: "Lemma 4",
        section: "2.4",
        hypothesis: "every member of the family",
        statement: "not all vertices of X are in subcategories B and C with both occurring",
        scope: Scope::Members,
        predict: structure::lemma_4,
    },
    Printed {
        id: "hypergraphs/lemma-5",
        kind: Kind::Lemma,
        item: "Lemma 5",
        section: "2.5",
        hypothesis: "members where subcategories A and B occur and C does not",
        statement: "|E(Y)| >= 3",
        scope: Scope::Members,
        predict: structure::lemma_5,
    },
    Printed {
        id: "hypergraphs/lemma-6",
        kind: Kind::Lemma,
        item: "Lemma 6",
        section: "2.6",
        hypothesis: "every member of the family",
        statement: "it is in exactly one of the groups I (all A), II (all B), III (A and B), IV (A and C), V (A, B and C)",
        scope: Scope::Members,
        predict: structure::lemma_6,
    },
    Printed {
        id: "hypergraphs/remark-6.a",
        kind: Kind::Remark,
        item: "Remark after Lemma 6, part 1",
        section: "2.6",
        hypothesis: "members outside group II",
        statement: "some vertex of X is in subcategory A",
        scope: Scope::Members,
        predict: structure::remark_6_a,
    },
    Printed {
        id: "hypergraphs/remark-6.b",
        kind: Kind::Remark,
        item: "Remark after Lemma 6, part 2",
        section: "2.6",
        hypothesis: "members of groups III, IV and V",
        statement: "some vertex of X is in subcategory B or C",
        scope: Scope::Members,
        predict: structure::remark_6_b,
    },
    Printed {
        id: "hypergraphs/thm-7",
        kind: Kind::Theorem,
        item: "Theorem 7",
        section: "2",
        hypothesis: "members with |E(Y)| odd, in a group or not",
        statement: "g = 1",
        scope: Scope::Members,
        predict: values::theorem_7,
    },
    Printed {
        id: "hypergraphs/thm-8",
        kind: Kind::Theorem,
        item: "Theorem 8",
        section: "2",
        hypothesis: "members of groups III, IV and V with |E(Y)| even",
        statement: "g = 4",
        scope: Scope::Members,
        predict: values::theorem_8,
    },
    Printed {
        id: "hypergraphs/thm-9",
        kind: Kind::Theorem,
        item: "Theorem 9",
        section: "2",
        hypothesis: "members of group I with |E(Y)| even",
        statement: "g = 0",
        scope: Scope::Members,
        predict: values::theorem_9,
    },
    Printed {
        id: "hypergraphs/thm-10",
        kind: Kind::Theorem,
        item: "Theorem 10",
        section: "2",
        hypothesis: "members of group II with |E(Y)| even",
        statement: "g = 3",
        scope: Scope::Members,
        predict: values::theorem_10,
    },
];
