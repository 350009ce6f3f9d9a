//! `refute diff`: two reports beside each other.

use std::fs;
use std::path::Path;

use clap::Args;
use refute_connect::path::expand;

use crate::report::{Report, difference, difference_text};

use super::connection::Origin;
use super::exit::{DONE, Failure, Output, REFUTED, style};

/// Compares two sweeps, or their reports in files: what agrees, which verdicts changed, which counts differ
#[derive(Args, Debug)]
#[command(after_help = "Examples: refute diff h1-0a1b2c3d4e5f h1-5f4e3d2c1b0a
          refute diff four-edges-0a1b2c3d4e5f ./report-of-a-colleague.json
Exit code 1 means that they differ.")]
pub struct Diff {
    /// The id of a sweep, or a JSON report: anything with a `/` or ending in `.json`
    #[arg(value_name = "ID-or-FILE")]
    first: String,
    /// What to compare it with
    #[arg(value_name = "ID-or-FILE")]
    second: String,
    /// The difference as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    origin: Origin,
}

impl Diff {
    pub fn run(&self) -> Result<Output, Failure> {
        let found = difference(&self.report(&self.first)?, &self.report(&self.second)?);
        let text = match self.json {
            true => serde_json::to_string_pretty(&found).map_err(Failure::not_done)? + "\n",
            false => difference_text(&found, style().columns),
        };
        Ok(Output { text, code: if found.same { DONE } else { REFUTED } })
    }

    fn report(&self, of: &str) -> Result<Report, Failure> {
        if of.contains('/') || of.ends_with(".json") {
            return read(of);
        }
        self.origin.read(async |client| client.report(of).await, |data| data.report(of))
    }
}

/// A report in a file.
fn read(file: &str) -> Result<Report, Failure> {
    let path = expand(Path::new(file)).map_err(|error| Failure::wrong(format!("{file}: {error}")))?;
    let json = fs::read(&path).map_err(|error| Failure::wrong(format!("{file}: {error}")))?;
    serde_json::from_slice(&json)
        .map_err(|error| Failure::wrong(format!("{file}: no JSON report of refute ('refute report ID --json' prints one): {error}")))
}
