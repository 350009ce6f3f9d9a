//! The claims about canonical forms and about how heaps compare: Theorems 1.1, 1.4 and 2.1, section 3, and the open questions of
//! section 7 on the knife's edge.

use std::borrow::Cow;

use crate::claim::Prediction;
use crate::value::{Dyadic, Name, Order};

use super::super::quantity::Value;
use super::super::rules::{MAX_ELEMENT, Support};
use super::position::{Position, Question, Says, nimber_if, relation};

/// The heaps that Left moves to, ascending.
fn left_options(position: &Position) -> Vec<u64> {
    let Position { support, heap } = *position;
    (heap.saturating_sub(support.a)..heap).collect()
}

/// The nimber up to n = a, and beyond it a form with every Left option as it comes, and with 0 for Right.
pub fn theorem_1_1(position: &Position) -> Says {
    let Position { support: Support { a, .. }, heap } = *position;
    if !position.is_full() || heap <= a {
        return nimber_if(position.is_full(), heap);
    }
    let needs = [heap, 0].into_iter().chain(left_options(position)).map(|heap| Question::Form(position.at(heap))).collect();
    let holds = |values: &[Value]| {
        let [form, zero, options @ ..] = values else { return false };
        let (Some(form), Some(zero)) = (form.form(), zero.form()) else { return false };
        let mut printed: Vec<u64> = options.iter().filter_map(Value::form).map(|form| form.least).collect();
        printed.sort_unstable();
        // Options of the same value would be one option of the canonical form, and the lists would not be as long.
        form.left == printed && form.right == [zero.least]
    };
    relation(needs, holds, "{FS(n-1), ..., FS(n-a)|0} is the canonical form", "another form is the canonical one")
}

pub fn theorem_1_4(position: &Position) -> Says {
    if !position.is_on_the_edge() {
        return Prediction::Silent;
    }
    let t = position.heap % (position.support.b + 1);
    same(vec![Question::Order(*position, position.at(t))], "TS(n) = TS(n mod (b+1))", "TS(n) and TS(n mod (b+1)) differ")
}

pub fn theorem_2_1(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    nimber_if(tau == 0 && a == b && position.heap >= 1, position.heap % (a + 1))
}

/// All-small as it comes, where both players can move from the same heaps on, and in canonical form.
pub fn observation_3_2_1(position: &Position) -> Says {
    let Some(ruleset) = position.support.ruleset().filter(|_| position.support.tau == 0) else { return Prediction::Silent };
    let is_so_as_it_comes = ruleset.left.ends().0 == ruleset.right.ends().0;
    let holds = move |values: &[Value]| is_so_as_it_comes && values.iter().all(|value| value.form().is_some_and(|form| form.is_all_small));
    relation(vec![Question::Form(*position)], holds, "all-small", "not all-small")
}

pub fn observation_3_2_2(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    nimber_if(tau == 0 && position.heap <= a.min(b), position.heap)
}

/// Held against every m < n at once.
pub fn lemma_3_4_1(position: &Position) -> Says {
    if !position.is_full() || position.heap == 0 {
        return Prediction::Silent;
    }
    let needs = left_options(position).into_iter().map(|m| Question::Order(*position, position.at(m))).collect();
    all(needs, Order::Confused, "confused with each FS(m), 1 <= n-m <= a", "not confused with some FS(m), 1 <= n-m <= a")
}

/// Held against every m at once; where there is none it is silent.
pub fn lemma_3_4_2(position: &Position) -> Says {
    let Position { support: Support { a, .. }, heap } = *position;
    if !position.is_full() || heap <= a {
        return Prediction::Silent;
    }
    let needs = (0..heap - a).map(|m| Question::Order(*position, position.at(m))).collect();
    all(needs, Order::Less, "less than each FS(m), n-m > a", "not less than some FS(m), n-m > a")
}

/// Held against all pairs at once; with fewer than two options there is nothing to fail.
pub fn lemma_3_5(position: &Position) -> Says {
    if !position.is_full() {
        return Prediction::Silent;
    }
    let options = left_options(position);
    let pairs = options.iter().flat_map(|one| options.iter().filter(move |other| *other < one).map(move |other| (*one, *other)));
    let needs = pairs.map(|(one, other)| Question::Order(position.at(one), position.at(other))).collect();
    all(needs, Order::Confused, "the Left options are pairwise confused", "two Left options are comparable")
}

pub fn lemma_3_6(position: &Position) -> Says {
    if !position.is_full() || position.heap <= position.support.a {
        return Prediction::Silent;
    }
    let needs = vec![Question::OrderWithOptions(*position, left_options(position), vec![0])];
    same(needs, "equal to {FS(n-1), ..., FS(n-a)|0}", "different from {FS(n-1), ..., FS(n-a)|0}")
}

pub fn observation_3_7(position: &Position) -> Says {
    let Support { a, b, tau } = position.support;
    // It is about n >= 1. There is no ruleset with a greater b than the largest.
    if !position.is_full() || position.heap == 0 || b >= MAX_ELEMENT {
        return Prediction::Silent;
    }
    let wider = Position { support: Support { a, b: b + 1, tau }, heap: position.heap };
    same(vec![Question::Order(*position, wider)], "FS(n;a,b) = FS(n;a,b+1)", "FS(n;a,b) and FS(n;a,b+1) differ")
}

pub fn observation_5_2(position: &Position) -> Says {
    let heap = i64::try_from(position.heap).ok().and_then(Dyadic::integer);
    match heap.filter(|_| position.is_truncated() && (1..=position.support.tau).contains(&position.heap)) {
        Some(heap) => Prediction::Value(Value::Named(Name::number(heap))),
        None => Prediction::Silent,
    }
}

/// Whether n is in Q = {(m+1)(b-a) + m : m >= 1}.
fn is_in_q(position: &Position, heap: u64) -> bool {
    // (m+1)(b-a) + m + 1 = (m+1)(b-a+1).
    let step = position.kappa() + 1;
    (heap + 1).is_multiple_of(step) && (heap + 1) / step >= 2
}

/// Where Proposition 7.2 and Problem 7.1 speak: on the knife's edge with 3 <= a.
fn is_in_section_7(position: &Position) -> bool {
    position.is_on_the_edge() && position.support.a >= 3
}

pub fn proposition_7_2(position: &Position) -> Says {
    let heap = position.heap;
    let is_meant = heap > position.kappa() && heap + 2 <= position.support.b && !is_in_q(position, heap);
    if !is_in_section_7(position) || !is_meant {
        return Prediction::Silent;
    }
    let holds = |values: &[Value]| values.iter().all(|value| value.order().is_some_and(Order::is_at_most));
    relation(vec![Question::Order(*position, position.at(heap + 1))], holds, "TS(n) <= TS(n+1)", "not TS(n) <= TS(n+1)")
}

/// Held at j against all i at once.
pub fn problem_7_1(position: &Position) -> Says {
    let j = position.heap;
    if !is_in_section_7(position) || j <= position.kappa() || j >= position.support.b {
        return Prediction::Silent;
    }
    let others: Vec<u64> = (position.kappa() + 1..position.support.b).filter(|i| *i != j).collect();
    let may_be_at_most = others.iter().map(|i| *i < j && !(*i..j).any(|heap| is_in_q(position, heap))).collect::<Vec<bool>>();
    let needs = others.iter().map(|i| Question::Order(position.at(*i), *position)).collect();
    let holds = move |values: &[Value]| {
        values.iter().zip(&may_be_at_most).all(|(value, may_be)| value.order().is_some_and(|order| *may_be || !order.is_at_most()))
    };
    relation(needs, holds, "TS(i) <= TS(n) only for i < n without Q in i..n-1", "TS(i) <= TS(n) for some other i")
}

/// Held at j against all i at once.
pub fn problem_7_1_mixed(position: &Position) -> Says {
    let j = position.heap;
    if !is_in_section_7(position) || j <= position.kappa() || j >= position.support.b {
        return Prediction::Silent;
    }
    let needs = (0..=position.kappa()).map(|i| Question::Order(position.at(i), *position)).collect();
    all(needs, Order::Confused, "confused with each of TS(0), ..., TS(b-a)", "comparable with one of TS(0), ..., TS(b-a)")
}

/// Section 5.2: a canonical form on the knife's edge is that of a heap up to b, so that there are at most b+1 of them.
pub fn section_5_2_forms(position: &Position) -> Says {
    if !position.is_on_the_edge() {
        return Prediction::Silent;
    }
    let b = position.support.b;
    let holds = move |values: &[Value]| values.iter().all(|value| value.form().is_some_and(|form| form.least <= b));
    relation(vec![Question::Form(*position)], holds, "the canonical form of a heap up to b", "the canonical form of no heap up to b")
}

/// Section 5.2, held against the heaps of table 5 at once: some canonical form of T_1(n;5,6) has a Right option besides 0. It speaks at
/// heap 0.
pub fn section_5_2_right_options(position: &Position) -> Says {
    right_options_up_to(position, 14)
}

/// The same of the heaps up to another one.
pub fn right_options_up_to(position: &Position, last: u64) -> Says {
    if position.support != (Support { a: 5, b: 6, tau: 1 }) || position.heap != 0 {
        return Prediction::Silent;
    }
    let holds = |values: &[Value]| values.iter().filter_map(Value::form).any(|form| form.right.iter().any(|option| *option != 0));
    let needs = (0..=last).map(|heap| Question::Form(position.at(heap))).collect();
    relation(needs, holds, "not all Right options reverse out to 0", "all Right options reverse out to 0")
}

/// Holds if every comparison comes out so; vacuous if there is none.
fn all(needs: Vec<Question>, wanted: Order, says: impl Into<Cow<'static, str>>, denies: impl Into<Cow<'static, str>>) -> Says {
    if needs.is_empty() {
        return Prediction::Vacuous;
    }
    relation(needs, move |values: &[Value]| values.iter().all(|value| value.order() == Some(wanted)), says, denies)
}

fn same(needs: Vec<Question>, says: &'static str, denies: &'static str) -> Says {
    all(needs, Order::Equal, says, denies)
}
