//! The store from outside: what is written is read back, another process that has the directory is named, and neither a crash nor
//! a damaged file makes a result that nobody computed.

// In tests a failure is a panic, in their helpers too.
#![allow(clippy::unwrap_used)]

mod backup;
mod bans;
mod crash;
mod damage;
mod in_use;
mod opening;
mod planted;
mod readers;
mod repair;
mod round_trips;
mod samples;
