//! What the reference says about a heap: its values, the reason for its outcome, and other facts.

use crate::claim::Prediction;
use crate::families::{Explained, Figure, FigureRow, GameReference, Move, Says, TooLarge};
use crate::language::Reading;
use crate::sweep::ManifestError;
use crate::value::{Outcome, ValueError};

use super::PartizanSubtraction;
use super::boxes::SubtractionBox;
use super::claims::{Position, Question};
use super::explain_value::{self, ValueFacts};
use super::key::Heap;
use super::long_run::LongRun;
use super::quantity::{Quantity, Value};
use super::reference::ReferenceSolver;
use super::reference_period;
use super::reference_values::ReferenceValues;
use super::rules::{Ruleset, SubtractionSet, Support};

/// The most heaps of the picture.
const SHOWN: u64 = 120;

impl GameReference<PartizanSubtraction> for ReferenceValues {
    fn value(&mut self, position: &Heap) -> Result<Value, TooLarge> {
        quantity(self, position, Quantity::Outcome)
    }

    fn own(&mut self, position: &Heap, predicted: &Value) -> Result<Option<Value>, TooLarge> {
        if matches!(predicted, Value::Game(_)) {
            let game = self.value_as_game(&position.ruleset, position.size);
            return game.map(Some).map_err(|error| too_large(position.size, error));
        }
        predicted.quantity().map(|asked| quantity(self, position, asked)).transpose()
    }

    fn answer(&mut self, question: &Question) -> Result<Value, TooLarge> {
        self.answer(question).map_err(|error| too_large(question.largest_heap(), error))
    }

    fn whole(&mut self, _one: &SubtractionBox, position: &Heap, name: &str) -> Result<Reading, TooLarge> {
        let (period, class) = reference_period::find(self.outcomes(&position.ruleset), &position.ruleset)?;
        Ok(period.reading(name, class))
    }

    fn kept(&mut self, one: &SubtractionBox, position: &Heap) -> Option<String> {
        let values = one.quantities().iter().map(|kept| quantity(self, position, kept).ok()).collect::<Option<Vec<_>>>()?;
        Some(Value::joined(&values))
    }

    /// A line of play says why an outcome is what it is.
    fn witness(&mut self, position: &Heap, says: &Says<PartizanSubtraction>) -> Option<String> {
        let is_about_play = matches!(says, Prediction::Value(Value::Outcome(_)));
        is_about_play.then(|| witness(self.outcomes(&position.ruleset), position))
    }

    fn explain(&mut self, position: &Heap) -> Result<Explained, ManifestError> {
        let ruleset = &position.ruleset;
        if let Some(reason) = ReferenceSolver::refuses(ruleset, position.size) {
            return Err(ManifestError::field("--heap", reason));
        }
        let ValueFacts { text, facts: value_facts } = explain_value::facts(self, ruleset, position.size);
        let solver = self.outcomes(ruleset);
        let possible = |set: &SubtractionSet| set.elements().iter().filter(|number| u64::from(**number) <= position.size).count() as u128;
        Ok(Explained {
            outcome: Some(solver.outcome(position.size).to_string()),
            value: text,
            moves: possible(&ruleset.left) + possible(&ruleset.right),
            winning_moves: players(ruleset).iter().flat_map(|player| moves(solver, player, position)).collect(),
            options: Vec::new(),
            facts: facts(position).into_iter().chain(value_facts).collect(),
            figure: Some(figure(solver, position.size)),
        })
    }
}

fn quantity(reference: &mut ReferenceValues, position: &Heap, quantity: Quantity) -> Result<Value, TooLarge> {
    reference.value(&position.ruleset, position.size, quantity).map_err(|error| too_large(position.size, error))
}

fn too_large(heap: u64, error: ValueError) -> TooLarge {
    TooLarge(format!("heap {heap} is too large for the reference: {error}"))
}

/// A player with the numbers to remove, and the outcomes of heaps where the opponent, starting, wins.
type Player<'a> = (&'static str, &'a SubtractionSet, [Outcome; 2]);

fn players(ruleset: &Ruleset) -> [Player<'_>; 2] {
    [("Left", &ruleset.left, [Outcome::R, Outcome::N]), ("Right", &ruleset.right, [Outcome::L, Outcome::N])]
}

/// The heaps that a player who starts moves to and wins, smallest first.
fn winning_options(solver: &mut ReferenceSolver, (_, set, opponent_wins): &Player<'_>, heap: u64) -> Vec<u64> {
    let rests = set.elements().iter().rev().filter_map(|number| heap.checked_sub(u64::from(*number)));
    rests.filter(|rest| !opponent_wins.contains(&solver.outcome(*rest))).collect()
}

fn moves(solver: &mut ReferenceSolver, player: &Player<'_>, position: &Heap) -> Vec<Move> {
    let options = winning_options(solver, player, position.size).into_iter();
    options.map(|rest| Move { text: format!("{} removes {}", player.0, position.size - rest), to: position.at(rest).to_json() }).collect()
}

/// Why a heap has its outcome: for each player who starts, a winning move or that there is none.
fn witness(solver: &mut ReferenceSolver, position: &Heap) -> String {
    let heap = position.size;
    let says = players(&position.ruleset).map(|player| {
        let (name, set, _) = player;
        match (winning_options(solver, &player, heap).first(), set.ends().0) {
            (Some(rest), _) => format!("{name}, starting, removes {} to heap {rest} and wins", heap - rest),
            (None, least) if u64::from(least) > heap => format!("{name}, starting, has no move"),
            (None, _) => format!("{name}, starting, loses: each move is answered"),
        }
    });
    says.join("; ")
}

fn facts(position: &Heap) -> Vec<(String, String)> {
    let mut facts = vec![("all heaps".to_owned(), LongRun::of(&position.ruleset).to_string())];
    if let Some(support) = position.support {
        let Support { a, b, tau } = support;
        let position = Position { support, heap: position.size };
        facts.push(("a, b, tau".to_owned(), format!("{a}, {b}, {tau}")));
        facts.push(("kappa = b - a".to_owned(), position.kappa().to_string()));
        if let (Some(last), Some(onset)) = (position.last_block(), position.onset()) {
            facts.push(("beta, R".to_owned(), format!("{last}, {onset}")));
        }
    }
    facts
}

/// The outcomes of the last heaps up to this one.
fn figure(solver: &mut ReferenceSolver, heap: u64) -> Figure {
    let low = (heap + 1).saturating_sub(SHOWN);
    let letters = (low..=heap).map(|heap| solver.outcome(heap).letter()).collect();
    Figure {
        title: format!("Outcomes of heaps {low} to {heap} from left to right"),
        rows: vec![FigureRow { label: "outcome".into(), letters }],
    }
}
