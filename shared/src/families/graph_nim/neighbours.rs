//! Other positions on the same graph, for claims of a manifest: those with other weights, and the options.

use crate::families::Around;
use crate::language::Reason;

use super::GraphNim;
use super::about::edge_name;
use super::claims::Subject;
use super::position::Position;
use super::rules::MAX_WEIGHT;

/// The edge that a name of [`super::variables`] stands for.
pub fn edge_of(subject: &Subject, name: &str) -> Option<usize> {
    let graph = &subject.graph;
    (0..graph.edges().len()).find(|edge| {
        let [u, v] = graph.edges()[*edge].map(|end| graph.label(end));
        [[u, v], [v, u]].into_iter().any(|ends| edge_name(ends) == name)
    })
}

/// A weight that somebody gives an edge.
///
/// # Errors
/// [`Reason::NoPosition`], [`Reason::LargePosition`].
pub fn weight(value: i64) -> Result<u32, Reason> {
    match u32::try_from(value) {
        Ok(weight @ 0..=MAX_WEIGHT) => Ok(weight),
        _ if value < 0 => Err(Reason::NoPosition),
        _ => Err(Reason::LargePosition),
    }
}

/// The position with other weights.
///
/// # Errors
/// [`Reason`]; also where the graph has no such edge.
pub fn at(of: &Position, changes: &[(&str, i64)]) -> Result<Position, Reason> {
    let Position::Weights(subject, weights, wanted) = of else { return Err(Reason::NoPosition) };
    let mut weights = weights.clone();
    for (name, value) in changes {
        let edge = edge_of(subject, name).ok_or(Reason::NoName)?;
        weights[edge] = weight(*value)?;
    }
    Ok(Position::Weights(subject.clone(), weights, *wanted))
}

/// How many options a position has.
pub fn count(around: &Around<'_, GraphNim>) -> Option<u64> {
    match around.position {
        Position::Weights(subject, weights, _) => Some(subject.moves.count(weights)),
        Position::EdgeSet(_) => None,
    }
}

/// The option of this number.
pub fn option(around: &Around<'_, GraphNim>, number: u64) -> Option<Position> {
    let Position::Weights(subject, weights, wanted) = around.position else { return None };
    let mut weights = weights.clone();
    subject.moves.take(number, &mut weights)?;
    Some(Position::Weights(subject.clone(), weights, *wanted))
}
