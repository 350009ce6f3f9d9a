//! The binary `refute`.

use std::process::ExitCode;

use clap::Parser;
use refute_coordinator::cli::{Arguments, execute, finish};

fn main() -> ExitCode {
    finish(execute(Arguments::parse()))
}
