//! The face that a family shows to everything outside: object-safe, and implemented once for all families.

use std::convert::Infallible;

use serde::Serialize;
use serde_json::Value;
use toml::Table;

use crate::claim::Claim;
use crate::language::Variable;
use crate::sweep::{Group, KeptRecord, ManifestError, Record, Shard, ShardResult, Stated, StatedClaim};
use crate::value::ValueError;

use super::{DecodeError, Explanation, Room};

/// One kind of game: its rules, its claims, and the spaces of positions that can be swept.
pub trait Family: Sync {
    /// Unique over all families, such as `graph-nim`.
    fn id(&self) -> &'static str;

    /// What the game is, in one sentence.
    fn about(&self) -> &'static str;

    /// Raised whenever a solver's result for the same shard could change; a sweep is solved by one version only.
    fn solver_version(&self) -> u32;

    /// Every claim that the family comes with, in the order to show them.
    fn claims(&self) -> Vec<Claim>;

    /// Reads the boxes of a manifest, with the claims of a sweep: those that it states; and those whose ids match some pattern, in
    /// which `*` stands for any run of characters, or without patterns and stated claims those that can speak about some box.
    ///
    /// # Errors
    /// [`ManifestError`] names the key or the claim and what would be right.
    fn space(&self, boxes: &[Table], claims: Option<&[String]>, stated: &Stated) -> Result<Box<dyn Space>, ManifestError>;

    /// Reads what [`Space::encode`] wrote, with claims that a manifest states and after them those of these ids, in their order.
    ///
    /// # Errors
    /// [`DecodeError`], if this is no encoding or no claim that this version knows.
    fn decode(&self, encoding: &str, stated: &[StatedClaim], claims: &[String]) -> Result<Box<dyn Space>, DecodeError>;

    /// The names that claims of a manifest may use, in the order to show them.
    fn variables(&self) -> Vec<Variable>;

    /// What claims of a manifest may be about besides positions, such as a ruleset; none if about nothing else.
    fn whole(&self) -> Option<&'static str>;

    /// The parts of a position, or of what else a claim may be about, given as reports show it, under the names that a table has for
    /// them.
    fn columns(&self, parameters: &Value) -> Vec<(String, Value)>;

    /// The parameters that [`Family::explain`] takes: an example, on one line, for each way to name a position; at least one.
    fn explain_examples(&self) -> &'static [&'static str];

    /// One position: its value by the reference solver, its winning moves, and what each claim says about it.
    ///
    /// # Errors
    /// [`ManifestError`] names the parameter and what would be right, also where the position is too large for the reference.
    fn explain(&self, parameters: &Parameters) -> Result<Explanation, ManifestError>;

    /// One position under the claims that a manifest states about some boxes, and no others.
    ///
    /// # Errors
    /// As for [`Family::explain`], and [`ManifestError`] names what is wrong with a claim.
    fn explain_stated(&self, parameters: &Parameters, boxes: &[Table], stated: &Stated) -> Result<Explanation, ManifestError>;
}

/// Named parameters as a person typed them, in their order.
pub type Parameters = [(String, String)];

/// The boxes of a sweep and the claims to hold against them. Units number the smallest parts that a box can be cut into; a shard
/// is a run of units.
pub trait Space: Send + Sync {
    /// How many boxes there are, at least one.
    fn boxes(&self) -> u32;

    /// What its boxes keep, and what it takes to make them.
    fn room(&self) -> Room;

    /// The claims of the sweep, in their order. A claim's place in this list is its number everywhere else.
    fn claims(&self) -> Vec<Claim>;

    /// A box in a few words, such as `H1, weights 0..=32`.
    fn describe(&self, box_index: u32) -> String;

    /// How many units a box has, at least one.
    fn units(&self, box_index: u32) -> u64;

    /// How many configurations a shard decides, in closed form.
    fn configurations(&self, shard: &Shard) -> u128;

    /// How many configurations the space has, in closed form.
    fn total(&self) -> u128 {
        (0..self.boxes()).map(|index| self.configurations(&Shard { box_index: index, start: 0, end: self.units(index) })).sum()
    }

    /// What solving a shard costs, with what must be solved beneath it.
    fn cost(&self, shard: &Shard) -> Cost;

    /// Describes what a slot keeps of a box with these claims; none where it keeps nothing worth mentioning.
    fn keeps(&self, box_index: u32) -> Option<String>;

    /// Whether a claim speaks about some configuration of some box, as far as the kind of box tells.
    fn can_speak(&self, claim: usize) -> bool;

    /// What the hypotheses of the claims that the manifest states come to at a configuration of a box, by its number in it: below
    /// [`Space::configurations`] of the whole box, and each number has its own. None where the box cannot tell which it is before
    /// it is solved.
    ///
    /// Cost: [`Hypotheses::steps`].
    fn hypotheses(&self, box_index: u32, number: u128) -> Option<Hypotheses>;

    /// The names that the claims of the manifest's own use, each once, with the boxes that have no such name.
    fn stated_names(&self) -> Vec<(Variable, Vec<u32>)>;

    /// The least version of the language that reads the claims that the manifest states; none if it states none.
    fn language(&self) -> Option<u32>;

    /// The boxes as a JSON list, for reports and for the sweep's identity.
    fn to_json(&self) -> Value;

    /// A versioned text that [`Family::decode`] reads back as the same space.
    fn encode(&self) -> String;

    /// Pictures of the positions that were kept, for reports. `records` has every kept position of the sweep, smallest first.
    fn figures(&self, records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure>;

    /// A group of the tally in words, with the number to show for it.
    fn group_in_words(&self, group: &Group, number: u128) -> (String, u128);

    /// Whether a solver may give such a number to a group of a box, as far as the family can tell.
    fn may_count(&self, box_index: u32, group: &Group, number: u128) -> bool;

    /// The box of a configuration's key, and the configuration as reports show it; none if the key is none of this space.
    fn show(&self, key: &[u8]) -> Option<(u32, Value)>;

    /// Whether a key is that of a configuration of a box.
    fn has_key(&self, box_index: u32, key: &[u8]) -> bool;

    /// Whether [`Space::figures`] draws a sweep of which only the positions are kept that the player to move loses.
    fn draws_losing(&self) -> bool;

    /// A solver, which keeps its tables from shard to shard.
    fn solver(&self) -> Box<dyn Solver>;

    /// The reference, which keeps what it has solved from position to position.
    fn reference(&self) -> Box<dyn Reference>;
}

/// Values in rows, a letter each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// Its rows, the first one on top.
    pub rows: Vec<FigureRow>,
}

/// A row of a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct FigureRow {
    /// What the row is about.
    pub label: String,
    /// One letter a value.
    pub letters: String,
}

/// What the hypotheses of the claims that a manifest states come to at a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hypotheses {
    /// Whether that of each claim is true, in their order; none where it asks for something that is solved.
    pub are_true: Vec<Option<bool>>,
    /// What it took, in steps of the language, of some 16 parts of an expression each.
    pub steps: u64,
}

/// What a shard costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Seconds of one core, estimated.
    pub seconds: f64,
    /// Bytes of tables, an upper bound.
    pub bytes: u128,
}

/// What to do with a shard.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Counterexamples to keep per claim.
    pub counterexamples: usize,
    /// Positions to keep.
    pub record: Record,
    /// The most bytes that tables may take.
    pub budget_bytes: u64,
}

/// The fast way to a shard's result.
pub trait Solver: Send {
    /// Solves a shard. Shards of one box are solved fastest in ascending order.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if the pulse said so: there is no partial result. [`SolveError::TooLarge`] before any table is
    /// made, if the tables do not fit the budget.
    fn solve(&mut self, shard: &Shard, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError>;
}

/// How a solver reports and is stopped.
pub trait Pulse {
    /// Called at least every 2^16 steps with the number of configurations decided so far; `false` means stop.
    fn beat(&mut self, decided: u128) -> bool;
}

/// Why a shard was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The pulse said stop.
    #[error("stopped")]
    Stopped,
    /// The tables do not fit.
    #[error("the shard needs {needs} bytes of tables and the slot's budget is {budget}")]
    TooLarge {
        /// Bytes needed.
        needs: u128,
        /// Bytes allowed.
        budget: u64,
    },
    /// A value cannot be worked out within bounds.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The shard is not one of this space.
    #[error("the space has no shard {0:?}")]
    NoSuchShard(Shard),
    /// A box has no unit of this number, or not of this kind.
    #[error("the box has no unit {0}")]
    NoSuchUnit(u64),
}

impl From<Infallible> for SolveError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The slow and obvious way to a value, by the rules alone.
pub trait Reference: Send {
    /// Solves a configuration again that the solver says contradicts a claim, given by its place in [`Space::claims`].
    fn confirm(&mut self, claim: usize, key: &[u8], actual: &str) -> Confirmation;

    /// The value of a configuration, as records have it; none if the key is none of this space or the configuration is too
    /// large for the reference.
    fn value(&mut self, key: &[u8]) -> Option<String>;
}

/// What the reference says about a counterexample.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmation {
    /// It contradicts the claim; or it is too large for the reference, and then `confirmed` is false and `reason` says so.
    Stands(Counterexample),
    /// The reference, or the claim itself, says otherwise: a fault of the program or of the worker.
    Disagrees(String),
}

/// A configuration that contradicts a claim, ready for people.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
pub struct Counterexample {
    /// The configuration.
    pub parameters: Value,
    /// What the claim predicts.
    pub predicted: String,
    /// What is the case.
    pub actual: String,
    /// Whether the reference found the same.
    pub confirmed: bool,
    /// Why the actual value is what it is: a winning move, or that every move is answered.
    pub witness: Option<String>,
    /// Why it is not confirmed.
    pub reason: Option<String>,
    /// The parts of a claim that a manifest states, each with its value here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subexpressions: Vec<Subexpression>,
}

/// A part of an expression, and its value at a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Subexpression {
    /// The part.
    pub expression: String,
    /// Its value, or why there is none.
    pub value: String,
}
