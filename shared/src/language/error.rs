//! What can be wrong with a text, each with its sentence and its place.

use std::fmt;

use crate::text::is_unprintable;

use super::bounds::{MAX_DEFINITIONS, MAX_DEPTH, MAX_LIST, MAX_PARTS, MAX_TEXT, QUOTED_STEPS};
use super::syntax::Span;
use super::types::Type;

/// What is wrong with a text, and where.
///
/// Its `Display` has several lines: the place and the sentence, the line of the text, and carets below it. An excerpt is at most
/// about 100 characters wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub problem: Problem,
    /// The line in the text, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The byte of the text at which it is.
    pub offset: usize,
    /// The line of the text, and below it carets under what is meant.
    pub excerpt: String,
}

impl Error {
    /// A problem at a place of a text.
    #[must_use]
    pub fn new(problem: Problem, text: &str, span: Span) -> Self {
        let start = text.floor_char_boundary(span.start);
        let end = text.floor_char_boundary(span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let before: Vec<char> = text[line_start..start].chars().collect();
        let line = text[..line_start].matches('\n').count() + 1;
        let column = before.len() + 1;
        let excerpt = excerpt(&before, &text[start..line_end], &text[start..end.min(line_end)]);
        Self { problem, line, column, offset: start, excerpt }
    }
}

/// The most characters of a line before a problem, and from there on.
const BEFORE: usize = 50;
const AFTER: usize = 50;

fn excerpt(before: &[char], rest: &str, meant: &str) -> String {
    // Whatever a terminal would take for more or less than one column is shown as one.
    let plain = |letter: char| if is_unprintable(letter) { ' ' } else { letter };
    let cut = before.len().saturating_sub(BEFORE);
    let head: String = before[cut..].iter().copied().map(plain).collect();
    let tail: String = rest.chars().take(AFTER).map(plain).collect();
    let (left, right) = (if cut > 0 { "…" } else { "" }, if rest.chars().nth(AFTER).is_some() { "…" } else { "" });
    let pad = " ".repeat(left.chars().count() + head.chars().count());
    let carets = "^".repeat(meant.chars().count().clamp(1, AFTER));
    format!("{left}{head}{tail}{right}\n{pad}{carets}")
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}: {}", self.line, self.column, self.problem)?;
        self.excerpt.lines().try_for_each(|line| write!(formatter, "\n  {line}"))
    }
}

impl std::error::Error for Error {}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Problem {
    #[error("the expression has {bytes} bytes, and at most {MAX_TEXT} are allowed; name parts of it under [let]")]
    TooLong { bytes: usize },
    #[error("the expression is nested more than {MAX_DEPTH} levels deep; name parts of it under [let], or write a long sum as sum([...])")]
    TooDeep,
    #[error("the expression has more than {MAX_PARTS} parts once its definitions are put in")]
    TooManyParts,
    #[error("the list has more than {MAX_LIST} elements")]
    TooManyElements,
    #[error("[let] defines more than {MAX_DEFINITIONS} names")]
    TooManyDefinitions,
    #[error("'{found}' means nothing here{hint}")]
    Character { found: char, hint: &'static str },
    #[error("'{found}' is no operator; {hint}")]
    Operator { found: &'static str, hint: &'static str },
    #[error("the quote that begins here does not end; a value is written as '*2' or '{{4|0}}'")]
    Quote,
    #[error("a whole number has at most 64 bits: up to 9223372036854775807")]
    LargeInteger,
    #[error("a name does not begin with a digit, and a factor is written with '*'")]
    DigitsBeforeName,
    #[error("{wanted} is expected here, and there is {found}")]
    Expected { wanted: &'static str, found: String },
    #[error("this bracket is not closed: '{close}' is expected before {found}")]
    Bracket { close: char, found: String },
    #[error("comparisons in a chain run in one direction, as in 0 <= i < m; join others with &&")]
    ChainDirection,
    #[error("'{sign}' does not stand in a chain; join comparisons with &&, or use brackets")]
    Chain { sign: &'static str },
    #[error("<=> does not stand in a chain; use brackets")]
    IffChain,
    #[error("<=> and => do not stand side by side without brackets")]
    IffImplies,
    #[error("there is no name '{name}'; {known}")]
    UnknownName { name: String, known: String },
    #[error("there is no function '{name}'; {known}")]
    UnknownFunction { name: String, known: String },
    #[error("'{name}' is a function; write {usage}")]
    FunctionAlone { name: &'static str, usage: &'static str },
    #[error("'{name}' is a word of the language and cannot be {what}")]
    Reserved { name: String, what: &'static str },
    #[error("'{name}' is no name: a name has letters, digits and '_', and does not begin with a digit")]
    Name { name: String },
    #[error("'{name}' is {what} already, and no name stands for two things")]
    Shadow { name: String, what: &'static str },
    #[error("{name} is given {found}; write {usage}")]
    Arguments { name: &'static str, usage: &'static str, found: String },
    #[error("{wanted} is expected here, and this is {found}{hint}")]
    Type { wanted: &'static str, found: Type, hint: &'static str },
    #[error("these do not go together: {one} and {other}")]
    Mismatch { one: Type, other: Type },
    #[error("games are only partially ordered: {function} does not take them")]
    PartialOrder { function: &'static str },
    #[error("'{sign}' compares whole numbers or games, and this is {found}")]
    Order { sign: &'static str, found: Type },
    #[error("this is no value: {reason}")]
    Quoted { reason: String },
    #[error("the quoted values take together more than {QUOTED_STEPS} steps to work out")]
    QuotedSteps,
    #[error("a prediction must not see what is solved, and {name} is{through}; write what is solved into 'says' or 'where'")]
    Peeks { name: String, through: String },
    #[error("'{name}' cannot be set here; {known}")]
    NotSet { name: String, known: String },
    #[error("'{name}' is set twice; a name has one value at another position")]
    SetTwice { name: String },
    #[error("positions are not compared; compare what they have, as in o.{example} == p.{example}")]
    ComparesPositions { example: String },
    #[error("'{name}' is of a position, and this claim is about a {whole}; ask it of the {whole}'s positions, as in n.{name}")]
    OfPosition { name: String, whole: &'static str },
    #[error("'{name}' is of a {whole}, and this claim is about positions; claims with per = \"{whole}\" may use it")]
    OfWhole { name: String, whole: &'static str },
    #[error("a claim about a {whole} has no position of its own; write n.at(...) for one of the {whole}'s positions")]
    AtNothing { whole: &'static str },
    #[error("this is {found}, and a prediction is one of P, N, L, R, a whole number or a game")]
    PredictionType { found: Type },
    #[error("this is {found}, and positions of this family have no such value to compare a prediction with; {known}")]
    NothingPredicted { found: Type, known: String },
}
