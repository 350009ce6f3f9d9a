//! What there is to say about a position besides its value: the totals, a play, and how the algorithm for paths runs.

use super::claims::{Reading, Run, Step, run};
use super::notation::Written;
use super::paths::value_of_paths;
use super::rules::{content_total, totals};

/// What a person is told about a position, given val and an optimal play: a name and its value each.
pub fn facts(written: &Written, value: i64, play: &[usize]) -> Vec<(String, String)> {
    let position = &written.position;
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let (alice, bob) = totals(position.sum(), value);
    let mut facts = vec![
        fact("totals", format!("Alice {alice}, Bob {bob}; val = Alice's less Bob's = {value}")),
        fact("an optimal play", written.play_in_words(play)),
    ];
    if let Some(grid) = position.grid {
        let (name, parity) = if grid.content_is_alice() { ("Alice", "odd") } else { ("Bob", "even") };
        let total = content_total(grid, position.sum(), value);
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
