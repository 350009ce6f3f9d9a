use crate::families::{Check, ClaimView, Explanation, Move, Parameters, ValuedOption};
use crate::sweep::ManifestError;
use crate::value::Nimber;

use super::claims::{Position, entries};
use super::confirm::options;
use super::hypergraph::members;
use super::names::Named;
use super::reference::ReferenceSolver;

const KEYS: [&str; 1] = ["edges"];

/// One hypergraph, explained. See `Family::explain`.
pub fn explain(parameters: &Parameters) -> Result<Explanation, ManifestError> {
    let named = read(parameters)?;
    if let Some(reason) = ReferenceSolver::refuses(&named.hypergraph) {
        return Err(ManifestError::field("--edges", reason));
    }
    let mut solver = ReferenceSolver::default();
    let value = Nimber(solver.grundy(&named.hypergraph));
    let all: Vec<(Move, Nimber)> =
        options(&mut solver, &named).into_iter().map(|(text, to, value)| (Move { text, to: to.to_json() }, value)).collect();
    let winning_moves = all.iter().filter(|(_, value)| *value == Nimber(0)).map(|(option, _)| option.clone()).collect();
    let position = Position::of(&named.hypergraph);
    Ok(Explanation {
        parameters: named.to_json(),
        outcome: Some(if value == Nimber(0) { "P" } else { "N" }.to_owned()),
        value: Some(value.to_string()),
        moves: all.len() as u128,
        winning_moves,
        options: all.into_iter().map(|(option, value)| ValuedOption { option, value: value.to_string() }).collect(),
        facts: facts(&named, &position),
        figure: None,
        claims: views(&position, value),
    })
}

fn read(parameters: &Parameters) -> Result<Named, ManifestError> {
    if let Some((key, _)) = parameters.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
        return Err(ManifestError::unknown_parameter(key, &KEYS));
    }
    let missing = || ManifestError::Missing { field: "--edges".into(), example: "--edges \"abcd,Sab,Sbc\"".into() };
    let (_, text) = parameters.first().ok_or_else(missing)?;
    Named::parse(text).map_err(|error| ManifestError::field("--edges", error.to_string()))
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

fn views(position: &Position, value: Nimber) -> Vec<ClaimView> {
    let view = |(claim, entry): (usize, &super::claims::Entry)| {
        let says = (entry.predict)(position);
        let verdict = says.check(Some(&value), &[]);
        ClaimView { claim, predicted: (verdict != Check::Silent).then(|| says.predicted()), verdict }
    };
    entries().iter().enumerate().map(view).collect()
}
