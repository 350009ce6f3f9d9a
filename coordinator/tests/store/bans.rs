//! A ban follows from the votes on disk, so that a crash before it is noted does not undo it.

use std::path::Path;

use refute_coordinator::driver::{Driver, DriverOptions};
use refute_coordinator::schedule::SweepState;
use refute_coordinator::store::{ShardCommit, ShardRecord, Store, SweepRecord, VoteRecord};
use refute_shared::sweep::{Manifest, Plan, ShardResult, Sweep, Tally};

const MANIFEST: &str = "name = \"a\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"K3\"\nweights = \"1..=4\"\n[run]\nreplicas = 2\n";

/// A sweep whose first shard counts, with the vote of one whom the others contradict beside it. The ban is not noted.
fn outvoted(directory: &Path) {
    let sweep = Sweep::resolve(Manifest::parse(MANIFEST).unwrap()).unwrap();
    let store = Store::open_or_create(directory).unwrap();
    let record = SweepRecord {
        id: "a".into(),
        manifest_toml: sweep.manifest.to_toml(),
        family: sweep.family.id().to_owned(),
        solver_version: sweep.family.solver_version(),
        language: None,
        plan: Plan::new(sweep.space.as_ref(), sweep.options()).unwrap(),
        state: SweepState::Running,
        reason: None,
        created_unix_ms: 0,
        active_ms: 0,
        hosts: std::collections::BTreeSet::new(),
        verifies: false,
        priority: 0,
        sequence: 0,
    };
    store.put_sweep(&record).unwrap();
    let tally = Tally { decided: 64, ..Tally::new(sweep.claims.len()) };
    let result = ShardResult { tally: tally.clone(), counterexamples: Vec::new(), records: Vec::new() };
    for (instance, digest) in [("ada", 7), ("eve", 8)] {
        let (instance, worker, seconds, result) = (instance.to_owned(), instance.to_owned(), 1.0, result.clone());
        store.put_vote("a", 0, &VoteRecord { instance, host: String::new(), worker, digest, seconds, contradicted: None, result }).unwrap();
    }
    let agreed = vec!["ada".to_owned()];
    let record = ShardRecord {
        digest: 7,
        worker: "bob".into(),
        seconds: 1.0,
        decided: 64,
        tally: None,
        records: 0,
        agreed: agreed.clone(),
        disagreements: Vec::new(),
        instance: "bob".into(),
        host: String::new(),
    };
    let (put_counterexamples, delete_counterexamples, records) = Default::default();
    let commit =
        ShardCommit { sweep_id: "a".into(), shard_number: 0, record, agreed, tally, put_counterexamples, delete_counterexamples, records };
    store.commit(&[commit]).unwrap();
}

#[test]
fn a_crash_between_a_commit_and_the_note_of_a_ban_saves_no_liar() {
    let directory = tempfile::tempdir().unwrap();
    outvoted(directory.path());
    let (driver, thread) = Driver::start(Store::open_existing(directory.path()).unwrap(), DriverOptions::default()).unwrap();
    driver.stop();
    thread.join().unwrap();
    drop(driver);
    let banned = Store::open_existing(directory.path()).unwrap().banned().unwrap();
    assert_eq!(banned.iter().map(|(instance, _)| instance.as_str()).collect::<Vec<_>>(), ["eve"]);
}
