//! Graphs for Graph Nim: given by their edges, the paper's twelve by name.

use std::fmt;

use crate::text::quoted;

/// The most edges that a graph may have here.
pub const MAX_EDGES: usize = 16;

/// The graphs that the paper names, with their edges in the order in which weights are written.
pub const NAMED: [(&str, &str); 12] = [
    ("K3", "AB BC CA"),
    ("F1", "AB BC CD DA"),
    ("F2", "AB BC CD DB"),
    ("G1", "AB AC AD AE"),
    ("G2", "AB AC AD BE"),
    ("G3", "AB BC CD DE"),
    ("G4", "AB BC CA DE"),
    ("H1", "AB BC CD EF"),
    ("H2", "AB BC DE EF"),
    ("H3", "AB AC AD EF"),
    ("I1", "AB BC DE FG"),
    ("I2", "AB CD EF GH"),
];

/// A simple graph without isolated vertices; its edges are in the order in which weights are written.
///
/// Invariant: between 1 and [`MAX_EDGES`] edges, no loop, no edge twice; vertices are numbered as they first occur.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    name: Option<&'static str>,
    vertices: Vec<char>,
    edges: Vec<[usize; 2]>,
    /// For each vertex the edges at it, ascending.
    incident: Vec<Vec<usize>>,
}

/// Why edges make no graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum GraphError {
    #[error("'{}' is no edge; an edge is two letters or digits, its ends, such as AB", quoted(token))]
    Token { token: String },
    #[error("the edge {token} is a loop; an edge joins two different vertices")]
    Loop { token: String },
    #[error("the edge {token} stands twice ({first} before it); a graph has an edge once, and its weight says how much")]
    Doubled { token: String, first: String },
    #[error("there are {count} edges; a graph has 1 to {limit} of them here", limit = MAX_EDGES)]
    Count { count: usize },
}

impl Graph {
    /// The graph that the paper calls by this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let (name, edges) = NAMED.into_iter().find(|(known, _)| *known == name)?;
        // The table's edges are well-formed, as the tests of this module show.
        let graph = Self::parse(edges.split_whitespace()).ok()?;
        Some(Self { name: Some(name), ..graph })
    }

    /// The graph with these edges, each written as its two ends, such as `AB`.
    ///
    /// # Errors
    /// [`GraphError`] says which edge is wrong.
    pub fn parse<'a>(tokens: impl IntoIterator<Item = &'a str>) -> Result<Self, GraphError> {
        let mut graph = Self { name: None, vertices: Vec::new(), edges: Vec::new(), incident: Vec::new() };
        let mut tokens = tokens.into_iter();
        while let Some(token) = tokens.next() {
            // Counted and not looked at: each edge is compared with all before it.
            if graph.edges.len() == MAX_EDGES {
                return Err(GraphError::Count { count: MAX_EDGES + 1 + tokens.count() });
            }
            let ends: Vec<char> = token.chars().take(3).collect();
            let [u, v] = ends[..] else { return Err(GraphError::Token { token: token.to_owned() }) };
            if !u.is_alphanumeric() || !v.is_alphanumeric() {
                return Err(GraphError::Token { token: token.to_owned() });
            }
            if u == v {
                return Err(GraphError::Loop { token: token.to_owned() });
            }
            let edge = [graph.vertex(u), graph.vertex(v)];
            let same = |other: &[usize; 2]| *other == edge || *other == [edge[1], edge[0]];
            if let Some(index) = graph.edges.iter().position(same) {
                return Err(GraphError::Doubled { token: token.to_owned(), first: graph.edge_name(index) });
            }
            for vertex in edge {
                graph.incident[vertex].push(graph.edges.len());
            }
            graph.edges.push(edge);
        }
        if graph.edges.is_empty() {
            return Err(GraphError::Count { count: 0 });
        }
        Ok(graph)
    }

    fn vertex(&mut self, label: char) -> usize {
        self.vertices.iter().position(|known| *known == label).unwrap_or_else(|| {
            self.vertices.push(label);
            self.incident.push(Vec::new());
            self.vertices.len() - 1
        })
    }

    /// Its name in the paper, if it was given by it.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        self.name
    }

    /// How many vertices it has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices.len()
    }

    /// The letter of a vertex.
    #[must_use]
    pub fn label(&self, vertex: usize) -> char {
        self.vertices[vertex]
    }

    /// Its edges, each by its two vertices.
    #[must_use]
    pub fn edges(&self) -> &[[usize; 2]] {
        &self.edges
    }

    /// An edge as its two ends, such as `AB`.
    #[must_use]
    pub fn edge_name(&self, edge: usize) -> String {
        self.edges[edge].iter().map(|vertex| self.vertices[*vertex]).collect()
    }

    /// All its edges, such as `["AB", "BC"]`.
    #[must_use]
    pub fn edge_names(&self) -> Vec<String> {
        (0..self.edges.len()).map(|edge| self.edge_name(edge)).collect()
    }

    /// The edge with this name, its ends in either order.
    #[must_use]
    pub fn edge_by_name(&self, name: &str) -> Option<usize> {
        let mut ends = name.chars();
        let found = self.edge_between([ends.next()?, ends.next()?])?;
        ends.next().is_none().then_some(found)
    }

    /// The edge with these ends, in either order.
    #[must_use]
    pub fn edge_between(&self, ends: [char; 2]) -> Option<usize> {
        let is_it = |[u, v]: &[usize; 2]| [self.vertices[*u], self.vertices[*v]] == ends || [self.vertices[*v], self.vertices[*u]] == ends;
        self.edges.iter().position(is_it)
    }

    /// The vertex with this letter.
    #[must_use]
    pub fn vertex_by_label(&self, label: char) -> Option<usize> {
        self.vertices.iter().position(|known| *known == label)
    }

    /// The edges at a vertex, ascending.
    #[must_use]
    pub fn incident(&self, vertex: usize) -> &[usize] {
        &self.incident[vertex]
    }

    /// Whether all edges of a vertex belong to another vertex too; of two vertices with the same edges this is said about the later.
    #[must_use]
    pub fn is_covered(&self, vertex: usize) -> bool {
        let edges = self.incident(vertex);
        let covers = |other: usize| {
            let others = self.incident(other);
            other != vertex && edges.iter().all(|edge| others.contains(edge)) && (others.len() > edges.len() || other < vertex)
        };
        (0..self.vertices()).any(covers)
    }

    /// The connected components, each as its edges in ascending order.
    #[must_use]
    pub fn components(&self) -> Vec<Vec<usize>> {
        let mut root: Vec<usize> = (0..self.vertices.len()).collect();
        for [u, v] in &self.edges {
            let (from, to) = (root[*u], root[*v]);
            for entry in &mut root {
                if *entry == from {
                    *entry = to;
                }
            }
        }
        let mut components: Vec<(usize, Vec<usize>)> = Vec::new();
        for (index, [u, _]) in self.edges.iter().enumerate() {
            match components.iter_mut().find(|(known, _)| *known == root[*u]) {
                Some((_, edges)) => edges.push(index),
                None => components.push((root[*u], vec![index])),
            }
        }
        components.into_iter().map(|(_, edges)| edges).collect()
    }

    /// The components of a galaxy graph (Definition 2.2: every component is a star, whose edges share a vertex), or none if
    /// the graph is no galaxy.
    #[must_use]
    pub fn stars(&self) -> Option<Vec<Vec<usize>>> {
        let components = self.components();
        let is_star = |edges: &Vec<usize>| (0..self.vertices()).any(|v| edges.iter().all(|edge| self.edges[*edge].contains(&v)));
        components.iter().all(is_star).then_some(components)
    }

    /// An isomorphism onto `other`: for each edge of `other`, the edge of this graph that goes there. The first one in
    /// lexicographic order, or none if the graphs are not isomorphic.
    ///
    /// Both have no isolated vertices, so a bijection of edges that comes from one of vertices is all there is to find.
    /// Cost: at most (vertices)! steps, far fewer in practice; meant for graphs of a few edges.
    #[must_use]
    pub fn isomorphism(&self, other: &Self) -> Option<Vec<usize>> {
        let degrees = |graph: &Self| {
            let mut degrees: Vec<usize> = (0..graph.vertices()).map(|v| graph.incident(v).len()).collect();
            degrees.sort_unstable();
            degrees
        };
        if self.edges.len() != other.edges.len() || degrees(self) != degrees(other) {
            return None;
        }
        let mut image = vec![None; other.vertices()];
        let mut chosen = Vec::new();
        self.extend(other, &mut image, &mut chosen).then_some(chosen)
    }

    /// Extends a partial isomorphism by the next edge of `other`, trying each edge of this graph both ways round.
    fn extend(&self, other: &Self, image: &mut Vec<Option<usize>>, chosen: &mut Vec<usize>) -> bool {
        let Some([a, b]) = other.edges.get(chosen.len()).copied() else { return true };
        for (index, [u, v]) in self.edges.iter().copied().enumerate() {
            if chosen.contains(&index) {
                continue;
            }
            for (x, y) in [(u, v), (v, u)] {
                let fits = |from: usize, to: usize| image[from].map_or(!image.contains(&Some(to)), |known| known == to);
                if !fits(a, x) || !fits(b, y) {
                    continue;
                }
                let before = (image[a], image[b]);
                (image[a], image[b]) = (Some(x), Some(y));
                chosen.push(index);
                if self.extend(other, image, chosen) {
                    return true;
                }
                chosen.pop();
                (image[a], image[b]) = before;
            }
        }
        false
    }

    /// The name of the paper's graph that this one is isomorphic to, with the isomorphism onto it.
    #[must_use]
    pub fn recognise(&self) -> Option<(&'static str, Vec<usize>)> {
        if let Some(name) = self.name {
            return Some((name, (0..self.edges.len()).collect()));
        }
        // The paper's own letters, if they are used, before any other isomorphism: Lemma 6.1 orders AB, BC and CA.
        let as_labelled = NAMED.into_iter().find_map(|(name, edges)| {
            let found: Option<Vec<usize>> = edges.split_whitespace().map(|edge| self.edge_by_name(edge)).collect();
            found.filter(|found| found.len() == self.edges.len()).map(|found| (name, found))
        });
        as_labelled.or_else(|| self.recognise_unlabelled())
    }

    fn recognise_unlabelled(&self) -> Option<(&'static str, Vec<usize>)> {
        NAMED.into_iter().find_map(|(name, _)| {
            let isomorphism = self.isomorphism(&Self::named(name)?)?;
            Some((name, isomorphism))
        })
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) => formatter.write_str(name),
            None => formatter.write_str(&self.edge_names().join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &str) -> Graph {
        Graph::parse(edges.split_whitespace()).unwrap()
    }

    #[test]
    fn the_twelve_named_graphs_are_pairwise_not_isomorphic() {
        for (i, (name, _)) in NAMED.iter().enumerate() {
            let one = Graph::named(name).unwrap();
            for (j, (other, _)) in NAMED.iter().enumerate() {
                assert_eq!(one.isomorphism(&Graph::named(other).unwrap()).is_some(), i == j, "{name} {other}");
            }
        }
    }

    #[test]
    fn a_relabelled_graph_is_recognised_and_its_edges_are_matched() {
        let relabelled = graph("XY PQ QR RS");
        let (name, edges) = relabelled.recognise().unwrap();
        assert_eq!((name, edges), ("H1", vec![1, 2, 3, 0]));
        assert_eq!(graph("AB BC CD DE EF").recognise(), None);
        // The paper's own letters go before the first isomorphism.
        assert_eq!(graph("BC AB CA").recognise(), Some(("K3", vec![1, 0, 2])));
    }

    #[test]
    fn galaxies_are_told_from_other_graphs() {
        for name in ["G1", "H2", "H3", "I1", "I2"] {
            assert!(Graph::named(name).unwrap().stars().is_some(), "{name}");
        }
        for name in ["K3", "F1", "F2", "G2", "G3", "G4", "H1"] {
            assert!(Graph::named(name).unwrap().stars().is_none(), "{name}");
        }
        assert_eq!(graph("AB CD AE").stars(), Some(vec![vec![0, 2], vec![1]]));
    }

    #[test]
    fn ends_of_single_edges_are_covered() {
        let covered = |edges: &str| -> String {
            let graph = graph(edges);
            (0..graph.vertices()).filter(|vertex| graph.is_covered(*vertex)).map(|vertex| graph.label(vertex)).collect()
        };
        assert_eq!(covered("AB BC CD EF"), "ADF");
        assert_eq!(covered("AB BC CA"), "");
        assert_eq!(covered("AB"), "B");
    }

    #[test]
    fn edges_that_make_no_graph_are_named() {
        let error = |edges: &str| Graph::parse(edges.split_whitespace()).unwrap_err().to_string();
        assert!(error("AB AA").starts_with("the edge AA is a loop"));
        assert!(error("AB BC BA").starts_with("the edge BA stands twice (AB before it)"));
        assert!(error("AB C").starts_with("'C' is no edge"));
        assert!(error("AB C-").starts_with("'C-' is no edge"));
        assert!(error("").starts_with("there are 0 edges"));
        let many: Vec<String> = ('B'..='R').map(|v| format!("A{v}")).collect();
        assert_eq!(many.len(), MAX_EDGES + 1);
        assert!(error(&many.join(" ")).starts_with("there are 17 edges"));
    }
}
