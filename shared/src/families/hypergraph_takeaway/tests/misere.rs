//! Misère play: each solver finds the outcomes of the reference, and what is asked for wrongly gets a sentence.

use proptest::prelude::*;

use crate::families::testing::{assert_refused, refusal};
use crate::families::{Confirmation, Family};
use crate::value::{Outcome, Play};

use super::super::HypergraphTakeaway;
use super::super::components::Numbering;
use super::super::hypergraph::Hypergraph;
use super::super::reference_misere::MisereReference;
use super::super::solver::{Host, Lattice, Members, Orbits, Sizes, told};
use super::{solve, sweep, whole};

fn lattice(hypergraph: &Hypergraph) -> Outcome {
    told(Play::Misere, Lattice::worth(hypergraph, Play::Misere, &mut || true).unwrap()).outcome()
}

#[test]
fn every_hypergraph_with_up_to_4_vertices_has_the_outcome_of_the_reference_by_both_solvers() {
    let mut reference = MisereReference::default();
    let mut all: Vec<Orbits> = Vec::new();
    let mut lost = 0;
    for vertices in 0..=4 {
        let host = Host::new(vertices, Sizes::From(2)).unwrap();
        let orbits = Orbits::new(host.clone(), all.last(), Play::Misere, &mut || true).unwrap();
        for number in 0..host.classes() {
            let (word, byte) = orbits.class(number).unwrap();
            let hypergraph = host.hypergraph(word);
            let expected = reference.outcome(&hypergraph);
            assert_eq!(told(Play::Misere, byte).outcome(), expected, "{hypergraph:?}");
            assert_eq!(lattice(&hypergraph), expected, "{hypergraph:?}");
            lost += u32::from(expected == Outcome::P);
        }
        all.push(orbits);
    }
    assert_eq!(lost, 16, "of 192");
}

#[test]
fn every_member_with_up_to_8_vertices_in_x_has_the_outcome_of_the_reference() {
    let numbering = Numbering::new(8);
    let mut solver = Members::new(8, Play::Misere);
    solver.fill(8, &mut || true).unwrap();
    let mut reference = MisereReference::default();
    for order in [2, 4, 6, 8] {
        for number in 0..numbering.count(order) {
            let graph = numbering.graph(order, number);
            let found = told(Play::Misere, solver.worth(order, number)).outcome();
            assert_eq!(found, reference.outcome(&graph.member()), "{graph:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn random_hypergraphs_have_the_outcome_of_the_reference(vertices in 0u32..=6, hyperedges in prop::collection::btree_set(3u64..64, 0..8)) {
        let inside = hyperedges.into_iter().map(|set| set & ((1 << vertices) - 1)).filter(|set| set.count_ones() >= 2);
        let distinct: std::collections::BTreeSet<u64> = inside.collect();
        let hypergraph = Hypergraph::new(vertices, distinct.into_iter().collect());
        prop_assert_eq!(lattice(&hypergraph), MisereReference::default().outcome(&hypergraph));
    }
}

/// An edge beside a vertex is N, as is an edge: parity does not decide.
#[test]
fn a_claim_about_misere_play_is_refuted_and_confirmed() {
    let claim = "[[claim]]\nid = \"mine/parity\"\npredict = \"vertices % 2 == 1 ? P : N\"\n";
    let sweep = sweep(&format!("[space]\nall = {{ vertices = \"0..=3\" }}\nplay = \"misere\"\n{claim}"));
    let result = solve(sweep.space.solver().as_mut(), &sweep, &whole(&sweep, 0));
    let first = result.counterexamples[0].iter().min_by_key(|found| &found.key).unwrap();
    let Confirmation::Stands(found) = sweep.space.reference().confirm(0, &first.key, &first.actual) else { panic!() };
    assert_eq!((found.predicted.as_str(), found.actual.as_str(), found.confirmed), ("P", "N", true));
    assert_eq!(found.parameters.to_string(), r#"{"edges":["ab","c"],"play":"misere"}"#);
    assert_eq!(found.witness.as_deref(), Some("the options have the outcomes N (remove vertex a), P (remove hyperedge ab)"));
}

#[test]
fn what_is_asked_for_wrongly_gets_a_sentence() {
    assert_refused(
        &HypergraphTakeaway,
        &[
            ("vertices = 4\nplay = \"reverse\"", "space.play: \"reverse\" is not allowed; it is \"normal\", where who cannot move loses"),
            ("vertices = 4\nplay = [\"misere\"]", "space.play: [\"misere\"] is not allowed"),
            ("vertices = 4\nquantities = [\"grundy\"]", "space.quantities: unknown key"),
        ],
    );
    for (key, text) in [("says", "grundy == 1"), ("predict", "1"), ("says", "value == '*'")] {
        let claim = format!("[[claim]]\nid = \"mine/one\"\n{key} = \"{text}\"\n");
        let found = refusal(&HypergraphTakeaway, &format!("[space]\nvertices = 4\nplay = \"misere\"\n{claim}")).unwrap();
        assert!(found.contains("under misère play positions have outcomes only, and no Grundy values"), "{found}");
        assert_eq!(refusal(&HypergraphTakeaway, &format!("[space]\nvertices = 4\n{claim}")).is_none(), !text.contains("value"), "{text}");
    }
}

#[test]
fn papers_claims_are_about_normal_play() {
    assert!(sweep("[space]\nvertices = 4\nplay = \"misere\"\n").claims.is_empty());
    assert!(!sweep("[space]\nvertices = 4\nplay = \"normal\"\n").claims.is_empty());
    let explain = |play: &str| {
        let given = [("edges", "abcd,Sab,Sbc,Sac"), ("play", play)].map(|(key, value)| (key.to_owned(), value.to_owned()));
        HypergraphTakeaway.explain(&given).unwrap()
    };
    let misere = explain("misere");
    assert!(
        misere.claims.is_empty() && misere.value.is_none() && misere.options.iter().all(|one| ["P", "N"].contains(&one.value.as_str()))
    );
    assert!(explain("normal").value.is_some() && !explain("normal").claims.is_empty());
}

#[test]
fn boxes_are_written_as_they_were_and_new_ones_in_a_new_version() {
    let encoded = |keys: &str| sweep(&format!("[space]\n{keys}")).space.encode();
    assert_eq!(encoded("vertices = \"2..=4\"\nplay = \"normal\"\n"), r#"{"version":1,"boxes":[{"members":{"vertices":"2..=4"}}]}"#);
    let misere = encoded("vertices = \"2..=4\"\nplay = \"misere\"\n");
    assert_eq!(misere, r#"{"version":2,"boxes":[{"members":{"vertices":"2..=4","play":"misere"}}]}"#);
    for wrong in [misere.replace(":2,", ":1,"), misere.replace("misere", "x"), encoded("vertices = 4\n").replace(":1,", ":2,")] {
        assert!(HypergraphTakeaway.decode(&wrong, &[], &[]).is_err(), "{wrong}");
    }
}
