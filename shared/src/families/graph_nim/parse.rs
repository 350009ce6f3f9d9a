//! Boxes as a manifest has them, and positions as a person types them.

use toml::Table;

use crate::families::{Fields, Given, Room};
use crate::sweep::{ManifestError, Range};
use crate::text::{known, quoted};

use super::edge_sets::EdgeSetBox;
use super::graph::{Graph, NAMED};
use super::rules::{MAX_WEIGHT, Weights};
use super::small_graphs::{MAX_LISTED_EDGES, graphs_with};
use super::wanted::Wanted;
use super::weight_box::WeightBox;

/// The box of edge sets that a table of a manifest describes.
///
/// # Errors
/// [`ManifestError`] names the key.
pub fn edge_sets(table: &Table) -> Result<EdgeSetBox, ManifestError> {
    if let Some(other) = table.keys().find(|key| *key != "edge_sets") {
        let problem = format!("edge_sets and {other} cannot stand in one box; put them in two boxes, each under [[space]]");
        return Err(ManifestError::field("space", problem));
    }
    let form = || ManifestError::field("space.edge_sets", "must be a table such as { vertices = 8, edges = 4 }");
    let sets = table["edge_sets"].as_table().ok_or_else(form)?;
    let sets = Fields::new("space.edge_sets", sets, &["vertices", "edges"])?;
    let number = |key: &str| sets.get(key).and_then(|value| value.as_integer()).and_then(|n| u32::try_from(n).ok()).ok_or_else(form);
    EdgeSetBox::new(number("vertices")?, number("edges")?)
}

/// The boxes of weights that a table of a manifest describes: a list of graphs stands for one box per graph.
///
/// # Errors
/// [`ManifestError`] names the key.
pub fn weight_boxes(table: &Table, room: &mut Room) -> Result<Vec<WeightBox>, ManifestError> {
    let fields = Fields::of_box(table);
    let weights = fields.require("weights", "weights = \"1..=32\"")?;
    let wanted = Wanted::of_box(fields)?;
    let mut boxes = Vec::new();
    for graph in graphs(table, room)? {
        let ranges = ranges(&graph, weights)?;
        boxes.push(WeightBox::new(graph, ranges, room)?.wanting(wanted));
    }
    Ok(boxes)
}

/// The graph with this name.
///
/// # Errors
/// Names the graphs that there are.
fn graph_by_name(field: &str, name: &str) -> Result<Graph, ManifestError> {
    Graph::named(name).ok_or_else(|| {
        let hint = known(name, NAMED.iter().map(|(known, _)| *known));
        ManifestError::field(field, format!("unknown graph '{}'; {hint}; any other graph is given by edges = \"AB BC CD\"", quoted(name)))
    })
}

/// The graphs of a table. One of them has its box already, and the others take theirs from the room.
fn graphs(table: &Table, room: &mut Room) -> Result<Vec<Graph>, ManifestError> {
    let strings = |value: &toml::Value| -> Option<Vec<String>> {
        match value {
            toml::Value::String(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            toml::Value::Array(list) => list.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
            _ => None,
        }
    };
    if let Some(listed) = table.get("graphs") {
        let graphs = listed_graphs(table, listed)?;
        room.boxes(graphs.len() - 1)?;
        return Ok(graphs.to_vec());
    }
    match (table.get("graph"), table.get("edges")) {
        (Some(value), None) => {
            let names = strings(value).filter(|names| !names.is_empty());
            let names = names.ok_or_else(|| ManifestError::field("space.graph", "must be a name or a list of names, such as \"H1\""))?;
            room.boxes(names.len() - 1)?;
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
fn listed_graphs(table: &Table, listed: &toml::Value) -> Result<&'static [Graph], ManifestError> {
    if let Some(other) = ["graph", "edges"].into_iter().find(|key| table.contains_key(*key)) {
        return Err(ManifestError::field("space", format!("graphs and {other} both name the graphs; keep one of them")));
    }
    if table.get("weights").is_some_and(toml::Value::is_table) {
        let problem = "with graphs it is one range for every edge of every graph, such as \"0..=8\"";
        return Err(ManifestError::field("space.weights", problem));
    }
    let form = || ManifestError::field("space.graphs", "must be a table such as { edges = 5 }");
    let listed = Fields::new("space.graphs", listed.as_table().ok_or_else(form)?, &["edges"])?;
    let edges = listed.get("edges").and_then(toml::Value::as_integer).ok_or_else(form)?;
    let known = usize::try_from(edges).ok().filter(|edges| (1..=MAX_LISTED_EDGES).contains(edges));
    let problem = || format!("{edges} is not allowed; it is a number of edges from 1 to {MAX_LISTED_EDGES}");
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

/// The position of `--graph` or `--edges`, and `--weights`.
///
/// # Errors
/// [`ManifestError`] names the parameter.
pub fn position(given: &Given<'_>) -> Result<(Graph, Weights), ManifestError> {
    let graph = match (given.get("graph"), given.get("edges")) {
        (Some(name), None) => graph_by_name("--graph", name)?,
        (None, Some(edges)) => {
            let tokens = edges.split([' ', ',']).filter(|token| !token.is_empty());
            Graph::parse(tokens).map_err(|error| ManifestError::field("--edges", error.to_string()))?
        }
        (Some(_), Some(_)) => return Err(ManifestError::field("--edges", "--graph already names the graph; keep one of them")),
        (None, None) => {
            return Err(ManifestError::Missing { field: "--graph".into(), example: "--graph H1, or --edges \"AB BC CD EF\"".into() });
        }
    };
    let weights: Result<Weights, ManifestError> = given.require("weights", "--weights 5,1,6,11")?.split(',').map(weight).collect();
    let weights = weights?;
    if weights.len() != graph.edges().len() {
        let edges = graph.edge_names().join(", ");
        let problem = format!("{graph} has {} edges, {edges}, and there are {} weights", graph.edges().len(), weights.len());
        return Err(ManifestError::field("--weights", problem));
    }
    Ok((graph, weights))
}

fn weight(text: &str) -> Result<u32, ManifestError> {
    let weight = text.trim().parse::<u32>().ok().filter(|weight| *weight <= MAX_WEIGHT);
    weight.ok_or_else(|| {
        ManifestError::field("--weights", format!("'{}' is no weight; a weight is a whole number from 0 to {MAX_WEIGHT}", quoted(text)))
    })
}
