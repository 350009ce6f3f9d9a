//! The sweeps in memory. They are those of the schedule: a sweep enters both at once and leaves neither.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Bound;

use tracing::error;

use crate::schedule::{Schedule, UnknownShard};
use crate::status::SweepStatus;
use crate::store::{StoreError, SweepRecord};

use super::active::{ActiveSweep, LoadError, size};
use super::disk::{Disk, SweepProgress};
use super::submit::SubmitError;

/// The sweeps in memory, and those on disk that this program cannot go on with.
#[derive(Default)]
pub struct Sweeps {
    active: BTreeMap<String, ActiveSweep>,
    unreadable: BTreeMap<String, Unreadable>,
    /// The ids of both by their sequence numbers.
    order: BTreeMap<u64, String>,
    /// How many there are on disk.
    count: usize,
    /// What those in memory keep, in bytes, and how many steps it takes to read them.
    bytes: u128,
    steps: u128,
    /// The sequence number of the next one that is submitted: after all that are on disk.
    next_sequence: u64,
}

/// A sweep on disk that this program cannot go on with.
pub struct Unreadable {
    /// It.
    pub record: SweepRecord,
    /// Why.
    pub why: String,
    /// Where it stands, once somebody has asked.
    pub status: OnceCell<SweepStatus>,
}

/// The most sweeps of a data directory: each is kept in memory, whether it has ended or not.
const MAX_SWEEPS: usize = 20_000;

/// The most that they keep together, in bytes, and the most steps, a nanosecond or less each, in which all of them are read when a
/// coordinator starts.
const MAX_BYTES: u128 = 128 << 20;
const MAX_STEPS: u128 = 1 << 35;

impl Sweeps {
    /// Takes note of a sweep that is on disk.
    pub fn number(&mut self, record: &SweepRecord) {
        self.count += 1;
        self.next_sequence = self.next_sequence.max(record.sequence + 1);
    }

    /// The sequence number of the next sweep that is submitted.
    pub fn next_sequence(&self) -> u64 {
        self.next_sequence
    }

    /// Whether there is room for one more, which keeps so many bytes and takes so many steps to read.
    ///
    /// # Errors
    /// [`SubmitError::TooManySweeps`], [`SubmitError::TooMuchKept`].
    pub fn check_room(&self, (bytes, steps): (u128, u128)) -> Result<(), SubmitError> {
        if self.count >= MAX_SWEEPS {
            return Err(SubmitError::TooManySweeps { most: MAX_SWEEPS });
        }
        if self.bytes + bytes > MAX_BYTES || self.steps + steps > MAX_STEPS {
            return Err(SubmitError::TooMuchKept { bytes: MAX_BYTES, steps: MAX_STEPS });
        }
        Ok(())
    }

    /// A sweep.
    pub fn get(&self, id: &str) -> Option<&ActiveSweep> {
        self.active.get(id)
    }

    /// A sweep, to be changed.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut ActiveSweep> {
        self.active.get_mut(id)
    }

    /// All of them, by id.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &ActiveSweep)> {
        self.active.iter()
    }

    /// A sweep on disk that this version of the program cannot go on with.
    pub fn unreadable(&self, id: &str) -> Option<&Unreadable> {
        self.unreadable.get(id)
    }

    /// How many sweeps there are, of either kind.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The sequence numbers and ids of all sweeps, in the order of submission, after this number or from the first on.
    pub fn after(&self, after: Option<u64>) -> impl Iterator<Item = (u64, &str)> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.order.range((from, Bound::Unbounded)).map(|(sequence, id)| (*sequence, id.as_str()))
    }

    /// Loads a sweep found on disk, as it was read. One that only another version of the program can solve is logged and left unread, since
    /// it is no reason to keep the others waiting.
    pub fn load_if_readable(
        &mut self,
        disk: &impl Disk,
        schedule: &mut Schedule,
        unreadable: SweepRecord,
        read: Result<ActiveSweep, LoadError>,
    ) -> Result<(), LoadError> {
        match read.and_then(|active| self.add(disk, schedule, active)) {
            Err(failure @ (LoadError::SolverVersion { .. } | LoadError::Language { .. } | LoadError::Manifest { .. })) => {
                error!(sweep = unreadable.id, %failure, "a sweep on disk is left out");
                self.order.insert(unreadable.sequence, unreadable.id.clone());
                let why = failure.to_string();
                self.unreadable.insert(unreadable.id.clone(), Unreadable { record: unreadable, why, status: OnceCell::new() });
                Ok(())
            }
            taken => taken,
        }
    }

    /// Takes a sweep on disk into memory and into the schedule.
    pub fn load(&mut self, disk: &impl Disk, schedule: &mut Schedule, record: SweepRecord) -> Result<(), LoadError> {
        self.add(disk, schedule, ActiveSweep::of_record(record)?)
    }

    /// Takes a sweep into memory and into the schedule, with what is on disk of it.
    pub fn add(&mut self, disk: &impl Disk, schedule: &mut Schedule, mut active: ActiveSweep) -> Result<(), LoadError> {
        let progress = progress(&active, disk)?;
        active.take(&progress)?;
        let id = active.record.id.clone();
        let outvoted = progress.outvoted.clone();
        schedule.add_sweep(active.entry(progress));
        self.order.insert(active.record.sequence, id.clone());
        let (bytes, steps) = size(&active.sweep, [&active.record.manifest_toml, &active.encoded_space]);
        (self.bytes, self.steps) = (self.bytes + bytes, self.steps + steps);
        self.active.insert(id.clone(), active);
        ban_outvoted(schedule, &id, outvoted);
        Ok(())
    }

    /// Reads those sweeps again about which memory says more than may be on disk.
    pub fn reread<'a>(&mut self, disk: &impl Disk, ids: impl IntoIterator<Item = &'a str>) -> Result<(), StoreError> {
        for id in ids {
            if let Some(active) = self.active.get_mut(id) {
                read(active, disk)?;
            }
        }
        Ok(())
    }

    /// Reads all sweeps again after an outage: a write that was said to have failed may be there.
    pub fn reload(&mut self, disk: &impl Disk, schedule: &mut Schedule) -> Result<(), StoreError> {
        for (id, active) in &mut self.active {
            let progress = read(active, disk)?;
            let inconsistent = |failure: UnknownShard| StoreError::Inconsistent { sweep_id: id.clone(), what: failure.to_string() };
            let is_unverified = |shard: &u64| progress.unverified.iter().any(|(_, _, shards)| shards.contains(*shard));
            for shard in progress.done.iter().flatten().filter(|shard| !is_unverified(shard)) {
                // It says nothing new of those that were known to be done.
                schedule.mark_done(id, shard).map_err(inconsistent)?;
            }
            for (shard, vote) in progress.votes {
                let known = schedule.votes(id, shard).iter().any(|known| known.instance == vote.instance);
                if !known {
                    schedule.hear_vote(id, shard, vote).map_err(inconsistent)?;
                }
            }
            ban_outvoted(schedule, id, progress.outvoted);
        }
        Ok(())
    }
}

fn progress(active: &ActiveSweep, disk: &impl Disk) -> Result<SweepProgress, StoreError> {
    let id = &active.record.id;
    let unverified = if active.record.verifies { disk.unverified(id)? } else { Vec::new() };
    Ok(SweepProgress { unverified, ..disk.progress(id, active.sweep.lists())? })
}

fn read(active: &mut ActiveSweep, disk: &impl Disk) -> Result<SweepProgress, StoreError> {
    let progress = progress(active, disk)?;
    let taken = active.take(&progress);
    taken.map_err(|failure| StoreError::Inconsistent { sweep_id: active.record.id.clone(), what: failure.to_string() })?;
    Ok(progress)
}

/// Bans the workers whose results on disk differ from those that count. A crash, or a disk that was full, may have come
/// between the commit and the note of the ban.
fn ban_outvoted(schedule: &mut Schedule, id: &str, outvoted: Vec<(u64, String, String)>) {
    for (shard_number, instance, worker) in outvoted {
        schedule.ban(&instance, format!("{worker} gave a result for shard {shard_number} of '{id}' that others contradict"));
    }
}
