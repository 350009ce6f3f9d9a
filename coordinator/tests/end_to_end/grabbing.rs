//! Directed grabbing: the three built-in sweeps, and everything that can be typed wrong.

use serde_json::{Value, json};

use crate::mistakes::{refuse_manifests, refused};
use crate::report::{check_complete, claim, decimal};
use crate::room::Room;

fn counts(report: &Value, id: &str) -> (u128, u128) {
    let claim = claim(report, &format!("olives/{id}"));
    (decimal(&claim["held"]), decimal(&claim["refuted"]))
}

#[test]
fn the_algorithm_is_right_with_the_largest_index_and_not_as_printed() {
    let room = Room::new();
    let smaller = "space.paths={vertices=\"1..=6\",weights=\"0..=3\"}";
    let report = room.refute(["run", "olives-paths", "--set", smaller, "--json"]).json(1);
    // As many as a second program found, which shares no code with this one.
    check_complete(&report, 30_777);
    let first = &claim(&report, "olives/algorithm-smallest")["counterexamples"][0];
    assert_eq!(first["parameters"], json!({ "paths": [[0, 0, 1], [0]] }));
    assert_eq!((&first["predicted"], &first["actual"], &first["confirmed"]), (&json!("1"), &json!("-1"), &json!(true)));
    assert_eq!(counts(&report, "algorithm-largest"), (30_777, 0));
    assert_eq!(counts(&report, "lemma-1"), (30_777, 0));
    assert_eq!(claim(&report, "olives/sum-identity-printed")["verdict"], "refuted");
    for held in ["lemma-2", "reduction-1", "reduction-2", "reduction-2-local"] {
        assert_eq!(claim(&report, &format!("olives/{held}"))["verdict"], "held", "{held}");
    }
}

#[test]
fn every_weighting_of_every_grid_up_to_4_by_5_is_swept() {
    let room = Room::new();
    let report = room.refute(["run", "olives-grids", "--json"]).json(0);
    let weightings: u128 = (1..=4u32).flat_map(|rows| (1..=5u32).map(move |columns| 1u128 << (rows * columns))).sum();
    check_complete(&report, weightings);
    // Where there is one row or one column the set of cells is empty, and there is nothing to collect.
    let of_a_line: u128 = (1..=5u32).map(|cells| 1u128 << cells).sum::<u128>() + (2..=4u32).map(|cells| 1u128 << cells).sum::<u128>();
    assert_eq!(counts(&report, "third"), (weightings - of_a_line, 0));
    assert_eq!(decimal(&claim(&report, "olives/third")["vacuous"]), of_a_line);
    // For an odd number of cells Content is Alice, and the first olive is hers.
    let least = |label: &str| {
        let groups = report["groups"].as_array().unwrap();
        let found = groups.iter().find(|group| group["label"].as_str().unwrap().starts_with(label));
        decimal(&found.unwrap_or_else(|| panic!("{label}: {groups:?}"))["count"])
    };
    assert_eq!(least("1 x 1, 1 olive in all"), 1);
    assert_eq!(least("2 x 2, 1 olive in all"), 0);
    assert_eq!(least("4 x 5, 20 olives in all"), 10);
}

#[test]
fn every_small_acyclic_digraph_is_swept_with_the_claims_about_any() {
    let room = Room::new();
    let smaller = "space.dags={vertices=\"1..=4\",weights=\"0..=2\"}";
    let report = room.refute(["run", "olives-dags", "--set", smaller, "--json"]).json(0);
    // 1, 2, 6 and 31 digraphs.
    check_complete(&report, 3 + 2 * 9 + 6 * 27 + 31 * 81);
    assert_eq!(counts(&report, "lemma-1").1, 0);
}

#[test]
fn wrong_boxes_are_refused_by_their_field() {
    let with_space = |space: &str| format!("name = \"bad\"\nfamily = \"directed-grabbing\"\n[space]\n{space}\n");
    refuse_manifests(&[
        (with_space("grid = { rows = 7, columns = 7, weights = \"0..=1\" }"), &["space.grid: a 7 x 7 grid has 2^49", "2^42"]),
        (with_space("grid = { rows = 0, columns = 2, weights = \"0..=1\" }"), &["space.grid"]),
        (with_space("paths = { vertices = \"1..=99\", weights = \"0..=1\" }"), &["space.paths"]),
        (with_space("paths = { vertices = \"1..=3\", weights = \"a\" }"), &["space.paths.weights: "]),
        (with_space("dags = { vertices = \"1..=9\", weights = \"0..=1\" }"), &["space.dags"]),
        (with_space("trees = 3"), &["space.trees: unknown key"]),
        (with_space(""), &["space"]),
    ]);
}

#[test]
fn a_position_that_cannot_be_explained_is_told_with_an_example() {
    let room = Room::new();
    for (parameters, expected) in [
        (vec!["--arcs", "a>b,b>c,c>a", "--weights", "a=1,b=1,c=1"], "--arcs: a>b>c>a is a cycle"),
        (vec!["--paths", "3,x;1"], "--paths: "),
        (vec!["--paths", "3,1.5"], "--paths: "),
        (vec!["--grid", "010;11"], "--grid: "),
        (vec!["--grid", "01a;110"], "--grid: "),
        (vec!["--arcs", "a>b", "--weights", "a=1"], "--weights: "),
        (vec!["--arcs", "a>b", "--weights", "a=1,b=2.5"], "--weights: "),
        (vec!["--arcs", "a>b", "--weights", "a=1,b=2,c=3,c=4"], "--weights: "),
        (vec!["--arcs", "a>b,a>b", "--weights", "a=1,b=2"], "--arcs: "),
        (vec![], "a position is missing; write for instance --paths "),
    ] {
        let ended = room.refute(["explain", "directed-grabbing"].into_iter().chain(parameters));
        refused(&room, &ended, 2, &[expected, "refute explain directed-grabbing "]);
    }
}
