//! Whole clusters in virtual time, each from a seed: the real core of the coordinator and the real sessions of workers. The
//! sockets, the disk and the reference are made up, and so are the results: there is a coordinator that crashes, a disk that fills up, workers that are killed, hang and lie, shards that nobody can solve, and a network that
//! loses, delays and repeats. After every event the ledger holds what the program promises against what really happened.
//!
//! Every result that counts must be the true one. That can be promised as no two processes here tell the same lie, as no shard
//! meets so many liars that it is quarantined, and as a liar's process lies only where somebody can tell: two workers have to
//! agree, or the reference contradicts it. Where one worker is enough, a sweep may fail instead, since nobody can tell which
//! of two that differ is right.
//!
//! `REFUTE_SEED=17` runs that seed alone and tells every event; `REFUTE_SEEDS=100000` runs more than a thousand.

// In tests a failure is a panic, in their helpers too.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod bad_hosts;
mod calls;
mod disk;
mod ledger;
mod machine;
mod moments;
mod random;
mod running_core;
mod scenario;
mod truth;
mod worker;
mod world;

use std::collections::BTreeMap;

use refute_coordinator::schedule::SweepState;

use random::Random;
use scenario::{Character, CrashMoment, Fault, Scenario, Weather, solver_version};
use world::{LATEST_MS, World};

/// How long a sweep may go on after the last fault.
const BOUND_MS: u64 = 300_000;

/// Says how to see a failure again.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {0} fails; again: REFUTE_SEED={0} cargo test -p refute-coordinator --test simulation", self.0);
        }
    }
}

/// Runs until the sweep has ended and the faults are over, with the messages that were late.
fn run_to_the_end(world: &mut World) {
    let calm_ms = world.scenario.calm_ms + 2 * world.scenario.lease_ttl_ms + LATEST_MS;
    let since_ms = world.now_ms.max(calm_ms);
    loop {
        world.step();
        let ended = world.now_ms > calm_ms && world.disk.get().kept.record.state.is_terminal();
        // Nor is anybody left who waits for an answer.
        if ended && world.core.as_ref().is_some_and(|core| core.writes() && core.waiting() == 0) {
            return;
        }
        assert!(world.now_ms < since_ms + BOUND_MS, "the sweep does not end: {:?}", world.disk.get().kept);
    }
}

/// Runs the cluster of a seed to its end, and says how long that took after the last fault.
fn story(seed: u64, told: bool) -> (World, u64) {
    let failing = Seed(seed);
    let mut random = Random::new(seed);
    let scenario = Scenario::new(&mut random);
    if told {
        eprintln!("{scenario:#?}");
    }
    let mut world = World::new(scenario, random);
    world.told = told;
    run_to_the_end(&mut world);
    let unlucky = world.disk.get().kept.quarantined.iter().any(|shard| !world.scenario.poison.contains_key(shard));
    let state = world.disk.get().kept.record.state;
    if state == SweepState::Incomplete && unlucky {
        // Bad luck has quarantined shards that are none the worse. Somebody submits the sweep again, and all is well.
        world.reopen();
        run_to_the_end(&mut world);
    }
    let each = world.busiest.div_ceil(world.scenario.machines.len());
    let most = if world.scenario.batches { CALLS_A_SECOND_IN_BATCHES } else { CALLS_A_SECOND };
    assert!(each <= most, "{each} calls a second from each worker");
    let took_ms = world.now_ms.saturating_sub(world.scenario.calm_ms);
    let core = world.core.take().unwrap();
    world.ledger.check_end(&core, &world.disk.get(), &world.scenario);
    drop(failing);
    (world, took_ms)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// The most calls that each worker makes in any second: a heartbeat, five times the question whether there is something to do
/// now, or two for each shard of at least 300 ms on three slots, and what comes again because it was lost.
const CALLS_A_SECOND: usize = 20;

/// The same where some machines have short shards: two calls with results and a request for shards at a time, each answered after
/// 2 ms at least, and mostly after 20.
const CALLS_A_SECOND_IN_BATCHES: usize = 400;

/// What must have happened in a thousand seeds, or they prove nothing.
const HAPPENS: [&str; 25] = [
    "bans",
    "calls with several results",
    "complete",
    "crashes",
    "crashes after an answer",
    "crashes before a ban or a shard quarantined",
    "crashes before a write",
    "crashes between commit and answer",
    "crashes between two results of a worker",
    "drains",
    "failed",
    "full disks",
    "garbled beside others",
    "hangs",
    "incomplete",
    "kills",
    "late lies",
    "late messages",
    "leases given again",
    "leases that ran out",
    "lost answers",
    "poison quarantined",
    "results handed in again",
    "results that were not written",
    "silences",
];

#[test]
fn clusters_keep_every_promise_under_every_fault() {
    if let Some(seed) = number("REFUTE_SEED") {
        story(seed, true);
        return;
    }
    let seeds = number("REFUTE_SEEDS").unwrap_or(1_000);
    let mut happened: BTreeMap<&str, u64> = BTreeMap::new();
    let mut longest = (0, 0);
    for seed in 0..seeds {
        let (world, took_ms) = story(seed, false);
        longest = longest.max((took_ms, seed));
        for (what, times) in world.ledger.story {
            *happened.entry(what).or_default() += times;
        }
    }
    eprintln!("{happened:#?}\nthe longest way to the end: {} ms after the last fault, with seed {}", longest.0, longest.1);
    if seeds >= 1_000 {
        assert_eq!(HAPPENS.iter().find(|what| !happened.contains_key(**what)), None, "this never happened");
    }
}

#[test]
fn a_seed_tells_one_story() {
    for seed in 0..20 {
        let [one, other] = [(), ()].map(|()| {
            let (world, _) = story(seed, false);
            (world.now_ms, world.calls, world.random.clone().next(), world.ledger.story)
        });
        assert_eq!(one, other, "seed {seed}");
    }
}

/// A coordinator that comes back finds those who waited for it spread over their pauses, not all at once.
#[test]
fn a_coordinator_that_comes_back_is_not_stampeded() {
    const WORKERS: u64 = 200;
    const BACK_MS: u64 = 70_000;
    let character = Character { slots: 1, solve_ms: 40_000, lies: None, fails: false };
    let crash = Fault::Crash { moment: CrashMoment::Now, down_ms: 60_000 };
    let scenario = Scenario {
        lease_ttl_ms: 15_000,
        shards: 4 * WORKERS,
        replicas: 1,
        poison: BTreeMap::new(),
        confirmed_from: u64::MAX,
        kept: 1_000,
        solver_version: solver_version(),
        machines: vec![character; WORKERS as usize],
        batches: false,
        slow_disk: false,
        garbled: false,
        network: Weather::default(),
        faults: vec![(BACK_MS - 60_000, crash)],
        calm_ms: BACK_MS,
    };
    let mut world = World::new(scenario, Random::new(1));
    let mut probes = Vec::new();
    for second in 1..90 {
        world.busiest = 0;
        while world.now_ms < second * 1_000 {
            world.step();
        }
        probes.push(world.busiest as u64);
    }
    // Down, each waits for 2.5 to 5 seconds between two attempts; back, each makes four calls: it finds out that it is not
    // known, registers, reports, and asks for a shard.
    let (down, back) = (probes[30..69].iter().max(), probes[70..].iter().max());
    assert!(down <= Some(&(WORKERS / 2)), "while it is down {probes:?}");
    assert!(back <= Some(&(5 * WORKERS / 2)), "when it is back {probes:?}");
}
