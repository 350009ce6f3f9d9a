//! The types of expressions.

use std::fmt;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A whole number of 64 bits. It may stand wherever a game is wanted.
    Integer,
    /// True or false.
    Boolean,
    /// An outcome class: P, N, L or R.
    Outcome,
    /// A short game, up to equality.
    Game,
    /// A position of the same game.
    Position,
    /// Elements in order, by index from 0.
    List(Box<Type>),
    /// Elements each once, in ascending order.
    Set(Box<Type>),
    /// The element of a list without elements: it is of every type.
    Nothing,
}

impl Type {
    /// A list of such elements.
    #[must_use]
    pub fn list(element: Self) -> Self {
        Self::List(Box::new(element))
    }

    /// A set of such elements.
    #[must_use]
    pub fn set(element: Self) -> Self {
        Self::Set(Box::new(element))
    }

    /// The least type that has the values of both, if there is one.
    #[must_use]
    pub fn join(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (one, other) if one == other => Some(one.clone()),
            (Self::Nothing, other) | (other, Self::Nothing) => Some(other.clone()),
            (Self::Integer, Self::Game) | (Self::Game, Self::Integer) => Some(Self::Game),
            (Self::List(one), Self::List(other)) => one.join(other).map(Self::list),
            (Self::Set(one), Self::Set(other)) => one.join(other).map(Self::set),
            _ => None,
        }
    }

    /// Whether its values are values of the other type as well.
    #[must_use]
    pub fn fits(&self, wanted: &Self) -> bool {
        self.join(wanted).as_ref() == Some(wanted)
    }

    /// The type of the elements, of a list or a set.
    #[must_use]
    pub fn element(&self) -> Option<&Self> {
        match self {
            Self::List(element) | Self::Set(element) => Some(element),
            _ => None,
        }
    }

    /// Whether its values are games or have games in them.
    #[must_use]
    pub fn has_games(&self) -> bool {
        *self == Self::Game || self.element().is_some_and(Self::has_games)
    }

    /// Whether its values are positions or have positions in them.
    #[must_use]
    pub fn has_positions(&self) -> bool {
        *self == Self::Position || self.element().is_some_and(Self::has_positions)
    }

    /// The type in the plural, such as `whole numbers`.
    fn plural(&self) -> String {
        match self {
            Self::Integer => "whole numbers".to_owned(),
            Self::Boolean => "statements".to_owned(),
            Self::Outcome => "outcomes".to_owned(),
            Self::Game => "games".to_owned(),
            Self::Position => "positions".to_owned(),
            Self::List(element) => format!("lists of {}", element.plural()),
            Self::Set(element) => format!("sets of {}", element.plural()),
            Self::Nothing => "nothing".to_owned(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer => formatter.write_str("a whole number"),
            Self::Boolean => formatter.write_str("a statement (true or false)"),
            Self::Outcome => formatter.write_str("an outcome (P, N, L or R)"),
            Self::Game => formatter.write_str("a game"),
            Self::Position => formatter.write_str("a position"),
            Self::List(element) if **element == Self::Nothing => formatter.write_str("a list without elements"),
            Self::List(element) => write!(formatter, "a list of {}", element.plural()),
            Self::Set(element) => write!(formatter, "a set of {}", element.plural()),
            Self::Nothing => formatter.write_str("nothing"),
        }
    }
}
