//! Shifts: what is proved holds far beyond the table that proves it, and near misses are not proved.

use std::collections::HashSet;

use crate::value::{Outcome, Play};

use super::super::graph::Graph;
use super::super::layout::Layout;
use super::super::shifts::{ProvedShift, proved, seen};
use super::super::small_graphs::graphs_with;
use super::each_position;

fn graph(name: &str) -> Graph {
    Graph::named(name).unwrap()
}

/// Whether a shift holds on every position up to `high`, by the solver.
fn holds(graph: &Graph, shift: &ProvedShift, high: &[u32]) -> bool {
    let mut losing = HashSet::new();
    let mut positions = Vec::new();
    each_position(graph, high, (Layout::new(graph, high), Play::Normal), |position, outcome| {
        if outcome == Outcome::P {
            losing.insert(position.to_vec());
        }
        positions.push(position.to_vec());
    });
    let within = |position: &Vec<u32>| shift.bounds.iter().all(|(edge, bound)| position[*edge] <= *bound);
    positions.into_iter().filter(within).all(|position| {
        let mut moved = position.clone();
        shift.edges.iter().for_each(|edge| moved[*edge] += shift.by);
        let inside = moved.iter().zip(high).all(|(weight, high)| weight <= high);
        !inside || losing.contains(&position) == losing.contains(&moved)
    })
}

#[test]
fn h1_is_shifted_by_the_power_of_2_above_ef_whatever_bc_is() {
    for (ef, by) in [(1, 2), (2, 4), (3, 4), (4, 8), (7, 8), (8, 16), (11, 16), (15, 16), (16, 32)] {
        let found = proved(&graph("H1"), &[0, 1, 0, ef]);
        let on_both_ends = found.iter().find(|shift| shift.edges == [0, 2]);
        assert_eq!(on_both_ends, Some(&ProvedShift { edges: [0, 2], by, bounds: vec![(3, ef)] }));
    }
    // The same with EF = 0: then P means AB = CD and BC = 0.
    assert_eq!(proved(&graph("H1"), &[0, 1, 0, 0])[0], ProvedShift { edges: [0, 2], by: 1, bounds: vec![(3, 0)] });
}

#[test]
fn what_is_proved_holds_on_a_larger_box() {
    let shift = ProvedShift { edges: [0, 2], by: 8, bounds: vec![(3, 7)] };
    assert!(proved(&graph("H1"), &[0, 0, 0, 7]).contains(&shift));
    assert!(holds(&graph("H1"), &shift, &[40, 9, 40, 7]));
    // Near misses: the next weight of EF, and the half of the shift.
    assert!(!holds(&graph("H1"), &ProvedShift { bounds: vec![(3, 8)], ..shift.clone() }, &[40, 9, 40, 8]));
    assert!(!holds(&graph("H1"), &ProvedShift { by: 4, ..shift }, &[40, 9, 40, 7]));
}

#[test]
fn every_proved_shift_of_the_small_graphs_holds_on_a_larger_box() {
    let mut count = 0;
    for graph in (2..=4).flat_map(graphs_with) {
        let bound = 1;
        for shift in proved(graph, &vec![bound; graph.edges().len()]).into_iter().filter(|shift| shift.by <= 4) {
            let mut high = vec![3; graph.edges().len()];
            shift.edges.iter().for_each(|edge| high[*edge] = 3 * shift.by + 1);
            shift.bounds.iter().for_each(|(edge, bound)| high[*edge] = *bound);
            assert!(holds(graph, &shift, &high), "{graph} {shift:?}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn shifts_are_seen_where_the_paper_knows_them() {
    let edges = |name: &str| -> Vec<(Vec<usize>, u32)> { seen(&graph(name)).into_iter().map(|shift| (shift.edges, shift.by)).collect() };
    // K3 is P iff all three are equal, F1 iff opposite edges are.
    assert_eq!(edges("K3"), [(vec![0, 1, 2], 1)]);
    let f1 = edges("F1");
    assert!(f1.contains(&(vec![0, 2], 1)) && f1.contains(&(vec![1, 3], 1)) && !f1.iter().any(|(edges, _)| edges.len() == 3), "{f1:?}");
    // A star has no shift: whatever is added is a move.
    assert_eq!(edges("G1"), []);
}
