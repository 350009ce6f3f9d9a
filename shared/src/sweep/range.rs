//! Ranges of whole numbers with both ends included, as manifests write them.

use std::fmt;

use crate::text::quoted;

/// A range of whole numbers with both ends included, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Range {
    low: u64,
    high: u64,
}

/// Why a text is no range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// Not of the form.
    #[error("'{}' is not a range; write \"1..=32\" (both ends included) or one number", quoted(text))]
    Form {
        /// What was given.
        text: String,
    },
    /// The upper end is below the lower one.
    #[error("the range {low}..={high} is empty: its lower end must not be above its upper end")]
    Empty {
        /// The lower end as given.
        low: u64,
        /// The upper end as given.
        high: u64,
    },
}

impl Range {
    /// The range from `low` to `high`, both included.
    ///
    /// # Errors
    /// [`RangeError::Empty`] if `high < low`.
    pub fn new(low: u64, high: u64) -> Result<Self, RangeError> {
        if high < low { Err(RangeError::Empty { low, high }) } else { Ok(Self { low, high }) }
    }

    /// The least number.
    #[must_use]
    pub fn low(self) -> u64 {
        self.low
    }

    /// The greatest number.
    #[must_use]
    pub fn high(self) -> u64 {
        self.high
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(self) -> u128 {
        u128::from(self.high - self.low) + 1
    }

    /// Always false: a range holds at least one number.
    #[must_use]
    pub fn is_empty(self) -> bool {
        false
    }

    /// Reads `1..=32`, `1..32` (both include both ends, as mathematicians write 1..n) or `7`.
    ///
    /// # Errors
    /// [`RangeError`] says what was wrong.
    pub fn parse(text: &str) -> Result<Self, RangeError> {
        let form = || RangeError::Form { text: text.to_owned() };
        let number = |part: &str| part.trim().parse::<u64>().map_err(|_| form());
        match text.split_once("..") {
            None => {
                let value = number(text)?;
                Ok(Self { low: value, high: value })
            }
            Some((low, high)) => Self::new(number(low)?, number(high.strip_prefix('=').unwrap_or(high))?),
        }
    }

    /// Reads a range from a manifest's value: a string or a whole number.
    ///
    /// # Errors
    /// [`RangeError`] says what was wrong.
    pub fn from_toml(value: &toml::Value) -> Result<Self, RangeError> {
        match value {
            toml::Value::String(text) => Self::parse(text),
            toml::Value::Integer(number) => Self::parse(&number.to_string()),
            other => Err(RangeError::Form { text: other.to_string() }),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.low == self.high { write!(formatter, "{}", self.low) } else { write!(formatter, "{}..={}", self.low, self.high) }
    }
}

impl From<Range> for String {
    fn from(range: Range) -> Self {
        range.to_string()
    }
}

impl TryFrom<String> for Range {
    type Error = RangeError;

    fn try_from(text: String) -> Result<Self, RangeError> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_include_both_ends() {
        for text in ["1..=32", "1..32", " 1 ..= 32"] {
            assert_eq!(Range::parse(text), Ok(Range { low: 1, high: 32 }), "{text}");
        }
        assert_eq!(Range::parse("7"), Ok(Range { low: 7, high: 7 }));
        assert_eq!(Range::parse("0..0").map(Range::len), Ok(1));
    }

    #[test]
    fn what_is_no_range_says_what_would_be() {
        for text in ["", "..", "1..", "..=3", "1..=-2", "1...3", "a..b", "1,2", "1.5", "-1"] {
            assert!(matches!(Range::parse(text), Err(RangeError::Form { .. })), "{text}");
        }
        assert_eq!(Range::parse("5..=2"), Err(RangeError::Empty { low: 5, high: 2 }));
    }
}
