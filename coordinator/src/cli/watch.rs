use std::time::Duration;

use clap::Args;

use crate::report::text;

use super::connection::{Coordinator, client_failure};
use super::exit::{Failure, Output, colour, of_report};
use super::progress::Progress;
use super::report::json;
use super::run::watch_sweep;

/// How often the coordinator is asked.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Follows a sweep with a live progress bar until it has come to an end, and prints its report
#[derive(Args, Debug)]
#[command(after_help = "Example: refute watch h1-0a1b2c3d4e5f --coordinator http://10.0.0.1:7433")]
pub struct Watch {
    /// The sweep's id
    id: String,
    #[command(flatten)]
    coordinator: Coordinator,
    /// The report as one JSON object
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub fn run(&self) -> Result<Output, Failure> {
        let progress = Progress::new();
        let watched = self.coordinator.call(async |client| {
            let watched = watch_sweep(client, &self.id, &progress, LOOK_EVERY).await;
            progress.clear();
            Ok(match watched {
                Ok(()) => client.report(&self.id).await.map_err(client_failure),
                Err(failure) => Err(failure),
            })
        });
        let report = watched??;
        Ok(Output { text: if self.json { json(&report)? } else { text(&report, colour()) }, code: of_report(&report) })
    }
}
