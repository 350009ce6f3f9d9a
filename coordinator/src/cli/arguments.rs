use clap::{Parser, Subcommand};
use refute_worker::logging::{self, LogFormat};

use super::check::Check;
use super::claims::Claims;
use super::control::{Cancel, Pause, Resume};
use super::counterexamples::Counterexamples;
use super::exit::{Failure, Output};
use super::explain::Explain;
use super::list::List;
use super::report::ReportCommand;
use super::run::Run;
use super::serve::Serve;
use super::status::StatusCommand;
use super::submit::Submit;
use super::sweeps::Sweeps;
use super::watch::Watch;
use super::workers::Workers;

/// Tries to refute theorems and conjectures about combinatorial games, exhaustively
#[derive(Parser, Debug)]
#[command(name = "refute", version, after_help = EXIT_CODES)]
pub struct Arguments {
    /// How log lines look; RUST_LOG says which there are (default: warnings, for `serve` also what happens)
    #[arg(long, value_name = "FORMAT", global = true, default_value = "text")]
    log_format: LogFormat,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0  done; for run and report: the sweep is complete and no claim was refuted
  1  run and report: the sweep is complete and some claim was refuted, which is a result
  2  the command, the manifest or an id is wrong; nothing was started
  3  not done: the sweep is not complete, the coordinator cannot be reached, the data directory is in use

Example: refute run four-edges";

#[derive(Subcommand, Debug)]
enum Command {
    Run(Run),
    Sweeps(Sweeps),
    Claims(Claims),
    Check(Check),
    Explain(Explain),
    Serve(Serve),
    Submit(Submit),
    List(List),
    Status(StatusCommand),
    Report(ReportCommand),
    Watch(Watch),
    Counterexamples(Counterexamples),
    Pause(Pause),
    Resume(Resume),
    Cancel(Cancel),
    Workers(Workers),
}

/// Does what was asked, and gives what there is to print.
///
/// # Errors
/// [`Failure`] with its exit code.
pub fn execute(arguments: Arguments) -> Result<Output, Failure> {
    let filter = if matches!(arguments.command, Command::Serve(_)) { "info" } else { "error" };
    logging::init(arguments.log_format, filter).map_err(Failure::wrong)?;
    match arguments.command {
        Command::Run(command) => command.run(),
        Command::Sweeps(command) => command.run(),
        Command::Claims(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Submit(command) => command.run(),
        Command::List(command) => command.run(),
        Command::Status(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Watch(command) => command.run(),
        Command::Counterexamples(command) => command.run(),
        Command::Pause(command) => command.run(),
        Command::Resume(command) => command.run(),
        Command::Cancel(command) => command.run(),
        Command::Workers(command) => command.run(),
    }
}
