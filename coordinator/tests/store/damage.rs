//! Bits flip and files end early. The answer is an error, or what was written; never a panic and never something else.

use std::ops::Range;
use std::path::{Path, PathBuf};

use refute_coordinator::store::{Reader, ShardRecord, Store, StoreError, SweepRecord};
use refute_shared::families::Counterexample;
use refute_shared::sweep::{KeptRecord, Tally};

use crate::samples::{commit, decided, filled, tally};

const SHARDS: u64 = 60;

/// All that can be read of a store with one sweep.
#[derive(Debug, PartialEq)]
struct Everything {
    sweeps: Vec<SweepRecord>,
    done: Vec<Range<u64>>,
    shards: Vec<Option<ShardRecord>>,
    tally: Option<Tally>,
    counterexamples: Vec<(Vec<u8>, Counterexample)>,
    records: Vec<KeptRecord>,
}

/// Reads a directory as any other process would, and then as the one that writes it.
fn read(directory: &Path) -> [Result<Everything, StoreError>; 2] {
    let read = Reader::open(directory).and_then(|reader| everything(&reader));
    [read, Store::open_existing(directory).and_then(|store| everything(&store))]
}

fn everything(store: &Reader) -> Result<Everything, StoreError> {
    store.verify("a")?;
    store.verify_records("a")?;
    Ok(Everything {
        sweeps: store.sweeps()?,
        done: store.done_shards("a")?,
        shards: (0..SHARDS).map(|number| store.shard("a", number)).collect::<Result<_, _>>()?,
        tally: store.tally("a")?,
        counterexamples: store.counterexamples("a", 0, usize::MAX)?,
        records: store.records("a")?.collect::<Result<_, _>>()?,
    })
}

/// A store of which the first half lies in table files and the rest in the write-ahead log.
fn sample(directory: &Path) {
    drop(filled(directory, "a", SHARDS, SHARDS / 2));
    let store = Store::open_existing(directory).unwrap();
    let mut before = (0..SHARDS / 2).map(decided).sum();
    for number in SHARDS / 2..SHARDS {
        store.commit(&[commit("a", number, before)]).unwrap();
        before += decided(number);
    }
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = directory.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.is_file() && std::fs::metadata(file).unwrap().len() > 0);
    files.sort();
    files
}

fn name(file: &Path) -> String {
    file.file_name().unwrap().to_string_lossy().into_owned()
}

/// Reads a copy of the sample in which one file has other contents.
fn read_with(sample: &Path, file: &Path, contents: &[u8]) -> [Result<Everything, StoreError>; 2] {
    let copy = tempfile::tempdir().unwrap();
    for other in files(sample) {
        std::fs::copy(&other, copy.path().join(name(&other))).unwrap();
    }
    std::fs::write(copy.path().join(name(file)), contents).unwrap();
    read(copy.path())
}

/// Places all over a file, its ends among them.
fn places(length: usize) -> impl Iterator<Item = usize> {
    let spread = (0..4).map(move |step| (step * 2_654_435_761_usize + 97) % length);
    [0, length / 2, length - 1].into_iter().chain(spread)
}

#[test]
fn a_flipped_bit_is_an_error_or_does_not_matter() {
    let directory = tempfile::tempdir().unwrap();
    sample(directory.path());
    let [read, whole] = read_with(directory.path(), &directory.path().join("LOG"), b"").map(Result::unwrap);
    assert_eq!(read, whole);
    assert_eq!(whole.tally, Some(tally((0..SHARDS).map(decided).sum())));
    let mut errors = 0;
    for file in files(directory.path()) {
        let contents = std::fs::read(&file).unwrap();
        for place in places(contents.len()) {
            let mut damaged = contents.clone();
            damaged[place] ^= 1 << (place % 8);
            for read in read_with(directory.path(), &file, &damaged) {
                match read {
                    Ok(read) => assert_eq!(read, whole, "bit in byte {place} of {}", name(&file)),
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        errors += 1;
                    }
                }
            }
        }
    }
    assert!(errors > 40, "only {errors} of the flipped bits were noticed");
}

#[test]
fn a_file_that_ends_early_is_an_error_or_loses_only_the_last_commits_of_the_log() {
    let directory = tempfile::tempdir().unwrap();
    sample(directory.path());
    let [read, whole] = read_with(directory.path(), &directory.path().join("LOG"), b"").map(Result::unwrap);
    assert_eq!(read, whole);
    for file in files(directory.path()) {
        let contents = std::fs::read(&file).unwrap();
        for length in places(contents.len()) {
            for read in read_with(directory.path(), &file, &contents[..length]) {
                match read {
                    Ok(read) if file.extension().is_some_and(|extension| extension == "log") => {
                        // A log that ends early looks as if the last writes had never been made; what is left adds up.
                        assert!(read.done.len() == 1 && read.done[0].start == 0 && read.done[0].end >= SHARDS / 2, "{:?}", read.done);
                    }
                    Ok(read) => assert_eq!(read, whole, "{} cut to {length} bytes", name(&file)),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}
