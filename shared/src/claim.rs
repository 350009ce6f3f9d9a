//! What a claim is: where it stands in the literature, and what it may predict of a position.
//!
//! A claim is data beside a predicate. The data is here; the predicate stands in the family's own `claims` module, which
//! imports positions and values but never a solver, so that a prediction cannot peek at the answer.

use serde::Serialize;

/// One statement of a paper, as printed, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Unique over all families: the paper's key, `/`, and the item, such as `four-edges/thm-4.6`.
    pub id: &'static str,
    /// Where it stands.
    pub source: Source,
    /// What the paper itself calls it.
    pub kind: Kind,
    /// When it speaks; on every other configuration it is silent.
    pub hypothesis: &'static str,
    /// What it says where it speaks, in our own words.
    pub statement: &'static str,
}

/// A place in a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The paper.
    pub paper: &'static Paper,
    /// The item by its name and number, such as `Theorem 4.6`, and the part where it has several.
    pub item: &'static str,
    /// The section.
    pub section: &'static str,
}

impl Source {
    /// The source on one line: item, section, and the paper's short name.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{}, section {}, {}", self.item, self.section, self.paper.cite)
    }
}

/// A paper that claims come from.
#[derive(Debug, PartialEq, Eq)]
pub struct Paper {
    /// The first part of its claims' ids.
    pub key: &'static str,
    /// Its title.
    pub title: &'static str,
    /// A short name for it, such as the number of its preprint.
    pub cite: &'static str,
}

/// The paper's own word for a claim; `Open` marks what the paper itself leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Kind {
    Theorem,
    Lemma,
    Proposition,
    Corollary,
    Observation,
    Step,
    Identity,
    Example,
    Remark,
    Table,
    Open,
}

impl Kind {
    /// The word itself, in lower case.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Theorem => "theorem",
            Self::Lemma => "lemma",
            Self::Proposition => "proposition",
            Self::Corollary => "corollary",
            Self::Observation => "observation",
            Self::Step => "step",
            Self::Identity => "identity",
            Self::Example => "example",
            Self::Remark => "remark",
            Self::Table => "table",
            Self::Open => "open",
        }
    }
}

/// What a claim says of a position `P` whose value is a `V`.
pub enum Prediction<P, V> {
    /// Its hypothesis does not apply.
    Silent,
    /// The position has exactly this value.
    Value(V),
    /// A relation between values, or a statement about the position that no play decides.
    Relation(Relation<P, V>),
}

/// A pure predicate on the values of positions.
pub type Holds<V> = Box<dyn Fn(&[V]) -> bool>;

/// A relation: the positions whose values it needs, and a pure predicate on these values.
///
/// The runner solves `needs` and hands the values over in the same order; the predicate itself never sees a solver.
pub struct Relation<P, V> {
    /// The positions whose values the predicate is given.
    pub needs: Vec<P>,
    /// Whether the relation holds of the values of `needs`.
    pub holds: Holds<V>,
    /// The relation as a short sentence, for people.
    pub says: &'static str,
    /// What is the case where the relation fails, as a short sentence.
    pub denies: &'static str,
}

impl<P, V> Relation<P, V> {
    /// A statement that needs no values: a predicate of the position itself.
    #[must_use]
    pub fn of_position(holds: bool, says: &'static str, denies: &'static str) -> Self {
        Self { needs: Vec::new(), holds: Box::new(move |_| holds), says, denies }
    }
}
