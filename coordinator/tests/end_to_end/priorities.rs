//! Several sweeps at once: those of higher priority get their shards first.

use serde_json::json;

use crate::crashes::undisturbed;
use crate::manifests::{HELD, LONG};
use crate::network::Coordinator;
use crate::report::{check_complete, findings};
use crate::room::Room;

/// No shard of a sweep was ever handed out.
#[track_caller]
fn is_untouched(coordinator: &Coordinator<'_>, id: &str) {
    let status = coordinator.status(id);
    assert_eq!((status.state.as_str(), status.done, status.leased), ("queued", 0, 0), "it is not its turn: {status:?}");
}

#[test]
fn a_sweep_of_higher_priority_gets_its_shards_first_whenever_it_was_submitted() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 600_000);
    let submit = |name: &str, manifest: &str, more: &[&str]| {
        let file = room.write(&format!("{name}.toml"), manifest);
        coordinator.refute(&[&["submit", &file], more].concat()).expect(0).trim().to_owned()
    };
    let last = submit("last", HELD, &["--priority", "-3"]);
    let middle = submit("middle", &LONG.replace("long", "middle"), &[]);
    let first = submit("first", &LONG.replace("long", "first"), &["--priority", "5"]);
    let listed = coordinator.refute(&["list", "--json"]).json(0);
    let priorities: Vec<_> = listed.as_array().unwrap().iter().map(|sweep| (&sweep["id"], &sweep["priority"])).collect();
    assert_eq!(priorities, [(&json!(last), &json!(-3)), (&json!(middle), &json!(0)), (&json!(first), &json!(5))]);
    let text = coordinator.refute(&["list"]).expect(0).to_owned();
    let told: Vec<bool> = text.lines().map(|line| line.contains(", priority ")).collect();
    assert_eq!(told, [true, false, true], "{text}");

    // The one worker is stopped while it is at a shard of the first, and again at one of the next.
    let worker = room.start_worker(&coordinator.address);
    coordinator.freeze_with_a_lease(&first, &worker, 1);
    is_untouched(&coordinator, &middle);
    is_untouched(&coordinator, &last);
    worker.signal("CONT");
    coordinator.freeze_with_a_lease(&middle, &worker, 1);
    // Of its last shard the result may be on its way.
    let before = coordinator.status(&first);
    assert_eq!((before.done + before.leased, before.leased <= 1), (before.total, true), "one after the other: {before:?}");
    is_untouched(&coordinator, &last);
    worker.signal("CONT");

    for id in [&first, &middle] {
        let report = coordinator.complete(id);
        check_complete(&report, 51u128.pow(4));
        assert_eq!(&findings(&report), undisturbed(), "they do not get in each other's way");
    }
    check_complete(&coordinator.complete(&last), 6u128.pow(4));
}

#[test]
fn a_priority_is_changed_by_submitting_again_and_outlives_the_coordinator() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 600_000);
    let [one, other] = [HELD, LONG].map(|manifest| coordinator.submit(manifest));
    // The file that was submitted last.
    assert_eq!(coordinator.refute(&["submit", "./submitted.toml", "--priority", "7"]).expect(0), format!("{other}\n"));
    // Without a word about it, it stays.
    coordinator.refute(&["submit", "./submitted.toml"]).expect(0);
    coordinator.process.kill();
    let coordinator = Coordinator::start(&room, 600_000);
    assert_eq!(coordinator.refute(&["status", &other, "--json"]).json(0)["priority"], 7);
    assert_eq!(coordinator.refute(&["status", &one, "--json"]).json(0)["priority"], 0);
    let worker = room.start_worker(&coordinator.address);
    coordinator.freeze_with_a_lease(&other, &worker, 1);
    is_untouched(&coordinator, &one);
    // Now the other way round: leases that are given stay given, and the next are of the sweep that goes first now.
    let file = room.write("one.toml", HELD);
    coordinator.refute(&["submit", &file, "--priority", "8"]).expect(0);
    worker.signal("CONT");
    check_complete(&coordinator.complete(&one), 6u128.pow(4));
    coordinator.freeze_with_a_lease(&other, &worker, 1);
    worker.signal("CONT");
    assert_eq!(&findings(&coordinator.complete(&other)), undisturbed());
    for wrong in ["high", "99999999999", "1.5"] {
        let refused = coordinator.refute(&["submit", &file, "--priority", wrong]);
        assert!(refused.code == Some(2) && refused.stderr.contains("--priority"), "{}", refused.stderr);
    }
}
