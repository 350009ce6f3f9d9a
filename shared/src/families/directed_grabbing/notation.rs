//! How positions and vertices are written.

use serde_json::{Map, Value, json};

use super::rules::{Grid, Position, members};

/// How a position was given, and so how it and what is left of it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notation {
    /// A union of paths with these numbers of vertices, sinks first.
    Paths(Vec<usize>),
    /// A grid, row 1 first.
    Grid(Grid),
    /// A digraph with named vertices.
    Arcs(Vec<String>),
}

impl Notation {
    /// Names for the vertices of a digraph that has none: a, b, c, …
    pub fn letters(vertices: usize) -> Self {
        let name = |vertex: usize| {
            let letter = char::from(b'a' + (vertex % 26) as u8);
            if vertex < 26 { letter.to_string() } else { format!("{letter}{}", vertex / 26) }
        };
        Self::Arcs((0..vertices).map(name).collect())
    }

    /// The parameter of `explain` that gives such a digraph.
    pub fn parameter(&self) -> &'static str {
        match self {
            Self::Paths(_) => "--paths",
            Self::Grid(_) => "--grid",
            Self::Arcs(_) => "--arcs",
        }
    }

    /// A vertex in words: `v_2 of path 1`, `(1,2)` or its name.
    pub fn vertex(&self, vertex: usize) -> String {
        match self {
            Self::Paths(lengths) => {
                let mut index = vertex;
                for (path, length) in lengths.iter().enumerate() {
                    match index.checked_sub(*length) {
                        Some(rest) => index = rest,
                        None => return format!("v_{} of path {}", index + 1, path + 1),
                    }
                }
                format!("v_{}", vertex + 1)
            }
            Self::Grid(grid) => format!("({},{})", vertex / grid.columns + 1, vertex % grid.columns + 1),
            Self::Arcs(names) => names.get(vertex).cloned().unwrap_or_else(|| format!("v_{}", vertex + 1)),
        }
    }

    /// What is left of a position, as reports show it. A path of which nothing is left is not shown, and a cell that is gone is null.
    fn parameters(&self, position: &Position, left: u64) -> Value {
        let is_left = |vertex: &usize| left >> vertex & 1 == 1;
        match self {
            Self::Paths(lengths) => {
                let mut start = 0;
                let mut paths = Vec::new();
                for length in lengths {
                    let path: Vec<i64> = (start..start + length).filter(is_left).map(|vertex| position.weights[vertex]).collect();
                    start += length;
                    paths.extend((!path.is_empty()).then_some(path));
                }
                json!({ "paths": paths })
            }
            Self::Grid(grid) => {
                let cell = |vertex: usize| is_left(&vertex).then(|| position.weights[vertex]);
                let row = |row: usize| (row * grid.columns..(row + 1) * grid.columns).map(cell).collect::<Vec<_>>();
                json!({ "grid": (0..grid.rows).map(row).collect::<Vec<_>>() })
            }
            Self::Arcs(_) => {
                let arcs: Vec<String> = members(left)
                    .flat_map(|from| members(position.graph.out()[from] & left).map(move |to| (from, to)))
                    .map(|(from, to)| format!("{}>{}", self.vertex(from), self.vertex(to)))
                    .collect();
                let weights: Map<String, Value> =
                    members(left).map(|vertex| (self.vertex(vertex), json!(position.weights[vertex]))).collect();
                json!({ "arcs": arcs, "weights": weights })
            }
        }
    }
}

/// A position and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The position.
    pub position: Position,
    /// How it is written.
    pub notation: Notation,
}

impl Written {
    /// A position as it is written where nobody has written it: a grid and paths as such, else by letters.
    pub fn of(position: Position) -> Self {
        let paths = position.graph.path_components();
        let notation = match position.grid {
            Some(grid) => Notation::Grid(grid),
            // Paths are written from their sinks on, one after the other.
            None if paths.concat().iter().enumerate().all(|(place, vertex)| place == *vertex)
                && paths.iter().map(Vec::len).sum::<usize>() == position.graph.vertices() =>
            {
                Notation::Paths(paths.iter().map(Vec::len).collect())
            }
            None => Notation::letters(position.graph.vertices()),
        };
        Self { position, notation }
    }

    /// What is left of the position, as reports show it.
    pub fn left(&self, left: u64) -> Value {
        self.notation.parameters(&self.position, left)
    }

    /// A play in words: who removes what, in turn, with its weight.
    pub fn play_in_words(&self, play: &[usize]) -> String {
        let removal =
            |(vertex, player): (&usize, &str)| format!("{player} {} ({})", self.notation.vertex(*vertex), self.position.weights[*vertex]);
        let removals: Vec<String> = play.iter().zip(["Alice", "Bob"].into_iter().cycle()).map(removal).collect();
        if removals.is_empty() { "there is nothing to remove".to_owned() } else { removals.join(", ") }
    }
}
