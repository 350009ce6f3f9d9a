//! What a sweep of hypergraphs counts besides its claims: how many of each kind have each value, or under misère play each outcome.

use std::fmt::Display;

use crate::sweep::{Group, GroupKind};
use crate::value::{Impartial, Nimber, Outcome};

use super::claims::Position;

/// The label under which hypergraphs of a kind with a value are counted.
pub fn label(kind: &impl Display, value: Impartial) -> String {
    let word = if value.grundy().is_some() { "value" } else { "outcome" };
    format!("{kind}: {word} {value}")
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
    let is_outcome = |text: &str| [Outcome::P, Outcome::N].into_iter().any(|outcome| outcome.letter() == text);
    let is_known = |(kind, value): (&str, &str)| {
        let value = value.split_once(' ').is_some_and(|(word, value)| match word {
            "value" => is_nimber(value),
            "outcome" => is_outcome(value),
            _ => false,
        });
        value && Position::is_group(kind)
    };
    group.kind == GroupKind::Sum && group.label.split_once(": ").is_some_and(is_known)
}
