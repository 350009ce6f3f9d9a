//! Lists, membership and function calls at many lanes: once where the arguments are constant, else lane by lane.

use std::sync::Arc;

use crate::language::games;
use crate::language::syntax::{Domain, Function, Node};
use crate::language::value::{Reason, Value};
use crate::value::Order;

use super::column::Vector;
use super::machine::Run;
use super::mask::Mask;
use super::numbers::power;

type Result<T = i64> = std::result::Result<T, Reason>;

impl<'a> Run<'_, 'a> {
    /// A list of what several trees have.
    pub fn list(&mut self, nodes: &[Node], mask: &Mask) -> Vector<'a> {
        let Some(elements) = self.operands(nodes, mask) else { return Vector::Dead };
        let constant: Option<Arc<[Value]>> = elements.iter().map(Vector::as_constant).collect();
        if let Some(constant) = constant {
            return Vector::Value(Value::List(constant));
        }
        self.each(mask, |_, lane| Ok(Value::List(elements.iter().map(|element| element.at(lane)).collect())))
    }

    /// What several trees have, from left to right; none if no lane is left.
    fn operands<'n>(&mut self, nodes: impl IntoIterator<Item = &'n Node>, mask: &Mask) -> Option<Vec<Vector<'a>>> {
        let mut found = Vec::new();
        for node in nodes {
            match self.vector(node, mask) {
                Vector::Dead => return None,
                vector => found.push(vector),
            }
        }
        Some(found)
    }

    /// An element of a list.
    pub fn index(&mut self, list: &Vector<'a>, index: &Vector<'a>, mask: &Mask) -> Vector<'a> {
        if let (Vector::Dead, _) | (_, Vector::Dead) = (list, index) {
            return Vector::Dead;
        }
        // A table of whole numbers.
        let table: Option<Vec<i64>> = match list {
            Vector::Value(Value::List(elements)) => integers_of(elements).ok(),
            _ => None,
        };
        if let Some(table) = table {
            let find = |_, index: i64| usize::try_from(index).ok().and_then(|index| table.get(index).copied()).ok_or(Reason::Index);
            return self.fallible(&Vector::Integer(0), index, mask, find);
        }
        let find = |list: &Value, index: &Value, run: &mut Self| match (list, index) {
            (Value::List(elements), Value::Integer(index)) => {
                usize::try_from(*index).ok().and_then(|index| elements.get(index).cloned()).ok_or(Reason::Index)
            }
            (Value::Positions(list), Value::Integer(index)) => {
                let count = run.others.count(*list)?;
                let index = u64::try_from(*index).ok().filter(|index| *index < count).ok_or(Reason::Index)?;
                run.others.element(*list, index).map(Value::Position)
            }
            _ => Err(Reason::Unknown),
        };
        match (list.as_constant(), index.as_constant()) {
            (Some(list), Some(index)) => {
                let found = find(&list, &index, self);
                self.once(mask, found)
            }
            _ => self.each(mask, |run, lane| find(&list.at(lane), &index.at(lane), run)),
        }
    }

    /// Whether something is in a range or a list.
    pub fn is_in(&mut self, element: &Node, domain: &Domain, mask: &Mask) -> Vector<'a> {
        let element = self.vector(element, mask);
        if let Vector::Dead = element {
            return Vector::Dead;
        }
        let Some(within) = self.operands(domain.nodes(), mask) else { return Vector::Dead };
        let is_between = |element: &Value, low: &Value, high: &Value| match (element, low, high) {
            (Value::Integer(element), Value::Integer(low), Value::Integer(high)) => (low..=high).contains(&element),
            _ => false,
        };
        match &within[..] {
            [Vector::Integer(low), Vector::Integer(high)] if element.integers().is_some() => {
                let (low, high) = (*low, *high);
                let found =
                    self.fallible(&element, &Vector::Integer(0), mask, |element, _| Ok(i64::from(low <= element && element <= high)));
                self.as_truth(found)
            }
            [low, high] => match (element.as_constant(), low.as_constant(), high.as_constant()) {
                (Some(element), Some(low), Some(high)) => Vector::Boolean(is_between(&element, &low, &high)),
                _ => self.each(mask, |_, lane| Ok(Value::Boolean(is_between(&element.at(lane), &low.at(lane), &high.at(lane))))),
            },
            [list] => {
                if let Vector::Value(Value::List(elements) | Value::Set(elements)) = list
                    && let (Ok(table), true) = (integers_of(elements), element.integers().is_some())
                {
                    let is_element = |element: i64, _| Ok(i64::from(table.contains(&element)));
                    let found = self.fallible(&element, &Vector::Integer(0), mask, is_element);
                    return self.as_truth(found);
                }
                match (element.as_constant(), list.as_constant()) {
                    (Some(element), Some(list)) => Vector::Boolean(is_member(&element, &list, self)),
                    _ => self.each(mask, |run, lane| Ok(Value::Boolean(is_member(&element.at(lane), &list.at(lane), run)))),
                }
            }
            _ => Vector::Dead,
        }
    }

    /// Ones and zeros as true and false.
    fn as_truth(&mut self, numbers: Vector<'a>) -> Vector<'a> {
        match numbers {
            Vector::Integer(number) => Vector::Boolean(number != 0),
            Vector::Integers(numbers) => {
                let mut bytes = self.bytes();
                bytes.extend(numbers.iter().map(|number| u8::from(*number != 0)));
                self.recycle(Vector::Integers(numbers));
                Vector::Booleans(bytes)
            }
            other => other,
        }
    }

    /// What a function has.
    pub fn call(&mut self, function: Function, nodes: &[Node], mask: &Mask) -> Vector<'a> {
        let Some(arguments) = self.operands(nodes, mask) else { return Vector::Dead };
        let none = Vector::Integer(0);
        match (function, &arguments[..]) {
            (Function::FloorLog2, [n]) => self.fallible(n, &none, mask, |n, _| logarithm(n)),
            (Function::Pow2, [n]) => self.fallible(n, &none, mask, |n, _| power_of_two(n)),
            (Function::Isqrt, [n]) => self.fallible(n, &none, mask, |n, _| root(n)),
            (Function::Popcount, [n]) => self.fallible(n, &none, mask, |n, _| bits(n)),
            (Function::Abs, [n]) => self.fallible(n, &none, mask, |n, _| if n < 0 { negated(n) } else { Ok(n) }),
            (Function::Gcd, [one, other]) => self.fallible(one, other, mask, gcd),
            (Function::Bit, [n, index]) => self.fallible(n, index, mask, bit),
            (Function::Min | Function::Max, [first, rest @ ..]) if !rest.is_empty() => {
                let is_min = function == Function::Min;
                let mut found = first.clone();
                for next in rest {
                    found = self.fallible(&found, next, mask, |one, other| Ok(if (one < other) == is_min { one } else { other }));
                }
                found
            }
            _ => self.of_each(function, &arguments, mask),
        }
    }

    /// A function of values of any type: once if all are constant, else lane by lane.
    fn of_each(&mut self, function: Function, arguments: &[Vector<'a>], mask: &Mask) -> Vector<'a> {
        let constant: Option<Vec<Value>> = arguments.iter().map(Vector::as_constant).collect();
        if let Some(constant) = constant {
            let steps = steps_of(function, &constant, self);
            return self.once_in(mask, steps, |run| of_values(function, &constant, run));
        }
        self.each(mask, |run, lane| {
            let arguments: Vec<Value> = arguments.iter().map(|argument| argument.at(lane)).collect();
            match steps_of(function, &arguments, run)? {
                0 => {}
                steps => run.spend_at(lane, steps)?,
            }
            of_values(function, &arguments, run)
        })
    }
}

/// How many steps a function takes.
fn steps_of(function: Function, arguments: &[Value], run: &Run<'_, '_>) -> Result<u64> {
    match (function, arguments) {
        (Function::HasAtomicWeight, [game]) => games::steps_of_weight(game, run.games),
        (Function::OutcomeWithFarStar, [game]) => games::steps_of_far_star(game, 0, run.games),
        (Function::OutcomeWithFarStar, [game, Value::Integer(ups)]) => games::steps_of_far_star(game, *ups, run.games),
        _ => Ok(0),
    }
}

fn of_values(function: Function, arguments: &[Value], run: &mut Run<'_, '_>) -> Result<Value> {
    let games = &mut *run.games;
    match (function, arguments) {
        (Function::Len, [Value::Positions(list)]) => {
            let count = run.others.count(*list)?;
            i64::try_from(count).map(Value::Integer).map_err(|_| Reason::Overflow)
        }
        (Function::HasAtomicWeight, [game]) => games::has_atomic_weight(game, games).map(Value::Boolean),
        (Function::Confused, [one, other]) => Ok(Value::Boolean(games::compare(one, other, games)? == Order::Confused)),
        (Function::OutcomeWithFarStar, [game]) => games::outcome_with_far_star(game, 0, games).map(Value::Outcome),
        (Function::OutcomeWithFarStar, [game, Value::Integer(ups)]) => games::outcome_with_far_star(game, *ups, games).map(Value::Outcome),
        (_, [Value::List(elements) | Value::Set(elements)]) => of_list(function, elements),
        _ => Err(Reason::Unknown),
    }
}

/// A function of a list or a set.
fn of_list(function: Function, elements: &[Value]) -> Result<Value> {
    if function == Function::Len {
        // A list is far shorter than 2^63.
        return Ok(Value::Integer(elements.len() as i64));
    }
    let mut numbers = integers_of(elements)?;
    match function {
        Function::Sum => {
            let mut sum = 0i64;
            for number in &numbers {
                sum = sum.checked_add(*number).ok_or(Reason::Overflow)?;
            }
            return Ok(Value::Integer(sum));
        }
        Function::Min | Function::Max | Function::Mex | Function::Sorted => numbers.sort_unstable(),
        _ => return Err(Reason::Unknown),
    }
    match function {
        Function::Min => numbers.first().copied().map(Value::Integer).ok_or(Reason::Extreme),
        Function::Max => numbers.last().copied().map(Value::Integer).ok_or(Reason::Extreme),
        Function::Sorted => Ok(Value::list_of(numbers)),
        _ => {
            let mut least = 0;
            for number in numbers {
                if number == least {
                    least += 1;
                }
            }
            Ok(Value::Integer(least))
        }
    }
}

fn is_member(element: &Value, list: &Value, run: &Run<'_, '_>) -> bool {
    match list {
        Value::List(elements) | Value::Set(elements) => elements.iter().any(|other| other.equals(element, run.games)),
        _ => false,
    }
}

/// The whole numbers of a list.
fn integers_of(elements: &[Value]) -> Result<Vec<i64>> {
    let mut numbers = Vec::with_capacity(elements.len());
    for element in elements {
        let Value::Integer(number) = element else { return Err(Reason::Unknown) };
        numbers.push(*number);
    }
    Ok(numbers)
}

fn logarithm(n: i64) -> Result {
    if n < 1 { Err(Reason::Logarithm) } else { Ok(i64::from(63 - n.leading_zeros())) }
}

fn power_of_two(n: i64) -> Result {
    match n {
        0..=62 => Ok(1 << n),
        _ => power(2, n),
    }
}

/// The root by its bits from the highest: the greatest number whose square is at most n.
fn root(n: i64) -> Result {
    if n < 0 {
        return Err(Reason::Root);
    }
    let mut root = 0i64;
    for shift in (0..32).rev() {
        let next = root | 1 << shift;
        // (2^32 - 1)^2 is beyond 63 bits.
        if next.checked_mul(next).is_some_and(|square| square <= n) {
            root = next;
        }
    }
    Ok(root)
}

fn bits(n: i64) -> Result {
    if n < 0 { Err(Reason::Popcount) } else { Ok(n.count_ones().into()) }
}

fn negated(n: i64) -> Result {
    0i64.checked_sub(n).ok_or(Reason::Overflow)
}

fn bit(n: i64, index: i64) -> Result {
    match index {
        ..=-1 => Err(Reason::Bit),
        0..=63 => Ok((n >> index) & 1),
        _ => Ok(i64::from(n < 0)),
    }
}

/// The greatest common divisor by halving.
fn gcd(one: i64, other: i64) -> Result {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    let found = if one == 0 || other == 0 {
        one | other
    } else {
        let shared = (one | other).trailing_zeros();
        one >>= one.trailing_zeros();
        while other != 0 {
            other >>= other.trailing_zeros();
            (one, other) = (one.min(other), one.abs_diff(other));
        }
        one << shared
    };
    i64::try_from(found).map_err(|_| Reason::Overflow)
}
