//! A data directory that cannot be written, mostly because the disk is full: workers keep their results and come back with
//! them, what the schedule decides is kept in memory, and as soon as there is room, and no backup reads the
//! database, the coordinator goes on by itself.

use tracing::{error, info};

use crate::schedule::Opinion;
use crate::store::StoreError;

use super::active::ActiveSweep;
use super::core::Core;

/// How often it is tried whether there is room again.
const TRY_EVERY_MS: u64 = 1_000;

/// That the data directory cannot be written.
#[derive(Debug)]
pub struct Outage {
    /// What the first write that failed said.
    pub(super) reason: String,
    /// When it is tried again.
    next_try_ms: u64,
}

impl Core {
    /// Takes note that a write failed.
    pub(super) fn write_failed(&mut self, failure: &StoreError) {
        if self.outage.is_none() {
            error!(%failure, "the data directory cannot be written; results wait at the workers until it can");
            self.outage = Some(Outage { reason: failure.to_string(), next_try_ms: 0 });
        }
    }

    /// Opens the database again if a write has failed and there is room now.
    pub(super) fn heal(&mut self, now_ms: u64) {
        let Some(outage) = self.outage.as_mut().filter(|outage| outage.next_try_ms <= now_ms) else { return };
        outage.next_try_ms = now_ms + TRY_EVERY_MS;
        if let Err(failure) = self.store.reopen().and_then(|()| self.take_stock()) {
            if !matches!(failure, StoreError::File { .. } | StoreError::BackingUp { .. }) {
                error!(%failure, "the database cannot be opened again");
            }
            return;
        }
        info!("the data directory can be written again");
        self.outage = None;
    }

    /// Reads the sweeps again: a batch that was said to have failed may be there.
    fn take_stock(&mut self) -> Result<(), StoreError> {
        for (id, active) in &mut self.sweeps {
            let loaded = ActiveSweep::load(&self.store, active.record.clone());
            *active = loaded.map_err(|failure| StoreError::Inconsistent { sweep_id: id.clone(), what: failure.to_string() })?;
            for shard in self.store.done_shards(id)?.into_iter().flatten() {
                // It says nothing new of those that were known to be done.
                let _ = self.schedule.mark_done(id, shard);
            }
            for (shard, record) in self.store.opinions(id)? {
                let known = self.schedule.opinions(id, shard).iter().any(|known| known.instance == record.instance);
                if !known {
                    let opinion = Opinion { instance: record.instance, digest: record.digest };
                    // One on a shard that is done is refused.
                    let _ = self.schedule.hear_opinion(id, shard, opinion);
                }
            }
        }
        let ids: Vec<String> = self.sweeps.keys().cloned().collect();
        ids.iter().try_for_each(|id| self.ban_outvoted(id))
    }
}
