//! The mathematics of `refute`, and nothing else.
//!
//! A [`families::Family`] knows one kind of game: its rules, two ways to solve it, the claims that papers make about it
//! and the spaces of positions that can be swept. A [`sweep::Sweep`] is a space together with the claims to hold against
//! it; its [`sweep::Plan`] cuts the space into shards, and the [`sweep::Tally`] of each shard adds up to the result.
//!
//! This crate is pure: it starts no thread and reads no clock, file, socket or source of randomness. A solver is handed a
//! [`families::Pulse`] to report through, and everything else it needs as arguments.

#![warn(missing_docs)]

pub mod claim;
pub mod families;
pub mod language;
pub mod sweep;
pub mod text;
pub mod value;
