//! `refute serve --http`: metrics and health, as a monitoring system asks for them.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use crate::manifests::{HELD, LONG, REFUTED};
use crate::network::Coordinator;
use crate::page::{Samples, ask, get};
use crate::process::until;
use crate::puppet::Puppet;
use crate::room::Room;

#[test]
fn the_numbers_of_a_sweep_go_from_waiting_to_done() {
    let room = Room::new();
    let (coordinator, http) = Coordinator::with_http(&room, 15_000);
    let idle = Samples::read(&http);
    for name in
        ["refute_shards_waiting", "refute_shards_leased", "refute_workers", "refute_shards_done_total", "refute_oldest_lease_age_seconds"]
    {
        assert_eq!(idle.get(name), 0.0, "{name}");
    }
    assert_eq!(idle.get("refute_data_directory_writable"), 1.0);
    assert_eq!(idle.get(&format!("refute_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))), 1.0);
    for what in ["live_sst", "total_sst", "wal", "memtables", "table_readers", "block_cache"] {
        assert!(idle.find(&format!("refute_rocksdb_bytes{{what=\"{what}\"}}")).is_some(), "{what}");
    }

    let id = coordinator.submit(&format!("{REFUTED}[run]\nshard_seconds = 0.000005\n"));
    let shards = |samples: &Samples, state: &str| samples.get(&format!("refute_shards{{sweep=\"{id}\",state=\"{state}\"}}"));
    let total = coordinator.status(&id).total as f64;
    let waiting = Samples::read(&http);
    assert_eq!((shards(&waiting, "pending"), waiting.get("refute_shards_waiting")), (total, total));
    assert_eq!(waiting.get("refute_sweeps{state=\"queued\"}"), 1.0);

    // One worker takes a shard and keeps it; a second result for another's shard is compared.
    let mut keeper = Puppet::new(&coordinator.address, "keeper");
    let mut twice = Puppet::new(&coordinator.address, "twice");
    let kept = keeper.lease().unwrap().unwrap();
    let solved = twice.lease().unwrap().unwrap();
    let leased = Samples::read(&http);
    assert_eq!((shards(&leased, "leased"), leased.get("refute_shards_leased"), leased.get("refute_workers")), (2.0, 2.0, 2.0));
    assert_eq!(leased.get("refute_worker_slots{state=\"busy\"}"), 2.0);
    assert_eq!(leased.get("refute_worker_slots{state=\"free\"}"), 0.0);
    assert_eq!(twice.deliver(&solved, Puppet::solve(&solved)), Ok(true));
    assert_eq!(twice.deliver(&solved, Puppet::solve(&solved)), Ok(false));
    let mut wrong = Puppet::solve(&kept);
    wrong.tally.decided += 1;
    assert!(keeper.deliver(&kept, wrong).is_err());
    let counted = Samples::read(&http);
    assert_eq!((shards(&counted, "done"), counted.get("refute_shards_done_total")), (1.0, 1.0));
    for (standing, count) in [("counted", 1.0), ("duplicate", 1.0), ("refused", 1.0), ("vote", 0.0), ("repeated", 0.0)] {
        assert_eq!(counted.get(&format!("refute_results_total{{standing=\"{standing}\"}}")), count, "{standing}");
    }
    assert_eq!((counted.get("refute_lease_seconds_count"), counted.get("refute_commit_seconds_count")), (1.0, 1.0));
    assert!(counted.get("refute_oldest_lease_age_seconds") > 0.0);
    assert_eq!(counted.get("refute_worker_slots{state=\"free\"}"), 1.0);
    assert_eq!(keeper.deliver(&kept, Puppet::solve(&kept)), Ok(true));

    let _worker = room.start_worker(&coordinator.address);
    coordinator.complete(&id);
    let done = Samples::read(&http);
    assert_eq!((shards(&done, "done"), done.get("refute_shards_done_total")), (total, total));
    assert_eq!(done.get("refute_configurations_decided_total"), f64::from(7u32.pow(4)));
    assert_eq!((done.get("refute_shards_waiting"), done.get("refute_shards_leased")), (0.0, 0.0));
    assert_eq!(done.get("refute_commit_results_sum"), total);
    assert!(done.get(&format!("refute_claims_refuted{{sweep=\"{id}\"}}")) >= 1.0);
    assert_eq!(done.get("refute_sweeps{state=\"complete\"}"), 1.0);
    assert!(done.names().is_superset(&idle.names()));
}

#[test]
fn leases_that_come_to_nothing_are_counted_by_their_reason_and_a_restart_begins_at_zero() {
    let room = Room::new();
    let (mut coordinator, http) = Coordinator::with_http(&room, 500);
    let id = coordinator.submit(LONG);
    let mut lost = Puppet::new(&coordinator.address, "lost");
    lost.lease().unwrap().unwrap();
    let retries = |samples: &Samples, reason: &str| samples.get(&format!("refute_shard_retries_total{{reason=\"{reason}\"}}"));
    until("the lease to run out", || (retries(&Samples::read(&http), "lost") == 1.0).then_some(()));
    let mut worker = room.start_worker(&coordinator.address);
    until("a worker to be at work", || (coordinator.status(&id).leased == 1).then_some(()));
    worker.signal("TERM");
    assert_eq!(worker.wait().code, Some(0));
    let samples = Samples::read(&http);
    // Between two shards it has none to hand back.
    assert!(retries(&samples, "returned") <= 1.0 && retries(&samples, "error") == 0.0, "{samples:?}");
    coordinator.process.signal("TERM");
    assert_eq!(coordinator.process.wait().code, Some(0));
    // A sweep that goes on has metrics; one that ended before this run has none, and nothing has happened yet.
    let (_again, http) = Coordinator::with_http(&room, 500);
    let samples = Samples::read(&http);
    assert!(samples.get(&format!("refute_shards{{sweep=\"{id}\",state=\"pending\"}}")) > 0.0);
    assert_eq!((samples.get("refute_shards_done_total"), retries(&samples, "lost")), (0.0, 0.0));
}

#[test]
fn shards_whose_results_are_on_their_way_keep_no_slot_busy() {
    let room = Room::new();
    let (coordinator, http) = Coordinator::with_http(&room, 15_000);
    coordinator.submit(LONG);
    let mut puppet = Puppet::with_backlog(&coordinator.address, "ahead", 2);
    for _ in 0..3 {
        puppet.lease().unwrap().unwrap();
    }
    let samples = Samples::read(&http);
    assert_eq!(samples.get("refute_shards_leased"), 3.0);
    let slots = ["busy", "free"].map(|state| samples.get(&format!("refute_worker_slots{{state=\"{state}\"}}")));
    assert_eq!(slots, [1.0, 0.0]);
    let ended = coordinator.refute(&["workers"]);
    let told = ended.expect(0);
    assert!(told.contains(": 1 of 1 slots busy and 2 results on the way, ") && told.matches("\n  shard ").count() == 3, "{told}");
}

#[test]
fn a_sweep_that_ended_in_an_earlier_run_is_only_counted() {
    let room = Room::new();
    let manifest = room.write("held.toml", HELD);
    let report = room.refute(["run", &manifest, "--data", "data", "--json"]).json(0);
    let (_coordinator, http) = Coordinator::with_http(&room, 15_000);
    let samples = Samples::read(&http);
    let id = report["sweep"]["id"].as_str().unwrap();
    assert_eq!(samples.find(&format!("refute_shards{{sweep=\"{id}\",state=\"done\"}}")), None);
    assert_eq!(samples.get("refute_sweeps{state=\"complete\"}"), 1.0);
}

#[test]
fn the_alert_rules_speak_of_metrics_that_are_there() {
    let room = Room::new();
    let (coordinator, http) = Coordinator::with_http(&room, 15_000);
    coordinator.submit(HELD);
    let samples = Samples::read(&http);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("deploy/prometheus");
    let mut named = BTreeSet::new();
    for file in ["refute.rules.yml", "refute.tests.yml"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let words = text.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'));
        named.extend(words.filter(|word| word.starts_with("refute_")).map(str::to_owned));
    }
    assert!(named.len() > 6, "{named:?}");
    for name in named {
        assert!(samples.names().contains(name.as_str()), "there is no metric {name}");
    }
}

#[test]
fn health_and_readiness_are_told_until_the_end() {
    let room = Room::new();
    let (mut coordinator, http) = Coordinator::with_http(&room, 15_000);
    for (path, status, body) in [
        ("/", 200, "refute coordinator: /metrics /healthz /readyz\n"),
        ("/healthz", 200, "the coordinator answers\n"),
        ("/readyz", 200, "ready\n"),
        ("/elsewhere", 404, ""),
    ] {
        let answer = get(&http, path);
        assert_eq!((answer.status, answer.body.as_str()), (status, body), "{path}");
    }
    // A connection that never ends keeps it for its farewells.
    let _open = Puppet::new(&coordinator.address, "open");
    coordinator.process.signal("TERM");
    until("it to say so", || {
        let answer = get(&http, "/readyz");
        (answer.status == 503).then(|| assert_eq!(answer.body, "stopping\n"))
    });
    assert_eq!(get(&http, "/healthz").status, 200);
    assert_eq!(coordinator.process.wait().code, Some(0));
}

#[test]
fn a_bad_address_is_reported_before_anything_is_made() {
    let room = Room::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (address, problem) in
        [(address.as_str(), "Address already in use"), ("nowhere", "invalid socket address"), ("192.0.2.1:0", "Cannot assign")]
    {
        let refused = room.refute(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--http", address]);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
        let start = format!("refute: cannot serve HTTP on '{address}': {problem}");
        assert!(refused.stderr.starts_with(&start) && refused.stderr.contains("; --http takes "), "{}", refused.stderr);
        assert!(!room.path("data").exists());
    }
    let (coordinator, _) = Coordinator::with_http(&room, 15_000);
    assert!(coordinator.process.stdout().starts_with("listening on 127.0.0.1:"));
}

#[test]
fn what_is_no_request_or_too_much_of_one_is_refused() {
    let room = Room::new();
    let (_coordinator, http) = Coordinator::with_http(&room, 15_000);
    assert_eq!(ask(&http, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n").status, 405);
    assert_eq!(ask(&http, "gibberish\r\n\r\n").status, 400);
    let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n", "a".repeat(100_000));
    assert_eq!(ask(&http, &long).status, 431);
    // A body is not read, however long it says it is.
    assert_eq!(ask(&http, "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n").status, 200);
}

#[test]
fn connections_that_say_nothing_give_way_to_a_probe() {
    let room = Room::new();
    let (coordinator, http) = Coordinator::with_http(&room, 15_000);
    let mut silent: Vec<TcpStream> = (0..300).map(|_| TcpStream::connect(&http).unwrap()).collect();
    silent[0].write_all(b"GET / HT").unwrap();
    assert_eq!(get(&http, "/healthz").status, 200);
    // As long as nobody waits each has its time, so the last ones are still there.
    let log = coordinator.process.stderr();
    let is_told = |stream: &TcpStream| log.contains(&format!("peer={}", stream.local_addr().unwrap()));
    assert!(is_told(&silent[0]) && log.contains("an HTTP connection was closed, since many others waited"), "{log}");
    assert!(!is_told(&silent[299]));
}
