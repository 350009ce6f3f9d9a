//! Whole numbers as people type them.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// A text that is no number of the wanted kind. As a sentence it says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no {what}; write {right}")]
pub struct NumberError {
    /// The text.
    pub text: String,
    /// What it should be, such as `number of slots`.
    pub what: &'static str,
    /// What would be right, such as `one from 1 to 4096`.
    pub right: String,
}

/// Reads a whole number within bounds. `what` says of what kind it is, and `right` what to write instead of anything else.
///
/// # Errors
/// [`NumberError`].
pub fn parse_number<T: FromStr + PartialOrd>(
    text: &str,
    bounds: RangeInclusive<T>,
    what: &'static str,
    right: impl Into<String>,
) -> Result<T, NumberError> {
    let number = text.trim().parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| NumberError { text: text.to_owned(), what, right: right.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_within_its_bounds_or_refused_with_what_would_be_right() {
        let parse = |text| parse_number::<u8>(text, 1..=100, "share", "one from 1 to 100");
        assert_eq!([parse("1"), parse(" 100 ")], [Ok(1), Ok(100)]);
        for text in ["0", "101", "256", "-1", "1.5", "many", ""] {
            assert_eq!(parse(text).unwrap_err().to_string(), format!("'{text}' is no share; write one from 1 to 100"));
        }
    }
}
