//! The log: to stderr, as text for people or as JSON lines, filtered by `RUST_LOG`.

use std::env::{self, VarError};
use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::TryInitError;

use crate::streams::Lossy;

/// How the log looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LoggingError {
    /// `RUST_LOG` makes no sense.
    #[error("RUST_LOG is '{value}', which is no filter ({problem}); write for instance RUST_LOG=info or RUST_LOG=refute_worker=debug")]
    Filter {
        /// What it is.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The program has a log already.
    #[error("the log is set up already")]
    Twice(#[from] TryInitError),
}

/// Sets up the log of this program. Without `RUST_LOG` it shows what `default_filter` lets through, such as `info`.
///
/// # Errors
/// [`LoggingError`]; nothing is set up then.
pub fn init(format: LogFormat, default_filter: &str) -> Result<(), LoggingError> {
    use tracing_subscriber::util::SubscriberInitExt;

    let value = match env::var("RUST_LOG") {
        Ok(value) if !value.trim().is_empty() => value,
        Err(VarError::NotUnicode(value)) => value.to_string_lossy().into_owned(),
        Ok(_) | Err(VarError::NotPresent) => default_filter.to_owned(),
    };
    let filter = EnvFilter::try_new(&value).map_err(|error| LoggingError::Filter { value, problem: error.to_string() })?;
    // A line that cannot be written is dropped: a log without a reader must not stop what it tells of. Left to itself the
    // subscriber would say on stderr that it cannot write to stderr, and panic.
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| Lossy)
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Text => log.with_target(false).finish().try_init()?,
        LogFormat::Json => log.json().finish().try_init()?,
    }
    Ok(())
}
