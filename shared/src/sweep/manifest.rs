//! Reads a manifest and names each field that is wrong, as far as that needs no family; applies `--set` and writes manifests as
//! TOML.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::text::quoted;

use super::Stated;
use super::manifest_error::{ManifestError, not_toml, refuse_unknown};
use super::stated_toml::{Places, read_stated, write_stated};

/// A manifest as a person wrote it: well-formed, but its family, claims and space not looked up yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// What the sweep is called.
    pub name: String,
    /// The id of the family.
    pub family: String,
    /// Ids of claims, `*` standing for any run of characters; none means every claim that can speak about the space.
    pub claims: Option<Vec<String>>,
    /// The boxes, each as written.
    pub space: Vec<Table>,
    /// The claims that it states itself, and their definitions.
    pub stated: Stated,
    /// How to run it.
    pub run: RunOptions,
}

/// The `[run]` part of a manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunOptions {
    /// The size of shard to aim at, in seconds of one core.
    pub shard_seconds: f64,
    /// Counterexamples kept a claim; all are counted, the smallest are kept.
    pub counterexamples: usize,
    /// Which solved positions to keep.
    pub record: Record,
    /// How many workers must come to the same result for a shard, 1 or 2.
    pub replicas: u32,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { shard_seconds: 10.0, counterexamples: 1000, record: Record::None, replicas: 1 }
    }
}

/// Which solved positions a sweep keeps for export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Record {
    /// None.
    #[default]
    None,
    /// Those that the player to move loses.
    Losing,
    /// All.
    All,
}

impl Record {
    /// The word that a manifest has for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Losing => "losing",
            Self::All => "all",
        }
    }
}

impl FromStr for Record {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        [Self::None, Self::Losing, Self::All].into_iter().find(|record| record.word() == word).ok_or(())
    }
}

const TOP_KEYS: [&str; 7] = ["name", "family", "claims", "space", "let", "claim", "run"];
const RUN_KEYS: [&str; 4] = ["shard_seconds", "counterexamples", "record", "replicas"];
const MAX_COUNTEREXAMPLES: i64 = 1_000_000;
const MAX_NAME_LENGTH: usize = 64;
/// The most patterns under `claims`: twice as many as a sweep may have claims.
const MAX_PATTERNS: usize = 256;
/// The longest of them, in bytes: twice as long as the id of a claim may be.
const MAX_PATTERN_BYTES: usize = 128;

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] names the field, or the line and column where it is not TOML.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let table: Table = toml::from_str(text).map_err(|error| not_toml(text, &error))?;
        refuse_unknown(&table, "", &TOP_KEYS)?;
        let name = string(&table, "name", "name = \"h1-small\"")?;
        check_name(&name)?;
        Ok(Self {
            name,
            family: string(&table, "family", "family = \"graph-nim\"")?,
            claims: claims(&table)?,
            space: space(&table)?,
            stated: read_stated(&table, &Places::of(text))?,
            run: run(&table)?,
        })
    }

    /// Changes a key in every box that has it.
    ///
    /// # Errors
    /// [`ManifestError`] if no box has the key.
    pub fn set(&mut self, change: &Override) -> Result<(), ManifestError> {
        let mut changed = false;
        for table in &mut self.space {
            if let Some(value) = table.get_mut(&change.key) {
                *value = change.value.clone();
                changed = true;
            }
        }
        if changed {
            return Ok(());
        }
        let mut keys: Vec<&str> = self.space.iter().flat_map(|table| table.keys().map(String::as_str)).collect();
        keys.sort_unstable();
        keys.dedup();
        Err(ManifestError::UnknownKey {
            field: format!("--set space.{}", change.key),
            hint: format!("no box of '{}' has it; they have: {}", self.name, keys.join(", ")),
        })
    }

    /// The manifest as TOML that [`Manifest::parse`] reads back as the same manifest.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut table = Table::new();
        table.insert("name".into(), self.name.clone().into());
        table.insert("family".into(), self.family.clone().into());
        if let Some(claims) = &self.claims {
            table.insert("claims".into(), claims.clone().into());
        }
        table.insert("space".into(), Value::Array(self.space.iter().cloned().map(Value::Table).collect()));
        write_stated(&self.stated, &mut table);
        let mut run = Table::new();
        run.insert("shard_seconds".into(), self.run.shard_seconds.into());
        run.insert("counterexamples".into(), i64::try_from(self.run.counterexamples).unwrap_or(MAX_COUNTEREXAMPLES).into());
        run.insert("record".into(), self.run.record.word().into());
        run.insert("replicas".into(), i64::from(self.run.replicas).into());
        table.insert("run".into(), Value::Table(run));
        table.to_string()
    }
}

/// `space.KEY=VALUE`, as given to `--set`. VALUE is TOML if it parses as TOML, else a string.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    key: String,
    value: Value,
}

/// A text that is no override. As a sentence it says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not of the form space.KEY=VALUE, such as space.weights=0..=64", quoted(text))]
pub struct OverrideError {
    /// The text.
    pub text: String,
}

impl Override {
    /// The key that it changes, without its table.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl FromStr for Override {
    type Err = OverrideError;

    fn from_str(text: &str) -> Result<Self, OverrideError> {
        let form = || OverrideError { text: text.to_owned() };
        let (path, value) = text.split_once('=').ok_or_else(form)?;
        let key = path.trim().strip_prefix("space.").filter(|key| !key.is_empty() && !key.contains('.')).ok_or_else(form)?;
        let parsed = toml::from_str::<Table>(&format!("value = {value}")).ok().and_then(|mut table| {
            let value = table.remove("value");
            if table.is_empty() { value } else { None }
        });
        Ok(Self { key: key.to_owned(), value: parsed.unwrap_or_else(|| value.trim().into()) })
    }
}

pub(super) fn string(table: &Table, key: &str, example: &str) -> Result<String, ManifestError> {
    match table.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => {
            Err(ManifestError::field(key, format!("{} is not a string; write for instance {example}", quoted(&other.to_string()))))
        }
        None => Err(ManifestError::Missing { field: key.into(), example: example.into() }),
    }
}

fn check_name(name: &str) -> Result<(), ManifestError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > MAX_NAME_LENGTH || !name.chars().all(allowed) {
        let problem = format!("'{}' is not allowed; a name has 1 to {MAX_NAME_LENGTH} letters, digits, '-' and '_'", quoted(name));
        return Err(ManifestError::field("name", problem));
    }
    Ok(())
}

fn claims(table: &Table) -> Result<Option<Vec<String>>, ManifestError> {
    let Some(value) = table.get("claims") else { return Ok(None) };
    let problem = || ManifestError::field("claims", "must be a list of claim ids, such as [\"four-edges/thm-4.6\"], and not empty");
    let ids: Option<Vec<String>> = value.as_array().and_then(|list| list.iter().map(|id| id.as_str().map(str::to_owned)).collect());
    let ids = ids.filter(|ids| !ids.is_empty()).ok_or_else(problem)?;
    if ids.len() > MAX_PATTERNS {
        let problem = format!("there are {} ids and patterns, and at most {MAX_PATTERNS} are allowed; a '*' takes many ids", ids.len());
        return Err(ManifestError::field("claims", problem));
    }
    if let Some(long) = ids.iter().find(|id| id.len() > MAX_PATTERN_BYTES) {
        let problem = format!("'{}' is longer than an id or a pattern may be, which is {MAX_PATTERN_BYTES} bytes", quoted(long));
        return Err(ManifestError::field("claims", problem));
    }
    Ok(Some(ids))
}

fn space(table: &Table) -> Result<Vec<Table>, ManifestError> {
    let boxes = match table.get("space") {
        Some(Value::Table(one)) => Some(vec![one.clone()]),
        Some(Value::Array(list)) if !list.is_empty() => list.iter().map(|item| item.as_table().cloned()).collect(),
        Some(_) => None,
        None => return Err(ManifestError::Missing { field: "space".into(), example: "[space] with the box to sweep below it".into() }),
    };
    boxes.ok_or_else(|| ManifestError::field("space", "must be one box, [space], or several, each under [[space]]"))
}

fn run(table: &Table) -> Result<RunOptions, ManifestError> {
    let mut options = RunOptions::default();
    let run = match table.get("run") {
        None => return Ok(options),
        Some(Value::Table(run)) => run,
        Some(_) => return Err(ManifestError::field("run", "must be a table, [run]")),
    };
    refuse_unknown(run, "run", &RUN_KEYS)?;
    if let Some(value) = run.get("shard_seconds") {
        let seconds = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
        options.shard_seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0).ok_or_else(|| {
            ManifestError::field(
                "run.shard_seconds",
                format!("{} is not allowed; it is a number of seconds above 0", quoted(&value.to_string())),
            )
        })?;
    }
    if let Some(value) = run.get("counterexamples") {
        options.counterexamples = value
            .as_integer()
            .filter(|count| (1..=MAX_COUNTEREXAMPLES).contains(count))
            .and_then(|count| usize::try_from(count).ok())
            .ok_or_else(|| {
                let problem =
                    format!("{} is not allowed; it is a whole number from 1 to {MAX_COUNTEREXAMPLES}", quoted(&value.to_string()));
                ManifestError::field("run.counterexamples", problem)
            })?;
    }
    if let Some(value) = run.get("record") {
        options.record = value.as_str().and_then(|word| word.parse().ok()).ok_or_else(|| {
            ManifestError::field(
                "run.record",
                format!("{} is not allowed; it is \"none\", \"losing\" or \"all\"", quoted(&value.to_string())),
            )
        })?;
    }
    if let Some(value) = run.get("replicas") {
        let replicas = value.as_integer().and_then(|replicas| u32::try_from(replicas).ok()).filter(|replicas| (1..=2).contains(replicas));
        options.replicas = replicas.ok_or_else(|| {
            let problem = format!("{} is not allowed; it is 1, or 2 to have every shard solved by two workers", quoted(&value.to_string()));
            ManifestError::field("run.replicas", problem)
        })?;
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GOOD: &str = "name = \"small\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"H1\"\nweights = \"1..=4\"\n";

    fn message(text: &str) -> String {
        Manifest::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_plain_manifest_has_the_documented_defaults() {
        let manifest = Manifest::parse(GOOD).unwrap();
        assert_eq!(manifest.run, RunOptions { shard_seconds: 10.0, counterexamples: 1000, record: Record::None, replicas: 1 });
        assert_eq!(manifest.claims, None);
        assert_eq!(manifest.space.len(), 1);
    }

    #[test]
    fn what_is_not_toml_is_placed_by_line_and_column() {
        let text = message("name = \"a\"\nfamily = = 3\n");
        assert!(text.starts_with("line 2, column 10: not TOML"), "{text}");
    }

    #[test]
    fn each_error_names_its_field_and_what_would_be_right() {
        let cases = [
            ("family = \"graph-nim\"", "name is missing"),
            ("name = \"a b\"\nfamily = \"graph-nim\"", "name: 'a b' is not allowed"),
            ("nmae = \"a\"", "nmae: unknown key; did you mean 'name'?"),
            ("name = \"a\"\nfamily = 3", "family: 3 is not a string"),
            ("name = \"a\"\nfamily = \"f\"\nspace = 3", "space: must be one box"),
            ("name = \"a\"\nfamily = \"f\"\nspace = []", "space: must be one box"),
            ("name = \"a\"\nfamily = \"f\"\nclaims = []\n[space]", "claims: must be a list"),
            ("name = \"a\"\nfamily = \"f\"\nclaims = [1]\n[space]", "claims: must be a list"),
            ("name = \"a\"\nfamily = \"f\"", "space is missing"),
        ];
        for (text, expected) in cases {
            let found = message(text);
            assert!(found.starts_with(expected), "{text}\n{found}");
        }
        let runs = [
            ("shard_seconds = 0", "run.shard_seconds: 0 is not allowed"),
            ("shard_seconds = nan", "run.shard_seconds: nan is not allowed"),
            ("counterexamples = 0", "run.counterexamples: 0 is not allowed"),
            ("counterexamples = 1000001", "run.counterexamples: 1000001 is not allowed"),
            ("record = \"some\"", "run.record: \"some\" is not allowed"),
            ("replicas = 3", "run.replicas: 3 is not allowed"),
            ("shardseconds = 2", "run.shardseconds: unknown key; did you mean 'shard_seconds'?"),
        ];
        for (line, expected) in runs {
            let found = message(&format!("{GOOD}[run]\n{line}\n"));
            assert!(found.starts_with(expected), "{line}\n{found}");
        }
    }

    #[test]
    fn patterns_are_few_and_short() {
        let with = |ids: &[String]| Manifest::parse(&format!("claims = {ids:?}\n{GOOD}"));
        assert!(with(&vec!["*".repeat(MAX_PATTERN_BYTES); MAX_PATTERNS]).is_ok());
        let many = with(&vec!["a".to_owned(); MAX_PATTERNS + 1]).unwrap_err().to_string();
        assert_eq!(many, "claims: there are 257 ids and patterns, and at most 256 are allowed; a '*' takes many ids");
        let long = with(&["*".repeat(100_000)]).unwrap_err().to_string();
        assert_eq!(long, format!("claims: '{}…' is longer than an id or a pattern may be, which is 128 bytes", "*".repeat(80)));
    }

    /// Whatever is wrong, and wherever the text stands: what is said is short and has no commands to a terminal.
    #[test]
    fn what_is_said_about_a_manifest_is_short_and_printable() {
        let long = "x".repeat(1 << 20);
        for text in [long.clone(), "\\u001b[2J\\n\\u202e".repeat(500)] {
            for manifest in [
                format!("\"{text}\" = 1"),
                format!("name = \"{text}\""),
                format!("name = [\"{text}\"]"),
                format!("name = \"a\"\nfamily = [\"{text}\"]"),
                format!("{GOOD}[run]\n\"{text}\" = 1"),
                format!("{GOOD}[run]\nrecord = \"{text}\""),
                format!("{GOOD}[run]\nshard_seconds = \"{text}\""),
                format!("{GOOD}[run]\nreplicas = \"{text}\""),
                format!("claims = [\"{text}\"]\n{GOOD}"),
                format!("{GOOD}[let]\n\"{text}\" = 3"),
                format!("{GOOD}[[claim]]\nid = \"{text}\"\n\"{text}\" = 3"),
                format!("{GOOD}[[claim]]\nid = \"a/b\"\nper = \"{text}\""),
                format!("\"{text}\" = 1\n\"{text}\" = 2"),
            ] {
                let found = message(&manifest);
                assert!(found.chars().count() < 400 && !found.contains(crate::text::is_unprintable), "{found}");
            }
        }
    }

    #[test]
    fn set_changes_every_box_that_has_the_key_and_refuses_a_key_that_none_has() {
        let text = "name = \"a\"\nfamily = \"f\"\n[[space]]\nx = 1\n[[space]]\nx = 2\ny = 3\n";
        let mut manifest = Manifest::parse(text).unwrap();
        manifest.set(&"space.x=0..=9".parse().unwrap()).unwrap();
        manifest.set(&"space.y={ a = \"1..=2\" }".parse().unwrap()).unwrap();
        assert_eq!(manifest.space[0]["x"].as_str(), Some("0..=9"));
        assert_eq!(manifest.space[1]["x"].as_str(), Some("0..=9"));
        assert!(manifest.space[1]["y"].is_table());
        let error = manifest.set(&"space.z=1".parse().unwrap()).unwrap_err().to_string();
        assert_eq!(error, "--set space.z: unknown key; no box of 'a' has it; they have: x, y");
        for bad in ["x=1", "space.=1", "space.x", "run.x=1", "space.a.b=1"] {
            assert!(bad.parse::<Override>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_manifest_survives_being_written_and_read(shard_seconds in 0.001f64..1e6, kept in 1usize..1000, claims in prop::option::of(prop::collection::vec("[a-z/.*0-9-]{1,20}", 1..4))) {
            let mut manifest = Manifest::parse(GOOD).unwrap();
            manifest.claims = claims;
            manifest.run = RunOptions { shard_seconds, counterexamples: kept, record: Record::All, replicas: 2 };
            prop_assert_eq!(Manifest::parse(&manifest.to_toml()).unwrap(), manifest);
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,200}") {
            let _ = Manifest::parse(&text);
        }
    }
}
