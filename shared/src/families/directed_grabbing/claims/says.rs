//! What a claim on directed grabbing says of a position.

use crate::claim::Prediction;

use super::super::rules::Position;

/// What a claim of this paper predicts of a position: val, or a relation between the val of some positions.
pub type Says = Prediction<Position, i64>;
