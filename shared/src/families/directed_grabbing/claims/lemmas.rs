//! Lemmas 1 and 2, about any acyclic digraph.

use crate::claim::{Prediction, Relation};

use super::super::rules::{Digraph, Position};
use super::says::Says;

/// Whether there is a vertex.
pub fn has_vertex(graph: &Digraph) -> bool {
    graph.vertices() > 0
}

/// The amount by which a weight is raised to outweigh everything else: `others` is the sum of all other absolute values.
fn beyond_all_else(others: i64, weight: i64) -> i64 {
    (others + 1 - weight).max(1)
}

/// The most amounts that are tried one after the other at a vertex.
const MOST_AMOUNTS: i64 = 64;

/// The amounts d by which Lemma 1 raises a weight: every one from 1 to the least from which on the rules alone settle all larger ones,
/// given the sum of all other absolute values; where that is more than [`MOST_AMOUNTS`], so many and that last one.
///
/// With S the sum of |w(v)| over v other than x, a weight w(x) > S outweighs everything else together: of two plays the better
/// one for a player is first of all one in which that player removes x, and val is w(x) + c or -w(x) + c with c the same for
/// all such w(x). So d = max(1, S + 1 - w(x)) stands for itself and for every larger amount. Between two whole numbers val is w(x) + c or
/// -w(x) + c as well, since val has the parity of the sum of all weights at each of them: whole amounts are enough.
pub fn amounts(others: i64, weight: i64) -> impl Iterator<Item = i64> {
    let largest = beyond_all_else(others, weight);
    (1..=largest.min(MOST_AMOUNTS)).chain((largest > MOST_AMOUNTS).then_some(largest))
}

/// Lemma 1, at each vertex x for each of the amounts d.
pub fn lemma_1(position: &Position) -> Says {
    if !has_vertex(&position.graph) {
        return Prediction::Silent;
    }
    let absolute: i64 = position.weights.iter().map(|weight| weight.abs()).sum();
    let mut needs = vec![position.clone()];
    let mut raised_by = Vec::new();
    for (vertex, weight) in position.weights.iter().enumerate() {
        for amount in amounts(absolute - weight.abs(), *weight) {
            needs.push(position.with_weight(vertex, weight + amount));
            raised_by.push(amount);
        }
    }
    let holds = move |values: &[i64]| {
        // `needs` has the position itself, and one more for each amount.
        let [value, raised @ ..] = values else { return false };
        raised.iter().zip(&raised_by).all(|(raised, amount)| (raised - value).abs() <= *amount)
    };
    let says = "raising a weight by d changes val by at most d";
    let denies = "raising some weight by some d changes val by more than d";
    Prediction::Relation(Box::new(Relation { needs, holds: Box::new(holds), says: says.into(), denies: denies.into() }))
}

/// Lemma 2, at each sink of greatest weight.
pub fn lemma_2(position: &Position) -> Says {
    let all = position.graph.all();
    let greatest = position.weights.iter().max();
    let sinks: Vec<usize> = position.graph.sinks(all).filter(|sink| Some(&position.weights[*sink]) == greatest).collect();
    if sinks.is_empty() {
        return Prediction::Silent;
    }
    let weights: Vec<i64> = sinks.iter().map(|sink| position.weights[*sink]).collect();
    let needs = std::iter::once(position.clone()).chain(sinks.iter().map(|sink| position.without(1 << sink))).collect();
    let holds = move |values: &[i64]| {
        let [value, after @ ..] = values else { return false };
        after.iter().zip(&weights).all(|(after, weight)| weight - after == *value)
    };
    let says = "some optimal play starts with each sink of greatest weight";
    let denies = "no optimal play starts with some sink of greatest weight";
    Prediction::Relation(Box::new(Relation { needs, holds: Box::new(holds), says: says.into(), denies: denies.into() }))
}
