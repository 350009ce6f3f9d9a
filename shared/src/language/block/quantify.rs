//! Quantifiers at many lanes: element by element, at the lanes where nothing is decided yet.

use std::sync::Arc;

use crate::language::syntax::{Domain, Quantified, Quantifier};
use crate::language::value::{Reason, Value};

use super::column::Vector;
use super::evaluate::Bits;
use super::machine::Run;
use super::mask::Mask;

/// What a quantifier ranges over at the lanes.
pub enum Elements {
    /// The same range at all.
    Range(i64, i64),
    /// A range each.
    Ranges(Vec<i64>, Vec<i64>),
    /// The same list at all.
    List(Arc<[Value]>),
    /// A list each, and how many elements it has.
    Lists(Vec<Value>, Vec<u64>),
}

/// A quantifier on its way through its elements.
struct Walk<'a> {
    quantifier: Quantifier,
    /// Whether all lanes have the same elements.
    is_same: bool,
    /// The lanes that have not run out of elements and where nothing is decided yet.
    open: Mask,
    /// Where nothing has differed between lanes yet, none; else what the lanes have counted, summed up or found.
    found: Option<Found>,
    /// What all lanes have counted or summed up together.
    total: i64,
    /// The first element of all lanes together.
    first: Option<Vector<'a>>,
}

enum Found {
    /// `any`, `all`: 1 where it was decided early.
    Decided(Vec<u8>),
    Totals(Vec<i64>),
    Firsts(Vec<Option<Value>>),
}

impl<'a> Run<'_, 'a> {
    /// What a domain has at the lanes; none if no lane is left.
    pub fn elements(&mut self, domain: &Domain, mask: &Mask) -> Option<Elements> {
        match domain {
            Domain::Range(low, high) => {
                let (low, high) = (self.vector(low, mask), self.vector(high, mask));
                if let (Vector::Integer(low), Vector::Integer(high)) = (&low, &high) {
                    return Some(Elements::Range(*low, *high));
                }
                let each = |vector: &Vector<'_>| vector.integers().map(|each| (0..mask.lanes.len()).map(|lane| each.at(lane)).collect());
                Some(Elements::Ranges(each(&low)?, each(&high)?))
            }
            Domain::Elements(list) => match self.vector(list, mask) {
                Vector::Value(Value::List(elements) | Value::Set(elements)) => Some(Elements::List(elements)),
                // Along a block lists of positions are of different positions; where all have the same one it is one lane.
                Vector::Value(list @ Value::Positions(_)) => Some(self.lists(vec![list; self.lanes], mask)),
                Vector::Values(values) => Some(self.lists(values, mask)),
                _ => None,
            },
        }
    }

    /// Lists with their lengths.
    fn lists(&mut self, values: Vec<Value>, mask: &Mask) -> Elements {
        let mut counts = vec![0; values.len()];
        for lane in mask.iter() {
            if self.reason(lane).is_some() {
                continue;
            }
            match &values[lane] {
                Value::List(elements) | Value::Set(elements) => counts[lane] = elements.len() as u64,
                Value::Positions(list) => match self.others.count(*list) {
                    Ok(count) => counts[lane] = count,
                    Err(reason) => self.kill(lane, reason),
                },
                _ => {}
            }
        }
        Elements::Lists(values, counts)
    }

    /// The lanes of a mask that have an element of this number.
    pub fn having(&mut self, elements: &Elements, index: u64, mask: &Mask) -> Mask {
        let has = |lane: usize| match elements {
            Elements::Range(low, high) => low.checked_add_unsigned(index).is_some_and(|element| element <= *high),
            Elements::Ranges(low, high) => low[lane].checked_add_unsigned(index).is_some_and(|element| element <= high[lane]),
            Elements::List(elements) => index < elements.len() as u64,
            Elements::Lists(_, counts) => index < counts[lane],
        };
        let mut lanes = self.bytes();
        match elements {
            Elements::Range(..) | Elements::List(_) if has(0) => lanes.extend_from_slice(&mask.lanes),
            Elements::Range(..) | Elements::List(_) => lanes.resize(mask.lanes.len(), 0),
            _ => lanes.extend(mask.lanes.iter().enumerate().map(|(lane, asked)| asked & u8::from(*asked != 0 && has(lane)))),
        }
        Mask::of(lanes)
    }

    /// The elements of this number, at lanes that have one.
    fn element(&mut self, elements: &Elements, index: u64, mask: &Mask) -> Vector<'a> {
        // Below every number here there is an element of it.
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        match elements {
            Elements::Range(low, _) => Vector::Integer(low.wrapping_add_unsigned(index)),
            Elements::Ranges(low, _) => {
                let mut buffer = self.integers();
                buffer.extend(low.iter().map(|low| low.wrapping_add_unsigned(index)));
                Vector::Integers(buffer)
            }
            Elements::List(elements) => Vector::constant(elements.get(place).cloned().unwrap_or(Value::Integer(0))),
            Elements::Lists(values, _) => self.each(mask, |run, lane| match &values[lane] {
                Value::List(elements) | Value::Set(elements) => elements.get(place).cloned().ok_or(Reason::Unknown),
                Value::Positions(list) => run.others.element(*list, index).map(Value::Position),
                _ => Err(Reason::Unknown),
            }),
        }
    }

    /// What a quantifier comes to over these elements.
    pub fn quantified(&mut self, quantified: &Quantified, elements: Elements, mask: &Mask) -> Vector<'a> {
        let open = self.alive(mask);
        let is_same = matches!(elements, Elements::Range(..) | Elements::List(_));
        let mut walk = Walk { quantifier: quantified.quantifier, is_same, open, found: None, total: 0, first: None };
        for index in 0.. {
            let here = self.having(&elements, index, &walk.open);
            self.recycle_bytes(std::mem::replace(&mut walk.open, here).lanes);
            if walk.open.count == 0 {
                break;
            }
            let deaths = self.deaths;
            let kept = self.others.kept();
            self.spend(&walk.open, quantified.steps);
            let element = self.element(&elements, index, &walk.open);
            if self.deaths != deaths {
                self.leave_dead(&mut walk);
            }
            self.bound.push(element);
            self.elements_met += 1;
            self.elements.push(self.elements_met);
            let deaths = self.deaths;
            let body = self.vector(&quantified.body, &walk.open);
            if self.deaths != deaths {
                self.leave_dead(&mut walk);
            }
            self.elements.pop();
            let element = self.bound.pop().unwrap_or(Vector::Dead);
            let open = walk.open.count;
            match quantified.quantifier {
                Quantifier::Sum => self.add(&mut walk, body),
                _ => self.ask(&mut walk, body, &element),
            }
            if quantified.quantifier != Quantifier::First || walk.open.count == open {
                self.others.release(kept);
            }
            self.recycle(element);
        }
        self.finish(walk, mask)
    }

    /// Drops the lanes that are dead.
    fn leave_dead(&mut self, walk: &mut Walk<'a>) {
        let alive = self.alive(&walk.open);
        self.recycle_bytes(std::mem::replace(&mut walk.open, alive).lanes);
    }

    /// Takes in whether the element is one of those that are asked for.
    fn ask(&mut self, walk: &mut Walk<'a>, body: Vector<'a>, element: &Vector<'a>) {
        let wanted = walk.quantifier != Quantifier::All;
        // Where the body is dead the open lanes are none by now.
        let bits = Bits::of(body);
        // Lanes where the body is what decides.
        let here = match &bits {
            Bits::Same(boolean) if *boolean != wanted => return,
            Bits::Same(_) => walk.open.clone(),
            Bits::Each(bytes) => self.narrowed(&walk.open, bytes, wanted),
        };
        let lanes = self.lanes;
        let is_alike = walk.is_same && walk.found.is_none() && matches!(bits, Bits::Same(_));
        match walk.quantifier {
            Quantifier::Count | Quantifier::Sum => {
                if is_alike {
                    walk.total += 1;
                } else if let Found::Totals(totals) = walk.found.get_or_insert_with(|| Found::Totals(vec![walk.total; lanes])) {
                    // A count is at most the number of steps.
                    here.iter().for_each(|lane| totals[lane] += 1);
                }
                return;
            }
            Quantifier::First if is_alike && element.as_constant().is_some() => walk.first = Some(element.clone()),
            Quantifier::First => {
                if let Found::Firsts(firsts) = walk.found.get_or_insert_with(|| Found::Firsts(vec![None; lanes])) {
                    here.iter().for_each(|lane| firsts[lane] = Some(element.at(lane)));
                }
            }
            Quantifier::Any | Quantifier::All => {
                // Where all open lanes are decided alike while none was before, `total` says so.
                if is_alike {
                    walk.total = 1;
                } else if let Found::Decided(decided) = walk.found.get_or_insert_with(|| Found::Decided(vec![0; lanes])) {
                    here.iter().for_each(|lane| decided[lane] = 1);
                }
            }
        }
        let open = self.narrowed(&walk.open, &here.lanes, false);
        self.recycle_bytes(std::mem::replace(&mut walk.open, open).lanes);
        self.recycle_bytes(here.lanes);
    }

    /// Takes in a term of a sum.
    fn add(&mut self, walk: &mut Walk<'a>, body: Vector<'a>) {
        let Some(terms) = body.integers() else { return };
        let lanes = self.lanes;
        if let (Vector::Integer(term), None, true) = (&body, &walk.found, walk.is_same) {
            match walk.total.checked_add(*term) {
                Some(total) => walk.total = total,
                None => {
                    self.kill_all(&walk.open, Reason::Overflow);
                    self.leave_dead(walk);
                }
            }
            return;
        }
        let total = walk.total;
        let Found::Totals(totals) = walk.found.get_or_insert_with(|| Found::Totals(vec![total; lanes])) else { return };
        let mut overflows = Vec::new();
        for lane in walk.open.iter() {
            match totals[lane].checked_add(terms.at(lane)) {
                Some(total) => totals[lane] = total,
                None => overflows.push(lane),
            }
        }
        for lane in &overflows {
            self.kill(*lane, Reason::Overflow);
        }
        if !overflows.is_empty() {
            self.leave_dead(walk);
        }
        self.recycle(body);
    }

    fn finish(&mut self, walk: Walk<'a>, mask: &Mask) -> Vector<'a> {
        let Walk { quantifier, open, found, total, first, .. } = walk;
        self.recycle_bytes(open.lanes);
        match (quantifier, found) {
            (Quantifier::Count | Quantifier::Sum, Some(Found::Totals(totals))) => Vector::Integers(totals),
            (Quantifier::Count | Quantifier::Sum, _) => Vector::Integer(total),
            (Quantifier::Any, Some(Found::Decided(decided))) => Vector::Booleans(decided),
            (Quantifier::All, Some(Found::Decided(mut decided))) => {
                decided.iter_mut().for_each(|byte| *byte ^= 1);
                Vector::Booleans(decided)
            }
            (Quantifier::Any, _) => Vector::Boolean(total == 1),
            (Quantifier::All, _) => Vector::Boolean(total != 1),
            (Quantifier::First, Some(Found::Firsts(firsts))) => {
                self.each(mask, |_, lane| firsts[lane].clone().or_else(|| first.as_ref().map(|first| first.at(lane))).ok_or(Reason::First))
            }
            (Quantifier::First, _) => first.unwrap_or_else(|| self.kill_all(mask, Reason::First)),
        }
    }
}
