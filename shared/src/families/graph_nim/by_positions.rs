//! Counts positions one by one: what [`super::by_rows`] must come to, for claims and boxes that are not counted by rows.

use crate::families::legacy::Task;
use crate::sweep::ShardResult;
use crate::value::Outcome;

use super::boxes::WeightBox;
use super::check::Checker;
use super::claims::Entry;
use super::groups::LosingGroups;
use super::solver::SolvedRow;

/// Holds claims against every position of one box.
pub struct PositionCounter<'a> {
    checker: Checker<'a>,
    groups: LosingGroups,
    across: Option<usize>,
    pivot: usize,
    pivot_range: std::ops::RangeInclusive<u32>,
}

impl<'a> PositionCounter<'a> {
    /// A counter that has counted nothing yet.
    pub fn new(box_index: u32, weights: &'a WeightBox, claims: Vec<(usize, &'static Entry)>, task: &Task) -> Self {
        let pivot = weights.layout().pivot;
        let range = weights.ranges()[pivot];
        Self {
            checker: Checker::new(box_index, Some(weights.subject()), claims, task),
            groups: LosingGroups::new(weights),
            across: weights.layout().order.last().copied(),
            pivot,
            // Weights are at most 2^16 - 1.
            pivot_range: range.low() as u32..=range.high() as u32,
        }
    }

    /// How many configurations have been decided.
    pub fn decided(&self) -> u128 {
        self.checker.decided()
    }

    /// How many positions a line has in the box.
    pub fn positions_per_line(&self) -> u64 {
        u64::from(self.pivot_range.end() - self.pivot_range.start()) + 1
    }

    /// Takes in lines side by side: see [`super::by_rows::RowCounter::row`].
    pub fn row(&mut self, position: &mut [u32], first: u32, solved: &SolvedRow) -> u64 {
        for (x, losing) in (first..).zip(&solved.values) {
            if let Some(across) = self.across {
                position[across] = x;
            }
            for weight in self.pivot_range.clone() {
                position[self.pivot] = weight;
                let outcome = if weight == *losing { Outcome::P } else { Outcome::N };
                let rightly = self.checker.position(position, outcome);
                if outcome == Outcome::P {
                    self.groups.position(position, self.pivot, rightly != 0);
                }
            }
        }
        solved.values.len() as u64 * self.positions_per_line()
    }

    /// The shard's result.
    pub fn finish(self) -> ShardResult {
        let Self { mut checker, groups, .. } = self;
        groups.finish(checker.collector());
        checker.finish()
    }
}
