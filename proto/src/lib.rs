//! The wire contract of `refute`, generated from `refute/v1/refute.proto`, and what both ends must agree on besides.
//!
//! This crate knows nobody: its messages are turned into the types of the program where a message arrives, and no further
//! in.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod number;
mod unanswered;

pub use unanswered::why_unanswered;

/// Messages and clients of package `refute.v1`, and with the feature `server` its services, as generated.
#[allow(missing_docs, rust_2018_idioms, unused_qualifications, clippy::all, clippy::pedantic, clippy::unwrap_used)]
pub mod v1 {
    include!("generated/refute.v1.rs");
}

/// The version of the contract that this build speaks. A worker of another one is refused when it registers.
pub const PROTOCOL: u32 = 2;

/// The most bytes that one encoded message may have, in either direction. What can be larger goes in chunks.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// The most results that one call hands back.
pub const MAX_RESULTS: usize = 1 << 10;

/// The most slots that a worker may have.
pub const MAX_SLOTS: u32 = 4096;
