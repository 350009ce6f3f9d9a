//! What there is to say about a position besides its outcome.

use std::sync::Arc;

use crate::value::Play;

use super::claims::{H1, Special, Subject, special};
use super::graph::Graph;
use super::shifts;

/// The facts of a position, a name and its value each. Shifts are those of normal play.
pub fn of(subject: &Arc<Subject>, weights: &[u32], play: Play) -> Vec<(String, String)> {
    let shifts = if play == Play::Normal { shift_facts(&subject.graph, weights) } else { Vec::new() };
    hypotheses(subject, weights).into_iter().chain(shifts).collect()
}

/// What the hypotheses speak of, worked out at this position.
fn hypotheses(subject: &Arc<Subject>, weights: &[u32]) -> Vec<(String, String)> {
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
