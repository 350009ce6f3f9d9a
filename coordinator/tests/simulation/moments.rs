//! Moments that hardly any seed meets, each played by hand before the real core: results that meet in one turn, a disk that fills up
//! between two writes of one answer, and what is decided while it is full.

use std::collections::BTreeMap;
use std::sync::Arc;

use refute_coordinator::schedule::{LeaseGrant, SweepState};
use refute_shared::sweep::{Shard, ShardResult};
use refute_worker::assignment::{Assignment, Solved};

use super::calls::{Answer, Call, Process, Request};
use super::disk::Handle;
use super::random::Random;
use super::running_core::RunningCore;
use super::scenario::{Lie, Scenario, Weather, solver_version};

/// A coordinator and workers that do what the test says.
struct Stage {
    scenario: Scenario,
    disk: Handle,
    core: RunningCore,
    now_ms: u64,
    calls: u64,
}

/// A worker: its process, and the id that it was given.
type Worker = (Process, u64);

impl Stage {
    /// Every shard has counterexamples. A disk that fills up draws by the seed whether the write that fails is there all the same.
    fn new(replicas: u32, seed: u64) -> Self {
        let scenario = Scenario {
            lease_ttl_ms: 4_000,
            shards: 8,
            replicas,
            poison: BTreeMap::new(),
            confirmed_from: 0,
            kept: 1_000,
            solver_version: solver_version(),
            machines: Vec::new(),
            batches: false,
            slow_disk: false,
            garbled: false,
            network: Weather::default(),
            faults: Vec::new(),
            calm_ms: 0,
        };
        let disk = Handle::new(&scenario, Random::new(seed));
        let core = RunningCore::open(&disk, &scenario);
        Self { scenario, disk, core, now_ms: 0, calls: 0 }
    }

    /// Makes a call, and says how it is answered if that is before the turn ends.
    fn call(&mut self, from: Process, request: Request) -> Option<Answer> {
        self.calls += 1;
        self.core.take(self.now_ms, Call { id: self.calls, from, request }, &self.scenario);
        self.core.answers.pop().map(|(_, answer)| answer)
    }

    fn worker(&mut self, machine: usize) -> Worker {
        let process = Process { machine, generation: 1 };
        match self.call(process, Request::Register { slots: 1 }) {
            Some(Answer::Registered { worker, .. }) => (process, worker.0),
            other => panic!("{other:?}"),
        }
    }

    fn lease(&mut self, (process, worker): Worker) -> LeaseGrant {
        match self.request((process, worker), 1, 0)[..] {
            [ref grant] => grant.clone(),
            ref other => panic!("{other:?}"),
        }
    }

    /// Makes the request for shards of this number.
    fn request(&mut self, (process, worker): Worker, shards: u32, number: u64) -> Vec<LeaseGrant> {
        match self.call(process, Request::Lease { worker, shards, number }) {
            Some(Answer::Granted(grants)) => grants,
            Some(Answer::NothingToDo) => Vec::new(),
            other => panic!("{other:?}"),
        }
    }

    /// Gives a shard back with an error.
    fn fail(&mut self, (process, worker): Worker, grant: &LeaseGrant) {
        let request = Request::Release { report: 0, worker, lease: grant.lease_id.0, error: "it cannot be solved".into() };
        assert!(matches!(self.call(process, request), Some(Answer::Taken)));
    }

    /// Hands in a result for a shard, whether the worker has it or not.
    fn deliver(&mut self, (process, worker): Worker, shard_number: u64, result: ShardResult) {
        let sweep_id = self.disk.get().kept.record.id.clone();
        let shard = Shard { box_index: 0, start: shard_number, end: shard_number + 1 };
        let assignment = Assignment {
            lease_id: 0,
            sweep_id,
            shard_number,
            shard,
            family: "family".into(),
            solver_version: 1,
            space: String::new(),
            claims: Vec::new(),
            stated: Vec::new(),
            counterexamples: 1,
            record: refute_shared::sweep::Record::None,
        };
        let results = vec![(0, Arc::new(Solved { assignment, result, seconds: 1.0 }))];
        assert!(self.call(process, Request::Complete { worker, results }).is_none(), "it is answered before it is written");
    }

    fn right(&self, shard: u64) -> ShardResult {
        self.scenario.truth(shard)
    }

    /// Ends the turn, and says how the results of it are answered, in the order in which that happens.
    fn turn(&mut self) -> Vec<Answer> {
        self.disk.get_mut().now_ms = self.now_ms;
        self.disk.get_mut().begin_turn(None);
        self.core.tick(self.now_ms);
        self.disk.get_mut().end_turn();
        self.core.perform();
        let answers = std::mem::take(&mut self.core.answers);
        answers.into_iter().flat_map(|(_, answer)| if let Answer::Results(answers) = answer { answers } else { vec![answer] }).collect()
    }

    /// Lets the reference solve what it was given, and ends the turn.
    fn confirm(&mut self) -> Vec<Answer> {
        for job in std::mem::take(&mut self.core.jobs) {
            self.core.confirmed(&job);
        }
        self.turn()
    }

    fn fills_after(&mut self, writes: u64) {
        self.disk.get_mut().fills_after = Some(writes);
    }

    /// There is room again, and the coordinator notices.
    fn free(&mut self) {
        self.disk.get_mut().free();
        self.now_ms += 1_000;
        self.turn();
        assert!(self.core.writes());
    }

    fn is_done(&self, shard: u64) -> bool {
        self.disk.get().kept.done.contains_key(&shard)
    }

    fn state(&self) -> SweepState {
        self.disk.get().kept.record.state
    }
}

#[test]
fn a_result_that_agrees_with_another_of_its_turn_goes_to_the_reference_before_it_counts() {
    let mut stage = Stage::new(2, 1);
    let [ada, bob] = [0, 1].map(|machine| stage.worker(machine));
    let shard = stage.lease(ada).shard_number;
    // Neither is the second when it comes in, and one of them is when they are written. One of them has no lease.
    for worker in [ada, bob] {
        stage.deliver(worker, shard, stage.right(shard));
    }
    assert!(matches!(stage.turn()[..], [Answer::Taken]), "the first waits for others, and the second for the reference");
    assert_eq!((stage.is_done(shard), stage.core.jobs.len()), (false, 1));
    assert!(matches!(stage.confirm()[..], [Answer::Taken]));
    assert!(stage.is_done(shard), "the disk has looked at its counterexamples");
}

#[test]
fn shards_whose_leases_were_lost_on_their_way_are_handed_out_again_at_once_and_to_nobody_else() {
    let mut stage = Stage::new(1, 1);
    let process = Process { machine: 0, generation: 1 };
    let Some(Answer::Registered { worker, .. }) = stage.call(process, Request::Register { slots: 3 }) else { panic!("no worker") };
    let (ada, bob) = ((process, worker.0), stage.worker(1));
    let lost = stage.request(ada, 2, 1);
    assert_eq!(lost.len(), 2);
    let other = stage.lease(bob);
    stage.now_ms += 100;
    let again = stage.request(ada, 3, 1);
    assert_eq!(again[..2], lost, "the same leases");
    assert_eq!(again.len(), 3, "and what else there is for it");
    assert!(again.iter().all(|grant| grant.shard_number != other.shard_number));
    let next = stage.request(ada, 1, 2);
    assert!(next.len() == 1 && !again.contains(&next[0]), "the last answer came");
    assert_eq!(stage.request(ada, 1, 1), [], "it has made another request since");
    for grant in again {
        stage.deliver(ada, grant.shard_number, stage.right(grant.shard_number));
    }
    stage.turn();
    assert!(matches!(stage.confirm()[..], [Answer::Taken, Answer::Taken, Answer::Taken]));
}

#[test]
fn a_comparison_is_answered_when_all_that_comes_of_it_is_on_disk() {
    for (writes, seed) in [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)] {
        let mut stage = Stage::new(1, seed);
        let [ada, bob] = [0, 1].map(|machine| stage.worker(machine));
        let shard = stage.lease(ada).shard_number;
        stage.deliver(ada, shard, stage.right(shard));
        stage.turn();
        assert!(matches!(stage.confirm()[..], [Answer::Taken]));
        // Two results differ: that is noted, and then that the sweep has failed.
        let lie = stage.scenario.lie(shard, 1, Lie::Hidden);
        stage.fills_after(writes);
        stage.deliver(bob, shard, lie.clone());
        assert!(matches!(stage.turn()[..], [Answer::Unreachable]), "not after {writes} writes of two");
        stage.free();
        stage.deliver(bob, shard, lie);
        assert!(matches!(stage.turn()[..], [Answer::Taken | Answer::Refused(_)]));
        assert_eq!(stage.state(), SweepState::Failed);
        assert!(!stage.disk.get().kept.done[&shard].disagreements.is_empty(), "after {writes} writes");
    }
}

#[test]
fn what_was_quarantined_while_the_disk_was_full_and_came_back_is_not_written_as_quarantined() {
    let mut hidden = 0;
    for seed in 0..16 {
        let mut stage = Stage::new(2, seed);
        let workers = [0, 1, 2].map(|machine| stage.worker(machine));
        let mut shard = 0;
        for worker in [workers[0], workers[1]] {
            let grant = stage.lease(worker);
            shard = grant.shard_number;
            stage.fail(worker, &grant);
            assert!(stage.turn().is_empty());
        }
        let grant = stage.lease(workers[2]);
        assert_eq!(grant.shard_number, shard);
        // Its host is on disk before the disk is full, and its result may be, though nobody knows.
        stage.fills_after(1);
        stage.deliver(workers[2], shard, stage.right(shard));
        assert!(matches!(stage.turn()[..], [Answer::Unreachable]));
        stage.fail(workers[2], &grant);
        stage.turn();
        let counts = |stage: &Stage| stage.core.schedule().counts(&stage.disk.get().kept.record.id).unwrap();
        assert_eq!(counts(&stage).quarantined, 1, "three have failed it, and nobody is left");
        stage.free();
        stage.turn();
        let came_back = !stage.disk.get().kept.votes.is_empty();
        hidden += u64::from(came_back);
        assert_eq!(counts(&stage).quarantined, u64::from(!came_back));
        assert_eq!(stage.disk.get().kept.quarantined.len() as u64, u64::from(!came_back), "schedule and disk say the same");
    }
    assert!((1..16).contains(&hidden), "both happen: {hidden} of 16");
}

#[test]
fn a_turn_that_meets_a_full_disk_tries_no_further_write() {
    for writes in 0..3 {
        let mut stage = Stage::new(1, 1);
        let [ada, bob] = [0, 1].map(|machine| stage.worker(machine));
        let shards = [ada, bob].map(|worker| stage.lease(worker).shard_number);
        stage.deliver(ada, shards[0], stage.right(shards[0]));
        stage.deliver(bob, shards[1], stage.right(shards[1]));
        stage.turn();
        // Each has its host written, and then both are written in one batch; the disk refuses to be written after a failure.
        stage.fills_after(writes);
        assert!(matches!(stage.confirm()[..], [Answer::Unreachable, Answer::Unreachable]), "after {writes} writes of three");
        stage.free();
        for (worker, shard) in [(ada, shards[0]), (bob, shards[1])] {
            stage.deliver(worker, shard, stage.right(shard));
        }
        stage.turn();
        stage.confirm();
        assert!(shards.into_iter().all(|shard| stage.is_done(shard)));
    }
}

#[test]
fn a_result_for_a_sweep_that_has_failed_is_refused_in_its_turn() {
    let mut stage = Stage::new(1, 1);
    let [ada, bob] = [0, 1].map(|machine| stage.worker(machine));
    let shard = stage.lease(ada).shard_number;
    let other = stage.lease(bob).shard_number;
    stage.deliver(ada, shard, stage.right(shard));
    stage.turn();
    stage.confirm();
    stage.deliver(bob, shard, stage.scenario.lie(shard, 1, Lie::Hidden));
    stage.turn();
    assert_eq!(stage.state(), SweepState::Failed);
    stage.deliver(bob, other, stage.right(other));
    let answers = stage.turn();
    assert!(matches!(&answers[..], [Answer::Refused(why)] if why.ends_with("takes no more results")), "{answers:?}");
    assert_eq!(stage.core.waiting(), 0);
}
