//! The programs as people and systems run them: real processes over real sockets, killed and started again, and everything
//! that can be typed wrong.

// In tests a failure is a panic, in their helpers too.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout)]

mod acknowledgements;
mod backups;
mod certificates;
mod clocks;
mod control;
mod counterexamples;
mod crashes;
mod damage;
mod directory;
mod disk;
mod exports;
mod figures;
mod grabbing;
mod guests;
mod hostile;
mod hosts;
mod hypergraphs;
mod large;
mod lies;
mod lists;
mod logs;
mod losses;
mod make_certs;
mod manifests;
mod many;
mod markdown;
mod memory;
mod mistakes;
mod monitoring;
mod network;
mod page;
mod partitions;
mod pausing;
mod plain_text;
mod poison;
mod priorities;
mod process;
mod puppet;
mod quantities;
mod readers;
mod reading;
mod renewal;
mod repeats;
mod replacing;
mod report;
mod resuming;
mod returning;
mod room;
mod running;
mod sandbox;
mod stated;
mod stopping;
mod subtraction;
mod subtraction_mistakes;
mod terminals;
mod tls;
mod unread;
mod unwanted;
mod versions;
mod watching;
mod workers;
