//! The reference: val by the definition, remembering the value of each set of vertices that can be left. Of a position it takes
//! the arcs and the weights; which vertices may be removed it finds by itself.

use std::collections::HashMap;

use crate::families::TooLarge;

use super::rules::Position;

/// The most sets of vertices that the reference remembers.
const MAX_SETS: usize = 1 << 16;

/// Solves one position by the rules alone.
pub struct ReferenceSolver<'a> {
    weights: &'a [i64],
    /// For each vertex those that must go before it.
    before: Vec<Vec<usize>>,
    values: HashMap<u64, i64>,
}

impl<'a> ReferenceSolver<'a> {
    /// A reference that has solved nothing yet.
    pub fn new(position: &'a Position) -> Self {
        let members = |set: &u64| (0..64).filter(|vertex| set >> vertex & 1 == 1).collect();
        Self { weights: &position.weights, before: position.graph.out().iter().map(members).collect(), values: HashMap::new() }
    }

    /// Every vertex.
    pub fn whole(&self) -> u64 {
        (0..self.before.len()).fold(0, |set, vertex| set | 1 << vertex)
    }

    /// The vertices that the next player may remove of what is left, ascending: those that nothing that is left must go before.
    pub fn removable(&self, left: u64) -> Vec<usize> {
        let is_left = |vertex: usize| left >> vertex & 1 == 1;
        let may_go = |vertex: &usize| is_left(*vertex) && !self.before[*vertex].iter().any(|other| is_left(*other));
        (0..self.before.len()).filter(may_go).collect()
    }

    /// val of the whole position.
    ///
    /// # Errors
    /// [`TooLarge`], where there are more than 2^16 sets of vertices that can be left.
    pub fn value(&mut self) -> Result<i64, TooLarge> {
        self.value_of(self.whole())
    }

    /// val of what is left: the next player removes a vertex, and then has its weight minus what the other gets more from there.
    /// Where nothing is left it is 0. Cost: for each new set its vertices and arcs.
    ///
    /// # Errors
    /// As for [`ReferenceSolver::value`].
    pub fn value_of(&mut self, left: u64) -> Result<i64, TooLarge> {
        if let Some(value) = self.values.get(&left) {
            return Ok(*value);
        }
        let mut best = None;
        for vertex in self.removable(left) {
            best = best.max(Some(self.after(left, vertex)?));
        }
        if self.values.len() >= MAX_SETS {
            let vertices = self.before.len();
            return Err(TooLarge(format!(
                "{vertices} vertices can be left in more than {MAX_SETS} (2^16) ways, too many for the reference"
            )));
        }
        // In an acyclic digraph with a vertex one may be removed, so only the empty one has no move.
        let value = best.unwrap_or(0);
        self.values.insert(left, value);
        Ok(value)
    }

    /// What the next player gets more than the other by removing this vertex first.
    ///
    /// # Errors
    /// As for [`ReferenceSolver::value`].
    pub fn after(&mut self, left: u64, vertex: usize) -> Result<i64, TooLarge> {
        Ok(self.weights[vertex] - self.value_of(left & !(1 << vertex))?)
    }

    /// The vertices that some optimal play of what is left starts with, ascending.
    ///
    /// # Errors
    /// As for [`ReferenceSolver::value`].
    pub fn optimal(&mut self, left: u64) -> Result<Vec<usize>, TooLarge> {
        let value = self.value_of(left)?;
        let mut found = Vec::new();
        for vertex in self.removable(left) {
            if self.after(left, vertex)? == value {
                found.push(vertex);
            }
        }
        Ok(found)
    }

    /// An optimal play: each player removes the first vertex that is optimal.
    ///
    /// # Errors
    /// As for [`ReferenceSolver::value`].
    pub fn play(&mut self) -> Result<Vec<usize>, TooLarge> {
        let mut left = self.whole();
        let mut play = Vec::new();
        while let Some(vertex) = self.optimal(left)?.first().copied() {
            play.push(vertex);
            left &= !(1 << vertex);
        }
        Ok(play)
    }
}
