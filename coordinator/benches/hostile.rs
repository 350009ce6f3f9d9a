//! What hostile callers cost the others: how long a `Status` waits while a manifest is read that costs much, what a fresh submission
//! costs when many are there, and how long one call of the schedule takes beside as many workers as there may be. Prints the figures,
//! and fails above the bounds.
//!
//! Run: `cargo bench -p refute-coordinator --bench hostile`

// A bench that cannot go on can only tell the person who started it.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::time::{Duration, Instant};

use refute_coordinator::driver::{Driver, DriverOptions};
use refute_coordinator::schedule::{
    Config, LeaseGrant, RangeSet, ResultStanding, Schedule, SweepEntry, SweepState, Vote, WorkerId, WorkerInfo,
};
use refute_coordinator::store::Store;

/// How long a status may wait, whatever is submitted meanwhile.
const MOST_WAIT: Duration = Duration::from_millis(100);

/// How often the same sweep is submitted anew.
const SUBMISSIONS: usize = 3_000;

/// How many workers there are, on how many hosts, and how many things they do.
const WORKERS: u64 = 10_000;
const HOSTS: u64 = 3;
const EVENTS: u64 = 20_000;

/// How long one call of the schedule may take, on average and at most: a busy machine has its moments.
const MEAN_TURN: Duration = Duration::from_millis(20);
const MOST_TURN: Duration = Duration::from_millis(100);

fn main() {
    // Under `cargo test` a bench is only built and started.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let (driver, thread) = Driver::start(Store::open_or_create(directory.path()).unwrap(), DriverOptions::default()).unwrap();
    let held = runtime.block_on(async {
        let waits = status_while_manifests_are_read(&driver).await;
        let constant = submissions(&driver).await;
        fill(&driver).await;
        waits && constant
    });
    driver.stop();
    thread.join().unwrap();
    restart(directory.path());
    let held = held & calls_beside_many_workers();
    assert!(held, "a bound does not hold");
}

/// One manifest a family that costs much to read.
fn costly() -> Vec<(&'static str, String)> {
    let boxes = |one: &str, times: usize| (0..times).map(|_| format!("[[space]]\n{one}\n")).collect::<String>();
    let manifest = |family: &str, boxes: String| format!("name = \"costly\"\nfamily = \"{family}\"\n{boxes}");
    vec![
        ("graph-nim", manifest("graph-nim", boxes("graphs = { edges = 6 }\nweights = 1", 14))),
        ("partizan-subtraction", manifest("partizan-subtraction", boxes("b = \"1..=230\"\na = 1\nheap = 1", 4))),
        ("hypergraph-takeaway", manifest("hypergraph-takeaway", boxes("all = { vertices = \"1..=5\" }", 50))),
        ("directed-grabbing", manifest("directed-grabbing", boxes("dags = { vertices = \"1..=5\", weights = \"0..=2\" }", 50))),
        ("null", manifest("null", boxes("heap = \"0..=99\"", 1_000))),
    ]
}

async fn status_while_manifests_are_read(driver: &Driver) -> bool {
    let manifest = "name = \"watched\"\nfamily = \"null\"\n[space]\nheap = \"0..=9\"\n".to_owned();
    let watched = driver.submit(manifest, false, None).await.unwrap().unwrap();
    let mut held = true;
    for (family, manifest) in costly() {
        let started = Instant::now();
        let submitting = tokio::spawn({
            let driver = driver.clone();
            async move { driver.submit(manifest, false, None).await }
        });
        let mut longest = Duration::ZERO;
        while !submitting.is_finished() {
            let (asked, id) = (Instant::now(), watched.clone());
            assert!(driver.call(move |core, _| core.status(&id)).await.unwrap().is_some());
            longest = longest.max(asked.elapsed());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let took = started.elapsed();
        let taken = match submitting.await.unwrap().unwrap() {
            Ok(_) => "taken".to_owned(),
            Err(refused) => refused.to_string().chars().take(80).collect(),
        };
        println!("{family}: read for {took:.1?}, a status waited {longest:.1?} at most; {taken}");
        held &= longest <= MOST_WAIT;
    }
    held
}

async fn submissions(driver: &Driver) -> bool {
    let mut took = Vec::with_capacity(SUBMISSIONS);
    for _ in 0..SUBMISSIONS {
        let manifest = "name = \"again\"\nfamily = \"null\"\n[space]\nheap = \"0..=9\"\n".to_owned();
        let started = Instant::now();
        driver.submit(manifest, true, None).await.unwrap().unwrap();
        took.push(started.elapsed());
    }
    // The median, since the disk has its moments.
    let median = |took: &[Duration]| {
        let mut sorted = took.to_vec();
        sorted.sort_unstable();
        sorted[sorted.len() / 2]
    };
    let (first, last) = (median(&took[..SUBMISSIONS / 10]), median(&took[SUBMISSIONS - SUBMISSIONS / 10..]));
    println!("{SUBMISSIONS} fresh submissions: {first:.1?} each at first, {last:.1?} at last");
    last <= 2 * first
}

/// Submits sweeps that cost much to read until no more are taken.
async fn fill(driver: &Driver) {
    let (began, mut taken) = (Instant::now(), 0);
    for (_, manifest) in costly() {
        for _ in 0..100 {
            match driver.submit(manifest.clone(), true, None).await.unwrap() {
                Ok(_) => taken += 1,
                Err(refused) => {
                    println!("  {}", refused.to_string().chars().take(80).collect::<String>());
                    break;
                }
            }
        }
    }
    println!("{taken} sweeps that cost much were submitted in {:.1?}", began.elapsed());
}

/// How long a coordinator takes to start again on all of that, which it answers nobody before.
fn restart(directory: &std::path::Path) {
    let started = Instant::now();
    let (driver, thread) = Driver::start(Store::open_existing(directory).unwrap(), DriverOptions::default()).unwrap();
    println!("started again after {:.1?}", started.elapsed());
    driver.stop();
    thread.join().unwrap();
}

/// The longest that each kind of call took.
#[derive(Default)]
struct Longest(std::collections::BTreeMap<&'static str, (u64, Duration, Duration)>);

impl Longest {
    fn time<T>(&mut self, call: &'static str, made: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let value = made();
        let took = began.elapsed();
        let (calls, total, longest) = self.0.entry(call).or_default();
        (*calls, *total, *longest) = (*calls + 1, *total + took, (*longest).max(took));
        value
    }
}

fn entry(id: &str, shards: u64, replicas: u32) -> SweepEntry {
    SweepEntry {
        id: id.into(),
        family: "graph-nim".into(),
        solver_version: 3,
        language: None,
        shards,
        done: RangeSet::new(),
        quarantined: RangeSet::new(),
        bytes: 1 << 20,
        state: SweepState::Queued,
        reason: None,
        priority: 0,
        replicas,
        unverified: Vec::new(),
        votes: Vec::new(),
    }
}

/// Workers that fail shards, differ about them, lose them and take no more of them, on few hosts.
fn calls_beside_many_workers() -> bool {
    let mut schedule = Schedule::new(Config { lease_ttl_ms: 15_000, heartbeat_every_ms: 1_000, max_attempts: 3, epoch: 1 });
    // Few enough that what is left has failed or waits for a second vote.
    schedule.add_sweep(entry("few", 2_000, 1));
    schedule.add_sweep(entry("twice", 2_000, 2));
    let info = |number: u64| WorkerInfo {
        host: format!("10.0.0.{}", number % HOSTS),
        instance: format!("{number:0255}"),
        slots: 4_096,
        backlog: 4_096,
        // Some have more memory than others, some too little, and some do not know the family.
        slot_bytes: (1 << 20) + 100 * (number % 1_000) - u64::from(number.is_multiple_of(7)) * (1 << 19),
        families: (0..16)
            .map(|family| (format!("family {family}"), 1))
            .chain([("graph-nim".to_owned(), if number.is_multiple_of(11) { 2 } else { 3 })])
            .collect(),
        ..WorkerInfo::default()
    };
    let mut longest = Longest::default();
    let mut workers: Vec<WorkerId> =
        (0..WORKERS).map(|number| longest.time("register", || schedule.register(number / 10, info(number)))).collect();
    let honest = WorkerInfo { host: "honest".into(), instance: "honest".into(), slot_bytes: 1 << 30, slots: 2, backlog: 0, ..info(3) };
    workers.push(schedule.register(1_000, honest));
    let (mut granted, mut random, mut now_ms): (Vec<(WorkerId, LeaseGrant)>, u64, u64) = (Vec::new(), 1, 1_000);
    for event in 0..EVENTS {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let drawn = (random >> 33) as usize;
        now_ms += 1;
        // The last one asks as often as all others together.
        let worker = if event % 2 == 0 { workers[workers.len() - 1] } else { workers[drawn % workers.len()] };
        match drawn % 13 {
            0..6 => {
                if let Ok(Some(grant)) = longest.time("lease", || schedule.lease(now_ms, worker)) {
                    granted.push((worker, grant));
                }
            }
            6..9 if !granted.is_empty() => {
                let (worker, grant) = granted.swap_remove(drawn % granted.len());
                let _ = longest.time("release", || schedule.release(now_ms, worker, grant.lease_id, Some("it broke".into())));
            }
            9..11 if !granted.is_empty() => {
                let (worker, grant) = granted.swap_remove(drawn % granted.len());
                let Some(view) = schedule.worker(worker) else { continue };
                let vote = Vote { instance: view.info.instance.clone(), host: view.info.host.clone(), digest: drawn as u128 % 3 };
                let standing = longest.time("result", || schedule.result(&grant.sweep_id, grant.shard_number, &vote));
                longest.time("has_another", || schedule.has_another(&grant.sweep_id, &vote.instance));
                if standing == ResultStanding::Vote {
                    longest.time("hear_vote", || schedule.hear_vote(&grant.sweep_id, grant.shard_number, vote)).unwrap();
                }
            }
            11 => drop(longest.time("lack_of_memory", || schedule.lack_of_memory("few"))),
            _ => drop(longest.time("heartbeat", || schedule.heartbeat(now_ms, worker, &[]))),
        }
        if event % 100 == 0 {
            longest.time("expire", || schedule.expire(now_ms));
        }
    }
    longest.time("expire", || schedule.expire(now_ms + 15_001));
    longest.time("deregister", || schedule.deregister(workers[0])).unwrap();
    println!(
        "beside {WORKERS} workers of {HOSTS} hosts, after {EVENTS} events: {:?}, {:?}",
        schedule.counts("few"),
        schedule.counts("twice")
    );
    for (call, (calls, total, longest)) in &longest.0 {
        println!("  {call}: {calls} calls, {:.1?} each, the longest {longest:.1?}", *total / *calls as u32);
    }
    longest.0.values().all(|(calls, total, longest)| *total <= MEAN_TURN * *calls as u32 && *longest <= MOST_TURN)
}
