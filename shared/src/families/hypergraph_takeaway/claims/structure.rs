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

/// Outside group II some vertex is A.
pub fn remark_6_a(position: &Position) -> Says {
    let speaks = |member: &Member| member.group() != Some(Group::II);
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
