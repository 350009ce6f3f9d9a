use std::collections::BTreeSet;

use crate::claim::Prediction;
use crate::families::{Check, Confirmation};
use crate::sweep::Shard;
use crate::value::Outcome;

use super::super::claims::{Position, entries};
use super::super::reference::ReferenceSolver;
use super::super::rules::Support;
use super::{solve, sweep};

/// The claims of which some copy is refuted that reads the position one unit beside, in a, in b, in tau or in the heap.
pub fn refuted_when_off_by_one() -> BTreeSet<&'static str> {
    let mut refuted = BTreeSet::new();
    for b in 1..=11u64 {
        for (a, tau) in (1..=b).flat_map(|a| (0..b).map(move |tau| (a, tau))) {
            let support = Support { a, b, tau };
            let mut reference = ReferenceSolver::new(support.ruleset().unwrap());
            let actual: Vec<Outcome> = (0..40).map(|heap| reference.outcome(heap)).collect();
            for (heap, outcome) in (0u64..).zip(&actual) {
                for shifted in beside(Position { support, heap }) {
                    refuted.extend(
                        entries().iter().filter(|entry| contradicts(&(entry.predict)(&shifted), *outcome)).map(|entry| entry.claim.id),
                    );
                }
            }
        }
    }
    // The text on figure 3 is about periods: its copy for tau = 3 says R for all large heaps at tau = 4, where it is not so.
    let says = |tau| {
        let entry = entries().iter().find(|entry| entry.claim.id == "truncated-support/figure-3-text").unwrap();
        (entry.predict)(&Position { support: Support { a: 3, b: 7, tau }, heap: 0 })
    };
    let mut reference = ReferenceSolver::new(Support { a: 3, b: 7, tau: 4 }.ruleset().unwrap());
    let values: Vec<Outcome> = says(3).needs().iter().map(|position| reference.outcome(position.heap)).collect();
    assert_eq!(says(4).check(None, &values), Check::Held);
    if says(3).check(None, &values) == Check::Refuted && says(5).check(None, &values) == Check::Refuted {
        refuted.insert("truncated-support/figure-3-text");
    }
    refuted
}

fn contradicts(says: &Prediction<Position, Outcome>, actual: Outcome) -> bool {
    matches!(says, Prediction::Value(predicted) if *predicted != actual)
}

fn beside(position: Position) -> impl Iterator<Item = Position> {
    let Position { support, heap } = position;
    let Support { a, b, tau } = support;
    let other = |a, b, tau, heap| Position { support: Support { a, b, tau }, heap };
    let all = [other(a + 1, b, tau, heap), other(a, b + 1, tau, heap), other(a, b, tau + 1, heap), other(a, b, tau, heap + 1)];
    all.into_iter().filter(|position| position.support.ruleset().is_some())
}

#[test]
fn the_printed_lemma_5_3_is_refuted_at_heap_0() {
    let sweep =
        sweep("claims = [\"truncated-support/lemma-5.3.1*\"]\n[space]\na = \"1..=3\"\nb = \"1..=4\"\ntau = \"0..=3\"\nheap = \"0..=9\"\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let result = solve(sweep.space.solver().as_mut(), &sweep, &shard);
    // One heap 0 for each a < b and 1 <= tau < b: 1 + 2·2 + 3·3.
    assert_eq!(result.tally.claims[0].refuted, 14);
    assert_eq!(result.tally.claims[1].refuted, 0);
    assert!(result.tally.claims[1].held > 0);
    let mut reference = sweep.space.reference();
    let smallest = &result.counterexamples[0][0];
    let Confirmation::Stands(found) = reference.confirm(sweep.claims[0], &smallest.key, &smallest.actual) else { panic!() };
    assert_eq!(found.parameters.to_string(), r#"{"a":1,"b":2,"tau":1,"heap":0}"#);
    assert_eq!((found.predicted.as_str(), found.actual.as_str(), found.confirmed), ("L", "P", true));
    assert!(matches!(reference.confirm(sweep.claims[1], &smallest.key, "P"), Confirmation::Disagrees(_)));
    assert!(matches!(reference.confirm(sweep.claims[0], &smallest.key, "R"), Confirmation::Disagrees(_)));
}

#[test]
fn a_pair_of_sets_that_is_truncated_support_is_held_against_the_same_claims() {
    let named = sweep("[space]\na = 3\nb = 7\ntau = 4\nheap = \"0..=99\"\n");
    let sets = sweep("[space]\nleft = \"1..3\"\nright = [5, 6, 7]\nheap = \"0..=99\"\n");
    assert_eq!(named.claim_ids(), sets.claim_ids());
    let result = |sweep: &crate::sweep::Sweep| solve(sweep.space.solver().as_mut(), sweep, &Shard { box_index: 0, start: 0, end: 100 });
    let (one, other) = (result(&named), result(&sets));
    assert_eq!(one.tally.claims, other.tally.claims);
    assert!(one.tally.claims.iter().any(|counts| counts.held > 0));
}

#[test]
fn every_claim_but_the_printed_lemma_5_3_holds_on_small_rulesets() {
    let sweep = sweep("[space]\na = \"1..=5\"\nb = \"1..=11\"\ntau = \"0..=10\"\nheap = \"0..=150\"\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let result = solve(sweep.space.solver().as_mut(), &sweep, &shard);
    for (id, counts) in sweep.claim_ids().into_iter().zip(result.tally.claims) {
        let is_false = id == "truncated-support/lemma-5.3.1-printed";
        assert_eq!(counts.refuted > 0, is_false, "{id}");
        assert!(counts.held > 0, "{id}");
    }
}
