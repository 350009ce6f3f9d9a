//! Each solver finds the Grundy values of the reference, a disjoint union is worth the nim-sum, and the numbering of members
//! has each once.

use proptest::prelude::*;

use crate::families::{Family, SolveError, Task};
use crate::sweep::{KeptRecord, Record};
use crate::value::Play;

use super::super::HypergraphTakeaway;
use super::super::components::{Components, Numbering};
use super::super::hypergraph::Hypergraph;
use super::super::reference::ReferenceSolver;
use super::super::solver::{Lattice, Members};
use super::{GoOn, sweep, task, whole};

fn lattice(hypergraph: &Hypergraph) -> u32 {
    Lattice::worth(hypergraph, Play::Normal, &mut || true).unwrap().into()
}

#[test]
fn every_member_with_up_to_8_vertices_in_x_has_the_value_of_the_reference_by_both_solvers() {
    let numbering = Numbering::new(8);
    let mut solver = Members::new(8, Play::Normal);
    solver.fill(8, &mut || true).unwrap();
    let mut reference = ReferenceSolver::default();
    for order in [2, 4, 6, 8] {
        for number in 0..numbering.count(order) {
            let member = numbering.graph(order, number).member();
            let expected = reference.grundy(&member);
            assert_eq!(u32::from(solver.worth(order, number)), expected, "{:?}", numbering.graph(order, number));
            assert_eq!(lattice(&member), expected, "{:?}", numbering.graph(order, number));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_hypergraphs_on_up_to_7_vertices_have_the_value_of_the_reference(
        vertices in 0u32..=7,
        hyperedges in prop::collection::btree_set(3u64..128, 0..9),
    ) {
        let inside = hyperedges.into_iter().map(|set| set & ((1 << vertices) - 1)).filter(|set| set.count_ones() >= 2);
        let distinct: std::collections::BTreeSet<u64> = inside.collect();
        let hypergraph = Hypergraph::new(vertices, distinct.into_iter().collect());
        prop_assert_eq!(lattice(&hypergraph), ReferenceSolver::default().grundy(&hypergraph));
    }
}

proptest! {
    #[test]
    fn renumbering_the_vertices_changes_nothing(order in Just([0u32, 1, 2, 3, 4, 5]).prop_shuffle(), hyperedges in prop::collection::btree_set(3u64..64, 0..7)) {
        let hyperedges: Vec<u64> = hyperedges.into_iter().filter(|set| set.count_ones() >= 2).collect();
        let renumber = |set: &u64| (0..6).filter(|vertex| set >> vertex & 1 == 1).map(|vertex: usize| 1u64 << order[vertex]).sum();
        let renumbered = hyperedges.iter().map(renumber).collect();
        let (one, other) = (Hypergraph::new(6, hyperedges), Hypergraph::new(6, renumbered));
        prop_assert_eq!(ReferenceSolver::default().grundy(&one), ReferenceSolver::default().grundy(&other));
    }

    /// A disjoint union is a disjunctive sum: its Grundy value is the nim-sum.
    #[test]
    fn a_disjoint_union_is_worth_the_nim_sum(one in prop::collection::btree_set(3u64..16, 0..5), other in prop::collection::btree_set(3u64..8, 0..4)) {
        let several = |sets: std::collections::BTreeSet<u64>| sets.into_iter().filter(|set| set.count_ones() >= 2).collect::<Vec<u64>>();
        let (one, other) = (several(one), several(other));
        let both = one.iter().copied().chain(other.iter().map(|set| set << 4)).collect();
        let parts = lattice(&Hypergraph::new(4, one)) ^ lattice(&Hypergraph::new(3, other));
        prop_assert_eq!(lattice(&Hypergraph::new(7, both)), parts);
    }
}

/// The number of graphs of maximum degree 2 with n vertices: by the product over the orders of paths (1, 2, 3, …) and of cycles
/// (3, 4, …) of 1 / (1 - x^order).
fn graphs_of_maximum_degree_2(vertices: usize) -> Vec<u64> {
    let mut counts = vec![0u64; vertices + 1];
    counts[0] = 1;
    for order in (1..=vertices).chain(3..=vertices) {
        for total in order..=vertices {
            counts[total] += counts[total - order];
        }
    }
    counts
}

#[test]
fn there_are_as_many_members_as_graphs_of_maximum_degree_2_with_an_edge() {
    let expected = graphs_of_maximum_degree_2(62);
    assert_eq!(expected[..9], [1, 1, 2, 4, 7, 11, 19, 29, 46]);
    for order in (2..=62).step_by(2) {
        let sweep = sweep(&format!("[space]\nvertices = {order}\n"));
        assert_eq!(sweep.configurations(), u128::from(expected[order] - 1), "{order}");
    }
}

#[test]
fn graphs_are_numbered_by_edges_each_once() {
    let numbering = Numbering::new(13);
    for order in 0..=13 {
        let graphs: Vec<Components> = (0..numbering.count(order)).map(|number| numbering.graph(order, number)).collect();
        for (number, graph) in (0..).zip(&graphs) {
            assert_eq!((graph.order(), numbering.number(graph)), (order, number), "{graph:?}");
        }
        assert!(graphs.windows(2).all(|pair| pair[0].size() <= pair[1].size() && pair[0] != pair[1]));
        let distinct: std::collections::BTreeSet<&Components> = graphs.iter().collect();
        assert_eq!(distinct.len(), graphs.len());
        assert_eq!(graphs.last().map(Components::size), Some(numbering.greatest_size(order)));
    }
}

/// Every graph on few vertices by its set of edges, told apart by the components alone.
#[test]
fn components_of_all_graphs_of_maximum_degree_2_are_numbered() {
    use super::super::components::Component;
    for order in 0..=6u32 {
        let pairs: Vec<(u32, u32)> = (0..order).flat_map(|high| (0..high).map(move |low| (low, high))).collect();
        let mut seen = std::collections::BTreeSet::new();
        for edges in 0u32..1 << pairs.len() {
            let chosen: Vec<(u32, u32)> = (0..).zip(&pairs).filter(|(place, _)| edges >> place & 1 == 1).map(|(_, pair)| *pair).collect();
            let degree = |vertex: u32| chosen.iter().filter(|(low, high)| *low == vertex || *high == vertex).count();
            if (0..order).any(|vertex| degree(vertex) > 2) {
                continue;
            }
            let mut label: Vec<u32> = (0..order).collect();
            for _ in 0..order {
                for (low, high) in &chosen {
                    let least = label[*low as usize].min(label[*high as usize]);
                    (label[*low as usize], label[*high as usize]) = (least, least);
                }
            }
            let component = |root: u32| {
                let here: Vec<u32> = (0..order).filter(|vertex| label[*vertex as usize] == root).collect();
                let is_cycle = here.iter().all(|vertex| degree(*vertex) == 2);
                (!here.is_empty()).then_some(Component { order: here.len() as u8, is_cycle })
            };
            seen.insert(Components::new((0..order).filter_map(component).collect()));
        }
        let numbering = Numbering::new(order.max(1));
        let numbered = (0..numbering.count(order)).map(|number| numbering.graph(order, number)).collect();
        assert_eq!(seen, numbered, "{order}");
    }
}

#[test]
fn a_stopped_shard_has_no_result_and_the_solver_goes_on_afterwards() {
    struct Stop;
    impl crate::families::Pulse for Stop {
        fn beat(&mut self, _decided: u128) -> bool {
            false
        }
    }
    for space in super::SAMPLES {
        let sweep = sweep(&format!("[space]\n{space}"));
        let task = Task { record: Record::All, ..task(&sweep) };
        let mut solver = sweep.space.solver();
        assert_eq!(solver.solve(&whole(&sweep, 0), &task, &mut Stop), Err(SolveError::Stopped));
        let after = solver.solve(&whole(&sweep, 0), &task, &mut GoOn).unwrap();
        assert_eq!(after, sweep.space.solver().solve(&whole(&sweep, 0), &task, &mut GoOn).unwrap());
    }
}

#[test]
fn a_hypergraph_in_a_list_is_worth_what_it_is_worth_elsewhere() {
    let values = |space: &str| {
        let sweep = sweep(&format!("[space]\n{space}"));
        let task = Task { record: Record::All, ..task(&sweep) };
        let mut records: Vec<KeptRecord> = sweep.space.solver().solve(&whole(&sweep, 0), &task, &mut GoOn).unwrap().records;
        records.sort();
        records.into_iter().map(|record| record.value).collect::<Vec<String>>()
    };
    let parameters = |text: &str| vec![("edges".to_owned(), text.to_owned())];
    let explained = |text: &str| HypergraphTakeaway.explain(&parameters(text)).unwrap().value.unwrap();
    // The two members with two vertices in X are one up to isomorphism, and the first with four.
    assert_eq!(values("edges = [\"xy,Txy\", \"abcd,Sab\"]"), [explained("xy,Txy"), explained("abcd,Sab")]);
    assert_eq!(values("vertices = 2"), [explained("xy,Txy")]);
}
