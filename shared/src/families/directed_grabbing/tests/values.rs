//! The reference, the lattice and the algorithm for unions of paths find the same val, on all small positions and on random
//! larger ones.

use proptest::prelude::*;

use super::super::dags::digraphs;
use super::super::lattice::{Lattice, Valuer};
use super::super::paths::value_of_paths;
use super::super::reference::ReferenceSolver;
use super::super::rules::{Digraph, Grid, Position};
use super::super::weights::WeightRange;
use super::{reference, unions};

#[test]
fn val_is_what_the_rules_say_on_positions_worked_by_hand() {
    for (paths, value) in [
        (vec![], 0),
        (vec![vec![5]], 5),
        (vec![vec![3, 1, 2]], 3 - 1 + 2),
        (vec![vec![4], vec![3], vec![1]], 4 - 3 + 1),
        // The player who opens the first path gives away the 3: Alice leaves that to Bob.
        (vec![vec![0, 3], vec![0]], 3),
        // Here Bob leaves it to Alice.
        (vec![vec![0, 3], vec![0], vec![0]], -3),
    ] {
        let position = Position::of_paths(&paths).unwrap();
        assert_eq!(reference(&position), value, "{paths:?}");
    }
}

#[test]
fn every_way_to_val_agrees_on_every_union_of_paths_with_up_to_7_vertices() {
    let mut valuer = Valuer::default();
    for paths in unions(7, "-1..=2") {
        let position = Position::of_paths(&paths).unwrap();
        let expected = reference(&position);
        assert_eq!(valuer.value(&position), expected, "{paths:?}");
        assert_eq!(value_of_paths(&paths), expected, "{paths:?}");
        assert_eq!(position.as_paths().map(|found| value_of_paths(&found)), Some(expected));
    }
}

#[test]
fn the_lattice_equals_the_reference_on_every_acyclic_digraph_with_up_to_4_vertices() {
    let weights = WeightRange::parse("-1..=1").unwrap();
    let mut valuer = Valuer::default();
    for graph in (0..=4).flat_map(digraphs) {
        for number in 0..3u64.pow(graph.vertices() as u32) {
            let position = Position { graph: graph.clone(), weights: weights.weighting(number, graph.vertices()), grid: None };
            assert_eq!(valuer.value(&position), reference(&position), "{position:?}");
        }
    }
}

#[test]
fn what_can_be_left_is_counted_by_the_binomial_and_by_the_product() {
    for (rows, columns, sets) in [(1, 1, 2), (1, 5, 6), (4, 5, 126), (5, 5, 252), (6, 7, 1716)] {
        assert_eq!(Lattice::of(&Digraph::grid(Grid { rows, columns }).unwrap()).sets(), sets);
    }
    assert_eq!(Lattice::of(&Digraph::paths(&[3, 2, 2]).unwrap()).sets(), 4 * 3 * 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Longer paths and larger weights than the exhaustive tests have.
    #[test]
    fn the_algorithm_equals_the_lattice_on_any_union_of_paths(paths in prop::collection::vec(prop::collection::vec(-9i64..10, 1..7), 0..5)) {
        let position = Position::of_paths(&paths).unwrap();
        prop_assert_eq!(value_of_paths(&paths), Valuer::default().value(&position));
    }

    /// A constant added to all weights cancels out in pairs of moves.
    #[test]
    fn a_constant_on_all_weights_adds_itself_where_the_number_is_odd(paths in prop::collection::vec(prop::collection::vec(-9i64..10, 1..5), 1..5), constant in -5i64..6) {
        let raised: Vec<Vec<i64>> = paths.iter().map(|path| path.iter().map(|weight| weight + constant).collect()).collect();
        let odd = paths.iter().map(Vec::len).sum::<usize>() % 2 == 1;
        let (before, after) = (Position::of_paths(&paths).unwrap(), Position::of_paths(&raised).unwrap());
        prop_assert_eq!(reference(&after), reference(&before) + if odd { constant } else { 0 });
    }
}

#[test]
fn the_reference_refuses_what_is_too_large() {
    let position = Position::of_paths(&vec![vec![1]; 17]).unwrap();
    let refusal = ReferenceSolver::new(&position).value().unwrap_err();
    assert!(refusal.0.starts_with("17 vertices can be left in more than 65536"), "{refusal}");
    assert!(ReferenceSolver::new(&Position::of_paths(&vec![vec![1; 4]; 3]).unwrap()).value().is_ok());
}
