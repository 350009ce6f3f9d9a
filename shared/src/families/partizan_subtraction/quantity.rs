//! What is asked of heaps, and what the answers are.

use std::fmt;
use std::sync::Arc;

use crate::language::bounds::MAX_GAME_POSITIONS;
use crate::value::{Dyadic, GameId, Games, Name, Order, Outcome, Shape, ValueError};

/// Steps of the general engine that one atomic weight may take.
pub const STEPS_PER_WEIGHT: u64 = 1 << 20;

/// The size of a nimber whose birthday is larger than that of so many ups or downs, each of which is born on day 2.
#[must_use]
pub fn far_star(ups: i64) -> u64 {
    2 * ups.unsigned_abs() + 1
}

/// What a configuration has three of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Who wins.
    Outcome,
    /// The simplest game of the same value.
    CanonicalForm,
    /// The atomic weight, if it has one.
    AtomicWeight,
}

impl Quantity {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Outcome, Self::CanonicalForm, Self::AtomicWeight];

    /// The word for it in manifests.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::CanonicalForm => "canonical-form",
            Self::AtomicWeight => "atomic-weight",
        }
    }

    /// The quantity of a word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quantity| quantity.word() == word)
    }
}

/// Which quantities are to be solved. Outcomes always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quantities {
    /// Canonical forms, and with them the order of any two heaps.
    pub canonical_form: bool,
    /// Atomic weights, and with them outcomes beside a far star.
    pub atomic_weight: bool,
}

impl Quantities {
    /// Outcomes alone.
    pub const OUTCOME: Self = Self { canonical_form: false, atomic_weight: false };
    /// Outcomes and canonical forms.
    pub const CANONICAL_FORM: Self = Self { canonical_form: true, atomic_weight: false };
    /// Outcomes and atomic weights.
    pub const ATOMIC_WEIGHT: Self = Self { canonical_form: false, atomic_weight: true };
    /// All of them.
    pub const ALL: Self = Self { canonical_form: true, atomic_weight: true };

    /// These and those.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { canonical_form: self.canonical_form || other.canonical_form, atomic_weight: self.atomic_weight || other.atomic_weight }
    }

    /// These quantities.
    #[must_use]
    pub fn of(quantities: &[Quantity]) -> Self {
        Self { canonical_form: quantities.contains(&Quantity::CanonicalForm), atomic_weight: quantities.contains(&Quantity::AtomicWeight) }
    }

    /// They themselves, in the order in which they are shown.
    pub fn iter(self) -> impl Iterator<Item = Quantity> {
        Quantity::ALL.into_iter().filter(move |quantity| match quantity {
            Quantity::Outcome => true,
            Quantity::CanonicalForm => self.canonical_form,
            Quantity::AtomicWeight => self.atomic_weight,
        })
    }
}

/// What is the case, or what a claim says is.
#[derive(Clone, Debug)]
pub enum Value {
    /// An outcome class.
    Outcome(Outcome),
    /// A canonical form.
    Form(Arc<Form>),
    /// The canonical form of this name, as claims predict it.
    Named(Name),
    /// The canonical form as a game, which is what expressions see; none if it has more positions than they take.
    Game(Option<Arc<Shape>>),
    /// An atomic weight.
    Weight(Weight),
    /// How two games compare.
    Order(Order),
}

/// The canonical form of a heap, its options given as heaps of the same ruleset: the least ones of their values. Every option of
/// the canonical form of a heap has the value of a smaller heap, since a reversible one is replaced by canonical options of one.
#[derive(Clone, Debug)]
pub struct Form {
    /// The least heap of the same value.
    pub least: u64,
    /// Left's options, ascending.
    pub left: Vec<u64>,
    /// Right's options, ascending.
    pub right: Vec<u64>,
    /// How it is written without braces, if it is.
    pub name: Option<Name>,
    /// Whether in each of its positions both players have a move or neither.
    pub is_all_small: bool,
    /// As people write it, and where that would be too long with heaps for options.
    pub text: String,
}

impl Form {
    /// A canonical form that is too long to be written out, by the least heaps that have the values of its options.
    #[must_use]
    pub fn by_heaps(left: &[u64], right: &[u64]) -> String {
        let side = |heaps: &[u64]| heaps.iter().rev().map(|heap| format!("heap {heap}")).collect::<Vec<_>>().join(",");
        format!("{{{}|{}}}", side(left), side(right))
    }
}

/// An atomic weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weight {
    /// An integer.
    Integer(i64),
    /// Any other game, as people write it.
    Game(String),
    /// There is none.
    None,
}

impl Weight {
    /// A weight that is a game, or none.
    ///
    /// # Errors
    /// [`ValueError::Steps`], if its text is longer than any that is written out: that is as good as one that takes too long.
    pub fn of_game(games: &mut Games, weight: Option<GameId>) -> Result<Self, ValueError> {
        let Some(weight) = weight else { return Ok(Self::None) };
        if let Some(integer) = games.as_number(weight).and_then(Dyadic::as_integer) {
            return Ok(Self::Integer(integer));
        }
        games.text(weight).map(Self::Game).ok_or(ValueError::Steps { limit: STEPS_PER_WEIGHT })
    }
}

impl PartialEq for Value {
    /// Equality of values; canonical forms are taken to be of the same ruleset.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Outcome(one), Self::Outcome(other)) => one == other,
            (Self::Form(one), Self::Form(other)) => one.least == other.least,
            (Self::Form(form), Self::Named(name)) | (Self::Named(name), Self::Form(form)) => form.name == Some(*name),
            (Self::Named(one), Self::Named(other)) => one == other,
            (Self::Weight(one), Self::Weight(other)) => one == other,
            (Self::Order(one), Self::Order(other)) => one == other,
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => outcome.fmt(formatter),
            Self::Form(form) => formatter.write_str(&form.text),
            Self::Named(name) => name.fmt(formatter),
            Self::Game(_) => formatter.write_str("a game"),
            Self::Weight(weight) => weight.fmt(formatter),
            Self::Order(order) => formatter.write_str(order.sign()),
        }
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(formatter),
            Self::Game(text) => formatter.write_str(text),
            Self::None => formatter.write_str("none"),
        }
    }
}

impl Value {
    /// A game of a store as expressions see it.
    #[must_use]
    pub fn of_game(games: &Games, game: GameId) -> Self {
        Self::Game(games.shape(game, MAX_GAME_POSITIONS).map(Arc::new))
    }

    /// Several quantities of one heap on one line, as they are kept for export.
    #[must_use]
    pub fn joined(values: &[Self]) -> String {
        values.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    /// The quantity that it is one of; none for how two games compare.
    #[must_use]
    pub fn quantity(&self) -> Option<Quantity> {
        match self {
            Self::Outcome(_) => Some(Quantity::Outcome),
            Self::Form(_) | Self::Named(_) | Self::Game(_) => Some(Quantity::CanonicalForm),
            Self::Weight(_) => Some(Quantity::AtomicWeight),
            Self::Order(_) => None,
        }
    }

    /// The outcome class, if it is one.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if let Self::Outcome(outcome) = self { Some(*outcome) } else { None }
    }

    /// The canonical form, if it is one.
    #[must_use]
    pub fn form(&self) -> Option<&Form> {
        if let Self::Form(form) = self { Some(form) } else { None }
    }

    /// The atomic weight, if it is an integer.
    #[must_use]
    pub fn integer_weight(&self) -> Option<i64> {
        if let Self::Weight(Weight::Integer(integer)) = self { Some(*integer) } else { None }
    }

    /// How two games compare, if that was asked.
    #[must_use]
    pub fn order(&self) -> Option<Order> {
        if let Self::Order(order) = self { Some(*order) } else { None }
    }
}
