//! What is known about a position once it is solved.

use std::convert::Infallible;

use crate::families::{Answers, Judge};
use crate::language::Reason;

use super::DirectedGrabbing;
use super::key::WeightedDigraph;
use super::lattice::Valuer;
use super::notation::Written;
use super::rules::Position;

/// A position whose val is known, and the way to others.
pub struct Solved<'a> {
    /// Its val.
    pub value: i64,
    /// Values of others.
    pub valuer: &'a mut Valuer,
}

impl Answers<DirectedGrabbing> for Solved<'_> {
    type Error = Infallible;

    fn own(&mut self, _predicted: &i64) -> Result<Option<i64>, Infallible> {
        Ok(Some(self.value))
    }

    fn answer(&mut self, position: &Position) -> Result<i64, Infallible> {
        Ok(self.valuer.value(position))
    }

    fn other(&mut self, written: &Written, _asked: &i64) -> Result<Result<i64, Reason>, Infallible> {
        // What play leaves of a position is no larger than the position.
        Ok(Ok(self.valuer.value(&written.position)))
    }
}

/// Keeps a solved configuration if the task asks for it. Alice loses where val is negative.
pub fn keep(judge: &mut Judge<'_, DirectedGrabbing>, value: i64, configuration: &WeightedDigraph) {
    let losing = value < 0;
    if judge.collector().keeps(losing) {
        judge.keep(losing, &value.to_string(), configuration);
    }
}
