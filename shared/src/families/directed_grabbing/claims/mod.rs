//! The claims of the paper on directed grabbing games. Nothing here knows a solver.

mod algorithm;
mod demand;
mod grids;
mod lemmas;
mod list;
mod reductions;

pub use algorithm::{Reading, Run, Step, run};
pub use demand::Demand;
pub use list::{Entry, Predicate, Says, claims, entries};
