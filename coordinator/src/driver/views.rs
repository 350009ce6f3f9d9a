//! What people and monitoring ask of a coordinator on a store. Reading changes nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use refute_shared::text::several;

use crate::report::Report;
use crate::store::{BackupSource, Store, StoreError};

use super::core::Core;
use super::metrics::{MAX_SWEEPS, Metrics, Readiness, SweepMetrics};
use super::report::{self, ReportError};
use crate::status::{BoxStatus, MAX_BOXES, SweepStatus, WorkerStatus};

impl<C> Core<Store, C> {
    /// What a backup is made from while the coordinator goes on.
    ///
    /// # Errors
    /// As [`Store::backup_source`].
    pub fn backup_source(&self) -> Result<BackupSource, StoreError> {
        self.gate.disk().backup_source()
    }

    /// The report of a sweep so far.
    ///
    /// # Errors
    /// [`ReportError`].
    pub fn report(&self, id: &str) -> Result<Report, ReportError> {
        match self.sweeps.get(id) {
            Some(active) => report::report_of(self.gate.disk(), &active.sweep, &active.record),
            None => report::read_report(self.gate.disk(), id),
        }
    }

    /// Where a sweep stands, if there is one of this id.
    #[must_use]
    pub fn status(&self, id: &str) -> Option<SweepStatus> {
        let Some(active) = self.sweeps.get(id) else {
            let (record, why) = self.sweeps.unreadable().iter().find(|(record, _)| record.id == id)?;
            // One whose manifest is not understood is there all the same.
            let status = report::status_of(self.gate.disk(), record).unwrap_or_else(|_| report::status_of_unread(record));
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
                .or_else(|| self.awaiting_reason(id))
                .or_else(|| self.schedule.lack_of_memory(id)),
            shards: self.schedule.counts(id)?,
            total: active.sweep.configurations(),
            decided: active.tally.decided,
            in_progress: self.schedule.progress(id),
            rate: active.rate.per_second(),
            claims_refuted: active.claims_refuted(),
            replicas: active.sweep.options().replicas,
            hosts: active.record.hosts.len() as u64,
            boxes: Vec::new(),
        })
    }

    /// The same with its boxes one by one, unless there are too many to list.
    #[must_use]
    pub fn status_by_box(&self, id: &str) -> Option<SweepStatus> {
        let status = self.status(id)?;
        let boxes = self.sweeps.get(id).filter(|active| active.record.plan.boxes.len() <= MAX_BOXES).and_then(|active| {
            let ranges = active.record.plan.shards_by_box().enumerate();
            let box_status = |(index, range)| {
                Some(BoxStatus { text: active.sweep.space.describe(index as u32), shards: self.schedule.counts_within(id, range)? })
            };
            ranges.map(box_status).collect()
        });
        Some(SweepStatus { boxes: boxes.unwrap_or_default(), ..status })
    }

    /// Where every sweep stands, in the order of submission.
    #[must_use]
    pub fn list(&self) -> Vec<SweepStatus> {
        let unreadable = self.sweeps.unreadable().iter().map(|(record, _)| record);
        let records = self.sweeps.iter().map(|(_, active)| &active.record).chain(unreadable);
        let mut order: Vec<(u64, &String)> = records.map(|record| (record.sequence, &record.id)).collect();
        order.sort_unstable();
        order.into_iter().filter_map(|(_, id)| self.status(id)).collect()
    }

    fn outage_reason(&self) -> Option<String> {
        let failure = self.gate.outage()?;
        Some(format!("the data directory cannot be written, and results wait at the workers until it can: {failure}"))
    }

    /// How many shards have a result that waits for another worker to agree, where nobody is at work on them.
    fn awaiting_reason(&self, id: &str) -> Option<String> {
        let counts = self.schedule.counts(id)?;
        let awaiting = self.schedule.awaiting(id);
        let stuck = counts.leased == 0 && awaiting > 0 && awaiting == counts.pending && !self.schedule.state(id)?.is_terminal();
        stuck.then(|| format!("{} solved once and waiting for another worker to agree", several(awaiting.into(), "shard")))
    }

    fn quarantine_reason(&self, id: &str) -> Option<String> {
        self.schedule.counts(id).filter(|counts| counts.quarantined > 0)?;
        report::quarantine_reason(self.gate.disk(), id).unwrap_or_else(|error| Some(error.to_string()))
    }

    /// The workers that are there, in the order in which they registered, and after them those that were lost and are still
    /// remembered.
    #[must_use]
    pub fn workers(&self, now_ms: u64) -> Vec<WorkerStatus> {
        self.workers.list(&self.schedule, now_ms)
    }

    /// Whether it hands out work.
    #[must_use]
    pub fn readiness(&self) -> Readiness {
        match self.gate.outage() {
            _ if self.is_closing() => Readiness::Stopping,
            Some(failure) => Readiness::Unwritable(failure.to_string()),
            None => Readiness::Ready,
        }
    }

    /// What it is doing, in numbers.
    ///
    /// Cost: O(sweeps + workers), some tens of questions to the database, and a look at the list of its files.
    #[must_use]
    pub fn metrics(&self, now_ms: u64) -> Metrics {
        let (mut states, mut waiting, mut leased) = (BTreeMap::new(), 0, 0);
        let mut listed = Vec::new();
        for (id, active) in self.sweeps.iter() {
            // The sweeps in memory are those of the schedule, so none is left out here.
            let (Some(state), Some(shards)) = (self.schedule.state(id), self.schedule.counts(id)) else { continue };
            *states.entry(state).or_default() += 1;
            waiting += if state.is_open() { shards.pending } else { 0 };
            leased += shards.leased;
            if !state.is_terminal() || self.journal.has_ended(id) {
                let sweep = SweepMetrics { id: id.clone(), shards, claims_refuted: active.claims_refuted() as u64 };
                listed.push((state.is_terminal(), Reverse(active.record.sequence), sweep));
            }
        }
        listed.sort_unstable_by_key(|(ended, newest, ..)| (*ended, *newest));
        let (mut workers, mut banned, mut busy, mut free) = (0, 0, 0, 0);
        for view in self.schedule.workers() {
            workers += 1;
            // A worker may have more shards than slots, whose results are on their way.
            let (slots, leases) = (u64::from(view.info.slots), view.leases as u64);
            busy += leases.min(slots);
            match view.banned {
                Some(_) => banned += 1,
                None => free += slots.saturating_sub(leases),
            }
        }
        Metrics {
            sweeps: listed.into_iter().take(MAX_SWEEPS).map(|(_, _, sweep)| sweep).collect(),
            states,
            waiting,
            leased,
            oldest_lease_ms: self.schedule.leases().next().map(|lease| now_ms.saturating_sub(lease.given_ms)),
            workers,
            banned,
            busy,
            free,
            is_writable: self.is_writable(),
            bytes: self.gate.disk().sizes(),
            counters: self.workers.counters().clone(),
        }
    }
}
