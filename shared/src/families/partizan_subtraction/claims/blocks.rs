//! The text of section 5.3 on the blocks of heap sizes, and that of section 2 on the long run: claims about many outcomes at once.

use crate::claim::{Prediction, Relation};
use crate::value::Outcome;

use super::super::quantity::Value;
use super::super::rules::Support;
use super::position::{Position, Question, Says, relation};

/// The number of the block that begins at a heap, if one does and tau < kappa, and the number of the last one.
fn begins(position: &Position) -> Option<(u64, u64)> {
    let last = position.last_block().filter(|_| position.is_truncated())?;
    let before = position.heap.checked_sub(1)?;
    let length = position.support.b + 1;
    before.is_multiple_of(length).then(|| (before / length + 1, last))
}

/// The outcomes of so many blocks, from the one that begins at this heap on.
fn outcomes(position: &Position, blocks: u64) -> Vec<Question> {
    let heaps = position.heap..position.heap + blocks * (position.support.b + 1);
    heaps.map(|heap| Question::Outcome(position.at(heap))).collect()
}

fn count(values: &[Value], outcome: Outcome) -> u64 {
    values.iter().filter(|value| value.outcome() == Some(outcome)).count() as u64
}

/// The first block: tau heaps that are L, one after the other from its beginning, and no others.
pub fn first_block(position: &Position) -> Says {
    let tau = position.support.tau;
    if begins(position).is_none_or(|(block, _)| block != 1) {
        return Prediction::Silent;
    }
    let holds = move |values: &[Value]| {
        let start = values.iter().take_while(|value| value.outcome() == Some(Outcome::L)).count() as u64;
        start == tau && count(values, Outcome::L) == tau
    };
    relation(outcomes(position, 1), holds, "exactly the first tau heaps of the block are L", "not exactly the first tau heaps of the block")
}

/// From a block to the next, up to the last one: b-a-tau heaps fewer are L.
pub fn fewer_l(position: &Position) -> Says {
    changes(position, |block, last| block < last, Outcome::L, -1)
}

/// And as many more are R, as it is printed: also in the last block.
pub fn more_r_printed(position: &Position) -> Says {
    changes(position, |block, last| block < last, Outcome::R, 1)
}

/// As many more are R, as long as the next block is not the last.
pub fn more_r(position: &Position) -> Says {
    changes(position, |block, last| block + 1 < last, Outcome::R, 1)
}

/// That in the next block the heaps of an outcome are b-a-tau more, or fewer.
fn changes(position: &Position, is_meant: fn(u64, u64) -> bool, outcome: Outcome, sign: i64) -> Says {
    if begins(position).is_none_or(|(block, last)| !is_meant(block, last)) {
        return Prediction::Silent;
    }
    // Heaps of a sweep are far below 2^63.
    let integer = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let change = sign * integer(position.kappa() - position.support.tau);
    let half = usize::try_from(position.support.b + 1).unwrap_or(usize::MAX);
    let holds = move |values: &[Value]| {
        let Some((here, next)) = values.split_at_checked(half) else { return false };
        integer(count(next, outcome)) - integer(count(here, outcome)) == change
    };
    let (more, number) = (if sign > 0 { "more" } else { "fewer" }, change.unsigned_abs());
    let says = format!("{number} heaps {more} are {outcome} in the next block");
    relation(outcomes(position, 2), holds, says, format!("another number of heaps is {outcome} in the next block"))
}

/// The last block is the first with fewer than b-a-tau heaps that are L.
pub fn last_block(position: &Position) -> Says {
    let Some((block, last)) = begins(position).filter(|(block, last)| block <= last) else { return Prediction::Silent };
    let step = position.kappa() - position.support.tau;
    let holds = move |values: &[Value]| (count(values, Outcome::L) < step) == (block == last);
    let says = if block == last { "fewer than b-a-tau heaps of the block are L" } else { "b-a-tau heaps of the block or more are L" };
    relation(outcomes(position, 1), holds, says, "another number of heaps of the block is L")
}

/// Where 2 tau < b-a: the last block is the first one, and R = a+tau+1.
pub fn onset_at_low_levels(position: &Position) -> Says {
    low_levels(position, |tau, kappa| 2 * tau < kappa)
}

/// The same where a level is called low by another rule. It speaks at heap 0.
pub fn low_levels(position: &Position, is_low: fn(u64, u64) -> bool) -> Says {
    let Support { a, tau, .. } = position.support;
    if !position.is_truncated() || !is_low(tau, position.kappa()) || position.heap != 0 {
        return Prediction::Silent;
    }
    let holds = position.last_block() == Some(1) && position.onset() == Some(a + tau + 1);
    Prediction::Relation(Box::new(Relation::of_position(holds, "beta-hat = 1 and R = a+tau+1", "another beta-hat or R")))
}

/// Whether outcomes of heaps from 0 on prove a period, and then the outcomes that heaps have again and again. An outcome is a function of
/// the last `window` ones, so where so many outcomes in a row stand a second time all that follows is the same, too: what stands between
/// the two stands there forever.
///
/// Cost: O(length^2) comparisons, most of which end at once.
pub fn long_run(outcomes: &[Outcome], window: usize) -> Option<&[Outcome]> {
    let ends = window..=outcomes.len();
    let stands_twice = |second: usize| {
        let first = (window..second).find(|first| outcomes[first - window..*first] == outcomes[second - window..second])?;
        Some(&outcomes[first..second])
    };
    ends.into_iter().find_map(stands_twice)
}

/// The text on weak dominance, held against all heaps of a ruleset on the knife's edge at once: it speaks at heap 0.
pub fn weak_dominance(position: &Position) -> Says {
    if !position.is_on_the_edge() || position.heap != 0 {
        return Prediction::Silent;
    }
    let window = usize::try_from(position.support.b).unwrap_or(usize::MAX);
    let holds = move |values: &[Value]| {
        let outcomes: Vec<Outcome> = values.iter().filter_map(Value::outcome).collect();
        long_run(&outcomes, window).is_some_and(|period| period.contains(&Outcome::L) && !period.contains(&Outcome::R))
    };
    // The first heap of the first block is 1, so the outcomes of the heaps 0 to b stand a second time within three blocks.
    let needs = (0..3 * (position.support.b + 1)).map(|heap| Question::Outcome(position.at(heap))).collect();
    relation(needs, holds, "periodic in the long run, with L and without R", "not periodic with L and without R")
}
