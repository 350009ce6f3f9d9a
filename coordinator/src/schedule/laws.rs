//! The laws of the schedule, checked after every step of random orders of events: workers that come and vanish, lost and
//! late and repeated results, cancelling, pausing, and restarts of the coordinator.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

const SHARDS: [u64; 3] = [5, 3, 0];
const TTL_MS: u64 = 100;

#[derive(Clone, Debug)]
enum Step {
    Register { slots: u32, able: bool },
    Deregister(usize),
    Lease(usize),
    Heartbeat { worker: usize, named: u8 },
    Release { lease: usize, error: bool, stranger: bool },
    Wait(u64),
    Result { sweep: usize, shard: u64 },
    ResultOfLease(usize),
    Cancel(usize),
    Pause(usize),
    Resume(usize),
    Reopen(usize),
    Fail(usize),
    Prefer(usize, i32),
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let sweep = 0..SHARDS.len();
    prop_oneof![
        3 => (0u32..4, prop::bool::weighted(0.8)).prop_map(|(slots, able)| Step::Register { slots, able }),
        1 => (0usize..9).prop_map(Step::Deregister),
        12 => (0usize..9).prop_map(Step::Lease),
        5 => (0usize..9, any::<u8>()).prop_map(|(worker, named)| Step::Heartbeat { worker, named }),
        3 => (0usize..9, any::<bool>(), prop::bool::weighted(0.1))
            .prop_map(|(lease, error, stranger)| Step::Release { lease, error, stranger }),
        6 => (1u64..150).prop_map(Step::Wait),
        2 => (sweep.clone(), 0u64..6).prop_map(|(sweep, shard)| Step::Result { sweep, shard }),
        5 => (0usize..9).prop_map(Step::ResultOfLease),
        1 => sweep.clone().prop_map(Step::Cancel),
        1 => sweep.clone().prop_map(Step::Pause),
        2 => sweep.clone().prop_map(Step::Resume),
        2 => sweep.clone().prop_map(Step::Reopen),
        1 => prop::bool::weighted(0.1).prop_flat_map(move |fails| sweep.clone().prop_map(move |index| match fails {
            true => Step::Fail(index),
            false => Step::Prefer(index, index as i32 - 1),
        })),
        1 => Just(Step::Restart),
    ]
}

/// What is on disk for a sweep: what commits and changes have said.
#[derive(Clone, Debug)]
struct Disk {
    done: BTreeSet<u64>,
    quarantined: BTreeSet<u64>,
    state: SweepState,
    priority: i32,
}

/// A coordinator with its disk, and the workers as they see themselves.
struct World {
    schedule: Schedule,
    disk: Vec<Disk>,
    now_ms: u64,
    epoch: u32,
    workers: Vec<WorkerId>,
    /// Every lease ever granted: a worker may come back to it at any later time.
    granted: Vec<(WorkerId, LeaseGrant)>,
}

fn name(sweep: usize) -> String {
    format!("sweep-{sweep}")
}

fn index(sweep_id: &str) -> usize {
    (0..SHARDS.len()).find(|sweep| name(*sweep) == sweep_id).unwrap()
}

fn pick<T: Clone>(items: &[T], index: usize) -> Option<T> {
    (!items.is_empty()).then(|| items[index % items.len()].clone())
}

impl World {
    fn new() -> Self {
        let fresh = Disk { done: BTreeSet::new(), quarantined: BTreeSet::new(), state: SweepState::Queued, priority: 0 };
        let mut world = Self {
            schedule: Schedule::new(Self::config(1)),
            disk: vec![fresh; SHARDS.len()],
            now_ms: 0,
            epoch: 0,
            workers: Vec::new(),
            granted: Vec::new(),
        };
        world.restart();
        world
    }

    fn config(epoch: u32) -> Config {
        Config { lease_ttl_ms: TTL_MS, heartbeat_every_ms: TTL_MS / 4, max_attempts: 2, epoch }
    }

    fn restart(&mut self) {
        self.epoch += 1;
        self.now_ms = 0;
        self.schedule = Schedule::new(Self::config(self.epoch));
        for (sweep, disk) in self.disk.iter().enumerate() {
            self.schedule.add_sweep(SweepEntry {
                id: name(sweep),
                family: "family".into(),
                solver_version: 1,
                shards: SHARDS[sweep],
                done: disk.done.iter().copied().collect(),
                quarantined: disk.quarantined.iter().copied().collect(),
                bytes: 1000,
                state: disk.state,
                reason: None,
                priority: disk.priority,
            });
        }
    }

    /// A result arrives: what counts is committed, and then the schedule is told.
    fn result(&mut self, sweep: usize, shard: u64) {
        let disk = &mut self.disk[sweep];
        let standing = self.schedule.result(&name(sweep), shard);
        let closed = matches!(disk.state, SweepState::Cancelled | SweepState::Failed);
        let expected = match shard {
            _ if shard >= SHARDS[sweep] => ResultStanding::NoSuchShard,
            _ if disk.done.contains(&shard) => ResultStanding::Duplicate,
            _ if closed => ResultStanding::SweepClosed,
            _ => ResultStanding::First,
        };
        assert_eq!(standing, expected);
        if standing == ResultStanding::First {
            disk.done.insert(shard);
            disk.quarantined.remove(&shard);
            self.schedule.mark_done(&name(sweep), shard).unwrap();
        }
    }

    fn lease(&mut self, worker: WorkerId) -> bool {
        let Ok(Some(grant)) = self.schedule.lease(self.now_ms, worker) else { return false };
        let disk = &self.disk[index(&grant.sweep_id)];
        assert!(!disk.done.contains(&grant.shard_number), "a done shard was leased again: {grant:?}");
        assert!(self.granted.iter().all(|(_, other)| other.lease_id != grant.lease_id), "a lease id was used twice");
        self.granted.push((worker, grant));
        true
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Register { slots, able } => {
                let families = vec![("family".into(), if able { 1 } else { 2 })];
                let info = WorkerInfo { slots, slot_bytes: 1000, families, ..WorkerInfo::default() };
                self.workers.push(self.schedule.register(self.now_ms, info));
            }
            Step::Deregister(worker) => {
                let _ = pick(&self.workers, worker).map(|worker| self.schedule.deregister(worker));
            }
            Step::Lease(worker) => {
                pick(&self.workers, worker).map(|worker| self.lease(worker));
            }
            Step::Heartbeat { worker, named } => {
                let Some(worker) = pick(&self.workers, worker) else { return };
                let own = self.granted.iter().filter(|(holder, _)| *holder == worker).map(|(_, grant)| grant.lease_id);
                let leases: Vec<(LeaseId, u128)> =
                    own.enumerate().filter(|(bit, _)| named >> (bit % 8) & 1 == 1).map(|(_, id)| (id, 7)).collect();
                let _ = self.schedule.heartbeat(self.now_ms, worker, &leases);
            }
            Step::Release { lease, error, stranger } => {
                let Some((holder, grant)) = pick(&self.granted, lease) else { return };
                let worker = if stranger { pick(&self.workers, lease).unwrap_or(holder) } else { holder };
                let _ = self.schedule.release(self.now_ms, worker, grant.lease_id, error.then(|| "out of memory".into()));
            }
            Step::Wait(wait_ms) => {
                self.now_ms += wait_ms;
                self.schedule.expire(self.now_ms);
                assert!(self.schedule.next_timer().is_none_or(|at_ms| at_ms > self.now_ms), "something is still due");
            }
            Step::Result { sweep, shard } => self.result(sweep, shard),
            Step::ResultOfLease(lease) => {
                let Some((_, grant)) = pick(&self.granted, lease) else { return };
                self.result(index(&grant.sweep_id), grant.shard_number);
            }
            Step::Cancel(sweep) => drop(self.schedule.cancel(&name(sweep))),
            Step::Pause(sweep) => drop(self.schedule.pause(&name(sweep))),
            Step::Resume(sweep) => drop(self.schedule.resume(&name(sweep))),
            Step::Reopen(sweep) => drop(self.schedule.reopen(&name(sweep))),
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
                Change::Quarantined { sweep_id, shard_number, .. } => {
                    self.disk[index(&sweep_id)].quarantined.insert(shard_number);
                }
                Change::QuarantineCleared { sweep_id } => self.disk[index(&sweep_id)].quarantined.clear(),
            }
        }
    }

    fn check(&self) {
        let mut leases_by_worker: BTreeMap<WorkerId, u32> = BTreeMap::new();
        let mut leased: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); SHARDS.len()];
        for lease in self.schedule.leases() {
            *leases_by_worker.entry(lease.worker).or_default() += 1;
            assert!(leased[index(lease.sweep_id)].insert(lease.shard_number), "two leases on one shard");
            assert!(lease.expires_ms >= lease.given_ms);
        }
        for worker in self.schedule.workers() {
            let held = leases_by_worker.remove(&worker.id).unwrap_or_default();
            assert!(held <= worker.info.slots && held as usize == worker.leases);
        }
        assert_eq!(leases_by_worker, BTreeMap::new(), "leases of workers that are not known");
        for (sweep, total) in SHARDS.into_iter().enumerate() {
            self.check_sweep(sweep, total, &leased[sweep]);
        }
    }

    fn check_sweep(&self, sweep: usize, total: u64, leased: &BTreeSet<u64>) {
        let (disk, shards) = (&self.disk[sweep], &self.schedule.sweeps[&name(sweep)].shards);
        for number in 0..total {
            let places = [
                shards.fresh.contains(number),
                shards.retry.contains(number),
                shards.leased.contains_key(&number),
                shards.done.contains(number),
                shards.quarantined.contains(number),
            ];
            assert_eq!(places.iter().filter(|place| **place).count(), 1, "shard {number} is in {places:?}");
            assert_eq!(shards.done.contains(number), disk.done.contains(&number));
            assert_eq!(shards.quarantined.contains(number), disk.quarantined.contains(&number));
            assert_eq!(shards.leased.contains_key(&number), leased.contains(&number));
        }
        let counts = self.schedule.counts(&name(sweep)).unwrap();
        assert_eq!(counts.total, total);
        assert_eq!(counts.done + counts.leased + counts.quarantined + counts.pending, total);
        assert_eq!(self.schedule.progress(&name(sweep)) % 7, 0);

        let state = self.schedule.state(&name(sweep)).unwrap();
        assert_eq!(state, disk.state, "a change of state was not told");
        assert_eq!(self.schedule.priority(&name(sweep)).unwrap(), disk.priority);
        if !matches!(state, SweepState::Cancelled | SweepState::Failed) {
            assert_eq!(state == SweepState::Complete, counts.done == total);
            assert_eq!(state == SweepState::Incomplete, counts.done < total && counts.quarantined + counts.done == total);
        }
        assert!(counts.leased == 0 || !state.is_terminal(), "a sweep that has ended has leases");
    }

    /// However it went, one good worker finishes every sweep that has not failed, once they are resumed and reopened: what
    /// went wrong before may leave a sweep incomplete in the first round, and the second solves its quarantined shards.
    fn finish(&mut self) {
        self.take(Step::Wait(3 * TTL_MS));
        self.take(Step::Register { slots: 1, able: true });
        let worker = *self.workers.last().unwrap();
        for _ in 0..2 {
            for sweep in 0..SHARDS.len() {
                let _ = (self.schedule.resume(&name(sweep)), self.schedule.reopen(&name(sweep)));
            }
            self.write_down();
            while self.lease(worker) {
                self.take(Step::ResultOfLease(self.granted.len() - 1));
                self.write_down();
                self.check();
            }
        }
        assert!(self.disk.iter().all(|disk| matches!(disk.state, SweepState::Complete | SweepState::Failed)));
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
