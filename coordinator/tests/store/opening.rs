//! What comes of opening a directory: empty, older, newer, foreign, half-made or damaged.

use std::collections::BTreeSet;
use std::path::Path;

use refute_coordinator::store::{FORMAT, Store, StoreError};
use rocksdb::{DB, Options};

use crate::samples::{commit, decided, filled, sweep};

/// Changes a closed store as no version of this program would.
pub fn put_raw(directory: &Path, family: &str, key: &[u8], value: &[u8]) {
    let options = Options::default();
    let families = DB::list_cf(&options, directory).unwrap();
    let database = DB::open_cf(&options, directory, families).unwrap();
    database.put_cf(database.cf_handle(family).unwrap(), key, value).unwrap();
}

fn names(directory: &Path) -> BTreeSet<String> {
    directory.read_dir().unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_directory_without_a_store_is_named_and_nothing_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    for path in [missing.as_path(), directory.path()] {
        let error = Store::open_existing(path).unwrap_err();
        assert!(matches!(&error, StoreError::NoStore { directory, .. } if directory == path), "{error}");
        assert!(error.to_string().starts_with("there is no data in '"), "{error}");
    }
    assert_eq!(names(directory.path()), BTreeSet::new());
    drop(Store::open_or_create(&missing.join("below")).unwrap());
    Store::open_existing(&missing.join("below")).unwrap();
}

#[test]
fn each_opening_has_another_epoch() {
    let directory = tempfile::tempdir().unwrap();
    let epochs: Vec<u32> = (0..3).map(|_| Store::open_or_create(directory.path()).unwrap().epoch()).collect();
    assert_eq!(epochs, [1, 2, 3]);
}

#[test]
fn a_newer_format_is_refused_with_a_sentence_and_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 2, 1));
    put_raw(directory.path(), "meta", b"format", b"3");
    for open in [Store::open_or_create, Store::open_existing] {
        let error = open(directory.path()).unwrap_err();
        assert_eq!(error, StoreError::Newer { directory: directory.path().into(), found: 3, known: FORMAT });
        assert!(error.to_string().ends_with("has format 3 and this program knows formats up to 2; use a newer version of it"), "{error}");
    }
    put_raw(directory.path(), "meta", b"format", b"2");
    Store::open_existing(directory.path()).unwrap().verify("a").unwrap();
}

#[test]
fn an_older_format_is_taken_over_and_one_that_never_was_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 2, 1));
    put_raw(directory.path(), "meta", b"format", b"1");
    let store = Store::open_existing(directory.path()).unwrap();
    store.verify("a").unwrap();
    assert_eq!((store.votes("a").unwrap(), store.banned().unwrap()), (vec![], vec![]));
    drop(store);
    put_raw(directory.path(), "meta", b"format", b"0");
    let error = Store::open_existing(directory.path()).unwrap_err().to_string();
    assert!(error.contains("there never was a format 0"), "{error}");
}

#[test]
fn a_newer_format_with_more_column_families_is_refused_as_newer() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 2, 1));
    put_raw(directory.path(), "meta", b"format", b"9");
    let mut database =
        DB::open_cf(&Options::default(), directory.path(), DB::list_cf(&Options::default(), directory.path()).unwrap()).unwrap();
    database.create_cf("borders", &Options::default()).unwrap();
    drop(database);
    assert!(matches!(Store::open_or_create(directory.path()), Err(StoreError::Newer { found: 9, .. })));
}

#[test]
fn a_format_that_never_was_is_damage() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 2, 1));
    for value in ["0", "one", "{"] {
        put_raw(directory.path(), "meta", b"format", value.as_bytes());
        let error = Store::open_existing(directory.path()).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { what: "the version of the format", .. }), "{error}");
    }
}

#[test]
fn the_database_of_another_program_is_refused_and_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    {
        let database = DB::open_default(directory.path()).unwrap();
        database.put(b"theirs", b"1").unwrap();
    }
    let before = names(directory.path());
    let error = Store::open_or_create(directory.path()).unwrap_err();
    assert!(matches!(&error, StoreError::NotOurs { what, .. } if what == "a database of another program"), "{error}");
    assert_eq!(names(directory.path()), before);
    assert_eq!(DB::open_default(directory.path()).unwrap().get(b"theirs").unwrap().unwrap(), b"1");
}

#[test]
fn a_directory_with_other_files_is_refused_and_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("thesis.tex"), "").unwrap();
    let error = Store::open_or_create(directory.path()).unwrap_err();
    assert!(error.to_string().contains("files of something else, such as 'thesis.tex'"), "{error}");
    assert_eq!(names(directory.path()).len(), 1);
}

#[test]
fn a_fresh_volume_and_a_store_that_was_killed_while_being_made_are_filled() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("lost+found")).unwrap();
    std::fs::write(directory.path().join("MANIFEST-000001"), "torn").unwrap();
    drop(Store::open_or_create(directory.path()).unwrap());

    let empty = tempfile::tempdir().unwrap();
    drop(DB::open_default(empty.path()).unwrap());
    let before = names(empty.path());
    assert!(matches!(Store::open_existing(empty.path()), Err(StoreError::NoStore { .. })));
    assert_eq!(names(empty.path()), before);
    drop(Store::open_or_create(empty.path()).unwrap());
    Store::open_existing(empty.path()).unwrap();
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Store::open_or_create(&file.join("data")).unwrap_err();
    assert_eq!(error, StoreError::NotADirectory { path: file.clone() });
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("nowhere", &file).unwrap();
    let error = Store::open_or_create(&file).unwrap_err();
    assert!(matches!(error, StoreError::File { action: "create", .. }), "{error}");
}

#[test]
fn a_value_that_is_not_what_was_written_is_named_by_its_key() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 3, 2));
    put_raw(directory.path(), "shards", b"a\0\0\0\0\0\0\0\0\0\x01", b"not JSON");
    put_raw(directory.path(), "records", b"a\0z", b"\xff");
    let store = Store::open_existing(directory.path()).unwrap();
    for error in [store.shard("a", 1).unwrap_err(), store.verify("a").unwrap_err()] {
        assert!(matches!(error, StoreError::Damaged { what: "a shard", .. }), "{error}");
    }
    assert!(matches!(store.records("a").unwrap().last(), Some(Err(StoreError::Damaged { what: "a solved position", .. }))));
    drop(store);

    put_raw(directory.path(), "tallies", b"a\0", b"{\"tally\": -1}");
    put_raw(directory.path(), "shards", b"a\0\0short", b"{}");
    let store = Store::open_existing(directory.path()).unwrap();
    let error = store.tally("a").unwrap_err();
    assert!(error.to_string().contains(r#"is damaged: a tally under the key "a\x00" cannot be read"#), "{error}");
    assert!(matches!(store.commit(&[commit("a", 2, 0)]), Err(StoreError::Damaged { what: "a tally", .. })));
    assert!(matches!(store.done_shards("a"), Err(StoreError::Damaged { what: "a shard", .. })));
}

#[test]
fn a_tally_that_is_not_the_sum_is_found() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), "a", 3, 2));
    let store = Store::open_existing(directory.path()).unwrap();
    let third = serde_json::to_vec(&store.shard("a", 0).unwrap().unwrap()).unwrap();
    drop(store);
    put_raw(directory.path(), "shards", b"a\0\0\0\0\0\0\0\0\0\x02", &third);
    let store = Store::open_existing(directory.path()).unwrap();
    let (tally, shards) = (decided(0) + decided(1), 2 * decided(0) + decided(1));
    assert_eq!(store.verify("a"), Err(StoreError::Mismatch { sweep_id: "a".into(), tally, shards }));
    // A plan with fewer shards than are done is no plan of this sweep.
    store.put_sweep(&sweep("a", 1)).unwrap();
    assert!(matches!(store.verify("a"), Err(StoreError::Inconsistent { .. })));
}

#[test]
fn counterexamples_and_records_that_are_missing_are_found() {
    for (family, key) in [("counterexamples", "a\0\0\0\0\0\0\0\0\0\0\0\0\u{1}"), ("records", "a\0\0\0\0\0\0\0\0\u{1}")] {
        let directory = tempfile::tempdir().unwrap();
        drop(filled(directory.path(), "a", 3, 2));
        let families = DB::list_cf(&Options::default(), directory.path()).unwrap();
        let database = DB::open_cf(&Options::default(), directory.path(), families).unwrap();
        database.delete_cf(database.cf_handle(family).unwrap(), key).unwrap();
        drop(database);
        let store = Store::open_existing(directory.path()).unwrap();
        let error = store.verify("a").and(store.verify_records("a")).unwrap_err();
        let sentence = format!("the data of sweep 'a' contradicts itself: 2 {family} were committed and 1 are there");
        assert_eq!(error.to_string(), sentence);
    }
}
