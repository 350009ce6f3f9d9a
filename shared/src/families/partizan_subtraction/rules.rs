//! The rules: a ruleset is two finite sets of positive integers, and a position is a heap.

use std::fmt;

use crate::sweep::{Range, RangeError};
use crate::text::quoted;

/// The greatest number that a player may remove, 2^16 - 1.
pub const MAX_ELEMENT: u64 = 65_535;

/// The largest heap of a sweep: numbers of configurations stay far below 2^64 a ruleset.
pub const MAX_HEAP: u64 = 1 << 40;

/// The most numbers that the text of a set may name, repetitions included: twice as many as a set may have.
const MAX_NAMED: usize = 2 * MAX_ELEMENT as usize;

/// The numbers that one player may remove: not empty, ascending, each from 1 to [`MAX_ELEMENT`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SubtractionSet {
    elements: Vec<u32>,
}

/// Why numbers make no subtraction set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SetError {
    #[error("the set is empty; a player has at least one number to remove")]
    Empty,
    #[error("{} is not allowed; a number to remove is from 1 to {limit} (2^16 - 1)", quoted(element), limit = MAX_ELEMENT)]
    Element { element: String },
    #[error("a set names at most {limit} numbers, each as often as it stands there", limit = MAX_NAMED)]
    TooMany,
    #[error(transparent)]
    Range(#[from] RangeError),
    #[error("'{}' is no set; write numbers and ranges, such as 1,4,6 or 2..=9", quoted(text))]
    Form { text: String },
}

impl SubtractionSet {
    /// The set of these numbers, in any order, repetitions left out.
    ///
    /// # Errors
    /// [`SetError`].
    pub fn new(elements: impl IntoIterator<Item = u64>) -> Result<Self, SetError> {
        let mut set = Vec::new();
        for element in elements {
            let fits = u32::try_from(element).ok().filter(|_| (1..=MAX_ELEMENT).contains(&element));
            set.push(fits.ok_or_else(|| SetError::Element { element: element.to_string() })?);
        }
        set.sort_unstable();
        set.dedup();
        if set.is_empty() { Err(SetError::Empty) } else { Ok(Self { elements: set }) }
    }

    /// The set of all numbers of a range.
    ///
    /// # Errors
    /// [`SetError::Element`].
    pub fn of_range(range: Range) -> Result<Self, SetError> {
        let outside = [range.low(), range.high()].into_iter().find(|end| !(1..=MAX_ELEMENT).contains(end));
        match outside {
            Some(element) => Err(SetError::Element { element: element.to_string() }),
            None => Self::new(range.low()..=range.high()),
        }
    }

    /// Reads numbers and ranges with commas between them, such as `1,4,6..=9`.
    ///
    /// # Errors
    /// [`SetError`].
    pub fn parse(text: &str) -> Result<Self, SetError> {
        if text.trim().is_empty() {
            return Err(SetError::Empty);
        }
        let mut elements = Vec::new();
        for part in text.split(',') {
            let range = Range::parse(part).map_err(|error| match error {
                RangeError::Empty { .. } => SetError::Range(error),
                RangeError::Form { .. } if part.trim().starts_with('-') => SetError::Element { element: part.trim().to_owned() },
                RangeError::Form { .. } => SetError::Form { text: text.to_owned() },
            })?;
            elements.extend(Self::of_range(range)?.elements);
            if elements.len() > MAX_NAMED {
                return Err(SetError::TooMany);
            }
        }
        Self::new(elements.into_iter().map(u64::from))
    }

    /// Reads a set from a manifest's value: a list of numbers, a range, or one number.
    ///
    /// # Errors
    /// [`SetError`].
    pub fn from_toml(value: &toml::Value) -> Result<Self, SetError> {
        match value {
            toml::Value::Array(items) => {
                let element = |item: &toml::Value| {
                    let number = item.as_integer().and_then(|number| u64::try_from(number).ok());
                    number.ok_or_else(|| SetError::Element { element: item.to_string() })
                };
                Self::new(items.iter().map(element).collect::<Result<Vec<_>, _>>()?)
            }
            toml::Value::String(text) => Self::parse(text),
            toml::Value::Integer(number) => Self::parse(&number.to_string()),
            other => Err(SetError::Form { text: other.to_string() }),
        }
    }

    /// Its elements, ascending.
    #[must_use]
    pub fn elements(&self) -> &[u32] {
        &self.elements
    }

    /// The least and the greatest element.
    #[must_use]
    pub fn ends(&self) -> (u32, u32) {
        // The set is not empty.
        (self.elements[0], self.elements[self.elements.len() - 1])
    }

    /// Whether it is all numbers from its least to its greatest.
    #[must_use]
    pub fn is_interval(&self) -> bool {
        let (low, high) = self.ends();
        (high - low) as usize + 1 == self.elements.len()
    }
}

impl fmt::Display for SubtractionSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.ends();
        if self.is_interval() && low < high {
            return write!(formatter, "{low}..={high}");
        }
        let parts: Vec<String> = self.elements.iter().map(u32::to_string).collect();
        formatter.write_str(&parts.join(","))
    }
}

/// What both players may remove.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// Left's numbers.
    pub left: SubtractionSet,
    /// Right's numbers.
    pub right: SubtractionSet,
}

/// A ruleset of full support (tau = 0) or truncated support: Left's numbers are 1..=a, Right's tau+1..=b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Support {
    /// At least 1, at most b.
    pub a: u64,
    /// At most [`MAX_ELEMENT`].
    pub b: u64,
    /// Less than b.
    pub tau: u64,
}

impl Support {
    /// The sets of both players, or nothing if a, b and tau are outside the family.
    #[must_use]
    pub fn ruleset(self) -> Option<Ruleset> {
        if self.a > self.b || self.tau >= self.b {
            return None;
        }
        let set = |low, high| SubtractionSet::of_range(Range::new(low, high).ok()?).ok();
        Some(Ruleset { left: set(1, self.a)?, right: set(self.tau + 1, self.b)? })
    }
}

impl Ruleset {
    /// The ruleset of full or truncated support that this is, if it is one.
    #[must_use]
    pub fn support(&self) -> Option<Support> {
        let ((left_low, a), (right_low, b)) = (self.left.ends(), self.right.ends());
        let is_one = self.left.is_interval() && self.right.is_interval() && left_low == 1 && a <= b;
        is_one.then(|| Support { a: a.into(), b: b.into(), tau: u64::from(right_low) - 1 })
    }

    /// The greatest number that anyone may remove.
    #[must_use]
    pub fn reach(&self) -> u32 {
        self.left.ends().1.max(self.right.ends().1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_in_each_spelling() {
        for (text, elements) in [("1,4,6", vec![1, 4, 6]), ("2..=4", vec![2, 3, 4]), ("2..4", vec![2, 3, 4]), ("6, 1..2,6", vec![1, 2, 6])]
        {
            assert_eq!(SubtractionSet::parse(text).unwrap().elements(), elements, "{text}");
        }
        assert_eq!(SubtractionSet::parse("1,2,3").unwrap().to_string(), "1..=3");
        assert_eq!(SubtractionSet::parse("5").unwrap().to_string(), "5");
    }

    #[test]
    fn what_is_no_set_says_why() {
        for (text, expected) in [
            ("", "the set is empty"),
            ("0", "0 is not allowed"),
            ("0..=3", "0 is not allowed"),
            ("-1", "-1 is not allowed"),
            ("1..=65536", "65536 is not allowed"),
            ("a", "'a' is no set"),
            ("3..=1", "the range 3..=1 is empty"),
        ] {
            let error = SubtractionSet::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        let toml = |text: &str| SubtractionSet::from_toml(&toml::from_str::<toml::Table>(&format!("x = {text}")).unwrap()["x"]);
        assert_eq!(toml("[]"), Err(SetError::Empty));
        assert!(toml("[1, -1]").unwrap_err().to_string().starts_with("-1 is not allowed"));
        assert!(toml("true").is_err());
    }

    #[test]
    fn support_is_recognised() {
        let ruleset = Ruleset { left: SubtractionSet::parse("1..3").unwrap(), right: SubtractionSet::parse("5..7").unwrap() };
        let support = Support { a: 3, b: 7, tau: 4 };
        assert_eq!(ruleset.support(), Some(support));
        assert_eq!(support.ruleset(), Some(ruleset.clone()));
        let mirrored = Ruleset { left: ruleset.right, right: ruleset.left };
        assert_eq!(mirrored.support(), None);
        assert_eq!(Support { a: 3, b: 2, tau: 0 }.ruleset(), None);
    }
}
