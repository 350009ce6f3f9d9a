//! What the reference says about a position: its value, the reason for it, and other facts.

use std::collections::BTreeMap;
use std::convert::Infallible;

use crate::families::{Explained, GameReference, Move, Says, TooLarge, ValuedOption};
use crate::sweep::ManifestError;
use crate::value::{Impartial, Nimber, Outcome, Play};

use super::HypergraphTakeaway;
use super::claims::Position;
use super::hypergraph::{Hypergraph, members};
use super::names::Named;
use super::placed::Placed;
use super::reference::ReferenceSolver;
use super::reference_misere::MisereReference;

/// Values by the rules alone.
#[derive(Default)]
pub struct ByDefinition {
    normal: ReferenceSolver,
    misere: MisereReference,
}

impl ByDefinition {
    /// What a hypergraph is worth that is not refused.
    fn solve(&mut self, hypergraph: &Hypergraph, play: Play) -> Impartial {
        match play {
            Play::Normal => Nimber(self.normal.grundy(hypergraph)).into(),
            Play::Misere => self.misere.outcome(hypergraph).into(),
        }
    }
}

impl GameReference<HypergraphTakeaway> for ByDefinition {
    fn value(&mut self, position: &Placed) -> Result<Impartial, TooLarge> {
        match ReferenceSolver::refuses(&position.named.hypergraph) {
            Some(reason) => Err(TooLarge(reason)),
            None => Ok(self.solve(&position.named.hypergraph, position.play)),
        }
    }

    fn own(&mut self, position: &Placed, asked: &Impartial) -> Result<Option<Impartial>, TooLarge> {
        self.value(position).map(|value| value.told(*asked))
    }

    fn answer(&mut self, question: &Infallible) -> Result<Impartial, TooLarge> {
        match *question {}
    }

    fn witness(&mut self, position: &Placed, _says: &Says<HypergraphTakeaway>) -> Option<String> {
        Some(witness(self, position))
    }

    fn explain(&mut self, position: &Placed) -> Result<Explained, ManifestError> {
        let value = self.value(position).map_err(|TooLarge(reason)| ManifestError::field("--edges", reason))?;
        let all: Vec<(Move, Impartial)> =
            options(self, position).into_iter().map(|(text, to, value)| (Move { text, to: to.to_json() }, value)).collect();
        let wins = |value: &Impartial| value.outcome() == Outcome::P;
        let winning_moves = all.iter().filter(|(_, value)| wins(value)).map(|(option, _)| option.clone()).collect();
        Ok(Explained {
            outcome: Some(value.outcome().to_string()),
            value: value.grundy().map(|grundy| grundy.to_string()),
            moves: all.len() as u128,
            winning_moves,
            options: all.into_iter().map(|(option, value)| ValuedOption { option, value: value.to_string() }).collect(),
            facts: facts(&position.named, &Position::of(&position.named.hypergraph)),
            figure: None,
        })
    }
}

/// Every option: the move in words, where it leads, and its value.
fn options(reference: &mut ByDefinition, position: &Placed) -> Vec<(String, Placed, Impartial)> {
    let Placed { named, play } = position;
    let vertices =
        (0..named.hypergraph.vertices()).map(|vertex| (format!("remove vertex {}", named.name(vertex)), named.without_vertex(vertex)));
    let hyperedges = named.hypergraph.hyperedges().iter().enumerate();
    let hyperedges = hyperedges.map(|(place, set)| (format!("remove hyperedge {}", named.hyperedge(*set)), named.without_hyperedge(place)));
    let valued = |(words, named): (String, Named)| {
        let value = reference.solve(&named.hypergraph, *play);
        (words, Placed { named, play: *play }, value)
    };
    vertices.chain(hyperedges).map(valued).collect()
}

/// Why a hypergraph has its value: the values of its options, each with the first move that leads to it.
fn witness(reference: &mut ByDefinition, position: &Placed) -> String {
    let mut moves: BTreeMap<(Option<Nimber>, Outcome), (String, String)> = BTreeMap::new();
    for (words, _, value) in options(reference, position) {
        moves.entry((value.grundy(), value.outcome())).or_insert((value.to_string(), words));
    }
    let parts: Vec<String> = moves.values().map(|(value, words)| format!("{value} ({words})")).collect();
    match position.play {
        Play::Normal if parts.is_empty() => "there is no move".to_owned(),
        Play::Misere if parts.is_empty() => "there is no move, and who cannot move wins".to_owned(),
        Play::Normal => format!("the options have the values {}", parts.join(", ")),
        Play::Misere => format!("the options have the outcomes {}", parts.join(", ")),
    }
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
