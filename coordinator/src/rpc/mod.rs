//! The tonic services, and the client of them. Wire types stop here.

mod assemble;
mod client;
mod server;
mod sweeps;
mod workers;

pub use crate::driver::{RunningShard, WorkerStatus};
pub use client::{Client, ClientError, Control};
pub use server::{Server, ServerError};
