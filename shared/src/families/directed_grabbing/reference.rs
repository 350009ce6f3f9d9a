//! The reference: val by the definition, remembering the value of each set of vertices that can be left.

use std::collections::HashMap;

use crate::families::TooLarge;

use super::rules::Position;

/// The most sets of vertices that the reference remembers.
const MAX_SETS: usize = 1 << 16;

/// Solves one position by the rules alone.
pub struct ReferenceSolver<'a> {
    position: &'a Position,
    values: HashMap<u64, i64>,
}

impl<'a> ReferenceSolver<'a> {
    /// A reference that has solved nothing yet.
    pub fn new(position: &'a Position) -> Self {
        Self { position, values: HashMap::new() }
    }

    /// val of the whole position.
    ///
    /// # Errors
    /// [`TooLarge`], where there are more than 2^16 sets of vertices that can be left.
    pub fn value(&mut self) -> Result<i64, TooLarge> {
        self.value_of(self.position.graph.all())
    }

    /// val of what is left: the next player removes a sink, and then has its weight minus what the other gets more from there.
    /// Where nothing is left it is 0. Cost: for each new set its sinks.
    ///
    /// # Errors
    /// As for [`ReferenceSolver::value`].
    pub fn value_of(&mut self, left: u64) -> Result<i64, TooLarge> {
        if let Some(value) = self.values.get(&left) {
            return Ok(*value);
        }
        let mut best = None;
        for sink in self.position.graph.sinks(left).collect::<Vec<_>>() {
            best = best.max(Some(self.after(left, sink)?));
        }
        if self.values.len() >= MAX_SETS {
            let vertices = self.position.graph.vertices();
            return Err(TooLarge(format!(
                "{vertices} vertices can be left in more than {MAX_SETS} (2^16) ways, too many for the reference"
            )));
        }
        // An acyclic digraph with a vertex has a sink, so only the empty one has no move.
        let value = best.unwrap_or(0);
        self.values.insert(left, value);
        Ok(value)
    }

    /// What the next player gets more than the other by removing this sink first.
    ///
    /// # Errors
    /// As for [`ReferenceSolver::value`].
    pub fn after(&mut self, left: u64, sink: usize) -> Result<i64, TooLarge> {
        Ok(self.position.weights[sink] - self.value_of(left & !(1 << sink))?)
    }

    /// The sinks that some optimal play of what is left starts with, ascending.
    ///
    /// # Errors
    /// As for [`ReferenceSolver::value`].
    pub fn optimal(&mut self, left: u64) -> Result<Vec<usize>, TooLarge> {
        let value = self.value_of(left)?;
        let mut found = Vec::new();
        for sink in self.position.graph.sinks(left) {
            if self.after(left, sink)? == value {
                found.push(sink);
            }
        }
        Ok(found)
    }

    /// An optimal play: each player removes the first sink that is optimal.
    ///
    /// # Errors
    /// As for [`ReferenceSolver::value`].
    pub fn play(&mut self) -> Result<Vec<usize>, TooLarge> {
        let mut left = self.position.graph.all();
        let mut play = Vec::new();
        while let Some(sink) = self.optimal(left)?.first().copied() {
            play.push(sink);
            left &= !(1 << sink);
        }
        Ok(play)
    }
}
