use clap::{Args, Subcommand};
use refute_shared::text::{bytes, grouped, several};
use serde_json::{Value, json};

use crate::rpc::WorkerStatus;

use super::connection::Coordinator;
use super::exit::{Failure, Output};
use super::progress::duration;

/// The workers of a running coordinator: what each is doing, how fast it is, and what went wrong
#[derive(Args, Debug)]
#[command(
    after_help = "Example: refute workers --coordinator https://refute.example:7433",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Workers {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    coordinator: Option<Coordinator>,
    /// Also those that were lost in the last hour, with the shards that they lost
    #[arg(long)]
    lost: bool,
    /// One JSON list
    #[arg(long)]
    json: bool,
}

/// What is done to the workers of a host.
#[derive(Subcommand, Debug)]
enum Action {
    /// Hands out no more shards to the workers of a host, now or later; what they have they finish
    #[command(after_help = "Example: refute workers drain 10.0.0.7 --coordinator https://refute.example:7433")]
    Drain(Host),
    /// Hands out shards to a drained host again
    #[command(after_help = "Example: refute workers undrain 10.0.0.7 --coordinator https://refute.example:7433")]
    Undrain(Host),
}

/// A host of a running coordinator.
#[derive(Args, Debug)]
struct Host {
    /// The name in the certificate of its workers, or their address without one, as 'refute workers' shows it
    host: String,
    #[command(flatten)]
    coordinator: Coordinator,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Host {
    fn set(&self, drained: bool) -> Result<Output, Failure> {
        let workers = self.coordinator.call(async |client| client.drain(&self.host, !drained).await)?;
        if self.json {
            return Ok(Output::line(json!({ "host": self.host, "drained": drained, "workers": workers.unwrap_or(0) })));
        }
        let (host, count) = (&self.host, several(workers.unwrap_or(0).into(), "worker"));
        Ok(Output::line(match (drained, workers) {
            (true, Some(0)) => format!("{host}: gets no shards; no worker of it is here now"),
            (true, _) => format!("{host}: {count} get no more shards"),
            (false, None) => format!("{host} is not drained"),
            (false, Some(_)) => format!("{host}: {count} get shards again"),
        }))
    }
}

impl Workers {
    pub fn run(&self) -> Result<Output, Failure> {
        match (&self.action, &self.coordinator) {
            (Some(Action::Drain(host)), _) => host.set(true),
            (Some(Action::Undrain(host)), _) => host.set(false),
            (None, Some(coordinator)) => self.list(coordinator),
            // Without an action the parser asks for a coordinator.
            (None, None) => Err(Failure::wrong("no coordinator is named: --coordinator URL, or REFUTE_COORDINATOR")),
        }
    }

    fn list(&self, coordinator: &Coordinator) -> Result<Output, Failure> {
        let workers = coordinator.call(async |client| client.workers().await)?;
        let (lost, there): (Vec<_>, Vec<_>) = workers.iter().partition(|worker| worker.is_lost);
        let shown: Vec<&WorkerStatus> = if self.lost { there.iter().chain(&lost).copied().collect() } else { there.clone() };
        if self.json {
            return Ok(Output::line(shown.into_iter().map(to_json).collect::<Value>()));
        }
        let mut text = if there.is_empty() { "no workers\n".to_owned() } else { String::new() };
        text.extend(shown.into_iter().map(|worker| if worker.is_lost { text_of_lost(worker) } else { text_of(worker) }));
        if !lost.is_empty() && !self.lost {
            text += &format!("{} lost in the last hour: 'refute workers --lost'\n", several(lost.len() as u128, "worker"));
        }
        Ok(Output::done(text))
    }
}

fn text_of(worker: &WorkerStatus) -> String {
    // It may have more shards than slots: those that are solved stay its own until the coordinator has their results.
    let (slots, heard) = (worker.slots as usize, worker.silent_ms as f64 / 1000.0);
    let busy = worker.shards.len().min(slots);
    let beyond = match worker.shards.len() - busy {
        0 => String::new(),
        more => format!(" and {} on the way", several(more as u128, "result")),
    };
    let mut text = format!(
        "worker {} on {}, version {}: {busy} of {} slots busy{beyond}, {} a slot, heard {heard:.1} s ago\n",
        worker.worker_id,
        place(worker),
        worker.build,
        worker.slots,
        bytes(worker.slot_bytes.into())
    );
    if let Some(reason) = &worker.banned {
        text += &format!("  gets no more work: {reason}\n");
    }
    if worker.drained {
        text += &format!("  gets no more work: its host is drained; 'refute workers undrain {}'\n", worker.peer);
    }
    if let Some(reason) = &worker.probation {
        text += &format!("  {reason}\n");
    }
    if let Some(reason) = &worker.other_version {
        text += &format!("  {reason}\n");
    }
    let rate = grouped(worker.rate as u128);
    text += &format!("  {}, {rate} configurations a second lately; {}\n", done(worker), went_wrong(worker));
    for shard in &worker.shards {
        let (decided, seconds) = (grouped(shard.decided), shard.running_ms as f64 / 1000.0);
        text += &format!("  shard {} of {}: {decided} configurations in {seconds:.1} s\n", shard.shard_number, shard.sweep_id);
    }
    text
}

/// One that is not there any more.
fn text_of_lost(worker: &WorkerStatus) -> String {
    let mut text = format!(
        "lost: worker {} on {}, version {}, heard {} ago\n  {}; {}\n",
        worker.worker_id,
        place(worker),
        worker.build,
        duration(worker.silent_ms as f64 / 1000.0),
        done(worker),
        went_wrong(worker)
    );
    for (sweep_id, shard_number) in &worker.lost_shards {
        text += &format!("  lost shard {shard_number} of {sweep_id}\n");
    }
    text
}

/// What a worker calls its machine, and the host by which it is drained if that is another word.
fn place(worker: &WorkerStatus) -> String {
    match worker.peer.as_str() {
        "" => worker.host.clone(),
        peer if peer == worker.host => peer.to_owned(),
        peer => format!("{} (host {peer})", worker.host),
    }
}

fn done(worker: &WorkerStatus) -> String {
    let registered = duration(worker.registered_for_ms as f64 / 1000.0);
    format!("{} done since it registered {registered} ago", several(worker.shards_done.into(), "shard"))
}

/// What went wrong with a worker's shards, as counts.
fn went_wrong(worker: &WorkerStatus) -> String {
    let counts = [(worker.leases_lost, "lease"), (worker.errors, "error"), (worker.contradicted, "result")];
    let [lost, errors, contradicted] = counts.map(|(count, noun)| several(count.into(), noun));
    match counts.iter().all(|(count, _)| *count == 0) {
        true => "nothing went wrong".to_owned(),
        false => format!("{lost} lost, {errors}, {contradicted} contradicted"),
    }
}

fn to_json(worker: &WorkerStatus) -> Value {
    let shards = worker.shards.iter().map(|shard| {
        let decided = shard.decided.to_string();
        json!({ "sweep": shard.sweep_id, "shard": shard.shard_number, "decided": decided, "running_ms": shard.running_ms })
    });
    let lost = worker.lost_shards.iter().map(|(sweep_id, shard_number)| json!({ "sweep": sweep_id, "shard": shard_number }));
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
        "lost": worker.is_lost,
        "registered_for_ms": worker.registered_for_ms,
        "rate": worker.rate,
        "shards_done": worker.shards_done,
        "decided": worker.decided.to_string(),
        "leases_lost": worker.leases_lost,
        "errors": worker.errors,
        "returned": worker.returned,
        "contradicted": worker.contradicted,
        "lost_shards": lost.collect::<Value>(),
        "peer": worker.peer,
        "drained": worker.drained,
        "probation": worker.probation,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::RunningShard;

    fn worker() -> WorkerStatus {
        WorkerStatus {
            worker_id: 4_294_967_297,
            host: "ada".into(),
            build: "0.1.0".into(),
            slots: 2,
            slot_bytes: 2 << 30,
            silent_ms: 340,
            shards: vec![RunningShard { sweep_id: "h1-0a1b2c3d4e5f".into(), shard_number: 18, decided: 1_029_468, running_ms: 900 }],
            banned: None,
            other_version: None,
            registered_for_ms: 200_000,
            rate: 1_386_549.7,
            shards_done: 1,
            decided: 16_746_400,
            leases_lost: 0,
            errors: 0,
            returned: 3,
            contradicted: 0,
            lost_shards: Vec::new(),
            peer: "10.0.0.7".into(),
            drained: false,
            probation: None,
            is_lost: false,
        }
    }

    #[test]
    fn a_worker_is_told_of_in_a_few_lines() {
        let banned = Some("worker 4294967297 on ada gave a result for shard 3 of 'h1-0a1b2c3d4e5f' that 2 others contradict".into());
        let liar = WorkerStatus { banned, contradicted: 1, rate: 0.0, shards: Vec::new(), ..worker() };
        insta::assert_snapshot!(text_of(&worker()) + &text_of(&liar));
    }

    #[test]
    fn shards_beyond_the_slots_are_results_on_the_way() {
        let shards = vec![worker().shards[0].clone(); 5];
        let text = text_of(&WorkerStatus { shards, ..worker() });
        assert!(text.contains(": 2 of 2 slots busy and 3 results on the way, 2.0 GiB a slot, heard"), "{text}");
    }

    #[test]
    fn one_that_was_lost_is_told_of_with_its_shards() {
        let lost_shards = vec![("h1-0a1b2c3d4e5f".into(), 17), ("h1-0a1b2c3d4e5f".into(), 18)];
        let lost = WorkerStatus { silent_ms: 37_000, leases_lost: 2, errors: 1, lost_shards, is_lost: true, ..worker() };
        insta::assert_snapshot!(text_of_lost(&lost));
    }
}
