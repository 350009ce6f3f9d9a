//! Backups are whole or not there, and what is restored is what was committed.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use refute_coordinator::store::{BACKUP_FILE, BackupError, LOCK_FILE, RestoreError, Store, StoreError, restore};
use refute_shared::sweep::KeptRecord;

use crate::crash::filling;
use crate::samples::{commit, decided, filled, sweep, tally};

const DIRECTORY: &str = "REFUTE_TEST_BACKUP";
const ID: &str = "h1-0123456789ab";

fn names(directory: &Path) -> BTreeSet<String> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The shards that are done, which are those below some number.
fn done(store: &Store) -> std::ops::Range<u64> {
    let done = store.done_shards(ID).unwrap();
    assert_eq!(done.len(), 1, "{done:?}");
    done[0].clone()
}

/// Makes a backup of a store with so many shards done, in `backup` of a directory, and leaves the store in `data`.
fn backed_up(directory: &Path, done: u64) {
    let store = filled(&directory.join("data"), ID, 100, done);
    store.backup_source().unwrap().back_up(&directory.join("backup")).unwrap();
}

/// Commits shards one after the other from `next` on, each with some text that does not compress, as long as it may.
fn commit_on(store: &Store, next: u64, acknowledged: &AtomicU64, may: impl Fn() -> bool) {
    let mut sum = store.tally(ID).unwrap().unwrap_or_default().decided;
    for number in next.. {
        if !may() {
            break;
        }
        let mut commit = commit(ID, number, sum);
        commit.records = vec![KeptRecord { key: number.to_be_bytes().to_vec(), value: filling(number) }];
        store.commit(&[commit]).unwrap();
        sum += decided(number);
        acknowledged.store(number + 1, Ordering::SeqCst);
    }
}

#[test]
fn a_backup_holds_what_was_committed_before_and_some_moment_of_what_is_committed_meanwhile() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open_or_create(&directory.path().join("data")).unwrap();
    store.put_sweep(&sweep(ID, 1_000_000)).unwrap();
    let (acknowledged, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let mut sizes = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| commit_on(&store, 0, &acknowledged, || !over.load(Ordering::SeqCst)));
        for number in 0..8 {
            let wanted = acknowledged.load(Ordering::SeqCst) + 40;
            while acknowledged.load(Ordering::SeqCst) < wanted {
                std::thread::sleep(Duration::from_millis(1));
            }
            let before = acknowledged.load(Ordering::SeqCst);
            let to = directory.path().join(format!("backup-{number}"));
            let backup = store.backup_source().unwrap().back_up(&to).unwrap();
            // One commit may be on disk and not yet counted here.
            sizes.push((number, before, acknowledged.load(Ordering::SeqCst) + 1));
            assert_eq!(backup.sweeps, 1);
        }
        over.store(true, Ordering::SeqCst);
    });
    drop(store);
    for (number, least, most) in sizes {
        let (store, _) = restore(&directory.path().join(format!("backup-{number}")), &directory.path().join(format!("{number}"))).unwrap();
        let end = done(&store).end;
        assert!((least..=most).contains(&end), "{end} of {least} to {most}");
        assert_eq!(store.tally(ID).unwrap(), Some(tally((0..end).map(decided).sum())));
        assert_eq!(store.records(ID).unwrap().last().unwrap().unwrap().value, filling(end - 1));
    }
    assert!(names(directory.path()).iter().all(|name| !name.ends_with(".partial")));
}

#[test]
fn what_is_restored_is_a_copy_and_the_backup_stays_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    backed_up(directory.path(), 7);
    let (backup, data) = (directory.path().join("backup"), directory.path().join("restored"));
    let before = names(&backup);
    assert!(before.contains(BACKUP_FILE) && !before.contains(LOCK_FILE), "{before:?}");
    let first = Store::open_existing(&directory.path().join("data")).unwrap().epoch();
    let (store, _) = restore(&backup, &data).unwrap();
    // No id of its is one of those that the first store gives from here on.
    assert!(store.epoch() > first + 1_000_000, "{} after {first}", store.epoch());
    assert_eq!(done(&store), 0..7);
    let inodes = |directory: &Path| -> BTreeSet<u64> {
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().metadata().unwrap().ino()).collect()
    };
    assert!(inodes(&backup).is_disjoint(&inodes(&data)));
    assert!(!data.join(".restoring").exists());
    let sum = (0..7).map(decided).sum();
    store.commit(&[commit(ID, 7, sum)]).unwrap();
    assert_eq!(names(&backup), before);
    // An empty directory will do as well, with what is in one that is a volume of its own.
    let volume = directory.path().join("volume");
    fs::create_dir_all(volume.join("lost+found")).unwrap();
    assert_eq!(done(&restore(&backup, &volume).unwrap().0), 0..7);
}

#[test]
fn a_backup_is_no_data_directory_and_a_data_directory_no_backup() {
    let directory = tempfile::tempdir().unwrap();
    backed_up(directory.path(), 3);
    let (data, backup) = (directory.path().join("data"), directory.path().join("backup"));
    for open in [Store::open_existing, Store::open_or_create, |path: &Path| Store::repair(path).map(|(store, _)| store)] {
        assert_eq!(open(&backup).unwrap_err(), StoreError::IsBackup { directory: backup.clone() });
    }
    assert!(!backup.join(LOCK_FILE).exists());
    for (from, problem) in [(data.clone(), "BACKUP.refute"), (directory.path().join("nothing"), "No such file")] {
        let error = restore(&from, &directory.path().join("new")).unwrap_err();
        assert!(matches!(&error, RestoreError::NotABackup { .. }) && error.to_string().contains(problem), "{error}");
    }
    assert_eq!(names(directory.path()), ["backup", "data"].map(String::from).into());
}

#[test]
fn a_bad_place_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    backed_up(directory.path(), 3);
    let store = Store::open_existing(&directory.path().join("data")).unwrap();
    fs::create_dir_all(directory.path().join("busy.partial")).unwrap();
    fs::write(directory.path().join("busy.partial/checkpoint.txt"), "mine").unwrap();
    for (place, problem) in [
        ("backup", "there already"),
        ("data/backup", "outside of it"),
        ("nowhere/backup", "cannot be found"),
        ("backup/..", "names no new directory"),
        ("busy", "it holds 'checkpoint.txt'"),
    ] {
        let error = store.backup_source().unwrap().back_up(&directory.path().join(place)).unwrap_err();
        assert!(matches!(&error, BackupError::Place { .. }) && error.to_string().contains(problem), "{place}: {error}");
    }
    assert_eq!(names(directory.path()), ["backup", "busy.partial", "data"].map(String::from).into());
    // One at a time.
    let first = store.backup_source().unwrap();
    assert!(matches!(store.backup_source(), Err(StoreError::BackingUp { .. })));
    // And while it is made the directory is in use, also when the store is gone.
    drop(store);
    assert!(matches!(Store::open_existing(&directory.path().join("data")), Err(StoreError::InUse { .. })));
    drop(first);
    Store::open_existing(&directory.path().join("data")).unwrap();
}

#[test]
fn a_database_is_not_opened_again_while_a_backup_reads_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = filled(directory.path(), ID, 100, 3);
    let source = store.backup_source().unwrap();
    assert_eq!(store.reopen(), Err(StoreError::BackingUp { directory: directory.path().into() }));
    assert_eq!(done(&store), 0..3);
    drop(source);
    store.reopen().unwrap();
}

#[test]
fn what_is_damaged_or_newer_or_occupied_is_refused_and_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = filled(&directory.path().join("data"), ID, 100, 9);
    let log = names(store.directory()).into_iter().find(|name| name.ends_with(".log")).unwrap();
    let until_ninth = store.directory().join(&log).metadata().unwrap().len() as usize;
    store.commit(&[commit(ID, 9, (0..9).map(decided).sum())]).unwrap();
    store.backup_source().unwrap().back_up(&directory.path().join("backup")).unwrap();
    drop(store);
    let (backup, spoilt, data) = (directory.path().join("backup"), directory.path().join("spoilt"), directory.path().join("new"));
    let whole = fs::read(backup.join(&log)).unwrap();
    let mut flipped = whole.clone();
    let last = flipped.len() - 9;
    flipped[last] ^= 1;
    // As a log that ended there: nothing else would tell.
    let mut shorter = whole.clone();
    shorter[until_ninth..].fill(0);
    let described = fs::read_to_string(backup.join(BACKUP_FILE)).unwrap();
    let spoil: [(&str, Vec<u8>, &str); 6] = [
        (&log, whole[..whole.len() - 1].to_vec(), "bytes and had"),
        (&log, flipped, "is damaged: "),
        (&log, shorter, "the end of its write-ahead log is lost"),
        (BACKUP_FILE, b"{\"format\": 2".to_vec(), "is not understood"),
        (BACKUP_FILE, described.replace("\"format\": 2", "\"format\": 99").into_bytes(), "has format 99"),
        (BACKUP_FILE, described.replace("CURRENT", "../CURRENT").into_bytes(), "cannot be the name"),
    ];
    for (name, contents, problem) in spoil {
        fs::create_dir(&spoilt).unwrap();
        for file in names(&backup) {
            fs::copy(backup.join(&file), spoilt.join(&file)).unwrap();
        }
        fs::write(spoilt.join(name), contents).unwrap();
        let error = restore(&spoilt, &data).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
        assert!(!data.exists(), "{error}");
        fs::remove_dir_all(&spoilt).unwrap();
    }
    fs::create_dir(&data).unwrap();
    fs::write(data.join("photo.jpg"), "a photo").unwrap();
    let error = restore(&backup, &data).unwrap_err();
    assert_eq!(error, RestoreError::Occupied { data: data.clone(), name: "photo.jpg".into() });
    assert_eq!(names(&data), ["photo.jpg".to_owned()].into());
    let used = Store::open_existing(&directory.path().join("data")).unwrap();
    let error = restore(&backup, used.directory()).unwrap_err();
    assert!(matches!(error, RestoreError::Store(StoreError::InUse { .. })), "{error}");
}

#[test]
fn a_restore_that_was_killed_is_begun_anew_and_nothing_else_is_made_of_it() {
    let directory = tempfile::tempdir().unwrap();
    backed_up(directory.path(), 5);
    let (backup, data) = (directory.path().join("backup"), directory.path().join("new"));
    // Killed when some files were in their places.
    fs::create_dir_all(data.join(".restoring")).unwrap();
    for (name, contents) in [("CURRENT", "MANIFEST-000001\n"), ("000001.sst", "half"), ("MANIFEST-000001", "half")] {
        fs::write(data.join(".restoring").join(name), contents).unwrap();
    }
    fs::write(data.join("000001.sst"), "half").unwrap();
    assert!(matches!(Store::open_existing(&data), Err(StoreError::NoStore { .. })));
    let error = Store::open_or_create(&data).unwrap_err();
    assert!(matches!(error, StoreError::NotOurs { .. }) && error.to_string().contains("an interrupted restore"), "{error}");
    // What was not the restore's own stays.
    fs::write(data.join("photo.jpg"), "a photo").unwrap();
    let error = restore(&backup, &data).unwrap_err();
    assert_eq!(error, RestoreError::Occupied { data: data.clone(), name: "photo.jpg".into() });
    fs::remove_file(data.join("photo.jpg")).unwrap();
    let (store, _) = restore(&backup, &data).unwrap();
    assert_eq!(done(&store), 0..5);
    assert!(!names(&data).contains(".restoring") && !names(&data).contains("000001.sst"));
}

/// Not a test of its own: makes backups, and restores them, until it is killed.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let directory = Path::new(&directory);
    let store = Store::open_or_create(&directory.join("data")).unwrap();
    store.put_sweep(&sweep(ID, 1_000_000)).unwrap();
    let next = store.done_shards(ID).unwrap().last().map_or(0, |range| range.end);
    let acknowledged = AtomicU64::new(next);
    std::thread::scope(|scope| {
        scope.spawn(|| commit_on(&store, next, &acknowledged, || true));
        let begin = names(directory).len();
        for number in begin.. {
            let backup = directory.join(format!("backup-{number}"));
            match store.backup_source().unwrap().back_up(&backup) {
                Err(BackupError::Place { .. }) => {}
                made => drop(made.unwrap()),
            }
            let data = directory.join(format!("restored-{}", number % 2));
            // One that was killed is started again; one that was whole before is there.
            if restore(&backup, &data).is_ok() {
                // Under another name, since it is not removed at once.
                let gone = directory.join("gone");
                let _ = fs::remove_dir_all(&gone);
                fs::rename(&data, &gone).unwrap();
            }
        }
    });
}

#[test]
fn a_kill_leaves_no_half_backup_and_no_half_data_directory() {
    let directory = tempfile::tempdir().unwrap();
    let backups = || names(directory.path()).into_iter().filter(|name| name.starts_with("backup-"));
    for millis in [1, 7, 19, 31, 0, 60, 45, 13] {
        let enough = backups().count() + 2;
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["backup::child", "--exact"])
            .env(DIRECTORY, directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while backups().count() < enough {
            assert!(child.try_wait().unwrap().is_none(), "the process ended by itself");
            assert!(Instant::now() < deadline, "the process makes no backups");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().unwrap();
        child.wait().unwrap();
        for name in names(directory.path()).iter().filter(|name| name.starts_with("restored-")) {
            let data = directory.path().join(name);
            match Store::open_existing(&data) {
                Ok(store) => {
                    store.verify(ID).unwrap();
                    store.verify_records(ID).unwrap();
                }
                Err(error) => assert!(matches!(error, StoreError::NoStore { .. }), "{error}"),
            }
        }
    }
    for name in backups() {
        let restored = restore(&directory.path().join(&name), &directory.path().join("check"));
        if name.ends_with(".partial") {
            assert!(matches!(restored, Err(RestoreError::NotABackup { .. })), "{name}: {restored:?}");
            continue;
        }
        let (store, _) = restored.unwrap_or_else(|error| panic!("{name}: {error}"));
        drop(store);
        fs::remove_dir_all(directory.path().join("check")).unwrap();
    }
}
