//! What submissions cost those who do not submit: how long a `Status` waits while a manifest is read that costs much, and what a
//! fresh submission costs when many are there. Prints the figures, and fails above the bounds.
//!
//! Run: `cargo bench -p refute-coordinator --bench hostile`

// A bench that cannot go on can only tell the person who started it.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::time::{Duration, Instant};

use refute_coordinator::driver::{Driver, DriverOptions};
use refute_coordinator::store::Store;

/// How long a status may wait, whatever is submitted meanwhile.
const MOST_WAIT: Duration = Duration::from_millis(100);

/// How often the same sweep is submitted anew.
const SUBMISSIONS: usize = 3_000;

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
        let grows = submissions(&driver).await;
        waits && grows
    });
    driver.stop();
    thread.join().unwrap();
    assert!(held, "a bound does not hold");
}

/// One manifest a family that costs much to read.
fn costly() -> Vec<(&'static str, String)> {
    let boxes = |one: &str, times: usize| (0..times).map(|_| format!("[[space]]\n{one}\n")).collect::<String>();
    let manifest = |family: &str, boxes: String| format!("name = \"costly\"\nfamily = \"{family}\"\n{boxes}");
    vec![
        ("graph-nim", manifest("graph-nim", boxes("graphs = { edges = 6 }\nweights = 1", 20))),
        ("partizan-subtraction", manifest("partizan-subtraction", boxes("b = \"1..=230\"\na = 1\nheap = 1", 10))),
        ("hypergraph-takeaway", manifest("hypergraph-takeaway", boxes("all = { vertices = \"1..=5\" }", 50))),
        ("directed-grabbing", manifest("directed-grabbing", boxes("dags = { vertices = \"1..=5\", weights = \"0..=2\" }", 50))),
        ("null", manifest("null", boxes("heap = \"0..=99\"", 20_000))),
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
