//! Counts positions one by one: what [`super::by_rows`] and [`super::by_blocks`] must come to, for claims and boxes that are not
//! counted by rows.

use crate::families::Judge;
use crate::value::{Impartial, Outcome};

use super::GraphNim;
use super::beside::Placed;
use super::by_blocks::Rightly;
use super::claims::View;
use super::groups::LosingGroups;
use super::kept::Kept;
use super::key::{AtWeights, losing};
use super::lines::SolvedLines;
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
            graph: weights.written(),
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
        (solved, mut kept): (&SolvedLines, Option<&mut Kept>),
        rightly: &[Rightly],
    ) -> u64 {
        let mut rightly = rightly.iter().peekable();
        for (x, line) in (first..).zip(0..solved.count()) {
            if let Some(across) = self.across {
                position[across] = x;
            }
            position[self.pivot] = *self.pivot_range.start();
            self.view.look_at(position);
            for weight in self.pivot_range.clone() {
                position[self.pivot] = weight;
                self.view.change(self.pivot, weight);
                let besides = rightly.next_if(|one| (first + one.line, one.pivot) == (x, weight));
                let placed = Placed { known: solved.at(line, weight), kept: kept.as_deref_mut() };
                self.position(judge, position, placed, besides.map_or(0, |one| one.claims));
            }
        }
        solved.count() as u64 * self.positions_per_line()
    }

    /// Takes in the position that the view shows and what is known of it, which other claims predicted rightly.
    fn position(&mut self, judge: &mut Judge<'_, GraphNim>, weights: &[u32], mut placed: Placed<'_>, besides: u128) {
        let known = placed.known;
        let at = AtWeights { graph: &self.graph, weights };
        judge.collector().decide();
        let Ok(rightly) = judge.hold(self.claims.iter().copied(), &at, &self.view, &mut placed);
        let (rightly, outcome) = (rightly | besides, known.outcome());
        judge.collector().cover(outcome.letter(), rightly);
        if outcome == Outcome::P {
            self.buffer.clear();
            self.buffer.push(b'P');
            losing(at, &mut self.buffer);
            judge.collector().canonical(&self.buffer);
            self.groups.position(weights, self.pivot, rightly != 0);
        }
        match known {
            Impartial::Outcome(_) => judge.keep(outcome == Outcome::P, outcome.letter(), &at),
            Impartial::Grundy(grundy) => {
                let written = grundy.to_string();
                judge.record(b'G', written.as_bytes(), &at);
                judge.keep(outcome == Outcome::P, &written, &at);
            }
        }
    }

    /// Hands over what was counted besides.
    pub fn finish(self, judge: &mut Judge<'_, GraphNim>) {
        self.groups.finish(judge.collector());
    }
}
