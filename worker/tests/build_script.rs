//! What the build script finds out about the sources.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

#[allow(dead_code)]
#[path = "../build.rs"]
mod build_script;

/// A workspace of three crates, of which `program` is made of itself and `shared`; it is no repository yet.
fn workspace() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().to_owned();
    for file in ["program/src/main.rs", "program/tests/all.rs", "shared/src/lib.rs", "other/src/lib.rs", "README.md", "Cargo.lock"] {
        write(&root, file, "as it was");
    }
    write(&root, "Cargo.toml", "[workspace.dependencies]\nshared = { path = \"shared\" }\n");
    (directory, root)
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=ada", "-c", "user.email=ada@refute.example", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").args(identity).args(arguments).current_dir(root).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn make_repository(root: &Path) -> String {
    git(root, &["init", "--quiet"]);
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "--message=first"]);
    git(root, &["rev-parse", "HEAD"])
}

fn commit(root: &Path) -> Option<String> {
    build_script::commit(root, &build_script::sources(root, &root.join("program")).unwrap())
}

#[test]
fn a_commit_is_dirty_when_what_the_program_is_made_of_differs_from_it() {
    let (_directory, root) = workspace();
    let first = make_repository(&root);
    assert_eq!(commit(&root), Some(first.clone()));
    for file in ["README.md", "other/src/lib.rs", "program/tests/all.rs", "program/tests/more.rs"] {
        write(&root, file, "changed");
        assert_eq!(commit(&root), Some(first.clone()), "{file} is no part of the program");
    }
    for file in ["program/src/main.rs", "shared/src/lib.rs", "shared/src/more.rs", "Cargo.lock"] {
        write(&root, file, "changed");
        assert_eq!(commit(&root), Some(format!("{first}-dirty")), "{file} is a part of the program");
        git(&root, &["stash", "--quiet", "--include-untracked"]);
        assert_eq!(commit(&root), Some(first.clone()));
    }
}

#[test]
fn sources_in_no_repository_of_their_own_have_no_commit() {
    let (_directory, root) = workspace();
    assert_eq!(commit(&root), None, "there is no repository");
    let inner = root.join("unpacked");
    let (_other, other) = workspace();
    assert!(Command::new("cp").arg("-r").arg(&other).arg(&inner).status().unwrap().success());
    make_repository(&root);
    assert_eq!(commit(&inner), None, "the repository is that of something around it");
}

#[test]
fn every_way_of_moving_to_another_commit_changes_a_watched_file() {
    let (_directory, root) = workspace();
    make_repository(&root);
    let ways: [(&[&str], &[&str]); 5] = [
        (&[], &["commit", "--quiet", "--allow-empty", "--message=second"]),
        // The branch is in no file of its own then, until the commit makes one.
        (&["pack-refs", "--all"], &["commit", "--quiet", "--allow-empty", "--message=third"]),
        (&["pack-refs", "--all"], &["checkout", "--quiet", "--detach", "HEAD~1"]),
        (&[], &["checkout", "--quiet", "-b", "branch"]),
        (&["pack-refs", "--all"], &["reset", "--quiet", "--hard", "HEAD~1"]),
    ];
    for (first, then) in ways {
        if !first.is_empty() {
            git(&root, first);
        }
        let watched = build_script::moved_by_commits(&root);
        let texts = || watched.iter().map(|path| fs::read(path).ok()).collect::<Vec<_>>();
        let before = texts();
        assert!(before.iter().all(Option::is_some), "cargo takes a file that does not exist for changed: {watched:?}");
        git(&root, then);
        assert_ne!(before, texts(), "git {then:?} after {first:?} changes none of {watched:?}");
    }
}
