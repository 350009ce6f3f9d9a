//! Tests of the threads that solve.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use refute_shared::families::{Pulse, SolveError, Solver, Task};
use refute_shared::sweep::{Manifest, Shard, ShardResult, Sweep, Tally};

use crate::assignment::{Assignment, ShardOutcome};

use super::Executor;
use super::executor::{Job, Key, RunState, SolverCache, run_slot};

const SLOT_BYTES: u64 = 1 << 30;

fn sweep(weights: &str) -> Sweep {
    let text = format!("name = \"t\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"H1\"\nweights = \"{weights}\"\n");
    Sweep::resolve(Manifest::parse(&text).unwrap()).unwrap()
}

fn assignment(sweep: &Sweep) -> Assignment {
    Assignment {
        lease_id: 1,
        sweep_id: sweep.id(),
        shard_number: 0,
        shard: Shard { box_index: 0, start: 0, end: sweep.space.units(0) },
        family: sweep.family.id().to_owned(),
        solver_version: sweep.family.solver_version(),
        space: sweep.space.encode(),
        stated: Vec::new(),
        claims: sweep.claim_ids().into_iter().map(str::to_owned).collect(),
        counterexamples: 5,
        record: sweep.options().record,
    }
}

fn executor(slots: usize, slot_bytes: u64) -> (Executor, Receiver<(usize, ShardOutcome)>) {
    let (sender, outcomes) = channel();
    let report = move |slot, outcome| sender.send((slot, outcome)).unwrap();
    (Executor::new(slots, slot_bytes, report).unwrap(), outcomes)
}

fn outcome(outcomes: &Receiver<(usize, ShardOutcome)>) -> (usize, ShardOutcome) {
    outcomes.recv_timeout(Duration::from_secs(60)).expect("every shard has an outcome")
}

fn failure(assignment: Assignment, slot_bytes: u64) -> String {
    let (mut executor, outcomes) = executor(1, slot_bytes);
    executor.start(0, assignment);
    match outcome(&outcomes).1 {
        ShardOutcome::Failed(problem) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn slots_solve_shards_and_say_how_far_they_are() {
    let sweep = sweep("0..=4");
    let (mut executor, outcomes) = executor(2, SLOT_BYTES);
    let whole = assignment(&sweep);
    let middle = whole.shard.end / 2;
    executor.start(0, Assignment { shard: Shard { end: middle, ..whole.shard.clone() }, ..whole.clone() });
    executor.start(1, Assignment { shard: Shard { start: middle, ..whole.shard.clone() }, ..whole.clone() });
    let mut total = Tally::new(sweep.claims.len());
    let mut slots = Vec::new();
    for _ in 0..2 {
        let (slot, ShardOutcome::Solved(solved)) = outcome(&outcomes) else { panic!("not solved") };
        assert_eq!(executor.decided(slot), solved.result.tally.decided);
        assert!(solved.seconds > 0.0);
        total.merge(&solved.result.tally).unwrap();
        slots.push(slot);
    }
    slots.sort_unstable();
    assert_eq!(slots, [0, 1]);
    assert!(total.is_consistent(sweep.configurations(), sweep.claims.len()));
}

#[test]
fn a_shard_is_stopped_and_the_next_one_is_not() {
    let (mut executor, outcomes) = executor(1, SLOT_BYTES);
    executor.start(0, assignment(&sweep("0..=60")));
    executor.stop(0);
    executor.start(0, assignment(&sweep("0..=3")));
    assert_eq!(outcome(&outcomes).1, ShardOutcome::Stopped);
    assert!(matches!(outcome(&outcomes).1, ShardOutcome::Solved(_)));
}

#[test]
fn what_cannot_be_solved_here_is_told_in_a_sentence() {
    let good = assignment(&sweep("0..=3"));
    let cases = [
        (Assignment { family: "chess".into(), ..good.clone() }, "no family 'chess'"),
        (Assignment { solver_version: 99, ..good.clone() }, "pinned to version 99"),
        (Assignment { space: "nonsense".into(), ..good.clone() }, "space of the lease cannot be read"),
        (Assignment { claims: vec!["no/claim".into()], ..good.clone() }, "no claim 'no/claim'"),
        (Assignment { shard: Shard { box_index: 7, start: 0, end: 1 }, ..good.clone() }, "no shard"),
    ];
    for (assignment, expected) in cases {
        let sentence = failure(assignment, SLOT_BYTES);
        assert!(sentence.contains(expected), "{sentence}");
    }
    let sentence = failure(good, 1);
    assert!(sentence.contains("the slot's budget is 1"), "{sentence}");
}

/// A cache whose kept solver for this assignment is not the family's own.
fn cache(assignment: &Assignment, solver: impl Solver + 'static) -> SolverCache {
    let Assignment { family, solver_version, space, stated, claims, .. } = assignment.clone();
    let key = Key { family, solver_version, space, stated, claims };
    SolverCache { solver: Some((key, Box::new(solver))) }
}

/// Decides nothing, which no other solver does.
struct Idling;

impl Solver for Idling {
    fn solve(&mut self, _: &Shard, _: &Task, _: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        Ok(ShardResult::default())
    }
}

#[test]
fn the_solver_is_kept_for_the_same_space_and_only_for_it() {
    let (small, other) = (assignment(&sweep("0..=2")), assignment(&sweep("0..=3")));
    let mut cache = cache(&small, Idling);
    let state = RunState::default();
    let mut decided = |assignment| cache.solve(assignment, SLOT_BYTES, &state).ok().map(|result| result.tally.decided);
    assert_eq!(decided(&small), Some(0));
    assert_eq!(decided(&small), Some(0));
    assert_eq!(decided(&other), Some(256));
    assert_eq!(decided(&small), Some(81));
}

struct Panicking;

impl Solver for Panicking {
    fn solve(&mut self, _: &Shard, _: &Task, _: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        panic!("index {} out of bounds", 7);
    }
}

#[test]
fn a_solver_that_panics_fails_its_shard_and_is_dropped() {
    let assignment = assignment(&sweep("0..=2"));
    let cache = cache(&assignment, Panicking);
    let (jobs, inbox) = channel();
    for _ in 0..2 {
        jobs.send(Job { assignment: assignment.clone(), state: Arc::default() }).unwrap();
    }
    drop(jobs);
    let (sender, outcomes) = channel();
    run_slot(cache, &inbox, SLOT_BYTES, move |outcome| sender.send(outcome).unwrap());
    let first = outcomes.recv().unwrap();
    assert_eq!(first, ShardOutcome::Failed("the solver of graph-nim panicked: index 7 out of bounds".into()));
    assert!(matches!(outcomes.recv().unwrap(), ShardOutcome::Solved(_)));
}
