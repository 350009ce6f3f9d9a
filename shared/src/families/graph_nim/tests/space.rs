//! Boxes of Graph Nim: their sizes, encodings, kept positions and figures, and the sentence that each bad box gets.

use std::collections::BTreeMap;

use crate::families::Family;
use crate::families::testing::assert_refused;
use crate::sweep::{Plan, Record, Shard, Sweep};

use super::super::GraphNim;
use super::{solve, sweep};

#[test]
fn the_size_of_a_space_is_the_product_of_its_ranges() {
    let sweep = sweep(
        "[[space]]\nedges = \"AB BC CD\"\nweights = { AB = \"1..=8\", CD = 5, other = \"2..=4\" }\n[[space]]\ngraph = [\"K3\", \"H1\"]\nweights = \"1..=2\"\n",
    );
    assert_eq!(sweep.configurations(), 8 * 3 + 8 + 16);
    assert_eq!(sweep.space.describe(0), "AB BC CD, weights AB 1..=8, BC 2..=4, CD 5");
    assert_eq!(sweep.space.describe(2), "H1, weights 1..=2");
}

#[test]
fn an_isomorphic_graph_is_held_against_the_same_claims() {
    let named = sweep("[space]\ngraph = \"H1\"\nweights = \"0..=4\"\n");
    let relabelled = sweep("[space]\nedges = \"XY PQ QR RS\"\nweights = \"0..=4\"\n");
    assert_eq!(named.claim_ids(), relabelled.claim_ids());
    let tally = |sweep: &Sweep| {
        let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
        solve(sweep.space.solver().as_mut(), sweep, &shard).tally
    };
    let (one, other) = (tally(&named), tally(&relabelled));
    assert_eq!(one.claims, other.claims);
    assert_eq!(one.coverage, other.coverage);
}

#[test]
fn each_bad_box_gets_a_sentence_that_names_the_key() {
    let cases = [
        ("graph = \"H7\"\nweights = 1", "space.graph: unknown graph 'H7'; did you mean 'H1'?"),
        ("graph = 3\nweights = 1", "space.graph: must be a name"),
        ("weights = 1", "space.graph is missing"),
        ("graph = \"H1\"", "space.weights is missing"),
        ("graph = \"H1\"\nedges = \"AB\"\nweights = 1", "space: graph and edges both name the graph"),
        ("graph = \"H1\"\nweights = \"5..=2\"", "space.weights: the range 5..=2 is empty"),
        ("graph = \"H1\"\nweights = \"x\"", "space.weights: 'x' is not a range"),
        ("graph = \"H1\"\nweights = -1", "space.weights: '-1' is not a range"),
        ("graph = \"H1\"\nweights = \"1..=65536\"", "space.weights: 1..=65536 goes above the greatest weight, 65535"),
        ("graph = \"H1\"\nweights = { AB = 1 }", "space.weights.BC is missing"),
        ("graph = \"H1\"\nweights = { AD = 1, other = 2 }", "space.weights.AD: H1 has no such edge; its edges are AB, BC, CD, EF"),
        ("graph = \"H1\"\nweights = { AB = 1, BA = 1, other = 2 }", "space.weights.BA: the edge AB stands twice"),
        ("edges = \"AB BB\"\nweights = 1", "space.edges: the edge BB is a loop"),
        ("edges = \"AB BA\"\nweights = 1", "space.edges: the edge BA stands twice"),
        ("graph = \"H1\"\nweight = 1", "space.weight: unknown key; did you mean 'weights'?"),
        ("edges = \"AB AC AD AE AF AG AH AI\"\nweights = \"0..=65535\"", "space.weights: AB AC AD AE AF AG AH AI with these weights has"),
        ("graphs = 5\nweights = 1", "space.graphs: must be a table such as { edges = 5 }"),
        ("graphs = { edges = 7 }\nweights = 1", "space.graphs.edges: 7 is not allowed; it is a number of edges from 1 to 6"),
        ("graphs = { edges = 0 }\nweights = 1", "space.graphs.edges: 0 is not allowed"),
        ("graphs = { edge = 5 }\nweights = 1", "space.graphs.edge: unknown key; did you mean 'edges'?"),
        ("graphs = { edges = 5 }", "space.weights is missing"),
        ("graphs = { edges = 5 }\ngraph = \"H1\"\nweights = 1", "space: graphs and graph both name the graphs"),
        ("graphs = { edges = 5 }\nweights = { AB = 1, other = 2 }", "space.weights: with graphs it is one range"),
        ("edge_sets = 3", "space.edge_sets: must be a table"),
        ("edge_sets = { vertices = 8, edges = 4 }\nweights = 1", "space: edge_sets and weights cannot stand in one box"),
        ("edge_sets = { vertices = 8, edge = 4 }", "space.edge_sets.edge: unknown key; did you mean 'edges'?"),
    ];
    assert_refused(&GraphNim, &cases);
}

#[test]
fn bad_encodings_are_refused() {
    for bad in [
        "",
        "{}",
        "{\"version\":2,\"boxes\":[]}",
        "{\"version\":1,\"boxes\":[]}",
        "{\"version\":1,\"boxes\":[{\"weights\":{\"weights\":[]}}]}",
    ] {
        assert!(GraphNim.decode(bad, &[], &[]).is_err(), "{bad}");
    }
}

#[test]
fn recorded_positions_are_those_asked_for() {
    let mut sweep = sweep("[space]\ngraph = \"K3\"\nweights = \"1..=4\"\n[run]\nrecord = \"losing\"\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let mut records = |record| {
        sweep.manifest.run.record = record;
        let task = crate::families::Task { record, ..super::task(&sweep) };
        sweep.space.solver().solve(&shard, &task, &mut super::GoOn).unwrap().records.len()
    };
    assert_eq!((records(Record::None), records(Record::Losing), records(Record::All)), (0, 4, 64));
}

#[test]
fn every_graph_with_so_many_edges_is_a_box() {
    let sweep = sweep("[space]\ngraphs = { edges = 5 }\nweights = \"1..=2\"\n");
    assert_eq!((sweep.space.boxes(), sweep.configurations()), (26, 26 * 32));
    let boxes: Vec<String> = (0..26).map(|index| sweep.space.describe(index)).collect();
    assert!(boxes.iter().any(|text| text == "AB CD EF GH IJ, weights 1..=2"), "{boxes:?}");
}

#[test]
fn kept_p_positions_are_drawn_as_tables() {
    let sweep = sweep("[space]\ngraph = \"H1\"\nweights = { EF = \"0..=2\", other = \"0..=4\" }\n[run]\nrecord = \"losing\"\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let task = crate::families::Task { record: Record::Losing, ..super::task(&sweep) };
    let records = sweep.space.solver().solve(&shard, &task, &mut super::GoOn).unwrap().records;
    let figures = sweep.space.figures(&mut records.into_iter());
    let rows = |index: usize| -> Vec<&str> { figures[index].rows.iter().map(|row| row.letters.as_str()).collect() };
    assert!(figures[1].title.starts_with("P-positions of H1, EF = 1: the weight of BC"), "{}", figures[1].title);
    assert_eq!((figures.len(), figures[0].rows[4].label.as_str()), (3, "AB 4"));
    // EF = 0 is Nim on AB and CD; the others by marking positions by hand.
    assert_eq!(rows(0), ["0....", ".0...", "..0..", "...0.", "....0"]);
    assert_eq!(rows(1), ["10...", "0....", "..10.", "..0..", "....1"]);
    assert_eq!(rows(2), ["210..", "1..0.", "0....", ".0...", "....2"]);
}

#[test]
fn what_no_claim_names_is_what_coverage_leaves_of_the_p_positions() {
    let sweep = sweep("[space]\ngraph = \"H1\"\nweights = \"0..=20\"\n");
    let tally = solve(sweep.space.solver().as_mut(), &sweep, &Shard { box_index: 0, start: 0, end: sweep.space.units(0) }).tally;
    let unnamed: u128 =
        tally.groups.0.iter().filter(|((_, label), _)| label.label.contains("no claim names")).map(|(_, count)| count).sum();
    let left: u128 = tally.coverage.0.iter().filter(|(key, _)| key.value == "P" && key.claims == 0).map(|(_, count)| count).sum();
    assert_eq!((unnamed, unnamed > 900), (left, true));
    // Counted by a separate program, written from the paper alone and solving by brute force. Theorem 4.10 is about residues up
    // to 4, and names every P-position that has one.
    let unnamed = |residue: u32| format!("P-positions that no claim names, all weights at least 1, min(l1,l2) = {residue:>5}");
    let counts = [
        ("P-positions that no claim names, with a weight of 0".to_owned(), 731),
        ("P-positions with all weights at least 1".to_owned(), 1506),
    ];
    let by_residue = [(5, 97), (6, 65), (7, 36), (9, 2), (10, 2)].map(|(residue, count)| (unnamed(residue), count));
    let expected: BTreeMap<String, u128> = counts.into_iter().chain(by_residue).collect();
    assert_eq!(tally.groups.0.into_iter().map(|((_, group), count)| (group.label, count)).collect::<BTreeMap<_, _>>(), expected);
}

#[test]
fn a_solver_whose_tables_do_not_fit_says_what_they_need() {
    let sweep = sweep("[space]\ngraph = \"H1\"\nweights = \"0..=100\"\n");
    let shard = Shard { box_index: 0, start: 0, end: 1 };
    let task = crate::families::Task { budget_bytes: 10, ..super::task(&sweep) };
    let error = sweep.space.solver().solve(&shard, &task, &mut super::GoOn).unwrap_err();
    assert!(matches!(error, crate::families::SolveError::TooLarge { budget: 10, needs } if needs > 10));
}

#[test]
fn a_stopped_solver_leaves_no_partial_result() {
    struct Stop;
    impl crate::families::Pulse for Stop {
        fn beat(&mut self, _decided: u128) -> bool {
            false
        }
    }
    let sweep = sweep("[space]\ngraph = \"H1\"\nweights = \"0..=48\"\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let mut solver = sweep.space.solver();
    let stopped = solver.solve(&shard, &super::task(&sweep), &mut Stop);
    assert_eq!(stopped, Err(crate::families::SolveError::Stopped));
    // The same solver goes on rightly afterwards.
    assert_eq!(solve(solver.as_mut(), &sweep, &shard), solve(sweep.space.solver().as_mut(), &sweep, &shard));
}

#[test]
fn smaller_shards_are_more_shards() {
    let mut sweep = sweep("[space]\ngraph = \"H1\"\nweights = \"0..=12\"\n");
    let mut shards = |seconds| {
        sweep.manifest.run.shard_seconds = seconds;
        Plan::new(sweep.space.as_ref(), sweep.options()).map(|plan| plan.shards())
    };
    assert_eq!(shards(10.0), Ok(1));
    assert!(shards(0.00001).unwrap() > 5);
    assert_eq!(shards(1e-12), Ok(13 * 13 * 13));
}
