//! The rules that the solver, the claims and the positions of the reference share, held against their definitions.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::rules::{Digraph, Grid, Position, members};

type Arcs = BTreeSet<(usize, usize)>;

fn arcs(graph: &Digraph) -> Arcs {
    graph.out().iter().enumerate().flat_map(|(from, out)| members(*out).map(move |to| (from, to))).collect()
}

fn digraph_of(vertices: usize, arcs: &Arcs) -> Digraph {
    let mut out = vec![0; vertices];
    arcs.iter().for_each(|(from, to)| out[*from] |= 1 << to);
    Digraph::new(out).unwrap()
}

/// A digraph whose arcs lead down some order of its vertices: each acyclic one is one.
fn digraphs(most: usize) -> impl Strategy<Value = Digraph> {
    let ordered = (0..=most).prop_flat_map(|count| (Just((0..count).collect::<Vec<usize>>()).prop_shuffle(), any::<u64>()));
    ordered.prop_map(|(order, mut bits)| {
        let mut arcs = Arcs::new();
        for (upper, lower) in (0..order.len()).flat_map(|upper| (0..upper).map(move |lower| (upper, lower))) {
            arcs.extend((bits & 1 == 1).then_some((order[upper], order[lower])));
            bits = bits.rotate_right(1);
        }
        digraph_of(order.len(), &arcs)
    })
}

fn weighted(graph: Digraph, weights: &[i64]) -> Position {
    Position { weights: weights[..graph.vertices()].to_vec(), graph, grid: None }
}

/// The arcs between some vertices, each called by its place among them.
fn renamed(arcs: &Arcs, kept: &[usize]) -> Arcs {
    let place = |vertex: &usize| kept.iter().position(|known| known == vertex);
    arcs.iter().filter_map(|(from, to)| Some((place(from)?, place(to)?))).collect()
}

/// A digraph with a path of at least three vertices beside it, its vertices in any order; the path from its sink on.
fn with_a_path_beside() -> impl Strategy<Value = (Digraph, Vec<usize>)> {
    let parts = (digraphs(4), 3usize..7).prop_flat_map(|(graph, length)| {
        let count = graph.vertices() + length;
        (Just(graph), Just(length), Just((0..count).collect::<Vec<usize>>()).prop_shuffle())
    });
    parts.prop_map(|(graph, length, names)| {
        let path = names[names.len() - length..].to_vec();
        let mut all: Arcs = arcs(&graph).into_iter().map(|(from, to)| (names[from], names[to])).collect();
        all.extend(path.windows(2).map(|pair| (pair[1], pair[0])));
        (digraph_of(names.len(), &all), path)
    })
}

proptest! {
    /// A sink is a vertex that is left without an arc to another that is left.
    #[test]
    fn sinks_have_no_arc_to_what_is_left(graph in digraphs(9), left: u64) {
        let left = left & graph.all();
        let is_left = |vertex: usize| left >> vertex & 1 == 1;
        let arcs = arcs(&graph);
        let expected: Vec<usize> =
            (0..graph.vertices()).filter(|v| is_left(*v) && !arcs.iter().any(|(from, to)| from == v && is_left(*to))).collect();
        prop_assert_eq!(graph.sinks(left).collect::<Vec<_>>(), expected);
    }

    /// Without some vertices: the others with their weights, and the arcs between them.
    #[test]
    fn what_is_left_without_some_vertices_is_the_subgraph_of_the_others(graph in digraphs(9), gone: u64, weights in prop::collection::vec(-9i64..10, 9)) {
        let position = weighted(graph, &weights);
        let after = position.without(gone & position.graph.all());
        let kept: Vec<usize> = (0..position.weights.len()).filter(|vertex| gone >> vertex & 1 == 0).collect();
        prop_assert_eq!(after.weights, kept.iter().map(|vertex| position.weights[*vertex]).collect::<Vec<_>>());
        prop_assert_eq!(after.graph.vertices(), kept.len());
        prop_assert_eq!(arcs(&after.graph), renamed(&arcs(&position.graph), &kept));
    }

    /// Three consecutive vertices of a path become one: v_(i-1), v_i and v_(i+1) go with their arcs, and a new vertex has an arc to
    /// v_(i-2) and one from v_(i+2), where they are there.
    #[test]
    fn fused_vertices_are_one_in_their_place((graph, path) in with_a_path_beside(), at: usize, weight in -9i64..10, weights in prop::collection::vec(-9i64..10, 10)) {
        let position = weighted(graph, &weights);
        let i = 1 + at % (path.len() - 2);
        let three = [path[i - 1], path[i], path[i + 1]];
        let new = position.graph.vertices();
        let mut expected: Arcs = arcs(&position.graph).into_iter().filter(|(from, to)| !three.contains(from) && !three.contains(to)).collect();
        expected.extend((i >= 2).then(|| (new, path[i - 2])));
        expected.extend(path.get(i + 2).map(|above| (*above, new)));
        // The new vertex stands where v_(i-1) stood, and the others keep their order.
        let kept: Vec<usize> = (0..new).filter(|vertex| !three[1..].contains(vertex)).map(|vertex| if vertex == three[0] { new } else { vertex }).collect();
        let after = position.fused(&path, i, weight);
        prop_assert_eq!(after.weights, kept.iter().map(|vertex| if *vertex == new { weight } else { position.weights[*vertex] }).collect::<Vec<_>>());
        prop_assert_eq!(arcs(&after.graph), renamed(&expected, &kept));
    }

    /// A connected component is a directed path iff no vertex of it has two arcs in or two arcs out.
    #[test]
    fn path_components_are_the_components_that_are_paths((graph, _) in with_a_path_beside(), other in digraphs(9)) {
        for graph in [graph, other] {
            let arcs = arcs(&graph);
            let mut expected = BTreeSet::new();
            for start in 0..graph.vertices() {
                let mut component = BTreeSet::from([start]);
                for _ in 0..graph.vertices() {
                    component.extend(arcs.iter().filter(|(from, to)| component.contains(from) || component.contains(to)).flat_map(|(from, to)| [*from, *to]).collect::<Vec<_>>());
                }
                let most = |end: fn(&(usize, usize)) -> usize| component.iter().map(|vertex| arcs.iter().filter(|arc| end(arc) == *vertex).count()).max();
                if most(|arc| arc.0) <= Some(1) && most(|arc| arc.1) <= Some(1) {
                    expected.insert(component);
                }
            }
            let found = graph.path_components();
            for path in &found {
                prop_assert!(path.windows(2).all(|pair| arcs.contains(&(pair[1], pair[0]))), "{:?} from its sink on", path);
            }
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(found.into_iter().map(|path| path.into_iter().collect()).collect::<BTreeSet<BTreeSet<usize>>>(), expected);
        }
    }

    /// v_1 comes first in each path, and v_(k+1) has an arc to v_k.
    #[test]
    fn unions_of_paths_have_the_arcs_of_their_definition(lengths in prop::collection::vec(1usize..6, 0..6)) {
        let vertices: Vec<(usize, usize)> = lengths.iter().enumerate().flat_map(|(path, length)| (1..=*length).map(move |k| (path, k))).collect();
        let pairs = (0..vertices.len()).flat_map(|from| (0..vertices.len()).map(move |to| (from, to)));
        let expected = pairs.filter(|(from, to)| vertices[*from].0 == vertices[*to].0 && vertices[*from].1 == vertices[*to].1 + 1).collect();
        prop_assert_eq!(arcs(&Digraph::paths(&lengths).unwrap()), expected);
    }
}

/// (i,j) has an arc to (i-1,j) and to (i,j-1), where they are there.
#[test]
fn grids_have_the_arcs_of_their_definition() {
    for (rows, columns) in (1..=6).flat_map(|rows| (1..=6).map(move |columns| (rows, columns))) {
        let cells: Vec<(usize, usize)> = (1..=rows).flat_map(|i| (1..=columns).map(move |j| (i, j))).collect();
        let leads = |(i, j): (usize, usize), to: (usize, usize)| to == (i - 1, j) || to == (i, j - 1);
        let pairs = (0..cells.len()).flat_map(|from| (0..cells.len()).map(move |to| (from, to)));
        let expected = pairs.filter(|(from, to)| leads(cells[*from], cells[*to])).collect();
        assert_eq!(arcs(&Digraph::grid(Grid { rows, columns }).unwrap()), expected, "{rows} x {columns}");
    }
}
