//! The reference: Grundy values by plain recursion over what a move leaves, with the rules as they are written.

use std::collections::{BTreeSet, HashMap};

use super::hypergraph::{Hypergraph, members};

/// The most vertices that the reference takes on.
const MAX_VERTICES: u32 = 20;
/// The most positions below the one asked for.
const MAX_POSITIONS: u128 = 1 << 20;
/// Solved positions that are remembered; when there are more, all are forgotten.
pub(super) const MAX_REMEMBERED: usize = 1 << 21;

/// Solves hypergraphs by the definition and remembers each position that it has seen.
#[derive(Default)]
pub struct ReferenceSolver {
    solved: HashMap<Hypergraph, u32>,
}

impl ReferenceSolver {
    /// Why a hypergraph is too large to be solved this way, if it is.
    #[must_use]
    pub fn refuses(hypergraph: &Hypergraph) -> Option<String> {
        let vertices = hypergraph.vertices();
        let problem = match hypergraph.positions(MAX_VERTICES) {
            None => format!("{vertices} vertices"),
            Some(count) if count > MAX_POSITIONS => format!("{count} positions below this one"),
            Some(_) => return None,
        };
        Some(format!("too large for the reference, which takes up to {MAX_VERTICES} vertices and {MAX_POSITIONS} positions: {problem}"))
    }

    /// The Grundy value: the least number that no option has. A hypergraph without vertices has no option and is worth 0.
    ///
    /// The caller has asked [`ReferenceSolver::refuses`]. Cost: each position below, up to renumbering, once.
    pub fn grundy(&mut self, hypergraph: &Hypergraph) -> u32 {
        let position = renumbered(hypergraph);
        if let Some(grundy) = self.solved.get(&position) {
            return *grundy;
        }
        let mut options = BTreeSet::new();
        for vertex in 0..position.vertices() {
            options.insert(self.grundy(&position.without_vertex(vertex)));
        }
        for place in 0..position.hyperedges().len() {
            options.insert(self.grundy(&position.without_hyperedge(place)));
        }
        let grundy = (0..).zip(&options).find(|(number, option)| number != *option).map_or(options.len() as u32, |(number, _)| number);
        if self.solved.len() >= MAX_REMEMBERED {
            self.solved.clear();
        }
        self.solved.insert(position, grundy);
        grundy
    }
}

/// The same hypergraph with its vertices in another order, so that positions that differ in their numbers alone are mostly
/// solved once. Any order is right, since play does not see the numbers; which one it is decides the cost and nothing else.
///
/// Vertices are ordered by a colour that renumbering does not change: a mixture, three times over, of the colours of the
/// hyperedges around.
pub(super) fn renumbered(hypergraph: &Hypergraph) -> Hypergraph {
    let mut colours = vec![1u64; hypergraph.vertices() as usize];
    for _ in 0..3 {
        let mut next: Vec<u64> = colours.iter().map(|colour| mixed(*colour)).collect();
        for edge in hypergraph.hyperedges() {
            let around = members(*edge).fold(0u64, |sum, vertex| sum.wrapping_add(mixed(colours[vertex as usize])));
            for vertex in members(*edge) {
                let colour = &mut next[vertex as usize];
                *colour = colour.wrapping_add(mixed(around));
            }
        }
        colours = next;
    }
    let mut order: Vec<usize> = (0..colours.len()).collect();
    order.sort_by_key(|vertex| colours[*vertex]);
    let mut number = vec![0u32; order.len()];
    for (new, old) in (0u32..).zip(order) {
        number[old] = new;
    }
    let renumber = |edge: &u64| members(*edge).fold(0u64, |set, vertex| set | 1 << number[vertex as usize]);
    let mut hyperedges: Vec<u64> = hypergraph.hyperedges().iter().map(renumber).collect();
    hyperedges.sort_unstable();
    Hypergraph::new(hypergraph.vertices(), hyperedges)
}

/// Scatters the bits of a number.
fn mixed(number: u64) -> u64 {
    let product = (number ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (product ^ (product >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_hypergraphs_are_worth_what_one_finds_by_hand() {
        let grundy = |vertices, hyperedges: &[u64]| ReferenceSolver::default().grundy(&Hypergraph::new(vertices, hyperedges.to_vec()));
        assert_eq!(grundy(0, &[]), 0);
        assert_eq!([1, 2, 3].map(|vertices| grundy(vertices, &[])), [1, 0, 1]);
        // An edge: to one vertex (1) or to two apart (0).
        assert_eq!(grundy(2, &[0b11]), 2);
        // A triangle with its three edges: an edge (2), or a path of two edges, which leads to an edge, two vertices apart,
        // and an edge beside a vertex: values 2, 0, 3, so 1.
        assert_eq!(grundy(3, &[0b11, 0b110]), 1);
        assert_eq!(grundy(3, &[0b11, 0b110, 0b101]), 0);
    }

    #[test]
    fn what_is_too_large_is_refused_with_a_number() {
        assert_eq!(ReferenceSolver::refuses(&Hypergraph::new(20, vec![])), None);
        assert!(ReferenceSolver::refuses(&Hypergraph::new(21, vec![])).unwrap().ends_with("21 vertices"));
        let complete: Vec<u64> = (0..1u64 << 6).filter(|edge| edge.count_ones() >= 2).collect();
        assert!(ReferenceSolver::refuses(&Hypergraph::new(6, complete)).unwrap().contains("positions below this one"));
    }
}
