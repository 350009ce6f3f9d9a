//! What every family promises about the names that claims of a manifest may use.

use serde_json::{Value, json};

use crate::language::Vocabulary;
use crate::sweep::{ClaimTally, Shard, Sweep};

use super::testing::{self, GoOn, task};
use super::{Confirmation, FAMILIES, find};

/// Five claims about a small space of a family, and where the second is refuted first.
struct Sample {
    family: &'static str,
    space: &'static str,
    /// `where` and `says` or `predict` each: one holds, one is refuted, one is silent, one vacuous, one not defined.
    claims: [&'static str; 5],
    /// Which position refutes the second first, what is predicted there, and what is the case.
    counterexample: fn() -> (Value, &'static str, &'static str),
}

const SAMPLES: [Sample; 4] = [
    Sample {
        family: "graph-nim",
        space: "graph = \"H1\"\nweights = \"0..=4\"",
        claims: [
            "where = \"BC == 0\"\npredict = \"AB xor CD xor EF == 0 ? P : N\"",
            "where = \"EF == 0 && total >= 1\"\npredict = \"N\"",
            "where = \"EF > 4\"\nsays = \"outcome == N\"",
            "says = \"sum_B > 100 => outcome == P\"",
            "says = \"total // EF >= 0\"",
        ],
        counterexample: || (json!({ "graph": "H1", "weights": [1, 0, 1, 0] }), "N", "P"),
    },
    Sample {
        family: "partizan-subtraction",
        space: "a = 2\nb = 4\ntau = 1\nheap = \"0..=30\"",
        claims: [
            "where = \"heap <= tau\"\npredict = \"heap\"",
            "where = \"heap >= 1\"\nsays = \"outcome != N\"",
            "where = \"heap in left && heap > 2\"\nsays = \"is_number\"",
            "says = \"is_full => value == 0\"",
            "says = \"atomic_weight <= 1\"",
        ],
        counterexample: || (json!({ "a": 2, "b": 4, "tau": 1, "heap": 2 }), "true", "false: outcome = N"),
    },
    Sample {
        family: "hypergraph-takeaway",
        space: "vertices = \"2..=6\"",
        claims: [
            "where = \"group == 2\"\nsays = \"y_edges == x_vertices && (outcome == P <=> grundy == 0)\"",
            "where = \"vertices >= 5\"\nsays = \"in_c == 0\"",
            "where = \"vertices > 7\"\nsays = \"grundy == 0\"",
            "says = \"all_odd => outcome == P\"",
            "says = \"edges // in_c >= 0\"",
        ],
        counterexample: || (json!({ "edges": ["abcd", "Sab"] }), "true", "false"),
    },
    Sample {
        family: "directed-grabbing",
        space: "grid = { rows = \"1..=2\", columns = \"1..=3\", weights = \"0..=1\" }",
        claims: [
            "says = \"alice + bob == total && val == alice - bob && content in [alice, bob]\"",
            "says = \"val >= 0\"",
            "where = \"rows > 2\"\npredict = \"0\"",
            "says = \"odd_even > 2 => val == 0\"",
            "says = \"total // even_even >= 0\"",
        ],
        counterexample: || (json!({ "grid": [[0], [1]] }), "true", "false: val = -1"),
    },
];

const NAMES: [&str; 5] = ["mine/holds", "mine/refuted", "mine/silent", "mine/vacuous", "mine/undefined"];

fn sweep(sample: &Sample) -> (Sweep, crate::sweep::ShardResult) {
    let claims: Vec<String> = NAMES.iter().zip(sample.claims).map(|(id, text)| format!("[[claim]]\nid = \"{id}\"\n{text}\n")).collect();
    let sweep = testing::sweep(find(sample.family).unwrap(), &format!("{}\n[space]\n{}\n", claims.concat(), sample.space));
    let whole = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let result = sweep.space.solver().solve(&whole, &task(&sweep), &mut GoOn).unwrap();
    (sweep, result)
}

#[test]
fn in_each_family_claims_of_a_manifest_hold_are_refuted_silent_vacuous_and_undefined() {
    for sample in &SAMPLES {
        let (_, result) = sweep(sample);
        let [holds, refuted, silent, vacuous, undefined] = result.tally.claims[..] else { panic!("{}", sample.family) };
        assert!(holds.held > 0 && ClaimTally { held: 0, ..holds } == ClaimTally::default(), "{}: {holds:?}", sample.family);
        assert!(refuted.refuted > 0, "{}: {refuted:?}", sample.family);
        assert_eq!(silent, ClaimTally::default(), "{}", sample.family);
        assert!(vacuous.vacuous > 0 && ClaimTally { vacuous: 0, ..vacuous } == ClaimTally::default(), "{}: {vacuous:?}", sample.family);
        assert!(undefined.undefined > 0 && undefined.refuted == 0, "{}: {undefined:?}", sample.family);
    }
}

#[test]
fn in_each_family_the_smallest_counterexample_is_the_one_that_is_found_by_hand() {
    for sample in &SAMPLES {
        let (sweep, result) = sweep(sample);
        let smallest = &result.counterexamples[1][0];
        let Confirmation::Stands(found) = sweep.space.reference().confirm(1, &smallest.key, &smallest.actual) else { panic!() };
        let (parameters, predicted, actual) = (sample.counterexample)();
        assert_eq!((found.parameters, &*found.predicted, &*found.actual, found.confirmed), (parameters, predicted, actual, true));
        // What is not defined is so by the reference, too.
        let smallest = &result.counterexamples[NAMES.len() + 4][0];
        let confirmed = sweep.space.reference().confirm(NAMES.len() + 4, &smallest.key, &smallest.actual);
        assert!(matches!(confirmed, Confirmation::Stands(found) if found.confirmed), "{}", sample.family);
    }
}

#[test]
fn the_names_of_a_family_make_a_vocabulary_with_a_meaning_on_one_line_each() {
    for family in FAMILIES {
        let variables = family.variables();
        for variable in &variables {
            let meaning = &variable.meaning;
            assert!(!meaning.is_empty() && meaning.trim() == meaning && !meaning.contains(['\n']), "{}: '{meaning}'", variable.name);
        }
        assert!(Vocabulary::new(variables.clone()).is_ok(), "{}", family.id());
        assert_eq!(variables.is_empty(), family.claims().is_empty(), "{}", family.id());
    }
}

fn explained(family: &'static str, parameters: &[(&str, &str)]) -> Value {
    let parameters: Vec<(String, String)> = parameters.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let explanation = find(family).unwrap().explain(&parameters).unwrap();
    explanation.variables.into_iter().map(|variable| (variable.name, variable.value)).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn positions_have_their_names_typed() {
    let found = explained("graph-nim", &[("graph", "H1"), ("weights", "5,1,6,11")]);
    for (name, value) in [
        ("AB", json!(5)),
        ("sum_B", json!(6)),
        ("weights", json!([5, 1, 6, 11])),
        ("total", json!(23)),
        ("is_H1", json!(true)),
        ("is_galaxy", json!(false)),
        ("h1_modulus", json!(16)),
        ("h1_l2", json!(6)),
        ("outcome", json!("P")),
    ] {
        assert_eq!(found[name], value, "{name}");
    }
    // No galaxy and no triangle: these names are not there.
    assert!(["stars", "is_special"].iter().all(|name| found.get(name).is_none()));
    let found = explained("graph-nim", &[("graph", "K3"), ("weights", "2,2,3")]);
    assert_eq!(["is_special", "special_k", "special_i"].map(|name| found[name].clone()), [json!(true), json!(1), json!([1, 2])]);
    let found = explained("graph-nim", &[("graph", "K3"), ("weights", "2,2,2")]);
    assert_eq!(["is_special", "special_k", "special_i"].map(|name| found[name].clone()), [json!(false), Value::Null, json!([])]);

    let found = explained("partizan-subtraction", &[("left", "1..3"), ("right", "5..7"), ("heap", "5")]);
    for (name, value) in [
        ("left", json!([1, 2, 3])),
        ("tau", json!(4)),
        ("is_on_the_edge", json!(true)),
        ("onset", Value::Null),
        ("value", json!("{4|0}")),
        ("left_stop", json!("4")),
        ("atomic_weight", Value::Null),
        ("has_weight", json!(false)),
        ("birthday", json!(5)),
    ] {
        assert_eq!(found[name], value, "{name}");
    }
    let found = explained("partizan-subtraction", &[("left", "1,4"), ("right", "2,3"), ("heap", "6")]);
    assert_eq!((&found["left"], found.get("a"), found["is_full"].clone()), (&json!([1, 4]), None, json!(false)));

    let found = explained("hypergraph-takeaway", &[("edges", "abcd,Sab,Sbc")]);
    for (name, value) in [
        ("degrees", json!([1, 2, 2, 2, 3])),
        ("edge_sizes", json!([3, 3, 4])),
        ("x_vertices", json!(4)),
        ("y_vertices", json!(4)),
        ("group", json!(5)),
        ("grundy", json!(4)),
        ("outcome", json!("N")),
    ] {
        assert_eq!(found[name], value, "{name}");
    }
    assert_eq!(explained("hypergraph-takeaway", &[("edges", "ab,bc")]).get("group"), None);

    let found = explained("directed-grabbing", &[("grid", "0,1;1,1")]);
    for (name, value) in
        [("rows", json!(2)), ("even_odd", json!(1)), ("arcs", json!(4)), ("sinks", json!([0])), ("paths", json!([])), ("total", json!(3))]
    {
        assert_eq!(found[name], value, "{name}");
    }
    let found = explained("directed-grabbing", &[("paths", "3,1,2;0,4")]);
    assert_eq!((&found["paths"], found.get("content")), (&json!([[3, 1, 2], [0, 4]]), None));
}

#[test]
fn members_have_the_degrees_of_their_hypergraph_however_they_are_given() {
    // Boxes of members are given by counts, a list by hyperedges.
    let claim = "[[claim]]\nid = \"mine/degrees\"\nsays = \"sum(degrees) == sum(edge_sizes) && len(degrees) == vertices && len(edge_sizes) == edges\"\n";
    for space in ["vertices = \"2..=8\"", "edges = [\"abcd,Sab,Sbc\", \"ab,Sab\", \"ab,c\"]"] {
        let sweep = testing::sweep(find("hypergraph-takeaway").unwrap(), &format!("{claim}\n[space]\n{space}\n"));
        let whole = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
        let result = sweep.space.solver().solve(&whole, &task(&sweep), &mut GoOn).unwrap();
        assert_eq!(result.tally.claims[0], ClaimTally::of(sweep.space.total(), 0), "{space}");
    }
}

#[test]
fn edges_that_are_no_names_by_themselves_have_one_in_front() {
    let graph = "edges = \"12 in AB\"\nweights = \"0..=1\"";
    let claim = "[[claim]]\nid = \"mine/names\"\nsays = \"edge_12 + edge_in + AB == total && sum_1 == edge_12\"\n";
    let sweep = testing::sweep(find("graph-nim").unwrap(), &format!("{claim}\n[space]\n{graph}\n"));
    let whole = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let result = sweep.space.solver().solve(&whole, &task(&sweep), &mut GoOn).unwrap();
    assert_eq!(result.tally.claims[0], ClaimTally::of(8, 0));
}

#[test]
fn a_name_that_some_boxes_lack_is_absent_there_and_one_that_none_has_is_unknown() {
    let space = "[[space]]\ngraph = [\"H1\", \"I2\"]\nweights = \"0..=1\"\n";
    let claim = |says: &str| format!("[[claim]]\nid = \"mine/a\"\nsays = \"{says}\"\n{space}");
    let sweep = testing::sweep(find("graph-nim").unwrap(), &claim("GH >= 0"));
    let held: Vec<u128> = (0..2)
        .map(|box_index| {
            let whole = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
            sweep.space.solver().solve(&whole, &task(&sweep), &mut GoOn).unwrap().tally.claims[0].held
        })
        .collect();
    assert_eq!(held, [0, 16]);
    let text = format!("name = \"t\"\nfamily = \"graph-nim\"\n{}", claim("CA >= 0"));
    let refused = crate::sweep::Manifest::parse(&text).and_then(Sweep::resolve).err().unwrap().to_string();
    assert!(refused.contains("there is no name 'CA'"), "{refused}");
}

#[test]
fn a_claim_that_looks_at_values_has_them_solved_and_its_cost_includes_it() {
    let sweep = |says: &str, quantities: &str| {
        let claim = format!("[[claim]]\nid = \"mine/a\"\nsays = \"{says}\"\n");
        let heaps = format!("[space]\na = 3\nb = 7\ntau = 2\nheap = \"0..=200\"\n{quantities}\n");
        testing::sweep(find("partizan-subtraction").unwrap(), &format!("{claim}{heaps}"))
    };
    let whole = Shard { box_index: 0, start: 0, end: 201 };
    let cost = |says: &str, quantities: &str| sweep(says, quantities).space.cost(&whole).seconds;
    let weights = cost("has_weight || true", "");
    assert!(cost("outcome == outcome", "") < weights);
    assert_eq!(weights, cost("outcome == outcome", "quantities = [\"atomic-weight\"]"));
    // What a claim looks into comes on top of what is solved.
    assert!(cost("outcome == outcome", "quantities = [\"canonical-form\"]") < cost("value == value", ""));
    // Up to tau Right cannot move, and a heap is an integer.
    let sweep = sweep("value == heap <=> heap <= tau", "");
    let result = sweep.space.solver().solve(&whole, &task(&sweep), &mut GoOn).unwrap();
    assert_eq!(result.tally.claims[0], ClaimTally::of(201, 0));
}
