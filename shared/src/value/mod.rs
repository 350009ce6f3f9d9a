//! Values of positions, as the field names them.

mod outcome;

pub use outcome::Outcome;
