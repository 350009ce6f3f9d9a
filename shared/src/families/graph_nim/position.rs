//! A configuration of Graph Nim, a position on a graph or a set of edges, and its JSON.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::value::Play;

use super::claims::Subject;
use super::graph::Graph;
use super::rules::Weights;
use super::wanted::Wanted;

/// A configuration.
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
