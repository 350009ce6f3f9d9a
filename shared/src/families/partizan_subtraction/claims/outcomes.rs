//! The claims about outcomes: Theorem 1.3, Proposition 3.3, section 5, and figure 3.

use crate::claim::Prediction;
use crate::value::Outcome;

use super::super::period::{RulesetClass, find};
use super::super::quantity::Value;
use super::super::rules::Support;
use super::position::{Position, Question, Says, outcome_if, outcome_or_silent, relation};

pub fn theorem_1_3_1(position: &Position) -> Says {
    let Support { b, tau, .. } = position.support;
    outcome_if(position.is_truncated() && tau > position.kappa() && position.heap > b, Outcome::L)
}

pub fn theorem_1_3_2(position: &Position) -> Says {
    let Support { b, tau, .. } = position.support;
    if !position.is_truncated() || tau != position.kappa() {
        return Prediction::Silent;
    }
    let t = position.heap % (b + 1);
    outcome_or_silent(Some(match t {
        0 => Outcome::P,
        t if t <= tau => Outcome::L,
        _ => Outcome::N,
    }))
}

pub fn theorem_1_3_3(position: &Position) -> Says {
    let onset = position.onset().filter(|_| position.is_truncated());
    outcome_if(onset.is_some_and(|onset| position.heap >= onset), Outcome::R)
}

pub fn proposition_3_3(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    outcome_if(tau == 0 && a < b && position.heap > a, Outcome::R)
}

/// As printed: heap 0 is among those up to tau.
pub fn lemma_5_3_1_printed(position: &Position) -> Says {
    outcome_if(position.is_truncated() && position.heap <= position.support.tau, Outcome::L)
}

pub fn lemma_5_3_1(position: &Position) -> Says {
    outcome_if(position.is_truncated() && (1..=position.support.tau).contains(&position.heap), Outcome::L)
}

pub fn lemma_5_3_2(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    outcome_if(position.is_truncated() && (tau + 1..=b.min(tau + a)).contains(&position.heap), Outcome::N)
}

pub fn lemma_5_3_3(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    outcome_if(position.is_truncated() && (b.min(tau + a) + 1..=b).contains(&position.heap), Outcome::R)
}

/// The block of a heap n >= 1, and the first heaps of its segments: (L, N, R, P) of equations (6) to (9).
///
/// Up to the last block N is at least L, since N - L = kappa - j (kappa - tau), so no heap lies in the segments of two blocks.
fn block(position: &Position) -> Option<(u64, [u64; 4])> {
    let Support { a, b, tau } = position.support;
    let j = position.heap.checked_sub(1)? / (b + 1) + 1;
    Some((j, [(j - 1) * (b + 1) + 1, (j * (a + tau + 1)).checked_sub(a)?, j * (a + tau + 1), j * (b + 1)]))
}

pub fn lemma_5_5(position: &Position) -> Says {
    in_block(position, |j, last| j < last, Outcome::P)
}

pub fn lemma_5_6(position: &Position) -> Says {
    in_block(position, |j, last| j == last, Outcome::R)
}

/// The segments of a block; `end` is the outcome of its last heap.
fn in_block(position: &Position, is_meant: fn(u64, u64) -> bool, end: Outcome) -> Says {
    let (Some(last), Some((j, [first_l, first_n, first_r, first_p]))) = (position.last_block(), block(position)) else {
        return Prediction::Silent;
    };
    if !position.is_truncated() || !is_meant(j, last) {
        return Prediction::Silent;
    }
    let heap = position.heap;
    outcome_or_silent(if heap == first_p {
        Some(end)
    } else if (first_l..first_n).contains(&heap) {
        Some(Outcome::L)
    } else if (first_n..first_r).contains(&heap) {
        Some(Outcome::N)
    } else if (first_r..first_p).contains(&heap) {
        Some(Outcome::R)
    } else {
        None
    })
}

/// The same statement as the third part of Theorem 1.3, which it is there to prove.
pub fn lemma_5_7(position: &Position) -> Says {
    theorem_1_3_3(position)
}

pub fn example_5_4(position: &Position) -> Says {
    use Outcome::{L, N, P, R};
    const PRINTED: [Outcome; 12] = [L, L, L, L, N, N, N, N, N, R, R, P];
    let is_meant = position.support == Support { a: 5, b: 11, tau: 4 };
    // The first printed outcome is that of heap 1.
    let printed = position.heap.checked_sub(1).and_then(|index| PRINTED.get(usize::try_from(index).ok()?));
    outcome_or_silent(printed.copied().filter(|_| is_meant))
}

/// Heaps that the statement on figure 3 is given: far more than any (3,7) sequence takes to repeat a window of 7.
const FIGURE_3_HEAPS: u64 = 512;

/// The text on figure 3, held against all heaps of a ruleset at once: it speaks at heap 0.
pub fn figure_3_text(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    if (a, b) != (3, 7) || tau == 0 || position.heap != 0 {
        return Prediction::Silent;
    }
    // In the long run a sequence is its period, once a window that repeats has proved it.
    let (wanted, says, denies): (fn(&[Outcome]) -> bool, _, _) = match tau {
        ..=3 => (|period| RulesetClass::of(period) == RulesetClass::StrongRight, "R for all large heaps", "not R for all large heaps"),
        4 => (
            |period| period.contains(&Outcome::P) && period.contains(&Outcome::N),
            "P and N infinitely often",
            "not both P and N infinitely often",
        ),
        5.. => (|period| RulesetClass::of(period) == RulesetClass::StrongLeft, "L for all large heaps", "not L for all large heaps"),
    };
    let window = b as usize;
    let holds = move |values: &[Value]| {
        let outcomes: Vec<Outcome> = values.iter().filter_map(Value::outcome).collect();
        find(&outcomes, window).is_some_and(|found| wanted(&outcomes[found.preperiod..found.preperiod + found.period]))
    };
    let needs = (0..FIGURE_3_HEAPS).map(|heap| Question::Outcome(position.at(heap))).collect();
    relation(needs, holds, says, denies)
}
