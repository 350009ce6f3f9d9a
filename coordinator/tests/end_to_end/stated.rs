//! Claims that a manifest states: from its file to a report, on one machine and over a coordinator, and every mistake in one.

use serde_json::{Value, json};

use crate::network::Coordinator;
use crate::process::Ended;
use crate::report::{claim, decimal, fingerprint};
use crate::room::Room;

/// Claims that hold, are refuted, have nothing to compare, and are not defined somewhere, on 9^4 positions of H1.
const STATED: &str = r#"name = "stated"
family = "graph-nim"
[space]
graph = "H1"
weights = "0..=8"
[let]
M = "pow2(floor_log2(EF) + 1)"
[[claim]]
id = "mine/galaxy"
source = "my notebook, page 12"
where = "BC == 0"
predict = "AB xor CD xor EF == 0 ? P : N"
[[claim]]
id = "mine/wrong"
where = "BC == 1"
predict = "AB xor CD xor EF == 0 ? P : N"
[[claim]]
id = "mine/vacuous"
says = "outcome == P && BC > 8 => false"
[[claim]]
id = "mine/undefined"
says = "AB < M => AB xor M == AB + M"
"#;

/// What a command that was refused says.
#[track_caller]
fn mistake(ended: &Ended) -> String {
    assert_eq!(ended.expect(2), "");
    ended.stderr.clone()
}

/// What the claims of a report came to: verdict, held, vacuous, undefined, refuted, silent.
fn counts(report: &Value, id: &str) -> (String, [u128; 5]) {
    let claim = claim(report, id);
    let numbers = ["held", "vacuous", "undefined", "refuted", "silent"].map(|key| decimal(&claim[key]));
    assert_eq!(numbers.iter().sum::<u128>(), decimal(&report["configurations"]["decided"]), "{id}");
    (claim["verdict"].as_str().unwrap().to_owned(), numbers)
}

#[test]
fn a_manifest_judges_the_claims_that_it_states() {
    let room = Room::new();
    room.write("stated.toml", STATED);
    let report = room.refute(["run", "stated.toml", "--json"]).json(1);
    let ids: Vec<&Value> = report["claims"].as_array().unwrap().iter().map(|claim| &claim["id"]).collect();
    assert_eq!(ids, ["mine/galaxy", "mine/wrong", "mine/vacuous", "mine/undefined"], "its own claims and no others");
    assert_eq!(counts(&report, "mine/galaxy"), ("held".into(), [729, 0, 0, 0, 8 * 729]));
    let (verdict, [held, vacuous, undefined, refuted, silent]) = counts(&report, "mine/wrong");
    assert_eq!((verdict.as_str(), vacuous, undefined, held + refuted, silent), ("refuted", 0, 0, 729, 8 * 729));
    assert_eq!(counts(&report, "mine/vacuous"), ("silent".into(), [0, 6561, 0, 0, 0]));
    // With EF = 0 there is no M; with AB >= M there is nothing to compare.
    let (verdict, [held, vacuous, undefined, refuted, silent]) = counts(&report, "mine/undefined");
    assert_eq!((verdict.as_str(), undefined, refuted, silent), ("incomplete", 729, 0, 0));
    assert_eq!(held + vacuous, 8 * 729);
    let galaxy = claim(&report, "mine/galaxy");
    assert_eq!((&galaxy["where"], &galaxy["predict"]), (&json!("BC == 0"), &json!("AB xor CD xor EF == 0 ? P : N")));
    assert_eq!(galaxy["source"], "my notebook, page 12");
    let says = &claim(&report, "mine/undefined")["says"];
    assert_eq!(says, "AB < pow2(floor_log2(EF) + 1) => AB xor pow2(floor_log2(EF) + 1) == AB + pow2(floor_log2(EF) + 1)");
    // The smallest places, each with what it is made of, and confirmed.
    let found = &claim(&report, "mine/wrong")["counterexamples"][0];
    assert_eq!(found["confirmed"], true);
    let parts: Vec<&str> = found["subexpressions"].as_array().unwrap().iter().map(|part| part["expression"].as_str().unwrap()).collect();
    assert_eq!(parts[..2], ["BC == 1", "BC"]);
    assert!(parts.contains(&"AB xor CD xor EF"), "{parts:?}");
    let undefined = &claim(&report, "mine/undefined")["undefined_at"][0];
    assert_eq!(
        (&undefined["parameters"]["weights"], &undefined["actual"]),
        (&json!([0, 0, 0, 0]), &json!("floor_log2 of a number below 1"))
    );
    // As text and as Markdown the expressions stand beside the verdict.
    for format in ["text", "markdown"] {
        let text = room.refute(["report", report["sweep"]["id"].as_str().unwrap(), "--format", format]);
        let text = text.expect(1).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("my notebook, page 12") && text.contains("BC == 0"), "{text}");
    }
}

#[test]
fn stated_claims_reach_workers_through_a_coordinator_and_come_to_the_same() {
    let room = Room::new();
    room.write("stated.toml", &format!("claims = [\"*\"]\n{STATED}"));
    let alone = room.refute(["run", "stated.toml", "--workers", "1", "--json"]).json(1);
    assert!(alone["claims"].as_array().unwrap().len() > 10, "the built-in claims beside them");
    let coordinator = Coordinator::start(&room, 15_000);
    let id = coordinator.refute(&["submit", "stated.toml"]).expect(0).trim().to_owned();
    let _workers = [room.start_worker(&coordinator.address), room.start_worker(&coordinator.address)];
    let report = coordinator.complete(&id);
    assert_eq!(fingerprint(&report), fingerprint(&alone));
    for id in ["mine/galaxy", "mine/wrong", "mine/vacuous", "mine/undefined"] {
        assert_eq!(claim(&report, id), claim(&alone, id));
    }
    // What they say is part of what the sweep is; how it is written is not.
    let ids = ["AB xor CD xor EF == 0 ? P : N", "((AB xor CD xor EF)==0)?P:N", "AB xor CD xor EF == 1 ? P : N"].map(|text| {
        room.write("other.toml", &STATED.replacen("AB xor CD xor EF == 0 ? P : N", text, 1));
        room.refute(["check", "other.toml", "--json"]).json(0)["id"].clone()
    });
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[0], ids[2]);
}

#[test]
fn one_position_is_explained_under_the_claims_of_a_manifest() {
    let room = Room::new();
    room.write("stated.toml", STATED);
    let explained = room.refute(["explain", "./stated.toml", "--weights", "3,1,3,0", "--json"]).json(0);
    let verdicts: Vec<(&str, &str)> = explained["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(|claim| (claim["id"].as_str().unwrap(), claim["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(
        verdicts,
        [("mine/galaxy", "silent"), ("mine/wrong", "refuted"), ("mine/vacuous", "vacuous"), ("mine/undefined", "undefined")]
    );
    let parts = explained["claims"][1]["subexpressions"].as_array().unwrap();
    assert!(parts.contains(&json!({ "expression": "AB xor CD xor EF", "value": "0" })), "{parts:?}");
    // A variant without an editor.
    let text = room.refute(["explain", "./stated.toml", "--weights", "3,1,3,0", "--where", "mine/galaxy=BC == 1"]);
    let refuted = text.expect(0).split("\n\n").find(|part| part.contains("mine/galaxy")).unwrap();
    assert!(refuted.trim_start().starts_with("refuted"), "{refuted}");
}

#[test]
fn check_says_what_the_names_are_and_how_often_a_hypothesis_is_true() {
    let room = Room::new();
    room.write("stated.toml", STATED);
    let text = room.refute(["check", "stated.toml"]);
    let text = text.expect(0);
    for line in ["AB: a whole number", "outcome: an outcome (P, N, L or R)", "the hypothesis of mine/vacuous is true on"] {
        assert!(text.contains(line), "{text}");
    }
    room.write("two.toml", &STATED.replace("graph = \"H1\"", "graph = [\"H1\", \"K3\"]"));
    let text = room.refute(["check", "two.toml"]);
    let text = text.expect(0).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("CD: a whole number; K3, weights 0..=8 has no such name, and the claims that use it are silent there"), "{text}");
}

#[test]
fn the_names_of_each_family_and_the_language_are_shown() {
    let room = Room::new();
    let text = room.refute(["variables", "graph-nim"]);
    assert!(text.expect(0).contains("outcome: an outcome"), "{}", text.stdout);
    let names = room.refute(["variables", "partizan-subtraction", "--json"]).json(0);
    assert!(names.as_array().unwrap().iter().any(|variable| variable["name"] == "heap" && variable["role"] == "parameter"), "{names}");
    let text = room.refute(["help", "language"]);
    assert!(text.expect(0).contains("QUANTIFIERS"), "{}", text.stdout);
    assert!(text.stdout.lines().count() <= 48, "it fits on a screen");
    assert!(room.refute(["help", "run"]).expect(0).contains("--workers"));
    assert_eq!(mistake(&room.refute(["help", "langage"])), "refute: no help on 'langage'; did you mean 'language'?\n");
}

#[test]
fn what_is_wrong_with_a_claim_is_said_with_its_place_before_anything_starts() {
    let room = Room::new();
    let refused = |from: &str, to: &str| {
        assert!(STATED.contains(from));
        room.write("wrong.toml", &STATED.replacen(from, to, 1));
        mistake(&room.refute(["run", "wrong.toml"]))
    };
    let found = refused("where = \"BC == 0\"", "where = \"BC == 0 && CE == 1\"");
    assert!(found.starts_with("refute: wrong.toml: claim 'mine/galaxy', where: line 11, column 21: there is no name 'CE'"), "{found}");
    assert!(found.ends_with("\n  BC == 0 && CE == 1\n             ^^\n"), "{found}");
    for (from, to, words) in [
        ("where = \"BC == 0\"", "where = \"BC\"", "a statement (true or false) is expected here"),
        ("where = \"BC == 0\"", "where = \"(BC == 0\"", "this bracket is not closed"),
        ("predict = \"AB xor CD xor EF == 0 ? P : N\"", "predict = \"outcome\"", "a prediction must not see what is solved"),
        ("id = \"mine/galaxy\"", "id = \"four-edges/thm-4.6\"", "there is a claim 'four-edges/thm-4.6' already"),
        ("M = \"pow2(floor_log2(EF) + 1)\"", "M = \"pow3(EF)\"", "[let] M: line 7, column 6: there is no function 'pow3'"),
    ] {
        let found = refused(from, to);
        assert!(found.contains(words), "{to}: {found}");
    }
    assert!(!room.has_data(), "nothing was started");
    room.write("stated.toml", STATED);
    let found = mistake(&room.refute(["run", "stated.toml", "--where", "mine/galxy=BC == 1"]));
    assert_eq!(found, "refute: --where: stated.toml states no claim 'mine/galxy'; did you mean 'mine/galaxy'?\n");
}

#[test]
fn a_claim_is_printed_whole_and_its_text_is_one_that_a_manifest_takes() {
    let room = Room::new();
    let text = room.refute(["claims", "four-edges/lemma-4.9.ii"]).expect(0).to_owned();
    assert_eq!(
        text,
        r#"four-edges/lemma-4.9.ii (lemma)
  family:    graph-nim
  paper:     The Game of Graph Nim on graphs with four edges
  source:    Lemma 4.9 (ii), section 4.2, arXiv 2509.05064
  where:     H1, k = EF at least 1, AB, BC, CD at least 0, min(l1,l2) >= k; AB =
             M m1 + l1, CD = M m2 + l2, 0 <= l1, l2 < M = 2^(f(k)+1), f(k) =
             floor(log2 k)
  says:      N
  sweeps:    four-edges, four-edges-zero, h1
  language:  below, as a manifest may state it

[let]
M  = "pow2(floor_log2(EF) + 1)"
l1 = "AB % M"
l2 = "CD % M"

[[claim]]
id      = "mine/lemma-4.9.ii"
source  = "Lemma 4.9 (ii), section 4.2, arXiv 2509.05064"
where   = "is_H1 && EF >= 1 && min(l1, l2) >= EF"
predict = "N"
"#
    );
    let (_, stated) = text.split_once("[let]").unwrap();
    room.write("own.toml", &format!("name = \"own\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"H1\"\nweights = \"0..=6\"\n[let]{stated}"));
    let report = room.refute(["run", "own.toml", "--json"]).json(0);
    assert_eq!(claim(&report, "mine/lemma-4.9.ii")["verdict"], "held");
    // A pattern, as JSON; a claim without a text says why.
    let found = room.refute(["claims", "olives/reduction-*", "hypergraphs/thm-7", "--json"]).json(0);
    let ids: Vec<&Value> = found.as_array().unwrap().iter().map(|claim| &claim["id"]).collect();
    assert_eq!(ids, ["hypergraphs/thm-7", "olives/reduction-1", "olives/reduction-2", "olives/reduction-2-local"]);
    assert_eq!((&found[0]["sweeps"], &found[0]["item"]), (&json!(["hypergraphs"]), &json!("Theorem 7")));
    assert_eq!(
        found[0]["paper"],
        "Take-away impartial combinatorial games on hypergraphs and other related geometric and discrete structures"
    );
    assert!(found[0]["manifest"].as_str().unwrap().contains("[[claim]]\nid      = \"mine/thm-7\"\n"), "{found}");
    assert_eq!(found[1]["manifest"], Value::Null);
    let without = room.refute(["claims", "olives/reduction-1"]);
    assert!(without.expect(0).contains("language:  none: "), "{}", without.stdout);
    // An unknown one.
    assert_eq!(
        mistake(&room.refute(["claims", "four-edges/thm-4.66"])),
        "refute: unknown claim 'four-edges/thm-4.66'; did you mean 'four-edges/thm-4.6'? ('refute claims' lists them)\n"
    );
    assert_eq!(
        mistake(&room.refute(["claims", "olives/*", "--family", "graph-nim"])),
        "refute: unknown claim 'olives/*'; 141 are known ('refute claims --family graph-nim' lists them)\n"
    );
}
