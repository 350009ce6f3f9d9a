//! What a person types: one file a subcommand.

mod arguments;
mod backup;
mod check;
mod claims;
mod connection;
mod control;
mod counterexamples;
mod diff;
mod exit;
mod explain;
mod export;
mod help;
mod list;
mod manifest_source;
mod progress;
mod progress_lines;
mod report;
mod sample;
mod status;
mod submit;
mod sweeps;
mod variables;
mod version;
mod watch;
#[cfg(feature = "store")]
mod with_store;
#[cfg(not(feature = "store"))]
mod without_store;
mod workers;

#[cfg(feature = "store")]
use with_store as store;
#[cfg(not(feature = "store"))]
use without_store as store;

pub use arguments::{Arguments, execute, parse};
pub use exit::{DONE, Failure, NOT_DONE, Output, REFUTED, WRONG, finish};
