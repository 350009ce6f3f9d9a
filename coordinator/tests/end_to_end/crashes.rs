//! Workers and coordinators that are killed in the middle of a sweep: the result is that of an undisturbed run.

use std::sync::OnceLock;

use crate::manifests::LONG;
use crate::network::Coordinator;
use crate::process::{refute_worker, until};
use crate::report::{check_complete, check_unfinished, findings};
use crate::room::Room;

/// What `refute run` finds in [`LONG`] without disturbance. Solved once.
pub fn undisturbed() -> &'static serde_json::Value {
    static FOUND: OnceLock<serde_json::Value> = OnceLock::new();
    FOUND.get_or_init(|| {
        let room = Room::new();
        let manifest = room.write("manifest.toml", LONG);
        findings(&room.refute(["run", &manifest, "--json"]).json(1))
    })
}

#[test]
fn a_worker_killed_with_a_lease_changes_nothing() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 2_000);
    let mut victim = room.start_worker(&coordinator.address);
    let _other = room.start_worker(&coordinator.address);
    let id = coordinator.submit(LONG);
    until("both to be at work", || (coordinator.status(&id).leased == 2).then_some(()));
    coordinator.freeze_with_a_lease(&id, &victim, 2);
    victim.kill();
    let status = coordinator.status(&id);
    assert!(status.leased >= 1 && status.done < status.total, "{status:?}");
    let report = coordinator.complete(&id);
    check_complete(&report, 51u128.pow(4));
    assert_eq!(&findings(&report), undisturbed());
    assert!(coordinator.process.stderr().contains("lease ran out"), "{}", coordinator.process.stderr());
}

#[test]
fn a_worker_that_comes_back_after_its_shard_was_solved_by_another_is_not_counted_twice() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 1_000);
    let mut command = refute_worker();
    command.args(["--coordinator", &coordinator.address, "--slots", "1"]).env("RUST_LOG", "refute_worker=debug");
    let sleeper = room.start(command);
    let id = coordinator.submit(LONG);
    until("the first worker to be at work", || (coordinator.status(&id).leased == 1).then_some(()));
    coordinator.freeze_with_a_lease(&id, &sleeper, 1);
    let _other = room.start_worker(&coordinator.address);
    let before = coordinator.complete(&id);
    sleeper.signal("CONT");
    // Either it finishes its shard and hands in the second result for it, or it hears first that it is to stop.
    until("the sleeper to be through with its shard", || {
        let log = sleeper.stderr();
        (log.contains("counted=false") || log.contains("slot=0 stopped") || log.contains("stopped slot=0")).then_some(())
    });
    let manifest = LONG.replace("long", "next");
    let next = coordinator.complete(&coordinator.submit(&manifest));
    let after = coordinator.complete(&id);
    assert_eq!(after, before);
    for report in [before, next] {
        check_complete(&report, 51u128.pow(4));
        assert_eq!(&findings(&report), undisturbed());
    }
}

#[test]
fn a_coordinator_killed_in_the_middle_of_a_sweep_goes_on_where_it_was() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let mut workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    let id = coordinator.submit(LONG);
    let seen = until("some shards to be done and others in flight", || {
        let status = coordinator.status(&id);
        assert_ne!(status.state, "complete", "the sweep is too short for this test");
        (status.done >= 2 && status.leased >= 1).then_some(status)
    });
    coordinator.process.kill();
    // Nobody has the directory now, so it can be read; nothing that was acknowledged is lost, and nothing is called done.
    let report = room.refute(["report", &id, "--data", "data", "--json"]).json(3);
    check_unfinished(&report, "running");

    let address = coordinator.address.clone();
    let coordinator = Coordinator::start_at(&room, &address, 15_000);
    assert_eq!(coordinator.address, address);
    let status = coordinator.status(&id);
    assert!(status.done >= seen.done && status.decided >= seen.decided, "{status:?} after {seen:?}");
    let report = coordinator.complete(&id);
    check_complete(&report, 51u128.pow(4));
    assert_eq!(&findings(&report), undisturbed());
    for worker in &mut workers {
        assert!(worker.is_running(), "{}", worker.stderr());
    }
    assert!(workers.iter().any(|worker| worker.stderr().contains("registering again")), "they came back by themselves");
}
