//! `refute watch`: follows a sweep until it has ended.

use std::time::Duration;

use clap::Args;
use refute_connect::signals::told_to_stop;

use crate::client::Client;
use crate::report::text;

use super::connection::{Coordinator, client_failure};
use super::exit::{Failure, Output, colour, of_report};
use super::progress::LiveBar;
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
    /// The report as one JSON object
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub fn run(&self) -> Result<Output, Failure> {
        let bar = LiveBar::new();
        let watched = self.coordinator.call(async |client| {
            let watched = self.follow(client, &bar).await;
            bar.clear();
            Ok(match watched {
                Ok(()) => client.report(&self.id).await.map_err(client_failure),
                Err(failure) => Err(failure),
            })
        });
        let report = watched??;
        Ok(Output { text: if self.json { json(&report)? } else { text(&report, colour()) }, code: of_report(&report) })
    }

    /// Until the sweep has come to an end, or somebody stops the watching, which does nothing to the sweep.
    async fn follow(&self, client: &mut Client, bar: &LiveBar) -> Result<(), Failure> {
        let stop = told_to_stop().map_err(|error| Failure::not_done(format!("no signals: {error}")))?;
        tokio::select! {
            watched = watch_sweep(client, &self.id, bar, LOOK_EVERY) => watched,
            () = stop => Err(Failure::not_done(format!("stopped watching; the sweep goes on ({})", self.id))),
        }
    }
}

/// Shows the progress of a sweep until it has come to an end.
pub async fn watch_sweep(client: &mut Client, id: &str, bar: &LiveBar, look_every: Duration) -> Result<(), Failure> {
    loop {
        let status = client.status(id).await.map_err(client_failure)?;
        if status.state.is_terminal() {
            return Ok(());
        }
        bar.show(&status);
        tokio::time::sleep(look_every).await;
    }
}
