//! What a person does with a running coordinator.

use std::io::Write;
use std::net::{Shutdown, TcpStream};

use serde_json::{Value, json};

use crate::manifests::{HELD, LONG, REFUTED};
use crate::network::Coordinator;
use crate::process::{refute, until};
use crate::report::{check_complete, check_unfinished, claim, fingerprint};
use crate::room::Room;

#[test]
fn submitting_the_same_again_is_the_same_sweep_and_fresh_is_another() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let manifest = room.write("manifest.toml", HELD);
    let first = coordinator.refute(&["submit", &manifest, "--json"]).json(0);
    let id = first["id"].as_str().unwrap();
    assert_eq!(first, json!({ "id": id }));
    assert_eq!(id, room.refute(["check", &manifest, "--json"]).json(0)["id"]);
    assert_eq!(coordinator.refute(&["submit", &manifest]).expect(0), format!("{id}\n"));
    // How finely it is cut is no part of what it is.
    room.write("finer.toml", &format!("{HELD}[run]\nshard_seconds = 0.00001\n"));
    assert_eq!(coordinator.refute(&["submit", "finer.toml"]).expect(0), format!("{id}\n"));
    for number in [2, 3] {
        assert_eq!(coordinator.refute(&["submit", &manifest, "--fresh"]).expect(0), format!("{id}-{number}\n"));
    }
    let other = coordinator.refute(&["submit", &manifest, "--set", "space.weights=1..=5"]).expect(0).trim().to_owned();
    assert!(other.starts_with("held-") && !other.starts_with(id), "{other}");
    let listed = coordinator.refute(&["list", "--json"]).json(0);
    let ids: Vec<&Value> = listed.as_array().unwrap().iter().map(|sweep| &sweep["id"]).collect();
    assert_eq!(ids, [&json!(id), &json!(format!("{id}-2")), &json!(format!("{id}-3")), &json!(other)], "in the order of submission");

    let _worker = room.start_worker(&coordinator.address);
    let prints = [id, &format!("{id}-2"), &format!("{id}-3")].map(|id| fingerprint(&coordinator.complete(id)));
    assert_eq!((&prints[0], &prints[0]), (&prints[1], &prints[2]));
    // What is complete stays so.
    coordinator.refute(&["submit", &manifest]).expect(0);
    assert_eq!(coordinator.status(id).state, "complete");
}

#[test]
fn a_coordinator_is_found_by_the_environment_as_well() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    room.write("manifest.toml", HELD);
    let asked = |arguments: &[&str], address: &str| {
        let mut command = refute();
        command.args(arguments).env("REFUTE_COORDINATOR", address);
        room.start(command).wait()
    };
    let id = asked(&["submit", "manifest.toml"], &format!("http://{}", coordinator.address)).expect(0).trim().to_owned();
    let listed = asked(&["list"], &coordinator.address);
    assert_eq!(listed.expect(0), format!("{id}: queued, 0 of 1,296 configurations decided\n"));
    // What is typed goes before the environment.
    let listed = asked(&["list", "--coordinator", &coordinator.address], "127.0.0.1:9");
    assert!(listed.expect(0).starts_with(&id));
    let status = asked(&["status", &id, "--data", "elsewhere"], &coordinator.address);
    assert_eq!((status.code, status.stdout.as_str()), (Some(2), ""));
    assert!(status.stderr.contains("there is no data in 'elsewhere'"), "{}", status.stderr);
    assert_eq!(asked(&["list"], "127.0.0.1:9").code, Some(3));
}

#[test]
fn status_list_and_report_say_the_same_from_the_coordinator_and_from_the_directory() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let _worker = room.start_worker(&coordinator.address);
    let id = coordinator.submit(REFUTED);
    let report = coordinator.complete(&id);
    check_complete(&report, 7u128.pow(4));
    let questions: [&[&str]; 8] = [
        &["status", &id],
        &["status", &id, "--json"],
        &["list"],
        &["list", "--json"],
        &["report", &id],
        &["report", &id, "--format", "json"],
        &["report", &id, "--claim", "four-edges/lemma-4.9.iii-printed"],
        &["report", &id, "--claim", "four-edges/lemma-4.7", "--json"],
    ];
    let told = questions.map(|question| coordinator.refute(question));
    let status: Value = serde_json::from_str(&told[1].stdout).unwrap();
    assert_eq!(status["shards"], json!({ "total": 1, "done": 1, "leased": 0, "quarantined": 0 }));
    assert_eq!(status["configurations"], json!({ "total": "2401", "decided": "2401", "in_progress": "0" }));
    assert_eq!((&status["id"], &status["state"], &status["eta_seconds"]), (&json!(id), &json!("complete"), &Value::Null));
    let one: Value = serde_json::from_str(&told[7].stdout).unwrap();
    assert_eq!(one["claims"], json!([claim(&report, "four-edges/lemma-4.7")]));
    assert!(told[6].stdout.contains("REFUTED     four-edges/lemma-4.9.iii-printed") && !told[6].stdout.contains("HELD"));

    // The directory says the same while the coordinator has it, which nobody else gets.
    for (question, told) in questions.iter().zip(&told) {
        let read = room.refute(question.iter().chain(&["--data", "data"]));
        assert_eq!((read.code, &read.stdout), (told.code, &told.stdout), "{question:?}: {}", read.stderr);
    }
    let second = room.refute(["serve", "--data", "data", "--listen", "127.0.0.1:0"]);
    let by = format!("is in use by process {}, which listens on {}", coordinator.process.id(), coordinator.address);
    let sentence = format!(
        "refute: the data directory 'data' {by}; a data directory has one coordinator: ask that one, or give this one another --data\n"
    );
    assert_eq!((second.code, second.stdout.as_str(), second.stderr.as_str()), (Some(3), "", sentence.as_str()));

    coordinator.process.signal("TERM");
    assert_eq!(coordinator.process.wait().code, Some(0));
    for (question, told) in questions.iter().zip(told) {
        let read = room.refute(question.iter().chain(&["--data", "data"]));
        assert_eq!((read.code, &read.stdout), (told.code, &told.stdout), "{question:?}: {}", read.stderr);
    }
}

#[test]
fn an_unknown_claim_or_id_is_told_with_what_would_be_right() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(HELD);
    for (question, expected) in [
        (vec!["status", "held-000000000000"], "there is no sweep 'held-000000000000'; 'refute list' lists them"),
        (vec!["report", "held-000000000000"], "there is no sweep 'held-000000000000'; 'refute list' lists them"),
        (vec!["cancel", "held-000000000000"], "there is no sweep 'held-000000000000'; 'refute list' lists them"),
        (vec!["status", ""], "there is no sweep ''"),
        (vec!["report", ""], "there is no sweep ''"),
        (vec!["cancel", ""], "there is no sweep ''"),
        (vec!["report", &id, "--claim", "four-edges/lemma-4.8"], "--claim: sweep 'held-"),
        (vec!["report", &id, "--claim", "four-edges/lemma-4.8"], "four-edges/lemma-4.7"),
        (vec!["submit", "nothing"], "unknown sweep 'nothing'"),
    ] {
        let refused = coordinator.refute(&question);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{question:?}: {}", refused.stderr);
        assert!(refused.stderr.contains(expected) && refused.stderr.lines().count() == 1, "{question:?}: {}", refused.stderr);
    }
}

#[test]
fn a_cancelled_sweep_holds_nothing_and_goes_on_when_it_is_submitted_again() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 2_000);
    let worker = room.start_worker(&coordinator.address);
    let id = coordinator.submit(LONG);
    until("some shards to be done and one in flight", || {
        let status = coordinator.status(&id);
        assert_eq!(status.state.replace("queued", "running"), "running", "the sweep is too short for this test");
        (status.done >= 2 && status.leased == 1).then_some(())
    });
    assert_eq!(coordinator.refute(&["cancel", &id, "--json"]).json(0), json!({ "id": id, "state": "cancelled" }));
    // Its worker hears of it and is free for something else.
    let other = coordinator.submit(HELD);
    check_complete(&coordinator.complete(&other), 6u128.pow(4));
    let cancelled = coordinator.status(&id);
    assert_eq!((cancelled.state.as_str(), cancelled.leased, cancelled.in_progress), ("cancelled", 0, 0));
    assert!(cancelled.done >= 2 && cancelled.done < cancelled.total, "{cancelled:?}");
    check_unfinished(&coordinator.refute(&["report", &id, "--format", "json"]).json(3), "cancelled");
    let text = coordinator.refute(&["report", &id]);
    assert!(text.expect(3).starts_with(&format!("{id}: cancelled\n")) && !text.stdout.contains("HELD"), "{}", text.stdout);
    // Cancelling it again changes nothing; one that is complete cannot be called off.
    assert_eq!(coordinator.refute(&["cancel", &id]).expect(0), format!("{id}: cancelled\n"));
    let refused = coordinator.refute(&["cancel", &other]);
    assert_eq!((refused.code, refused.stderr.contains("complete")), (Some(2), true), "{}", refused.stderr);
    assert_eq!(coordinator.status(&other).state, "complete");

    worker.signal("STOP");
    let manifest = room.write("again.toml", LONG);
    assert_eq!(coordinator.refute(&["submit", &manifest]).expect(0), format!("{id}\n"));
    let again = coordinator.status(&id);
    assert!(["queued", "running"].contains(&again.state.as_str()) && again.done >= cancelled.done, "{again:?}");
    worker.signal("CONT");
    check_complete(&coordinator.complete(&id), 51u128.pow(4));
}

#[test]
fn a_sweep_of_too_many_boxes_is_refused() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let graphs = vec!["\"G4\""; 20_000].join(", ");
    let manifest = format!("name = \"many\"\nfamily = \"graph-nim\"\n[space]\ngraph = [{graphs}]\nweights = \"1..=2\"\n");
    let manifest = room.write("many.toml", &manifest);
    let refused = coordinator.refute(&["submit", &manifest]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("there are at least 20000 boxes, and a sweep has at most 1,000"), "{}", refused.stderr);
    let boxes = "[[space]]\ngraph = \"G4\"\nweights = \"1..=2\"\n".repeat(40_000);
    room.write("huge.toml", &format!("name = \"huge\"\nfamily = \"graph-nim\"\n{boxes}"));
    let refused = coordinator.refute(&["submit", "huge.toml"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("there are at least 40000 boxes"), "{}", refused.stderr);
    assert_eq!(coordinator.refute(&["list"]).expect(0), "no sweeps\n");
}

#[test]
fn strangers_on_the_port_do_no_harm() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let noise: Vec<u8> = (0..=255).cycle().take(1 << 16).collect();
    for words in [&b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"[..], b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &noise, b""] {
        let mut stranger = TcpStream::connect(&coordinator.address).unwrap();
        // The coordinator may hang up before it has heard everything.
        let _ = stranger.write_all(words);
        let _ = stranger.shutdown(Shutdown::Write);
        coordinator.refute(&["list"]).expect(0);
    }
    let id = coordinator.submit(HELD);
    let _worker = room.start_worker(&coordinator.address);
    check_complete(&coordinator.complete(&id), 6u128.pow(4));
}
