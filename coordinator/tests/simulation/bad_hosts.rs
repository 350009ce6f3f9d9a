//! Clusters with machines that fail every shard at once, crash again and again, or are 100 times slower, beside good ones. They set
//! no shard aside, and cost less than 5 % of the work.

use std::collections::BTreeMap;

use refute_coordinator::schedule::SweepState;

use super::random::Random;
use super::scenario::{Character, Fault, Poison, Scenario, Weather, solver_version};
use super::world::World;

const SOLVE_MS: u64 = 2_000;
/// Longer than any of these sweeps takes.
const CALM_MS: u64 = 1_000_000;

fn good(slots: usize) -> Character {
    Character { slots, solve_ms: SOLVE_MS, lies: None, fails: false }
}

fn scenario(machines: Vec<Character>, shards: u64, faults: Vec<(u64, Fault)>) -> Scenario {
    Scenario {
        lease_ttl_ms: 4_000,
        shards,
        replicas: 1,
        poison: BTreeMap::new(),
        confirmed_from: u64::MAX,
        kept: 1_000,
        solver_version: solver_version(),
        machines,
        batches: false,
        garbled: false,
        slow_disk: false,
        network: Weather::default(),
        faults,
        calm_ms: CALM_MS,
    }
}

/// Runs a cluster until its sweep has ended, and says when that was.
fn run(scenario: Scenario, seed: u64) -> u64 {
    let mut world = World::new(scenario, Random::new(seed));
    loop {
        world.step();
        let (state, quarantined) = {
            let disk = world.disk.get();
            (disk.kept.record.state, disk.kept.quarantined.clone())
        };
        assert!(quarantined.is_empty(), "seed {seed}: {quarantined:?} are quarantined after {} ms", world.now_ms);
        if state.is_terminal() {
            assert_eq!(state, SweepState::Complete, "seed {seed}");
            return world.now_ms;
        }
        assert!(world.now_ms < CALM_MS, "seed {seed}: the sweep does not end");
    }
}

/// A machine that is no good: it fails every shard at once, is 100 times slower, or is killed again and again.
fn bad(random: &mut Random, machine: usize, faults: &mut Vec<(u64, Fault)>) -> Character {
    let character = good(random.between(1, 8) as usize);
    match random.between(0, 2) {
        0 => Character { fails: true, ..character },
        1 => Character { solve_ms: 100 * SOLVE_MS, ..character },
        _ => {
            let life_ms = random.between(500, 4_000);
            faults.extend((1..CALM_MS / life_ms).map(|life| (life * life_ms, Fault::Kill { machine, down_ms: 100 })));
            character
        }
    }
}

#[test]
fn a_shard_that_a_single_machine_can_solve_is_solved_by_it() {
    for seed in 0..24 {
        let mut random = Random::new(2_000 + seed);
        let mut machines: Vec<Character> = (0..random.between(2, 8)).map(|_| good(random.between(1, 3) as usize)).collect();
        let able = machines.len() as u64;
        let mut faults = Vec::new();
        for _ in 0..random.between(0, 2) {
            let next = bad(&mut random, machines.len(), &mut faults);
            machines.push(next);
        }
        faults.sort_by_key(|(at_ms, _)| *at_ms);
        let mut only = || Poison::FailsElsewhere { than: random.between(0, able - 1) as usize };
        let poison = [(3, only()), (17, only()), (58, only())].into();
        run(Scenario { poison, ..scenario(machines, 60, faults) }, seed);
    }
}

#[test]
fn bad_hosts_set_no_shard_aside_and_cost_less_than_a_twentieth() {
    let (mut alone_ms, mut beside_ms) = (0, 0);
    for seed in 0..12 {
        let mut random = Random::new(1_000 + seed);
        let mut machines: Vec<Character> = (0..random.between(2, 4)).map(|_| good(random.between(1, 3) as usize)).collect();
        let slots: usize = machines.iter().map(|machine| machine.slots).sum();
        let shards = slots as u64 * 300;
        let fleet = machines.clone();
        let mut faults = Vec::new();
        for _ in 0..random.between(1, 2) {
            let next = bad(&mut random, machines.len(), &mut faults);
            machines.push(next);
        }
        faults.sort_by_key(|(at_ms, _)| *at_ms);
        let alone = run(scenario(fleet, shards, Vec::new()), seed);
        let beside = run(scenario(machines, shards, faults), seed);
        assert!(beside * 100 < alone * 110, "seed {seed}: {beside} ms with bad hosts, {alone} ms without");
        (alone_ms, beside_ms) = (alone_ms + alone, beside_ms + beside);
    }
    assert!(beside_ms * 100 < alone_ms * 105, "{beside_ms} ms with bad hosts, {alone_ms} ms without");
}
