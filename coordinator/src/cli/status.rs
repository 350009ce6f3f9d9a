//! `refute status`: where one sweep stands.

use clap::Args;
use refute_shared::text::{duration, grouped, several};
use serde_json::{Value, json};

use crate::report::who;
use crate::status::SweepStatus;

use super::connection::Origin;
use super::exit::{Failure, Output};

/// Where a sweep stands
#[derive(Args, Debug)]
#[command(after_help = "Example: refute status h1-0a1b2c3d4e5f --coordinator https://refute.example:7433")]
pub struct StatusCommand {
    /// The sweep's id
    id: String,
    #[command(flatten)]
    origin: Origin,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl StatusCommand {
    pub fn run(&self) -> Result<Output, Failure> {
        let status = self.origin.read(async |client| client.status(&self.id).await, |data| data.status(&self.id))?;
        Ok(if self.json { Output::line(to_json(&status)) } else { Output::records(text(&status)) })
    }
}

/// A sweep on a few lines.
fn text(status: &SweepStatus) -> String {
    let shards = status.shards;
    let mut lines = vec![to_line(status)];
    lines.push(format!(
        "  shards: {} done, {} leased, {} quarantined, {} pending of {}",
        shards.done, shards.leased, shards.quarantined, shards.pending, shards.total
    ));
    if status.rate > 0.0 {
        let eta = status.eta_seconds().map_or_else(|| "unknown".to_owned(), duration);
        lines.push(format!("  {} configurations a second, {eta} left", grouped(status.rate as u128)));
    }
    lines.extend(who(status.replicas, status.hosts).map(|who| format!("  {who}")));
    lines.extend(status.reason.as_ref().map(|reason| format!("  {reason}")));
    lines.join("\n") + "\n"
}

/// A sweep on one line.
pub fn to_line(status: &SweepStatus) -> String {
    let (decided, total) = (grouped(status.decided + status.in_progress), several(status.total, "configuration"));
    let refuted = match status.claims_refuted {
        0 => String::new(),
        count => format!(", {} refuted", several(count as u128, "claim")),
    };
    let priority = if status.priority == 0 { String::new() } else { format!(", priority {}", status.priority) };
    let replicas = if status.replicas > 1 { format!(", replicas = {}", status.replicas) } else { String::new() };
    let hosts = if status.hosts > 1 { format!(", {}", several(status.hosts.into(), "host")) } else { String::new() };
    format!("{}: {}, {decided} of {total} decided{refuted}{priority}{replicas}{hosts}", status.id, status.state)
}

/// A sweep as JSON.
pub fn to_json(status: &SweepStatus) -> Value {
    json!({
        "id": status.id,
        "name": status.name,
        "family": status.family,
        "state": status.state,
        "priority": status.priority,
        "reason": status.reason,
        "shards": {
            "total": status.shards.total,
            "done": status.shards.done,
            "leased": status.shards.leased,
            "quarantined": status.shards.quarantined,
        },
        "configurations": {
            "total": status.total.to_string(),
            "decided": status.decided.to_string(),
            "in_progress": status.in_progress.to_string(),
        },
        "rate": status.rate,
        "eta_seconds": status.eta_seconds(),
        "claims_refuted": status.claims_refuted,
        "replicas": status.replicas,
        "hosts": status.hosts,
    })
}
