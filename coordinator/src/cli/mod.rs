//! What a person types: one file a subcommand.

mod arguments;
mod backup;
mod check;
mod claims;
mod connection;
mod control;
mod counterexamples;
mod exit;
mod explain;
mod list;
mod manifest_source;
mod package_files;
mod progress;
mod report;
mod restore;
mod run;
mod security;
mod serve;
mod status;
mod submit;
mod sweeps;
mod version;
mod watch;
mod workers;

pub use arguments::{Arguments, execute, parse};
pub use exit::{DONE, Failure, NOT_DONE, Output, REFUTED, WRONG, finish};
