//! The binary `refute`.

use std::process::ExitCode;

use refute_coordinator::cli::{execute, finish, parse};

fn main() -> ExitCode {
    finish(parse().and_then(execute))
}
