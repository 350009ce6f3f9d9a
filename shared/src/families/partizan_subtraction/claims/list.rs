//! Every claim of the paper as data, with its predicate. Those about outcomes come first.

mod forms;
mod outcomes;
mod relations;
mod sections;
mod tables;
mod weights;

use crate::claim::Paper;
use crate::families::{Entry, InText, Printed};

use super::super::PartizanSubtraction;
use super::super::quantity::Quantities;
use super::super::rules::Support;

/// What the solver must do to hold a claim against a heap, and how the claim's failures are counted.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// What has to be solved.
    pub solves: Quantities,
    /// Whether it asks about the same heap with b + 1 in place of b.
    pub asks_wider: bool,
    /// For a claim whose failures are looked into: the kind of ruleset, in words, under which they are counted.
    pub census: Option<fn(&Support) -> &'static str>,
}

impl Scope {
    /// About outcomes.
    const OUTCOME: Self = Self { solves: Quantities::OUTCOME, asks_wider: false, census: None };
    /// About canonical forms or the order of heaps.
    const FORM: Self = Self { solves: Quantities::CANONICAL_FORM, ..Self::OUTCOME };
    /// About atomic weights or outcomes beside a far star.
    const WEIGHT: Self = Self { solves: Quantities::ATOMIC_WEIGHT, ..Self::OUTCOME };
    /// About all of them.
    const ALL: Self = Self { solves: Quantities::ALL, ..Self::OUTCOME };
}

/// Every claim of the paper.
pub fn claims() -> Vec<Entry<PartizanSubtraction>> {
    let title = "Partizan Subtraction with full and truncated support";
    let paper = Paper::new("truncated-support", title, title);
    let lists = [outcomes::PRINTED, forms::PRINTED, weights::PRINTED, tables::PRINTED, sections::PRINTED];
    let printed = lists.into_iter().flat_map(|list| Printed::of(&paper, list));
    printed.chain(InText::of(&paper, relations::IN_TEXT)).collect()
}
