//! Directed grabbing: Alice and Bob in turn remove a sink of a weighted acyclic digraph and collect its weight.

mod boxes;
mod claims;
mod dags;
mod definition;
mod facts;
mod family;
mod grid_sweep;
mod grids;
mod key;
mod lattice;
mod multisets;
mod notation;
mod parse;
mod paths;
mod reference;
mod rules;
mod sliced;
mod solved;
mod sweeper;
mod tightness;
mod variables;
mod weights;

#[cfg(test)]
pub(super) mod tests;

pub use lattice::{Lattice, Step};
pub use paths::value_of_paths;
pub use rules::{Digraph, DigraphError, Grid, MAX_VERTICES, Position};
pub use sliced::{LANES, SlicedGrid};

/// The family `directed-grabbing`.
pub struct DirectedGrabbing;
