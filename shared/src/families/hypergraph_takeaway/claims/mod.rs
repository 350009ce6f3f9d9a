//! The claims of the paper on take-away games on hypergraphs. Nothing here knows a solver.

mod list;
mod options;
mod position;
mod structure;
mod values;

pub use list::{Scope, claims};
pub use position::Position;
#[cfg(test)]
pub use structure::{drawn, some_a, some_b_or_c};
