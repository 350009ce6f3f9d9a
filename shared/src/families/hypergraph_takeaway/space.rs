//! The boxes that a sweep of take-away on hypergraphs may have: members of the paper's family, all hypergraphs on few vertices,
//! or a list.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::families::{Cost, Reference, Solver, Space, encoding};
use crate::sweep::{ManifestError, Range, Shard};

use super::boxes::{HypergraphBox, Kind};
use super::claims::entries;
use super::confirm::HypergraphReference;
use super::names::Named;
use super::sweeper::HypergraphSolver;

const ENCODING_VERSION: u32 = 1;
const KEYS: [&str; 4] = ["vertices", "all", "uniform", "edges"];

/// Boxes of take-away on hypergraphs.
#[derive(Clone)]
pub struct HypergraphSpace {
    boxes: Arc<[HypergraphBox]>,
}

/// A box as it is encoded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum EncodedBox {
    Members { vertices: Range },
    All { vertices: Range, uniform: Option<u32> },
    Listed { edges: Vec<String> },
}

impl HypergraphSpace {
    /// Reads the boxes of a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn parse(tables: &[Table]) -> Result<Self, ManifestError> {
        let boxes: Result<Vec<HypergraphBox>, ManifestError> = tables.iter().map(parse_box).collect();
        Ok(Self { boxes: boxes?.into() })
    }

    /// Reads what [`Space::encode`] wrote.
    ///
    /// # Errors
    /// A sentence.
    pub fn decode(text: &str) -> Result<Self, String> {
        let encoded: Vec<EncodedBox> = encoding::decode("hypergraph-takeaway", ENCODING_VERSION, text)?;
        let boxes: Result<Vec<HypergraphBox>, ManifestError> = encoded.into_iter().map(decode_box).collect();
        Ok(Self { boxes: boxes.map_err(|error| error.to_string())?.into() })
    }

    /// A box by its index.
    pub fn get(&self, box_index: u32) -> Option<&HypergraphBox> {
        self.boxes.get(box_index as usize)
    }

    fn one(&self, box_index: u32) -> &HypergraphBox {
        &self.boxes[box_index as usize]
    }
}

fn decode_box(encoded: EncodedBox) -> Result<HypergraphBox, ManifestError> {
    match encoded {
        EncodedBox::Members { vertices } => HypergraphBox::members(vertices),
        EncodedBox::All { vertices, uniform } => HypergraphBox::all(vertices, uniform),
        EncodedBox::Listed { edges } => listed(edges.iter().map(String::as_str)),
    }
}

fn parse_box(table: &Table) -> Result<HypergraphBox, ManifestError> {
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(ManifestError::unknown_key("space", key, &KEYS));
    }
    let uniform = table.get("uniform").map(uniform).transpose()?;
    if uniform.is_some() && !table.contains_key("all") {
        return Err(ManifestError::field("space.uniform", "it goes with all, such as all = { vertices = 6 }, uniform = 3"));
    }
    match (table.get("vertices"), table.get("all"), table.get("edges")) {
        (Some(vertices), None, None) => HypergraphBox::members(range("space.vertices", vertices)?),
        (None, Some(all), None) => HypergraphBox::all(all_vertices(all)?, uniform),
        (None, None, Some(edges)) => listed_in_manifest(edges),
        (None, None, None) => {
            let example = "vertices = \"2..=14\", or all = { vertices = \"1..=5\" }, or edges = \"abcd,Sab,Sbc\"";
            Err(ManifestError::Missing { field: "space.vertices".into(), example: example.into() })
        }
        _ => Err(ManifestError::field("space", "a box has one of vertices, all and edges; put them in several boxes")),
    }
}

fn range(field: &str, value: &toml::Value) -> Result<Range, ManifestError> {
    Range::from_toml(value).map_err(|error| ManifestError::field(field, error.to_string()))
}

fn all_vertices(all: &toml::Value) -> Result<Range, ManifestError> {
    let problem = || ManifestError::field("space.all", "write for instance all = { vertices = \"1..=5\" }");
    let table = all.as_table().ok_or_else(problem)?;
    if let Some(key) = table.keys().find(|key| *key != "vertices") {
        return Err(ManifestError::unknown_key("space.all", key, &["vertices"]));
    }
    range("space.all.vertices", table.get("vertices").ok_or_else(problem)?)
}

fn uniform(value: &toml::Value) -> Result<u32, ManifestError> {
    let size = value.as_integer().and_then(|size| u32::try_from(size).ok()).filter(|size| (2..=64).contains(size));
    size.ok_or_else(|| {
        let problem = format!("{value} will not do; it is the number of vertices of every hyperedge, from 2 to 64");
        ManifestError::field("space.uniform", problem)
    })
}

fn listed_in_manifest(edges: &toml::Value) -> Result<HypergraphBox, ManifestError> {
    let problem = || ManifestError::field("space.edges", "write for instance edges = \"abcd,Sab,Sbc\", or a list of such texts");
    match edges {
        toml::Value::String(text) => listed([text.as_str()].into_iter()),
        toml::Value::Array(texts) => {
            let texts: Option<Vec<&str>> = texts.iter().map(toml::Value::as_str).collect();
            listed(texts.ok_or_else(problem)?.into_iter())
        }
        _ => Err(problem()),
    }
}

fn listed<'a>(texts: impl Iterator<Item = &'a str>) -> Result<HypergraphBox, ManifestError> {
    let named: Result<Vec<Named>, _> = texts.map(Named::parse).collect();
    HypergraphBox::listed(named.map_err(|error| ManifestError::field("space.edges", error.to_string()))?)
}

impl Space for HypergraphSpace {
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

    fn can_speak(&self, claim: usize) -> bool {
        entries().get(claim).is_some_and(|entry| self.boxes.iter().any(|one| one.can_speak(entry.is_about_members)))
    }

    fn to_json(&self) -> Value {
        self.boxes.iter().map(HypergraphBox::to_json).collect()
    }

    fn encode(&self) -> String {
        let encode = |one: &HypergraphBox| match one.kind() {
            Kind::Members { vertices, .. } => EncodedBox::Members { vertices: *vertices },
            Kind::All { vertices, uniform, .. } => EncodedBox::All { vertices: *vertices, uniform: *uniform },
            Kind::Listed(list) => EncodedBox::Listed { edges: list.iter().map(Named::to_string).collect() },
        };
        encoding::encode(ENCODING_VERSION, self.boxes.iter().map(encode).collect())
    }

    fn solver(&self) -> Box<dyn Solver> {
        Box::new(HypergraphSolver::new(self.clone()))
    }

    fn reference(&self) -> Box<dyn Reference> {
        Box::new(HypergraphReference::new(self.clone()))
    }
}
