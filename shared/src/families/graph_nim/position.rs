//! A configuration of Graph Nim, a position on a graph or a set of edges, and its JSON.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::families::flat;
use crate::value::Play;

use super::claims::Subject;
use super::graph::Graph;
use super::rules::Weights;
use super::wanted::Wanted;

/// A configuration.
#[derive(Clone)]
pub enum Position {
    /// A position on a graph, and what is asked of it.
    Weights(Arc<Subject>, Weights, Wanted),
    /// A graph, as a set of edges.
    EdgeSet(Graph),
}

/// A position on a graph as reports show it: with the play, unless that is normal.
pub fn to_json(graph: &Graph, weights: &[u32], play: Play) -> Value {
    let mut json = match graph.name() {
        Some(name) => json!({ "graph": name, "weights": weights }),
        None => json!({ "edges": graph.edge_names(), "weights": weights }),
    };
    if play != Play::Normal {
        json["play"] = json!(play.word());
    }
    json
}

/// A position as the row of a table: each edge has a column, which holds its weight.
pub fn columns(parameters: &Value) -> Vec<(String, Value)> {
    let names = match (&parameters["graph"], &parameters["edges"]) {
        (Value::String(name), _) => Graph::named(name).map(|graph| graph.edge_names()),
        (_, Value::Array(names)) => names.iter().map(|name| Some(name.as_str()?.to_owned())).collect(),
        _ => None,
    };
    let weights = parameters["weights"].as_array();
    let Some((names, weights)) = names.zip(weights).filter(|(names, weights)| names.len() == weights.len()) else {
        return flat(parameters);
    };
    let mut columns = Vec::new();
    for (name, part) in flat(parameters) {
        match name.as_str() {
            "weights" => columns.extend(names.iter().cloned().zip(weights.iter().cloned())),
            _ => columns.push((name, part)),
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edge_has_a_column() {
        let row = |parameters: Value| Value::Object(columns(&parameters).into_iter().collect());
        let named = row(json!({ "graph": "H1", "weights": [5, 1, 6, 11], "play": "misere" }));
        assert_eq!(named, json!({ "graph": "H1", "AB": 5, "BC": 1, "CD": 6, "EF": 11, "play": "misere" }));
        let by_edges = row(json!({ "edges": ["AB", "BD"], "weights": [1, 2] }));
        assert_eq!(by_edges, json!({ "edges": "AB BD", "AB": 1, "BD": 2 }));
        assert_eq!(row(json!({ "edges": ["AB", "BD"] })), json!({ "edges": "AB BD" }), "a set of edges has no weights");
    }
}
