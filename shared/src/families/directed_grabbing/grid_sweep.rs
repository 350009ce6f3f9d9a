//! Sweeps over all 0/1 weightings of grids: a block of them is solved at once, and each claim about grids is compared by
//! counting bits.

use crate::families::{Pulse, SolveError};
use crate::sweep::Shard;

use super::boxes::WeightedGrids;
use super::claims::{Demand, Entry, Predicate};
use super::key::Configuration;
use super::rules::{Grid, Position};
use super::sliced::{LANES, SlicedGrid};
use super::sweeper::Checker;
use super::tightness::{Tightness, contents};

/// Keeps the evaluator of the last grid.
#[derive(Default)]
pub struct GridSweep {
    last: Option<(Grid, SlicedGrid)>,
}

/// The claims of a task for one grid.
struct Claims {
    /// What claims about grids demand there, with their place in the task.
    demands: Vec<(usize, &'static Entry, Demand)>,
    /// The claims about any digraph.
    others: Vec<(usize, &'static Entry)>,
}

impl Claims {
    fn of(claims: &[(usize, &'static Entry)], grid: Grid) -> Self {
        let (mut demands, mut others) = (Vec::new(), Vec::new());
        for (place, entry) in claims {
            match entry.predicate {
                Predicate::Grid(demand) => demands.extend(demand(grid).map(|demand| (*place, *entry, demand))),
                Predicate::Digraph(_) => others.push((*place, *entry)),
            }
        }
        Self { demands, others }
    }
}

impl GridSweep {
    /// Solves the units of a shard.
    ///
    /// # Errors
    /// As for a solver.
    pub fn solve(
        &mut self,
        grids: &WeightedGrids,
        shard: &Shard,
        checker: &mut Checker<'_>,
        pulse: &mut dyn Pulse,
    ) -> Result<(), SolveError> {
        let mut unit = shard.start;
        while unit < shard.end {
            let (found, first_block) = grids.unit(unit);
            let blocks = found.weightings.div_ceil(LANES as u64).min(first_block + shard.end - unit);
            let claims = Claims::of(&checker.claims, found.grid);
            let mut tightness = Tightness::new(found.grid);
            for block in first_block..blocks {
                let values = self.sliced(found.grid).ok_or_else(|| SolveError::NoSuchShard(shard.clone()))?.values(block);
                // It is at most the number of lanes.
                let lanes = (found.weightings - block * LANES as u64).min(LANES as u64) as usize;
                for ((olives, content), value) in contents(found.grid, block, &values).zip(values).take(lanes) {
                    tightness.take(olives, content);
                    take_in(checker, &claims, found.grid, olives, (content, value));
                }
                if !pulse.beat(checker.collector.decided()) {
                    return Err(SolveError::Stopped);
                }
            }
            tightness.give(&mut checker.collector);
            unit += blocks - first_block;
        }
        Ok(())
    }

    fn sliced(&mut self, grid: Grid) -> Option<&mut SlicedGrid> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != grid) {
            self.last = Some((grid, SlicedGrid::new(grid).ok()?));
        }
        self.last.as_mut().map(|(_, sliced)| sliced)
    }
}

/// Takes in a weighting, given what Content collects and val.
#[inline]
fn take_in(checker: &mut Checker<'_>, claims: &Claims, grid: Grid, olives: u64, (content, value): (u64, i8)) {
    checker.collector.decide();
    for (place, entry, demand) in &claims.demands {
        match demand.on(olives) {
            None => {}
            Some(least) if content >= u64::from(least) => checker.collector.held(*place),
            Some(_) => pointwise(checker, (*place, entry), grid, olives, value),
        }
    }
    for (place, entry) in &claims.others {
        pointwise(checker, (*place, entry), grid, olives, value);
    }
    let mut configuration = [0; 10];
    // There are at most 64 rows and columns.
    configuration[0] = grid.rows as u8;
    configuration[1] = grid.columns as u8;
    configuration[2..].copy_from_slice(&olives.to_be_bytes());
    checker.canonical(b"V", &value.to_be_bytes(), &configuration);
    let box_index = checker.box_index();
    checker.keep(value.into(), || of_olives(grid, olives).key(box_index));
}

/// Holds a claim against one weighting by its prediction.
#[cold]
fn pointwise(checker: &mut Checker<'_>, (place, entry): (usize, &Entry), grid: Grid, olives: u64, value: i8) {
    let configuration = of_olives(grid, olives);
    let Configuration::Grid(_, weights) = &configuration else { return };
    // A grid of a box has at most 64 vertices.
    if let Ok(position) = Position::of_grid(grid, weights.clone()) {
        checker.count(place, entry, &configuration, &position, value.into());
    }
}

fn of_olives(grid: Grid, olives: u64) -> Configuration {
    Configuration::Grid(grid, (0..grid.vertices()).map(|cell| (olives >> cell & 1) as i64).collect())
}
