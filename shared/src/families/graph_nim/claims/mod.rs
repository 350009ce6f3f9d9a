//! The claims of the paper on Graph Nim with four edges. Nothing here knows a solver.

mod figure;
mod g4;
mod galaxy;
mod h1;
mod h1_rows;
mod list;
mod moves;
mod others;
mod rows;
mod view;

#[cfg(test)]
pub use figure::{galaxies, has_all_but};
pub use g4::{Special, special};
pub use h1::H1;
pub use list::{Scope, claims};
#[cfg(test)]
pub use moves::{MOVES, Move, WrittenOut, becomes, ways_to_m};
pub use rows::{Along, Area, H1Row};
pub use view::{Domain, Subject, View};
