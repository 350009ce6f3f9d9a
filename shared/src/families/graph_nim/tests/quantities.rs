//! Grundy values and misère outcomes: the solvers and the references find the same, and both what is known of Nim.

use proptest::prelude::*;

use crate::families::testing::{assert_refused, refusal};
use crate::families::{Confirmation, Family, SolveError, Task};
use crate::sweep::{Fingerprint, Manifest, Record, Shard, Sweep};
use crate::value::{Outcome, Play};

use super::super::GraphNim;
use super::super::graph::Graph;
use super::super::grundy::{GrundyRow, GrundyWalker};
use super::super::layout::Layout;
use super::super::reference::ReferenceSolver;
use super::super::reference_grundy::GrundyReference;
use super::super::rules::any_move;
use super::super::small_graphs::graphs_with;
use super::rows::solve_whole;
use super::{GoOn, each_position, named_graphs, solve, sweep, task};

/// Calls `visit` with every position up to `high` and its Grundy value by the fast solver.
fn each_value(graph: &Graph, high: &[u32], mut visit: impl FnMut(&[u32], u32)) {
    let layout = Layout::new(graph, high);
    let (pivot, order, lines) = (layout.pivot, layout.order.clone(), layout.lines());
    let mut walker = GrundyWalker::new(graph, &layout);
    let mut position = vec![0; high.len()];
    let mut solved = GrundyRow::default();
    let mut line = 0;
    while line < lines {
        order.iter().zip(walker.line()).for_each(|(edge, weight)| position[*edge] = *weight);
        // Rows in two parts, where they are long enough.
        let part = walker.left_in_row().div_ceil(2);
        let first = walker.line().last().copied().unwrap_or(0);
        line += u128::from(part);
        walker.solve(part as usize, &mut solved);
        for index in 0..part as u32 {
            order.last().into_iter().for_each(|edge| position[*edge] = first + index);
            for weight in 0..=high[pivot] {
                position[pivot] = weight;
                visit(&position, solved.at(index as usize, weight));
            }
        }
    }
}

fn assert_equals_both_references(graph: &Graph, high: &[u32]) {
    let mut reference = GrundyReference::new(graph.clone());
    let mut outcomes = ReferenceSolver::new(graph.clone(), Play::Normal);
    assert_eq!(GrundyReference::refuses(graph, high), None);
    // The largest position first, so that all are solved once.
    reference.grundy(high);
    outcomes.outcome(high);
    each_value(graph, high, |position, grundy| {
        assert_eq!(grundy, reference.grundy(position), "{graph} {position:?}");
        assert_eq!(grundy == 0, outcomes.outcome(position) == Outcome::P, "{graph} {position:?}");
    });
}

fn assert_misere_equals_reference(graph: &Graph, high: &[u32]) {
    let mut reference = ReferenceSolver::new(graph.clone(), Play::Misere);
    reference.outcome(high);
    each_position(graph, high, (Layout::new(graph, high), Play::Misere), |position, outcome| {
        assert_eq!(outcome, reference.outcome(position), "{graph} {position:?}");
    });
}

#[test]
fn grundy_values_are_those_of_the_reference_on_every_graph_with_up_to_four_edges() {
    for graph in (1..=4).flat_map(graphs_with) {
        assert_equals_both_references(graph, &vec![4; graph.edges().len()]);
    }
}

#[test]
fn misere_outcomes_are_those_of_the_reference_on_every_graph_with_up_to_four_edges() {
    for graph in (1..=4).flat_map(graphs_with) {
        assert_misere_equals_reference(graph, &vec![4; graph.edges().len()]);
        // A pivot without weights, and rows of one line.
        for short in 0..graph.edges().len() {
            let high: Vec<u32> = (0..graph.edges().len()).map(|edge| if edge == short { 0 } else { 3 }).collect();
            assert_misere_equals_reference(graph, &high);
            assert_equals_both_references(graph, &high);
        }
        assert_misere_equals_reference(graph, &vec![0; graph.edges().len()]);
    }
}

#[test]
fn both_are_found_on_the_named_graphs_with_other_weights() {
    for graph in named_graphs() {
        let uneven: Vec<u32> = [9, 2, 7, 4].into_iter().take(graph.edges().len()).collect();
        assert_misere_equals_reference(&graph, &vec![8; graph.edges().len()]);
        assert_misere_equals_reference(&graph, &uneven);
        assert_equals_both_references(&graph, &uneven);
    }
}

/// Sets of values that take several words, and values above one of them.
#[test]
fn values_above_one_word_of_a_set_are_found() {
    assert_equals_both_references(&Graph::parse(["AB", "BC"]).unwrap(), &[70, 70]);
    assert_equals_both_references(&Graph::parse(["AB", "CD"]).unwrap(), &[100, 70]);
    assert_equals_both_references(&Graph::parse(["AB", "BC", "CD"]).unwrap(), &[30, 40, 20]);
    assert_misere_equals_reference(&Graph::parse(["AB", "CD", "EF"]).unwrap(), &[3, 70, 70]);
}

/// The misère reference against the definition, position by position.
#[test]
fn the_misere_reference_is_n_where_there_is_no_move_or_one_to_p() {
    for graph in (1..=3).flat_map(graphs_with) {
        let high = vec![3; graph.edges().len()];
        let mut reference = ReferenceSolver::new(graph.clone(), Play::Misere);
        reference.outcome(&high);
        each_position(graph, &high, (Layout::new(graph, &high), Play::Misere), |position, _| {
            let mut moves = 0;
            let reaches_p = any_move(graph, position, |_, to| {
                moves += 1;
                reference.outcome(to) == Outcome::P
            });
            assert_eq!(reference.outcome(position) == Outcome::N, moves == 0 || reaches_p, "{graph} {position:?}");
        });
    }
}

/// A star is a heap of Nim, so a galaxy under misère play is misère Nim (C. L. Bouton 1901): as under normal play where some heap
/// has two or more, and the other way round where none has.
#[test]
fn galaxies_under_misere_play_are_misere_nim() {
    for edges in [&["AB", "CD", "EF"][..], &["AB", "AC", "DE", "FG"], &["AB", "AC", "AD"]] {
        let graph = Graph::parse(edges.iter().copied()).unwrap();
        let stars = graph.stars().unwrap();
        let high = vec![5; edges.len()];
        each_position(&graph, &high, (Layout::new(&graph, &high), Play::Misere), |position, outcome| {
            let heaps: Vec<u32> = stars.iter().map(|star| star.iter().map(|edge| position[*edge]).sum()).collect();
            let xor_is_0 = heaps.iter().fold(0, |xor, heap| xor ^ heap) == 0;
            let is_p = if heaps.iter().any(|heap| *heap >= 2) { xor_is_0 } else { !xor_is_0 };
            assert_eq!(outcome == Outcome::P, is_p, "{graph} {position:?}");
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn both_are_found_on_random_graphs(pairs in prop::collection::btree_set((0u8..6, 0u8..6), 1..12), high in prop::collection::vec(1u32..3, 6)) {
        let pairs: Vec<String> = pairs.into_iter().filter(|(u, v)| u < v).map(|(u, v)| [u, v].map(|v| char::from(b'A' + v)).iter().collect()).take(6).collect();
        if let Ok(graph) = Graph::parse(pairs.iter().map(String::as_str)) {
            assert_equals_both_references(&graph, &high[..graph.edges().len()]);
            assert_misere_equals_reference(&graph, &high[..graph.edges().len()]);
        }
    }
}

/// Claims about Grundy values, and about outcomes beside them.
const GRUNDY_CLAIMS: [(&str, &str, &str); 7] = [
    ("", "predict", "AB xor CD xor EF"),
    ("BC == 0", "predict", "AB xor CD xor EF"),
    ("BC == 1", "says", "grundy <= total"),
    ("AB == 2 && CD >= 1", "says", "grundy == 0 <=> outcome == P"),
    ("grundy > 3", "says", "AB + CD + EF > 3 || BC > 4"),
    ("EF == 0", "predict", "AB == CD ? P : N"),
    ("BC >= 1", "says", "AB // (grundy - 2) >= 0"),
];

fn stated(claims: &[(&str, &str, &str)]) -> String {
    let one = |(id, (condition, key, text)): (usize, &(&str, &str, &str))| {
        let condition = if condition.is_empty() { String::new() } else { format!("where = \"{condition}\"\n") };
        format!("[[claim]]\nid = \"mine/c{id}\"\n{condition}{key} = \"{text}\"\n")
    };
    claims.iter().enumerate().map(one).collect()
}

/// By blocks and by a visit to each position, and cut in two ways.
fn assert_two_ways(sweep: &Sweep) {
    let by_positions = solve_whole(sweep, u64::MAX, Record::All);
    for units_per_shard in [u64::MAX, 5] {
        let by_blocks = solve_whole(sweep, units_per_shard, Record::Losing);
        assert_eq!(by_blocks, by_positions);
        assert_eq!(Fingerprint::of(&by_blocks.0, &sweep.claim_ids()), Fingerprint::of(&by_positions.0, &sweep.claim_ids()));
    }
}

#[test]
fn claims_about_either_come_to_the_same_by_blocks_and_by_positions() {
    let weights = "weights = { AB = \"0..=5\", BC = \"1..=4\", CD = \"0..=6\", EF = \"0..=3\" }\n";
    let boxes = [
        "[space]\ngraph = \"H1\"\nquantities = [\"grundy\"]\n".to_owned() + weights,
        "[space]\ngraph = \"H1\"\nquantities = [\"grundy\"]\nweights = \"0..=4\"\n".to_owned(),
        // Boxes that lack Grundy values beside one that has them.
        format!(
            "[[space]]\ngraph = \"H1\"\nplay = \"misere\"\n{weights}[[space]]\ngraph = \"H1\"\nquantities = [\"grundy\"]\nweights = \"0..=2\"\n"
        ),
        format!("[[space]]\ngraph = \"H1\"\n{weights}[[space]]\ngraph = \"H1\"\nquantities = [\"grundy\"]\nweights = \"0..=2\"\n"),
    ];
    for space in boxes {
        for claim in GRUNDY_CLAIMS {
            assert_two_ways(&sweep(&format!("{space}{}", stated(&[claim]))));
        }
        assert_two_ways(&sweep(&format!("claims = [\"*\"]\n{space}{}", stated(&GRUNDY_CLAIMS))));
    }
    let misere = format!("[space]\ngraph = \"H1\"\nplay = \"misere\"\n{weights}");
    let claims = [("", "predict", "AB xor CD xor EF == 0 && BC == 0 ? P : N"), ("BC == 1", "says", "outcome == P => AB != CD")];
    assert_two_ways(&sweep(&format!("{misere}{}", stated(&claims))));
    assert_two_ways(&sweep(&format!("claims = [\"*\"]\n{misere}{}", stated(&claims))));
}

/// What a claim that is refuted says of its smallest counterexample, confirmed by the reference.
fn smallest(text: &str) -> crate::families::Counterexample {
    let sweep = sweep(text);
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let result = solve(sweep.space.solver().as_mut(), &sweep, &shard);
    let first = result.counterexamples[0].iter().min_by_key(|found| &found.key).unwrap();
    match sweep.space.reference().confirm(0, &first.key, &first.actual) {
        Confirmation::Stands(found) => found,
        Confirmation::Disagrees(problem) => panic!("{problem}"),
    }
}

#[test]
fn a_counterexample_is_confirmed_by_the_reference_and_shown_with_its_play() {
    let claim = stated(&[("", "predict", "AB xor CD xor EF")]);
    let found = smallest(&format!("[space]\ngraph = \"H1\"\nquantities = [\"grundy\"]\nweights = \"0..=3\"\n{claim}"));
    assert_eq!((found.predicted.as_str(), found.actual.as_str(), found.confirmed), ("0", "1", true));
    assert_eq!(found.parameters.to_string(), r#"{"graph":"H1","weights":[0,1,0,0]}"#);
    let witness = found.witness.unwrap();
    assert!(witness.starts_with("the options have the Grundy values 0, and"), "{witness}");

    let claim = stated(&[("", "predict", "AB xor CD xor EF == 0 && BC == 0 ? P : N")]);
    let found = smallest(&format!("[space]\ngraph = \"H1\"\nplay = \"misere\"\nweights = \"0..=3\"\n{claim}"));
    assert_eq!((found.predicted.as_str(), found.actual.as_str(), found.confirmed), ("P", "N", true));
    assert_eq!(found.parameters.to_string(), r#"{"graph":"H1","weights":[0,0,0,0],"play":"misere"}"#);
    assert_eq!(found.witness.as_deref(), Some("there is no move, and who cannot move wins"));
}

#[test]
fn what_is_asked_for_wrongly_gets_a_sentence() {
    let cases = [
        ("graph = \"H1\"\nweights = 1\nquantities = \"grundy\"", "space.quantities: \"grundy\" is not allowed; it is [\"grundy\"]"),
        ("graph = \"H1\"\nweights = 1\nquantities = []", "space.quantities: [] is not allowed; it is [\"grundy\"]"),
        ("graph = \"H1\"\nweights = 1\nquantities = [\"value\"]", "space.quantities: [\"value\"] is not allowed"),
        ("graph = \"H1\"\nweights = 1\nplay = \"misère\"", "space.play: \"misère\" is not allowed; it is \"normal\""),
        ("graph = \"H1\"\nweights = 1\nplay = 3", "space.play: 3 is not allowed; it is \"normal\", where who cannot move loses"),
        (
            "graph = \"H1\"\nweights = 1\nplay = \"misere\"\nquantities = [\"grundy\"]",
            "space.quantities: under misère play positions have outcomes only, and no Grundy values; leave out quantities or play",
        ),
        ("edge_sets = { vertices = 4, edges = 2 }\nplay = \"misere\"", "space: edge_sets and play cannot stand in one box"),
    ];
    assert_refused(&GraphNim, &cases);
    let told = |keys: &str, claim: (&str, &str, &str)| {
        refusal(&GraphNim, &format!("[space]\ngraph = \"H1\"\nweights = 1\n{keys}{}", stated(&[claim]))).unwrap()
    };
    let misere = "under misère play positions have outcomes only, and no Grundy values";
    for (keys, claim, expected) in [
        ("play = \"misere\"\n", ("", "says", "grundy == 1"), format!("there is no name 'grundy'; {misere}")),
        ("play = \"misere\"\n", ("", "says", "value == '*'"), format!("there is no name 'value'; {misere}")),
        (
            "play = \"misere\"\n",
            ("", "predict", "1"),
            format!("positions of this family have no such value to compare a prediction with; {misere}"),
        ),
        (
            "",
            ("", "says", "grundy == 1"),
            "there is no name 'grundy'; Grundy values are solved where a box has quantities = [\"grundy\"]".to_owned(),
        ),
        ("", ("", "predict", "AB"), "Grundy values are solved where a box has quantities = [\"grundy\"]".to_owned()),
        ("quantities = [\"grundy\"]\n", ("grundy == 1", "predict", "grundy"), "a prediction must not see what is solved".to_owned()),
    ] {
        let found = told(keys, claim);
        assert!(found.contains(&expected), "{found}");
    }
}

#[test]
fn papers_claims_are_about_normal_play() {
    let of = |keys: &str| sweep(&format!("[space]\ngraph = \"H1\"\nweights = \"0..=2\"\n{keys}")).claims.len();
    assert_eq!((of("play = \"normal\"\n"), of("quantities = [\"grundy\"]\n"), of("play = \"misere\"\n")), (of(""), of(""), 0));
    let named = sweep("claims = [\"four-edges/lemma-4.7\"]\n[space]\ngraph = \"H1\"\nweights = \"0..=2\"\nplay = \"misere\"\n");
    assert!(!named.space.can_speak(0));
}

#[test]
fn boxes_are_written_as_they_were_and_new_ones_in_a_new_version() {
    let encoded = |keys: &str| sweep(&format!("[space]\ngraph = \"H1\"\nweights = \"0..=2\"\n{keys}")).space.encode();
    let old = r#"{"version":1,"boxes":[{"weights":{"graph":"H1","weights":["0..=2","0..=2","0..=2","0..=2"]}}]}"#;
    let normal = encoded("");
    let sorted = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(sorted(&normal), sorted(old));
    assert_eq!(encoded("play = \"normal\"\n"), normal);
    for (keys, part) in [("play = \"misere\"\n", "\"play\":\"misere\""), ("quantities = [\"grundy\"]\n", "\"quantities\":[\"grundy\"]")] {
        let text = encoded(keys);
        assert!(text.contains(part) && text.contains("\"version\":2"), "{text}");
        assert_eq!(GraphNim.decode(&text, &[], &[]).unwrap().encode(), text);
        assert!(GraphNim.decode(&text.replace("misere", "x").replace("grundy", "x"), &[], &[]).is_err());
    }
    assert!(GraphNim.decode(&normal.replace("\"version\":1", "\"version\":3"), &[], &[]).is_err());
}

#[test]
fn tables_that_do_not_fit_are_not_made() {
    let sweep = sweep("[space]\ngraph = \"H1\"\nweights = \"0..=2000\"\nquantities = [\"grundy\"]\n");
    let shard = Shard { box_index: 0, start: 0, end: 1 };
    // Two words a vertex and edge for each of 2001^3 positions, and more.
    assert!(sweep.space.cost(&shard).bytes > 8_000_000_000_000);
    let error = sweep.space.solver().solve(&shard, &task(&sweep), &mut GoOn).unwrap_err();
    assert!(matches!(error, SolveError::TooLarge { .. }));
    let small = super::sweep("[space]\ngraph = \"H1\"\nweights = \"0..=32\"\nquantities = [\"grundy\"]\n");
    assert!(small.space.cost(&Shard { box_index: 0, start: 0, end: 1 }).bytes < 10_000_000);
}

#[test]
fn kept_positions_have_their_grundy_values() {
    let sweep = sweep("[space]\nedges = \"AB BC\"\nweights = \"0..=1\"\nquantities = [\"grundy\"]\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let kept = |record| {
        let task = Task { record, ..task(&sweep) };
        let mut records = sweep.space.solver().solve(&shard, &task, &mut GoOn).unwrap().records;
        records.sort();
        records.into_iter().map(|record| record.value).collect::<Vec<String>>()
    };
    assert_eq!((kept(Record::All), kept(Record::Losing)), (vec!["0".into(), "*".into(), "*".into(), "*2".into()], vec!["0".to_owned()]));
}

fn explain(words: &[(&str, &str)]) -> Result<crate::families::Explanation, String> {
    let given: Vec<(String, String)> = words.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    GraphNim.explain(&given).map_err(|error| error.to_string())
}

#[test]
fn explain_shows_the_values_of_the_options_and_their_mex() {
    let path = [("edges", "AB BC CD"), ("weights", "1,1,1")];
    let found = explain(&[path[0], path[1], ("quantities", "grundy")]).unwrap();
    let fact = |name: &str| found.facts.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
    assert_eq!((found.outcome.as_deref(), found.value.as_deref()), (Some("N"), Some("*3")));
    // To 1 1 0 and 0 1 1 (2), 1 0 1 (0), 0 0 1 and 1 0 0 (1).
    assert_eq!((fact("values of options"), fact("their mex")), (Some("0 to 2"), Some("3")));
    let options: Vec<(&str, &str)> = found.options.iter().map(|one| (one.option.text.as_str(), one.value.as_str())).collect();
    assert_eq!(options[0], ("at B take 1 from AB and 1 from BC", "*"));
    assert_eq!(options.len(), 5);
    assert_eq!(found.winning_moves.len(), 1);
    assert!(explain(&path).unwrap().value.is_none());
}

#[test]
fn explain_knows_misere_play() {
    let ab = |weight, play| explain(&[("edges", "AB"), ("weights", weight), ("play", play)]).unwrap();
    let outcome = |weight, play| ab(weight, play).outcome.unwrap();
    assert_eq!(["0", "1", "2"].map(|weight| outcome(weight, "misere")), ["N", "P", "N"]);
    assert_eq!(["0", "1", "2"].map(|weight| outcome(weight, "normal")), ["P", "N", "N"]);
    assert!(ab("2", "misere").claims.is_empty() && !ab("2", "normal").claims.is_empty());
    assert_eq!(ab("2", "misere").winning_moves[0].to.to_string(), r#"{"edges":["AB"],"weights":[1],"play":"misere"}"#);
    for (words, expected) in [
        (vec![("play", "x")], "--play: \"x\" is not allowed"),
        (vec![("quantities", "value")], "--quantities: 'value' is not allowed; it is grundy"),
        (vec![("play", "misere"), ("quantities", "grundy")], "--quantities: under misère play"),
    ] {
        let error = explain(&[vec![("edges", "AB"), ("weights", "1")], words].concat()).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_manifest_is_refused_before_anything_is_solved() {
    let text = "name = \"test\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"H1\"\nweights = 1\nplay = \"misere\"\nplays = 1\n";
    let error = Manifest::parse(text).and_then(Sweep::resolve).err().unwrap().to_string();
    assert!(error.contains("did you mean 'play'?"), "{error}");
}
