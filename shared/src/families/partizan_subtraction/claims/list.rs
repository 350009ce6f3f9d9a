//! Every claim of the paper as data, with its predicate. Those about outcomes come first.

mod forms;
mod outcomes;
mod tables;
mod weights;

use std::sync::LazyLock;

use crate::families::legacy::{Claim, Paper, Place};

use super::super::quantity::{Quantities, Quantity};
use super::super::rules::Support;
use super::position::{Position, Says};

static PAPER: Paper = Paper {
    key: "truncated-support",
    title: "Partizan Subtraction with full and truncated support",
    cite: "Partizan Subtraction with full and truncated support",
};

/// A claim with its predicate.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The claim as data.
    pub claim: Claim,
    /// What it predicts of a heap of full or truncated support.
    pub predict: fn(&Position) -> Says,
    /// The quantity that it is about where it predicts a value.
    pub about: Quantity,
    /// What has to be solved to hold it against a heap.
    pub solves: Quantities,
    /// Whether it asks about the same heap with b + 1 in place of b.
    pub asks_wider: bool,
    /// For a claim whose failures are looked into: the kind of ruleset, in words, under which they are counted.
    pub census: Option<fn(&Support) -> &'static str>,
}

static ENTRIES: LazyLock<Vec<Entry>> =
    LazyLock::new(|| [outcomes::ENTRIES, forms::ENTRIES, weights::ENTRIES, tables::ENTRIES].into_iter().flatten().copied().collect());

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| ENTRIES.iter().map(|entry| entry.claim).collect());

/// The claims as data, in the order of [`entries`].
#[must_use]
pub fn claims() -> &'static [Claim] {
    &CLAIMS
}

/// Every claim of the paper.
#[must_use]
pub fn entries() -> &'static [Entry] {
    &ENTRIES
}

/// What has to be solved to hold these claims against a heap.
#[must_use]
pub fn solves(claims: &[usize]) -> Quantities {
    claims.iter().filter_map(|claim| entries().get(*claim)).fold(Quantities::OUTCOME, |all, entry| all.and(entry.solves))
}

impl Entry {
    const fn new(place: Place, predict: fn(&Position) -> Says, words: [&'static str; 2], about: Quantity, solves: Quantities) -> Self {
        Self { claim: Claim::new(&PAPER, place, words), predict, about, solves, asks_wider: false, census: None }
    }

    const fn counted_by(self, census: fn(&Support) -> &'static str) -> Self {
        Self { census: Some(census), ..self }
    }

    const fn asking_wider(self) -> Self {
        Self { asks_wider: true, ..self }
    }
}

/// A claim about outcomes.
const fn outcome(place: Place, predict: fn(&Position) -> Says, words: [&'static str; 2]) -> Entry {
    Entry::new(place, predict, words, Quantity::Outcome, Quantities::OUTCOME)
}

/// A claim about canonical forms or the order of heaps.
const fn form(place: Place, predict: fn(&Position) -> Says, words: [&'static str; 2]) -> Entry {
    Entry::new(place, predict, words, Quantity::CanonicalForm, Quantities::CANONICAL_FORM)
}

/// A claim about atomic weights or outcomes beside a far star.
const fn weight(place: Place, predict: fn(&Position) -> Says, words: [&'static str; 2]) -> Entry {
    Entry::new(place, predict, words, Quantity::AtomicWeight, Quantities::ATOMIC_WEIGHT)
}
