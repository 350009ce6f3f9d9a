//! What people and monitoring ask of a coordinator on a store. Reading changes nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use refute_shared::text::several;

use crate::schedule::WorkerId;
use crate::status::{BoxStatus, MAX_BOXES, SweepStatus, WorkerStatus};
use crate::store::{BackupSource, Store, StoreError};

use super::core::Core;
use super::metrics::{MAX_SWEEPS, Metrics, Readiness, SweepMetrics};
use super::report::{self, ReportSource};
use super::sweeps::Unreadable;

/// How many looks at a sweep or a worker one page of a list may cost, and so one turn of the driver's thread: milliseconds.
const PAGE_STEPS: usize = 1 << 17;

/// How many entries a page has at most, if each costs so many looks and one more.
fn page(looks: usize) -> usize {
    (PAGE_STEPS / (looks + 1)).clamp(8, 256)
}

impl<C> Core<Store, C> {
    /// What a backup is made from while the coordinator goes on.
    ///
    /// # Errors
    /// As [`Store::backup_source`].
    pub fn backup_source(&self) -> Result<BackupSource, StoreError> {
        self.gate.disk().backup_source()
    }

    /// What the report of a sweep so far is made of.
    ///
    /// # Errors
    /// As [`Store::moment_source`].
    pub fn report_source(&self, id: String) -> Result<ReportSource, StoreError> {
        let known = self.sweeps.get(&id).map(|active| (Arc::clone(&active.sweep), active.record.clone()));
        Ok(ReportSource { store: self.gate.disk().moment_source()?, id, known })
    }

    /// Where a sweep stands, if there is one of this id.
    #[must_use]
    pub fn status(&self, id: &str) -> Option<SweepStatus> {
        let Some(active) = self.sweeps.get(id) else {
            let Unreadable { record, why, status } = self.sweeps.unreadable(id)?;
            // Nothing of it changes in this run. One whose manifest is not understood is there all the same.
            let of_disk = || report::status_of(self.gate.disk(), record).unwrap_or_else(|_| report::status_of_unread(record));
            return Some(SweepStatus { reason: Some(why.clone()), ..status.get_or_init(of_disk).clone() });
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

    /// Where sweeps stand, in the order of submission, each with its sequence number: those after one of this number, or from the
    /// first on. A page of them costs a bounded number of steps; what is not looked at is not computed.
    pub fn list_after(&self, after: Option<u64>) -> impl Iterator<Item = (u64, SweepStatus)> {
        // The memory of workers is looked at for each sweep.
        let most = page(self.schedule.workers().len());
        self.sweeps.after(after).take(most).filter_map(|(sequence, id)| Some((sequence, self.status(id)?)))
    }

    /// Whether there are sweeps after one of this sequence number.
    #[must_use]
    pub fn has_sweeps_after(&self, sequence: u64) -> bool {
        self.sweeps.after(Some(sequence)).next().is_some()
    }

    /// Where every sweep stands, in the order of submission.
    #[cfg(test)]
    pub fn list(&self) -> Vec<SweepStatus> {
        self.sweeps.after(None).filter_map(|(_, id)| self.status(id)).collect()
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
        let quarantined = self.schedule.counts(id)?.quarantined;
        if quarantined == 0 {
            return None;
        }
        let first = self.gate.disk().now().quarantined(id).and_then(|mut found| found.next().transpose());
        // Before it is on disk there is nothing to say.
        first.map_or_else(|error| Some(error.to_string()), |first| Some(report::quarantine_sentence(quarantined, &first?)))
    }

    /// The workers that are there, in the order in which they registered, after one of this id or from the first on. A page of them
    /// costs a bounded number of steps.
    pub fn workers_after(&self, after: Option<WorkerId>, now_ms: u64) -> impl Iterator<Item = WorkerStatus> {
        // Sweeps are looked at for each worker.
        self.workers.list_after(&self.schedule, after, now_ms).take(page(self.sweeps.len()))
    }

    /// The workers that were lost and are still remembered.
    #[must_use]
    pub fn lost_workers(&self, now_ms: u64) -> Vec<WorkerStatus> {
        self.workers.lost(&self.schedule, now_ms)
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
