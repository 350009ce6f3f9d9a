//! The face of families that are not made of `Game` yet.
#![allow(missing_docs)]

use serde_json::Value;
use toml::Table;

use crate::claim::Kind;
use crate::sweep::{Group, KeptRecord, ManifestError, Record, Shard, ShardResult};

pub(super) use super::legacy_encoding as encoding;
pub use super::{
    Check, Collector, Confirmation, Cost, Counterexample, Figure, FigureRow, Move, Parameters, Pulse, SolveError, ValuedOption,
};

#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub id: &'static str,
    pub source: Source,
    pub kind: Kind,
    pub hypothesis: &'static str,
    pub statement: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub struct Source {
    pub paper: &'static Paper,
    pub item: &'static str,
    pub section: &'static str,
}

#[derive(Debug)]
pub struct Paper {
    pub key: &'static str,
    pub title: &'static str,
    pub cite: &'static str,
}

pub type Place = (&'static str, Kind, &'static str, &'static str);

impl Claim {
    pub const fn new(paper: &'static Paper, place: Place, words: [&'static str; 2]) -> Self {
        let (id, kind, item, section) = place;
        let [hypothesis, statement] = words;
        Self { id, source: Source { paper, item, section }, kind, hypothesis, statement }
    }

    pub fn owned(&self) -> crate::claim::Claim {
        let Source { paper, item, section } = self.source;
        let paper = crate::claim::Paper::new(paper.key, paper.title, paper.cite);
        crate::claim::Claim {
            id: self.id.into(),
            source: crate::claim::Source { paper, item: item.into(), section: section.into() },
            kind: self.kind,
            hypothesis: self.hypothesis.into(),
            statement: self.statement.into(),
        }
    }
}

pub fn collector(box_index: u32, task: &Task) -> Collector {
    let Task { counterexamples, record, budget_bytes, .. } = *task;
    Collector::new(box_index, task.claims.len(), &super::Task { counterexamples, record, budget_bytes })
}

/// One kind of game: its rules, its claims, and the spaces of positions that can be swept.
pub trait Family: Sync {
    /// Unique over all families, such as `graph-nim`.
    fn id(&self) -> &'static str;

    /// What the game is, in one sentence.
    fn about(&self) -> &'static str;

    /// Raised whenever a solver's result for the same shard could change; a sweep is solved by one version only.
    fn solver_version(&self) -> u32;

    /// Every claim about this family. A claim's index in this list is its number everywhere else.
    fn claims(&self) -> &'static [Claim];

    /// Reads the boxes of a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] names the key and what would be right.
    fn space(&self, boxes: &[Table]) -> Result<Box<dyn Space>, ManifestError>;

    /// Reads what [`Space::encode`] wrote.
    ///
    /// # Errors
    /// A sentence, if this is no encoding that this version knows.
    fn decode(&self, encoding: &str) -> Result<Box<dyn Space>, String>;

    /// The parameters that [`Family::explain`] takes, as one line of an example.
    fn explain_example(&self) -> &'static str;

    /// One position: its value by the reference solver, its winning moves, and what each claim says of it.
    ///
    /// # Errors
    /// [`ManifestError`] names the parameter and what would be right, also where the position is too large for the reference.
    fn explain(&self, parameters: &Parameters) -> Result<Explanation, ManifestError>;
}

/// The boxes of a sweep. Units number the smallest parts that a box can be cut into; a shard is a run of units.
pub trait Space: Send + Sync {
    /// How many boxes there are, at least one.
    fn boxes(&self) -> u32;

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
    fn cost(&self, shard: &Shard, claims: &[usize]) -> Cost;

    /// Whether a claim speaks about some configuration of some box, as far as the kind of box tells.
    fn can_speak(&self, claim: usize) -> bool;

    /// The boxes as a JSON list, for reports and for the sweep's identity.
    fn to_json(&self) -> Value;

    /// A versioned text that [`Family::decode`] reads back as the same space.
    fn encode(&self) -> String;

    /// Pictures of the positions that were kept, for reports. `records` has every kept position of the sweep, smallest first.
    fn figures(&self, _records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
        Vec::new()
    }

    /// A group of the tally in words, with the number to show for it.
    fn group_in_words(&self, group: &Group, number: u128) -> (String, u128) {
        (group.label.clone(), number)
    }

    /// Whether [`Space::figures`] draws a sweep of which only the positions are kept that the player to move loses.
    fn draws_losing(&self) -> bool {
        false
    }

    /// A solver, which keeps its tables from shard to shard.
    fn solver(&self) -> Box<dyn Solver>;

    /// The reference, which keeps what it has solved from position to position.
    fn reference(&self) -> Box<dyn Reference>;
}

/// What to do with a shard.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The claims to hold against it, by index.
    pub claims: Vec<usize>,
    /// Counterexamples to keep a claim.
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

/// The slow and obvious way to a value, by the rules alone.
pub trait Reference: Send {
    /// Solves a configuration again that the solver says contradicts a claim.
    fn confirm(&mut self, claim: usize, key: &[u8], actual: &str) -> Confirmation;

    /// The value of a configuration, as records have it; none if the key is none of this space or the configuration is too
    /// large for the reference.
    fn value(&mut self, key: &[u8]) -> Option<String>;
}

/// One position, explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The position.
    pub parameters: Value,
    /// Its outcome class, where the family has one.
    pub outcome: Option<String>,
    /// Its value, where the family has one beyond the outcome.
    pub value: Option<String>,
    /// How many moves there are.
    pub moves: u128,
    /// The moves that win, smallest resulting position first.
    pub winning_moves: Vec<Move>,
    /// Every option with its value, where the family shows them.
    pub options: Vec<ValuedOption>,
    /// What the claims' hypotheses speak of, worked out: a name and its value each.
    pub facts: Vec<(String, String)>,
    /// A picture around the position, where the family has one.
    pub figure: Option<Figure>,
    /// What each claim that can speak about such a position says of it.
    pub claims: Vec<ClaimView>,
}

/// What a claim says of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimView {
    /// The claim, by index.
    pub claim: usize,
    /// What it predicts; none where it is silent.
    pub predicted: Option<String>,
    /// How that compares with the actual value.
    pub verdict: Check,
}

/// Lets a family of this face show the new one.
pub struct Chosen {
    pub family: &'static dyn Family,
    pub claims: Vec<usize>,
    pub space: Box<dyn Space>,
}

impl Chosen {
    pub fn parse(family: &'static dyn Family, boxes: &[Table], patterns: Option<&[String]>) -> Result<Self, ManifestError> {
        let space = family.space(boxes)?;
        let all = family.claims();
        let claims = match patterns {
            None => (0..all.len()).filter(|claim| space.can_speak(*claim)).collect(),
            Some(patterns) => {
                let ids = || all.iter().map(|claim| claim.id);
                if let Some(pattern) = patterns.iter().find(|pattern| !ids().any(|id| super::entry::matches(pattern, id))) {
                    let hint = crate::text::known(pattern, ids());
                    let problem = format!("unknown claim '{pattern}'; {hint} ('refute claims --family {}' lists them)", family.id());
                    return Err(ManifestError::field("claims", problem));
                }
                let is_chosen = |claim: &Claim| patterns.iter().any(|pattern| super::entry::matches(pattern, claim.id));
                all.iter().enumerate().filter(|(_, claim)| is_chosen(claim)).map(|(index, _)| index).collect()
            }
        };
        Ok(Self { family, claims, space })
    }

    pub fn decode(family: &'static dyn Family, text: &str, ids: &[String]) -> Result<Self, super::DecodeError> {
        let space = family.decode(text).map_err(|problem| super::DecodeError::Box(ManifestError::field("space", problem)))?;
        let number = |id: &String| {
            let found = family.claims().iter().position(|claim| claim.id == *id);
            found.ok_or_else(|| super::DecodeError::Claim { family: family.id(), id: id.clone() })
        };
        Ok(Self { family, claims: ids.iter().map(number).collect::<Result<_, _>>()?, space })
    }
}

impl super::Space for Chosen {
    fn boxes(&self) -> u32 {
        self.space.boxes()
    }
    fn claims(&self) -> Vec<crate::claim::Claim> {
        self.claims.iter().map(|index| self.family.claims()[*index].owned()).collect()
    }
    fn describe(&self, box_index: u32) -> String {
        self.space.describe(box_index)
    }
    fn units(&self, box_index: u32) -> u64 {
        self.space.units(box_index)
    }
    fn configurations(&self, shard: &Shard) -> u128 {
        self.space.configurations(shard)
    }
    fn cost(&self, shard: &Shard) -> Cost {
        self.space.cost(shard, &self.claims)
    }
    fn can_speak(&self, claim: usize) -> bool {
        self.space.can_speak(self.claims[claim])
    }
    fn to_json(&self) -> Value {
        self.space.to_json()
    }
    fn encode(&self) -> String {
        self.space.encode()
    }
    fn figures(&self, records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
        self.space.figures(records)
    }
    fn group_in_words(&self, group: &Group, number: u128) -> (String, u128) {
        self.space.group_in_words(group, number)
    }
    fn draws_losing(&self) -> bool {
        self.space.draws_losing()
    }
    fn solver(&self) -> Box<dyn super::Solver> {
        Box::new(ChosenSolver { claims: self.claims.clone(), solver: self.space.solver() })
    }
    fn reference(&self) -> Box<dyn super::Reference> {
        Box::new(ChosenReference { claims: self.claims.clone(), reference: self.space.reference() })
    }
}

struct ChosenSolver {
    claims: Vec<usize>,
    solver: Box<dyn Solver>,
}

impl super::Solver for ChosenSolver {
    fn solve(&mut self, shard: &Shard, task: &super::Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let super::Task { counterexamples, record, budget_bytes } = *task;
        self.solver.solve(shard, &Task { claims: self.claims.clone(), counterexamples, record, budget_bytes }, pulse)
    }
}

struct ChosenReference {
    claims: Vec<usize>,
    reference: Box<dyn Reference>,
}

impl super::Reference for ChosenReference {
    fn confirm(&mut self, claim: usize, key: &[u8], actual: &str) -> Confirmation {
        self.reference.confirm(self.claims.get(claim).copied().unwrap_or(usize::MAX), key, actual)
    }
    fn value(&mut self, key: &[u8]) -> Option<String> {
        self.reference.value(key)
    }
}

macro_rules! legacy {
    ($($family:path),*) => {
        $(impl super::Family for $family {
            fn id(&self) -> &'static str {
                Family::id(self)
            }
            fn about(&self) -> &'static str {
                Family::about(self)
            }
            fn solver_version(&self) -> u32 {
                Family::solver_version(self)
            }
            fn claims(&self) -> Vec<crate::claim::Claim> {
                Family::claims(self).iter().map(Claim::owned).collect()
            }
            fn space(&self, boxes: &[Table], claims: Option<&[String]>) -> Result<Box<dyn super::Space>, ManifestError> {
                Ok(Box::new(Chosen::parse(&$family, boxes, claims)?))
            }
            fn decode(&self, encoding: &str, claims: &[String]) -> Result<Box<dyn super::Space>, super::DecodeError> {
                Ok(Box::new(Chosen::decode(&$family, encoding, claims)?))
            }
            fn explain_example(&self) -> &'static str {
                Family::explain_example(self)
            }
            fn explain(&self, parameters: &Parameters) -> Result<super::Explanation, ManifestError> {
                let found = Family::explain(self, parameters)?;
                let Explanation { parameters, outcome, value, moves, winning_moves, options, facts, figure, claims } = found;
                let view = |view: ClaimView| super::ClaimView {
                    claim: Family::claims(self)[view.claim].owned(),
                    predicted: view.predicted,
                    verdict: view.verdict,
                };
                let claims = claims.into_iter().map(view).collect();
                Ok(super::Explanation { parameters, outcome, value, moves, winning_moves, options, facts, figure, claims })
            }
        })*
    };
}

legacy!(super::graph_nim::GraphNim, super::directed_grabbing::DirectedGrabbing, super::null::Null);
