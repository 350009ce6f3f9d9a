//! The core on a store, without a thread: what cannot be fails its sweep with a sentence, and nobody waits for nothing.

use std::sync::Arc;

use refute_shared::families::{Confirmation, Pulse, Task};
use refute_shared::sweep::{Record, Tally};
use serde::{Serialize, Serializer};
use tempfile::TempDir;

use crate::schedule::{LeaseId, SweepState, WorkerId, WorkerInfo};
use crate::store::{Store, StoreError, SweepRecord};

use super::delivery::digest;
use super::sweeps::Sweeps;
use super::{Action, Confirmed, Core, Delivery, DeliveryError, DriverOptions, Job};

mod hostile;
mod reports;

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

/// The answer to a result, with the number of its caller.
type Told = (u32, Result<bool, DeliveryError>);

/// A core whose callers are numbers.
struct Running {
    core: Core<Store, u32>,
    worker: WorkerId,
    _directory: TempDir,
}

impl Running {
    fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut core = Core::new(Store::open_or_create(directory.path()).unwrap(), DriverOptions::default()).unwrap();
        let families = vec![("null".into(), 1)];
        let info = WorkerInfo { instance: "ada".into(), slots: 2, backlog: 5, slot_bytes: 1 << 30, families, ..WorkerInfo::default() };
        let worker = core.register(0, info).unwrap().worker;
        Self { core, worker, _directory: directory }
    }

    /// Submits a sweep of three shards that cost nothing.
    fn submit(&mut self, name: &str, first_heap: u32) -> String {
        let heaps = format!("{first_heap}..={}", first_heap + 2);
        let manifest = format!("name = \"{name}\"\nfamily = \"null\"\n[space]\nheap = \"{heaps}\"\n[run]\nshard_seconds = 1e-9\n");
        self.core.submit(&manifest, false, None, 0).unwrap()
    }

    /// The right result of a shard.
    fn solved(&self, id: &str, shard_number: u64) -> Delivery {
        let active = self.core.sweeps.get(id).unwrap();
        let sweep = Arc::clone(&active.sweep);
        let shard = active.record.plan.shard(shard_number).unwrap();
        let task = Task { counterexamples: 1_000, record: Record::None, budget_bytes: 1 << 30 };
        let result = sweep.space.solver().solve(&shard, &task, &mut GoOn).unwrap();
        let (worker, instance, lease) = (self.worker, "ada".into(), LeaseId(1));
        Delivery { worker, instance, lease, sweep_id: id.into(), shard_number, result, seconds: 0.1 }
    }

    /// Ends the turn, and returns what callers are told and what the reference is to solve.
    fn turn(&mut self) -> (Vec<Told>, Vec<Job>) {
        self.core.tick(0);
        let (mut told, mut jobs) = (Vec::new(), Vec::new());
        for action in self.core.take_actions() {
            match action {
                Action::Answer { caller, answer } => told.push((caller, answer)),
                Action::Confirm(job) => jobs.push(job),
            }
        }
        (told, jobs)
    }

    /// That a sweep has failed with this sentence, and the only caller was told so.
    fn assert_failed(&mut self, id: &str, sentence: &str) {
        let (told, _) = self.turn();
        let schedule = self.core.schedule();
        assert_eq!((schedule.state(id), schedule.reason(id)), (Some(SweepState::Failed), Some(sentence)));
        assert_eq!(told, [(1, Err(DeliveryError::NotWanted(sentence.into())))]);
        assert!(self.core.is_writable(), "that is no fault of the disk");
    }
}

/// What the reference says of a job.
fn confirmed(Job { sweep, candidates, .. }: &Job) -> Result<Vec<Confirmed>, String> {
    let mut reference = sweep.space.reference();
    let confirmed = candidates.iter().map(|(claim, candidate)| {
        let key = candidate.key.clone();
        match reference.confirm(*claim as usize, &key, &candidate.actual) {
            Confirmation::Stands(counterexample) => Ok(Confirmed { claim: *claim, key, counterexample }),
            Confirmation::Disagrees(why) => Err(why),
        }
    });
    confirmed.collect()
}

#[test]
fn a_result_that_comes_again_while_the_reference_has_it_is_not_solved_once_more() {
    let mut running = Running::start();
    let manifest = "name = \"refuted\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.iii-printed\"]\n\
        [space]\ngraph = \"H1\"\nweights = \"0..=6\"\n";
    let id = running.core.submit(manifest, false, None, 0).unwrap();
    for caller in 1..=3 {
        let delivery = running.solved(&id, 0);
        running.core.deliver(delivery, caller);
    }
    let (told, jobs) = running.turn();
    assert_eq!(told, [1, 2].map(|caller| (caller, Err(DeliveryError::HandedInAgain))));
    let [Job { result, .. }] = &jobs[..] else { panic!("{jobs:?}") };
    let confirmed = confirmed(&jobs[0]);
    assert!(!confirmed.as_ref().unwrap().is_empty(), "the reference has something to do");
    running.core.confirmed(result, confirmed);
    assert_eq!(running.turn().0, [(3, Ok(true))]);
    assert_eq!(running.core.waiting(), 0);
}

#[test]
fn no_more_slots_are_busy_than_there_are_however_many_results_are_on_their_way() {
    let mut running = Running::start();
    running.submit("n", 1);
    running.submit("m", 4);
    running.submit("o", 7);
    running
        .core
        .register(0, WorkerInfo { instance: "bob".into(), slots: 3, families: vec![("null".into(), 1)], ..WorkerInfo::default() })
        .unwrap();
    while running.core.lease(0, running.worker).unwrap().is_some() {}
    let metrics = running.core.metrics(0);
    assert_eq!((metrics.leased, metrics.busy, metrics.free), (7, 2, 3));
}

#[test]
fn a_result_for_a_sweep_that_is_not_in_memory_fails_the_sweep() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    let delivery = running.solved(&id, 0);
    running.core.sweeps = Sweeps::default();
    running.core.deliver(delivery, 1);
    // There is no record in memory to be changed either, so nothing more is written, and that is said.
    let sentence = format!("the schedule has shard 0 of '{id}' and the sweep in memory has not");
    assert_eq!(running.turn().0, [(1, Err(DeliveryError::NotWanted(sentence.clone())))]);
    assert_eq!(running.core.schedule().reason(&id), Some(sentence.as_str()));
    assert_eq!(running.core.gate.outage(), Some(&StoreError::NoSuchSweep { sweep_id: id }));
}

#[test]
fn a_sweep_that_vanishes_from_memory_leaves_nobody_waiting() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    let delivery = running.solved(&id, 0);
    running.core.deliver(delivery, 1);
    running.core.sweeps = Sweeps::default();
    let sentence = format!("the schedule has sweep '{id}' and it is not in memory");
    assert_eq!(running.turn().0, [(1, Err(DeliveryError::NotWanted(sentence)))]);
}

#[test]
fn a_lease_of_a_sweep_that_is_not_in_memory_is_not_given() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    running.core.sweeps = Sweeps::default();
    assert!(running.core.lease(0, running.worker).unwrap().is_none());
    let schedule = running.core.schedule();
    assert_eq!((schedule.state(&id), schedule.leases().len()), (Some(SweepState::Failed), 0));
}

#[test]
fn a_tally_that_cannot_be_added_fails_the_sweep_and_its_shard_is_not_done() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    running.core.sweeps.get_mut(&id).unwrap().tally = Tally::new(2);
    let delivery = running.solved(&id, 1);
    running.core.deliver(delivery, 1);
    running.assert_failed(&id, "the result of shard 1 cannot be added: a tally of 0 claims cannot be added to one of 2");
    assert_eq!(running.core.gate.disk().shard(&id, 1), Ok(None));
}

#[test]
fn a_batch_that_contradicts_the_disk_fails_the_sweep_that_it_is_about_and_takes_no_other_with_it() {
    let mut running = Running::start();
    let [wrong, right] = [running.submit("wrong", 1), running.submit("right", 4)];
    running.core.sweeps.get_mut(&wrong).unwrap().tally.decided = 7;
    for (caller, id) in [(1, &wrong), (2, &right)] {
        let delivery = running.solved(id, 0);
        running.core.deliver(delivery, caller);
    }
    let sentence = format!("the tally of sweep '{wrong}' says 8 configurations decided and its shards say 1");
    let (told, _) = running.turn();
    let expected = [(1, Err(DeliveryError::NotWanted(sentence.clone()))), (2, Err(DeliveryError::NotWritten(sentence.clone())))];
    assert_eq!(told, expected);
    assert!(running.core.is_writable(), "that is no fault of the disk");
    assert_eq!(running.core.gate.disk().sweep(&wrong).unwrap().unwrap().reason, Some(sentence));
    let delivery = running.solved(&right, 0);
    running.core.deliver(delivery, 2);
    assert_eq!(running.turn().0, [(2, Ok(true))]);
    assert_eq!(running.core.gate.disk().tally(&right).unwrap().unwrap().decided, 1);
}

#[test]
fn a_done_shard_without_a_result_on_disk_fails_the_sweep() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    running.core.schedule.mark_done(&id, 2).unwrap();
    let delivery = running.solved(&id, 2);
    running.core.deliver(delivery, 1);
    running.assert_failed(&id, &format!("shard 2 of '{id}' is done and its result is not on disk"));
}

#[test]
fn a_result_that_cannot_be_hashed_has_no_hash() {
    struct Unwritable;

    impl Serialize for Unwritable {
        fn serialize<S: Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no words"))
        }
    }

    assert_eq!(digest(&Unwritable), Err("a result cannot be written as JSON, so that it cannot be compared: no words".into()));
    assert!(digest(&0).is_ok());
}

#[test]
fn a_sweep_whose_manifest_is_not_understood_is_listed_all_the_same() {
    let mut running = Running::start();
    let id = running.submit("n", 1);
    let record = running.core.gate.disk().sweep(&id).unwrap().unwrap();
    running.core.gate.disk().put_sweep(&SweepRecord { manifest_toml: "name = ".into(), ..record }).unwrap();
    let Running { core, _directory, .. } = running;
    drop(core);
    let core: Core<Store, u32> = Core::new(Store::open_existing(_directory.path()).unwrap(), DriverOptions::default()).unwrap();
    let list = core.list();
    assert_eq!((list.len(), &list[0].id, list[0].shards.total), (1, &id, 3));
    assert!(list[0].reason.as_ref().unwrap().contains("is not understood by this version"), "{:?}", list[0].reason);
}
