use crate::families::legacy::{Check, ClaimView, Explanation, Figure, FigureRow, Move, Parameters};
use crate::sweep::ManifestError;
use crate::value::Outcome;

use super::checker::held_against;
use super::claims::{Position, entries};
use super::confirm::{of_sets, winning_options};
use super::explain_value::{self, ValueFacts};
use super::long_run::LongRun;
use super::reference::ReferenceSolver;
use super::reference_values::ReferenceValues;
use super::rules::{Ruleset, SubtractionSet, Support};

const KEYS: [&str; 6] = ["left", "right", "a", "b", "tau", "heap"];
/// The most heaps of the picture.
const SHOWN: u64 = 120;

/// One heap of one ruleset, explained. See `Family::explain`.
pub fn explain(parameters: &Parameters) -> Result<Explanation, ManifestError> {
    let (ruleset, heap) = read(parameters)?;
    if let Some(reason) = ReferenceSolver::refuses(&ruleset, heap) {
        return Err(ManifestError::field("--heap", reason));
    }
    let mut solver = ReferenceSolver::new(ruleset.clone());
    let outcome = solver.outcome(heap);
    let possible = |set: &SubtractionSet| set.elements().iter().filter(|number| u64::from(**number) <= heap).count() as u128;
    let mut winning_moves = moves(&mut solver, "Left", &ruleset.left, heap, [Outcome::R, Outcome::N], &ruleset);
    winning_moves.extend(moves(&mut solver, "Right", &ruleset.right, heap, [Outcome::L, Outcome::N], &ruleset));
    let mut values = ReferenceValues::new();
    let ValueFacts { text, facts: value_facts } = explain_value::facts(&mut values, &ruleset, heap);
    let (claims, too_large) = views(&mut values, &ruleset, heap, outcome);
    let mut facts = facts(&ruleset, heap);
    facts.extend(value_facts);
    if !too_large.is_empty() {
        facts.push(("claims not held against it".to_owned(), format!("{}: too large for the reference", too_large.join(", "))));
    }
    Ok(Explanation {
        parameters: of_sets(&ruleset, heap),
        outcome: Some(outcome.to_string()),
        value: text,
        moves: possible(&ruleset.left) + possible(&ruleset.right),
        winning_moves,
        options: Vec::new(),
        facts,
        figure: Some(figure(&mut solver, heap)),
        claims,
    })
}

fn read(parameters: &Parameters) -> Result<(Ruleset, u64), ManifestError> {
    if let Some((key, _)) = parameters.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
        return Err(ManifestError::unknown_parameter(key, &KEYS));
    }
    let get = |key: &str| parameters.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let missing = |key: &str, example: &str| ManifestError::Missing { field: format!("--{key}"), example: format!("--{key} {example}") };
    let number = |key: &str, example: &str| -> Result<u64, ManifestError> {
        let text = get(key).ok_or_else(|| missing(key, example))?;
        let problem = || ManifestError::field(format!("--{key}"), format!("'{text}' is no number; write for instance --{key} {example}"));
        text.trim().parse().map_err(|_| problem())
    };
    let by_sets = get("left").is_some() || get("right").is_some();
    let by_parameters = get("a").is_some() || get("b").is_some() || get("tau").is_some();
    if by_sets && by_parameters {
        return Err(ManifestError::field("--left", "a ruleset is given either by --left and --right, or by --a, --b and --tau"));
    }
    let ruleset = if by_parameters {
        let tau = if get("tau").is_some() { number("tau", "4")? } else { 0 };
        let support = Support { a: number("a", "3")?, b: number("b", "7")?, tau };
        let outside = || ManifestError::field("--a, --b, --tau", "full and truncated support have 1 <= a <= b <= 65535 and 0 <= tau < b");
        Some(support).filter(|support| support.a >= 1).and_then(Support::ruleset).ok_or_else(outside)?
    } else {
        let set = |key: &str, example: &str| {
            let text = get(key).ok_or_else(|| missing(key, example))?;
            SubtractionSet::parse(text).map_err(|error| ManifestError::field(format!("--{key}"), error.to_string()))
        };
        Ruleset { left: set("left", "1..3")?, right: set("right", "5..7")? }
    };
    Ok((ruleset, number("heap", "26")?))
}

fn moves(
    solver: &mut ReferenceSolver,
    player: &str,
    set: &SubtractionSet,
    heap: u64,
    opponent_wins: [Outcome; 2],
    ruleset: &Ruleset,
) -> Vec<Move> {
    let options = winning_options(solver, set, heap, opponent_wins);
    options.into_iter().map(|rest| Move { text: format!("{player} removes {}", heap - rest), to: of_sets(ruleset, rest) }).collect()
}

fn facts(ruleset: &Ruleset, heap: u64) -> Vec<(String, String)> {
    let mut facts = vec![("all heaps".to_owned(), LongRun::of(ruleset).to_string())];
    if let Some(support) = ruleset.support() {
        let Support { a, b, tau } = support;
        let position = Position { support, heap };
        facts.push(("a, b, tau".to_owned(), format!("{a}, {b}, {tau}")));
        facts.push(("kappa = b - a".to_owned(), position.kappa().to_string()));
        if let (Some(last), Some(onset)) = (position.last_block(), position.onset()) {
            facts.push(("beta, R".to_owned(), format!("{last}, {onset}")));
        }
    }
    facts
}

/// The outcomes of the last heaps up to this one.
fn figure(solver: &mut ReferenceSolver, heap: u64) -> Figure {
    let low = (heap + 1).saturating_sub(SHOWN);
    let letters = (low..=heap).map(|heap| solver.outcome(heap).letter()).collect();
    Figure {
        title: format!("Outcomes of heaps {low} to {heap} from left to right"),
        rows: vec![FigureRow { label: "outcome".into(), letters }],
    }
}

/// What each claim says of the heap, and the ids of those that are too large to be held against it.
fn views(values: &mut ReferenceValues, ruleset: &Ruleset, heap: u64, outcome: Outcome) -> (Vec<ClaimView>, Vec<&'static str>) {
    let (mut views, mut too_large) = (Vec::new(), Vec::new());
    let Some(support) = ruleset.support() else { return (views, too_large) };
    for (claim, entry) in entries().iter().enumerate() {
        match held_against(entry, &Position { support, heap }, Some(outcome), values) {
            Ok(held) => {
                let predicted = (held.check != Check::Silent).then(|| held.says.predicted());
                views.push(ClaimView { claim, predicted, verdict: held.check });
            }
            Err(_) => too_large.push(entry.claim.id),
        }
    }
    (views, too_large)
}
