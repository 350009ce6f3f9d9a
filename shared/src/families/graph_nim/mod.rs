//! Graph Nim (arXiv 2509.05064, Definition 1.2) on any graph: a move picks a vertex and removes a total of at least 1 from
//! the weights of the edges at it.

mod about;
mod areas;
mod beside;
mod boxes;
mod by_blocks;
mod by_positions;
mod by_rows;
mod claims;
mod classes;
mod columns;
mod definition;
mod edge_sets;
mod estimate;
mod facts;
mod family;
mod figure;
mod graph;
mod groups;
mod grundy;
mod kept;
mod key;
mod layout;
mod lines;
mod moves;
mod neighbours;
mod parse;
mod position;
mod reference;
mod reference_grundy;
mod rules;
mod shifts;
mod small_graphs;
mod solver;
mod sweeper;
mod variables;
mod wanted;
mod weight_box;
mod whole;

#[cfg(test)]
pub(super) mod tests;

/// The family `graph-nim`.
pub struct GraphNim;
