//! What a worker says about itself in the log. Lines about a shard carry `sweep`, `shard`, `worker` and `lease`, by the same names
//! as the coordinator's, so that a shard can be followed from one to the other.

use std::collections::{BTreeMap, VecDeque};

use tracing::{debug, info, warn};

use crate::assignment::{Assignment, ShardOutcome, Solved};
use crate::session::{BACKLOG, Notice};

/// What the lines are about.
#[derive(Debug)]
pub(crate) struct Log {
    coordinator: String,
    slots: usize,
    /// The id that the coordinator gave last; 0 before it gave one.
    worker: u64,
    /// The shard that each slot was given last.
    shards: BTreeMap<usize, Ids>,
    /// The shards that ended last, as many as there can be results on their way.
    ended: VecDeque<Ids>,
}

#[derive(Clone, Debug)]
struct Ids {
    sweep: String,
    shard: u64,
    lease: u64,
}

impl Ids {
    fn of(assignment: &Assignment) -> Self {
        Self { sweep: assignment.sweep_id.clone(), shard: assignment.shard_number, lease: assignment.lease_id }
    }
}

impl Log {
    pub(crate) fn new(coordinator: String, slots: usize) -> Self {
        Self { coordinator, slots, worker: 0, shards: BTreeMap::new(), ended: VecDeque::new() }
    }

    pub(crate) fn solving(&mut self, slot: usize, assignment: &Assignment) {
        let ids = Ids::of(assignment);
        let (Ids { sweep, shard, lease }, worker) = (&ids, self.worker);
        debug!(slot, sweep, shard, worker, lease, "solving");
        self.shards.insert(slot, ids);
    }

    pub(crate) fn finished(&mut self, slot: usize, outcome: &ShardOutcome) {
        let Some(ids) = self.shards.remove(&slot) else { return };
        let (Ids { sweep, shard, lease }, worker) = (&ids, self.worker);
        match outcome {
            ShardOutcome::Solved(solved) => debug!(slot, sweep, shard, worker, lease, seconds = solved.seconds, "solved"),
            ShardOutcome::Stopped => debug!(slot, sweep, shard, worker, lease, "stopped"),
            ShardOutcome::Failed(problem) => warn!(slot, sweep, shard, worker, lease, problem, "a shard cannot be solved here"),
        }
        self.ended.push_back(ids);
        if self.ended.len() > self.slots + BACKLOG {
            self.ended.pop_front();
        }
    }

    pub(crate) fn tell(&mut self, notice: Notice) {
        let (coordinator, worker) = (&self.coordinator, self.worker);
        match notice {
            Notice::Registered { worker_id } => {
                self.worker = worker_id;
                info!(worker = worker_id, slots = self.slots, "working for {coordinator}");
            }
            Notice::Unreachable { reason } => {
                warn!(worker, "cannot reach the coordinator at {coordinator}: {reason}; trying until it answers")
            }
            Notice::Reachable => info!(worker, "the coordinator at {coordinator} answers"),
            Notice::Forgotten => info!(worker, "the coordinator at {coordinator} restarted; registering again"),
            Notice::NoWork { reason } => warn!(worker, "the coordinator at {coordinator} gives no work: {reason}"),
            Notice::ResultRefused { lease_id, reason } => match self.ended.iter().find(|ids| ids.lease == lease_id) {
                Some(Ids { sweep, shard, lease }) => warn!(sweep, shard, worker, lease, reason, "a result was refused and is dropped"),
                None => warn!(worker, lease = lease_id, reason, "a result was refused and is dropped"),
            },
            Notice::Abandoned { leases } => warn!(worker, leases, "no time to hand back everything; these leases are left to run out"),
        }
    }
}

/// Says that the coordinator has a result.
pub(crate) fn delivered(worker: u64, solved: &Solved, counted: bool) {
    let Ids { sweep, shard, lease } = Ids::of(&solved.assignment);
    debug!(sweep, shard, worker, lease, counted, "result delivered");
}
