//! What a claim is: where it stands in the literature, and what it may predict of a position.
//!
//! A claim is data beside a predicate. The data is here; the predicate stands in the family's own `claims` module, which
//! imports positions and values but never a solver, so that a prediction cannot peek at the answer.

use std::borrow::Cow;
use std::fmt::Display;

use serde::Serialize;

use crate::sweep::StatedClaim;

/// The most claims of a sweep: a set of them is a word of 128 bits wherever coverage is counted.
pub const MAX_CLAIMS: usize = 128;

/// One statement, with the place where it stands. A sweep owns its claims: they may come from a family's list or from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Unique over all families: the paper's key, `/`, and the item, such as `four-edges/thm-4.6`.
    pub id: Cow<'static, str>,
    /// Where it stands.
    pub source: Source,
    /// What the paper itself calls it.
    pub kind: Kind,
    /// When it speaks; on every other configuration it is silent.
    pub hypothesis: Cow<'static, str>,
    /// What it says where it speaks, in our own words; for a claim that a manifest states the expression.
    pub statement: Cow<'static, str>,
    /// The expressions, where a manifest states it: with all definitions put in.
    pub stated: Option<Box<StatedClaim>>,
}

/// A place in a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The paper.
    pub paper: Paper,
    /// The item by its name and number, such as `Theorem 4.6`, and the part where it has several.
    pub item: Cow<'static, str>,
    /// The section.
    pub section: Cow<'static, str>,
}

impl Source {
    /// The source on one line: item, section, and the paper's short name, as far as there are such.
    #[must_use]
    pub fn line(&self) -> String {
        if self.section.is_empty() {
            return self.item.clone().into_owned();
        }
        format!("{}, section {}, {}", self.item, self.section, self.paper.cite)
    }

    /// Whether a part of its line, or of the paper's title, reads so: in capitals or not, and whole numbers and words, so that
    /// `Theorem 4.1` is no part of `Theorem 4.10`, and `section 4` is one of `section 4.2`.
    #[must_use]
    pub fn reads(&self, text: &str) -> bool {
        let wanted = text.trim().to_lowercase();
        !wanted.is_empty()
            && [self.line(), self.paper.title.clone().into_owned()].iter().any(|line| has_whole(&line.to_lowercase(), &wanted))
    }
}

/// Whether a text has a part that does not begin or end within a word or a number.
fn has_whole(text: &str, part: &str) -> bool {
    let is_of_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    let cuts = |before: Option<char>, after: Option<char>| is_of_word(before) && is_of_word(after);
    text.match_indices(part).any(|(start, found)| {
        let (before, after) = (&text[..start], &text[start + found.len()..]);
        !cuts(before.chars().next_back(), found.chars().next()) && !cuts(found.chars().next_back(), after.chars().next())
    })
}

/// A paper that claims come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The first part of its claims' ids.
    pub key: Cow<'static, str>,
    /// Its title.
    pub title: Cow<'static, str>,
    /// A short name for it, such as the number of its preprint.
    pub cite: Cow<'static, str>,
}

impl Paper {
    /// A paper with these texts: key, title, short name.
    #[must_use]
    pub const fn new(key: &'static str, title: &'static str, cite: &'static str) -> Self {
        Self { key: Cow::Borrowed(key), title: Cow::Borrowed(title), cite: Cow::Borrowed(cite) }
    }
}

/// The paper's own word for a claim; `Open` marks what the paper itself leaves open, and `Stated` what a manifest states.
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
    Stated,
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
            Self::Stated => "stated",
        }
    }
}

/// What a claim says about a position `P` whose value is a `V`.
pub enum Prediction<P, V> {
    /// Its hypothesis does not apply.
    Silent,
    /// Its hypothesis applies and there is nothing to compare: it is true and says nothing.
    Vacuous,
    /// The position has exactly this value.
    Value(V),
    /// A relation between values, or a statement about the position that no play decides.
    Relation(Box<Relation<P, V>>),
}

impl<P, V: PartialEq + Display> Prediction<P, V> {
    /// What it comes to where the position has the value `actual` (none where no play decides) and the positions that a
    /// relation needs have the values `needed`, in its order.
    #[must_use]
    pub fn check(&self, actual: Option<&V>, needed: &[V]) -> Check {
        let holds = match self {
            Self::Silent => return Check::Silent,
            Self::Vacuous => return Check::Vacuous,
            Self::Value(predicted) => Some(predicted) == actual,
            Self::Relation(relation) => (relation.holds)(needed),
        };
        if holds { Check::Held } else { Check::Refuted }
    }

    /// What it predicts, in words; empty where it is silent or vacuous.
    #[must_use]
    pub fn predicted(&self) -> String {
        match self {
            Self::Silent | Self::Vacuous => String::new(),
            Self::Value(predicted) => predicted.to_string(),
            Self::Relation(relation) => relation.says.to_string(),
        }
    }

    /// What is the case, in words: the value, or for a relation whether it holds.
    #[must_use]
    pub fn actual(&self, actual: Option<&V>, needed: &[V]) -> String {
        match self {
            Self::Relation(relation) => (if (relation.holds)(needed) { &relation.says } else { &relation.denies }).to_string(),
            Self::Silent | Self::Vacuous | Self::Value(_) => actual.map(ToString::to_string).unwrap_or_default(),
        }
    }

    /// The positions that it needs the values of besides its own.
    #[must_use]
    pub fn needs(&self) -> &[P] {
        match self {
            Self::Relation(relation) => &relation.needs,
            Self::Silent | Self::Vacuous | Self::Value(_) => &[],
        }
    }
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
    pub says: Cow<'static, str>,
    /// What is the case where the relation fails, as a short sentence.
    pub denies: Cow<'static, str>,
}

impl<P, V> Relation<P, V> {
    /// A statement that needs no values: a predicate of the position itself.
    #[must_use]
    pub fn of_position(holds: bool, says: impl Into<Cow<'static, str>>, denies: impl Into<Cow<'static, str>>) -> Self {
        Self { needs: Vec::new(), holds: Box::new(move |_| holds), says: says.into(), denies: denies.into() }
    }
}

/// A prediction held against one configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// It spoke and was right.
    Held,
    /// Its hypothesis applies and it says nothing: it has nothing to compare.
    Vacuous,
    /// What it says is not defined.
    Undefined,
    /// It spoke and was wrong.
    Refuted,
    /// Its hypothesis does not apply.
    Silent,
}

impl Check {
    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Vacuous => "vacuous",
            Self::Undefined => "undefined",
            Self::Refuted => "refuted",
            Self::Silent => "silent",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(item: &'static str, section: &'static str) -> Source {
        Source { paper: Paper::new("four-edges", "The Game of Graph Nim", "arXiv 2509.05064"), item: item.into(), section: section.into() }
    }

    #[test]
    fn a_source_is_found_by_whole_parts_of_its_line_or_its_title() {
        let one = source("Theorem 4.10, part 1", "4.2");
        for text in
            ["section 4.2", "Section 4", "theorem 4.10", "4.2", " part 1 ", "part 1, section 4.2", "arxiv 2509.05064", "graph nim", "4.10,"]
        {
            assert!(one.reads(text), "{text}");
        }
        for text in ["Theorem 4.1", "theorem 4.100", "section 4.20", "section 2", "section", "heorem", "", " ", "part 12", "4.2.1"] {
            let expected = text == "section";
            assert_eq!(one.reads(text), expected, "{text}");
        }
        assert!(!source("Lemma 4.9", "14.2").reads("4.2"));
        // The first place where it stands cuts a number, the second does not.
        assert!(source("Steps 4.21 and 4.2", "7").reads("4.2"));
    }
}
