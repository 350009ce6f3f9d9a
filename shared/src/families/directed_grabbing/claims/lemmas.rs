//! Lemmas 1 and 2, about any acyclic digraph.

use crate::claim::{Prediction, Relation};

use super::super::rules::{Digraph, Position};
use super::says::Says;

/// Whether there is a vertex.
pub fn has_vertex(graph: &Digraph) -> bool {
    graph.vertices() > 0
}

/// The amount by which a weight is raised to outweigh everything else: `others` is the sum of all other absolute values.
pub fn beyond_all_else(others: i64, weight: i64) -> i64 {
    (others + 1 - weight).max(1)
}

/// Lemma 1, at each vertex x for two amounts d: 1, and the least d from which on the rules alone settle all larger ones.
///
/// With S the sum of |w(v)| over v other than x, a weight w(x) > S outweighs everything else together: of two plays the better
/// one for a player is first of all one in which that player removes x, and val is w(x) + c or -w(x) + c with c the same for
/// all such w(x). So d = max(1, S + 1 - w(x)) stands for itself and for every larger amount. An amount in between is a sum of
/// steps by 1, which are checked at the weightings where they begin: those inside the box that is swept, and no others.
pub fn lemma_1(position: &Position) -> Says {
    if !has_vertex(&position.graph) {
        return Prediction::Silent;
    }
    let absolute: i64 = position.weights.iter().map(|weight| weight.abs()).sum();
    let mut needs = vec![position.clone()];
    let mut amounts = Vec::new();
    for (vertex, weight) in position.weights.iter().enumerate() {
        let largest = beyond_all_else(absolute - weight.abs(), *weight);
        for amount in std::iter::once(1).chain((largest > 1).then_some(largest)) {
            needs.push(position.with_weight(vertex, weight + amount));
            amounts.push(amount);
        }
    }
    let holds = move |values: &[i64]| {
        // `needs` has the position itself, and one more for each amount.
        let [value, raised @ ..] = values else { return false };
        raised.iter().zip(&amounts).all(|(raised, amount)| (raised - value).abs() <= *amount)
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
