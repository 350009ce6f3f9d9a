use std::sync::Arc;

use refute_shared::sweep::{Offer, Record, ShardResult, Sweep, record_hash};
use tokio::sync::oneshot;
use tracing::{error, warn};

use crate::schedule::{LeaseId, ResultStanding, WorkerId};
use crate::store::{Disagreement, ShardCommit, ShardRecord};

use super::active::ActiveSweep;
use super::confirmer::{Confirmed, Job};
use super::core::Core;

/// A shard's result as a worker handed it over.
#[derive(Debug)]
pub struct Delivery {
    /// Who.
    pub worker: WorkerId,
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
}

type Answer = oneshot::Sender<Result<bool, DeliveryError>>;

/// A delivery whose counterexamples are confirmed, waiting to be written.
pub struct Ready {
    delivery: Delivery,
    digest: u128,
    confirmed: Vec<Confirmed>,
    answer: Answer,
}

impl Core {
    /// Takes in a result: it is checked, its counterexamples are solved again, it is written, and then the worker is
    /// answered whether it is the one that counts.
    pub fn deliver(&mut self, delivery: Delivery, answer: Answer) {
        // Whoever asked may have gone away; the result counts all the same.
        if let Err(refused) = self.check_standing(&delivery).and_then(|()| self.check_result(&delivery)) {
            warn!(sweep = delivery.sweep_id, shard = delivery.shard_number, worker = %delivery.worker, %refused, "result refused");
            let _ = answer.send(Err(refused));
            return;
        }
        let digest = digest(&delivery.result);
        let Some(active) = self.sweeps.get(&delivery.sweep_id) else {
            let _ = answer.send(Err(DeliveryError::NotWanted(format!("there is no sweep '{}'", delivery.sweep_id))));
            return;
        };
        let entering = candidates(active, &delivery.result);
        let ready = move |delivery, confirmed, answer| Ready { delivery, digest, confirmed, answer };
        if entering.is_empty() || self.schedule.result(&delivery.sweep_id, delivery.shard_number) == ResultStanding::Duplicate {
            self.ready.push(ready(delivery, Vec::new(), answer));
            return;
        }
        let driver = self.driver.clone();
        self.confirmer.submit(Job {
            sweep_id: delivery.sweep_id.clone(),
            sweep: Arc::clone(&active.sweep),
            candidates: entering,
            done: Box::new(move |confirmed| {
                driver.queue(move |core, _| match confirmed {
                    Ok(confirmed) => core.ready.push(ready(delivery, confirmed, answer)),
                    Err(reason) => core.fault(&delivery, reason, answer),
                });
            }),
        });
    }

    /// A counterexample did not stand: the sweep ends as failed.
    fn fault(&mut self, delivery: &Delivery, reason: String, answer: Answer) {
        error!(sweep = delivery.sweep_id, shard = delivery.shard_number, worker = %delivery.worker, reason, "sweep failed");
        if let Err(failure) = self.schedule.fail(&delivery.sweep_id, reason.clone()) {
            warn!(%failure, "the sweep could not be marked as failed");
        }
        let _ = answer.send(Err(DeliveryError::NotWanted(reason)));
    }

    fn check_standing(&self, delivery: &Delivery) -> Result<(), DeliveryError> {
        let id = &delivery.sweep_id;
        let sentence = match self.schedule.result(id, delivery.shard_number) {
            ResultStanding::First | ResultStanding::Duplicate => return Ok(()),
            ResultStanding::UnknownSweep => format!("there is no sweep '{id}'"),
            ResultStanding::NoSuchShard => format!("sweep '{id}' has no shard {}", delivery.shard_number),
            ResultStanding::SweepClosed => format!("sweep '{id}' takes no more results"),
        };
        Err(DeliveryError::NotWanted(sentence))
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

    /// Writes what is ready in one batch, then answers.
    pub(super) fn flush(&mut self, now_ms: u64) {
        if self.ready.is_empty() {
            return;
        }
        let mut commits: Vec<ShardCommit> = Vec::new();
        let mut counted: Vec<(Answer, String, u64)> = Vec::new();
        for ready in std::mem::take(&mut self.ready) {
            let (id, shard_number) = (ready.delivery.sweep_id.clone(), ready.delivery.shard_number);
            let in_batch = commits.iter().any(|commit| commit.sweep_id == id && commit.shard_number == shard_number);
            match self.schedule.result(&id, shard_number) {
                ResultStanding::First if !in_batch => {
                    let worker = self.worker_name(ready.delivery.worker);
                    let Some(active) = self.sweeps.get_mut(&id) else { continue };
                    commits.push(commit(active, ready.delivery, ready.digest, worker, ready.confirmed));
                    counted.push((ready.answer, id, shard_number));
                }
                ResultStanding::First => {
                    // The same shard twice in one batch: the second is compared once the first is on disk.
                    self.ready.push(ready);
                }
                ResultStanding::Duplicate => {
                    self.compare(&ready);
                    let _ = ready.answer.send(Ok(false));
                }
                ResultStanding::UnknownSweep | ResultStanding::NoSuchShard | ResultStanding::SweepClosed => {
                    let _ = ready.answer.send(Err(DeliveryError::NotWanted(format!("sweep '{id}' takes no more results"))));
                }
            }
        }
        if commits.is_empty() {
            return;
        }
        match self.store.commit(&commits) {
            Ok(()) => self.acknowledge(counted, now_ms),
            Err(failure) => self.take_back(counted, &failure.to_string()),
        }
    }

    fn acknowledge(&mut self, counted: Vec<(Answer, String, u64)>, now_ms: u64) {
        for (answer, id, shard_number) in counted {
            if let Err(failure) = self.schedule.mark_done(&id, shard_number) {
                error!(%failure, "a shard on disk is not in the schedule");
            }
            if let Some(active) = self.sweeps.get_mut(&id) {
                active.rate.sample(now_ms, active.tally.decided + self.schedule.progress(&id));
            }
            let _ = answer.send(Ok(true));
        }
    }

    /// A batch that could not be written changes nothing: the sweeps are read again from disk.
    fn take_back(&mut self, counted: Vec<(Answer, String, u64)>, failure: &str) {
        error!(failure, "results could not be written");
        let ids: std::collections::BTreeSet<String> = counted.iter().map(|(_, id, _)| id.clone()).collect();
        for id in ids {
            let Some(active) = self.sweeps.get(&id) else { continue };
            match ActiveSweep::load(&self.store, active.record.clone()) {
                Ok(loaded) => {
                    self.sweeps.insert(id, loaded);
                }
                Err(failure) => error!(sweep = id, %failure, "the sweep cannot be read again"),
            }
        }
        for (answer, ..) in counted {
            let _ = answer.send(Err(DeliveryError::NotWritten(failure.to_owned())));
        }
    }

    /// Holds a later result against the one that counted. A difference fails the sweep: one of the two workers is wrong.
    fn compare(&mut self, ready: &Ready) {
        let Delivery { sweep_id, shard_number, worker, .. } = &ready.delivery;
        let first = match self.store.shard(sweep_id, *shard_number) {
            Ok(Some(first)) => first,
            Ok(None) => return,
            Err(failure) => {
                error!(%failure, "a result cannot be compared");
                return;
            }
        };
        if first.digest == ready.digest {
            return;
        }
        let second = Disagreement { digest: ready.digest, worker: self.worker_name(*worker) };
        let reason = format!("two results for shard {shard_number} differ: one by {}, one by {}", first.worker, second.worker);
        error!(sweep = sweep_id, reason);
        if let Err(failure) = self.store.add_disagreement(sweep_id, *shard_number, second) {
            error!(%failure, "a difference could not be written");
        }
        if let Err(failure) = self.schedule.fail(sweep_id, reason) {
            warn!(%failure, "the sweep could not be marked as failed");
        }
    }

    fn worker_name(&self, worker: WorkerId) -> String {
        let known = self.schedule.workers().find(|view| view.id == worker);
        known.map_or_else(|| format!("worker {worker}"), |view| format!("worker {worker} on {}", view.info.host))
    }
}

/// The counterexamples of a result that are small enough to be kept.
fn candidates(active: &ActiveSweep, result: &ShardResult) -> Vec<(u32, refute_shared::sweep::Candidate)> {
    let mut entering = Vec::new();
    for ((claim, kept), candidates) in (0u32..).zip(&active.kept).zip(&result.counterexamples) {
        entering.extend(candidates.iter().filter(|candidate| kept.would_keep(&candidate.key)).map(|candidate| (claim, candidate.clone())));
    }
    entering
}

/// Takes a result into the sweep's tally and kept counterexamples, and says what that changes on disk.
fn commit(active: &mut ActiveSweep, delivery: Delivery, digest: u128, worker: String, confirmed: Vec<Confirmed>) -> ShardCommit {
    let Delivery { sweep_id, shard_number, result, seconds, .. } = delivery;
    if let Err(failure) = active.tally.merge(&result.tally) {
        // The number of claims was checked when the result came in.
        error!(sweep = sweep_id, %failure, "a tally could not be added");
    }
    let mut put = std::collections::BTreeMap::new();
    let mut delete = Vec::new();
    for Confirmed { claim, key, counterexample } in confirmed {
        let offer = active.kept[claim as usize].offer(key.clone());
        if offer != Offer::Dropped {
            active.confirmed[claim as usize] |= counterexample.confirmed;
            put.insert((claim, key), counterexample);
        }
        if let Offer::Displaced(displaced) = offer
            && put.remove(&(claim, displaced.clone())).is_none()
        {
            delete.push((claim, displaced));
        }
    }
    ShardCommit {
        sweep_id,
        shard_number,
        record: ShardRecord { digest, worker, seconds, decided: result.tally.decided, disagreements: Vec::new() },
        tally: active.tally.clone(),
        put_counterexamples: put.into_iter().map(|((claim, key), found)| (claim, key, found)).collect(),
        delete_counterexamples: delete,
        records: result.records,
    }
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
