//! A configuration of Graph Nim, a position on a graph or a set of edges, and its JSON.

use std::sync::Arc;

use serde_json::{Value, json};

use super::claims::Subject;
use super::graph::Graph;
use super::rules::Weights;

/// A configuration.
pub enum Position {
    /// A position on a graph.
    Weights(Arc<Subject>, Weights),
    /// A graph, as a set of edges.
    EdgeSet(Graph),
}

/// A position on a graph as reports show it.
pub fn to_json(graph: &Graph, weights: &[u32]) -> Value {
    match graph.name() {
        Some(name) => json!({ "graph": name, "weights": weights }),
        None => json!({ "edges": graph.edge_names(), "weights": weights }),
    }
}
