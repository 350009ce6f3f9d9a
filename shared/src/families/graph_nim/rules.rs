//! The rules of Graph Nim (Definition 1.2), and nothing more: a move picks a vertex and removes a total of at least 1 from
//! the weights of the edges at it. Who cannot move loses.

use super::graph::Graph;

/// A position of Graph Nim on a given graph: one weight an edge, in the graph's order.
pub type Weights = Vec<u32>;

/// The greatest weight of an edge, 2^16 - 1.
pub const MAX_WEIGHT: u32 = 65_535;

/// Calls `visit` with each move until it returns true, and says whether it did.
///
/// A move that takes from a single edge is met twice, once at each end: the rules name a vertex. Cost: for each vertex the
/// product over its edges of weight + 1.
pub fn any_move(graph: &Graph, weights: &[u32], mut visit: impl FnMut(usize, &[u32]) -> bool) -> bool {
    let mut to = weights.to_vec();
    for vertex in 0..graph.vertices() {
        let edges = graph.incident(vertex);
        for edge in edges {
            to[*edge] = 0;
        }
        // Counts up through all choices of remaining weights at this vertex, and stops at the position itself.
        while edges.iter().any(|edge| to[*edge] != weights[*edge]) {
            if visit(vertex, &to) {
                return true;
            }
            for edge in edges.iter().rev() {
                if to[*edge] < weights[*edge] {
                    to[*edge] += 1;
                    break;
                }
                to[*edge] = 0;
            }
        }
    }
    false
}

/// Calls `visit` with each position up to `high` that has a move to this one until it returns true, and says whether it did.
///
/// A vertex whose edges are all at another vertex too has no move that the other has not, and is passed over. Cost: for each
/// vertex left the product over its edges of the weights from here to `high`.
pub fn any_position_above(graph: &Graph, weights: &[u32], high: &[u32], mut visit: impl FnMut(&[u32]) -> bool) -> bool {
    let mut from = weights.to_vec();
    for vertex in (0..graph.vertices()).filter(|vertex| !graph.is_covered(*vertex)) {
        let edges = graph.incident(vertex);
        // Counts up through all choices of weights at this vertex that are no smaller, and begins at the position itself.
        while let Some(place) = edges.iter().rposition(|edge| from[*edge] < high[*edge]) {
            from[edges[place]] += 1;
            edges[place + 1..].iter().for_each(|edge| from[*edge] = weights[*edge]);
            if visit(&from) {
                return true;
            }
        }
        edges.iter().for_each(|edge| from[*edge] = weights[*edge]);
    }
    false
}

/// How many moves [`any_move`] visits when nothing stops it. A move on one edge counts once for each of its ends.
#[must_use]
pub fn count_moves(graph: &Graph, weights: &[u32]) -> u128 {
    let choices =
        |vertex| graph.incident(vertex).iter().fold(1u128, |product, edge| product.saturating_mul(u128::from(weights[*edge]) + 1));
    (0..graph.vertices()).fold(0u128, |sum, vertex| sum.saturating_add(choices(vertex) - 1))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_positions_above_are_those_with_a_move_here() {
        for edges in [&["AB", "BC"][..], &["AB", "BC", "CA"], &["AB", "CD", "AC"]] {
            let graph = Graph::parse(edges.iter().copied()).unwrap();
            let high = [3, 2, 2];
            let high = &high[..edges.len()];
            let mut all = BTreeSet::from([vec![0; edges.len()]]);
            any_position_above(&graph, &vec![0; edges.len()], high, |_| false);
            // Every position of the box, by counting up.
            for edge in 0..edges.len() {
                let raised = |position: &Weights| {
                    (0..=high[edge])
                        .map(|weight| {
                            let mut raised = position.clone();
                            raised[edge] = weight;
                            raised
                        })
                        .collect::<Vec<_>>()
                };
                all = all.iter().flat_map(raised).collect();
            }
            let (mut down, mut up) = (BTreeSet::new(), BTreeSet::new());
            for position in &all {
                any_move(&graph, position, |_, to| {
                    down.insert((position.clone(), to.to_vec()));
                    false
                });
                any_position_above(&graph, position, high, |from| {
                    up.insert((from.to_vec(), position.clone()));
                    false
                });
            }
            assert_eq!(down, up);
        }
    }

    #[test]
    fn the_moves_on_a_path_of_two_edges_are_those_of_the_definition() {
        let graph = Graph::parse(["AB", "BC"]).unwrap();
        let mut moves = Vec::new();
        any_move(&graph, &[1, 1], |vertex, to| {
            moves.push((graph.label(vertex), to.to_vec()));
            false
        });
        let expected = [('A', vec![0, 1]), ('B', vec![0, 0]), ('B', vec![0, 1]), ('B', vec![1, 0]), ('C', vec![1, 0])];
        assert_eq!(moves, expected);
        assert_eq!(count_moves(&graph, &[1, 1]), 5);
        assert_eq!(count_moves(&graph, &[0, 0]), 0);
    }
}
