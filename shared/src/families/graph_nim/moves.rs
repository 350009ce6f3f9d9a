//! The options of positions on a graph, numbered so that any of them can be made at once.
//!
//! Each option is listed once. One that takes from a single edge, which the rules reach from both ends, stands under that edge. One
//! that takes from two or more edges has one vertex alone where these meet; there it stands under the last of them in the order of
//! the vertex: that edge loses 1 to all of its weight, and those before it anything, but not nothing from all of them.

use super::graph::Graph;

/// The options of positions on a graph, in parts whose sizes are products.
#[derive(Clone, Debug)]
pub struct Moves {
    parts: Vec<Part>,
}

/// Options that take something from one edge, and from none, some or all of those before it.
#[derive(Clone, Debug)]
struct Part {
    last: usize,
    /// The edges before it at a vertex, something of which is taken; none where the last is the only one.
    before: Vec<usize>,
}

impl Part {
    /// How many options it has.
    fn count(&self, weights: &[u32]) -> u64 {
        let choices = self.before.iter().fold(1u64, |product, edge| product.saturating_mul(u64::from(weights[*edge]) + 1));
        let choices = if self.before.is_empty() { 1 } else { choices - 1 };
        choices.saturating_mul(weights[self.last].into())
    }

    /// Takes away what the option of this number does.
    fn take(&self, mut number: u64, weights: &mut [u32]) {
        let own = u64::from(weights[self.last]);
        // A part with options has a last edge that is not empty; what is taken is at most a weight.
        weights[self.last] -= (number % own) as u32 + 1;
        number /= own;
        if !self.before.is_empty() {
            number += 1;
        }
        for edge in &self.before {
            let choices = u64::from(weights[*edge]) + 1;
            weights[*edge] -= (number % choices) as u32;
            number /= choices;
        }
    }
}

impl Moves {
    /// The options of positions on a graph.
    pub fn new(graph: &Graph) -> Self {
        let single = (0..graph.edges().len()).map(|last| Part { last, before: Vec::new() });
        let several = (0..graph.vertices()).flat_map(|vertex| {
            let edges = graph.incident(vertex);
            (1..edges.len()).map(|place| Part { last: edges[place], before: edges[..place].to_vec() })
        });
        Self { parts: single.chain(several).collect() }
    }

    /// How many options a position has; `u64::MAX` where there are more.
    pub fn count(&self, weights: &[u32]) -> u64 {
        self.parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.count(weights)))
    }

    /// Makes of a position its option of this number, from 0, if it has so many.
    pub fn take(&self, mut number: u64, weights: &mut [u32]) -> Option<()> {
        for part in &self.parts {
            let count = part.count(weights);
            if number < count {
                part.take(number, weights);
                return Some(());
            }
            number -= count;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::rules::{MAX_WEIGHT, any_move};
    use super::*;

    proptest! {
        /// By the rules: every position that a move leads to, each once.
        #[test]
        fn options_are_what_moves_lead_to_each_once(name in prop::sample::select(vec!["H1", "G1", "G4", "F1", "I2", "K3"]), weights in prop::collection::vec(0u32..5, 4)) {
            let graph = Graph::named(name).unwrap();
            let weights = &weights[..graph.edges().len()];
            let mut expected = BTreeSet::new();
            any_move(&graph, weights, |_, to| {
                expected.insert(to.to_vec());
                false
            });
            let moves = Moves::new(&graph);
            let option = |number| {
                let mut weights = weights.to_vec();
                moves.take(number, &mut weights).map(|()| weights)
            };
            let found: Vec<Vec<u32>> = (0..moves.count(weights)).map_while(option).collect();
            prop_assert_eq!(found.len() as u64, moves.count(weights));
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
            prop_assert_eq!(option(moves.count(weights)), None);
        }
    }

    #[test]
    fn where_there_are_more_options_than_can_be_numbered_the_first_ones_can() {
        let graph = Graph::parse(["AB", "AC", "AD", "AE", "AF", "AG"]).unwrap();
        let weights = vec![MAX_WEIGHT; 6];
        let moves = Moves::new(&graph);
        assert_eq!(moves.count(&weights), u64::MAX);
        let mut option = weights.clone();
        assert_eq!(moves.take(u64::MAX - 1, &mut option), Some(()));
        assert!(option.iter().zip(&weights).all(|(one, other)| one <= other) && option != weights);
    }
}
