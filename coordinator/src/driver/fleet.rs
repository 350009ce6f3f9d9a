//! What each worker has done in this run of the coordinator, whatever ids it had: the record goes by the instance, the name
//! that a worker chose when it started.

use std::collections::{BTreeMap, VecDeque};

use crate::schedule::{WorkerId, WorkerInfo};

use super::rate::Rate;

/// How long a worker that was lost is remembered.
const REMEMBER_MS: u64 = 3_600_000;
/// How many workers that were lost are remembered at most, those first that were heard last.
const MAX_LOST: usize = 256;
const PRUNE_EVERY_MS: u64 = 60_000;
/// How many of the shards that a worker lost are named.
const MAX_NAMED: usize = 8;

/// What a worker has done since it first registered.
#[derive(Clone, Debug, Default)]
pub struct WorkerRecord {
    /// Its id, which changes when it registers again.
    pub worker: u64,
    /// What it said about itself.
    pub info: WorkerInfo,
    /// When it registered first.
    pub registered_ms: u64,
    /// When it was heard last.
    pub heard_ms: u64,
    /// How many of its results were taken, to count or to be compared with another's.
    pub shards_done: u64,
    /// Configurations of these.
    pub decided: u128,
    /// How many of its leases ran out.
    pub lost: u64,
    /// How many shards it gave back with an error.
    pub errors: u64,
    /// How many shards it gave back because it was told to stop.
    pub returned: u64,
    /// How many of its results others contradicted.
    pub contradicted: u64,
    /// The shards that it lost last, each with its sweep.
    pub lost_shards: VecDeque<(String, u64)>,
    rate: Rate,
}

impl WorkerRecord {
    /// Takes in how far the worker is: what its results decided, and what its leases have so far.
    pub fn sample(&mut self, now_ms: u64, in_progress: u128) {
        self.rate.sample(now_ms, self.decided + in_progress);
    }

    /// Configurations a second lately, if its leases are so far now.
    #[must_use]
    pub fn rate(&self, now_ms: u64, in_progress: u128) -> f64 {
        let mut rate = self.rate.clone();
        rate.sample(now_ms, self.decided + in_progress);
        rate.per_second()
    }

    /// Takes note of a lease that ran out.
    pub fn lose(&mut self, sweep_id: String, shard_number: u64) {
        self.lost += 1;
        self.lost_shards.push_back((sweep_id, shard_number));
        if self.lost_shards.len() > MAX_NAMED {
            self.lost_shards.pop_front();
        }
    }
}

/// The records of the workers that are there, and for a while of those that were lost.
#[derive(Debug, Default)]
pub struct Fleet {
    records: BTreeMap<String, WorkerRecord>,
    /// The instance of each record's worker.
    instances: BTreeMap<WorkerId, String>,
    prune_ms: u64,
}

impl Fleet {
    /// Takes in a worker that registered, perhaps again.
    pub fn register(&mut self, now_ms: u64, worker: WorkerId, info: &WorkerInfo) {
        let fresh = || WorkerRecord { registered_ms: now_ms, ..WorkerRecord::default() };
        let record = self.records.entry(info.instance.clone()).or_insert_with(fresh);
        self.instances.remove(&WorkerId(record.worker));
        (record.worker, record.info, record.heard_ms) = (worker.0, info.clone(), now_ms);
        self.instances.insert(worker, info.instance.clone());
    }

    /// Forgets workers that were lost long ago, or beside too many others.
    ///
    /// Cost: O(1), and once a minute, or when too many were lost, O(workers).
    pub fn prune(&mut self, now_ms: u64, there: usize, is_there: impl Fn(WorkerId) -> bool) {
        if now_ms < self.prune_ms && self.records.len() <= there + MAX_LOST {
            return;
        }
        self.prune_ms = now_ms + PRUNE_EVERY_MS;
        let mut gone: Vec<(u64, String)> = self.lost(&is_there).map(|record| (record.heard_ms, record.info.instance.clone())).collect();
        gone.sort_unstable();
        let too_many = gone.len().saturating_sub(MAX_LOST);
        for (index, (heard_ms, instance)) in gone.into_iter().enumerate() {
            if index < too_many || heard_ms + REMEMBER_MS < now_ms {
                self.remove(&instance);
            }
        }
    }

    fn remove(&mut self, instance: &str) {
        if let Some(record) = self.records.remove(instance) {
            self.instances.remove(&WorkerId(record.worker));
        }
    }

    /// Forgets a worker that says goodbye.
    pub fn forget(&mut self, worker: WorkerId) {
        if let Some(instance) = self.instances.get(&worker).cloned() {
            self.remove(&instance);
        }
    }

    /// The record of a worker by an id that it has or had.
    pub fn by_id(&mut self, worker: WorkerId) -> Option<&mut WorkerRecord> {
        self.records.get_mut(self.instances.get(&worker)?)
    }

    /// The record of a worker by its instance.
    pub fn by_instance(&mut self, instance: &str) -> Option<&mut WorkerRecord> {
        self.records.get_mut(instance)
    }

    /// What is known about a worker.
    #[must_use]
    pub fn record(&self, instance: &str) -> Option<&WorkerRecord> {
        self.records.get(instance)
    }

    /// The workers that neither are there nor said goodbye.
    pub fn lost(&self, is_there: impl Fn(WorkerId) -> bool) -> impl Iterator<Item = &WorkerRecord> {
        self.records.values().filter(move |record| !is_there(WorkerId(record.worker)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(instance: &str) -> WorkerInfo {
        WorkerInfo { machine: "ada".into(), instance: instance.into(), slots: 1, ..WorkerInfo::default() }
    }

    #[test]
    fn what_a_worker_has_done_follows_it_when_it_registers_again() {
        let mut fleet = Fleet::default();
        fleet.register(5, WorkerId(1), &info("a"));
        fleet.by_id(WorkerId(1)).unwrap().lose("h1".into(), 3);
        fleet.register(900, WorkerId(2), &info("a"));
        assert!(fleet.by_id(WorkerId(1)).is_none());
        let record = fleet.by_id(WorkerId(2)).unwrap();
        assert_eq!((record.worker, record.registered_ms, record.heard_ms, record.lost), (2, 5, 900, 1));
        assert_eq!(fleet.lost(|_| true).count(), 0);
        fleet.forget(WorkerId(2));
        assert!(fleet.record("a").is_none());
    }

    #[test]
    fn so_many_lost_workers_are_remembered_for_so_long() {
        let mut fleet = Fleet::default();
        for number in 0..1_000 {
            fleet.register(number, WorkerId(number), &info(&format!("{number:04}")));
            fleet.prune(number, 1, |id| id.0 == number);
        }
        let lost: Vec<u64> = fleet.lost(|id| id.0 == 999).map(|record| record.worker).collect();
        assert_eq!((lost.len(), lost[0]), (MAX_LOST, 999 - MAX_LOST as u64));
        assert_eq!(fleet.instances.len(), MAX_LOST + 1);
        fleet.register(REMEMBER_MS + 990, WorkerId(1_000), &info("new"));
        fleet.prune(REMEMBER_MS + 990, 1, |id| id.0 == 1_000);
        assert_eq!(fleet.lost(|id| id.0 == 1_000).count(), 10);
        for shard in 0..20 {
            fleet.by_id(WorkerId(1_000)).unwrap().lose("h1".into(), shard);
        }
        let record = fleet.record("new").unwrap();
        assert_eq!((record.lost, record.lost_shards.len(), record.lost_shards[0].1), (20, MAX_NAMED, 12));
    }
}
