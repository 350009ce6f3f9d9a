//! The claims of the paper on full and truncated support. Nothing here knows a solver.

mod forms;
mod list;
mod outcomes;
mod position;
mod tables;
mod weights;

pub use list::{Entry, claims, entries, solves};
pub use position::{Position, Question, Says};
