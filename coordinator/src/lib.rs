//! The coordinator of `refute`: what it schedules, what it keeps, what it reports, and the commands that people type.
//!
//! [`schedule`] decides, [`report`] renders and [`export`] makes tables; all are pure. `store` is the database, `rpc` the sockets, `driver` the one
//! place where these meet, `web` what monitoring asks over HTTP, [`client`] the other end of `rpc`, and [`cli`] what a person
//! types.
//!
//! Without the feature `store`, which is on by default, only a client is built: it needs neither RocksDB nor a worker.

#![warn(missing_docs)]

pub mod cli;
pub mod client;
#[cfg(feature = "store")]
mod connection_limit;
#[cfg(feature = "store")]
pub mod driver;
pub mod export;
pub mod report;
#[cfg(feature = "store")]
pub mod rpc;
pub mod schedule;
pub mod status;
#[cfg(feature = "store")]
pub mod store;
#[cfg(feature = "store")]
pub mod web;
