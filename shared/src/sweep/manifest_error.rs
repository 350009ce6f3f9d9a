//! What is wrong with a manifest, and what would be right.

use toml::Table;

use crate::text::{known, plain, quoted};

/// The most characters that are said about one field. Each text that a sentence quotes is shorter; this bounds those that quote
/// several.
const MAX_PROBLEM: usize = 1_000;

/// What is wrong with a manifest, and what would be right. As a sentence it is short, and has no characters that a terminal or a log
/// would take for commands, whatever the manifest has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It is not TOML.
    #[error("line {line}, column {column}: not TOML: {}", plain(message, MAX_PROBLEM))]
    NotToml {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// A key that means nothing there.
    #[error("{}: unknown key; {}", quoted(field), plain(hint, MAX_PROBLEM))]
    UnknownKey {
        /// The key with its table.
        field: String,
        /// Which keys there are.
        hint: String,
    },
    /// A key that must be there and is not.
    #[error("{} is missing; write for instance {example}", quoted(field))]
    Missing {
        /// The key with its table.
        field: String,
        /// A line that would do.
        example: String,
    },
    /// An expression that the language does not take.
    #[error("{}: {}{}{}", quoted(field), place(*line, *column), plain(problem, MAX_PROBLEM), indented(excerpt))]
    Expression {
        /// What the expression is of.
        field: String,
        /// The line of the manifest, from 1, where it is known.
        line: Option<usize>,
        /// The column, from 1: of the manifest, or where the line is not known of the expression.
        column: usize,
        /// What is wrong and what would be right.
        problem: String,
        /// The line of the expression, and carets below it.
        excerpt: String,
    },
    /// A value that is not allowed.
    #[error("{}: {}", quoted(field), plain(problem, MAX_PROBLEM))]
    Field {
        /// The key with its table.
        field: String,
        /// What is wrong and what would be right.
        problem: String,
    },
}

fn place(line: Option<usize>, column: usize) -> String {
    line.map_or_else(|| format!("column {column}: "), |line| format!("line {line}, column {column}: "))
}

fn indented(excerpt: &str) -> String {
    excerpt.lines().map(|line| format!("\n  {line}")).collect()
}

impl ManifestError {
    /// A value that is not allowed.
    pub fn field(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Field { field: field.into(), problem: problem.into() }
    }

    /// An unknown parameter of a command, with those that are known.
    #[must_use]
    pub fn unknown_parameter(key: &str, keys: &[&str]) -> Self {
        Self::UnknownKey { field: format!("--{key}"), hint: known(key, keys.iter().copied()) }
    }

    /// An unknown key, with the keys that are known.
    #[must_use]
    pub fn unknown_key(table: &str, key: &str, keys: &[&str]) -> Self {
        let field = if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") };
        Self::UnknownKey { field, hint: known(key, keys.iter().copied()) }
    }
}

/// The line and the column of a byte of a text, both from 1.
pub(super) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = String::from_utf8_lossy(&text.as_bytes()[..at.min(text.len())]);
    (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap_or("").chars().count() + 1)
}

pub(super) fn refuse_unknown(table: &Table, name: &str, keys: &[&str]) -> Result<(), ManifestError> {
    match table.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(ManifestError::unknown_key(name, key, keys)),
        None => Ok(()),
    }
}

pub(super) fn not_toml(text: &str, error: &toml::de::Error) -> ManifestError {
    let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
    ManifestError::NotToml { line, column, message: error.message().replace('\n', "; ") }
}
