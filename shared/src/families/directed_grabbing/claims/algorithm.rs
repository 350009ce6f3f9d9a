//! The algorithm for unions of directed paths, in both readings, step by step as it is described: slow and plain.

use crate::claim::{Prediction, Relation};

use super::super::rules::{Digraph, Position};
use super::says::Says;

/// Which index i >= 2 with w(v_i) >= w(v_{i-1}) is taken on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The smallest, as printed.
    Smallest,
    /// The largest.
    Largest,
}

impl Reading {
    /// The index, counted from 0, if there is one.
    fn choose(self, path: &[i64]) -> Option<usize> {
        let mut rises = (1..path.len()).filter(|i| path[*i] >= path[i - 1]);
        match self {
            Self::Smallest => rises.next(),
            Self::Largest => rises.next_back(),
        }
    }
}

/// One reduction of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which path, counted from 0.
    pub path: usize,
    /// Its weights before, from v_1 on.
    pub before: Vec<i64>,
    /// The index i, counted from 1.
    pub index: usize,
    /// The term added to val by the first reduction; none for the second.
    pub term: Option<i64>,
    /// The weights after.
    pub after: Vec<i64>,
}

/// A run of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The reductions, in their order.
    pub steps: Vec<Step>,
    /// The weights that remain on each path, from its sink on.
    pub left: Vec<Vec<i64>>,
    /// The weights that remain, in the order in which they are taken.
    pub taken: Vec<i64>,
    /// What it gives for val.
    pub value: i64,
}

/// Runs the algorithm on paths, each given by its weights from v_1 on.
///
/// Cost: O(n²), n the number of vertices.
pub fn run(mut paths: Vec<Vec<i64>>, reading: Reading) -> Run {
    let mut steps = Vec::new();
    for path in 0..paths.len() {
        while let Some(i) = reading.choose(&paths[path]) {
            let vertices: usize = paths.iter().map(Vec::len).sum();
            let sign = if vertices.is_multiple_of(2) { -1 } else { 1 };
            let weights = &mut paths[path];
            let before = weights.clone();
            let term = if i + 1 < weights.len() {
                let fused = weights[i - 1] + weights[i + 1] - weights[i];
                weights.splice(i - 1..=i + 1, [fused]);
                None
            } else {
                weights.truncate(i - 1);
                Some(sign * (before[i] - before[i - 1]))
            };
            steps.push(Step { path, before, index: i + 1, term, after: weights.clone() });
        }
    }
    // No path has an i left, so each falls from its sink on: the greatest weight that is left is always that of a sink.
    let left = paths;
    let mut taken = left.concat();
    taken.sort_unstable_by(|a, b| b.cmp(a));
    let in_turn: i64 = taken.iter().zip([1, -1].into_iter().cycle()).map(|(weight, sign)| weight * sign).sum();
    let value = in_turn + steps.iter().filter_map(|step| step.term).sum::<i64>();
    Run { steps, left, taken, value }
}

/// Whether every component is a path.
pub fn is_union_of_paths(graph: &Digraph) -> bool {
    graph.path_components().iter().map(Vec::len).sum::<usize>() == graph.vertices()
}

pub fn algorithm_smallest(position: &Position) -> Says {
    gives(position, Reading::Smallest)
}

pub fn algorithm_largest(position: &Position) -> Says {
    gives(position, Reading::Largest)
}

/// Whether every component is a path, and one has at least two vertices.
pub fn has_a_rise(graph: &Digraph) -> bool {
    is_union_of_paths(graph) && graph.path_components().iter().any(|path| path.len() >= 2)
}

/// A reduction applies around the index that is taken, on each path with such an index: the first one where it is p, else the second.
fn applies(position: &Position, reading: Reading) -> Says {
    let Some(paths) = position.as_paths() else { return Prediction::Silent };
    let mut taken = paths.iter().filter_map(|path| Some((path, reading.choose(path)?))).peekable();
    if taken.peek().is_none() {
        return Prediction::Silent;
    }
    // Both ask for w(v_i) >= w(v_(i-1)), which the choice gives; the second also for w(v_j) <= w(v_i) for all j >= i.
    let holds = taken.all(|(path, i)| i + 1 == path.len() || path[i..].iter().all(|weight| *weight <= path[i]));
    let (says, denies) = ("a reduction applies around the index", "no reduction applies around the index of some path");
    Prediction::Relation(Box::new(Relation::of_position(holds, says, denies)))
}

pub fn applies_at_smallest(position: &Position) -> Says {
    applies(position, Reading::Smallest)
}

pub fn applies_at_largest(position: &Position) -> Says {
    applies(position, Reading::Largest)
}

/// After the reductions weights increase along the arcs of each path, so that the greatest weight is always that of a sink.
pub fn increasing(position: &Position) -> Says {
    position.as_paths().map_or(Prediction::Silent, |paths| is_increasing(&run(paths, Reading::Smallest).left))
}

/// That weights increase along the arcs of each path, which is from its last vertex to its sink.
pub fn is_increasing(paths: &[Vec<i64>]) -> Says {
    let holds = paths.iter().all(|path| path.windows(2).all(|pair| pair[0] > pair[1]));
    let says = "weights increase along the arcs of each path after the reductions";
    Prediction::Relation(Box::new(Relation::of_position(holds, says, "weights do not increase along the arcs of some path")))
}

fn gives(position: &Position, reading: Reading) -> Says {
    position.as_paths().map_or(Prediction::Silent, |paths| Prediction::Value(run(paths, reading).value))
}
