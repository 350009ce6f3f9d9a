//! What stands for the commands that keep a data directory where the feature `store` is off: each says so, and how to get a
//! build that has it.

use std::path::Path;

use clap::Args;

use crate::export::{ExportError, Exported, Sink};
use crate::report::Report;
use crate::status::SweepStatus;

use super::exit::{Failure, Output};

/// How to get the rest.
const HOW: &str = "'cargo build --release -p refute-coordinator' makes one with a store";

fn no_store(what: &str) -> Failure {
    Failure::wrong(format!("{what} needs a store, which this build of refute does not have; {HOW}"))
}

/// Not in this build, which has no store: runs a sweep on this machine
#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    ignored: Ignored,
}

/// Not in this build, which has no store: the coordinator
#[derive(Args, Debug)]
pub struct Serve {
    #[command(flatten)]
    ignored: Ignored,
}

/// Not in this build, which has no store: makes a data directory from a backup
#[derive(Args, Debug)]
pub struct Restore {
    #[command(flatten)]
    ignored: Ignored,
}

/// Whatever follows the command: the answer is the same.
#[derive(Args, Debug)]
struct Ignored {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<String>,
}

impl Run {
    pub fn run(&self) -> Result<Output, Failure> {
        Err(no_store("'refute run'"))
    }
}

impl Serve {
    pub fn run(&self) -> Result<Output, Failure> {
        Err(no_store("'refute serve'"))
    }
}

impl Restore {
    pub fn run(&self) -> Result<Output, Failure> {
        Err(no_store("'refute restore'"))
    }
}

/// A data directory, of which there is none in this build.
pub enum DataDirectory {}

impl DataDirectory {
    /// There is none to choose.
    ///
    /// # Errors
    /// [`Failure`] always: it names the flag, or says that a coordinator is missing.
    pub fn choose(named: Option<&Path>) -> Result<Self, Failure> {
        Err(match named {
            Some(_) => no_store("--data"),
            None => Failure::wrong(format!(
                "no coordinator is named, and this build of refute has no store to read instead; give --coordinator URL or set \
                 REFUTE_COORDINATOR, or build another: {HOW}"
            )),
        })
    }

    pub fn report(&self, _: &str) -> Result<Report, Failure> {
        match *self {}
    }

    pub fn export(&self, _: &str, _: Exported, _: &mut dyn Sink) -> Result<Result<(), ExportError>, Failure> {
        match *self {}
    }

    pub fn list(&self) -> Result<Vec<SweepStatus>, Failure> {
        match *self {}
    }

    pub fn status(&self, _: &str) -> Result<SweepStatus, Failure> {
        match *self {}
    }

    pub fn back_up(&self, _: &Path) -> Result<(String, u64, u64), Failure> {
        match *self {}
    }
}
