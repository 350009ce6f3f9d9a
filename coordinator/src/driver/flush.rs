//! What is ready is written, and then those who wait are answered.

use std::collections::{BTreeMap, BTreeSet};

use refute_shared::sweep::{MergeError, Offer};
use tracing::{error, warn};

use crate::schedule::{ResultStanding, Schedule, WorkerId};
use crate::store::{Disagreement, ShardCommit, ShardRecord, StoreError, VoteRecord};

use super::active::{ActiveSweep, AddError};
use super::counters::ResultOutcome;
use super::delivery::{Checked, Confirmed, Delivery, DeliveryError, Ready, ReferenceVerdict, not_wanted};
use super::disk::Disk;
use super::faults;
use super::journal::Journal;
use super::outage::{Gate, NotWritten};
use super::outbox::Outbox;
use super::sweeps::Sweeps;
use super::workers::{DeliveredBy, Workers};

/// The parts of the core that a flush works on.
pub struct Flush<'a, D, C> {
    pub gate: &'a mut Gate<D>,
    pub schedule: &'a mut Schedule,
    pub sweeps: &'a mut Sweeps,
    pub workers: &'a mut Workers,
    pub journal: &'a mut Journal,
    pub outbox: &'a mut Outbox<C>,
    pub now_ms: u64,
}

/// What a flush leaves to others.
pub struct Left<C> {
    /// Results for shards that others of the batch have finished: to be compared in the next turn.
    pub later: Vec<Ready<C>>,
    /// Results that would finish their shards now, since other workers have agreed, and whose counterexamples
    /// nobody has looked at: to be taken in again.
    pub again: Vec<Checked<C>>,
}

/// The results with which shards are done, on their way to the disk.
struct Batch<C> {
    commits: Vec<ShardCommit>,
    counted: Vec<Counted<C>>,
    shards: BTreeSet<(String, u64)>,
}

/// What is written and is to be answered.
struct Counted<C> {
    caller: C,
    id: String,
    shard_number: u64,
    by: DeliveredBy,
    dissent: Dissent,
}

/// The other results for a shard, by the instances of their workers: those that are the same, with their workers' names, and
/// those that differ.
#[derive(Default)]
struct Dissent {
    agreed: Vec<(String, String)>,
    differed: Vec<(String, Disagreement)>,
}

impl<D: Disk, C> Flush<'_, D, C> {
    /// Writes the results with which shards are done in one batch, then answers; and those that others must come to as well.
    pub fn run(mut self, ready: Vec<Ready<C>>) -> Left<C> {
        let mut left = Left { later: Vec::new(), again: Vec::new() };
        let mut batch = Batch { commits: Vec::new(), counted: Vec::new(), shards: BTreeSet::new() };
        for Ready { checked, reference } in ready {
            let Delivery { sweep_id, shard_number, .. } = &checked.delivery;
            // The gate lets nothing through then; this spares looking at the disk.
            if let Some(failure) = self.gate.outage() {
                let refused = DeliveryError::NotWritten(failure.to_string());
                self.outbox.answer(checked.caller, Err(refused));
            } else if batch.shards.contains(&(sweep_id.clone(), *shard_number)) {
                // The same shard twice in one batch: the second is compared once the first is on disk.
                left.later.push(Ready { checked, reference });
            } else {
                let standing = self.schedule.result(sweep_id, *shard_number, &checked.vote());
                match (standing, reference) {
                    (ResultStanding::Decides { .. }, ReferenceVerdict::Confirmed(confirmed)) => self.decide(checked, confirmed, &mut batch),
                    // Another worker has agreed in the meantime.
                    (ResultStanding::Decides { .. }, ReferenceVerdict::NotAsked) => left.again.push(checked),
                    (ResultStanding::Decides { .. } | ResultStanding::Vote, reference) => self.keep_vote(checked, reference),
                    (ResultStanding::Repeated, _) => {
                        self.workers.count_result(ResultOutcome::Repeated);
                        self.outbox.answer(checked.caller, Ok(false));
                    }
                    (ResultStanding::Checks, _) => self.check(checked),
                    (ResultStanding::Duplicate, _) => {
                        self.workers.count_result(ResultOutcome::Duplicate);
                        let compared = self.compare(&checked.delivery, checked.digest);
                        self.outbox.answer(checked.caller, compared.map(|_| false));
                    }
                    (
                        ResultStanding::UnknownSweep | ResultStanding::NoSuchShard | ResultStanding::SweepClosed | ResultStanding::Banned,
                        _,
                    ) => self.refuse_unwanted(checked, standing),
                }
            }
        }
        self.commit(batch);
        left
    }

    /// Takes a result into the batch with which its shard is done.
    fn decide(&mut self, checked: Checked<C>, confirmed: Vec<Confirmed>, batch: &mut Batch<C>) {
        let Checked { delivery, host, digest, caller } = checked;
        let (id, shard_number) = (delivery.sweep_id.clone(), delivery.shard_number);
        let dissent = match self.dissent(&id, shard_number, digest) {
            Ok(dissent) => dissent,
            Err(failure) => {
                self.gate.begin_outage(&failure);
                return self.outbox.answer(caller, Err(DeliveryError::NotWritten(failure.to_string())));
            }
        };
        let (worker, by) = (self.worker_name(delivery.worker), DeliveredBy::of(&delivery));
        self.note_host(&id, &host);
        let Some(active) = self.sweeps.get_mut(&id) else {
            return self.fault(caller, &id, format!("the schedule has sweep '{id}' and it is not in memory"));
        };
        match commit(active, delivery, (host, worker), digest, confirmed, &dissent) {
            Ok(commit) => {
                batch.shards.insert((id.clone(), shard_number));
                batch.commits.push(commit);
                batch.counted.push(Counted { caller, id, shard_number, by, dissent });
            }
            Err(AddError::Merge(failure @ MergeError::Claims { .. })) => {
                self.fault(caller, &id, format!("the result of shard {shard_number} cannot be added: {failure}"));
            }
            // The result is to blame, and not the sweep: what is kept of that stays as it was.
            Err(failure) => {
                let problem = failure.to_string();
                warn!(sweep = id, shard = shard_number, worker = by.worker.0, lease = by.lease.0, problem, "result refused");
                self.workers.count_result(ResultOutcome::Refused);
                self.outbox.answer(caller, Err(DeliveryError::Invalid { sweep_id: id, shard_number, problem }));
            }
        }
    }

    /// Writes a batch, and answers when it is on disk.
    fn commit(&mut self, Batch { commits, counted, .. }: Batch<C>) {
        if commits.is_empty() {
            return;
        }
        match self.gate.write(|disk| disk.commit(&commits)) {
            Ok(took) => {
                self.workers.count_commit(took, commits.len());
                counted.into_iter().for_each(|counted| self.count(counted));
            }
            Err(failure) => self.take_back(counted, failure),
        }
    }

    /// Tells the schedule, and the worker, of a result that is on disk.
    fn count(&mut self, Counted { caller, id, shard_number, by, dissent }: Counted<C>) {
        self.count_taken(&by, ResultOutcome::Counted, &id, shard_number);
        for (instance, Disagreement { worker, .. }) in dissent.differed {
            let agreeing = dissent.agreed.len() + 1;
            self.workers.count_contradicted(&instance);
            self.schedule
                .ban(&instance, format!("{worker} gave a result for shard {shard_number} of '{id}' that {agreeing} others contradict"));
        }
        if let Err(failure) = self.schedule.mark_done(&id, shard_number) {
            return self.fault(caller, &id, format!("shard {shard_number} is on disk and not in the schedule: {failure}"));
        }
        if let Some(active) = self.sweeps.get_mut(&id) {
            active.rate.sample(self.now_ms, active.tally.decided + self.schedule.progress(&id));
        }
        self.outbox.answer(caller, Ok(true));
    }

    /// A batch that was not written changes nothing: the sweeps are read again from disk. Their workers keep the results, but
    /// for those of a sweep that the disk contradicts, which fails.
    fn take_back(&mut self, counted: Vec<Counted<C>>, failure: NotWritten) {
        let ids: BTreeSet<&str> = counted.iter().map(|counted| counted.id.as_str()).collect();
        if let Err(unread) = self.sweeps.reread(self.gate.disk(), ids) {
            // They are read before anything is written again.
            self.gate.begin_outage(&unread);
        }
        let is_fault = matches!(failure, NotWritten::Fault(_));
        let failure = failure.into_failure();
        let fails = |id: &str| is_fault && failure.sweep_id().is_none_or(|failed| failed == id);
        let failed: BTreeSet<&str> = counted.iter().map(|counted| counted.id.as_str()).filter(|id| fails(id)).collect();
        failed.into_iter().for_each(|id| faults::fail(self.schedule, id, &failure.to_string()));
        for Counted { caller, id, .. } in counted {
            match fails(&id) {
                true => self.refuse(caller, failure.to_string()),
                false => self.outbox.answer(caller, Err(DeliveryError::NotWritten(failure.to_string()))),
            }
        }
    }

    /// Writes a result that others must come to as well, then answers.
    fn keep_vote(&mut self, checked: Checked<C>, reference: ReferenceVerdict) {
        let (vote, by) = (checked.vote(), DeliveredBy::of(&checked.delivery));
        let worker = self.worker_name(checked.delivery.worker);
        let Checked { delivery: Delivery { sweep_id, shard_number, instance, result, seconds, .. }, host, digest, caller } = checked;
        let contradicted = match reference {
            ReferenceVerdict::Contradicts(reason) => Some(reason),
            ReferenceVerdict::NotAsked | ReferenceVerdict::Confirmed(_) => None,
        };
        self.note_host(&sweep_id, &host);
        let record = VoteRecord { instance, host, worker, digest, seconds, contradicted, result };
        match self.gate.write(|disk| disk.put_vote(&sweep_id, shard_number, &record)) {
            Ok(()) => {}
            Err(NotWritten::Outage(failure)) => return self.outbox.answer(caller, Err(DeliveryError::NotWritten(failure.to_string()))),
            Err(NotWritten::Fault(failure)) => return self.fault(caller, &sweep_id, failure.to_string()),
        }
        self.count_taken(&by, ResultOutcome::Vote, &sweep_id, shard_number);
        match self.schedule.hear_vote(&sweep_id, shard_number, vote) {
            Ok(()) => self.outbox.answer(caller, Ok(false)),
            Err(failure) => {
                let reason = format!("a result for shard {shard_number} is on disk and not in the schedule: {failure}");
                self.fault(caller, &sweep_id, reason);
            }
        }
    }

    /// What others came to for a shard that is about to be done with this result.
    fn dissent(&self, id: &str, shard_number: u64, digest: u128) -> Result<Dissent, StoreError> {
        let heard = self.schedule.votes(id, shard_number);
        if heard.is_empty() {
            return Ok(Dissent::default());
        }
        let records = self.gate.disk().votes_on(id, shard_number)?;
        let names: BTreeMap<String, String> = records.into_iter().map(|record| (record.instance, record.worker)).collect();
        let mut dissent = Dissent::default();
        for vote in heard {
            let name = names.get(&vote.instance).unwrap_or(&vote.instance).clone();
            if vote.digest == digest {
                dissent.agreed.push((vote.instance.clone(), name));
            } else {
                dissent.differed.push((vote.instance.clone(), Disagreement { digest: vote.digest, worker: name }));
            }
        }
        Ok(dissent)
    }

    /// Holds a result against the one that counts and was one worker's alone. If it is the same, the shard is done.
    fn check(&mut self, checked: Checked<C>) {
        let Checked { delivery, host, digest, caller } = checked;
        let by = DeliveredBy::of(&delivery);
        let (id, shard_number, worker) = (delivery.sweep_id.clone(), delivery.shard_number, self.worker_name(delivery.worker));
        self.note_host(&id, &host);
        let same = match self.compare(&delivery, digest) {
            Ok(same) => same,
            Err(refused) => return self.outbox.answer(caller, Err(refused)),
        };
        if !same {
            self.workers.count_result(ResultOutcome::Duplicate);
            return self.outbox.answer(caller, Ok(false));
        }
        match self.gate.write(|disk| disk.add_agreement(&id, shard_number, &worker)) {
            Ok(()) => {}
            Err(NotWritten::Outage(failure)) => return self.outbox.answer(caller, Err(DeliveryError::NotWritten(failure.to_string()))),
            Err(NotWritten::Fault(failure)) => return self.fault(caller, &id, failure.to_string()),
        }
        self.count_taken(&by, ResultOutcome::Vote, &id, shard_number);
        match self.schedule.mark_done(&id, shard_number) {
            Ok(_) => self.outbox.answer(caller, Ok(true)),
            Err(failure) => self.fault(caller, &id, format!("shard {shard_number} is on disk and not in the schedule: {failure}")),
        }
    }

    /// Notes the host of a result. One that cannot be written is noted with the next that can.
    fn note_host(&mut self, id: &str, host: &str) {
        let Some(active) = self.sweeps.get_mut(id) else { return };
        if !active.note_host(host) {
            return;
        }
        if let Err(failure) = self.gate.write(|disk| disk.put_sweep(&active.record)) {
            active.record.hosts.remove(host);
            let failure = failure.into_failure();
            error!(sweep = id, host, %failure, "the host of a result could not be noted");
        }
    }

    /// Compares a later result with the one that counted, and says whether they are the same. Where one worker alone had decided,
    /// nobody can tell which of the two is wrong, and a difference fails the sweep; where several had agreed, the later one is wrong.
    ///
    /// The worker drops its result when it hears that this went well, so its outcome is on disk then.
    fn compare(&mut self, delivery: &Delivery, digest: u128) -> Result<bool, DeliveryError> {
        let Delivery { sweep_id, shard_number, worker, instance, .. } = delivery;
        let not_written = |failure: StoreError| DeliveryError::NotWritten(failure.to_string());
        let first = self.gate.disk().shard(sweep_id, *shard_number).map_err(|failure| {
            self.gate.begin_outage(&failure);
            not_written(failure)
        })?;
        let Some(first) = first else {
            let reason = format!("shard {shard_number} of '{sweep_id}' is done and its result is not on disk");
            faults::fail(self.schedule, sweep_id, &reason);
            return Err(DeliveryError::NotWanted(reason));
        };
        if first.digest != digest {
            let second = Disagreement { digest, worker: self.worker_name(*worker) };
            let reason = format!("two results for shard {shard_number} differ: one by {}, one by {}", first.worker, second.worker);
            error!(sweep = sweep_id, shard = shard_number, worker = worker.0, reason);
            match self.gate.write(|disk| disk.add_disagreement(sweep_id, *shard_number, second)) {
                Ok(()) => {}
                Err(NotWritten::Outage(failure)) => return Err(not_written(failure)),
                Err(NotWritten::Fault(failure)) => {
                    let reason = format!("{reason}, and that cannot be noted: {failure}");
                    faults::fail(self.schedule, sweep_id, &reason);
                    return Err(DeliveryError::NotWanted(reason));
                }
            }
            if first.agreed.is_empty() {
                faults::fail(self.schedule, sweep_id, &reason);
            } else {
                self.workers.count_contradicted(instance);
                self.schedule.ban(instance, reason);
            }
        }
        self.journal.write(self.gate, self.schedule, self.sweeps);
        self.gate.outage().map_or(Ok(first.digest == digest), |failure| Err(not_written(failure.clone())))
    }

    /// Counts a result that was written. Called before the schedule hears of it, which ends its lease.
    fn count_taken(&mut self, by: &DeliveredBy, outcome: ResultOutcome, sweep: &str, shard: u64) {
        self.workers.count_taken(self.schedule, by, outcome, sweep, shard, self.now_ms);
        self.schedule.credit(self.now_ms, by.worker, by.lease);
    }

    fn refuse_unwanted(&mut self, checked: Checked<C>, standing: ResultStanding) {
        let Checked { delivery, caller, .. } = checked;
        let reason = not_wanted(&delivery, standing).unwrap_or_default();
        let (sweep, shard, worker, lease) = (&delivery.sweep_id, delivery.shard_number, delivery.worker.0, delivery.lease.0);
        warn!(sweep, shard, worker, lease, refused = reason, "result refused");
        self.refuse(caller, reason);
    }

    fn refuse(&mut self, caller: C, sentence: String) {
        self.workers.count_result(ResultOutcome::Refused);
        self.outbox.answer(caller, Err(DeliveryError::NotWanted(sentence)));
    }

    /// Ends a sweep as failed, and refuses a result for it.
    fn fault(&mut self, caller: C, sweep_id: &str, reason: String) {
        faults::fail(self.schedule, sweep_id, &reason);
        self.refuse(caller, reason);
    }

    fn worker_name(&self, worker: WorkerId) -> String {
        self.schedule.worker(worker).map_or_else(|| format!("worker {worker}"), |view| format!("worker {worker} on {}", view.info.machine))
    }
}

/// Takes a result into the sweep's tally and kept counterexamples, and says what that changes on disk.
///
/// # Errors
/// [`AddError`]; nothing is changed then.
fn commit(
    active: &mut ActiveSweep,
    delivery: Delivery,
    (host, worker): (String, String),
    digest: u128,
    confirmed: Vec<Confirmed>,
    dissent: &Dissent,
) -> Result<ShardCommit, AddError> {
    let Delivery { sweep_id, shard_number, instance, result, seconds, .. } = delivery;
    active.add(&result.tally)?;
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
    Ok(ShardCommit {
        sweep_id,
        shard_number,
        record: ShardRecord {
            digest,
            worker,
            instance,
            host,
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
    })
}
