//! Results that are far larger than a message.

use refute_coordinator::store::Store;

use crate::network::Coordinator;
use crate::report::{check_complete, claim, decimal};
use crate::room::Room;

/// A claim that is refuted once for each of 102,510 rulesets, of which a hundred thousand are kept.
const REFUTED: &str = "name = \"refuted\"\nfamily = \"partizan-subtraction\"\nclaims = [\"truncated-support/lemma-5.3.1-printed\"]\n\
    [space]\na = \"1..=68\"\nb = \"1..=68\"\nheap = \"0..=1\"\n[run]\nshard_seconds = 1e6\ncounterexamples = 100000\n";

/// One shard with as many records as one may have.
const RECORDED: &str = "name = \"recorded\"\nfamily = \"partizan-subtraction\"\nclaims = [\"truncated-support/thm-1.3.*\"]\n\
    [space]\nleft = \"1..=3\"\nright = \"5..=7\"\nheap = \"0..=262143\"\n[run]\nshard_seconds = 1e6\nrecord = \"all\"\n";

#[test]
fn a_hundred_thousand_counterexamples_are_all_solved_again_and_kept() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let worker = room.start_worker(&coordinator.address);
    let id = coordinator.submit(REFUTED);
    let report = coordinator.complete(&id);
    check_complete(&report, 209_576);
    let refuted = claim(&report, "truncated-support/lemma-5.3.1-printed");
    assert_eq!(decimal(&refuted["refuted"]), 102_510);
    let kept = refuted["counterexamples"].as_array().unwrap();
    assert_eq!(kept.len(), 100_000);
    assert!(kept.iter().all(|found| found["confirmed"] == true), "the reference has solved each again");
    assert!(!worker.stderr().contains("refused"), "{}", worker.stderr());
}

#[test]
fn a_shard_whose_result_takes_several_messages_is_handed_back_whole() {
    let room = Room::new();
    let mut coordinator = Coordinator::start(&room, 15_000);
    let worker = room.start_worker(&coordinator.address);
    let id = coordinator.submit(RECORDED);
    assert_eq!(coordinator.status(&id).total, 1);
    check_complete(&coordinator.complete(&id), 1 << 18);
    assert!(!worker.stderr().contains("refused"), "{}", worker.stderr());
    coordinator.process.kill();
    let store = Store::open_existing(&room.path("data")).unwrap();
    store.verify_records(&id).unwrap();
    let mut bytes = 0;
    let mut records = 0;
    for record in store.records(&id).unwrap() {
        let record = record.unwrap();
        bytes += record.key.len() + record.value.len();
        records += 1;
    }
    assert_eq!(records, 1 << 18);
    assert!(bytes > 2 * refute_proto::MAX_MESSAGE_BYTES, "{bytes} bytes fit into two messages");
}
