//! Sweeps and results for the tests of the store.

use std::path::Path;

use refute_coordinator::schedule::SweepState;
use refute_coordinator::store::{ShardCommit, ShardRecord, Store, SweepRecord};
use refute_shared::families::Counterexample;
use refute_shared::sweep::{BoxPlan, ClaimTally, Coverage, CoverageKey, Group, Groups, KeptRecord, Plan, Tally};

pub const LARGE: u128 = u128::MAX - 12_345;

pub fn sweep(id: &str, shards: u64) -> SweepRecord {
    SweepRecord {
        id: id.into(),
        manifest_toml: "name = \"h1\"\nfamily = \"graph-nim\"\n".into(),
        family: "graph-nim".into(),
        solver_version: 3,
        language: None,
        plan: Plan { boxes: vec![BoxPlan { units: shards * 10, units_per_shard: 10 }] },
        state: SweepState::Queued,
        reason: None,
        created_unix_ms: 1_790_000_000_000,
        active_ms: 12,
        hosts: std::collections::BTreeSet::new(),
        verifies: false,
        priority: -3,
        sequence: 7,
    }
}

/// How many configurations a shard decides: different numbers, so that no sum comes out right by accident.
pub fn decided(shard_number: u64) -> u128 {
    u128::from(shard_number) * u128::from(shard_number) + 1_000
}

pub fn tally(decided: u128) -> Tally {
    let key = CoverageKey { box_index: 1, value: "P".into(), claims: 1 << 100 };
    Tally {
        decided,
        claims: vec![ClaimTally::of(decided / 2, decided / 3), ClaimTally::default()],
        coverage: Coverage([(key, decided / 5)].into_iter().collect()),
        groups: Groups([((1, Group::sum("some")), decided / 7)].into()),
        records_hash: decided.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835),
    }
}

pub fn counterexample(number: u64) -> Counterexample {
    Counterexample {
        parameters: serde_json::json!({"graph": "H1", "weights": [number, 5, 1]}),
        predicted: "P".into(),
        actual: "N".into(),
        confirmed: true,
        witness: Some("take 2 from AB".into()),
        reason: None,
        subexpressions: Vec::new(),
    }
}

/// The commit of a shard, given what had been decided before.
pub fn commit(sweep_id: &str, shard_number: u64, before: u128) -> ShardCommit {
    let decided = decided(shard_number);
    ShardCommit {
        sweep_id: sweep_id.into(),
        shard_number,
        record: ShardRecord {
            digest: LARGE,
            worker: "ada".into(),
            seconds: 0.25,
            decided,
            tally: Some(tally(decided)),
            records: 1,
            agreed: vec![],
            disagreements: vec![],
            instance: "one".into(),
            host: "10.0.0.7".into(),
        },
        agreed: vec![],
        tally: tally(before + decided),
        put_counterexamples: vec![(0, shard_number.to_be_bytes().to_vec(), counterexample(shard_number))],
        delete_counterexamples: vec![],
        records: vec![KeptRecord { key: shard_number.to_be_bytes().to_vec(), value: format!("*{shard_number}") }],
    }
}

/// Makes a store with one sweep of which the first `done` of its shards are done, each committed by itself.
pub fn filled(directory: &Path, sweep_id: &str, shards: u64, done: u64) -> Store {
    let store = Store::open_or_create(directory).unwrap();
    store.put_sweep(&sweep(sweep_id, shards)).unwrap();
    let mut before = 0;
    for number in 0..done {
        store.commit(&[commit(sweep_id, number, before)]).unwrap();
        before += decided(number);
    }
    store
}

/// The family's keys of all counterexamples to a claim that are kept, smallest first.
pub fn kept_keys(store: &Store, sweep_id: &str, claim: u32) -> Vec<Vec<u8>> {
    store.counterexamples(sweep_id, claim, usize::MAX).unwrap().into_iter().map(|(key, _)| key).collect()
}
