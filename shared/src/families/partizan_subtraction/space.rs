//! The boxes that a sweep of partizan subtraction may have: full and truncated support by a, b and tau, or any pair of sets.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::families::legacy::{Cost, Figure, Reference, Solver, Space, encoding};
use crate::sweep::{KeptRecord, ManifestError, Range, Shard};
use crate::text::known;

use super::boxes::{Rulesets, SubtractionBox};
use super::confirm::SubtractionReference;
use super::figure;
use super::quantity::Quantity;
use super::rules::{MAX_ELEMENT, Ruleset, SubtractionSet};
use super::supports::{Levels, Supports};
use super::sweeper::SubtractionSolver;

const ENCODING_VERSION: u32 = 1;
const KEYS: [&str; 7] = ["a", "b", "tau", "left", "right", "heap", "quantities"];

/// Boxes of partizan subtraction.
#[derive(Clone, Debug)]
pub struct SubtractionSpace {
    boxes: Arc<[SubtractionBox]>,
}

/// A box as it is encoded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum EncodedBox {
    Supports {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        a: Option<Range>,
        b: Range,
        tau: Levels,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heap: Option<Range>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        quantities: Vec<String>,
    },
    Sets {
        left: Vec<u64>,
        right: Vec<u64>,
        heap: Option<Range>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        quantities: Vec<String>,
    },
}

impl SubtractionSpace {
    /// Reads the boxes of a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn parse(tables: &[Table]) -> Result<Self, ManifestError> {
        let boxes: Result<Vec<SubtractionBox>, ManifestError> = tables.iter().map(parse_box).collect();
        Ok(Self { boxes: boxes?.into() })
    }

    /// Reads what [`Space::encode`] wrote.
    ///
    /// # Errors
    /// A sentence.
    pub fn decode(text: &str) -> Result<Self, String> {
        let encoded: Vec<EncodedBox> = encoding::decode("partizan-subtraction", ENCODING_VERSION, text)?;
        let boxes: Result<Vec<SubtractionBox>, String> = encoded.into_iter().map(decode_box).collect();
        Ok(Self { boxes: boxes?.into() })
    }

    /// A box by its index.
    #[must_use]
    pub fn get(&self, box_index: u32) -> Option<&SubtractionBox> {
        self.boxes.get(box_index as usize)
    }

    fn one(&self, box_index: u32) -> &SubtractionBox {
        &self.boxes[box_index as usize]
    }
}

fn decode_box(encoded: EncodedBox) -> Result<SubtractionBox, String> {
    let found = match encoded {
        EncodedBox::Supports { a, b, tau, heap, quantities } => {
            (Supports::new(a, b, tau).and_then(|supports| SubtractionBox::supports(supports, heap)), quantities)
        }
        EncodedBox::Sets { left, right, heap, quantities } => {
            let set = |elements| SubtractionSet::new(elements).map_err(|error| error.to_string());
            let heap = heap.ok_or("a pair of sets without a range of heaps")?;
            (SubtractionBox::sets(Ruleset { left: set(left)?, right: set(right)? }, heap), quantities)
        }
    };
    let (one, words) = found;
    let quantities = words.iter().map(|word| quantity(word).map_err(|error| error.to_string())).collect::<Result<Vec<_>, _>>()?;
    one.map(|one| one.keeping(quantities)).map_err(|error| error.to_string())
}

fn parse_box(table: &Table) -> Result<SubtractionBox, ManifestError> {
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(ManifestError::unknown_key("space", key, &KEYS));
    }
    let has = |key: &str| table.contains_key(key);
    let quantities = quantities(table)?;
    let (by_sets, by_parameters) = (has("left") || has("right"), has("a") || has("b") || has("tau"));
    if by_sets && by_parameters {
        return Err(ManifestError::field("space", "a box has either a, b and tau, or left and right; put them in two boxes"));
    }
    if by_sets {
        let ruleset = Ruleset { left: set(table, "left")?, right: set(table, "right")? };
        let heap = range(table, "heap", "heap = \"0..=400\"")?;
        return Ok(SubtractionBox::sets(ruleset, heap)?.keeping(quantities));
    }
    let b = range(table, "b", "b = \"1..=16\"")?;
    let given = |key: &str| if has(key) { range(table, key, "").map(Some) } else { Ok(None) };
    let (a, heap) = (given("a")?, given("heap")?);
    let tau = if has("tau") { levels(table)? } else { every_truncation_level(b)? };
    Ok(SubtractionBox::supports(Supports::new(a, b, tau)?, heap)?.keeping(quantities))
}

/// The truncation levels: a range, or `b-a` for the knife's edge alone.
fn levels(table: &Table) -> Result<Levels, ManifestError> {
    match table.get("tau").and_then(toml::Value::as_str).map(Levels::parse) {
        Some(Ok(levels)) => Ok(levels),
        Some(Err(error)) => Err(ManifestError::field("space.tau", format!("{error}; \"b-a\" is the knife's edge alone"))),
        None => range(table, "tau", "tau = \"0..=15\"").map(Levels::Range),
    }
}

/// Every 1 <= tau < b, for the largest b; what is outside the family for a smaller one is left out anyway.
fn every_truncation_level(b: Range) -> Result<Levels, ManifestError> {
    let range = Range::new(1, b.high().min(MAX_ELEMENT).saturating_sub(1));
    let problem = || format!("with b = {b} there is no tau with 1 <= tau < b; tau = 0 is full support");
    range.map(Levels::Range).map_err(|_| ManifestError::field("space.b", problem()))
}

/// What is solved and kept of each heap; nothing named is the outcome.
fn quantities(table: &Table) -> Result<Vec<Quantity>, ManifestError> {
    let Some(value) = table.get("quantities") else { return Ok(Vec::new()) };
    let words = value.as_array().map(|words| words.iter().map(toml::Value::as_str).collect::<Option<Vec<_>>>());
    let words = words.flatten().filter(|words| !words.is_empty()).ok_or_else(|| {
        ManifestError::field(
            "space.quantities",
            format!("{value} will not do; it is a list, such as [\"canonical-form\", \"atomic-weight\"]"),
        )
    })?;
    words.into_iter().map(quantity).collect()
}

fn quantity(word: &str) -> Result<Quantity, ManifestError> {
    let unknown = || known(word, Quantity::ALL.map(Quantity::word));
    Quantity::of_word(word).ok_or_else(|| ManifestError::field("space.quantities", format!("unknown quantity '{word}'; {}", unknown())))
}

fn range(table: &Table, key: &str, example: &str) -> Result<Range, ManifestError> {
    let field = format!("space.{key}");
    let value = table.get(key).ok_or_else(|| ManifestError::Missing { field: field.clone(), example: example.into() })?;
    Range::from_toml(value).map_err(|error| ManifestError::field(field, error.to_string()))
}

fn set(table: &Table, key: &str) -> Result<SubtractionSet, ManifestError> {
    let field = format!("space.{key}");
    let missing = || ManifestError::Missing { field: field.clone(), example: format!("{key} = [1, 4, 6], or {key} = \"2..=9\"") };
    let value = table.get(key).ok_or_else(missing)?;
    SubtractionSet::from_toml(value).map_err(|error| ManifestError::field(field, error.to_string()))
}

impl Space for SubtractionSpace {
    fn boxes(&self) -> u32 {
        // A manifest has far fewer boxes than this could not hold.
        u32::try_from(self.boxes.len()).unwrap_or(u32::MAX)
    }

    fn describe(&self, box_index: u32) -> String {
        self.one(box_index).describe()
    }

    fn units(&self, box_index: u32) -> u64 {
        self.one(box_index).units()
    }

    fn configurations(&self, shard: &Shard) -> u128 {
        u128::from(shard.end - shard.start)
    }

    fn cost(&self, shard: &Shard, claims: &[usize]) -> Cost {
        self.one(shard.box_index).cost(shard, claims)
    }

    fn can_speak(&self, _claim: usize) -> bool {
        // Every claim of the paper is about full or truncated support.
        self.boxes.iter().any(SubtractionBox::has_supports)
    }

    fn to_json(&self) -> Value {
        self.boxes.iter().map(SubtractionBox::to_json).collect()
    }

    fn encode(&self) -> String {
        let quantities = |one: &SubtractionBox| one.named_quantities().iter().map(|quantity| quantity.word().to_owned()).collect();
        let encode = |one: &SubtractionBox| match one.rulesets() {
            Rulesets::Supports(supports) => {
                let (a, b, tau) = supports.given();
                EncodedBox::Supports { a, b, tau, heap: one.common_heaps(), quantities: quantities(one) }
            }
            Rulesets::Sets(ruleset) => {
                let elements = |set: &SubtractionSet| set.elements().iter().map(|number| u64::from(*number)).collect();
                let (left, right) = (elements(&ruleset.left), elements(&ruleset.right));
                EncodedBox::Sets { left, right, heap: one.common_heaps(), quantities: quantities(one) }
            }
        };
        encoding::encode(ENCODING_VERSION, self.boxes.iter().map(encode).collect())
    }

    fn figures(&self, records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
        figure::of_records(self, records)
    }

    fn solver(&self) -> Box<dyn Solver> {
        Box::new(SubtractionSolver::new(self.clone()))
    }

    fn reference(&self) -> Box<dyn Reference> {
        Box::new(SubtractionReference::new(self.clone()))
    }
}
