//! Values of positions, as the field names them.

mod nimber;
mod outcome;

pub use nimber::{GrundyValues, Nimber};
pub use outcome::Outcome;
