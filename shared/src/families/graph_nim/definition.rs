//! What the reference says about a position: its outcome, the reason for it, and other facts.

use std::collections::BTreeSet;
use std::convert::Infallible;

use crate::families::{Explained, GameReference, Move, Says, TooLarge};
use crate::sweep::ManifestError;
use crate::value::Outcome;

use super::GraphNim;
use super::boxes::BoxKind;
use super::facts;
use super::graph::Graph;
use super::position::{Position, to_json};
use super::reference::ReferenceSolver;
use super::rules::{any_move, count_moves};

/// Outcomes by the reference solver, one for each graph.
#[derive(Default)]
pub struct ByMarking(Vec<ReferenceSolver>);

impl ByMarking {
    fn solver(&mut self, graph: &Graph) -> &mut ReferenceSolver {
        let place = self.0.iter().position(|solver| solver.graph() == graph).unwrap_or(self.0.len());
        if place == self.0.len() {
            self.0.push(ReferenceSolver::new(graph.clone()));
        }
        &mut self.0[place]
    }
}

impl GameReference<GraphNim> for ByMarking {
    fn value(&mut self, position: &Position) -> Result<Outcome, TooLarge> {
        match position {
            Position::EdgeSet(_) => Err(TooLarge("a graph without weights has no outcome".to_owned())),
            Position::Weights(subject, weights) => match ReferenceSolver::refuses(weights) {
                Some(reason) => Err(TooLarge(reason)),
                None => Ok(self.solver(&subject.graph).outcome(weights)),
            },
        }
    }

    fn own(&mut self, position: &Position, _predicted: &Outcome) -> Result<Option<Outcome>, TooLarge> {
        match position {
            Position::EdgeSet(_) => Ok(None),
            Position::Weights(..) => self.value(position).map(Some),
        }
    }

    fn answer(&mut self, question: &Infallible) -> Result<Outcome, TooLarge> {
        match *question {}
    }

    fn kept(&mut self, _one: &BoxKind, position: &Position) -> Option<String> {
        match position {
            Position::EdgeSet(graph) => Some(graph.edge_names().join(" ")),
            Position::Weights(..) => self.value(position).ok().map(|outcome| outcome.to_string()),
        }
    }

    fn witness(&mut self, position: &Position, _says: &Says<GraphNim>) -> Option<String> {
        let Position::Weights(subject, weights) = position else { return None };
        let solver = self.solver(&subject.graph);
        let outcome = solver.outcome(weights);
        Some(witness(solver, weights, outcome))
    }

    fn explain(&mut self, position: &Position) -> Result<Explained, ManifestError> {
        let outcome = self.value(position).map_err(|TooLarge(reason)| ManifestError::field("--weights", reason))?;
        let Position::Weights(subject, weights) = position else { return Ok(Explained::default()) };
        Ok(Explained {
            outcome: Some(outcome.to_string()),
            value: None,
            moves: count_moves(&subject.graph, weights),
            winning_moves: winning_moves(self.solver(&subject.graph), weights),
            options: Vec::new(),
            facts: facts::of(subject, weights),
            figure: None,
        })
    }
}

fn winning_moves(solver: &mut ReferenceSolver, weights: &[u32]) -> Vec<Move> {
    let graph = solver.graph().clone();
    // A move that takes from a single edge is met once at each of its ends; one of them is enough to show.
    let mut seen = BTreeSet::new();
    let mut moves = Vec::new();
    any_move(&graph, weights, |vertex, to| {
        if solver.outcome(to) == Outcome::P && seen.insert(to.to_vec()) {
            let text = move_in_words(&graph, vertex, weights, to);
            moves.push((to.iter().sum::<u32>(), to.to_vec(), Move { text, to: to_json(&graph, to) }));
        }
        false
    });
    moves.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    moves.into_iter().map(|(_, _, found)| found).collect()
}

/// A move in words, such as `at B take 2 from AB and 1 from BC`.
fn move_in_words(graph: &Graph, vertex: usize, from: &[u32], to: &[u32]) -> String {
    let changed = (0..from.len()).filter(|edge| from[*edge] != to[*edge]);
    let parts: Vec<String> = changed.map(|edge| format!("{} from {}", from[edge] - to[edge], graph.edge_name(edge))).collect();
    format!("at {} take {}", graph.label(vertex), parts.join(" and "))
}

/// Why a position has its outcome: the first winning move, or that every move is answered.
fn witness(solver: &mut ReferenceSolver, weights: &[u32], outcome: Outcome) -> String {
    let graph = solver.graph().clone();
    if outcome == Outcome::P {
        return match count_moves(&graph, weights) {
            0 => "there is no move".to_owned(),
            moves => format!("each of the {moves} moves is answered: all of them lead to N-positions"),
        };
    }
    let mut found = None;
    any_move(&graph, weights, |vertex, to| {
        let wins = solver.outcome(to) == Outcome::P;
        if wins {
            found = Some(format!("{}, to {}, a P-position", move_in_words(&graph, vertex, weights, to), list(to)));
        }
        wins
    });
    // An N-position has a move to a P-position, by the reference itself.
    found.unwrap_or_default()
}

/// Weights as people write them, such as `(5, 1, 6, 11)`.
fn list(weights: &[u32]) -> String {
    let parts: Vec<String> = weights.iter().map(u32::to_string).collect();
    format!("({})", parts.join(", "))
}
