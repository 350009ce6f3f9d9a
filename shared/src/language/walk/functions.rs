//! The functions of whole numbers, as their definitions say. Nothing wraps around.

use crate::language::syntax::{Arithmetic, Function};
use crate::language::value::Reason;

type Result<T = i64> = std::result::Result<T, Reason>;

/// An operator on two whole numbers.
pub fn arithmetic(operator: Arithmetic, one: i64, other: i64) -> Result {
    let whole = match operator {
        Arithmetic::Xor => Some(one ^ other),
        Arithmetic::Plus => one.checked_add(other),
        Arithmetic::Minus => one.checked_sub(other),
        Arithmetic::Times => one.checked_mul(other),
        Arithmetic::Quotient | Arithmetic::Remainder if other < 1 => return Err(Reason::Divisor),
        // With a positive divisor the Euclidean quotient is the floor.
        Arithmetic::Quotient => one.checked_div_euclid(other),
        Arithmetic::Remainder => one.checked_rem_euclid(other),
        Arithmetic::Power => return power(one, other),
    };
    whole.ok_or(Reason::Overflow)
}

fn power(base: i64, exponent: i64) -> Result {
    match (base, exponent) {
        (_, ..0) => Err(Reason::Exponent),
        (0 | 1, _) => Ok(if exponent == 0 { 1 } else { base }),
        (-1, _) => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        // Every other base is beyond 64 bits at the 64th power.
        _ => u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)).ok_or(Reason::Overflow),
    }
}

/// A function of whole numbers, or of the elements of one list, which then stand in place of the arguments.
pub fn call(function: Function, numbers: &[i64]) -> Result {
    match (function, numbers) {
        (Function::FloorLog2, [n]) => n.checked_ilog2().map(i64::from).ok_or(Reason::Logarithm),
        (Function::Pow2, [n]) => power(2, *n),
        (Function::Isqrt, [n]) => n.checked_isqrt().ok_or(Reason::Root),
        (Function::Gcd, [one, other]) => gcd(*one, *other),
        (Function::Popcount, [n]) => {
            if *n < 0 {
                Err(Reason::Popcount)
            } else {
                Ok(n.count_ones().into())
            }
        }
        // Two's complement: beyond the last bit the sign goes on for ever.
        (Function::Bit, [n, index]) => {
            if *index < 0 {
                Err(Reason::Bit)
            } else {
                Ok(n >> (*index).min(63) & 1)
            }
        }
        (Function::Abs, [n]) => n.checked_abs().ok_or(Reason::Overflow),
        (Function::Min, _) => numbers.iter().copied().min().ok_or(Reason::Extreme),
        (Function::Max, _) => numbers.iter().copied().max().ok_or(Reason::Extreme),
        (Function::Sum, _) => numbers.iter().try_fold(0i64, |sum, n| sum.checked_add(*n)).ok_or(Reason::Overflow),
        (Function::Mex, _) => Ok((0..).find(|candidate| !numbers.contains(candidate)).unwrap_or(i64::MAX)),
        // The checker has seen to the rest.
        _ => Err(Reason::Unknown),
    }
}

fn gcd(one: i64, other: i64) -> Result {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    // The one that does not fit is 2^63.
    i64::try_from(one).map_err(|_| Reason::Overflow)
}
