//! What can be read of the schedule without changing it: sweeps, workers, leases, votes and drained hosts.

use std::ops::{Bound, Range};

use refute_shared::text::bytes;

use super::machine::{Lease, Worker};
use super::{
    Config, LeaseId, LeaseView, RangeSet, Schedule, ShardCounts, SweepState, TooManyWorkers, Vote, WorkerId, WorkerInfo, WorkerView,
};

/// The most workers, in all and of one host.
const MAX_WORKERS: usize = 10_000;
const MAX_WORKERS_A_HOST: usize = 4_096;

impl Schedule {
    /// How leases are given.
    #[must_use]
    pub fn config(&self) -> Config {
        self.config
    }

    /// Where a sweep stands.
    #[must_use]
    pub fn state(&self, sweep_id: &str) -> Option<SweepState> {
        self.sweeps.get(sweep_id).map(|sweep| sweep.state)
    }

    /// Why a sweep failed.
    #[must_use]
    pub fn reason(&self, sweep_id: &str) -> Option<&str> {
        self.sweeps.get(sweep_id)?.reason.as_deref()
    }

    /// A sweep's priority.
    #[must_use]
    pub fn priority(&self, sweep_id: &str) -> Option<i32> {
        self.sweeps.get(sweep_id).map(|sweep| sweep.priority)
    }

    /// How many of a sweep's shards are where.
    #[must_use]
    pub fn counts(&self, sweep_id: &str) -> Option<ShardCounts> {
        self.sweeps.get(sweep_id).map(|sweep| sweep.shards.counts())
    }

    /// The sweeps of which somebody has a shard, by id.
    pub fn leased_sweeps(&self) -> impl Iterator<Item = &str> {
        self.leased.keys().map(String::as_str)
    }

    /// How many of a run of a sweep's shards are where; the run is within the sweep.
    #[must_use]
    pub fn counts_within(&self, sweep_id: &str, range: Range<u64>) -> Option<ShardCounts> {
        self.sweeps.get(sweep_id).map(|sweep| sweep.shards.counts_within(range))
    }

    /// The quarantined shards of a sweep.
    #[must_use]
    pub fn quarantined(&self, sweep_id: &str) -> Option<&RangeSet> {
        self.sweeps.get(sweep_id).map(|sweep| &sweep.shards.quarantined)
    }

    /// Configurations decided inside the leased shards of a sweep, as their workers last said; 0 if there is no such sweep.
    #[must_use]
    pub fn progress(&self, sweep_id: &str) -> u128 {
        self.sweeps.get(sweep_id).map_or(0, |sweep| sweep.progress)
    }

    /// The workers, in the order in which they registered.
    pub fn workers(&self) -> impl ExactSizeIterator<Item = WorkerView<'_>> {
        self.workers.iter().map(|(id, worker)| self.view(*id, worker))
    }

    /// The workers that registered after one, or all.
    pub fn workers_after(&self, after: Option<WorkerId>) -> impl Iterator<Item = WorkerView<'_>> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.workers.range((from, Bound::Unbounded)).map(|(id, worker)| self.view(*id, worker))
    }

    /// Whether there is room for one more worker of a host. One owner of a certificate cannot take all the places.
    ///
    /// # Errors
    /// [`TooManyWorkers`].
    pub fn check_room(&self, host: &str) -> Result<(), TooManyWorkers> {
        if self.workers.len() >= MAX_WORKERS {
            return Err(TooManyWorkers::InAll { most: MAX_WORKERS });
        }
        if self.hosts.workers(host) >= MAX_WORKERS_A_HOST {
            return Err(TooManyWorkers::OfHost { host: host.to_owned(), most: MAX_WORKERS_A_HOST });
        }
        Ok(())
    }

    /// A worker.
    #[must_use]
    pub fn worker(&self, id: WorkerId) -> Option<WorkerView<'_>> {
        self.workers.get(&id).map(|worker| self.view(id, worker))
    }

    fn view<'a>(&'a self, id: WorkerId, worker: &'a Worker) -> WorkerView<'a> {
        WorkerView {
            id,
            info: &worker.info,
            leases: worker.leases.len(),
            heard_ms: worker.heard_ms,
            banned: self.banned.get(&worker.info.instance).map(String::as_str),
            drained: self.hosts.is_drained(&worker.info.host),
            probation: self.hosts.probation(&worker.info.host, &worker.info.instance),
        }
    }

    /// The results for a shard that wait for another worker to agree.
    #[must_use]
    pub fn votes(&self, sweep_id: &str, shard_number: u64) -> &[Vote] {
        let votes = self.sweeps.get(sweep_id).and_then(|sweep| sweep.shards.votes.get(&shard_number));
        votes.map_or(&[], Vec::as_slice)
    }

    /// How many shards of a sweep wait for another worker to agree.
    #[must_use]
    pub fn awaiting(&self, sweep_id: &str) -> u64 {
        self.sweeps.get(sweep_id).map_or(0, |sweep| sweep.shards.awaiting.len())
    }

    /// The hosts that are drained, by name, with or without workers.
    pub fn drained(&self) -> impl Iterator<Item = &str> {
        self.hosts.drained()
    }

    /// Whether some other worker than this one is there and could solve shards of a sweep.
    #[must_use]
    pub fn has_another(&self, sweep_id: &str, instance: &str) -> bool {
        let Some(sweep) = self.sweeps.get(sweep_id) else { return false };
        let is_another = |info: &WorkerInfo| info.instance != instance && !self.banned.contains_key(&info.instance);
        self.workers.values().any(|worker| is_another(&worker.info) && sweep.suits(&worker.info))
    }

    /// A sentence, if a worker gets no shard of some open sweep since its solver for the family is of another version than
    /// the one that the sweep is pinned to.
    #[must_use]
    pub fn other_version(&self, info: &WorkerInfo) -> Option<String> {
        self.sweeps.iter().filter(|(_, sweep)| sweep.state.is_open()).find_map(|(id, sweep)| {
            let versions = || info.families.iter().filter(|(family, _)| *family == sweep.family).map(|(_, version)| *version);
            let theirs = versions().next().filter(|_| versions().all(|version| version != sweep.solver_version))?;
            let (family, pinned) = (&sweep.family, sweep.solver_version);
            Some(format!(
                "gets no shard of '{id}': that is pinned to solver version {pinned} of {family}, and this worker has version {theirs}"
            ))
        })
    }

    /// A sentence, if a worker gets no shard of some open sweep whose family it knows since its slots have too little memory.
    #[must_use]
    pub fn too_small(&self, info: &WorkerInfo) -> Option<String> {
        self.sweeps
            .iter()
            .filter(|(_, sweep)| sweep.state.is_open() && sweep.is_known_to(info) && !sweep.fits(info))
            .map(|(id, sweep)| {
                let (needs, has) = (bytes(sweep.bytes), bytes(info.slot_bytes.into()));
                format!("gets no shard of '{id}': its tables need {needs} a slot, and a slot of this worker has {has}")
            })
            .next()
    }

    /// A sentence, if workers know the family of an open sweep and none of them gets a shard of it since their slots have too little
    /// memory.
    #[must_use]
    pub fn lack_of_memory(&self, sweep_id: &str) -> Option<String> {
        let sweep = self.sweeps.get(sweep_id).filter(|sweep| sweep.state.is_open())?;
        let is_served = |info: &WorkerInfo| {
            sweep.is_known_to(info) && info.slots > 0 && !self.banned.contains_key(&info.instance) && !self.hosts.is_drained(&info.host)
        };
        let mut largest = None;
        for info in self.workers.values().map(|worker| &worker.info) {
            // Most often one of the first has enough, and one that has less than another says nothing new.
            if largest.is_none_or(|largest| info.slot_bytes > largest) && is_served(info) {
                if sweep.fits(info) {
                    return None;
                }
                largest = Some(info.slot_bytes);
            }
        }
        let (needs, has) = (bytes(sweep.bytes), bytes(largest?.into()));
        Some(format!(
            "waits for a worker with more memory: its tables need {needs} a slot, and the largest slot of the workers here has {has} \
             (more memory, fewer --slots, or --memory of refute-worker)"
        ))
    }

    /// A lease, if it has not ended.
    #[must_use]
    pub fn held(&self, lease_id: LeaseId) -> Option<LeaseView<'_>> {
        self.leases.get(&lease_id).map(|lease| self.lease_view(lease_id, lease))
    }

    /// Configurations decided inside the shards that a worker has, as it last said; 0 if there is no such worker.
    #[must_use]
    pub fn progress_of(&self, worker: WorkerId) -> u128 {
        self.workers.get(&worker).map_or(0, |worker| worker.progress)
    }

    /// Whether a worker is known here.
    #[must_use]
    pub fn has_worker(&self, worker: WorkerId) -> bool {
        self.workers.contains_key(&worker)
    }

    /// The leases, in the order in which they were given.
    pub fn leases(&self) -> impl ExactSizeIterator<Item = LeaseView<'_>> {
        self.leases.iter().map(|(lease_id, lease)| self.lease_view(*lease_id, lease))
    }

    /// The leases of a worker, in the order in which they were given.
    pub fn leases_of(&self, worker: WorkerId) -> impl Iterator<Item = LeaseView<'_>> {
        self.workers.get(&worker).into_iter().flat_map(|worker| &worker.leases).filter_map(|lease_id| self.held(*lease_id))
    }

    fn lease_view<'a>(&self, lease_id: LeaseId, lease: &'a Lease) -> LeaseView<'a> {
        LeaseView {
            lease_id,
            worker: lease.worker,
            sweep_id: &lease.sweep_id,
            shard_number: lease.shard_number,
            given_ms: lease.given_ms,
            expires_ms: self.expiries.get(lease_id).unwrap_or(lease.given_ms),
            decided: lease.decided,
        }
    }
}
