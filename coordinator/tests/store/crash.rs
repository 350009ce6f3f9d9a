//! A process is killed while it commits. Whatever it had acknowledged is there, and what is there adds up.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use refute_coordinator::store::{QuarantineRecord, Store};
use refute_shared::sweep::KeptRecord;

use crate::samples::{commit, decided, kept_keys, sweep, tally};

pub const DIRECTORY: &str = "REFUTE_TEST_CRASH";
const SHARDS: u64 = 1_000_000;
pub const ID: &str = "h1-0123456789ab";
/// Each shard pushes the counterexample out that was put this many shards before.
const KEPT: u64 = 5;

/// Not a test of its own: commits until it is killed, and writes each shard down once its commit has returned.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let directory = Path::new(&directory);
    let store = Store::open_or_create(&directory.join("data")).unwrap();
    if store.sweep(ID).unwrap().is_none() {
        store.put_sweep(&sweep(ID, SHARDS)).unwrap();
    }
    let mut acknowledged = OpenOptions::new().append(true).create(true).open(directory.join("acknowledged")).unwrap();
    let mut next = store.done_shards(ID).unwrap().last().map_or(0, |range| range.end);
    let mut sum = store.tally(ID).unwrap().unwrap_or_default().decided;
    for size in (1..=4).cycle() {
        store.put_quarantined(ID, next, &QuarantineRecord { attempts: 1, error: "killed".into() }).unwrap();
        let batch: Vec<_> = (next..next + size)
            .map(|number| {
                let mut commit = commit(ID, number, sum);
                sum += decided(number);
                commit.delete_counterexamples.extend(number.checked_sub(KEPT).map(|old| (0, old.to_be_bytes().to_vec())));
                // Large enough that buffers are flushed and files compacted while the process is killed.
                commit.records = vec![KeptRecord { key: number.to_be_bytes().to_vec(), value: filling(number) }];
                commit
            })
            .collect();
        store.commit(&batch).unwrap();
        let lines: String = (next..next + size).map(|number| format!("{number}\n")).collect();
        acknowledged.write_all(lines.as_bytes()).unwrap();
        next += size;
    }
}

/// A text that does not compress to nothing.
pub fn filling(number: u64) -> String {
    let mut state = number + 1;
    let mut text = String::with_capacity(32 << 10);
    while text.len() < 32 << 10 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(&format!("{state:016x}"));
    }
    text
}

pub fn acknowledged(directory: &Path) -> BTreeSet<u64> {
    let text = std::fs::read_to_string(directory.join("acknowledged")).unwrap_or_default();
    // The last line may be torn, and then it was not acknowledged.
    text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(|line| line.parse().unwrap()).collect()
}

/// Lets a process commit until it has acknowledged so many more shards, and kills it at once.
pub fn commit_and_kill(directory: &Path, more: usize) {
    let enough = acknowledged(directory).len() + more;
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["crash::child", "--exact"])
        .env(DIRECTORY, directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while acknowledged(directory).len() < enough {
        assert!(child.try_wait().unwrap().is_none(), "the process ended by itself");
        assert!(Instant::now() < deadline, "the process commits nothing");
        std::thread::sleep(Duration::from_millis(1));
    }
    // With nothing to wait for, the process dies somewhere on its way to the open store.
    std::thread::sleep(Duration::from_millis(if more == 0 { 12 } else { more as u64 % 3 }));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_was_acknowledged_survives_a_kill_and_adds_up() {
    let directory = tempfile::tempdir().unwrap();
    for more in [0, 1, 0, 6, 40, 2, 500, 0, 300] {
        commit_and_kill(directory.path(), more);
        if more > 0 {
            check(directory.path());
        }
    }
}

fn check(directory: &Path) {
    let store = Store::open_existing(&directory.join("data")).unwrap();
    store.verify(ID).unwrap();
    store.verify_records(ID).unwrap();
    let done = store.done_shards(ID).unwrap();
    assert_eq!(done.len(), 1, "shards were committed in order: {done:?}");
    let end = done[0].end;
    for number in acknowledged(directory) {
        assert!(number < end, "shard {number} was acknowledged and is not there");
    }
    assert_eq!(store.tally(ID).unwrap(), Some(tally((0..end).map(decided).sum())));
    // The rest of each batch came and went with it.
    let kept: Vec<Vec<u8>> = (end.saturating_sub(KEPT)..end).map(|number| number.to_be_bytes().to_vec()).collect();
    assert_eq!(kept_keys(&store, ID, 0), kept);
    let mut records = 0;
    for record in store.records(ID).unwrap() {
        let record = record.unwrap();
        assert_eq!(record.key, records_key(records));
        assert_eq!(record.value, filling(records));
        records += 1;
    }
    assert_eq!(records, end);
    let quarantined: Vec<u64> = store.quarantined(ID).unwrap().into_iter().map(|(number, _)| number).collect();
    assert!(quarantined.is_empty() || quarantined == [end], "{quarantined:?}");
}

fn records_key(number: u64) -> [u8; 8] {
    number.to_be_bytes()
}
