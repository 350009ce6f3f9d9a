//! What a sweep of hypergraphs counts besides its claims: how many of each kind have each value.

use std::fmt::Display;

use crate::sweep::{Group, GroupKind};
use crate::value::Nimber;

use super::claims::Position;

/// The label under which hypergraphs of a kind with a value are counted.
pub fn label(kind: &impl Display, value: Nimber) -> String {
    format!("{kind}: value {value}")
}

/// Whether a group has such a label, and is a sum.
pub fn may_count(group: &Group) -> bool {
    // A coordinator asks this of each group of each result. A number is written in one way alone.
    let is_nimber = |text: &str| {
        let grundy = match text.strip_prefix('*') {
            None => Ok(0),
            Some("") => Ok(1),
            Some(number) => number.parse::<u8>(),
        };
        grundy.is_ok_and(|grundy| Nimber(grundy.into()).to_string() == text)
    };
    let parts = group.label.split_once(": value ");
    group.kind == GroupKind::Sum && parts.is_some_and(|(kind, value)| Position::is_group(kind) && is_nimber(value))
}
