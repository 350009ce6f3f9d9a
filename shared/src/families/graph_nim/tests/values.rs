//! The solver and the reference find the same outcomes, on every graph with up to five edges, on the paper's graphs and on
//! random ones.

use std::collections::HashSet;

use proptest::prelude::*;

use crate::value::{Outcome, Play};

use super::super::graph::Graph;
use super::super::layout::Layout;
use super::super::reference::ReferenceSolver;
use super::super::rules::any_move;
use super::super::small_graphs::graphs_with;
use super::{each_position, named_graphs};

fn assert_equals_reference(graph: &Graph, high: &[u32]) {
    let mut reference = ReferenceSolver::new(graph.clone(), Play::Normal);
    // The largest position first, so that all are marked once.
    reference.outcome(high);
    each_position(graph, high, (Layout::new(graph, high), Play::Normal), |position, outcome| {
        assert_eq!(outcome, reference.outcome(position), "{graph} {position:?}");
    });
}

#[test]
fn the_solver_equals_the_reference_on_every_graph_with_up_to_five_edges() {
    for edges in 1..=5 {
        for graph in graphs_with(edges) {
            assert_equals_reference(graph, &vec![3; edges]);
        }
    }
}

#[test]
fn the_solver_equals_the_reference_on_the_named_graphs_up_to_10() {
    for graph in named_graphs() {
        assert_equals_reference(&graph, &vec![10; graph.edges().len()]);
    }
}

/// P-positions do not change when edges are permuted along an automorphism, and the solver, which walks edges in an order of
/// its own, does not know that.
#[test]
fn automorphisms_change_nothing() {
    for graph in graphs_with(4).iter().chain(graphs_with(5)) {
        let high = vec![3; graph.edges().len()];
        let mut losing = HashSet::new();
        each_position(graph, &high, (Layout::new(graph, &high), Play::Normal), |position, outcome| {
            if outcome == Outcome::P {
                losing.insert(position.to_vec());
            }
        });
        for order in permutations(graph.edges().len()) {
            let permuted: Vec<String> = order.iter().map(|edge| graph.edge_name(*edge)).collect();
            let is_automorphism = is_isomorphism_in_order(graph, &Graph::parse(permuted.iter().map(String::as_str)).unwrap());
            if is_automorphism {
                let image = |position: &Vec<u32>| order.iter().map(|edge| position[*edge]).collect::<Vec<u32>>();
                assert!(losing.iter().all(|position| losing.contains(&image(position))), "{graph} {order:?}");
            }
        }
    }
}

/// Whether edge i of one graph goes to edge i of the other: edges of both share vertices in the same way, and so do triples,
/// which tells a triangle from a star.
fn is_isomorphism_in_order(one: &Graph, other: &Graph) -> bool {
    let share = |graph: &Graph, edges: &[usize]| {
        let common = |vertex: &usize| edges.iter().all(|edge| graph.edges()[*edge].contains(vertex));
        (0..graph.vertices()).filter(common).count()
    };
    let edges = one.edges().len();
    let all = (0..edges).flat_map(|a| (0..edges).flat_map(move |b| (0..edges).map(move |c| [a, b, c])));
    all.into_iter().all(|triple| share(one, &triple) == share(other, &triple))
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for item in 0..count {
        let longer =
            |shorter: &Vec<usize>| (0..=shorter.len()).map(|at| [&shorter[..at], &[item], &shorter[at..]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
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
    assert_eq!(ReferenceSolver::new(h1.clone(), Play::Normal).outcome(&[5, 1, 6, 11]), Outcome::P);
    let high = [5, 1, 6, 11];
    let mut last = None;
    each_position(&h1, &high, (Layout::new(&h1, &high), Play::Normal), |position, outcome| {
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
    each_position(&h1, &high, (Layout::new(&h1, &high), Play::Normal), |_, outcome| count += u32::from(outcome == Outcome::P));
    assert_eq!(count, 7971);
}

#[test]
fn the_reference_refuses_what_has_too_many_positions_below() {
    assert!(ReferenceSolver::refuses(&[5, 1, 6, 11]).is_none());
    assert!(ReferenceSolver::refuses(&[65_535; 2]).unwrap().contains("this one has 4294967296"));
    assert!(ReferenceSolver::refuses(&[65_535; 16]).is_some());
    // The longest that it takes on.
    assert!(ReferenceSolver::refuses(&[1023, 1023]).is_none() && ReferenceSolver::refuses(&[1023, 1024]).is_some());
    assert_eq!(ReferenceSolver::new(Graph::parse(["AB", "CD"]).unwrap(), Play::Normal).outcome(&[1023, 1023]), Outcome::P);
}

/// The reference against the definition, position by position.
#[test]
fn the_reference_is_p_where_no_move_leads_to_p() {
    for graph in (1..=4).flat_map(graphs_with) {
        let high = vec![3; graph.edges().len()];
        let mut reference = ReferenceSolver::new(graph.clone(), Play::Normal);
        reference.outcome(&high);
        each_position(graph, &high, (Layout::new(graph, &high), Play::Normal), |position, _| {
            let reaches_p = any_move(graph, position, |_, to| reference.outcome(to) == Outcome::P);
            assert_eq!(reference.outcome(position) == Outcome::N, reaches_p, "{graph} {position:?}");
        });
    }
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
