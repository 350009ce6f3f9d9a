//! The client alone, as `--no-default-features` builds it: what needs no store works, and what needs one says so.

#![cfg(not(feature = "store"))]
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn refute(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_refute"));
    for variable in ["REFUTE_COORDINATOR", "REFUTE_TLS_CERT", "REFUTE_TLS_KEY", "REFUTE_TLS_CA", "REFUTE_INSECURE", "RUST_LOG"] {
        command.env_remove(variable);
    }
    command.args(words).output().unwrap()
}

#[track_caller]
fn assert_refused(words: &[&str], code: i32, expected: &str) {
    let output = refute(words);
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!((output.status.code(), stdout.as_str()), (Some(code), ""), "{words:?}: {stderr}");
    assert!(stderr.starts_with("refute: ") && stderr.contains(expected) && stderr.lines().count() == 1, "{words:?}: {stderr}");
}

#[test]
fn commands_that_need_a_store_say_so_and_how_to_get_one() {
    let how = "'cargo build --release -p refute-coordinator'";
    for words in [
        &["run", "four-edges"][..],
        &["run", "h1", "--set", "space.weights=0..=64", "--data", "somewhere", "--json"],
        &["run"],
        &["serve", "--data", "/srv/refute", "--listen", "0.0.0.0:7433", "--insecure"],
        &["restore", "/srv/backups/monday", "--data", "/srv/refute"],
    ] {
        assert_refused(words, 2, &format!("'refute {}' needs a store", words[0]));
        assert_refused(words, 2, how);
    }
    for command in [&["list"][..], &["status", "h1-0"], &["report", "h1-0"], &["counterexamples", "h1-0"], &["backup", "/srv/backup"]] {
        let with_data = [command, &["--data", "somewhere"]].concat();
        assert_refused(&with_data, 2, "--data needs a store");
        assert_refused(&with_data, 2, how);
        assert_refused(command, 2, "no coordinator is named");
        assert_refused(command, 2, how);
    }
}

#[test]
fn a_coordinator_is_asked() {
    // Nobody listens on port 9, so that each call is seen to be made.
    let at = ["--coordinator", "http://127.0.0.1:9"];
    for command in [
        &["list"][..],
        &["workers"],
        &["submit", "h1"],
        &["status", "h1-0"],
        &["watch", "h1-0"],
        &["report", "h1-0"],
        &["counterexamples", "h1-0"],
        &["pause", "h1-0"],
        &["resume", "h1-0"],
        &["cancel", "h1-0"],
        &["backup", "/srv/backup"],
    ] {
        assert_refused(&[command, &at].concat(), 3, "cannot reach a coordinator at http://127.0.0.1:9");
    }
}

#[test]
fn what_is_built_in_needs_neither() {
    for (words, expected) in [
        (&["sweeps"][..], "four-edges: graph-nim"),
        (&["claims", "--family", "graph-nim"], "four-edges/thm-4.6"),
        (&["check", "h1"], "graph-nim"),
        (&["explain", "graph-nim", "--graph", "H1", "--weights", "5,1,6,11"], "outcome P by the reference"),
    ] {
        let output = refute(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert!(String::from_utf8(output.stdout).unwrap().contains(expected), "{words:?}");
    }
}
