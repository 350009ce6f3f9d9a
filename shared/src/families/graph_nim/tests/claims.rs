//! Claims can fail: a copy of each that is off by one is refuted. And what is known about them is found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::claim::Prediction;
use crate::families::{Check, Entry, Game, Predicate, keyed};
use crate::sweep::Shard;
use crate::value::{Impartial, Outcome, Play};

use super::super::GraphNim;
use super::super::claims::{Domain, MOVES, Move, Special, Subject, View, WrittenOut, becomes, galaxies, has_all_but, special, ways_to_m};
use super::super::graph::{Graph, NAMED};
use super::super::key::AtWeights;
use super::super::layout::Layout;
use super::{each_position, solve, sweep};

const HIGH: u32 = 12;

/// Whether the claim, read one unit beside the position on some edge, is contradicted by some outcome.
fn is_refuted_when_shifted(subject: &Arc<Subject>, entry: &Entry<GraphNim>) -> bool {
    let edges = subject.graph.edges().len();
    let high = vec![HIGH; edges];
    let mut refuted = false;
    each_position(&subject.graph, &high, (Layout::new(&subject.graph, &high), Play::Normal), |position, outcome| {
        for edge in 0..edges {
            let mut shifted = position.to_vec();
            shifted[edge] += 1;
            let prediction = entry.predict(&subject.view(&shifted)).unwrap();
            let is_value = matches!(prediction, Prediction::Value(_));
            refuted |= is_value && prediction.check(Some(&outcome.into()), &[]) == Check::Refuted;
        }
    });
    refuted
}

/// The claims of which a copy that is off by one is refuted: those about outcomes by shifting the position, the others by hand.
pub fn refuted_when_off_by_one() -> BTreeSet<String> {
    let mut refuted = BTreeSet::new();
    for entry in GraphNim::claims().into_iter().filter(|entry| !matches!(entry.predicate, Predicate::Text { .. })) {
        let graph = match entry.scope.unwrap().domain {
            Domain::Named(name) => Graph::named(name).unwrap(),
            Domain::Galaxy | Domain::ThreeStars => Graph::named("I1").unwrap(),
            Domain::Piles => Graph::named("I2").unwrap(),
            Domain::Graphs => continue,
        };
        if is_refuted_when_shifted(&Arc::new(Subject::new(graph)), &entry) {
            refuted.insert(entry.claim.id.into_owned());
        }
    }
    copies_of_the_other_claims_are_refuted();
    figure_2_is_refuted_by_a_table_that_misses_a_graph();
    copies_of_the_claims_about_figures_and_numbers_are_refuted();
    let others =
        ["lemma-6.1", "example-4.5", "steps-complete", "example-h1-outside", "figure-2", "section-4-galaxies", "figure-3", "section-4.1-m"];
    refuted.extend(others.iter().map(|id| format!("four-edges/{id}")));
    refuted.extend(moves_that_are_off_by_one());
    refuted.extend(multisets_that_are_off_by_one());
    refuted.extend(super::replies::refuted_when_off_by_one());
    refuted
}

/// The positions of a graph with weights up to 6.
fn small(graph: &str) -> Vec<View> {
    let subject = Arc::new(Subject::new(Graph::named(graph).unwrap()));
    (0..7u32.pow(4)).map(|number| subject.view(&[0, 1, 2, 3].map(|place| number / 7u32.pow(place) % 7))).collect()
}

/// The claims about moves: a copy of each that removes one more from some edge, or one fewer, is refuted where the move itself is right.
fn moves_that_are_off_by_one() -> Vec<String> {
    let entries = GraphNim::claims();
    let mut refuted = Vec::new();
    for (name, named) in MOVES {
        let id = format!("four-edges/{name}-move");
        let entry = entries.iter().find(|entry| entry.claim.id == id).unwrap();
        let Some(Domain::Named(graph)) = entry.scope.as_ref().map(|scope| scope.domain) else { panic!("{id}") };
        let fails = |view: &View, found: Move| {
            let other = |edge: usize, more: i64| {
                let mut copy = found;
                copy.removed[edge] += more;
                copy.says(view.named).check(None, &[]) == Check::Refuted
            };
            let is_right = entry.predict(view).unwrap().check(None, &[]) == Check::Held;
            is_right && found.at.iter().all(|edge| other(*edge, 1) && other(*edge, -1))
        };
        if small(graph).iter().any(|view| named(view).is_some_and(|found| fails(view, found))) {
            refuted.push(id);
        }
    }
    refuted
}

fn copies_of_the_claims_about_figures_and_numbers_are_refuted() {
    let is_refuted = |says: Prediction<_, Impartial>| says.check(None, &[]) == Check::Refuted;
    let on = |graph: &str| View::of_graph(Graph::named(graph).unwrap());
    // A name more in the text, a name more or fewer in the figure.
    assert!(is_refuted(galaxies(&on("H1"), &["G1", "H1"])));
    assert!(is_refuted(has_all_but(&on("F1"), &["F1", "F2"])) && is_refuted(has_all_but(&on("G2"), &["F2", "G3", "G4", "H1"])));
    // Ranges of k that overlap, and ranges that leave some out.
    let view = |k: u32| Arc::new(Subject::new(Graph::named("G4").unwrap())).view(&[1, 1, 1, k]);
    assert!(is_refuted(ways_to_m(&view(3), |m| m * (m + 3) / 2 + 1)) && is_refuted(ways_to_m(&view(2), |m| m * (m + 3) / 2 - 1)));
}

/// The multisets that the remark on Definition 4.5 writes out: a copy of each whose last element is one more is refuted.
fn multisets_that_are_off_by_one() -> Vec<String> {
    let copies: [(&str, WrittenOut); 3] = [
        ("i-1", |Special { k, l, m, i }| (*i == 1).then(|| [k + 1, k + 1, k + m + 2].map(|element| element + (m + 1) * l))),
        ("middle-printed", |Special { k, l, m, i }| (i * 2 == m + 2).then(|| [k + 1, k + m + 1, k + m + 2].map(|one| one + (m + 1) * l))),
        ("middle", |Special { k, l, m, i }| (i * 2 == m + 2).then(|| [k + 1, k + i, k + i + 1].map(|one| one + (m + 1) * l))),
    ];
    let fails = |written: WrittenOut| small("G4").iter().any(|view| becomes(view, written).check(None, &[]) == Check::Refuted);
    copies.into_iter().filter(|(_, written)| fails(*written)).map(|(name, _)| format!("four-edges/example-4.5.{name}")).collect()
}

fn copies_of_the_other_claims_are_refuted() {
    // Lemma 6.1 with >= for >: at (1,1,2) both sides are 2, and {1,1,2} is not special.
    let off = |a: u64, b: u64, c: u64| (2 * a >= (b + c - 2 * a) * (b + c - 2 * a + 1)) == special([a, b, c]).next().is_some();
    assert!(!off(1, 1, 2));
    // The remark on Definition 4.5 without its exceptions, at i = 1.
    assert!(special([2, 2, 3]).any(|found| found.i == 1));
    // The steps without D2: at (2,2,3,1), which is special, none of the others speaks.
    let view = Arc::new(Subject::new(Graph::named("G4").unwrap())).view(&[2, 2, 3, 1]);
    let speaks = |id: &str| {
        let entry = GraphNim::claims().into_iter().find(|entry| entry.claim.id == id).unwrap();
        !matches!(entry.predict(&view).unwrap(), Prediction::Silent)
    };
    let others = ["four-edges/step-d1", "four-edges/step-d3", "four-edges/step-d4", "four-edges/step-d5"];
    assert!(speaks("four-edges/step-d2") && !others.into_iter().any(speaks));
    // The example's reach, one unit beside: (16m+3, 1, 16m+7, 11) is named by part 1 with r = 3.
    let view = Arc::new(Subject::new(Graph::named("H1").unwrap())).view(&[3, 1, 7, 11]);
    let entry = GraphNim::claims().into_iter().find(|entry| entry.claim.id == "four-edges/thm-4.10.1").unwrap();
    assert!(matches!(entry.predict(&view).unwrap(), Prediction::Value(Impartial::Outcome(Outcome::P))));
}

fn figure_2_is_refuted_by_a_table_that_misses_a_graph() {
    // With ten graphs in the table some set of four edges is isomorphic to none of them.
    let ten: Vec<Graph> =
        NAMED.iter().filter(|(name, _)| !["K3", "G3"].contains(name)).map(|(name, _)| Graph::named(name).unwrap()).collect();
    let sets = super::super::edge_sets::EdgeSetBox::new(8, 4).unwrap();
    let missed =
        (0..20_475).map(|number| sets.set(number).unwrap()).find(|graph| !ten.iter().any(|known| graph.isomorphism(known).is_some()));
    assert!(missed.is_some());
}

/// The counts of one claim over a whole sweep of one box, and its smallest counterexamples by the reference.
fn outcome_of(id: &str, space: &str) -> (u128, u128, Vec<String>) {
    let sweep = sweep(&format!("claims = [\"{id}\"]\n{space}"));
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let result = solve(sweep.space.solver().as_mut(), &sweep, &shard);
    let mut reference = sweep.space.reference();
    let confirmed = result.counterexamples[0].iter().map(|candidate| match reference.confirm(0, &candidate.key, &candidate.actual) {
        crate::families::Confirmation::Stands(found) => {
            assert!(found.confirmed);
            found.parameters.to_string()
        }
        crate::families::Confirmation::Disagrees(why) => panic!("{why}"),
    });
    (result.tally.claims[0].held, result.tally.claims[0].refuted, confirmed.collect())
}

#[test]
fn what_is_false_is_refuted_by_its_smallest_position() {
    let h1 = "[space]\ngraph = \"H1\"\nweights = \"0..=6\"\n";
    let (held, refuted, smallest) = outcome_of("four-edges/remark-4.12-printed", h1);
    // With EF = BC = 0 it is Nim on two heaps, and AB = CD is losing.
    assert_eq!((held, refuted), (7 * 7 * 7 - 7, 7));
    assert_eq!(smallest[0], r#"{"graph":"H1","weights":[0,0,0,0]}"#);
    assert_eq!(outcome_of("four-edges/remark-4.12-proof", h1).1, 0);

    let g4 = "[space]\ngraph = \"G4\"\nweights = \"1..=6\"\n";
    let (_, refuted, smallest) = outcome_of("four-edges/steps-complete", g4);
    assert!(refuted > 0);
    assert_eq!(smallest[0], r#"{"graph":"G4","weights":[1,1,1,3]}"#);
    // i = m + 1 makes the first and the third element equal.
    let (_, _, smallest) = outcome_of("four-edges/example-4.5", g4);
    assert_eq!(smallest[0], r#"{"graph":"G4","weights":[2,2,3,1]}"#);
}

#[test]
fn figure_2_holds_for_every_set_of_four_edges() {
    assert_eq!(outcome_of("four-edges/figure-2", "[space]\nedge_sets = { vertices = 8, edges = 4 }\n"), (20_475, 0, vec![]));
}

#[test]
fn a_reference_does_not_take_a_workers_word() {
    use crate::families::Confirmation;
    let sweep = sweep("claims = [\"four-edges/thm-4.8.1\"]\n[space]\ngraph = \"H1\"\nweights = \"1..=6\"\n");
    let mut reference = sweep.space.reference();
    let mut says = |key: &[u8], actual: &str| reference.confirm(0, key, actual);
    let invented = keyed(0, &AtWeights { graph: b"", weights: &[1, 1, 2, 3] });
    assert!(matches!(says(&invented, "P"), Confirmation::Disagrees(_)));
    let outside = keyed(0, &AtWeights { graph: b"", weights: &[7, 1, 2, 3] });
    assert!(matches!(says(&outside, "P"), Confirmation::Disagrees(_)));
    assert!(matches!(says(b"nonsense", "P"), Confirmation::Disagrees(_)));
}

/// Counts of (held, refuted) that a separate program found, written from the paper alone and solving by brute force.
#[test]
fn counts_are_those_of_a_separate_program() {
    let h1 = sweep("[space]\ngraph = \"H1\"\nweights = \"0..=13\"\n");
    let result = solve(h1.space.solver().as_mut(), &h1, &Shard { box_index: 0, start: 0, end: h1.space.units(0) });
    let counts = |id: &str| {
        let index = h1.claim_ids().iter().position(|known| *known == format!("four-edges/{id}")).unwrap();
        (result.tally.claims[index].held, result.tally.claims[index].refuted)
    };
    for (id, held) in
        [("thm-4.10.1", 264), ("thm-4.10.2", 42), ("thm-4.10.3", 28), ("thm-4.10.4", 72), ("example-h1", 2), ("example-h1-outside", 2)]
    {
        assert_eq!(counts(id), (held, 0), "{id}");
    }
    let positions =
        |value: &str| result.tally.coverage.0.iter().filter(|(key, _)| key.value == value).map(|(_, count)| count).sum::<u128>();
    assert_eq!((positions("P"), positions("N")), (731, 37_685));
    let false_here: Vec<&str> = h1.claim_ids().into_iter().filter(|id| counts(&id["four-edges/".len()..]).1 > 0).collect();
    let expected = ["four-edges/lemma-4.9.iii-printed", "four-edges/remark-4.12-printed", "four-edges/remark-4.12-move"];
    assert_eq!(false_here, expected);

    let (held, refuted, _) = outcome_of("four-edges/example-4.5", "[space]\ngraph = \"G4\"\nweights = \"0..=12\"\n");
    assert_eq!((held, refuted), (24, 60));
    let (_, refuted, _) = outcome_of("four-edges/steps-complete", "[space]\ngraph = \"G4\"\nweights = \"0..=8\"\n");
    assert_eq!(refuted, 14);
    let (_, refuted, _) = outcome_of("four-edges/thm-4.6", "[space]\ngraph = \"G4\"\nweights = \"0..=12\"\n");
    assert_eq!(refuted, 0);
}

/// Counts that another program finds, which shares no code with this one; `golden/claims.py` made them.
#[test]
fn claims_come_to_what_another_program_counts() {
    let lines = include_str!("golden/claims.txt").lines().filter(|line| !line.starts_with('#'));
    let mut by_space: BTreeMap<String, Vec<(String, u128, u128)>> = BTreeMap::new();
    for line in lines {
        let [graph, weights, claim, held, refuted] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let space = match graph {
            "AB CD EF" => format!("edges = \"{graph}\"\nweights = \"{weights}\""),
            "sets of 4 edges" => "edge_sets = { vertices = 8, edges = 4 }".to_owned(),
            _ => format!("graph = \"{graph}\"\nweights = \"{weights}\""),
        };
        by_space.entry(space).or_default().push((format!("four-edges/{claim}"), held.parse().unwrap(), refuted.parse().unwrap()));
    }
    for (space, expected) in by_space {
        let ids: Vec<&String> = expected.iter().map(|(id, ..)| id).collect();
        let sweep = sweep(&format!("claims = {ids:?}\n[space]\n{space}\n"));
        let result = solve(sweep.space.solver().as_mut(), &sweep, &Shard { box_index: 0, start: 0, end: sweep.space.units(0) });
        for (id, held, refuted) in expected {
            let place = sweep.claim_ids().iter().position(|known| *known == id).unwrap();
            let tally = &result.tally.claims[place];
            assert_eq!((tally.held, tally.refuted), (held, refuted), "{id} on {space}");
        }
    }
}

/// The smallest counterexamples of what is printed and false, confirmed by the reference.
#[test]
fn what_is_printed_of_moves_and_multisets_and_is_false_is_refuted_by_its_smallest_position() {
    let smallest = |id: &str, space: &str| outcome_of(id, space).2.first().cloned();
    let f2 = "[space]\ngraph = \"F2\"\nweights = \"1..=4\"\n";
    // With CD < DB = BC the move takes more from AB than there is.
    assert_eq!(smallest("four-edges/thm-4.3-move", f2).as_deref(), Some(r#"{"graph":"F2","weights":[1,2,1,2]}"#));
    let g4 = "[space]\ngraph = \"G4\"\nweights = \"1..=6\"\n";
    assert_eq!(smallest("four-edges/example-4.5.middle-printed", g4).as_deref(), Some(r#"{"graph":"G4","weights":[4,5,5,3]}"#));
    let h1 = "[space]\ngraph = \"H1\"\nweights = \"0..=4\"\n";
    assert_eq!(smallest("four-edges/remark-4.12-move", h1).as_deref(), Some(r#"{"graph":"H1","weights":[0,0,0,0]}"#));
}
