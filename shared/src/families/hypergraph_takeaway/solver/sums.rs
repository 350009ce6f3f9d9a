//! Any hypergraphs, one after the other, by their components: for claims of a manifest that look at other positions.
//!
//! Components of a hypergraph do not touch each other in play, so under normal play its Grundy value is the xor of theirs. Under misère
//! play that says nothing, and a hypergraph is taken whole. Each one that was met is remembered, with its vertices in the order of their
//! degrees.

use std::collections::{HashMap, HashSet};

use crate::value::{Impartial, Nimber, Outcome, Play};

use super::super::hypergraph::{Hypergraph, first, members};

/// The most vertices of a hypergraph.
const MAX_VERTICES: u32 = 20;
/// The most positions below it.
const MAX_POSITIONS: u128 = 1 << 20;
/// Components that are remembered; where there are more, all are forgotten.
const MAX_REMEMBERED: usize = 1 << 18;
/// The bytes of one of them, an upper bound for hypergraphs that are not too large.
const BYTES_OF_ONE: u128 = 400;

/// Values of hypergraphs: under normal play the Grundy values of components, under misère play the outcomes of whole hypergraphs, 0
/// for P and 1 for N.
pub struct Sums {
    play: Play,
    solved: HashMap<Hypergraph, u32>,
}

impl Sums {
    /// Nothing is solved yet.
    pub fn new(play: Play) -> Self {
        Self { play, solved: HashMap::new() }
    }

    /// The bytes that it takes at most.
    pub fn bytes() -> u128 {
        MAX_REMEMBERED as u128 * BYTES_OF_ONE
    }

    /// The Grundy value of a hypergraph, under misère play its outcome; none if it is too large.
    pub fn value(&mut self, hypergraph: &Hypergraph) -> Option<Impartial> {
        let parts = self.parts(hypergraph);
        let known: Option<u32> = parts.iter().map(|part| self.solved.get(part).copied()).try_fold(0, |sum, value| Some(sum ^ value?));
        let found = match known {
            Some(known) => known,
            None => {
                // Whether it is too large must not depend on what was asked before: what is below one that is not is not either.
                hypergraph.positions(MAX_VERTICES).filter(|count| *count <= MAX_POSITIONS)?;
                if self.solved.len() >= MAX_REMEMBERED {
                    self.solved.clear();
                }
                parts.into_iter().fold(0, |sum, part| sum ^ self.part(part))
            }
        };
        Some(match self.play {
            Play::Normal => Nimber(found).into(),
            Play::Misere => if found == 0 { Outcome::P } else { Outcome::N }.into(),
        })
    }

    /// What a hypergraph is the sum of, as far as that tells its value.
    fn parts(&self, hypergraph: &Hypergraph) -> Vec<Hypergraph> {
        match self.play {
            Play::Normal => components(hypergraph),
            Play::Misere => vec![by_degrees(hypergraph, first(hypergraph.vertices()))],
        }
    }

    /// The value of a part, by its options.
    fn part(&mut self, part: Hypergraph) -> u32 {
        if let Some(known) = self.solved.get(&part) {
            return *known;
        }
        let vertices = (0..part.vertices()).map(|vertex| part.without_vertex(vertex));
        let hyperedges = (0..part.hyperedges().len()).map(|place| part.without_hyperedge(place));
        let mut found = HashSet::new();
        for option in vertices.chain(hyperedges) {
            let value = self.parts(&option).into_iter().fold(0, |sum, part| sum ^ self.part(part));
            found.insert(value);
        }
        let value = match self.play {
            // The least value that no option has.
            Play::Normal => (0..).find(|value| !found.contains(value)).unwrap_or(0),
            // Who has no move wins, and so does who has one to a P-position.
            Play::Misere => u32::from(found.is_empty() || found.contains(&0)),
        };
        self.solved.insert(part, value);
        value
    }
}

/// The components of a hypergraph, each with its vertices renumbered by degree.
fn components(hypergraph: &Hypergraph) -> Vec<Hypergraph> {
    let mut left = first(hypergraph.vertices());
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
        found.push(by_degrees(hypergraph, part));
    }
    found
}

/// The hyperedges that meet some vertices, and these vertices renumbered by degree.
fn by_degrees(hypergraph: &Hypergraph, part: u64) -> Hypergraph {
    let mut vertices: Vec<u32> = members(part).collect();
    vertices.sort_by_key(|vertex| (hypergraph.degree(*vertex), *vertex));
    let number = |vertex: u32| vertices.iter().position(|known| *known == vertex).map_or(0, |place| 1u64 << place);
    let inside = hypergraph.hyperedges().iter().filter(|edge| **edge & part != 0);
    let mut hyperedges: Vec<u64> = inside.map(|edge| members(*edge).fold(0, |set, vertex| set | number(vertex))).collect();
    hyperedges.sort_unstable();
    Hypergraph::new(vertices.len() as u32, hyperedges)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::reference::ReferenceSolver;
    use super::super::super::reference_misere::MisereReference;
    use super::*;

    proptest! {
        #[test]
        fn values_by_components_and_outcomes_of_the_whole_are_those_of_the_definition(
            vertices in 0u32..6,
            hyperedges in prop::collection::btree_set(0u64..1 << 6, 0..6),
        ) {
            let all = first(vertices);
            let hyperedges: Vec<u64> = hyperedges.into_iter().filter(|edge| edge.count_ones() >= 2 && edge & !all == 0).collect();
            let hypergraph = Hypergraph::new(vertices, hyperedges);
            let grundy = Nimber(ReferenceSolver::default().grundy(&hypergraph));
            prop_assert_eq!(Sums::new(Play::Normal).value(&hypergraph), Some(grundy.into()));
            let outcome = MisereReference::default().outcome(&hypergraph);
            prop_assert_eq!(Sums::new(Play::Misere).value(&hypergraph), Some(outcome.into()));
        }
    }

    #[test]
    fn what_is_too_large_has_no_value() {
        assert_eq!(Sums::new(Play::Normal).value(&Hypergraph::new(20, vec![])), Some(Nimber(0).into()));
        let star = Hypergraph::new(21, (1..21).map(|vertex| 1 | 1 << vertex).collect());
        assert_eq!([Play::Normal, Play::Misere].map(|play| Sums::new(play).value(&star)), [None, None]);
    }
}
