//! The fast ways to Grundy values, and to outcomes under misère play: members of the family by their components, all hypergraphs on few vertices by isomorphism
//! classes, and any one hypergraph by a table of all that play can leave of it.

mod lattice;
mod members;
mod orbits;
mod sums;
mod worth;

pub use lattice::{Lattice, MAX_POSITIONS as MAX_LATTICE_POSITIONS, MAX_VERTICES as MAX_LATTICE_VERTICES};
pub use members::Members;
pub use orbits::{Host, MAX_HYPEREDGES as MAX_HOST_HYPEREDGES, MAX_VERTICES as MAX_HOST_VERTICES, Orbits};
pub use sums::Sums;
pub use worth::told;
