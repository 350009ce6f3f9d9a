//! The claims of the paper on take-away games on hypergraphs. Nothing here knows a solver.

mod list;
mod options;
mod position;
mod scope;
mod structure;
mod values;

pub use list::claims;
pub use position::Position;
pub use scope::Scope;
#[cfg(test)]
pub use structure::{drawn, some_a, some_b_or_c};
