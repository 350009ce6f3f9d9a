use refute_shared::sweep::Sweep;
use refute_shared::text::several;

use crate::schedule::{ControlError, SweepState};
use crate::store::SweepRecord;

use super::core::Core;
use super::report::status_of;

pub use crate::status::{RunningShard, SweepStatus, WorkerStatus};

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
