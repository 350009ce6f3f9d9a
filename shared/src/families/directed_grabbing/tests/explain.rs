//! What `explain` says about unions of paths, grids and digraphs, and the sentence that each bad position gets.

use serde_json::json;

use crate::families::{Explanation, Family};
use crate::sweep::ManifestError;

use super::super::DirectedGrabbing;

fn explain(parameters: &[(&str, &str)]) -> Result<Explanation, ManifestError> {
    let parameters: Vec<(String, String)> = parameters.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    DirectedGrabbing.explain(&parameters)
}

#[test]
fn a_union_of_paths_is_explained() {
    let found = explain(&[("paths", "3,1,2;0,4")]).unwrap();
    assert_eq!(found.parameters, json!({ "paths": [[3, 1, 2], [0, 4]] }));
    let fact =
        |name: &str| found.facts.iter().filter(|(known, _)| known.starts_with(name)).map(|(_, value)| value.as_str()).collect::<Vec<_>>();
    let names: std::collections::BTreeSet<_> = found.facts.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), found.facts.len(), "names are keys");
    assert_eq!(
        fact("largest i"),
        [
            "path 1, 3,1,2: i = 3 = p, first reduction adds 1 and leaves 3",
            "path 2, 0,4: i = 2 = p, first reduction adds 4 and leaves nothing",
            "the greatest in turn, 3: gives 8"
        ]
    );
    assert_eq!(found.value.as_deref(), Some("8"));
    assert_eq!(fact("totals"), ["Alice 9, Bob 1; val = Alice's less Bob's = 8"]);
    assert_eq!(found.moves, 2);
    assert_eq!(found.winning_moves.len(), 1);
    assert_eq!(found.winning_moves[0].text, "removes v_1 of path 1, weight 3");
    assert_eq!(found.winning_moves[0].to, json!({ "paths": [[1, 2], [0, 4]] }));
    assert_eq!(found.claims.len(), 11);
}

#[test]
fn the_empty_digraph_has_val_0() {
    for parameters in [&[("paths", "")][..], &[("arcs", ""), ("weights", "")]] {
        let found = explain(parameters).unwrap();
        assert_eq!((found.value.as_deref(), found.moves), (Some("0"), 0));
    }
}

#[test]
fn a_grid_is_explained_and_what_is_gone_is_null() {
    let found = explain(&[("grid", "010;111")]).unwrap();
    assert_eq!(found.parameters, json!({ "grid": [[0, 1, 0], [1, 1, 1]] }));
    assert_eq!(found.moves, 1);
    assert_eq!(found.winning_moves[0].to, json!({ "grid": [[null, 1, 0], [1, 1, 1]] }));
    assert!(found.facts.iter().any(|(name, value)| name == "Content" && value.starts_with("Bob, since pq = 6 is even")));
    assert_eq!(found.claims.len(), 33);
    let wide = explain(&[("grid", "12,-3")]).unwrap();
    assert_eq!(wide.parameters, json!({ "grid": [[12, -3]] }));
    assert_eq!(wide.value.as_deref(), Some("15"));
}

#[test]
fn a_digraph_keeps_the_names_of_its_vertices() {
    let found = explain(&[("arcs", "a>b,b>c"), ("weights", "a=1,b=0,c=2")]).unwrap();
    assert_eq!(found.parameters, json!({ "arcs": ["a>b", "b>c"], "weights": { "a": 1, "b": 0, "c": 2 } }));
    assert_eq!(found.value.as_deref(), Some("3"));
    assert_eq!(found.winning_moves[0].text, "removes c, weight 2");
    assert_eq!(found.winning_moves[0].to, json!({ "arcs": ["a>b"], "weights": { "a": 1, "b": 0 } }));
}

#[test]
fn each_bad_position_gets_a_sentence() {
    let cases: &[(&[(&str, &str)], &str)] = &[
        (&[], "a position is missing; write for instance --paths"),
        (&[("path", "1")], "--path: unknown key; did you mean 'paths'?"),
        (&[("paths", "3,x")], "--paths: 'x' is not an integer"),
        (&[("paths", "3,1.5")], "--paths: '1.5' is not an integer"),
        (&[("paths", "3;;1")], "--paths: path 2 is empty"),
        (&[("paths", "3,")], "--paths: '' is not an integer"),
        (&[("paths", "2000000000")], "--paths: 2000000000 is not allowed"),
        (&[("grid", "010;11")], "--grid: row 2 has 2 columns and row 1 has 3"),
        (&[("grid", "01x")], "--grid: 'x' is no digit; write rows of digits, such as 010;111"),
        (&[("grid", "0,x")], "--grid: 'x' is not an integer"),
        (&[("grid", "01;1")], "--grid: row 2 has 1 column and row 1 has 2;"),
        (&[("grid", "01;")], "--grid: row 2 is empty"),
        (&[("grid", "")], "--grid: row 1 is empty"),
        (&[("grid", "01"), ("paths", "1")], "--paths, --grid, --arcs: give one of them"),
        (&[("grid", "01"), ("weights", "a=1")], "--paths, --grid, --arcs: give one of them; --weights goes with --arcs alone"),
        (&[("arcs", "a>b")], "--weights is missing"),
        (&[("weights", "a=1")], "--arcs is missing"),
        (&[("arcs", "a>b,b>c,c>a"), ("weights", "a=1,b=1,c=1")], "--arcs: a>b>c>a is a cycle"),
        (&[("arcs", "d>a,a>b,b>a"), ("weights", "a=1,b=1,d=1")], "--arcs: a>b>a is a cycle"),
        (&[("arcs", "a>a"), ("weights", "a=1")], "--arcs: a>a is a cycle"),
        (&[("arcs", "a>b"), ("weights", "a=1")], "--weights: vertex b has no weight; add for instance b=0"),
        (&[("arcs", "a>b,a>b"), ("weights", "a=1,b=1")], "--arcs: a>b stands twice"),
        (&[("arcs", "ab"), ("weights", "a=1,b=1")], "--arcs: 'ab' is no arc"),
        (&[("arcs", "a>"), ("weights", "a=1")], "--arcs: 'a>' is no arc"),
        (&[("arcs", "a>b"), ("weights", "a=1,a=2,b=1")], "--weights: vertex a has two weights"),
        (&[("arcs", "a>b"), ("weights", "a=1,b=0.5")], "--weights: '0.5' is not an integer"),
        (&[("arcs", "a>b"), ("weights", "a,b=1")], "--weights: 'a' is no weight of a vertex"),
        (&[("paths", "1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1")], "--paths: 17 vertices can be left in more than 65536"),
    ];
    for (parameters, expected) in cases {
        let error = explain(parameters).unwrap_err().to_string();
        assert!(error.starts_with(expected) && !error.contains('\n'), "{parameters:?}\n{error}");
    }
    let many = vec!["1"; 65].join(",");
    assert!(explain(&[("paths", &many)]).unwrap_err().to_string().starts_with("--paths: 65 vertices are too many"));
}
