//! One process has a data directory at a time; a second one is told who has it and where that one listens.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Barrier;

use refute_coordinator::store::{LOCK_FILE, Store, StoreError};

const DIRECTORY: &str = "REFUTE_TEST_IN_USE";

/// Not a test of its own: what the other process does.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let store = Store::open_or_create(Path::new(&directory)).unwrap();
    store.set_address("127.0.0.1:7070 with a name that is long").unwrap();
    store.set_address("127.0.0.1:7071").unwrap();
    // Past the test harness, which would keep it to itself.
    std::io::stderr().write_all(b"open\n").unwrap();
    let _ = std::io::stdin().read(&mut [0]);
}

#[test]
fn a_second_process_is_told_who_has_the_directory_and_where() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["in_use::child", "--exact", "--nocapture"])
        .env(DIRECTORY, directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "open"), "the other process has not opened the store");

    for open in [Store::open_or_create, Store::open_existing] {
        let error = open(directory.path()).unwrap_err();
        let (pid, address) = (Some(child.id()), Some("127.0.0.1:7071".to_owned()));
        assert_eq!(error, StoreError::InUse { directory: directory.path().into(), pid, address });
        let sentence = format!("is in use by process {}, which listens on 127.0.0.1:7071", child.id());
        assert!(error.to_string().ends_with(&sentence), "{error}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Only the address of who has the directory now is told.
    let store = Store::open_existing(directory.path()).unwrap();
    let error = Store::open_existing(directory.path()).unwrap_err();
    assert_eq!(error, in_use(directory.path(), Some(std::process::id()), None));
    drop(store);
    Store::open_existing(directory.path()).unwrap();
}

#[test]
fn a_lock_file_that_says_nothing_is_no_obstacle() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(LOCK_FILE), "gibberish").unwrap();
    let store = Store::open_or_create(directory.path()).unwrap();
    std::fs::write(directory.path().join(LOCK_FILE), "").unwrap();
    let error = Store::open_or_create(directory.path()).unwrap_err();
    assert_eq!(error, in_use(directory.path(), None, None));
    assert!(error.to_string().ends_with("is in use by another process"), "{error}");
    drop(store);
}

fn in_use(directory: &Path, pid: Option<u32>, address: Option<String>) -> StoreError {
    StoreError::InUse { directory: PathBuf::from(directory), pid, address }
}

#[test]
fn of_many_that_make_a_directory_at_the_same_time_one_gets_it_and_it_stays_locked() {
    const MANY: usize = 6;
    for _ in 0..20 {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("new/data");
        let start = Barrier::new(MANY);
        let open = || {
            start.wait();
            Store::open_or_create(&directory)
        };
        let opened: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..MANY).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let (got, refused): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
        assert_eq!(got.len(), 1);
        for error in refused.into_iter().map(Result::unwrap_err).chain([Store::open_or_create(&directory).unwrap_err()]) {
            assert!(matches!(error, StoreError::InUse { .. }), "{error}");
        }
        assert!(directory.join(LOCK_FILE).exists(), "the lock of the one was removed by another");
    }
}
