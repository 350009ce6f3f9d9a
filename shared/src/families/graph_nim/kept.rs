//! The outcomes of all positions of a box, kept for claims that look at other positions: two bytes a line, the weight of the pivot
//! in its P-position. A position beyond the box is solved by itself, as far as that takes few lines.

use crate::families::{Pulse, SolveError};
use crate::language::Reason;
use crate::value::Outcome;

use super::layout::Layout;
use super::solver::{NO_VALUE, SolvedRow, Walker};
use super::weight_box::WeightBox;

/// A line without P-position.
const NONE: u16 = u16::MAX;

/// The most lines that are solved for positions beyond the box.
pub const LINES_BEYOND: u128 = 1 << 20;

/// Lines solved between two beats of the pulse.
const LINES_PER_BEAT: u64 = 1 << 16;

/// The P-positions of all lines up to some weights.
struct Lines {
    layout: Layout,
    values: Vec<u16>,
    /// The lines whose P-position has the weight that stands for none, ascending.
    largest: Vec<usize>,
}

/// What is known of all positions of a box, and of others as they are asked for.
pub struct Kept {
    lines: Lines,
    beyond: Option<Lines>,
    graph: super::graph::Graph,
}

impl Lines {
    /// The bytes of a table of so many lines.
    fn bytes(lines: u128) -> u128 {
        2 * lines
    }

    /// Solves all lines of a layout, of which there are few enough.
    fn solve(layout: &Layout, go_on: &mut dyn FnMut() -> Result<(), SolveError>) -> Result<Self, SolveError> {
        // The caller has checked the bytes of the table.
        let mut left = layout.lines() as u64;
        let mut found = Self { layout: layout.clone(), values: Vec::with_capacity(left as usize), largest: Vec::new() };
        let (mut walker, mut row, mut since) = (Walker::new(layout.clone()), SolvedRow::default(), 0);
        while left > 0 {
            let lines = left.min(walker.left_in_row()).min(LINES_PER_BEAT);
            walker.solve(lines as usize, &mut row);
            for value in &row.values {
                // A weight is at most 2^16 - 1.
                if *value == u32::from(NONE) {
                    found.largest.push(found.values.len());
                }
                found.values.push(if *value == NO_VALUE { NONE } else { *value as u16 });
            }
            left -= lines;
            since += lines;
            if since >= LINES_PER_BEAT {
                since = 0;
                go_on()?;
            }
        }
        Ok(found)
    }

    /// The outcome of a position; none if it is beyond these lines.
    fn outcome(&self, weights: &[u32]) -> Option<Outcome> {
        let Layout { order, extents, strides, pivot, pivot_high, .. } = &self.layout;
        let mut line = 0;
        for ((edge, extent), stride) in order.iter().zip(extents).zip(strides) {
            if u64::from(weights[*edge]) >= *extent {
                return None;
            }
            // The number of a line is that of an entry in memory.
            line += weights[*edge] as usize * *stride as usize;
        }
        if weights[*pivot] > *pivot_high {
            return None;
        }
        let is_losing = match self.values[line] {
            NONE => weights[*pivot] == u32::from(NONE) && self.largest.binary_search(&line).is_ok(),
            value => weights[*pivot] == u32::from(value),
        };
        Some(if is_losing { Outcome::P } else { Outcome::N })
    }
}

impl Kept {
    /// The bytes that it takes for a box, besides those of the walk that fills it.
    pub fn bytes(weights: &WeightBox) -> u128 {
        let beyond = Lines::bytes(LINES_BEYOND);
        Lines::bytes(weights.layout().lines()).saturating_add(beyond).saturating_add(weights.layout().bytes())
    }

    /// Solves all positions of a box, from weights of 0 on.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if the pulse says so.
    pub fn new(weights: &WeightBox, decided: u128, pulse: &mut dyn Pulse) -> Result<Self, SolveError> {
        let mut go_on = || if pulse.beat(decided) { Ok(()) } else { Err(SolveError::Stopped) };
        let lines = Lines::solve(weights.layout(), &mut go_on)?;
        Ok(Self { lines, beyond: None, graph: weights.subject().graph.clone() })
    }

    /// The outcome of a position on the graph of the box.
    ///
    /// # Errors
    /// [`Reason::LargePosition`] for one beyond the box that takes too many lines.
    #[inline]
    pub fn outcome(&mut self, weights: &[u32]) -> Result<Outcome, Reason> {
        match self.lines.outcome(weights) {
            Some(outcome) => Ok(outcome),
            None => self.outcome_beyond(weights),
        }
    }

    #[cold]
    fn outcome_beyond(&mut self, weights: &[u32]) -> Result<Outcome, Reason> {
        if let Some(outcome) = self.beyond.as_ref().and_then(|beyond| beyond.outcome(weights)) {
            return Ok(outcome);
        }
        // Whether it is too large must not depend on what was asked before.
        let least = Layout::new(&self.graph, weights);
        if least.lines() > LINES_BEYOND {
            return Err(Reason::LargePosition);
        }
        // The next position that is asked for is mostly a little larger.
        let more: Vec<u32> = weights.iter().map(|weight| (weight + weight / 4 + 1).min(super::rules::MAX_WEIGHT)).collect();
        let wider = Layout::new(&self.graph, &more);
        let layout = if wider.lines() > LINES_BEYOND { least } else { wider };
        self.beyond = None;
        let beyond = Lines::solve(&layout, &mut || Ok(())).map_err(|_| Reason::LargePosition)?;
        let found = beyond.outcome(weights).ok_or(Reason::LargePosition);
        self.beyond = Some(beyond);
        found
    }
}
