//! What the core wants done. It starts no thread and answers nobody itself: the driver takes the actions after each
//! turn, when all that the turn decided is on disk or waits in memory for the disk.

use std::fmt;
use std::sync::Arc;

use refute_shared::sweep::{Candidate, Sweep};

use super::delivery::{DeliveryError, ResultKey};

/// Something to be done after a turn.
pub enum Action<C> {
    /// Tell a caller what became of its result: whether the shard is done with it.
    Answer {
        /// Who waits.
        caller: C,
        /// What it is told.
        answer: Result<bool, DeliveryError>,
    },
    /// Have the reference solve counterexamples again, and hand what it says to [`super::Core::confirmed`].
    Confirm(Job),
}

/// Counterexamples to be solved again.
pub struct Job {
    /// The result that has them.
    pub result: ResultKey,
    /// Its sweep.
    pub sweep: Arc<Sweep>,
    /// The claim by its place in the sweep, and what the worker found.
    pub candidates: Vec<(u32, Candidate)>,
}

impl fmt::Debug for Job {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Job").field("result", &self.result).field("candidates", &self.candidates).finish_non_exhaustive()
    }
}

/// The actions of a turn, in their order. A caller that is put in here is answered once, since it cannot be copied.
pub struct Outbox<C> {
    actions: Vec<Action<C>>,
}

impl<C> Outbox<C> {
    /// Nothing to do.
    pub fn new() -> Self {
        Self { actions: Vec::new() }
    }

    /// Tells a caller what became of its result.
    pub fn answer(&mut self, caller: C, answer: Result<bool, DeliveryError>) {
        self.actions.push(Action::Answer { caller, answer });
    }

    /// Has the reference solve counterexamples again.
    pub fn confirm(&mut self, job: Job) {
        self.actions.push(Action::Confirm(job));
    }

    /// What is to be done, which is nothing afterwards.
    pub fn take(&mut self) -> Vec<Action<C>> {
        std::mem::take(&mut self.actions)
    }
}
