//! Stories of hosts: those that fail, crash, recover and are drained.

use super::stories::{TTL_MS, entry, info, lease, schedule};
use crate::schedule::*;

fn on(schedule: &mut Schedule, now_ms: u64, host: &str, instance: &str, slots: u32) -> WorkerId {
    schedule.register(now_ms, WorkerInfo { host: host.into(), instance: instance.into(), ..info(slots) })
}

fn fail(schedule: &mut Schedule, now_ms: u64, worker: WorkerId) -> u64 {
    let grant = lease(schedule, now_ms, worker);
    schedule.release(now_ms, worker, grant.lease_id, Some("cannot write /scratch".into())).unwrap();
    grant.shard_number
}

fn finish(schedule: &mut Schedule, now_ms: u64, worker: WorkerId) -> u64 {
    let grant = lease(schedule, now_ms, worker);
    schedule.credit(now_ms, worker, grant.lease_id);
    schedule.mark_done("a", grant.shard_number).unwrap();
    grant.shard_number
}

#[test]
fn failures_one_after_the_other_are_followed_by_growing_pauses_and_finished_shards_end_them() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 900));
    let broken = on(&mut schedule, 0, "10.0.0.1", "broken", 8);
    on(&mut schedule, 0, "10.0.0.2", "good", 1);
    let mut failed: Vec<u64> = (0..3).map(|_| fail(&mut schedule, 0, broken)).collect();
    let mut now_ms = 0;
    for pause_ms in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] {
        let probation = schedule.worker(broken).unwrap().probation.unwrap();
        assert_eq!(probation.resumes_ms, now_ms + pause_ms);
        assert_eq!(schedule.lease(now_ms + pause_ms - 1, broken), Ok(None));
        now_ms += pause_ms;
        // The other one is there all the time.
        on(&mut schedule, now_ms, "10.0.0.2", "good", 1);
        failed.push(fail(&mut schedule, now_ms, broken));
    }
    failed.sort_unstable();
    failed.dedup();
    assert_eq!(failed.len(), 11, "it is given no shard twice");
    now_ms += 60_000;
    for _ in 0..3 {
        let grant = lease(&mut schedule, now_ms, broken);
        assert_eq!(schedule.lease(now_ms, broken), Ok(None), "one at a time");
        schedule.credit(now_ms, broken, grant.lease_id);
        schedule.mark_done("a", grant.shard_number).unwrap();
    }
    finish(&mut schedule, now_ms, broken);
    assert_eq!(schedule.worker(broken).unwrap().probation, None, "it has recovered");
    for _ in 0..8 {
        lease(&mut schedule, now_ms, broken);
    }
}

#[test]
fn a_host_whose_workers_die_one_after_the_other_hands_that_down_to_those_that_come() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 900));
    let good = on(&mut schedule, 0, "10.0.0.1", "good", 1);
    let mut now_ms = 0;
    for life in 0..3 {
        let worker = on(&mut schedule, now_ms, "10.0.0.1", &format!("life {life}"), 4);
        assert_eq!(schedule.worker(worker).unwrap().probation, None, "life {life}");
        for _ in 0..4 {
            let grant = lease(&mut schedule, now_ms, worker);
            schedule.heartbeat(now_ms, worker, &[(grant.lease_id, 1)]).unwrap();
        }
        now_ms += TTL_MS;
        finish(&mut schedule, now_ms - 1, good);
        assert_eq!(schedule.expire(now_ms).len(), 4, "all that it had");
    }
    let next = on(&mut schedule, now_ms, "10.0.0.1", "life 3", 4);
    let Probation { failures, lost, resumes_ms } = schedule.worker(next).unwrap().probation.unwrap();
    assert_eq!((failures, lost, resumes_ms), (3, 3, now_ms + 1_000), "each silence counts once");
    assert_eq!(schedule.lease(now_ms, next), Ok(None));
    assert_eq!(schedule.worker(good).unwrap().probation, None, "one that was there before has nothing to do with it");
    // It outlives them: 16 shards a slot for each.
    let _ = (0..63).map(|_| finish(&mut schedule, now_ms + 1_000, next)).count();
    assert!(schedule.worker(next).unwrap().probation.is_some_and(|probation| probation.failures == 0));
    finish(&mut schedule, now_ms + 1_000, next);
    assert_eq!(schedule.worker(next).unwrap().probation, None);
}

#[test]
fn the_last_attempt_is_made_alone() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 9));
    let worker = on(&mut schedule, 0, "10.0.0.1", "one", 3);
    let [poison, busy] = [lease(&mut schedule, 0, worker), lease(&mut schedule, 0, worker)];
    schedule.release(0, worker, poison.lease_id, Some("out of memory".into())).unwrap();
    assert_eq!(fail(&mut schedule, 0, worker), 0, "there is nobody else to try it");
    assert_eq!(schedule.lease(0, worker), Ok(None), "what it has comes first");
    schedule.mark_done("a", busy.shard_number).unwrap();
    assert_eq!((busy.shard_number, lease(&mut schedule, 0, worker).shard_number), (1, 0));
    assert_eq!(schedule.lease(0, worker), Ok(None), "and nothing beside it");
    schedule.mark_done("a", 0).unwrap();
    assert_eq!([lease(&mut schedule, 0, worker).shard_number, lease(&mut schedule, 0, worker).shard_number], [2, 3]);
}

#[test]
fn a_shard_that_failed_goes_to_another_host_and_is_given_up_after_all_of_them() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 2));
    let workers = ["1", "2", "3", "4"].map(|host| on(&mut schedule, 0, host, host, 1));
    assert_eq!(fail(&mut schedule, 0, workers[0]), 0);
    assert_eq!(lease(&mut schedule, 0, workers[0]).shard_number, 1, "not to the same");
    assert_eq!([fail(&mut schedule, 0, workers[1]), fail(&mut schedule, 0, workers[2])], [0, 0]);
    assert_eq!(schedule.quarantined("a").map(RangeSet::len), Some(0), "three have failed it, and the fourth may do better");
    assert_eq!([schedule.lease(0, workers[1]), schedule.lease(0, workers[2])], [Ok(None), Ok(None)]);
    assert_eq!(fail(&mut schedule, 0, workers[3]), 0);
    assert_eq!(schedule.quarantined("a").map(RangeSet::len), Some(1));
    assert!(workers.iter().all(|worker| schedule.worker(*worker).unwrap().probation.is_none()));
}

#[test]
fn a_shard_is_not_given_up_while_a_host_is_there_that_did_not_try_it() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 1));
    let one = on(&mut schedule, 0, "1", "1", 1);
    fail(&mut schedule, 0, one);
    fail(&mut schedule, 0, one);
    let grant = lease(&mut schedule, 0, one);
    let two = on(&mut schedule, 0, "2", "2", 1);
    assert_eq!(schedule.release(0, one, grant.lease_id, Some("again".into())), Ok(Released::Pending));
    assert_eq!(schedule.lease(0, one), Ok(None));
    assert_eq!(fail(&mut schedule, 0, two), 0);
    assert_eq!(schedule.state("a"), Some(SweepState::Incomplete));
}

#[test]
fn a_slow_worker_gets_no_shard_that_the_others_are_done_with_first() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 40));
    let [slow, good] = ["slow", "good"].map(|name| on(&mut schedule, 0, name, name, 1));
    let first = lease(&mut schedule, 0, slow);
    for round in 0..19 {
        let grant = lease(&mut schedule, round * 100, good);
        schedule.credit(round * 100 + 100, good, grant.lease_id);
        schedule.mark_done("a", grant.shard_number).unwrap();
    }
    schedule.credit(10_000, slow, first.lease_id);
    schedule.mark_done("a", first.shard_number).unwrap();
    schedule.heartbeat(10_000, good, &[]).unwrap();
    lease(&mut schedule, 10_000, good);
    assert_eq!(schedule.lease(10_000, slow), Ok(None));
    // Nobody waits for one that has finished nothing: it may never ask.
    let idle = on(&mut schedule, 10_000, "idle", "idle", 1);
    schedule.deregister(good).unwrap();
    lease(&mut schedule, 10_000, slow);
    assert!(schedule.worker(idle).is_some());
}

#[test]
fn a_shard_that_fails_in_a_large_fleet_is_given_up_after_thirty_two_attempts() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 1));
    let workers: Vec<WorkerId> = (0..40).map(|host| on(&mut schedule, 0, &host.to_string(), &host.to_string(), 1)).collect();
    let attempts = workers.into_iter().take_while(|worker| {
        let is_open = schedule.state("a").is_some_and(|state| !state.is_terminal());
        is_open && fail(&mut schedule, 0, *worker) == 0
    });
    assert_eq!(attempts.count(), 32);
    assert_eq!(schedule.state("a"), Some(SweepState::Incomplete));
}

#[test]
fn a_shard_is_not_given_up_while_a_host_on_probation_may_do_better_unless_that_failed_six_in_a_row() {
    for (failures, expected) in [(3, SweepState::Running), (5, SweepState::Running), (6, SweepState::Incomplete)] {
        let mut schedule = schedule();
        schedule.add_sweep(entry("a", 9));
        let others = ["1", "2", "3"].map(|host| on(&mut schedule, 0, host, host, 1));
        let troubled = on(&mut schedule, 0, "troubled", "troubled", 1);
        let mut now_ms = 0;
        for _ in 0..failures {
            others.map(|other| schedule.lease(now_ms, other)).iter().for_each(|none| assert!(none.is_ok()));
            fail(&mut schedule, now_ms, troubled);
            now_ms = schedule.worker(troubled).unwrap().probation.map_or(now_ms, |probation| probation.resumes_ms);
            others.map(|other| schedule.heartbeat(now_ms, other, &[])).iter().for_each(|heard| assert!(heard.is_ok()));
        }
        schedule.cancel("a").unwrap();
        assert_eq!(schedule.lease(now_ms, troubled), Ok(None));
        schedule.add_sweep(entry("b", 1));
        for other in others {
            fail(&mut schedule, now_ms, other);
        }
        assert_eq!(schedule.state("b"), Some(expected), "{failures}");
        if expected == SweepState::Running {
            assert_eq!(others.map(|other| schedule.lease(now_ms, other)), [Ok(None), Ok(None), Ok(None)]);
            lease(&mut schedule, now_ms, troubled);
        }
    }
}

fn with_memory(schedule: &mut Schedule, host: &str, mebibytes: u64) -> WorkerId {
    schedule.register(0, WorkerInfo { host: host.into(), instance: host.into(), slot_bytes: mebibytes << 20, ..info(1) })
}

#[test]
fn a_shard_that_was_lost_goes_to_a_worker_with_more_memory() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 2));
    let small = ["1", "2", "3"].map(|host| with_memory(&mut schedule, host, 2_000));
    let little_more = with_memory(&mut schedule, "4", 2_250);
    let grant = lease(&mut schedule, 0, small[0]);
    schedule.heartbeat(0, small[0], &[(grant.lease_id, 1)]).unwrap();
    let large = with_memory(&mut schedule, "5", 2_251);
    schedule.expire(TTL_MS);
    assert_eq!(lease(&mut schedule, TTL_MS, small[1]).shard_number, 1, "not to one with as little");
    assert_eq!(schedule.lease(TTL_MS, small[2]), Ok(None));
    assert_eq!(schedule.lease(TTL_MS, little_more), Ok(None), "nor to one with hardly more");
    assert_eq!(lease(&mut schedule, TTL_MS, large).shard_number, 0);
}

#[test]
fn a_shard_is_not_given_up_while_a_worker_of_the_same_host_has_more_memory() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 1));
    let of_one_host = |schedule: &mut Schedule, instance: &str, mebibytes: u64| {
        schedule.register(0, WorkerInfo { host: "host".into(), instance: instance.into(), slot_bytes: mebibytes << 20, ..info(1) })
    };
    let small = ["1", "2", "3"].map(|instance| of_one_host(&mut schedule, instance, 1_000));
    let large = of_one_host(&mut schedule, "large", 4_000);
    assert_eq!([fail(&mut schedule, 0, small[0]), fail(&mut schedule, 0, small[1])], [0, 0]);
    assert_eq!(schedule.lease(0, small[2]), Ok(None), "the last attempt is for the large one");
    assert_eq!(fail(&mut schedule, 0, large), 0);
    assert_eq!(schedule.state("a"), Some(SweepState::Incomplete), "it has failed it as well, and nobody else has more");
}

#[test]
fn a_host_that_is_asked_no_second_time_keeps_no_shard_from_the_others() {
    let mut schedule = schedule();
    schedule.add_sweep(SweepEntry { replicas: 2, ..entry("a", 3) });
    let [first, troubled] = ["first", "troubled"].map(|host| on(&mut schedule, 0, host, host, 1));
    let vote = |host: &str| Vote { instance: host.into(), host: host.into(), digest: 7 };
    assert_eq!(lease(&mut schedule, 0, first).shard_number, 0);
    schedule.hear_vote("a", 0, vote("first")).unwrap();
    // Another process of the host that has said what it has to say does well, and the last one that may try does not.
    schedule.deregister(first).unwrap();
    let second = on(&mut schedule, 0, "first", "second", 1);
    let grant = lease(&mut schedule, 0, second);
    schedule.credit(0, second, grant.lease_id);
    schedule.hear_vote("a", grant.shard_number, Vote { instance: "second".into(), ..vote("first") }).unwrap();
    for host in ["1", "2"] {
        let failing = on(&mut schedule, 0, host, host, 1);
        assert_eq!(fail(&mut schedule, 0, failing), 0);
    }
    assert_eq!(fail(&mut schedule, 1_000, troubled), grant.shard_number);
    assert_eq!(schedule.lease(1_000, second).unwrap().map(|grant| grant.shard_number), Some(2), "it was heard on the first two");
    assert_eq!(lease(&mut schedule, 1_000, troubled).shard_number, 0);
}

#[test]
fn nobody_waits_for_a_worker_of_another_version() {
    let mut schedule = schedule();
    schedule.add_sweep(entry("a", 1));
    let own = on(&mut schedule, 0, "10.0.0.1", "own", 1);
    let families = vec![("nim".to_owned(), 1)];
    schedule.register(0, WorkerInfo { host: "10.0.0.2".into(), instance: "other".into(), families, ..info(1) });
    fail(&mut schedule, 0, own);
    assert_eq!(fail(&mut schedule, 0, own), 0, "nobody else could take it");
}
