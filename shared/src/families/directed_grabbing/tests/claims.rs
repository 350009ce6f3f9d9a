//! The claims speak where their hypotheses hold, copies that are off by one are refuted, and the counts are those of an
//! independent program.

use std::collections::BTreeSet;

use crate::claim::Prediction;
use crate::families::{Check, Confirmation, Game};
use crate::sweep::Shard;

use super::super::DirectedGrabbing;
use super::super::claims::{Cell, Scope, Young, amounts, good_answers_by, good_positions, is_increasing, pairing, safe};
use super::super::dags::digraphs;
use super::super::reference::ReferenceSolver;
use super::super::rules::{Digraph, Grid, Position};
use super::super::weights::WeightRange;
use super::{counts, reference, solve, sweep, tally, unions};

/// The claims of which a copy is refuted that is off by one: a value by 1, or one of the values that a relation is given by 1.
/// The relation about sums alone is off by nothing: it is refuted as it stands.
pub fn refuted_when_off_by_one() -> BTreeSet<String> {
    let mut positions: Vec<Position> = unions(4, "0..=2").map(|paths| Position::of_paths(&paths).unwrap()).collect();
    for (rows, columns) in [(1, 2), (2, 2), (2, 1), (3, 3), (2, 3), (3, 2), (4, 4), (4, 3), (3, 4)] {
        let grid = Grid { rows, columns };
        for olives in (0..grid.vertices()).map(|cell| 1u64 << cell).chain([u64::MAX, 0]) {
            let weights = (0..grid.vertices()).map(|cell| (olives >> cell & 1) as i64).collect();
            positions.push(Position::of_grid(grid, weights).unwrap());
        }
    }
    let (entries, mut refuted) = (DirectedGrabbing::claims(), BTreeSet::new());
    for position in &positions {
        let actual = reference(position);
        for entry in &entries {
            if refuted.contains(&*entry.claim.id) {
                continue;
            }
            let is_refuted = match entry.predict(position).unwrap() {
                Prediction::Silent | Prediction::Vacuous => false,
                Prediction::Value(predicted) => predicted + 1 != actual && predicted == actual,
                Prediction::Relation(relation) if relation.needs.is_empty() => !(relation.holds)(&[]),
                Prediction::Relation(relation) => {
                    let values: Vec<i64> = relation.needs.iter().map(reference).collect();
                    // val has the parity of the sum of the weights, so the nearest other value is 2 away.
                    let off = |step: i64| {
                        (0..values.len()).any(|place| {
                            let mut copy = values.clone();
                            copy[place] += step;
                            !(relation.holds)(&copy)
                        })
                    };
                    (relation.holds)(&values) && (off(2) || off(-2))
                }
            };
            if is_refuted {
                refuted.insert(entry.claim.id.clone().into_owned());
            }
        }
    }
    refuted.extend(copies_of_what_no_value_decides_are_refuted());
    refuted
}

/// The claims that hold by play or by weights alone: a copy of each is refuted that answers one cell beside, or starts elsewhere.
fn copies_of_what_no_value_decides_are_refuted() -> BTreeSet<String> {
    let mut refuted = BTreeSet::new();
    let grid = |rows, columns| Grid { rows, columns };
    let set = |grid: Grid, picks: fn(usize, usize) -> bool| grid.cells(picks);
    // The same strategies with a set that has one cell more, (1,1) or (1,2), and with the cell one further in the place of the answer.
    let right: fn(Cell) -> Option<Cell> = |(i, j)| (j % 2 == 1).then_some((i, j + 1));
    let below: fn(Cell) -> Option<Cell> = |(i, j)| (i % 2 == 1).then_some((i + 1, j));
    let further: fn(Cell) -> Option<Cell> = |(i, j)| Some((i, j + 2));
    let c_even = set(grid(2, 4), |_, j| j % 2 == 0);
    assert!(pairing(grid(2, 4), c_even, right) && pairing(grid(4, 2), set(grid(4, 2), |i, _| i % 2 == 0), below));
    if !pairing(grid(2, 4), c_even | 1, right) && !pairing(grid(2, 4), c_even, further) && !pairing(grid(2, 4), c_even, below) {
        refuted.extend(["c-even", "r-even", "c-odd-0", "r-odd-0", "c-odd-1", "r-odd-1"].map(|name| format!("olives/strategy-{name}")));
    }
    // Every answer of the proof in 3 x 3 and 3 x 5, and the cell to its right in its place.
    assert!(good_answers_by(grid(3, 5), |cell| cell));
    if !good_answers_by(grid(3, 3), |(i, j)| (i, j + 1)) {
        refuted.insert("olives/good-answers".to_owned());
    }
    // With an even number of columns (1,1) leaves an odd r_1; and cells of odd rows and even columns can go.
    let is_good = |young: &Young| good_positions(grid(3, 4)).iter().any(|(good, _)| good == young);
    if !is_good(&Young { columns: 4, left: vec![3, 4, 4] }) {
        refuted.insert("olives/good-first".to_owned());
    }
    if !safe(grid(3, 3), |(i, j)| i % 2 == 1 && j % 2 == 0) {
        refuted.insert("olives/good-safe".to_owned());
    }
    if is_increasing(&[vec![1, 2]]).check(None, &[]) == Check::Refuted {
        refuted.insert("olives/algorithm-increasing".to_owned());
    }
    // Around the smallest index no reduction applies: what is claimed of the largest one.
    let position = Position::of_paths(&[vec![0, 1, 2]]).unwrap();
    let smallest = DirectedGrabbing::claims().into_iter().find(|entry| entry.claim.id == "olives/algorithm-applies-smallest").unwrap();
    if smallest.predict(&position).unwrap().check(None, &[]) == Check::Refuted {
        refuted.insert("olives/algorithm-applies-largest".to_owned());
    }
    refuted
}

/// Positions, written as they are typed, where each claim must say what it says.
#[test]
fn claims_speak_where_their_hypotheses_hold() {
    let entries = DirectedGrabbing::claims();
    let check = |claim: &str, paths: &[Vec<i64>]| {
        let position = Position::of_paths(paths).unwrap();
        let says = entries.iter().find(|entry| entry.claim.id == format!("olives/{claim}")).unwrap().predict(&position).unwrap();
        let needed: Vec<i64> = says.needs().iter().map(reference).collect();
        (says.check(Some(&reference(&position)), &needed), says.needs().len())
    };
    // The sinks of greatest weight: both, one, none.
    assert_eq!(check("lemma-2", &[vec![2, 1], vec![2]]), (Check::Held, 3));
    assert_eq!(check("lemma-2", &[vec![2, 1], vec![1]]), (Check::Held, 2));
    assert_eq!(check("lemma-2", &[vec![1, 2], vec![1]]), (Check::Silent, 0));
    // v_2 >= v_1 at the source of each path; a path of one vertex has no v_2.
    assert_eq!(check("reduction-1", &[vec![1, 1], vec![0, 1], vec![3]]), (Check::Held, 3));
    assert_eq!(check("reduction-1", &[vec![2, 1], vec![3]]), (Check::Silent, 0));
    // i = 2 alone: i = 3 is p, and at i = 1 there is nothing before.
    assert_eq!(check("reduction-2", &[vec![1, 2, 2], vec![0]]), (Check::Held, 2));
    assert_eq!(check("reduction-2", &[vec![1, 2], vec![0]]), (Check::Silent, 0));
    // i = 2 fails the hypothesis once a greater weight stands behind it, and still meets the weaker one.
    assert_eq!(check("reduction-2", &[vec![1, 2, 0, 3], vec![0]]), (Check::Silent, 0));
    assert_eq!(check("reduction-2-local", &[vec![1, 2, 0, 3], vec![0]]).1, 2);
    assert_eq!(check("sum-identity-printed", &[vec![0, 0, 0], vec![1]]).0, Check::Held);
    assert_eq!(check("sum-identity-printed", &[vec![0, 1, 0], vec![1]]).0, Check::Refuted);
    assert_eq!(check("sum-identity-printed", &[vec![0, 1]]).0, Check::Silent);
    assert_eq!(check("lemma-1", &[]), (Check::Silent, 0));
    // One vertex of weight 3: d = 1 is beyond all else. Two: 1 to 1 + 5 - 3, and 1, since 1 + 3 - 5 is below 1.
    assert_eq!(check("lemma-1", &[vec![3]]), (Check::Held, 2));
    assert_eq!(check("lemma-1", &[vec![3], vec![5]]), (Check::Held, 1 + 3 + 1));
    assert_eq!(amounts(5, 3).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(amounts(70, 3).skip(62).collect::<Vec<_>>(), [63, 64, 68]);
    // On 0 1 2 the smallest i is 2, and v_3 is greater than v_2; the largest is p. On 1 1 0 both are 2.
    assert_eq!(check("algorithm-applies-smallest", &[vec![0, 1, 2], vec![0]]).0, Check::Refuted);
    assert_eq!(check("algorithm-applies-largest", &[vec![0, 1, 2], vec![0]]).0, Check::Held);
    assert_eq!(check("algorithm-applies-smallest", &[vec![1, 1, 0], vec![0, 2]]).0, Check::Held);
    assert_eq!(check("algorithm-applies-smallest", &[vec![2, 1, 0], vec![0]]).0, Check::Silent);
    assert_eq!(check("algorithm-increasing", &[vec![0, 1, 2], vec![0]]).0, Check::Held);
}

#[test]
fn a_claim_is_silent_where_its_hypothesis_can_hold_with_no_weights() {
    let graphs = (0..=4).flat_map(digraphs).cloned();
    let grids = [(2, 2), (1, 3), (3, 1), (2, 3)].map(|(rows, columns)| Digraph::grid(Grid { rows, columns }).unwrap());
    for graph in graphs.chain(grids) {
        let weights = WeightRange::parse("0..=2").unwrap();
        let positions: Vec<Position> = (0..3u64.pow(graph.vertices() as u32))
            .map(|number| Position { graph: graph.clone(), weights: weights.weighting(number, graph.vertices()), grid: None })
            .collect();
        for entry in DirectedGrabbing::claims() {
            let Some(Scope::Digraphs(applies)) = entry.scope else { continue };
            let speaks = positions.iter().any(|position| !matches!(entry.predict(position).unwrap(), Prediction::Silent));
            assert_eq!(applies(&graph), speaks, "{} on {graph:?}", entry.claim.id);
        }
    }
}

/// The amounts that Lemma 1 leaves out: on small unions it holds for each d up to far beyond the largest that is checked.
#[test]
fn no_amount_beyond_those_of_lemma_1_is_an_exception() {
    for paths in unions(4, "0..=2") {
        let position = Position::of_paths(&paths).unwrap();
        let value = reference(&position);
        for (vertex, amount) in (0..position.weights.len()).flat_map(|vertex| (0..12).map(move |amount| (vertex, amount))) {
            let raised = position.with_weight(vertex, position.weights[vertex] + amount);
            assert!((reference(&raised) - value).abs() <= amount, "{paths:?} at {vertex} by {amount}");
        }
    }
}

#[test]
fn what_is_refuted_on_unions_of_paths_is_confirmed_with_a_line_of_play() {
    let sweep = sweep("[space]\npaths = { vertices = \"1..=5\", weights = \"0..=2\" }\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let result = solve(sweep.space.solver().as_mut(), &sweep, &shard);
    let mut reference = sweep.space.reference();
    let mut confirmed = 0;
    for (place, found) in result.counterexamples.iter().enumerate() {
        for candidate in found {
            let Confirmation::Stands(found) = reference.confirm(place, &candidate.key, &candidate.actual) else { panic!() };
            assert!(found.confirmed);
            let is_about_weights = ["olives/sum-identity-printed", "olives/algorithm-applies-smallest"].contains(&sweep.claim_ids()[place]);
            assert_eq!(found.witness.is_none(), is_about_weights);
            confirmed += 1;
        }
    }
    assert!(confirmed > 10);
    // A wrong value, a claim that does not apply there, and a configuration of another space do not stand.
    let algorithm = sweep.claim_ids().iter().position(|id| *id == "olives/algorithm-smallest").unwrap();
    let smallest = &result.counterexamples[algorithm][0];
    for (claim, key, actual) in [(algorithm, &smallest.key[..], "77"), (0, &smallest.key, &smallest.actual), (algorithm, b"x", "1")] {
        assert!(matches!(reference.confirm(claim, key, actual), Confirmation::Disagrees(_)));
    }
}

/// Held and refuted on unions of up to 5 vertices and weights 0 to 2, by a brute force written apart from this program.
#[test]
fn counts_on_unions_of_paths_are_those_of_an_independent_program() {
    let sweep = sweep("[space]\npaths = { vertices = \"1..=5\", weights = \"0..=2\" }\n");
    let tally = tally(&sweep);
    for line in include_str!("paths-up-to-5.txt").lines().filter(|line| !line.starts_with('#')) {
        let [claim, held, refuted] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_eq!(counts(&sweep, &tally, claim), (held.parse().unwrap(), refuted.parse().unwrap()), "{claim}");
    }
}

#[test]
fn the_reference_and_the_lattice_know_the_same_optimal_moves() {
    for paths in unions(4, "0..=2") {
        let position = Position::of_paths(&paths).unwrap();
        let mut solver = ReferenceSolver::new(&position);
        let play = solver.play().unwrap();
        assert_eq!(play.len(), position.weights.len());
        let played: i64 = play.iter().zip([1, -1].into_iter().cycle()).map(|(vertex, sign)| sign * position.weights[*vertex]).sum();
        assert_eq!(played, solver.value().unwrap(), "an optimal play comes to val: {paths:?}");
    }
}

/// Counts that another program finds, which shares no code with this one; `golden/claims.py` made them.
#[test]
fn claims_come_to_what_another_program_counts() {
    let spaces = [
        ("paths 1..=5 0..=2", "paths = { vertices = \"1..=5\", weights = \"0..=2\" }"),
        ("grids 1..=5 1..=3", "grid = { rows = \"1..=5\", columns = \"1..=3\", weights = \"0..=1\" }"),
    ];
    let lines: Vec<&str> = include_str!("golden/claims.txt").lines().filter(|line| !line.starts_with('#')).collect();
    for (name, space) in spaces {
        let here = lines.iter().filter_map(|line| {
            let [of, claim, held, refuted] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            (of == name).then(|| (claim, held.parse::<u128>().unwrap(), refuted.parse::<u128>().unwrap()))
        });
        let here: Vec<(&str, u128, u128)> = here.collect();
        assert!(here.len() > 3, "{name}");
        let ids: Vec<String> = here.iter().map(|(claim, ..)| format!("olives/{claim}")).collect();
        let sweep = sweep(&format!("claims = {ids:?}\n[space]\n{space}\n"));
        let tally = tally(&sweep);
        for (claim, held, refuted) in here {
            assert_eq!(counts(&sweep, &tally, claim), (held, refuted), "{claim} on {name}");
        }
    }
}

/// The smallest union of paths where no reduction applies around the smallest index, confirmed.
#[test]
fn where_the_algorithm_as_printed_has_no_reduction_to_apply_is_confirmed() {
    let claims = "claims = [\"olives/algorithm-applies-smallest\"]\n";
    let sweep = sweep(&format!("{claims}[space]\npaths = {{ vertices = \"1..=4\", weights = \"0..=2\" }}\n"));
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let result = solve(sweep.space.solver().as_mut(), &sweep, &shard);
    let first = &result.counterexamples[0][0];
    let Confirmation::Stands(found) = sweep.space.reference().confirm(0, &first.key, &first.actual) else { panic!() };
    assert_eq!((found.parameters.to_string().as_str(), found.confirmed), (r#"{"paths":[[0,0,1]]}"#, true));
}
