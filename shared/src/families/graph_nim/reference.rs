//! The reference: whether a position is P, by the definition and with nothing clever.

use std::collections::HashMap;
use std::sync::Arc;

use crate::value::Outcome;

use super::graph::Graph;
use super::rules::{Weights, any_move};

/// The largest sum of weights that the reference takes on: it goes one call deeper for each unit removed.
const MAX_SUM: u64 = 600;
/// The most positions below the one asked for.
const MAX_POSITIONS: u128 = 1 << 20;
/// The most solved positions that are remembered.
const MAX_MEMO: usize = 1 << 22;

/// Solves positions on one graph by recursion over the moves, remembering what it has solved.
pub struct ReferenceSolver {
    graph: Arc<Graph>,
    memo: HashMap<Weights, Outcome>,
}

impl ReferenceSolver {
    /// A reference that has solved nothing yet.
    #[must_use]
    pub fn new(graph: Graph) -> Self {
        Self { graph: Arc::new(graph), memo: HashMap::new() }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Why a position is too large to be solved this way, if it is.
    #[must_use]
    pub fn refuses(weights: &[u32]) -> Option<String> {
        let sum: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        let positions = weights.iter().fold(1u128, |product, weight| product.saturating_mul(u128::from(*weight) + 1));
        (sum > MAX_SUM || positions > MAX_POSITIONS).then(|| {
            format!(
                "too large for the reference, which takes weights with a sum of at most {MAX_SUM} and at most {MAX_POSITIONS} \
                 positions below; this one has the sum {sum} and {positions} positions"
            )
        })
    }

    /// The outcome of a position: P iff no move leads to a P-position.
    ///
    /// The caller has asked [`ReferenceSolver::refuses`]. Cost: the number of positions below times their moves, at most once.
    pub fn outcome(&mut self, weights: &[u32]) -> Outcome {
        if let Some(known) = self.memo.get(weights) {
            return *known;
        }
        let graph = Arc::clone(&self.graph);
        let outcome = if any_move(&graph, weights, |_, to| self.outcome(to) == Outcome::P) { Outcome::N } else { Outcome::P };
        if self.memo.len() >= MAX_MEMO {
            self.memo.clear();
        }
        self.memo.insert(weights.to_vec(), outcome);
        outcome
    }
}
