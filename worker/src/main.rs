//! `refute-worker`: lends this machine's cores to a coordinator.

use std::process::ExitCode;

use clap::Parser;
use refute_worker::cli::{Arguments, EXIT_STOPPED, work};

fn main() -> ExitCode {
    match work(Arguments::parse()) {
        Ok(()) => ExitCode::from(EXIT_STOPPED),
        Err(error) => {
            eprintln!("refute-worker: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
