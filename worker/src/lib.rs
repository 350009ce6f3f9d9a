//! A worker: it leases shards from a coordinator, solves them and hands back what they came to.
//!
//! [`run`] is all that a program needs. Inside, [`session`] decides what to do and touches nothing; [`driver`] does it, with
//! the clock and the connection; [`execute`] has the threads that solve; [`wire`] is where messages become the types of this
//! program and back. [`memory`] finds out how much each slot may take. [`cli`] is the command line of `refute-worker`.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod assignment;
mod calls;
pub mod cli;
pub mod driver;
pub mod execute;
mod log;
pub mod memory;
mod options;
pub mod session;
pub mod version;
pub mod wire;

pub use driver::{WorkerError, run};
pub use options::WorkerOptions;
