//! The boxes that a sweep of Graph Nim may have: weights of a graph's edges, or sets of edges themselves.

use std::ops::Range as Units;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Table;

use crate::families::{Cost, DecodeError, Entry, GameBox, Room};
use crate::sweep::{Group, ManifestError, Range};
use crate::text::quoted;
use crate::value::Play;

use super::GraphNim;
use super::claims::{Domain, Scope};
use super::edge_sets::EdgeSetBox;
use super::estimate::seconds_per_row;
use super::graph::Graph;
use super::groups;
use super::kept::Kept;
use super::key::{self, InBox};
use super::parse;
use super::position::Position;
use super::wanted::Wanted;
use super::weight_box::WeightBox;

/// Seconds of one core, measured once on a 2-core x86-64 machine: they only set the size of shards.
const SECONDS_PER_STEP: f64 = 1.5e-9;
const SECONDS_PER_ROW: f64 = 1.5e-6;
const SECONDS_PER_LINE: f64 = 3e-9;
const SECONDS_PER_CONFIGURATION: f64 = 6e-9;
const SECONDS_PER_CHECK: f64 = 2.5e-9;
/// A position whose Grundy value is written into a record of its own.
const SECONDS_PER_VALUE: f64 = 1.5e-7;
const SECONDS_PER_EDGE_SET: f64 = 4e-6;

/// One box of a sweep.
#[derive(Clone, Debug)]
pub enum BoxKind {
    /// Positions on one graph. A unit is a line: the weights of all edges but the solver's pivot.
    Weights(Box<WeightBox>),
    /// Sets of edges. A unit is one set.
    EdgeSets(EdgeSetBox),
}

impl BoxKind {
    /// How many configurations each unit decides.
    pub fn configurations_per_unit(&self) -> u128 {
        match self {
            Self::Weights(weights) => weights.ranges()[weights.layout().pivot].len(),
            Self::EdgeSets(_) => 1,
        }
    }
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
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        quantities: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        play: Option<String>,
    },
    EdgeSets {
        vertices: u32,
        edges: u32,
    },
}

impl GameBox<GraphNim> for BoxKind {
    const KEYS: &'static [&'static str] = &["graph", "edges", "graphs", "weights", "edge_sets", "quantities", "play"];

    fn parse(table: &Table, room: &mut Room) -> Result<Vec<Self>, ManifestError> {
        if table.contains_key("edge_sets") {
            return Ok(vec![Self::EdgeSets(parse::edge_sets(table)?)]);
        }
        Ok(parse::weight_boxes(table, room)?.into_iter().map(|weights| Self::Weights(Box::new(weights))).collect())
    }

    fn encode(&self) -> Value {
        json!(match self {
            Self::EdgeSets(sets) => EncodedBox::EdgeSets { vertices: sets.vertices, edges: sets.edges },
            Self::Weights(weights) => {
                let name = weights.subject().graph.name();
                let edges = if name.is_some() { None } else { Some(weights.subject().graph.edge_names()) };
                let (quantities, play) = weights.wanted().keys();
                let (quantities, play) = (quantities.iter().map(|word| (*word).to_owned()).collect(), play.map(str::to_owned));
                EncodedBox::Weights { graph: name.map(str::to_owned), edges, weights: weights.ranges().to_vec(), quantities, play }
            }
        })
    }

    fn encoding_version(&self) -> u32 {
        match self {
            Self::Weights(weights) if weights.wanted() != Wanted::default() => 2,
            Self::Weights(_) | Self::EdgeSets(_) => 1,
        }
    }

    fn decode(encoded: Value, room: &mut Room) -> Result<Self, DecodeError> {
        match serde_json::from_value(encoded)? {
            EncodedBox::EdgeSets { vertices, edges } => Ok(Self::EdgeSets(EdgeSetBox::new(vertices, edges)?)),
            EncodedBox::Weights { graph, edges, weights, quantities, play } => {
                let problem = |problem: String| ManifestError::field("space.graph", problem);
                let graph = match (graph, edges) {
                    (Some(name), None) => Graph::named(&name).ok_or_else(|| problem(format!("unknown graph '{}'", quoted(&name))))?,
                    (None, Some(edges)) => Graph::parse(edges.iter().map(String::as_str)).map_err(|error| problem(error.to_string()))?,
                    _ => return Err(problem("a box has either a graph or edges".to_owned()).into()),
                };
                let wanted = Wanted::of_keys(&quantities, play.as_deref())?;
                Ok(Self::Weights(Box::new(WeightBox::new(graph, weights, room)?.wanting(wanted))))
            }
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::EdgeSets(sets) => format!("every set of {} edges among {} vertices", sets.edges, sets.vertices),
            Self::Weights(weights) => {
                let (graph, wanted) = (&weights.subject().graph, weights.wanted().in_words());
                let first = weights.ranges()[0];
                if weights.ranges().iter().all(|range| *range == first) {
                    return format!("{graph}, weights {first}{wanted}");
                }
                let each = weights.ranges().iter().enumerate().map(|(edge, range)| format!("{} {range}", graph.edge_name(edge)));
                format!("{graph}, weights {}{wanted}", each.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::EdgeSets(sets) => json!({ "edge_sets": { "vertices": sets.vertices, "edges": sets.edges } }),
            Self::Weights(weights) => {
                let graph = &weights.subject().graph;
                let ranges: serde_json::Map<String, Value> =
                    weights.ranges().iter().enumerate().map(|(edge, range)| (graph.edge_name(edge), json!(range))).collect();
                let mut json = match graph.name() {
                    Some(name) => json!({ "graph": name, "weights": ranges }),
                    None => json!({ "edges": graph.edge_names(), "weights": ranges }),
                };
                let (quantities, play) = weights.wanted().keys();
                if !quantities.is_empty() {
                    json["quantities"] = json!(quantities);
                }
                if let Some(play) = play {
                    json["play"] = json!(play);
                }
                json
            }
        }
    }

    fn units(&self) -> u64 {
        match self {
            Self::Weights(weights) => weights.lines(),
            Self::EdgeSets(sets) => sets.count,
        }
    }

    fn configurations(&self, units: Units<u64>) -> u128 {
        u128::from(units.end - units.start) * self.configurations_per_unit()
    }

    fn cost(&self, units: Units<u64>, claims: &[Entry<GraphNim>]) -> Cost {
        let speaking: Vec<&Entry<GraphNim>> = claims.iter().filter(|entry| entry.can_speak(self)).collect();
        let (count, end) = ((units.end - units.start) as f64, units.end as f64);
        match self {
            Self::EdgeSets(_) => Cost { seconds: count * SECONDS_PER_EDGE_SET, bytes: 0 },
            Self::Weights(weights) => {
                let layout = weights.layout();
                let share = end / weights.lines() as f64;
                let beneath = weights.work() * share * SECONDS_PER_STEP;
                let counting = if weights.is_counted_by_rows(speaking.iter().copied()) {
                    count / layout.row() as f64 * SECONDS_PER_ROW + count * SECONDS_PER_LINE
                } else {
                    let configurations = count * self.configurations_per_unit() as f64;
                    let written = speaking.iter().filter(|entry| entry.stated().is_none()).count();
                    let value = if weights.wanted() == Wanted::Grundy { SECONDS_PER_VALUE } else { 0.0 };
                    configurations * (SECONDS_PER_CONFIGURATION + value + written as f64 * SECONDS_PER_CHECK)
                };
                let rows = count / weights.lines() as f64 * weights.rows() as f64;
                let stated = speaking
                    .iter()
                    .filter_map(|entry| entry.stated())
                    .filter(|stated| !stated.is_about_whole())
                    .map(|stated| rows * seconds_per_row(weights, stated));
                let stated = stated.sum::<f64>();
                // A slot keeps what is solved of the whole box, and solves it once: each shard is charged its part.
                let relates = speaking.iter().any(|entry| entry.relates());
                let keeping = if relates { weights.work() * count / weights.lines() as f64 * SECONDS_PER_STEP } else { 0.0 };
                let kept = if relates { Kept::bytes(weights) } else { 0 };
                Cost { seconds: beneath + counting + stated + keeping, bytes: weights.bytes().saturating_add(kept) }
            }
        }
    }

    fn keeps(&self, claims: &[Entry<GraphNim>]) -> Option<String> {
        let Self::Weights(weights) = self else { return None };
        claims.iter().any(Entry::relates).then(|| Kept::describe(weights))
    }

    fn has_whole_of(&self, position: &Position) -> bool {
        match (self, position) {
            (Self::Weights(weights), Position::Weights(subject, position, wanted)) => {
                weights.subject().graph == subject.graph && weights.wanted() == *wanted && weights.contains(position)
            }
            _ => false,
        }
    }

    fn can_speak(&self, scope: &Scope) -> bool {
        match self {
            Self::Weights(weights) => weights.wanted().play() == Play::Normal && weights.subject().is_in(scope.domain),
            Self::EdgeSets(_) => scope.domain == Domain::Graphs,
        }
    }

    fn may_count(&self, group: &Group, _number: u128, _claims: &[Entry<GraphNim>]) -> bool {
        matches!(self, Self::Weights(_)) && groups::is_one(group)
    }

    fn configuration(&self, number: u128) -> Option<Position> {
        if number >= self.configurations(0..self.units()) {
            return None;
        }
        Some(match self {
            Self::Weights(weights) => Position::Weights(weights.subject().clone(), weights.position(number), weights.wanted()),
            Self::EdgeSets(sets) => Position::EdgeSet(sets.set(u64::try_from(number).ok()?)?),
        })
    }

    fn position(&self, key: &[u8]) -> Option<Position> {
        match (self, key::read(key)?) {
            (Self::Weights(weights), InBox::Weights(position)) => {
                weights.contains(&position).then(|| Position::Weights(weights.subject().clone(), position, weights.wanted()))
            }
            (Self::EdgeSets(sets), InBox::EdgeSet(number)) => sets.set(number).map(Position::EdgeSet),
            _ => None,
        }
    }
}
