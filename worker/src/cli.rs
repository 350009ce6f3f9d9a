//! The command line of `refute-worker`.

use std::ffi::OsString;
use std::io;
use std::num::NonZero;
use std::thread;

use clap::{CommandFactory as _, Parser};
use tracing::{info, warn};

use crate::memory::{Memory, Others};
use crate::version::WORKER;
use crate::{WorkerError, WorkerOptions, run};
use refute_connect::access::{Access, AccessError, Target};
use refute_connect::address::{Address, parse_coordinator};
use refute_connect::arguments::sentence;
use refute_connect::host::host_name;
use refute_connect::logging::{self, LogFormat, LoggingError};
use refute_connect::number::{NumberError, parse_number};
use refute_connect::signals::told_to_stop;
use refute_connect::size::parse_size;
use refute_connect::tls::TlsFiles;
use refute_connect::version::VersionFlags;
use refute_shared::text::{logged, nearest};

/// Exit code: told to stop.
pub const EXIT_STOPPED: u8 = 0;
/// Exit code: the arguments are wrong; nothing was started.
pub const EXIT_BAD_ARGUMENTS: u8 = 2;
/// Exit code: the coordinator refuses this worker, or an internal error.
pub const EXIT_NOT_DONE: u8 = 3;

/// The most slots that a worker may have.
const MAX_SLOTS: usize = refute_proto::MAX_SLOTS as usize;

const EXAMPLE: &str = "\
Example:
  refute-worker --coordinator https://refute.example:7433 --slots 8 --memory 4GiB \\
      --tls-cert worker.crt --tls-key worker.key --tls-ca authority.crt

SIGTERM, Ctrl-C and the loss of its terminal make it hand back what it has not finished and exit. RUST_LOG filters the log (default: info).

Exit codes:
  0  told to stop
  2  wrong arguments or TLS files; nothing was started
  3  the coordinator refuses this worker, or an internal error";

/// Lends this machine's cores to a coordinator of refute.
#[derive(Clone, Debug, PartialEq, Eq, Parser)]
#[command(name = "refute-worker", version, after_help = EXAMPLE)]
pub struct Arguments {
    /// Where the coordinator is: a URL, or host:port
    #[arg(long, env = "REFUTE_COORDINATOR", value_name = "URL", value_parser = parse_coordinator)]
    pub coordinator: Address,
    /// How to reach it
    #[command(flatten)]
    pub access: Access,
    /// How many shards to solve at a time [default: the cores of this machine]
    #[arg(long, value_name = "N", value_parser = parse_slots, allow_negative_numbers = true)]
    pub slots: Option<usize>,
    /// What the tables of one slot may take, such as 2GiB, 512MB or a number of bytes [default: its share of the memory that this
    /// process may take, at most 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    pub memory: Option<u64>,
    /// How the log on stderr looks
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub log_format: LogFormat,
    /// How much `--version` tells
    #[command(flatten)]
    pub version: VersionFlags,
}

/// Reads the command line. Help and version are printed, and end the process.
///
/// # Errors
/// [`CliError::Arguments`] with one sentence about what is wrong.
pub fn parse() -> Result<Arguments, CliError> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let arguments = Arguments::try_parse_from(&words).map_err(|error| {
        WORKER.exit_with_details(&error, &words);
        if !error.use_stderr() {
            error.exit();
        }
        let near = |word: &str, known: &[&str]| nearest(word, known.iter().copied()).map(str::to_owned);
        CliError::Arguments(sentence(&error, &Arguments::command(), &words, near))
    })?;
    arguments.version.check().map_err(|problem| CliError::Arguments(problem.to_owned()))?;
    Ok(arguments)
}

/// Reads a number of slots.
///
/// # Errors
/// [`NumberError`].
pub fn parse_slots(text: &str) -> Result<usize, NumberError> {
    parse_number(text, 1..=MAX_SLOTS, "number of slots", format!("one from 1 to {MAX_SLOTS}"))
}

/// As many slots as this machine has cores for this program; one if it does not tell.
#[must_use]
pub fn default_slots() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MAX_SLOTS)
}

/// Why the program ended without having been told to.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command line is wrong, as the sentence says.
    #[error("{0}")]
    Arguments(String),
    /// The log cannot be set up.
    #[error(transparent)]
    Logging(#[from] LoggingError),
    /// The address and what was said of TLS do not fit.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The system will not hand over signals or start the runtime.
    #[error("cannot start: {0}")]
    Start(#[from] io::Error),
    /// The worker ended.
    #[error(transparent)]
    Worker(#[from] WorkerError),
}

impl CliError {
    /// The code to exit with.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Logging(LoggingError::Filter { .. }) => EXIT_BAD_ARGUMENTS,
            Self::Arguments(_)
            | Self::Access(_)
            | Self::Worker(WorkerError::BadUrl { .. } | WorkerError::NoSlots | WorkerError::TlsFile(_)) => EXIT_BAD_ARGUMENTS,
            Self::Logging(_) | Self::Start(_) | Self::Worker(_) => EXIT_NOT_DONE,
        }
    }
}

/// Runs a worker until the program is told to stop.
///
/// # Errors
/// [`CliError`], with the code to exit with.
pub fn work(arguments: Arguments) -> Result<(), CliError> {
    logging::init(arguments.log_format, "info", logged)?;
    let Target { url, tls } = arguments.access.target(&arguments.coordinator)?;
    // They are read again where a connection is made. What is wrong with them from the start is all that is said then.
    tls.as_ref().map(TlsFiles::read).transpose().map_err(WorkerError::from)?;
    let slots = arguments.slots.unwrap_or_else(default_slots);
    let (slot_bytes, memory_kills) = memory_for(slots, arguments.memory);
    let options = WorkerOptions { coordinator: url, tls, slots, slot_bytes, memory_kills, host: host_name() };
    // The solvers have threads of their own; what is left is waiting, for which one thread is enough.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let stop = told_to_stop()?;
        Ok(run(options, stop).await?)
    });
    // A name server that does not answer holds a thread for many seconds, which must not keep a worker that was told to stop.
    runtime.shutdown_background();
    ended
}

/// What the tables of each slot may take, and how often lack of memory has ended processes like this one. The log says so, with what
/// is wrong.
fn memory_for(slots: usize, asked: Option<u64>) -> (u64, u64) {
    let memory = Memory::read();
    let budget = memory.budget(asked, slots, Others::default());
    info!("memory: {budget}");
    budget.warning().into_iter().chain(memory.kills()).for_each(|warning| warn!("{warning}"));
    (budget.slot_bytes, memory.killed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn everything_that_is_typed_is_taken() {
        let arguments = Arguments::parse_from(["refute-worker", "--coordinator", "localhost:7433", "--slots", "3", "--memory", "1MiB"]);
        let (coordinator, access) = (parse_coordinator("localhost:7433").unwrap(), Access::default());
        let (log_format, version) = (LogFormat::Text, VersionFlags::default());
        let expected = Arguments { coordinator, access, slots: Some(3), memory: Some(1 << 20), log_format, version };
        assert_eq!(arguments, expected);
    }

    #[test]
    fn a_number_of_slots_is_within_bounds() {
        assert_eq!(parse_slots("4096"), Ok(4096));
        for text in ["0", "4097", "-1", "many", "", "99999999999999999999999999"] {
            assert!(parse_slots(text).unwrap_err().to_string().contains("from 1 to 4096"));
        }
    }
}
