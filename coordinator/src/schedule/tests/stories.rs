//! The schedule in small stories, each about one thing that happens to sweeps.

use crate::schedule::*;

pub const TTL_MS: u64 = 1000;

pub fn schedule() -> Schedule {
    Schedule::new(Config { lease_ttl_ms: TTL_MS, heartbeat_every_ms: 300, max_attempts: 3, epoch: 1 })
}

pub fn entry(id: &str, shards: u64) -> SweepEntry {
    SweepEntry {
        id: id.into(),
        family: "nim".into(),
        solver_version: 2,
        language: None,
        shards,
        done: RangeSet::new(),
        quarantined: RangeSet::new(),
        bytes: 1 << 20,
        state: SweepState::Queued,
        reason: None,
        priority: 0,
        replicas: 1,
        unverified: Vec::new(),
        votes: Vec::new(),
    }
}

pub fn info(slots: u32) -> WorkerInfo {
    WorkerInfo {
        host: "10.0.0.1".into(),
        machine: "ada".into(),
        build: "0.1.0".into(),
        instance: "one".into(),
        slots,
        backlog: 0,
        memory_kills: 0,
        slot_bytes: 1 << 20,
        families: vec![("other".into(), 1), ("nim".into(), 2)],
    }
}

/// What a worker says about a shard, the same as every other one.
pub fn result_of(instance: &str) -> Vote {
    Vote { instance: instance.into(), host: String::new(), digest: 7 }
}

/// Leases until there is nothing for the worker, and returns the sweeps and shards.
fn lease_all(schedule: &mut Schedule, now_ms: u64, worker: WorkerId) -> Vec<(String, u64)> {
    let mut leased = Vec::new();
    while let Some(grant) = schedule.lease(now_ms, worker).unwrap() {
        leased.push((grant.sweep_id, grant.shard_number));
    }
    leased
}

pub fn lease(schedule: &mut Schedule, now_ms: u64, worker: WorkerId) -> LeaseGrant {
    schedule.lease(now_ms, worker).unwrap().expect("there is a shard for this worker")
}

#[test]
fn a_sweep_runs_from_queued_to_complete() {
    let mut schedule = schedule();
    assert_eq!(schedule.add_sweep(entry("a", 3)), SweepState::Queued);
    let worker = schedule.register(0, info(2));
    assert_eq!(lease_all(&mut schedule, 0, worker), [("a".into(), 0), ("a".into(), 1)], "as many as there are slots");
    assert_eq!(schedule.counts("a"), Some(ShardCounts { total: 3, done: 0, leased: 2, quarantined: 0, pending: 1 }));
    assert_eq!(schedule.mark_done("a", 1), Ok(SweepState::Running));
    assert_eq!(schedule.mark_done("a", 0), Ok(SweepState::Running));
    assert_eq!(lease_all(&mut schedule, 5, worker), [("a".into(), 2)]);
    assert_eq!(schedule.mark_done("a", 2), Ok(SweepState::Complete));
    let states: Vec<_> = schedule.take_changes();
    let state = |state| Change::State { sweep_id: "a".into(), state, reason: None };
    assert_eq!(states, [state(SweepState::Running), state(SweepState::Complete)]);
    assert_eq!(schedule.lease(6, worker), Ok(None));
}

#[test]
fn the_shard_of_a_lost_worker_goes_to_another_before_fresh_ones() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 9));
    let lost = schedule.register(0, info(1));
    let grant = lease(&mut schedule, 0, lost);
    assert_eq!(schedule.next_timer(), Some(TTL_MS));
    assert_eq!(schedule.heartbeat(600, lost, &[(grant.lease_id, 40)]), Ok(vec![]));
    assert_eq!(schedule.progress("a"), 40);
    let other = schedule.register(700, info(1));
    assert_eq!(lease(&mut schedule, 700, other).shard_number, 1);
    schedule.mark_done("a", 1).unwrap();

    assert_eq!(schedule.expire(1599), []);
    assert_eq!(schedule.next_timer(), Some(1600));
    let expired = schedule.expire(1600);
    assert_eq!(expired.len(), 1);
    assert_eq!((expired[0].worker, expired[0].shard_number, expired[0].quarantined), (lost, 0, false));
    assert_eq!(schedule.progress("a"), 0);
    assert_eq!(lease(&mut schedule, 1600, other).shard_number, 0);
    // The lost one comes back and is told to stop; silent for longer, it is forgotten.
    assert_eq!(schedule.heartbeat(1700, lost, &[(grant.lease_id, 50)]), Ok(vec![grant.lease_id]));
    schedule.expire(1700 + 2 * TTL_MS);
    assert!(schedule.workers().any(|worker| worker.id == lost));
    schedule.expire(1700 + 2 * TTL_MS + 1);
    assert_eq!(schedule.heartbeat(4000, lost, &[]), Err(UnknownWorker { worker: lost }));
    assert_eq!(schedule.lease(4000, lost), Err(UnknownWorker { worker: lost }));
    assert_eq!(schedule.release(4000, lost, grant.lease_id, None), Err(UnknownWorker { worker: lost }));
}

#[test]
fn a_worker_that_says_it_is_impossibly_far_makes_no_sum_overflow() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 2));
    let worker = schedule.register(0, info(2));
    let leases = [(); 2].map(|()| (lease(&mut schedule, 0, worker).lease_id, u128::MAX));
    schedule.heartbeat(0, worker, &leases).unwrap();
    let most = u128::MAX / 1_000_000;
    assert!(schedule.progress("a") < most && schedule.progress_of(worker) < most, "what is done is added to it");
    schedule.deregister(worker).unwrap();
    assert_eq!(schedule.progress("a"), 0);
}

#[test]
fn a_request_that_is_made_again_brings_the_leases_of_its_lost_answer_and_a_later_one_does_not() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 9));
    let (ada, bob) = (schedule.register(0, info(4)), schedule.register(0, info(4)));
    assert_eq!(schedule.ask(0, ada, 1), Ok(Some(vec![])));
    let earlier = lease(&mut schedule, 0, ada);
    assert_eq!(schedule.ask(100, ada, 2), Ok(Some(vec![])));
    let lost = [(); 2].map(|()| lease(&mut schedule, 100, ada));
    assert_eq!(schedule.ask(100, bob, 2), Ok(Some(vec![])), "numbers are each worker's own");
    // One of them has come to an end meanwhile, and the other begins anew.
    schedule.mark_done("a", lost[0].shard_number).unwrap();
    assert_eq!(schedule.ask(900, ada, 2), Ok(Some(vec![lost[1].clone()])));
    schedule.heartbeat(900, ada, &[(earlier.lease_id, 1)]).unwrap();
    assert_eq!(schedule.expire(900 + TTL_MS - 1), []);
    assert_eq!(schedule.ask(900, ada, 1), Ok(None), "a request that was held up on its way is not waited for");
    assert_eq!(schedule.ask(900, ada, 3), Ok(Some(vec![])), "the last answer came");
    assert_eq!(schedule.expire(900 + TTL_MS).len(), 2);
    // Workers that do not count their requests get nothing twice.
    assert_eq!(schedule.ask(2000, bob, 0), Ok(Some(vec![])));
    lease(&mut schedule, 2000, bob);
    assert_eq!(schedule.ask(2000, bob, 0), Ok(Some(vec![])));
}

#[test]
fn a_late_result_of_an_expired_lease_counts_first_and_the_second_is_a_duplicate() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 2));
    let (slow, quick) = (schedule.register(0, info(1)), schedule.register(0, info(1)));
    lease(&mut schedule, 0, slow);
    schedule.expire(TTL_MS);
    let second = lease(&mut schedule, TTL_MS, quick);
    assert_eq!(second.shard_number, 0);

    assert_eq!(schedule.result("a", 0, &result_of("one")), ResultStanding::Decides { agreeing: 0 });
    schedule.mark_done("a", 0).unwrap();
    assert_eq!(schedule.result("a", 0, &result_of("one")), ResultStanding::Duplicate);
    assert_eq!(schedule.heartbeat(1100, quick, &[(second.lease_id, 1)]), Ok(vec![second.lease_id]));
    assert_eq!(lease(&mut schedule, 1100, quick).shard_number, 1, "its slot is free at once");
    assert_eq!(schedule.mark_done("a", 0), Ok(SweepState::Running));
}

#[test]
fn a_poison_shard_is_quarantined_and_the_rest_goes_on() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 2));
    let worker = schedule.register(0, info(1));
    for attempt in 1..=3 {
        let grant = lease(&mut schedule, 0, worker);
        assert_eq!(grant.shard_number, 0);
        let released = schedule.release(0, worker, grant.lease_id, Some(format!("attempt {attempt}"))).unwrap();
        assert_eq!(released, if attempt < 3 { Released::Pending } else { Released::Quarantined });
    }
    let error = "attempt 3".to_owned();
    let quarantined = Change::Quarantined { sweep_id: "a".into(), shard_number: 0, attempts: 3, error };
    assert!(schedule.take_changes().contains(&quarantined));
    assert_eq!(lease(&mut schedule, 0, worker).shard_number, 1);
    assert_eq!(schedule.mark_done("a", 1), Ok(SweepState::Incomplete));
    // Somebody had solved it after all.
    assert_eq!(schedule.result("a", 0, &result_of("one")), ResultStanding::Decides { agreeing: 0 });
    assert_eq!(schedule.mark_done("a", 0), Ok(SweepState::Complete));
    assert_eq!(schedule.counts("a").map(|counts| counts.quarantined), Some(0));
}

#[test]
fn a_shard_that_kills_its_workers_is_quarantined() {
    for (named, losses) in [(true, 3), (false, 4)] {
        let mut schedule = schedule();
        schedule.add_sweep(entry("a", 1));
        let mut now_ms = 0;
        for loss in 1..=losses {
            let worker = schedule.register(now_ms, info(1));
            let grant = lease(&mut schedule, now_ms, worker);
            if named {
                schedule.heartbeat(now_ms, worker, &[(grant.lease_id, 0)]).unwrap();
            }
            now_ms += TTL_MS;
            assert_eq!(schedule.expire(now_ms)[0].quarantined, loss == losses, "named {named}, loss {loss}");
            // Three in a row are followed by a pause.
            now_ms += 1_000;
        }
        assert_eq!(schedule.state("a"), Some(SweepState::Incomplete));
    }
}

#[test]
fn a_shard_that_kills_its_workers_takes_no_others_with_it() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 9));
    let mut now_ms = 0;
    while schedule.counts("a").unwrap().quarantined == 0 {
        let worker = schedule.register(now_ms, info(3));
        let leases: Vec<_> = std::iter::from_fn(|| schedule.lease(now_ms, worker).unwrap()).collect();
        // The last attempt is made alone, so that nobody else is to blame.
        let last = leases[0].shard_number == 0 && schedule.sweeps["a"].shards.is_last_chance(0);
        assert_eq!(leases.len(), if last { 1 } else { 3 }, "its other slots are not idle");
        let killed = leases.iter().any(|grant| grant.shard_number == 0);
        if killed {
            let named: Vec<_> = leases.iter().map(|grant| (grant.lease_id, 1)).collect();
            schedule.heartbeat(now_ms, worker, &named).unwrap();
            now_ms += TTL_MS;
            schedule.expire(now_ms);
        } else {
            leases.iter().for_each(|grant| drop(schedule.mark_done("a", grant.shard_number)));
        }
    }
    assert_eq!(schedule.quarantined("a"), Some(&std::iter::once(0..1).collect()));
}

/// Results on their way are lost with the worker that a shard kills, and are suspects as well: one alone is quarantined all the same.
#[test]
fn a_shard_that_kills_its_workers_takes_no_results_on_their_way_with_it() {
    const SHARDS: u64 = 300;
    for poison in [0, 70, SHARDS - 1] {
        let mut schedule = schedule();
        schedule.add_sweep(entry("a", SHARDS));
        let (mut now_ms, mut kills) = (0, 0);
        while !schedule.state("a").unwrap().is_terminal() {
            let worker = schedule.register(now_ms, WorkerInfo { backlog: 64, ..info(3) });
            let leases: Vec<_> = std::iter::from_fn(|| schedule.lease(now_ms, worker).unwrap()).collect();
            let named: Vec<_> = leases.iter().map(|grant| (grant.lease_id, 1)).collect();
            schedule.heartbeat(now_ms, worker, &named).unwrap();
            if leases.iter().any(|grant| grant.shard_number == poison) {
                kills += 1;
                now_ms += TTL_MS;
                schedule.expire(now_ms);
            } else {
                leases.iter().for_each(|grant| drop(schedule.mark_done("a", grant.shard_number)));
            }
        }
        assert_eq!((kills, schedule.quarantined("a")), (3, Some(&std::iter::once(poison..poison + 1).collect())), "{poison}");
    }
}

#[test]
fn shards_given_back_without_an_error_are_nobodys_fault() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 3));
    for _ in 0..10 {
        let worker = schedule.register(0, info(2));
        let grant = lease(&mut schedule, 0, worker);
        assert_eq!(grant.shard_number, 0);
        assert_eq!(schedule.release(0, worker, grant.lease_id, None), Ok(Released::Pending));
        assert_eq!(schedule.release(0, worker, grant.lease_id, None), Ok(Released::Stale));
        assert_eq!(lease_all(&mut schedule, 0, worker).len(), 2);
        schedule.deregister(worker).unwrap();
        assert_eq!(schedule.deregister(worker), Err(UnknownWorker { worker }));
    }
    assert_eq!(schedule.counts("a"), Some(ShardCounts { total: 3, done: 0, leased: 0, quarantined: 0, pending: 3 }));
    assert_eq!(schedule.next_timer(), None);
}

#[test]
fn priority_comes_before_age_and_a_worker_gets_only_what_it_can_solve() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("old", 1));
    schedule.add_sweep(entry("new", 1));
    schedule.add_sweep(SweepEntry { priority: 5, ..entry("urgent", 1) });
    schedule.add_sweep(SweepEntry { priority: 9, solver_version: 3, ..entry("other-version", 1) });
    schedule.add_sweep(SweepEntry { priority: 9, family: "go".into(), ..entry("other-family", 1) });
    schedule.add_sweep(SweepEntry { priority: 9, bytes: (1 << 20) + 1, ..entry("too-large", 1) });
    schedule.add_sweep(entry("last", 1));
    schedule.set_priority("last", -1).unwrap();
    let worker = schedule.register(0, info(10));
    let sweeps: Vec<String> = lease_all(&mut schedule, 0, worker).into_iter().map(|(sweep_id, _)| sweep_id).collect();
    assert_eq!(sweeps, ["urgent", "old", "new", "last"]);
    assert_eq!(schedule.state("too-large"), Some(SweepState::Queued));
    let expected = "gets no shard of 'other-version': that is pinned to solver version 3 of nim, and this worker has version 2";
    assert_eq!(schedule.other_version(&info(10)).as_deref(), Some(expected));
    schedule.cancel("other-version").unwrap();
    assert_eq!(schedule.other_version(&info(10)), None, "what a worker does not know at all is no other version");
}

#[test]
fn a_paused_sweep_finishes_what_is_leased_and_hands_out_nothing() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 2));
    let worker = schedule.register(0, info(1));
    let grant = lease(&mut schedule, 0, worker);
    schedule.pause("a").unwrap();
    schedule.pause("a").unwrap();
    assert_eq!(schedule.heartbeat(1, worker, &[(grant.lease_id, 3)]), Ok(vec![]));
    assert_eq!(schedule.mark_done("a", 0), Ok(SweepState::Paused));
    assert_eq!(schedule.lease(2, worker), Ok(None));
    schedule.resume("a").unwrap();
    assert_eq!(schedule.state("a"), Some(SweepState::Queued));
    assert_eq!(lease(&mut schedule, 3, worker).shard_number, 1);
    schedule.pause("a").unwrap();
    schedule.resume("a").unwrap();
    assert_eq!(schedule.state("a"), Some(SweepState::Running));
    schedule.pause("a").unwrap();
    assert_eq!(schedule.mark_done("a", 1), Ok(SweepState::Complete), "also while paused");
}

#[test]
fn a_cancelled_sweep_stops_its_workers_and_can_be_reopened() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 3));
    let worker = schedule.register(0, info(2));
    schedule.mark_done("a", 0).unwrap();
    let grant = lease(&mut schedule, 0, worker);
    schedule.cancel("a").unwrap();
    schedule.cancel("a").unwrap();
    assert_eq!(schedule.heartbeat(1, worker, &[(grant.lease_id, 3)]), Ok(vec![grant.lease_id]));
    assert_eq!(schedule.result("a", 1, &result_of("one")), ResultStanding::SweepClosed);
    assert_eq!(schedule.result("a", 0, &result_of("one")), ResultStanding::Duplicate);
    assert_eq!(schedule.lease(1, worker), Ok(None));
    let ended = |action| ControlError::Ended { sweep_id: "a".into(), state: SweepState::Cancelled, action };
    assert_eq!(schedule.resume("a"), Err(ended("resumed")));
    let sentence = "sweep 'a' is cancelled and cannot be paused; submit it again to go on with it";
    assert_eq!(schedule.pause("a").unwrap_err().to_string(), sentence);
    // A commit was under way when it was cancelled: what is on disk is done.
    assert_eq!(schedule.mark_done("a", 1), Ok(SweepState::Cancelled));

    assert_eq!(schedule.reopen("a"), Ok(SweepState::Queued));
    assert_eq!(lease_all(&mut schedule, 2, worker), [("a".into(), 2)]);
    assert_eq!(schedule.mark_done("a", 2), Ok(SweepState::Complete));
    assert_eq!(schedule.reopen("a"), Ok(SweepState::Complete));
}

#[test]
fn an_incomplete_sweep_that_is_reopened_tries_its_quarantined_shards_again() {
    let mut schedule = schedule();
    let quarantined = [1, 7].into_iter().collect();
    schedule.add_sweep(SweepEntry { done: std::iter::once(0..1).collect(), quarantined, ..entry("a", 2) });
    assert_eq!(schedule.state("a"), Some(SweepState::Incomplete), "a number that is no shard is left out");
    schedule.take_changes();
    assert_eq!(schedule.reopen("a"), Ok(SweepState::Queued));
    assert_eq!(schedule.take_changes()[0], Change::QuarantineCleared { sweep_id: "a".into() });
    let worker = schedule.register(0, info(1));
    assert_eq!(lease_all(&mut schedule, 0, worker), [("a".into(), 1)]);
}

#[test]
fn a_failed_sweep_says_why_and_stays_failed() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 2));
    let worker = schedule.register(0, info(1));
    let grant = lease(&mut schedule, 0, worker);
    schedule.fail("a", "the solver says P and the reference N".into()).unwrap();
    assert_eq!(schedule.reason("a"), Some("the solver says P and the reference N"));
    assert_eq!(schedule.heartbeat(1, worker, &[(grant.lease_id, 1)]), Ok(vec![grant.lease_id]));
    assert_eq!(schedule.result("a", 0, &result_of("one")), ResultStanding::SweepClosed);
    assert!(matches!(schedule.reopen("a"), Err(ControlError::Ended { state: SweepState::Failed, .. })));
    assert!(matches!(schedule.cancel("a"), Err(ControlError::Ended { .. })));
}

#[test]
fn after_a_restart_states_are_brought_into_line_with_what_is_done() {
    let all: RangeSet = std::iter::once(0..2).collect();
    let one: RangeSet = std::iter::once(0..1).collect();
    for (state, done, expected) in [
        (SweepState::Running, &all, SweepState::Complete),
        (SweepState::Paused, &all, SweepState::Complete),
        (SweepState::Running, &one, SweepState::Running),
        (SweepState::Paused, &one, SweepState::Paused),
        (SweepState::Complete, &one, SweepState::Queued),
        (SweepState::Incomplete, &one, SweepState::Queued),
        (SweepState::Cancelled, &one, SweepState::Cancelled),
        (SweepState::Failed, &all, SweepState::Failed),
    ] {
        let mut schedule = schedule();
        assert_eq!(schedule.add_sweep(SweepEntry { state, done: done.clone(), ..entry("a", 2) }), expected);
        assert_eq!(schedule.take_changes().is_empty(), state == expected);
    }
}

#[test]
fn ids_of_an_earlier_run_are_not_known_in_a_later_one() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 1));
    let worker = schedule.register(0, info(1));
    let grant = lease(&mut schedule, 0, worker);
    let mut later = Schedule::new(Config { epoch: 2, ..schedule.config() });
    later.add_sweep(entry("a", 1));
    let again = later.register(0, info(1));
    assert_ne!(worker, again);
    assert_eq!(later.heartbeat(0, worker, &[(grant.lease_id, 1)]), Err(UnknownWorker { worker }));
    assert_ne!(lease(&mut later, 0, again).lease_id, grant.lease_id);
}

#[test]
fn what_does_not_exist_is_said_not_to_exist() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 1));
    assert_eq!(schedule.result("b", 0, &result_of("one")), ResultStanding::UnknownSweep);
    assert_eq!(schedule.result("a", 1, &result_of("one")), ResultStanding::NoSuchShard);
    assert_eq!(schedule.mark_done("b", 0).unwrap_err().to_string(), "there is no sweep 'b'");
    assert_eq!(schedule.mark_done("a", 1).unwrap_err().to_string(), "sweep 'a' has no shard 1: its 1 shards are numbered from 0");
    assert!(matches!(schedule.reopen("b"), Err(ControlError::Sweep(_))));
    assert_eq!((schedule.state("b"), schedule.counts("b"), schedule.progress("b")), (None, None, 0));
}

#[test]
fn a_worker_has_no_say_over_the_leases_of_another() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 1));
    let (holder, stranger) = (schedule.register(0, info(1)), schedule.register(0, info(1)));
    let grant = lease(&mut schedule, 0, holder);
    assert_eq!(schedule.release(1, stranger, grant.lease_id, Some("not mine".into())), Ok(Released::Stale));
    assert_eq!(schedule.heartbeat(500, stranger, &[(grant.lease_id, 9)]), Ok(vec![grant.lease_id]));
    let held: Vec<_> = schedule.leases().map(|lease| (lease.worker, lease.expires_ms, lease.decided)).collect();
    assert_eq!(held, [(holder, TTL_MS, 0)]);
    assert_eq!(schedule.heartbeat(600, holder, &[(grant.lease_id, 9)]), Ok(vec![]));
}

#[test]
fn a_worker_has_as_many_leases_as_slots_and_as_many_more_as_results_may_be_on_their_way() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 9));
    let worker = schedule.register(0, WorkerInfo { backlog: 3, ..info(2) });
    assert_eq!(lease_all(&mut schedule, 0, worker).len(), 5);
    schedule.mark_done("a", 0).unwrap();
    assert_eq!(lease_all(&mut schedule, 0, worker), [("a".to_owned(), 5)]);
}
