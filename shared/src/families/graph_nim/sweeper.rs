use crate::families::legacy::{Pulse, SolveError, Solver, Task};
use crate::sweep::{Shard, ShardResult};

use super::boxes::{BoxKind, EdgeSetBox, WeightBox};
use super::by_positions::PositionCounter;
use super::by_rows::RowCounter;
use super::check::{Checker, speaking};
use super::claims::Domain;
use super::solver::{SolvedRow, Walker};
use super::space::GraphNimSpace;

/// Steps between two beats of the pulse.
const STEPS_PER_BEAT: u64 = 1 << 16;

/// Solves shards of Graph Nim. It keeps its walker, so that shards in ascending order walk each line once.
pub struct GraphNimSolver {
    space: GraphNimSpace,
    walk: Option<Walk>,
}

/// A walker and how far it has come.
struct Walk {
    box_index: u32,
    walker: Walker,
    /// The next line inside the box, by its number; lines below the box are walked but have none.
    unit: u64,
}

/// How lines that have been solved are counted.
enum Count<'a> {
    ByRows(Box<RowCounter<'a>>),
    ByPositions(Box<PositionCounter<'a>>),
}

impl Count<'_> {
    /// The most lines to take in between two beats of the pulse.
    fn most_lines(&self) -> u64 {
        match self {
            Self::ByRows(_) => STEPS_PER_BEAT,
            Self::ByPositions(positions) => (STEPS_PER_BEAT / positions.positions_per_line()).max(1),
        }
    }

    /// Takes in lines side by side, and gives the steps that it took: see [`RowCounter::row`].
    fn row(&mut self, position: &mut [u32], first: u32, solved: &SolvedRow) -> u64 {
        match self {
            Self::ByRows(rows) => rows.row(position, first, solved),
            Self::ByPositions(positions) => positions.row(position, first, solved),
        }
    }

    fn decided(&self) -> u128 {
        match self {
            Self::ByRows(rows) => rows.decided(),
            Self::ByPositions(positions) => positions.decided(),
        }
    }

    fn finish(self) -> ShardResult {
        match self {
            Self::ByRows(rows) => rows.finish(),
            Self::ByPositions(positions) => positions.finish(),
        }
    }
}

impl GraphNimSolver {
    /// A solver that has solved nothing yet.
    pub fn new(space: GraphNimSpace) -> Self {
        Self { space, walk: None }
    }

    fn walk(&mut self, box_index: u32, weights: &WeightBox, start: u64) -> Walk {
        match self.walk.take() {
            Some(walk) if walk.box_index == box_index && walk.unit <= start => walk,
            _ => Walk { box_index, walker: Walker::new(weights.layout().clone()), unit: 0 },
        }
    }

    fn solve_weights(&mut self, shard: &Shard, weights: &WeightBox, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let layout = weights.layout();
        if layout.bytes() > u128::from(task.budget_bytes) {
            return Err(SolveError::TooLarge { needs: layout.bytes(), budget: task.budget_bytes });
        }
        let claims = speaking(task, |entry| weights.subject().is_in(entry.domain));
        let mut count = match RowCounter::new(shard.box_index, weights, &claims, task) {
            Some(rows) => Count::ByRows(Box::new(rows)),
            None => Count::ByPositions(Box::new(PositionCounter::new(shard.box_index, weights, claims, task))),
        };
        let mut walk = self.walk(shard.box_index, weights, shard.start);
        // The ends of a weight box are at most MAX_WEIGHT.
        let low: Vec<u32> = layout.order.iter().map(|edge| weights.ranges()[*edge].low() as u32).collect();
        let innermost = layout.order.len().saturating_sub(1);
        let mut position = vec![0; weights.ranges().len()];
        let mut solved = SolvedRow::default();
        let mut steps = 0;
        while walk.unit < shard.end {
            let line = walk.walker.line();
            let first = line.last().copied().unwrap_or(0);
            let beneath = low.last().map_or(0, |low| low.saturating_sub(first));
            let is_outside = line.iter().zip(&low).take(innermost).any(|(weight, low)| weight < low);
            // The lines up to where the box begins, where the shard begins, or where it ends; all of them in one row.
            let stretch = match () {
                () if is_outside => u64::MAX,
                () if beneath > 0 => u64::from(beneath),
                () if walk.unit < shard.start => shard.start - walk.unit,
                () => shard.end - walk.unit,
            };
            let lines = stretch.min(walk.walker.left_in_row()).min(count.most_lines());
            let inside = !is_outside && beneath == 0;
            let decides = inside && walk.unit >= shard.start;
            for (edge, weight) in layout.order.iter().zip(walk.walker.line()) {
                position[*edge] = *weight;
            }
            // A row has at most 2^16 lines.
            walk.walker.solve(lines as usize, &mut solved);
            walk.unit += if inside { lines } else { 0 };
            steps += lines;
            if decides {
                steps += count.row(&mut position, first, &solved);
            }
            if steps >= STEPS_PER_BEAT {
                steps = 0;
                if !pulse.beat(count.decided()) {
                    return Err(SolveError::Stopped);
                }
            }
        }
        self.walk = Some(walk);
        Ok(count.finish())
    }

    fn solve_edge_sets(shard: &Shard, sets: &EdgeSetBox, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let claims = speaking(task, |entry| entry.domain == Domain::Graphs);
        let mut checker = Checker::new(shard.box_index, None, claims, task);
        for number in shard.units() {
            let graph = sets.set(number).ok_or_else(|| SolveError::NoSuchShard(shard.clone()))?;
            checker.graph(number, &graph);
            // An edge set costs about as much as a thousand steps of a walk.
            if number % (STEPS_PER_BEAT / 1024) == 0 && !pulse.beat(checker.decided()) {
                return Err(SolveError::Stopped);
            }
        }
        Ok(checker.finish())
    }
}

impl Solver for GraphNimSolver {
    fn solve(&mut self, shard: &Shard, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let space = self.space.clone();
        let kind = space.get(shard.box_index).filter(|kind| shard.start < shard.end && shard.end <= kind.units());
        match kind.ok_or_else(|| SolveError::NoSuchShard(shard.clone()))? {
            BoxKind::Weights(weights) => self.solve_weights(shard, weights, task, pulse),
            BoxKind::EdgeSets(sets) => Self::solve_edge_sets(shard, sets, task, pulse),
        }
    }
}
