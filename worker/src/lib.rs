//! A worker: it leases shards from a coordinator, solves them and hands back what they came to.
//!
//! [`run`] is all that a program needs. Inside, [`session`] decides what to do and touches nothing; [`driver`] does it, with
//! the clock and the connection; [`execute`] has the threads that solve; [`wire`] is where messages become the types of this
//! program and back, and [`tls`] how the connection is secured. The other modules serve command lines, this one's and the
//! coordinator's.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod access;
pub mod address;
pub mod assignment;
mod calls;
pub mod cli;
pub mod driver;
pub mod execute;
pub mod host;
mod log;
pub mod logging;
pub mod session;
pub mod signals;
pub mod size;
pub mod tls;
pub mod version;
pub mod wire;

pub use driver::{WorkerError, WorkerOptions, run};
