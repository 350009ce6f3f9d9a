//! What the reference says about a position: its value, the reason for it, and other facts.

use std::collections::BTreeMap;
use std::convert::Infallible;

use crate::families::{Explained, GameReference, Move, Says, TooLarge, ValuedOption};
use crate::sweep::ManifestError;
use crate::value::Nimber;

use super::HypergraphTakeaway;
use super::claims::Position;
use super::hypergraph::members;
use super::names::Named;
use super::reference::ReferenceSolver;

/// Values by the reference solver.
#[derive(Default)]
pub struct ByDefinition(ReferenceSolver);

impl GameReference<HypergraphTakeaway> for ByDefinition {
    fn value(&mut self, position: &Named) -> Result<Nimber, TooLarge> {
        match ReferenceSolver::refuses(&position.hypergraph) {
            Some(reason) => Err(TooLarge(reason)),
            None => Ok(Nimber(self.0.grundy(&position.hypergraph))),
        }
    }

    fn answer(&mut self, question: &Infallible) -> Result<Nimber, TooLarge> {
        match *question {}
    }

    fn witness(&mut self, position: &Named, _says: &Says<HypergraphTakeaway>) -> Option<String> {
        Some(witness(&mut self.0, position))
    }

    fn explain(&mut self, position: &Named) -> Result<Explained, ManifestError> {
        let value = self.value(position).map_err(|TooLarge(reason)| ManifestError::field("--edges", reason))?;
        let all: Vec<(Move, Nimber)> =
            options(&mut self.0, position).into_iter().map(|(text, to, value)| (Move { text, to: to.to_json() }, value)).collect();
        let winning_moves = all.iter().filter(|(_, value)| *value == Nimber(0)).map(|(option, _)| option.clone()).collect();
        Ok(Explained {
            outcome: Some(if value == Nimber(0) { "P" } else { "N" }.to_owned()),
            value: Some(value.to_string()),
            moves: all.len() as u128,
            winning_moves,
            options: all.into_iter().map(|(option, value)| ValuedOption { option, value: value.to_string() }).collect(),
            facts: facts(position, &Position::of(&position.hypergraph)),
            figure: None,
        })
    }
}

/// Every option: the move in words, where it leads, and its value.
fn options(solver: &mut ReferenceSolver, named: &Named) -> Vec<(String, Named, Nimber)> {
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

fn facts(named: &Named, position: &Position) -> Vec<(String, String)> {
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let mut facts = vec![("|V|, |E|".to_owned(), format!("{}, {}", position.vertices, position.hyperedges))];
    let Some(member) = &position.member else {
        facts.push(("all hyperedges odd".into(), yes(position.all_odd)));
        facts.push(("all hyperedges even".into(), yes(position.all_even)));
        if position.all_even {
            facts.push(("marked coloring".into(), yes(position.all_even_and_marked)));
        }
        facts.push(("member of the family".into(), yes(false)));
        return facts;
    };
    let degrees = |times: usize| {
        let x = named.hypergraph.hyperedges().iter().copied().find(|set| set.count_ones() % 2 == 0).unwrap_or(0);
        let set = members(x).filter(|vertex| named.hypergraph.degree(*vertex) == times + 1).fold(0u64, |set, vertex| set | 1 << vertex);
        if set == 0 { "none".to_owned() } else { named.hyperedge(set) }
    };
    facts.push(("member of the family".into(), yes(true)));
    facts.push(("|V(X)|, |E(Y)|".into(), format!("{}, {}", member.x, member.y)));
    facts.push(("subcategory A".into(), degrees(1)));
    facts.push(("subcategory B".into(), degrees(2)));
    facts.push(("subcategory C".into(), degrees(0)));
    facts.push(("group".into(), member.group().map_or("none".to_owned(), |group| group.to_string())));
    facts
}
