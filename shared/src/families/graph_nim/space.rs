//! The boxes that a sweep of Graph Nim may have: weights of a graph's edges, or sets of edges themselves.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::families::legacy::{Cost, Figure, Reference, Solver, Space, encoding};
use crate::sweep::{KeptRecord, ManifestError, Range, Shard};
use crate::text::known;

use super::boxes::{BoxKind, EdgeSetBox, WeightBox};
use super::claims::{Domain, entries};
use super::confirm::GraphNimReference;
use super::figure;
use super::graph::{Graph, NAMED};
use super::rules::MAX_WEIGHT;
use super::small_graphs::{MAX_LISTED_EDGES, graphs_with};
use super::sweeper::GraphNimSolver;

/// The version of the encoding of a space.
const ENCODING_VERSION: u32 = 1;
const KEYS: [&str; 5] = ["graph", "edges", "graphs", "weights", "edge_sets"];

/// Boxes of Graph Nim.
#[derive(Clone, Debug)]
pub struct GraphNimSpace {
    boxes: std::sync::Arc<[BoxKind]>,
}

/// A box as it is encoded.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum EncodedBox {
    Weights {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        graph: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        edges: Option<Vec<String>>,
        weights: Vec<Range>,
    },
    EdgeSets {
        vertices: u32,
        edges: u32,
    },
}

impl GraphNimSpace {
    /// Reads the boxes of a manifest. A box with a list of graphs stands for one box a graph.
    ///
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn parse(tables: &[Table]) -> Result<Self, ManifestError> {
        let mut boxes = Vec::new();
        for table in tables {
            if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
                return Err(ManifestError::unknown_key("space", key, &KEYS));
            }
            boxes.extend(if table.contains_key("edge_sets") { edge_sets(table)? } else { weight_boxes(table)? });
        }
        Ok(Self { boxes: boxes.into() })
    }

    /// Reads what [`Space::encode`] wrote.
    ///
    /// # Errors
    /// A sentence.
    pub fn decode(text: &str) -> Result<Self, String> {
        let encoded: Vec<EncodedBox> = encoding::decode("graph-nim", ENCODING_VERSION, text)?;
        let boxes: Result<Vec<BoxKind>, String> = encoded.into_iter().map(decode_box).collect();
        Ok(Self { boxes: boxes?.into() })
    }

    /// A box by its index.
    #[must_use]
    pub fn get(&self, box_index: u32) -> Option<&BoxKind> {
        self.boxes.get(box_index as usize)
    }

    fn kind(&self, box_index: u32) -> &BoxKind {
        &self.boxes[box_index as usize]
    }
}

fn decode_box(encoded: EncodedBox) -> Result<BoxKind, String> {
    let sentence = |error: ManifestError| error.to_string();
    match encoded {
        EncodedBox::EdgeSets { vertices, edges } => EdgeSetBox::new(vertices, edges).map(BoxKind::EdgeSets).map_err(sentence),
        EncodedBox::Weights { graph, edges, weights } => {
            let graph = match (graph, edges) {
                (Some(name), None) => Graph::named(&name).ok_or_else(|| format!("unknown graph '{name}'"))?,
                (None, Some(edges)) => Graph::parse(edges.iter().map(String::as_str)).map_err(|error| error.to_string())?,
                _ => return Err("a box has either a graph or edges".into()),
            };
            WeightBox::new(graph, weights).map(|weights| BoxKind::Weights(Box::new(weights))).map_err(sentence)
        }
    }
}

fn edge_sets(table: &Table) -> Result<Vec<BoxKind>, ManifestError> {
    if let Some(other) = table.keys().find(|key| *key != "edge_sets") {
        let problem = format!("edge_sets and {other} cannot stand in one box; put them in two boxes, each under [[space]]");
        return Err(ManifestError::field("space", problem));
    }
    let form = || ManifestError::field("space.edge_sets", "must be a table such as { vertices = 8, edges = 4 }");
    let sets = table["edge_sets"].as_table().ok_or_else(form)?;
    if let Some(key) = sets.keys().find(|key| !["vertices", "edges"].contains(&key.as_str())) {
        return Err(ManifestError::unknown_key("space.edge_sets", key, &["vertices", "edges"]));
    }
    let number = |key: &str| sets.get(key).and_then(|value| value.as_integer()).and_then(|n| u32::try_from(n).ok()).ok_or_else(form);
    Ok(vec![BoxKind::EdgeSets(EdgeSetBox::new(number("vertices")?, number("edges")?)?)])
}

fn weight_boxes(table: &Table) -> Result<Vec<BoxKind>, ManifestError> {
    let weights = table
        .get("weights")
        .ok_or_else(|| ManifestError::Missing { field: "space.weights".into(), example: "weights = \"1..=32\"".into() })?;
    graphs(table)?
        .into_iter()
        .map(|graph| {
            let ranges = ranges(&graph, weights)?;
            WeightBox::new(graph, ranges).map(|weights| BoxKind::Weights(Box::new(weights)))
        })
        .collect()
}

/// The graph with this name.
///
/// # Errors
/// Names the graphs that there are.
pub fn graph_by_name(field: &str, name: &str) -> Result<Graph, ManifestError> {
    Graph::named(name).ok_or_else(|| {
        let hint = known(name, NAMED.iter().map(|(known, _)| *known));
        ManifestError::field(field, format!("unknown graph '{name}'; {hint}; any other graph is given by edges = \"AB BC CD\""))
    })
}

fn graphs(table: &Table) -> Result<Vec<Graph>, ManifestError> {
    let strings = |value: &toml::Value| -> Option<Vec<String>> {
        match value {
            toml::Value::String(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            toml::Value::Array(list) => list.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
            _ => None,
        }
    };
    if let Some(listed) = table.get("graphs") {
        return listed_graphs(table, listed);
    }
    match (table.get("graph"), table.get("edges")) {
        (Some(value), None) => {
            let names = strings(value).filter(|names| !names.is_empty());
            let names = names.ok_or_else(|| ManifestError::field("space.graph", "must be a name or a list of names, such as \"H1\""))?;
            names.iter().map(|name| graph_by_name("space.graph", name)).collect()
        }
        (None, Some(value)) => {
            let form = || ManifestError::field("space.edges", "must be edges, such as \"AB BC CD\"");
            let edges = strings(value).ok_or_else(form)?;
            let graph = Graph::parse(edges.iter().map(String::as_str));
            Ok(vec![graph.map_err(|error| ManifestError::field("space.edges", error.to_string()))?])
        }
        (Some(_), Some(_)) => Err(ManifestError::field("space", "graph and edges both name the graph; keep one of them")),
        (None, None) => Err(ManifestError::Missing {
            field: "space.graph".into(),
            example: "graph = \"H1\", or edges = \"AB BC CD EF\" for any graph".into(),
        }),
    }
}

/// `graphs = { edges = 5 }`: every graph with so many edges.
fn listed_graphs(table: &Table, listed: &toml::Value) -> Result<Vec<Graph>, ManifestError> {
    if let Some(other) = ["graph", "edges"].into_iter().find(|key| table.contains_key(*key)) {
        return Err(ManifestError::field("space", format!("graphs and {other} both name the graphs; keep one of them")));
    }
    if table.get("weights").is_some_and(toml::Value::is_table) {
        let problem = "with graphs it is one range for every edge of every graph, such as \"0..=8\"";
        return Err(ManifestError::field("space.weights", problem));
    }
    let form = || ManifestError::field("space.graphs", "must be a table such as { edges = 5 }");
    let listed = listed.as_table().ok_or_else(form)?;
    if let Some(key) = listed.keys().find(|key| *key != "edges") {
        return Err(ManifestError::unknown_key("space.graphs", key, &["edges"]));
    }
    let edges = listed.get("edges").and_then(toml::Value::as_integer).ok_or_else(form)?;
    let known = usize::try_from(edges).ok().filter(|edges| (1..=MAX_LISTED_EDGES).contains(edges));
    let problem = || format!("{edges} will not do; it is a number of edges from 1 to {MAX_LISTED_EDGES}");
    known.map(graphs_with).ok_or_else(|| ManifestError::field("space.graphs.edges", problem()))
}

fn ranges(graph: &Graph, value: &toml::Value) -> Result<Vec<Range>, ManifestError> {
    let range = |field: String, value: &toml::Value| -> Result<Range, ManifestError> {
        let range = Range::from_toml(value).map_err(|error| ManifestError::field(field.clone(), error.to_string()))?;
        if range.high() > u64::from(MAX_WEIGHT) {
            return Err(ManifestError::field(field, format!("{range} goes above the greatest weight, {MAX_WEIGHT} (2^16 - 1)")));
        }
        Ok(range)
    };
    let Some(table) = value.as_table() else {
        return Ok(vec![range("space.weights".into(), value)?; graph.edges().len()]);
    };
    let mut ranges = vec![None; graph.edges().len()];
    for (key, value) in table {
        let field = format!("space.weights.{key}");
        if key == "other" {
            continue;
        }
        let edge = graph.edge_by_name(key).ok_or_else(|| {
            let edges = graph.edge_names().join(", ");
            ManifestError::field(field.clone(), format!("{graph} has no such edge; its edges are {edges}, and 'other' stands for the rest"))
        })?;
        if ranges[edge].is_some() {
            return Err(ManifestError::field(field, format!("the edge {} stands twice", graph.edge_name(edge))));
        }
        ranges[edge] = Some(range(field, value)?);
    }
    let other = table.get("other").map(|value| range("space.weights.other".into(), value)).transpose()?;
    let missing = |edge: usize| ManifestError::Missing {
        field: format!("space.weights.{}", graph.edge_name(edge)),
        example: format!("{} = \"1..=32\", or other = \"1..=32\" for every edge that is left out", graph.edge_name(edge)),
    };
    ranges.iter().enumerate().map(|(edge, range)| range.or(other).ok_or_else(|| missing(edge))).collect()
}

impl Space for GraphNimSpace {
    fn boxes(&self) -> u32 {
        // A manifest has far fewer boxes than this could not hold.
        u32::try_from(self.boxes.len()).unwrap_or(u32::MAX)
    }

    fn describe(&self, box_index: u32) -> String {
        self.kind(box_index).describe()
    }

    fn units(&self, box_index: u32) -> u64 {
        self.kind(box_index).units()
    }

    fn configurations(&self, shard: &Shard) -> u128 {
        u128::from(shard.end - shard.start) * self.kind(shard.box_index).configurations_per_unit()
    }

    fn cost(&self, shard: &Shard, claims: &[usize]) -> Cost {
        let kind = self.kind(shard.box_index);
        let entries = claims.iter().map(|claim| &entries()[*claim]);
        let speaking: Vec<_> = entries.filter(|entry| kind.is_in(entry.domain)).collect();
        kind.cost(shard, &speaking)
    }

    fn can_speak(&self, claim: usize) -> bool {
        self.boxes.iter().any(|kind| kind.is_in(entries()[claim].domain))
    }

    fn to_json(&self) -> Value {
        self.boxes.iter().map(BoxKind::to_json).collect()
    }

    fn encode(&self) -> String {
        let encode = |kind: &BoxKind| match kind {
            BoxKind::EdgeSets(sets) => EncodedBox::EdgeSets { vertices: sets.vertices(), edges: sets.edges() },
            BoxKind::Weights(weights) => {
                let name = weights.subject().graph.name();
                let edges = if name.is_some() { None } else { Some(weights.subject().graph.edge_names()) };
                EncodedBox::Weights { graph: name.map(str::to_owned), edges, weights: weights.ranges().to_vec() }
            }
        };
        encoding::encode(ENCODING_VERSION, self.boxes.iter().map(encode).collect())
    }

    fn figures(&self, records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
        figure::of_records(self, records)
    }

    fn draws_losing(&self) -> bool {
        true
    }

    fn solver(&self) -> Box<dyn Solver> {
        Box::new(GraphNimSolver::new(self.clone()))
    }

    fn reference(&self) -> Box<dyn Reference> {
        Box::new(GraphNimReference::new(self.clone()))
    }
}

impl BoxKind {
    /// Whether claims of a domain speak about configurations of this box.
    #[must_use]
    pub fn is_in(&self, domain: Domain) -> bool {
        match self {
            Self::Weights(weights) => weights.subject().is_in(domain),
            Self::EdgeSets(_) => domain == Domain::Graphs,
        }
    }
}
