//! What `refute` and `refute-worker` share besides the wire contract and the mathematics: how a program reaches a coordinator,
//! and the small things that each program on a command line needs.
//!
//! [`address`] reads where a coordinator is, [`access`] which flags say how to speak to it, and [`tls`] makes the connection.
//! [`arguments`] says what is wrong with a command line, [`number`], [`size`] and [`path`] read what stands on one, [`logging`] and
//! [`streams`] write to stderr, and [`host`], [`signals`] and [`version`] are the machine's name, the wish to stop, and what a program
//! was built from.
//!
//! The crate knows no other crate of the workspace.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod access;
pub mod address;
pub mod arguments;
pub mod host;
pub mod logging;
pub mod number;
pub mod path;
pub mod signals;
pub mod size;
pub mod streams;
pub mod tls;
pub mod version;
