//! How many empty shards a second go from the coordinator to a worker and back: a coordinator, and a worker with eight slots,
//! over loopback gRPC in one process; each result is acknowledged once it is on the disk, and without waiting for the disk. The
//! disk's own latency stands beside the rate.
//!
//! `cargo bench -p refute-coordinator --bench shards`; the data is below the directory for temporary files.

// A bench that cannot go on can only tell the person who started it.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use refute_coordinator::client::Client;
use refute_coordinator::driver::{Driver, DriverOptions};
use refute_coordinator::rpc::Server;
use refute_coordinator::store::Store;
use refute_worker::session::BACKLOG;
use refute_worker::{WorkerOptions, run};
use tokio::sync::watch;

const SHARDS: u64 = 100_000;
const SLOTS: usize = 8;
const RUNS: usize = 3;

fn main() {
    // Under `cargo test` a bench is only built and started.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    println!("{SHARDS} empty shards, coordinator and a worker with {SLOTS} slots, up to {BACKLOG} results on their way besides");
    for run in 1..=RUNS {
        for (name, sync) in [("each on the disk before it is acknowledged", true), ("without waiting for the disk", false)] {
            let room = tempfile::tempdir().unwrap();
            let (median, slow) = fdatasync_latency(room.path());
            let seconds = runtime.block_on(sweep(&room.path().join("data"), sync)).as_secs_f64();
            let rate = SHARDS as f64 / seconds;
            println!(
                "run {run}: {rate:>7.0} shards/s {name} ({seconds:.2} s); fdatasync of the disk: median {} us, 99 % within {} us",
                median.as_micros(),
                slow.as_micros()
            );
        }
    }
}

/// How long the disk takes to have 512 bytes at the end of a file: the median, and what 99 of 100 take at most.
fn fdatasync_latency(directory: &Path) -> (Duration, Duration) {
    const TIMES: usize = 500;
    let mut file = File::create(directory.join("latency")).unwrap();
    let mut latencies: Vec<Duration> = (0..TIMES)
        .map(|_| {
            file.write_all(&[1; 512]).unwrap();
            let started = Instant::now();
            file.sync_data().unwrap();
            started.elapsed()
        })
        .collect();
    latencies.sort_unstable();
    (latencies[TIMES / 2], latencies[TIMES * 99 / 100])
}

/// Runs the sweep and says how long it took from its submission to its end.
async fn sweep(data: &Path, sync: bool) -> Duration {
    let store = Store::open_or_create(data).unwrap();
    let store = if sync { store } else { store.without_sync() };
    let server = Server::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", server.address());
    let (driver, thread) = Driver::start(store, DriverOptions::default()).unwrap();
    let (end, ended) = watch::channel(false);
    let until = |mut channel: watch::Receiver<bool>| async move {
        let _ = channel.wait_for(|ended| *ended).await;
    };
    let serving = tokio::spawn(server.serve(driver.clone(), until(ended.clone())));
    let options =
        WorkerOptions { coordinator: url.clone(), tls: None, slots: SLOTS, slot_bytes: 1 << 30, memory_kills: 0, host: "bench".to_owned() };
    let worker = tokio::spawn(run(options, until(ended)));
    let mut client = Client::new(&url, |endpoint| endpoint.connect_lazy()).unwrap();
    let manifest = format!("name = \"bench\"\nfamily = \"null\"\n[space]\nheap = \"1..={SHARDS}\"\n[run]\nshard_seconds = 1e-9\n");
    let started = Instant::now();
    let id = client.submit(manifest, false, None).await.unwrap();
    let elapsed = loop {
        let status = client.status(&id).await.unwrap();
        if status.state.is_terminal() {
            assert_eq!((status.shards.total, status.shards.done, status.decided), (SHARDS, SHARDS, SHARDS.into()));
            break started.elapsed();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    end.send(true).unwrap();
    worker.await.unwrap().unwrap();
    serving.await.unwrap().unwrap();
    driver.stop();
    tokio::task::spawn_blocking(move || thread.join()).await.unwrap().unwrap();
    elapsed
}
