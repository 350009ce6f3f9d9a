use std::collections::BTreeMap;

use crate::claim::Prediction;
use crate::families::{Check, Confirmation, Counterexample, Reference};
use crate::value::Nimber;

use super::claims::{Entry, Position, entries};
use super::key;
use super::names::Named;
use super::reference::ReferenceSolver;
use super::space::HypergraphSpace;

/// Confirms counterexamples with the reference solver.
pub struct HypergraphReference {
    space: HypergraphSpace,
    solver: ReferenceSolver,
}

impl HypergraphReference {
    /// A reference that has solved nothing yet.
    pub fn new(space: HypergraphSpace) -> Self {
        Self { space, solver: ReferenceSolver::default() }
    }

    /// The hypergraph of a key, if it is one of this space.
    fn hypergraph(&self, key: &[u8]) -> Option<Named> {
        let (box_index, vertices, hyperedges, configuration) = key::read(key)?;
        let named = self.space.get(box_index)?.hypergraph(configuration)?;
        let counts = (named.hypergraph.vertices(), named.hypergraph.hyperedges().len());
        (counts == (vertices, hyperedges as usize)).then_some(named)
    }

    /// Solves a hypergraph again that contradicts a claim. What the claim speaks about is found from the hyperedges alone.
    fn confirm_hypergraph(&mut self, entry: &Entry, named: &Named, actual: &str) -> Confirmation {
        let says = (entry.predict)(&Position::of(&named.hypergraph));
        // No play decides a relation of this family: it is about the hypergraph itself.
        let is_about_play = !matches!(says, Prediction::Relation(_));
        let parameters = named.to_json();
        let predicted = says.predicted();
        if is_about_play && let Some(reason) = ReferenceSolver::refuses(&named.hypergraph) {
            let (actual, reason) = (actual.to_owned(), Some(reason));
            return Confirmation::Stands(Counterexample { parameters, predicted, actual, confirmed: false, witness: None, reason });
        }
        let value = is_about_play.then(|| Nimber(self.solver.grundy(&named.hypergraph)));
        let found = says.actual(value.as_ref(), &[]);
        if says.check(value.as_ref(), &[]) != Check::Refuted || found != actual {
            let claim = entry.claim.id;
            return Confirmation::Disagrees(format!(
                "{claim} at {named}: the solver says {actual}, again: {found}, the claim '{predicted}'"
            ));
        }
        let witness = is_about_play.then(|| witness(&mut self.solver, named));
        Confirmation::Stands(Counterexample { parameters, predicted, actual: found, confirmed: true, witness, reason: None })
    }
}

impl Reference for HypergraphReference {
    fn confirm(&mut self, claim: usize, key: &[u8], actual: &str) -> Confirmation {
        let (Some(entry), Some(named)) = (entries().get(claim), self.hypergraph(key)) else {
            return Confirmation::Disagrees(format!("no configuration of this space: claim {claim}, key {key:?}"));
        };
        self.confirm_hypergraph(entry, &named, actual)
    }

    fn value(&mut self, key: &[u8]) -> Option<String> {
        let named = self.hypergraph(key)?;
        ReferenceSolver::refuses(&named.hypergraph).is_none().then(|| Nimber(self.solver.grundy(&named.hypergraph)).to_string())
    }
}

/// Every option: the move in words, where it leads, and its value.
pub fn options(solver: &mut ReferenceSolver, named: &Named) -> Vec<(String, Named, Nimber)> {
    let vertices =
        (0..named.hypergraph.vertices()).map(|vertex| (format!("remove vertex {}", named.name(vertex)), named.without_vertex(vertex)));
    let hyperedges = named.hypergraph.hyperedges().iter().enumerate();
    let hyperedges = hyperedges.map(|(place, set)| (format!("remove hyperedge {}", named.hyperedge(*set)), named.without_hyperedge(place)));
    vertices.chain(hyperedges).map(|(words, to)| (words, to.clone(), Nimber(solver.grundy(&to.hypergraph)))).collect()
}

/// Why a hypergraph has its value: the values of its options, each with the first move that leads to it.
fn witness(solver: &mut ReferenceSolver, named: &Named) -> String {
    let mut moves: BTreeMap<Nimber, String> = BTreeMap::new();
    for (words, _, value) in options(solver, named) {
        moves.entry(value).or_insert(words);
    }
    let parts: Vec<String> = moves.iter().map(|(value, words)| format!("{value} ({words})")).collect();
    if parts.is_empty() { "there is no move".to_owned() } else { format!("the options have the values {}", parts.join(", ")) }
}
