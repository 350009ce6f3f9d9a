//! The two reductions, about any acyclic digraph, and the identity that the proof of the second one prints.

use crate::claim::{Prediction, Relation};

use super::super::rules::{Digraph, Position};
use super::says::Says;

/// The sources whose only out-neighbour has no other in-neighbour, with that one.
fn pendant_sources(graph: &Digraph) -> impl Iterator<Item = (usize, usize)> {
    let single = |x: &usize| graph.in_neighbours(*x) == 0 && graph.out()[*x].count_ones() == 1;
    let pair = |x: usize| (x, graph.out()[x].trailing_zeros() as usize);
    (0..graph.vertices()).filter(single).map(pair).filter(|(x, y)| graph.in_neighbours(*y) == 1 << x)
}

/// Whether some source has an only out-neighbour with no other in-neighbour.
pub fn has_pendant_source(graph: &Digraph) -> bool {
    pendant_sources(graph).next().is_some()
}

/// Whether some component is a path of at least three vertices.
pub fn has_long_path(graph: &Digraph) -> bool {
    graph.path_components().iter().any(|path| path.len() >= 3)
}

/// Reduction 1, at each source x whose only out-neighbour y has no other in-neighbour, w(x) >= w(y).
pub fn reduction_1(position: &Position) -> Says {
    let graph = &position.graph;
    let sign = if graph.vertices().is_multiple_of(2) { -1 } else { 1 };
    let difference = |x: usize, y: usize| position.weights[x] - position.weights[y];
    let pairs: Vec<(usize, usize)> = pendant_sources(graph).filter(|(x, y)| difference(*x, *y) >= 0).collect();
    if pairs.is_empty() {
        return Prediction::Silent;
    }
    let terms: Vec<i64> = pairs.iter().map(|(x, y)| sign * difference(*x, *y)).collect();
    let needs = std::iter::once(position.clone()).chain(pairs.iter().map(|(x, y)| position.without(1 << x | 1 << y))).collect();
    let holds = move |values: &[i64]| {
        let [value, rest @ ..] = values else { return false };
        rest.iter().zip(&terms).all(|(rest, term)| rest + term == *value)
    };
    let says = "val is that without x and y, plus s (w(x)-w(y))";
    let denies = "val is not that without x and y, plus s (w(x)-w(y))";
    Prediction::Relation(Box::new(Relation { needs, holds: Box::new(holds), says: says.into(), denies: denies.into() }))
}

/// What a reduction at an index i of a path component asks for: the weights of the path from v_1 on, and i counted from 0.
type Hypothesis = fn(&[i64], usize) -> bool;

/// The hypothesis of reduction 2: w(v_{i-1}) <= w(v_i), and w(v_j) <= w(v_i) for all j >= i.
fn as_stated(weights: &[i64], i: usize) -> bool {
    weights[i - 1] <= weights[i] && weights[i..].iter().all(|weight| *weight <= weights[i])
}

/// The weaker one: w(v_{i-1}) <= w(v_i) >= w(v_{i+1}).
fn local(weights: &[i64], i: usize) -> bool {
    weights[i - 1] <= weights[i] && weights[i] >= weights[i + 1]
}

/// Where a reduction applies: w(v_i), and the position after it.
fn applications(position: &Position, hypothesis: Hypothesis) -> Vec<(i64, Position)> {
    let mut found = Vec::new();
    for path in position.graph.path_components().into_iter().filter(|path| path.len() >= 3) {
        let weights: Vec<i64> = path.iter().map(|vertex| position.weights[*vertex]).collect();
        // 2 <= i <= p-1, counted from 1.
        for i in (1..path.len() - 1).filter(|i| hypothesis(&weights, *i)) {
            found.push((weights[i], position.fused(&path, i, weights[i - 1] + weights[i + 1] - weights[i])));
        }
    }
    found
}

pub fn reduction_2(position: &Position) -> Says {
    leaves_val(position, as_stated)
}

pub fn reduction_2_local(position: &Position) -> Says {
    leaves_val(position, local)
}

fn leaves_val(position: &Position, hypothesis: Hypothesis) -> Says {
    let applications = applications(position, hypothesis);
    if applications.is_empty() {
        return Prediction::Silent;
    }
    let needs = std::iter::once(position.clone()).chain(applications.into_iter().map(|(_, after)| after)).collect();
    let holds = |values: &[i64]| {
        let [value, after @ ..] = values else { return false };
        after.iter().all(|after| after == value)
    };
    let says = "replacing the three vertices leaves val unchanged";
    let denies = "replacing the three vertices changes val";
    Prediction::Relation(Box::new(Relation { needs, holds: Box::new(holds), says: says.into(), denies: denies.into() }))
}

/// The identity as the proof prints it, wherever reduction 2 applies. It is about weights alone.
pub fn sum_identity_printed(position: &Position) -> Says {
    let applications = applications(position, as_stated);
    if applications.is_empty() {
        return Prediction::Silent;
    }
    let holds = applications.iter().all(|(weight, after)| position.sum() == after.sum() - 2 * weight);
    let says = "the sum over D is that over D* less 2 w(v_i)";
    let denies = "the sum over D is not that over D* less 2 w(v_i)";
    Prediction::Relation(Box::new(Relation::of_position(holds, says, denies)))
}
