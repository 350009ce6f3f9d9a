//! What the program promises, held against what really happened: the ledger knows it, and neither the coordinator nor a worker does.

use std::collections::{BTreeMap, BTreeSet};

use refute_coordinator::driver::DeliveryError;
use refute_coordinator::schedule::{ExpiredLease, LeaseGrant, LeaseId, ResultStanding, ShardCounts, SweepState, Vote};
use refute_coordinator::store::ShardRecord;

use super::calls::Process;
use super::disk::{Disk, Written};
use super::machine::Machine;
use super::running_core::{Claimed, RunningCore, Told};
use super::scenario::{Character, MAX_ATTEMPTS, Poison, Scenario};

/// How much later than due the coordinator may see that a lease has run out.
const SLACK_MS: u64 = 600;

#[derive(Debug, Default)]
pub struct Ledger {
    /// Every lease ever given.
    grants: BTreeMap<LeaseId, Process>,
    /// The results of which a worker was told that they are taken.
    acknowledged: BTreeSet<(u64, String)>,
    /// Who was told that its result is taken, though others contradict it.
    caught: BTreeSet<String>,
    /// How often each shard's lease ran out since attempts are counted.
    losses: BTreeMap<u64, u32>,
    pub lies_told: u64,
    pub story: BTreeMap<&'static str, u64>,
}

impl Ledger {
    pub fn note(&mut self, what: &'static str) {
        *self.story.entry(what).or_default() += 1;
    }

    /// A shard is handed to a worker.
    pub fn granted(&mut self, grant: &LeaseGrant, to: Process, core: &RunningCore, disk: &Disk) {
        let (instance, shard) = (to.instance(), grant.shard_number);
        assert!(!disk.kept.banned.contains(&instance) && !self.caught.contains(&instance), "{instance} is banned and gets shard {shard}");
        if let Some(before) = self.grants.insert(grant.lease_id, to) {
            // Its worker asks again, since the answer was lost.
            assert_eq!(before, to, "lease {} is given to two workers", grant.lease_id);
            self.note("leases given again");
        }
        // While the disk cannot be written, what is on it may be unknown.
        if core.writes() {
            assert!(!disk.is_outvoted(&instance), "{instance} was outvoted and gets shard {shard}");
            assert!(!disk.has(shard, &instance), "shard {shard} is done, or {instance} has solved it before");
        }
    }

    /// A worker is about to be told what became of its result.
    pub fn told(
        &mut self,
        Claimed { shard, from, records_hash }: &Claimed,
        told: &Told,
        core: &RunningCore,
        disk: &Disk,
        scenario: &Scenario,
    ) {
        let instance = from.instance();
        match told {
            Ok(is_done) => {
                assert!(disk.has(*shard, &instance), "the result of {instance} for shard {shard} is nowhere");
                let first = disk.kept.done.get(shard);
                assert!(!is_done || first.is_some(), "{instance} is told that shard {shard} is done, and it is not");
                self.acknowledged.insert((*shard, instance.clone()));
                let differs = |first: &&ShardRecord| first.tally.as_ref().is_some_and(|tally| tally.records_hash != *records_hash);
                let Some(first) = first.filter(differs) else { return };
                if first.agreed.is_empty() {
                    let failed = disk.kept.record.state.is_terminal();
                    assert!(failed, "two results for shard {shard} differ, and the sweep goes on");
                    assert!(!first.disagreements.is_empty(), "two results for shard {shard} differ, and nothing says so");
                } else {
                    self.note("late lies");
                    self.caught.insert(instance);
                }
            }
            Err(DeliveryError::NotWritten(_)) => {
                assert!(!core.writes() && disk.is_broken(), "{instance} is told that its result for {shard} was not written");
                self.note("results that were not written");
            }
            Err(DeliveryError::HandedInAgain) => self.note("results handed in again"),
            Err(refused) => {
                // Who lied, or came too late to a sweep that has failed.
                let closed = core.schedule().state(&disk.kept.record.id) == Some(SweepState::Failed);
                let honest = *records_hash == scenario.truth(*shard).tally.records_hash;
                assert!(!honest || closed || self.lied(from, scenario), "{instance} is refused for shard {shard}: {refused}");
            }
        }
    }

    /// Whether a process is one that lies.
    fn lied(&self, process: &Process, scenario: &Scenario) -> bool {
        process.generation == 1 && scenario.machines[process.machine].lies.is_some()
    }

    /// Nothing that was acknowledged is lost, on disk or in the schedule; also not over a crash.
    pub fn check_acknowledged(&self, core: &RunningCore, disk: &Disk) {
        for (shard, instance) in &self.acknowledged {
            assert!(disk.has(*shard, instance), "the result of {instance} for shard {shard} was acknowledged and is lost");
            let standing =
                core.schedule().result(&disk.kept.record.id, *shard, &Vote { instance: instance.clone(), host: String::new(), digest: 0 });
            use ResultStanding::{Banned, Duplicate, Repeated, SweepClosed};
            let kept = matches!(standing, Duplicate | Repeated | SweepClosed | Banned);
            assert!(kept, "the coordinator asks again for what {instance} found for shard {shard}: {standing:?}");
        }
    }

    /// The attempts at every shard are counted from here on.
    pub fn forget_losses(&mut self) {
        self.losses.clear();
    }

    /// A lease ran out. That takes a reason: something befell the machine since the lease was last extended.
    pub fn expired(&mut self, now_ms: u64, lease: &ExpiredLease, machines: &[Machine], scenario: &Scenario) {
        let Some(holder) = self.grants.get(&lease.lease_id).copied() else { panic!("nobody was given the lease that ran out: {lease:?}") };
        let machine = &machines[holder.machine];
        let since_ms = now_ms.saturating_sub(scenario.lease_ttl_ms + SLACK_MS);
        let explained = machine.trouble_ms.is_some_and(|trouble_ms| trouble_ms >= since_ms);
        assert!(explained, "the lease of {} on shard {} ran out and nothing had happened to it", holder.instance(), lease.shard_number);
        *self.losses.entry(lease.shard_number).or_default() += 1;
        self.note("leases that ran out");
    }

    pub fn written(&mut self, written: &Written, scenario: &Scenario) {
        match written {
            Written::Quarantined { shard, error } if !scenario.poison.contains_key(shard) => {
                let losses = self.losses.get(shard).copied().unwrap_or_default();
                assert!(losses >= MAX_ATTEMPTS, "shard {shard} is quarantined after {losses} losses: {error}");
                let killers = scenario.poison.values().any(|poison| *poison == Poison::Kills);
                assert!(killers || !scenario.spares_workers(), "shard {shard} is quarantined and every worker was well");
                self.note("good shards quarantined");
            }
            Written::Quarantined { .. } => self.note("poison quarantined"),
            Written::Banned { instance } => {
                let lies = |(machine, character): (usize, &Character)| {
                    character.lies.is_some() && Process { machine, generation: 1 }.instance() == *instance
                };
                assert!(scenario.machines.iter().enumerate().any(lies), "{instance} never lied and is banned");
                self.note("bans");
            }
        }
    }

    /// The laws that hold at any time. Called when leases may have changed.
    pub fn check(&self, core: &RunningCore, disk: &Disk, scenario: &Scenario) {
        let schedule = core.schedule();
        let (mut leased, mut leases) = (vec![false; scenario.shards as usize], BTreeMap::<_, usize>::new());
        let all = schedule.leases().len();
        for lease in schedule.leases() {
            let before = std::mem::replace(&mut leased[lease.shard_number as usize], true);
            assert!(!before, "two leases on shard {}", lease.shard_number);
            *leases.entry(lease.worker).or_default() += 1;
        }
        for worker in schedule.workers() {
            let held = leases.remove(&worker.id).unwrap_or_default();
            let most = worker.info.slots + worker.info.backlog;
            assert!(held == worker.leases && held <= most as usize, "worker {} has {held} leases", worker.id);
        }
        assert!(leases.is_empty(), "workers that are not known have leases");
        let ShardCounts { total, done, leased: count, quarantined, pending } = schedule.counts(&disk.kept.record.id).unwrap();
        assert_eq!((total, done + count + quarantined + pending, count), (scenario.shards, total, all as u64));
    }

    /// After every turn in which the disk could be written, schedule and disk say the same.
    pub fn check_written(&self, core: &RunningCore, disk: &Disk) {
        if core.writes() {
            let counts = core.schedule().counts(&disk.kept.record.id).unwrap();
            assert_eq!((counts.done, counts.quarantined), (disk.kept.done.len() as u64, disk.kept.quarantined.len() as u64));
            assert_eq!(core.schedule().state(&disk.kept.record.id), Some(disk.kept.record.state));
            for lease in core.schedule().leases().filter(|_| disk.has_committed()) {
                assert!(!disk.kept.done.contains_key(&lease.shard_number), "shard {} is done and leased", lease.shard_number);
            }
        }
    }

    /// How the sweep may end once the faults are over.
    pub fn check_end(&mut self, core: &RunningCore, disk: &Disk, scenario: &Scenario) {
        self.check_acknowledged(core, disk);
        let poison: BTreeSet<u64> = scenario.poison.keys().copied().collect();
        let expected = if poison.is_empty() { SweepState::Complete } else { SweepState::Incomplete };
        if disk.kept.record.state == SweepState::Failed {
            assert!(
                scenario.replicas == 1 && self.lies_told > 0,
                "a sweep failed that nobody lied about, or that liars could be outvoted on"
            );
            self.note("failed");
            return;
        }
        assert_eq!(disk.kept.record.state, expected);
        assert_eq!(disk.kept.quarantined, poison, "quarantined and poison");
        assert!((0..scenario.shards).all(|shard| disk.kept.done.contains_key(&shard) != poison.contains(&shard)), "a shard is nowhere");
        self.note(if poison.is_empty() { "complete" } else { "incomplete" });
    }
}
