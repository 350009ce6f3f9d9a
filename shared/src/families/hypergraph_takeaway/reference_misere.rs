//! The reference under misère play: who wins, by plain recursion over what a move leaves.

use std::collections::HashMap;

use crate::value::Outcome;

use super::hypergraph::Hypergraph;
use super::reference::{MAX_REMEMBERED, renumbered};

/// Solves hypergraphs by the definition of misère play and remembers each position that it has seen.
#[derive(Default)]
pub struct MisereReference {
    solved: HashMap<Hypergraph, Outcome>,
}

impl MisereReference {
    /// The outcome: N if there is no option, or one that is P; else P.
    ///
    /// The caller has asked [`super::reference::ReferenceSolver::refuses`]. Cost: each position below, up to renumbering, once.
    pub fn outcome(&mut self, hypergraph: &Hypergraph) -> Outcome {
        let position = renumbered(hypergraph);
        if let Some(outcome) = self.solved.get(&position) {
            return *outcome;
        }
        let vertices = (0..position.vertices()).map(|vertex| position.without_vertex(vertex));
        let hyperedges = (0..position.hyperedges().len()).map(|place| position.without_hyperedge(place));
        let options: Vec<Hypergraph> = vertices.chain(hyperedges).collect();
        let wins = options.is_empty() || options.iter().any(|option| self.outcome(option) == Outcome::P);
        let outcome = if wins { Outcome::N } else { Outcome::P };
        if self.solved.len() >= MAX_REMEMBERED {
            self.solved.clear();
        }
        self.solved.insert(position, outcome);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_hypergraphs_are_won_by_whom_one_finds_by_hand() {
        let outcome = |vertices, hyperedges: &[u64]| MisereReference::default().outcome(&Hypergraph::new(vertices, hyperedges.to_vec()));
        // Without hyperedges each move takes a vertex, and who takes the last one loses.
        assert_eq!([0, 1, 2, 3].map(|vertices| outcome(vertices, &[])), [Outcome::N, Outcome::P, Outcome::N, Outcome::P]);
        // An edge: to one vertex, which is P.
        assert_eq!(outcome(2, &[0b11]), Outcome::N);
        // A path of two edges: to an edge (N), to two vertices apart (N), to an edge beside a vertex, which has a move to three
        // vertices apart (P) and so is N. All options are N.
        assert_eq!(outcome(3, &[0b11]), Outcome::N);
        assert_eq!(outcome(3, &[0b11, 0b110]), Outcome::P);
    }
}
