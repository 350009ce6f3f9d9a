//! Small clusters in virtual time with good hosts and bad ones: hosts whose workers crash again and again, hosts that fail every
//! shard at once, hosts that take shards and forget them, and hosts 100 times slower. Two promises: as long as one host can solve
//! a shard it is not quarantined, and a bad host costs less than 5 % of the work.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::schedule::*;

const TTL_MS: u64 = 2_000;
const SHARD_MS: u64 = 1_000;
const TICK_MS: u64 = 50;

/// What a machine does with its shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Good,
    /// Gives each shard back with an error after so long.
    Fails {
        after_ms: u64,
    },
    /// Its worker is killed that long after it was started, and started again at once.
    Crashes {
        life_ms: u64,
    },
    /// Says that it has its shards and never solves one.
    Forgets,
    Slow,
}

#[derive(Clone, Copy, Debug)]
struct Machine {
    kind: Kind,
    host: usize,
    slots: u32,
}

struct Process {
    id: WorkerId,
    started_ms: u64,
    running: Vec<(LeaseGrant, u64)>,
}

struct Cluster {
    schedule: Schedule,
    machines: Vec<Machine>,
    processes: Vec<Process>,
    poison: BTreeSet<u64>,
    /// Shards that one host alone can solve, and whether the others die of them; else they give them back with an error.
    hard: BTreeMap<u64, (usize, bool)>,
    quarantined: BTreeSet<u64>,
    /// Shards that good hosts began to solve.
    begun: u64,
    now_ms: u64,
}

impl Cluster {
    fn new(machines: Vec<Machine>, shards: u64, poison: BTreeSet<u64>) -> Self {
        let mut schedule = Schedule::new(Config { lease_ttl_ms: TTL_MS, heartbeat_every_ms: TTL_MS / 4, max_attempts: 3, epoch: 1 });
        schedule.add_sweep(super::stories::entry("a", shards));
        let (hard, quarantined) = (BTreeMap::new(), BTreeSet::new());
        let mut cluster = Self { schedule, machines, processes: Vec::new(), poison, hard, quarantined, begun: 0, now_ms: 0 };
        for machine in 0..cluster.machines.len() {
            let process = cluster.start(machine);
            cluster.processes.push(process);
        }
        cluster
    }

    fn start(&mut self, machine: usize) -> Process {
        let Machine { host, slots, .. } = self.machines[machine];
        let instance = format!("process {machine} of {}", self.now_ms);
        let info = WorkerInfo { host: format!("host {host}"), instance, ..super::stories::info(slots) };
        Process { id: self.schedule.register(self.now_ms, info), started_ms: self.now_ms, running: Vec::new() }
    }

    /// Lets a machine do what is due, and says whether its process lives on.
    fn turn(&mut self, machine: usize, process: &mut Process) -> bool {
        let (Machine { kind, host, .. }, now_ms) = (self.machines[machine], self.now_ms);
        if matches!(kind, Kind::Crashes { life_ms } if now_ms >= process.started_ms + life_ms) {
            return false;
        }
        for (grant, end_ms) in std::mem::take(&mut process.running) {
            if end_ms > now_ms {
                process.running.push((grant, end_ms));
                continue;
            }
            let too_hard = self.hard.get(&grant.shard_number).filter(|(able, _)| *able != host);
            if self.poison.contains(&grant.shard_number) || too_hard.is_some_and(|(_, kills)| *kills) {
                return false;
            } else if matches!(kind, Kind::Fails { .. }) || too_hard.is_some() {
                let error = Some("cannot write /scratch".to_owned());
                let _ = self.schedule.release(now_ms, process.id, grant.lease_id, error);
            } else {
                let vote = Vote { instance: "any".into(), host: "any".into(), digest: 1 };
                if matches!(self.schedule.result("a", grant.shard_number, &vote), ResultStanding::Decides { .. }) {
                    self.schedule.credit(now_ms, process.id, grant.lease_id);
                    self.schedule.mark_done("a", grant.shard_number).unwrap();
                }
            }
        }
        let named: Vec<_> = process.running.iter().map(|(grant, _)| (grant.lease_id, 1)).collect();
        let stop = self.schedule.heartbeat(now_ms, process.id, &named).unwrap();
        process.running.retain(|(grant, _)| !stop.contains(&grant.lease_id));
        while let Some(grant) = self.schedule.lease(now_ms, process.id).unwrap() {
            let took_ms = match kind {
                Kind::Good | Kind::Crashes { .. } => SHARD_MS,
                Kind::Fails { after_ms } => after_ms,
                Kind::Forgets => continue,
                Kind::Slow => 100 * SHARD_MS,
            };
            self.begun += u64::from(kind == Kind::Good);
            process.running.push((grant, now_ms + took_ms));
        }
        true
    }

    /// Runs until the sweep has ended, and says when that was.
    fn run(&mut self) -> u64 {
        while !self.schedule.state("a").unwrap().is_terminal() {
            for machine in 0..self.machines.len() {
                let mut process =
                    std::mem::replace(&mut self.processes[machine], Process { id: WorkerId(0), started_ms: 0, running: vec![] });
                if !self.turn(machine, &mut process) {
                    process = self.start(machine);
                }
                self.processes[machine] = process;
            }
            self.schedule.expire(self.now_ms);
            for change in self.schedule.take_changes() {
                if let Change::Quarantined { shard_number, .. } = change {
                    self.quarantined.insert(shard_number);
                }
            }
            self.now_ms += TICK_MS;
            assert!(self.now_ms < 4_000_000, "the sweep does not end: {:?}", self.schedule.counts("a"));
        }
        self.now_ms
    }
}

fn bad() -> impl Strategy<Value = Kind> {
    prop_oneof![
        (0u64..3_000).prop_map(|after_ms| Kind::Fails { after_ms }),
        (100u64..4_000).prop_map(|life_ms| Kind::Crashes { life_ms }),
        Just(Kind::Forgets),
        Just(Kind::Slow),
    ]
}

fn machine(kind: Kind, host: usize, slots: u32) -> Machine {
    Machine { kind, host, slots }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Also where the bad machines call from the address of a good one.
    #[test]
    fn a_bad_host_sets_no_shard_aside_and_costs_less_than_a_twentieth(
        good in prop::collection::vec(1u32..4, 1..4),
        bad in prop::collection::vec((bad(), 1u32..9), 1..4),
        shared in prop::bool::weighted(0.3),
        bad_first in any::<bool>(),
    ) {
        let slots: u32 = good.iter().sum();
        // In 350 rounds a slow host is in the middle of its fourth shard when the others are done.
        let shards = u64::from(slots) * 350;
        let fleet: Vec<Machine> = (0..).zip(&good).map(|(host, slots)| machine(Kind::Good, host, *slots)).collect();
        let without_ms = Cluster::new(fleet.clone(), shards, BTreeSet::new()).run();
        let others = (0..).zip(&bad).map(|(index, (kind, slots))| machine(*kind, if shared { 0 } else { 10 + index }, *slots));
        let mut all: Vec<Machine> = fleet.into_iter().chain(others).collect();
        if bad_first {
            all.reverse();
        }
        let mut cluster = Cluster::new(all, shards, BTreeSet::new());
        let with_ms = cluster.run();
        prop_assert_eq!(&cluster.quarantined, &BTreeSet::new());
        prop_assert!(with_ms * 100 <= without_ms * 105, "{} ms with the bad hosts, {} ms without", with_ms, without_ms);
        prop_assert!(cluster.begun * 100 <= shards * 105, "good hosts began {} of {} shards", cluster.begun, shards);
    }

    /// Hosts that behave well fail the same shards one after the other, up to all but one of them. No shard kills a worker that has
    /// another of them: that one would count as failed on the host, too (the third exception in `hosts.rs`).
    #[test]
    fn a_shard_that_a_single_host_can_solve_is_not_quarantined(
        good in prop::collection::vec(1u32..4, 2..16),
        bad in prop::collection::vec((bad(), 1u32..5), 0..3),
        hard in prop::collection::btree_map(0u64..90, (any::<prop::sample::Index>(), any::<bool>()), 1..4),
    ) {
        prop_assume!(hard.len() == 1 || hard.values().all(|(_, kills)| !kills));
        let mut all: Vec<Machine> = (0..).zip(&good).map(|(host, slots)| machine(Kind::Good, host, *slots)).collect();
        all.extend((20..).zip(&bad).map(|(host, (kind, slots))| machine(*kind, host, *slots)));
        let mut cluster = Cluster::new(all, 90, BTreeSet::new());
        cluster.hard = hard.into_iter().map(|(shard, (able, kills))| (shard, (able.index(good.len()), kills))).collect();
        cluster.run();
        prop_assert_eq!(&cluster.quarantined, &BTreeSet::new());
        prop_assert_eq!(cluster.schedule.state("a"), Some(SweepState::Complete));
    }

    /// Bad hosts beside them or not, and on one host or several: what nobody can solve is quarantined, and nothing else. There are no
    /// hosts among them that crash by themselves: nobody can tell those from hosts that a shard kills; and no bad host where several
    /// shards kill, since a shard may be lost beside each of them.
    #[test]
    fn what_kills_its_workers_is_quarantined_and_nothing_else(
        good in prop::collection::vec(1u32..4, 1..5),
        bad in prop::collection::vec((bad().prop_filter("it crashes", |kind| !matches!(kind, Kind::Crashes { .. })), 1u32..5), 0..2),
        one_host in any::<bool>(),
        poison in prop::collection::btree_set(0u64..60, 1..4),
    ) {
        prop_assume!((good.len() > 1 && poison.len() == 1) || bad.is_empty());
        let mut all: Vec<Machine> =
            (0..).zip(&good).map(|(host, slots)| machine(Kind::Good, if one_host { 0 } else { host }, *slots)).collect();
        all.extend((10..).zip(&bad).map(|(host, (kind, slots))| machine(*kind, host, *slots)));
        let mut cluster = Cluster::new(all, 60, poison.clone());
        cluster.run();
        prop_assert_eq!(&cluster.quarantined, &poison);
    }
}
