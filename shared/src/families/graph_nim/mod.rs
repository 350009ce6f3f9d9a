//! Graph Nim (arXiv 2509.05064, Definition 1.2) on any graph: a move picks a vertex and removes a total of at least 1 from
//! the weights of the edges at it.

mod boxes;
mod check;
mod claims;
mod confirm;
mod explain;
mod family;
mod graph;
mod key;
mod reference;
mod rules;
mod solver;
mod space;
mod sweeper;

#[cfg(test)]
pub(super) mod tests;

pub use family::GraphNim;
