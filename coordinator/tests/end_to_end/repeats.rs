//! Results that come more often than once, and from workers that were given up: each shard counts once, and nothing valid is
//! thrown away.

use refute_proto::{MAX_RESULTS, v1};
use refute_worker::assignment::Assignment;
use tonic::Code;

use crate::crashes::undisturbed;
use crate::manifests::LONG;
use crate::network::Coordinator;
use crate::process::{refute_worker, until};
use crate::puppet::Puppet;
use crate::report::{check_complete, findings};
use crate::room::Room;

const CONFIGURATIONS: u128 = 13 * 13 * 13 * 13;

/// A sweep in a dozen shards.
fn manifest(name: &str, replicas: u32) -> String {
    format!(
        "name = \"{name}\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.*\"]\n\
         [space]\ngraph = \"H1\"\nweights = \"0..=12\"\n[run]\nshard_seconds = 0.00002\nreplicas = {replicas}\n"
    )
}

/// What an honest machine finds.
fn honest(room: &Room) -> serde_json::Value {
    let path = room.write("honest.toml", &manifest("honest", 1));
    findings(&room.refute(["run", &path, "--json", "--data", "honest"]).json(1))
}

/// Leases a shard, and lets its lease run out.
fn lease_and_be_silent(coordinator: &Coordinator<'_>, puppet: &mut Puppet, id: &str) -> Assignment {
    let assignment = puppet.lease().unwrap().unwrap();
    until("the lease to run out", || (coordinator.status(id).leased == 0).then_some(()));
    puppet.register();
    assignment
}

/// Leases a shard again that another worker had.
fn lease_again(puppet: &mut Puppet, first: &Assignment) -> Assignment {
    puppet.register();
    let second = puppet.lease().unwrap().unwrap();
    assert_eq!((&second.sweep_id, second.shard_number), (&first.sweep_id, first.shard_number), "what was lost goes first");
    assert_ne!(second.lease_id, first.lease_id);
    second
}

#[test]
fn a_result_that_comes_three_times_counts_once() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(&manifest("thrice", 1));
    let mut ada = Puppet::new(&coordinator.address, "ada");
    let mut delivered = 0;
    while let Some(assignment) = ada.lease().unwrap() {
        let result = Puppet::solve(&assignment);
        for expected in [true, false, false] {
            assert_eq!(ada.deliver(&assignment, result.clone()), Ok(expected));
        }
        delivered += 1;
        assert_eq!(coordinator.status(&id).done, delivered);
    }
    let report = coordinator.complete(&id);
    check_complete(&report, CONFIGURATIONS);
    assert_eq!(findings(&report), honest(&room));
}

#[test]
fn leases_whose_answer_was_lost_are_given_again_to_the_worker_that_repeats_its_request() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 600_000);
    let id = coordinator.submit(&manifest("again", 1));
    let mut ada = Puppet::new(&coordinator.address, "ada");
    ada.slots = 2;
    ada.register();
    let first = ada.request(1, 1).unwrap();
    assert_eq!(ada.request(1, 1).unwrap(), first, "the answer was lost");
    assert_eq!(coordinator.status(&id).leased, 1);
    let both = ada.request(2, 1).unwrap();
    assert_eq!((both.len(), &both[0]), (2, &first[0]), "what was answered before, and one more");
    assert_eq!(ada.request(1, 2).unwrap(), [], "it has as many as it has slots");
    for assignment in both {
        assert_eq!(ada.deliver(&assignment, Puppet::solve(&assignment)), Ok(true));
    }
    assert_eq!(ada.request(1, 1).unwrap(), [], "a request from before came late");
    let status = coordinator.status(&id);
    assert_eq!((status.done, status.leased), (2, 0));
}

/// A header that says whose it is and of what, and nothing of the result.
fn empty_header(puppet: &Puppet, assignment: &Assignment) -> v1::CompleteRequest {
    let parts = puppet.parts(assignment, Puppet::solve(assignment));
    let Some(v1::complete_request::Part::Header(header)) = &parts[0].part else { panic!("the first part is the header") };
    let header = v1::CompleteHeader { decided: None, ..header.clone() };
    v1::CompleteRequest { part: Some(v1::complete_request::Part::Header(header)) }
}

#[test]
fn each_result_of_a_call_is_answered_in_its_place_and_a_bad_one_takes_no_others_with_it() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(&manifest("places", 1));
    let mut ada = Puppet::new(&coordinator.address, "ada");
    ada.slots = 3;
    ada.register();
    let [first, second, third]: [Assignment; 3] = ada.lease_many(3).unwrap().try_into().unwrap();
    let [mut wrong, right] = [(); 2].map(|()| Puppet::solve(&second));
    wrong.tally.decided += 1;
    let elsewhere = Assignment { sweep_id: "elsewhere-000000000000".into(), ..first.clone() };
    let malformed = empty_header(&ada, &first);
    let parts = [
        ada.parts(&second, wrong),
        ada.parts(&first, Puppet::solve(&first)),
        vec![malformed],
        ada.parts(&first, Puppet::solve(&first)),
        ada.parts(&elsewhere, Puppet::solve(&first)),
        ada.parts(&third, Puppet::solve(&third)),
        ada.parts(&second, right),
    ];
    let (invalid, unknown) = (Err(Code::InvalidArgument), Err(Code::FailedPrecondition));
    // The first has counterexamples: the reference gets it once, and the last caller is told.
    let expected = [invalid, Err(Code::Aborted), invalid, Ok(true), unknown, Ok(true), Ok(true)];
    assert_eq!(ada.complete(parts.concat()).unwrap(), expected);
    let status = coordinator.status(&id);
    assert_eq!((status.done, status.leased), (3, 0));
}

#[test]
fn more_results_than_a_call_may_have_are_refused() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    coordinator.submit(&manifest("many", 1));
    let mut ada = Puppet::new(&coordinator.address, "ada");
    let assignment = ada.lease().unwrap().unwrap();
    let header = empty_header(&ada, &assignment);
    let answers = ada.complete(vec![header.clone(); MAX_RESULTS]).unwrap();
    assert!(answers.len() == MAX_RESULTS && answers.iter().all(|answer| *answer == Err(Code::InvalidArgument)));
    let refused = ada.complete(vec![header; MAX_RESULTS + 1]).unwrap_err();
    assert_eq!((refused.code(), refused.message()), (Code::InvalidArgument, "a call has at most 1024 results"));
}

#[test]
fn the_result_of_a_lease_that_ran_out_is_used_and_the_one_of_its_successor_counts_no_second_time() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 300);
    let id = coordinator.submit(&manifest("late", 1));
    let [mut ada, mut bob] = ["ada", "bob"].map(|name| Puppet::new(&coordinator.address, name));
    // The old holder is the first to answer.
    let late = lease_and_be_silent(&coordinator, &mut ada, &id);
    let again = lease_again(&mut bob, &late);
    assert_eq!(ada.deliver(&late, Puppet::solve(&late)), Ok(true));
    let decided = coordinator.status(&id).decided;
    assert_eq!(bob.deliver(&again, Puppet::solve(&again)), Ok(false));
    // And the other way round.
    let late = lease_and_be_silent(&coordinator, &mut ada, &id);
    let again = lease_again(&mut bob, &late);
    assert_eq!(bob.deliver(&again, Puppet::solve(&again)), Ok(true));
    assert_eq!(ada.deliver(&late, Puppet::solve(&late)), Ok(false));
    let status = coordinator.status(&id);
    assert!(status.done == 2 && status.decided > decided && decided > 0, "{status:?}");

    let _worker = room.start_worker(&coordinator.address);
    let report = coordinator.complete(&id);
    check_complete(&report, CONFIGURATIONS);
    assert_eq!(findings(&report), honest(&room));
}

#[test]
fn the_result_of_a_lease_that_ran_out_is_a_second_vote_where_two_are_wanted() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 300);
    let id = coordinator.submit(&manifest("vote", 2));
    let [mut ada, mut bob] = ["ada", "bob"].map(|name| Puppet::new(&coordinator.address, name));
    let late = lease_and_be_silent(&coordinator, &mut ada, &id);
    let again = lease_again(&mut bob, &late);
    assert_eq!(bob.deliver(&again, Puppet::solve(&again)), Ok(false), "one of two");
    assert_eq!(coordinator.status(&id).done, 0);
    assert_eq!(ada.deliver(&late, Puppet::solve(&late)), Ok(true), "two of two");
    for (puppet, assignment) in [(&mut ada, &late), (&mut bob, &again)] {
        assert_eq!(puppet.deliver(assignment, Puppet::solve(assignment)), Ok(false));
    }
    assert_eq!(coordinator.status(&id).done, 1);

    let _workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    let report = coordinator.complete(&id);
    check_complete(&report, CONFIGURATIONS);
    assert_eq!(findings(&report), honest(&room));
}

#[test]
fn a_worker_that_stands_still_for_three_leases_loses_its_shard_and_works_on_when_it_is_back() {
    const TTL_MS: u32 = 700;
    let room = Room::new();
    let coordinator = Coordinator::start(&room, TTL_MS);
    let mut command = refute_worker();
    command.args(["--coordinator", &coordinator.address, "--slots", "1"]).env("RUST_LOG", "refute_worker=debug");
    let mut sleeper = room.start(command);
    let id = coordinator.submit(LONG);
    coordinator.freeze_with_a_lease(&id, &sleeper, 1);
    let workers = coordinator.refute(&["workers", "--json"]).json(0);
    let shard = workers[0]["shards"][0]["shard"].as_u64();
    let done = coordinator.status(&id).done;
    // Three leases; after two the coordinator has forgotten the worker.
    std::thread::sleep(std::time::Duration::from_millis(3 * u64::from(TTL_MS)));
    until("the lease to run out", || coordinator.process.stderr().contains("lease ran out").then_some(()));
    until("the worker to be forgotten", || coordinator.refute(&["workers"]).stdout.starts_with("no workers\n").then_some(()));
    let mut other = Puppet::new(&coordinator.address, "other");
    let assignment = other.lease().unwrap().unwrap();
    assert_eq!(Some(assignment.shard_number), shard, "what was lost goes first");
    assert_eq!(other.deliver(&assignment, Puppet::solve(&assignment)), Ok(true));
    assert_eq!(coordinator.status(&id).done, done + 1);

    // From here on nobody else works.
    sleeper.signal("CONT");
    let report = coordinator.complete(&id);
    check_complete(&report, 51u128.pow(4));
    assert_eq!(&findings(&report), undisturbed());
    assert!(sleeper.is_running() && sleeper.stderr().contains("registering again"), "{}", sleeper.stderr());
}
