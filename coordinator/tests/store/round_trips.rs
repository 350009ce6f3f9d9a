//! What is written to the store is read back as it was, also after it was closed, and a batch that would break its sums is
//! refused.

use refute_coordinator::schedule::SweepState;
use refute_coordinator::store::{
    Disagreement, MAX_DISAGREEMENTS, QuarantineRecord, ShardCommit, ShardRecord, Store, StoreError, SweepRecord, VoteRecord,
};
use refute_shared::sweep::{ClaimTally, KeptRecord, ShardResult, Tally};

use crate::samples::{LARGE, commit, counterexample, decided, filled, kept_keys, sweep, tally};

#[test]
fn everything_is_there_after_the_store_was_closed_and_opened_again() {
    let directory = tempfile::tempdir().unwrap();
    let failed = SweepRecord { state: SweepState::Failed, reason: Some("they disagree".into()), sequence: 2, ..sweep("b", 4) };
    {
        let store = filled(directory.path(), "a", 4, 3);
        store.put_sweep(&failed).unwrap();
        store.put_quarantined("a", 3, &QuarantineRecord { attempts: 3, error: "out of memory".into() }).unwrap();
        store.add_disagreement("a", 1, Disagreement { digest: 1 << 90, worker: "bob".into() }).unwrap();
    }
    let store = Store::open_existing(directory.path()).unwrap();
    assert_eq!(store.sweeps().unwrap(), [failed.clone(), sweep("a", 4)], "in the order of their sequence");
    assert_eq!((store.sweep("b").unwrap(), store.sweep("c").unwrap()), (Some(failed), None));
    let all = decided(0) + decided(1) + decided(2);
    assert_eq!(store.tally("a").unwrap(), Some(tally(all)));
    assert_eq!(store.tally("b").unwrap(), None);
    assert_eq!(store.done_shards("a").unwrap(), std::slice::from_ref(&(0..3)));
    assert_eq!(store.quarantined("a").unwrap(), [(3, QuarantineRecord { attempts: 3, error: "out of memory".into() })]);
    let record = store.shard("a", 1).unwrap().unwrap();
    assert_eq!((record.digest, record.decided, record.seconds), (LARGE, decided(1), 0.25));
    assert_eq!(record.disagreements, [Disagreement { digest: 1 << 90, worker: "bob".into() }]);
    assert_eq!(store.shard("a", 3).unwrap(), None);
    let expected: Vec<_> = (0..2).map(|number: u64| (number.to_be_bytes().to_vec(), counterexample(number))).collect();
    assert_eq!(store.counterexamples("a", 0, 2).unwrap(), expected);
    assert_eq!(
        (store.counterexamples("a", 0, usize::MAX).unwrap().len(), store.counterexamples("a", 1, usize::MAX).unwrap().len()),
        (3, 0)
    );
    let records: Result<Vec<_>, _> = store.records("a").unwrap().collect();
    let kept = |number: u64| KeptRecord { key: number.to_be_bytes().to_vec(), value: format!("*{number}") };
    assert_eq!(records.unwrap(), [kept(0), kept(1), kept(2)]);
    store.verify("a").unwrap();
    store.verify("b").unwrap();
}

#[test]
fn numbers_beyond_64_bits_are_read_back_as_they_were() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open_or_create(directory.path()).unwrap();
    store.put_sweep(&sweep("a", 1)).unwrap();
    let mut whole = tally(LARGE);
    whole.claims[1] = ClaimTally { held: 1 << 64, vacuous: 1 << 65, undefined: 1 << 66, refuted: (1 << 64) - 1 };
    let mut large = commit("a", 0, 0);
    large.record.decided = LARGE;
    large.record.seconds = f64::NAN;
    large.tally = whole.clone();
    store.commit(&[large]).unwrap();
    assert_eq!(store.tally("a").unwrap(), Some(whole));
    let record = store.shard("a", 0).unwrap().unwrap();
    assert_eq!((record.decided, record.seconds), (LARGE, 0.0));
    store.verify("a").unwrap();
}

#[test]
fn an_id_that_begins_another_does_not_see_its_data() {
    let directory = tempfile::tempdir().unwrap();
    let (short, long) = ("h1-0123456789ab", "h1-0123456789ab-2");
    let store = filled(directory.path(), short, 4, 2);
    store.put_sweep(&sweep(long, 300)).unwrap();
    store.commit(&[commit(long, 3, 0), commit(long, 256, decided(3)), commit(long, 255, decided(3) + decided(256))]).unwrap();
    assert_eq!(store.done_shards(short).unwrap(), std::slice::from_ref(&(0..2)));
    assert_eq!(store.done_shards(long).unwrap(), [3..4, 255..257]);
    assert_eq!(
        (store.counterexamples(short, 0, usize::MAX).unwrap().len(), store.counterexamples(long, 0, usize::MAX).unwrap().len()),
        (2, 3)
    );
    assert_eq!((store.records(short).unwrap().count(), store.records(long).unwrap().count()), (2, 3));
    assert_eq!(store.done_shards("h1-0123456789a").unwrap(), []);
    assert_eq!(store.done_shards("a\0b"), Err(StoreError::Id { sweep_id: "a\0b".into() }));
    store.verify(short).unwrap();
    store.verify(long).unwrap();
}

#[test]
fn counterexamples_that_are_pushed_out_are_gone_and_the_rest_is_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open_or_create(directory.path()).unwrap();
    store.put_sweep(&sweep("a", 9)).unwrap();
    let with = |shard_number, before, put: &[&[u8]], delete: &[&[u8]]| ShardCommit {
        put_counterexamples: put.iter().map(|key| (2, key.to_vec(), counterexample(1))).collect(),
        delete_counterexamples: delete.iter().map(|key| (2, key.to_vec())).collect(),
        ..commit("a", shard_number, before)
    };
    // The second commit of one batch pushes out what the first has put.
    store.commit(&[with(0, 0, &[b"\x05", b"\x03\xff", b"\xff"], &[]), with(1, decided(0), &[b"\x03"], &[b"\xff"])]).unwrap();
    let keys: Vec<_> = store.counterexamples("a", 2, 10).unwrap().into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, [b"\x03".to_vec(), b"\x03\xff".to_vec(), b"\x05".to_vec()]);
    assert_eq!(kept_keys(&store, "a", 2), keys);
    assert_eq!(store.counterexamples("a", 1, 10).unwrap(), []);
    assert_eq!(store.counterexamples("a", 3, 10).unwrap(), []);
    assert_eq!(store.counterexamples("a", u32::MAX, usize::MAX).unwrap().len(), 0);
}

#[test]
fn a_batch_that_would_break_the_sum_is_refused_whole() {
    let directory = tempfile::tempdir().unwrap();
    let store = filled(directory.path(), "a", 4, 1);
    let before = decided(0);
    let again = StoreError::AlreadyDone { sweep_id: "a".into(), shard_number: 0 };
    assert_eq!(store.commit(&[commit("a", 1, before), commit("a", 0, before + decided(1))]), Err(again));
    let twice = [commit("a", 1, before), commit("a", 1, before + decided(1))];
    assert_eq!(store.commit(&twice), Err(StoreError::AlreadyDone { sweep_id: "a".into(), shard_number: 1 }));
    assert!(matches!(store.commit(&[commit("a", 1, before), commit("a", 2, before)]), Err(StoreError::Mismatch { .. })));
    assert_eq!(store.commit(&[commit("a", 4, before)]), Err(StoreError::NoSuchShard { sweep_id: "a".into(), shard_number: 4 }));
    assert_eq!(store.commit(&[commit("b", 0, 0)]), Err(StoreError::NoSuchSweep { sweep_id: "b".into() }));
    assert_eq!(store.done_shards("a").unwrap(), std::slice::from_ref(&(0..1)));
    assert_eq!(store.tally("a").unwrap(), Some(tally(before)));
    store.commit(&[]).unwrap();
    store.commit(&[commit("a", 2, before), commit("a", 1, before + decided(2))]).unwrap();
    store.verify("a").unwrap();
}

#[test]
fn a_quarantined_shard_is_forgotten_when_it_is_done_or_the_sweep_is_reopened() {
    let directory = tempfile::tempdir().unwrap();
    let store = filled(directory.path(), "a", 5, 1);
    let record = QuarantineRecord { attempts: 3, error: "killed".into() };
    for shard_number in [0, 1, 3, 4] {
        store.put_quarantined("a", shard_number, &record).unwrap();
    }
    let numbers = |store: &Store| store.quarantined("a").unwrap().into_iter().map(|(number, _)| number).collect::<Vec<_>>();
    assert_eq!(numbers(&store), [1, 3, 4], "a done shard is not quarantined");
    store.commit(&[commit("a", 3, decided(0))]).unwrap();
    assert_eq!(numbers(&store), [1, 4]);
    store.clear_quarantined("a").unwrap();
    assert!(numbers(&store).is_empty());
    assert_eq!(store.done_shards("a").unwrap(), [0..1, 3..4]);
}

#[test]
fn results_that_wait_for_another_worker_are_kept_as_a_whole() {
    let directory = tempfile::tempdir().unwrap();
    let store = filled(directory.path(), "a", 5, 1);
    let vote = |instance: &str, digest| VoteRecord {
        instance: instance.into(),
        host: "10.0.0.7".into(),
        worker: format!("worker 7 on {instance}"),
        digest,
        seconds: 0.5,
        contradicted: (digest != LARGE).then(|| "it is P".into()),
        result: ShardResult { tally: tally(decided(1)), counterexamples: vec![vec![], vec![]], records: commit("a", 1, 0).records },
    };
    store.put_quarantined("a", 1, &QuarantineRecord { attempts: 3, error: "killed".into() }).unwrap();
    for (shard, instance, digest) in [(0, "ada", LARGE), (1, "ada", LARGE), (1, "eve", 8), (3, "bob", LARGE)] {
        store.put_vote("a", shard, &vote(instance, digest)).unwrap();
    }
    assert_eq!(store.quarantined("a").unwrap(), [], "what was solved is not quarantined");
    let waiting = [(1, vote("ada", LARGE)), (1, vote("eve", 8)), (3, vote("bob", LARGE))];
    assert_eq!(store.votes("a").unwrap(), waiting, "none on a shard that is done");
    assert_eq!(store.votes_on("a", 3).unwrap(), [vote("bob", LARGE)]);
    store.commit(&[ShardCommit { agreed: vec!["ada".into()], ..commit("a", 1, decided(0)) }]).unwrap();
    assert_eq!(store.votes_on("a", 1).unwrap(), [vote("eve", 8)], "what others contradict is kept");
    store.verify("a").unwrap();
}

#[test]
fn banned_workers_are_remembered() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open_or_create(directory.path()).unwrap();
    store.put_banned("eve", "it lied").unwrap();
    store.put_banned("bob", "it lied too").unwrap();
    drop(store);
    let store = Store::open_existing(directory.path()).unwrap();
    assert_eq!(store.banned().unwrap(), [("bob".into(), "it lied too".into()), ("eve".into(), "it lied".to_owned())]);
    store.forget_banned("bob").unwrap();
    store.forget_banned("nobody").unwrap();
    drop(store);
    let store = Store::open_existing(directory.path()).unwrap();
    assert_eq!(store.banned().unwrap(), [("eve".into(), "it lied".to_owned())]);
}

#[test]
fn a_store_that_is_opened_anew_has_what_it_had() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = filled(directory.path(), "a", 5, 2);
    store.reopen().unwrap();
    store.verify("a").unwrap();
    store.commit(&[commit("a", 2, decided(0) + decided(1))]).unwrap();
    assert_eq!(store.done_shards("a").unwrap(), std::iter::once(0..3).collect::<Vec<_>>());
    let names = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| name != ".room"), "nothing is left behind");
}

#[test]
fn only_so_many_disagreements_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let store = filled(directory.path(), "a", 2, 1);
    for digest in 0..40 {
        store.add_disagreement("a", 0, Disagreement { digest, worker: "bob".into() }).unwrap();
    }
    let ShardRecord { digest, disagreements, .. } = store.shard("a", 0).unwrap().unwrap();
    assert_eq!((digest, disagreements.len()), (LARGE, MAX_DISAGREEMENTS));
    let missing = store.add_disagreement("a", 1, Disagreement { digest: 0, worker: "bob".into() });
    assert_eq!(missing, Err(StoreError::NoSuchShard { sweep_id: "a".into(), shard_number: 1 }));
}

#[test]
fn a_sweep_without_a_result_has_an_empty_tally_and_verifies() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open_or_create(directory.path()).unwrap();
    store.put_sweep(&sweep("a", 2)).unwrap();
    assert_eq!(store.verify("a"), Ok(()));
    assert_eq!(store.verify("b"), Err(StoreError::NoSuchSweep { sweep_id: "b".into() }));
    assert_eq!(store.tally("a").unwrap().unwrap_or_default(), Tally::default());
}
