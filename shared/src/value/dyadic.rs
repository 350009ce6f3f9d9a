//! Dyadic rationals in lowest terms with bounded parts: the numbers among short games.

use std::cmp::Ordering;
use std::fmt;

/// A dyadic rational `numerator / 2^exponent` in lowest terms: `numerator` is odd unless `exponent` is 0.
///
/// Both parts are bounded, |numerator| < 2^62 and exponent <= 60: a number beyond that is refused where it would arise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    numerator: i64,
    exponent: u32,
}

const MAX_NUMERATOR: i128 = 1 << 62;
const MAX_EXPONENT: u32 = 60;

impl Dyadic {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, exponent: 0 };

    /// `numerator / 2^exponent`, brought to lowest terms; nothing if it is out of bounds.
    #[must_use]
    pub fn new(numerator: i64, exponent: u32) -> Option<Self> {
        Self::reduce(numerator.into(), exponent)
    }

    /// A whole number; nothing if it is out of bounds.
    #[must_use]
    pub fn integer(number: i64) -> Option<Self> {
        Self::new(number, 0)
    }

    fn reduce(mut numerator: i128, mut exponent: u32) -> Option<Self> {
        if numerator == 0 {
            return Some(Self::ZERO);
        }
        let shared = numerator.trailing_zeros().min(exponent);
        numerator >>= shared;
        exponent -= shared;
        let fits = numerator.abs() < MAX_NUMERATOR && exponent <= MAX_EXPONENT;
        i64::try_from(numerator).ok().filter(|_| fits).map(|numerator| Self { numerator, exponent })
    }

    /// Both over the larger denominator. |numerator| < 2^62 and a shift of at most 60 stay below 2^122.
    fn common(self, other: Self) -> (i128, i128, u32) {
        let exponent = self.exponent.max(other.exponent);
        let scale = |one: Self| i128::from(one.numerator) << (exponent - one.exponent);
        (scale(self), scale(other), exponent)
    }

    /// The sum, unless it is out of bounds.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let (one, two, exponent) = self.common(other);
        Self::reduce(one + two, exponent)
    }

    /// Halfway between the two, unless that is out of bounds.
    #[must_use]
    pub fn middle(self, other: Self) -> Option<Self> {
        let (one, two, exponent) = self.common(other);
        Self::reduce(one + two, exponent + 1)
    }

    /// Its negative.
    #[must_use]
    pub fn negative(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }

    /// The whole number that it is, if it is one.
    #[must_use]
    pub fn as_integer(self) -> Option<i64> {
        (self.exponent == 0).then_some(self.numerator)
    }

    /// -1, 0 or 1.
    #[must_use]
    pub(super) fn signum(self) -> i64 {
        self.numerator.signum()
    }

    /// The least whole number that is at least this one.
    #[must_use]
    pub(super) fn ceiling(self) -> i64 {
        // Rounding down the negative rounds up: a shift of a negative number rounds down.
        -(-self.numerator >> self.exponent)
    }

    /// The numbers next to it that are older: the options of its canonical form, where it has them.
    ///
    /// n > 0 is {n-1 | }, -n is { | -n+1}, and k/2^j with odd k is {(k-1)/2^j | (k+1)/2^j}.
    #[must_use]
    pub(super) fn options(self) -> (Option<Self>, Option<Self>) {
        let beside = |step: i64| Self::new(self.numerator + step, self.exponent);
        match (self.exponent, self.numerator.cmp(&0)) {
            (0, Ordering::Equal) => (None, None),
            (0, Ordering::Greater) => (beside(-1), None),
            (0, Ordering::Less) => (None, beside(1)),
            _ => (beside(-1), beside(1)),
        }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, two, _) = self.common(*other);
        one.cmp(&two)
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => write!(formatter, "{}", self.numerator),
            exponent => write!(formatter, "{}/{}", self.numerator, 1u64 << exponent),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dyadic() -> impl Strategy<Value = Dyadic> {
        (-2000i64..2000, 0u32..8).prop_map(|(numerator, exponent)| Dyadic::new(numerator, exponent).unwrap())
    }

    proptest! {
        #[test]
        fn dyadics_are_numbers(x in dyadic(), y in dyadic()) {
            let real = |one: Dyadic| one.numerator as f64 / f64::from(1u32 << one.exponent);
            prop_assert_eq!(real(x.plus(y).unwrap()), real(x) + real(y));
            prop_assert_eq!(real(x.middle(y).unwrap()), f64::midpoint(real(x), real(y)));
            prop_assert_eq!(real(x.negative()), -real(x));
            prop_assert_eq!(x.cmp(&y), real(x).total_cmp(&real(y)));
            prop_assert!(x.exponent == 0 || x.numerator % 2 != 0);
        }
    }

    #[test]
    fn what_is_out_of_bounds_is_nothing() {
        assert_eq!(Dyadic::new(1, 61), None);
        assert_eq!(Dyadic::new(2, 61), Dyadic::new(1, 60));
        assert_eq!(Dyadic::integer(i64::MAX), None);
        let largest = Dyadic::integer((1 << 62) - 1).unwrap();
        assert_eq!(largest.plus(largest), None);
    }
}
