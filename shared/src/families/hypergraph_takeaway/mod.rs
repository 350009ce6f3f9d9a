//! The take-away game on hypergraphs: a move removes a vertex with every hyperedge that contains it, or one hyperedge alone;
//! who takes the last vertex wins, under misère play loses.

mod boxes;
mod claims;
mod components;
mod counts;
mod definition;
mod family;
mod hypergraph;
mod key;
mod member;
mod names;
mod placed;
mod reference;
mod reference_misere;
mod solver;
mod sweeper;
mod variables;

#[cfg(test)]
pub(super) mod tests;

/// The family `hypergraph-takeaway`.
pub struct HypergraphTakeaway;
