//! The program `refute-worker` as a person or a system runs it.

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::coordinator::Coordinator;

fn program() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("refute-worker"));
    command.env_remove("REFUTE_COORDINATOR").env_remove("RUST_LOG").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Sends a signal and waits for the end, which takes less than two seconds.
fn end(child: Child, signal: &str) -> Output {
    let told = Instant::now();
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert!(told.elapsed() < Duration::from_secs(2), "{:?}", told.elapsed());
    output
}

#[test]
fn help_has_an_example() {
    let output = program().arg("--help").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().contains("refute-worker --coordinator https://"));
}

#[test]
fn wrong_arguments_are_told_with_what_would_be_right() {
    let address = ["--coordinator", "localhost:7433"];
    for (arguments, expected) in [
        (vec![], "--coordinator"),
        (vec!["--coordinator", "ftp://host:1"], "http://127.0.0.1:7433"),
        (vec!["--coordinator", "https://host:1"], "needs --tls-cert, --tls-key and --tls-ca"),
        (vec!["--coordinator", "host:1"], "or --insecure"),
        (vec!["--slots", "0"], "--slots: '0' is no number of slots; write one from 1 to 4096"),
        (vec!["--slots", "-1"], "--slots: '-1' is no number of slots; write one from 1 to 4096"),
        (vec!["--slots", "abc"], "--slots: 'abc' is no number of slots; write one from 1 to 4096"),
        (vec!["--slots="], "--slots: '' is no number of slots; write one from 1 to 4096"),
        (vec!["--slots", "99999999999999999999"], "write one from 1 to 4096"),
        (vec!["--slots"], "--slots <N> has no value; 'refute-worker --help' tells more"),
        (vec!["--slots", "1", "--slots", "2"], "--slots stands twice; keep one of them"),
        (vec!["--memory", "lots"], "2GiB, 512MB"),
        (vec!["--memory", "5"], "--memory: '5' means 5 bytes, too little for any table; write the unit as well, for instance 2GiB"),
        (vec!["--memory", "0"], "--memory: '0' is no memory at all; write for instance 2GiB"),
        (vec!["--memory", "-1"], "--memory: '-1' is no size; write for instance 2GiB"),
        (vec!["--memory", "-5GiB"], "--memory: '-5GiB' is no size; write for instance 2GiB"),
        (vec!["--memory", "99999999TiB"], "--memory: '99999999TiB' is more than 2^64 bytes"),
        (vec!["--log-format", "xml"], "--log-format: 'xml' is none of its values; write one of text, json"),
        (vec!["--coordinator", "host:1", "--coordinator", "host:2"], "--coordinator stands twice; keep one of them"),
        (vec!["--coordinator", ""], "--coordinator: '' is no URL; write for instance http://127.0.0.1:7433"),
        (vec!["--slosts", "1"], "unexpected argument '--slosts'; did you mean '--slots'?"),
        (vec!["extra"], "unexpected argument 'extra'; 'refute-worker --help' tells more"),
        (vec!["--verbose"], "--verbose belongs to --version"),
    ] {
        let needs_address = !arguments.is_empty() && arguments[0] != "--coordinator";
        let output = program().args(address.iter().filter(|_| needs_address)).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        let is_one_line = stderr(&output).starts_with("refute-worker: ") && stderr(&output).lines().count() == 1;
        assert!(is_one_line && output.stdout.is_empty(), "{}", stderr(&output));
    }
    let output = program().args(address).env("RUST_LOG", "refute=loud").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("RUST_LOG=info"), "{}", stderr(&output));
}

#[tokio::test]
async fn a_signal_drains_and_ends_with_0() {
    let coordinator = Coordinator::default();
    let (address, _server) = coordinator.serve("127.0.0.1:0".parse().unwrap());
    for (workers, signal) in [(1, "-TERM"), (2, "-INT"), (3, "-HUP")] {
        let child = program().args(["--slots", "1"]).env("REFUTE_COORDINATOR", address.to_string()).spawn().unwrap();
        coordinator.until("registered", |state| state.registrations.len() == workers).await;
        let output = tokio::task::spawn_blocking(move || end(child, signal)).await.unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_coordinator_that_is_not_there_is_told_of_once() {
    let arguments = ["--coordinator", "127.0.0.1:9", "--log-format", "json"];
    let child = program().args(arguments).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    let output = end(child, "-TERM");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let log = stderr(&output);
    assert_eq!(log.matches("cannot reach the coordinator at http://127.0.0.1:9").count(), 1, "{log}");
    assert!(log.lines().all(|line| line.starts_with('{') && line.ends_with('}')), "{log}");
}

#[test]
fn a_log_that_nobody_reads_stops_nothing() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = program().args(["--coordinator", "127.0.0.1:9"]).env("RUST_LOG", "trace").stderr(writer).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(end(child, "-TERM").status.code(), Some(0), "101 is a panic");
}

#[tokio::test]
async fn a_refused_worker_ends_with_3_and_the_reason() {
    let coordinator = Coordinator::default();
    coordinator.state().refuse = Some("update the worker".to_owned());
    let (address, _server) = coordinator.serve("127.0.0.1:0".parse().unwrap());
    let run = move || program().args(["--coordinator", &address.to_string()]).output().unwrap();
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("refuses this worker: update the worker"), "{}", stderr(&output));
}
