//! What somebody else has put where the store writes or a restore reads: links, pipes and directories. Nothing behind them is touched.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use refute_coordinator::store::{LOCK_FILE, Store, restore};

use crate::samples::filled;

const ID: &str = "h1-0123456789ab";
const LINK: &str = "it is a symbolic link, and no link is followed here";

/// A file that nobody may read or write by way of a link.
fn secret(directory: &Path) -> std::path::PathBuf {
    let secret = directory.join("secret");
    fs::write(&secret, "root:secret").unwrap();
    secret
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_link_in_the_place_of_the_lock_is_not_followed() {
    let directory = tempfile::tempdir().unwrap();
    let (secret, data) = (secret(directory.path()), directory.path().join("data"));
    fs::create_dir(&data).unwrap();
    for target in [secret.clone(), directory.path().join("nothing")] {
        symlink(&target, data.join(LOCK_FILE)).unwrap();
        let error = Store::open_or_create(&data).unwrap_err().to_string();
        assert!(error.contains(LOCK_FILE) && error.contains(LINK), "{error}");
        fs::remove_file(data.join(LOCK_FILE)).unwrap();
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "root:secret");
    assert!(!directory.path().join("nothing").exists());
    Store::open_or_create(&data).unwrap();
}

#[test]
fn a_link_in_the_place_of_the_file_that_tries_for_room_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    let (secret, data) = (secret(directory.path()), directory.path().join("data"));
    let mut store = filled(&data, ID, 10, 3);
    symlink(&secret, data.join(".room")).unwrap();
    store.reopen().unwrap();
    assert_eq!(fs::read_to_string(&secret).unwrap(), "root:secret");
    assert!(data.join(".room").symlink_metadata().is_err());
}

#[test]
fn what_is_planted_where_a_backup_is_made_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let (secret, partial, backup) = (secret(directory.path()), directory.path().join("backup.partial"), directory.path().join("backup"));
    let store = filled(&directory.path().join("data"), ID, 10, 3);
    let refused = || store.backup_source().unwrap().back_up(&backup).unwrap_err().to_string();
    fs::create_dir(&partial).unwrap();
    symlink(&secret, partial.join(LOCK_FILE)).unwrap();
    let error = refused();
    assert!(error.contains(LINK), "{error}");
    fs::remove_dir_all(&partial).unwrap();
    let elsewhere = directory.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, &partial).unwrap();
    let error = refused();
    assert!(error.contains("something that is no directory stands where the backup is made"), "{error}");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    assert_eq!((fs::read_to_string(&secret).unwrap().as_str(), backup.exists()), ("root:secret", false));
    fs::remove_file(&partial).unwrap();
    // One that others could look into is closed before anything is put there.
    fs::create_dir(&partial).unwrap();
    fs::set_permissions(&partial, fs::Permissions::from_mode(0o777)).unwrap();
    store.backup_source().unwrap().back_up(&backup).unwrap();
    assert_eq!((mode(&backup), mode(&backup.join("BACKUP.refute"))), (0o700, 0o600));
}

#[test]
fn a_restore_copies_regular_files_alone_and_waits_for_no_pipe() {
    let directory = tempfile::tempdir().unwrap();
    let (secret, backup, data) = (secret(directory.path()), directory.path().join("backup"), directory.path().join("new"));
    let store = filled(&directory.path().join("data"), ID, 10, 3);
    store.backup_source().unwrap().back_up(&backup).unwrap();
    let name = fs::read_dir(&backup).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: Vec<String> = name.filter(|name| name.starts_with("MANIFEST") || name == "BACKUP.refute").collect();
    assert_eq!(names.len(), 2, "{names:?}");
    for name in names {
        let (file, kept) = (backup.join(&name), directory.path().join("kept"));
        fs::rename(&file, &kept).unwrap();
        for (plant, problem) in [("link", LINK), ("pipe", "it is no regular file"), ("directory", "it is no regular file")] {
            match plant {
                // As long as the file itself, so that its length gives nothing away.
                "link" if name != "BACKUP.refute" => {
                    fs::write(&secret, vec![b'x'; fs::metadata(&kept).unwrap().len() as usize]).unwrap();
                    symlink(&secret, &file).unwrap();
                }
                "link" => symlink(&kept, &file).unwrap(),
                "pipe" => assert!(Command::new("mkfifo").arg(&file).status().unwrap().success()),
                _ => fs::create_dir(&file).unwrap(),
            }
            let error = restore(&backup, &data).unwrap_err().to_string();
            assert!(error.contains(&name) && error.contains(problem), "{plant}: {error}");
            assert!(!data.exists());
            if plant == "directory" { fs::remove_dir(&file).unwrap() } else { fs::remove_file(&file).unwrap() }
        }
        fs::rename(&kept, &file).unwrap();
    }
    restore(&backup, &data).unwrap();
    assert_eq!(mode(&data), 0o700);
}
