use std::collections::HashMap;

use serde_json::{Value, json};

use crate::claim::Prediction;
use crate::families::legacy::{Check, Confirmation, Counterexample, Reference};
use crate::sweep::Range;
use crate::value::Outcome;

use super::boxes::{BoxKind, WeightBox};
use super::claims::{Entry, Predicate, Says, Subject, entries};
use super::graph::Graph;
use super::key::{self, Configuration};
use super::reference::ReferenceSolver;
use super::rules::{any_move, count_moves};
use super::space::GraphNimSpace;

/// Confirms counterexamples with the reference solver, one a box.
pub struct GraphNimReference {
    space: GraphNimSpace,
    solvers: HashMap<u32, ReferenceSolver>,
}

impl GraphNimReference {
    /// A reference that has solved nothing yet.
    pub fn new(space: GraphNimSpace) -> Self {
        Self { space, solvers: HashMap::new() }
    }

    fn solver(&mut self, box_index: u32, subject: &Subject) -> &mut ReferenceSolver {
        self.solvers.entry(box_index).or_insert_with(|| ReferenceSolver::new(subject.graph.clone()))
    }

    fn confirm_position(&mut self, entry: &Entry, subject: &Subject, box_index: u32, weights: &[u32], actual: &str) -> Confirmation {
        let Predicate::Position(predict) = entry.predicate else {
            return Confirmation::Disagrees(format!("{} is not about positions", entry.claim.id));
        };
        let prediction = predict(&subject.view(weights));
        let parameters = parameters(&subject.graph, weights);
        if let Prediction::Relation(_) = prediction {
            // It is about the position itself: no play decides it, and the predicate is all there is to check again.
            return stands_without_play(entry, &prediction, parameters, actual);
        }
        if let Some(reason) = ReferenceSolver::refuses(weights) {
            let predicted = prediction.predicted();
            return Confirmation::Stands(Counterexample {
                parameters,
                predicted,
                actual: actual.to_owned(),
                confirmed: false,
                witness: None,
                reason: Some(reason),
            });
        }
        let solver = self.solver(box_index, subject);
        let outcome = solver.outcome(weights);
        let (predicted, found) = (prediction.predicted(), prediction.actual(Some(&outcome), &[]));
        if prediction.check(Some(&outcome), &[]) != Check::Refuted || found != actual {
            let claim = entry.claim.id;
            return Confirmation::Disagrees(format!(
                "{claim} at {parameters}: the solver says {actual}, the reference {outcome}, the claim '{predicted}'"
            ));
        }
        let witness = witness(solver, weights, outcome);
        Confirmation::Stands(Counterexample { parameters, predicted, actual: found, confirmed: true, witness: Some(witness), reason: None })
    }

    fn confirm_graph(entry: &Entry, graph: &Graph, actual: &str) -> Confirmation {
        let Predicate::Graph(predict) = entry.predicate else {
            return Confirmation::Disagrees(format!("{} is not about graphs", entry.claim.id));
        };
        stands_without_play(entry, &predict(graph), json!({ "edges": graph.edge_names() }), actual)
    }
}

/// Whether a position is inside a box.
fn is_inside(weights: &WeightBox, position: &[u32]) -> bool {
    let inside = |(range, weight): (&Range, &u32)| (range.low()..=range.high()).contains(&u64::from(*weight));
    position.len() == weights.ranges().len() && weights.ranges().iter().zip(position).all(inside)
}

/// Checks a statement again that no play decides.
fn stands_without_play(entry: &Entry, prediction: &Says, parameters: Value, actual: &str) -> Confirmation {
    let (predicted, found) = (prediction.predicted(), prediction.actual(None, &[]));
    if prediction.check(None, &[]) != Check::Refuted || found != actual {
        return Confirmation::Disagrees(format!("{} at {parameters}: {actual}, and again: {found}", entry.claim.id));
    }
    Confirmation::Stands(Counterexample { parameters, predicted, actual: found, confirmed: true, witness: None, reason: None })
}

impl Reference for GraphNimReference {
    fn confirm(&mut self, claim: usize, key: &[u8], actual: &str) -> Confirmation {
        let space = self.space.clone();
        let found = key::read(key).and_then(|(index, configuration)| Some((index, space.get(index)?, configuration)));
        let (Some(entry), Some((box_index, kind, configuration))) = (entries().get(claim), found) else {
            return Confirmation::Disagrees(format!("no configuration of this space: claim {claim}, key {key:?}"));
        };
        match (kind, configuration) {
            (BoxKind::Weights(weights), Configuration::Weights(position)) => {
                if !is_inside(weights, &position) || !weights.subject().is_in(entry.domain) {
                    return Confirmation::Disagrees(format!("{} at {position:?}: outside box {box_index}", entry.claim.id));
                }
                self.confirm_position(entry, weights.subject(), box_index, &position, actual)
            }
            (BoxKind::EdgeSets(sets), Configuration::EdgeSet(number)) => match sets.set(number) {
                Some(graph) => Self::confirm_graph(entry, &graph, actual),
                None => Confirmation::Disagrees(format!("{}: box {box_index} has no edge set {number}", entry.claim.id)),
            },
            (_, configuration) => Confirmation::Disagrees(format!("{configuration:?} is not of the kind of box {box_index}")),
        }
    }

    fn value(&mut self, key: &[u8]) -> Option<String> {
        let space = self.space.clone();
        let (box_index, configuration) = key::read(key)?;
        match (space.get(box_index)?, configuration) {
            (BoxKind::Weights(weights), Configuration::Weights(position)) => {
                let solvable = is_inside(weights, &position) && ReferenceSolver::refuses(&position).is_none();
                solvable.then(|| self.solver(box_index, weights.subject()).outcome(&position).to_string())
            }
            (BoxKind::EdgeSets(sets), Configuration::EdgeSet(number)) => Some(sets.set(number)?.edge_names().join(" ")),
            _ => None,
        }
    }
}

/// A position as reports show it.
pub fn parameters(graph: &Graph, weights: &[u32]) -> Value {
    match graph.name() {
        Some(name) => json!({ "graph": name, "weights": weights }),
        None => json!({ "edges": graph.edge_names(), "weights": weights }),
    }
}

/// A move in words, such as `at B take 2 from AB and 1 from BC`.
pub fn move_in_words(graph: &Graph, vertex: usize, from: &[u32], to: &[u32]) -> String {
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
