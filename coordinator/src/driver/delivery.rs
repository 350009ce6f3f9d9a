use std::sync::Arc;

use refute_shared::sweep::{Record, ShardResult, Sweep, record_hash};
use tokio::sync::oneshot;
use tracing::{debug, error, warn};

use crate::schedule::{LeaseId, Opinion, ResultStanding, WorkerId};

use super::active::ActiveSweep;
use super::confirmer::{Confirmed, Job};
use super::core::Core;
use super::counters::Outcome;

/// A shard's result as a worker handed it over.
#[derive(Debug)]
pub struct Delivery {
    /// Who.
    pub worker: WorkerId,
    /// The name that the worker chose when it started.
    pub instance: String,
    /// Under which lease; the first valid result counts whatever its lease.
    pub lease: LeaseId,
    /// Of which sweep.
    pub sweep_id: String,
    /// Of which shard.
    pub shard_number: u64,
    /// What it came to.
    pub result: ShardResult,
    /// Wall time spent on it, in seconds.
    pub seconds: f64,
}

/// Why a result was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryError {
    /// There is no such sweep or shard, or the sweep takes no results any more.
    #[error("{0}")]
    NotWanted(String),
    /// It cannot be the result of this shard.
    #[error("this cannot be the result of shard {shard_number} of '{sweep_id}': {problem}")]
    Invalid {
        /// The sweep.
        sweep_id: String,
        /// The shard.
        shard_number: u64,
        /// What does not fit.
        problem: String,
    },
    /// It could not be written; the worker keeps it and comes back.
    #[error("the result could not be written: {0}")]
    NotWritten(String),
    /// Its worker handed it in again meanwhile, and that call is answered instead.
    #[error("the same result came in again, and is answered there")]
    HandedInAgain,
}

/// Whoever waits to hear what became of a result: whether the shard is done with it.
pub type Answer = oneshot::Sender<Result<bool, DeliveryError>>;

/// A delivery that waits to be written.
pub struct Ready {
    pub(super) delivery: Delivery,
    pub(super) digest: u128,
    pub(super) reference: Reference,
    pub(super) answer: Answer,
}

/// What the reference says of the counterexamples of a result that would be kept.
pub(super) enum Reference {
    /// It was not asked, since others have to come to the same result first.
    NotAsked,
    /// They stand.
    Confirmed(Vec<Confirmed>),
    /// One of them does not, and why.
    Contradicts(String),
}

impl Ready {
    /// What the schedule wants to know of it.
    pub(super) fn opinion(&self) -> Opinion {
        Opinion { instance: self.delivery.instance.clone(), digest: self.digest }
    }
}

impl Core {
    /// Takes in a result: it is checked; if the shard is done with it, its counterexamples are solved again; it is written; and
    /// then the worker is answered whether the shard is done with it.
    pub fn deliver(&mut self, delivery: Delivery, answer: Answer) {
        // Whoever asked may have gone away; the result counts all the same.
        let opinion = Opinion { instance: delivery.instance.clone(), digest: digest(&delivery.result) };
        let standing = self.schedule.result(&delivery.sweep_id, delivery.shard_number, &opinion);
        if let Err(refused) = check_standing(&delivery, standing).and_then(|()| self.check_result(&delivery)) {
            let (shard, worker, lease) = (delivery.shard_number, delivery.worker.0, delivery.lease.0);
            warn!(sweep = delivery.sweep_id, shard, worker, lease, %refused, "result refused");
            self.counters.count_result(Outcome::Refused);
            let _ = answer.send(Err(refused));
            return;
        }
        let digest = opinion.digest;
        let ready = move |delivery, reference, answer| Ready { delivery, digest, reference, answer };
        let decides = matches!(standing, ResultStanding::Decides { .. });
        let Some(active) = self.sweeps.get(&delivery.sweep_id).filter(|_| decides) else {
            self.ready.push(ready(delivery, Reference::NotAsked, answer));
            return;
        };
        let entering = candidates(active, &delivery.result);
        if entering.is_empty() {
            self.ready.push(ready(delivery, Reference::Confirmed(Vec::new()), answer));
            return;
        }
        let key = (delivery.sweep_id.clone(), delivery.shard_number, opinion);
        if let Some(waiting) = self.confirming.get_mut(&key) {
            // Its worker lost the connection and comes back with it. Solved once more each time, there would be no end to it.
            let _ = std::mem::replace(waiting, answer).send(Err(DeliveryError::HandedInAgain));
            return;
        }
        let (shard, worker, lease) = (delivery.shard_number, delivery.worker.0, delivery.lease.0);
        debug!(sweep = delivery.sweep_id, shard, worker, lease, counterexamples = entering.len(), "result goes to the reference");
        self.confirming.insert(key.clone(), answer);
        let driver = self.driver.clone();
        self.confirmer.submit(Job {
            sweep_id: delivery.sweep_id.clone(),
            sweep: Arc::clone(&active.sweep),
            candidates: entering,
            done: Box::new(move |confirmed| {
                driver.queue(move |core, _| {
                    let Some(answer) = core.confirming.remove(&key) else { return };
                    match confirmed {
                        Ok(confirmed) => core.ready.push(ready(delivery, Reference::Confirmed(confirmed), answer)),
                        Err(reason) => core.contradicted(ready(delivery, Reference::Contradicts(reason.clone()), answer), reason),
                    }
                });
            }),
        });
    }

    /// A counterexample did not stand. Either the worker is at fault or the program, which another worker will tell; where
    /// another has come to the same, or there is none, it is taken for the program's, and the sweep ends as failed.
    fn contradicted(&mut self, ready: Ready, reason: String) {
        let Delivery { sweep_id, shard_number, worker, lease, instance, .. } = &ready.delivery;
        let (worker, lease) = (worker.0, lease.0);
        let standing = self.schedule.result(sweep_id, *shard_number, &ready.opinion());
        let alone = !matches!(standing, ResultStanding::Decides { agreeing: 1.. });
        if alone && self.schedule.has_another(sweep_id, instance) {
            warn!(sweep = sweep_id, shard = shard_number, worker, lease, reason, "the reference contradicts a worker; another is asked");
            self.ready.push(ready);
            return;
        }
        error!(sweep = sweep_id, shard = shard_number, worker, lease, reason, "sweep failed");
        self.counters.count_result(Outcome::Refused);
        if let Err(failure) = self.schedule.fail(sweep_id, reason.clone()) {
            warn!(sweep = sweep_id, %failure, "the sweep could not be marked as failed");
        }
        let _ = ready.answer.send(Err(DeliveryError::NotWanted(reason)));
    }

    fn check_result(&self, delivery: &Delivery) -> Result<(), DeliveryError> {
        let invalid = |problem: &str| DeliveryError::Invalid {
            sweep_id: delivery.sweep_id.clone(),
            shard_number: delivery.shard_number,
            problem: problem.to_owned(),
        };
        let active = self.sweeps.get(&delivery.sweep_id).ok_or_else(|| invalid("the sweep is not in memory"))?;
        let shard = active.record.plan.shard(delivery.shard_number).ok_or_else(|| invalid("there is no such shard"))?;
        let decided = active.sweep.space.configurations(&shard);
        match problem(&active.sweep, &delivery.result, decided) {
            Some(problem) => Err(invalid(problem)),
            None => Ok(()),
        }
    }
}

fn check_standing(delivery: &Delivery, standing: ResultStanding) -> Result<(), DeliveryError> {
    let id = &delivery.sweep_id;
    let sentence = match standing {
        ResultStanding::Decides { .. } | ResultStanding::Opinion | ResultStanding::Repeated | ResultStanding::Duplicate => return Ok(()),
        ResultStanding::UnknownSweep => format!("there is no sweep '{id}'"),
        ResultStanding::NoSuchShard => format!("sweep '{id}' has no shard {}", delivery.shard_number),
        ResultStanding::SweepClosed => format!("sweep '{id}' takes no more results"),
        ResultStanding::Banned => format!("worker {} was contradicted by others, and no result of its is taken", delivery.worker),
    };
    Err(DeliveryError::NotWanted(sentence))
}

/// The counterexamples of a result that are small enough to be kept.
fn candidates(active: &ActiveSweep, result: &ShardResult) -> Vec<(u32, refute_shared::sweep::Candidate)> {
    let mut entering = Vec::new();
    for ((claim, kept), candidates) in (0u32..).zip(&active.kept).zip(&result.counterexamples) {
        entering.extend(candidates.iter().filter(|candidate| kept.would_keep(&candidate.key)).map(|candidate| (claim, candidate.clone())));
    }
    entering
}

/// What shows that a result cannot be that of a shard with so many configurations, if anything does.
fn problem(sweep: &Sweep, result: &ShardResult, decided: u128) -> Option<&'static str> {
    let options = sweep.options();
    let claims = sweep.claims.len();
    if !result.tally.is_consistent(decided, claims) {
        return Some("its counts do not add up to the configurations of the shard");
    }
    if result.counterexamples.len() != claims {
        return Some("it has counterexamples for another number of claims");
    }
    let kept = |refuted: u128| u128::min(refuted, options.counterexamples as u128);
    let fits = |(counts, kept_here): (&refute_shared::sweep::ClaimTally, &Vec<refute_shared::sweep::Candidate>)| {
        kept_here.len() as u128 == kept(counts.refuted) && kept_here.is_sorted_by(|a, b| a.key < b.key)
    };
    if !result.tally.claims.iter().zip(&result.counterexamples).all(fits) {
        return Some("its counterexamples are not the smallest ones of those that it counts");
    }
    let covered = result.tally.coverage.0.values().try_fold(0u128, |sum, count| sum.checked_add(*count));
    if !result.tally.coverage.0.is_empty() && covered != Some(decided) {
        return Some("its coverage does not add up to the configurations of the shard");
    }
    if options.record == Record::None && !result.records.is_empty() {
        return Some("it has records and none were asked for");
    }
    None
}

/// The hash of a result, to compare two of them by.
fn digest(result: &ShardResult) -> u128 {
    // Every part has one order, so equal results have equal texts.
    serde_json::to_vec(result).map(|text| record_hash(&text)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use refute_shared::families::{Pulse, Task};

    use crate::driver::{Driver, DriverOptions};
    use crate::schedule::WorkerInfo;
    use crate::store::Store;

    use super::*;

    struct GoOn;

    impl Pulse for GoOn {
        fn beat(&mut self, _decided: u128) -> bool {
            true
        }
    }

    /// Lays down a sweep of which a claim is refuted and gives the reference something to do that takes until `gate` says so.
    /// Returns a right result for the first shard, each time it is called.
    fn lay_down(core: &mut Core, gate: std::sync::mpsc::Receiver<()>) -> impl Fn() -> Delivery + use<> {
        let manifest = "name = \"refuted\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.iii-printed\"]\n\
            [space]\ngraph = \"H1\"\nweights = \"0..=6\"\n";
        let sweep_id = core.submit(manifest, false, None).unwrap();
        let info = WorkerInfo { instance: "ada".into(), slots: 1, slot_bytes: 1 << 30, ..WorkerInfo::default() };
        let worker = core.register(0, info);
        let active = &core.sweeps[&sweep_id];
        let sweep = Arc::clone(&active.sweep);
        let shard = active.record.plan.shard(0).unwrap();
        let task = Task { counterexamples: 1_000, record: Record::None, budget_bytes: 1 << 30 };
        let result = sweep.space.solver().solve(&shard, &task, &mut GoOn).unwrap();
        assert!(!result.counterexamples[0].is_empty(), "the reference has something to do");
        let done = Box::new(move |_| gate.recv().unwrap());
        core.confirmer.submit(Job { sweep_id: "other".into(), sweep, candidates: Vec::new(), done });
        move || Delivery {
            worker,
            instance: "ada".into(),
            lease: LeaseId(1),
            sweep_id: sweep_id.clone(),
            shard_number: 0,
            result: result.clone(),
            seconds: 0.1,
        }
    }

    #[test]
    fn a_result_that_comes_again_while_the_reference_has_it_is_not_solved_once_more() {
        let directory = tempfile::tempdir().unwrap();
        let (driver, thread) = Driver::start(Store::open_or_create(directory.path()).unwrap(), DriverOptions::default()).unwrap();
        let (open, gate) = channel();
        let (answers, received) = channel();
        driver
            .tell(move |core, _| {
                let result = lay_down(core, gate);
                for _ in 0..3 {
                    let (answer, answered) = oneshot::channel();
                    core.deliver(result(), answer);
                    answers.send(answered).unwrap();
                }
                assert_eq!(core.confirming.len(), 1);
            })
            .unwrap();
        let [first, second, last] = [(); 3].map(|()| received.recv().unwrap());
        assert_eq!(first.blocking_recv(), Ok(Err(DeliveryError::HandedInAgain)));
        assert_eq!(second.blocking_recv(), Ok(Err(DeliveryError::HandedInAgain)));
        open.send(()).unwrap();
        assert_eq!(last.blocking_recv(), Ok(Ok(true)));
        driver.stop();
        thread.join().unwrap();
    }
}
