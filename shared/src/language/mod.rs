//! The language in which manifests state claims: expressions over the variables of a position.
//!
//! The way of a text: [`Scope`] reads and checks it under the names of a [`Vocabulary`], which is all that a family supplies, and
//! gives an [`Expression`]; a hypothesis with a statement or a prediction is a [`Claim`]. Two evaluators share the tree and the
//! types, and nothing else but what [`crate::value`] knows of games:
//!
//! - [`walk`] goes over the tree at one position, and shows each part with its value there ([`walk::subexpressions`]);
//! - [`block`] holds a claim against many positions at a time, given as columns, and skips stretches where its hypothesis is false.
//!
//! Everything is bounded (see [`Problem`] and [`Reason`] for the sentences), and nothing wraps around. `&& || => ? :`, chains of
//! comparisons and quantifiers look at their operands from left to right and at no more than they need, in either evaluator. An
//! expression has a value at a position, or the [`Reason`] for which it has none, which is the first that is met on that way.
//!
//! ```
//! // tests/example.rs has the same.
//! use refute_shared::language::{Alone, Claim, Reading, Role, Scope, Type, Value, Variable, Verdict, Vocabulary};
//! use refute_shared::language::block::{Block, Column, Machine, Program};
//! use refute_shared::language::walk::{judge, subexpressions};
//! use refute_shared::value::{Games, Outcome};
//!
//! // What a family supplies: its variables.
//! let edge = |name: &str| Variable::new(name, Type::Integer, Role::Parameter, format!("the weight of edge {name}"));
//! let outcome = Variable::new("outcome", Type::Outcome, Role::Predicted, "the outcome class");
//! let vocabulary = Vocabulary::new(vec![edge("AB"), edge("BC"), edge("CD"), edge("EF"), outcome])?;
//!
//! // What a manifest has: definitions, a hypothesis, a statement.
//! let mut scope = Scope::new(&vocabulary);
//! scope.define("M", "pow2(floor_log2(EF) + 1)")?;
//! let condition = scope.statement("EF >= 11 && AB % M == 5 && BC == 1")?;
//! let statement = scope.statement("outcome == P <=> CD == AB + 1")?;
//! let claim = Claim::says(Some(condition), statement);
//! assert_eq!(claim.solved(&vocabulary), [4], "it takes a solver for 'outcome'");
//!
//! // One position, by the plain evaluator.
//! let mut games = Games::new(u64::MAX);
//! let weights = [5, 1, 7, 11].map(|weight| Reading::Value(Value::Integer(weight)));
//! let position: Vec<Reading> = weights.into_iter().chain([Reading::Value(Value::Outcome(Outcome::P))]).collect();
//! assert_eq!(judge(&claim, &position, &mut games, &mut Alone), Verdict::Refuted);
//! let parts = subexpressions(claim.statement(), &position, &mut games, &mut Alone);
//! let shown: Vec<String> = parts.iter().map(|part| format!("{} = {}", part.expression, part.value.as_ref().unwrap())).collect();
//! assert_eq!(shown, ["outcome == P <=> CD == AB + 1 = false", "outcome == P = true", "outcome = P", "CD == AB + 1 = false",
//!     "CD = 7", "AB + 1 = 6", "AB = 5"]);
//!
//! // A line of positions along which BC runs from 0 to 3, by the fast evaluator: only BC = 1 is looked at.
//! let program = Program::new(&claim);
//! let outcomes = [Outcome::N, Outcome::P, Outcome::N, Outcome::N];
//! let [ab, cd, ef] = [5, 7, 11].map(Column::constant);
//! let columns = [ab, Column::Counting { first: 0 }, cd, ef, Column::Outcomes(&outcomes)];
//! let block = Block::new(4, &columns);
//! let mut machine = Machine::new();
//! assert_eq!(program.window(&block, &mut games, &mut machine).lanes, 1..2, "found without a look at the outcomes");
//! let judged = program.judge(&block, &mut games, &mut Alone, &mut machine);
//! assert_eq!((judged.first, judged.verdicts), (1, &[Verdict::Refuted][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod block;
pub mod bounds;
mod check;
mod claim;
mod error;
mod games;
mod parse;
mod positions;
mod print;
mod scope;
pub mod syntax;
mod token;
mod types;
mod value;
mod vocabulary;
pub mod walk;

#[cfg(test)]
mod tests;

pub use claim::Claim;
pub use error::{Error, Problem};
pub use positions::{Alone, Positions};
pub use scope::{Expression, Prediction, Scope};
pub use types::Type;
pub use value::{PositionId, PositionList, Reading, Reason, Value, Verdict};
pub use vocabulary::{Lacking, Reach, Role, Variable, Vocabulary, VocabularyError};

/// The version of the language. It is raised whenever there are new expressions, or one means something else: [`Claim::version`] says
/// from which version on an expression has been read as it is now. A sweep is pinned to the version that its claims take, and a
/// worker of an older one gets none of its shards.
///
/// 2: other positions (`at`, lists of positions, what stands behind a dot) and claims about a whole.
pub const VERSION: u32 = 2;

/// The language on one screen, for people.
pub const REFERENCE: &str = include_str!("reference.txt");
