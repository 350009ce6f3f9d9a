use std::fmt::Display;
use std::process::ExitCode;

use crate::report::{Report, Verdict};

/// The sweep is complete and no claim was refuted; or the command did what was asked.
pub const DONE: u8 = 0;
/// The sweep is complete and some claim was refuted. A result, not a failure.
pub const REFUTED: u8 = 1;
/// The command, the manifest or an id is wrong; nothing was started, nothing is left behind.
pub const WRONG: u8 = 2;
/// Not done: the sweep is not complete, or the coordinator cannot be reached, or the data directory is in use.
pub const NOT_DONE: u8 = 3;

/// Why a command did not do what was asked: a sentence and an exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// [`WRONG`] or [`NOT_DONE`].
    pub code: u8,
    /// One sentence.
    pub message: String,
}

impl Failure {
    /// The command, the manifest or an id is wrong.
    pub fn wrong(message: impl Display) -> Self {
        Self { code: WRONG, message: message.to_string() }
    }

    /// It could not be done.
    pub fn not_done(message: impl Display) -> Self {
        Self { code: NOT_DONE, message: message.to_string() }
    }
}

/// The exit code of a report: whether its sweep is complete, and whether it refutes anything.
#[must_use]
pub fn of_report(report: &Report) -> u8 {
    if !report.is_complete() {
        NOT_DONE
    } else if report.count(Verdict::Refuted) > 0 {
        REFUTED
    } else if report.count(Verdict::Incomplete) > 0 {
        NOT_DONE
    } else {
        DONE
    }
}

/// Says what went wrong, if anything did, and gives the process's exit code.
#[must_use]
pub fn exit_code(result: Result<u8, Failure>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("refute: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}
