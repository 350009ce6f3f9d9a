//! A damaged data directory is brought back to where all that it says is true, and what is gone is named exactly.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use refute_coordinator::driver::read_report;
use refute_coordinator::store::{Lost, Repaired, Store};
use refute_shared::sweep::Tally;

/// Two boxes: on the second one nothing is refuted.
const MANIFEST: &str = "name = \"damaged\"\nfamily = \"graph-nim\"\n[[space]]\ngraph = \"H1\"\nweights = \"0..=6\"\n\
    [[space]]\ngraph = \"I1\"\nweights = \"1..=4\"\n[run]\nshard_seconds = 0.000005\n";

/// A data directory with a complete sweep, made by the program itself.
fn sample() -> &'static Path {
    static SAMPLE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let made = SAMPLE.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("manifest.toml"), MANIFEST).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_refute"));
        let run = command.args(["run", "./manifest.toml", "--json"]).current_dir(directory.path()).output().unwrap();
        assert_eq!(run.status.code(), Some(1), "{run:?}");
        directory
    });
    made.path()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = directory.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files
}

/// A copy of the sample that a function may damage.
fn copy_of(damage: impl Fn(&Path)) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in files(&sample().join("refute-data")) {
        std::fs::copy(&file, copy.path().join(file.file_name().unwrap())).unwrap();
    }
    damage(copy.path());
    copy
}

fn numbers(ranges: &[std::ops::Range<u64>]) -> BTreeSet<u64> {
    ranges.iter().cloned().flatten().collect()
}

/// Repairs a copy, checks every law of the store, and returns how many shards are done and how many there are; none if the sweep
/// itself is gone.
fn repaired(copy: &Path) -> Option<(u64, u64)> {
    static WHOLE: OnceLock<(tempfile::TempDir, Store)> = OnceLock::new();
    let (_, whole) = WHOLE.get_or_init(|| {
        let whole = copy_of(|_| {});
        let store = Store::open_existing(whole.path()).unwrap();
        (whole, store)
    });
    let id = whole.sweeps().unwrap()[0].id.clone();
    let (store, Repaired { were_files_damaged, lost }) = Store::repair(copy).unwrap();
    let Some(sweep) = store.sweep(&id).unwrap() else {
        // Parts of it are left, or there is no trace of it.
        let is_said = lost.is_empty() || lost == [Lost::Sweep { sweep_id: id.clone() }];
        // A log that was cut off at its beginning looks as one to which nothing was ever written.
        assert!(is_said, "{were_files_damaged} {lost:?}");
        assert_eq!((store.sweeps().unwrap(), store.done_shards(&id).unwrap()), (vec![], vec![]));
        return None;
    };
    store.verify(&id).unwrap();
    store.verify_records(&id).unwrap();
    let done = numbers(&store.done_shards(&id).unwrap());
    let total = sweep.plan.shards();
    let missing: BTreeSet<u64> = (0..total).filter(|number| !done.contains(number)).collect();
    match &lost[..] {
        [] => assert!(missing.is_empty(), "{missing:?} are gone and nobody says so"),
        [Lost::Shards { sweep_id, of, shards }] => {
            assert_eq!((sweep_id, *of, numbers(shards)), (&id, total, missing));
        }
        other => panic!("{other:?}"),
    }
    // What is left is what was there, and the tally is the sum of it.
    let mut tally = Tally::new(whole.tally(&id).unwrap().unwrap().claims.len());
    for number in &done {
        let shard = store.shard(&id, *number).unwrap();
        assert_eq!(shard, whole.shard(&id, *number).unwrap());
        tally.merge(&shard.unwrap().tally.unwrap()).unwrap();
    }
    assert_eq!(store.tally(&id).unwrap().unwrap_or_else(|| Tally::new(tally.claims.len())), tally);
    drop(store);
    // Once repaired it is whole, and what is pending is said again.
    let (store, again) = Store::repair(copy).unwrap();
    assert_eq!(again, Repaired { were_files_damaged: false, lost });
    read_report(&store, &id).unwrap();
    Some((done.len() as u64, total))
}

#[test]
fn a_flipped_bit_in_the_log_costs_what_it_touches_and_no_more() {
    let is_log = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "log");
    let log = files(&sample().join("refute-data")).into_iter().find(is_log).unwrap();
    let log = log.file_name().unwrap().to_owned();
    let damaged = copy_of(|directory| {
        let mut contents = std::fs::read(directory.join(&log)).unwrap();
        let late = contents.len() * 9 / 10;
        contents[late] ^= 1;
        std::fs::write(directory.join(&log), contents).unwrap();
    });
    let (done, total) = repaired(damaged.path()).unwrap();
    assert!(0 < done && done < total, "{done} of {total}");
}

#[test]
fn a_directory_without_damage_loses_nothing() {
    let copy = copy_of(|_| {});
    let (done, total) = repaired(copy.path()).unwrap();
    assert!(done == total && total > 10, "{done} of {total}");
}

#[test]
fn whatever_file_is_damaged_what_is_left_is_true_and_what_is_gone_is_named() {
    let mut partly = 0;
    for file in files(&sample().join("refute-data")) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let length = std::fs::metadata(&file).unwrap().len() as usize;
        if length == 0 || name == "LOCK.refute" {
            continue;
        }
        for place in [length / 3, length - 1] {
            let flipped = copy_of(|directory| {
                let mut contents = std::fs::read(directory.join(&name)).unwrap();
                contents[place] ^= 1 << (place % 8);
                std::fs::write(directory.join(&name), contents).unwrap();
            });
            let cut = copy_of(|directory| {
                std::fs::OpenOptions::new().write(true).open(directory.join(&name)).unwrap().set_len(place as u64).unwrap();
            });
            for damaged in [flipped, cut] {
                let left = repaired(damaged.path());
                partly += usize::from(left.is_none_or(|(done, total)| done < total));
            }
        }
    }
    assert!(partly > 5, "only {partly} of the damages cost anything");
}
