//! What claims about a graph as a whole may ask, where the last position of its box is decided.

use std::convert::Infallible;

use crate::families::{Answers, whole};
use crate::language::{Reading, Reason};
use crate::value::Impartial;

use super::GraphNim;
use super::beside::Placed;
use super::boxes::BoxKind;
use super::position::Position;
use super::wanted::P_POSITIONS;

/// The last position of a box, and the box with all that is kept of it.
pub struct WholeGraph<'a> {
    /// The last position.
    pub placed: Placed<'a>,
    /// The box.
    pub one: &'a BoxKind,
}

impl Answers<GraphNim> for WholeGraph<'_> {
    type Error = Infallible;

    fn own(&mut self, asked: &Impartial) -> Result<Option<Impartial>, Infallible> {
        self.placed.own(asked)
    }

    fn answer(&mut self, question: &Infallible) -> Result<Impartial, Infallible> {
        match *question {}
    }

    fn other(&mut self, position: &Position, asked: &Impartial) -> Result<Result<Impartial, Reason>, Infallible> {
        self.placed.other(position, asked)
    }

    fn one(&self) -> Option<&BoxKind> {
        Some(self.one)
    }

    fn whole(&mut self, name: &str) -> Result<Reading, Infallible> {
        Ok(match (self.one, &mut self.placed.kept) {
            (BoxKind::Weights(weights), Some(kept)) if name == P_POSITIONS => {
                kept.p_positions(weights).map_or_else(Reading::Undefined, whole)
            }
            _ => Reading::Absent,
        })
    }
}
