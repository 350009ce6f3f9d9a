//! Boxes of directed grabbing: their sizes in closed form, their encodings and keys, and the sentence that each bad box gets.

use crate::families::judge::keyed;
use crate::families::testing::assert_refused;
use crate::families::{Family, Pulse, SolveError, Task};
use crate::sweep::Shard;

use super::super::DirectedGrabbing;
use super::super::key::WeightedDigraph;
use super::{GoOn, sweep, task};

#[test]
fn configurations_are_counted_in_closed_form() {
    for (space, count) in [
        // One path of 2, or two of 1 up to order: 4 + 3.
        ("paths = { vertices = 2, weights = \"0..=1\" }", 7),
        ("paths = { vertices = 0, weights = \"0..=1\" }", 1),
        ("grid = { rows = \"1..=4\", columns = \"1..=5\", weights = \"0..=1\" }", grids(4, 5, 2)),
        ("grid = { rows = \"1..=2\", columns = \"1..=3\", weights = \"-1..=1\" }", grids(2, 3, 3)),
        ("dags = { vertices = \"1..=5\", weights = \"0..=2\" }", 3 + 2 * 9 + 6 * 27 + 31 * 81 + 302 * 243),
    ] {
        assert_eq!(sweep(&format!("[space]\n{space}\n")).configurations(), count, "{space}");
    }
}

fn grids(rows: u32, columns: u32, base: u128) -> u128 {
    (1..=rows).flat_map(|p| (1..=columns).map(move |q| base.pow(p * q))).sum()
}

#[test]
fn shards_of_grids_end_where_a_grid_ends() {
    let sweep = sweep("[space]\ngrid = { rows = \"2..=3\", columns = \"2..=4\", weights = \"0..=1\" }\n");
    // 2^4, 2^6, 2^8, 2^6, 2^9 and 2^12 weightings in units of at most 256.
    let sizes = [16, 64, 256, 64, 256, 256].into_iter().chain([256; 16]);
    assert_eq!(sweep.space.units(0), 22);
    for (unit, size) in (0..).zip(sizes) {
        assert_eq!(sweep.space.configurations(&Shard { box_index: 0, start: unit, end: unit + 1 }), size, "{unit}");
    }
    assert_eq!(sweep.space.configurations(&Shard { box_index: 0, start: 1, end: 5 }), 64 + 256 + 64 + 256);
}

#[test]
fn claims_about_grids_speak_about_grids_of_the_right_parity_alone() {
    let speaking = |space: &str| sweep(&format!("[space]\n{space}\n")).claim_ids().len();
    assert_eq!(speaking("paths = { vertices = 3, weights = 1 }"), 11);
    // Lemmas 1 and 2 besides. Both even: two propositions, one open set, both corollaries, the third; and two strategies. Both odd: two
    // strategies and what is said of A-good configurations.
    assert_eq!(speaking("grid = { rows = 4, columns = 4, weights = \"0..=1\" }"), 2 + 6 + 2);
    assert_eq!(speaking("grid = { rows = 3, columns = 3, weights = \"0..=1\" }"), 2 + 6 + 5);
    // A grid with one row is a path: what asks for three vertices of one is silent on two.
    assert_eq!(speaking("grid = { rows = 1, columns = 2, weights = \"0..=1\" }"), 2 + 6 + 4 + 2);
    assert_eq!(speaking("grid = { rows = 1, columns = 3, weights = \"0..=1\" }"), 11 + 4 + 5);
    // Strategies are counted at the weighting by 0, which is not there.
    assert_eq!(speaking("grid = { rows = 3, columns = 3, weights = \"1..=2\" }"), 2 + 6);
}

#[test]
fn each_bad_box_gets_a_sentence_that_names_the_key() {
    let cases = [
        ("", "space is missing; write for instance paths ="),
        ("path = 1", "space.path: unknown key; did you mean 'paths'?"),
        ("paths = 3", "space.paths: 3 is not a table such as { vertices = \"1..=8\", weights = \"0..=3\" }"),
        ("paths = { vertices = 3, weights = 1 }\ndags = { vertices = 3, weights = 1 }", "space: a box has one of paths, grid and dags"),
        ("paths = { vertices = 3 }", "space.paths.weights is missing"),
        ("paths = { vertices = 3, weights = 1.5 }", "space.paths.weights: '1.5' is not a range of integers"),
        ("paths = { vertices = 3, weights = \"2..=1\" }", "space.paths.weights: the range 2..=1 is empty"),
        ("paths = { vertices = 3, weights = \"0..=10000000000\" }", "space.paths.weights: 10000000000 is not allowed"),
        ("paths = { vertices = -1, weights = 1 }", "space.paths.vertices: '-1' is not a range"),
        ("paths = { vertices = 13, weights = 1 }", "space.paths.vertices: 13 is not allowed; a union of paths in a sweep has at most 12"),
        ("paths = { vertices = 12, weights = \"0..=99\" }", "space.paths: there are "),
        ("paths = { vertices = 3, weight = 1 }", "space.paths.weight: unknown key; did you mean 'weights'?"),
        ("grid = { rows = 0, columns = 3, weights = 1 }", "space.grid.rows: 0 is not allowed; it is a number or a range from 1"),
        ("grid = { rows = 3, columns = \"1..=65\", weights = 1 }", "space.grid.columns: 1..=65 is not allowed"),
        ("grid = { rows = 3, weights = 1 }", "space.grid.columns is missing"),
        (
            "grid = { rows = 7, columns = 7, weights = \"0..=1\" }",
            "space.grid: a 7 x 7 grid has 2^49 = 562,949,953,421,312 weightings by 0..=1, and the limit is 2^42 = 4,398,046,511,104",
        ),
        (
            "grid = { rows = 20, columns = 20, weights = \"0..=2\" }",
            "space.grid: a 20 x 20 grid has 3^400 weightings by 0..=2, and the limit",
        ),
        ("grid = { rows = 10, columns = 10, weights = 1 }", "space.grid: a 10 x 10 grid has 100 vertices, and the limit is 64"),
        ("dags = { vertices = 7, weights = 1 }", "space.dags.vertices: 7 is not allowed; every acyclic digraph is listed up to 6"),
        ("dags = { vertices = 6, weights = \"0..=999999\" }", "space.dags: there are"),
        ("dags = { vertices = 2, weights = \"a\" }", "space.dags.weights: 'a' is not a range of integers"),
    ];
    assert_refused(&DirectedGrabbing, &cases);
}

#[test]
fn bad_encodings_are_refused() {
    for bad in [
        "",
        "{}",
        "{\"version\":2,\"boxes\":[{\"paths\":{\"vertices\":\"3\",\"weights\":\"1\"}}]}",
        "{\"version\":1,\"boxes\":[]}",
        "{\"version\":1,\"boxes\":[{\"paths\":{\"vertices\":\"33\",\"weights\":\"1\"}}]}",
        "{\"version\":1,\"boxes\":[{\"grid\":{\"rows\":\"3\",\"weights\":\"1\"}}]}",
        "{\"version\":1,\"boxes\":[{\"tree\":{\"vertices\":\"3\",\"weights\":\"1\"}}]}",
    ] {
        assert!(DirectedGrabbing.decode(bad, &[], &[]).is_err(), "{bad}");
    }
}

#[test]
fn keys_of_other_spaces_have_no_value() {
    let small = sweep("[space]\npaths = { vertices = \"1..=2\", weights = \"0..=1\" }\n");
    let key = |paths: &[Vec<i64>], index| keyed(index, &WeightedDigraph::Paths(paths.to_vec()));
    let mut reference = small.space.reference();
    assert_eq!(reference.value(&key(&[vec![1], vec![0]], 0)), None, "paths of one length stand in ascending order");
    assert_eq!(reference.value(&key(&[vec![0], vec![1]], 0)), Some("1".into()));
    for (paths, index) in [(vec![vec![2]], 0), (vec![vec![0, 0, 0]], 0), (vec![vec![0], vec![1]], 1), (vec![], 0)] {
        assert_eq!(reference.value(&key(&paths, index)), None, "{paths:?} in box {index}");
    }
    // A sum, or a number of vertices, that is not that of the weights.
    for at in [7, 8] {
        let mut forged = key(&[vec![0], vec![1]], 0);
        forged[at] ^= 1;
        assert_eq!(reference.value(&forged), None, "byte {at}");
    }
}

#[test]
fn a_budget_below_the_tables_is_refused_before_they_are_made() {
    let sweep = sweep("[space]\ngrid = { rows = 5, columns = 5, weights = \"0..=1\" }\n");
    let task = Task { budget_bytes: 1000, ..task(&sweep) };
    let result = sweep.space.solver().solve(&Shard { box_index: 0, start: 0, end: 1 }, &task, &mut GoOn);
    assert!(matches!(result, Err(SolveError::TooLarge { budget: 1000, .. })));
}

/// Says stop at once.
struct Stop;

impl Pulse for Stop {
    fn beat(&mut self, _decided: u128) -> bool {
        false
    }
}

#[test]
fn a_stopped_shard_has_no_result() {
    for space in ["grid = { rows = 2, columns = 3, weights = \"0..=1\" }", "dags = { vertices = 2, weights = 1 }"] {
        let sweep = sweep(&format!("[space]\n{space}\n"));
        let result = sweep.space.solver().solve(&Shard { box_index: 0, start: 0, end: 1 }, &task(&sweep), &mut Stop);
        assert_eq!(result, Err(SolveError::Stopped));
    }
}
