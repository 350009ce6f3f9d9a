//! Whole numbers at many lanes. What every lane may do without harm is done at every lane, also where nobody asked for it: that is
//! faster than to look. Where something may fail, failures count only at the lanes of the mask.

use crate::language::games;
use crate::language::syntax::{Arithmetic, Sign};
use crate::language::value::{Reason, Value};
use crate::value::Order;

use super::column::{Several, Vector};
use super::machine::Run;
use super::mask::Mask;

impl<'a> Run<'_, 'a> {
    /// What an operation that never fails has at the lanes.
    fn total(&mut self, one: &Vector<'a>, other: &Vector<'a>, make: impl Fn(i64, i64) -> i64) -> Vector<'a> {
        let (Some(one), Some(other)) = (one.integers(), other.integers()) else { return Vector::Dead };
        let mut buffer = self.integers();
        one.zip(other, &mut buffer, make);
        self.finished(buffer, one.is_same() && other.is_same())
    }

    fn finished(&mut self, buffer: Vec<i64>, is_same: bool) -> Vector<'a> {
        match buffer.first() {
            Some(integer) if is_same => {
                let integer = *integer;
                self.recycle(Vector::Integers(buffer));
                Vector::Integer(integer)
            }
            _ => Vector::Integers(buffer),
        }
    }

    /// The same of an operation that may overflow: `make` gives the number, and something negative where it is wrong.
    fn overflowing(&mut self, one: &Vector<'a>, other: &Vector<'a>, mask: &Mask, make: impl Fn(i64, i64) -> (i64, i64)) -> Vector<'a> {
        let (Some(left), Some(right)) = (one.integers(), other.integers()) else { return Vector::Dead };
        let mut buffer = self.integers();
        let mut wrong = 0;
        left.zip(right, &mut buffer, |one, other| {
            let (number, sign) = make(one, other);
            wrong |= sign;
            number
        });
        let is_same = left.is_same() && right.is_same();
        if wrong < 0 {
            if is_same {
                return self.kill_all(mask, Reason::Overflow);
            }
            for lane in mask.iter().filter(|lane| make(left.at(*lane), right.at(*lane)).1 < 0) {
                self.kill(lane, Reason::Overflow);
            }
        }
        self.finished(buffer, is_same)
    }

    /// The same of an operation that may fail.
    pub fn fallible(
        &mut self,
        one: &Vector<'a>,
        other: &Vector<'a>,
        mask: &Mask,
        make: impl Fn(i64, i64) -> Result<i64, Reason>,
    ) -> Vector<'a> {
        let (Some(left), Some(right)) = (one.integers(), other.integers()) else { return Vector::Dead };
        if let (Several::Same(one), Several::Same(other)) = (left, right) {
            let value = make(one, other).map(Value::Integer);
            return self.once(mask, value);
        }
        let mut buffer = self.integers();
        if mask.count * 8 < self.lanes {
            // Few lanes are asked for: the others are passed over.
            buffer.resize(self.lanes, 0);
            for lane in mask.iter() {
                match make(left.at(lane), right.at(lane)) {
                    Ok(number) => buffer[lane] = number,
                    Err(reason) => self.kill(lane, reason),
                }
            }
            return Vector::Integers(buffer);
        }
        let mut fails = false;
        left.zip(right, &mut buffer, |one, other| {
            let found = make(one, other);
            fails |= found.is_err();
            found.unwrap_or(0)
        });
        if fails {
            for lane in mask.iter() {
                if let Err(reason) = make(left.at(lane), right.at(lane)) {
                    self.kill(lane, reason);
                }
            }
        }
        Vector::Integers(buffer)
    }

    /// An operator, also on games.
    pub fn arithmetic(&mut self, operator: Arithmetic, one: Vector<'a>, other: Vector<'a>, mask: &Mask) -> Vector<'a> {
        if let (Vector::Dead, _) | (_, Vector::Dead) = (&one, &other) {
            return Vector::Dead;
        }
        let found = if one.integers().is_none() || other.integers().is_none() {
            self.of_games(operator, &one, &other, mask)
        } else {
            match operator {
                Arithmetic::Xor => self.total(&one, &other, |one, other| one ^ other),
                Arithmetic::Plus => self.overflowing(&one, &other, mask, |one, other| {
                    let sum = one.wrapping_add(other);
                    (sum, (one ^ sum) & (other ^ sum))
                }),
                Arithmetic::Minus => self.overflowing(&one, &other, mask, |one, other| {
                    let difference = one.wrapping_sub(other);
                    (difference, (one ^ other) & (one ^ difference))
                }),
                Arithmetic::Times => self.overflowing(&one, &other, mask, |one, other| {
                    let (product, wraps) = one.overflowing_mul(other);
                    (product, -i64::from(wraps))
                }),
                Arithmetic::Quotient => self.quotient(&one, &other, mask),
                Arithmetic::Remainder => self.remainder(&one, &other, mask),
                Arithmetic::Power => self.fallible(&one, &other, mask, power),
            }
        };
        self.recycle(one);
        self.recycle(other);
        found
    }

    fn quotient(&mut self, one: &Vector<'a>, other: &Vector<'a>, mask: &Mask) -> Vector<'a> {
        match other {
            // A shift rounds down, also below 0.
            Vector::Integer(divisor) if *divisor > 0 && divisor.count_ones() == 1 => {
                let shift = divisor.trailing_zeros();
                self.total(one, other, |one, _| one >> shift)
            }
            _ => self.fallible(one, other, mask, |one, other| match other {
                ..=0 => Err(Reason::Divisor),
                _ if is_short(one, other) => Ok(i64::from(one as u32 / other as u32)),
                _ => Ok(one / other - i64::from(one % other < 0)),
            }),
        }
    }

    fn remainder(&mut self, one: &Vector<'a>, other: &Vector<'a>, mask: &Mask) -> Vector<'a> {
        match other {
            // The last bits, also below 0, where negative numbers are in two's complement.
            Vector::Integer(divisor) if *divisor > 0 && divisor.count_ones() == 1 => {
                self.total(one, other, |one, divisor| one & (divisor - 1))
            }
            _ => self.fallible(one, other, mask, |one, other| match other {
                ..=0 => Err(Reason::Divisor),
                _ if is_short(one, other) => Ok(i64::from(one as u32 % other as u32)),
                _ => {
                    let rest = one % other;
                    Ok(if rest < 0 { rest + other } else { rest })
                }
            }),
        }
    }

    /// Sums and differences of games.
    fn of_games(&mut self, operator: Arithmetic, one: &Vector<'a>, other: &Vector<'a>, mask: &Mask) -> Vector<'a> {
        let made = |run: &mut Self, one: &Value, other: &Value| match (one, other) {
            (Value::Integer(one), Value::Integer(other)) => {
                let number = if operator == Arithmetic::Plus { one.checked_add(*other) } else { one.checked_sub(*other) };
                number.map(Value::Integer).ok_or(Reason::Overflow)
            }
            _ if operator == Arithmetic::Minus => {
                let negative = games::negative(other, run.games)?;
                games::sum(one, &negative, run.games)
            }
            _ => games::sum(one, other, run.games),
        };
        if let (Some(one), Some(other)) = (one.as_constant(), other.as_constant()) {
            let steps = games::steps_of_sum(&one, &other, self.games);
            return self.once_in(mask, steps, |run| made(run, &one, &other));
        }
        self.each(mask, |run, lane| {
            let (one, other) = (one.at(lane), other.at(lane));
            match games::steps_of_sum(&one, &other, run.games)? {
                0 => {}
                steps => run.spend_at(lane, steps)?,
            }
            made(run, &one, &other)
        })
    }

    pub fn negative(&mut self, operand: Vector<'a>, mask: &Mask) -> Vector<'a> {
        match operand {
            Vector::Dead => Vector::Dead,
            operand if operand.integers().is_some() => self.arithmetic(Arithmetic::Minus, Vector::Integer(0), operand, mask),
            operand => match operand.as_constant() {
                Some(value) => {
                    let value = negated(self, &value);
                    self.once(mask, value)
                }
                None => self.each(mask, |run, lane| negated(run, &operand.at(lane))),
            },
        }
    }

    /// Whether a sign holds between two operands.
    pub fn compared(&mut self, sign: Sign, one: &Vector<'a>, other: &Vector<'a>, mask: &Mask) -> Vector<'a> {
        if let (Vector::Dead, _) | (_, Vector::Dead) = (one, other) {
            return Vector::Dead;
        }
        if let (Some(one), Some(other)) = (one.integers(), other.integers()) {
            return match sign {
                Sign::Less => self.bytes_of(one, other, |one, other| one < other),
                Sign::AtMost => self.bytes_of(one, other, |one, other| one <= other),
                Sign::Greater => self.bytes_of(one, other, |one, other| one > other),
                Sign::AtLeast => self.bytes_of(one, other, |one, other| one >= other),
                Sign::Equal => self.bytes_of(one, other, |one, other| one == other),
                Sign::Different => self.bytes_of(one, other, |one, other| one != other),
            };
        }
        let is_equal = sign == Sign::Equal;
        if let (Some(one), Some(other)) = (one.outcomes(), other.outcomes()) {
            return self.bytes_of(one, other, |one, other| (one == other) == is_equal);
        }
        if let (Some(one), Some(other)) = (one.bytes(), other.bytes()) {
            return self.bytes_of(one, other, |one, other| (one == other) == is_equal);
        }
        match (one.as_constant(), other.as_constant()) {
            (Some(one), Some(other)) => {
                let value = holds(self, sign, &one, &other);
                self.once(mask, value)
            }
            _ => self.each(mask, |run, lane| holds(run, sign, &one.at(lane), &other.at(lane))),
        }
    }

    /// Whether something holds between two operands.
    fn bytes_of<T: Copy>(&mut self, one: Several<'_, T>, other: Several<'_, T>, holds: impl Fn(T, T) -> bool) -> Vector<'a> {
        if let (Several::Same(one), Several::Same(other)) = (one, other) {
            return Vector::Boolean(holds(one, other));
        }
        let mut bytes = self.bytes();
        one.zip(other, &mut bytes, |one, other| u8::from(holds(one, other)));
        Vector::Booleans(bytes)
    }
}

/// Both fit into 32 bits without sign, where a processor divides several times as fast.
fn is_short(one: i64, other: i64) -> bool {
    (one | other) as u64 >> 32 == 0
}

fn negated(run: &mut Run<'_, '_>, value: &Value) -> Result<Value, Reason> {
    match value {
        Value::Integer(integer) => 0i64.checked_sub(*integer).map(Value::Integer).ok_or(Reason::Overflow),
        game => games::negative(game, run.games),
    }
}

/// Whether a sign holds between two values of any type.
fn holds(run: &mut Run<'_, '_>, sign: Sign, one: &Value, other: &Value) -> Result<Value, Reason> {
    Ok(Value::Boolean(match sign {
        Sign::Equal => one.equals(other, run.games),
        Sign::Different => !one.equals(other, run.games),
        Sign::AtMost => matches!(games::compare(one, other, run.games)?, Order::Less | Order::Equal),
        Sign::AtLeast => matches!(games::compare(one, other, run.games)?, Order::Greater | Order::Equal),
        Sign::Less => games::compare(one, other, run.games)? == Order::Less,
        Sign::Greater => games::compare(one, other, run.games)? == Order::Greater,
    }))
}

/// A power by squaring.
pub fn power(base: i64, exponent: i64) -> Result<i64, Reason> {
    if exponent < 0 {
        return Err(Reason::Exponent);
    }
    let (mut result, mut square, mut rest) = (1i64, Some(base), exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            let factor = square.ok_or(Reason::Overflow)?;
            result = result.checked_mul(factor).ok_or(Reason::Overflow)?;
        }
        rest >>= 1;
        // A square beyond 64 bits matters only if a further bit asks for it; the last bit, which is 1, does.
        square = square.and_then(|square| square.checked_mul(square));
    }
    Ok(result)
}
