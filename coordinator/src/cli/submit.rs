//! `refute submit`: hands a sweep to a running coordinator.

use clap::Args;
use refute_connect::number::{NumberError, parse_number};
use serde_json::json;

use super::connection::Coordinator;
use super::exit::{Failure, Output};
use super::manifest_source::ManifestSource;

/// Submits a sweep to a running coordinator, or goes on with the same one, and prints its id
#[derive(Args, Debug)]
#[command(after_help = "Example: refute submit four-edges --coordinator https://refute.example:7433")]
pub struct Submit {
    #[command(flatten)]
    source: ManifestSource,
    #[command(flatten)]
    coordinator: Coordinator,
    /// Start anew even if the same sweep is there
    #[arg(long)]
    fresh: bool,
    /// Sweeps of higher priority go first; a number, also below 0
    #[arg(long, value_name = "N", value_parser = parse_priority, allow_negative_numbers = true)]
    priority: Option<i32>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn parse_priority(text: &str) -> Result<i32, NumberError> {
    let right = format!("a whole number from {} to {}, such as 5", i32::MIN, i32::MAX);
    parse_number(text, i32::MIN..=i32::MAX, "priority", right)
}

impl Submit {
    pub fn run(&self) -> Result<Output, Failure> {
        // What is wrong is said here, before anything is sent.
        let manifest = self.source.sweep()?.manifest.to_toml();
        let id = self.coordinator.call(async |client| client.submit(manifest, self.fresh, self.priority).await)?;
        Ok(if self.json { Output::line(json!({ "id": id })) } else { Output::line(id) })
    }
}
