//! Near misses: sweeps that are short of something are never called held.

use crate::manifests::{HELD, LONG, one_shard};
use crate::network::Coordinator;
use crate::process::until;
use crate::report::{check_complete, check_unfinished};
use crate::room::Room;

#[test]
fn a_sweep_short_of_one_shard_is_running_until_that_shard_is_there() {
    let room = Room::new();
    // Leases last longer than the test, so the shard of the worker that sleeps stays its own.
    let coordinator = Coordinator::start(&room, 600_000);
    let sleeper = room.start_worker(&coordinator.address);
    let id = coordinator.submit(LONG);
    until("the worker to be stopped with a lease", || {
        sleeper.signal("STOP");
        let held = coordinator.status(&id).leased == 1;
        if !held {
            sleeper.signal("CONT");
        }
        held.then_some(())
    });
    let _other = room.start_worker(&coordinator.address);
    let status = until("all but one shard to be done", || {
        let status = coordinator.status(&id);
        (status.done + 1 == status.total).then_some(status)
    });
    assert_eq!((status.state.as_str(), status.leased), ("running", 1));

    let report = coordinator.refute(&["report", &id, "--format", "json"]).json(3);
    check_unfinished(&report, "running");
    let text = coordinator.refute(&["report", &id]).expect(3).to_owned();
    assert!(text.starts_with(&format!("{id}: running\n")) && text.contains("(not all)"), "{text}");
    assert!(!text.contains("HELD") && !text.contains("SILENT") && !text.contains("fingerprint"), "{text}");
    let one = coordinator.refute(&["report", &id, "--claim", "four-edges/thm-4.6"]).expect(3).to_owned();
    assert!(one.contains("INCOMPLETE  four-edges/thm-4.6"), "{one}");

    sleeper.signal("CONT");
    check_complete(&coordinator.complete(&id), 51u128.pow(4));
    coordinator.refute(&["report", &id]).expect(1);
}

#[test]
fn a_shard_that_its_workers_do_not_survive_is_quarantined_and_the_sweep_incomplete() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 600);
    // One shard, far longer than any of its workers lives.
    let id = coordinator.submit(&one_shard("deadly", 1 << 40));
    let mut victims = 0;
    let status = until("the shard to be quarantined", || {
        let status = coordinator.status(&id);
        if status.state == "incomplete" {
            return Some(status);
        }
        assert!(victims < 12, "it is handed out forever: {status:?}");
        let mut victim = room.start_worker(&coordinator.address);
        victims += 1;
        until("a heartbeat to name the lease", || {
            let workers = coordinator.refute(&["workers", "--json"]).json(0);
            let mut shards = workers.as_array().unwrap().iter().flat_map(|worker| worker["shards"].as_array().unwrap());
            // It would have run out by now if none had.
            let named = shards.any(|shard| shard["running_ms"].as_u64().unwrap() > 1_000);
            (named || coordinator.status(&id).state == "incomplete").then_some(())
        });
        victim.kill();
        until("the lease to run out", || (coordinator.status(&id).leased == 0).then_some(()));
        None
    });
    assert!(victims >= 2, "one accident is no proof");
    assert_eq!((status.total, status.done, status.quarantined, status.decided), (1, 0, 1, 0));
    let reason = status.reason.unwrap();
    assert!(reason.starts_with("1 shard was quarantined; shard 0 after 3 attempts: the worker was silent"), "{reason}");
    let report = coordinator.refute(&["report", &id, "--format", "json"]).json(3);
    check_unfinished(&report, "incomplete");
    assert_eq!(report["reason"], reason);

    // Submitting it again tries it again.
    let again = coordinator.refute(&["submit", "./submitted.toml"]);
    assert_eq!(again.expect(0).trim(), id);
    let status = coordinator.status(&id);
    assert_eq!((status.state.as_str(), status.quarantined), ("queued", 0));
    assert_eq!(status.reason, None);
}

#[test]
fn a_worker_too_small_for_a_sweep_gets_none_of_its_shards() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(HELD);
    let mut command = crate::process::refute_worker();
    command.args(["--coordinator", &coordinator.address, "--memory", "64B"]);
    let _small = room.start(command);
    until("the small worker to register", || coordinator.process.stderr().contains("worker registered").then_some(()));
    // With a worker there, what fits none of its slots is refused at the door.
    let refused = coordinator.refute(&["submit", "h1"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
    assert!(refused.stderr.contains("H1, weights 0..=48 needs") && refused.stderr.contains("--memory"), "{}", refused.stderr);
    let status = coordinator.status(&id);
    assert_eq!((status.state.as_str(), status.leased, status.done), ("queued", 0, 0));
    check_unfinished(&coordinator.refute(&["report", &id, "--format", "json"]).json(3), "queued");
    let _large = room.start_worker(&coordinator.address);
    check_complete(&coordinator.complete(&id), 6u128.pow(4));
}
