//! The buffers of the fast evaluator, and one run with them: which lanes are dead and why, and how many steps each has left.

use std::collections::HashMap;
use std::sync::Arc;

use crate::language::bounds::MAX_STEPS;
use crate::language::positions::Positions;
use crate::language::value::{Reason, Value, Verdict};
use crate::value::{Games, Outcome};

use super::column::{Block, Selection, Vector};
use super::mask::Mask;
use super::shared::{Kept, Shared};

/// The buffers that programs work with. It is kept from block to block, and may serve any number of programs.
#[derive(Debug, Default)]
pub struct Machine {
    integers: Vec<Vec<i64>>,
    bytes: Vec<Vec<u8>>,
    classes: Vec<Vec<Outcome>>,
    /// Why a lane is dead.
    reasons: Vec<Option<Reason>>,
    /// The steps that quantifiers may still take at a lane; empty where nothing takes steps.
    pub(super) steps: Vec<u64>,
    pub(super) verdicts: Vec<Verdict>,
    /// The verdicts of the lanes at which a statement is worked out.
    pub(super) found: Vec<Verdict>,
    pub(super) selected: Vec<u32>,
    /// The operands of a hypothesis that have to be worked out.
    pub(super) rest: Vec<usize>,
}

impl Machine {
    /// A machine without buffers; the first block makes them.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes back a buffer for bytes.
    pub(super) fn bytes_back(&mut self, buffer: Vec<u8>) {
        take_back(&mut self.bytes, buffer);
    }
}

/// Keeps a buffer for later, if there are not many already: more come back than were taken, since some are made on the way.
fn take_back<T>(buffers: &mut Vec<Vec<T>>, buffer: Vec<T>) {
    const MOST: usize = 64;
    if buffers.len() < MOST {
        buffers.push(buffer);
    }
}

/// One tree worked out at some lanes of a block.
pub struct Run<'r, 'a> {
    pub machine: &'r mut Machine,
    pub block: Block<'a>,
    pub selection: Selection<'r>,
    pub lanes: usize,
    pub games: &'r mut Games,
    pub others: &'r mut dyn Positions,
    /// The elements that quantifiers around stand at, the innermost last.
    pub bound: Vec<Vector<'a>>,
    /// A number for each of these, which no other element has, also of another quantifier.
    pub elements: Vec<u64>,
    /// How many elements there were.
    pub elements_met: u64,
    /// The parts that occur more than once, by their numbers less one, and what they came to.
    pub shared: &'r [Shared],
    pub kept: Vec<Option<Kept<'a>>>,
    /// How many lanes have died.
    pub deaths: usize,
    /// The quoted values that were met.
    pub quoted: HashMap<Arc<str>, Value>,
}

impl<'r, 'a> Run<'r, 'a> {
    pub fn new(
        machine: &'r mut Machine,
        block: Block<'a>,
        selection: Selection<'r>,
        (games, others): (&'r mut Games, &'r mut dyn Positions),
        (takes_steps, shared): (bool, &'r [Shared]),
    ) -> Self {
        let lanes = selection.len();
        machine.reasons.clear();
        machine.reasons.resize(lanes, None);
        machine.steps.clear();
        machine.steps.resize(if takes_steps { lanes } else { 0 }, MAX_STEPS);
        Self {
            machine,
            block,
            selection,
            lanes,
            games,
            others,
            bound: Vec::new(),
            elements: Vec::new(),
            elements_met: 0,
            shared,
            kept: Vec::new(),
            deaths: 0,
            quoted: HashMap::new(),
        }
    }

    /// A buffer for whole numbers, empty.
    pub fn integers(&mut self) -> Vec<i64> {
        let mut buffer = self.machine.integers.pop().unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// A buffer for bytes, empty.
    pub fn bytes(&mut self) -> Vec<u8> {
        let mut buffer = self.machine.bytes.pop().unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// A buffer for outcome classes, empty.
    pub fn classes(&mut self) -> Vec<Outcome> {
        let mut buffer = self.machine.classes.pop().unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// Takes back the buffer of a vector.
    pub fn recycle(&mut self, vector: Vector<'a>) {
        match vector {
            Vector::Integers(buffer) => take_back(&mut self.machine.integers, buffer),
            Vector::Booleans(buffer) => take_back(&mut self.machine.bytes, buffer),
            Vector::Classes(buffer) => take_back(&mut self.machine.classes, buffer),
            _ => {}
        }
    }

    /// Takes back a buffer for bytes.
    pub fn recycle_bytes(&mut self, buffer: Vec<u8>) {
        take_back(&mut self.machine.bytes, buffer);
    }

    /// All lanes.
    pub fn all(&mut self) -> Mask {
        let mut lanes = self.bytes();
        lanes.resize(self.lanes, 1);
        Mask { lanes, count: self.lanes }
    }

    /// Those lanes of a mask at which the byte is 1, or those at which it is 0.
    pub fn narrowed(&mut self, mask: &Mask, bytes: &[u8], wanted: bool) -> Mask {
        let flip = u8::from(!wanted);
        let mut lanes = self.bytes();
        lanes.extend(mask.lanes.iter().zip(bytes).map(|(lane, byte)| lane & (byte ^ flip)));
        Mask::of(lanes)
    }

    /// Why a lane is dead, if it is.
    pub fn reason(&self, lane: usize) -> Option<Reason> {
        self.machine.reasons[lane]
    }

    /// A lane has no value. The first reason stays.
    pub fn kill(&mut self, lane: usize, reason: Reason) {
        let slot = &mut self.machine.reasons[lane];
        if slot.is_none() {
            *slot = Some(reason);
            self.deaths += 1;
        }
    }

    /// No lane has a value.
    pub fn kill_all(&mut self, mask: &Mask, reason: Reason) -> Vector<'a> {
        mask.iter().for_each(|lane| self.kill(lane, reason));
        Vector::Dead
    }

    /// The lanes of a mask that are not dead.
    pub fn alive(&mut self, mask: &Mask) -> Mask {
        let mut lanes = self.bytes();
        lanes.extend(mask.lanes.iter().zip(&self.machine.reasons).map(|(lane, reason)| lane & u8::from(reason.is_none())));
        Mask::of(lanes)
    }

    /// Takes steps at a lane.
    pub fn spend_at(&mut self, lane: usize, steps: u64) -> Result<(), Reason> {
        // Without a slot for its steps nothing in the tree was thought to take any.
        let left = self.machine.steps.get_mut(lane).ok_or(Reason::Steps)?;
        *left = left.checked_sub(steps).ok_or(Reason::Steps)?;
        Ok(())
    }

    /// Takes steps at each lane of a mask; where there are too few left, the lane dies.
    pub fn spend(&mut self, mask: &Mask, steps: u64) {
        for lane in mask.iter() {
            if self.spend_at(lane, steps).is_err() {
                self.kill(lane, Reason::Steps);
            }
        }
    }

    /// A value that is worked out once for all lanes of a mask, and takes steps at each of them.
    pub fn once_in(
        &mut self,
        mask: &Mask,
        steps: Result<u64, Reason>,
        value: impl FnOnce(&mut Self) -> Result<Value, Reason>,
    ) -> Vector<'a> {
        match steps {
            Err(reason) => return self.kill_all(mask, reason),
            Ok(0) => {}
            Ok(steps) => self.spend(mask, steps),
        }
        let value = value(self);
        self.once(mask, value)
    }

    /// A value that is worked out once for all lanes of a mask.
    pub fn once(&mut self, mask: &Mask, value: Result<Value, Reason>) -> Vector<'a> {
        match value {
            Ok(value) => Vector::constant(value),
            Err(reason) => self.kill_all(mask, reason),
        }
    }

    /// A value that is worked out at each lane of a mask that is not dead.
    pub fn each(&mut self, mask: &Mask, mut value: impl FnMut(&mut Self, usize) -> Result<Value, Reason>) -> Vector<'a> {
        let mut values = vec![Value::Integer(0); self.lanes];
        for lane in mask.iter() {
            if self.machine.reasons[lane].is_none() {
                match value(self, lane) {
                    Ok(value) => values[lane] = value,
                    Err(reason) => self.kill(lane, reason),
                }
            }
        }
        self.packed(values, mask)
    }

    /// Values in the tightest form that holds those of the lanes of a mask.
    pub fn packed(&mut self, values: Vec<Value>, mask: &Mask) -> Vector<'a> {
        let (mut lanes, mut integers, mut booleans, mut outcomes) = (0, 0, 0, 0);
        for lane in mask.iter().filter(|lane| self.machine.reasons[*lane].is_none()) {
            lanes += 1;
            integers += usize::from(matches!(values[lane], Value::Integer(_)));
            booleans += usize::from(matches!(values[lane], Value::Boolean(_)));
            outcomes += usize::from(matches!(values[lane], Value::Outcome(_)));
        }
        if lanes == 0 {
            Vector::Dead
        } else if integers == lanes {
            let mut packed = self.integers();
            packed.extend(values.iter().map(|value| if let Value::Integer(integer) = value { *integer } else { 0 }));
            Vector::Integers(packed)
        } else if booleans == lanes {
            let mut packed = self.bytes();
            packed.extend(values.iter().map(|value| u8::from(*value == Value::Boolean(true))));
            Vector::Booleans(packed)
        } else if outcomes == lanes {
            let mut packed = self.classes();
            packed.extend(values.iter().map(|value| if let Value::Outcome(outcome) = value { *outcome } else { Outcome::N }));
            Vector::Classes(packed)
        } else {
            Vector::Values(values)
        }
    }
}
