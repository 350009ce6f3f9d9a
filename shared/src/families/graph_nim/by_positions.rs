//! Counts positions one by one: what [`super::by_rows`] must come to, for claims and boxes that are not counted by rows.

use crate::families::{Judge, Known};
use crate::value::Outcome;

use super::GraphNim;
use super::claims::View;
use super::groups::LosingGroups;
use super::key::{AtWeights, losing};
use super::solver::SolvedRow;
use super::weight_box::WeightBox;

/// Holds claims against every position of one box.
pub struct PositionCounter {
    view: View,
    /// The graph as it is written.
    graph: Vec<u8>,
    groups: LosingGroups,
    across: Option<usize>,
    pivot: usize,
    pivot_range: std::ops::RangeInclusive<u32>,
    buffer: Vec<u8>,
}

impl PositionCounter {
    /// A counter that has counted nothing yet.
    pub fn new(weights: &WeightBox) -> Self {
        let pivot = weights.layout().pivot;
        let range = weights.ranges()[pivot];
        Self {
            view: View::new(weights.subject()),
            graph: weights.subject().graph.to_string().into_bytes(),
            groups: LosingGroups::new(weights),
            across: weights.layout().order.last().copied(),
            pivot,
            // Weights are at most 2^16 - 1.
            pivot_range: range.low() as u32..=range.high() as u32,
            buffer: Vec::new(),
        }
    }

    /// How many positions a line has in the box.
    pub fn positions_per_line(&self) -> u64 {
        u64::from(self.pivot_range.end() - self.pivot_range.start()) + 1
    }

    /// Takes in lines side by side: see [`super::by_rows::RowCounter::row`].
    pub fn row(&mut self, judge: &mut Judge<'_, GraphNim>, position: &mut [u32], first: u32, solved: &SolvedRow) -> u64 {
        for (x, losing) in (first..).zip(&solved.values) {
            if let Some(across) = self.across {
                position[across] = x;
            }
            for weight in self.pivot_range.clone() {
                position[self.pivot] = weight;
                let outcome = if weight == *losing { Outcome::P } else { Outcome::N };
                self.position(judge, position, outcome);
            }
        }
        solved.values.len() as u64 * self.positions_per_line()
    }

    /// Takes in a position and its outcome.
    fn position(&mut self, judge: &mut Judge<'_, GraphNim>, weights: &[u32], outcome: Outcome) {
        let at = AtWeights { graph: &self.graph, weights };
        self.view.look_at(weights);
        let Ok(rightly) = judge.decide(&at, &self.view, &mut Known(outcome));
        judge.collector().cover(outcome.letter(), rightly);
        if outcome == Outcome::P {
            self.buffer.clear();
            self.buffer.push(b'P');
            losing(at, &mut self.buffer);
            judge.collector().canonical(&self.buffer);
            self.groups.position(weights, self.pivot, rightly != 0);
        }
        judge.keep(outcome == Outcome::P, outcome.letter(), &at);
    }

    /// Hands over what was counted besides.
    pub fn finish(self, judge: &mut Judge<'_, GraphNim>) {
        self.groups.finish(judge.collector());
    }
}
