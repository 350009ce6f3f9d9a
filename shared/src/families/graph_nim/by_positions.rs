//! Counts positions one by one: what [`super::by_rows`] and [`super::by_blocks`] must come to, for claims and boxes that are not
//! counted by rows.

use crate::families::Judge;
use crate::value::Outcome;

use super::GraphNim;
use super::beside::Placed;
use super::by_blocks::Rightly;
use super::claims::View;
use super::groups::LosingGroups;
use super::kept::Kept;
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
    /// The claims that are held against each position, by their index in the judge's list.
    claims: Vec<usize>,
    buffer: Vec<u8>,
}

impl PositionCounter {
    /// A counter that has counted nothing yet, for some claims by their index in the judge's list.
    pub fn new(weights: &WeightBox, claims: Vec<usize>) -> Self {
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
            claims,
            buffer: Vec::new(),
        }
    }

    /// How many positions a line has in the box.
    pub fn positions_per_line(&self) -> u64 {
        u64::from(self.pivot_range.end() - self.pivot_range.start()) + 1
    }

    /// Takes in lines side by side: see [`super::by_rows::RowCounter::row`].
    pub fn row(
        &mut self,
        judge: &mut Judge<'_, GraphNim>,
        position: &mut [u32],
        first: u32,
        (solved, mut kept): (&SolvedRow, Option<&mut Kept>),
        rightly: &[Rightly],
    ) -> u64 {
        let mut rightly = rightly.iter().peekable();
        for (x, losing) in (first..).zip(&solved.values) {
            if let Some(across) = self.across {
                position[across] = x;
            }
            for weight in self.pivot_range.clone() {
                position[self.pivot] = weight;
                let outcome = if weight == *losing { Outcome::P } else { Outcome::N };
                let besides = rightly.next_if(|one| (first + one.line, one.pivot) == (x, weight));
                let placed = Placed { outcome, kept: kept.as_deref_mut() };
                self.position(judge, position, placed, besides.map_or(0, |one| one.claims));
            }
        }
        solved.values.len() as u64 * self.positions_per_line()
    }

    /// Takes in a position and its outcome, which other claims predicted rightly.
    fn position(&mut self, judge: &mut Judge<'_, GraphNim>, weights: &[u32], mut placed: Placed<'_>, besides: u128) {
        let outcome = placed.outcome;
        let at = AtWeights { graph: &self.graph, weights };
        self.view.look_at(weights);
        judge.collector().decide();
        let Ok(rightly) = judge.hold(self.claims.iter().copied(), &at, &self.view, &mut placed);
        let rightly = rightly | besides;
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
