//! The rulesets of full and truncated support with a, b and tau in given ranges: how many there are, and each by its number.

use std::fmt;
use std::sync::Arc;

use crate::families::Room;
use crate::sweep::{ManifestError, Range, RangeError};

use super::rules::{MAX_ELEMENT, Support};

/// The truncation levels of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Levels {
    /// Those in a range that are below b.
    Range(Range),
    /// The knife's edge alone, tau = b - a.
    Edge,
}

/// How the knife's edge is written.
const EDGE: &str = "b-a";

impl Levels {
    /// Reads a range, or `b-a`.
    ///
    /// # Errors
    /// [`RangeError`].
    pub fn parse(text: &str) -> Result<Self, RangeError> {
        if text.trim() == EDGE { Ok(Self::Edge) } else { Range::parse(text).map(Self::Range) }
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(range) => range.fmt(formatter),
            Self::Edge => formatter.write_str(EDGE),
        }
    }
}

impl From<Levels> for String {
    fn from(levels: Levels) -> Self {
        levels.to_string()
    }
}

impl TryFrom<String> for Levels {
    type Error = RangeError;

    fn try_from(text: String) -> Result<Self, RangeError> {
        Self::parse(&text)
    }
}

/// The rulesets of full and truncated support with a, b and tau as given, combinations outside the family (a > b, tau >= b)
/// left out. In the order of b, then a, then tau.
#[derive(Clone, Debug)]
pub struct Supports {
    /// None is every 1 <= a < b.
    a: Option<Range>,
    b: Range,
    tau: Levels,
    /// For each b from the least on, how many rulesets there are with a smaller b.
    before: Arc<[u64]>,
    count: u64,
}

impl Supports {
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn new(a: Option<Range>, b: Range, tau: Levels, room: &mut Room) -> Result<Self, ManifestError> {
        for (key, range) in [("a", a), ("b", Some(b))].into_iter().filter_map(|(key, range)| Some((key, range?))) {
            if range.low() < 1 || range.high() > MAX_ELEMENT {
                let problem = format!("{range} is not allowed; it is a number or a range from 1 to {MAX_ELEMENT} (2^16 - 1)");
                return Err(ManifestError::field(format!("space.{key}"), problem));
            }
        }
        room.numbers("space.b", b.len())?;
        let mut found = Self { a, b, tau, before: Arc::default(), count: 0 };
        let mut before = Vec::new();
        for b in b.low()..=b.high() {
            before.push(found.count);
            found.count += found.choices_of_a(b).map_or(0, |a| a.high() - a.low() + 1) * found.choices_of_tau(b);
        }
        found.before = before.into();
        if found.count == 0 {
            let a = a.map_or("1..=b-1".to_owned(), |a| a.to_string());
            let problem = format!("no a in {a}, b in {b} and tau in {tau} have 1 <= a <= b and 0 <= tau < b");
            return Err(ManifestError::field("space", problem));
        }
        Ok(found)
    }

    /// What a, b and tau are, as they were given.
    pub fn given(&self) -> (Option<Range>, Range, Levels) {
        (self.a, self.b, self.tau)
    }

    /// How many rulesets there are, at least one.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The greatest numbers that Left and Right may remove.
    pub fn greatest(&self) -> (u64, u64) {
        let b = self.b.high();
        (self.choices_of_a(b).map_or(b, Range::high), b)
    }

    fn choices_of_a(&self, b: u64) -> Option<Range> {
        match self.a {
            None => Range::new(1, b.checked_sub(1)?).ok(),
            Some(a) => Range::new(a.low(), a.high().min(b)).ok(),
        }
    }

    fn choices_of_tau(&self, b: u64) -> u64 {
        match self.tau {
            Levels::Edge => 1,
            Levels::Range(tau) => (tau.high().min(b - 1) + 1).saturating_sub(tau.low()),
        }
    }

    /// The ruleset of this number; it is below the count.
    pub fn get(&self, number: u64) -> Support {
        let index = self.before.partition_point(|before| *before <= number) - 1;
        let b = self.b.low() + index as u64;
        let (rest, taus) = (number - self.before[index], self.choices_of_tau(b));
        let a = self.choices_of_a(b).map_or(1, Range::low) + rest / taus;
        let tau = match self.tau {
            Levels::Edge => b - a,
            Levels::Range(tau) => tau.low() + rest % taus,
        };
        Support { a, b, tau }
    }

    /// The number of a ruleset, if it is here.
    pub fn number_of(&self, support: Support) -> Option<u64> {
        let has = |range: Range, number: u64| (range.low()..=range.high()).contains(&number);
        let Support { a, b, tau } = support;
        let index = usize::try_from(b.checked_sub(self.b.low())?).ok()?;
        let choices = self.choices_of_a(b).filter(|choices| has(*choices, a) && has(self.b, b))?;
        let rest = match self.tau {
            Levels::Edge => (tau == b - a).then_some(0)?,
            Levels::Range(range) => (has(range, tau) && tau < b).then(|| tau - range.low())?,
        };
        Some(self.before.get(index)? + (a - choices.low()) * self.choices_of_tau(b) + rest)
    }
}

impl fmt::Display for Supports {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.a {
            Some(a) => write!(formatter, "a {a}, b {}, tau {}", self.b, self.tau),
            None => write!(formatter, "a 1..=b-1, b {}, tau {}", self.b, self.tau),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rulesets_of_a_box_are_those_of_the_family_each_once() {
        let range = |text| Range::parse(text).unwrap();
        let given = [
            ("1..=4", "1..=6", "0..=5"),
            ("3", "2..=7", "4..=9"),
            ("2..=5", "4", "0"),
            ("1..=9", "1..=9", "1..=3"),
            ("", "1..=7", "1..=6"),
            ("", "2..=5", "b-a"),
            ("2..=4", "1..=6", "b-a"),
        ];
        for (a, b, tau) in given {
            let (a, b, tau) = (Some(a).filter(|a| !a.is_empty()).map(range), range(b), Levels::parse(tau).unwrap());
            let is_here = |one: &Support| {
                let a_fits = a.map_or(one.a < one.b, |a| (a.low()..=a.high()).contains(&one.a));
                a_fits
                    && match tau {
                        Levels::Edge => one.tau == one.b - one.a,
                        Levels::Range(tau) => (tau.low()..=tau.high()).contains(&one.tau),
                    }
            };
            let mut expected = Vec::new();
            for b in b.low()..=b.high() {
                for a in 1..=b {
                    expected.extend((0..b).map(|tau| Support { a, b, tau }).filter(is_here));
                }
            }
            let supports = Supports::new(a, b, tau, &mut Room::default()).unwrap();
            let found: Vec<Support> = (0..supports.count()).map(|number| supports.get(number)).collect();
            assert_eq!(found, expected);
            for b in 0..=10 {
                for support in (0..=10).flat_map(|a| (0..=10).map(move |tau| Support { a, b, tau })) {
                    let place = expected.iter().position(|one| *one == support);
                    assert_eq!(supports.number_of(support), place.map(|place| place as u64), "{support:?}");
                }
            }
        }
        assert!(Supports::new(Some(range("5")), range("1..=4"), Levels::Edge, &mut Room::default()).is_err());
        assert!(Supports::new(None, range("1"), Levels::Edge, &mut Room::default()).is_err());
    }
}
