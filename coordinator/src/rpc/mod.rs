//! The tonic services. Wire types stop here, and in [`crate::client`] at the other end.
//!
//! A connection is accepted (`accept`, with TLS by `tls` and `handshake`) together with whom its certificate is for (`peer`);
//! every call goes through `roles` before a service sees it, and every answer through `pace` on its way out.

mod accept;
mod assemble;
mod backups;
mod budget;
mod connection;
mod handshake;
mod lists;
mod pace;
mod peer;
mod reports;
mod roles;
mod server;
mod sweeps;
mod tls;
mod unanswered;
mod workers;

pub use server::{Server, ServerError};
pub use tls::{ReadCredentials, ServerCredentials, Tls};
