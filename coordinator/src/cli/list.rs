//! `refute list`: every sweep on one line.

use clap::Args;
use serde_json::Value;

use super::connection::Origin;
use super::exit::{Failure, Output};
use super::status::{to_json, to_line};

/// Every sweep, in the order of submission
#[derive(Args, Debug)]
#[command(after_help = "Example: refute list --data ./refute-data")]
pub struct List {
    #[command(flatten)]
    origin: Origin,
    /// One JSON list
    #[arg(long)]
    json: bool,
}

impl List {
    pub fn run(&self) -> Result<Output, Failure> {
        let sweeps = self.origin.read(async |client| client.list().await, |data| data.list())?;
        if self.json {
            return Ok(Output::line(sweeps.iter().map(to_json).collect::<Value>()));
        }
        if sweeps.is_empty() {
            return Ok(Output::line("no sweeps"));
        }
        Ok(Output::records(sweeps.iter().map(|status| to_line(status) + "\n").collect()))
    }
}
