//! The claims that a manifest states: how they are read from TOML, with the place of each expression, and written.

use std::collections::HashMap;

use serde::Deserialize;
use toml::{Spanned, Table, Value};

use crate::claim::MAX_CLAIMS;
use crate::language::bounds::MAX_DEFINITIONS;
use crate::text::quoted;

use super::manifest_error::{ManifestError, line_and_column, not_toml, refuse_unknown};
use super::{Sentence, Stated, StatedClaim, Written};

const CLAIM_KEYS: [&str; 7] = ["id", "source", "title", "where", "says", "predict", "per"];

/// The most bytes of a claim's source and title.
const MAX_WORDS: usize = 200;

/// The keys whose values are expressions.
const EXPRESSIONS: [&str; 3] = ["where", "says", "predict"];

/// At which line and column of a manifest each expression begins.
#[derive(Default)]
pub(super) struct Places {
    definitions: HashMap<String, (usize, usize)>,
    claims: Vec<HashMap<String, (usize, usize)>>,
}

/// What has places, in a manifest. A text of another form has none, and is refused elsewhere.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Spans {
    r#let: HashMap<String, Spanned<Value>>,
    claim: Vec<HashMap<String, Spanned<Value>>>,
}

impl Places {
    /// The places in a manifest; none where it states more than it may. Cost: O(text) for each expression.
    pub(super) fn of(text: &str) -> Self {
        let mut spans: Spans = toml::from_str(text).unwrap_or_default();
        if spans.r#let.len() > MAX_DEFINITIONS || spans.claim.len() > MAX_CLAIMS {
            return Self::default();
        }
        spans.claim.iter_mut().for_each(|claim| claim.retain(|key, _| EXPRESSIONS.contains(&key.as_str())));
        let places = |spans: HashMap<String, Spanned<Value>>| {
            let place = |(key, spanned): (String, Spanned<Value>)| (key, inside(text, spanned.span().start));
            spans.into_iter().map(place).collect()
        };
        Self { definitions: places(spans.r#let), claims: spans.claim.into_iter().map(places).collect() }
    }
}

/// The place of the first character of a string whose quotes begin at a byte.
fn inside(text: &str, start: usize) -> (usize, usize) {
    let rest = text.get(start..).unwrap_or_default();
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| rest.starts_with(quotes)).map_or(0, str::len);
    // A line break right after three quotes does not belong to the string.
    let breaks = match rest.get(quotes..) {
        Some(rest) if quotes == 3 && rest.starts_with("\r\n") => 2,
        Some(rest) if quotes == 3 && rest.starts_with('\n') => 1,
        _ => 0,
    };
    line_and_column(text, start + quotes + breaks)
}

impl Stated {
    /// Reads a text that has `[let]` and `[[claim]]` and nothing else.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let table: Table = toml::from_str(text).map_err(|error| not_toml(text, &error))?;
        refuse_unknown(&table, "", &["let", "claim"])?;
        read_stated(&table, &Places::of(text))
    }

    /// What [`Stated::parse`] reads back, as somebody would write it into a manifest: `[let]` and `[[claim]]`, a key a line.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let lines = |table: &Table| {
            let width = table.keys().map(String::len).max().unwrap_or(0);
            table.iter().map(|(key, value)| format!("{key:width$} = {value}\n")).collect::<String>()
        };
        let mut table = Table::new();
        write_stated(self, &mut table);
        let definitions = table.get("let").and_then(Value::as_table).map(|definitions| format!("[let]\n{}", lines(definitions)));
        let claims = table.get("claim").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table);
        let claims = claims.map(|claim| format!("[[claim]]\n{}", lines(claim)));
        definitions.into_iter().chain(claims).collect::<Vec<String>>().join("\n")
    }
}

/// Reads `[let]` and `[[claim]]`.
///
/// # Errors
/// [`ManifestError`] names the key.
pub(super) fn read_stated(table: &Table, places: &Places) -> Result<Stated, ManifestError> {
    let mut stated = Stated::default();
    match table.get("let") {
        None => {}
        Some(Value::Table(definitions)) => {
            if definitions.len() > MAX_DEFINITIONS {
                return Err(ManifestError::field("let", format!("defines more than {MAX_DEFINITIONS} names")));
            }
            for (name, value) in definitions {
                let text = value.as_str().ok_or_else(|| not_a_string(&format!("[let] {name}"), value, "M = \"AB + 1\""))?;
                let place = places.definitions.get(name).copied();
                stated.definitions.push((name.clone(), Written { text: text.to_owned(), place }));
            }
        }
        Some(_) => return Err(ManifestError::field("let", "must be a table, [let], with a name and an expression on each line")),
    }
    match table.get("claim") {
        None => {}
        Some(Value::Array(claims)) => {
            if claims.len() > MAX_CLAIMS {
                let problem =
                    format!("there are {} claims and a sweep has at most {MAX_CLAIMS}; make several sweeps of them", claims.len());
                return Err(ManifestError::field("claim", problem));
            }
            for (index, claim) in claims.iter().enumerate() {
                let claim = claim.as_table().ok_or_else(|| ManifestError::field("claim", FORM))?;
                stated.claims.push(read_claim(claim, index, places.claims.get(index))?);
            }
        }
        Some(_) => return Err(ManifestError::field("claim", FORM)),
    }
    if stated.claims.is_empty() && !stated.definitions.is_empty() {
        return Err(ManifestError::field("let", "defines names and there is no [[claim]] to use them"));
    }
    Ok(stated)
}

const FORM: &str = "must be written as [[claim]], in double brackets, with its keys on the lines below";

fn read_claim(table: &Table, index: usize, places: Option<&HashMap<String, (usize, usize)>>) -> Result<StatedClaim, ManifestError> {
    let id = match table.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(other) => return Err(not_a_string(&format!("claim {}, id", index + 1), other, "id = \"mine/r5\"")),
        None => {
            let field = format!("id of claim {}", index + 1);
            return Err(ManifestError::Missing { field, example: "id = \"mine/r5\"".to_owned() });
        }
    };
    let shown = quoted(&id);
    let field = |key: &str| format!("claim '{shown}', {key}");
    refuse_unknown(table, &format!("claim '{shown}'"), &CLAIM_KEYS)?;
    let text = |key: &str, example: &str| match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(not_a_string(&field(key), other, example)),
    };
    let written = |key: &str, example: &str| {
        let place = places.and_then(|places| places.get(key)).copied();
        Ok::<_, ManifestError>(text(key, example)?.map(|text| Written { text, place }))
    };
    let words = |key: &str, example: &str| match text(key, example)? {
        Some(text) if text.len() > MAX_WORDS || text.chars().any(char::is_control) => {
            Err(ManifestError::field(field(key), format!("is one line of at most {MAX_WORDS} bytes")))
        }
        words => Ok(words),
    };
    // What else there may be is for the family to say.
    let per = words("per", "per = \"position\"")?.filter(|per| per != "position");
    let sentence = match (written("says", "says = \"outcome == P\"")?, written("predict", "predict = \"P\"")?) {
        (Some(says), None) => Sentence::Says(says),
        (None, Some(predict)) => Sentence::Predict(predict),
        (None, None) => {
            let field = format!("says of claim '{shown}'");
            return Err(ManifestError::Missing { field, example: "says = \"outcome == P\", or predict = \"P\"".to_owned() });
        }
        (Some(_), Some(_)) => {
            return Err(ManifestError::field(
                format!("claim '{shown}'"),
                "has says and predict; keep one, and make another claim of the other",
            ));
        }
    };
    let (source, title) = (words("source", "source = \"my notebook, page 12\"")?, words("title", "title = \"remainder 5\"")?);
    Ok(StatedClaim { condition: written("where", "where = \"AB >= 2\"")?, source, title, per, sentence, id })
}

fn not_a_string(field: &str, found: &Value, example: &str) -> ManifestError {
    ManifestError::field(field, format!("{} is not a string; write for instance {example}", quoted(&found.to_string())))
}

/// Writes `[let]` and `[[claim]]` into a manifest.
pub(super) fn write_stated(stated: &Stated, table: &mut Table) {
    if stated.claims.is_empty() {
        return;
    }
    let definitions: Table = stated.definitions.iter().map(|(name, written)| (name.clone(), written.text.clone().into())).collect();
    if !definitions.is_empty() {
        table.insert("let".into(), Value::Table(definitions));
    }
    let claims = stated.claims.iter().map(|claim| {
        let mut table = Table::new();
        table.insert("id".into(), claim.id.clone().into());
        let words = [("source", &claim.source), ("title", &claim.title), ("per", &claim.per)];
        table.extend(words.into_iter().filter_map(|(key, words)| Some((key.to_owned(), words.clone()?.into()))));
        table.extend(claim.condition.iter().map(|written| ("where".to_owned(), written.text.clone().into())));
        table.insert(claim.sentence.key().into(), claim.sentence.written().text.clone().into());
        Value::Table(table)
    });
    table.insert("claim".into(), Value::Array(claims.collect()));
}
