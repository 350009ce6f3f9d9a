//! Grundy values and misère play as a person meets them: the two built-in sweeps, one position, and what is asked for wrongly.

use serde_json::{Value, json};

use crate::report::{check_complete, claim};
use crate::room::Room;

/// The ids of the claims of a report with a verdict.
fn with_verdict<'a>(report: &'a Value, verdict: &str) -> Vec<&'a str> {
    let claims = report["claims"].as_array().unwrap().iter().filter(|claim| claim["verdict"] == verdict);
    claims.map(|claim| claim["id"].as_str().unwrap().split_once('/').unwrap().1).collect()
}

#[test]
fn the_grundy_value_of_a_path_grows_with_its_middle_edge() {
    let room = Room::new();
    let report = room.refute(["run", "grundy-path", "--json", "--set", "space.weights=0..=20"]).json(1);
    check_complete(&report, 21 * 21 * 21);
    assert_eq!(with_verdict(&report, "held"), ["additive", "onset", "no-p-position"]);
    let first = |id: &str| claim(&report, &format!("grundy-path/{id}"))["counterexamples"][0].clone();
    for (id, weights, predicted, actual) in [
        ("onset-exact", [5, 2, 12], "true", "false: grundy = 19"),
        ("additive-from-one-less", [1, 0, 1], "2", "0"),
        ("eventually-xor", [0, 1, 0], "0", "1"),
        ("bounded", [0, 1, 0], "true", "false: grundy = 1"),
    ] {
        let found = first(id);
        assert_eq!(found["parameters"], json!({ "edges": ["AB", "BC", "CD"], "weights": weights }), "{id}");
        assert_eq!((&found["predicted"], &found["actual"], &found["confirmed"]), (&json!(predicted), &json!(actual), &json!(true)), "{id}");
    }
    assert_eq!(
        first("eventually-xor")["witness"],
        "the options have the Grundy values 0, and it is the least number that is not among them"
    );
}

#[test]
fn what_fails_under_misere_play_fails_where_no_weight_is_two() {
    let room = Room::new();
    let report = room.refute(["run", "misere-four-edges", "--json", "--set", "space.weights=1..=5"]).json(1);
    let refuted = with_verdict(&report, "refuted");
    let expected = ["thm-2.3", "thm-4.1.5", "thm-4.4.g3", "thm-5.1", "thm-4.6", "step-d1"];
    assert_eq!(refuted, expected);
    let smallest = |id: &str| claim(&report, &format!("misere/{id}"))["counterexamples"][0]["parameters"].clone();
    assert_eq!(smallest("thm-4.6"), json!({ "graph": "G4", "weights": [1, 1, 1, 1], "play": "misere" }));
    let survivors = with_verdict(&report, "held");
    assert!(expected.iter().all(|id| survivors.contains(&format!("{id}-from-two").as_str())), "{survivors:?}");
}

#[test]
fn explain_and_check_know_both() {
    let room = Room::new();
    let path = ["explain", "graph-nim", "--edges", "AB,BC,CD", "--weights", "2,1,3"];
    let page = room.refute(path.into_iter().chain(["--quantities", "grundy"]));
    let page = page.expect(0);
    assert!(page.contains("value *6 by the reference") && page.contains("the options and their values"), "{page}");
    assert!(page.contains("values of options  0 to 5\n  their mex          6"), "{page}");
    let json = room.refute(path.into_iter().chain(["--quantities", "grundy", "--json"])).json(0);
    assert_eq!((&json["value"], &json["variables"]["grundy"], json["options"].as_array().unwrap().len()), (&json!("*6"), &json!(6), 11));
    let takeaway = ["explain", "hypergraph-takeaway", "--edges", "abc,ab", "--play", "misere"];
    let page = room.refute(takeaway);
    assert!(page.expect(0).contains("the options and their outcomes\n  remove vertex a       N"), "{}", page.expect(0));
    // A manifest says what is asked of a position.
    let manifest = "name = \"m\"\nfamily = \"graph-nim\"\n[space]\nedges = \"AB BC CD\"\nweights = \"0..=4\"\nquantities = [\"grundy\"]\n[[claim]]\nid = \"my/sum\"\npredict = \"total\"\n";
    let file = room.write("m.toml", manifest);
    let json = room.refute(["explain", &file, "--weights", "2,1,3", "--json"]).json(0);
    assert_eq!((&json["value"], &json["claims"][0]["verdict"]), (&json!("*6"), &json!("held")));
    let large = room.refute(["check", &file, "--set", "space.weights=0..=2000"]);
    let page = large.expect(0);
    assert!(page.contains("Grundy values") && page.contains("is too little for") && page.contains("need --memory"), "{page}");
}

#[test]
fn what_is_asked_for_wrongly_gets_one_sentence() {
    let room = Room::new();
    let path = ["explain", "graph-nim", "--edges", "AB", "--weights", "2"];
    for (more, expected) in [
        (["--play", "x"], "--play: \"x\" is not allowed; it is \"normal\""),
        (["--quantities", "value"], "--quantities: 'value' is not allowed; it is grundy"),
    ] {
        let ended = room.refute(path.into_iter().chain(more));
        assert_eq!(ended.expect(2), "");
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    }
    let file = room.write(
        "misere.toml",
        "name = \"m\"\nfamily = \"graph-nim\"\n[space]\nedges = \"AB BC CD\"\nweights = \"0..=4\"\nplay = \"misere\"\n[[claim]]\nid = \"my/sum\"\nsays = \"grundy == total\"\n",
    );
    let ended = room.refute(["run", &file]);
    assert_eq!(ended.expect(2), "");
    assert!(ended.stderr.contains("under misère play positions have outcomes only, and no Grundy values"), "{}", ended.stderr);
    assert!(!room.has_data());
}
