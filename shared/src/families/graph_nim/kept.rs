//! What all positions of a box are worth, kept for claims that look at other positions: of outcomes two bytes a line, the weight of
//! the pivot in its P-position; of Grundy values two bytes a position. A position beyond the box is solved by itself, as far as that takes few lines.

use crate::families::{Pulse, SolveError};
use crate::language::Reason;
use crate::value::{Impartial, Nimber, Outcome};

use super::graph::Graph;
use super::layout::Layout;
use super::lines::{LineWalker, SolvedLines};
use super::solver::NO_VALUE;
use super::wanted::Wanted;
use super::weight_box::WeightBox;

/// A line without P-position.
const NONE: u16 = u16::MAX;

/// The most numbers that are kept of positions beyond the box.
const NUMBERS_BEYOND: u128 = 1 << 20;

/// Lines solved between two beats of the pulse.
const LINES_PER_BEAT: u64 = 1 << 16;

/// What is known of all lines up to some weights.
struct Lines {
    layout: Layout,
    /// The weight of the pivot in the P-position of each line; or of each line every Grundy value.
    values: Vec<u16>,
    /// How many Grundy values a line has; none where P-positions are kept.
    per_line: Option<usize>,
    /// The lines whose P-position has the weight that stands for none, ascending.
    largest: Vec<usize>,
}

/// What is known of all positions of a box, and of others as they are asked for.
pub struct Kept {
    lines: Lines,
    beyond: Option<Lines>,
    graph: Graph,
    wanted: Wanted,
}

/// How many numbers are kept of the lines of a layout.
fn numbers(layout: &Layout, wanted: Wanted) -> u128 {
    match wanted {
        Wanted::Outcome(_) => layout.lines(),
        Wanted::Grundy => layout.lines().saturating_mul(u128::from(layout.pivot_high) + 1),
    }
}

impl Lines {
    /// Solves all lines of a layout, of which there are few enough.
    fn solve(
        graph: &Graph,
        layout: &Layout,
        wanted: Wanted,
        go_on: &mut dyn FnMut() -> Result<(), SolveError>,
    ) -> Result<Self, SolveError> {
        // The caller has checked the bytes of the table.
        let mut left = layout.lines() as u64;
        let values = Vec::with_capacity(numbers(layout, wanted) as usize);
        let per_line = (wanted == Wanted::Grundy).then_some(layout.pivot_high as usize + 1);
        let mut found = Self { layout: layout.clone(), values, per_line, largest: Vec::new() };
        let mut walker = LineWalker::of(graph, layout, wanted);
        let (mut row, mut since) = (walker.empty(), 0);
        while left > 0 {
            let lines = left.min(walker.left_in_row()).min(LINES_PER_BEAT);
            walker.solve(lines as usize, &mut row);
            found.take(&row);
            left -= lines;
            since += lines * per_line.unwrap_or(1) as u64;
            if since >= LINES_PER_BEAT {
                since = 0;
                go_on()?;
            }
        }
        Ok(found)
    }

    fn take(&mut self, row: &SolvedLines) {
        match row {
            SolvedLines::Losing(row) => {
                for value in &row.values {
                    // A weight is at most 2^16 - 1.
                    if *value == u32::from(NONE) {
                        self.largest.push(self.values.len());
                    }
                    self.values.push(if *value == NO_VALUE { NONE } else { *value as u16 });
                }
            }
            // A Grundy value is at most the sum of the weights; where that has more than 16 bits there are too many positions to keep.
            SolvedLines::Grundy(row) => self.values.extend(row.values.iter().map(|value| u16::try_from(*value).unwrap_or(u16::MAX))),
        }
    }

    /// What a position is worth; none if it is beyond these lines.
    fn value(&self, weights: &[u32]) -> Option<Impartial> {
        let Layout { order, extents, strides, pivot, pivot_high, .. } = &self.layout;
        let mut line = 0;
        for ((edge, extent), stride) in order.iter().zip(extents).zip(strides) {
            if u64::from(weights[*edge]) >= *extent {
                return None;
            }
            // The number of a line is that of an entry in memory.
            line += weights[*edge] as usize * *stride as usize;
        }
        let weight = weights[*pivot];
        if weight > *pivot_high {
            return None;
        }
        if let Some(per_line) = self.per_line {
            return Some(Impartial::Grundy(Nimber(self.values[line * per_line + weight as usize].into())));
        }
        let is_losing = match self.values[line] {
            NONE => weight == u32::from(NONE) && self.largest.binary_search(&line).is_ok(),
            value => weight == u32::from(value),
        };
        Some(Impartial::Outcome(if is_losing { Outcome::P } else { Outcome::N }))
    }
}

impl Kept {
    /// How many numbers of two bytes are kept of a box.
    pub fn numbers(weights: &WeightBox) -> u128 {
        numbers(weights.layout(), weights.wanted())
    }

    /// The bytes that it takes for a box, with those of the walk that fills it.
    pub fn bytes(weights: &WeightBox) -> u128 {
        (2 * NUMBERS_BEYOND).saturating_add(Self::numbers(weights).saturating_mul(2)).saturating_add(weights.bytes())
    }

    /// Solves all positions of a box, from weights of 0 on.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if the pulse says so.
    pub fn new(weights: &WeightBox, decided: u128, pulse: &mut dyn Pulse) -> Result<Self, SolveError> {
        let mut go_on = || if pulse.beat(decided) { Ok(()) } else { Err(SolveError::Stopped) };
        let (graph, wanted) = (weights.subject().graph.clone(), weights.wanted());
        let lines = Lines::solve(&graph, weights.layout(), wanted, &mut go_on)?;
        Ok(Self { lines, beyond: None, graph, wanted })
    }

    /// What a position on the graph of the box is worth: an outcome, or in a box of Grundy values that.
    ///
    /// # Errors
    /// [`Reason::LargePosition`] for one beyond the box that takes too much.
    #[inline]
    pub fn value(&mut self, weights: &[u32]) -> Result<Impartial, Reason> {
        match self.lines.value(weights) {
            Some(value) => Ok(value),
            None => self.value_beyond(weights),
        }
    }

    #[cold]
    fn value_beyond(&mut self, weights: &[u32]) -> Result<Impartial, Reason> {
        if let Some(value) = self.beyond.as_ref().and_then(|beyond| beyond.value(weights)) {
            return Ok(value);
        }
        // Whether it is too large must not depend on what was asked before.
        let is_small = |layout: &Layout| numbers(layout, self.wanted) <= NUMBERS_BEYOND;
        let least = Layout::new(&self.graph, weights);
        if !is_small(&least) {
            return Err(Reason::LargePosition);
        }
        // The next position that is asked for is mostly a little larger.
        let more: Vec<u32> = weights.iter().map(|weight| (weight + weight / 4 + 1).min(super::rules::MAX_WEIGHT)).collect();
        let wider = Layout::new(&self.graph, &more);
        let layout = if is_small(&wider) { wider } else { least };
        self.beyond = None;
        let beyond = Lines::solve(&self.graph, &layout, self.wanted, &mut || Ok(())).map_err(|_| Reason::LargePosition)?;
        let found = beyond.value(weights).ok_or(Reason::LargePosition);
        self.beyond = Some(beyond);
        found
    }
}
