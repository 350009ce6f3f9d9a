use crate::families::{Pulse, SolveError, Solver, Task};
use crate::sweep::{Shard, ShardResult};
use crate::value::Outcome;

use super::boxes::{BoxKind, EdgeSetBox, WeightBox};
use super::check::{Checker, speaking};
use super::claims::Domain;
use super::solver::Walker;
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
        let mut checker = Checker::new(shard.box_index, Some(weights.subject()), claims, task);
        let mut walk = self.walk(shard.box_index, weights, shard.start);
        // The ends of a weight box are at most MAX_WEIGHT.
        let bounds = |edge: usize| (weights.ranges()[edge].low() as u32, weights.ranges()[edge].high() as u32);
        let low: Vec<u32> = layout.order.iter().map(|edge| bounds(*edge).0).collect();
        let (pivot_low, pivot_high) = bounds(layout.pivot);
        let mut position = vec![0; weights.ranges().len()];
        let mut steps = 0;
        while walk.unit < shard.end {
            let inside = walk.walker.line().iter().zip(&low).all(|(weight, low)| weight >= low);
            let decides = inside && walk.unit >= shard.start;
            if decides {
                for (edge, weight) in layout.order.iter().zip(walk.walker.line()) {
                    position[*edge] = *weight;
                }
            }
            let losing = walk.walker.step();
            walk.unit += u64::from(inside);
            steps += 1;
            if decides {
                for weight in pivot_low..=pivot_high {
                    position[layout.pivot] = weight;
                    checker.position(&position, if weight == losing { Outcome::P } else { Outcome::N });
                }
                steps += u64::from(pivot_high - pivot_low);
            }
            if steps >= STEPS_PER_BEAT {
                steps = 0;
                if !pulse.beat(checker.decided()) {
                    return Err(SolveError::Stopped);
                }
            }
        }
        self.walk = Some(walk);
        Ok(checker.finish())
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
