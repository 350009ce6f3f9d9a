//! The solver and the reference find the same outcomes, and the periods that are found are proved and least.

use proptest::prelude::*;

use crate::value::Outcome;

use super::super::long_run::LongRun;
use super::super::period::{Period, RulesetClass};
use super::super::reference::ReferenceSolver;
use super::super::rules::{Ruleset, SubtractionSet};
use super::super::solver::OutcomeSequence;
use super::{ruleset, sets};

fn outcomes(ruleset: &Ruleset, heaps: usize) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::P; heaps];
    OutcomeSequence::new(ruleset).fill(&mut outcomes);
    outcomes
}

fn assert_equals_reference(ruleset: &Ruleset, heaps: usize) {
    let mut reference = ReferenceSolver::new(ruleset.clone());
    for (heap, outcome) in outcomes(ruleset, heaps).into_iter().enumerate() {
        assert_eq!(outcome, reference.outcome(heap as u64), "{ruleset:?} heap {heap}");
    }
}

#[test]
fn the_solver_equals_the_reference_for_every_pair_of_sets_inside_1_to_6() {
    for left in sets(6) {
        for right in sets(6) {
            assert_equals_reference(&Ruleset { left: left.clone(), right }, 61);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Numbers above 64: intervals, and sets of several words.
    #[test]
    fn the_solver_equals_the_reference_for_large_numbers(left in prop::collection::btree_set(1u64..200, 1..6), right in prop::collection::btree_set(1u64..200, 1..6), low in 1u64..90, span in 0u64..90, other_low in 1u64..90, other_span in 0u64..90) {
        let set = |numbers: &mut dyn Iterator<Item = u64>| SubtractionSet::new(numbers).unwrap();
        let sparse = Ruleset { left: set(&mut left.into_iter()), right: set(&mut right.into_iter()) };
        assert_equals_reference(&sparse, 600);
        let intervals = Ruleset { left: set(&mut (low..=low + span)), right: set(&mut (other_low..=other_low + other_span)) };
        assert_equals_reference(&intervals, 600);
    }

    /// All that follows a proved period is periodic, and no smaller period or preperiod would do.
    #[test]
    fn periods_hold_far_past_their_proof_and_are_least(left in prop::collection::btree_set(1u64..8, 1..5), right in prop::collection::btree_set(1u64..8, 1..5)) {
        let ruleset = Ruleset { left: SubtractionSet::new(left).unwrap(), right: SubtractionSet::new(right).unwrap() };
        let LongRun::Known(Period { period, preperiod }, class) = LongRun::of(&ruleset) else { panic!("no period") };
        let all = outcomes(&ruleset, preperiod + 20 * period + 2000);
        let is_periodic = |from: usize, period: usize| (from..all.len() - period).all(|heap| all[heap] == all[heap + period]);
        prop_assert!(is_periodic(preperiod, period));
        prop_assert!(preperiod == 0 || !is_periodic(preperiod - 1, period));
        prop_assert!((1..period).all(|smaller| !is_periodic(preperiod, smaller)));
        prop_assert_eq!(class, RulesetClass::of(&all[all.len() - period..]));
    }
}

#[test]
fn known_sequences_are_found() {
    // Left may remove 1 and Right may remove 2: P, L, N and again.
    let LongRun::Known(found, class) = LongRun::of(&ruleset("1", "2")) else { panic!() };
    assert_eq!((found, class), (Period { period: 3, preperiod: 0 }, RulesetClass::WeakLeft));
    // Impartial: P at the multiples of 4.
    let LongRun::Known(found, class) = LongRun::of(&ruleset("1..3", "1..3")) else { panic!() };
    assert_eq!((found, class), (Period { period: 4, preperiod: 0 }, RulesetClass::UltimatelyImpartial));
    // Theorem 1.3, part 2: at tau = b - a the period is b + 1.
    let LongRun::Known(found, class) = LongRun::of(&ruleset("1..3", "5..7")) else { panic!() };
    assert_eq!((found, class), (Period { period: 8, preperiod: 0 }, RulesetClass::WeakLeft));
}

#[test]
fn a_sequence_filled_in_pieces_is_the_same() {
    let ruleset = ruleset("1,4,6", "2..=90");
    let whole = outcomes(&ruleset, 500);
    let mut sequence = OutcomeSequence::new(&ruleset);
    let mut pieces = Vec::new();
    for length in [1, 7, 92, 400] {
        let mut piece = vec![Outcome::P; length];
        sequence.fill(&mut piece);
        pieces.extend(piece);
    }
    assert_eq!(whole, pieces);
    assert_eq!(sequence.next_heap(), 500);
}

#[test]
fn the_reference_refuses_what_would_take_it_too_long() {
    assert!(ReferenceSolver::refuses(&ruleset("1..3", "5..7"), 26).is_none());
    assert!(ReferenceSolver::refuses(&ruleset("1..3", "5..7"), 1 << 25).unwrap().contains("too large for the reference"));
    assert!(ReferenceSolver::refuses(&ruleset("1..=60000", "1..=60000"), 10_000).is_some());
}
