//! Values that people write without braces, a number plus ups plus a nimber, and how they are recognised by their options.

use super::{Dyadic, ValueError};

/// A number plus so many ups plus a nimber: the values that people write without braces, such as `1/2`, `*3`, `^^*` or `2v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The number.
    pub number: Dyadic,
    /// How many ups; downs where negative.
    pub ups: i64,
    /// The nimber.
    pub nimber: u64,
}

impl Name {
    /// A number alone.
    #[must_use]
    pub fn number(number: Dyadic) -> Self {
        Self { number, ups: 0, nimber: 0 }
    }

    /// A nimber alone.
    #[must_use]
    pub fn nimber(nimber: u64) -> Self {
        Self { number: Dyadic::ZERO, ups: 0, nimber }
    }

    /// The number, if nothing stands beside it.
    #[must_use]
    pub fn as_number(self) -> Option<Dyadic> {
        (self.ups == 0 && self.nimber == 0).then_some(self.number)
    }

    /// The nimber, if it is one; 0 counts as `*0`.
    #[must_use]
    pub fn as_nimber(self) -> Option<u64> {
        (self.number == Dyadic::ZERO && self.ups == 0).then_some(self.nimber)
    }

    /// The name of the game in canonical form whose options have these names, if it has one.
    ///
    /// A number is {l | r} with l < r, and then halfway between, since the form is canonical. Else, by number translation, all
    /// options stand beside the same number, and there x + *n is {x, x*, …, x*(n-1) | the same}, and for n >= 1 x + n·up + *m
    /// is {x | x + (n-1)·up + *(m xor 1)}, but x + up + * is {x, x* | x}; downs are the mirror image.
    ///
    /// # Errors
    /// [`ValueError::Number`] if it is a number that no [`Dyadic`] holds.
    pub(super) fn of_options(left: &[Option<Self>], right: &[Option<Self>]) -> Result<Option<Self>, ValueError> {
        match Self::number_of_options(left, right) {
            Some(number) => Ok(Some(Self::number(number.ok_or(ValueError::Number)?))),
            None => Ok(Self::beside_a_number(left, right)),
        }
    }

    fn beside_a_number(left: &[Option<Self>], right: &[Option<Self>]) -> Option<Self> {
        let number = (*left.first()?)?.number;
        let beside = |options: &[Option<Self>]| -> Option<Vec<(i64, u64)>> {
            let pair = |name: &Option<Self>| name.filter(|name| name.number == number).map(|name| (name.ups, name.nimber));
            let mut pairs = options.iter().map(pair).collect::<Option<Vec<_>>>()?;
            pairs.sort_unstable();
            Some(pairs)
        };
        let (left, right) = (beside(left)?, beside(right)?);
        let is_nimber = left == right && left.iter().zip(0u64..).all(|((ups, nimber), index)| *ups == 0 && *nimber == index);
        if is_nimber {
            return Some(Self { number, ups: 0, nimber: left.len() as u64 });
        }
        let above = |low: &[(i64, u64)], high: &[(i64, u64)], sign: i64| match (low, high) {
            ([(0, 0), (0, 1)], [(0, 0)]) => Some((sign, 1)),
            ([(0, 0)], [(ups, nimber)]) if ups * sign >= 0 && (*ups, *nimber) != (0, 0) => Some((ups + sign, nimber ^ 1)),
            _ => None,
        };
        let (ups, nimber) = above(&left, &right, 1).or_else(|| above(&right, &left, -1))?;
        Some(Self { number, ups, nimber })
    }

    /// The number that these options make, if they make one; and then nothing inside if it is out of bounds.
    fn number_of_options(left: &[Option<Self>], right: &[Option<Self>]) -> Option<Option<Dyadic>> {
        let number = |options: &[Option<Self>]| match options {
            [] => Some(None),
            [name] => name.and_then(Self::as_number).map(Some),
            _ => None,
        };
        let step = |from: Dyadic, by: i64| Dyadic::integer(by).and_then(|by| from.plus(by));
        match (number(left)?, number(right)?) {
            (None, None) => Some(Some(Dyadic::ZERO)),
            (Some(left), None) => Some(step(left, 1)),
            (None, Some(right)) => Some(step(right, -1)),
            (Some(left), Some(right)) if left < right => Some(left.middle(right)),
            _ => None,
        }
    }
}
