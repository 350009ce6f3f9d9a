//! A position of the take-away game, with a word of bits for each hyperedge, and its options.

/// The most vertices of a hypergraph: they are the bits of a word.
pub const MAX_VERTICES: u32 = 64;

/// A position of the take-away game: vertices numbered from 0, and hyperedges of at least one vertex each, no two alike.
///
/// A hyperedge is a word whose bit v is set where vertex v lies in it. A move removes a vertex with every hyperedge that
/// contains it, or one hyperedge alone; who takes the last vertex wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hypergraph {
    vertices: u32,
    hyperedges: Vec<u64>,
}

/// A set of vertices as the word of its first `count` vertices.
pub fn first(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The vertices of a set, smallest first.
pub fn members(set: u64) -> impl Iterator<Item = u32> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let vertex = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(vertex)
    })
}

/// A set of vertices after a vertex was removed and those above it moved down by one.
fn close_gap(set: u64, vertex: u32) -> u64 {
    let below = first(vertex);
    (set & below) | ((set >> 1) & !below)
}

impl Hypergraph {
    /// Hyperedges are kept in the order in which they are given. The caller ensures that there are at most 64 vertices, that
    /// every hyperedge has at least one, all among them, and that no two are alike.
    pub fn new(vertices: u32, hyperedges: Vec<u64>) -> Self {
        debug_assert!(vertices <= MAX_VERTICES && hyperedges.iter().all(|edge| *edge != 0 && edge & !first(vertices) == 0));
        Self { vertices, hyperedges }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> u32 {
        self.vertices
    }

    /// The hyperedges, each a set of vertices.
    pub fn hyperedges(&self) -> &[u64] {
        &self.hyperedges
    }

    /// In how many hyperedges a vertex lies.
    pub fn degree(&self, vertex: u32) -> usize {
        self.hyperedges.iter().filter(|edge| *edge >> vertex & 1 == 1).count()
    }

    /// The option without this vertex and the hyperedges that contain it; the vertices above it are numbered one less.
    pub fn without_vertex(&self, vertex: u32) -> Self {
        let rest = self.hyperedges.iter().filter(|edge| *edge >> vertex & 1 == 0);
        Self { vertices: self.vertices - 1, hyperedges: rest.map(|edge| close_gap(*edge, vertex)).collect() }
    }

    /// The option without this hyperedge, given by its place.
    pub fn without_hyperedge(&self, place: usize) -> Self {
        let mut hyperedges = self.hyperedges.clone();
        hyperedges.remove(place);
        Self { vertices: self.vertices, hyperedges }
    }

    /// The steps that [`Hypergraph::positions`] takes.
    pub fn steps_of_positions(&self, most_vertices: u32) -> u128 {
        let sets = if self.vertices > most_vertices { 0 } else { 1u128 << self.vertices };
        sets * (self.hyperedges.len() as u128 + 1)
    }

    /// How many positions can be reached, this one included, isomorphic ones counted apart: the sum over all sets of vertices
    /// of 2 to the number of hyperedges inside. `u128::MAX` where there are more.
    ///
    /// Cost: O(2^vertices · hyperedges); none is counted where there are more than `most_vertices`.
    pub fn positions(&self, most_vertices: u32) -> Option<u128> {
        if self.vertices > most_vertices {
            return None;
        }
        let inside = |set: u64| self.hyperedges.iter().filter(|edge| **edge & !set == 0).count() as u32;
        let count = |set| 1u128.checked_shl(inside(set)).unwrap_or(u128::MAX);
        Some((0..1u64 << self.vertices).fold(0u128, |sum, set| sum.saturating_add(count(set))))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_vertex_takes_its_hyperedges_along_and_those_above_move_down() {
        let hypergraph = Hypergraph::new(4, vec![0b0011, 0b1100, 0b1101]);
        assert_eq!(hypergraph.without_vertex(1), Hypergraph::new(3, vec![0b110, 0b111]));
        assert_eq!(hypergraph.without_vertex(3), Hypergraph::new(3, vec![0b011]));
        assert_eq!(hypergraph.without_hyperedge(1), Hypergraph::new(4, vec![0b0011, 0b1101]));
        assert_eq!(Hypergraph::new(64, vec![u64::MAX]).without_vertex(63), Hypergraph::new(63, vec![]));
    }

    proptest! {
        /// By names: what is left after a vertex was removed is every hyperedge without it, as it was.
        #[test]
        fn removing_a_vertex_leaves_the_hyperedges_without_it(hyperedges in prop::collection::vec(0u64..1 << 7, 0..9), vertex in 0u32..7) {
            let hyperedges: Vec<u64> = hyperedges.into_iter().filter(|edge| edge.count_ones() >= 2).collect();
            let left = Hypergraph::new(7, hyperedges.clone()).without_vertex(vertex);
            let names: Vec<u32> = (0..7).filter(|name| *name != vertex).collect();
            let named = |edge: &u64| members(*edge).map(|place| names[place as usize]).collect::<Vec<u32>>();
            let expected: Vec<Vec<u32>> = hyperedges.iter().map(|edge| members(*edge).collect::<Vec<u32>>()).filter(|edge| !edge.contains(&vertex)).collect();
            prop_assert_eq!(left.hyperedges().iter().map(named).collect::<Vec<_>>(), expected);
            prop_assert_eq!(left.vertices(), 6);
        }
    }

    #[test]
    fn positions_are_counted_as_play_reaches_them() {
        let hypergraph = Hypergraph::new(4, vec![0b0011, 0b1110, 0b1100]);
        // With their own names vertices and hyperedges that are left tell positions apart.
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![(0b1111u64, 0b111u8)];
        while let Some((set, edges)) = open.pop() {
            if seen.insert((set, edges)) {
                open.extend((0..3).filter(|place| edges >> place & 1 == 1).map(|place| (set, edges & !(1 << place))));
                for vertex in members(set) {
                    let cut = (0..3).filter(|place| hypergraph.hyperedges()[*place] >> vertex & 1 == 1);
                    open.push((set & !(1 << vertex), cut.fold(edges, |edges, place| edges & !(1 << place))));
                }
            }
        }
        assert_eq!(hypergraph.positions(4), Some(seen.len() as u128));
        assert_eq!(hypergraph.positions(3), None);
    }
}
