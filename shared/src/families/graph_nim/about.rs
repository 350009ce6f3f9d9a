//! What the names of positions are about: which edges, and whether it is the sum of their weights. So a name that stays the same
//! along a line of positions is read once.
//!
//! A name that is not known here is taken to depend on every edge, which is always right.

use crate::language::syntax::{is_name, is_reserved};

use super::claims::Subject;
use super::graph::NAMED;

/// The name of the edge with these ends.
pub fn edge_name(ends: [char; 2]) -> String {
    let name: String = ends.into_iter().collect();
    // Edges such as 12 and `in` are no names by themselves.
    if is_name(&name) && !is_reserved(&name) { name } else { format!("edge_{name}") }
}

/// The edges of a graph that a name is about, and in which way; all of them where nothing better is known.
pub fn about(name: &str, subject: &Subject) -> About {
    let graph = &subject.graph;
    let all = 0..graph.edges().len();
    let is_edge = |edge: &usize| {
        let [u, v] = graph.edges()[*edge].map(|end| graph.label(end));
        [[u, v], [v, u]].into_iter().any(|ends| edge_name(ends) == name)
    };
    if let Some(edge) = all.clone().find(is_edge) {
        return About::Sum(vec![edge]);
    }
    let mut labels = name.strip_prefix("sum_").into_iter().flat_map(str::chars);
    if let (Some(label), None) = (labels.next(), labels.next()) {
        // Where the graph has no such vertex, the name is absent whatever the weights are.
        return graph.vertex_by_label(label).map_or(About::Edges(Vec::new()), |vertex| About::Sum(graph.incident(vertex).to_vec()));
    }
    let named = |places: &[usize]| {
        let edges = subject.named.as_ref().map(|(_, edges)| places.iter().filter_map(|place| edges.get(*place)).copied().collect());
        About::Edges(edges.unwrap_or_default())
    };
    match name {
        "total" => About::Sum(all.collect()),
        // An edge of another graph is absent whatever the weights are.
        _ if name.len() == 2 || name.starts_with("edge_") => About::Edges(Vec::new()),
        "edges" | "vertices" | "is_galaxy" | "is_edge_set" => About::Edges(Vec::new()),
        "h1_modulus" => named(&[3]),
        "h1_m1" | "h1_l1" => named(&[0, 3]),
        "h1_m2" | "h1_l2" => named(&[2, 3]),
        "is_special" | "special_k" | "special_l" | "special_m" | "special_i" => named(&[0, 1, 2]),
        _ if name.strip_prefix("is_").is_some_and(|graph| NAMED.iter().any(|(known, _)| *known == graph)) => About::Edges(Vec::new()),
        _ => About::Edges(all.collect()),
    }
}

/// What the value of a name depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// It is the sum of the weights of these edges.
    Sum(Vec<usize>),
    /// It depends on the weights of these edges, and of no others.
    Edges(Vec<usize>),
}
