//! The command line: every subcommand, and what the parser says of a mistake.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand};
use refute_connect::arguments::sentence;
use refute_connect::logging::{self, LogFormat};
use refute_connect::version::VersionFlags;
use refute_shared::text::{logged, nearest};

use super::backup::BackupCommand;
use super::check::Check;
use super::claims::Claims;
use super::control::{Cancel, Pause, Resume};
use super::counterexamples::Counterexamples;
use super::diff::Diff;
use super::exit::{Failure, Output};
use super::explain::Explain;
use super::export::Export;
use super::help::Help;
use super::list::List;
use super::report::ReportCommand;
use super::status::StatusCommand;
#[cfg(feature = "store")]
use super::store::PackageFiles;
use super::store::{Restore, Run, Serve};
use super::submit::Submit;
use super::sweeps::Sweeps;
use super::variables::Variables;
use super::version::PROGRAM;
use super::watch::Watch;
use super::workers::Workers;

/// Tries to refute theorems and conjectures about combinatorial games, exhaustively
#[derive(Parser, Debug)]
#[command(name = "refute", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub struct Arguments {
    /// How log lines look; RUST_LOG says which there are (default: warnings, for `serve` also what happens)
    #[arg(long, value_name = "FORMAT", global = true, default_value = "text")]
    log_format: LogFormat,
    #[command(flatten)]
    version: VersionFlags,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0  done; for run and report: the sweep is complete and no claim was refuted
  1  run and report: the sweep is complete and some claim was refuted, which is a result
  2  the command, the manifest or an id is wrong; nothing was started
  3  not done: the sweep is not complete or a claim stays incomplete, the coordinator cannot be reached, the data directory is in use

Example: refute run four-edges";

#[derive(Subcommand, Debug)]
enum Command {
    Run(Run),
    Sweeps(Sweeps),
    Claims(Claims),
    Variables(Variables),
    Check(Check),
    Explain(Explain),
    Serve(Serve),
    Submit(Submit),
    List(List),
    Status(StatusCommand),
    Report(ReportCommand),
    Watch(Watch),
    Counterexamples(Counterexamples),
    Export(Export),
    Diff(Diff),
    Pause(Pause),
    Resume(Resume),
    Cancel(Cancel),
    Workers(Workers),
    Backup(BackupCommand),
    Restore(Restore),
    Help(Help),
    #[cfg(feature = "store")]
    #[command(hide = true)]
    PackageFiles(PackageFiles),
}

/// Reads the command line. Help and version are printed, and end the process.
///
/// # Errors
/// [`Failure`] with one sentence about what is wrong.
pub fn parse() -> Result<Arguments, Failure> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let arguments = Arguments::try_parse_from(&words).map_err(|error| {
        PROGRAM.exit_with_details(&error, &words);
        if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            error.exit();
        }
        Failure::wrong(sentence_of(&error, &words))
    })?;
    arguments.version.check().map_err(Failure::wrong)?;
    Ok(arguments)
}

/// What is wrong with the words of the command line.
fn sentence_of(error: &clap::Error, words: &[OsString]) -> String {
    sentence(error, &Arguments::command(), words, |word, known| nearest(word, known.iter().copied()).map(str::to_owned))
}

/// Runs the command, and returns what to print.
///
/// # Errors
/// [`Failure`] with its exit code.
pub fn execute(arguments: Arguments) -> Result<Output, Failure> {
    let filter = if matches!(arguments.command, Command::Serve(_)) { "info" } else { "error" };
    logging::init(arguments.log_format, filter, logged).map_err(Failure::wrong)?;
    match arguments.command {
        Command::Run(command) => command.run(),
        Command::Sweeps(command) => command.run(),
        Command::Claims(command) => command.run(),
        Command::Variables(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Submit(command) => command.run(),
        Command::List(command) => command.run(),
        Command::Status(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Watch(command) => command.run(),
        Command::Counterexamples(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Diff(command) => command.run(),
        Command::Pause(command) => command.run(),
        Command::Resume(command) => command.run(),
        Command::Cancel(command) => command.run(),
        Command::Workers(command) => command.run(),
        Command::Backup(command) => command.run(),
        Command::Restore(command) => command.run(),
        Command::Help(command) => command.run(Arguments::command()),
        #[cfg(feature = "store")]
        Command::PackageFiles(command) => command.run(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_parser_says_becomes_one_sentence() {
        for (line, expected) in [
            ("refute submit h1", "--coordinator <URL> is missing; 'refute submit --help' tells more"),
            ("refute run h1 --set weights=1", "--set: 'weights=1' is not of the form space.KEY=VALUE, such as space.weights=0..=64"),
            ("refute rnu", "unknown command 'rnu'; did you mean 'run'?"),
            ("refute nope", "unknown command 'nope'; 'refute --help' tells more"),
            ("refute list --coordinator localhost:1 --data d", "--coordinator and --data do not go together; keep one of them"),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let error = Arguments::try_parse_from(&words).map(|_| ()).unwrap_err();
            assert_eq!(sentence_of(&error, &words), expected);
        }
    }
}
