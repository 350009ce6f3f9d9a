//! The claims about answers, which are their texts: counts of another program, copies that are off by one, what is wrong in print.

use std::collections::BTreeSet;

use crate::families::testing::refuted_copies;
use crate::families::{Confirmation, Entry, Game, Predicate};
use crate::sweep::{Shard, Sweep};

use super::super::GraphNim;
use super::{solve, sweep};

/// The boxes of `golden/replies.py`.
const BOXES: &str = r#"
[[space]]
graph   = "F2"
weights = { CD = "1..=12", other = "1..=6" }
[[space]]
graph   = "G4"
weights = { DE = "1..=30", other = "1..=10" }
[[space]]
graph   = "H1"
weights = { AB = "1..=21", BC = "1..=6", CD = "1..=29", EF = "1..=20" }
"#;

fn is_text(entry: &Entry<GraphNim>) -> bool {
    matches!(entry.predicate, Predicate::Text { .. })
}

fn ids() -> Vec<String> {
    GraphNim::claims().into_iter().filter(is_text).map(|entry| entry.claim.id.into_owned()).collect()
}

/// One more is left of an edge that P2 takes from; where a statement is cited, P2 loses; beside the numbers of the cases by one.
pub fn refuted_when_off_by_one() -> BTreeSet<String> {
    let space = r#"
        [[space]]
        graph   = "F2"
        weights = { CD = "1..=8", other = "1..=4" }
        [[space]]
        graph   = "G4"
        weights = { DE = "1..=14", other = "1..=10" }
        [[space]]
        graph   = "H1"
        weights = { AB = "1..=4", BC = "1..=5", CD = "1..=20", EF = "1..=21" }
    "#;
    refuted_copies(&GraphNim, space, &ids(), |_, says| {
        let mut says = says.replace("o.outcome == N", "o.outcome == P");
        for edge in ["AB", "BC", "CD", "DE", "EF"] {
            says = says.replace(&format!("at({edge} = "), &format!("at({edge} = 1 + "));
        }
        says.replace("special_m >= 2", "special_m >= 3").replace("AB < M", "AB >= M")
    })
}

fn sweep_of(ids: &[String]) -> Sweep {
    sweep(&format!("claims = {ids:?}\n{BOXES}"))
}

/// The counts of each claim over all boxes, and its smallest counterexample by the reference.
fn found(sweep: &Sweep) -> Vec<(String, u128, u128, Option<String>)> {
    let mut found: Vec<(String, u128, u128, Option<String>)> =
        sweep.claim_ids().into_iter().map(|id| (id.to_owned(), 0, 0, None)).collect();
    let (mut solver, mut reference) = (sweep.space.solver(), sweep.space.reference());
    for box_index in 0..sweep.space.boxes() {
        let shard = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
        let result = solve(solver.as_mut(), sweep, &shard);
        for (place, (_, held, refuted, smallest)) in found.iter_mut().enumerate() {
            *held += result.tally.claims[place].held;
            *refuted += result.tally.claims[place].refuted;
            assert_eq!(result.tally.claims[place].undefined, 0);
            let Some(first) = result.counterexamples[place].first() else { continue };
            let Confirmation::Stands(counterexample) = reference.confirm(place, &first.key, &first.actual) else { panic!() };
            assert!(counterexample.confirmed);
            smallest.get_or_insert(counterexample.parameters["weights"].to_string());
        }
    }
    found
}

/// Counts that another program finds, which shares no code with this one; `golden/replies.py` made them.
#[test]
fn answers_come_to_what_another_program_counts() {
    let lines = include_str!("golden/replies.txt").lines().filter(|line| !line.starts_with('#'));
    let expected: Vec<(String, u128, u128)> = lines
        .map(|line| {
            let [claim, held, refuted] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            (format!("four-edges/{claim}"), held.parse().unwrap(), refuted.parse().unwrap())
        })
        .collect();
    let all: BTreeSet<String> = ids().into_iter().collect();
    let counted: BTreeSet<String> = expected.iter().map(|(id, ..)| id.clone()).collect();
    assert_eq!(counted, all);
    let sweep = sweep_of(&expected.iter().map(|(id, ..)| id.clone()).collect::<Vec<_>>());
    let found = found(&sweep);
    for (id, held, refuted) in &expected {
        let (_, ours, wrong, _) = found.iter().find(|(found, ..)| found == id).unwrap();
        assert_eq!((ours, wrong), (held, refuted), "{id}");
    }
    let smallest: Vec<(&str, &str)> =
        found.iter().filter_map(|(id, _, _, smallest)| Some((id.strip_prefix("four-edges/")?, smallest.as_deref()?))).collect();
    let expected = [
        ("thm-4.3-replies.2", "[2,1,3,1]"),
        ("section-6.2-cover", "[3,3,4,2]"),
        ("lemma-4.11.b-cases", "[3,2,3,1]"),
        ("section-7.6-replies.b.3", "[2,1,4,7]"),
        ("section-8.10.2-replies.4", "[4,2,14,20]"),
        ("section-8.11-replies.base", "[20,3,21,12]"),
        ("section-8.12-replies.base", "[20,4,20,12]"),
    ];
    assert_eq!(smallest, expected);
}

#[test]
fn a_sweep_judges_answers_only_where_it_names_them() {
    let ids = |claims: &str| {
        let sweep = sweep(&format!("{claims}\n[space]\ngraph = \"H1\"\nweights = \"1..=3\"\n"));
        sweep.claim_ids().into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    assert!(!ids("").iter().any(|id| id.contains("replies")));
    assert_eq!(ids("claims = [\"four-edges/section-8.12-replies.4\"]"), ["four-edges/section-8.12-replies.4"]);
    // A pattern that stands for others as well does not name them.
    assert!(!ids("claims = [\"*\"]").iter().any(|id| id.contains("replies")));
    assert!(!ids("claims = [\"four-edges/lemma-4.11.*\"]").iter().any(|id| id.ends_with("-cases")));
    assert_eq!(ids("claims = [\"four-edges/section-7.7-*\"]").len(), 4);
    // One that cannot speak about the space may be named, as any other.
    assert_eq!(ids("claims = [\"four-edges/section-8.1-replies\"]"), ["four-edges/section-8.1-replies"]);
}
