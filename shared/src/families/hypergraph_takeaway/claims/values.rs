//! Theorems about the Grundy value.

use crate::claim::Prediction;
use crate::value::Nimber;

use super::super::member::{Group, Member};
use super::position::{Position, Says};

/// g = 0, 1, 2, 3 for (|V|, |E|) = (even, even), (odd, even), (odd, odd), (even, odd).
pub fn theorem_2_4(position: &Position) -> Says {
    if !position.all_odd {
        return Prediction::Silent;
    }
    value(match (position.vertices % 2, position.hyperedges % 2) {
        (0, 0) => 0,
        (_, 0) => 1,
        (1, _) => 2,
        (_, _) => 3,
    })
}

/// g = (|V| mod 2) + 2 (|E| mod 2).
pub fn theorem_2_8(position: &Position) -> Says {
    if !position.all_even_and_marked {
        return Prediction::Silent;
    }
    value(position.vertices % 2 + 2 * (position.hyperedges % 2))
}

/// |E(Y)| odd: g = 1.
pub fn theorem_7(position: &Position) -> Says {
    value_of_member(position, |member| (member.y % 2 == 1).then_some(1))
}

/// |E(Y)| even, groups III, IV and V: g = 4.
pub fn theorem_8(position: &Position) -> Says {
    value_of_member(position, |member| of_group(member, &[Group::III, Group::IV, Group::V], 4))
}

/// |E(Y)| even, group I: g = 0.
pub fn theorem_9(position: &Position) -> Says {
    value_of_member(position, |member| of_group(member, &[Group::I], 0))
}

/// |E(Y)| even, group II: g = 3.
pub fn theorem_10(position: &Position) -> Says {
    value_of_member(position, |member| of_group(member, &[Group::II], 3))
}

/// That the Grundy value is this one.
fn value(grundy: u32) -> Says {
    Prediction::Value(Nimber(grundy).into())
}

fn of_group(member: &Member, groups: &[Group], grundy: u32) -> Option<u32> {
    let is_here = member.group().is_some_and(|group| groups.contains(&group));
    (is_here && member.y > 0 && member.y.is_multiple_of(2)).then_some(grundy)
}

fn value_of_member(position: &Position, grundy: impl Fn(&Member) -> Option<u32>) -> Says {
    position.member.as_ref().and_then(grundy).map_or(Prediction::Silent, value)
}
