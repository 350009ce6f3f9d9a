//! Cuts a text into words, numbers, quoted values and signs.

use crate::text::quoted;

use super::bounds::MAX_TEXT;
use super::error::{Error, Problem};
use super::syntax::Span;

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// A whole number.
    Integer(i64),
    /// A name or a word of the language.
    Word(&'t str),
    /// What stands between single quotes.
    Quoted(&'t str),
    /// An operator, a bracket or a comma.
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// How it is called in a sentence.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Token::Integer(integer) => format!("'{integer}'"),
            Token::Word(word) => format!("'{}'", quoted(word)),
            Token::Quoted(_) => "a quoted value".to_owned(),
            Token::Sign(sign) => format!("'{sign}'"),
            Token::End => "the end".to_owned(),
        }
    }
}

/// Signs, those first that begin like others.
const SIGNS: [&str; 31] = [
    "<=>", "..=", "**", "//", "&&", "||", "=>", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "%", "!", "?", ":", "(", ")", "[", "]",
    ",", "..", "&", "|", "=", "/", ".",
];

/// Signs that people write and the language does not have, and what to write.
const STRANGERS: [(&str, &str); 4] =
    [("..", "a range has both ends: write 0..=9"), ("&", "write &&"), ("|", "write ||"), ("/", "write // for floor division")];

/// Characters that people write and the language does not have, and what to write.
const LETTERS: [(char, &str); 19] = [
    ('≤', "; write <="),
    ('≥', "; write >="),
    ('≠', "; write !="),
    ('∧', "; write &&"),
    ('∨', "; write ||"),
    ('¬', "; write !"),
    ('⇒', "; write =>"),
    ('→', "; write =>"),
    ('⇔', "; write <=>"),
    ('↔', "; write <=>"),
    ('⊕', "; write xor"),
    ('∈', "; write in"),
    ('×', "; write *"),
    ('·', "; write *"),
    ('−', "; write -"),
    ('^', "; write ** for a power, xor for the nim-sum"),
    ('"', "; a value is quoted as in '*2'"),
    ('{', "; a list is written as [1, 2], and a game quoted as '{4|0}'"),
    ('}', "; a list is written as [1, 2], and a game quoted as '{4|0}'"),
];

const FRACTION: &str = "; numbers are whole, and fractions are values such as '1/2'";

/// Whether a dot stands beside a digit, and not before the name of something of a position.
fn is_fraction(before: &str, rest: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    // A name may end with a digit.
    let word = before.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_').len();
    before[word..].starts_with(is_digit) || rest[1..].starts_with(is_digit)
}

/// The tokens of a text, each with its place. The last one is [`Token::End`].
///
/// # Errors
/// The first [`Error`].
pub fn tokens(text: &str) -> Result<Vec<(Token<'_>, Span)>, Error> {
    let fail = |problem, start, end| Error::new(problem, text, Span { start, end });
    if text.len() > MAX_TEXT {
        return Err(fail(Problem::TooLong { bytes: text.len() }, 0, 0));
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |belongs: fn(char) -> bool| rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        let (token, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first.is_ascii_digit() {
            let length = length(|letter| letter.is_ascii_digit());
            if rest[length..].starts_with(|next: char| next.is_ascii_alphabetic() || next == '_') {
                return Err(fail(Problem::DigitsBeforeName, at, at + length + 1));
            }
            let integer = rest[..length].parse().map_err(|_| fail(Problem::LargeInteger, at, at + length))?;
            (Token::Integer(integer), length)
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = length(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            (Token::Word(&rest[..length]), length)
        } else if first == '\'' {
            let inside = rest[1..].find('\'').ok_or_else(|| fail(Problem::Quote, at, at + 1))?;
            (Token::Quoted(&rest[1..=inside]), inside + 2)
        } else {
            let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) else {
                let hint = LETTERS.iter().find(|(letter, _)| *letter == first).map_or("", |(_, hint)| hint);
                return Err(fail(Problem::Character { found: first, hint }, at, at + first.len_utf8()));
            };
            if sign == "." && is_fraction(&text[..at], rest) {
                return Err(fail(Problem::Character { found: '.', hint: FRACTION }, at, at + 1));
            }
            if let Some((found, hint)) = STRANGERS.into_iter().find(|(stranger, _)| *stranger == sign) {
                return Err(fail(Problem::Operator { found, hint }, at, at + sign.len()));
            }
            (Token::Sign(sign), sign.len())
        };
        found.push((token, Span { start: at, end: at + length }));
        at += length;
    }
    found.push((Token::End, Span { start: text.len(), end: text.len() }));
    Ok(found)
}
