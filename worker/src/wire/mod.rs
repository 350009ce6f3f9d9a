//! Where messages become the types of this program, and back. Nothing further in knows the wire.

mod lease;
mod parts;

pub use lease::{LeaseError, LeaseProblem, assignment};
pub use parts::{Parts, TooLarge, check_sendable};

#[cfg(test)]
mod tests;
