//! Any one hypergraph, by a table of all that play can leave of it.
//!
//! Play leaves a set W of vertices and some of the hyperedges inside W; every such pair can be reached, and nothing else can.
//! The table has, for each W in ascending order as a number, one byte for each set of hyperedges inside W, whose bits are
//! numbered within W. Both kinds of moves lead to entries before: removing a hyperedge to a smaller number in the same block,
//! removing a vertex to an earlier block.

use crate::families::SolveError;
use crate::value::{GrundyValues, Play};

use super::super::hypergraph::{Hypergraph, members};
use super::worth::worth;

/// The most vertices: there is a block for each set of them.
pub const MAX_VERTICES: u32 = 20;
/// The most entries of a table.
pub const MAX_POSITIONS: u128 = 1 << 32;

/// Entries solved between two beats of the pulse.
const POSITIONS_PER_BEAT: u64 = 1 << 12;

/// The table of one hypergraph.
pub struct Lattice<'a> {
    hypergraph: &'a Hypergraph,
    play: Play,
    /// Where the block of each set of vertices begins.
    blocks: Vec<u64>,
    values: Vec<u8>,
}

impl<'a> Lattice<'a> {
    /// How many positions the table of a hypergraph has, if it can be made.
    pub fn positions(hypergraph: &Hypergraph) -> Option<u128> {
        hypergraph.positions(MAX_VERTICES).filter(|count| *count <= MAX_POSITIONS)
    }

    /// The bytes of such a table: an entry each, and where the blocks begin.
    pub fn bytes(hypergraph: &Hypergraph, positions: u128) -> u128 {
        positions + (8 << hypergraph.vertices())
    }

    /// What a hypergraph is worth for which [`Lattice::positions`] is some number: see [`super::told`].
    ///
    /// Cost: its positions, times vertices and hyperedges.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if `go_on` says no.
    pub fn worth(hypergraph: &'a Hypergraph, play: Play, go_on: &mut dyn FnMut() -> bool) -> Result<u8, SolveError> {
        let mut table = Self { hypergraph, play, blocks: Vec::new(), values: Vec::new() };
        for vertices in 0..1u64 << hypergraph.vertices() {
            table.block(vertices, go_on)?;
        }
        // The last entry has all vertices and all hyperedges.
        Ok(table.values.last().copied().unwrap_or(0))
    }

    /// The places of the hyperedges inside a set of vertices.
    fn inside(&self, vertices: u64) -> impl Iterator<Item = u64> + '_ {
        self.hypergraph.hyperedges().iter().copied().filter(move |edge| edge & !vertices == 0)
    }

    /// Fills the block of a set of vertices; those of all subsets are filled.
    fn block(&mut self, vertices: u64, go_on: &mut dyn FnMut() -> bool) -> Result<(), SolveError> {
        let inside: Vec<u64> = self.inside(vertices).collect();
        // For each vertex: the block without it, and which of the hyperedges inside stay.
        let removals: Vec<(u64, u64)> = members(vertices)
            .map(|vertex| {
                let stays = (0..).zip(&inside).filter(|(_, edge)| *edge >> vertex & 1 == 0).fold(0, |set, (place, _)| set | 1u64 << place);
                (self.blocks[(vertices & !(1 << vertex)) as usize], stays)
            })
            .collect();
        let start = self.values.len() as u64;
        self.blocks.push(start);
        for chosen in 0..1u64 << inside.len() {
            let mut options = GrundyValues::default();
            for place in members(chosen) {
                options.insert(self.values[(start + (chosen & !(1 << place))) as usize]);
            }
            for (block, stays) in &removals {
                options.insert(self.values[(block + gathered(chosen, *stays)) as usize]);
            }
            self.values.push(worth(self.play, &options));
            if chosen % POSITIONS_PER_BEAT == 0 && !go_on() {
                return Err(SolveError::Stopped);
            }
        }
        Ok(())
    }
}

/// The bits of a word at the places of another one, moved together.
fn gathered(word: u64, places: u64) -> u64 {
    (0..).zip(members(places)).fold(0, |gathered, (to, from)| gathered | (word >> from & 1) << to)
}
