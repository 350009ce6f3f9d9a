//! Take-away on hypergraphs: the two built-in sweeps, a list of hypergraphs, and everything that can be typed wrong.

use serde_json::{Value, json};

use crate::mistakes::{refuse_manifests, refused};
use crate::report::{check_complete, claim, decimal};
use crate::room::Room;

/// Held and refuted of a claim.
fn counts(report: &Value, id: &str) -> (u128, u128) {
    let claim = claim(report, id);
    (decimal(&claim["held"]), decimal(&claim["refuted"]))
}

#[test]
fn the_sweep_of_members_refutes_theorem_7_where_no_vertex_is_in_one_hyperedge() {
    let room = Room::new();
    let report = room.refute(["run", "hypergraphs", "--json"]).json(1);
    check_complete(&report, 887);
    let refuted: Vec<&str> = report["claims"].as_array().unwrap().iter().filter(|claim| claim["verdict"] == "refuted").map(id).collect();
    let ids = ["remark-2", "lemma-4", "lemma-6", "remark-6.a-as-used", "thm-7", "thm-7-step"].map(|name| format!("hypergraphs/{name}"));
    assert_eq!(refuted, ids);
    assert_eq!(counts(&report, "hypergraphs/thm-7"), (387, 53));
    let found = &claim(&report, "hypergraphs/thm-7")["counterexamples"];
    let first = &found[0];
    assert_eq!(first["parameters"], json!({ "edges": ["abcd", "Sab", "Sbc", "Sac"] }));
    assert_eq!((&first["predicted"], &first["actual"]), (&json!("*"), &json!("0")));
    assert!(found.as_array().unwrap().iter().all(|counterexample| counterexample["confirmed"] == true), "{found}");
    // Groups I to V come to what theorems 7 to 10 say, and members in no group are counted apart.
    let groups: Vec<(&str, u128)> =
        report["groups"].as_array().unwrap().iter().map(|group| (group["label"].as_str().unwrap(), decimal(&group["count"]))).collect();
    let none = groups.iter().filter(|(label, _)| label.starts_with("no group")).copied().collect::<Vec<_>>();
    assert_eq!(none, [("no group, |E(Y)| even: value *3", 41), ("no group, |E(Y)| odd: value 0", 53)]);
    assert_eq!(groups.iter().map(|(_, count)| count).sum::<u128>(), 887);
    // Grown from the command line.
    let grown = room.refute(["run", "hypergraphs", "--set", "space.vertices=2..=20", "--json"]).json(1);
    assert_eq!(counts(&grown, "hypergraphs/lemma-1").1, 0);
    assert!(decimal(&grown["configurations"]["total"]) > 887);
}

fn id(claim: &Value) -> &str {
    claim["id"].as_str().unwrap()
}

#[test]
fn the_two_theorems_hold_on_every_small_hypergraph() {
    let room = Room::new();
    let report = room.refute(["run", "hypergraphs-all", "--json", "--workers", "1"]).json(0);
    check_complete(&report, 2 + 6 + 40 + 1992 + 612_032 + 2136);
    assert_eq!(counts(&report, "hypergraphs/thm-2.4"), (48 + 68 + 2136, 0));
    assert_eq!(counts(&report, "hypergraphs/thm-2.8"), (85, 0));
}

#[test]
fn a_list_of_hypergraphs_is_swept_as_it_is_written() {
    let room = Room::new();
    // A member in no group, the octahedron's edges (no marked coloring), and vertices beyond the letters.
    let list = r#"["abcd,Sab,Sbc,Sac", "ab,ac,ad,ae,bc,cd,de,eb,fb,fc,fd,fe", "v27v28,Sv27v28"]"#;
    let manifest = format!("name = \"list\"\nfamily = \"hypergraph-takeaway\"\n[space]\nedges = {list}\n[run]\nrecord = \"all\"\n");
    let report = room.refute(["run", &room.write("list.toml", &manifest), "--json"]).json(1);
    check_complete(&report, 3);
    assert_eq!(counts(&report, "hypergraphs/thm-7"), (1, 1));
    assert_eq!(claim(&report, "hypergraphs/thm-2.8")["verdict"], "silent");
    let remark = &claim(&report, "hypergraphs/remark-2")["counterexamples"][0];
    assert_eq!(remark["parameters"], json!({ "edges": [["v27", "v28"], ["S", "v27", "v28"]] }));
}

#[test]
fn wrong_boxes_are_refused_by_their_field() {
    let with_space = |space: &str| format!("name = \"bad\"\nfamily = \"hypergraph-takeaway\"\n[space]\n{space}\n");
    refuse_manifests(&[
        (with_space("vertices = 3"), &["space.vertices: 3 has no even number from 2 on"]),
        (with_space("vertices = \"2..=80\""), &["space.vertices: 2..=80 goes beyond what the solver can hold", "62 vertices in X"]),
        (with_space("all = { vertices = \"1..=6\" }"), &["space.all.vertices: 1..=6 goes beyond what the solver can hold", "uniform"]),
        (with_space("uniform = 3\nvertices = 4"), &["space.uniform: it goes with all"]),
        (with_space("edges = \"abcd,Sa1\""), &["space.edges: 'Sa1' has 'a1', which is no vertex"]),
        (with_space("edges = [\"ab\", \"Sab,baS\"]"), &["space.edges: the hyperedge Sab stands twice"]),
        (with_space("edges = \"ab,,cd\""), &["space.edges: hyperedge 2 is empty"]),
        (with_space("edges = \"abcdefghijklmnopqrstuvw\""), &["with 23 vertices, goes beyond what the solver can hold", "20 vertices"]),
    ]);
}

#[test]
fn a_hypergraph_that_cannot_be_explained_is_told_with_an_example() {
    let room = Room::new();
    for (parameters, expected) in [
        (vec![], "--edges is missing"),
        (vec!["--edges", "abcd,S?b"], "--edges: 'S?b' has '?', which is no vertex"),
        (vec!["--edges", "abcd,Sab,bSa"], "--edges: the hyperedge Sab stands twice"),
        (vec!["--edges", "abcd,,Sab"], "--edges: hyperedge 2 is empty"),
        (vec!["--edges", "abcdefghijklmnopqrstuvwxyz,Sab"], "--edges: too large for the reference"),
        (vec!["--hyperedges", "ab"], "--hyperedges: unknown key; known: edges"),
    ] {
        let ended = room.refute(["explain", "hypergraph-takeaway"].into_iter().chain(parameters));
        refused(&room, &ended, 2, &[expected, "refute explain hypergraph-takeaway --edges \"abcd,Sab,Sbc\""]);
    }
}
