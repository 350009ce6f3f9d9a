//! A data directory is read by anybody, also while it is written, and reading changes nothing in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::SystemTime;

use refute_coordinator::store::{Reader, Store, StoreError};
use rocksdb::{DB, Options};

use crate::crash::{DIRECTORY, ID, acknowledged, commit_and_kill};
use crate::samples::{commit, decided, filled, tally};

/// The files of a directory, each with its contents and the time of its last change; and that of the directory.
fn state(directory: &Path) -> (SystemTime, BTreeMap<String, (Vec<u8>, SystemTime)>) {
    let changed = |path: &Path| path.metadata().unwrap().modified().unwrap();
    let file = |path: &Path| (path.file_name().unwrap().to_string_lossy().into_owned(), (fs::read(path).unwrap(), changed(path)));
    let files = directory.read_dir().unwrap().map(|entry| file(&entry.unwrap().path())).collect();
    (changed(directory), files)
}

/// How many shards a reader sees done. All that it sees adds up.
#[track_caller]
fn done(reader: &Reader) -> u64 {
    reader.verify(ID).unwrap();
    let done = reader.done_shards(ID).unwrap();
    assert!(done.len() <= 1, "shards were committed in order: {done:?}");
    let end = done.first().map_or(0, |range| range.end);
    assert_eq!(reader.tally(ID).unwrap().unwrap_or_default().decided, (0..end).map(decided).sum());
    end
}

/// A process that commits until it is dropped.
struct Writer(Child);

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn a_reader_beside_a_writer_sees_everything_that_was_committed_and_nothing_half() {
    let directory = tempfile::tempdir().unwrap();
    // So that there is a sweep to be read.
    commit_and_kill(directory.path(), 1);
    let data = directory.path().join("data");
    let mut writer = Command::new(std::env::current_exe().unwrap());
    writer.args(["crash::child", "--exact"]).env(DIRECTORY, directory.path());
    let writer = Mutex::new(Writer(writer.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()));
    // Until the writer has begun so many logs, and with that moved as many into tables.
    let logs = Mutex::new(BTreeSet::new());
    let watch = || {
        let mut last = 0;
        while logs.lock().unwrap().len() < 10 {
            assert!(writer.lock().unwrap().0.try_wait().unwrap().is_none(), "the writer has ended");
            let before = acknowledged(directory.path()).len() as u64;
            let reader = Reader::open(&data).unwrap();
            let seen = done(&reader);
            assert!(seen >= before && seen >= last, "{seen} shards are seen, {before} were acknowledged and {last} seen before");
            last = seen;
            let names = data.read_dir().unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
            logs.lock().unwrap().extend(names.filter(|name| name.ends_with(".log")));
            // It stays at its moment.
            assert_eq!(done(&reader), seen);
        }
    };
    std::thread::scope(|scope| [(); 3].map(|()| scope.spawn(watch)).map(|reader| reader.join().unwrap()));
}

#[test]
fn reading_what_a_killed_process_left_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    commit_and_kill(directory.path(), 12);
    let data = directory.path().join("data");
    let before = state(&data);
    let reader = Reader::open(&data).unwrap();
    reader.verify_records(ID).unwrap();
    let seen = done(&reader);
    assert!(seen >= acknowledged(directory.path()).len() as u64, "{seen}");
    assert!(state(&data) == before, "reading has changed the directory");
    let store = Store::open_existing(&data).unwrap();
    store.verify_records(ID).unwrap();
    assert_eq!(done(&store), seen);
}

#[test]
fn readers_keep_nobody_out_and_nobody_keeps_them_out() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 3, 2));
    let first = Reader::open(directory.path()).unwrap();
    let store = Store::open_existing(directory.path()).unwrap();
    let second = Reader::open(directory.path()).unwrap();
    store.commit(&[commit("a", 2, decided(0) + decided(1))]).unwrap();
    let third = Reader::open(directory.path()).unwrap();
    for (reader, shards) in [(&first, 2), (&second, 2), (&third, 3), (&*store, 3)] {
        reader.verify("a").unwrap();
        assert_eq!(reader.tally("a").unwrap(), Some(tally((0..shards).map(decided).sum())));
    }
}

#[test]
fn a_reader_still_has_the_tables_that_the_writer_has_merged_since() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 1, 1));
    let families = DB::list_cf(&Options::default(), directory.path()).unwrap();
    let database = || {
        let mut apart = Options::default();
        apart.set_disable_auto_compactions(true);
        DB::open_cf_with_opts(&Options::default(), directory.path(), families.iter().map(|family| (family, apart.clone()))).unwrap()
    };
    let apart = database();
    let records = apart.cf_handle("records").unwrap();
    for key in 1..20 {
        // One key is in all of them, so that they must be merged and cannot be put side by side.
        for key in [key, 0] {
            apart.put_cf(records, [b'a', 0, key], "*1").unwrap();
        }
        apart.flush_cf(records).unwrap();
    }
    drop(apart);
    let is_table = |path: &Path| path.extension().is_some_and(|extension| extension == "sst");
    let tables = || directory.path().read_dir().unwrap().filter(|entry| is_table(&entry.as_ref().unwrap().path())).count();
    let before = tables();
    let reader = Reader::open(directory.path()).unwrap();
    let merging = database();
    merging.compact_range_cf(merging.cf_handle("records").unwrap(), None::<&[u8]>, None::<&[u8]>);
    drop(merging);
    assert!(tables() + 15 < before, "the tables are there: {before}, now {}", tables());
    assert_eq!(reader.records("a").unwrap().map(|record| record.unwrap().value).filter(|value| value == "*1").count(), 20);
}

#[test]
fn an_older_format_is_read_as_it_is_and_others_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 2, 1));
    let put = |version: &[u8]| crate::opening::put_raw(directory.path(), "meta", b"format", version);
    put(b"1");
    let before = state(directory.path());
    Reader::open(directory.path()).unwrap().verify("a").unwrap();
    assert!(state(directory.path()) == before, "it has been changed");
    put(b"3");
    assert!(matches!(Reader::open(directory.path()), Err(StoreError::Newer { found: 3, .. })));
    put(b"0");
    assert!(Reader::open(directory.path()).unwrap_err().to_string().contains("there never was a format 0"));
}

#[test]
fn where_there_is_nothing_to_read_it_is_said_what_is_there_instead() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    for name in ["empty", "foreign", "begun"] {
        fs::create_dir(path(name)).unwrap();
    }
    fs::write(path("foreign").join("thesis.tex"), "").unwrap();
    fs::write(path("begun").join("LOCK.refute"), "").unwrap();
    fs::write(path("file"), "").unwrap();
    for (name, reason) in [
        ("missing", "there is no such directory"),
        ("empty", "it is empty"),
        ("foreign", "it holds files of something else, such as 'thesis.tex'"),
        ("begun", "nothing was ever started there"),
    ] {
        let expected = StoreError::NoStore { directory: path(name), reason: reason.to_owned() };
        assert_eq!(Reader::open(&path(name)).unwrap_err(), expected);
        assert_eq!(Store::open_existing(&path(name)).unwrap_err(), expected);
    }
    for name in ["file", "file/below"] {
        let expected = StoreError::NotADirectory { path: path("file") };
        assert_eq!(Reader::open(&path(name)).unwrap_err(), expected);
        assert_eq!(Store::open_existing(&path(name)).unwrap_err(), expected);
        assert_eq!(Store::open_or_create(&path(name)).unwrap_err(), expected);
    }
    assert!(!path("missing").exists());
    assert_eq!(path("empty").read_dir().unwrap().count(), 0);
}
