//! `refute workers`: what each worker is doing, and what went wrong with it.

use clap::{Args, ValueEnum};
use refute_shared::text::{bytes, duration, grouped, several};
use serde_json::{Value, json};

use crate::status::WorkerStatus;

use super::connection::Coordinator;
use super::exit::{Failure, Output};

/// The workers of a running coordinator: what each is doing, how fast it is, and what went wrong; or stops leasing to a host
#[derive(Args, Debug)]
#[command(
    after_help = "Examples: refute workers --coordinator https://refute.example:7433\n          refute workers drain 10.0.0.7 --coordinator https://refute.example:7433"
)]
pub struct Workers {
    /// Hands out no more shards to the workers of a host, or does so again; what they have they finish
    #[arg(value_enum, requires = "host", conflicts_with = "lost")]
    action: Option<Action>,
    /// The host: the name in the certificate of its workers, or their address without one
    #[arg(requires = "action")]
    host: Option<String>,
    #[command(flatten)]
    coordinator: Coordinator,
    /// Also those that were lost in the last hour, with the shards that they lost
    #[arg(long)]
    lost: bool,
    /// One JSON list; one JSON object for a host
    #[arg(long)]
    json: bool,
}

/// What is done to the workers of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Action {
    Drain,
    Undrain,
}

impl Workers {
    pub fn run(&self) -> Result<Output, Failure> {
        match (self.action, &self.host) {
            (Some(action), Some(host)) => self.set_drained(host, action == Action::Drain),
            _ => self.list(),
        }
    }

    fn set_drained(&self, host: &str, drained: bool) -> Result<Output, Failure> {
        let workers = self.coordinator.call(async |client| client.drain(host, !drained).await)?;
        if self.json {
            return Ok(Output::line(json!({ "host": host, "drained": drained, "workers": workers.unwrap_or(0) })));
        }
        Ok(Output::line(match (drained, workers) {
            (_, Some(0)) => format!("{host}: {}; none of its workers is here now", if drained { "drained" } else { "undrained" }),
            (true, _) => format!("{host}: drained; its workers here: {}", workers.unwrap_or(0)),
            (false, Some(count)) => format!("{host}: undrained; its workers here: {count}"),
            (false, None) => format!("{host} is not drained"),
        }))
    }

    fn list(&self) -> Result<Output, Failure> {
        let workers = self.coordinator.call(async |client| client.workers().await)?;
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
        Ok(Output::records(text))
    }
}

fn text_of(worker: &WorkerStatus) -> String {
    // It may have more shards than slots: those that are solved stay its own until the coordinator has their results.
    let (slots, heard) = (worker.slots as usize, duration(worker.silent_ms as f64 / 1000.0));
    let busy = worker.shards.len().min(slots);
    let beyond = match worker.shards.len() - busy {
        0 => String::new(),
        more => format!(" and {} on the way", several(more as u128, "result")),
    };
    let mut text = format!(
        "worker {} on {}, version {}: {busy} of {} slots busy{beyond}, {} per slot, heard {heard} ago{}\n",
        worker.worker_id,
        worker.host,
        worker.build,
        worker.slots,
        bytes(worker.slot_bytes.into()),
        answering_host(worker)
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
    for reason in [&worker.other_version, &worker.too_small].into_iter().flatten() {
        text += &format!("  {reason}\n");
    }
    if worker.memory_kills > 0 {
        let times = several(worker.memory_kills.into(), "time");
        text += &format!("  before it started, lack of memory ended processes of its control group {times}\n");
    }
    let rate = grouped(worker.rate as u128);
    text += &format!("  {}, {rate} configurations a second lately; {}\n", done(worker), went_wrong(worker));
    for shard in &worker.shards {
        let (decided, running) = (grouped(shard.decided), duration(shard.running_ms as f64 / 1000.0));
        text += &format!("  shard {} of {}: {decided} configurations in {running}\n", shard.shard_number, shard.sweep_id);
    }
    text
}

/// One that is not there any more.
fn text_of_lost(worker: &WorkerStatus) -> String {
    let mut text = format!(
        "lost: worker {} on {}, version {}, heard {} ago{}\n  {}; {}\n",
        worker.worker_id,
        worker.host,
        worker.build,
        duration(worker.silent_ms as f64 / 1000.0),
        answering_host(worker),
        done(worker),
        went_wrong(worker)
    );
    for (sweep_id, shard_number) in &worker.lost_shards {
        text += &format!("  lost shard {shard_number} of {sweep_id}\n");
    }
    text
}

/// The host that answers for a worker, if that is another word than the name of its machine.
fn answering_host(worker: &WorkerStatus) -> String {
    if worker.peer.is_empty() || worker.peer == worker.host { String::new() } else { format!(", host {}", worker.peer) }
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
        "too_small": worker.too_small,
        "memory_kills": worker.memory_kills,
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
    use crate::status::RunningShard;

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
            too_small: None,
            memory_kills: 0,
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
        assert!(text.contains(": 2 of 2 slots busy and 3 results on the way, 2.0 GiB per slot, heard"), "{text}");
    }

    #[test]
    fn one_that_was_lost_is_told_of_with_its_shards() {
        let lost_shards = vec![("h1-0a1b2c3d4e5f".into(), 17), ("h1-0a1b2c3d4e5f".into(), 18)];
        let lost = WorkerStatus { silent_ms: 37_000, leases_lost: 2, errors: 1, lost_shards, is_lost: true, ..worker() };
        insta::assert_snapshot!(text_of_lost(&lost));
    }
}
