//! Stories of sweeps that several workers must solve alike, and of workers that lie.

use super::stories::{TTL_MS, entry, info, lease, result_of, schedule};
use crate::schedule::machine::MAX_BANNED;
use crate::schedule::*;

fn worker(schedule: &mut Schedule, instance: &str) -> WorkerId {
    schedule.register(0, WorkerInfo { instance: instance.into(), ..info(2) })
}

fn lie_of(instance: &str) -> Vote {
    Vote { instance: instance.into(), host: String::new(), digest: 8 }
}

fn twice(id: &str, shards: u64) -> SweepEntry {
    SweepEntry { replicas: 2, ..entry(id, shards) }
}

#[test]
fn a_shard_is_done_when_two_workers_have_come_to_the_same() {
    let mut schedule = schedule();
    schedule.add_sweep(twice("a", 1));
    let [ada, bob] = ["ada", "bob"].map(|name| worker(&mut schedule, name));
    assert_eq!(lease(&mut schedule, 0, ada).shard_number, 0);
    assert_eq!(schedule.lease(0, bob), Ok(None), "one at a time");
    assert_eq!(schedule.result("a", 0, &result_of("ada")), ResultStanding::Vote);
    schedule.hear_vote("a", 0, result_of("ada")).unwrap();
    assert_eq!((schedule.awaiting("a"), schedule.state("a")), (1, Some(SweepState::Running)));
    assert_eq!(schedule.lease(0, ada), Ok(None), "its own result is no second one");
    assert_eq!(schedule.result("a", 0, &result_of("ada")), ResultStanding::Repeated);
    assert_eq!(lease(&mut schedule, 0, bob).shard_number, 0);
    assert_eq!(schedule.result("a", 0, &result_of("bob")), ResultStanding::Decides { agreeing: 1 });
    assert_eq!(schedule.mark_done("a", 0), Ok(SweepState::Complete));
    assert_eq!(schedule.votes("a", 0), []);
}

#[test]
fn a_worker_that_registers_again_is_no_second_one() {
    let mut schedule = schedule();
    schedule.add_sweep(twice("a", 1));
    let ada = worker(&mut schedule, "ada");
    lease(&mut schedule, 0, ada);
    schedule.hear_vote("a", 0, result_of("ada")).unwrap();
    let again = worker(&mut schedule, "ada");
    assert_eq!(schedule.lease(0, again), Ok(None));
}

#[test]
fn shards_that_one_worker_has_solved_go_first_to_another() {
    let mut schedule = schedule();
    schedule.add_sweep(twice("a", 9));
    let [ada, bob] = ["ada", "bob"].map(|name| worker(&mut schedule, name));
    for shard in [0, 1] {
        assert_eq!(lease(&mut schedule, 0, ada).shard_number, shard);
    }
    schedule.hear_vote("a", 1, result_of("ada")).unwrap();
    assert_eq!(lease(&mut schedule, 0, bob).shard_number, 1);
    assert_eq!(lease(&mut schedule, 0, bob).shard_number, 2);
    assert_eq!(lease(&mut schedule, 0, ada).shard_number, 3);
}

#[test]
fn a_third_worker_decides_between_two_and_the_liar_gets_no_more_work() {
    let mut schedule = schedule();
    schedule.add_sweep(twice("a", 3));
    let [ada, bob, eve] = ["ada", "bob", "eve"].map(|name| worker(&mut schedule, name));
    lease(&mut schedule, 0, eve);
    schedule.hear_vote("a", 0, lie_of("eve")).unwrap();
    let kept = lease(&mut schedule, 0, eve);
    lease(&mut schedule, 0, ada);
    assert_eq!(schedule.result("a", 0, &result_of("ada")), ResultStanding::Vote, "they differ");
    schedule.hear_vote("a", 0, result_of("ada")).unwrap();
    assert_eq!(lease(&mut schedule, 0, bob).shard_number, 0);
    assert_eq!(schedule.result("a", 0, &result_of("bob")), ResultStanding::Decides { agreeing: 1 });
    schedule.take_changes();
    schedule.ban("eve", "its result for shard 0 differs".into());
    schedule.mark_done("a", 0).unwrap();
    let banned = Change::Banned { instance: "eve".into(), reason: "its result for shard 0 differs".into() };
    assert_eq!(schedule.take_changes(), [banned]);
    assert_eq!(schedule.lease(0, eve), Ok(None));
    assert_eq!(schedule.heartbeat(0, eve, &[(kept.lease_id, 1)]), Ok(vec![kept.lease_id]), "what it had is taken away");
    assert_eq!(lease(&mut schedule, 0, ada).shard_number, kept.shard_number, "and goes to another, without blame");
    let again = worker(&mut schedule, "eve");
    assert_eq!(schedule.lease(0, again), Ok(None), "also under another id");
    assert_eq!(schedule.result("a", 2, &result_of("eve")), ResultStanding::Banned, "nor is its word taken");
    assert_eq!(schedule.workers().filter(|view| view.banned.is_some()).count(), 2);
}

#[test]
fn where_very_many_are_banned_one_that_is_not_there_is_forgotten() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 3));
    let there = worker(&mut schedule, "0000");
    for number in 0..MAX_BANNED {
        schedule.ban(&format!("{number:04}"), "it lied".into());
    }
    schedule.take_changes();
    assert_eq!(schedule.worker(there).unwrap().banned, Some("it lied"));
    schedule.ban("zoe", "it lied too".into());
    let forgotten = Change::BanForgotten { instance: "0001".into() };
    assert_eq!(schedule.take_changes(), [forgotten, Change::Banned { instance: "zoe".into(), reason: "it lied too".into() }]);
    let [again, zoe] = ["0001", "zoe"].map(|name| worker(&mut schedule, name));
    assert!(schedule.lease(0, again).unwrap().is_some());
    assert!([there, zoe].into_iter().all(|banned| schedule.lease(0, banned).unwrap().is_none()));
    schedule.take_changes();
    // After a restart with more than that on disk, what is too many is forgotten there as well.
    schedule.restore_ban("zz".into(), "it lied".into());
    assert!(matches!(&schedule.take_changes()[..], [Change::BanForgotten { instance }] if instance == "0002"));
    assert_eq!(schedule.banned.len(), MAX_BANNED);
}

#[test]
fn what_the_reference_contradicts_is_compared_also_where_one_result_would_do() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 1));
    let [eve, ada] = ["eve", "ada"].map(|name| worker(&mut schedule, name));
    lease(&mut schedule, 0, eve);
    assert_eq!(schedule.result("a", 0, &lie_of("eve")), ResultStanding::Decides { agreeing: 0 });
    assert!(schedule.has_another("a", "eve"));
    schedule.hear_vote("a", 0, lie_of("eve")).unwrap();
    assert_eq!(lease(&mut schedule, 0, ada).shard_number, 0);
    assert_eq!(schedule.result("a", 0, &result_of("ada")), ResultStanding::Vote);
    assert_eq!(schedule.result("a", 0, &lie_of("ada")), ResultStanding::Decides { agreeing: 1 });
}

#[test]
fn a_shard_on_which_nobody_agrees_is_quarantined() {
    let mut schedule = schedule();
    schedule.add_sweep(twice("a", 1));
    for digest in 0..5u128 {
        assert_eq!(schedule.state("a").map(SweepState::is_terminal), Some(false));
        let instance = format!("process {digest}");
        let worker = worker(&mut schedule, &instance);
        lease(&mut schedule, 0, worker);
        schedule.hear_vote("a", 0, Vote { instance, host: String::new(), digest }).unwrap();
    }
    assert_eq!(schedule.state("a"), Some(SweepState::Incomplete));
    let expected = "5 workers came to results that differ";
    let is_there = |change: &Change| matches!(change, Change::Quarantined { attempts: 5, error, .. } if error == expected);
    assert!(schedule.take_changes().iter().any(is_there));
}

#[test]
fn votes_and_bans_survive_a_restart() {
    let mut schedule = schedule();
    schedule.restore_ban("eve".into(), "it lied".into());
    let votes = vec![(0, result_of("ada")), (2, result_of("ada")), (7, result_of("ada"))];
    schedule.add_sweep(SweepEntry { votes, done: std::iter::once(2..3).collect(), ..twice("a", 3) });
    assert_eq!((schedule.votes("a", 0), schedule.votes("a", 2)), (&[result_of("ada")][..], &[][..]));
    let [ada, eve, bob] = ["ada", "eve", "bob"].map(|name| worker(&mut schedule, name));
    assert_eq!(lease(&mut schedule, 0, ada).shard_number, 1);
    assert_eq!(schedule.lease(0, eve), Ok(None));
    assert_eq!(lease(&mut schedule, 0, bob).shard_number, 0);
    schedule.expire(TTL_MS);
    assert_eq!((schedule.awaiting("a"), schedule.counts("a").unwrap().pending), (1, 2), "a lost lease leaves what was heard");
}

fn on(schedule: &mut Schedule, host: &str, instance: &str) -> WorkerId {
    schedule.register(0, WorkerInfo { host: host.into(), instance: instance.into(), ..info(2) })
}

fn vote_of(host: &str, instance: &str) -> Vote {
    Vote { host: host.into(), ..result_of(instance) }
}

#[test]
fn votes_come_from_two_hosts_where_there_are_two() {
    let mut schedule = schedule();
    schedule.add_sweep(twice("a", 2));
    let ada = on(&mut schedule, "10.0.0.1", "ada");
    let twin = on(&mut schedule, "10.0.0.1", "twin");
    assert_eq!(lease(&mut schedule, 0, ada).shard_number, 0);
    schedule.hear_vote("a", 0, vote_of("10.0.0.1", "ada")).unwrap();
    let bob = on(&mut schedule, "10.0.0.2", "bob");
    assert_eq!(lease(&mut schedule, 0, twin).shard_number, 1, "the shard that its host has solved is another host's");
    assert_eq!(schedule.result("a", 0, &vote_of("10.0.0.1", "twin")), ResultStanding::Vote, "nor is a late result enough");
    assert_eq!(schedule.result("a", 0, &vote_of("10.0.0.2", "bob")), ResultStanding::Decides { agreeing: 1 });
    schedule.drain("10.0.0.2").unwrap();
    assert_eq!(schedule.lease(0, bob), Ok(None));
    assert_eq!(lease(&mut schedule, 0, twin).shard_number, 0, "with no other host it is enough that it is another worker");
    assert_eq!(schedule.result("a", 0, &vote_of("10.0.0.1", "twin")), ResultStanding::Decides { agreeing: 1 });
}

#[test]
fn a_sweep_that_is_done_gets_its_second_votes_when_two_are_asked_for() {
    let mut schedule = schedule();
    let all: RangeSet = std::iter::once(0..3).collect();
    schedule.add_sweep(SweepEntry { done: all.clone(), state: SweepState::Complete, ..entry("a", 3) });
    schedule.verify("a", 2, &[("ada".into(), "10.0.0.1".into(), all)]).unwrap();
    assert_eq!((schedule.state("a"), schedule.counts("a").map(|counts| counts.pending)), (Some(SweepState::Queued), Some(3)));
    let ada = on(&mut schedule, "10.0.0.1", "ada");
    let bob = on(&mut schedule, "10.0.0.2", "bob");
    assert_eq!(schedule.lease(0, ada), Ok(None), "its own results are no second ones");
    assert_eq!(schedule.result("a", 0, &vote_of("10.0.0.1", "ada")), ResultStanding::Repeated);
    for shard in 0..3 {
        let grant = lease(&mut schedule, 0, bob);
        assert_eq!(grant.shard_number, shard);
        assert_eq!(schedule.result("a", shard, &vote_of("10.0.0.2", "bob")), ResultStanding::Checks);
        if shard == 1 {
            schedule.release(0, bob, grant.lease_id, None).unwrap();
            assert_eq!(schedule.counts("a").map(|counts| (counts.done, counts.pending)), Some((1, 2)), "it is still to be checked");
            lease(&mut schedule, 0, bob);
        }
        schedule.mark_done("a", shard).unwrap();
        assert_eq!(schedule.result("a", shard, &vote_of("10.0.0.2", "bob")), ResultStanding::Duplicate);
    }
    assert_eq!(schedule.state("a"), Some(SweepState::Complete));
}
