use clap::Args;
use serde_json::Value;

use crate::driver::read_status;

use super::connection::Origin;
use super::exit::{DONE, Failure};
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
    pub fn run(&self) -> Result<u8, Failure> {
        let sweeps = self.origin.read(async |client| client.list().await, read_status)?;
        if self.json {
            println!("{}", sweeps.iter().map(to_json).collect::<Value>());
            return Ok(DONE);
        }
        if sweeps.is_empty() {
            println!("no sweeps");
        }
        for status in &sweeps {
            println!("{}", to_line(status));
        }
        Ok(DONE)
    }
}
