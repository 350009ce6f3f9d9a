use std::sync::Arc;

use serde_json::{Value, json};

use crate::families::Cost;
use crate::sweep::{ManifestError, Range, Shard};

use super::rules::{MAX_ELEMENT, Ruleset, Support};
use super::solver::OutcomeSequence;

/// The largest heap of a sweep: numbers of configurations stay far below 2^64 a ruleset.
pub const MAX_HEAP: u64 = 1 << 40;
/// The most configurations of a box.
const MAX_UNITS: u128 = 1 << 62;

/// Seconds of one core, measured once on a 2-core x86-64 machine: they only set the size of shards.
const SECONDS_PER_HEAP: f64 = 3e-9;
const SECONDS_PER_CONFIGURATION: f64 = 25e-9;
const SECONDS_PER_CHECK: f64 = 3e-9;
const SECONDS_PER_RULESET: f64 = 5e-6;

/// One box of a sweep: some rulesets, and for each of them the heaps of one range. A unit is one heap of one ruleset.
#[derive(Clone, Debug)]
pub struct SubtractionBox {
    rulesets: Rulesets,
    heap: Range,
    units: u64,
}

/// The rulesets of a box, numbered from 0.
#[derive(Clone, Debug)]
pub enum Rulesets {
    /// Full and truncated support.
    Supports(Supports),
    /// One pair of sets.
    Sets(Arc<Ruleset>),
}

/// The rulesets of full and truncated support with a, b and tau in ranges, combinations outside the family (a > b, tau >= b)
/// left out. In the order of b, then a, then tau.
#[derive(Clone, Debug)]
pub struct Supports {
    a: Range,
    b: Range,
    tau: Range,
    /// For each b from the least on, how many rulesets there are with a smaller b.
    before: Arc<[u64]>,
    count: u64,
}

impl Supports {
    fn new(a: Range, b: Range, tau: Range) -> Option<Self> {
        let mut before = Vec::new();
        let mut count = 0u64;
        for b in b.low()..=b.high() {
            before.push(count);
            count += Self::choices(a, 1, b) * Self::choices(tau, 0, b - 1);
        }
        (count > 0).then(|| Self { a, b, tau, before: before.into(), count })
    }

    /// The ranges of a, b and tau.
    pub fn ranges(&self) -> (Range, Range, Range) {
        (self.a, self.b, self.tau)
    }

    /// How many numbers of a range are from `low` to `high`.
    fn choices(range: Range, low: u64, high: u64) -> u64 {
        (range.high().min(high) + 1).saturating_sub(range.low().max(low))
    }

    /// The ruleset of this number; it is below the count.
    fn get(&self, number: u64) -> Support {
        let index = self.before.partition_point(|before| *before <= number) - 1;
        let b = self.b.low() + index as u64;
        let taus = Self::choices(self.tau, 0, b - 1);
        let rest = number - self.before[index];
        Support { a: self.a.low() + rest / taus, b, tau: self.tau.low() + rest % taus }
    }
}

/// A ruleset of a box.
#[derive(Clone, Debug)]
pub struct Member {
    /// What both players may remove.
    pub ruleset: Arc<Ruleset>,
    /// The parameters that make it one of full or truncated support, if it is one.
    pub support: Option<Support>,
}

impl SubtractionBox {
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn supports(a: Range, b: Range, tau: Range, heap: Range) -> Result<Self, ManifestError> {
        for (key, range) in [("a", a), ("b", b)] {
            if range.low() < 1 || range.high() > MAX_ELEMENT {
                let problem = format!("{range} will not do; it is a number or a range from 1 to {MAX_ELEMENT} (2^16 - 1)");
                return Err(ManifestError::field(format!("space.{key}"), problem));
            }
        }
        let supports = Supports::new(a, b, tau).ok_or_else(|| {
            ManifestError::field("space", format!("no a in {a}, b in {b} and tau in {tau} have 1 <= a <= b and 0 <= tau < b"))
        })?;
        Self::new(Rulesets::Supports(supports), heap)
    }

    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn sets(ruleset: Ruleset, heap: Range) -> Result<Self, ManifestError> {
        Self::new(Rulesets::Sets(Arc::new(ruleset)), heap)
    }

    fn new(rulesets: Rulesets, heap: Range) -> Result<Self, ManifestError> {
        if heap.high() > MAX_HEAP {
            let problem = format!("{heap} goes above the largest heap of a sweep, {MAX_HEAP} (2^40)");
            return Err(ManifestError::field("space.heap", problem));
        }
        let count = match &rulesets {
            Rulesets::Supports(supports) => supports.count,
            Rulesets::Sets(_) => 1,
        };
        let units = u128::from(count) * heap.len();
        let fits = u64::try_from(units).ok().filter(|_| units <= MAX_UNITS);
        let units = fits.ok_or_else(|| {
            let problem = format!("{count} rulesets with {} heaps each make {units} configurations, and the limit is 2^62", heap.len());
            ManifestError::field("space.heap", problem)
        })?;
        Ok(Self { rulesets, heap, units })
    }

    pub fn rulesets(&self) -> &Rulesets {
        &self.rulesets
    }

    pub fn heap(&self) -> Range {
        self.heap
    }

    pub fn units(&self) -> u64 {
        self.units
    }

    /// Heaps a ruleset. It is at most the number of units.
    fn heaps(&self) -> u64 {
        self.heap.high() - self.heap.low() + 1
    }

    /// The number of the ruleset and the heap of a unit.
    pub fn unit(&self, unit: u64) -> (u64, u64) {
        (unit / self.heaps(), self.heap.low() + unit % self.heaps())
    }

    /// The ruleset of this number.
    pub fn member(&self, number: u64) -> Option<Member> {
        match &self.rulesets {
            Rulesets::Sets(ruleset) => Some(Member { ruleset: Arc::clone(ruleset), support: ruleset.support() }),
            Rulesets::Supports(supports) => {
                let support = supports.get(number);
                Some(Member { ruleset: Arc::new(support.ruleset()?), support: Some(support) })
            }
        }
    }

    /// The member with these parameters, if it is here.
    pub fn member_of(&self, support: Support) -> Option<Member> {
        let has = |range: Range, number: u64| (range.low()..=range.high()).contains(&number);
        let is_here = match &self.rulesets {
            Rulesets::Supports(Supports { a, b, tau, .. }) => has(*a, support.a) && has(*b, support.b) && has(*tau, support.tau),
            Rulesets::Sets(ruleset) => ruleset.support() == Some(support),
        };
        let ruleset = support.ruleset().filter(|_| is_here)?;
        Some(Member { ruleset: Arc::new(ruleset), support: Some(support) })
    }

    /// The member of a box that is given by its sets.
    pub fn own_member(&self) -> Option<Member> {
        if self.is_by_parameters() { None } else { self.member(0) }
    }

    /// Whether it is given by a, b and tau.
    pub fn is_by_parameters(&self) -> bool {
        matches!(self.rulesets, Rulesets::Supports(_))
    }

    /// Whether some ruleset here is one of full or truncated support.
    pub fn has_supports(&self) -> bool {
        match &self.rulesets {
            Rulesets::Supports(_) => true,
            Rulesets::Sets(ruleset) => ruleset.support().is_some(),
        }
    }

    /// The box in a few words.
    pub fn describe(&self) -> String {
        match &self.rulesets {
            Rulesets::Supports(Supports { a, b, tau, .. }) => format!("a {a}, b {b}, tau {tau}, heap {}", self.heap),
            Rulesets::Sets(ruleset) => format!("left {}, right {}, heap {}", ruleset.left, ruleset.right, self.heap),
        }
    }

    /// The box as reports show it.
    pub fn to_json(&self) -> Value {
        match &self.rulesets {
            Rulesets::Supports(Supports { a, b, tau, .. }) => json!({ "a": a, "b": b, "tau": tau, "heap": self.heap }),
            Rulesets::Sets(ruleset) => {
                json!({ "left": ruleset.left.elements(), "right": ruleset.right.elements(), "heap": self.heap })
            }
        }
    }

    /// What a shard costs with so many claims.
    pub fn cost(&self, shard: &Shard, claims: usize) -> Cost {
        let units = (shard.end - shard.start) as f64;
        let rulesets = (units / self.heaps() as f64).ceil();
        let beneath = rulesets * self.heap.low() as f64 + units;
        let checks = units * (SECONDS_PER_CONFIGURATION + claims as f64 * SECONDS_PER_CHECK);
        let bytes = match &self.rulesets {
            Rulesets::Sets(ruleset) => OutcomeSequence::bytes(ruleset),
            Rulesets::Supports(supports) => 2 * supports.b.high(),
        };
        Cost { seconds: beneath * SECONDS_PER_HEAP + rulesets * SECONDS_PER_RULESET + checks, bytes: bytes.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rulesets_of_a_box_are_those_of_the_family_each_once() {
        let range = |text| Range::parse(text).unwrap();
        for (a, b, tau) in [("1..=4", "1..=6", "0..=5"), ("3", "2..=7", "4..=9"), ("2..=5", "4", "0"), ("1..=9", "1..=9", "1..=3")] {
            let (a, b, tau) = (range(a), range(b), range(tau));
            let mut expected = Vec::new();
            for b in b.low()..=b.high() {
                for a in (a.low()..=a.high()).filter(|a| *a <= b) {
                    expected.extend((tau.low()..=tau.high()).filter(|tau| *tau < b).map(|tau| Support { a, b, tau }));
                }
            }
            let supports = Supports::new(a, b, tau).unwrap();
            let found: Vec<Support> = (0..supports.count).map(|number| supports.get(number)).collect();
            assert_eq!(found, expected);
        }
        assert!(Supports::new(range("5"), range("1..=4"), range("0")).is_none());
    }
}
