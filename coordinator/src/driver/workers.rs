//! The workers: what they ask for, and what is counted and logged of that.

use std::time::Duration;

use refute_shared::text::{duration, several};
use tracing::{debug, info, warn};

use crate::schedule::{
    ExpiredLease, LeaseGrant, LeaseId, LeaseView, Probation, Schedule, TooManyWorkers, UnknownWorker, WorkerId, WorkerInfo, WorkerView,
};

use super::counters::{Counters, ResultOutcome, Retry};
use super::delivery::Delivery;
use super::fleet::{Fleet, WorkerRecord};
use crate::status::{RunningShard, WorkerStatus};

/// Whose a result is, and how much it decides.
pub struct DeliveredBy {
    /// Who.
    pub worker: WorkerId,
    instance: String,
    /// Under which lease.
    pub lease: LeaseId,
    decided: u128,
}

impl DeliveredBy {
    /// Of a result.
    pub fn of(delivery: &Delivery) -> Self {
        let Delivery { worker, instance, lease, result, .. } = delivery;
        Self { worker: *worker, instance: instance.clone(), lease: *lease, decided: result.tally.decided }
    }
}

/// What workers have done in this run, and what became of their results. It decides nothing.
#[derive(Default)]
pub struct Workers {
    fleet: Fleet,
    counters: Counters,
}

impl Workers {
    /// What has happened in this run, counted.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Takes in a worker, and gives it an id.
    ///
    /// # Errors
    /// [`TooManyWorkers`].
    pub fn register(&mut self, schedule: &mut Schedule, now_ms: u64, info: WorkerInfo) -> Result<WorkerId, TooManyWorkers> {
        schedule.check_room(&info.host)?;
        let (other_version, too_small) = (schedule.other_version(&info), schedule.too_small(&info));
        let worker = schedule.register(now_ms, info.clone());
        info!(worker = worker.0, host = info.host, machine = info.machine, build = info.build, slots = info.slots, "worker registered");
        if let Some(reason) = other_version {
            warn!(worker = worker.0, host = info.host, reason, "worker of another version");
        }
        if let Some(reason) = too_small {
            warn!(worker = worker.0, host = info.host, reason, "worker with too little memory");
        }
        self.fleet.register(now_ms, worker, &info);
        Ok(worker)
    }

    /// Takes note of a request for shards by its number, and returns the leases with which it was answered before; nothing if its
    /// worker does not wait for it any more.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn ask(
        &mut self,
        schedule: &mut Schedule,
        now_ms: u64,
        worker: WorkerId,
        number: u64,
    ) -> Result<Option<Vec<LeaseGrant>>, UnknownWorker> {
        let again = schedule.ask(now_ms, worker, number)?;
        for LeaseGrant { lease_id, sweep_id, shard_number } in again.iter().flatten() {
            debug!(sweep = sweep_id, shard = shard_number, worker = worker.0, lease = lease_id.0, "lease given again: its answer was lost");
        }
        Ok(again)
    }

    /// Hands a worker a shard, if there is one for it.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn lease(&mut self, schedule: &mut Schedule, now_ms: u64, worker: WorkerId) -> Result<Option<LeaseGrant>, UnknownWorker> {
        let granted = schedule.lease(now_ms, worker)?;
        self.hear(schedule, now_ms, worker);
        if let Some(LeaseGrant { lease_id, sweep_id, shard_number }) = &granted {
            debug!(sweep = sweep_id, shard = shard_number, worker = worker.0, lease = lease_id.0, "lease granted");
        }
        Ok(granted)
    }

    /// Extends the leases that a worker names, and returns those that it is to stop.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn heartbeat(
        &mut self,
        schedule: &mut Schedule,
        now_ms: u64,
        worker: WorkerId,
        leases: &[(LeaseId, u128)],
    ) -> Result<Vec<LeaseId>, UnknownWorker> {
        let stop = schedule.heartbeat(now_ms, worker, leases)?;
        self.hear(schedule, now_ms, worker);
        Ok(stop)
    }

    /// Takes a lease back from its worker, with the reason if the shard is to blame.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn release(
        &mut self,
        schedule: &mut Schedule,
        now_ms: u64,
        worker: WorkerId,
        lease: LeaseId,
        error: Option<String>,
    ) -> Result<(), UnknownWorker> {
        let why = if error.is_some() { Retry::Error } else { Retry::Returned };
        if let Some(held) = schedule.held(lease).filter(|held| held.worker == worker) {
            let (sweep, shard) = (held.sweep_id, held.shard_number);
            match &error {
                Some(error) => warn!(sweep, shard, worker = worker.0, lease = lease.0, error, "shard given back"),
                None => debug!(sweep, shard, worker = worker.0, lease = lease.0, "shard given back"),
            }
            self.count_retries(worker, why, 1);
        }
        schedule.release(now_ms, worker, lease, error)?;
        self.hear(schedule, now_ms, worker);
        Ok(())
    }

    /// Lets a worker go that says goodbye.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn deregister(&mut self, schedule: &mut Schedule, worker: WorkerId) -> Result<(), UnknownWorker> {
        let before = schedule.leases().len();
        schedule.deregister(worker)?;
        let returned = before - schedule.leases().len();
        self.count_retries(worker, Retry::Returned, returned as u64);
        self.fleet.forget(worker);
        info!(worker = worker.0, returned, "worker left");
        Ok(())
    }

    /// Ends the leases whose time is over, and returns them; forgets workers that were lost long ago, or beside many others.
    pub fn expire(&mut self, schedule: &mut Schedule, now_ms: u64) -> Vec<ExpiredLease> {
        let expired = schedule.expire(now_ms);
        for lease in &expired {
            let (shard, quarantined) = (lease.shard_number, lease.quarantined);
            warn!(sweep = lease.sweep_id, shard, worker = lease.worker.0, lease = lease.lease_id.0, quarantined, "lease ran out");
            self.counters.count_retries(Retry::Lost, 1);
            if let Some(record) = self.fleet.by_id(lease.worker) {
                record.lose(lease.sweep_id.clone(), shard);
            }
        }
        self.fleet.prune(now_ms, schedule.workers().len(), |id| schedule.has_worker(id));
        expired
    }

    /// Counts a result that was not taken, or came before.
    pub fn count_result(&mut self, outcome: ResultOutcome) {
        self.counters.count_result(outcome);
    }

    /// Counts a batch of results that is on disk.
    pub fn count_commit(&mut self, took: Duration, results: usize) {
        self.counters.commit_seconds.observe(took.as_secs_f64());
        self.counters.commit_results.observe(results as f64);
    }

    /// Counts a result that was written. Called before the schedule hears of it, which ends its lease.
    pub fn count_taken(&mut self, schedule: &Schedule, by: &DeliveredBy, outcome: ResultOutcome, sweep: &str, shard: u64, now_ms: u64) {
        debug!(sweep, shard, worker = by.worker.0, lease = by.lease.0, outcome = outcome.word(), "result counted");
        self.counters.count_result(outcome);
        if outcome == ResultOutcome::Counted {
            self.counters.shards_done += 1;
            self.counters.configurations_decided += by.decided;
        }
        let mut in_progress = schedule.progress_of(by.worker);
        let is_for_it = |held: &LeaseView<'_>| held.worker == by.worker && held.sweep_id == sweep && held.shard_number == shard;
        if let Some(held) = schedule.held(by.lease).filter(is_for_it) {
            self.counters.lease_seconds.observe(now_ms.saturating_sub(held.given_ms) as f64 / 1000.0);
            in_progress -= held.decided.min(in_progress);
        }
        if let Some(record) = self.fleet.by_instance(&by.instance) {
            record.shards_done += 1;
            record.decided += by.decided;
            record.sample(now_ms, in_progress);
        }
    }

    /// Counts a result that others contradict.
    pub fn count_contradicted(&mut self, instance: &str) {
        if let Some(record) = self.fleet.by_instance(instance) {
            record.contradicted += 1;
        }
    }

    fn count_retries(&mut self, worker: WorkerId, why: Retry, leases: u64) {
        self.counters.count_retries(why, leases);
        if let Some(record) = self.fleet.by_id(worker) {
            match why {
                Retry::Error => record.errors += leases,
                Retry::Returned => record.returned += leases,
                // That is told lease by lease.
                Retry::Lost => {}
            }
        }
    }

    /// Takes note that a worker was heard, and how far it is.
    fn hear(&mut self, schedule: &Schedule, now_ms: u64, worker: WorkerId) {
        let in_progress = schedule.progress_of(worker);
        if let Some(record) = self.fleet.by_id(worker) {
            record.heard_ms = now_ms;
            record.sample(now_ms, in_progress);
        }
    }

    /// The workers that are there, in the order in which they registered, after one of this id or from the first on, each computed
    /// when it is asked for.
    pub fn list_after<'a>(
        &'a self,
        schedule: &'a Schedule,
        after: Option<WorkerId>,
        now_ms: u64,
    ) -> impl Iterator<Item = WorkerStatus> + use<'a> {
        schedule.workers_after(after).map(move |view| self.status(schedule, &view, now_ms))
    }

    fn status(&self, schedule: &Schedule, view: &WorkerView<'_>, now_ms: u64) -> WorkerStatus {
        let shard = |lease: LeaseView<'_>| RunningShard {
            sweep_id: lease.sweep_id.to_owned(),
            shard_number: lease.shard_number,
            decided: lease.decided,
            running_ms: now_ms.saturating_sub(lease.given_ms),
        };
        let unknown = WorkerRecord::default();
        let record = self.fleet.record(&view.info.instance).unwrap_or(&unknown);
        WorkerStatus {
            worker_id: view.id.0,
            silent_ms: now_ms.saturating_sub(view.heard_ms),
            shards: schedule.leases_of(view.id).map(shard).collect(),
            banned: view.banned.map(str::to_owned),
            other_version: schedule.other_version(view.info),
            too_small: schedule.too_small(view.info),
            rate: record.rate(now_ms, schedule.progress_of(view.id)),
            drained: view.drained,
            probation: view.probation.map(|probation| probation_in_words(probation, now_ms)),
            is_lost: false,
            ..done(record, view.info, now_ms)
        }
    }

    /// The workers that were lost and are still remembered.
    pub fn lost(&self, schedule: &Schedule, now_ms: u64) -> Vec<WorkerStatus> {
        let lost = self.fleet.lost(|id| schedule.has_worker(id));
        lost.map(|record| done(record, &record.info, now_ms)).collect()
    }
}

/// What a worker has done, as of one that was lost.
fn done(record: &WorkerRecord, info: &WorkerInfo, now_ms: u64) -> WorkerStatus {
    WorkerStatus {
        worker_id: record.worker,
        host: info.machine.clone(),
        build: info.build.clone(),
        slots: info.slots,
        slot_bytes: info.slot_bytes,
        silent_ms: now_ms.saturating_sub(record.heard_ms),
        shards: Vec::new(),
        banned: None,
        other_version: None,
        too_small: None,
        memory_kills: info.memory_kills,
        registered_for_ms: now_ms.saturating_sub(record.registered_ms),
        rate: 0.0,
        shards_done: record.shards_done,
        decided: record.decided,
        leases_lost: record.lost,
        errors: record.errors,
        returned: record.returned,
        contradicted: record.contradicted,
        lost_shards: record.lost_shards.iter().cloned().collect(),
        peer: info.host.clone(),
        drained: false,
        probation: None,
        is_lost: true,
    }
}

/// Why a worker gets one shard at a time.
fn probation_in_words(probation: Probation, now_ms: u64) -> String {
    let Probation { failures, lost, resumes_ms } = probation;
    let mut reasons = Vec::new();
    if failures > 0 {
        reasons.push(format!("{} in a row", several(failures.into(), "failure")));
    }
    if lost > 0 {
        reasons.push(format!("{} lost on its host before", several(lost.into(), "worker")));
    }
    let pause_ms = resumes_ms.saturating_sub(now_ms);
    let pause = if pause_ms > 0 { format!(", the next in {}", duration(pause_ms as f64 / 1000.0)) } else { String::new() };
    format!("{}: gets one shard at a time{pause}", reasons.join(", "))
}
