//! What hostile callers send reaches nobody's terminal or log as it is.

use refute_proto::v1::sweeps_client::SweepsClient;
use refute_proto::v1::{StatusRequest, SubmitRequest, complete_request::Part};
use tonic::Status;

use crate::manifests::HELD;
use crate::network::Coordinator;
use crate::process::{Process, refute, until};
use crate::puppet::Puppet;
use crate::room::Room;

/// Text that a terminal would take for commands, and a log for another line.
pub const COMMANDS: &str = "x\n2026-12-01T00:00:00Z ERROR all is lost\u{1b}[2J\u{9b}31m\u{202e}\r";

fn start(room: &Room, format: &str) -> Process {
    let mut command = refute();
    command.args(["serve", "--data", "data", "--listen", "127.0.0.1:0", "--log-format", format]).env("RUST_LOG", "debug");
    room.start(command)
}

/// No line of a log is long, and none has what a terminal would take for a command.
#[track_caller]
pub fn check_log(log: &str) {
    for line in log.lines() {
        assert!(line.len() < 10_000, "{} bytes: {}…", line.len(), &line[..200]);
        assert!(!line.contains(refute_shared::text::is_unprintable), "{line:?}");
        assert!(!line.starts_with("2026-12-01T00:00:00Z ERROR"), "{line}");
    }
}

#[test]
fn what_a_caller_quotes_comes_back_short_and_printable() {
    let room = Room::new();
    let coordinator = Coordinator::of(&room, start(&room, "text"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = format!("http://{}", coordinator.address);
    let answer = |manifest: String, id: String| -> [Status; 2] {
        runtime.block_on(async {
            let mut client = SweepsClient::connect(url.clone()).await.unwrap();
            let submitted = client.submit(SubmitRequest { manifest, fresh: false, priority: None }).await;
            [submitted.unwrap_err(), client.status(StatusRequest { id }).await.unwrap_err()]
        })
    };
    for text in ["k".repeat(1_000_000), COMMANDS.repeat(1_000)] {
        let key = text.replace('\n', "\\n").replace('\u{1b}', "\\u001b").replace('\u{9b}', "\\u009b").replace('\r', "\\r");
        for status in answer(format!("\"{key}\" = 1\n{HELD}"), text) {
            let message = status.message();
            assert!(message.chars().count() < 400 && !message.contains(refute_shared::text::is_unprintable), "{status:?}");
            assert!(message.contains("unknown key") || message.starts_with("there is no sweep '"), "{message}");
        }
    }
    check_log(&coordinator.process.stderr());
}

#[test]
fn what_a_worker_sends_makes_no_line_of_a_log_long_or_of_two() {
    for format in ["text", "json"] {
        let room = Room::new();
        let coordinator = Coordinator::of(&room, start(&room, format));
        coordinator.submit(HELD);
        let mut worker = Puppet::new(&coordinator.address, "mallory");
        let assignment = worker.lease().unwrap().unwrap();
        for id in ["i".repeat(1_000_000), COMMANDS.repeat(15_000)] {
            let mut parts = worker.parts(&assignment, Puppet::solve(&assignment));
            for part in &mut parts {
                if let Some(Part::Header(header)) = &mut part.part {
                    header.sweep_id.clone_from(&id);
                }
            }
            assert!(worker.complete(parts).unwrap()[0].is_err());
        }
        worker.give_up(&assignment, &COMMANDS.repeat(15_000));
        let log = until("the refusals in the log", || {
            let log = coordinator.process.stderr();
            (log.matches("result refused").count() == 2 && log.contains("shard given back")).then_some(log)
        });
        check_log(&log);
        let page = coordinator.refute(&["workers"]).expect(0).to_owned() + coordinator.refute(&["list"]).expect(0);
        assert!(!page.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{page}");
    }
}
