//! The names under which claims of a manifest find something of a position: what a family supplies for the language.

use std::collections::HashMap;
use std::sync::Arc;

use crate::language::{Reading, Role, Type, Variable, Vocabulary, VocabularyError};
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

/// A name, and where its value comes from.
pub struct Named<G: Game> {
    /// The name, its type and its meaning.
    pub variable: Variable,
    /// Where its value comes from.
    pub read: Read<G>,
}

/// A function that reads something of a position as claims see it.
pub type ReadPosition<G> = dyn Fn(&<G as Game>::View) -> Reading + Send + Sync;

/// Where the value of a name comes from.
pub enum Read<G: Game> {
    /// The position itself. A position that has no such name reads as [`Reading::Absent`].
    Position(Arc<ReadPosition<G>>),
    /// A solver, or the reference.
    Solved {
        /// A value of the kind that is asked for: what [`super::Answers::own`] is handed. It says nothing of the position.
        asked: G::Value,
        /// What the answer is in the language.
        read: fn(&G::Value, &mut Games) -> Reading,
    },
}

impl<G: Game> Clone for Read<G> {
    fn clone(&self) -> Self {
        match self {
            Self::Position(read) => Self::Position(Arc::clone(read)),
            Self::Solved { asked, read } => Self::Solved { asked: asked.clone(), read: *read },
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

    /// What a solver knows of the position, and what predictions of its type are compared with.
    pub fn predicted(
        name: &str,
        of: Type,
        meaning: impl Into<String>,
        asked: G::Value,
        read: fn(&G::Value, &mut Games) -> Reading,
    ) -> Self {
        Self { variable: Variable::new(name, of, Role::Predicted, meaning), read: Read::Solved { asked, read } }
    }

    /// What a solver knows of the position besides.
    pub fn solved(name: &str, of: Type, meaning: impl Into<String>, asked: G::Value, read: fn(&G::Value, &mut Games) -> Reading) -> Self {
        Self { variable: Variable::new(name, of, Role::Solved, meaning), read: Read::Solved { asked, read } }
    }
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
        for Named { variable, read } in described.into_iter().flat_map(G::names) {
            if known.insert(variable.name.clone(), ()).is_none() {
                variables.push(variable);
                reads.push(read);
            }
        }
        Ok(Self { vocabulary: Vocabulary::new(variables)?, reads })
    }
}
