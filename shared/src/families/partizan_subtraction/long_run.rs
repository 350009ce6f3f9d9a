//! What a ruleset does in the long run: its outcomes, solved as far as it takes to prove their period.

use std::fmt;

use crate::value::Outcome;

use super::period::{Period, RulesetClass, find};
use super::rules::Ruleset;
use super::solver::OutcomeSequence;

/// The most heaps that are looked at to find a period, except for rulesets whose windows are longer than an eighth of it.
const MAX_HEAPS: usize = 1 << 22;

/// The long run of a ruleset, as far as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongRun {
    /// Proved.
    Known(Period, RulesetClass),
    /// No window repeats within so many heaps.
    Unknown(usize),
}

impl LongRun {
    /// Looks for the period of a ruleset.
    ///
    /// Cost: a few times preperiod + period + m heaps; at most a few times 2^22.
    #[must_use]
    pub fn of(ruleset: &Ruleset) -> Self {
        let window = ruleset.reach() as usize;
        let mut sequence = OutcomeSequence::new(ruleset);
        let mut outcomes = Vec::new();
        let mut length = 4 * window + 64;
        loop {
            let known = outcomes.len();
            outcomes.resize(length, Outcome::P);
            sequence.fill(&mut outcomes[known..]);
            if let Some(found) = find(&outcomes, window) {
                return Self::Known(found, RulesetClass::of(&outcomes[found.preperiod..found.preperiod + found.period]));
            }
            if length >= MAX_HEAPS.max(8 * window) {
                return Self::Unknown(length);
            }
            length *= 2;
        }
    }
}

impl LongRun {
    /// Whether some long run, or the class of one, is written like this.
    pub fn may_be(text: &str) -> bool {
        let is_number = |text: &str| text.parse::<usize>().is_ok_and(|number| number.to_string() == text);
        if let Some(heaps) = text.strip_prefix("no period found within ") {
            return heaps.strip_suffix(" heaps").is_some_and(is_number);
        }
        let (class, rest) = text.split_once(", period ").map_or((text, None), |(class, rest)| (class, Some(rest)));
        let is_period = |rest: &str| {
            let numbers = rest.strip_suffix(" on").and_then(|rest| rest.split_once(" from heap "));
            numbers.is_some_and(|(period, preperiod)| is_number(period) && is_number(preperiod))
        };
        RulesetClass::ALL.iter().any(|one| one.to_string() == class) && rest.is_none_or(is_period)
    }
}

impl fmt::Display for LongRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(Period { period, preperiod }, class) => write!(formatter, "{class}, period {period} from heap {preperiod} on"),
            Self::Unknown(heaps) => write!(formatter, "no period found within {heaps} heaps"),
        }
    }
}
