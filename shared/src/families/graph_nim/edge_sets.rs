//! A box of all sets of so many edges among so many vertices.

use crate::sweep::ManifestError;
use crate::text::grouped;

use super::graph::{Graph, MAX_EDGES};

/// The most edge sets that a box may have.
const MAX_EDGE_SETS: u128 = 1_000_000_000;
/// The most vertices in a box of edge sets: letters A to Z name them.
const MAX_SET_VERTICES: u32 = 26;

/// All sets of a given number of edges among labelled vertices: every graph with so many edges is among them, isolated
/// vertices left out, if there are twice as many vertices.
#[derive(Clone, Debug)]
pub struct EdgeSetBox {
    /// The labelled vertices.
    pub vertices: u32,
    /// The edges of each set.
    pub edges: u32,
    /// How many sets there are.
    pub count: u64,
}

impl EdgeSetBox {
    /// The box of all sets of `edges` edges among `vertices` vertices.
    ///
    /// # Errors
    /// [`ManifestError`] names the number that is out of range.
    pub fn new(vertices: u32, edges: u32) -> Result<Self, ManifestError> {
        if !(2..=MAX_SET_VERTICES).contains(&vertices) {
            let problem = format!("{vertices} is not allowed; it is a number from 2 to {MAX_SET_VERTICES}");
            return Err(ManifestError::field("space.edge_sets.vertices", problem));
        }
        let pairs = vertices * (vertices - 1) / 2;
        if edges == 0 || edges > pairs || edges as usize > MAX_EDGES {
            let most = pairs.min(MAX_EDGES as u32);
            let problem = format!("{edges} is not allowed; with {vertices} vertices it is a number from 1 to {most}");
            return Err(ManifestError::field("space.edge_sets.edges", problem));
        }
        let count = binomial(pairs, edges);
        if count > MAX_EDGE_SETS {
            let problem = format!(
                "{edges} edges among {vertices} vertices make {} sets, and the limit is {}",
                grouped(count),
                grouped(MAX_EDGE_SETS)
            );
            return Err(ManifestError::field("space.edge_sets", problem));
        }
        // It is below MAX_EDGE_SETS.
        Ok(Self { vertices, edges, count: count as u64 })
    }

    /// The set of this number, in the order of the combinatorial number system: sets are compared by their greatest pair.
    pub fn set(&self, number: u64) -> Option<Graph> {
        if number >= self.count {
            return None;
        }
        let letter = |index: u32| char::from(b'A' + index as u8);
        let pairs: Vec<String> = (0..self.vertices).flat_map(|v| (0..v).map(move |u| [letter(u), letter(v)].iter().collect())).collect();
        let mut rest = u128::from(number);
        let mut chosen = Vec::new();
        let mut bound = pairs.len() as u32;
        for size in (1..=self.edges).rev() {
            // The greatest pair c with C(c, size) <= rest; there is one, since C(size-1, size) = 0.
            bound = (0..bound).rev().find(|pair| binomial(*pair, size) <= rest)?;
            rest -= binomial(bound, size);
            chosen.push(pairs[bound as usize].as_str());
        }
        chosen.reverse();
        Graph::parse(chosen).ok()
    }
}

/// n over k; exact for what a box of edge sets asks, n <= 325 and k <= 16.
fn binomial(n: u32, k: u32) -> u128 {
    if k > n {
        return 0;
    }
    (0..k).fold(1, |product, index| product * u128::from(n - index) / u128::from(index + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn edge_sets_are_numbered_without_gap_or_repetition() {
        let sets = EdgeSetBox::new(5, 3).unwrap();
        let all: HashSet<Vec<String>> = (0..sets.count)
            .map(|number| {
                let mut names = sets.set(number).unwrap().edge_names();
                names.sort();
                names
            })
            .collect();
        assert_eq!(sets.count, 120);
        assert_eq!(all.len(), 120);
        assert!(all.iter().all(|edges| edges.len() == 3));
        assert_eq!(sets.set(120), None);
    }

    #[test]
    fn four_edges_on_eight_vertices_make_20475_sets() {
        assert_eq!(EdgeSetBox::new(8, 4).unwrap().count, 20_475);
    }

    #[test]
    fn numbers_out_of_reach_are_named() {
        let error = |vertices, edges| EdgeSetBox::new(vertices, edges).unwrap_err().to_string();
        assert!(error(1, 1).starts_with("space.edge_sets.vertices: 1 is not allowed"));
        assert!(error(27, 1).starts_with("space.edge_sets.vertices: 27 is not allowed"));
        assert!(error(4, 7).starts_with("space.edge_sets.edges: 7 is not allowed; with 4 vertices it is a number from 1 to 6"));
        assert!(error(20, 10).contains("and the limit is 1,000,000,000"));
    }
}
