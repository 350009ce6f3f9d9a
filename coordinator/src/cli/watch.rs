//! `refute watch`: follows a sweep until it has ended.

use std::time::Duration;

use clap::Args;
use refute_connect::signals::told_to_stop;

use crate::client::Client;
use crate::report::text;

use super::connection::{Coordinator, client_failure};
use super::exit::{Failure, Output, of_report, style};
use super::progress::ProgressDisplay;
use super::report::json;

/// How often the coordinator is asked.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Follows a sweep with a live progress bar until it has come to an end, and prints its report
#[derive(Args, Debug)]
#[command(after_help = "Example: refute watch h1-0a1b2c3d4e5f --coordinator https://refute.example:7433")]
pub struct Watch {
    /// The sweep's id
    id: String,
    #[command(flatten)]
    coordinator: Coordinator,
    /// No progress on stderr: neither a bar on a terminal nor lines elsewhere
    #[arg(long)]
    quiet: bool,
    /// The report as one JSON object
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub fn run(&self) -> Result<Output, Failure> {
        let mut progress = ProgressDisplay::new(self.quiet, self.resume());
        let watched = self.coordinator.call(async |client| {
            let watched = self.follow(client, &mut progress).await;
            progress.clear();
            Ok(match watched {
                Ok(()) => client.report(&self.id).await.map_err(client_failure),
                Err(failure) => Err(failure),
            })
        });
        let report = watched??;
        Ok(Output { text: if self.json { json(&report)? } else { text(&report, style()) }, code: of_report(&report) })
    }

    /// Until the sweep has come to an end, or somebody stops the watching, which does nothing to the sweep.
    async fn follow(&self, client: &mut Client, progress: &mut ProgressDisplay) -> Result<(), Failure> {
        let stop = told_to_stop().map_err(|error| Failure::not_done(format!("no signals: {error}")))?;
        tokio::select! {
            watched = watch_sweep(client, &self.id, progress, LOOK_EVERY) => watched,
            () = stop => Err(Failure::not_done(match progress.is_paused() {
                true => format!("stopped watching; the sweep is paused, and '{}' resumes it", self.resume()),
                false => format!("stopped watching; the sweep goes on ({})", self.id),
            })),
        }
    }

    /// The command that makes the sweep go on if it is paused.
    fn resume(&self) -> String {
        format!("refute resume {}{}", self.id, self.coordinator.flags())
    }
}

/// Shows the progress of a sweep until it has come to an end.
pub async fn watch_sweep(client: &mut Client, id: &str, progress: &mut ProgressDisplay, look_every: Duration) -> Result<(), Failure> {
    loop {
        let status = client.status(id).await.map_err(client_failure)?;
        progress.show(&status);
        if status.state.is_terminal() {
            return Ok(());
        }
        tokio::time::sleep(look_every).await;
    }
}
