//! Runs solvers: one thread per slot, since a solver is one thread's work and the slots fill the cores.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use refute_shared::families::{self, Family, Pulse, SolveError, Solver, Task};
use refute_shared::sweep::{ShardResult, StatedClaim};

use crate::assignment::{Assignment, ShardOutcome, Solved};
use crate::wire::{self, TooLarge};

/// The stack of each slot. Solvers may recurse by depth of position, which the default stack of a thread is not made for.
pub const STACK_BYTES: usize = 16 << 20;

/// The slots of a worker, each a thread that waits for a shard. Dropping it stops what runs, without waiting.
#[derive(Debug)]
pub struct Executor {
    slots: Vec<SlotThread>,
}

#[derive(Debug)]
struct SlotThread {
    jobs: Sender<Job>,
    state: Arc<RunState>,
}

#[derive(Debug)]
pub(super) struct Job {
    pub(super) assignment: Assignment,
    pub(super) state: Arc<RunState>,
}

impl Executor {
    /// Starts one thread per slot. `report` is called on it with the slot's number once for every shard that it was given.
    ///
    /// `slot_bytes` is what the tables of one slot may take.
    ///
    /// # Errors
    /// If the system will not start a thread.
    pub fn new<R>(slots: usize, slot_bytes: u64, report: R) -> io::Result<Self>
    where
        R: Fn(usize, ShardOutcome) + Clone + Send + 'static,
    {
        let start = |slot: usize| {
            let (jobs, inbox) = channel();
            let report = report.clone();
            let work = move || run_slot(SolverCache::default(), &inbox, slot_bytes, |outcome| report(slot, outcome));
            thread::Builder::new().name(format!("slot-{slot}")).stack_size(STACK_BYTES).spawn(work)?;
            Ok(SlotThread { jobs, state: Arc::default() })
        };
        Ok(Self { slots: (0..slots).map(start).collect::<io::Result<_>>()? })
    }

    /// Gives a slot a shard. Shards given to a slot that is not done yet wait their turn.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn start(&mut self, slot: usize, assignment: Assignment) {
        let thread = &mut self.slots[slot];
        // Each shard has its own, so that a stop that comes late cannot hit the next one.
        thread.state = Arc::default();
        let job = Job { assignment, state: thread.state.clone() };
        // A thread ends only after its sender is dropped: panics of solvers are caught, and outside of them it only moves results
        // and drops tables, whose drops are the compiler's. So this send cannot fail.
        let _ = thread.jobs.send(job);
    }

    /// Tells a slot to stop its shard at the next beat.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn stop(&self, slot: usize) {
        self.slots[slot].state.stop.store(true, Ordering::Relaxed);
    }

    /// How many configurations a slot has decided of its last shard.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn decided(&self, slot: usize) -> u128 {
        self.slots[slot].state.decided()
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        for slot in 0..self.slots.len() {
            self.stop(slot);
        }
    }
}

/// What a solver's thread and the rest of the worker share about one shard.
#[derive(Debug, Default)]
pub(super) struct RunState {
    stop: AtomicBool,
    decided: Mutex<u128>,
}

impl RunState {
    fn decided(&self) -> u128 {
        *self.decided.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pulse for &RunState {
    fn beat(&mut self, decided: u128) -> bool {
        *self.decided.lock().unwrap_or_else(PoisonError::into_inner) = decided;
        !self.stop.load(Ordering::Relaxed)
    }
}

pub(super) fn run_slot(mut cache: SolverCache, inbox: &Receiver<Job>, slot_bytes: u64, report: impl Fn(ShardOutcome)) {
    while let Ok(Job { assignment, state }) = inbox.recv() {
        let started = Instant::now();
        let outcome = match catch_unwind(AssertUnwindSafe(|| cache.solve(&assignment, slot_bytes, &state))) {
            Ok(Ok(result)) => {
                let seconds = started.elapsed().as_secs_f64();
                ShardOutcome::Solved(Arc::new(Solved { assignment, result, seconds }))
            }
            Ok(Err(Unsolved::Stopped)) => ShardOutcome::Stopped,
            Ok(Err(error)) => ShardOutcome::Failed(error.to_string()),
            Err(panic) => {
                // Its tables may be half-done.
                cache = SolverCache::default();
                ShardOutcome::Failed(format!("the solver of {} panicked: {}", assignment.family, panic_text(panic.as_ref())))
            }
        };
        report(outcome);
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it does not say why")
}

/// Why there is no result. Where the shard or this worker is to blame, a sentence for the coordinator.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unsolved {
    #[error("stopped")]
    Stopped,
    #[error("this worker knows no family '{family}'")]
    UnknownFamily { family: String },
    #[error("the sweep is pinned to version {wanted} of the solver of {family} and this worker has version {ours}")]
    OtherVersion { family: String, wanted: u32, ours: u32 },
    #[error("the space of the lease cannot be read: {problem}")]
    Space { problem: String },
    #[error(transparent)]
    Solver(SolveError),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// What a slot keeps between shards: its last solver, so that consecutive shards of one space share their tables.
#[derive(Default)]
pub(super) struct SolverCache {
    pub(super) solver: Option<(Key, Box<dyn Solver>)>,
}

/// What a solver can be used again for.
#[derive(PartialEq, Eq)]
pub(super) struct Key {
    pub(super) family: String,
    pub(super) solver_version: u32,
    pub(super) space: String,
    pub(super) stated: Vec<StatedClaim>,
    pub(super) claims: Vec<String>,
}

impl SolverCache {
    pub(super) fn solve(&mut self, assignment: &Assignment, slot_bytes: u64, state: &RunState) -> Result<ShardResult, Unsolved> {
        let family = known_family(assignment)?;
        let solver = self.solver(family, assignment)?;
        let task = Task { counterexamples: assignment.counterexamples, record: assignment.record, budget_bytes: slot_bytes };
        let mut pulse = state;
        let result = solver.solve(&assignment.shard, &task, &mut pulse).map_err(|error| match error {
            SolveError::Stopped => Unsolved::Stopped,
            other => Unsolved::Solver(other),
        })?;
        wire::check_sendable(&result)?;
        let mut pulse = state;
        pulse.beat(result.tally.decided);
        Ok(result)
    }

    fn solver(&mut self, family: &dyn Family, assignment: &Assignment) -> Result<&mut Box<dyn Solver>, Unsolved> {
        let Assignment { family: id, solver_version, space, stated, claims, .. } = assignment.clone();
        let key = Key { family: id, solver_version, space, stated, claims };
        // The old tables go before new ones are made, so that a slot never has two within one budget.
        let kept = self.solver.take().filter(|(kept, _)| *kept == key);
        let solver = match kept {
            Some((_, solver)) => solver,
            None => {
                let space = family.decode(&assignment.space, &assignment.stated, &assignment.claims);
                space.map_err(|problem| Unsolved::Space { problem: problem.to_string() })?.solver()
            }
        };
        Ok(&mut self.solver.insert((key, solver)).1)
    }
}

fn known_family(assignment: &Assignment) -> Result<&'static dyn Family, Unsolved> {
    let Assignment { family: id, solver_version: wanted, .. } = assignment;
    let family = families::find(id).ok_or_else(|| Unsolved::UnknownFamily { family: id.clone() })?;
    match family.solver_version() {
        ours if ours == *wanted => Ok(family),
        ours => Err(Unsolved::OtherVersion { family: id.clone(), wanted: *wanted, ours }),
    }
}
