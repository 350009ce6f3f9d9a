//! Partizan subtraction on one heap: Left removes a number in one finite set, Right one in another; who cannot move loses.

mod boxes;
mod census;
mod claims;
mod counts;
mod definition;
mod explain_value;
mod family;
mod figure;
mod key;
mod long_run;
mod needs;
mod others;
mod period;
mod quantity;
mod reference;
mod reference_period;
mod reference_values;
mod reference_weights;
mod rules;
mod solved;
mod solver;
mod supports;
mod sweeper;
mod tables;
mod variables;

#[cfg(test)]
pub(super) mod tests;

pub use rules::{MAX_ELEMENT, Ruleset, SetError, SubtractionSet};
pub use solver::OutcomeSequence;

/// The family `partizan-subtraction`.
pub struct PartizanSubtraction;
