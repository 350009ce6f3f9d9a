//! A hypergraph as the claims see it: its counts and parities, whether it has a marked coloring, and which member of the family
//! of section 1 it is.

use std::convert::Infallible;

use crate::claim::Prediction;
use crate::value::{Impartial, Play};

use super::super::hypergraph::Hypergraph;
use super::super::member::Member;

/// What the claims speak about of a hypergraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// |V|.
    pub vertices: u32,
    /// |E|.
    pub hyperedges: u32,
    /// Whether every hyperedge has an odd number of vertices.
    pub all_odd: bool,
    /// Whether every hyperedge has an even number of vertices.
    pub all_even: bool,
    /// Whether, besides, some set of vertices meets each in an odd number: the paper's marked coloring.
    pub all_even_and_marked: bool,
    /// The member of the family of section 1 that it is, if it is one.
    pub member: Option<Member>,
    /// The greatest |E(Y)| of all members with the same |V(X)|; 0 for what is no member.
    pub greatest_y: u32,
    /// The hypergraph itself; none for a member that is given by its counts, from which all the rest follows.
    pub hypergraph: Option<Hypergraph>,
    /// How it is played: who looks at options has them played likewise.
    pub play: Play,
}

/// What a claim of this paper predicts of a hypergraph.
pub type Says = Prediction<Infallible, Impartial>;

impl Position {
    /// What there is to say about any hypergraph, by the definitions.
    ///
    /// Cost: O(hyperedges^2).
    pub fn of(hypergraph: &Hypergraph) -> Self {
        Self::owning(hypergraph.clone())
    }

    /// The same of a hypergraph that is not needed elsewhere.
    pub fn owning(hypergraph: Hypergraph) -> Self {
        let hyperedges = hypergraph.hyperedges();
        let all = |parity: u32| hyperedges.iter().all(|edge| edge.count_ones() % 2 == parity);
        let member = Member::of(&hypergraph);
        Self {
            vertices: hypergraph.vertices(),
            hyperedges: hyperedges.len() as u32,
            all_odd: all(1),
            all_even: all(0),
            all_even_and_marked: all(0) && has_marked_coloring(hyperedges),
            member,
            greatest_y: member.map_or(0, |member| Member::greatest_y(member.x)),
            hypergraph: Some(hypergraph),
            play: Play::Normal,
        }
    }

    /// What hypergraphs are counted under in reports: a member by its group and the parity of |E(Y)|, another one by its kind and
    /// its parities.
    pub fn group(&self) -> String {
        let parity = |count: u32| if count.is_multiple_of(2) { "even" } else { "odd" };
        if let Some(member) = &self.member {
            let group = member.group().map_or("no group".to_owned(), |group| format!("group {group}"));
            return format!("{group}, |E(Y)| {}", parity(member.y));
        }
        let kind = match (self.hyperedges, self.all_odd, self.all_even, self.all_even_and_marked) {
            (0, ..) => "no hyperedge",
            (_, true, ..) => "all hyperedges odd",
            (_, _, true, true) => "all hyperedges even, with a marked coloring",
            (_, _, true, false) => "all hyperedges even, without a marked coloring",
            _ => "hyperedges of both parities",
        };
        format!("{kind}, |V| {}, |E| {}", parity(self.vertices), parity(self.hyperedges))
    }

    /// Whether [`Position::group`] may say this.
    pub fn is_group(text: &str) -> bool {
        const KINDS: [&str; 5] = [
            "no hyperedge",
            "all hyperedges odd",
            "all hyperedges even, with a marked coloring",
            "all hyperedges even, without a marked coloring",
            "hyperedges of both parities",
        ];
        const GROUPS: [&str; 6] = ["no group", "group I", "group II", "group III", "group IV", "group V"];
        let is_parity = |text: &str| ["even", "odd"].contains(&text);
        let is_member = |group: &&str| text.strip_prefix(*group).and_then(|rest| rest.strip_prefix(", |E(Y)| ")).is_some_and(is_parity);
        let is_other = |kind: &&str| {
            let parities = text.strip_prefix(*kind).and_then(|rest| rest.strip_prefix(", |V| "));
            let parities = parities.and_then(|rest| rest.split_once(", |E| "));
            parities.is_some_and(|(vertices, hyperedges)| is_parity(vertices) && is_parity(hyperedges))
        };
        GROUPS.iter().any(is_member) || KINDS.iter().any(is_other)
    }

    /// A member of the family, given the greatest |E(Y)| for its |V(X)|.
    pub fn of_member(member: Member, greatest_y: u32) -> Self {
        let (vertices, hyperedges) = (member.x + 1, member.y + 1);
        Self {
            vertices,
            hyperedges,
            all_odd: false,
            all_even: false,
            all_even_and_marked: false,
            member: Some(member),
            greatest_y,
            hypergraph: None,
            play: Play::Normal,
        }
    }

    /// In how many hyperedges each vertex lies, ascending.
    pub fn degrees(&self) -> Vec<u32> {
        let mut degrees: Vec<u32> = match (&self.hypergraph, &self.member) {
            (Some(hypergraph), _) => (0..hypergraph.vertices()).map(|vertex| hypergraph.degree(vertex) as u32).collect(),
            // A vertex of X lies in X too, and S in every hyperedge of Y.
            (None, Some(Member { y, a, b, c, .. })) => {
                let vertices = [(1, *c), (2, *a), (3, *b), (*y, 1)];
                vertices.into_iter().flat_map(|(degree, count)| (0..count).map(move |_| degree)).collect()
            }
            (None, None) => Vec::new(),
        };
        degrees.sort_unstable();
        degrees
    }

    /// How many vertices each hyperedge has, ascending.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes: Vec<u32> = match (&self.hypergraph, &self.member) {
            (Some(hypergraph), _) => hypergraph.hyperedges().iter().map(|edge| edge.count_ones()).collect(),
            (None, Some(Member { x, y, .. })) => std::iter::once(*x).chain((0..*y).map(|_| 3)).collect(),
            (None, None) => Vec::new(),
        };
        sizes.sort_unstable();
        sizes
    }
}

/// Whether some set of vertices meets every hyperedge in an odd number of vertices.
///
/// That is a system of linear equations mod 2, one a hyperedge, each with right-hand side 1. It has a solution iff no sum of
/// an odd number of hyperedges is empty; elimination finds such a sum.
fn has_marked_coloring(hyperedges: &[u64]) -> bool {
    let mut rows: Vec<(u64, bool)> = Vec::new();
    for edge in hyperedges {
        // Each row's highest vertex occurs in no later row, so rows are used in their order.
        let sum = rows.iter().fold(
            (*edge, true),
            |(set, right), (row, side)| {
                if set >> row.ilog2() & 1 == 1 { (set ^ row, right ^ side) } else { (set, right) }
            },
        );
        match sum {
            (0, true) => return false,
            (0, false) => {}
            row => rows.push(row),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_marked_coloring_is_found_iff_some_set_is_one(hyperedges in prop::collection::vec(1u64..64, 0..8)) {
            let some = (0u64..64).any(|set| hyperedges.iter().all(|edge| (edge & set).count_ones() % 2 == 1));
            prop_assert_eq!(has_marked_coloring(&hyperedges), some);
        }
    }
}
