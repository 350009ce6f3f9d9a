//! The families of games, each in a folder of its own. [`FAMILIES`] is the one list of them: everything outside this
//! module goes through it and names no family.

mod collector;
mod columns;
mod confirmer;
pub mod directed_grabbing;
mod encoding;
mod entry;
mod explanation;
mod family;
mod fields;
mod game;
pub mod graph_nim;
pub mod hypergraph_takeaway;
mod judge;
mod names;
pub mod null;
mod others;
pub mod partizan_subtraction;
mod play;
mod room;
mod space;
mod stated;
mod sweeps;
mod texts;

#[cfg(test)]
mod core_tests;
#[cfg(test)]
mod names_tests;
#[cfg(test)]
mod one_heap;
#[cfg(test)]
mod relations_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod texts_tests;

pub use crate::claim::{Check, MAX_CLAIMS};
pub use collector::Collector;
pub use columns::flat;
pub use encoding::DecodeError;
pub use entry::{Entry, InText, Predicate, Printed, matches};
pub use explanation::{ClaimView, Explained, Explanation, Move, ValuedOption, VariableView};
pub use family::{
    Confirmation, Cost, Counterexample, Family, Figure, FigureRow, Hypotheses, Parameters, Pulse, Reference, SolveError, Solver, Space,
    Subexpression, Task,
};
pub use fields::{Fields, Given};
pub use game::{Configuration, Game, GameBox, GameReference, GameSolver, Says, TooLarge};
pub use judge::{Answers, Judge, Known, Unplayed, Weighed, keyed, split_key, weigh};
pub use names::{Around, Described, Listed, Named, Names, Read, ReadPosition, ReadSolved, keep_small, list, whole};
pub use play::{MISERE_HAS_NONE, lacks_under_misere, play_given, play_of_box, play_of_word};
pub use room::{MAX_BOXES, Room};
pub use space::GameSpace;
pub use stated::StatedPredicate;
pub use sweeps::{BuiltIn, built_in, built_ins};
pub use texts::{text, texts};

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
