use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

use refute_shared::families::{Confirmation, Counterexample, Reference};
use refute_shared::sweep::{Candidate, Sweep};

/// How many sweeps keep their solved positions in memory.
const MAX_REFERENCES: usize = 4;

/// Counterexamples to be solved again: the claim by its place in the sweep, and what the worker found.
pub struct Job {
    pub sweep_id: String,
    pub sweep: Arc<Sweep>,
    pub candidates: Vec<(u32, Candidate)>,
    /// Told what stands, or why the sweep has failed.
    pub done: Box<dyn FnOnce(Result<Vec<Confirmed>, String>) + Send>,
}

/// A counterexample that stands, ready to be written.
pub struct Confirmed {
    pub claim: u32,
    pub key: Vec<u8>,
    pub counterexample: Counterexample,
}

/// A thread that solves counterexamples again by the reference, one job after the other.
///
/// Dropping it does not wait for the thread, which can be long at one position: what it would still confirm was not
/// acknowledged, so the workers come back with it.
pub struct Confirmer {
    jobs: Sender<Job>,
}

impl Confirmer {
    /// # Errors
    /// If the system gives no thread.
    pub fn start() -> std::io::Result<Self> {
        let (jobs, received) = channel();
        Builder::new().name("reference".into()).spawn(move || run(&received))?;
        Ok(Self { jobs })
    }

    /// Hands over a job; its `done` is called on the confirmer's thread.
    pub fn submit(&self, job: Job) {
        if let Err(error) = self.jobs.send(job) {
            (error.0.done)(Err("the thread that confirms counterexamples has ended".into()));
        }
    }
}

fn run(jobs: &Receiver<Job>) {
    let mut references: HashMap<String, Box<dyn Reference>> = HashMap::new();
    for job in jobs {
        if references.len() >= MAX_REFERENCES && !references.contains_key(&job.sweep_id) {
            references.clear();
        }
        let mut reference = references.remove(&job.sweep_id).unwrap_or_else(|| job.sweep.space.reference());
        // A reference that panicked is not used again: it may have been left half-way.
        let confirmed = catch_unwind(AssertUnwindSafe(|| {
            let confirmed = confirm(reference.as_mut(), job.candidates);
            (confirmed, reference)
        }));
        (job.done)(match confirmed {
            Ok((confirmed, reference)) => {
                references.insert(job.sweep_id, reference);
                confirmed.map_err(|why| format!("solver and reference disagree: {why}"))
            }
            Err(_) => Err("the reference panicked".into()),
        });
    }
}

fn confirm(reference: &mut dyn Reference, candidates: Vec<(u32, Candidate)>) -> Result<Vec<Confirmed>, String> {
    let one = |(claim, candidate): (u32, Candidate)| match reference.confirm(claim as usize, &candidate.key, &candidate.actual) {
        Confirmation::Stands(counterexample) => Ok(Confirmed { claim, key: candidate.key, counterexample }),
        Confirmation::Disagrees(why) => Err(why),
    };
    candidates.into_iter().map(one).collect()
}
