//! The names under which claims of a manifest find something of a position: what a family supplies for the language.

use std::collections::HashMap;
use std::sync::Arc;

use crate::language::{Lacking, Reach, Reading, Reason, Role, Type, Value, Variable, Vocabulary, VocabularyError};
use crate::value::Games;

use super::Game;

/// What names are asked for.
pub enum Described<'a, G: Game> {
    /// All that positions of the family can have, for people: a name may stand for several, such as `AB` for every edge.
    Family,
    /// What positions of a box have.
    Box(&'a G::Box),
    /// What a position has.
    Position(&'a G::Position),
}

impl<G: Game> Clone for Described<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Described<'_, G> {}

/// So many games may come together in a store that claims of a manifest work with.
const MOST_GAMES: usize = 1 << 16;

/// Makes a store anew when many games have come together. What a claim comes to does not depend on what is in it.
pub fn keep_small(games: &mut Games) {
    if games.len() > MOST_GAMES {
        *games = Games::new(u64::MAX);
    }
}

/// A name, and where its value comes from.
pub struct Named<G: Game> {
    /// The name, its type and its meaning.
    pub variable: Variable,
    /// Where its value comes from.
    pub read: Read<G>,
}

/// A function that reads something of a position as claims see it.
pub type ReadPosition<G> = dyn Fn(&<G as Game>::View) -> Reading + Send + Sync;

/// A function that reads something of an answer, at a position as claims see it.
pub type ReadSolved<G> = fn(&<G as Game>::View, &<G as Game>::Value, &mut Games) -> Reading;

/// Where the value of a name comes from.
pub enum Read<G: Game> {
    /// The position itself. A position that has no such name reads as [`Reading::Absent`].
    Position(Arc<ReadPosition<G>>),
    /// A solver, or the reference.
    Solved {
        /// A value of the kind that is asked for: what [`super::Answers::own`] is handed. It says nothing of the position.
        asked: G::Value,
        /// What the answer is in the language, at a position as claims see it.
        read: ReadSolved<G>,
    },
    /// A list of other positions.
    Positions(Listed<G>),
    /// A solver, or the reference, asked by the name about the whole that a position is of: see [`super::Answers::whole`].
    Whole(&'static str),
}

/// A list of positions that belongs to a position, such as its options: each of them once, made when it is asked for.
pub struct Listed<G: Game> {
    /// A value of the kind of which the list is made, if it takes a solver.
    pub asked: Option<G::Value>,
    /// How many there are; none where the position has no such list.
    pub count: fn(&Around<'_, G>) -> Option<u64>,
    /// That of this number, from 0.
    pub element: fn(&Around<'_, G>, u64) -> Option<G::Position>,
}

/// A position with what a list of positions may be made of.
pub struct Around<'a, G: Game> {
    /// The position.
    pub position: &'a G::Position,
    /// The box, where a claim is about a whole of its positions.
    pub one: Option<&'a G::Box>,
    /// What was asked for the list.
    pub answer: Option<G::Value>,
}

impl<G: Game> Clone for Listed<G> {
    fn clone(&self) -> Self {
        Self { asked: self.asked.clone(), count: self.count, element: self.element }
    }
}

impl<G: Game> Clone for Read<G> {
    fn clone(&self) -> Self {
        match self {
            Self::Position(read) => Self::Position(Arc::clone(read)),
            Self::Solved { asked, read } => Self::Solved { asked: asked.clone(), read: *read },
            Self::Positions(listed) => Self::Positions(listed.clone()),
            Self::Whole(name) => Self::Whole(name),
        }
    }
}

impl<G: Game> Named<G> {
    /// Something of the position itself, under a name of this type and with this meaning.
    pub fn position(
        name: impl Into<String>,
        of: Type,
        meaning: impl Into<String>,
        read: impl Fn(&G::View) -> Reading + Send + Sync + 'static,
    ) -> Self {
        Self { variable: Variable::new(name, of, Role::Parameter, meaning), read: Read::Position(Arc::new(read)) }
    }

    /// A whole number of the position itself; absent where there is none.
    pub fn integer<N: TryInto<i64>>(
        name: impl Into<String>,
        meaning: impl Into<String>,
        read: impl Fn(&G::View) -> Option<N> + Send + Sync + 'static,
    ) -> Self {
        Self::position(name, Type::Integer, meaning, move |view| read(view).map_or(Reading::Absent, whole))
    }

    /// Something that is true or false of the position itself; absent where it makes no sense.
    pub fn boolean(
        name: impl Into<String>,
        meaning: impl Into<String>,
        read: impl Fn(&G::View) -> Option<bool> + Send + Sync + 'static,
    ) -> Self {
        Self::position(name, Type::Boolean, meaning, move |view| read(view).map_or(Reading::Absent, |is| Value::Boolean(is).into()))
    }

    /// A list of whole numbers of the position itself; absent where there is none.
    pub fn integers<N: TryInto<i64>>(
        name: impl Into<String>,
        meaning: impl Into<String>,
        read: impl Fn(&G::View) -> Option<Vec<N>> + Send + Sync + 'static,
    ) -> Self {
        Self::position(name, Type::list(Type::Integer), meaning, move |view| read(view).map_or(Reading::Absent, list))
    }

    /// A list of positions by the rules alone.
    pub fn positions(
        name: &str,
        meaning: impl Into<String>,
        count: fn(&Around<'_, G>) -> Option<u64>,
        element: fn(&Around<'_, G>, u64) -> Option<G::Position>,
    ) -> Self {
        let variable = Variable::new(name, Type::list(Type::Position), Role::Parameter, meaning);
        Self { variable, read: Read::Positions(Listed { asked: None, count, element }) }
    }

    /// A list of positions that takes a solver: it is made of a value of this kind.
    pub fn solved_positions(
        name: &str,
        meaning: impl Into<String>,
        asked: G::Value,
        count: fn(&Around<'_, G>) -> Option<u64>,
        element: fn(&Around<'_, G>, u64) -> Option<G::Position>,
    ) -> Self {
        let variable = Variable::new(name, Type::list(Type::Position), Role::Solved, meaning);
        Self { variable, read: Read::Positions(Listed { asked: Some(asked), count, element }) }
    }

    /// Something that a solver knows of a whole: a name that claims about positions cannot use.
    pub fn whole(name: &'static str, of: Type, meaning: impl Into<String>) -> Self {
        Self { variable: Variable::new(name, of, Role::Solved, meaning), read: Read::Whole(name) }.of(Reach::Whole)
    }

    /// The same name of something else: of a whole, or also of one.
    #[must_use]
    pub fn of(mut self, reach: Reach) -> Self {
        self.variable.reach = reach;
        self
    }

    /// The same name, to which `at` may give other values: [`Game::at`] knows it.
    #[must_use]
    pub fn set(mut self) -> Self {
        self.variable.is_set = true;
        self
    }

    /// The same name, for which a position stands where a whole number is wanted.
    #[must_use]
    pub fn as_number(mut self) -> Self {
        self.variable.is_number = true;
        self
    }

    /// What a solver knows of the position, and what predictions of its type are compared with.
    pub fn predicted(name: &str, of: Type, meaning: impl Into<String>, asked: G::Value, read: ReadSolved<G>) -> Self {
        Self { variable: Variable::new(name, of, Role::Predicted, meaning), read: Read::Solved { asked, read } }
    }

    /// What a solver knows of the position besides.
    pub fn solved(name: &str, of: Type, meaning: impl Into<String>, asked: G::Value, read: ReadSolved<G>) -> Self {
        Self { variable: Variable::new(name, of, Role::Solved, meaning), read: Read::Solved { asked, read } }
    }
}

/// A whole number as expressions have it.
pub fn whole(number: impl TryInto<i64>) -> Reading {
    number.try_into().map_or(Reading::Undefined(Reason::Overflow), |number| Value::Integer(number).into())
}

/// A list of whole numbers as expressions have it.
pub fn list<N: TryInto<i64>>(numbers: impl IntoIterator<Item = N>) -> Reading {
    let numbers: Result<Vec<i64>, N::Error> = numbers.into_iter().map(N::try_into).collect();
    numbers.map_or(Reading::Undefined(Reason::Overflow), |numbers| Value::list_of(numbers).into())
}

/// The names of several boxes together, each once, and where their values come from, by the same index.
pub struct Names<G: Game> {
    /// The names.
    pub vocabulary: Vocabulary,
    /// Where their values come from.
    pub reads: Vec<Read<G>>,
}

impl<G: Game> Names<G> {
    /// The names of all that is described. A name has one type, whatever has it; the first that has it says where its value comes
    /// from, and says so for all.
    ///
    /// # Errors
    /// [`VocabularyError`], if the family has given a name that is none.
    pub fn of<'a>(described: impl IntoIterator<Item = Described<'a, G>>) -> Result<Self, VocabularyError>
    where
        G: 'a,
    {
        let (mut variables, mut reads, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        let mut lacking: Vec<Lacking> = Vec::new();
        for described in described {
            lacking.extend(G::lacks(described));
            for Named { variable, read } in G::names(described) {
                if known.insert(variable.name.clone(), ()).is_none() {
                    variables.push(variable);
                    reads.push(read);
                }
            }
        }
        Ok(Self { vocabulary: Vocabulary::new(variables)?.with_whole(G::WHOLE).without(lacking), reads })
    }
}
