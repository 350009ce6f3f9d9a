//! What the schedule decided, on its way to the disk.

use std::collections::{BTreeSet, VecDeque};

use tracing::{error, info, warn};

use crate::schedule::{Change, Schedule};
use crate::store::{QuarantineRecord, StoreError, SweepRecord};

use super::disk::Disk;
use super::outage::{Gate, NotWritten};
use super::sweeps::Sweeps;

/// The changes that are not on disk yet.
#[derive(Default)]
pub struct Journal {
    unwritten: VecDeque<Change>,
    /// The sweeps that came to an end in this run.
    ended: BTreeSet<String>,
}

impl Journal {
    /// Whether a sweep came to an end in this run.
    pub fn has_ended(&self, sweep_id: &str) -> bool {
        self.ended.contains(sweep_id)
    }

    /// Writes what the schedule decided and what must survive a restart. What cannot be written is kept and comes first when
    /// it can.
    pub fn write(&mut self, gate: &mut Gate<impl Disk>, schedule: &mut Schedule, sweeps: &mut Sweeps) {
        self.unwritten.extend(schedule.take_changes().into_iter().inspect(log_change));
        while let Some(change) = self.unwritten.pop_front() {
            match self.write_change(&change, gate, schedule, sweeps) {
                Ok(()) => {}
                Err(NotWritten::Outage(_)) => return self.unwritten.push_front(change),
                // A change that the store will not have is not dropped: nothing more is written, and every status says why.
                Err(NotWritten::Fault(failure)) => {
                    gate.begin_outage(&failure);
                    return self.unwritten.push_front(change);
                }
            }
        }
    }

    fn write_change(
        &mut self,
        change: &Change,
        gate: &mut Gate<impl Disk>,
        schedule: &Schedule,
        sweeps: &mut Sweeps,
    ) -> Result<(), NotWritten> {
        match change.clone() {
            Change::State { sweep_id, state, reason } => {
                match state.is_terminal() {
                    true => self.ended.insert(sweep_id.clone()),
                    false => self.ended.remove(&sweep_id),
                };
                change_record(gate, sweeps, &sweep_id, |record| {
                    record.state = state;
                    record.reason = reason;
                })
            }
            Change::Priority { sweep_id, priority } => change_record(gate, sweeps, &sweep_id, |record| record.priority = priority),
            // A result heard since then has brought the shard back, on disk too.
            Change::Quarantined { sweep_id, shard_number, .. }
                if schedule.quarantined(&sweep_id).is_some_and(|quarantined| !quarantined.contains(shard_number)) =>
            {
                Ok(())
            }
            Change::Quarantined { sweep_id, shard_number, attempts, error } => {
                gate.write(|disk| disk.put_quarantined(&sweep_id, shard_number, &QuarantineRecord { attempts, error }))
            }
            Change::Banned { instance, reason } => gate.write(|disk| disk.put_banned(&instance, &reason)),
            Change::BanForgotten { instance } => gate.write(|disk| disk.forget_banned(&instance)),
            Change::Drained { host, drained } => gate.write(|disk| disk.put_drained(&host, drained)),
            Change::QuarantineCleared { sweep_id } => gate.write(|disk| disk.clear_quarantined(&sweep_id)),
        }
    }
}

fn change_record(
    gate: &mut Gate<impl Disk>,
    sweeps: &mut Sweeps,
    sweep_id: &str,
    change: impl FnOnce(&mut SweepRecord),
) -> Result<(), NotWritten> {
    let Some(active) = sweeps.get_mut(sweep_id) else {
        // The schedule has no sweep that is not in memory.
        return Err(NotWritten::Fault(StoreError::NoSuchSweep { sweep_id: sweep_id.to_owned() }));
    };
    change(&mut active.record);
    gate.write(|disk| disk.put_sweep(&active.record))
}

fn log_change(change: &Change) {
    match change {
        Change::State { sweep_id, state, reason } => info!(sweep = sweep_id, %state, reason, "sweep"),
        Change::Quarantined { sweep_id, shard_number, attempts, error } => {
            warn!(sweep = sweep_id, shard = shard_number, attempts, error, "shard quarantined");
        }
        Change::Banned { instance, reason } => error!(instance, reason, "worker gets no more work"),
        Change::BanForgotten { instance } => warn!(instance, "very many workers are banned, and this one is forgotten"),
        Change::Drained { host, drained: true } => info!(host, "host drained: it gets no more shards"),
        Change::Drained { host, drained: false } => info!(host, "host undrained: it gets shards again"),
        Change::Priority { .. } | Change::QuarantineCleared { .. } => {}
    }
}
