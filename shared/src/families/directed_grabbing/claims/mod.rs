//! The claims of the paper on directed grabbing games. Nothing here knows a solver.

mod algorithm;
mod demand;
mod grids;
mod lemmas;
mod list;
mod reductions;
mod says;
mod scope;
mod strategies;

#[cfg(test)]
pub use algorithm::is_increasing;
pub use algorithm::{Reading, Run, Step, run};
pub use demand::Demand;
#[cfg(test)]
pub use demand::{Least, on_grid};
#[cfg(test)]
pub use lemmas::amounts;
pub use list::{LEMMA_1, LEMMA_2, claims};
pub use scope::Scope;
#[cfg(test)]
pub use strategies::{Cell, Young, good_answers_by, good_positions, pairing, safe};
