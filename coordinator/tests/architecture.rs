//! ARCHITECTURE.md says what is not there: here it is looked for.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every Rust file below a folder of the repository.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// The code of a file, without its comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn assert_absent(paths: &[PathBuf], words: &[&str]) {
    for path in paths {
        let code = code(path);
        for word in words {
            assert!(!code.contains(word), "{} has {word}", path.display());
        }
    }
}

const IMPURE: [&str; 11] =
    ["tokio", "tonic", "rocksdb::", "std::fs", "std::net", "std::thread", "std::time", "Instant", "SystemTime", "println!", "rand::"];

#[test]
fn shared_and_the_pure_rooms_touch_no_clock_thread_socket_or_file() {
    assert_absent(&sources("shared/src"), &IMPURE);
    assert_absent(&sources("coordinator/src/schedule"), &IMPURE);
    assert_absent(&sources("coordinator/src/report"), &IMPURE);
    assert_absent(&[root().join("worker/src/session.rs"), root().join("coordinator/src/web/metrics.rs")], &IMPURE);
}

#[test]
fn predictions_see_no_solver() {
    for family in ["graph_nim", "partizan_subtraction", "hypergraph_takeaway", "directed_grabbing"] {
        let claims = sources(&format!("shared/src/families/{family}/claims"));
        assert!(!claims.is_empty());
        assert_absent(
            &claims,
            &[
                "solver",
                "sweeper",
                "reference::",
                "ReferenceSolver",
                "OutcomeSequence",
                "Walker",
                "long_run",
                "Lattice",
                "Orbits",
                "Valuer",
                "sliced",
                "value_of_paths",
            ],
        );
    }
}

#[test]
fn nobody_outside_names_a_family() {
    let mut outside = sources("coordinator/src");
    outside.extend(sources("worker/src"));
    outside.extend(sources("shared/src/sweep"));
    outside.retain(|path| !path.components().any(|part| part.as_os_str().to_string_lossy().contains("test")));
    for path in outside {
        // Tests at the foot of a file, and the examples in help texts, may name one.
        let code = code(&path);
        let code = code.split("#[cfg(test)]").next().unwrap_or("");
        for word in ["graph_nim", "partizan_subtraction", "hypergraph_takeaway", "directed_grabbing"] {
            let camel: String = word.split('_').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
            assert!(!code.contains(&camel), "{} has {camel}", path.display());
            assert!(!code.contains(word), "{} has {word}", path.display());
        }
    }
}

#[test]
fn arrows_run_one_way() {
    assert_absent(&sources("shared/src"), &["refute_proto", "refute_connect", "refute_worker", "refute_coordinator"]);
    assert_absent(&sources("proto/src"), &["refute_connect", "refute_shared", "refute_worker", "refute_coordinator"]);
    // A sentence on RUST_LOG may name a program.
    assert_absent(&sources("proto/connect/src"), &["refute_proto::", "refute_shared::", "refute_worker::", "refute_coordinator::"]);
    assert_absent(&sources("worker/src"), &["refute_coordinator"]);
    let outside: Vec<PathBuf> =
        sources("coordinator/src").into_iter().filter(|path| !path.components().any(|part| part.as_os_str() == "with_store")).collect();
    assert!(outside.len() < sources("coordinator/src").len());
    assert_absent(&outside, &["refute_worker::"]);
}

#[test]
fn rooms_are_small() {
    for folder in ["shared", "proto", "worker", "coordinator"] {
        for path in sources(folder) {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            let limit = if path.file_name().unwrap() == "main.rs" && path.ends_with("src/main.rs") { 50 } else { 500 };
            assert!(lines <= limit, "{} has {lines} lines", path.display());
        }
    }
}

#[test]
fn each_fault_is_shown_by_a_test_that_is_there() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let faults = map.split("## What can go wrong, and what then").nth(1).unwrap();
    let named: Vec<(&str, &str)> = faults.split('`').skip(1).step_by(2).filter_map(|word| word.split_once("::")).collect();
    assert!(named.len() > 15, "{named:?}");
    for (file, test) in named {
        let source = fs::read_to_string(root().join(format!("coordinator/tests/end_to_end/{file}.rs"))).unwrap();
        assert!(source.contains(&format!("#[test]\nfn {test}()")), "there is no test {file}::{test}");
    }
}

#[test]
fn the_map_names_every_room_and_nothing_else() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for folder in ["shared/src", "shared/src/families", "coordinator/src"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let name = format!("{}/", path.file_name().unwrap().to_string_lossy());
                assert!(map.contains(&name), "ARCHITECTURE.md does not name {name} of {folder}");
            }
        }
    }
    let paths = map.split('`').skip(1).step_by(2).filter(|word| word.contains('/') && !word.contains(['*', ' ', ':']));
    let exists = |word: &str| {
        ["", "shared/src", "coordinator/src", "coordinator/src/schedule", "worker/src"]
            .iter()
            .any(|folder| root().join(folder).join(word).exists())
    };
    for word in paths.filter(|word| word.ends_with(".rs") || word.ends_with('/')) {
        let known_inside_families = word == "claims/" || word == "claims/list.rs";
        assert!(known_inside_families || exists(word), "ARCHITECTURE.md names {word}, which is not there");
    }
}
