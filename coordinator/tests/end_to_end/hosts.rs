//! Machines that are broken or crash again and again, hosts that are drained, and results that come from two hosts. All workers
//! here call from one address, so they are one host: the worst case, in which only the processes tell the good from the bad.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::manifests::{HELD, LONG};
use crate::network::Coordinator;
use crate::process::{refute_worker, until};
use crate::puppet::Puppet;
use crate::report::check_complete;
use crate::room::Room;

const SHARDS: u64 = 16;

/// Shards that take about as long as the crashing machine lives: single heaps for which all smaller ones are solved.
fn slow_shards() -> String {
    let boxes = (0..SHARDS).map(|number| format!("[[space]]\nleft = \"1..=3\"\nright = \"5..=7\"\nheap = {}\n", 150_000_000 + number));
    let claims = "claims = [\"truncated-support/thm-1.3.*\"]";
    format!("name = \"slow\"\nfamily = \"partizan-subtraction\"\n{claims}\n{}", boxes.collect::<String>())
}

fn workers(coordinator: &Coordinator<'_>) -> Vec<Value> {
    coordinator.refute(&["workers", "--json"]).json(0).as_array().unwrap().clone()
}

#[test]
fn a_machine_that_fails_every_shard_at_once_sets_none_aside_and_is_named() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(LONG);
    let (address, is_over) = (coordinator.address.clone(), Arc::new(AtomicBool::new(false)));
    let (over, failures) = (Arc::clone(&is_over), Arc::new(AtomicU64::new(0)));
    let failed = Arc::clone(&failures);
    // It is there first, so that it meets the shards before anybody has shown that they can be solved.
    let broken = thread::spawn(move || {
        let mut puppet = Puppet::new(&address, "broken");
        puppet.slots = 8;
        puppet.register();
        while !over.load(Ordering::Relaxed) {
            let assignments = puppet.lease_many(8).unwrap();
            for assignment in &assignments {
                puppet.give_up(assignment, "cannot write /scratch");
                failed.fetch_add(1, Ordering::Relaxed);
            }
            if assignments.is_empty() {
                thread::sleep(Duration::from_millis(50));
            }
        }
    });
    until("the broken machine to have failed", || (failures.load(Ordering::Relaxed) >= 8).then_some(()));
    let _good = room.start_worker(&coordinator.address);
    let named = until("the broken machine to be named", || {
        let workers = workers(&coordinator);
        let found = workers.iter().find(|worker| worker["host"] == "broken" && worker["probation"].is_string())?;
        found["probation"].as_str().map(str::to_owned)
    });
    assert!(named.contains("failures in a row: gets one shard at a time"), "{named}");
    check_complete(&coordinator.complete(&id), 51u128.pow(4));
    is_over.store(true, Ordering::Relaxed);
    broken.join().unwrap();
    let failures = failures.load(Ordering::Relaxed);
    assert!(failures < 30, "it was given {failures} shards");
}

#[test]
fn a_machine_that_crashes_again_and_again_sets_no_shard_aside() {
    const LIFE: Duration = Duration::from_millis(700);
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 1_000);
    let id = coordinator.submit(&slow_shards());
    let _good = room.start_worker(&coordinator.address);
    let mut deaths = 0;
    let ended = loop {
        let mut command = refute_worker();
        command.args(["--coordinator", &coordinator.address, "--slots", "4"]);
        let mut worker = room.start(command);
        let started = Instant::now();
        let state = loop {
            let status = coordinator.status(&id);
            if started.elapsed() >= LIFE || !["queued", "running"].contains(&status.state.as_str()) {
                break status;
            }
            thread::sleep(Duration::from_millis(50));
        };
        worker.kill();
        deaths += 1;
        if !["queued", "running"].contains(&state.state.as_str()) {
            break state;
        }
        assert!(deaths < 100, "{state:?}");
    };
    assert_eq!((ended.state.as_str(), ended.quarantined, ended.total), ("complete", 0, SHARDS), "after {deaths} deaths: {ended:?}");
    assert!(deaths >= 4, "the sweep is too short for this test: {deaths} deaths");
}

#[test]
fn a_drained_host_gets_no_shards_also_after_a_restart_until_it_is_undrained() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let mut puppet = Puppet::new(&coordinator.address, "ada");
    let host = workers(&coordinator)[0]["peer"].as_str().unwrap().to_owned();
    assert_eq!(host, "127.0.0.1");
    assert_eq!(coordinator.refute(&["workers", "drain", &host]).expect(0).trim(), "127.0.0.1: drained; its workers here: 1");
    let id = coordinator.submit(HELD);
    assert_eq!(puppet.lease().unwrap(), None);
    assert_eq!(workers(&coordinator)[0]["drained"], true);
    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    assert!(text.contains("gets no more work: its host is drained; 'refute workers undrain 127.0.0.1'"), "{text}");

    let address = coordinator.address.clone();
    coordinator.process.kill();
    drop(coordinator);
    let coordinator = Coordinator::start_at(&room, &address, 15_000);
    let mut puppet = Puppet::new(&coordinator.address, "ada");
    assert_eq!(puppet.lease().unwrap(), None);
    let undrained = coordinator.refute(&["workers", "undrain", &host, "--json"]).json(0);
    assert_eq!((&undrained["drained"], &undrained["workers"]), (&Value::Bool(false), &Value::from(1)));
    assert!(puppet.lease().unwrap().is_some());
    assert_eq!(coordinator.refute(&["workers", "undrain", &host]).expect(0).trim(), "127.0.0.1 is not drained");
    assert!(!coordinator.status(&id).state.is_empty());
}

#[test]
fn a_sweep_that_one_worker_solved_gets_second_votes_when_two_are_asked_for() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let manifest = |replicas: u32| {
        format!(
            "name = \"again\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"H1\"\nweights = \"0..=8\"\n[run]\nshard_seconds = 0.00002\nreplicas = {replicas}\n"
        )
    };
    let id = coordinator.submit(&manifest(1));
    let mut ada = Puppet::new(&coordinator.address, "ada");
    let mut solved = 0;
    while let Some(assignment) = ada.lease().unwrap() {
        assert_eq!(ada.deliver(&assignment, Puppet::solve(&assignment)), Ok(true));
        solved += 1;
    }
    let once = coordinator.complete(&id);
    assert!(solved > 2, "{solved} shards");
    assert_eq!((&once["sweep"]["replicas"], &once["sweep"]["hosts"]), (&Value::from(1), &Value::from(1)));

    assert_eq!(coordinator.submit(&manifest(2)), id, "it is the same sweep");
    let status = coordinator.status(&id);
    assert_eq!((status.state.as_str(), status.done), ("queued", 0), "nothing has a second vote");
    assert_eq!(ada.lease().unwrap(), None, "nor can the same worker give one");
    let mut bob = Puppet::new(&coordinator.address, "bob");
    let mut checked = 0;
    while let Some(assignment) = bob.lease().unwrap() {
        assert_eq!(bob.deliver(&assignment, Puppet::solve(&assignment)), Ok(true));
        checked += 1;
    }
    assert_eq!(checked, solved, "each shard gets its second vote");
    let twice = coordinator.complete(&id);
    assert_eq!((&twice["sweep"]["replicas"], &twice["fingerprint"]), (&Value::from(2), &once["fingerprint"]));
    assert_eq!(&twice["claims"], &once["claims"], "and nothing counts twice");
    assert_eq!(coordinator.submit(&manifest(2)), id);
    assert_eq!(coordinator.status(&id).state, "complete", "there is nothing left to do");
}

#[test]
fn a_second_vote_that_differs_fails_the_sweep_and_names_both() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let again = |replicas: u32| format!("{HELD}[run]\nreplicas = {replicas}\n");
    let id = coordinator.submit(&again(1));
    let mut ada = Puppet::new(&coordinator.address, "ada");
    while let Some(assignment) = ada.lease().unwrap() {
        assert_eq!(ada.deliver(&assignment, Puppet::solve(&assignment)), Ok(true));
    }
    coordinator.submit(&again(2));
    let mut bob = Puppet::new(&coordinator.address, "bob");
    let assignment = bob.lease().unwrap().unwrap();
    let mut result = Puppet::solve(&assignment);
    result.tally.records_hash ^= 1;
    let _ = bob.deliver(&assignment, result);
    let status = coordinator.status(&id);
    let reason = status.reason.unwrap_or_default();
    assert!(status.state == "failed" && reason.contains("on ada") && reason.contains("on bob"), "{}: {reason}", status.state);
}

#[test]
fn second_votes_come_from_another_host_where_there_is_one() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let [mut ada, mut twin] = ["ada", "twin"].map(|instance| Puppet::new(&coordinator.address, instance));
    let mut bob = Puppet::calling_from(&coordinator.address, "bob", "127.0.0.2");
    let peers: Vec<Value> = workers(&coordinator).iter().map(|worker| worker["peer"].clone()).collect();
    assert_eq!(peers, ["127.0.0.1", "127.0.0.1", "127.0.0.2"]);
    let id = coordinator.submit(&format!("{HELD}[run]\nreplicas = 2\n"));
    while let Some(assignment) = ada.lease().unwrap() {
        assert_eq!(ada.deliver(&assignment, Puppet::solve(&assignment)), Ok(false));
    }
    assert_eq!(twin.lease().unwrap(), None, "its host has been heard on every shard");
    while let Some(assignment) = bob.lease().unwrap() {
        assert_eq!(bob.deliver(&assignment, Puppet::solve(&assignment)), Ok(true));
    }
    let report = coordinator.complete(&id);
    assert_eq!((&report["sweep"]["replicas"], &report["sweep"]["hosts"]), (&Value::from(2), &Value::from(2)));
    let text = coordinator.refute(&["report", &id]).expect(0).to_owned();
    let replicas = "  replicas = 2: 2 workers must come to the same result; results from 2 hosts\n";
    assert!(text.contains(replicas), "{text}");
    let status = coordinator.refute(&["status", &id]).expect(0).to_owned();
    assert!(status.contains(", replicas = 2, 2 hosts\n") && status.contains(replicas), "{status}");
    assert_eq!(coordinator.refute(&["list"]).expect(0).lines().next(), status.lines().next());
    let status = coordinator.refute(&["status", &id, "--json"]).json(0);
    assert_eq!((&status["replicas"], &status["hosts"]), (&2.into(), &2.into()));
}
