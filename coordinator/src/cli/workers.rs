use clap::Args;
use refute_shared::text::{bytes, grouped};
use serde_json::{Value, json};

use crate::rpc::WorkerStatus;

use super::connection::Coordinator;
use super::exit::{Failure, Output};

/// The workers of a running coordinator, and what each is doing
#[derive(Args, Debug)]
#[command(after_help = "Example: refute workers --coordinator https://refute.example:7433")]
pub struct Workers {
    #[command(flatten)]
    coordinator: Coordinator,
    /// One JSON list
    #[arg(long)]
    json: bool,
}

impl Workers {
    pub fn run(&self) -> Result<Output, Failure> {
        let workers = self.coordinator.call(async |client| client.workers().await)?;
        if self.json {
            return Ok(Output::line(workers.iter().map(to_json).collect::<Value>()));
        }
        if workers.is_empty() {
            return Ok(Output::line("no workers"));
        }
        Ok(Output::done(workers.iter().map(text).collect::<String>()))
    }
}

fn text(worker: &WorkerStatus) -> String {
    let (busy, heard) = (worker.shards.len(), worker.silent_ms as f64 / 1000.0);
    let mut text = format!(
        "worker {} on {}, version {}: {busy} of {} slots busy, {} a slot, heard {heard:.1} s ago\n",
        worker.worker_id,
        worker.host,
        worker.build,
        worker.slots,
        bytes(worker.slot_bytes.into())
    );
    if let Some(reason) = &worker.banned {
        text += &format!("  gets no more work: {reason}\n");
    }
    if let Some(reason) = &worker.other_version {
        text += &format!("  {reason}\n");
    }
    for shard in &worker.shards {
        let (decided, seconds) = (grouped(shard.decided), shard.running_ms as f64 / 1000.0);
        text += &format!("  shard {} of {}: {decided} configurations in {seconds:.1} s\n", shard.shard_number, shard.sweep_id);
    }
    text
}

fn to_json(worker: &WorkerStatus) -> Value {
    let shards = worker.shards.iter().map(|shard| {
        let decided = shard.decided.to_string();
        json!({ "sweep": shard.sweep_id, "shard": shard.shard_number, "decided": decided, "running_ms": shard.running_ms })
    });
    json!({
        "worker_id": worker.worker_id.to_string(),
        "host": worker.host,
        "build": worker.build,
        "slots": worker.slots,
        "slot_bytes": worker.slot_bytes,
        "silent_ms": worker.silent_ms,
        "shards": shards.collect::<Value>(),
        "banned": worker.banned,
        "other_version": worker.other_version,
    })
}
