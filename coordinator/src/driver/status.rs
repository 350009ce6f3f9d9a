use refute_shared::sweep::Sweep;
use refute_shared::text::several;

use crate::schedule::{ControlError, ShardCounts, SweepState};
use crate::store::SweepRecord;

use super::core::Core;
use super::report::status_of;

/// Where a sweep stands.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepStatus {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its family's id.
    pub family: String,
    /// Sweeps of higher priority go first.
    pub priority: i32,
    /// Its state.
    pub state: SweepState,
    /// Why it is in this state.
    pub reason: Option<String>,
    /// Its shards.
    pub shards: ShardCounts,
    /// Configurations in its space.
    pub total: u128,
    /// Configurations of the shards that are done.
    pub decided: u128,
    /// Configurations that running leases have decided so far.
    pub in_progress: u128,
    /// Configurations a second lately; 0 where nothing runs.
    pub rate: f64,
    /// Claims with a confirmed counterexample.
    pub claims_refuted: usize,
}

/// A worker, what it is doing, and what it has done in this run of the coordinator.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerStatus {
    /// Its id in this run of the coordinator.
    pub worker_id: u64,
    /// Its machine.
    pub host: String,
    /// Its version.
    pub build: String,
    /// How many shards it solves at a time.
    pub slots: u32,
    /// Bytes of tables that each slot may have.
    pub slot_bytes: u64,
    /// Since it was last heard.
    pub silent_ms: u64,
    /// The shards it has.
    pub shards: Vec<RunningShard>,
    /// Why it gets no more work, if it does not.
    pub banned: Option<String>,
    /// Why it gets no shard of an open sweep of a family that it knows, if its solver is of another version.
    pub other_version: Option<String>,
    /// Since it registered first.
    pub registered_for_ms: u64,
    /// Configurations a second lately; 0 where it does nothing.
    pub rate: f64,
    /// How many of its results were taken, to count or to be compared with another's.
    pub shards_done: u64,
    /// Configurations of these.
    pub decided: u128,
    /// How many of its leases ran out.
    pub leases_lost: u64,
    /// How many shards it gave back with an error.
    pub errors: u64,
    /// How many shards it gave back because it was told to stop.
    pub returned: u64,
    /// How many of its results others contradicted.
    pub contradicted: u64,
    /// The shards that it lost last, each with its sweep, the latest at the end.
    pub lost_shards: Vec<(String, u64)>,
    /// Whether it has been silent for so long that it is not counted as there any more.
    pub is_lost: bool,
}

/// A shard that a worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningShard {
    /// Of which sweep.
    pub sweep_id: String,
    /// Its number.
    pub shard_number: u64,
    /// Configurations decided so far, as the worker last said.
    pub decided: u128,
    /// Since it was leased.
    pub running_ms: u64,
}

impl SweepStatus {
    /// Seconds until it is complete at the present rate; none where nothing is known of it.
    #[must_use]
    pub fn eta_seconds(&self) -> Option<f64> {
        let left = self.total.saturating_sub(self.decided).saturating_sub(self.in_progress);
        (self.rate > 0.0 && !self.state.is_terminal()).then(|| left as f64 / self.rate)
    }
}

impl Core {
    /// Where a sweep stands, if there is one of this id.
    #[must_use]
    pub fn status(&self, id: &str) -> Option<SweepStatus> {
        let Some(active) = self.sweeps.get(id) else {
            let (record, why) = self.left_out.iter().find(|(record, _)| record.id == id)?;
            let status = status_of(&self.store, record).ok()?;
            return Some(SweepStatus { reason: Some(why.clone()), ..status });
        };
        Some(SweepStatus {
            id: id.to_owned(),
            name: active.sweep.manifest.name.clone(),
            family: active.record.family.clone(),
            priority: active.record.priority,
            state: self.schedule.state(id)?,
            reason: active
                .record
                .reason
                .clone()
                .or_else(|| self.outage_reason())
                .or_else(|| self.quarantine_reason(id))
                .or_else(|| self.awaiting_reason(id)),
            shards: self.schedule.counts(id)?,
            total: active.sweep.configurations(),
            decided: active.tally.decided,
            in_progress: self.schedule.progress(id),
            rate: active.rate.per_second(),
            claims_refuted: active.claims_refuted(),
        })
    }

    /// Where every sweep stands, in the order of submission.
    #[must_use]
    pub fn list(&self) -> Vec<SweepStatus> {
        let records = self.sweeps.values().map(|active| &active.record).chain(self.left_out.iter().map(|(record, _)| record));
        let mut order: Vec<(u64, &String)> = records.map(|record| (record.sequence, &record.id)).collect();
        order.sort_unstable();
        order.into_iter().filter_map(|(_, id)| self.status(id)).collect()
    }

    fn outage_reason(&self) -> Option<String> {
        let outage = self.outage.as_ref()?;
        Some(format!("the data directory cannot be written, and results wait at the workers until it can: {}", outage.reason))
    }

    /// How many shards have a result that waits for another worker to come to the same, where nobody is at work on them.
    fn awaiting_reason(&self, id: &str) -> Option<String> {
        let counts = self.schedule.counts(id)?;
        let awaiting = self.schedule.awaiting(id);
        let stuck = counts.leased == 0 && awaiting > 0 && awaiting == counts.pending && !self.schedule.state(id)?.is_terminal();
        stuck.then(|| format!("{} solved once and waiting for another worker to come to the same", several(awaiting.into(), "shard")))
    }

    fn quarantine_reason(&self, id: &str) -> Option<String> {
        self.schedule.counts(id).filter(|counts| counts.quarantined > 0)?;
        super::report::quarantine_reason(&self.store, id).unwrap_or_else(|error| Some(error.to_string()))
    }
}

impl Core {
    /// Calls a sweep off and returns its state.
    ///
    /// # Errors
    /// [`ControlError`] if there is no such sweep or it has come to another end.
    pub fn cancel(&mut self, id: &str) -> Result<SweepState, ControlError> {
        self.schedule.cancel(id)?;
        self.write_changes();
        Ok(SweepState::Cancelled)
    }

    /// Hands out no more shards of a sweep, and returns its state.
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
        Ok(self.schedule.state(id).unwrap_or(SweepState::Queued))
    }

    /// A sweep as it was laid down, with its space encoded.
    #[must_use]
    pub fn laid_down(&self, id: &str) -> Option<(&Sweep, &SweepRecord, &str)> {
        self.sweeps.get(id).map(|active| (active.sweep.as_ref(), &active.record, active.encoded_space.as_str()))
    }
}
