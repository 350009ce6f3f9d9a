//! The laws of the schedule, checked after every step of random orders of events: workers that come and vanish, lost and
//! late and repeated results, cancelling, pausing, and restarts of the coordinator.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::steps::{HOSTS, INSTANCES, SHARDS, Step, step};
use crate::schedule::*;

/// How many workers must agree on each shard of each sweep.
const REPLICAS: [u32; 4] = [1, 2, 1, 2];
const TTL_MS: u64 = 100;
const MAX_ATTEMPTS: u32 = 2;

/// What is on disk for a sweep: what commits and changes have said.
#[derive(Clone, Debug)]
struct Disk {
    done: BTreeSet<u64>,
    votes: BTreeMap<u64, Vec<Vote>>,
    quarantined: BTreeSet<u64>,
    state: SweepState,
    priority: i32,
}

/// A coordinator with its disk, and the workers as they see themselves.
struct World {
    schedule: Schedule,
    disk: Vec<Disk>,
    /// The workers that are banned, as it is on disk.
    banned: BTreeSet<String>,
    /// The hosts that are drained, as it is on disk.
    drained: BTreeSet<String>,
    /// The processes in which the attempts at a shard went wrong in this run.
    failed: BTreeMap<(usize, u64), Vec<String>>,
    /// The leases that a heartbeat has named, and the shards that were lost before one had.
    named: BTreeSet<LeaseId>,
    unseen: BTreeSet<(usize, u64)>,
    now_ms: u64,
    epoch: u32,
    /// When each worker asked for a shard last.
    asked: BTreeMap<WorkerId, u64>,
    workers: Vec<WorkerId>,
    instances: BTreeMap<WorkerId, String>,
    /// Every lease ever granted: a worker may come back to it at any later time.
    granted: Vec<(WorkerId, LeaseGrant)>,
}

fn name(sweep: usize) -> String {
    format!("sweep-{sweep}")
}

fn index(sweep_id: &str) -> usize {
    (0..SHARDS.len()).find(|sweep| name(*sweep) == sweep_id).unwrap()
}

/// The host of a worker process: its number goes round.
fn host_of(instance: &str) -> String {
    let number = instance.strip_prefix("process ").and_then(|number| number.parse::<u64>().ok());
    number.map_or_else(|| instance.to_owned(), |number| format!("host {}", number % HOSTS))
}

/// What a slot of a worker process may take: of one host more than of the others.
fn memory_of(instance: &str) -> u64 {
    if host_of(instance) == "host 1" { 2_000 } else { 1_000 }
}

fn pick<T: Clone>(items: &[T], index: usize) -> Option<T> {
    (!items.is_empty()).then(|| items[index % items.len()].clone())
}

impl World {
    fn new() -> Self {
        let fresh =
            Disk { done: BTreeSet::new(), votes: BTreeMap::new(), quarantined: BTreeSet::new(), state: SweepState::Queued, priority: 0 };
        let mut world = Self {
            schedule: Schedule::new(Self::config(1)),
            disk: vec![fresh; SHARDS.len()],
            banned: BTreeSet::new(),
            drained: BTreeSet::new(),
            failed: BTreeMap::new(),
            named: BTreeSet::new(),
            unseen: BTreeSet::new(),
            now_ms: 0,
            epoch: 0,
            asked: BTreeMap::new(),
            workers: Vec::new(),
            instances: BTreeMap::new(),
            granted: Vec::new(),
        };
        world.restart();
        world
    }

    fn config(epoch: u32) -> Config {
        Config { lease_ttl_ms: TTL_MS, heartbeat_every_ms: TTL_MS / 4, max_attempts: MAX_ATTEMPTS, epoch }
    }

    fn restart(&mut self) {
        self.epoch += 1;
        self.now_ms = 0;
        self.schedule = Schedule::new(Self::config(self.epoch));
        for instance in &self.banned {
            self.schedule.restore_ban(instance.clone(), "it lied".into());
        }
        self.drained.iter().for_each(|host| self.schedule.restore_drained(host));
        self.failed.clear();
        self.unseen.clear();
        for (sweep, disk) in self.disk.iter().enumerate() {
            self.schedule.add_sweep(SweepEntry {
                id: name(sweep),
                family: "family".into(),
                solver_version: 1,
                language: None,
                shards: SHARDS[sweep],
                done: disk.done.iter().copied().collect(),
                quarantined: disk.quarantined.iter().copied().collect(),
                bytes: 1000,
                state: disk.state,
                reason: None,
                priority: disk.priority,
                replicas: REPLICAS[sweep],
                unverified: Vec::new(),
                votes: disk.votes.iter().flat_map(|(shard, heard)| heard.iter().map(|one| (*shard, one.clone()))).collect(),
            });
        }
    }

    /// A result arrives: what counts is committed, what others must come to as well is kept, and then the schedule is told.
    fn result(&mut self, sweep: usize, shard: u64, vote: Vote, contested: bool) {
        let standing = self.schedule.result(&name(sweep), shard, &vote);
        let disk = &self.disk[sweep];
        let closed = matches!(disk.state, SweepState::Cancelled | SweepState::Failed);
        let heard = disk.votes.get(&shard).cloned().unwrap_or_default();
        let agreeing = heard.iter().filter(|other| other.digest == vote.digest).count();
        let of_one_host = agreeing > 0 && heard.iter().all(|other| other.digest != vote.digest || other.host == vote.host);
        let asked_elsewhere =
            of_one_host && heard.len() < 4 && self.able_elsewhere(sweep, shard, Some(&vote.host), |view| view.probation.is_none());
        let needed = if heard.is_empty() { REPLICAS[sweep] as usize } else { 2 };
        let expected = match shard {
            _ if shard >= SHARDS[sweep] => ResultStanding::NoSuchShard,
            _ if self.banned.contains(&vote.instance) => ResultStanding::Banned,
            _ if disk.done.contains(&shard) => ResultStanding::Duplicate,
            _ if closed => ResultStanding::SweepClosed,
            _ if heard.iter().any(|other| other.instance == vote.instance) => ResultStanding::Repeated,
            _ if agreeing + 1 >= needed && !asked_elsewhere => ResultStanding::Decides { agreeing },
            _ => ResultStanding::Vote,
        };
        assert_eq!(standing, expected);
        let disk = &mut self.disk[sweep];
        match standing {
            ResultStanding::Decides { agreeing } if agreeing > 0 || !contested => {
                disk.done.insert(shard);
                disk.votes.remove(&shard);
                disk.quarantined.remove(&shard);
                for liar in heard.iter().filter(|other| other.digest != vote.digest) {
                    self.schedule.ban(&liar.instance, "it lied".into());
                }
                self.schedule.mark_done(&name(sweep), shard).unwrap();
                self.forget_failures(sweep, shard);
            }
            ResultStanding::Decides { .. } | ResultStanding::Vote => {
                disk.votes.entry(shard).or_default().push(vote.clone());
                disk.quarantined.remove(&shard);
                self.schedule.hear_vote(&name(sweep), shard, vote).unwrap();
            }
            _ => {}
        }
    }

    fn result_of_lease(&mut self, lease: usize, digest: u128, contested: bool) {
        let Some((worker, grant)) = pick(&self.granted, lease) else { return };
        let vote = self.vote(&self.instances[&worker], digest);
        self.schedule.credit(self.now_ms, worker, grant.lease_id);
        self.result(index(&grant.sweep_id), grant.shard_number, vote, contested);
    }

    fn lease(&mut self, worker: WorkerId) -> bool {
        self.asked.insert(worker, self.now_ms);
        let probation = self.schedule.worker(worker).and_then(|view| view.probation.map(|probation| (probation, view.leases)));
        let Ok(Some(grant)) = self.schedule.lease(self.now_ms, worker) else { return false };
        if let Some((probation, leases)) = probation {
            assert!(leases == 0 && self.now_ms >= probation.resumes_ms, "on probation it gets one shard at a time, after a pause");
        }
        self.check_choice(worker, &grant);
        let disk = &self.disk[index(&grant.sweep_id)];
        let instance = &self.instances[&worker];
        let heard = disk.votes.get(&grant.shard_number).into_iter().flatten();
        assert!(heard.clone().all(|other| other.instance != *instance), "a worker is asked twice");
        assert!(!self.banned.contains(instance), "a banned worker has work");
        assert!(!disk.done.contains(&grant.shard_number), "a done shard was leased again: {grant:?}");
        assert!(self.granted.iter().all(|(_, other)| other.lease_id != grant.lease_id), "a lease id was used twice");
        self.granted.push((worker, grant));
        true
    }

    fn vote(&self, instance: &str, digest: u128) -> Vote {
        Vote { instance: instance.to_owned(), host: host_of(instance), digest }
    }

    fn failed(&self, sweep: usize, shard: u64) -> &[String] {
        self.failed.get(&(sweep, shard)).map_or(&[], Vec::as_slice)
    }

    /// Whether a process has more memory than all in which a shard failed.
    fn has_more_memory(&self, sweep: usize, shard: u64, instance: &str) -> bool {
        let failed = self.failed(sweep, shard);
        !failed.is_empty() && failed.iter().all(|other| memory_of(other) < memory_of(instance))
    }

    /// Whether a worker that may be given shards and counts is on a host that neither failed a shard, unless with less memory, nor was
    /// heard on it, and is none of these either.
    fn able_elsewhere(&self, sweep: usize, shard: u64, besides: Option<&str>, counts: impl Fn(&WorkerView<'_>) -> bool) -> bool {
        let failed = self.failed(sweep, shard);
        let heard = self.disk[sweep].votes.get(&shard).map_or(&[][..], Vec::as_slice);
        self.schedule.workers().any(|view| {
            let (host, info) = (&view.info.host, view.info);
            let is_out = self.banned.contains(&info.instance) || self.drained.contains(host) || !counts(&view);
            let has_failed = failed.iter().any(|other| host_of(other) == *host);
            // All heard in the last two ttls count as asking here, as none is there for longer without being heard.
            let asks = view.leases > 0 || self.now_ms <= self.asked[&view.id] + 2 * TTL_MS + 1;
            asks && !is_out
                && info.slots > 0
                && info.families[0].1 == 1
                && besides != Some(host)
                && (!has_failed || self.has_more_memory(sweep, shard, &info.instance))
                && heard.iter().all(|other| other.host != *host)
        })
    }

    fn check_choice(&self, worker: WorkerId, grant: &LeaseGrant) {
        let (sweep, shard) = (index(&grant.sweep_id), grant.shard_number);
        let host = host_of(&self.instances[&worker]);
        assert!(!self.drained.contains(&host), "a drained host has work");
        let has_more = self.has_more_memory(sweep, shard, &self.instances[&worker]);
        let failed = !has_more && self.failed(sweep, shard).iter().any(|other| host_of(other) == host);
        let heard = self.disk[sweep].votes.get(&shard).is_some_and(|heard| heard.iter().any(|other| other.host == host));
        let elsewhere = || self.able_elsewhere(sweep, shard, Some(&host), |view| view.probation.is_none());
        assert!(!(failed || heard) || !elsewhere(), "a host has a shard that another should have");
    }

    /// An attempt went wrong.
    fn fail(&mut self, worker: WorkerId, sweep_id: &str, shard: u64) {
        let instance = self.instances[&worker].clone();
        self.failed.entry((index(sweep_id), shard)).or_default().push(instance);
    }

    fn forget_failures(&mut self, sweep: usize, shard: u64) {
        self.failed.remove(&(sweep, shard));
        self.unseen.remove(&(sweep, shard));
    }

    /// A shard is given up only after enough attempts, on all hosts that are there, and in all processes with more memory; or after 32.
    fn check_given_up(&self, sweep: usize, shard: u64) {
        let failed = self.failed(sweep, shard);
        assert!(failed.len() >= MAX_ATTEMPTS as usize, "it is given up after {failed:?}");
        let is_waited_for = |view: &WorkerView<'_>| view.probation.is_none_or(|probation| probation.failures < 6);
        assert!(failed.len() >= 32 || !self.able_elsewhere(sweep, shard, None, is_waited_for), "another host could solve it");
    }

    fn reopen(&mut self, sweep: usize) {
        let before = self.disk[sweep].state;
        if self.schedule.reopen(&name(sweep)).is_ok() && matches!(before, SweepState::Cancelled | SweepState::Incomplete) {
            self.failed.retain(|(of, _), _| *of != sweep);
            self.unseen.retain(|(of, _)| *of != sweep);
        }
    }

    fn expire(&mut self) {
        let expired = self.schedule.expire(self.now_ms);
        for lease in &expired {
            let key = (index(&lease.sweep_id), lease.shard_number);
            if self.named.contains(&lease.lease_id) || !self.unseen.insert(key) {
                self.fail(lease.worker, &lease.sweep_id, lease.shard_number);
            }
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Register { slots, able } => {
                let families = vec![("family".into(), if able { 1 } else { 2 })];
                let instance = format!("process {}", self.workers.len() as u64 % INSTANCES);
                let (backlog, named) = (slots % 2, instance.clone());
                let host = host_of(&instance);
                let slot_bytes = memory_of(&instance);
                let info = WorkerInfo { host, slots, backlog, slot_bytes, families, instance: named, ..WorkerInfo::default() };
                let worker = self.schedule.register(self.now_ms, info);
                self.instances.insert(worker, instance);
                self.asked.insert(worker, self.now_ms);
                self.workers.push(worker);
            }
            Step::Drain { host, drained } => {
                let host = format!("host {host}");
                match drained {
                    true => drop(self.schedule.drain(&host)),
                    false => drop(self.schedule.undrain(&host)),
                }
            }
            Step::Deregister(worker) => {
                let _ = pick(&self.workers, worker).map(|worker| self.schedule.deregister(worker));
            }
            Step::Lease(worker) => {
                pick(&self.workers, worker).map(|worker| self.lease(worker));
            }
            Step::Ask { worker, number } => {
                let Some(worker) = pick(&self.workers, worker) else { return };
                let Ok(Some(again)) = self.schedule.ask(self.now_ms, worker, number) else { return };
                for grant in again {
                    let held = self.schedule.held(grant.lease_id).unwrap();
                    assert_eq!((held.sweep_id, held.shard_number), (grant.sweep_id.as_str(), grant.shard_number));
                    assert!(number > 0 && self.granted.contains(&(worker, grant)), "it is given what it never had");
                }
            }
            Step::Heartbeat { worker, named } => {
                let Some(worker) = pick(&self.workers, worker) else { return };
                let own = self.granted.iter().filter(|(holder, _)| *holder == worker).map(|(_, grant)| grant.lease_id);
                let leases: Vec<(LeaseId, u128)> = own
                    .enumerate()
                    .filter(|(bit, _)| named >> (bit % 8) & 1 == 1)
                    .map(|(bit, id)| (id, u128::from(named) + bit as u128))
                    .collect();
                if self.schedule.heartbeat(self.now_ms, worker, &leases).is_ok() {
                    self.named.extend(leases.iter().map(|(lease_id, _)| *lease_id));
                }
            }
            Step::Release { lease, error, stranger } => {
                let Some((holder, grant)) = pick(&self.granted, lease) else { return };
                let worker = if stranger { pick(&self.workers, lease).unwrap_or(holder) } else { holder };
                let released = self.schedule.release(self.now_ms, worker, grant.lease_id, error.then(|| "out of memory".into()));
                if error && matches!(released, Ok(Released::Pending | Released::Quarantined)) {
                    self.fail(holder, &grant.sweep_id, grant.shard_number);
                }
            }
            Step::Wait(wait_ms) => {
                self.now_ms += wait_ms;
                self.expire();
                assert!(self.schedule.next_timer().is_none_or(|at_ms| at_ms > self.now_ms), "something is still due");
            }
            Step::Result { sweep, shard, instance, digest } => {
                self.result(sweep, shard, self.vote(&format!("process {instance}"), digest), false);
            }
            Step::ResultOfLease { lease, digest } => self.result_of_lease(lease, digest, false),
            Step::Contested(lease) => self.result_of_lease(lease, 9, true),
            Step::Cancel(sweep) => drop(self.schedule.cancel(&name(sweep))),
            Step::Pause(sweep) => drop(self.schedule.pause(&name(sweep))),
            Step::Resume(sweep) => drop(self.schedule.resume(&name(sweep))),
            Step::Reopen(sweep) => self.reopen(sweep),
            Step::Fail(sweep) => drop(self.schedule.fail(&name(sweep), "they disagree".into())),
            Step::Prefer(sweep, priority) => self.schedule.set_priority(&name(sweep), priority).unwrap(),
            Step::Restart => self.restart(),
        }
    }

    /// Writes the changes down, as the driver does after every event.
    fn write_down(&mut self) {
        for change in self.schedule.take_changes() {
            match change {
                Change::State { sweep_id, state, .. } => self.disk[index(&sweep_id)].state = state,
                Change::Priority { sweep_id, priority } => self.disk[index(&sweep_id)].priority = priority,
                Change::Quarantined { sweep_id, shard_number, error, .. } => {
                    let sweep = index(&sweep_id);
                    if !error.contains("results that differ") {
                        self.check_given_up(sweep, shard_number);
                    }
                    self.forget_failures(sweep, shard_number);
                    self.disk[sweep].quarantined.insert(shard_number);
                }
                Change::Drained { host, drained: true } => drop(self.drained.insert(host)),
                Change::Drained { host, drained: false } => drop(self.drained.remove(&host)),
                Change::Banned { instance, .. } => {
                    self.banned.insert(instance);
                }
                Change::BanForgotten { instance } => drop(self.banned.remove(&instance)),
                Change::QuarantineCleared { sweep_id } => self.disk[index(&sweep_id)].quarantined.clear(),
            }
        }
    }

    fn check(&self) {
        let mut leases_by_worker: BTreeMap<WorkerId, u32> = BTreeMap::new();
        let mut leased: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); SHARDS.len()];
        let mut with_suspects: BTreeSet<WorkerId> = BTreeSet::new();
        let mut decided: BTreeMap<WorkerId, u128> = BTreeMap::new();
        let mut decided_of: Vec<u128> = vec![0; SHARDS.len()];
        for lease in self.schedule.leases() {
            let suspect = self.schedule.sweeps[lease.sweep_id].shards.is_suspect(lease.shard_number);
            assert!(!suspect || with_suspects.insert(lease.worker), "a worker has two suspects");
            *leases_by_worker.entry(lease.worker).or_default() += 1;
            assert!(leased[index(lease.sweep_id)].insert(lease.shard_number), "two leases on one shard");
            assert!(lease.expires_ms >= lease.given_ms);
            *decided.entry(lease.worker).or_default() += lease.decided;
            decided_of[index(lease.sweep_id)] += lease.decided;
        }
        for worker in self.schedule.workers() {
            let held = leases_by_worker.remove(&worker.id).unwrap_or_default();
            assert!(held <= worker.info.slots + worker.info.backlog && held as usize == worker.leases);
            assert_eq!(self.schedule.progress_of(worker.id), decided.remove(&worker.id).unwrap_or_default());
            let leases =
                || self.schedule.leases_of(worker.id).map(|lease| (&self.schedule.sweeps[lease.sweep_id].shards, lease.shard_number));
            let kept = &self.schedule.workers[&worker.id];
            assert_eq!(kept.suspects, leases().filter(|(shards, number)| shards.is_suspect(*number)).count());
            assert_eq!(kept.last_chances, leases().filter(|(shards, number)| shards.is_last_chance(*number)).count());
        }
        let open = self.schedule.sweeps.iter().filter(|(_, sweep)| sweep.state.is_open()).map(|(id, sweep)| (sweep.rank(), id.clone()));
        assert_eq!(self.schedule.open, open.collect(), "the open sweeps in their order");
        assert_eq!(leases_by_worker, BTreeMap::new(), "leases of workers that are not known");
        for (sweep, total) in SHARDS.into_iter().enumerate() {
            self.check_sweep(sweep, total, &leased[sweep]);
            assert_eq!(self.schedule.progress(&name(sweep)), decided_of[sweep]);
        }
    }

    fn check_sweep(&self, sweep: usize, total: u64, leased: &BTreeSet<u64>) {
        let (disk, shards) = (&self.disk[sweep], &self.schedule.sweeps[&name(sweep)].shards);
        for number in 0..total {
            let places = [
                shards.fresh.contains(number),
                shards.retry.contains(number),
                shards.awaiting.contains(number),
                shards.leased.contains_key(&number),
                shards.done.contains(number),
                shards.quarantined.contains(number),
            ];
            assert_eq!(places.iter().filter(|place| **place).count(), 1, "shard {number} is in {places:?}");
            assert!(!shards.is_suspect(number) || places[1] || places[2] || places[3], "shard {number} is a suspect and in {places:?}");
            assert_eq!(shards.done.contains(number), disk.done.contains(&number));
            assert_eq!(shards.quarantined.contains(number), disk.quarantined.contains(&number));
            assert_eq!(shards.leased.contains_key(&number), leased.contains(&number));
            let heard = disk.votes.get(&number).map_or(&[][..], Vec::as_slice);
            assert_eq!(self.schedule.votes(&name(sweep), number), heard);
            assert!(!shards.awaiting.contains(number) || !heard.is_empty(), "it awaits nothing");
            assert!(heard.is_empty() || !shards.fresh.contains(number) && !shards.retry.contains(number), "it is not compared");
        }
        let counts = self.schedule.counts(&name(sweep)).unwrap();
        assert_eq!(counts.total, total);
        assert_eq!(counts.done + counts.leased + counts.quarantined + counts.pending, total);

        let state = self.schedule.state(&name(sweep)).unwrap();
        assert_eq!(state, disk.state, "a change of state was not told");
        assert_eq!(self.schedule.priority(&name(sweep)).unwrap(), disk.priority);
        if !matches!(state, SweepState::Cancelled | SweepState::Failed) {
            assert_eq!(state == SweepState::Complete, counts.done == total);
            assert_eq!(state == SweepState::Incomplete, counts.done < total && counts.quarantined + counts.done == total);
        }
        assert!(counts.leased == 0 || !state.is_terminal(), "a sweep that has ended has leases");
    }

    /// However it went, good workers finish every sweep that has not failed, once they are resumed and reopened: what went
    /// wrong before may leave a sweep incomplete in the first round, and the second solves its quarantined shards. Where two
    /// have to agree and all that was heard differs, it takes two.
    fn finish(&mut self) {
        self.take(Step::Wait(3 * TTL_MS));
        self.write_down();
        for name in ["good", "better"] {
            let families = vec![("family".into(), 1)];
            let info =
                WorkerInfo { host: name.into(), slots: 1, slot_bytes: 1000, families, instance: name.into(), ..WorkerInfo::default() };
            let worker = self.schedule.register(self.now_ms, info);
            self.asked.insert(worker, self.now_ms);
            self.instances.insert(worker, name.into());
            self.workers.push(worker);
        }
        let good = self.workers[self.workers.len() - 2..].to_vec();
        for _ in 0..3 {
            for sweep in 0..SHARDS.len() {
                let _ = self.schedule.resume(&name(sweep));
                self.reopen(sweep);
            }
            self.write_down();
            while good.iter().any(|worker| self.lease(*worker)) {
                self.result_of_lease(self.granted.len() - 1, 0, false);
                self.write_down();
                self.check();
            }
        }
        assert!(self.disk.iter().all(|disk| matches!(disk.state, SweepState::Complete | SweepState::Failed)), "{:?}", self.disk);
        assert_eq!(self.schedule.leases().count(), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn the_laws_hold_after_every_step(steps in prop::collection::vec(step(), 0..120)) {
        let mut world = World::new();
        world.write_down();
        world.check();
        for step in steps {
            world.take(step);
            world.write_down();
            world.check();
        }
        world.finish();
    }
}
