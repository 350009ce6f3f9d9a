//! What the reference says about a position: val, an optimal play, and other facts.

use crate::families::{Explained, GameReference, Move, Says, TooLarge};
use crate::sweep::ManifestError;

use super::DirectedGrabbing;
use super::facts::facts;
use super::notation::Written;
use super::reference::ReferenceSolver;
use super::rules::Position;

/// Values by the reference solver, each position by itself.
#[derive(Default)]
pub struct ByDefinition;

impl GameReference<DirectedGrabbing> for ByDefinition {
    fn value(&mut self, written: &Written) -> Result<i64, TooLarge> {
        self.answer(&written.position)
    }

    fn answer(&mut self, position: &Position) -> Result<i64, TooLarge> {
        ReferenceSolver::new(position).value()
    }

    fn witness(&mut self, written: &Written, _says: &Says<DirectedGrabbing>) -> Option<String> {
        let mut solver = ReferenceSolver::new(&written.position);
        let (value, play) = (solver.value().ok()?, solver.play().ok()?);
        Some(format!("val is {value}; an optimal play: {}", written.play_in_words(&play)))
    }

    fn explain(&mut self, written: &Written) -> Result<Explained, ManifestError> {
        explain(written).map_err(|TooLarge(reason)| ManifestError::field(written.notation.parameter(), reason))
    }
}

fn explain(written: &Written) -> Result<Explained, TooLarge> {
    let position = &written.position;
    let mut solver = ReferenceSolver::new(position);
    let all = solver.whole();
    let value = solver.value()?;
    let move_to = |vertex: usize| Move {
        text: format!("removes {}, weight {}", written.notation.vertex(vertex), position.weights[vertex]),
        to: written.left(all & !(1 << vertex)),
    };
    let winning_moves = solver.optimal(all)?.into_iter().map(move_to).collect();
    let facts = facts(written, value, &solver.play()?);
    let moves = solver.removable(all).len() as u128;
    Ok(Explained { value: Some(value.to_string()), moves, winning_moves, facts, ..Explained::default() })
}
