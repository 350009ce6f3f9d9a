//! What the program promises, held against what really happened: the ledger knows it, and neither the coordinator nor a worker does.

use std::collections::{BTreeMap, BTreeSet};

use refute_coordinator::schedule::{Change, ExpiredLease, LeaseGrant, LeaseId, Opinion, ResultStanding, ShardCounts, SweepState};

use super::calls::Process;
use super::coordinator::{Coordinator, MAX_ATTEMPTS, SWEEP};
use super::disk::Disk;
use super::machine::Machine;
use super::scenario::{Character, Poison, Scenario};

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
    pub fn granted(&mut self, grant: &LeaseGrant, to: Process, coordinator: &Coordinator, disk: &Disk) {
        let (instance, shard) = (to.instance(), grant.shard_number);
        assert!(!disk.banned.contains(&instance) && !self.caught.contains(&instance), "{instance} is banned and gets shard {shard}");
        assert_eq!(self.grants.insert(grant.lease_id, to), None, "lease {} is given twice", grant.lease_id);
        // While the disk cannot be written, what is on it may be unknown.
        if coordinator.writes() {
            assert!(!disk.outvoted().contains(&instance), "{instance} was outvoted and gets shard {shard}");
            assert!(!disk.has(shard, &instance), "shard {shard} is done, or {instance} has solved it before");
        }
    }

    /// A worker is about to be told that its result is taken.
    pub fn acknowledge(&mut self, shard: u64, opinion: &Opinion, disk: &Disk) {
        assert!(disk.has(shard, &opinion.instance), "the result of {} for shard {shard} is nowhere", opinion.instance);
        self.acknowledged.insert((shard, opinion.instance.clone()));
        if disk.done.get(&shard).is_some_and(|done| done.digest != opinion.digest && !done.agreed.is_empty()) {
            self.note("late lies");
            self.caught.insert(opinion.instance.clone());
        }
    }

    /// Nothing that was acknowledged is lost, on disk or in the schedule; also not over a crash.
    pub fn check_acknowledged(&self, coordinator: &Coordinator, disk: &Disk) {
        for (shard, instance) in &self.acknowledged {
            assert!(disk.has(*shard, instance), "the result of {instance} for shard {shard} was acknowledged and is lost");
            let standing = coordinator.schedule.result(SWEEP, *shard, &Opinion { instance: instance.clone(), digest: 0 });
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

    pub fn written(&mut self, change: &Change, scenario: &Scenario) {
        match change {
            Change::Quarantined { shard_number, error, .. } if !scenario.poison.contains_key(shard_number) => {
                let losses = self.losses.get(shard_number).copied().unwrap_or_default();
                assert!(losses >= MAX_ATTEMPTS, "shard {shard_number} is set aside after {losses} losses: {error}");
                let killers = scenario.poison.values().any(|poison| *poison == Poison::Kills);
                assert!(killers || !scenario.spares_workers(), "shard {shard_number} is set aside and every worker was well");
                self.note("good shards set aside");
            }
            Change::Quarantined { .. } => self.note("poison set aside"),
            Change::Banned { instance, .. } => {
                let lies = |(machine, character): (usize, &Character)| {
                    character.lies.is_some() && Process { machine, generation: 1 }.instance() == *instance
                };
                assert!(scenario.machines.iter().enumerate().any(lies), "{instance} never lied and is banned");
                self.note("bans");
            }
            Change::State { .. } | Change::Priority { .. } | Change::QuarantineCleared { .. } => {}
        }
    }

    /// The laws that hold at any time.
    pub fn check(&self, coordinator: &Coordinator, disk: &Disk, scenario: &Scenario) {
        let schedule = &coordinator.schedule;
        let mut leased = BTreeSet::new();
        for lease in schedule.leases() {
            assert!(leased.insert(lease.shard_number), "two leases on shard {}", lease.shard_number);
            let done = coordinator.writes() && disk.done.contains_key(&lease.shard_number);
            assert!(!done, "shard {} is done and leased", lease.shard_number);
        }
        let mut leases = coordinator.leases_by_worker();
        for worker in schedule.workers() {
            let held = leases.remove(&worker.id).unwrap_or_default();
            let most = worker.info.slots + worker.info.backlog;
            assert!(held == worker.leases && held <= most as usize, "worker {} has {held} leases", worker.id);
        }
        assert!(leases.is_empty(), "workers that are not known have leases");
        let ShardCounts { total, done, leased: count, quarantined, pending } = schedule.counts(SWEEP).unwrap();
        assert_eq!((total, done + count + quarantined + pending, count), (scenario.shards, total, leased.len() as u64));
    }

    /// After every turn in which the disk could be written, schedule and disk say the same.
    pub fn check_written(&self, coordinator: &Coordinator, disk: &Disk) {
        if coordinator.writes() {
            let counts = coordinator.schedule.counts(SWEEP).unwrap();
            assert_eq!((counts.done, counts.quarantined), (disk.done.len() as u64, disk.quarantined.len() as u64));
            assert_eq!(coordinator.schedule.state(SWEEP), Some(disk.state));
        }
    }

    /// How the sweep may end once the faults are over.
    pub fn check_end(&mut self, coordinator: &Coordinator, disk: &Disk, scenario: &Scenario) {
        self.check_acknowledged(coordinator, disk);
        let poison: BTreeSet<u64> = scenario.poison.keys().copied().collect();
        let expected = if poison.is_empty() { SweepState::Complete } else { SweepState::Incomplete };
        if disk.state == SweepState::Failed {
            assert!(
                scenario.replicas == 1 && self.lies_told > 0,
                "a sweep failed that nobody lied about, or that liars could be outvoted on"
            );
            self.note("failed");
            return;
        }
        assert_eq!(disk.state, expected);
        assert_eq!(disk.quarantined, poison, "set aside and poison");
        assert!((0..scenario.shards).all(|shard| disk.done.contains_key(&shard) != poison.contains(&shard)), "a shard is nowhere");
        self.note(if poison.is_empty() { "complete" } else { "incomplete" });
    }
}
