//! The tonic services. Wire types stop here, and in [`crate::client`] at the other end.
//!
//! A connection is accepted (`accept`, with TLS by `tls` and `handshake`) together with whom its certificate is for (`peer`);
//! at the `gate` every call goes through `roles` before a service sees it, and every answer through `answers` on its way out, at the pace
//! of its reader (`pace`).

mod accept;
mod answers;
mod assemble;
mod backups;
mod budget;
mod connection;
mod gate;
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
pub use tls::{ReadCredentials, ServerCredentials, Tls, TlsError};
