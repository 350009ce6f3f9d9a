//! The claims of the paper on full and truncated support. Nothing here knows a solver.

mod appendix;
mod blocks;
mod forms;
mod list;
mod moves;
mod outcomes;
mod position;
mod printed;
mod short_games;
mod tables;
mod weights;

#[cfg(test)]
pub use appendix::{is_example_a_8, ups_lead_to};
#[cfg(test)]
pub use blocks::{long_run, low_levels};
#[cfg(test)]
pub use forms::right_options_up_to;
pub use list::{Scope, claims};
#[cfg(test)]
pub use moves::counted;
pub use position::{Position, Question, View};
#[cfg(test)]
pub use short_games::ShortGames;
