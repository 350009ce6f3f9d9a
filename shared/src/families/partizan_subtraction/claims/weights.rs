//! The claims about atomic weights and outcomes beside a far star: Theorems 1.2 and 1.5, Lemmas 4.1 and 6.1, Conjecture 7.1.

use crate::claim::Prediction;
use crate::value::Outcome;

use super::super::quantity::Value;
use super::super::rules::Support;
use super::position::{Position, Question, Says, relation, weight_if};

/// A number of heaps as an integer; heaps of a sweep are far below 2^63.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub fn theorem_1_2_1(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    weight_if(tau == 0 && a == b, 0)
}

pub fn theorem_1_2_2(position: &Position) -> Says {
    if position.heap == 0 { Prediction::Silent } else { theorem_1_2_2_intro(position) }
}

/// As section 1 prints it, for all n.
pub fn theorem_1_2_2_intro(position: &Position) -> Says {
    weight_if(position.is_full(), 1 - integer(position.heap.div_ceil(position.support.a)))
}

pub fn theorem_1_5(position: &Position) -> Says {
    let Position { support: Support { a, tau, .. }, heap } = *position;
    let start = a + tau + 1;
    let is_meant = position.is_truncated() && 2 * tau < position.kappa() && heap >= start;
    weight_if(is_meant, -integer(heap.saturating_sub(start) / a))
}

pub fn lemma_4_1(position: &Position) -> Says {
    let is_meant = position.is_full() && position.heap > position.support.a;
    beside_far_star(position, is_meant, 0, Outcome::R, ["R beside a far star", "not R beside a far star"])
}

pub fn lemma_6_1(position: &Position) -> Says {
    let Position { support: Support { a, tau, .. }, heap } = *position;
    let is_meant = position.is_truncated() && 2 * tau < position.kappa() && (tau + 1..=tau + a).contains(&heap);
    beside_far_star(position, is_meant, 1, Outcome::L, ["L beside up and a far star", "not L beside up and a far star"])
}

/// Section 4: Left wins G(n) + (f+1)·up·far-star, f = ceil(n/a) - 1.
pub fn theorem_1_2_proof_1(position: &Position) -> Says {
    let f = integer(position.heap.div_ceil(position.support.a)) - 1;
    let is_meant = position.is_full() && position.heap >= 1;
    beside_far_star(position, is_meant, f + 1, Outcome::L, ["L beside f+1 ups and a far star", "not L beside f+1 ups and a far star"])
}

/// Section 4: Right wins G(n) + (f-1)·up·far-star.
pub fn theorem_1_2_proof_2(position: &Position) -> Says {
    let f = integer(position.heap.div_ceil(position.support.a)) - 1;
    let is_meant = position.is_full() && position.heap >= 1;
    beside_far_star(position, is_meant, f - 1, Outcome::R, ["R beside f-1 ups and a far star", "not R beside f-1 ups and a far star"])
}

/// w(n) of section 6, where Theorem 1.5 speaks.
fn w(position: &Position) -> Option<i64> {
    let Position { support: Support { a, tau, .. }, heap } = *position;
    let start = a + tau + 1;
    let is_meant = position.is_truncated() && 2 * tau < position.kappa() && heap >= start;
    is_meant.then(|| integer((heap - start) / a))
}

/// Section 6: Left wins G(n) + (w(n)+1)·up·far-star.
pub fn theorem_1_5_proof_1(position: &Position) -> Says {
    let words = ["L beside w(n)+1 ups and a far star", "not L beside w(n)+1 ups and a far star"];
    w(position).map_or(Prediction::Silent, |w| beside_far_star(position, true, w + 1, Outcome::L, words))
}

/// Section 6: Right wins G(n) + w(n-a)·up·far-star, and w(n-a) is w(n)-1 by equation (19).
pub fn theorem_1_5_proof_2(position: &Position) -> Says {
    let words = ["R beside w(n-a) ups and a far star", "not R beside w(n-a) ups and a far star"];
    w(position).map_or(Prediction::Silent, |w| beside_far_star(position, true, w - 1, Outcome::R, words))
}

fn beside_far_star(position: &Position, is_meant: bool, ups: i64, outcome: Outcome, words: [&'static str; 2]) -> Says {
    if !is_meant {
        return Prediction::Silent;
    }
    let holds = move |values: &[Value]| values.iter().all(|value| value.outcome() == Some(outcome));
    relation(vec![Question::BesideFarStar(*position, ups)], holds, words[0], words[1])
}

/// The formula of Conjecture 7.1, -floor((n - R) / a), also for n below R; only where tau < b - a.
fn formula(position: &Position) -> Option<i64> {
    let onset = integer(position.onset().filter(|_| position.is_truncated())?);
    Some(-(integer(position.heap) - onset).div_euclid(integer(position.support.a)))
}

pub fn conjecture_7_1(position: &Position) -> Says {
    let is_meant = position.onset().is_some_and(|onset| position.heap >= onset);
    formula(position).map_or(Prediction::Silent, |weight| weight_if(is_meant, weight))
}

/// How far the remark on table 4 is held against: so many heaps from R on.
const ONSET_HEAPS: u64 = 120;

/// The remark on table 4, held against all heaps of a ruleset at once: it speaks at n = R.
pub fn table_4_onset(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    let onset = position.onset().filter(|onset| (a, b) == (3, 7) && tau >= 1 && *onset == position.heap);
    let Some(onset) = onset else { return Prediction::Silent };
    let heaps: Vec<Position> = (onset - 1..=onset + ONSET_HEAPS).map(|heap| position.at(heap)).collect();
    let expected: Vec<Option<i64>> = heaps.iter().map(formula).collect();
    let holds = move |values: &[Value]| {
        let mut fits = values.iter().zip(&expected).map(|(value, expected)| value.integer_weight() == *expected);
        // Not at R - 1, and from R on at every heap.
        fits.next() == Some(false) && fits.all(|fits| fits)
    };
    let needs = heaps.into_iter().map(Question::Weight).collect();
    relation(needs, holds, "R is the least heap from which on the formula fits", "the formula fits from another heap on")
}
