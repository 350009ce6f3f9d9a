//! `refute counterexamples`: smallest first, each with its witness.

use serde_json::{Value, json};

use crate::manifests::{HELD, REFUTED};
use crate::network::Coordinator;
use crate::report::{claim, decimal};
use crate::room::Room;

/// A sweep of partizan subtraction with some hundreds of counterexamples to one claim and none to the others.
const TRUNCATED: &str = "name = \"truncated\"\nfamily = \"partizan-subtraction\"\n\
                         claims = [\"truncated-support/thm-1.3.*\", \"truncated-support/lemma-5.*\"]\n\
                         [space]\na = \"1..=4\"\nb = \"1..=9\"\nheap = \"0..=30\"\n\
                         [run]\nshard_seconds = 0.00001\n";
const PRINTED: &str = "truncated-support/lemma-5.3.1-printed";

/// A sweep with counterexamples to several claims.
const SEVERAL: &str = "name = \"several\"\nfamily = \"graph-nim\"\n[[space]]\ngraph = [\"G4\", \"I1\", \"H3\", \"H1\", \"G1\", \"H2\"]\n\
                       weights = \"0..=4\"\n";

/// Runs a manifest and returns its report.
fn run(room: &Room, manifest: &str) -> Value {
    let manifest = room.write("manifest.toml", manifest);
    let ended = room.refute(["run", &manifest, "--data", "data", "--json"]);
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}

fn id(report: &Value) -> &str {
    report["sweep"]["id"].as_str().unwrap()
}

/// What `refute counterexamples --json` prints, from the data directory.
#[track_caller]
fn listed(room: &Room, id: &str, more: &[&str]) -> Vec<Value> {
    let list = room.refute(["counterexamples", id, "--data", "data", "--json"].iter().chain(more)).json(0);
    list.as_array().unwrap().clone()
}

/// The size of a configuration of truncated support: the sum of its numbers, then the numbers.
fn size(found: &Value) -> (u64, [u64; 4]) {
    let numbers = ["a", "b", "tau", "heap"].map(|key| found["parameters"][key].as_u64().unwrap());
    (numbers.iter().sum(), numbers)
}

#[test]
fn they_come_smallest_first_and_are_those_of_the_report() {
    let room = Room::new();
    let report = run(&room, TRUNCATED);
    let all = listed(&room, id(&report), &["--limit", "1000000"]);
    let refuted = claim(&report, PRINTED);
    assert_eq!(all.len() as u128, decimal(&refuted["refuted"]), "there are fewer than 1000, so all are kept");
    // Every ruleset with 1 <= a <= 4, a < b <= 9 and 1 <= tau < b at its heap 0, and none else.
    let rulesets = (1..=4).flat_map(|a| (a + 1..=9).flat_map(move |b| (1..b).map(move |tau| [a, b, tau, 0])));
    let mut expected: Vec<(u64, [u64; 4])> = rulesets.map(|numbers| (numbers.iter().sum(), numbers)).collect();
    expected.sort_unstable();
    assert_eq!(all.iter().map(size).collect::<Vec<_>>(), expected);
    for (found, reported) in all.iter().zip(refuted["counterexamples"].as_array().unwrap()) {
        for key in ["parameters", "predicted", "actual", "confirmed", "witness"] {
            assert_eq!(found[key], reported[key], "{key}");
        }
        assert_eq!((&found["claim"], &found["confirmed"]), (&json!(PRINTED), &json!(true)));
        assert_eq!((&found["predicted"], &found["actual"]), (&json!("L"), &json!("P")));
        assert_eq!(found["witness"], "Left, starting, has no move; Right, starting, has no move");
    }
}

#[test]
fn a_limit_keeps_the_smallest_and_says_how_many_more_there_are() {
    let room = Room::new();
    let report = run(&room, TRUNCATED);
    let id = id(&report);
    let all = listed(&room, id, &["--limit", "1000000"]);
    let count = all.len();
    assert!(count > 20, "there is something to leave out");
    for (limit, kept) in [("0", 0), ("1", 1), ("7", 7), ("999999", count)] {
        assert_eq!(listed(&room, id, &["--limit", limit]), all[..kept]);
        let text = room.refute(["counterexamples", id, "--data", "data", "--limit", limit]).expect(0).to_owned();
        assert!(text.starts_with(&format!("{PRINTED}: wrong on {count} configurations, the smallest {kept}:\n")), "{text}");
        assert_eq!(text.matches(": predicted L, actual P\n").count(), kept, "{text}");
        let more = format!("  and {} more kept (--limit)\n", count - kept);
        assert_eq!(text.ends_with(&more), kept < count, "{text}");
    }
    assert_eq!(listed(&room, id, &[]), all[..20]);
    for wrong in ["-1", "some", "1.5"] {
        let refused = room.refute(["counterexamples", id, "--data", "data", "--limit", wrong]);
        assert!(refused.code == Some(2) && refused.stdout.is_empty() && refused.stderr.contains(wrong), "{}", refused.stderr);
    }
}

#[test]
fn one_claim_alone_can_be_asked_for_and_an_unknown_one_is_told() {
    let room = Room::new();
    let report = run(&room, SEVERAL);
    let id = id(&report);
    let all = listed(&room, id, &["--limit", "3"]);
    let mut refuted = Vec::new();
    for claim in report["claims"].as_array().unwrap() {
        let name = claim["id"].as_str().unwrap();
        let of_claim: Vec<Value> = all.iter().filter(|found| found["claim"] == name).cloned().collect();
        assert_eq!(listed(&room, id, &["--limit", "3", "--claim", name]), of_claim);
        assert_eq!(of_claim.len() as u128, decimal(&claim["refuted"]).min(3), "the limit is one a claim");
        let text = room.refute(["counterexamples", id, "--data", "data", "--claim", name]).expect(0).to_owned();
        if of_claim.is_empty() {
            assert_eq!(text, "no counterexamples\n");
        } else {
            assert_eq!(text.matches("wrong on").count(), 1, "{text}");
            assert!(text.starts_with(&format!("{name}: wrong on ")), "{text}");
            refuted.push(text);
        }
    }
    assert!(refuted.len() >= 2, "there are several to tell apart");
    let together = room.refute(["counterexamples", id, "--data", "data"]);
    assert_eq!(together.expect(0), refuted.join("\n"));
    for (unknown, hint) in [("four-edges/lemma-4.8", "four-edges/lemma-4.7"), ("", "known")] {
        let told = room.refute(["counterexamples", id, "--data", "data", "--claim", unknown]);
        assert_eq!((told.code, told.stdout.as_str(), told.stderr.lines().count()), (Some(2), "", 1), "{}", told.stderr);
        assert!(told.stderr.starts_with(&format!("refute: --claim: sweep '{id}' has no claim '{unknown}'; ")), "{}", told.stderr);
        assert!(told.stderr.contains(hint), "{}", told.stderr);
    }
}

#[test]
fn the_coordinator_and_the_directory_say_the_same() {
    let room = Room::new();
    let reports = [TRUNCATED, REFUTED, HELD].map(|manifest| run(&room, manifest));
    let [truncated, refuted, held] = reports.each_ref().map(id);
    let questions: [&[&str]; 6] = [
        &["counterexamples", truncated],
        &["counterexamples", truncated, "--limit", "3", "--json"],
        &["counterexamples", truncated, "--claim", PRINTED, "--json"],
        &["counterexamples", refuted],
        &["counterexamples", held],
        &["counterexamples", held, "--json"],
    ];
    let from_directory = questions.map(|question| room.refute(question.iter().chain(&["--data", "data"])).expect(0).to_owned());
    assert_eq!((from_directory[4].as_str(), from_directory[5].as_str()), ("no counterexamples\n", "[]\n"));
    let coordinator = Coordinator::start(&room, 15_000);
    for (question, expected) in questions.iter().zip(&from_directory) {
        assert_eq!(coordinator.refute(question).expect(0), expected, "{question:?}");
        assert_eq!(room.refute(question.iter().chain(&["--data", "data"])).expect(0), expected, "{question:?}");
    }
    let unknown = coordinator.refute(&["counterexamples", truncated, "--claim", "truncated-support/thm-1.3"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (Some(2), ""), "{}", unknown.stderr);
    let nobody = coordinator.refute(&["counterexamples", "held-000000000000"]);
    assert_eq!(nobody.stderr, "refute: there is no sweep 'held-000000000000'; 'refute list' lists them\n");
    assert_eq!(nobody.code, Some(2));
}

#[test]
fn a_sweep_that_has_not_ended_is_never_said_to_be_without() {
    let room = Room::new();
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.submit(REFUTED);
    assert_eq!(coordinator.refute(&["counterexamples", &id]).expect(0), "no counterexamples so far; the sweep is queued\n");
    coordinator.refute(&["pause", &id]).expect(0);
    assert_eq!(coordinator.refute(&["counterexamples", &id]).expect(0), "no counterexamples so far; the sweep is paused\n");
}
