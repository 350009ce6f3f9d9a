//! Results that no solver gives: each is refused with a sentence, adds nothing, and harms no other.

use std::sync::Arc;

use refute_shared::families::Task;
use refute_shared::sweep::{Candidate, CoverageKey, Group, KeptRecord, Record};

use super::{Delivery, DeliveryError, GoOn, Running};
use crate::schedule::{SweepState, UnknownWorker, WorkerId, WorkerInfo};

/// A sweep with counterexamples, coverage, groups and records, in one shard.
pub const MANIFEST: &str = "name = \"all\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.iii-printed\"]\n\
    [space]\ngraph = \"H1\"\nweights = \"0..=4\"\n[run]\nrecord = \"losing\"\ncounterexamples = 5\n";

impl Running {
    pub fn solved_with_all(&self, id: &str) -> Delivery {
        self.shard_solved_with_all(id, 0)
    }

    pub fn shard_solved_with_all(&self, id: &str, shard_number: u64) -> Delivery {
        let active = self.core.sweeps.get(id).unwrap();
        let sweep = Arc::clone(&active.sweep);
        let task = Task { counterexamples: 5, record: Record::Losing, budget_bytes: 1 << 30 };
        let result = sweep.space.solver().solve(&active.record.plan.shard(shard_number).unwrap(), &task, &mut GoOn).unwrap();
        Delivery { result, ..self.solved(id, shard_number) }
    }
}

#[test]
fn a_result_that_no_solver_gives_is_refused_and_adds_nothing() {
    let mut running = Running::start();
    let id = running.core.submit(MANIFEST, false, None, 0).unwrap();
    let sound = running.solved_with_all(&id).result;
    assert!(!sound.records.is_empty() && !sound.counterexamples[0].is_empty());
    assert!(!sound.tally.coverage.0.is_empty() && !sound.tally.groups.0.is_empty());
    let ((_, group), _) = sound.tally.groups.0.first_key_value().unwrap();
    let group = group.clone();
    let with_group = |at: (u32, Group), number: u128| {
        move |one: &mut Delivery| {
            one.result.tally.groups.0.insert(at.clone(), number);
        }
    };
    let with_class = |change: fn(&mut CoverageKey)| {
        move |one: &mut Delivery| {
            let (mut key, count) = one.result.tally.coverage.0.pop_first().unwrap();
            change(&mut key);
            one.result.tally.coverage.0.insert(key, count);
        }
    };
    type Lie = Box<dyn Fn(&mut Delivery)>;
    let lies: Vec<(Lie, &str)> = vec![
        (Box::new(with_group((4_000_000_000, group.clone()), 1)), "groups of another box"),
        (Box::new(with_group((1, group.clone()), 1)), "groups of another box"),
        (Box::new(with_group((0, group.clone()), u128::MAX)), "more in a group than"),
        (Box::new(with_group((0, Group::sum("any label")), 1)), "a group that its family does not count"),
        (Box::new(with_group((0, Group::least(group.label.clone())), 1)), "a group that its family does not count"),
        (Box::new(with_group((0, Group::sum("\u{1b}[2J")), 1)), "a group that its family does not count"),
        (Box::new(with_group((0, Group::sum("x".repeat(1 << 20))), 1)), "a group that its family does not count"),
        (Box::new(with_class(|key| key.box_index = 1)), "its coverage is not that of the box"),
        (Box::new(with_class(|key| key.claims = 2)), "its coverage is not that of the box"),
        (Box::new(with_class(|key| key.value = "P\n".into())), "its coverage is not that of the box"),
        (Box::new(with_class(|key| key.value = "P".repeat(65))), "its coverage is not that of the box"),
        (Box::new(|one| one.seconds = f64::NAN), "its seconds are no time"),
        (Box::new(|one| one.seconds = f64::INFINITY), "its seconds are no time"),
        (Box::new(|one| one.seconds = -1.0), "its seconds are no time"),
        (Box::new(|one| one.result.counterexamples[0][0].key.insert(0, 0)), "one of its counterexamples is no configuration"),
        (Box::new(|one| *one.result.counterexamples[0][0].key.last_mut().unwrap() = 1), "one of its counterexamples is no configuration"),
        (Box::new(|one| one.result.counterexamples[0][0].actual = "P\u{7}".into()), "one of its counterexamples is no configuration"),
        (Box::new(|one| one.result.counterexamples[0].push(Candidate { key: vec![255; 9], actual: "P".into() })), "not the smallest ones"),
        (Box::new(|one| one.result.records[0].key = vec![1, 2, 3]), "one of its records is no configuration"),
        (Box::new(|one| one.result.records[0].value = "P\n".into()), "one of its records is no configuration"),
        (Box::new(|one| one.result.records.push(one.result.records[0].clone())), "a record twice"),
        (Box::new(|one| one.result.records = vec![KeptRecord { key: Vec::new(), value: String::new() }; 1_000]), "more records than"),
    ];
    for (caller, (lie, expected)) in lies.iter().enumerate() {
        let mut delivery = running.solved_with_all(&id);
        lie(&mut delivery);
        running.core.deliver(delivery, caller as u32);
        let (told, jobs) = running.turn();
        let [(_, Err(DeliveryError::Invalid { problem, .. }))] = &told[..] else { panic!("{expected}: {told:?}") };
        assert!(problem.contains(expected), "{problem}: {expected}");
        assert!(jobs.is_empty(), "the reference does not look at it");
    }
    let active = running.core.sweeps.get(&id).unwrap();
    assert_eq!((active.tally.decided, active.tally.groups.0.len(), active.tally.coverage.0.len()), (0, 0, 0));
    assert_eq!(running.core.schedule().state(&id), Some(SweepState::Queued));
    // The near miss is the result itself, which goes to the reference.
    let delivery = running.solved_with_all(&id);
    running.core.deliver(delivery, 99);
    let (told, jobs) = running.turn();
    assert_eq!((told.len(), jobs.len()), (0, 1));
}

#[test]
fn a_sum_that_would_overflow_refuses_the_result_and_not_the_sweep() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    running.core.sweeps.get_mut(&id).unwrap().tally.decided = u128::MAX;
    let delivery = running.solved(&id, 1);
    running.core.deliver(delivery, 1);
    let (told, _) = running.turn();
    let [(1, Err(DeliveryError::Invalid { problem, .. }))] = &told[..] else { panic!("{told:?}") };
    assert_eq!(problem, "the number of configurations would come to 2^128 or more");
    assert_eq!(running.core.schedule().state(&id), Some(SweepState::Queued));
    assert_eq!(running.core.gate.disk().shard(&id, 1), Ok(None));
}

#[test]
fn what_a_sweep_keeps_is_bounded() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    let active = running.core.sweeps.get_mut(&id).unwrap();
    let most = (1 << 16) + 64;
    active.tally.groups.0 = (0..most).map(|number| ((0, Group::sum(number.to_string())), 1)).collect();
    let mut part = active.tally.clone();
    part.groups.0.clear();
    active.add(&part).unwrap();
    part.groups.0.insert((0, Group::sum("0")), 1);
    active.add(&part).unwrap();
    part.groups.0.insert((0, Group::sum("one more")), 1);
    let refused = active.add(&part).unwrap_err().to_string();
    assert_eq!(refused, "the sweep would keep 65601 counts by box, and keeps at most 65600");
    assert_eq!(active.tally.groups.0[&(0, Group::sum("0"))], 2);
}

#[test]
fn a_header_shows_whether_a_result_is_wanted() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    let worker = running.worker;
    let nobody = WorkerId(worker.0 + 1);
    let core = &mut running.core;
    assert_eq!(core.admit(worker, "ada", &id), Ok(Ok(3)));
    assert_eq!(core.admit(nobody, "ada", &id), Err(UnknownWorker { worker: nobody }));
    assert_eq!(core.admit(worker, "ada", "h9"), Ok(Err("there is no sweep 'h9'".into())));
    assert!(core.admit(worker, "bob", &id).unwrap().unwrap_err().contains("another name"));
    core.schedule.ban("ada", "it lies".into());
    assert!(core.admit(worker, "ada", &id).unwrap().unwrap_err().contains("it lies"));
}

#[test]
fn fresh_sweeps_are_numbered_without_gaps_and_in_their_order() {
    let mut running = Running::start();
    let manifest = "name = \"n\"\nfamily = \"null\"\n[space]\nheap = \"1..=3\"\n";
    let first = running.core.submit(manifest, false, None, 0).unwrap();
    for number in 2..=20 {
        assert_eq!(running.core.submit(manifest, true, None, 0).unwrap(), format!("{first}-{number}"));
    }
    assert_eq!(running.core.submit(manifest, false, None, 0).unwrap(), first);
    let sequences: Vec<u64> = running.core.gate.disk().sweeps().unwrap().iter().map(|record| record.sequence).collect();
    assert_eq!(sequences, (0..20).collect::<Vec<_>>());
}

#[test]
fn what_all_sweeps_keep_together_is_bounded() {
    let mut running = Running::start();
    // Each takes 32 MiB of numbers.
    let sweep = |name: u32| {
        let edge = "[[space]]\nb = \"1..=65535\"\nheap = 1\ntau = \"b-a\"\na = 1\n".repeat(64);
        format!("name = \"n{name}\"\nfamily = \"partizan-subtraction\"\nclaims = [\"truncated-support/thm-1.3.*\"]\n{edge}")
    };
    for name in 1..=3 {
        running.core.submit(&sweep(name), false, None, 0).unwrap();
    }
    let refused = running.core.submit(&sweep(4), false, None, 0).unwrap_err().to_string();
    assert!(refused.starts_with("the sweeps here take as much as they may, 128.0 MiB of memory or 34,359,738,368 steps"), "{refused}");
    // What is there goes on, and so does what takes little.
    running.core.submit(&sweep(3), false, None, 0).unwrap();
    running.submit("small", 1);
}

#[test]
fn workers_that_are_lost_are_forgotten_without_another_that_registers() {
    let mut running = Running::start();
    for number in 0..1_000 {
        let info = WorkerInfo { instance: number.to_string(), host: (number % 7).to_string(), slots: 1, ..WorkerInfo::default() };
        running.core.register(0, info).unwrap();
    }
    running.core.tick(100);
    assert_eq!((running.core.workers_after(None, 100).count(), running.core.lost_workers(100).len()), (256, 0));
    running.core.tick(60_000);
    assert_eq!((running.core.workers_after(None, 60_000).count(), running.core.lost_workers(60_000).len()), (0, 256));
    running.core.tick(4_000_000);
    assert_eq!(running.core.lost_workers(4_000_000).len(), 0);
}

#[test]
fn one_host_does_not_have_all_the_workers() {
    let mut running = Running::start();
    let info = |host: usize, number: usize| WorkerInfo {
        instance: format!("{host} {number}"),
        host: format!("host {host}"),
        slots: 1,
        ..WorkerInfo::default()
    };
    for number in 0..4_096 {
        running.core.register(0, info(0, number)).unwrap();
    }
    let refused = running.core.register(0, info(0, 4_096)).unwrap_err().to_string();
    assert!(refused.starts_with("4096 workers of 'host 0' are here, and no more are taken of one host"), "{refused}");
    // The worker of every test is the first one.
    for number in 4_097..10_000 {
        running.core.register(0, info(1 + number / 3_000, number)).unwrap();
    }
    let refused = running.core.register(0, info(9, 0)).unwrap_err().to_string();
    assert!(refused.starts_with("10000 workers are here"), "{refused}");
    running.core.deregister(running.worker).unwrap();
    running.core.register(0, info(9, 0)).unwrap();
}
