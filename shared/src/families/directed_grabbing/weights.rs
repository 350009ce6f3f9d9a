//! Ranges of weights, and weightings as numbers.

use std::fmt;

use crate::sweep::ManifestError;
use crate::text::{grouped, quoted};

use super::rules::MAX_WEIGHT;

/// The most weightings of one grid, and configurations of a box.
pub const MAX_CONFIGURATIONS: u64 = 1 << 42;

/// A box has more than [`MAX_CONFIGURATIONS`]: so many of what it has, if that can be counted.
pub fn too_many(field: &str, what: &str, count: Option<u128>) -> ManifestError {
    let count = count.map_or_else(|| "more than 2^127".to_owned(), grouped);
    ManifestError::field(field, format!("there are {count} {what}, and the limit is 2^42 = {}", grouped(MAX_CONFIGURATIONS.into())))
}

/// A range of integers with both ends included, never empty, within [`MAX_WEIGHT`] of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct WeightRange {
    low: i64,
    high: i64,
}

/// Why a text is no range of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum WeightError {
    #[error("'{}' is not a range of integers; write \"-1..=2\" (both ends included) or one integer", quoted(text))]
    Form { text: String },
    #[error("the range {low}..={high} is empty: its lower end must not be above its upper end")]
    Empty { low: i64, high: i64 },
    #[error("{} is not allowed; a weight is an integer from -{limit} to {limit}", quoted(weight), limit = MAX_WEIGHT)]
    TooLarge { weight: String },
    #[error("'{}' is not an integer; a weight is one, such as 3 or -1", quoted(text))]
    NoInteger { text: String },
}

/// Reads one weight.
///
/// # Errors
/// [`WeightError`].
pub fn weight(text: &str) -> Result<i64, WeightError> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(WeightError::NoInteger { text: text.to_owned() });
    }
    let found = text.parse::<i64>().ok().filter(|weight| weight.abs() <= MAX_WEIGHT);
    found.ok_or_else(|| WeightError::TooLarge { weight: text.to_owned() })
}

impl WeightRange {
    /// Reads `-1..=2`, `-1..2` (both include both ends) or `1`.
    ///
    /// # Errors
    /// [`WeightError`].
    pub fn parse(text: &str) -> Result<Self, WeightError> {
        let number = |part: &str| {
            weight(part).map_err(|error| match error {
                WeightError::NoInteger { .. } => WeightError::Form { text: text.to_owned() },
                other => other,
            })
        };
        let (low, high) = match text.split_once("..") {
            None => (number(text)?, number(text)?),
            Some((low, high)) => (number(low)?, number(high.strip_prefix('=').unwrap_or(high))?),
        };
        if low <= high { Ok(Self { low, high }) } else { Err(WeightError::Empty { low, high }) }
    }

    /// Reads a range from a manifest's value: a string or an integer.
    ///
    /// # Errors
    /// [`WeightError`].
    pub fn from_toml(value: &toml::Value) -> Result<Self, WeightError> {
        match value {
            toml::Value::String(text) => Self::parse(text),
            toml::Value::Integer(number) => Self::parse(&number.to_string()),
            other => Err(WeightError::Form { text: other.to_string() }),
        }
    }

    /// How many weights there are.
    #[must_use]
    pub fn len(self) -> u64 {
        (self.high - self.low).unsigned_abs() + 1
    }

    /// Whether it is 0..=1: an olive or none.
    #[must_use]
    pub fn is_olives(self) -> bool {
        (self.low, self.high) == (0, 1)
    }

    /// Whether it has a weight.
    #[must_use]
    pub fn contains(self, weight: i64) -> bool {
        (self.low..=self.high).contains(&weight)
    }

    /// The weighting of so many vertices that has this number: its digits to the base of the range, the first vertex's last.
    #[must_use]
    pub fn weighting(self, mut number: u64, vertices: usize) -> Vec<i64> {
        let base = self.len();
        let digit = |_| {
            let digit = number % base;
            number /= base;
            // A digit is at most 2 MAX_WEIGHT.
            self.low + digit as i64
        };
        (0..vertices).map(digit).collect()
    }
}

impl fmt::Display for WeightRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { low, high } = self;
        if low == high { write!(formatter, "{low}") } else { write!(formatter, "{low}..={high}") }
    }
}

impl From<WeightRange> for String {
    fn from(range: WeightRange) -> Self {
        range.to_string()
    }
}

impl TryFrom<String> for WeightRange {
    type Error = WeightError;

    fn try_from(text: String) -> Result<Self, WeightError> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_in_each_spelling_and_written_back() {
        for (text, low, high) in [("-1..=2", -1, 2), ("-3..-1", -3, -1), ("0", 0, 0), ("5..=5", 5, 5)] {
            let range = WeightRange::parse(text).unwrap();
            assert_eq!((range.low, range.high), (low, high), "{text}");
            assert_eq!(WeightRange::parse(&range.to_string()), Ok(range));
        }
    }

    #[test]
    fn what_is_no_range_says_why() {
        for (text, expected) in [
            ("a", "'a' is not a range of integers"),
            ("0..=1.5", "'0..=1.5' is not a range of integers"),
            ("", "'' is not a range of integers"),
            ("--1", "'--1' is not a range"),
            ("2..=-1", "the range 2..=-1 is empty"),
            ("0..=1000000001", "1000000001 is not allowed"),
            ("99999999999999999999999", "99999999999999999999999 is not allowed"),
        ] {
            let error = WeightRange::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert_eq!(weight("1.5").unwrap_err().to_string(), "'1.5' is not an integer; a weight is one, such as 3 or -1");
    }

    #[test]
    fn weightings_are_numbered_with_the_first_vertex_running_fastest() {
        let range = WeightRange::parse("-1..=1").unwrap();
        assert_eq!(range.weighting(0, 2), [-1, -1]);
        assert_eq!(range.weighting(1, 2), [0, -1]);
        assert_eq!(range.weighting(3, 2), [-1, 0]);
        assert_eq!(range.weighting(8, 2), [1, 1]);
    }
}
