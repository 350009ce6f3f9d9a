use proptest::prelude::*;

use crate::value::Outcome;

use super::super::graph::Graph;
use super::super::layout::Layout;
use super::super::reference::ReferenceSolver;
use super::{each_position, named_graphs, small_graphs};

fn assert_equals_reference(graph: &Graph, high: &[u32]) {
    let mut reference = ReferenceSolver::new(graph.clone());
    each_position(graph, high, Layout::new(graph, high), |position, outcome| {
        assert_eq!(outcome, reference.outcome(position), "{graph} {position:?}");
    });
}

#[test]
fn there_are_1_2_5_and_11_graphs_with_up_to_four_edges() {
    let graphs = small_graphs();
    let count = |edges| graphs.iter().filter(|graph| graph.edges().len() == edges).count();
    assert_eq!([count(1), count(2), count(3), count(4)], [1, 2, 5, 11]);
}

#[test]
fn the_solver_equals_the_reference_on_every_graph_with_up_to_four_edges() {
    for graph in small_graphs() {
        assert_equals_reference(&graph, &vec![5; graph.edges().len()]);
    }
}

#[test]
fn the_solver_equals_the_reference_on_the_named_graphs_with_uneven_weights() {
    for graph in named_graphs() {
        let high: Vec<u32> = [9, 2, 7, 4].into_iter().take(graph.edges().len()).collect();
        assert_equals_reference(&graph, &high);
    }
}

#[test]
fn values_above_one_word_of_a_set_are_found() {
    // On two single edges p(x) = x, and three of them make the pivot's set longer than a word.
    assert_equals_reference(&Graph::parse(["AB", "CD"]).unwrap(), &[150, 150]);
    assert_equals_reference(&Graph::parse(["AB", "CD", "EF"]).unwrap(), &[3, 70, 70]);
}

#[test]
fn h1_at_5_1_6_11_is_a_p_position_by_both_ways() {
    let h1 = Graph::named("H1").unwrap();
    assert_eq!(ReferenceSolver::new(h1.clone()).outcome(&[5, 1, 6, 11]), Outcome::P);
    let high = [5, 1, 6, 11];
    let mut last = None;
    each_position(&h1, &high, Layout::new(&h1, &high), |position, outcome| {
        if position == high {
            last = Some(outcome);
        }
    });
    assert_eq!(last, Some(Outcome::P));
}

#[test]
fn h1_has_7971_p_positions_with_weights_up_to_32() {
    let h1 = Graph::named("H1").unwrap();
    let high = [32; 4];
    let mut count = 0;
    each_position(&h1, &high, Layout::new(&h1, &high), |_, outcome| count += u32::from(outcome == Outcome::P));
    assert_eq!(count, 7971);
}

#[test]
fn the_reference_refuses_what_would_take_it_too_deep() {
    assert!(ReferenceSolver::refuses(&[5, 1, 6, 11]).is_none());
    assert!(ReferenceSolver::refuses(&[65_535]).unwrap().contains("the sum 65535"));
    assert!(ReferenceSolver::refuses(&[65_535; 16]).is_some());
    // The deepest that it takes on: one call a unit.
    assert_eq!(ReferenceSolver::new(Graph::parse(["AB", "CD"]).unwrap()).outcome(&[300, 300]), Outcome::P);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Graphs with up to seven edges, where several vertices off the pivot have several edges.
    #[test]
    fn the_solver_equals_the_reference_on_random_graphs(pairs in prop::collection::btree_set((0u8..6, 0u8..6), 1..12), high in prop::collection::vec(1u32..3, 7)) {
        let pairs: Vec<String> = pairs.into_iter().filter(|(u, v)| u < v).map(|(u, v)| [u, v].map(|v| char::from(b'A' + v)).iter().collect()).take(7).collect();
        if let Ok(graph) = Graph::parse(pairs.iter().map(String::as_str)) {
            assert_equals_reference(&graph, &high[..graph.edges().len()]);
        }
    }
}
