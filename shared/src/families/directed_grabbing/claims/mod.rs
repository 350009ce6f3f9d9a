//! The claims of the paper on directed grabbing games. Nothing here knows a solver.

mod algorithm;
mod demand;
mod grids;
mod lemmas;
mod list;
mod reductions;
mod says;
mod scope;

pub use algorithm::{Reading, Run, Step, run};
pub use demand::Demand;
#[cfg(test)]
pub use demand::{Least, on_grid};
pub use lemmas::beyond_all_else;
pub use list::{LEMMA_1, LEMMA_2, claims};
pub use scope::Scope;
