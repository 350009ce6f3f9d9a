//! The reference: which positions are P, by the definition and with nothing clever.
//!
//! A position is P iff no move leads to a P-position; under misère play the position without moves is none either. A move makes
//! a position smaller in lexicographic order, so positions are taken in that order: one that nobody has marked is P, and then every
//! position that has a move to it is marked.

use crate::value::{Outcome, Play};

use super::graph::Graph;
use super::rules::{Weights, any_position_above};

/// The most positions below the one asked for.
const MAX_POSITIONS: u128 = 1 << 20;

/// Solves positions on one graph by marking all positions up to some weights, and remembers the marks.
pub struct ReferenceSolver {
    graph: Graph,
    play: Play,
    /// The greatest weights of the positions that are marked; none yet if empty.
    high: Weights,
    /// A mark a position in lexicographic order: it is N, since it has a move to a P-position, or none and so misère play is won.
    marked: Vec<bool>,
}

impl ReferenceSolver {
    /// A reference that has solved nothing yet.
    #[must_use]
    pub fn new(graph: Graph, play: Play) -> Self {
        Self { graph, play, high: Vec::new(), marked: Vec::new() }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether it solves positions on this graph that are played so.
    #[must_use]
    pub fn is_of(&self, graph: &Graph, play: Play) -> bool {
        self.graph == *graph && self.play == play
    }

    /// Why a position is too large to be solved this way, if it is.
    #[must_use]
    pub fn refuses(weights: &[u32]) -> Option<String> {
        let positions = weights.iter().fold(1u128, |product, weight| product.saturating_mul(u128::from(*weight) + 1));
        (positions > MAX_POSITIONS)
            .then(|| format!("too large for the reference, which takes at most {MAX_POSITIONS} positions below; this one has {positions}"))
    }

    /// The outcome of a position.
    ///
    /// The caller has asked [`ReferenceSolver::refuses`]. Cost: nothing much if it is among the positions that are marked; else at
    /// most 2^20 positions are, and for each P-position of them those with a move to it.
    pub fn outcome(&mut self, weights: &[u32]) -> Outcome {
        let is_below = self.high.len() == weights.len() && self.high.iter().zip(weights).all(|(high, weight)| weight <= high);
        if !is_below {
            self.mark(self.reach(weights));
        }
        if self.marked[index(&self.high, weights)] { Outcome::N } else { Outcome::P }
    }

    /// Up to which weights to mark so that these are among them: as far above them and above what is marked as will fit, since
    /// the next position asked for is mostly a little larger.
    fn reach(&self, weights: &[u32]) -> Weights {
        let both: Weights =
            weights.iter().enumerate().map(|(edge, weight)| (*weight).max(self.high.get(edge).copied().unwrap_or(0))).collect();
        let beyond = |weights: &[u32]| weights.iter().map(|weight| weight + weight / 4).collect();
        let wanted = [beyond(&both), both, beyond(weights)];
        wanted.into_iter().find(|high| Self::refuses(high).is_none()).unwrap_or_else(|| weights.to_vec())
    }

    fn mark(&mut self, high: Weights) {
        let Self { graph, play, marked, .. } = self;
        marked.clear();
        marked.resize(high.iter().map(|weight| *weight as usize + 1).product(), false);
        // The first position is the one without moves.
        marked[0] = play.at_the_end() == Outcome::N;
        let mut position = vec![0; high.len()];
        for number in 0..marked.len() {
            if !marked[number] {
                any_position_above(graph, &position, &high, |from| {
                    marked[index(&high, from)] = true;
                    false
                });
            }
            next(&mut position, &high);
        }
        self.high = high;
    }
}

/// The number of a position in the lexicographic order of all positions up to `high`.
pub(super) fn index(high: &[u32], position: &[u32]) -> usize {
    high.iter().zip(position).fold(0, |index, (high, weight)| index * (*high as usize + 1) + *weight as usize)
}

/// Goes to the next position in lexicographic order.
pub(super) fn next(position: &mut [u32], high: &[u32]) {
    for (weight, high) in position.iter_mut().zip(high).rev() {
        if *weight < *high {
            *weight += 1;
            return;
        }
        *weight = 0;
    }
}
