//! Lemmas and remarks about what members of the family there are. No play decides them.

use crate::claim::{Prediction, Relation};

use super::super::member::{Group, Member};
use super::position::{Position, Says};

/// Not all vertices of X are C.
pub fn lemma_1(position: &Position) -> Says {
    of_member(position, |_| true, |member| member.a + member.b > 0, ["not all vertices of X are in C", "all vertices of X are in C"])
}

/// All B: |E(Y)| = |V(X)|.
pub fn lemma_2(position: &Position) -> Says {
    with_y(position, |member| member.group() == Some(Group::II), |member| member.y == member.x, "|E(Y)| = |V(X)|".to_owned())
}

/// All B: |E(Y)| >= 4.
pub fn lemma_3(position: &Position) -> Says {
    with_y(position, |member| member.group() == Some(Group::II), |member| member.y >= 4, "|E(Y)| >= 4".to_owned())
}

/// Never are B and C there and A is not.
pub fn lemma_4(position: &Position) -> Says {
    let holds = |member: &Member| member.a > 0 || member.b == 0 || member.c == 0;
    of_member(position, |_| true, holds, ["not all vertices of X are in B and C", "the vertices of X are in B and C, and none is in A"])
}

/// A and B are there and C is not: |E(Y)| >= 3.
pub fn lemma_5(position: &Position) -> Says {
    with_y(position, |member| member.group() == Some(Group::III), |member| member.y >= 3, "|E(Y)| >= 3".to_owned())
}

/// It is in one of the five groups, which exclude each other.
pub fn lemma_6(position: &Position) -> Says {
    of_member(position, |_| true, |member| member.group().is_some(), ["it is in exactly one of the groups I to V", "it is in no group"])
}

/// The greatest |E(Y)| for this |V(X)| equals |V(X)|; said about the members that attain it.
pub fn remark_2(position: &Position) -> Says {
    let greatest = position.greatest_y;
    let says = |member: &Member| format!("the greatest |E(Y)| with |V(X)| = {} is {}", member.x, member.x);
    let words = position.member.as_ref().map(says).unwrap_or_default();
    with_y(position, |member| member.y == greatest, |member| member.y == member.x, words)
}

/// In the groups besides II some vertex is A.
pub fn remark_6_a(position: &Position) -> Says {
    some_a(position, |member| member.group().is_some_and(|group| group != Group::II))
}

/// The same where a member is in no group: the proofs take the groups to be all members.
pub fn remark_6_a_as_used(position: &Position) -> Says {
    some_a(position, |member| member.group() != Some(Group::II))
}

/// Some vertex is A.
pub fn some_a(position: &Position, speaks: impl Fn(&Member) -> bool) -> Says {
    of_member(position, speaks, |member| member.a > 0, ["some vertex of X is in A", "no vertex of X is in A"])
}

/// In groups III, IV and V some vertex is B or C.
pub fn remark_6_b(position: &Position) -> Says {
    some_b_or_c(position, &[Group::III, Group::IV, Group::V])
}

/// In these groups some vertex is B or C.
pub fn some_b_or_c(position: &Position, groups: &[Group]) -> Says {
    let speaks = |member: &Member| member.group().is_some_and(|group| groups.contains(&group));
    of_member(position, speaks, |member| member.b + member.c > 0, ["some vertex of X is in B or C", "no vertex of X is in B or C"])
}

/// In group II |E(Y)| is even.
pub fn lemma_6_parity(position: &Position) -> Says {
    with_y(position, |member| member.group() == Some(Group::II), |member| member.y.is_multiple_of(2), "|E(Y)| is even".to_owned())
}

/// A member is not oddly uniform, and not evenly uniform with a marked coloring.
pub fn section_1_neither(position: &Position) -> Says {
    let holds = !position.all_odd && !position.all_even_and_marked;
    of_member(
        position,
        |_| true,
        |_| holds,
        ["neither all odd nor all even with a marked coloring", "all odd, or all even with a marked coloring"],
    )
}

/// X and S make an odd number of vertices.
pub fn odd_vertices(position: &Position) -> Says {
    let holds = !position.vertices.is_multiple_of(2);
    of_member(position, |_| true, |_| holds, ["|V| is odd", "|V| is even"])
}

/// A and B are there and |E(Y)| = 2: one vertex is B and two are A.
pub fn lemma_5_case_3(position: &Position) -> Says {
    let speaks = |member: &Member| member.y == 2 && member.a > 0 && member.b > 0;
    of_member(
        position,
        speaks,
        |member| (member.a, member.b) == (2, 1),
        ["one vertex in B and two in A", "other numbers of vertices in A and B"],
    )
}

/// |E(Y)| = 1: group I or IV, and two vertices are A.
pub fn theorem_7_base(position: &Position) -> Says {
    let holds = |member: &Member| matches!(member.group(), Some(Group::I | Group::IV)) && member.a == 2;
    of_member(position, |member| member.y == 1, holds, ["group I or IV, with two vertices in A", "another group, or not two vertices in A"])
}

/// |E(Y)| odd and more than 1: group I, III, IV or V.
pub fn theorem_7_step(position: &Position) -> Says {
    let speaks = |member: &Member| member.y > 1 && !member.y.is_multiple_of(2);
    let holds = |member: &Member| member.group().is_some_and(|group| group != Group::II);
    of_member(position, speaks, holds, ["in group I, III, IV or V", "in group II or in no group"])
}

/// A hypergraph as a caption spells it: the hyperedge X, the hyperedges of Y without S, and the vertices in A, B and C as far as the
/// text gives them.
pub type Drawn = (&'static str, &'static [&'static str], Option<[&'static str; 3]>);

/// Figure 3. The text gives the subcategories of the third.
const FIGURE_3: [Drawn; 4] = [
    ("AB", &["AB"], None),
    ("ABCD", &["AB", "BC"], None),
    ("ABCDEF", &["AB", "BC", "CD"], Some(["AD", "BC", "EF"])),
    ("ABCDEFGH", &["AB", "CD", "EF", "GH"], None),
];

/// The hypergraphs of figure 3 have the subcategories that the text gives.
pub fn figure_3(position: &Position) -> Says {
    drawn(position, &FIGURE_3)
}

/// Hypergraphs that are drawn have the subcategories that the text gives. Each is told by its counts: those of figure 3 are the only
/// members with theirs.
pub fn drawn(position: &Position, figure: &[Drawn]) -> Says {
    let occurring = |(x, edges, _): &Drawn, wanted: usize| {
        let times = |vertex: char| edges.iter().filter(|edge| edge.contains(vertex)).count();
        x.chars().filter(|vertex| times(*vertex) == wanted).collect::<String>()
    };
    let counted = |one: &Drawn| {
        let [c, a, b] = [0, 1, 2].map(|times| occurring(one, times).len() as u32);
        Member { x: one.0.len() as u32, y: one.1.len() as u32, a, b, c }
    };
    let Some(one) = figure.iter().find(|one| position.member == Some(counted(one))) else { return Prediction::Silent };
    let holds = one.2.is_none_or(|[a, b, c]| [occurring(one, 1), occurring(one, 2), occurring(one, 0)] == [a, b, c]);
    let says = ["a member, with the subcategories that the text gives", "other subcategories than those that the text gives"];
    of_member(position, |_| true, |_| holds, says)
}

fn of_member(position: &Position, speaks: impl Fn(&Member) -> bool, holds: impl Fn(&Member) -> bool, words: [&'static str; 2]) -> Says {
    let [says, denies] = words;
    match &position.member {
        Some(member) if speaks(member) => Prediction::Relation(Box::new(Relation::of_position(holds(member), says, denies))),
        _ => Prediction::Silent,
    }
}

/// A statement on |E(Y)|; where it fails, |E(Y)| and |V(X)| are said.
fn with_y(position: &Position, speaks: impl Fn(&Member) -> bool, holds: impl Fn(&Member) -> bool, says: String) -> Says {
    match &position.member {
        Some(member) if speaks(member) => {
            let denies = format!("|E(Y)| = {} and |V(X)| = {}", member.y, member.x);
            Prediction::Relation(Box::new(Relation::of_position(holds(member), says, denies)))
        }
        _ => Prediction::Silent,
    }
}
