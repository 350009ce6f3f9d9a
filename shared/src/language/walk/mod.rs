//! The plain evaluator: it walks over the tree, one position at a time, and shows what it found on the way.

mod explain;
mod functions;
mod walker;

pub use explain::{Part, subexpressions};
pub use walker::{evaluate, evaluate_counted, judge};
