//! The boxes that a sweep of Graph Nim may have: weights of a graph's edges, or sets of edges themselves.

use std::ops::Range as Units;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Table;

use crate::families::{Cost, DecodeError, Entry, GameBox};
use crate::sweep::{ManifestError, Range};
use crate::text::grouped;

use super::GraphNim;
use super::claims::{Domain, Scope, Subject};
use super::graph::{Graph, MAX_EDGES};
use super::key::{self, InBox};
use super::layout::Layout;
use super::position::Position;
use super::{by_rows, parse};

/// The most lines that a box may have: their numbers fit 63 bits with room to add.
const MAX_LINES: u128 = 1 << 62;
/// The most edge sets that a box may have.
const MAX_EDGE_SETS: u128 = 1_000_000_000;
/// The most vertices in a box of edge sets: letters A to Z name them.
const MAX_SET_VERTICES: u32 = 26;

/// Seconds of one core, measured once on a 2-core x86-64 machine: they only set the size of shards.
const SECONDS_PER_STEP: f64 = 1.5e-9;
const SECONDS_PER_ROW: f64 = 1.5e-6;
const SECONDS_PER_LINE: f64 = 3e-9;
const SECONDS_PER_CONFIGURATION: f64 = 6e-9;
const SECONDS_PER_CHECK: f64 = 2.5e-9;
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
            Self::Weights(weights) => weights.ranges[weights.layout.pivot].len(),
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
    },
    EdgeSets {
        vertices: u32,
        edges: u32,
    },
}

impl GameBox<GraphNim> for BoxKind {
    const KEYS: &'static [&'static str] = &["graph", "edges", "graphs", "weights", "edge_sets"];

    fn parse(table: &Table) -> Result<Vec<Self>, ManifestError> {
        parse::boxes(table)
    }

    fn encode(&self) -> Value {
        json!(match self {
            Self::EdgeSets(sets) => EncodedBox::EdgeSets { vertices: sets.vertices, edges: sets.edges },
            Self::Weights(weights) => {
                let name = weights.subject.graph.name();
                let edges = if name.is_some() { None } else { Some(weights.subject.graph.edge_names()) };
                EncodedBox::Weights { graph: name.map(str::to_owned), edges, weights: weights.ranges.clone() }
            }
        })
    }

    fn decode(encoded: Value) -> Result<Self, DecodeError> {
        match serde_json::from_value(encoded)? {
            EncodedBox::EdgeSets { vertices, edges } => Ok(Self::EdgeSets(EdgeSetBox::new(vertices, edges)?)),
            EncodedBox::Weights { graph, edges, weights } => {
                let problem = |problem: String| ManifestError::field("space.graph", problem);
                let graph = match (graph, edges) {
                    (Some(name), None) => Graph::named(&name).ok_or_else(|| problem(format!("unknown graph '{name}'")))?,
                    (None, Some(edges)) => Graph::parse(edges.iter().map(String::as_str)).map_err(|error| problem(error.to_string()))?,
                    _ => return Err(problem("a box has either a graph or edges".to_owned()).into()),
                };
                Ok(Self::Weights(Box::new(WeightBox::new(graph, weights)?)))
            }
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::EdgeSets(sets) => format!("every set of {} edges among {} vertices", sets.edges, sets.vertices),
            Self::Weights(weights) => {
                let graph = &weights.subject.graph;
                let first = weights.ranges[0];
                if weights.ranges.iter().all(|range| *range == first) {
                    return format!("{graph}, weights {first}");
                }
                let each = weights.ranges.iter().enumerate().map(|(edge, range)| format!("{} {range}", graph.edge_name(edge)));
                format!("{graph}, weights {}", each.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::EdgeSets(sets) => json!({ "edge_sets": { "vertices": sets.vertices, "edges": sets.edges } }),
            Self::Weights(weights) => {
                let graph = &weights.subject.graph;
                let ranges: serde_json::Map<String, Value> =
                    weights.ranges.iter().enumerate().map(|(edge, range)| (graph.edge_name(edge), json!(range))).collect();
                match graph.name() {
                    Some(name) => json!({ "graph": name, "weights": ranges }),
                    None => json!({ "edges": graph.edge_names(), "weights": ranges }),
                }
            }
        }
    }

    fn units(&self) -> u64 {
        match self {
            Self::Weights(weights) => weights.lines,
            Self::EdgeSets(sets) => sets.count,
        }
    }

    fn configurations(&self, units: Units<u64>) -> u128 {
        u128::from(units.end - units.start) * self.configurations_per_unit()
    }

    fn cost(&self, units: Units<u64>, claims: &[Entry<GraphNim>]) -> Cost {
        let speaking: Vec<&Entry<GraphNim>> = claims.iter().filter(|entry| self.can_speak(&entry.scope)).collect();
        let (count, end) = ((units.end - units.start) as f64, units.end as f64);
        match self {
            Self::EdgeSets(_) => Cost { seconds: count * SECONDS_PER_EDGE_SET, bytes: 0 },
            Self::Weights(weights) => {
                let layout = &weights.layout;
                let share = end / weights.lines as f64;
                let beneath = layout.work() * share * SECONDS_PER_STEP;
                let counting = if by_rows::suits(weights, speaking.iter().map(|entry| &entry.scope)) {
                    count / layout.row() as f64 * SECONDS_PER_ROW + count * SECONDS_PER_LINE
                } else {
                    let configurations = count * self.configurations_per_unit() as f64;
                    configurations * (SECONDS_PER_CONFIGURATION + speaking.len() as f64 * SECONDS_PER_CHECK)
                };
                Cost { seconds: beneath + counting, bytes: layout.bytes() }
            }
        }
    }

    fn can_speak(&self, scope: &Scope) -> bool {
        match self {
            Self::Weights(weights) => weights.subject.is_in(scope.domain),
            Self::EdgeSets(_) => scope.domain == Domain::Graphs,
        }
    }

    fn position(&self, key: &[u8]) -> Option<Position> {
        match (self, key::read(key)?) {
            (Self::Weights(weights), InBox::Weights(position)) => {
                weights.contains(&position).then(|| Position::Weights(weights.subject.clone(), position))
            }
            (Self::EdgeSets(sets), InBox::EdgeSet(number)) => sets.set(number).map(Position::EdgeSet),
            _ => None,
        }
    }
}

/// All positions on one graph with weights in given ranges.
#[derive(Clone, Debug)]
pub struct WeightBox {
    subject: Subject,
    ranges: Vec<Range>,
    layout: Layout,
    lines: u64,
}

impl WeightBox {
    /// A box with one range an edge; the ends are at most `MAX_WEIGHT`.
    ///
    /// # Errors
    /// [`ManifestError`] if there are more lines than can be numbered.
    pub fn new(graph: Graph, ranges: Vec<Range>) -> Result<Self, ManifestError> {
        if ranges.len() != graph.edges().len() {
            let problem = format!("{graph} has {} edges and there are {} ranges", graph.edges().len(), ranges.len());
            return Err(ManifestError::field("space.weights", problem));
        }
        let high: Option<Vec<u32>> = ranges.iter().map(|range| u32::try_from(range.high()).ok()).collect();
        let high = high.filter(|high| high.iter().all(|weight| *weight <= super::rules::MAX_WEIGHT));
        let high = high.ok_or_else(|| ManifestError::field("space.weights", "a weight is at most 65535 (2^16 - 1)"))?;
        let layout = Layout::new(&graph, &high);
        if layout.lines() > MAX_LINES {
            let problem = format!(
                "{graph} with these weights has {} lines of positions to walk, and the limit is 2^62; smaller weights or fewer edges \
                 make fewer",
                if layout.lines() == u128::MAX { "2^128 or more".to_owned() } else { grouped(layout.lines()) }
            );
            return Err(ManifestError::field("space.weights", problem));
        }
        // At most as many as the lines counted above, from 0 on.
        let lines = layout.order.iter().map(|edge| ranges[*edge].len()).product::<u128>();
        let lines = u64::try_from(lines).map_err(|_| ManifestError::field("space.weights", "too many lines"))?;
        Ok(Self { subject: Subject::new(graph), ranges, layout, lines })
    }

    /// The graph.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// One range an edge.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// How the solver walks it.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether a position is inside.
    fn contains(&self, position: &[u32]) -> bool {
        let inside = |(range, weight): (&Range, &u32)| (range.low()..=range.high()).contains(&u64::from(*weight));
        position.len() == self.ranges.len() && self.ranges.iter().zip(position).all(inside)
    }
}

/// All sets of a given number of edges among labelled vertices: every graph with so many edges is among them, isolated
/// vertices left out, if there are twice as many vertices.
#[derive(Clone, Debug)]
pub struct EdgeSetBox {
    vertices: u32,
    edges: u32,
    count: u64,
}

impl EdgeSetBox {
    /// # Errors
    /// [`ManifestError`] names the number that is not allowed.
    pub fn new(vertices: u32, edges: u32) -> Result<Self, ManifestError> {
        if !(2..=MAX_SET_VERTICES).contains(&vertices) {
            let problem = format!("{vertices} is not allowed; it is a number from 2 to {MAX_SET_VERTICES}");
            return Err(ManifestError::field("space.edge_sets.vertices", problem));
        }
        let pairs = vertices * (vertices - 1) / 2;
        if edges == 0 || edges > pairs || edges as usize > MAX_EDGES {
            let most = pairs.min(MAX_EDGES as u32);
            let problem = format!("{edges} is not allowed; with {vertices} vertices it is a number from 1 to {most}");
            return Err(ManifestError::field("space.edge_sets.edges", problem));
        }
        let count = binomial(pairs, edges);
        if count > MAX_EDGE_SETS {
            let problem = format!(
                "{edges} edges among {vertices} vertices make {} sets, and the limit is {}",
                grouped(count),
                grouped(MAX_EDGE_SETS)
            );
            return Err(ManifestError::field("space.edge_sets", problem));
        }
        // It is below MAX_EDGE_SETS.
        Ok(Self { vertices, edges, count: count as u64 })
    }

    /// The set of this number, in the order of the combinatorial number system: sets are compared by their greatest pair.
    pub fn set(&self, number: u64) -> Option<Graph> {
        if number >= self.count {
            return None;
        }
        let letter = |index: u32| char::from(b'A' + index as u8);
        let pairs: Vec<String> = (0..self.vertices).flat_map(|v| (0..v).map(move |u| [letter(u), letter(v)].iter().collect())).collect();
        let mut rest = u128::from(number);
        let mut chosen = Vec::new();
        let mut bound = pairs.len() as u32;
        for size in (1..=self.edges).rev() {
            // The greatest pair c with C(c, size) <= rest; there is one, since C(size-1, size) = 0.
            bound = (0..bound).rev().find(|pair| binomial(*pair, size) <= rest)?;
            rest -= binomial(bound, size);
            chosen.push(pairs[bound as usize].as_str());
        }
        chosen.reverse();
        Graph::parse(chosen).ok()
    }
}

/// n over k; exact for what a box of edge sets asks, n <= 325 and k <= 16.
fn binomial(n: u32, k: u32) -> u128 {
    if k > n {
        return 0;
    }
    (0..k).fold(1, |product, index| product * u128::from(n - index) / u128::from(index + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn edge_sets_are_numbered_without_gap_or_repetition() {
        let sets = EdgeSetBox::new(5, 3).unwrap();
        let all: HashSet<Vec<String>> = (0..sets.count)
            .map(|number| {
                let mut names = sets.set(number).unwrap().edge_names();
                names.sort();
                names
            })
            .collect();
        assert_eq!(sets.count, 120);
        assert_eq!(all.len(), 120);
        assert!(all.iter().all(|edges| edges.len() == 3));
        assert_eq!(sets.set(120), None);
    }

    #[test]
    fn four_edges_on_eight_vertices_make_20475_sets() {
        assert_eq!(EdgeSetBox::new(8, 4).unwrap().count, 20_475);
    }

    #[test]
    fn numbers_out_of_reach_are_named() {
        let error = |vertices, edges| EdgeSetBox::new(vertices, edges).unwrap_err().to_string();
        assert!(error(1, 1).starts_with("space.edge_sets.vertices: 1 is not allowed"));
        assert!(error(27, 1).starts_with("space.edge_sets.vertices: 27 is not allowed"));
        assert!(error(4, 7).starts_with("space.edge_sets.edges: 7 is not allowed; with 4 vertices it is a number from 1 to 6"));
        assert!(error(20, 10).contains("and the limit is 1,000,000,000"));
    }
}
