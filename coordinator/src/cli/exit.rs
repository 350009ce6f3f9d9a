//! Exit codes, and what a command prints when it is done or has failed.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::AsFd;
use std::process::ExitCode;

use refute_connect::streams::tell;

use refute_shared::text::plain_lines;

use crate::report::{Report, Style, Verdict, fitted};

/// The sweep is complete and no claim was refuted; or the command did what was asked.
pub const DONE: u8 = 0;
/// The sweep is complete and some claim was refuted. A result, not a failure.
pub const REFUTED: u8 = 1;
/// The command, the manifest or an id is wrong; nothing was started, nothing is left behind.
pub const WRONG: u8 = 2;
/// Not done: the sweep is not complete, or some claim stays incomplete, or the coordinator cannot be reached, or the data
/// directory is in use.
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

/// The columns of a page where there is no terminal that has a width.
const PAGE_COLUMNS: usize = 80;
/// Narrower than this no text is made.
const FEWEST_COLUMNS: usize = 20;

/// The columns of the terminal behind a stream; [`PAGE_COLUMNS`] if there is none or it does not tell.
pub fn columns_of(stream: &impl AsFd) -> usize {
    let columns = terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0));
    columns.filter(|columns| *columns > 0).map_or(PAGE_COLUMNS, |columns| columns.max(FEWEST_COLUMNS))
}

/// What stdout is like: its width, and colours if it is a terminal and NO_COLOR is not set.
#[must_use]
pub fn style() -> Style {
    let colour = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    Style { columns: columns_of(&io::stdout()), colour }
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

/// What a command has to say when it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What goes to stdout.
    pub text: String,
    /// The exit code.
    pub code: u8,
}

impl Output {
    /// It did what was asked, and says so.
    #[must_use]
    pub fn done(text: impl Into<String>) -> Self {
        Self { text: text.into(), code: DONE }
    }

    /// It did what was asked, and this page is for reading: lines that are too long are broken at words.
    #[must_use]
    pub fn page(text: &str) -> Self {
        Self::done(fitted(text, style().columns))
    }

    /// It did what was asked, and these are records, whose lines programs may count: they are broken on a terminal alone.
    #[must_use]
    pub fn records(text: String) -> Self {
        if io::stdout().is_terminal() { Self::page(&text) } else { Self::done(text) }
    }

    /// It did what was asked, and says so on one line.
    #[must_use]
    pub fn line(line: impl Display) -> Self {
        Self::done(format!("{line}\n"))
    }
}

/// Prints what a command has to say, or what went wrong, and gives the process's exit code.
#[must_use]
pub fn finish(result: Result<Output, Failure>) -> ExitCode {
    match result {
        Ok(output) => {
            let mut stdout = io::stdout().lock();
            let written = stdout.write_all(plain_lines(&output.text).as_bytes()).and_then(|()| stdout.flush());
            match written {
                // A reader that has seen enough closes the pipe, as `head` does; the result is the same.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    tell(format_args!("refute: cannot print: {error}"));
                    ExitCode::from(NOT_DONE)
                }
                _ => ExitCode::from(output.code),
            }
        }
        Err(failure) => {
            let message = plain_lines(&format!("refute: {}", failure.message)).into_owned();
            // One line for programs; on a terminal broken at words, unless a place in it is marked from below.
            let is_broken = io::stderr().is_terminal() && !message.contains('\n');
            tell(if is_broken { fitted(&message, columns_of(&io::stderr())) } else { message });
            ExitCode::from(failure.code)
        }
    }
}
