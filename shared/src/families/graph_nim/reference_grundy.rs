//! The reference for Grundy values: the least number that no option has, by the definition and with nothing clever.
//!
//! A move makes a position smaller in lexicographic order, so positions are taken in that order, and each option has its value.

use super::graph::Graph;
use super::reference::{index, next};
use super::rules::{Weights, any_move};

/// The most options of all positions below the one asked for.
const MAX_OPTIONS: u128 = 1 << 28;

/// Finds the Grundy values of all positions on one graph up to some weights, and remembers them.
pub struct GrundyReference {
    graph: Graph,
    /// The greatest weights of the positions that are solved; none yet if empty.
    high: Weights,
    /// A value a position in lexicographic order.
    values: Vec<u32>,
}

impl GrundyReference {
    /// A reference that has solved nothing yet.
    #[must_use]
    pub fn new(graph: Graph) -> Self {
        Self { graph, high: Vec::new(), values: Vec::new() }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Why a position is too large to be solved this way, if it is.
    #[must_use]
    pub fn refuses(graph: &Graph, weights: &[u32]) -> Option<String> {
        let options = count_options(graph, weights);
        (options > MAX_OPTIONS).then(|| {
            format!(
                "too large for the reference of Grundy values, which looks at up to {MAX_OPTIONS} options of positions below; there are {options}"
            )
        })
    }

    /// The Grundy value of a position.
    ///
    /// The caller has asked [`GrundyReference::refuses`]. Cost: nothing much if it is among the positions that are solved; else all
    /// options of all positions up to it, at most 2^28.
    pub fn grundy(&mut self, weights: &[u32]) -> u32 {
        let is_below = self.high.len() == weights.len() && self.high.iter().zip(weights).all(|(high, weight)| weight <= high);
        if !is_below {
            let high = self.reach(weights);
            self.solve(high);
        }
        self.values[index(&self.high, weights)]
    }

    /// Up to which weights to solve so that these are among them: somewhat above them and above what is solved, if that is not too
    /// much, since the next position asked for is mostly a little larger.
    fn reach(&self, weights: &[u32]) -> Weights {
        let both = weights.iter().enumerate().map(|(edge, weight)| (*weight).max(self.high.get(edge).copied().unwrap_or(0)));
        let both: Weights = both.collect();
        let beyond = both.iter().map(|weight| weight + weight / 4).collect();
        [beyond, both].into_iter().find(|high| Self::refuses(&self.graph, high).is_none()).unwrap_or_else(|| weights.to_vec())
    }

    /// Solves all positions up to some weights.
    fn solve(&mut self, high: Weights) {
        let Self { graph, values, .. } = self;
        let count: usize = high.iter().map(|weight| *weight as usize + 1).product();
        values.clear();
        let mut position = vec![0; high.len()];
        // Which values the options of the position at hand have: those marked with its number.
        let mut seen = Vec::new();
        for number in 0..count {
            any_move(graph, &position, |_, to| {
                let value = values[index(&high, to)] as usize;
                if seen.len() <= value {
                    seen.resize(value + 1, usize::MAX);
                }
                seen[value] = number;
                false
            });
            let least = seen.iter().position(|mark| *mark != number).unwrap_or(seen.len());
            // It is at most the sum of the weights.
            values.push(least as u32);
            next(&mut position, &high);
        }
        self.high = high;
    }
}

/// How many options all positions up to some weights have together, an option by two vertices counted twice: for each vertex the
/// pairs of weights at its edges, the lower one allowed to be the same, without those that are the same everywhere; times the
/// choices of the other weights.
fn count_options(graph: &Graph, weights: &[u32]) -> u128 {
    let count = |edge: usize| u128::from(weights[edge]) + 1;
    let at = |vertex: usize| {
        let edges = graph.incident(vertex);
        let product = |of: &dyn Fn(usize) -> u128| edges.iter().fold(1u128, |product, edge| product.saturating_mul(of(*edge)));
        let (pairs, same) = (product(&|edge| count(edge) * (count(edge) + 1) / 2), product(&count));
        let others = (0..weights.len()).filter(|edge| !edges.contains(edge));
        others.fold(pairs - same.min(pairs), |product, edge| product.saturating_mul(count(edge)))
    };
    (0..graph.vertices()).fold(0u128, |sum, vertex| sum.saturating_add(at(vertex)))
}

#[cfg(test)]
mod tests {
    use super::super::rules::count_moves;
    use super::*;

    #[test]
    fn all_options_are_counted() {
        for (edges, high) in [(&["AB"][..], &[5u32][..]), (&["AB", "BC", "CD"], &[2, 3, 1]), (&["AB", "BC", "CA"], &[2, 1, 3])] {
            let graph = Graph::parse(edges.iter().copied()).unwrap();
            let mut position = vec![0; high.len()];
            let count: usize = high.iter().map(|weight| *weight as usize + 1).product();
            let mut expected = 0;
            for _ in 0..count {
                expected += count_moves(&graph, &position);
                next(&mut position, high);
            }
            assert_eq!(count_options(&graph, high), expected, "{graph}");
        }
        let large = GrundyReference::refuses(&Graph::named("H1").unwrap(), &[60; 4]).unwrap();
        assert!(large.starts_with("too large for the reference of Grundy values"), "{large}");
    }

    #[test]
    fn on_a_galaxy_it_is_the_xor_of_the_sums_of_the_stars() {
        let mut reference = GrundyReference::new(Graph::parse(["AB", "AC", "DE"]).unwrap());
        for weights in [[0, 0, 0], [3, 4, 0], [3, 4, 5], [1, 6, 7], [2, 0, 9]] {
            assert_eq!(reference.grundy(&weights), (weights[0] + weights[1]) ^ weights[2], "{weights:?}");
        }
    }
}
