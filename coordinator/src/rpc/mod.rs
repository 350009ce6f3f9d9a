//! The tonic services, and the client of them. Wire types stop here.
//!
//! A connection is accepted (`accept`, with TLS by `tls` and `handshake`) together with whom its certificate is for (`peer`);
//! every call goes through `roles` before a service sees it.

mod accept;
mod assemble;
mod client;
mod connection;
mod handshake;
mod peer;
mod roles;
mod server;
mod sweeps;
mod tls;
mod unanswered;
mod workers;

pub use crate::driver::{RunningShard, WorkerStatus};
pub use client::{Client, ClientError, Control};
pub use server::{Server, ServerError};
pub use tls::{ReadCredentials, ServerCredentials, Tls};
