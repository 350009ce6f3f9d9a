//! `refute run`: what it prints, what it ends with, and that neither workers nor shards show in the result.

use serde_json::{Value, json};

use crate::manifests::{HELD, REFUTED, several_boxes};
use crate::report::{check_complete, claim, decimal, findings};
use crate::room::Room;

const LEMMA: &str = "four-edges/lemma-4.9.iii-printed";

/// The keys of an object, in the order in which they are printed.
#[track_caller]
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap_or_else(|| panic!("{value} is no object")).keys().map(String::as_str).collect()
}

#[test]
fn a_run_without_counterexample_ends_with_0_and_one_with_some_ends_with_1() {
    let room = Room::new();
    for (text, code, configurations) in [(HELD, 0, 6u128.pow(4)), (REFUTED, 1, 7u128.pow(4))] {
        let manifest = room.write("manifest.toml", text);
        let ended = room.refute(["run", &manifest, "--json"]);
        let report = ended.json(code);
        let (id, boxes) = (report["sweep"]["id"].as_str().unwrap(), report["sweep"]["boxes"][0].as_str().unwrap());
        let (count, refuted) = (if code == 0 { "1,296" } else { "2,401" }, if code == 0 { "0" } else { "3" });
        let all = format!("{count} of {count} configurations (100 %), {refuted} claims refuted");
        let expected = format!("{id}: box 1 of 1 begins: {boxes}\n{id}: box 1 of 1 is done; {all}\n{id}: complete: {all}\n");
        assert_eq!(ended.stderr, expected, "lines and no bar where there is no terminal");
        check_complete(&report, configurations);
        // Again, and as text: the same result, without being solved again.
        let again = room.refute(["run", &manifest, "--json"]).json(code);
        assert_eq!(again, report);
        let text = room.refute(["run", &manifest, "--quiet"]);
        assert_eq!(text.stderr, "");
        assert!(text.expect(code).contains(report["fingerprint"].as_str().unwrap()), "{}", text.stdout);
    }
    assert!(room.path("refute-data").is_dir(), "the data is kept where the help says");
}

#[test]
fn a_complete_sweep_with_a_claim_that_nobody_could_confirm_or_refute_ends_with_3() {
    const LARGE: &str = "name = \"large\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/lemma-4.9.iii-printed\"]\n\
        [[space]]\ngraph = \"H1\"\nweights = { AB = \"2016\", BC = \"0\", CD = \"2047\", EF = \"31\" }\n";
    let room = Room::new();
    let manifest = room.write("large.toml", LARGE);
    // The solver contradicts the claim, on a position that is too large for the reference.
    let report = room.refute(["run", &manifest, "--json"]).json(3);
    assert_eq!((&report["state"], &claim(&report, LEMMA)["verdict"]), (&json!("complete"), &json!("incomplete")));
    assert_eq!(room.refute(["report", report["sweep"]["id"].as_str().unwrap()]).code, Some(3));
    // One that is small is confirmed, and then the claim is refuted.
    let both = room.write("both.toml", &format!("{LARGE}[[space]]\ngraph = \"H1\"\nweights = \"0..=1\"\n"));
    let report = room.refute(["run", &both, "--json"]).json(1);
    assert_eq!(claim(&report, LEMMA)["verdict"], "refuted");
}

#[test]
fn the_json_report_has_the_documented_fields() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    let checked = room.refute(["check", &manifest, "--json"]).json(0);
    let report = room.refute(["run", &manifest, "--json"]).json(1);

    let fields = ["format_version", "sweep", "state", "configurations", "fingerprint", "seconds", "claims", "coverage", "groups"];
    assert_eq!(keys(&report), fields);
    assert_eq!(report["format_version"], 2);
    let sweep = &report["sweep"];
    assert_eq!(keys(sweep), ["id", "name", "family", "space", "boxes", "solver_version", "replicas", "hosts"]);
    assert_eq!(sweep["id"], checked["id"]);
    let hex = sweep["id"].as_str().unwrap().strip_prefix("refuted-").unwrap();
    assert!(hex.len() == 12 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hex}");
    assert_eq!((&sweep["name"], &sweep["family"]), (&json!("refuted"), &json!("graph-nim")));
    let weights = json!({ "AB": "0..=6", "BC": "0..=6", "CD": "0..=6", "EF": "0..=6" });
    assert_eq!(sweep["space"], json!([{ "graph": "H1", "weights": weights }]));
    assert!(sweep["solver_version"].as_u64().unwrap() >= 1);
    assert_eq!(keys(&report["configurations"]), ["total", "decided"]);
    let seconds = report["seconds"].as_f64().unwrap();
    assert!((0.0..90.0).contains(&seconds), "{seconds}");

    let ids: Vec<&Value> = report["claims"].as_array().unwrap().iter().map(|claim| &claim["id"]).collect();
    assert_eq!(ids, checked["claims"].as_array().unwrap().iter().collect::<Vec<_>>());
    for claim in report["claims"].as_array().unwrap() {
        let counts = ["held", "vacuous", "undefined", "refuted", "silent"];
        let fields = [&["id", "source", "kind", "hypothesis", "statement"][..], &counts, &["verdict", "counterexamples"]].concat();
        assert_eq!(keys(claim), fields);
        for key in ["source", "kind", "hypothesis", "statement"] {
            assert!(!claim[key].as_str().unwrap().is_empty(), "{claim}");
        }
    }
    check_coverage(&report);
}

/// The actual P- and N-positions of the only box, of which the claims predicted some.
#[track_caller]
fn check_coverage(report: &Value) {
    let [coverage] = report["coverage"].as_array().unwrap().as_slice() else { panic!("{}", report["coverage"]) };
    assert_eq!(keys(coverage), ["box", "P", "N"]);
    let [p, n] = ["P", "N"].map(|outcome| &coverage[outcome]);
    assert_eq!((keys(p), keys(n)), (vec!["predicted", "total"], vec!["predicted", "total"]));
    assert_eq!(decimal(&p["total"]) + decimal(&n["total"]), decimal(&report["configurations"]["total"]));
    assert!(decimal(&p["predicted"]) <= decimal(&p["total"]) && decimal(&n["predicted"]) <= decimal(&n["total"]));
}

#[test]
fn a_counterexample_has_its_parameters_both_values_and_a_witness() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", REFUTED);
    let report = room.refute(["run", &manifest, "--json"]).json(1);
    let refuted = claim(&report, LEMMA);
    let counterexamples = refuted["counterexamples"].as_array().unwrap();
    assert_eq!(counterexamples.len() as u128, decimal(&refuted["refuted"]), "there are fewer than 1000, so all are kept");
    let mut last = (0, Vec::new());
    for found in counterexamples {
        assert_eq!(keys(found)[..5], ["parameters", "predicted", "actual", "confirmed", "witness"], "{found}");
        assert_eq!(found["parameters"]["graph"], "H1");
        let weights: Vec<u64> = found["parameters"]["weights"].as_array().unwrap().iter().map(|w| w.as_u64().unwrap()).collect();
        let key = (weights.iter().sum(), weights);
        assert!(last < key, "smallest first: {last:?} before {key:?}");
        assert_eq!((&found["predicted"], &found["actual"], &found["confirmed"]), (&json!("N"), &json!("P"), &json!(true)));
        // What the report says about a position is what `explain` finds.
        if last.0 == 0 {
            assert!(!found["witness"].as_str().unwrap().is_empty());
            let weights = key.1.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
            let explained = room.refute(["explain", "graph-nim", "--graph", "H1", "--weights", &weights, "--json"]).json(0);
            assert_eq!((&explained["outcome"], &explained["winning_moves"]), (&json!("P"), &json!([])));
            assert_eq!(explained["parameters"], found["parameters"]);
            let view = claim(&explained, LEMMA);
            assert_eq!((&view["predicted"], &view["verdict"]), (&json!("N"), &json!("refuted")));
        }
        last = key;
    }
}

#[test]
fn the_result_is_the_same_for_1_2_and_7_workers_and_for_coarse_and_fine_shards() {
    let configurations = 10u128.pow(4) + 3 * 7u128.pow(4) + 9 * 9 + 4 * 5u128.pow(3) + 455;
    let room = Room::new();
    let mut cut = Vec::new();
    let mut results = Vec::new();
    for (workers, shard_seconds) in [("1", "0.1"), ("2", "0.1"), ("7", "0.1"), ("1", "0.001"), ("7", "0.00001"), ("2", "0.00001")] {
        let manifest = room.write("manifest.toml", &several_boxes("boxes", shard_seconds));
        cut.push(room.refute(["check", &manifest, "--json"]).json(0)["shards"].as_u64().unwrap());
        let data = format!("data-{}", cut.len());
        let report = room.refute(["run", &manifest, "--json", "--workers", workers, "--data", &data]).json(1);
        check_complete(&report, configurations);
        let listed = room.refute(["list", "--json", "--data", &data]).json(0);
        let shards = json!({ "total": cut.last(), "done": cut.last(), "leased": 0, "quarantined": 0 });
        assert_eq!(listed[0]["shards"], shards);
        results.push(findings(&report));
    }
    assert_eq!(cut[..3], [7; 3], "one shard a box is the least");
    assert!(cut[3] > 7 && cut[4] > 200 && cut[5] == cut[4], "{cut:?}");
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn how_many_counterexamples_are_kept_changes_neither_counts_nor_fingerprint() {
    let room = Room::new();
    let mut reports = Vec::new();
    for kept in [1, 3, 1000] {
        let manifest = room.write("manifest.toml", &format!("{REFUTED}[run]\ncounterexamples = {kept}\nshard_seconds = 0.00001\n"));
        let report = room.refute(["run", &manifest, "--json"]).json(1);
        check_complete(&report, 7u128.pow(4));
        let found = claim(&report, LEMMA)["counterexamples"].as_array().unwrap().clone();
        assert_eq!(found.len() as u128, decimal(&claim(&report, LEMMA)["refuted"]).min(kept));
        reports.push((report["fingerprint"].clone(), claim(&report, LEMMA)["refuted"].clone(), found));
    }
    let (_, _, all) = &reports[2];
    assert!(all.len() > 3, "there is something to leave out");
    for (fingerprint, refuted, found) in &reports {
        assert_eq!((fingerprint, refuted), (&reports[0].0, &reports[0].1));
        assert_eq!(found[..], all[..found.len()], "those that are kept are the smallest");
    }
}

#[test]
fn a_fresh_run_starts_anew_beside_the_old_one() {
    let room = Room::new();
    let manifest = room.write("manifest.toml", HELD);
    let first = room.refute(["run", &manifest, "--json"]).json(0);
    let second = room.refute(["run", &manifest, "--json", "--fresh"]).json(0);
    let id = first["sweep"]["id"].as_str().unwrap();
    assert_eq!(second["sweep"]["id"], format!("{id}-2"));
    assert_eq!(findings(&first), findings(&second));
    // Without --fresh it is the first one again.
    let third = room.refute(["run", &manifest, "--json"]).json(0);
    assert_eq!(third, first);
}
