//! Values of expressions, and why there may be none.

use std::sync::Arc;

use crate::value::{Dyadic, GameId, Games, Outcome};

use super::types::Type;

/// A position of those that a [`super::Positions`] keeps at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionId(pub u32);

/// A list of positions that belongs to a position, such as its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionList {
    /// The position.
    pub of: PositionId,
    /// The variable that the list is, by its index in the vocabulary.
    pub variable: usize,
}

/// A value of an expression or of a variable.
///
/// A game is one of a [`Games`] that is handed over beside it. Where a game is wanted a whole number may stand, and stays one
/// until it meets a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// True or false.
    Boolean(bool),
    /// An outcome class.
    Outcome(Outcome),
    /// A game in canonical form.
    Game(GameId),
    /// Elements in order.
    List(Arc<[Value]>),
    /// Elements each once, ascending.
    Set(Arc<[Value]>),
    /// A position of those that are kept at the moment.
    Position(PositionId),
    /// A list of positions that are made one after the other.
    Positions(PositionList),
}

impl Value {
    /// The set of these whole numbers, in whatever order they come.
    #[must_use]
    pub fn set_of(integers: impl IntoIterator<Item = i64>) -> Self {
        let mut integers: Vec<i64> = integers.into_iter().collect();
        integers.sort_unstable();
        integers.dedup();
        Self::Set(integers.into_iter().map(Self::Integer).collect())
    }

    /// The list of these whole numbers.
    #[must_use]
    pub fn list_of(integers: impl IntoIterator<Item = i64>) -> Self {
        Self::List(integers.into_iter().map(Self::Integer).collect())
    }

    /// Whether it is a value of this type.
    #[must_use]
    pub fn is_of(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            (Self::Integer(_), Type::Integer | Type::Game)
            | (Self::Boolean(_), Type::Boolean)
            | (Self::Outcome(_), Type::Outcome)
            | (Self::Game(_), Type::Game)
            | (Self::Position(_), Type::Position) => true,
            (Self::Positions(_), Type::List(element)) => **element == Type::Position,
            (Self::List(elements), Type::List(element)) | (Self::Set(elements), Type::Set(element)) => {
                elements.iter().all(|value| value.is_of(element))
            }
            _ => false,
        }
    }

    /// Whether two values are equal: a game that is a whole number equals that number.
    #[must_use]
    pub fn equals(&self, other: &Self, games: &Games) -> bool {
        match (self, other) {
            (Self::Game(game), Self::Integer(integer)) | (Self::Integer(integer), Self::Game(game)) => {
                games.as_number(*game).and_then(Dyadic::as_integer) == Some(*integer)
            }
            (Self::List(one), Self::List(other)) | (Self::Set(one), Self::Set(other)) => {
                one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| one.equals(other, games))
            }
            (one, other) => one == other,
        }
    }

    /// The value as people write it: a game without quotes, as in a report.
    #[must_use]
    pub fn text(&self, games: &mut Games) -> String {
        let mut joined = |elements: &[Self]| elements.iter().map(|element| element.text(games)).collect::<Vec<_>>().join(", ");
        match self {
            Self::Integer(integer) => integer.to_string(),
            Self::Boolean(boolean) => boolean.to_string(),
            Self::Outcome(outcome) => outcome.to_string(),
            Self::Game(game) => games.text(*game).unwrap_or_else(|| "a game that is too long to write out".to_owned()),
            Self::List(elements) => format!("[{}]", joined(elements)),
            Self::Set(elements) => format!("{{{}}}", joined(elements)),
            // Whoever has the positions shows them: see [`super::Positions::text`].
            Self::Position(_) => "a position".to_owned(),
            Self::Positions(_) => "a list of positions".to_owned(),
        }
    }
}

/// What a variable has at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A value of the variable's type.
    Value(Value),
    /// No value here, for a reason that makes undefined what uses it.
    Undefined(Reason),
    /// The position's box has no such name: claims that use it are silent.
    Absent,
}

impl From<Value> for Reading {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// Why an expression has no value at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Reason {
    /// Beyond 64 bits.
    #[error("a whole number beyond 64 bits")]
    Overflow,
    /// `//` and `%` divide by 1 and more.
    #[error("a divisor below 1")]
    Divisor,
    /// A logarithm of 0 or less.
    #[error("floor_log2 of a number below 1")]
    Logarithm,
    /// A square root of a negative number.
    #[error("isqrt of a number below 0")]
    Root,
    /// A power that is no whole number.
    #[error("a power with an exponent below 0")]
    Exponent,
    /// The bits of a negative number are without end.
    #[error("popcount of a number below 0")]
    Popcount,
    /// Bits are numbered from 0.
    #[error("bit with an index below 0")]
    Bit,
    /// No element is the least.
    #[error("min or max of nothing")]
    Extreme,
    /// No element is the first.
    #[error("first, and there is none")]
    First,
    /// A list is shorter.
    #[error("an index outside its list")]
    Index,
    /// The position's value has none.
    #[error("no atomic weight")]
    NoAtomicWeight,
    /// The quantifiers take too long.
    #[error("quantifiers that take more than {} steps", super::bounds::MAX_STEPS)]
    Steps,
    /// A game takes too long.
    #[error("a game that is too large to add, compare or weigh")]
    GameSize,
    /// `at` gives a name a value that no position has.
    #[error("another position that is none")]
    NoPosition,
    /// Another position takes more than there is room for.
    #[error("another position that is too large to be solved here")]
    LargePosition,
    /// Another position is of another kind.
    #[error("a name that another position does not have")]
    NoName,
    /// The family does not work out this value here.
    #[error("a value that is not known here")]
    Unknown,
}

/// What a claim comes to at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Its hypothesis is false, or uses a name that is absent.
    Silent,
    /// What it says is true.
    Held,
    /// What it says is true because it says nothing here: it is `A => B` and A is false, or its outermost `all` ranges over
    /// nothing.
    Vacuous,
    /// Its hypothesis, or what it says, has no value.
    Undefined(Reason),
    /// What it says is false.
    Refuted,
}
