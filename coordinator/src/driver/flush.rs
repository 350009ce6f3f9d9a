//! What is ready is written, and then those who wait are answered.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use refute_shared::sweep::Offer;
use tracing::{error, warn};

use crate::schedule::{Opinion, ResultStanding, WorkerId};
use crate::store::{Disagreement, OpinionRecord, ShardCommit, ShardRecord, StoreError};

use super::active::ActiveSweep;
use super::confirmer::Confirmed;
use super::core::Core;
use super::counters::Outcome;
use super::delivery::{Answer, Delivery, DeliveryError, Reference};
use super::workers::By;

impl Core {
    /// Writes the results with which shards are done in one batch, then answers; and those that others must come to as well.
    pub(super) fn flush(&mut self, now_ms: u64) {
        if let Some(outage) = &self.outage {
            for ready in std::mem::take(&mut self.ready) {
                let _ = ready.answer.send(Err(DeliveryError::NotWritten(outage.reason.clone())));
            }
            return;
        }
        let mut commits: Vec<ShardCommit> = Vec::new();
        let mut counted: Vec<Counted> = Vec::new();
        let mut in_batch: BTreeSet<(String, u64)> = BTreeSet::new();
        for ready in std::mem::take(&mut self.ready) {
            let (id, shard_number) = (ready.delivery.sweep_id.clone(), ready.delivery.shard_number);
            if in_batch.contains(&(id.clone(), shard_number)) {
                // The same shard twice in one batch: the second is compared once the first is on disk.
                self.ready.push(ready);
                continue;
            }
            match (self.schedule.result(&id, shard_number, &ready.opinion()), ready.reference) {
                (ResultStanding::Decides { .. }, Reference::Confirmed(confirmed)) => {
                    let (worker, dissent) = (self.worker_name(ready.delivery.worker), self.dissent(&id, shard_number, ready.digest));
                    let Some(active) = self.sweeps.get_mut(&id) else { continue };
                    let by = By::of(&ready.delivery);
                    in_batch.insert((id.clone(), shard_number));
                    commits.push(commit(active, ready.delivery, ready.digest, worker, confirmed, &dissent));
                    counted.push(Counted { answer: ready.answer, id, shard_number, by, dissent });
                }
                // Another worker came to the same meanwhile.
                (ResultStanding::Decides { .. }, Reference::NotAsked) => self.deliver(ready.delivery, ready.answer),
                (ResultStanding::Decides { .. } | ResultStanding::Opinion, reference) => {
                    self.keep_opinion(ready.delivery, ready.digest, reference, ready.answer, now_ms);
                }
                (ResultStanding::Repeated, _) => {
                    self.counters.count_result(Outcome::Repeated);
                    let _ = ready.answer.send(Ok(false));
                }
                (ResultStanding::Duplicate, _) => {
                    self.counters.count_result(Outcome::Duplicate);
                    self.compare(&ready.delivery, ready.digest);
                    // The worker will drop its result, so what came of comparing it must not get lost in a crash.
                    self.write_changes();
                    let lost = self.outage.as_ref().map(|outage| DeliveryError::NotWritten(outage.reason.clone()));
                    let _ = ready.answer.send(lost.map_or(Ok(false), Err));
                }
                (ResultStanding::UnknownSweep | ResultStanding::NoSuchShard | ResultStanding::SweepClosed | ResultStanding::Banned, _) => {
                    self.counters.count_result(Outcome::Refused);
                    let _ = ready.answer.send(Err(DeliveryError::NotWanted(format!("sweep '{id}' takes no more results"))));
                }
            }
        }
        if commits.is_empty() {
            return;
        }
        let started = Instant::now();
        match self.store.commit(&commits) {
            Ok(()) => {
                self.counters.commit_seconds.observe(started.elapsed().as_secs_f64());
                self.counters.commit_results.observe(commits.len() as f64);
                self.acknowledge(counted, now_ms);
            }
            Err(failure) => self.take_back(counted, &failure),
        }
    }

    /// Writes a result that others must come to as well, then answers.
    fn keep_opinion(&mut self, delivery: Delivery, digest: u128, reference: Reference, answer: Answer, now_ms: u64) {
        let worker = self.worker_name(delivery.worker);
        let by = By::of(&delivery);
        let Delivery { sweep_id, shard_number, instance, result, seconds, .. } = delivery;
        let contradicted = match reference {
            Reference::Contradicts(reason) => Some(reason),
            Reference::NotAsked | Reference::Confirmed(_) => None,
        };
        let opinion = Opinion { instance: instance.clone(), digest };
        let record = OpinionRecord { instance, worker, digest, seconds, contradicted, result };
        if let Err(failure) = self.store.put_opinion(&sweep_id, shard_number, &record) {
            self.write_failed(&failure);
            let _ = answer.send(Err(DeliveryError::NotWritten(failure.to_string())));
            return;
        }
        self.count_taken(&by, Outcome::Opinion, &sweep_id, shard_number, now_ms);
        if let Err(failure) = self.schedule.hear_opinion(&sweep_id, shard_number, opinion) {
            error!(sweep = sweep_id, shard = shard_number, %failure, "a result on disk is not in the schedule");
        }
        let _ = answer.send(Ok(false));
    }

    /// What others came to for a shard that is about to be done with this result.
    fn dissent(&self, id: &str, shard_number: u64, digest: u128) -> Dissent {
        let heard = self.schedule.opinions(id, shard_number);
        if heard.is_empty() {
            return Dissent::default();
        }
        let records = self.store.opinions_on(id, shard_number).unwrap_or_else(|failure| {
            error!(sweep = id, shard = shard_number, %failure, "what others came to cannot be read");
            Vec::new()
        });
        let names: BTreeMap<String, String> = records.into_iter().map(|record| (record.instance, record.worker)).collect();
        let mut dissent = Dissent::default();
        for opinion in heard {
            let name = names.get(&opinion.instance).unwrap_or(&opinion.instance).clone();
            if opinion.digest == digest {
                dissent.agreed.push((opinion.instance.clone(), name));
            } else {
                dissent.differed.push((opinion.instance.clone(), Disagreement { digest: opinion.digest, worker: name }));
            }
        }
        dissent
    }

    fn acknowledge(&mut self, counted: Vec<Counted>, now_ms: u64) {
        for Counted { answer, id, shard_number, by, dissent } in counted {
            self.count_taken(&by, Outcome::Counted, &id, shard_number, now_ms);
            for (instance, Disagreement { worker, .. }) in dissent.differed {
                let agreeing = dissent.agreed.len() + 1;
                self.count_contradicted(&instance);
                self.schedule
                    .ban(&instance, format!("{worker} gave a result for shard {shard_number} of '{id}' that {agreeing} others contradict"));
            }
            if let Err(failure) = self.schedule.mark_done(&id, shard_number) {
                error!(sweep = id, shard = shard_number, %failure, "a shard on disk is not in the schedule");
            }
            if let Some(active) = self.sweeps.get_mut(&id) {
                active.rate.sample(now_ms, active.tally.decided + self.schedule.progress(&id));
            }
            let _ = answer.send(Ok(true));
        }
    }

    /// Bans the workers whose results on disk differ from those that count. A crash, or a disk that was full, may have come
    /// between the commit and the note of the ban.
    pub(super) fn ban_outvoted(&mut self, id: &str) -> Result<(), StoreError> {
        for (shard_number, OpinionRecord { instance, worker, digest, .. }) in self.store.opinions(id)? {
            let counted = self.store.shard(id, shard_number)?;
            if counted.is_some_and(|counted| counted.digest != digest) {
                self.schedule.ban(&instance, format!("{worker} gave a result for shard {shard_number} of '{id}' that others contradict"));
            }
        }
        Ok(())
    }

    /// A batch that could not be written changes nothing: the sweeps are read again from disk.
    fn take_back(&mut self, counted: Vec<Counted>, failure: &StoreError) {
        self.write_failed(failure);
        let ids: BTreeSet<String> = counted.iter().map(|counted| counted.id.clone()).collect();
        for id in ids {
            let Some(active) = self.sweeps.get(&id) else { continue };
            match ActiveSweep::load(&self.store, active.record.clone()) {
                Ok(loaded) => {
                    self.sweeps.insert(id, loaded);
                }
                Err(failure) => error!(sweep = id, %failure, "the sweep cannot be read again"),
            }
        }
        for Counted { answer, .. } in counted {
            let _ = answer.send(Err(DeliveryError::NotWritten(failure.to_string())));
        }
    }

    /// Holds a later result against the one that counted. Where that was one worker's alone, nobody can tell which of the two
    /// is wrong, and a difference fails the sweep; where several had agreed, the later worker is.
    fn compare(&mut self, delivery: &Delivery, digest: u128) {
        let Delivery { sweep_id, shard_number, worker, instance, .. } = delivery;
        let first = match self.store.shard(sweep_id, *shard_number) {
            Ok(Some(first)) => first,
            Ok(None) => return,
            Err(failure) => {
                error!(sweep = sweep_id, shard = shard_number, worker = worker.0, %failure, "a result cannot be compared");
                return;
            }
        };
        if first.digest == digest {
            return;
        }
        let second = Disagreement { digest, worker: self.worker_name(*worker) };
        let reason = format!("two results for shard {shard_number} differ: one by {}, one by {}", first.worker, second.worker);
        error!(sweep = sweep_id, shard = shard_number, worker = worker.0, reason);
        if let Err(failure) = self.store.add_disagreement(sweep_id, *shard_number, second) {
            error!(sweep = sweep_id, shard = shard_number, worker = worker.0, %failure, "a difference could not be written");
        }
        if !first.agreed.is_empty() {
            self.count_contradicted(instance);
            self.schedule.ban(instance, reason);
        } else if let Err(failure) = self.schedule.fail(sweep_id, reason) {
            warn!(sweep = sweep_id, %failure, "the sweep could not be marked as failed");
        }
    }

    fn worker_name(&self, worker: WorkerId) -> String {
        self.schedule.worker(worker).map_or_else(|| format!("worker {worker}"), |view| format!("worker {worker} on {}", view.info.host))
    }
}

/// What was written and is to be answered.
struct Counted {
    answer: Answer,
    id: String,
    shard_number: u64,
    by: By,
    dissent: Dissent,
}

/// The other results for a shard, by the instances of their workers: those that are the same, with their workers' names, and
/// those that differ.
#[derive(Default)]
struct Dissent {
    agreed: Vec<(String, String)>,
    differed: Vec<(String, Disagreement)>,
}

/// Takes a result into the sweep's tally and kept counterexamples, and says what that changes on disk.
fn commit(
    active: &mut ActiveSweep,
    delivery: Delivery,
    digest: u128,
    worker: String,
    confirmed: Vec<Confirmed>,
    dissent: &Dissent,
) -> ShardCommit {
    let Delivery { sweep_id, shard_number, result, seconds, .. } = delivery;
    if let Err(failure) = active.tally.merge(&result.tally) {
        // The number of claims was checked when the result came in.
        error!(sweep = sweep_id, shard = shard_number, %failure, "a tally could not be added");
    }
    let mut put = BTreeMap::new();
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
    let disagreements = dissent.differed.iter().map(|(_, differed)| differed.clone()).collect();
    let (agreed, names) = dissent.agreed.iter().cloned().unzip();
    ShardCommit {
        sweep_id,
        shard_number,
        record: ShardRecord {
            digest,
            worker,
            seconds,
            decided: result.tally.decided,
            records: result.records.len() as u64,
            tally: Some(result.tally),
            agreed: names,
            disagreements,
        },
        agreed,
        tally: active.tally.clone(),
        put_counterexamples: put.into_iter().map(|((claim, key), found)| (claim, key, found)).collect(),
        delete_counterexamples: delete,
        records: result.records,
    }
}
