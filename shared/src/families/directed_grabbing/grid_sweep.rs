//! Sweeps over all 0/1 weightings of grids: a block of them is solved at once, and what claims say is compared by counting bits.
//!
//! The fast comparisons only ever say that a claim is silent or that it holds. Wherever one does not, the weighting is taken
//! alone and the claim's own prediction decides.

use crate::families::legacy::{Check, Pulse, SolveError};
use crate::sweep::Shard;

use super::boxes::WeightedGrids;
use super::claims::{Demand, Entry, LEMMA_1, LEMMA_2, Predicate, beyond_all_else};
use super::key::Configuration;
use super::rules::{Digraph, Grid, Position};
use super::sliced::{LANES, Raise, SlicedGrid};
use super::sweeper::Checker;
use super::tightness::{Tightness, contents};

/// Keeps the evaluator of the last grid.
#[derive(Default)]
pub struct GridSweep {
    last: Option<(Grid, SlicedGrid)>,
}

/// A claim with its place in the task.
type Placed = (usize, &'static Entry);

/// The claims of a task that can speak about one grid.
struct Claims {
    /// What claims about grids demand there.
    demands: Vec<(Placed, Demand)>,
    lemma_1: Option<Placed>,
    lemma_2: Option<Placed>,
    /// The other claims about any digraph: grids with one row or one column are paths.
    others: Vec<Placed>,
}

impl Claims {
    fn of(claims: &[Placed], grid: Grid) -> Self {
        let mut found = Self { demands: Vec::new(), lemma_1: None, lemma_2: None, others: Vec::new() };
        for placed in claims {
            match placed.1.predicate {
                Predicate::Grid(demand) => found.demands.extend(demand(grid).map(|demand| (*placed, demand))),
                Predicate::Digraph { .. } if placed.1.claim.id == LEMMA_1 => found.lemma_1 = Some(*placed),
                Predicate::Digraph { .. } if placed.1.claim.id == LEMMA_2 => found.lemma_2 = Some(*placed),
                Predicate::Digraph { applies, .. } => {
                    found.others.extend(Digraph::grid(grid).is_ok_and(|graph| applies(&graph)).then_some(*placed));
                }
            }
        }
        found
    }
}

/// A block of weightings, solved.
struct Block {
    grid: Grid,
    number: u64,
    values: [i8; LANES],
    /// What Lemma 2 comes to.
    lemma_2: [Check; LANES],
    /// Whether Lemma 1 is known to hold.
    lemma_1: [bool; LANES],
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
            for number in first_block..blocks {
                let sliced = self.sliced(found.grid).ok_or_else(|| SolveError::NoSuchShard(shard.clone()))?;
                let block = Block::solve(sliced, found.grid, number, &claims, &mut || pulse.beat(checker.collector.decided()))?;
                // It is at most the number of lanes.
                let lanes = (found.weightings - number * LANES as u64).min(LANES as u64) as usize;
                for (lane, (olives, content)) in contents(found.grid, number, &block.values).enumerate().take(lanes) {
                    tightness.take(olives, content);
                    block.take_in(checker, &claims, lane, (olives, content));
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

impl Block {
    fn solve(
        sliced: &mut SlicedGrid,
        grid: Grid,
        number: u64,
        claims: &Claims,
        beat: &mut dyn FnMut() -> bool,
    ) -> Result<Self, SolveError> {
        let values = sliced.values(number);
        let after = sliced.after_first_move();
        let first = number * LANES as u64;
        // The only sink is (1,1): Lemma 2 speaks where it has an olive or nothing has, and then says w(1,1) - after = val.
        let lemma_2 = std::array::from_fn(|lane| {
            let olives = first + lane as u64;
            let (first_weight, speaks) = ((olives & 1) as i8, olives & 1 == 1 || olives == 0);
            match (speaks, first_weight - after[lane] == values[lane]) {
                (false, _) => Check::Silent,
                (true, true) => Check::Held,
                (true, false) => Check::Refuted,
            }
        });
        let mut block = Self { grid, number, values, lemma_2, lemma_1: [true; LANES] };
        let raised = if claims.lemma_1.is_some() { grid.vertices() } else { 0 };
        for cell in 0..raised {
            for raise in [Raise::One, Raise::BeyondAllElse] {
                block.compare_raised(cell, raise, &sliced.raised_values(number, cell, raise));
            }
            if !beat() {
                return Err(SolveError::Stopped);
            }
        }
        if beat() { Ok(block) } else { Err(SolveError::Stopped) }
    }

    /// Compares val with that after the weight of a cell was raised.
    fn compare_raised(&mut self, cell: usize, raise: Raise, raised: &[i8; LANES]) {
        let first = self.number * LANES as u64;
        for (lane, holds) in self.lemma_1.iter_mut().enumerate() {
            let olives = first + lane as u64;
            let amount = match raise {
                Raise::One => 1,
                Raise::BeyondAllElse => beyond_all_else((olives & !(1 << cell)).count_ones().into(), (olives >> cell & 1) as i64),
            };
            *holds &= (i64::from(raised[lane]) - i64::from(self.values[lane])).abs() <= amount;
        }
    }

    /// Takes in a weighting, given what Content collects.
    #[inline]
    fn take_in(&self, checker: &mut Checker<'_>, claims: &Claims, lane: usize, (olives, content): (u64, u64)) {
        let (grid, value) = (self.grid, self.values[lane]);
        checker.collector.decide();
        for (placed, demand) in &claims.demands {
            match demand.on(olives) {
                None => {}
                Some(least) if content >= u64::from(least) => checker.collector.held(placed.0),
                Some(_) => pointwise(checker, *placed, grid, olives, value),
            }
        }
        match claims.lemma_1 {
            Some((place, _)) if self.lemma_1[lane] => checker.collector.held(place),
            Some(placed) => pointwise(checker, placed, grid, olives, value),
            None => {}
        }
        match (claims.lemma_2, self.lemma_2[lane]) {
            (None, _) | (_, Check::Silent) => {}
            (Some((place, _)), Check::Held) => checker.collector.held(place),
            (Some(placed), Check::Refuted) => pointwise(checker, placed, grid, olives, value),
        }
        for placed in &claims.others {
            pointwise(checker, *placed, grid, olives, value);
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
}

/// Holds a claim against one weighting by its prediction.
#[cold]
fn pointwise(checker: &mut Checker<'_>, (place, entry): Placed, grid: Grid, olives: u64, value: i8) {
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
