//! Solves shards of directed grabbing, one configuration at a time by its lattice; 0/1 weightings of grids it leaves to
//! `grid_sweep`, which solves a block of them at once.

use std::ops::Range;

use crate::families::{Configuration, GameSolver, Judge, Pulse, SolveError};

use super::DirectedGrabbing;
use super::boxes::GrabbingBox;
use super::grid_sweep::GridSweep;
use super::key::WeightedDigraph;
use super::lattice::Valuer;
use super::solved::{Solved, keep};

/// Moves evaluated between two beats of the pulse: a lattice of a sweep has fewer than 2^16 of them.
const MOVES_PER_BEAT: u64 = 1 << 14;

/// Solves shards of directed grabbing. It keeps the lattices of the digraphs that it has seen.
pub struct GrabbingSolver {
    valuer: Valuer,
    grids: GridSweep,
    /// Where a canonical record is put together.
    buffer: Vec<u8>,
}

impl GameSolver<DirectedGrabbing> for GrabbingSolver {
    fn new(_one: &GrabbingBox) -> Self {
        Self { valuer: Valuer::default(), grids: GridSweep::default(), buffer: Vec::new() }
    }

    fn solve(
        &mut self,
        one: &GrabbingBox,
        units: Range<u64>,
        judge: &mut Judge<'_, DirectedGrabbing>,
        pulse: &mut dyn Pulse,
    ) -> Result<(), SolveError> {
        if let GrabbingBox::Grids(grids) = one
            && grids.is_olives()
        {
            return self.grids.solve(grids, units, judge, &mut self.valuer, pulse);
        }
        let mut beaten = self.valuer.moves();
        for (unit, configuration) in units.flat_map(|unit| one.unit(unit).map(move |configuration| (unit, configuration))) {
            self.decide(&configuration, judge).ok_or(SolveError::NoSuchUnit(unit))?;
            if self.valuer.moves() - beaten >= MOVES_PER_BEAT {
                beaten = self.valuer.moves();
                judge.beat(pulse)?;
            }
        }
        judge.beat(pulse)
    }
}

impl GrabbingSolver {
    /// Solves a configuration and hands it to the judge; nothing if it is none.
    fn decide(&mut self, configuration: &WeightedDigraph, judge: &mut Judge<'_, DirectedGrabbing>) -> Option<()> {
        let position = configuration.position().ok()?;
        let value = self.valuer.value(&position);
        let Ok(_) = judge.decide(configuration, &position, &mut Solved { value, valuer: &mut self.valuer });
        self.buffer.clear();
        self.buffer.push(b'V');
        self.buffer.extend_from_slice(&value.to_be_bytes());
        configuration.canonical(&mut self.buffer);
        judge.collector().canonical(&self.buffer);
        keep(judge, value, configuration);
        Some(())
    }
}
