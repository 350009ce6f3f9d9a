//! Reads the fields of boxes and the parameters of positions: what is missing, unknown or wrong is said by its name.

use toml::{Table, Value};

use crate::sweep::{ManifestError, Range};

use super::Parameters;

/// A table of a manifest with its name, such as `space` or `space.grid`.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    name: &'a str,
    table: &'a Table,
}

impl<'a> Fields<'a> {
    /// A table all of whose keys are among those known.
    ///
    /// # Errors
    /// [`ManifestError::UnknownKey`].
    pub fn new(name: &'a str, table: &'a Table, known: &[&str]) -> Result<Self, ManifestError> {
        match table.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(ManifestError::unknown_key(name, key, known)),
            None => Ok(Self { name, table }),
        }
    }

    /// The box of a manifest, whose keys the parser has checked already.
    #[must_use]
    pub fn of_box(table: &'a Table) -> Self {
        Self { name: "space", table }
    }

    /// A field by its full name.
    #[must_use]
    pub fn name(&self, key: &str) -> String {
        format!("{}.{key}", self.name)
    }

    /// Whether the key is there.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The value of a key, if it is there.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.table.get(key)
    }

    /// The value of a key that must be there, with a line that would do.
    ///
    /// # Errors
    /// [`ManifestError::Missing`].
    pub fn require(&self, key: &str, example: &str) -> Result<&'a Value, ManifestError> {
        self.get(key).ok_or_else(|| ManifestError::Missing { field: self.name(key), example: example.to_owned() })
    }

    /// A range that must be there, with a line that would do.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn range(&self, key: &str, example: &str) -> Result<Range, ManifestError> {
        self.wrong(key, Range::from_toml(self.require(key, example)?))
    }

    /// A range that may be left out.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn optional_range(&self, key: &str) -> Result<Option<Range>, ManifestError> {
        self.get(key).map(|value| self.wrong(key, Range::from_toml(value))).transpose()
    }

    /// What was read from a key, or what is wrong with it under the key's name.
    ///
    /// # Errors
    /// [`ManifestError::Field`].
    pub fn wrong<T, E: ToString>(&self, key: &str, read: Result<T, E>) -> Result<T, ManifestError> {
        read.map_err(|problem| self.problem(key, problem.to_string()))
    }

    /// What is wrong with a key.
    #[must_use]
    pub fn problem(&self, key: &str, problem: impl Into<String>) -> ManifestError {
        ManifestError::field(self.name(key), problem)
    }
}

/// Named parameters as a person typed them, all of them known.
pub struct Given<'a>(&'a Parameters);

impl<'a> Given<'a> {
    /// Parameters all of whose names are among those known.
    ///
    /// # Errors
    /// [`ManifestError::UnknownKey`].
    pub fn new(parameters: &'a Parameters, known: &[&str]) -> Result<Self, ManifestError> {
        match parameters.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            Some((key, _)) => Err(ManifestError::unknown_parameter(key, known)),
            None => Ok(Self(parameters)),
        }
    }

    /// The value of a parameter, if it was given.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that must be given, with an example of the line.
    ///
    /// # Errors
    /// [`ManifestError::Missing`].
    pub fn require(&self, key: &str, example: &str) -> Result<&'a str, ManifestError> {
        self.get(key).ok_or_else(|| ManifestError::Missing { field: format!("--{key}"), example: example.to_owned() })
    }
}
