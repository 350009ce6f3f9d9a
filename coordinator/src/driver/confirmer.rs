//! The thread that solves counterexamples again by the reference.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

use refute_shared::families::{Confirmation, Reference};
use refute_shared::sweep::Candidate;

use super::delivery::{Confirmed, ResultKey};
use super::outbox::Job;

/// How many sweeps keep their solved positions in memory.
const MAX_REFERENCES: usize = 4;

/// A thread that solves counterexamples again by the reference, one job after the other.
///
/// Dropping it does not wait for the thread, which can be long at one position: what it would still confirm was not
/// acknowledged, so the workers come back with it.
pub struct Confirmer {
    jobs: Sender<Job>,
}

impl Confirmer {
    /// Starts the thread. There it calls `done` for each job with what stands, or why the sweep has failed.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(done: impl Fn(ResultKey, Result<Vec<Confirmed>, String>) + Send + 'static) -> std::io::Result<Self> {
        let (jobs, received) = channel();
        Builder::new().name("reference".into()).spawn(move || run(&received, done))?;
        Ok(Self { jobs })
    }

    /// Hands over a job.
    ///
    /// # Errors
    /// The result that the job was about, if the thread has ended.
    pub fn submit(&self, job: Job) -> Result<(), Box<ResultKey>> {
        self.jobs.send(job).map_err(|error| Box::new(error.0.result))
    }
}

fn run(jobs: &Receiver<Job>, done: impl Fn(ResultKey, Result<Vec<Confirmed>, String>)) {
    let mut references: HashMap<String, Box<dyn Reference>> = HashMap::new();
    for Job { result, sweep, candidates } in jobs {
        if references.len() >= MAX_REFERENCES && !references.contains_key(&result.sweep_id) {
            references.clear();
        }
        let mut reference = references.remove(&result.sweep_id).unwrap_or_else(|| sweep.space.reference());
        // A reference that panicked is not used again: it may have been left half-way.
        let confirmed = catch_unwind(AssertUnwindSafe(|| {
            let confirmed = confirm(reference.as_mut(), candidates);
            (confirmed, reference)
        }));
        let confirmed = match confirmed {
            Ok((confirmed, reference)) => {
                references.insert(result.sweep_id.clone(), reference);
                confirmed.map_err(|why| format!("solver and reference disagree: {why}"))
            }
            Err(_) => Err("the reference panicked".into()),
        };
        done(result, confirmed);
    }
}

fn confirm(reference: &mut dyn Reference, candidates: Vec<(u32, Candidate)>) -> Result<Vec<Confirmed>, String> {
    let one = |(claim, candidate): (u32, Candidate)| match reference.confirm(claim as usize, &candidate.key, &candidate.actual) {
        Confirmation::Stands(counterexample) => Ok(Confirmed { claim, key: candidate.key, counterexample }),
        Confirmation::Disagrees(why) => Err(why),
    };
    candidates.into_iter().map(one).collect()
}
