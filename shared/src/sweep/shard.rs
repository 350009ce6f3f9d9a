//! The part of a sweep that one worker solves at a time.

use std::ops;

use serde::{Deserialize, Serialize};

/// A part of a sweep that one worker solves at a time: a run of units of one box. It names what it decides; what must be
/// solved beneath that is the worker's own affair.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shard {
    /// The box, by its index in the space.
    pub box_index: u32,
    /// The first unit, included.
    pub start: u64,
    /// The last unit, not included.
    pub end: u64,
}

impl Shard {
    /// Its units.
    #[must_use]
    pub fn units(&self) -> ops::Range<u64> {
        self.start..self.end
    }
}
