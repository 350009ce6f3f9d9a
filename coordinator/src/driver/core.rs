//! The core: the schedule, the disk and the sweeps in memory, wired together. It is plain synchronous code: its driver hands
//! it the time, calls [`Core::tick`] after each turn, and does what [`Core::take_actions`] says.

use refute_shared::sweep::{Shard, Sweep};
use refute_shared::text::quoted;

use crate::schedule::{
    Config, ControlError, ExpiredLease, LeaseGrant, LeaseId, Schedule, SweepState, TooManyDrained, TooManyWorkers, UnknownWorker, WorkerId,
    WorkerInfo,
};
use crate::store::SweepRecord;

use super::active::{ActiveSweep, LoadError};
use super::counters::ResultOutcome;
use super::delivery::{Checked, Confirmed, Delivery, ResultKey};
use super::disk::Disk;
use super::faults;
use super::flush::Flush;
use super::intake::{Intake, Taken};
use super::journal::Journal;
use super::outage::{Gate, NotWritten};
use super::outbox::{Action, Outbox};
use super::running::Running;
use super::submit::{self, Prepared, SubmitError};
use super::sweeps::Sweeps;
use super::workers::Workers;

/// How a coordinator runs.
#[derive(Clone, Copy, Debug)]
pub struct DriverOptions {
    /// How long a lease lasts without a heartbeat.
    pub lease_ttl_ms: u64,
    /// How often a worker reports, at most a quarter of the above.
    pub heartbeat_every_ms: u64,
    /// How many attempts at a shard may go wrong before it is quarantined.
    pub max_attempts: u32,
    /// Whether the unfinished sweeps on disk go on; without, only those that are submitted now.
    pub resume_all: bool,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self { lease_ttl_ms: 15_000, heartbeat_every_ms: 1_000, max_attempts: 3, resume_all: true }
    }
}

/// A worker's place in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Its id.
    pub worker: WorkerId,
    /// How long its leases last without a heartbeat.
    pub lease_ttl_ms: u64,
    /// How often it should send one.
    pub heartbeat_every_ms: u64,
}

/// A shard handed to a worker, with all that it needs to solve it.
#[derive(Clone)]
pub struct Leased<'a> {
    /// The lease.
    pub grant: LeaseGrant,
    /// The shard.
    pub shard: Shard,
    /// The sweep.
    pub sweep: &'a Sweep,
    /// The sweep as it is on disk.
    pub record: &'a SweepRecord,
    /// Its space, encoded.
    pub encoded_space: &'a str,
}

/// What a coordinator knows and decides, on a disk of type `D`, for callers of type `C` who wait to hear what becomes of their
/// results. Each caller is answered once.
pub struct Core<D, C> {
    pub(super) schedule: Schedule,
    pub(super) gate: Gate<D>,
    pub(super) sweeps: Sweeps,
    pub(super) workers: Workers,
    pub(super) journal: Journal,
    intake: Intake<C>,
    running: Running,
    outbox: Outbox<C>,
    closing: bool,
}

impl<D: Disk, C> Core<D, C> {
    /// Starts on what is on disk.
    ///
    /// # Errors
    /// [`LoadError::Store`]. A sweep that this version cannot go on with is left out.
    pub fn new(disk: D, options: DriverOptions) -> Result<Self, LoadError> {
        Self::reading(disk, options, |records| records.iter().cloned().map(ActiveSweep::of_record).collect())
    }

    /// The same where somebody reads the sweeps found on disk, each of these records into one: it takes time where they are many.
    ///
    /// # Errors
    /// As [`Core::new`].
    pub fn reading(
        disk: D,
        options: DriverOptions,
        read: impl FnOnce(&[SweepRecord]) -> Vec<Result<ActiveSweep, LoadError>>,
    ) -> Result<Self, LoadError> {
        let mut schedule = Schedule::new(Config {
            lease_ttl_ms: options.lease_ttl_ms,
            heartbeat_every_ms: options.heartbeat_every_ms.min(options.lease_ttl_ms / 4).max(1),
            max_attempts: options.max_attempts,
            epoch: disk.epoch(),
        });
        for (instance, reason) in disk.banned()? {
            schedule.restore_ban(instance, reason);
        }
        for host in disk.drained()? {
            schedule.restore_drained(&host);
        }
        let mut sweeps = Sweeps::default();
        let records = disk.sweeps()?;
        records.iter().for_each(|record| sweeps.number(record));
        if options.resume_all {
            let read = read(&records);
            for (record, read) in records.into_iter().zip(read) {
                sweeps.load_if_readable(&disk, &mut schedule, record, read)?;
            }
        }
        let mut core = Self {
            schedule,
            gate: Gate::new(disk),
            sweeps,
            workers: Workers::default(),
            journal: Journal::default(),
            intake: Intake::new(),
            running: Running::default(),
            outbox: Outbox::new(),
            closing: false,
        };
        core.write_changes();
        Ok(core)
    }

    /// What is done after every turn: leases that ran out, which it returns, what must be written, and running times.
    pub fn tick(&mut self, now_ms: u64) -> Vec<ExpiredLease> {
        let expired = self.workers.expire(&mut self.schedule, now_ms);
        let Self { schedule, sweeps, .. } = self;
        self.gate.retry(now_ms, |disk| sweeps.reload(disk, schedule));
        self.flush(now_ms);
        self.write_changes();
        self.running.count(now_ms, &mut self.gate, &self.schedule, &mut self.sweeps);
        expired
    }

    fn flush(&mut self, now_ms: u64) {
        let ready = self.intake.take_ready();
        let Self { gate, schedule, sweeps, workers, journal, outbox, .. } = self;
        let left = Flush { gate, schedule, sweeps, workers, journal, outbox, now_ms }.run(ready);
        self.intake.put_back(left.later);
        for Checked { delivery, caller, .. } in left.again {
            self.deliver(delivery, caller);
        }
    }

    fn write_changes(&mut self) {
        self.journal.write(&mut self.gate, &mut self.schedule, &mut self.sweeps);
    }

    /// When something is to be done next even if nothing comes in, in milliseconds from now.
    #[must_use]
    pub fn next_timer(&self, now_ms: u64) -> u64 {
        const LONGEST_WAIT_MS: u64 = 500;
        if self.intake.is_ready() {
            return 0;
        }
        let due = self.schedule.next_timer().unwrap_or(u64::MAX).saturating_sub(now_ms);
        due.clamp(1, LONGEST_WAIT_MS)
    }

    /// What is to be done now that the turn is over.
    pub fn take_actions(&mut self) -> Vec<Action<C>> {
        self.outbox.take()
    }

    /// How many shards a sweep has for which a worker may hand in a result; or a sentence, if it may not. What is said here lets
    /// nothing of the result in yet.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn admit(&mut self, worker: WorkerId, instance: &str, sweep_id: &str) -> Result<Result<u64, String>, UnknownWorker> {
        let known = self.schedule.worker(worker).ok_or(UnknownWorker { worker })?;
        let refused = if known.info.instance != instance {
            format!("worker {worker} has registered under another name than the one under which this result comes")
        } else if let Some(reason) = known.banned {
            format!("worker {worker} was contradicted by others, and no result of its is taken: {reason}")
        } else {
            match self.schedule.counts(sweep_id) {
                Some(counts) => return Ok(Ok(counts.total)),
                None => format!("there is no sweep '{}'", quoted(sweep_id)),
            }
        };
        self.count(Taken::Refused);
        Ok(Err(refused))
    }

    /// Takes in a result: it is checked; if the shard is done with it, its counterexamples are solved again; it is written; and
    /// then its caller is answered whether the shard is done with it.
    pub fn deliver(&mut self, delivery: Delivery, caller: C) {
        let taken = self.intake.take(delivery, caller, &mut self.schedule, &self.sweeps, &mut self.outbox);
        self.count(taken);
    }

    /// Takes in what the reference says about a result's counterexamples: those that stand, or why one does not.
    pub fn confirmed(&mut self, result: &ResultKey, confirmed: Result<Vec<Confirmed>, String>) {
        let taken = self.intake.confirmed(result, confirmed, &mut self.schedule, &mut self.outbox);
        self.count(taken);
    }

    fn count(&mut self, taken: Taken) {
        if taken == Taken::Refused {
            self.workers.count_result(ResultOutcome::Refused);
        }
    }

    /// Takes in a worker.
    ///
    /// # Errors
    /// [`TooManyWorkers`].
    pub fn register(&mut self, now_ms: u64, info: WorkerInfo) -> Result<Registration, TooManyWorkers> {
        let Config { lease_ttl_ms, heartbeat_every_ms, .. } = self.schedule.config();
        Ok(Registration { worker: self.workers.register(&mut self.schedule, now_ms, info)?, lease_ttl_ms, heartbeat_every_ms })
    }

    /// Takes note of a worker's request for shards by its number, and returns the leases with which it was answered before that
    /// answer was lost; nothing if the worker does not wait for it any more, and so is to be given none.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn ask(&mut self, now_ms: u64, worker: WorkerId, number: u64) -> Result<Option<Vec<LeaseGrant>>, UnknownWorker> {
        self.workers.ask(&mut self.schedule, now_ms, worker, number)
    }

    /// Hands a worker a shard, if there is one for it.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn lease(&mut self, now_ms: u64, worker: WorkerId) -> Result<Option<Leased<'_>>, UnknownWorker> {
        let granted = self.workers.lease(&mut self.schedule, now_ms, worker)?;
        Ok(granted.and_then(|grant| self.leased(grant)))
    }

    /// What a worker must know of a lease. Without it the sweep has failed.
    pub fn leased(&mut self, grant: LeaseGrant) -> Option<Leased<'_>> {
        let active = self.sweeps.get(&grant.sweep_id);
        let Some((active, shard)) = active.and_then(|active| Some((active, active.record.plan.shard(grant.shard_number)?))) else {
            let LeaseGrant { sweep_id, shard_number, .. } = grant;
            let reason = format!("the schedule has shard {shard_number} of '{sweep_id}' and the sweep in memory has not");
            faults::fail(&mut self.schedule, &sweep_id, &reason);
            return None;
        };
        Some(Leased { grant, shard, sweep: &active.sweep, record: &active.record, encoded_space: &active.encoded_space })
    }

    /// Takes back a lease that never reached its worker. Nobody is blamed, and nothing is counted.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn take_back(&mut self, now_ms: u64, worker: WorkerId, lease: LeaseId) -> Result<(), UnknownWorker> {
        self.schedule.release(now_ms, worker, lease, None).map(drop)
    }

    /// Why a worker gets no more work, if it does not.
    #[must_use]
    pub fn banned(&self, worker: WorkerId) -> Option<&str> {
        self.schedule.worker(worker).and_then(|view| view.banned)
    }

    /// Extends the leases that a worker names, and returns those that it is to stop.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn heartbeat(&mut self, now_ms: u64, worker: WorkerId, leases: &[(LeaseId, u128)]) -> Result<Vec<LeaseId>, UnknownWorker> {
        self.workers.heartbeat(&mut self.schedule, now_ms, worker, leases)
    }

    /// Takes a lease back from its worker, with the reason if the shard is to blame.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn release(&mut self, now_ms: u64, worker: WorkerId, lease: LeaseId, error: Option<String>) -> Result<(), UnknownWorker> {
        self.workers.release(&mut self.schedule, now_ms, worker, lease, error)
    }

    /// Lets a worker go that says goodbye.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn deregister(&mut self, worker: WorkerId) -> Result<(), UnknownWorker> {
        self.workers.deregister(&mut self.schedule, worker)
    }

    /// Adds a sweep, or goes on with the same one if it is there, and returns its id. The wall time is for display only.
    ///
    /// # Errors
    /// [`SubmitError`]; nothing is left behind.
    pub fn submit(&mut self, manifest: &str, fresh: bool, priority: Option<i32>, unix_ms: u64) -> Result<String, SubmitError> {
        self.take_in(&mut Some(Prepared::new(manifest)?), fresh, priority, unix_ms)
    }

    /// The same where the manifest has been read elsewhere. What is not needed of it is left where it is, to be dropped elsewhere.
    ///
    /// # Errors
    /// [`SubmitError`]; nothing is left behind.
    pub fn take_in(
        &mut self,
        prepared: &mut Option<Prepared>,
        fresh: bool,
        priority: Option<i32>,
        unix_ms: u64,
    ) -> Result<String, SubmitError> {
        let Some(sweep) = prepared.as_ref() else { return Err(SubmitError::Load("there is no sweep".into())) };
        sweep.check_memory(&self.schedule)?;
        let mut id = sweep.id().to_owned();
        if fresh {
            id = submit::fresh_id(self.gate.disk(), &id)?;
        } else if self.resume_existing(&id)? {
            self.verify(&id, prepared)?;
            if let Some(priority) = priority {
                self.schedule.set_priority(&id, priority).map_err(ControlError::from)?;
                self.write_changes();
            }
            return Ok(id);
        }
        self.sweeps.check_room(sweep.size())?;
        let record = sweep.record(id.clone(), self.sweeps.next_sequence(), priority.unwrap_or(0), unix_ms);
        self.gate.write(|disk| disk.put_sweep(&record)).map_err(NotWritten::into_failure)?;
        self.sweeps.number(&record);
        if let Some(sweep) = prepared.take() {
            self.sweeps.add(self.gate.disk(), &mut self.schedule, sweep.activate(record))?;
        }
        self.write_changes();
        Ok(id)
    }

    /// Resumes a sweep that is in memory or on disk, and says whether there is one.
    fn resume_existing(&mut self, id: &str) -> Result<bool, SubmitError> {
        if self.sweeps.get(id).is_none() {
            match self.gate.disk().sweep(id)? {
                Some(record) => self.sweeps.load(self.gate.disk(), &mut self.schedule, record)?,
                None => return Ok(false),
            }
        }
        if self.schedule.reopen(id).is_err() {
            let reason = self.schedule.reason(id).unwrap_or("no reason is known").to_owned();
            return Err(SubmitError::Failed { id: id.to_owned(), reason });
        }
        if self.schedule.state(id) == Some(SweepState::Paused) {
            // Submitting a paused sweep again asks for it to go on.
            self.schedule.resume(id)?;
        }
        self.write_changes();
        Ok(true)
    }

    /// Has every shard of a sweep that is there solved by as many workers as it was submitted with now. What fewer workers have
    /// solved goes to others, to be compared. A sweep that asked for more before keeps them.
    fn verify(&mut self, id: &str, again: &mut Option<Prepared>) -> Result<(), SubmitError> {
        let replicas = again.as_ref().map_or(0, Prepared::replicas);
        let Some(active) = self.sweeps.get_mut(id).filter(|active| active.sweep.options().replicas < replicas) else { return Ok(()) };
        let Some(again) = again.take() else { return Ok(()) };
        let verifying = active.verifying(replicas, again.sweep);
        let unverified = self.gate.disk().unverified(id)?;
        self.gate.write(|disk| disk.put_sweep(&verifying.record)).map_err(NotWritten::into_failure)?;
        *active = verifying;
        self.schedule.verify(id, replicas, &unverified).map_err(ControlError::from)?;
        self.write_changes();
        Ok(())
    }

    /// Calls a sweep off and returns its state.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it has come to another end.
    pub fn cancel(&mut self, id: &str) -> Result<SweepState, ControlError> {
        self.schedule.cancel(id)?;
        self.write_changes();
        Ok(SweepState::Cancelled)
    }

    /// Stops handing out shards of a sweep, and returns its state.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it has come to an end.
    pub fn pause(&mut self, id: &str) -> Result<SweepState, ControlError> {
        self.schedule.pause(id)?;
        self.write_changes();
        Ok(SweepState::Paused)
    }

    /// Hands out the shards of a paused sweep again, and returns its state.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it has come to an end.
    pub fn resume(&mut self, id: &str) -> Result<SweepState, ControlError> {
        self.schedule.resume(id)?;
        self.write_changes();
        // It is there, as `resume` has found.
        Ok(self.schedule.state(id).unwrap_or(SweepState::Queued))
    }

    /// Stops or resumes handing out shards to a host, and returns how many workers it has; none if it was not drained.
    ///
    /// # Errors
    /// [`TooManyDrained`].
    pub fn set_drained(&mut self, host: &str, drained: bool) -> Result<Option<usize>, TooManyDrained> {
        let workers = match drained {
            true => Some(self.schedule.drain(host)?),
            false => self.schedule.undrain(host),
        };
        self.write_changes();
        Ok(workers)
    }

    /// Stops handing out shards, since the coordinator is about to end.
    pub fn close(&mut self) {
        self.closing = true;
    }

    /// Whether it has stopped handing out shards.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// Writes what is kept for the next run, before the coordinator ends.
    pub fn finish(&mut self) {
        self.running.write(&mut self.gate, &self.sweeps);
    }

    /// Which shard goes where and when.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Whether the data directory can be written as far as anybody knows.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.gate.outage().is_none()
    }

    /// How many callers wait for an answer that is not among the actions yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.intake.waiting()
    }
}
