//! The claims of the paper on full and truncated support. Nothing here knows a solver.

mod forms;
mod list;
mod outcomes;
mod position;
mod tables;
mod weights;

pub use list::{Scope, claims};
pub use position::{Position, Question, View};
