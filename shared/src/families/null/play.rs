//! The solver and the reference of the null game, in which every heap has the value 0.

use std::convert::Infallible;
use std::ops::Range;

use crate::families::{Explained, GameReference, GameSolver, Judge, Pulse, SolveError, TooLarge, keyed};
use crate::sweep::ManifestError;
use crate::value::Nimber;

use super::Null;
use super::boxes::{Heap, NullBox};

/// Heaps between two beats of the pulse.
const HEAPS_PER_BEAT: u64 = 1 << 16;

/// What can be left of a heap: nothing can be removed from it.
fn options(_heap: Heap) -> Vec<Heap> {
    Vec::new()
}

/// The Grundy value of a heap by definition: the least that no option has.
fn value(heap: Heap) -> Nimber {
    let options: Vec<Nimber> = options(heap).into_iter().map(value).collect();
    let mex = (0..).map(Nimber).find(|nimber| !options.contains(nimber));
    // There are fewer options than nimbers.
    mex.unwrap_or(Nimber(0))
}

/// Solves shards by the only fact that there is: every heap has the value 0.
pub struct NullSolver;

impl GameSolver<Null> for NullSolver {
    fn new(_one: &NullBox) -> Self {
        Self
    }

    fn solve(&mut self, one: &NullBox, units: Range<u64>, judge: &mut Judge<'_, Null>, pulse: &mut dyn Pulse) -> Result<(), SolveError> {
        let value = Nimber(0).to_string();
        for heap in units.map(|unit| one.heap(unit)) {
            if heap.0 % HEAPS_PER_BEAT == 0 {
                judge.beat(pulse)?;
            }
            judge.collector().decide();
            // The record is the key with its box, and the value.
            let record = [&keyed(judge.box_index(), &heap)[..], value.as_bytes()].concat();
            judge.collector().canonical(&record);
            judge.keep(true, &value, &heap);
        }
        Ok(())
    }
}

/// Solves heaps again by the definition.
#[derive(Default)]
pub struct ByDefinition;

impl GameReference<Null> for ByDefinition {
    fn value(&mut self, position: &Heap) -> Result<Nimber, TooLarge> {
        Ok(value(*position))
    }

    fn answer(&mut self, question: &Infallible) -> Result<Nimber, TooLarge> {
        match *question {}
    }

    fn explain(&mut self, position: &Heap) -> Result<Explained, ManifestError> {
        let (outcome, value) = (Some("P".to_owned()), Some(value(*position).to_string()));
        Ok(Explained { outcome, value, moves: options(*position).len() as u128, ..Explained::default() })
    }
}
