//! The claims of the paper on full and truncated support. Nothing here knows a solver.

mod list;
mod outcomes;
mod position;

pub use list::{Entry, claims, entries};
pub use position::{Position, Says};
