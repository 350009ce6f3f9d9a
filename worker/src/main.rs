//! `refute-worker`: lends this machine's cores to a coordinator.

use std::process::ExitCode;

use refute_connect::streams::tell;
use refute_shared::text::plain_lines;
use refute_worker::cli::{EXIT_STOPPED, parse, work};

fn main() -> ExitCode {
    match parse().and_then(work) {
        Ok(()) => ExitCode::from(EXIT_STOPPED),
        Err(error) => {
            tell(plain_lines(&format!("refute-worker: {error}")));
            ExitCode::from(error.exit_code())
        }
    }
}
