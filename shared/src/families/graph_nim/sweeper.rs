//! Solves shards of Graph Nim: walks the lines of a box of weights and counts them by rows if every claim of the papers can be, else
//! by positions; beside that it holds the claims of the manifest against them by blocks. Sets of edges are judged one by one.

use std::ops::Range;

use crate::families::{Entry, GameSolver, Judge, Pulse, SolveError, Unplayed};
use crate::sweep::Record;

use super::GraphNim;
use super::beside::Placed;
use super::boxes::BoxKind;
use super::by_blocks::BlockCounter;
use super::by_positions::PositionCounter;
use super::by_rows::RowCounter;
use super::claims::View;
use super::edge_sets::EdgeSetBox;
use super::kept::Kept;
use super::key::{AtEdgeSet, AtWeights};
use super::lines::{LineWalker, SolvedLines};
use super::weight_box::WeightBox;
use super::whole::WholeGraph;

/// Steps between two beats of the pulse.
const STEPS_PER_BEAT: u64 = 1 << 16;

/// Where claims of the manifest predict, a row is cut into parts of about so many positions: those that are predicted rightly are kept
/// until the part is counted.
const MOST_PREDICTED: u64 = 1 << 17;

/// Solves shards of Graph Nim. It keeps its walker, so that shards in ascending order walk each line once.
pub struct GraphNimSolver {
    walk: Option<Walk>,
    /// All that was solved of the box, where some claim looks at other positions.
    kept: Option<Kept>,
}

/// A walker and how far it has come.
struct Walk {
    walker: LineWalker,
    /// The next line inside the box, by its number; lines below the box are walked but have none.
    unit: u64,
}

/// How lines that have been solved are counted.
struct Count {
    /// Claims of the manifest, unless they are held against each position.
    stated: Option<BlockCounter>,
    others: Others,
    /// The most lines to take in at a time.
    most_lines: u64,
}

/// How everything else is counted.
enum Others {
    ByRows(Box<RowCounter>),
    ByPositions(Box<PositionCounter>),
}

impl Count {
    fn new(weights: &WeightBox, judge: &Judge<'_, GraphNim>) -> Self {
        let others = RowCounter::new(weights, judge).map(|rows| Others::ByRows(Box::new(rows)));
        let positions_per_line = weights.ranges()[weights.layout().pivot].len() as u64;
        let predicts = judge.claims().iter().any(|(_, entry)| entry.stated().is_some_and(|stated| stated.predicts()));
        let most = match (&others, predicts) {
            (Some(_), false) => STEPS_PER_BEAT,
            (Some(_), true) => MOST_PREDICTED / positions_per_line,
            (None, _) => STEPS_PER_BEAT / positions_per_line,
        };
        let most_lines = most.clamp(1, STEPS_PER_BEAT);
        // To keep all positions each of them is visited anyway.
        let visits_all = judge.task().record == Record::All;
        let stated = if visits_all { None } else { BlockCounter::new(weights, judge, most_lines) };
        let others = others.unwrap_or_else(|| {
            let claims = judge.claims().iter().enumerate().filter(|(_, (_, entry))| stated.is_none() || entry.stated().is_none());
            let claims = claims.map(|(index, _)| index).collect();
            Others::ByPositions(Box::new(PositionCounter::new(weights, claims)))
        });
        Self { stated, others, most_lines }
    }

    /// Takes in lines side by side, and gives the steps that it took: see [`RowCounter::row`].
    fn row(
        &mut self,
        judge: &mut Judge<'_, GraphNim>,
        pulse: &mut dyn Pulse,
        position: &mut [u32],
        first: u32,
        (solved, mut kept): (&SolvedLines, Option<&mut Kept>),
    ) -> Result<u64, SolveError> {
        let rightly = match &mut self.stated {
            Some(stated) => stated.row(judge, pulse, position, first, (solved, kept.as_deref_mut()))?,
            None => &[],
        };
        Ok(match &mut self.others {
            Others::ByPositions(positions) => positions.row(judge, position, first, (solved, kept), rightly),
            Others::ByRows(rows) => match solved {
                SolvedLines::Losing(solved) => rows.row(judge, position, first, solved, rightly),
                // A box of Grundy values is counted by positions.
                SolvedLines::Grundy(_) => 0,
            },
        })
    }

    fn finish(self, judge: &mut Judge<'_, GraphNim>) {
        match self.others {
            Others::ByRows(rows) => rows.finish(judge),
            Others::ByPositions(positions) => positions.finish(judge),
        }
    }
}

impl GraphNimSolver {
    fn walk(&mut self, weights: &WeightBox, start: u64) -> Walk {
        match self.walk.take() {
            Some(walk) if walk.unit <= start => walk,
            _ => Walk { walker: LineWalker::new(weights), unit: 0 },
        }
    }

    fn solve_weights(
        &mut self,
        units: Range<u64>,
        (one, weights): (&BoxKind, &WeightBox),
        judge: &mut Judge<'_, GraphNim>,
        pulse: &mut dyn Pulse,
    ) -> Result<(), SolveError> {
        let layout = weights.layout();
        let mut count = Count::new(weights, judge);
        if self.kept.is_none() && judge.claims().iter().any(|(_, entry)| entry.relates()) {
            self.kept = Some(Kept::new(weights, judge.decided(), pulse)?);
        }
        let mut walk = self.walk(weights, units.start);
        // The ends of a weight box are at most MAX_WEIGHT.
        let low: Vec<u32> = layout.order.iter().map(|edge| weights.ranges()[*edge].low() as u32).collect();
        let innermost = layout.order.len().saturating_sub(1);
        let mut position = vec![0; weights.ranges().len()];
        let mut solved = walk.walker.empty();
        let mut steps = 0;
        while walk.unit < units.end {
            let line = walk.walker.line();
            let first = line.last().copied().unwrap_or(0);
            let beneath = low.last().map_or(0, |low| low.saturating_sub(first));
            let is_outside = line.iter().zip(&low).take(innermost).any(|(weight, low)| weight < low);
            // The lines up to where the box begins, where the shard begins, or where it ends; all of them in one row.
            let stretch = match () {
                () if is_outside => u64::MAX,
                () if beneath > 0 => u64::from(beneath),
                () if walk.unit < units.start => units.start - walk.unit,
                () => units.end - walk.unit,
            };
            let lines = stretch.min(walk.walker.left_in_row()).min(count.most_lines);
            let inside = !is_outside && beneath == 0;
            let decides = inside && walk.unit >= units.start;
            for (edge, weight) in layout.order.iter().zip(walk.walker.line()) {
                position[*edge] = *weight;
            }
            // A row has at most 2^16 lines.
            walk.walker.solve(lines as usize, &mut solved);
            walk.unit += if inside { lines } else { 0 };
            steps += lines;
            if decides {
                steps += count.row(judge, pulse, &mut position, first, (&solved, self.kept.as_mut()))?;
            }
            if steps >= STEPS_PER_BEAT {
                steps = 0;
                judge.beat(pulse)?;
            }
        }
        self.walk = Some(walk);
        count.finish(judge);
        if units.end == weights.lines() {
            self.hold_whole(one, weights, judge);
        }
        Ok(())
    }

    /// Holds the claims that are about the graph as a whole, where the last position of the box is decided.
    fn hold_whole(&mut self, one: &BoxKind, weights: &WeightBox, judge: &mut Judge<'_, GraphNim>) {
        let is_about_whole = |entry: &Entry<GraphNim>| entry.stated().is_some_and(|stated| stated.is_about_whole());
        let Some(kept) = self.kept.as_mut().filter(|_| judge.claims().iter().any(|(_, entry)| is_about_whole(entry))) else { return };
        let last: Vec<u32> = weights.ranges().iter().map(|range| range.high() as u32).collect();
        // It is inside the box, all of whose lines are kept.
        let Ok(known) = kept.value(&last) else { return };
        let (graph, view) = (weights.written(), weights.subject().view(&last));
        let mut answers = WholeGraph { placed: Placed { known, kept: Some(kept) }, one };
        let Ok(()) = judge.hold_whole(&AtWeights { graph: &graph, weights: &last }, &view, &mut answers);
    }
}

fn solve_edge_sets(units: Range<u64>, sets: &EdgeSetBox, judge: &mut Judge<'_, GraphNim>, pulse: &mut dyn Pulse) -> Result<(), SolveError> {
    for number in units {
        let graph = sets.set(number).ok_or(SolveError::NoSuchUnit(number))?;
        let view = View::of_graph(graph);
        judge.decide(&AtEdgeSet(number), &view, &mut Unplayed)?;
        if judge.collector().keeps(false) {
            judge.keep(false, &view.subject.graph.edge_names().join(" "), &AtEdgeSet(number));
        }
        // An edge set costs about as much as a thousand steps of a walk.
        if number % (STEPS_PER_BEAT / 1024) == 0 {
            judge.beat(pulse)?;
        }
    }
    Ok(())
}

impl GameSolver<GraphNim> for GraphNimSolver {
    fn new(_one: &BoxKind) -> Self {
        Self { walk: None, kept: None }
    }

    fn solve(
        &mut self,
        one: &BoxKind,
        units: Range<u64>,
        judge: &mut Judge<'_, GraphNim>,
        pulse: &mut dyn Pulse,
    ) -> Result<(), SolveError> {
        match one {
            BoxKind::Weights(weights) => self.solve_weights(units, (one, weights.as_ref()), judge, pulse),
            BoxKind::EdgeSets(sets) => solve_edge_sets(units, sets, judge, pulse),
        }
    }
}
