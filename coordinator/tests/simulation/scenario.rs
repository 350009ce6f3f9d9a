//! What a seed stands for: a cluster, and the faults that it meets.

use std::collections::BTreeMap;

use super::random::Random;

pub const HEARTBEAT_MS: u64 = 1_000;
pub const MAX_ATTEMPTS: u32 = 3;

#[derive(Clone, Debug)]
pub struct Scenario {
    pub lease_ttl_ms: u64,
    pub shards: u64,
    pub replicas: u32,
    /// Shards that nobody can solve.
    pub poison: BTreeMap<u64, Poison>,
    /// Shards whose counterexamples the reference solves again before they count.
    pub confirmed_from: u64,
    /// How many counterexamples are kept.
    pub kept: usize,
    /// The version of the solver to which the sweep is pinned.
    pub solver_version: u32,
    pub machines: Vec<Character>,
    /// Whether some machines have many slots and short shards, so that their results go several in a call.
    pub batches: bool,
    /// Whether a turn takes long at times, so that several workers' results are written together.
    pub slow_disk: bool,
    /// Whether some results cannot be read when they come in.
    pub garbled: bool,
    pub network: Weather,
    /// By their times.
    pub faults: Vec<(u64, Fault)>,
    /// When the faults are over: what is broken is repaired.
    pub calm_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Poison {
    /// Kills the process.
    Kills,
    /// Comes back with an error.
    Fails,
    /// The same, but from one machine, which solves it.
    FailsElsewhere { than: usize },
}

#[derive(Clone, Debug)]
pub struct Character {
    pub slots: usize,
    /// How long a shard takes: between half of it and the whole.
    pub solve_ms: u64,
    pub lies: Option<Lie>,
    /// Whether it gives every shard back at once with an error.
    pub fails: bool,
}

/// How the first process of a machine lies. No two processes tell the same lie: two that do are believed, as any two are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Only another worker's result can tell.
    Hidden,
    /// It has a counterexample that the reference does not confirm.
    Visible,
}

/// How often in a thousand a message is lost with its connection, and how often it is late by seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weather {
    pub lost: u64,
    pub late: u64,
}

#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// kill -9, and started again after this time.
    Kill {
        machine: usize,
        down_ms: u64,
    },
    /// SIGSTOP, and SIGCONT after this time.
    Hang {
        machine: usize,
        for_ms: u64,
    },
    /// Told to stop, and started again after this time.
    Drain {
        machine: usize,
        down_ms: u64,
    },
    /// Nothing gets through in one direction or both between the coordinator and the machines whose bits are set.
    Silence {
        machines: u64,
        to: bool,
        from: bool,
        for_ms: u64,
    },
    Crash {
        moment: CrashMoment,
        down_ms: u64,
    },
    /// After so many more writes.
    DiskFull {
        writes: u64,
        for_ms: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashMoment {
    Now,
    /// When results are ready, before they are on disk.
    BeforeCommit,
    /// When one result of a call is on disk, as one that others must come to as well, and another with which a shard would be done
    /// is not.
    BetweenWrites,
    /// When results are on disk and nobody has been answered.
    AfterCommit,
    /// When results are on disk, and a ban or a shard quarantined that follows is not.
    BeforeChange,
    /// When those are answered who wait.
    AfterAnswer,
}

/// The version of the solver of the sweep's family.
pub fn solver_version() -> u32 {
    refute_shared::families::find("graph-nim").unwrap().solver_version()
}

/// Whether the result of a lease cannot be read, where some cannot.
pub fn is_garbled(lease: u64) -> bool {
    lease % 16 == 7
}

impl Scenario {
    /// Each kind of fault is there in some seeds and not in others, so that each is met alone and with every other.
    pub fn new(random: &mut Random) -> Self {
        let batches = random.chance(150);
        let shards = if batches { random.between(80, 200) } else { random.between(8, 32) };
        let machine_count = random.between(4, 6) as usize;
        let replicas = random.between(1, 2) as u32;
        // At least three machines are honest, so that two are left to outvote the others while one is away. At most two lie:
        // with four different votes a shard could be quarantined before two have agreed.
        let liars = if random.chance(400) { random.between(1, machine_count.min(5) as u64 - 3) as usize } else { 0 };
        let lie = |random: &mut Random| match replicas {
            // Where one result is enough nobody outvotes a hidden lie.
            1 => Lie::Visible,
            _ if random.chance(500) => Lie::Visible,
            _ => Lie::Hidden,
        };
        let slots = random.between(1, 3);
        let mut machines: Vec<Character> = (0..machine_count)
            .map(|machine| Character {
                slots: random.between(1, slots) as usize,
                solve_ms: if random.chance(200) { random.between(8_000, 16_000) } else { random.between(600, 3_000) },
                lies: (machine >= machine_count - liars).then(|| lie(random)),
                fails: false,
            })
            .collect();
        if batches {
            // Two honest ones, so that they can agree, and perhaps a liar.
            for machine in [0, 1, random.between(1, machine_count as u64 - 1) as usize] {
                (machines[machine].slots, machines[machine].solve_ms) = (8, random.between(2, 40));
            }
        }
        let mut poison = BTreeMap::new();
        if random.chance(300) {
            for _ in 0..random.between(1, 2) {
                poison.insert(random.between(0, shards - 1), if random.chance(700) { Poison::Kills } else { Poison::Fails });
            }
        }
        let calm_ms = random.between(20_000, 60_000);
        let mut scenario = Self {
            lease_ttl_ms: if random.chance(500) { 4_000 } else { 15_000 },
            shards,
            replicas,
            poison,
            confirmed_from: random.between(0, 2 * shards),
            kept: if random.chance(500) { random.between(1, 6) as usize } else { 1_000 },
            solver_version: solver_version(),
            machines,
            batches,
            slow_disk: random.chance(300),
            garbled: random.chance(150),
            network: Weather::default(),
            faults: Vec::new(),
            calm_ms,
        };
        if random.chance(400) {
            scenario.network = Weather { lost: random.between(0, 40), late: random.between(0, 20) };
        }
        scenario.add_faults(random);
        scenario
    }

    fn add_faults(&mut self, random: &mut Random) {
        let kinds: Vec<u64> = (0..6).filter(|_| random.chance(400)).collect();
        if kinds.is_empty() {
            return;
        }
        let most = if random.chance(200) { 30 } else { 10 };
        for _ in 0..random.between(1, most) {
            let kind = kinds[random.between(0, kinds.len() as u64 - 1) as usize];
            let machine = random.between(0, self.machines.len() as u64 - 1) as usize;
            let at_ms = random.between(0, self.calm_ms - 1);
            let short_ms = random.between(100, 4_000);
            let long_ms = random.between(500, 3 * self.lease_ttl_ms).min(self.calm_ms - at_ms);
            let fault = match kind {
                0 => Fault::Kill { machine, down_ms: short_ms },
                1 => Fault::Hang { machine, for_ms: long_ms },
                2 => Fault::Drain { machine, down_ms: short_ms },
                3 => {
                    let (to, from) = [(true, true), (true, false), (false, true)][random.between(0, 2) as usize];
                    Fault::Silence { machines: random.between(1, (1 << self.machines.len()) - 1), to, from, for_ms: long_ms }
                }
                4 => {
                    let moments = [
                        CrashMoment::Now,
                        CrashMoment::BeforeCommit,
                        CrashMoment::BetweenWrites,
                        CrashMoment::AfterCommit,
                        CrashMoment::BeforeChange,
                        CrashMoment::AfterAnswer,
                    ];
                    Fault::Crash { moment: moments[random.between(0, 5) as usize], down_ms: random.between(50, 8_000) }
                }
                _ => Fault::DiskFull { writes: random.between(0, 6).saturating_sub(3), for_ms: random.between(100, 8_000) },
            };
            self.faults.push((at_ms, fault));
        }
    }

    /// Whether no fault hits the workers, so that no lease runs out.
    pub fn spares_workers(&self) -> bool {
        let spares = |fault: &Fault| matches!(fault, Fault::Crash { .. } | Fault::DiskFull { .. } | Fault::Drain { .. });
        !self.garbled && self.network.lost == 0 && self.network.late == 0 && self.faults.iter().all(|(_, fault)| spares(fault))
    }
}
