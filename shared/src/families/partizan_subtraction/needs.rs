//! What the claims of a sweep take to be solved: of those of the paper that is written down, those of a manifest ask for it.

use crate::families::{Entry, Predicate};

use super::PartizanSubtraction;
use super::quantity::{Quantities, Value};

/// What has to be solved to hold these claims against a heap.
#[must_use]
pub fn solves(claims: &[Entry<PartizanSubtraction>]) -> Quantities {
    claims.iter().fold(Quantities::OUTCOME, |all, entry| all.and(solved_for(entry)))
}

/// What a claim takes to be solved besides outcomes.
fn solved_for(entry: &Entry<PartizanSubtraction>) -> Quantities {
    match (&entry.scope, &entry.predicate) {
        (Some(scope), _) => scope.solves,
        (None, Predicate::Stated(stated)) => Quantities::of(&stated.asks().filter_map(Value::quantity).collect::<Vec<_>>()),
        (None, _) => Quantities::ALL,
    }
}

/// Whether a claim of a manifest looks into canonical forms.
#[must_use]
pub fn asks_for_games(entry: &Entry<PartizanSubtraction>) -> bool {
    matches!(&entry.predicate, Predicate::Stated(stated) if stated.asks().any(|asked| matches!(asked, Value::Game(_))))
}
