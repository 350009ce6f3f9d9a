//! Canonical forms and atomic weights of heaps: the solver against the reference.

use std::sync::Arc;

use crate::value::{Dyadic, GameId, Games};

use super::super::quantity::{Quantity, Value, Weight};
use super::super::reference_values::ReferenceValues;
use super::super::reference_weights::atomic_weight;
use super::super::rules::{Ruleset, Support};
use super::super::solved::Solved;
use super::{ruleset, sets};

/// Holds the solver against the reference on the heaps of a ruleset, and counts the weights that are no integers.
fn assert_equal(ruleset: &Ruleset, heaps: u64) -> usize {
    let mut solved = Solved::new(Arc::new(ruleset.clone()), ruleset.support());
    let mut reference = ReferenceValues::default();
    let mut others = 0;
    for heap in 0..heaps {
        for quantity in [Quantity::CanonicalForm, Quantity::AtomicWeight] {
            let (found, expected) = (solved.value(heap, quantity).unwrap(), reference.value(ruleset, heap, quantity).unwrap());
            assert_eq!(found.to_string(), expected.to_string(), "{ruleset:?} heap {heap}");
            if let (Some(found), Some(expected)) = (found.form(), expected.form()) {
                assert_eq!((found.least, &found.left, &found.right), (expected.least, &expected.left, &expected.right));
                assert_eq!((found.name, found.is_all_small), (expected.name, expected.is_all_small));
            }
            others += usize::from(matches!(found, Value::Weight(Weight::Game(_))));
        }
    }
    others
}

#[test]
fn the_solver_equals_the_reference_for_every_pair_of_sets_inside_1_to_5() {
    let mut others = 0;
    for left in sets(5) {
        for right in sets(5) {
            others += assert_equal(&Ruleset { left: left.clone(), right }, 13);
        }
    }
    // Among them {1,2} and {1,5} at heap 5.
    assert!(others >= 16, "{others} weights that are no integers");
}

#[test]
fn the_solver_equals_the_reference_on_full_and_truncated_support() {
    for b in 1..=6 {
        for support in (1..=b).flat_map(|a| (0..b).map(move |tau| Support { a, b, tau })) {
            assert_equal(&support.ruleset().unwrap(), 3 * (b + 1) + 6);
        }
    }
}

/// The two ways to a weight on games that no heap has to have: with integers for weights, with other games, and with none though
/// they are infinitesimals.
#[test]
fn the_reference_finds_the_weights_that_the_engine_finds() {
    let mut games = Games::new(u64::MAX);
    let texts = ["0", "*", "^", "v*", "^^*", "vv", "^3", "v3*", "{1|0}", "{0|-2}", "{1|-1}", "1", "-1"];
    let options: Vec<GameId> = texts.iter().map(|text| games.parse(text).unwrap()).collect();
    let pairs: Vec<[GameId; 2]> = options.iter().flat_map(|one| options.iter().map(move |two| [*one, *two])).collect();
    let (mut integers, mut others, mut none) = (0, 0, 0);
    for (left, right) in pairs.iter().flat_map(|left| pairs.iter().map(move |right| (left, right))).step_by(29) {
        let game = games.canonical(left, right).unwrap();
        let weight = atomic_weight(&mut games, game).unwrap();
        assert_eq!(weight, games.atomic_weight(game).unwrap(), "{:?}", games.text(game));
        match weight.map(|weight| games.as_number(weight).and_then(Dyadic::as_integer)) {
            Some(Some(_)) => integers += 1,
            Some(None) => others += 1,
            None => none += usize::from(games.is_infinitesimal(game)),
        }
    }
    assert!(integers > 20 && others > 20 && none > 20, "{integers} {others} {none}");
}

/// Weights that are known: of ups and nimbers, of tiny games, and of games whose weights are no integers (Theorem A.21).
#[test]
fn the_reference_finds_known_weights() {
    let mut games = Games::new(u64::MAX);
    let cases = [
        ("0", Some("0")),
        ("*7", Some("0")),
        ("^3*2", Some("3")),
        ("v", Some("-1")),
        ("{0||0|-5}", Some("0")),
        ("{^^|vv}", Some("*")),
        ("{^^*|v}", Some("1/2")),
        ("{^3|v}", Some("1*")),
        ("{^3|vv}", Some("{1|0}")),
        ("1", None),
        ("{1|-1}", None),
        ("{2||1|0}", None),
    ];
    for (text, expected) in cases {
        let game = games.parse(text).unwrap();
        let weight = atomic_weight(&mut games, game).unwrap().and_then(|weight| games.text(weight));
        assert_eq!(weight.as_deref(), expected, "{text}");
        // Beside a tiny game, which is not all-small and has the weight 0, it stays what it is.
        let tiny = games.parse("{0||0|-2}").unwrap();
        let sum = games.sum(game, tiny).unwrap();
        let weight = atomic_weight(&mut games, sum).unwrap().and_then(|weight| games.text(weight));
        assert_eq!(weight.as_deref(), expected, "{text} and tiny-2");
    }
}

/// Canonical forms of heaps by a program that shares no code with this one; `golden/heaps.py` made them.
#[test]
fn heaps_have_the_canonical_forms_that_another_program_finds() {
    let mut games = Games::new(u64::MAX);
    let mut current: Option<(String, Solved)> = None;
    let mut count = 0;
    for line in include_str!("golden/heaps.txt").lines().filter(|line| !line.starts_with('#')) {
        let [left, right, heap, expected] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let name = format!("{left} {right}");
        if current.as_ref().is_none_or(|(known, _)| *known != name) {
            current = Some((name, Solved::new(Arc::new(ruleset(left, right)), None)));
        }
        let Some((_, solved)) = &mut current else { continue };
        let found = solved.value(heap.parse().unwrap(), Quantity::CanonicalForm).unwrap();
        let expected = games.parse(expected).unwrap();
        assert_eq!(Some(found.to_string()), games.text(expected), "{line}");
        count += 1;
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn heaps_of_100000_and_deep_values_overflow_nothing() {
    let mut weights = Solved::new(Arc::new(ruleset("1..=7", "6..=19")), None);
    // Theorem 1.5: tau = 5 < (19-7)/2.
    assert_eq!(weights.value(100_000, Quantity::AtomicWeight).unwrap().integer_weight(), Some(-(100_000 - 13) / 7));
    let mut edge = Solved::new(Arc::new(ruleset("1..=3", "5..=7")), None);
    let (far, near) = (edge.value(100_000, Quantity::CanonicalForm).unwrap(), edge.value(100_000 % 8, Quantity::CanonicalForm).unwrap());
    assert_eq!(far, near);
    // Heaps that Right cannot move in are integers, each as deep as it is large.
    let integers = ruleset("1", "60000");
    let mut solved = Solved::new(Arc::new(integers.clone()), None);
    assert_eq!(solved.value(3000, Quantity::CanonicalForm).unwrap().to_string(), "3000");
    let deep = ReferenceValues::default().value(&integers, 50_000, Quantity::CanonicalForm).unwrap();
    assert_eq!(deep.to_string(), "50000");
}

#[test]
fn a_form_too_long_to_be_written_out_names_heaps() {
    let mut solved = Solved::new(Arc::new(ruleset("1..=3", "1..=5")), None);
    assert_eq!(solved.value(60, Quantity::CanonicalForm).unwrap().to_string(), "{heap 59,heap 58,heap 57|heap 0}");
    let short = solved.value(5, Quantity::CanonicalForm).unwrap().to_string();
    assert_eq!(short, "{*2,*3,{*,*2,*3|0}||0}");
}
