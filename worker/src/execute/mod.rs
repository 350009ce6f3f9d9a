//! Runs solvers, each slot on a thread of its own.

mod executor;

pub use executor::{Executor, STACK_BYTES};

#[cfg(test)]
mod tests;
