//! `refute-worker`: lends this machine's cores to a coordinator.

use std::process::ExitCode;

use refute_worker::cli::{EXIT_STOPPED, parse, work};

fn main() -> ExitCode {
    match work(parse()) {
        Ok(()) => ExitCode::from(EXIT_STOPPED),
        Err(error) => {
            eprintln!("refute-worker: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
