use crate::families::legacy::{Check, ClaimView, Explanation, Move, Parameters};
use crate::sweep::ManifestError;

use super::claims::{Entry, Predicate, Reading, Run, Step, entries, run};
use super::confirm::needed;
use super::notation::{Notation, play_in_words};
use super::parse;
use super::paths::value_of_paths;
use super::reference::ReferenceSolver;
use super::rules::{Position, totals};

/// One position, explained. See `Family::explain`.
pub fn explain(parameters: &Parameters) -> Result<Explanation, ManifestError> {
    let (position, notation) = parse::read(parameters)?;
    // A position has been read, so there is a parameter.
    let field = parameters.first().map_or(String::new(), |(key, _)| format!("--{key}"));
    solve(&position, &notation).map_err(|reason| ManifestError::field(field, reason))
}

fn solve(position: &Position, notation: &Notation) -> Result<Explanation, String> {
    let mut solver = ReferenceSolver::new(position);
    let all = position.graph.all();
    let value = solver.value()?;
    let move_to = |sink: usize| Move {
        text: format!("removes {}, weight {}", notation.vertex(sink), position.weights[sink]),
        to: notation.parameters(position, all & !(1 << sink)),
    };
    let play = solver.play()?;
    Ok(Explanation {
        parameters: notation.parameters(position, all),
        outcome: None,
        value: Some(value.to_string()),
        moves: position.graph.sinks(all).count() as u128,
        winning_moves: solver.optimal(all)?.into_iter().map(move_to).collect(),
        options: Vec::new(),
        facts: facts(position, notation, value, &play),
        figure: None,
        claims: views(position, value)?,
    })
}

fn facts(position: &Position, notation: &Notation, value: i64, play: &[usize]) -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let (alice, bob) = totals(position.sum(), value);
    let mut facts = vec![
        fact("totals", format!("Alice {alice}, Bob {bob}; val = Alice's less Bob's = {value}")),
        fact("an optimal play", play_in_words(notation, position, play)),
    ];
    if let Some(grid) = position.grid {
        let (name, parity, total) = if grid.content_is_alice() { ("Alice", "odd", alice) } else { ("Bob", "even", bob) };
        facts.push(fact("Content", format!("{name}, since pq = {} is {parity}: collects {total}", grid.vertices())));
    }
    if let Some(paths) = position.as_paths() {
        for (reading, name) in [(Reading::Largest, "largest i"), (Reading::Smallest, "smallest i")] {
            facts.extend(steps(name, &run(paths.clone(), reading)));
        }
        facts.push(fact("in O(n log q)", format!("val = {}, by the largest i", value_of_paths(&paths))));
    }
    facts
}

/// A run of the algorithm, a line a step.
fn steps(name: &str, run: &Run) -> Vec<(String, String)> {
    let list = |weights: &[i64]| match weights {
        [] => "nothing".to_owned(),
        weights => weights.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
    };
    let line = |step: &Step| {
        let Step { path, before, index, term, after } = step;
        let (path, before, after) = (path + 1, list(before), list(after));
        match term {
            Some(term) => format!("path {path}, {before}: i = {index} = p, first reduction adds {term} and leaves {after}"),
            None => format!("path {path}, {before}: i = {index}, second reduction leaves {after}"),
        }
    };
    let taken = format!("the greatest in turn, {}: gives {}", list(&run.taken), run.value);
    // Names are told apart, since they are keys where facts are JSON.
    let steps = run.steps.iter().enumerate().map(|(index, step)| (format!("{name}, step {}", index + 1), line(step)));
    steps.chain([(format!("{name}, then"), taken)]).collect()
}

fn views(position: &Position, value: i64) -> Result<Vec<ClaimView>, String> {
    let is_about = |entry: &&Entry| position.grid.is_some() || matches!(entry.predicate, Predicate::Digraph { .. });
    let mut views = Vec::new();
    for (claim, entry) in entries().iter().enumerate().filter(|(_, entry)| is_about(entry)) {
        let says = entry.predict(position);
        let needed = needed(&says)?;
        let verdict = says.check(Some(&value), &needed);
        views.push(ClaimView { claim, predicted: (verdict != Check::Silent).then(|| says.predicted()), verdict });
    }
    Ok(views)
}
