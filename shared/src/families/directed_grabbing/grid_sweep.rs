//! Sweeps over all 0/1 weightings of grids: a block of them is solved at once, and what claims say is compared by counting bits.
//!
//! The fast comparisons only ever say that a claim is silent or that it holds. Wherever one does not, the weighting is taken
//! alone and the claim's own prediction decides.

use std::ops::Range;

use crate::families::{Check, Entry, Judge, Pulse, SolveError};

use super::DirectedGrabbing;
use super::claims::{Demand, LEMMA_1, LEMMA_2, Scope};
use super::grids::WeightedGrids;
use super::key::WeightedDigraph;
use super::lattice::Valuer;
use super::rules::{Digraph, Grid};
use super::sliced::{LANES, SlicedGrid};
use super::solved::{Solved, keep};
use super::tightness::{Tightness, contents};

/// Keeps the evaluator of the last grid.
#[derive(Default)]
pub struct GridSweep {
    last: Option<(Grid, SlicedGrid)>,
}

/// A claim.
#[derive(Clone, Copy)]
struct Placed {
    /// Its index among those that can speak about the box.
    index: usize,
    /// Its place in the sweep.
    place: usize,
}

/// The claims of a sweep that can speak about one grid.
struct Claims {
    /// What claims about grids demand there.
    demands: Vec<(Placed, Demand)>,
    lemma_1: Option<Placed>,
    lemma_2: Option<Placed>,
    /// The other claims about any digraph: grids with one row or one column are paths.
    others: Vec<Placed>,
    /// Claims about play on the grid, whatever stands there: they speak at the weighting without an olive.
    without_olives: Vec<Placed>,
}

impl Claims {
    fn of(claims: &[(usize, &Entry<DirectedGrabbing>)], grid: Grid) -> Self {
        let mut found = Self { demands: Vec::new(), lemma_1: None, lemma_2: None, others: Vec::new(), without_olives: Vec::new() };
        for (index, (place, entry)) in claims.iter().enumerate() {
            let placed = Placed { index, place: *place };
            match entry.scope {
                None => found.others.push(placed),
                Some(Scope::Grids(demand)) => found.demands.extend(demand(grid).map(|demand| (placed, demand))),
                Some(Scope::Play(speaks)) => found.without_olives.extend(speaks(grid).then_some(placed)),
                Some(Scope::Digraphs(_)) if entry.claim.id == LEMMA_1 => found.lemma_1 = Some(placed),
                Some(Scope::Digraphs(_)) if entry.claim.id == LEMMA_2 => found.lemma_2 = Some(placed),
                Some(Scope::Digraphs(applies)) => {
                    found.others.extend(Digraph::grid(grid).is_ok_and(|graph| applies(&graph)).then_some(placed));
                }
            }
        }
        found
    }
}

/// A block of weightings, solved.
struct Block {
    grid: Grid,
    values: [i8; LANES],
    /// What Lemma 2 comes to.
    lemma_2: [Check; LANES],
    /// Whether Lemma 1 is known to hold.
    lemma_1: [bool; LANES],
}

impl GridSweep {
    /// Solves some units.
    ///
    /// # Errors
    /// As for a solver.
    pub fn solve(
        &mut self,
        grids: &WeightedGrids,
        units: Range<u64>,
        judge: &mut Judge<'_, DirectedGrabbing>,
        valuer: &mut Valuer,
        pulse: &mut dyn Pulse,
    ) -> Result<(), SolveError> {
        let mut unit = units.start;
        while unit < units.end {
            let (found, first_block) = grids.unit(unit);
            let blocks = found.weightings.div_ceil(LANES as u64).min(first_block + units.end - unit);
            let claims = Claims::of(judge.claims(), found.grid);
            let mut tightness = Tightness::new(found.grid);
            for number in first_block..blocks {
                let sliced = self.sliced(found.grid).ok_or(SolveError::NoSuchUnit(unit))?;
                let block = Block::solve(sliced, found.grid, number, &claims, &mut || judge.beat(pulse))?;
                // It is at most the number of lanes.
                let lanes = (found.weightings - number * LANES as u64).min(LANES as u64) as usize;
                for (lane, (olives, content)) in contents(found.grid, number, &block.values).enumerate().take(lanes) {
                    tightness.take(olives, content);
                    let open = block.take_in(judge, &claims, lane, (olives, content));
                    if !open.is_empty() {
                        hold_alone(judge, open, found.grid, olives, Solved { value: block.values[lane].into(), valuer })
                            .ok_or(SolveError::NoSuchUnit(unit))?;
                    }
                }
            }
            tightness.give(judge.collector());
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
        beat: &mut dyn FnMut() -> Result<(), SolveError>,
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
        let mut block = Self { grid, values, lemma_2, lemma_1: [true; LANES] };
        let raised = if claims.lemma_1.is_some() { grid.vertices() } else { 0 };
        for cell in 0..raised {
            // Beyond the number of cells a weight outweighs all else, whatever the others are.
            for amount in 1..=grid.vertices() as u32 {
                block.compare_raised(amount, &sliced.raised_values(number, cell, amount));
            }
            beat()?;
        }
        beat()?;
        Ok(block)
    }

    /// Compares val with that after the weight of a cell was raised by so much.
    fn compare_raised(&mut self, amount: u32, raised: &[i8; LANES]) {
        for (lane, holds) in self.lemma_1.iter_mut().enumerate() {
            *holds &= (i64::from(raised[lane]) - i64::from(self.values[lane])).abs() <= i64::from(amount);
        }
    }

    /// Takes in a weighting, given what Content collects. Gives the claims that are open still, by their index.
    #[inline]
    fn take_in(&self, judge: &mut Judge<'_, DirectedGrabbing>, claims: &Claims, lane: usize, (olives, content): (u64, u64)) -> Vec<usize> {
        let (grid, value) = (self.grid, self.values[lane]);
        let collector = judge.collector();
        let mut open = Vec::new();
        collector.decide();
        for (placed, demand) in &claims.demands {
            match demand.on(olives) {
                None => {}
                Some(_) if demand.is_vacuous() => collector.vacuous_many(placed.place, 1),
                Some(least) if content >= u64::from(least) => collector.held(placed.place),
                Some(_) => open.push(placed.index),
            }
        }
        match &claims.lemma_1 {
            None => {}
            Some(placed) if self.lemma_1[lane] => collector.held(placed.place),
            Some(placed) => open.push(placed.index),
        }
        match (&claims.lemma_2, self.lemma_2[lane]) {
            (None, _) | (_, Check::Silent) => {}
            (Some(placed), Check::Held) => collector.held(placed.place),
            (Some(placed), _) => open.push(placed.index),
        }
        open.extend(claims.others.iter().map(|placed| placed.index));
        if olives == 0 {
            open.extend(claims.without_olives.iter().map(|placed| placed.index));
        }
        let [value_byte] = value.to_be_bytes();
        // There are at most 64 rows and columns.
        let mut record = [b'V', value_byte, grid.rows as u8, grid.columns as u8, 0, 0, 0, 0, 0, 0, 0, 0];
        record[4..].copy_from_slice(&olives.to_be_bytes());
        collector.canonical(&record);
        if collector.keeps(value < 0) {
            keep(judge, value.into(), &of_olives(grid, olives));
        }
        open
    }
}

/// Holds some claims, by their index, against one weighting by their predictions; nothing if it is none.
#[cold]
fn hold_alone(judge: &mut Judge<'_, DirectedGrabbing>, claims: Vec<usize>, grid: Grid, olives: u64, mut solved: Solved<'_>) -> Option<()> {
    let configuration = of_olives(grid, olives);
    let position = configuration.position().ok()?;
    let Ok(_) = judge.hold(claims, &configuration, &position, &mut solved);
    Some(())
}

fn of_olives(grid: Grid, olives: u64) -> WeightedDigraph {
    WeightedDigraph::Grid(grid, (0..grid.vertices()).map(|cell| (olives >> cell & 1) as i64).collect())
}
