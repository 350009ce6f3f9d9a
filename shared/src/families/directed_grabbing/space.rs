//! The boxes that a sweep of directed grabbing may have: unions of paths, grids, or all small acyclic digraphs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::families::legacy::{Cost, Reference, Solver, Space, encoding};
use crate::sweep::{Group, ManifestError, Range, Shard};

use super::boxes::GrabbingBox;
use super::claims::{Predicate, entries};
use super::confirm::GrabbingReference;
use super::rules::Digraph;
use super::sweeper::GrabbingSolver;
use super::tightness;
use super::weights::WeightRange;

const ENCODING_VERSION: u32 = 1;
const KEYS: [&str; 3] = ["paths", "grid", "dags"];

/// Boxes of directed grabbing.
#[derive(Clone, Debug)]
pub struct GrabbingSpace {
    boxes: Arc<[GrabbingBox]>,
}

/// A box as it is encoded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum EncodedBox {
    Paths { vertices: Range, weights: WeightRange },
    Grid { rows: Range, columns: Range, weights: WeightRange },
    Dags { vertices: Range, weights: WeightRange },
}

impl GrabbingSpace {
    /// Reads the boxes of a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn parse(tables: &[Table]) -> Result<Self, ManifestError> {
        let boxes: Result<Vec<GrabbingBox>, ManifestError> = tables.iter().map(parse_box).collect();
        Ok(Self { boxes: boxes?.into() })
    }

    /// Reads what [`Space::encode`] wrote.
    ///
    /// # Errors
    /// A sentence.
    pub fn decode(text: &str) -> Result<Self, String> {
        let encoded: Vec<EncodedBox> = encoding::decode("directed-grabbing", ENCODING_VERSION, text)?;
        let decode = |encoded| match encoded {
            EncodedBox::Paths { vertices, weights } => GrabbingBox::paths(vertices, weights),
            EncodedBox::Grid { rows, columns, weights } => GrabbingBox::grids(rows, columns, weights),
            EncodedBox::Dags { vertices, weights } => GrabbingBox::dags(vertices, weights),
        };
        let boxes: Result<Vec<GrabbingBox>, ManifestError> = encoded.into_iter().map(decode).collect();
        Ok(Self { boxes: boxes.map_err(|error| error.to_string())?.into() })
    }

    /// A box by its index.
    #[must_use]
    pub fn get(&self, box_index: u32) -> Option<&GrabbingBox> {
        self.boxes.get(box_index as usize)
    }

    fn one(&self, box_index: u32) -> &GrabbingBox {
        &self.boxes[box_index as usize]
    }
}

fn parse_box(table: &Table) -> Result<GrabbingBox, ManifestError> {
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(ManifestError::unknown_key("space", key, &KEYS));
    }
    let mut kinds = table.iter();
    match (kinds.next(), kinds.next()) {
        (None, _) => Err(ManifestError::Missing {
            field: "space".into(),
            example: "paths = { vertices = \"1..=8\", weights = \"0..=3\" }, or grid, or dags".into(),
        }),
        (Some(_), Some(_)) => Err(ManifestError::field("space", "a box has one of paths, grid and dags; put them in several boxes")),
        (Some((kind, value)), None) => {
            let examples: &[(&str, &str)] = match kind.as_str() {
                "grid" => &[("rows", "1..=4"), ("columns", "1..=5"), ("weights", "0..=1")],
                "paths" => &[("vertices", "1..=8"), ("weights", "0..=3")],
                _ => &[("vertices", "1..=5"), ("weights", "0..=2")],
            };
            let inner = Inner { kind, table: inner_table(kind, value, examples)?, examples };
            match kind.as_str() {
                "grid" => GrabbingBox::grids(inner.range("rows")?, inner.range("columns")?, inner.weights()?),
                "paths" => GrabbingBox::paths(inner.range("vertices")?, inner.weights()?),
                _ => GrabbingBox::dags(inner.range("vertices")?, inner.weights()?),
            }
        }
    }
}

fn inner_table<'a>(kind: &str, value: &'a toml::Value, examples: &[(&str, &str)]) -> Result<&'a Table, ManifestError> {
    let example: Vec<String> = examples.iter().map(|(key, range)| format!("{key} = \"{range}\"")).collect();
    let form = || ManifestError::field(format!("space.{kind}"), format!("{value} is not a table such as {{ {} }}", example.join(", ")));
    let table = value.as_table().ok_or_else(form)?;
    let keys: Vec<&str> = examples.iter().map(|(key, _)| *key).collect();
    match table.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(ManifestError::unknown_key(&format!("space.{kind}"), key, &keys)),
        None => Ok(table),
    }
}

/// The table of one kind of box.
struct Inner<'a> {
    kind: &'a str,
    table: &'a Table,
    examples: &'a [(&'a str, &'a str)],
}

impl Inner<'_> {
    fn value(&self, key: &str) -> Result<(String, &toml::Value), ManifestError> {
        let field = format!("space.{}.{key}", self.kind);
        let example = self.examples.iter().find(|(known, _)| *known == key).map_or("", |(_, example)| example);
        match self.table.get(key) {
            Some(value) => Ok((field, value)),
            None => Err(ManifestError::Missing { field, example: format!("{key} = \"{example}\"") }),
        }
    }

    fn range(&self, key: &str) -> Result<Range, ManifestError> {
        let (field, value) = self.value(key)?;
        Range::from_toml(value).map_err(|error| ManifestError::field(field, error.to_string()))
    }

    fn weights(&self) -> Result<WeightRange, ManifestError> {
        let (field, value) = self.value("weights")?;
        WeightRange::from_toml(value).map_err(|error| ManifestError::field(field, error.to_string()))
    }
}

impl Space for GrabbingSpace {
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
        self.one(shard.box_index).configurations(shard).into()
    }

    fn cost(&self, shard: &Shard, claims: &[usize]) -> Cost {
        let is_about_grids = |claim: &&usize| entries().get(**claim).is_some_and(|entry| matches!(entry.predicate, Predicate::Grid(_)));
        let about_grids = claims.iter().filter(is_about_grids).count();
        self.one(shard.box_index).cost(shard, about_grids, claims.len() - about_grids)
    }

    fn can_speak(&self, claim: usize) -> bool {
        let Some(entry) = entries().get(claim) else { return false };
        self.boxes.iter().any(|one| match (one, entry.predicate) {
            (GrabbingBox::Grids(grids), Predicate::Grid(demand)) => grids.grids().any(|grid| demand(grid).is_some()),
            (GrabbingBox::Grids(grids), Predicate::Digraph { applies, .. }) => {
                grids.grids().any(|grid| Digraph::grid(grid).is_ok_and(|graph| applies(&graph)))
            }
            (GrabbingBox::Paths(_) | GrabbingBox::Dags(_), Predicate::Digraph { .. }) => true,
            (GrabbingBox::Paths(_) | GrabbingBox::Dags(_), Predicate::Grid(_)) => false,
        })
    }

    fn to_json(&self) -> Value {
        self.boxes.iter().map(GrabbingBox::to_json).collect()
    }

    fn encode(&self) -> String {
        encoding::encode(ENCODING_VERSION, self.boxes.iter().map(GrabbingBox::to_json).collect())
    }

    fn group_in_words(&self, group: &Group, number: u128) -> (String, u128) {
        tightness::in_words(group, number)
    }

    fn solver(&self) -> Box<dyn Solver> {
        Box::new(GrabbingSolver::new(self.clone()))
    }

    fn reference(&self) -> Box<dyn Reference> {
        Box::new(GrabbingReference::new(self.clone()))
    }
}
