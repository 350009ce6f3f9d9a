//! The boxes that a sweep of partizan subtraction may have: full and truncated support by a, b and tau, or any pair of sets.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Table;

use crate::families::{Cost, Figure, Reference, Solver, Space};
use crate::sweep::{KeptRecord, ManifestError, Range, Shard};

use super::boxes::{Rulesets, SubtractionBox};
use super::confirm::SubtractionReference;
use super::figure;
use super::rules::{MAX_ELEMENT, Ruleset, SubtractionSet};
use super::sweeper::SubtractionSolver;

const ENCODING_VERSION: u32 = 1;
const KEYS: [&str; 6] = ["a", "b", "tau", "left", "right", "heap"];

/// Boxes of partizan subtraction.
#[derive(Clone, Debug)]
pub struct SubtractionSpace {
    boxes: Arc<[SubtractionBox]>,
}

/// A box as it is encoded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum EncodedBox {
    Supports { a: Range, b: Range, tau: Range, heap: Range },
    Sets { left: Vec<u64>, right: Vec<u64>, heap: Range },
}

#[derive(Serialize, Deserialize)]
struct Encoded {
    version: u32,
    boxes: Vec<EncodedBox>,
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
        let encoded: Encoded = serde_json::from_str(text).map_err(|error| format!("not a space of partizan-subtraction: {error}"))?;
        if encoded.version != ENCODING_VERSION || encoded.boxes.is_empty() {
            let found = encoded.version;
            return Err(format!("a space of partizan-subtraction in encoding {found}, and this version reads {ENCODING_VERSION}"));
        }
        let boxes: Result<Vec<SubtractionBox>, String> = encoded.boxes.into_iter().map(decode_box).collect();
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
        EncodedBox::Supports { a, b, tau, heap } => SubtractionBox::supports(a, b, tau, heap),
        EncodedBox::Sets { left, right, heap } => {
            let set = |elements| SubtractionSet::new(elements).map_err(|error| error.to_string());
            SubtractionBox::sets(Ruleset { left: set(left)?, right: set(right)? }, heap)
        }
    };
    found.map_err(|error| error.to_string())
}

fn parse_box(table: &Table) -> Result<SubtractionBox, ManifestError> {
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(ManifestError::unknown_key("space", key, &KEYS));
    }
    let has = |key: &str| table.contains_key(key);
    let heap = range(table, "heap", "heap = \"0..=400\"")?;
    let (by_sets, by_parameters) = (has("left") || has("right"), has("a") || has("b") || has("tau"));
    if by_sets && by_parameters {
        return Err(ManifestError::field("space", "a box has either a, b and tau, or left and right; put them in two boxes"));
    }
    if by_sets {
        let ruleset = Ruleset { left: set(table, "left")?, right: set(table, "right")? };
        return SubtractionBox::sets(ruleset, heap);
    }
    let (a, b) = (range(table, "a", "a = \"1..=8\"")?, range(table, "b", "b = \"1..=16\"")?);
    let tau = if has("tau") { range(table, "tau", "")? } else { every_truncation_level(b)? };
    SubtractionBox::supports(a, b, tau, heap)
}

/// Every 1 <= tau < b, for the largest b; what is outside the family for a smaller one is left out anyway.
fn every_truncation_level(b: Range) -> Result<Range, ManifestError> {
    Range::new(1, b.high().min(MAX_ELEMENT).saturating_sub(1))
        .map_err(|_| ManifestError::field("space.b", format!("with b = {b} there is no tau with 1 <= tau < b; tau = 0 is full support")))
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
        self.one(shard.box_index).cost(shard, claims.len())
    }

    fn can_speak(&self, _claim: usize) -> bool {
        // Every claim of the paper is about full or truncated support.
        self.boxes.iter().any(SubtractionBox::has_supports)
    }

    fn to_json(&self) -> Value {
        self.boxes.iter().map(SubtractionBox::to_json).collect()
    }

    fn encode(&self) -> String {
        let encode = |one: &SubtractionBox| match one.rulesets() {
            Rulesets::Supports(supports) => {
                let (a, b, tau) = supports.ranges();
                EncodedBox::Supports { a, b, tau, heap: one.heap() }
            }
            Rulesets::Sets(ruleset) => {
                let elements = |set: &SubtractionSet| set.elements().iter().map(|number| u64::from(*number)).collect();
                EncodedBox::Sets { left: elements(&ruleset.left), right: elements(&ruleset.right), heap: one.heap() }
            }
        };
        json!(Encoded { version: ENCODING_VERSION, boxes: self.boxes.iter().map(encode).collect() }).to_string()
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
