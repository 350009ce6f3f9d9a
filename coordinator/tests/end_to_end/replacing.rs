//! Workers of another build, and workers that are replaced one after the other.

use crate::crashes::undisturbed;
use crate::manifests::{HELD, LONG};
use crate::network::Coordinator;
use crate::process::until;
use crate::puppet::Puppet;
use crate::report::{check_complete, findings};
use crate::room::Room;

#[test]
fn a_worker_of_another_solver_version_gets_no_shard_and_it_is_said_why() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let mut early = Puppet::of_other_build(&coordinator.address, "early", 1);
    let id = coordinator.submit(HELD);
    let version = coordinator.refute(&["report", &id, "--format", "json"]).json(3)["sweep"]["solver_version"].as_u64().unwrap();
    let mut late = Puppet::of_other_build(&coordinator.address, "late", 7);
    for puppet in [&mut early, &mut late] {
        assert_eq!(puppet.lease().unwrap(), None);
    }
    let sentence = |theirs: u64| {
        format!("gets no shard of '{id}': that is pinned to solver version {version} of graph-nim, and this worker has version {theirs}")
    };
    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    for theirs in [version + 1, version + 7] {
        assert!(text.lines().any(|line| line == format!("  {}", sentence(theirs))), "{text}");
    }
    let workers = coordinator.refute(&["workers", "--json"]).json(0);
    assert_eq!(workers[0]["other_version"], sentence(version + 1));
    // The log names one that comes while such a sweep is open.
    assert!(coordinator.process.stderr().contains(&sentence(version + 7)), "{}", coordinator.process.stderr());
    assert_eq!((coordinator.status(&id).state.as_str(), coordinator.status(&id).leased), ("queued", 0));

    let _right = room.start_worker(&coordinator.address);
    check_complete(&coordinator.complete(&id), 6u128.pow(4));
    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    assert!(!text.contains("gets no shard"), "nothing is open any more: {text}");
}

#[test]
fn workers_are_replaced_one_after_the_other_without_losing_a_shard() {
    let room = Room::new();
    // What is lost would come back only long after this test.
    let coordinator = Coordinator::start(&room, 600_000);
    let mut workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    let id = coordinator.submit(LONG);
    for worker in &mut workers {
        until("both to be at work", || {
            let status = coordinator.status(&id);
            assert_ne!(status.state, "complete", "the sweep is too short for this test");
            (status.leased == 2).then_some(())
        });
        worker.signal("TERM");
        assert_eq!(worker.wait().code, Some(0));
        *worker = room.start_worker(&coordinator.address);
    }
    let report = coordinator.complete(&id);
    check_complete(&report, 51u128.pow(4));
    assert_eq!(&findings(&report), undisturbed());
    let (status, log) = (coordinator.status(&id), coordinator.process.stderr());
    assert_eq!((status.done, status.quarantined), (status.total, 0));
    assert!(!log.contains("lease ran out"), "{log}");
    assert_eq!(log.matches("worker left").count(), 2, "{log}");
}
