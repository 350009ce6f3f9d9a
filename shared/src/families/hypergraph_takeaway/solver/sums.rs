//! Any hypergraphs, one after the other, by their components: for claims of a manifest that look at other positions.
//!
//! Components of a hypergraph do not touch each other in play, so its Grundy value is the xor of theirs. Each component that was met is
//! remembered, with its vertices in the order of their degrees.

use std::collections::{HashMap, HashSet};

use crate::value::{Impartial, Nimber, Outcome, Play};

use super::super::hypergraph::{Hypergraph, members};

/// The most vertices of a hypergraph.
const MAX_VERTICES: u32 = 20;
/// The most positions below it.
const MAX_POSITIONS: u128 = 1 << 20;
/// Components that are remembered; where there are more, all are forgotten.
const MAX_REMEMBERED: usize = 1 << 18;
/// The bytes of one of them, an upper bound for hypergraphs that are not too large.
const BYTES_OF_ONE: u128 = 400;

/// Grundy values of components.
#[derive(Default)]
pub struct Sums {
    solved: HashMap<Hypergraph, u32>,
    /// Whether who moves loses under misère play, where components do not add up: each hypergraph as a whole.
    misere: HashMap<Hypergraph, bool>,
}

impl Sums {
    /// What a hypergraph is worth under some play; none if it is too large.
    pub fn value(&mut self, hypergraph: &Hypergraph, play: Play) -> Option<Impartial> {
        if play == Play::Normal {
            return self.grundy(hypergraph).map(|grundy| Impartial::Grundy(Nimber(grundy)));
        }
        if !self.misere.contains_key(hypergraph) {
            hypergraph.positions(MAX_VERTICES).filter(|count| *count <= MAX_POSITIONS)?;
            if self.misere.len() >= MAX_REMEMBERED {
                self.misere.clear();
            }
        }
        Some(Impartial::Outcome(if self.loses(hypergraph) { Outcome::P } else { Outcome::N }))
    }

    /// Whether who moves loses under misère play: there is a move, and none leads to a position where who moves loses.
    fn loses(&mut self, hypergraph: &Hypergraph) -> bool {
        if let Some(known) = self.misere.get(hypergraph) {
            return *known;
        }
        let vertices = (0..hypergraph.vertices()).map(|vertex| hypergraph.without_vertex(vertex));
        let hyperedges = (0..hypergraph.hyperedges().len()).map(|place| hypergraph.without_hyperedge(place));
        let loses = hypergraph.vertices() > 0 && !vertices.chain(hyperedges).any(|option| self.loses(&option));
        self.misere.insert(hypergraph.clone(), loses);
        loses
    }

    /// The bytes that it takes at most.
    pub fn bytes() -> u128 {
        2 * MAX_REMEMBERED as u128 * BYTES_OF_ONE
    }

    /// The Grundy value of a hypergraph; none if it is too large.
    pub fn grundy(&mut self, hypergraph: &Hypergraph) -> Option<u32> {
        let parts = components(hypergraph);
        let known: Option<u32> = parts.iter().map(|part| self.solved.get(part).copied()).try_fold(0, |sum, value| Some(sum ^ value?));
        if known.is_some() {
            return known;
        }
        // Whether it is too large must not depend on what was asked before: what is below one that is not is not either.
        hypergraph.positions(MAX_VERTICES).filter(|count| *count <= MAX_POSITIONS)?;
        if self.solved.len() >= MAX_REMEMBERED {
            self.solved.clear();
        }
        Some(parts.into_iter().fold(0, |sum, part| sum ^ self.component(part)))
    }

    /// The least value that no option of a component has.
    fn component(&mut self, part: Hypergraph) -> u32 {
        if let Some(known) = self.solved.get(&part) {
            return *known;
        }
        let vertices = (0..part.vertices()).map(|vertex| part.without_vertex(vertex));
        let hyperedges = (0..part.hyperedges().len()).map(|place| part.without_hyperedge(place));
        let mut found = HashSet::new();
        for option in vertices.chain(hyperedges) {
            let value = components(&option).into_iter().fold(0, |sum, part| sum ^ self.component(part));
            found.insert(value);
        }
        let value = (0..).find(|value| !found.contains(value)).unwrap_or(0);
        self.solved.insert(part, value);
        value
    }
}

/// The components of a hypergraph, each with its vertices renumbered by degree.
fn components(hypergraph: &Hypergraph) -> Vec<Hypergraph> {
    let mut left = super::super::hypergraph::first(hypergraph.vertices());
    let mut found = Vec::new();
    while left != 0 {
        let mut part = left & left.wrapping_neg();
        loop {
            let touched = hypergraph.hyperedges().iter().filter(|edge| **edge & part != 0).fold(part, |all, edge| all | edge);
            if touched == part {
                break;
            }
            part = touched;
        }
        left &= !part;
        let mut vertices: Vec<u32> = members(part).collect();
        vertices.sort_by_key(|vertex| (hypergraph.degree(*vertex), *vertex));
        let number = |vertex: u32| vertices.iter().position(|known| *known == vertex).map_or(0, |place| 1u64 << place);
        let inside = hypergraph.hyperedges().iter().filter(|edge| **edge & part != 0);
        let mut hyperedges: Vec<u64> = inside.map(|edge| members(*edge).fold(0, |set, vertex| set | number(vertex))).collect();
        hyperedges.sort_unstable();
        found.push(Hypergraph::new(vertices.len() as u32, hyperedges));
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::reference::ReferenceSolver;
    use super::*;

    proptest! {
        #[test]
        fn values_by_components_are_those_of_the_definition(vertices in 0u32..6, hyperedges in prop::collection::btree_set(0u64..1 << 6, 0..6)) {
            let all = super::super::super::hypergraph::first(vertices);
            let hyperedges: Vec<u64> = hyperedges.into_iter().filter(|edge| edge.count_ones() >= 2 && edge & !all == 0).collect();
            let hypergraph = Hypergraph::new(vertices, hyperedges);
            prop_assert_eq!(Sums::default().grundy(&hypergraph), Some(ReferenceSolver::default().grundy(&hypergraph)));
        }
    }

    #[test]
    fn what_is_too_large_has_no_value() {
        assert_eq!(Sums::default().grundy(&Hypergraph::new(20, vec![])), Some(0));
        assert_eq!(Sums::default().grundy(&Hypergraph::new(21, (1..21).map(|vertex| 1 | 1 << vertex).collect())), None);
    }
}
