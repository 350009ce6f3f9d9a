//! The binary `refute`.

use std::process::ExitCode;

use clap::Parser;
use refute_coordinator::cli::{Arguments, execute, exit_code};

fn main() -> ExitCode {
    exit_code(execute(Arguments::parse()))
}
