//! Runs solvers, each slot on a thread of its own.

mod executor;

pub use executor::Executor;

#[cfg(test)]
mod tests;
