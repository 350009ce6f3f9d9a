//! Ten million empty shards against the schedule and the store, without gRPC: workers that are functions lease shards and hand
//! back results, every batch of which is on the disk before it is acknowledged. It prints how fast that goes, and after every
//! million how much memory the process has and how large the data directory is: memory must stay flat and the directory must
//! grow by no more than the results take.
//!
//! `cargo bench -p refute-coordinator --bench ten_million -- [SHARDS]`; the data is below the directory for temporary files.

// A bench that cannot go on can only tell the person who started it.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use refute_coordinator::driver::{Answer, Delivery, Driver, DriverOptions};
use refute_coordinator::schedule::{LeaseGrant, WorkerId, WorkerInfo};
use refute_coordinator::store::Store;
use refute_shared::families::{Pulse, Solver, Task, find};
use refute_shared::sweep::{Manifest, Plan, Record, Sweep};
use tokio::sync::oneshot;

const USUAL_SHARDS: u64 = 10_000_000;
const WORKERS: usize = 8;
/// Leases and results in one turn of the coordinator's thread.
const AT_A_TIME: usize = 64;

/// More memory than this, in bytes, is a fault.
const MAX_MEMORY: u64 = 500 << 20;
/// More bytes on disk a shard than this are a fault.
const MAX_BYTES_A_SHARD: u64 = 400;

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

fn main() {
    // Under `cargo test` a bench is only built and started.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let shards: u64 = asked.unwrap_or(USUAL_SHARDS);
    let room = tempfile::tempdir().unwrap();
    let data = room.path().join("data");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(sweep(&data, shards));
    // What a restart reads of it all.
    let started = Instant::now();
    let (driver, thread) = Driver::start(Store::open_existing(&data).unwrap(), DriverOptions::default()).unwrap();
    println!("started again on it in {:.1} s, {}", started.elapsed().as_secs_f64(), sizes(&data));
    driver.stop();
    thread.join().unwrap();
}

async fn sweep(data: &Path, shards: u64) {
    let (driver, thread) = Driver::start(Store::open_or_create(data).unwrap(), DriverOptions::default()).unwrap();
    let manifest = format!("name = \"bench\"\nfamily = \"null\"\n[space]\nheap = \"1..={shards}\"\n[run]\nshard_seconds = 1e-9\n");
    let sweep = Sweep::resolve(Manifest::parse(&manifest).unwrap()).unwrap();
    let plan = Plan::new(sweep.space.as_ref(), sweep.options()).unwrap();
    let id = driver.call(move |core, _| core.submit(&manifest, false, None, 0)).await.unwrap().unwrap();
    let mut workers = Vec::new();
    for number in 0..WORKERS {
        let families = vec![("null".to_owned(), find("null").unwrap().solver_version())];
        let info = WorkerInfo {
            instance: format!("worker {number}"),
            slots: AT_A_TIME as u32,
            slot_bytes: 1 << 30,
            families,
            ..WorkerInfo::default()
        };
        let registered = driver.call(move |core, now_ms| core.register(now_ms, info)).await.unwrap();
        workers.push(registered.unwrap().worker);
    }
    let mut solver = sweep.space.solver();
    let task = Task { counterexamples: 1, record: Record::None, budget_bytes: 1 << 30 };
    let started = Instant::now();
    let mut done = 0;
    for worker in workers.into_iter().cycle() {
        let grants = lease(&driver, worker).await;
        if grants.is_empty() {
            break;
        }
        let before = done / 1_000_000;
        done += grants.len() as u64;
        let results = grants.into_iter().map(|grant| solve(solver.as_mut(), &task, &plan, worker, grant));
        deliver(&driver, results.collect()).await;
        if done / 1_000_000 > before || done == shards {
            let rate = done as f64 / started.elapsed().as_secs_f64();
            let sizes = sizes(data);
            println!("{done} shards acknowledged, {rate:.0} a second, {sizes}");
            assert!(sizes.memory < MAX_MEMORY, "memory is not bounded");
            assert!(sizes.disk < MAX_BYTES_A_SHARD * done + (256 << 20), "the data directory is not bounded");
        }
    }
    let status = driver.call(move |core, _| core.status(&id)).await.unwrap().unwrap();
    assert_eq!((status.state.word(), status.shards.done, status.decided), ("complete", shards, shards.into()));
    driver.stop();
    thread.join().unwrap();
}

async fn lease(driver: &Driver, worker: WorkerId) -> Vec<LeaseGrant> {
    let leased = driver.call(move |core, now_ms| {
        let next = || core.lease(now_ms, worker).unwrap().map(|leased| leased.grant);
        std::iter::from_fn(next).take(AT_A_TIME).collect()
    });
    leased.await.unwrap()
}

fn solve(solver: &mut dyn Solver, task: &Task, plan: &Plan, worker: WorkerId, grant: LeaseGrant) -> Delivery {
    let LeaseGrant { lease_id, sweep_id, shard_number } = grant;
    let result = solver.solve(&plan.shard(shard_number).unwrap(), task, &mut GoOn).unwrap();
    Delivery { worker, instance: format!("worker {worker}"), lease: lease_id, sweep_id, shard_number, result, seconds: 1e-6 }
}

/// Hands results in and waits until each is on the disk.
async fn deliver(driver: &Driver, results: Vec<Delivery>) {
    let (answers, waiting): (Vec<_>, Vec<_>) = results.iter().map(|_| oneshot::channel()).unzip();
    let turn = move |core: &mut refute_coordinator::driver::Coordinator, _| {
        results.into_iter().zip(answers).for_each(|(delivery, answer)| core.deliver(delivery, Answer::new(answer, ())));
    };
    driver.tell(turn).unwrap();
    for answered in waiting {
        assert_eq!(answered.await.unwrap(), Ok(true));
    }
}

/// What the process has of memory and the data directory of the disk, in bytes.
struct Sizes {
    memory: u64,
    disk: u64,
}

impl std::fmt::Display for Sizes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} MiB of memory, {} MiB on disk", self.memory >> 20, self.disk >> 20)
    }
}

fn sizes(data: &Path) -> Sizes {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    // Files that the database has just removed are no longer counted.
    let files = fs::read_dir(data).unwrap().filter_map(|entry| entry.ok()?.metadata().ok());
    Sizes { memory: kibibytes.unwrap() << 10, disk: files.map(|file| file.len()).sum() }
}
