//! The family of partizan subtraction from a manifest to its report, with one worker and with several.

use serde_json::{Value, json};

use crate::network::Coordinator;
use crate::process::refute_worker;
use crate::report::{check_complete, claim, decimal, findings};
use crate::room::Room;

const PRINTED: &str = "truncated-support/lemma-5.3.1-printed";

/// For each b from 1 to 16 there are min(8, b) numbers a and b levels from 0 on, and for each of these the heaps 0 to 400.
fn configurations() -> u128 {
    401 * (1..=16u128).map(|b| b.min(8) * b).sum::<u128>()
}

/// The claims about outcomes, as a manifest names them.
const OUTCOMES: &str = "claims = [\"truncated-support/thm-1.3.*\", \"truncated-support/prop-3.3\", \"truncated-support/lemma-5.*\", \
                        \"truncated-support/example-5.4\", \"truncated-support/figure-3-text\"]";

/// The same space and claims as the built-in sweep of outcomes, to be cut as finely as asked.
fn outcomes(shard_seconds: &str) -> String {
    format!(
        "name = \"outcomes\"\nfamily = \"partizan-subtraction\"\n{OUTCOMES}\n\
         [space]\na = \"1..=8\"\nb = \"1..=16\"\ntau = \"0..=15\"\nheap = \"0..=400\"\n\
         [run]\nshard_seconds = {shard_seconds}\n"
    )
}

/// Pairs of sets within and outside the paper's families, with the claims that are to be asked about them.
fn sets(claims: &str) -> String {
    format!(
        "name = \"sets\"\nfamily = \"partizan-subtraction\"\n{claims}\n\
         [[space]]\nleft = [1, 4, 6]\nright = \"2..=9\"\nheap = \"0..=100\"\n\
         [[space]]\nleft = 1\nright = 1\nheap = \"0..=100\"\n\
         [[space]]\nleft = \"1..=3\"\nright = \"5..=7\"\nheap = \"0..=100\"\n\
         [run]\nshard_seconds = 0.000001\n"
    )
}

/// The groups of a report: box, label and count.
fn groups(report: &Value) -> Vec<(&str, &str, u128)> {
    let groups = report["groups"].as_array().unwrap_or_else(|| panic!("{report}"));
    groups.iter().map(|group| (group["box"].as_str().unwrap(), group["label"].as_str().unwrap(), decimal(&group["count"]))).collect()
}

#[test]
fn the_built_in_sweep_of_outcomes_refutes_one_printed_lemma_and_nothing_else() {
    let room = Room::new();
    let report = room.refute(["run", "truncated-support-outcomes", "--json"]).json(1);
    assert_eq!(configurations(), 402_604);
    check_complete(&report, configurations());
    assert_eq!(report["sweep"]["family"], "partizan-subtraction");
    let first = &claim(&report, PRINTED)["counterexamples"][0];
    assert_eq!(first["parameters"], json!({ "a": 1, "b": 2, "tau": 1, "heap": 0 }));
    assert_eq!((&first["predicted"], &first["actual"], &first["confirmed"]), (&json!("L"), &json!("P"), &json!(true)));
    for claim in report["claims"].as_array().unwrap() {
        assert_eq!(claim["verdict"], if claim["id"] == PRINTED { "refuted" } else { "held" }, "{}", claim["id"]);
    }
    // It is heap 0 of each ruleset of truncated support that the printed lemma gets wrong, once each.
    let rulesets = (2..=16u128).map(|b| (b - 1).min(8) * (b - 1)).sum::<u128>();
    assert_eq!(decimal(&claim(&report, PRINTED)["refuted"]), rulesets);
    // Every ruleset is in one class.
    let counted: u128 = groups(&report).iter().map(|(_, _, count)| count).sum();
    assert_eq!(counted * 401, configurations());
}

#[test]
fn neither_the_number_of_workers_nor_the_size_of_shards_shows_in_the_result() {
    let room = Room::new();
    let mut cut = Vec::new();
    let mut results = Vec::new();
    for (workers, shard_seconds) in [("1", "10"), ("2", "0.002"), ("7", "0.002"), ("7", "0.0002"), ("1", "0.0002")] {
        let manifest = room.write("manifest.toml", &outcomes(shard_seconds));
        cut.push(room.refute(["check", &manifest, "--json"]).json(0)["shards"].as_u64().unwrap());
        let data = format!("data-{}", cut.len());
        let report = room.refute(["run", &manifest, "--json", "--workers", workers, "--data", &data]).json(1);
        check_complete(&report, configurations());
        results.push(findings(&report));
    }
    assert!(cut[0] == 1 && cut[1] > 5 && cut[3] > 5 * cut[1], "{cut:?}");
    // Workers elsewhere, with several slots each, and the sweep by its name.
    let coordinator = Coordinator::start(&room, 15_000);
    let _workers = ["1", "3"].map(|slots| {
        let mut command = refute_worker();
        command.args(["--coordinator", &coordinator.address, "--slots", slots]);
        room.start(command)
    });
    let id = coordinator.refute(&["submit", "truncated-support-outcomes"]).expect(0).trim().to_owned();
    results.push(findings(&coordinator.complete(&id)));
    room.write("fine.toml", &outcomes("0.0005"));
    let id = coordinator.refute(&["submit", "fine.toml"]).expect(0).trim().to_owned();
    results.push(findings(&coordinator.complete(&id)));
    for result in &results {
        assert_eq!(result, &results[0]);
    }
}

#[test]
fn any_pair_of_sets_is_told_its_class_period_and_preperiod() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", &sets("claims = [\"truncated-support/thm-1.3.2\", \"truncated-support/lemma-5.7\"]"));
    let report = room.refute(["run", &manifest, "--json"]).json(0);
    check_complete(&report, 303);
    let boxes = ["left 1,4,6, right 2..=9, heap 0..=100", "left 1, right 1, heap 0..=100", "left 1..=3, right 5..=7, heap 0..=100"];
    assert_eq!(report["sweep"]["boxes"], json!(boxes));
    let expected = [
        (boxes[0], "strong dominance of Right, period 1 from heap 8 on", 1),
        // The last player to move wins: P and N by turns.
        (boxes[1], "ultimately impartial, period 2 from heap 0 on", 1),
        (boxes[2], "weak dominance of Left, period 8 from heap 0 on", 1),
    ];
    assert_eq!(groups(&report), expected, "once each, however finely the boxes are cut");
    let text = room.refute(["run", &manifest]).expect(0).to_owned();
    for (of, label, count) in expected {
        assert!(text.contains(&format!("Counts in {of}\n  {label}: {count}\n")), "{text}");
    }
    // The claims know the third box for one of truncated support.
    assert_eq!(decimal(&claim(&report, "truncated-support/thm-1.3.2")["held"]), 101);
    assert_eq!(claim(&report, "truncated-support/lemma-5.7")["verdict"], "silent");
    // The preperiod by the reference: the heap before the period is another's, and from there on each is Right's.
    let before = ["7", "8", "9"].map(|heap| {
        let words = ["explain", "partizan-subtraction", "--left", "1,4,6", "--right", "2..=9", "--heap", heap, "--json"];
        room.refute(words).json(0)["outcome"].as_str().unwrap().to_owned()
    });
    assert!(before[0] != "R" && before[1..] == ["R", "R"], "{before:?}");
}

#[test]
fn a_box_of_sets_may_stand_beside_one_of_truncated_support_without_naming_claims() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", &sets(""));
    let report = room.refute(["run", &manifest, "--json"]).json(1);
    check_complete(&report, 303);
    assert_eq!(claim(&report, PRINTED)["counterexamples"][0]["parameters"], json!({ "left": [1, 2, 3], "right": [5, 6, 7], "heap": 0 }));
    // Besides how the failures of some claims are counted there is one group a box.
    assert_eq!(groups(&report).iter().filter(|(_, label, _)| !label.starts_with("truncated-support/")).count(), 3);
}

#[test]
fn a_pair_of_sets_outside_the_paper_needs_no_claims() {
    let room = Room::new();
    let manifest = "name = \"sets\"\nfamily = \"partizan-subtraction\"\n[space]\nleft = [1, 4, 6]\nright = \"2..=9\"\nheap = \"0..=100\"\n";
    room.write("manifest.toml", manifest);
    let report = room.refute(["run", "manifest.toml", "--json"]).json(0);
    assert_eq!(groups(&report), [("left 1,4,6, right 2..=9, heap 0..=100", "strong dominance of Right, period 1 from heap 8 on", 1)]);
}
