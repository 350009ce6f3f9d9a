use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tracing::{error, info, warn};

use crate::schedule::{Change, Config, Opinion, Schedule, SweepState};
use crate::store::{QuarantineRecord, Store, StoreError, SweepRecord};

use super::active::{ActiveSweep, LoadError};
use super::confirmer::Confirmer;
use super::counters::{Counters, Retry};
use super::delivery::{Answer, Ready};
use super::fleet::Fleet;
use super::handle::Driver;
use super::outage::Outage;

/// How often a running sweep's record is written for the running time in it.
const WRITE_RUNNING_EVERY_MS: u64 = 5_000;

/// How a coordinator runs.
#[derive(Clone, Copy, Debug)]
pub struct DriverOptions {
    /// How long a lease lasts without a heartbeat.
    pub lease_ttl_ms: u64,
    /// How often a worker reports, at most a quarter of the above.
    pub heartbeat_every_ms: u64,
    /// How many attempts at a shard may go wrong before it is set aside.
    pub max_attempts: u32,
    /// Whether the unfinished sweeps on disk go on; without, only those that are submitted now.
    pub resume_all: bool,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self { lease_ttl_ms: 15_000, heartbeat_every_ms: 1_000, max_attempts: 3, resume_all: true }
    }
}

/// The schedule, the store and the sweeps in memory. Lives on the driver's thread.
pub struct Core {
    /// Which shard goes where and when.
    pub schedule: Schedule,
    pub(super) store: Store,
    pub(super) sweeps: BTreeMap<String, ActiveSweep>,
    /// Sweeps on disk that this version of the program cannot go on with, and why.
    pub(super) left_out: Vec<(SweepRecord, String)>,
    pub(super) confirmer: Confirmer,
    /// The results whose counterexamples the reference solves again, by sweep, shard and opinion, and who waits for each.
    pub(super) confirming: BTreeMap<(String, u64, Opinion), Answer>,
    /// Deliveries that are ready to be written, in the order in which they came.
    pub(super) ready: Vec<Ready>,
    pub(super) driver: Driver,
    /// What the schedule decided and is not on disk yet.
    unwritten: VecDeque<Change>,
    /// Set while the data directory cannot be written.
    pub(super) outage: Option<Outage>,
    pub(super) counters: Counters,
    pub(super) fleet: Fleet,
    /// The sweeps that came to an end in this run.
    pub(super) ended: BTreeSet<String>,
    /// Set once no more shards are handed out, since the coordinator is about to end.
    pub closing: bool,
    last_ms: u64,
}

impl Core {
    pub(super) fn new(store: Store, options: DriverOptions, confirmer: Confirmer, driver: Driver) -> Result<Self, LoadError> {
        let schedule = Schedule::new(Config {
            lease_ttl_ms: options.lease_ttl_ms,
            heartbeat_every_ms: options.heartbeat_every_ms.min(options.lease_ttl_ms / 4).max(1),
            max_attempts: options.max_attempts,
            epoch: store.epoch(),
        });
        let mut core = Self {
            schedule,
            store,
            sweeps: BTreeMap::new(),
            left_out: Vec::new(),
            confirmer,
            confirming: BTreeMap::new(),
            ready: Vec::new(),
            driver,
            unwritten: VecDeque::new(),
            outage: None,
            counters: Counters::default(),
            fleet: Fleet::default(),
            ended: BTreeSet::new(),
            closing: false,
            last_ms: 0,
        };
        for (instance, reason) in core.store.banned()? {
            core.schedule.restore_ban(instance, reason);
        }
        if options.resume_all {
            for record in core.store.sweeps()? {
                core.take_up(record)?;
            }
            core.write_changes();
        }
        Ok(core)
    }

    /// Takes up a sweep found on disk. One that only another version of the program can solve is left out with a word, since
    /// it is no reason to keep the others waiting.
    fn take_up(&mut self, record: SweepRecord) -> Result<(), LoadError> {
        let left_out = record.clone();
        match self.load(record) {
            Err(failure @ (LoadError::SolverVersion { .. } | LoadError::Manifest { .. })) => {
                error!(sweep = left_out.id, %failure, "a sweep on disk is left out");
                self.left_out.push((left_out, failure.to_string()));
                Ok(())
            }
            taken => taken,
        }
    }

    /// Takes a sweep into memory and into the schedule.
    pub(super) fn load(&mut self, record: SweepRecord) -> Result<(), LoadError> {
        let active = ActiveSweep::load(&self.store, record)?;
        let entry = active.entry(&self.store)?;
        let id = entry.id.clone();
        self.sweeps.insert(id.clone(), active);
        self.schedule.add_sweep(entry);
        Ok(self.ban_outvoted(&id)?)
    }

    /// Writes down where a process that finds the directory in use can reach this one.
    pub fn set_address(&self, address: &str) -> Result<(), StoreError> {
        self.store.set_address(address)
    }

    /// What is done after every turn: leases that ran out, running times, and what must be written.
    pub(super) fn tick(&mut self, now_ms: u64) {
        for lease in self.schedule.expire(now_ms) {
            let (shard, quarantined) = (lease.shard_number, lease.quarantined);
            warn!(sweep = lease.sweep_id, shard, worker = lease.worker.0, lease = lease.lease_id.0, quarantined, "lease ran out");
            self.counters.count_retries(Retry::Lost, 1);
            if let Some(record) = self.fleet.by_id(lease.worker) {
                record.lose(lease.sweep_id, shard);
            }
        }
        self.heal(now_ms);
        self.flush(now_ms);
        self.write_changes();
        self.count_time(now_ms);
    }

    fn count_time(&mut self, now_ms: u64) {
        let elapsed = now_ms.saturating_sub(self.last_ms);
        self.last_ms = now_ms;
        let mut failed = None;
        for (id, active) in &mut self.sweeps {
            let leased = self.schedule.counts(id).is_some_and(|counts| counts.leased > 0);
            if !leased || active.record.state != SweepState::Running {
                active.rate.clear();
                continue;
            }
            active.record.active_ms += elapsed;
            active.rate.sample(now_ms, active.tally.decided + self.schedule.progress(id));
            if now_ms >= active.written_ms + WRITE_RUNNING_EVERY_MS && self.outage.is_none() {
                active.written_ms = now_ms;
                failed = self.store.put_sweep(&active.record).err().or(failed);
            }
        }
        if let Some(failure) = failed {
            self.write_failed(&failure);
        }
    }

    /// Writes the running times that have grown since they were last written, before the thread ends.
    pub(super) fn write_running_times(&self) {
        for active in self.sweeps.values().filter(|active| active.record.state == SweepState::Running) {
            if let Err(failure) = self.store.put_sweep(&active.record) {
                error!(sweep = active.record.id, %failure, "the running time could not be written");
            }
        }
    }

    /// Writes what the schedule decided and what must survive a restart. What cannot be written is kept and comes first when
    /// it can.
    pub(super) fn write_changes(&mut self) {
        self.unwritten.extend(self.schedule.take_changes().into_iter().inspect(log_change));
        while self.outage.is_none()
            && let Some(change) = self.unwritten.pop_front()
        {
            if let Err(failure) = self.write_change(&change) {
                self.write_failed(&failure);
                self.unwritten.push_front(change);
            }
        }
    }

    fn write_change(&mut self, change: &Change) -> Result<(), StoreError> {
        match change.clone() {
            Change::State { sweep_id, state, reason } => {
                match state.is_terminal() {
                    true => self.ended.insert(sweep_id.clone()),
                    false => self.ended.remove(&sweep_id),
                };
                self.change_record(&sweep_id, |record| {
                    record.state = state;
                    record.reason = reason;
                })
            }
            Change::Priority { sweep_id, priority } => self.change_record(&sweep_id, |record| record.priority = priority),
            // A result heard since then has brought the shard back, on disk too.
            Change::Quarantined { sweep_id, shard_number, .. }
                if self.schedule.quarantined(&sweep_id).is_some_and(|quarantined| !quarantined.contains(shard_number)) =>
            {
                Ok(())
            }
            Change::Quarantined { sweep_id, shard_number, attempts, error } => {
                self.store.put_quarantined(&sweep_id, shard_number, &QuarantineRecord { attempts, error })
            }
            Change::Banned { instance, reason } => self.store.put_banned(&instance, &reason),
            Change::QuarantineCleared { sweep_id } => self.store.clear_quarantined(&sweep_id),
        }
    }

    fn change_record(&mut self, sweep_id: &str, change: impl FnOnce(&mut SweepRecord)) -> Result<(), StoreError> {
        match self.sweeps.get_mut(sweep_id) {
            None => Ok(()),
            Some(active) => {
                change(&mut active.record);
                self.store.put_sweep(&active.record)
            }
        }
    }

    /// When something is to be done next even if nothing comes in.
    pub(super) fn next_timer(&self, now_ms: u64) -> u64 {
        const LONGEST_WAIT_MS: u64 = 500;
        if !self.ready.is_empty() {
            return 0;
        }
        let due = self.schedule.next_timer().unwrap_or(u64::MAX).saturating_sub(now_ms);
        due.clamp(1, LONGEST_WAIT_MS)
    }
}

fn log_change(change: &Change) {
    match change {
        Change::State { sweep_id, state, reason } => info!(sweep = sweep_id, %state, reason, "sweep"),
        Change::Quarantined { sweep_id, shard_number, attempts, error } => {
            warn!(sweep = sweep_id, shard = shard_number, attempts, error, "shard set aside");
        }
        Change::Banned { instance, reason } => error!(instance, reason, "worker gets no more work"),
        Change::Priority { .. } | Change::QuarantineCleared { .. } => {}
    }
}
