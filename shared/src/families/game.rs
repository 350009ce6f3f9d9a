//! What a family supplies: only what it alone knows. Everything else is made of it, once for all families.

use std::fmt::Display;
use std::ops::Range;

use serde_json::Value as Json;
use toml::Table;

use crate::claim::Prediction;
use crate::language::{Lacking, Reading, Reason};
use crate::sweep::{Group, KeptRecord, ManifestError};

use super::fields::{Fields, Given};
use super::{Cost, DecodeError, Described, Entry, Explained, Figure, Judge, Named, Pulse, Room, SolveError, flat};

/// What a claim of a game says about a position.
pub type Says<G> = Prediction<<G as Game>::Question, <G as Game>::Value>;

/// One kind of game. `Family` is implemented for all of them.
pub trait Game: Sized + Send + Sync + 'static {
    /// Unique over all families, such as `graph-nim`.
    const ID: &'static str;
    /// What the game is, in one sentence.
    const ABOUT: &'static str;
    /// Raised whenever a solver's result for the same shard could change.
    const SOLVER_VERSION: u32;
    /// The greatest version in which boxes are encoded; all up to it are read.
    const ENCODING_VERSION: u32 = 1;
    /// The parameters that [`Game::read`] takes.
    const PARAMETERS: &'static [&'static str];
    /// These parameters on one line, as examples: one for each way to name a position, at least one.
    const EXPLAIN_EXAMPLES: &'static [&'static str];

    /// One box of a space.
    type Box: GameBox<Self>;
    /// A position with all that is needed to show it.
    type Position: Clone;
    /// A position as claims see it. The solver may make it a faster way; the reference makes it by [`Game::view`] alone.
    type View;
    /// What a relation may ask about; [`std::convert::Infallible`] where no claim asks about other positions.
    type Question;
    /// What is the case, or what a claim says is.
    type Value: Clone + PartialEq + Display + Send + Sync + 'static;
    /// What the family says about a claim besides its text and its predicate: what it speaks about.
    type Scope: Clone + Send + Sync;
    /// The fast way to values.
    type Solver: GameSolver<Self>;
    /// The slow and obvious way to values.
    type Reference: GameReference<Self>;

    /// The claims that the family comes with, in the order to show them.
    fn claims() -> Vec<Entry<Self>>;

    /// A position as claims see it, by the definitions; none where no claim can speak.
    fn view(position: &Self::Position) -> Option<Self::View>;

    /// Whether a claim is to be shown where a position is explained.
    fn concerns(_scope: &Self::Scope, _position: &Self::Position) -> bool {
        true
    }

    /// The names under which claims of a manifest find something of positions, in the order to show them. A name has the same type
    /// and the same meaning wherever it is; without names no manifest can state claims about the game.
    fn names(_of: Described<'_, Self>) -> Vec<Named<Self>> {
        Vec::new()
    }

    /// The names that one may look for and that these positions lack for a reason worth a sentence.
    fn lacks(_of: Described<'_, Self>) -> Vec<Lacking> {
        Vec::new()
    }

    /// What claims of a manifest may be about besides positions, such as a ruleset with all of its heaps in a box: the value of
    /// `per`, and the word for it in sentences. Such a claim is judged once, where the last of these positions is decided.
    const WHOLE: Option<&'static str> = None;

    /// The position of a view, for claims that look at other positions from there; none where there is nothing to look at.
    fn position(_view: &Self::View) -> Option<Self::Position> {
        None
    }

    /// The position that has other values under some names, all of which may be set.
    ///
    /// # Errors
    /// [`Reason::NoPosition`] where no position has such values; [`Reason::LargePosition`] for one that is beyond what the family
    /// ever solves.
    fn at(_of: &Self::Position, _changes: &[(&str, i64)]) -> Result<Self::Position, Reason> {
        Err(Reason::NoPosition)
    }

    /// A position as reports show it.
    fn to_json(position: &Self::Position) -> Json;

    /// The parts of a position, given as [`Game::to_json`] shows it, under the names that a table has for them.
    fn columns(parameters: &Json) -> Vec<(String, Json)> {
        flat(parameters)
    }

    /// The whole that a position of a box is of, as reports show it.
    fn whole_to_json(_one: &Self::Box, position: &Self::Position) -> Json {
        Self::to_json(position)
    }

    /// The position of the parameters that a person gave, all of whose names are known.
    ///
    /// # Errors
    /// [`ManifestError`] names the parameter and what would be right.
    fn read(given: &Given<'_>) -> Result<Self::Position, ManifestError>;

    /// Pictures of the positions that were kept, for reports.
    fn figures(_boxes: &[Self::Box], _records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
        Vec::new()
    }

    /// A group of the tally in words, with the number to show for it.
    fn group_in_words(group: &Group, number: u128) -> (String, u128) {
        (group.label.clone(), number)
    }

    /// Whether [`Game::figures`] draws a sweep of which only the positions are kept that the player to move loses.
    const DRAWS_LOSING: bool = false;
}

/// One box of a space. Its units, numbered from 0, are the smallest parts that it can be cut into.
pub trait GameBox<G: Game>: Send + Sync {
    /// The keys that a box may have in a manifest.
    const KEYS: &'static [&'static str];

    /// The boxes of one table of a manifest, all of whose keys are known; mostly one. What they cost they take from the room
    /// first, the boxes themselves where there are several.
    ///
    /// # Errors
    /// [`ManifestError`] names the key and what would be right.
    fn parse(table: &Table, room: &mut Room) -> Result<Vec<Self>, ManifestError>
    where
        Self: Sized;

    /// The box as JSON that [`GameBox::decode`] reads back: as reports show it, where that is all.
    fn encode(&self) -> Json {
        self.to_json()
    }

    /// The first version of the family's encoding that has such boxes. A space is written in the greatest of its boxes, so that boxes
    /// of old are written as they were.
    fn encoding_version(&self) -> u32 {
        1
    }

    /// Reads what [`GameBox::encode`] wrote: as a box of a manifest, where that is its form.
    ///
    /// # Errors
    /// [`DecodeError`], if this is no box of this version.
    fn decode(encoded: Json, room: &mut Room) -> Result<Self, DecodeError>
    where
        Self: Sized,
    {
        let table: Table = serde_json::from_value(encoded)?;
        Fields::new("space", &table, Self::KEYS)?;
        Self::parse(&table, room)?.pop().ok_or_else(|| ManifestError::field("space", "there is no box").into())
    }

    /// The box in a few words.
    fn describe(&self) -> String;

    /// The box as reports show it, in the words of a manifest.
    fn to_json(&self) -> Json;

    /// How many units there are, at least one.
    fn units(&self) -> u64;

    /// How many configurations some units decide, in closed form.
    fn configurations(&self, units: Range<u64>) -> u128 {
        u128::from(units.end - units.start)
    }

    /// What solving some units costs with these claims, with what must be solved beneath.
    fn cost(&self, units: Range<u64>, claims: &[Entry<G>]) -> Cost;

    /// Describes what a slot keeps of this box with these claims; none where it keeps nothing worth mentioning.
    fn keeps(&self, _claims: &[Entry<G>]) -> Option<String> {
        None
    }

    /// Whether this box has positions of the whole that a position is of: see [`Game::WHOLE`].
    fn has_whole_of(&self, _position: &G::Position) -> bool {
        false
    }

    /// Whether a claim may speak about some configuration of this box. On a box of which this says no it must be silent: it is
    /// not held against it.
    fn can_speak(&self, _scope: &G::Scope) -> bool {
        true
    }

    /// Whether solving units of this box, in a sweep with these claims, may give such a number to a group. What no solver of the
    /// family gives is refused when it comes in from outside.
    fn may_count(&self, _group: &Group, _number: u128, _claims: &[Entry<G>]) -> bool {
        false
    }

    /// The position of a configuration by its number, below the [`GameBox::configurations`] of all units: each number has its own.
    /// None where the box cannot tell before it is solved.
    fn configuration(&self, _number: u128) -> Option<G::Position> {
        None
    }

    /// The position of a configuration's key, as [`Configuration::key`] has it, if it is one of this box.
    fn position(&self, key: &[u8]) -> Option<G::Position>;
}

/// A configuration as it is written down.
pub trait Configuration {
    /// Appends its key within its box. The byte order of keys is the order of size: by the sum of the numeric parameters, then
    /// lexicographically.
    fn key(&self, key: &mut Vec<u8>);

    /// Appends its canonical bytes, which are about the configuration itself, whatever the sweep around it.
    fn canonical(&self, bytes: &mut Vec<u8>) {
        self.key(bytes);
    }
}

/// The fast way: solves units of one box, and keeps its tables from shard to shard.
pub trait GameSolver<G: Game>: Send {
    /// A solver that has solved nothing yet of a box.
    fn new(one: &G::Box) -> Self;

    /// Solves some units of the box and hands each configuration to the judge. The units are in the box, and the tables fit the
    /// budget by [`GameBox::cost`]. Runs of units are solved fastest in ascending order.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if the pulse said so; the solver can be used again.
    fn solve(&mut self, one: &G::Box, units: Range<u64>, judge: &mut Judge<'_, G>, pulse: &mut dyn Pulse) -> Result<(), SolveError>;
}

/// The slow and obvious way, by the rules alone. It keeps what it has solved from position to position.
pub trait GameReference<G: Game>: Default + Send {
    /// What a position is worth.
    ///
    /// # Errors
    /// [`TooLarge`].
    fn value(&mut self, position: &G::Position) -> Result<G::Value, TooLarge>;

    /// What a position is worth where a claim predicts `predicted`: one of several values, where the family has such, and none
    /// where no play decides.
    ///
    /// # Errors
    /// [`TooLarge`].
    fn own(&mut self, position: &G::Position, _predicted: &G::Value) -> Result<Option<G::Value>, TooLarge> {
        self.value(position).map(Some)
    }

    /// What is known under a name of the whole that a position of a box is of; see [`Game::WHOLE`].
    ///
    /// # Errors
    /// [`TooLarge`].
    fn whole(&mut self, _one: &G::Box, _position: &G::Position, _name: &str) -> Result<Reading, TooLarge> {
        Ok(Reading::Absent)
    }

    /// The answer to what a relation asks.
    ///
    /// # Errors
    /// [`TooLarge`].
    fn answer(&mut self, question: &G::Question) -> Result<G::Value, TooLarge>;

    /// The value of a position of a box as its solved positions are kept; none if it is too large.
    fn kept(&mut self, _one: &G::Box, position: &G::Position) -> Option<String> {
        self.value(position).ok().map(|value| value.to_string())
    }

    /// Why a position has its value, where a claim about play says this of it and is wrong: a winning move, or that there is
    /// none.
    fn witness(&mut self, _position: &G::Position, _says: &Says<G>) -> Option<String> {
        None
    }

    /// A position, explained without its claims.
    ///
    /// # Errors
    /// [`ManifestError`], where the position is too large for the reference.
    fn explain(&mut self, position: &G::Position) -> Result<Explained, ManifestError>;
}

/// A position is too large for the reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TooLarge(
    /// The sentence that says so, with the bound.
    pub String,
);
