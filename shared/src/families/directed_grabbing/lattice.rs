//! val by walking the lattice of what can be left, from nothing to the whole.
//!
//! What is left is always closed: with a vertex it has all vertices that need it gone. These sets depend on the digraph alone,
//! so they are listed once, in the order of their size, with the moves between them as indices; a weighting is then one pass
//! over the list, in which the value of each set is the greatest weight of a sink less the value of the set that remains,
//! known already since it is smaller. A union of paths with p_1, …, p_q vertices has (p_1 + 1)…(p_q + 1) such sets, and the
//! p×q grid C(p+q, p), the Young diagrams in it.

use std::collections::{BTreeSet, HashMap};

use super::rules::{Digraph, Position};

/// The sets that can be left of a digraph, in ascending order of size, and the moves between them.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// Where the moves of each set begin, and at the end how many moves there are.
    starts: Vec<u32>,
    moves: Vec<Step>,
}

/// A move from one set to a smaller one.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The sink removed.
    pub vertex: u32,
    /// The index of the set that remains.
    pub next: u32,
}

impl Lattice {
    /// Lists the sets of a digraph. The caller knows how many there are: at most 2^24.
    ///
    /// Cost: O(sets · (vertices + log sets)).
    #[must_use]
    pub fn of(graph: &Digraph) -> Self {
        let mut layers = vec![BTreeSet::from([graph.all()])];
        for _ in 0..graph.vertices() {
            let next = layers[layers.len() - 1].iter().flat_map(|left| graph.sinks(*left).map(move |sink| left & !(1 << sink))).collect();
            layers.push(next);
        }
        let sets: Vec<u64> = layers.into_iter().rev().flatten().collect();
        // There are at most 2^24 sets, so indices fit into 32 bits.
        let index: HashMap<u64, u32> = sets.iter().copied().zip(0..).collect();
        let (mut starts, mut moves) = (Vec::with_capacity(sets.len() + 1), Vec::new());
        for left in sets {
            starts.push(moves.len() as u32);
            moves.extend(graph.sinks(left).map(|sink| Step { vertex: sink as u32, next: index[&(left & !(1 << sink))] }));
        }
        starts.push(moves.len() as u32);
        Self { starts, moves }
    }

    /// How many sets there are; the last one is the whole.
    #[must_use]
    pub fn sets(&self) -> usize {
        self.starts.len() - 1
    }

    /// The moves of each set, smallest set first.
    pub fn moves(&self) -> impl Iterator<Item = &[Step]> {
        self.starts.windows(2).map(|ends| &self.moves[ends[0] as usize..ends[1] as usize])
    }

    /// val for these weights. `values` is room for a number a set. Cost: O(moves).
    pub fn value(&self, weights: &[i64], values: &mut Vec<i64>) -> i64 {
        values.clear();
        for moves in self.moves() {
            let best = moves.iter().map(|step| weights[step.vertex as usize] - values[step.next as usize]).max();
            values.push(best.unwrap_or(0));
        }
        // The list has at least the empty set.
        values[values.len() - 1]
    }
}

/// The most sets of all lattices that a [`Valuer`] keeps; one larger lattice is kept alone.
const MAX_KEPT_SETS: usize = 1 << 16;
/// Bytes that a set takes at most in a lattice of a digraph with so many vertices, while it is made.
#[must_use]
pub fn bytes(sets: u128, vertices: u128) -> u128 {
    (sets + MAX_KEPT_SETS as u128) * (8 * vertices + 64)
}

/// Values of positions, one after the other. It keeps the lattices of the digraphs that it has seen.
#[derive(Default)]
pub struct Valuer {
    lattices: HashMap<Vec<u64>, Lattice>,
    kept_sets: usize,
    values: Vec<i64>,
    moves: u64,
}

impl Valuer {
    /// val of a position.
    pub fn value(&mut self, position: &Position) -> i64 {
        if let Some(lattice) = self.lattices.get(position.graph.out()) {
            self.moves += lattice.moves.len() as u64;
            return lattice.value(&position.weights, &mut self.values);
        }
        let lattice = Lattice::of(&position.graph);
        self.moves += lattice.moves.len() as u64;
        if self.kept_sets + lattice.sets() > MAX_KEPT_SETS {
            self.lattices.clear();
            self.kept_sets = 0;
        }
        self.kept_sets += lattice.sets();
        let value = lattice.value(&position.weights, &mut self.values);
        self.lattices.insert(position.graph.out().to_vec(), lattice);
        value
    }

    /// How many moves have been looked at so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }
}
