//! The variables that a family supplies: the one thing that the language learns of a family.

use std::collections::HashMap;

use super::syntax::{is_name, is_reserved};
use super::types::Type;

/// A name under which expressions find something of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// How expressions write it: letters, digits and `_`.
    pub name: String,
    /// The type of its values.
    pub of: Type,
    /// Where its values come from.
    pub role: Role,
    /// What it is, on one line, for people.
    pub meaning: String,
    /// Of what it is.
    pub reach: Reach,
    /// Whether `at` may give it another value: it is a whole number and one of those that say which position it is.
    pub is_set: bool,
    /// Whether a position stands for it where a whole number is wanted: such as a heap for its size. At most one variable is that.
    pub is_number: bool,
}

/// Of what a variable is: of each position, or of many of them as a whole, such as all heaps of a ruleset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Of a position.
    #[default]
    Position,
    /// Of a whole.
    Whole,
    /// Of a whole, and of each of its positions.
    Both,
}

/// Where the values of a variable come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The position itself: a prediction may use it.
    Parameter,
    /// A solver: no prediction may see it.
    Solved,
    /// A solver, and predictions of its type are compared with it. A vocabulary has at most one of each type.
    Predicted,
}

impl Role {
    /// Whether it takes a solver.
    #[must_use]
    pub fn is_solved(self) -> bool {
        self != Self::Parameter
    }
}

impl Variable {
    /// A variable of this name.
    #[must_use]
    pub fn new(name: impl Into<String>, of: Type, role: Role, meaning: impl Into<String>) -> Self {
        let (name, meaning) = (name.into(), meaning.into());
        Self { name, of, role, meaning, reach: Reach::Position, is_set: false, is_number: false }
    }
}

/// Why some variables make no vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VocabularyError {
    /// The language itself uses the name, or it is none.
    #[error(
        "'{name}' cannot name a variable: a name has letters, digits and '_', does not begin with a digit, and is no word of the language"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// Two of one name.
    #[error("two variables are called '{name}'")]
    Twice {
        /// The name.
        name: String,
    },
    /// One name for different things.
    #[error("'{name}' is {one} in one box and {other} in another")]
    Differs {
        /// The name.
        name: String,
        /// Its type in a box.
        one: Type,
        /// Its type in another one.
        other: Type,
    },
    /// Two that predictions of one type would be compared with.
    #[error("predictions of one type would be compared with '{one}' and with '{other}'")]
    Predicted {
        /// A variable.
        one: String,
        /// Another one.
        other: String,
    },
}

/// The variables of a family, or of all boxes of a sweep together. A variable is known by its index here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    variables: Vec<Variable>,
    index: HashMap<String, usize>,
    /// What claims may be about besides positions.
    whole: Option<&'static str>,
    lacking: Vec<Lacking>,
}

/// A name that positions of the family may have and those at hand do not, for the sentence that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// The name.
    pub name: &'static str,
    /// The type of its values.
    pub of: Type,
    /// Why they have it not, and what would be right.
    pub why: &'static str,
}

impl Vocabulary {
    /// These variables, in this order.
    ///
    /// # Errors
    /// [`VocabularyError`].
    pub fn new(variables: Vec<Variable>) -> Result<Self, VocabularyError> {
        let mut index = HashMap::with_capacity(variables.len());
        for (place, Variable { name, of, role, .. }) in variables.iter().enumerate() {
            if !is_name(name) || is_reserved(name) {
                return Err(VocabularyError::Name { name: name.clone() });
            }
            if index.insert(name.clone(), place).is_some() {
                return Err(VocabularyError::Twice { name: name.clone() });
            }
            let rival = variables[..place].iter().find(|other| other.role == Role::Predicted && other.of == *of);
            if let Some(rival) = rival.filter(|_| *role == Role::Predicted) {
                return Err(VocabularyError::Predicted { one: rival.name.clone(), other: name.clone() });
            }
        }
        Ok(Self { variables, index, whole: None, lacking: Vec::new() })
    }

    /// The same for claims that may also be about many positions as a whole, which is called so: such as a ruleset.
    #[must_use]
    pub fn with_whole(self, whole: Option<&'static str>) -> Self {
        Self { whole, ..self }
    }

    /// What claims may be about besides positions.
    #[must_use]
    pub fn whole(&self) -> Option<&'static str> {
        self.whole
    }

    /// The index of the variable that a position stands for where a whole number is wanted.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        self.variables.iter().position(|variable| variable.is_number)
    }

    /// The variables of several boxes together, each once, in the order in which they first come. Where a box has no variable of
    /// a name, its positions have [`super::Reading::Absent`] for it.
    ///
    /// # Errors
    /// [`VocabularyError`]; also for a name that has different types in two boxes.
    pub fn union(boxes: impl IntoIterator<Item = Vec<Variable>>) -> Result<Self, VocabularyError> {
        let mut variables: Vec<Variable> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for variable in boxes.into_iter().flatten() {
            let Some(place) = known.get(&variable.name) else {
                known.insert(variable.name.clone(), variables.len());
                variables.push(variable);
                continue;
            };
            let one = &variables[*place].of;
            if *one != variable.of {
                return Err(VocabularyError::Differs { name: variable.name, one: one.clone(), other: variable.of });
            }
        }
        Self::new(variables)
    }

    /// The same variables, with names that the positions at hand lack.
    #[must_use]
    pub fn without(self, lacking: Vec<Lacking>) -> Self {
        Self { lacking, ..self }
    }

    /// Why the positions at hand have no such name, if that is known.
    pub(super) fn why_not(&self, name: &str) -> Option<&'static str> {
        self.lacking.iter().find(|lacking| lacking.name == name).map(|lacking| lacking.why)
    }

    /// Why the positions at hand have no value of a type, if that is known.
    pub(super) fn why_none(&self, of: &Type) -> Option<&'static str> {
        self.lacking.iter().find(|lacking| lacking.of == *of).map(|lacking| lacking.why)
    }

    /// All variables, in their order.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The index of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Those of some variables, by index, that take a solver.
    pub(super) fn solved(&self, uses: &[usize]) -> Vec<usize> {
        let is_solved = |index: &usize| self.variables.get(*index).is_some_and(|variable| variable.role.is_solved());
        uses.iter().copied().filter(is_solved).collect()
    }

    /// The index of what a prediction of this type is compared with: of a variable of the type itself, and for a whole number
    /// also of a game.
    #[must_use]
    pub fn predicted(&self, of: &Type) -> Option<usize> {
        let find = |wanted: &Type| self.variables.iter().position(|other| other.role == Role::Predicted && other.of == *wanted);
        find(of).or_else(|| if *of == Type::Integer { find(&Type::Game) } else { None })
    }
}
