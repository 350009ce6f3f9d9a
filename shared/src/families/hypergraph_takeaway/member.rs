//! The family of section 1 of the paper: which hypergraphs are members, how many vertices of X are in subcategories A, B and C,
//! and the group of Lemma 6 that follows.

use std::fmt;

use super::components::Components;
use super::hypergraph::{Hypergraph, first, members};

/// What is counted of a member of the family of section 1 of the paper: one hyperedge X with an even number of vertices, a
/// vertex S outside X, and at least one further hyperedge, each {S,u,v} with u and v in X, where every vertex of X lies in at
/// most two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// |V(X)|.
    pub x: u32,
    /// |E(Y)|, the number of hyperedges {S,u,v}.
    pub y: u32,
    /// How many vertices of X are in subcategory A: in one hyperedge of Y.
    pub a: u32,
    /// In subcategory B: in two.
    pub b: u32,
    /// In subcategory C: in none.
    pub c: u32,
}

/// A group of Lemma 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::upper_case_acronyms, reason = "they are Roman numerals")]
pub enum Group {
    I,
    II,
    III,
    IV,
    V,
}

impl fmt::Display for Group {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

impl Member {
    /// The member that a hypergraph is, if it is one, by the definition of section 1.
    pub fn of(hypergraph: &Hypergraph) -> Option<Self> {
        let (even, odd): (Vec<u64>, Vec<u64>) = hypergraph.hyperedges().iter().partition(|edge| edge.count_ones() % 2 == 0);
        let [x] = even[..] else { return None };
        let s = first(hypergraph.vertices()) & !x;
        if s.count_ones() != 1 || odd.is_empty() || !odd.iter().all(|edge| edge.count_ones() == 3 && edge & s != 0) {
            return None;
        }
        let occurring = |times: usize| members(x).filter(|vertex| hypergraph.degree(*vertex) - 1 == times).count() as u32;
        let (a, b, c) = (occurring(1), occurring(2), occurring(0));
        (a + b + c == x.count_ones()).then(|| Self { x: x.count_ones(), y: odd.len() as u32, a, b, c })
    }

    /// The member whose hyperedges {S,u,v} are the edges uv of a graph.
    pub fn of_components(graph: &Components) -> Self {
        let mut member = Self { x: graph.order(), y: graph.size(), a: 0, b: 0, c: 0 };
        for part in graph.parts() {
            let order = u32::from(part.order);
            match (part.is_cycle, order) {
                (true, _) => member.b += order,
                (false, 1) => member.c += 1,
                (false, _) => {
                    member.a += 2;
                    member.b += order - 2;
                }
            }
        }
        member
    }

    /// The greatest |E(Y)| of all members with so many vertices in X, by the definition: the most edges of a graph in which each
    /// vertex has at most two. Its components are paths, with an edge fewer than vertices, and cycles of three vertices or more,
    /// with as many; so the best choice of a first component and of all others is looked for. What sweeps enumerate has no part
    /// in it.
    ///
    /// Cost: O(vertices^2).
    pub fn greatest_y(x: u32) -> u32 {
        let edges = |order: usize| if order >= 3 { order } else { order - 1 };
        let mut most = vec![0];
        for order in 1..=x as usize {
            most.push((1..=order).map(|first| edges(first) + most[order - first]).max().unwrap_or(0));
        }
        most[x as usize] as u32
    }

    /// The group that it is in, if it is in one: all A, all B, A and B, A and C, or all three.
    pub fn group(&self) -> Option<Group> {
        match (self.a > 0, self.b > 0, self.c > 0) {
            (true, false, false) => Some(Group::I),
            (false, true, false) => Some(Group::II),
            (true, true, false) => Some(Group::III),
            (true, false, true) => Some(Group::IV),
            (true, true, true) => Some(Group::V),
            (false, _, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::components::{Component, Numbering};
    use super::*;

    #[test]
    fn every_member_that_is_built_is_one_by_the_definition() {
        let numbering = Numbering::new(8);
        for order in [2, 4, 6, 8] {
            // The graph of number 0 is the one without an edge, which is no member.
            for number in 0..numbering.count(order) {
                let graph = numbering.graph(order, number);
                assert_eq!(Member::of(&graph.member()), (number > 0).then(|| Member::of_components(&graph)), "{graph:?}");
            }
        }
    }

    #[test]
    fn the_greatest_y_is_that_of_some_member_and_no_member_has_more() {
        let numbering = Numbering::new(62);
        for order in 1..=62 {
            assert_eq!(Member::greatest_y(order), numbering.greatest_size(order), "{order}");
        }
    }

    #[test]
    fn what_misses_one_condition_is_no_member() {
        let s = 1u64;
        let near_misses = [
            ("X of odd size", Hypergraph::new(4, vec![0b1110, s | 0b0110])),
            ("no X", Hypergraph::new(3, vec![s | 0b110])),
            ("two hyperedges of even size", Hypergraph::new(5, vec![0b11110, 0b00110, s | 0b11000])),
            ("no hyperedge {S,u,v}", Hypergraph::new(3, vec![0b110])),
            ("a vertex besides X and S", Hypergraph::new(4, vec![0b0110, s | 0b0110])),
            ("a hyperedge without S", Hypergraph::new(5, vec![0b11110, s | 0b00110, 0b01110])),
            ("a hyperedge of five vertices", Hypergraph::new(5, vec![0b11110, 0b11111])),
            ("a vertex in three of them", Hypergraph::new(5, vec![0b11110, s | 0b00110, s | 0b01010, s | 0b10010])),
        ];
        for (what, hypergraph) in near_misses {
            assert_eq!(Member::of(&hypergraph), None, "{what}");
        }
        let found = Member::of(&Hypergraph::new(5, vec![0b11110, s | 0b00110, s | 0b01100, s | 0b01010]));
        assert_eq!(found, Some(Member { x: 4, y: 3, a: 0, b: 3, c: 1 }));
        assert_eq!(found.and_then(|member| member.group()), None);
    }

    #[test]
    fn groups_are_those_of_lemma_6() {
        let group = |kinds: &[(u8, bool)]| {
            let parts = kinds.iter().map(|(order, is_cycle)| Component { order: *order, is_cycle: *is_cycle }).collect();
            Member::of_components(&Components::new(parts)).group()
        };
        let (path, cycle) = (false, true);
        assert_eq!(group(&[(2, path), (2, path)]), Some(Group::I));
        assert_eq!(group(&[(4, cycle)]), Some(Group::II));
        assert_eq!(group(&[(4, path)]), Some(Group::III));
        assert_eq!(group(&[(2, path), (1, path), (1, path)]), Some(Group::IV));
        assert_eq!(group(&[(3, path), (1, path)]), Some(Group::V));
        assert_eq!(group(&[(3, cycle), (1, path)]), None);
    }
}
