//! Every graph with a few edges, up to isomorphism.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::graph::{Graph, NAMED};

/// The most edges of [`graphs_with`].
pub const MAX_LISTED_EDGES: usize = 6;

/// Every graph with so many edges and no isolated vertex, one of each isomorphism class, in a fixed order: by the number of
/// vertices, then by degrees. The paper's graphs have their names; `edges` is from 1 to [`MAX_LISTED_EDGES`].
///
/// A graph with n edges and no isolated vertex comes from one with n - 1 edges: take an edge away, and the ends that it leaves
/// isolated. So adding an edge to each of those in every way, between two vertices, at one vertex or apart, finds all of them.
/// Graphs are compared with those of the same degrees only. Made once; cost: a few thousand comparisons for 6 edges.
#[must_use]
pub fn graphs_with(edges: usize) -> &'static [Graph] {
    static LISTS: [OnceLock<Vec<Graph>>; MAX_LISTED_EDGES + 1] = [const { OnceLock::new() }; MAX_LISTED_EDGES + 1];
    LISTS[edges].get_or_init(|| made(edges))
}

fn made(edges: usize) -> Vec<Graph> {
    let mut layer: Vec<Graph> = Graph::parse(["AB"]).into_iter().collect();
    for _ in 1..edges {
        let mut found: BTreeMap<Vec<usize>, Vec<Graph>> = BTreeMap::new();
        for graph in layer.iter().flat_map(with_one_more_edge) {
            let alike = found.entry(degrees(&graph)).or_default();
            if !alike.iter().any(|known| known.isomorphism(&graph).is_some()) {
                alike.push(graph);
            }
        }
        layer = found.into_values().flatten().collect();
    }
    layer.sort_by_key(Graph::vertices);
    layer.iter().map(|graph| by_name(graph).unwrap_or_else(|| readable(graph))).collect()
}

/// The graph with one edge added, in every way.
fn with_one_more_edge(graph: &Graph) -> impl Iterator<Item = Graph> {
    // Two vertices beside those of the graph are enough.
    let letters: Vec<char> = (b'A'..).take(graph.vertices() + 2).map(char::from).collect();
    let pairs = (0..letters.len()).flat_map(|u| (u + 1..letters.len()).map(move |v| [u, v]));
    let added: Vec<String> = pairs.map(|pair| pair.map(|vertex| letters[vertex]).iter().collect()).collect();
    let edges = graph.edge_names();
    // A pair that is an edge already makes no graph.
    added.into_iter().filter_map(move |edge| Graph::parse(edges.iter().map(String::as_str).chain([edge.as_str()])).ok())
}

/// The degrees of the vertices, the greatest first.
fn degrees(graph: &Graph) -> Vec<usize> {
    let mut degrees: Vec<usize> = (0..graph.vertices()).map(|vertex| graph.incident(vertex).len()).collect();
    degrees.sort_unstable_by(|a, b| b.cmp(a));
    degrees
}

/// The graph as the paper has it, if it is one of the paper's.
fn by_name(graph: &Graph) -> Option<Graph> {
    let of_the_paper = NAMED.into_iter().filter_map(|(name, _)| Graph::named(name));
    of_the_paper.into_iter().find(|known| known.isomorphism(graph).is_some())
}

/// The same graph with its vertices named as one would draw it: larger components first, and each edge after one that it
/// continues. A star is drawn from its centre, anything else from an end if it has one.
fn readable(graph: &Graph) -> Graph {
    let mut components = graph.components();
    components.sort_by_key(|edges| std::cmp::Reverse(edges.len()));
    let mut drawing = Drawing { graph, letters: vec![None; graph.vertices()], drawn: Vec::new(), edges: Vec::new() };
    for component in components {
        let vertices = component.iter().flat_map(|edge| graph.edges()[*edge]);
        let degree = |vertex: usize| graph.incident(vertex).len();
        let centre = vertices.clone().find(|vertex| degree(*vertex) == component.len());
        if let Some(start) = centre.or_else(|| vertices.min_by_key(|vertex| degree(*vertex))) {
            drawing.draw_from(start);
        }
    }
    // The edges are those of a graph with other letters, so they make one.
    Graph::parse(drawing.edges.iter().map(String::as_str)).unwrap_or_else(|_| graph.clone())
}

/// A graph whose vertices get letters as a walk along its edges meets them.
struct Drawing<'a> {
    graph: &'a Graph,
    letters: Vec<Option<char>>,
    drawn: Vec<usize>,
    edges: Vec<String>,
}

impl Drawing<'_> {
    fn letter(&mut self, vertex: usize) -> char {
        let next = char::from(b'A' + self.letters.iter().flatten().count() as u8);
        *self.letters[vertex].get_or_insert(next)
    }

    fn draw_from(&mut self, vertex: usize) {
        let graph = self.graph;
        let letter = self.letter(vertex);
        for edge in graph.incident(vertex) {
            if self.drawn.contains(edge) {
                continue;
            }
            self.drawn.push(*edge);
            let [u, v] = graph.edges()[*edge];
            let end = if u == vertex { v } else { u };
            let is_new = self.letters[end].is_none();
            let name = [letter, self.letter(end)].iter().collect();
            self.edges.push(name);
            if is_new {
                self.draw_from(end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_graphs_as_are_known() {
        // The number of graphs with n edges and no isolated vertex, n = 1, 2, …: sequence A000664 of the OEIS.
        let counts: Vec<usize> = (1..=MAX_LISTED_EDGES).map(|edges| graphs_with(edges).len()).collect();
        assert_eq!(counts, [1, 2, 5, 11, 26, 68]);
    }

    #[test]
    fn no_two_are_isomorphic_and_every_one_has_its_edges() {
        for edges in 1..=5 {
            let graphs = graphs_with(edges);
            for (index, graph) in graphs.iter().enumerate() {
                assert_eq!(graph.edges().len(), edges);
                assert!(graphs[..index].iter().all(|other| other.isomorphism(graph).is_none()), "{graph}");
            }
        }
    }

    #[test]
    fn graphs_are_drawn_along_their_edges() {
        let drawn = |edges: &str| readable(&Graph::parse(edges.split(' ')).unwrap()).to_string();
        assert_eq!(drawn("CD BC AB DE EF"), "AB BC CD DE EF");
        assert_eq!(drawn("AB CD CE CF CG"), "AB AC AD AE FG");
        assert_eq!(drawn("AB XY YZ ZX XW"), "AB BC CD DB EF");
        for graph in (1..=5).flat_map(graphs_with) {
            assert!(readable(graph).isomorphism(graph).is_some(), "{graph}");
        }
    }

    #[test]
    fn those_with_four_edges_are_the_papers() {
        let mut names: Vec<&str> = graphs_with(4).iter().map(|graph| graph.name().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["F1", "F2", "G1", "G2", "G3", "G4", "H1", "H2", "H3", "I1", "I2"]);
    }
}
