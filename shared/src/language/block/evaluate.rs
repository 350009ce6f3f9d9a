//! Works out a tree at the lanes of a mask, and looks at each operand only at the lanes that need it.

use std::sync::Arc;

use crate::language::games;
use crate::language::syntax::{At, Kind, Named, Node, Sign};
use crate::language::value::{PositionList, Reading, Reason, Value};

use super::column::{Column, Selection, Vector};
use super::machine::Run;
use super::mask::Mask;

/// True or false at the lanes.
pub enum Bits {
    /// The same at all.
    Same(bool),
    /// A byte each.
    Each(Vec<u8>),
}

impl Bits {
    /// Those of what is true or false. Where no lane has a value it is false.
    pub fn of(vector: Vector<'_>) -> Self {
        match vector {
            Vector::Boolean(boolean) => Self::Same(boolean),
            Vector::Booleans(bytes) => Self::Each(bytes),
            Vector::Values(values) => Self::Each(values.iter().map(|value| u8::from(*value == Value::Boolean(true))).collect()),
            _ => Self::Same(false),
        }
    }
}

impl<'a> Run<'_, 'a> {
    /// What a tree has at the lanes of a mask. It recurses as deep as the tree, which is bounded.
    pub fn vector(&mut self, node: &Node, mask: &Mask) -> Vector<'a> {
        if mask.count == 0 {
            return Vector::Dead;
        }
        let number = (node.shared as usize).checked_sub(1);
        match number.and_then(|number| Some((number, *self.shared.get(number)?))) {
            Some((number, shared)) => self.shared_vector(node, number, shared, mask),
            None => self.worked_out(node, mask),
        }
    }

    /// The same of a part that is not known yet, at some lanes.
    pub fn worked_out(&mut self, node: &Node, mask: &Mask) -> Vector<'a> {
        match &node.kind {
            Kind::Integer(integer) => Vector::Integer(*integer),
            Kind::Boolean(boolean) => Vector::Boolean(*boolean),
            Kind::Outcome(outcome) => Vector::Value(Value::Outcome(*outcome)),
            Kind::Game(text) => {
                let known = self.quoted.get(text).cloned();
                let value = known.map_or_else(|| games::quoted(text, self.games), Ok);
                if let Ok(value) = &value {
                    self.quoted.entry(Arc::clone(text)).or_insert_with(|| value.clone());
                }
                self.once(mask, value)
            }
            Kind::Variable(variable) => self.variable(variable.index, mask),
            Kind::Bound(bound) => {
                let element = self.bound.iter().rev().nth(bound.index).cloned();
                element.unwrap_or_else(|| self.kill_all(mask, Reason::Unknown))
            }
            Kind::Positions(variable) => self.each(mask, |run, lane| {
                let of = run.others.own(run.selection.lane(lane));
                Ok(Value::Positions(PositionList { of, variable: variable.index }))
            }),
            Kind::Name(_) => self.kill_all(mask, Reason::Unknown),
            Kind::Negative(operand) => {
                let operand = self.vector(operand, mask);
                self.negative(operand, mask)
            }
            Kind::Not(operand) => match self.bits(operand, mask) {
                Bits::Same(boolean) => Vector::Boolean(!boolean),
                Bits::Each(mut bytes) => {
                    bytes.iter_mut().for_each(|byte| *byte ^= 1);
                    Vector::Booleans(bytes)
                }
            },
            Kind::Arithmetic(operator, pair) => {
                let one = self.vector(&pair[0], mask);
                let other = self.vector(&pair[1], mask);
                self.arithmetic(*operator, one, other, mask)
            }
            Kind::Compare(first, rest) => self.chain(first, rest, mask),
            Kind::In(element, domain) => self.is_in(element, domain, mask),
            Kind::And(operands) => self.until(operands, false, mask),
            Kind::Or(operands) => self.until(operands, true, mask),
            Kind::Implies(pair) => self.implies(pair, mask),
            Kind::Iff(pair) => match (self.bits(&pair[0], mask), self.bits(&pair[1], mask)) {
                (Bits::Same(one), Bits::Same(other)) => Vector::Boolean(one == other),
                (Bits::Same(same), Bits::Each(mut bytes)) | (Bits::Each(mut bytes), Bits::Same(same)) => {
                    let flip = u8::from(!same);
                    bytes.iter_mut().for_each(|byte| *byte ^= flip);
                    Vector::Booleans(bytes)
                }
                (Bits::Each(mut one), Bits::Each(other)) => {
                    one.iter_mut().zip(&other).for_each(|(one, other)| *one ^= other ^ 1);
                    self.recycle_bytes(other);
                    Vector::Booleans(one)
                }
            },
            Kind::Choice(parts) => self.choice(parts, mask),
            Kind::Call(function, arguments) => self.call(*function, arguments, mask),
            Kind::Quantified(quantified) => {
                let Some(elements) = self.elements(&quantified.domain, mask) else { return Vector::Dead };
                self.quantified(quantified, elements, mask)
            }
            Kind::List(elements) => self.list(elements, mask),
            Kind::Index(pair) => {
                let list = self.vector(&pair[0], mask);
                let index = self.vector(&pair[1], mask);
                self.index(&list, &index, mask)
            }
            Kind::At(at) => self.position_at(at, mask),
            Kind::Field(of, named) => self.field(of, named, mask),
        }
    }

    /// Another position at each lane.
    fn position_at(&mut self, At { of, changes }: &At, mask: &Mask) -> Vector<'a> {
        let base = of.as_ref().map(|of| self.vector(of, mask));
        let mut values = Vec::with_capacity(changes.len());
        for change in changes {
            values.push(self.vector(&change.value, mask));
        }
        if base.iter().chain(&values).any(|vector| matches!(vector, Vector::Dead)) {
            return Vector::Dead;
        }
        let mut set: Vec<(usize, i64)> = changes.iter().map(|change| (change.named.index, 0)).collect();
        let found = self.each(mask, |run, lane| {
            let base = match base.as_ref().map(|base| base.at(lane)) {
                None => run.others.own(run.selection.lane(lane)),
                Some(Value::Position(position)) => position,
                Some(_) => return Err(Reason::Unknown),
            };
            for ((_, change), vector) in set.iter_mut().zip(&values) {
                let Some(each) = vector.integers() else { return Err(Reason::Unknown) };
                *change = each.at(lane);
            }
            run.others.at(base, &set).map(Value::Position)
        });
        values.into_iter().for_each(|vector| self.recycle(vector));
        found
    }

    /// What other positions have under a name.
    fn field(&mut self, of: &Node, named: &Named, mask: &Mask) -> Vector<'a> {
        let kept = self.others.kept();
        let positions = self.vector(of, mask);
        if let Vector::Dead = positions {
            return Vector::Dead;
        }
        let mut lists = false;
        let found = self.each(mask, |run, lane| {
            let Value::Position(position) = positions.at(lane) else { return Err(Reason::Unknown) };
            match run.others.read(position, named.index, run.games) {
                Reading::Value(value) => {
                    lists |= matches!(value, Value::Positions(_));
                    Ok(value)
                }
                Reading::Undefined(reason) => Err(reason),
                Reading::Absent => Err(Reason::NoName),
            }
        });
        if !lists {
            // Nothing refers to the positions any more, if they were made for this.
            self.others.release(kept);
        }
        found
    }

    /// The same of a tree that is true or false.
    pub fn bits(&mut self, node: &Node, mask: &Mask) -> Bits {
        Bits::of(self.vector(node, mask))
    }

    /// The column of a variable.
    fn variable(&mut self, index: usize, mask: &Mask) -> Vector<'a> {
        match self.block.columns.get(index) {
            Some(Column::Constant(reading)) => {
                let value = match reading {
                    Reading::Value(value) => Ok(value.clone()),
                    Reading::Undefined(reason) => Err(*reason),
                    Reading::Absent => Err(Reason::Unknown),
                };
                self.once(mask, value)
            }
            Some(Column::Counting { first }) => {
                let mut buffer = self.integers();
                // The caller sees to it that the last number is one of 64 bits.
                self.selection.each(|lane| buffer.push(first.wrapping_add(lane as i64)));
                Vector::Integers(buffer)
            }
            Some(Column::Integers(integers)) => {
                if let Selection::Window(range) = &self.selection {
                    return integers.get(range.clone()).map_or(Vector::Dead, Vector::Slice);
                }
                let mut buffer = self.integers();
                self.selection.each(|lane| buffer.push(integers[lane]));
                Vector::Integers(buffer)
            }
            Some(Column::Booleans(booleans)) => {
                let mut buffer = self.bytes();
                self.selection.each(|lane| buffer.push(u8::from(booleans[lane])));
                Vector::Booleans(buffer)
            }
            Some(Column::Outcomes(outcomes)) => {
                if let Selection::Window(range) = &self.selection {
                    return outcomes.get(range.clone()).map_or(Vector::Dead, Vector::Outcomes);
                }
                let mut buffer = self.classes();
                self.selection.each(|lane| buffer.push(outcomes[lane]));
                Vector::Classes(buffer)
            }
            Some(Column::Readings(readings)) => self.each(mask, |run, lane| match readings.get(run.selection.lane(lane)) {
                Some(Reading::Value(value)) => Ok(value.clone()),
                Some(Reading::Undefined(reason)) => Err(*reason),
                Some(Reading::Absent) | None => Err(Reason::Unknown),
            }),
            None => self.kill_all(mask, Reason::Unknown),
        }
    }

    /// Whether some operand is `wanted`, each worked out only where none before it was.
    pub fn until<'n>(&mut self, operands: impl IntoIterator<Item = &'n Node>, wanted: bool, mask: &Mask) -> Vector<'a> {
        let mut open: Option<Mask> = None;
        for operand in operands {
            let current = open.as_ref().unwrap_or(mask);
            if current.count == 0 {
                break;
            }
            match self.bits(operand, current) {
                // Where it was not decided yet it is now, in the same way as before.
                Bits::Same(boolean) if boolean == wanted => return Vector::Boolean(wanted),
                Bits::Same(_) => {}
                Bits::Each(bytes) => {
                    let narrowed = self.narrowed(current, &bytes, !wanted);
                    self.recycle_bytes(bytes);
                    if let Some(before) = open.replace(narrowed) {
                        self.recycle_bytes(before.lanes);
                    }
                }
            }
        }
        let Some(mut open) = open else { return Vector::Boolean(!wanted) };
        if wanted {
            open.lanes.iter_mut().for_each(|lane| *lane ^= 1);
        }
        Vector::Booleans(open.lanes)
    }

    fn implies(&mut self, pair: &[Node; 2], mask: &Mask) -> Vector<'a> {
        match self.bits(&pair[0], mask) {
            Bits::Same(false) => Vector::Boolean(true),
            Bits::Same(true) => self.vector(&pair[1], mask),
            Bits::Each(bytes) => {
                let open = self.narrowed(mask, &bytes, true);
                self.recycle_bytes(bytes);
                match self.bits(&pair[1], &open) {
                    Bits::Same(true) => Vector::Boolean(true),
                    Bits::Same(false) => {
                        let mut lanes = open.lanes;
                        lanes.iter_mut().for_each(|lane| *lane ^= 1);
                        Vector::Booleans(lanes)
                    }
                    Bits::Each(mut bytes) => {
                        bytes.iter_mut().zip(&open.lanes).for_each(|(byte, lane)| *byte |= lane ^ 1);
                        self.recycle_bytes(open.lanes);
                        Vector::Booleans(bytes)
                    }
                }
            }
        }
    }

    fn choice(&mut self, parts: &[Node; 3], mask: &Mask) -> Vector<'a> {
        let bytes = match self.bits(&parts[0], mask) {
            Bits::Same(condition) => return self.vector(if condition { &parts[1] } else { &parts[2] }, mask),
            Bits::Each(bytes) => bytes,
        };
        let (then_mask, else_mask) = (self.narrowed(mask, &bytes, true), self.narrowed(mask, &bytes, false));
        let then = self.vector(&parts[1], &then_mask);
        let otherwise = self.vector(&parts[2], &else_mask);
        let chosen = self.blended(&bytes, then, otherwise, mask);
        [bytes, then_mask.lanes, else_mask.lanes].into_iter().for_each(|buffer| self.recycle_bytes(buffer));
        chosen
    }

    /// The first where the byte is 1, else the second.
    pub fn blended(&mut self, bytes: &[u8], then: Vector<'a>, otherwise: Vector<'a>, mask: &Mask) -> Vector<'a> {
        match (&then, &otherwise) {
            (Vector::Dead, _) => return otherwise,
            (_, Vector::Dead) => return then,
            _ => {}
        }
        let blended = if let (Some(one), Some(other)) = (then.integers(), otherwise.integers()) {
            let mut buffer = self.integers();
            one.blend(other, bytes, &mut buffer);
            Vector::Integers(buffer)
        } else if let (Some(one), Some(other)) = (then.outcomes(), otherwise.outcomes()) {
            let mut buffer = self.classes();
            one.blend(other, bytes, &mut buffer);
            Vector::Classes(buffer)
        } else if let (Some(one), Some(other)) = (then.bytes(), otherwise.bytes()) {
            let mut buffer = self.bytes();
            one.blend(other, bytes, &mut buffer);
            Vector::Booleans(buffer)
        } else {
            return self.each(mask, |_, lane| Ok(if bytes[lane] != 0 { then.at(lane) } else { otherwise.at(lane) }));
        };
        self.recycle(then);
        self.recycle(otherwise);
        blended
    }

    /// A chain of comparisons, each worked out only where all before it hold.
    fn chain(&mut self, first: &Node, rest: &[(Sign, Node)], mask: &Mask) -> Vector<'a> {
        let mut before = self.vector(first, mask);
        let mut open: Option<Mask> = None;
        for (index, (sign, operand)) in rest.iter().enumerate() {
            let current = open.as_ref().unwrap_or(mask);
            if current.count == 0 {
                break;
            }
            let next = self.vector(operand, current);
            let found = self.compared(*sign, &before, &next, current);
            self.recycle(std::mem::replace(&mut before, next));
            if rest.len() == 1 {
                self.recycle(before);
                return found;
            }
            match found {
                Vector::Boolean(true) => {}
                Vector::Booleans(bytes) => {
                    let narrowed = self.narrowed(current, &bytes, true);
                    self.recycle_bytes(bytes);
                    if let Some(before) = open.replace(narrowed) {
                        self.recycle_bytes(before.lanes);
                    }
                }
                // False everywhere, or dead.
                other if index == 0 => return other,
                _ => return Vector::Boolean(false),
            }
        }
        self.recycle(before);
        open.map_or(Vector::Boolean(true), |open| Vector::Booleans(open.lanes))
    }
}
