//! What is solved of all positions of a box, kept for claims that look at other positions: two bytes a line, the weight of the pivot
//! in its P-position, or where the box has Grundy values four bytes a position. A position beyond the box is solved by itself, as far
//! as that takes few lines.

use crate::families::{Pulse, SolveError};
use crate::language::Reason;
use crate::text::{bytes, several};
use crate::value::{Impartial, Nimber, Outcome, Play};

use super::graph::Graph;
use super::grundy::{self, GrundyRow, GrundyWalker};
use super::layout::Layout;
use super::solver::{NO_VALUE, SolvedRow, Walker};
use super::wanted::Wanted;
use super::weight_box::WeightBox;

/// A line without P-position.
const NONE: u16 = u16::MAX;

/// The most lines that are solved for positions beyond the box; where there are Grundy values, the most positions.
pub const LINES_BEYOND: u128 = 1 << 20;

/// The most bytes of the walk that finds Grundy values of positions beyond the box.
const WALK_BEYOND: u128 = 16 << 20;

/// Lines solved between two beats of the pulse; where there are Grundy values, positions.
const LINES_PER_BEAT: u64 = 1 << 16;

/// What is solved of all positions up to some weights.
enum Table {
    Outcomes(Lines),
    Grundy(GrundyValues),
}

/// The P-positions of all lines up to some weights.
struct Lines {
    layout: Layout,
    values: Vec<u16>,
    /// The lines whose P-position has the weight that stands for none, ascending.
    largest: Vec<usize>,
}

/// The Grundy values of all positions up to some weights, line by line.
struct GrundyValues {
    layout: Layout,
    values: Vec<u32>,
}

/// What is known of all positions of a box, and of others as they are asked for.
pub struct Kept {
    table: Table,
    beyond: Option<Table>,
    graph: Graph,
    wanted: Wanted,
}

impl Table {
    /// Solves all positions of a layout, of which there are few enough.
    fn solve(
        graph: &Graph,
        layout: &Layout,
        wanted: Wanted,
        go_on: &mut dyn FnMut() -> Result<(), SolveError>,
    ) -> Result<Self, SolveError> {
        Ok(match wanted {
            Wanted::Outcome(play) => Self::Outcomes(Lines::solve(layout, play, go_on)?),
            Wanted::Grundy => Self::Grundy(GrundyValues::solve(graph, layout, go_on)?),
        })
    }

    /// What is known of a position; none if it is beyond these.
    #[inline]
    fn value(&self, weights: &[u32]) -> Option<Impartial> {
        match self {
            Self::Outcomes(lines) => lines.outcome(weights).map(Impartial::Outcome),
            Self::Grundy(values) => values.grundy(weights).map(Impartial::Grundy),
        }
    }

    /// The bytes of the table of a layout.
    fn bytes(layout: &Layout, wanted: Wanted) -> u128 {
        match wanted {
            Wanted::Outcome(_) => 2 * layout.lines(),
            Wanted::Grundy => positions(layout).saturating_mul(4),
        }
    }

    /// Whether the positions of a layout are few enough to be solved where they are asked for.
    fn is_small(graph: &Graph, layout: &Layout, wanted: Wanted) -> bool {
        match wanted {
            Wanted::Outcome(_) => layout.lines() <= LINES_BEYOND,
            Wanted::Grundy => positions(layout) <= LINES_BEYOND && grundy::bytes(graph, layout) <= WALK_BEYOND,
        }
    }
}

/// How many positions a layout has.
fn positions(layout: &Layout) -> u128 {
    layout.lines().saturating_mul(u128::from(layout.pivot_high) + 1)
}

/// The number of the line that a position is on, which is that of an entry in memory; none if it is beyond the layout.
fn line_of(layout: &Layout, weights: &[u32]) -> Option<usize> {
    let Layout { order, extents, strides, pivot, pivot_high, .. } = layout;
    let mut line = 0;
    for ((edge, extent), stride) in order.iter().zip(extents).zip(strides) {
        if u64::from(weights[*edge]) >= *extent {
            return None;
        }
        line += weights[*edge] as usize * *stride as usize;
    }
    (weights[*pivot] <= *pivot_high).then_some(line)
}

impl GrundyValues {
    fn solve(graph: &Graph, layout: &Layout, go_on: &mut dyn FnMut() -> Result<(), SolveError>) -> Result<Self, SolveError> {
        // The caller has checked the bytes of the table.
        let (mut left, per_line) = (layout.lines() as u64, u64::from(layout.pivot_high) + 1);
        let mut values = Vec::with_capacity(left as usize * per_line as usize);
        let (mut walker, mut row, mut since) = (GrundyWalker::new(graph, layout), GrundyRow::default(), 0);
        while left > 0 {
            let lines = left.min(walker.left_in_row()).min((LINES_PER_BEAT / per_line).max(1));
            walker.solve(lines as usize, &mut row);
            values.extend_from_slice(&row.values);
            left -= lines;
            since += lines * per_line;
            if since >= LINES_PER_BEAT {
                since = 0;
                go_on()?;
            }
        }
        Ok(Self { layout: layout.clone(), values })
    }

    fn grundy(&self, weights: &[u32]) -> Option<Nimber> {
        let line = line_of(&self.layout, weights)?;
        let place = line * (self.layout.pivot_high as usize + 1) + weights[self.layout.pivot] as usize;
        Some(Nimber(self.values[place]))
    }
}

impl Lines {
    /// Solves all lines of a layout, of which there are few enough.
    fn solve(layout: &Layout, play: Play, go_on: &mut dyn FnMut() -> Result<(), SolveError>) -> Result<Self, SolveError> {
        // The caller has checked the bytes of the table.
        let mut left = layout.lines() as u64;
        let mut found = Self { layout: layout.clone(), values: Vec::with_capacity(left as usize), largest: Vec::new() };
        let (mut walker, mut row, mut since) = (Walker::new(layout.clone(), play), SolvedRow::default(), 0);
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

    /// Whether the P-position of the line of a position, if it has one, has a weight of the pivot in a range; there are lines for it.
    fn has_p_position(&self, weights: &[u32], range: crate::sweep::Range) -> bool {
        let Some(line) = line_of(&self.layout, weights) else { return false };
        let weight = match self.values[line] {
            NONE if self.largest.binary_search(&line).is_err() => return false,
            value => u64::from(value),
        };
        (range.low()..=range.high()).contains(&weight)
    }

    /// The outcome of a position; none if it is beyond these lines.
    fn outcome(&self, weights: &[u32]) -> Option<Outcome> {
        let line = line_of(&self.layout, weights)?;
        let weight = weights[self.layout.pivot];
        let is_losing = match self.values[line] {
            NONE => weight == u32::from(NONE) && self.largest.binary_search(&line).is_ok(),
            value => weight == u32::from(value),
        };
        Some(if is_losing { Outcome::P } else { Outcome::N })
    }
}

impl Kept {
    /// The bytes that it takes for a box, besides those of the walk of the box.
    pub fn bytes(weights: &WeightBox) -> u128 {
        let wanted = weights.wanted();
        let beyond = match wanted {
            Wanted::Outcome(_) => 2 * LINES_BEYOND,
            Wanted::Grundy => 4 * LINES_BEYOND + WALK_BEYOND,
        };
        // A walk of its own fills it.
        Table::bytes(weights.layout(), wanted).saturating_add(beyond).saturating_add(weights.bytes())
    }

    /// Describes what it keeps of a box.
    pub fn describe(weights: &WeightBox) -> String {
        let (layout, wanted) = (weights.layout(), weights.wanted());
        let size = bytes(Table::bytes(layout, wanted));
        match wanted {
            Wanted::Outcome(_) => {
                let lines = several(layout.lines(), "line");
                format!("the P-position of each of its {lines}, 2 bytes each, since claims look at other positions: {size}")
            }
            Wanted::Grundy => {
                let positions = several(positions(layout), "position");
                format!("the Grundy value of each of its {positions}, 4 bytes each, since claims look at other positions: {size}")
            }
        }
    }

    /// Solves all positions of a box, from weights of 0 on.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if the pulse says so.
    pub fn new(weights: &WeightBox, decided: u128, pulse: &mut dyn Pulse) -> Result<Self, SolveError> {
        let mut go_on = || if pulse.beat(decided) { Ok(()) } else { Err(SolveError::Stopped) };
        let (graph, wanted) = (weights.subject().graph.clone(), weights.wanted());
        Ok(Self { table: Table::solve(&graph, weights.layout(), wanted, &mut go_on)?, beyond: None, graph, wanted })
    }

    /// How many positions of the box are P.
    ///
    /// Cost: O(lines), or with Grundy values O(positions).
    pub fn p_positions(&mut self, weights: &WeightBox) -> Result<u128, Reason> {
        let per_line = weights.ranges()[weights.layout().pivot].len();
        let mut count = 0;
        for line in 0..u128::from(weights.lines()) {
            let mut position = weights.position(line * per_line);
            match &self.table {
                Table::Outcomes(lines) => count += u128::from(lines.has_p_position(&position, weights.ranges()[weights.layout().pivot])),
                Table::Grundy(_) => {
                    for number in 0..per_line {
                        position.clone_from(&weights.position(line * per_line + number));
                        count += u128::from(self.value(&position)?.outcome() == Outcome::P);
                    }
                }
            }
        }
        Ok(count)
    }

    /// What is known of a position on the graph of the box.
    ///
    /// # Errors
    /// [`Reason::LargePosition`] for one beyond the box that takes too many lines.
    #[inline]
    pub fn value(&mut self, weights: &[u32]) -> Result<Impartial, Reason> {
        match self.table.value(weights) {
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
        let least = Layout::new(&self.graph, weights);
        if !Table::is_small(&self.graph, &least, self.wanted) {
            return Err(Reason::LargePosition);
        }
        // The next position that is asked for is mostly a little larger.
        let more: Vec<u32> = weights.iter().map(|weight| (weight + weight / 4 + 1).min(super::rules::MAX_WEIGHT)).collect();
        let wider = Layout::new(&self.graph, &more);
        let layout = if Table::is_small(&self.graph, &wider, self.wanted) { wider } else { least };
        self.beyond = None;
        let beyond = Table::solve(&self.graph, &layout, self.wanted, &mut || Ok(())).map_err(|_| Reason::LargePosition)?;
        let found = beyond.value(weights).ok_or(Reason::LargePosition);
        self.beyond = Some(beyond);
        found
    }
}
