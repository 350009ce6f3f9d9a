//! Workers that give wrong results: with `replicas = 2` every shard is solved by two, a third decides where they differ, and
//! the liar is named and gets no more work.

use refute_connect::host::host_name;
use refute_shared::sweep::{Candidate, ShardResult};
use serde_json::Value;

use crate::network::Coordinator;
use crate::process::until;
use crate::puppet::Puppet;
use crate::report::{check_complete, claim, findings};
use crate::room::Room;

const CONFIGURATIONS: u128 = 13 * 13 * 13 * 13;

/// A sweep in a dozen shards, one of whose claims is refuted.
fn manifest(replicas: u32) -> String {
    format!(
        "name = \"twice\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.*\"]\n\
         [space]\ngraph = \"H1\"\nweights = \"0..=12\"\n\
         [run]\nshard_seconds = 0.00002\ncounterexamples = 5\nreplicas = {replicas}\n"
    )
}

/// What an honest machine finds.
fn honest(room: &Room) -> Value {
    let path = room.write("honest.toml", &manifest(1));
    let report = room.refute(["run", &path, "--json", "--data", "honest"]).json(1);
    check_complete(&report, CONFIGURATIONS);
    findings(&report)
}

/// Solves what it is given and hands it in as `tamper` leaves it, until it is given nothing more; returns how often it lied.
fn lie(puppet: &mut Puppet, mut tamper: impl FnMut(&mut ShardResult)) -> usize {
    let mut lies = 0;
    while let Ok(Some(assignment)) = puppet.lease() {
        let mut result = Puppet::solve(&assignment);
        let honest = result.clone();
        tamper(&mut result);
        lies += usize::from(result != honest);
        assert_eq!(puppet.deliver(&assignment, result), Ok(false), "nothing counts by itself");
    }
    lies
}

/// The sentence on a worker that gets no more work, by its host.
fn banned(coordinator: &Coordinator<'_>, host: &str) -> Option<String> {
    let workers = coordinator.refute(&["workers", "--json"]).json(0);
    let found = workers.as_array().unwrap().iter().find(|worker| worker["host"] == host).unwrap();
    found["banned"].as_str().map(str::to_owned)
}

#[test]
fn a_bit_that_was_flipped_is_outvoted_and_the_liar_gets_no_more_work() {
    let room = Room::new();
    let expected = honest(&room);
    let coordinator = Coordinator::start(&room, 15_000);
    let mut liar = Puppet::new(&coordinator.address, "eve");
    let id = coordinator.submit(&manifest(2));
    // The liar is alone at first, so it gives a first result for every shard. One bit of each is wrong.
    let lies = lie(&mut liar, |result| result.tally.records_hash ^= 1 << 77);
    let status = coordinator.status(&id);
    assert_eq!((lies as u64, status.done), (status.total, 0));
    let reason = status.reason.unwrap();
    assert!(reason.ends_with("shards solved once and waiting for another worker to agree"), "{reason}");
    assert_eq!(banned(&coordinator, "eve"), None, "nobody has contradicted it yet");

    let _honest = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    assert_eq!(findings(&coordinator.complete(&id)), expected);
    let reason = banned(&coordinator, "eve").unwrap();
    assert!(reason.contains("on eve gave a result for shard ") && reason.contains("that 2 others contradict"), "{reason}");
    let text = coordinator.refute(&["workers"]).expect(0).to_owned();
    assert!(text.contains("  gets no more work: "), "{text}");
    let workers = coordinator.refute(&["workers", "--json"]).json(0);
    let contradicted = |host: &str| {
        let found = workers.as_array().unwrap().iter().filter(|worker| worker["host"] == host);
        found.map(|worker| worker["contradicted"].as_u64().unwrap()).sum::<u64>()
    };
    // Every result of its is outvoted, and of the others none.
    assert_eq!((contradicted("eve"), contradicted(&host_name())), (lies as u64, 0), "{workers}");
    // A sweep that needs one worker a shard would take its word; it is given none, also under another id.
    coordinator.refute(&["submit", "four-edges"]).expect(0);
    for _ in 0..2 {
        let refused = liar.lease().unwrap_err();
        assert!(refused.message().starts_with("this worker gets no more work: "), "{refused}");
        liar.register();
    }
}

#[test]
fn an_invented_counterexample_fails_no_sweep_where_another_worker_can_be_asked() {
    let room = Room::new();
    let expected = honest(&room);
    for replicas in [1, 2] {
        let coordinator = Coordinator::start(&room, 15_000);
        let mut liar = Puppet::new(&coordinator.address, "eve");
        let _honest = [Puppet::new(&coordinator.address, "ada"), Puppet::new(&coordinator.address, "bob")];
        let mut fresh = manifest(replicas);
        fresh = fresh.replace("twice", &format!("invented-{replicas}"));
        let id = coordinator.submit(&fresh);
        // The smallest configuration of all is said to contradict each claim that no counterexample was found to.
        let smallest = |result: &ShardResult| result.counterexamples.iter().flatten().map(|found| found.key.clone()).min();
        let assignment = until("a shard with a counterexample", || {
            let assignment = liar.lease().unwrap()?;
            smallest(&Puppet::solve(&assignment)).map(|_| assignment)
        });
        let mut result = Puppet::solve(&assignment);
        let key = smallest(&result).unwrap();
        let place = result.tally.claims.iter().position(|claim| claim.refuted == 0 && claim.held > 0).unwrap();
        result.tally.claims[place].refuted += 1;
        result.tally.claims[place].held -= 1;
        result.counterexamples[place].push(Candidate { key, actual: "P".into() });
        assert_eq!(liar.deliver(&assignment, result), Ok(false), "it is kept until another worker was asked");
        assert_eq!(coordinator.status(&id).state, "running");

        let _workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
        let report = coordinator.complete(&id);
        assert_eq!(findings(&report), expected);
        assert_eq!(claim(&report, "four-edges/lemma-4.9.iii-printed")["verdict"], "refuted");
        assert!(banned(&coordinator, "eve").unwrap().contains("contradict"));
        drop(coordinator);
        std::fs::remove_dir_all(room.path("data")).unwrap();
    }
}

#[test]
fn two_results_that_differ_fail_a_sweep_that_asked_for_one() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(&manifest(1));
    let [mut ada, mut eve] = ["ada", "eve"].map(|name| Puppet::new(&coordinator.address, name));
    let assignment = until("a shard", || ada.lease().unwrap());
    let result = Puppet::solve(&assignment);
    let mut other = result.clone();
    other.tally.records_hash ^= 1;
    assert_eq!(ada.deliver(&assignment, result), Ok(true));
    assert_eq!(eve.deliver(&assignment, other), Ok(false));
    let status = until("the sweep to fail", || Some(coordinator.status(&id)).filter(|status| status.state == "failed"));
    let reason = status.reason.unwrap();
    assert!(reason.starts_with("two results for shard 0 differ: one by worker ") && reason.contains(" on ada, one by worker "), "{reason}");
    assert!(reason.ends_with(" on eve"), "{reason}");
    coordinator.refute(&["report", &id]).expect(3);
}

#[test]
fn each_result_counts_once_however_often_it_comes_and_survives_a_restart_while_it_waits() {
    let room = Room::new();
    let expected = honest(&room);
    let coordinator = Coordinator::start(&room, 15_000);
    let address = coordinator.address.clone();
    let id = coordinator.submit(&manifest(2));
    let mut ada = Puppet::new(&coordinator.address, "ada");
    let mut first = Vec::new();
    while let Ok(Some(assignment)) = ada.lease() {
        let result = Puppet::solve(&assignment);
        for _ in 0..3 {
            assert_eq!(ada.deliver(&assignment, result.clone()), Ok(false));
        }
        first.push((assignment, result));
    }
    assert_eq!(coordinator.status(&id).total, first.len() as u64);
    let Coordinator { mut process, .. } = coordinator;
    process.kill();
    let coordinator = Coordinator::start_at(&room, &address, 15_000);
    let mut ada = Puppet::new(&coordinator.address, "ada");
    assert_eq!(ada.lease().unwrap(), None, "its results are still there");
    let mut bob = Puppet::new(&coordinator.address, "bob");
    for (assignment, result) in first {
        // Its lease does not matter: what matters is that another worker agreed.
        assert_eq!(bob.deliver(&assignment, result.clone()), Ok(true));
        for _ in 0..2 {
            assert_eq!(bob.deliver(&assignment, result.clone()), Ok(false));
            assert_eq!(ada.deliver(&assignment, result.clone()), Ok(false));
        }
    }
    assert_eq!(findings(&coordinator.complete(&id)), expected);
    assert_eq!((banned(&coordinator, "ada"), banned(&coordinator, "bob")), (None, None));
}

#[test]
fn a_run_on_one_machine_solves_every_shard_twice_if_asked() {
    let room = Room::new();
    let expected = honest(&room);
    let path = room.write("twice.toml", &manifest(2));
    let report = room.refute(["run", &path, "--json", "--workers", "1"]).json(1);
    check_complete(&report, CONFIGURATIONS);
    assert_eq!(findings(&report), expected);
}
