//! The families of games, each in a folder of its own. [`FAMILIES`] is the one list of them: everything outside this
//! module goes through it and names no family.

mod collector;
pub mod directed_grabbing;
mod encoding;
mod family;
pub mod graph_nim;
pub mod hypergraph_takeaway;
pub mod null;
pub mod partizan_subtraction;
mod sweeps;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use crate::claim::Check;
pub use collector::Collector;
pub use family::{
    ClaimView, Confirmation, Cost, Counterexample, Explanation, Family, Figure, FigureRow, Move, Parameters, Pulse, Reference, SolveError,
    Solver, Space, Task, ValuedOption,
};
pub use sweeps::{BuiltIn, built_in, built_ins};

/// Every family there is.
pub static FAMILIES: &[&dyn Family] = &[
    &graph_nim::GraphNim,
    &partizan_subtraction::PartizanSubtraction,
    &hypergraph_takeaway::HypergraphTakeaway,
    &directed_grabbing::DirectedGrabbing,
    &null::Null,
];

/// The family of this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static dyn Family> {
    FAMILIES.iter().copied().find(|family| family.id() == id)
}

/// The ids of all families.
pub fn ids() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|family| family.id())
}
