//! `refute workers`: who is there, and what each is doing.

use std::collections::BTreeSet;

use refute_connect::host::host_name;
use serde_json::{Value, json};

use crate::manifests::{LONG, REFUTED, one_shard};
use crate::network::Coordinator;
use crate::process::{Process, refute_worker, until};
use crate::puppet::Puppet;
use crate::report::decimal;
use crate::room::Room;

/// Starts a worker with so many slots of so much memory each.
fn start_worker(room: &Room, coordinator: &Coordinator<'_>, slots: &str, memory: &str) -> Process {
    let mut command = refute_worker();
    command.args(["--coordinator", &coordinator.address, "--slots", slots, "--memory", memory]);
    room.start(command)
}

/// Waits until so many workers are there, and returns what is said about them.
fn listed(coordinator: &Coordinator<'_>, count: usize) -> Vec<Value> {
    until("the workers to be there", || {
        let workers = coordinator.refute(&["workers", "--json"]).json(0);
        let workers = workers.as_array().unwrap();
        (workers.len() == count).then(|| workers.clone())
    })
}

#[test]
fn idle_workers_are_listed_with_host_slots_and_memory() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 1_000);
    assert_eq!(coordinator.refute(&["workers"]).expect(0), "no workers\n");
    assert_eq!(coordinator.refute(&["workers", "--json"]).json(0), json!([]));

    let mut small = start_worker(&room, &coordinator, "1", "64MiB");
    listed(&coordinator, 1);
    let _large = start_worker(&room, &coordinator, "3", "2GiB");
    let workers = listed(&coordinator, 2);
    let seen: BTreeSet<(u64, u64)> =
        workers.iter().map(|worker| (worker["slots"].as_u64().unwrap(), worker["slot_bytes"].as_u64().unwrap())).collect();
    assert_eq!(seen, BTreeSet::from([(1, 64 << 20), (3, 2 << 30)]));
    for worker in &workers {
        assert_eq!((&worker["host"], &worker["build"]), (&json!(host_name()), &json!(env!("CARGO_PKG_VERSION"))));
        assert!(worker["silent_ms"].as_u64().unwrap() < 90_000, "{worker}");
        assert_eq!(worker["shards"], json!([]));
    }
    assert_ne!(workers[0]["worker_id"], workers[1]["worker_id"]);

    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert_eq!(text.matches("  0 shards done since it registered ").count(), 2, "{text}");
    for what in ["0 of 1 slots busy, 64.0 MiB per slot", "0 of 3 slots busy, 2.0 GiB per slot"] {
        let line = format!(" on {}, version {}: {what}, heard ", host_name(), env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&line), "{text}");
    }

    // One that is gone is forgotten after a while.
    small.kill();
    let left = listed(&coordinator, 1);
    assert_eq!(left[0]["slots"], 3);
}

#[test]
fn a_busy_worker_is_listed_with_the_shards_it_has_and_how_far_they_are() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 1_500);
    // Shards that take far longer than this test.
    let manifest =
        "name = \"endless\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"F1\"\nweights = \"1..=800\"\n[run]\nshard_seconds = 1e6\n";
    let graph = coordinator.submit(manifest);
    let single = coordinator.submit(&one_shard("single", 1 << 40));
    // Of this sweep first, since it has but one.
    coordinator.refute(&["submit", "./submitted.toml", "--priority", "1"]).expect(0);
    let _worker = start_worker(&room, &coordinator, "2", "2GiB");
    let worker = until("both shards to be under way", || {
        let workers = coordinator.refute(&["workers", "--json"]).json(0);
        let worker = workers.as_array().unwrap().first()?.clone();
        let shards = worker["shards"].as_array().unwrap();
        // Heartbeats tell how far they are; of the single configuration nothing is decided before all is.
        let under_way = shards.iter().any(|shard| shard["sweep"] == graph && decimal(&shard["decided"]) > 0);
        (shards.len() == 2 && under_way).then_some(worker)
    });
    let shards = worker["shards"].as_array().unwrap();
    let sweeps: BTreeSet<&str> = shards.iter().map(|shard| shard["sweep"].as_str().unwrap()).collect();
    assert_eq!(sweeps, BTreeSet::from([graph.as_str(), single.as_str()]));
    for shard in shards {
        assert_eq!(shard["shard"], 0);
        assert!((1..90_000).contains(&shard["running_ms"].as_u64().unwrap()), "{shard}");
        assert!(shard["sweep"] == graph || shard["decided"] == "0", "{shard}");
    }
    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 4 && lines[0].contains(": 2 of 2 slots busy, "), "{text}");
    assert!(lines[1].starts_with("  0 shards done since it registered ") && lines[1].ends_with("; nothing went wrong"), "{text}");
    for id in [&graph, &single] {
        let start = format!("  shard 0 of {id}: ");
        assert!(lines[2..].iter().any(|line| line.starts_with(&start) && line.contains(" configurations in ")), "{text}");
    }
    // One whose sweeps are called off is idle again.
    for id in [&graph, &single] {
        coordinator.refute(&["cancel", id]).expect(0);
    }
    let idle = coordinator.refute(&["workers", "--json"]).json(0);
    assert_eq!(idle[0]["shards"], json!([]));
}

#[test]
fn a_worker_that_is_stopped_keeps_its_shard_until_its_lease_is_over() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 600_000);
    let sleeper = room.start_worker(&coordinator.address);
    let id = coordinator.submit(LONG);
    coordinator.freeze_with_a_lease(&id, &sleeper, 1);
    let _other = room.start_worker(&coordinator.address);
    until("the other to work beside it", || (coordinator.status(&id).leased == 2).then_some(()));
    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    assert_eq!(text.lines().filter(|line| line.starts_with("worker ")).count(), 2, "{text}");
    assert!(text.contains(&format!(" of {id}: ")), "{text}");
    // Of a data directory nobody's workers can be told.
    let refused = room.refute(["workers", "--data", "data"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
    assert_eq!(room.refute(["workers", "--coordinator", "127.0.0.1:9"]).code, Some(3));
}

#[test]
fn how_fast_a_worker_is_and_what_went_wrong_with_it_is_told_and_follows_it_when_it_registers_again() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 600);
    let id = coordinator.submit(&format!("{REFUTED}[run]\nshard_seconds = 0.000005\n"));
    let of = |coordinator: &Coordinator<'_>, lost: bool| {
        let arguments: &[&str] = if lost { &["workers", "--json", "--lost"] } else { &["workers", "--json"] };
        let workers = coordinator.refute(arguments).json(0);
        workers.as_array().unwrap().iter().find(|worker| worker["host"] == "clumsy").cloned()
    };
    let mut clumsy = Puppet::new(&coordinator.address, "clumsy");
    let first = clumsy.lease().unwrap().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(250));
    assert_eq!(clumsy.deliver(&first, Puppet::solve(&first)), Ok(true));
    let second = clumsy.lease().unwrap().unwrap();
    clumsy.give_up(&second, "it cannot");
    let third = clumsy.lease().unwrap().unwrap();
    let there = of(&coordinator, false).unwrap();
    assert_eq!((&there["shards_done"], &there["errors"], &there["leases_lost"]), (&json!(1), &json!(1), &json!(0)));
    assert!(there["rate"].as_f64().unwrap() > 0.0 && decimal(&there["decided"]) > 0, "{there}");
    assert!(there["registered_for_ms"].as_u64().unwrap() >= 250 && there["lost"] == false, "{there}");
    let text = coordinator.refute(&["workers", "--lost"]).expect(0).to_owned();
    assert!(text.contains(" configurations a second lately; 0 leases lost, 1 error, 0 results contradicted\n"), "{text}");
    assert!(!text.contains("lost: "), "{text}");

    // It is silent until it no longer counts as there: only the list of lost ones has it.
    until("it to be forgotten", || of(&coordinator, false).is_none().then_some(()));
    let lost = of(&coordinator, true).unwrap();
    assert_eq!((&lost["lost"], &lost["leases_lost"], &lost["shards"]), (&json!(true), &json!(1), &json!([])));
    assert_eq!(lost["lost_shards"], json!([{ "sweep": id, "shard": third.shard_number }]));
    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    assert_eq!(text, "no workers\n1 worker lost in the last hour: 'refute workers --lost'\n");
    let text = coordinator.refute(&["workers", "--lost"]).expect(0).to_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("lost: worker ") && lines[1].contains(" on clumsy, version puppet, heard "), "{text}");
    assert!(lines[2].starts_with("  1 shard done since it registered "), "{text}");
    assert!(lines[2].ends_with(" ago; 1 lease lost, 1 error, 0 results contradicted"), "{text}");
    assert_eq!(lines[3], format!("  lost shard {} of {id}", third.shard_number));

    // The same one under another id is there again with all that it did.
    clumsy.register();
    let back = of(&coordinator, false).unwrap();
    assert_ne!(back["worker_id"], there["worker_id"]);
    assert_eq!((&back["shards_done"], &back["errors"], &back["leases_lost"]), (&json!(1), &json!(1), &json!(1)));
    // One that says goodbye is not lost.
    clumsy.leave();
    assert_eq!(of(&coordinator, true), None);
    assert_eq!(coordinator.refute(&["workers"]).expect(0), "no workers\n");
}
