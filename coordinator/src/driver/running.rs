//! For how long sweeps have been running, and how fast.

use std::collections::BTreeSet;

use tracing::error;

use crate::schedule::{Schedule, SweepState};
use crate::store::StoreError;

use super::disk::Disk;
use super::outage::{Gate, NotWritten};
use super::sweeps::Sweeps;

/// How often a running sweep's record is written for the running time in it.
const WRITE_EVERY_MS: u64 = 5_000;

/// So many sweeps are looked at for each millisecond that has passed: where very many have a shard out, not after every turn.
const SWEEPS_A_MS: u64 = 64;

/// The clock of running sweeps.
#[derive(Default)]
pub struct Running {
    last_ms: u64,
    /// The sweeps that somebody worked on at that time.
    leased: BTreeSet<String>,
}

impl Running {
    /// Counts the time since the last turn for the sweeps that somebody works on.
    pub fn count(&mut self, now_ms: u64, gate: &mut Gate<impl Disk>, schedule: &Schedule, sweeps: &mut Sweeps) {
        let elapsed = now_ms.saturating_sub(self.last_ms);
        if elapsed < self.leased.len() as u64 / SWEEPS_A_MS {
            return;
        }
        self.last_ms = now_ms;
        let leased: BTreeSet<String> = schedule.leased_sweeps().map(str::to_owned).collect();
        // Those that nobody works on any more. Those that nobody has worked on are not looked at, however many they are.
        for idle in self.leased.difference(&leased) {
            if let Some(active) = sweeps.get_mut(idle) {
                active.rate.clear();
            }
        }
        for id in &leased {
            let Some(active) = sweeps.get_mut(id) else { continue };
            if active.record.state != SweepState::Running {
                active.rate.clear();
                continue;
            }
            active.record.active_ms += elapsed;
            active.rate.sample(now_ms, active.tally.decided + schedule.progress(id));
            if now_ms >= active.written_ms + WRITE_EVERY_MS && gate.outage().is_none() {
                active.written_ms = now_ms;
                if let Err(NotWritten::Fault(failure)) = gate.write(|disk| disk.put_sweep(&active.record)) {
                    gate.begin_outage(&failure);
                }
            }
        }
        self.leased = leased;
    }

    /// Writes the running times that have grown since they were last written, before the coordinator ends. They are for
    /// display only, so one that cannot be written is said in the log and keeps nothing from ending.
    pub fn write(&self, gate: &mut Gate<impl Disk>, sweeps: &Sweeps) {
        for (id, active) in sweeps.iter().filter(|(_, active)| active.record.state == SweepState::Running) {
            let written = gate.write(|disk| disk.put_sweep(&active.record)).map_err(NotWritten::into_failure);
            if let Err::<(), StoreError>(failure) = written {
                error!(sweep = id, %failure, "the running time could not be written");
            }
        }
    }
}
