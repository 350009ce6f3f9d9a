//! Parts that occur more than once in a claim: each is worked out once at a lane, however often it is asked for there.
//!
//! A part is worked out where it is asked for first, at the lanes that are asked for, and its vector is kept; where it is asked for
//! again it is worked out at the other lanes alone. So nothing is worked out that a short circuit passes over. A lane at which it had
//! no value is dead from there on, as ever, and the steps that it took at a lane are taken again where it is asked for again: that is
//! what the plain evaluator does.

use crate::language::syntax::Node;
use crate::language::value::{Reason, Value};

use super::column::Vector;
use super::machine::Run;
use super::mask::Mask;
use super::shared::{Kept, Shared};

impl<'a> Run<'_, 'a> {
    /// What a shared part has at the lanes of a mask.
    pub fn shared_vector(&mut self, node: &Node, number: usize, shared: Shared, mask: &Mask) -> Vector<'a> {
        let element = match shared.innermost {
            None => None,
            Some(between) => match self.elements.iter().rev().nth(between) {
                Some(element) => Some(*element),
                None => return self.worked_out(node, mask),
            },
        };
        if self.kept.len() <= number {
            self.kept.resize_with(number + 1, || None);
        }
        let Some(kept) = self.kept[number].take().filter(|kept| kept.element == element) else {
            let (vector, steps) = self.worked_out_counting(node, mask);
            return self.keep(number, Kept { mask: mask.clone(), vector, element, steps });
        };
        let mut missing = self.bytes();
        missing.extend(mask.lanes.iter().zip(&kept.mask.lanes).map(|(asked, known)| asked & (known ^ 1)));
        let missing = Mask::of(missing);
        self.take_steps_again(&kept, mask);
        if missing.count == 0 {
            self.recycle_bytes(missing.lanes);
            return self.keep(number, kept);
        }
        let (vector, mut steps) = self.worked_out_counting(node, &missing);
        let Kept { mask: known, vector: before, steps: taken, .. } = kept;
        steps.iter_mut().zip(&taken).for_each(|(steps, taken)| *steps += taken);
        let both = Mask::of(known.lanes.iter().zip(&missing.lanes).map(|(one, other)| one | other).collect());
        let vector = self.blended(&known.lanes, before, vector, &both);
        [known.lanes, missing.lanes].into_iter().for_each(|buffer| self.recycle_bytes(buffer));
        self.keep(number, Kept { mask: both, vector, element, steps })
    }

    /// Keeps what a part came to, and gives it. Positions are not kept, since the part that made them releases them.
    fn keep(&mut self, number: usize, kept: Kept<'a>) -> Vector<'a> {
        if has_positions(&kept.vector) {
            return kept.vector;
        }
        let vector = self.copied(&kept.vector);
        self.kept[number] = Some(kept);
        vector
    }

    /// What a part has, and how many steps it took at each lane.
    fn worked_out_counting(&mut self, node: &Node, mask: &Mask) -> (Vector<'a>, Vec<u64>) {
        let mut steps = self.machine.steps.clone();
        let vector = self.worked_out(node, mask);
        steps.iter_mut().zip(&self.machine.steps).for_each(|(before, left)| *before -= left);
        (vector, steps)
    }

    /// Takes the steps again that a part took, at those lanes of a mask at which it is known.
    fn take_steps_again(&mut self, kept: &Kept<'_>, mask: &Mask) {
        for lane in mask.iter().filter(|lane| kept.mask.lanes[*lane] != 0) {
            match kept.steps.get(lane) {
                None => return,
                Some(0) => {}
                Some(steps) => {
                    if self.reason(lane).is_none() && self.spend_at(lane, *steps).is_err() {
                        self.kill(lane, Reason::Steps);
                    }
                }
            }
        }
    }

    fn copied(&mut self, vector: &Vector<'a>) -> Vector<'a> {
        match vector {
            Vector::Integers(integers) => {
                let mut buffer = self.integers();
                buffer.extend_from_slice(integers);
                Vector::Integers(buffer)
            }
            Vector::Booleans(bytes) => {
                let mut buffer = self.bytes();
                buffer.extend_from_slice(bytes);
                Vector::Booleans(buffer)
            }
            Vector::Classes(outcomes) => {
                let mut buffer = self.classes();
                buffer.extend_from_slice(outcomes);
                Vector::Classes(buffer)
            }
            other => other.clone(),
        }
    }

    /// Gives the buffers of all that is kept back.
    pub fn recycle_kept(&mut self) {
        for kept in std::mem::take(&mut self.kept).into_iter().flatten() {
            self.recycle(kept.vector);
            self.recycle_bytes(kept.mask.lanes);
        }
    }
}

fn has_positions(vector: &Vector<'_>) -> bool {
    fn is_one(value: &Value) -> bool {
        match value {
            Value::Position(_) | Value::Positions(_) => true,
            // The elements of a list are of one type.
            Value::List(elements) | Value::Set(elements) => elements.first().is_some_and(is_one),
            _ => false,
        }
    }
    match vector {
        Vector::Value(value) => is_one(value),
        Vector::Values(values) => values.iter().any(is_one),
        _ => false,
    }
}
