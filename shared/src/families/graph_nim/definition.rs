//! What the reference says about a position: its outcome or its Grundy value, the reason for it, and other facts.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use crate::families::{Explained, GameBox, GameReference, Move, Says, TooLarge, ValuedOption, whole};
use crate::language::Reading;
use crate::sweep::ManifestError;
use crate::value::{Impartial, Nimber, Outcome, Play};

use super::GraphNim;
use super::boxes::BoxKind;
use super::facts;
use super::graph::Graph;
use super::position::{Position, to_json};
use super::reference::ReferenceSolver;
use super::reference_grundy::GrundyReference;
use super::rules::{any_move, count_moves};
use super::wanted::{P_POSITIONS, Wanted};

/// Outcomes and Grundy values by the rules alone, a solver for each graph and play.
#[derive(Default)]
pub struct ByRules {
    outcomes: Vec<ReferenceSolver>,
    grundy: Vec<GrundyReference>,
}

impl ByRules {
    fn outcomes(&mut self, graph: &Graph, play: Play) -> &mut ReferenceSolver {
        let place = self.outcomes.iter().position(|solver| solver.is_of(graph, play)).unwrap_or(self.outcomes.len());
        if place == self.outcomes.len() {
            self.outcomes.push(ReferenceSolver::new(graph.clone(), play));
        }
        &mut self.outcomes[place]
    }

    fn grundy(&mut self, graph: &Graph) -> &mut GrundyReference {
        let place = self.grundy.iter().position(|solver| solver.graph() == graph).unwrap_or(self.grundy.len());
        if place == self.grundy.len() {
            self.grundy.push(GrundyReference::new(graph.clone()));
        }
        &mut self.grundy[place]
    }
}

impl GameReference<GraphNim> for ByRules {
    fn value(&mut self, position: &Position) -> Result<Impartial, TooLarge> {
        let Position::Weights(subject, weights, wanted) = position else {
            return Err(TooLarge("a graph without weights has no outcome".to_owned()));
        };
        let graph = &subject.graph;
        let refusal = match wanted {
            Wanted::Outcome(_) => ReferenceSolver::refuses(weights),
            Wanted::Grundy => GrundyReference::refuses(graph, weights),
        };
        match (refusal, wanted) {
            (Some(reason), _) => Err(TooLarge(reason)),
            (None, Wanted::Outcome(play)) => Ok(self.outcomes(graph, *play).outcome(weights).into()),
            (None, Wanted::Grundy) => Ok(Nimber(self.grundy(graph).grundy(weights)).into()),
        }
    }

    /// Where Grundy values are solved, an outcome is found by marking all the same.
    fn own(&mut self, position: &Position, asked: &Impartial) -> Result<Option<Impartial>, TooLarge> {
        match (position, asked) {
            (Position::EdgeSet(_), _) | (Position::Weights(_, _, Wanted::Outcome(_)), Impartial::Grundy(_)) => Ok(None),
            (Position::Weights(subject, weights, wanted), Impartial::Outcome(_)) => {
                let by_outcome = Position::Weights(subject.clone(), weights.clone(), Wanted::Outcome(wanted.play()));
                self.value(&by_outcome).map(Some)
            }
            (Position::Weights(_, _, Wanted::Grundy), Impartial::Grundy(_)) => self.value(position).map(Some),
        }
    }

    /// The P-positions of a box are counted one by one.
    fn whole(&mut self, one: &BoxKind, _position: &Position, name: &str) -> Result<Reading, TooLarge> {
        let BoxKind::Weights(weights) = one else { return Ok(Reading::Absent) };
        let total = one.configurations(0..one.units());
        let high: Vec<u32> = weights.ranges().iter().map(|range| range.high() as u32).collect();
        if let Some(reason) = ReferenceSolver::refuses(&high) {
            return Err(TooLarge(reason));
        }
        let outcomes = self.outcomes(&weights.subject().graph, weights.wanted().play());
        let count = (0..total).filter(|number| outcomes.outcome(&weights.position(*number)) == Outcome::P).count();
        Ok(if name == P_POSITIONS { whole(count) } else { Reading::Absent })
    }

    fn answer(&mut self, question: &Infallible) -> Result<Impartial, TooLarge> {
        match *question {}
    }

    fn kept(&mut self, _one: &BoxKind, position: &Position) -> Option<String> {
        match position {
            Position::EdgeSet(graph) => Some(graph.edge_names().join(" ")),
            Position::Weights(..) => self.value(position).ok().map(|value| value.to_string()),
        }
    }

    fn witness(&mut self, position: &Position, says: &Says<GraphNim>) -> Option<String> {
        let Position::Weights(subject, weights, wanted) = position else { return None };
        let is_about_value = matches!(says, Says::<GraphNim>::Value(Impartial::Grundy(_)));
        if is_about_value && *wanted == Wanted::Grundy {
            return GrundyReference::refuses(&subject.graph, weights)
                .is_none()
                .then(|| witness_of_value(self.grundy(&subject.graph), weights));
        }
        ReferenceSolver::refuses(weights).is_none().then(|| witness(self.outcomes(&subject.graph, wanted.play()), weights))
    }

    fn explain(&mut self, position: &Position) -> Result<Explained, ManifestError> {
        let value = self.value(position).map_err(|TooLarge(reason)| ManifestError::field("--weights", reason))?;
        let Position::Weights(subject, weights, wanted) = position else { return Ok(Explained::default()) };
        let (play, graph) = (wanted.play(), &subject.graph);
        let mut facts = facts::of(subject, weights, play);
        let mut options = Vec::new();
        if *wanted == Wanted::Grundy {
            let all = valued_options(self.grundy(graph), weights);
            facts.splice(0..0, of_options(all.iter().map(|(_, grundy)| *grundy)));
            options = all.into_iter().map(|(option, grundy)| ValuedOption { option, value: Nimber(grundy).to_string() }).collect();
        }
        let winning_moves = match ReferenceSolver::refuses(weights) {
            None => winning_moves(self.outcomes(graph, play), weights, play),
            // Grundy values reach a little further where there are few options.
            Some(_) => options.iter().filter(|option| option.value == "0").map(|option| option.option.clone()).collect(),
        };
        Ok(Explained {
            outcome: Some(value.outcome().to_string()),
            value: value.grundy().map(|grundy| grundy.to_string()),
            moves: count_moves(graph, weights),
            winning_moves,
            options,
            facts,
            figure: None,
        })
    }
}

/// Every option once, with its Grundy value: the smallest resulting position first. A move that takes from a single edge is met at
/// each of its ends, and one of them is enough to show.
fn valued_options(solver: &mut GrundyReference, weights: &[u32]) -> Vec<(Move, u32)> {
    let graph = solver.graph().clone();
    let mut found = BTreeMap::new();
    any_move(&graph, weights, |vertex, to| {
        let key = (to.iter().sum::<u32>(), to.to_vec());
        found.entry(key).or_insert_with(|| {
            let text = move_in_words(&graph, vertex, weights, to);
            (Move { text, to: to_json(&graph, to, Play::Normal) }, solver.grundy(to))
        });
        false
    });
    found.into_values().collect()
}

/// The values that options have, and the least that none has.
fn of_options(values: impl Iterator<Item = u32>) -> [(String, String); 2] {
    let values: BTreeSet<u32> = values.collect();
    let mex = (0..).zip(&values).find(|(number, value)| number != *value).map_or(values.len() as u32, |(number, _)| number);
    let text = if values.is_empty() { "none: there is no option".to_owned() } else { runs(&values) };
    [("values of options".to_owned(), text), ("their mex".to_owned(), mex.to_string())]
}

/// Numbers in ascending order, those that follow each other as `4 to 7`.
fn runs(numbers: &BTreeSet<u32>) -> String {
    let numbers: Vec<u32> = numbers.iter().copied().collect();
    let runs = numbers.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [one] => one.to_string(),
        [one, two] => format!("{one}, {two}"),
        run => format!("{} to {}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(", ")
}

fn winning_moves(solver: &mut ReferenceSolver, weights: &[u32], play: Play) -> Vec<Move> {
    let graph = solver.graph().clone();
    // A move that takes from a single edge is met once at each of its ends; one of them is enough to show.
    let mut seen = BTreeSet::new();
    let mut moves = Vec::new();
    any_move(&graph, weights, |vertex, to| {
        if solver.outcome(to) == Outcome::P && seen.insert(to.to_vec()) {
            let text = move_in_words(&graph, vertex, weights, to);
            moves.push((to.iter().sum::<u32>(), to.to_vec(), Move { text, to: to_json(&graph, to, play) }));
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
fn witness(solver: &mut ReferenceSolver, weights: &[u32]) -> String {
    let graph = solver.graph().clone();
    let moves = count_moves(&graph, weights);
    match solver.outcome(weights) {
        Outcome::P if moves == 0 => return "there is no move".to_owned(),
        Outcome::P => return format!("each of the {moves} moves is answered: all of them lead to N-positions"),
        _ if moves == 0 => return "there is no move, and who cannot move wins".to_owned(),
        _ => {}
    }
    let mut found = None;
    any_move(&graph, weights, |vertex, to| {
        let wins = solver.outcome(to) == Outcome::P;
        if wins {
            found = Some(format!("{}, to {}, a P-position", move_in_words(&graph, vertex, weights, to), list(to)));
        }
        wins
    });
    // An N-position with a move has one to a P-position, by the reference itself.
    found.unwrap_or_default()
}

/// Why a position has its Grundy value: the values of its options.
fn witness_of_value(solver: &mut GrundyReference, weights: &[u32]) -> String {
    let options = valued_options(solver, weights);
    let values: BTreeSet<u32> = options.iter().map(|(_, grundy)| *grundy).collect();
    if values.is_empty() {
        return "there is no move".to_owned();
    }
    format!("the options have the Grundy values {}, and it is the least number that is not among them", runs(&values))
}

/// Weights as people write them, such as `(5, 1, 6, 11)`.
fn list(weights: &[u32]) -> String {
    let parts: Vec<String> = weights.iter().map(u32::to_string).collect();
    format!("({})", parts.join(", "))
}
