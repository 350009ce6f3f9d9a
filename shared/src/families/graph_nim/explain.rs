use std::collections::BTreeSet;

use crate::families::legacy::{Check, ClaimView, Explanation, Move, Parameters};
use crate::sweep::ManifestError;
use crate::value::Outcome;

use super::claims::{H1, Predicate, Special, Subject, entries, special};
use super::confirm::{move_in_words, parameters as to_json};
use super::graph::Graph;
use super::reference::ReferenceSolver;
use super::rules::{MAX_WEIGHT, Weights, any_move, count_moves};
use super::shifts;
use super::space::graph_by_name;

const KEYS: [&str; 3] = ["graph", "edges", "weights"];

/// One position on one graph, explained. See `Family::explain`.
pub fn explain(parameters: &Parameters) -> Result<Explanation, ManifestError> {
    let (graph, weights) = read(parameters)?;
    if let Some(reason) = ReferenceSolver::refuses(&weights) {
        return Err(ManifestError::field("--weights", reason));
    }
    let subject = Subject::new(graph.clone());
    let mut solver = ReferenceSolver::new(graph.clone());
    let outcome = solver.outcome(&weights);
    Ok(Explanation {
        parameters: to_json(&graph, &weights),
        outcome: Some(outcome.to_string()),
        value: None,
        moves: count_moves(&graph, &weights),
        winning_moves: winning_moves(&mut solver, &weights),
        options: Vec::new(),
        facts: facts(&subject, &weights).into_iter().chain(shift_facts(&graph, &weights)).collect(),
        figure: None,
        claims: views(&subject, &weights, outcome),
    })
}

fn read(parameters: &Parameters) -> Result<(Graph, Weights), ManifestError> {
    if let Some((key, _)) = parameters.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
        return Err(ManifestError::unknown_parameter(key, &KEYS));
    }
    let get = |key: &str| parameters.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let graph = match (get("graph"), get("edges")) {
        (Some(name), None) => graph_by_name("--graph", name)?,
        (None, Some(edges)) => {
            let tokens = edges.split([' ', ',']).filter(|token| !token.is_empty());
            Graph::parse(tokens).map_err(|error| ManifestError::field("--edges", error.to_string()))?
        }
        (Some(_), Some(_)) => return Err(ManifestError::field("--edges", "--graph already names the graph; keep one of them")),
        (None, None) => {
            return Err(ManifestError::Missing { field: "--graph".into(), example: "--graph H1, or --edges \"AB BC CD EF\"".into() });
        }
    };
    let missing = || ManifestError::Missing { field: "--weights".into(), example: "--weights 5,1,6,11".into() };
    let weights: Result<Weights, ManifestError> = get("weights").ok_or_else(missing)?.split(',').map(weight).collect();
    let weights = weights?;
    if weights.len() != graph.edges().len() {
        let edges = graph.edge_names().join(", ");
        let problem = format!("{graph} has {} edges, {edges}, and there are {} weights", graph.edges().len(), weights.len());
        return Err(ManifestError::field("--weights", problem));
    }
    Ok((graph, weights))
}

fn weight(text: &str) -> Result<u32, ManifestError> {
    let weight = text.trim().parse::<u32>().ok().filter(|weight| *weight <= MAX_WEIGHT);
    weight.ok_or_else(|| {
        ManifestError::field("--weights", format!("'{text}' is no weight; a weight is a whole number from 0 to {MAX_WEIGHT}"))
    })
}

fn winning_moves(solver: &mut ReferenceSolver, weights: &[u32]) -> Vec<Move> {
    let graph = solver.graph().clone();
    // A move that takes from a single edge is met once at each of its ends; one of them is enough to show.
    let mut seen = BTreeSet::new();
    let mut moves = Vec::new();
    any_move(&graph, weights, |vertex, to| {
        if solver.outcome(to) == Outcome::P && seen.insert(to.to_vec()) {
            let text = move_in_words(&graph, vertex, weights, to);
            moves.push((to.iter().sum::<u32>(), to.to_vec(), Move { text, to: to_json(&graph, to) }));
        }
        false
    });
    moves.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    moves.into_iter().map(|(_, _, found)| found).collect()
}

/// What the hypotheses speak of, worked out at this position.
fn facts(subject: &Subject, weights: &[u32]) -> Vec<(String, String)> {
    let view = subject.view(weights);
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: String| facts.push((name.to_owned(), value));
    if let Some((name, edges)) = &subject.named {
        if subject.graph.name() != Some(*name) {
            let edges: Vec<String> = edges.iter().map(|edge| subject.graph.edge_name(*edge)).collect();
            fact("isomorphic to", format!("{name}, whose edges are here {}", edges.join(", ")));
        }
        match *name {
            "H1" => h1_facts(H1::of(&view), &mut fact),
            "G4" | "K3" => {
                let [ab, bc, ca, de] = view.named;
                let found = special([ab, bc, ca]).map(|Special { k, l, m, i }| format!("(k={k}, l={l}, m={m}, i={i})"));
                let found: Vec<String> = found.collect();
                let text = if found.is_empty() { "not special".to_owned() } else { format!("{}-special", found.join("- and ")) };
                fact("{AB,BC,CA}", text);
                if *name == "G4" {
                    fact("DE", de.to_string());
                    fact("AB + BC + CA", (ab + bc + ca).to_string());
                }
            }
            _ => {}
        }
    }
    if subject.stars.is_some() {
        let sums: Vec<String> = subject.star_sums(weights).map(|sum| sum.to_string()).collect();
        fact("sums of the stars", sums.join(", "));
        fact("their xor", view.stars_xor.to_string());
    }
    facts
}

/// The shifts of P-positions around this position, in words.
fn shift_facts(graph: &Graph, weights: &[u32]) -> Vec<(String, String)> {
    let names = |edges: &[usize]| edges.iter().map(|edge| graph.edge_name(*edge)).collect::<Vec<_>>().join(", ");
    let proved = shifts::proved(graph, weights).into_iter().map(|shift| {
        let bounds: Vec<String> = shift.bounds.iter().map(|(edge, bound)| format!("{} <= {bound}", graph.edge_name(*edge))).collect();
        let condition = if bounds.is_empty() { String::new() } else { format!(", while {}", bounds.join(", ")) };
        (names(&shift.edges), format!("adding {} to both leaves the outcome as it is{condition}: proved for all weights", shift.by))
    });
    let seen = shifts::seen(graph).into_iter().map(|shift| {
        let text =
            format!("adding {} to each leaves the outcome as it is: seen on weights up to {} only, not proved", shift.by, shift.up_to);
        (names(&shift.edges), text)
    });
    proved.chain(seen).map(|(edges, text)| (format!("shift of {edges}"), text)).collect()
}

fn h1_facts(h1: H1, fact: &mut impl FnMut(&str, String)) {
    fact("AB xor CD xor EF", h1.xor().to_string());
    if h1.ef >= 1 {
        let ([m1, m2], [l1, l2]) = (h1.quotients(), h1.remainders());
        fact("k = EF, M", format!("k = {}, M = {}", h1.ef, h1.modulus()));
        fact("AB = M m1 + l1", format!("m1 = {m1}, l1 = {l1}"));
        fact("CD = M m2 + l2", format!("m2 = {m2}, l2 = {l2}"));
    }
}

fn views(subject: &Subject, weights: &[u32], outcome: Outcome) -> Vec<ClaimView> {
    let view = subject.view(weights);
    let about = entries().iter().enumerate().filter(|(_, entry)| subject.is_in(entry.domain));
    about
        .filter_map(|(claim, entry)| {
            let Predicate::Position(predict) = entry.predicate else { return None };
            let prediction = predict(&view);
            let verdict = prediction.check(Some(&outcome), &[]);
            let predicted = (verdict != Check::Silent).then(|| prediction.predicted());
            Some(ClaimView { claim, predicted, verdict })
        })
        .collect()
}
