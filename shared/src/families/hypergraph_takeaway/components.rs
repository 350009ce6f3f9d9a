//! Graphs of maximum degree 2 up to isomorphism, as multisets of paths and cycles: what play leaves of them, and a numbering
//! that has each once.

use super::hypergraph::Hypergraph;

/// The most vertices that X may have: with S they fit a word of bits.
pub const MAX_ORDER: u32 = 62;

/// A connected component of a graph of maximum degree 2: a path (a single vertex is one) or a cycle of at least 3 vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component {
    /// How many vertices it has.
    pub order: u8,
    /// Whether it is a cycle.
    pub is_cycle: bool,
}

impl Component {
    /// How many edges it has.
    pub fn size(self) -> u32 {
        u32::from(self.order) - u32::from(!self.is_cycle)
    }
}

/// A graph of maximum degree 2 up to isomorphism: its components in ascending order.
///
/// It stands for the hyperedges {S,u,v} of a member of the family and what play leaves of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Components(Vec<Component>);

impl Components {
    /// The components in any order.
    pub fn new(mut components: Vec<Component>) -> Self {
        components.sort_unstable();
        Self(components)
    }

    /// The components, smallest first.
    pub fn parts(&self) -> &[Component] {
        &self.0
    }

    /// How many vertices there are.
    pub fn order(&self) -> u32 {
        self.0.iter().map(|part| u32::from(part.order)).sum()
    }

    /// How many edges there are.
    pub fn size(&self) -> u32 {
        self.0.iter().map(|part| part.size()).sum()
    }

    /// One place of each kind of component.
    fn kinds(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len()).filter(|place| *place == 0 || self.0[place - 1] != self.0[*place])
    }

    /// The graph with a component replaced by paths of these orders, of which 0 is none.
    fn replaced(&self, place: usize, paths: [u8; 2]) -> Self {
        let mut parts = self.0.clone();
        parts.remove(place);
        parts.extend(paths.into_iter().filter(|order| *order > 0).map(|order| Component { order, is_cycle: false }));
        Self::new(parts)
    }

    /// Every graph that removing a vertex leaves, with repetitions only where two vertices of one component leave the same.
    pub fn without_a_vertex(&self, mut take: impl FnMut(Self)) {
        for place in self.kinds() {
            let Component { order, is_cycle } = self.0[place];
            if is_cycle {
                take(self.replaced(place, [order - 1, 0]));
            } else {
                (0..=(order - 1) / 2).for_each(|left| take(self.replaced(place, [left, order - 1 - left])));
            }
        }
    }

    /// Every graph that removing an edge leaves, likewise.
    pub fn without_an_edge(&self, mut take: impl FnMut(Self)) {
        for place in self.kinds() {
            let Component { order, is_cycle } = self.0[place];
            if is_cycle {
                take(self.replaced(place, [order, 0]));
            } else {
                (1..=order / 2).for_each(|left| take(self.replaced(place, [left, order - left])));
            }
        }
    }

    /// The member of the family: S is vertex 0, X has the others, and each edge uv is a hyperedge {S,u,v}. Larger components
    /// come first.
    pub fn member(&self) -> Hypergraph {
        let order = self.order();
        let x = super::hypergraph::first(order + 1) & !1;
        let mut hyperedges = vec![x];
        let mut next = 1;
        for part in self.0.iter().rev() {
            let last = next + u32::from(part.order) - 1;
            hyperedges.extend((next..last).map(|vertex| 1 | 0b11 << vertex));
            if part.is_cycle {
                hyperedges.push(1 | 1 << next | 1 << last);
            }
            next = last + 1;
        }
        Hypergraph::new(order + 1, hyperedges)
    }
}

/// Numbers the graphs of maximum degree 2 with a given number of vertices, up to isomorphism: by their edges, fewest first.
///
/// Kinds of components stand in ascending order. `ways(kind, order, size)` counts the multisets of that kind and later ones with
/// so many vertices and edges; the number of a graph among those with as many vertices and edges adds up, for each of its
/// components in turn, the multisets that have no further component of that kind.
pub struct Numbering {
    most: u32,
    kinds: Vec<Component>,
    ways: Vec<u64>,
}

impl Numbering {
    /// The numbering of graphs with up to `most` vertices, at most [`MAX_ORDER`].
    ///
    /// Cost: O(most^3).
    pub fn new(most: u32) -> Self {
        debug_assert!(most <= MAX_ORDER);
        let component = |order: u32, is_cycle| Component { order: order as u8, is_cycle };
        let kinds: Vec<Component> =
            (1..=most).flat_map(|order| [Some(component(order, false)), (order >= 3).then(|| component(order, true))]).flatten().collect();
        let mut numbering = Self { most, ways: vec![0; (kinds.len() + 1) * Self::row(most)], kinds };
        let end = numbering.index(numbering.kinds.len(), 0, 0);
        numbering.ways[end] = 1;
        for kind in (0..numbering.kinds.len()).rev() {
            for order in 0..=most {
                for size in 0..=most {
                    let index = numbering.index(kind, order, size);
                    numbering.ways[index] = numbering.ways(kind + 1, order, size)
                        + numbering.with_one(kind, order, size).map_or(0, |(o, s)| numbering.ways(kind, o, s));
                }
            }
        }
        numbering
    }

    /// How many numbers a numbering keeps. There are at most two kinds of components with so many vertices.
    pub fn numbers(most: u32) -> u128 {
        (2 * u128::from(most) + 1) * Self::row(most) as u128
    }

    fn row(most: u32) -> usize {
        (most as usize + 1) * (most as usize + 1)
    }

    fn index(&self, kind: usize, order: u32, size: u32) -> usize {
        kind * Self::row(self.most) + order as usize * (self.most as usize + 1) + size as usize
    }

    fn ways(&self, kind: usize, order: u32, size: u32) -> u64 {
        self.ways[self.index(kind, order, size)]
    }

    /// What is left of vertices and edges after one component of a kind, if it fits.
    fn with_one(&self, kind: usize, order: u32, size: u32) -> Option<(u32, u32)> {
        let part = self.kinds[kind];
        Some((order.checked_sub(part.order.into())?, size.checked_sub(part.size())?))
    }

    /// The place of a kind of component in the ascending order P1, P2, P3, C3, P4, C4, ….
    fn place(part: Component) -> usize {
        let order = usize::from(part.order);
        if order < 3 { order - 1 } else { 2 * order - 4 + usize::from(part.is_cycle) }
    }

    /// How many graphs there are with so many vertices.
    pub fn count(&self, order: u32) -> u64 {
        self.before(order, order + 1)
    }

    /// How many there are with so many vertices and fewer edges.
    fn before(&self, order: u32, size: u32) -> u64 {
        (0..size).map(|size| self.ways(0, order, size)).sum()
    }

    /// The number of a graph among those with as many vertices.
    ///
    /// Cost: O(vertices).
    pub fn number(&self, graph: &Components) -> u64 {
        let (mut order, mut size) = (graph.order(), graph.size());
        let mut number = self.before(order, size);
        for part in graph.parts() {
            number += self.ways(Self::place(*part) + 1, order, size);
            (order, size) = (order - u32::from(part.order), size - part.size());
        }
        number
    }

    /// The graph of this number, which is below [`Numbering::count`].
    ///
    /// Cost: O(vertices).
    pub fn graph(&self, order: u32, number: u64) -> Components {
        let (mut order, mut size, mut rest) = (order, 0, number);
        while rest >= self.ways(0, order, size) {
            rest -= self.ways(0, order, size);
            size += 1;
        }
        let mut parts = Vec::new();
        let mut kind = 0;
        while order > 0 {
            let without = self.ways(kind + 1, order, size);
            if rest < without {
                kind += 1;
                continue;
            }
            rest -= without;
            parts.push(self.kinds[kind]);
            // One fits, since some multiset with one more has this number.
            (order, size) = self.with_one(kind, order, size).unwrap_or((0, 0));
        }
        Components(parts)
    }

    /// The greatest number of edges of a graph with so many vertices.
    #[cfg(test)]
    pub fn greatest_size(&self, order: u32) -> u32 {
        (0..=order).rev().find(|size| self.ways(0, order, *size) > 0).unwrap_or(0)
    }
}
