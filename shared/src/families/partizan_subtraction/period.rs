//! The period of an outcome sequence, and what it says about the ruleset in the long run.
//!
//! The outcome of a heap is a function of the last m outcomes, m the greatest number that anyone may remove. So where a window
//! of m outcomes repeats, all that follows repeats too: equal windows ending at heaps i < j prove that the sequence has the
//! period j - i from heap i - m on. There are at most 4^m windows, so every sequence is ultimately periodic.

use std::fmt;

use crate::families::whole;
use crate::language::{Reading, Value};
use crate::value::Outcome;

/// A proved period of an outcome sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The least period.
    pub period: usize,
    /// The least heap from which on the sequence has this period.
    pub preperiod: usize,
}

impl Period {
    /// What a ruleset with this period and of a class has under a name that expressions know rulesets by.
    pub fn reading(self, name: &str, class: RulesetClass) -> Reading {
        match name {
            "period" => whole(self.period),
            "preperiod" => whole(self.preperiod),
            "dominance" => whole(match class {
                RulesetClass::StrongLeft => 2,
                RulesetClass::WeakLeft => 1,
                RulesetClass::Fair | RulesetClass::UltimatelyImpartial => 0,
                RulesetClass::WeakRight => -1,
                RulesetClass::StrongRight => -2,
            }),
            "is_fair" => Value::Boolean(class == RulesetClass::Fair).into(),
            "is_ultimately_impartial" => Value::Boolean(class == RulesetClass::UltimatelyImpartial).into(),
            _ => Reading::Absent,
        }
    }
}

/// What a ruleset does in the long run, by the outcomes that its period has (Fraenkel and Kotzig 1987; Duchêne et al.).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RulesetClass {
    /// Only L: Left wins every large heap.
    StrongLeft,
    /// Only R: Right wins every large heap.
    StrongRight,
    /// L and something else, but no R.
    WeakLeft,
    /// R and something else, but no L.
    WeakRight,
    /// Both L and R.
    Fair,
    /// Neither L nor R.
    UltimatelyImpartial,
}

impl RulesetClass {
    /// Every class.
    pub const ALL: [Self; 6] =
        [Self::StrongLeft, Self::StrongRight, Self::WeakLeft, Self::WeakRight, Self::Fair, Self::UltimatelyImpartial];

    /// The class of a period with these outcomes.
    #[must_use]
    pub fn of(period: &[Outcome]) -> Self {
        let has = |outcome| period.contains(&outcome);
        let only = |outcome| period.iter().all(|other| *other == outcome);
        match (has(Outcome::L), has(Outcome::R)) {
            (true, true) => Self::Fair,
            (false, false) => Self::UltimatelyImpartial,
            (true, false) if only(Outcome::L) => Self::StrongLeft,
            (true, false) => Self::WeakLeft,
            (false, true) if only(Outcome::R) => Self::StrongRight,
            (false, true) => Self::WeakRight,
        }
    }
}

impl fmt::Display for RulesetClass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::StrongLeft => "strong dominance of Left",
            Self::StrongRight => "strong dominance of Right",
            Self::WeakLeft => "weak dominance of Left",
            Self::WeakRight => "weak dominance of Right",
            Self::Fair => "fair",
            Self::UltimatelyImpartial => "ultimately impartial",
        })
    }
}

/// The period that a repeated window of this length proves, if one repeats within these outcomes of the heaps 0, 1, 2, ….
///
/// Brent's way: the hare walks on from a tortoise that jumps to it at each power of 2, so it meets the first window that it
/// has seen before at a distance of exactly the least period of the windows, which is that of the outcomes. Cost: O(length)
/// comparisons of windows, most of which end at once.
#[must_use]
pub fn find(outcomes: &[Outcome], window: usize) -> Option<Period> {
    let ending_at = |end: usize| outcomes.get(end.checked_sub(window)?..end);
    let (mut tortoise, mut power, mut period) = (window, 1, 1);
    let mut hare = window + 1;
    while ending_at(tortoise)? != ending_at(hare)? {
        if period == power {
            tortoise = hare;
            power *= 2;
            period = 0;
        }
        hare += 1;
        period += 1;
    }
    // The least heap from which on each outcome is the one a period later; beyond the tortoise's window that is proved.
    let before = |heap: &usize| outcomes[*heap] == outcomes[heap + period];
    let start = tortoise - window;
    let preperiod = start - (0..start).rev().take_while(before).count();
    Some(Period { period, preperiod })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(letters: &str) -> Vec<Outcome> {
        letters.chars().map(|letter| Outcome::from_letter(&letter.to_string()).unwrap()).collect()
    }

    #[test]
    fn the_least_period_and_preperiod_are_found() {
        let sequence = outcomes("PLLNRNPNPNPNPNPNPNPNPNPNPNP");
        assert_eq!(find(&sequence, 3), Some(Period { period: 2, preperiod: 5 }));
        assert_eq!(find(&outcomes("RRRRRRRR"), 2), Some(Period { period: 1, preperiod: 0 }));
        assert_eq!(find(&outcomes("PLNR"), 2), None);
    }

    #[test]
    fn classes_are_those_of_the_literature() {
        for (letters, class) in [
            ("L", RulesetClass::StrongLeft),
            ("RRR", RulesetClass::StrongRight),
            ("PLNL", RulesetClass::WeakLeft),
            ("RN", RulesetClass::WeakRight),
            ("LRN", RulesetClass::Fair),
            ("PN", RulesetClass::UltimatelyImpartial),
        ] {
            assert_eq!(RulesetClass::of(&outcomes(letters)), class, "{letters}");
        }
    }
}
