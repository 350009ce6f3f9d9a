//! The programs as people and systems run them: real processes over real sockets, killed and started again, and everything
//! that can be typed wrong.

// In tests a failure is a panic, in their helpers too.
#![allow(clippy::unwrap_used)]

mod control;
mod counterexamples;
mod crashes;
mod damage;
mod directory;
mod disk;
mod figures;
mod hypergraphs;
mod lies;
mod losses;
mod manifests;
mod markdown;
mod mistakes;
mod network;
mod pausing;
mod priorities;
mod process;
mod puppet;
mod reading;
mod report;
mod resuming;
mod room;
mod running;
mod stopping;
mod subtraction;
mod subtraction_mistakes;
mod watching;
mod workers;
