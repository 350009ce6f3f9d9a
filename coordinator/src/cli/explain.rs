//! `refute explain`: what is known of one position.

use clap::Args;
use refute_shared::families::{self, Check, Explanation, Family};
use refute_shared::sweep::Manifest;
use refute_shared::text::{grouped, known, several};
use serde_json::{Value, json};

use crate::report::{cut, figure_lines, parameters};

use super::exit::{Failure, Output, style};
use super::manifest_source::{ManifestSource, is_file};

/// Winning moves shown to people; `--json` has all of them.
const SHOWN: usize = 20;

/// One position: its value by the reference solver, its winning moves, what each claim says of it and why
#[derive(Args, Debug)]
#[command(
    after_help = "Example: refute explain graph-nim --graph H1 --weights 5,1,6,11\nUnder the claims of a manifest: refute explain ./h1-next.toml --weights 5,1,6,11"
)]
pub struct Explain {
    /// The family, such as graph-nim; or a manifest, for the claims that it states: a file with a `/` or ending in `.toml`
    family: String,
    /// The position, as the family names its parameters; --json for one JSON object
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "PARAMETERS")]
    parameters: Vec<String>,
}

impl Explain {
    pub fn run(&self) -> Result<Output, Failure> {
        let (manifest, words) = self.manifest()?;
        let id = manifest.as_ref().map_or(self.family.as_str(), |manifest| manifest.family.as_str());
        let unknown = || Failure::wrong(format!("unknown family '{id}'; {}", known(id, families::ids())));
        let family = families::find(id).ok_or_else(unknown)?;
        let example = format!("refute explain {} {}", family.id(), nearest_example(family.explain_examples(), &self.parameters));
        if words.iter().any(|word| word == "--help" || word == "-h") {
            let examples = family.explain_examples().iter().map(|example| format!("  refute explain {} {example}\n", family.id()));
            return Ok(Output::page(&format!("{}\nExamples:\n{}", family.about(), examples.collect::<String>())));
        }
        let json = words.iter().any(|word| word == "--json");
        let mut parameters = pairs(words.iter().filter(|word| *word != "--json"), &example)?;
        let explanation = match &manifest {
            None => family.explain(&parameters).map_err(|error| Failure::wrong(format!("{error} (for instance: {example})")))?,
            Some(manifest) => {
                complete(&mut parameters, manifest, family);
                let explained = family.explain_stated(&parameters, &manifest.space, &manifest.stated);
                explained.map_err(|error| Failure::wrong(format!("{}: {error}", self.family)))?
            }
        };
        Ok(if json { Output::line(to_json(&explanation)) } else { Output::page(&text(family, &explanation)) })
    }
}

impl Explain {
    /// The manifest, if one is named, with the changes of `--where` and `--says`; and the other words.
    fn manifest(&self) -> Result<(Option<Manifest>, Vec<String>), Failure> {
        if !is_file(&self.family) {
            return Ok((None, self.parameters.clone()));
        }
        let (mut changes, mut words) = (vec![self.family.clone()], Vec::new());
        let mut rest = self.parameters.iter();
        while let Some(word) = rest.next() {
            match word.as_str() {
                "--where" | "--says" => changes.extend([Some(word), rest.next()].into_iter().flatten().cloned()),
                text if text.starts_with("--where=") || text.starts_with("--says=") => changes.push(word.clone()),
                _ => words.push(word.clone()),
            }
        }
        let manifest = ManifestSource::of_words(&changes)?.manifest()?;
        if manifest.stated.claims.is_empty() {
            let sentence = format!("{} states no claims; 'refute explain {}' has those of the family", self.family, manifest.family);
            return Err(Failure::wrong(sentence));
        }
        Ok((Some(manifest), words))
    }
}

/// What a person need not type since the manifest says it: a key of its one box that has one value, such as the graph.
fn complete(parameters: &mut Vec<(String, String)>, manifest: &Manifest, family: &dyn Family) {
    let [only] = &manifest.space[..] else { return };
    let is_parameter =
        |key: &str| family.explain_examples().iter().any(|example| example.split(' ').any(|word| word == format!("--{key}")));
    for (key, value) in only {
        // A list of one is that one.
        let single = value.as_array().map_or(Some(value), |list| if let [only] = &list[..] { Some(only) } else { None });
        let text = single.and_then(|value| {
            let text = value.as_str().filter(|text| !text.contains("..")).map(str::to_owned);
            text.or_else(|| value.as_integer().map(|n| n.to_string()))
        });
        if let Some(text) = text.filter(|_| is_parameter(key) && !parameters.iter().any(|(known, _)| known == key)) {
            parameters.push((key.clone(), text));
        }
    }
}

/// The example that has the most flags in common with what was typed; the first of several.
fn nearest_example(examples: &'static [&'static str], typed: &[String]) -> &'static str {
    let flag = |word: &str| word.starts_with("--").then(|| word.split('=').next().unwrap_or_default().to_owned());
    let typed: Vec<String> = typed.iter().filter_map(|word| flag(word)).collect();
    let common = |example: &&str| example.split(' ').filter_map(flag).filter(|flag| typed.contains(flag)).count();
    examples.iter().copied().rev().max_by_key(common).unwrap_or_default()
}

/// `--key value` and `--key=value` as pairs.
fn pairs<'a>(mut words: impl Iterator<Item = &'a String>, example: &str) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    while let Some(word) = words.next() {
        let key =
            word.strip_prefix("--").ok_or_else(|| Failure::wrong(format!("'{word}' is no parameter; write for instance: {example}")))?;
        let (key, value) = match key.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (key, words.next().map(String::as_str)),
        };
        let value = value.ok_or_else(|| Failure::wrong(format!("--{key} has no value; write for instance: {example}")))?;
        if pairs.iter().any(|(known, _)| known == key) {
            return Err(Failure::wrong(format!("--{key} stands twice; keep one of them")));
        }
        pairs.push((key.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}

fn text(family: &dyn Family, explanation: &Explanation) -> String {
    let mut lines = vec![format!("{}: {}", family.id(), parameters(&explanation.parameters))];
    if let Some(outcome) = &explanation.outcome {
        lines.push(format!("outcome {outcome} by the reference"));
    }
    if let Some(value) = &explanation.value {
        lines.push(format!("value {value} by the reference"));
    }
    let (moves, winning) = (grouped(explanation.moves), &explanation.winning_moves);
    lines.push(match winning.len() {
        0 if explanation.moves == 0 => "there is no move".to_owned(),
        // Where a value is played for and no outcome, moves are optimal or not.
        count if explanation.outcome.is_none() => format!("{}; optimal: {count}", several(explanation.moves, "move")),
        0 => format!("{moves} moves, none of them wins: every one leads to a position that the next player wins"),
        count => format!("{moves} moves; positions that a winning move leads to: {count}"),
    });
    for found in winning.iter().take(SHOWN) {
        lines.push(format!("  {}: {}", found.text, parameters(&found.to)));
    }
    if winning.len() > SHOWN {
        lines.push(format!("  and {} more (--json has them all)", winning.len() - SHOWN));
    }
    if !explanation.options.is_empty() {
        let what = if explanation.value.is_some() { "values" } else { "outcomes" };
        lines.push(format!("\nthe options and their {what}"));
        let width = explanation.options.iter().map(|option| option.option.text.chars().count()).max().unwrap_or(0);
        let each = explanation.options.iter().map(|option| format!("  {:<width$}  {}", option.option.text, option.value));
        lines.extend(cut(each.collect()));
    }
    if !explanation.facts.is_empty() {
        lines.push(String::new());
        let width = explanation.facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        lines.extend(explanation.facts.iter().map(|(name, value)| format!("  {name:<width$}  {value}")));
    }
    if let Some(figure) = &explanation.figure {
        lines.push(String::new());
        lines.extend(figure_lines(figure, style()));
    }
    if explanation.claims.is_empty() {
        lines.push("\nno claim speaks about such positions".to_owned());
    }
    for verdict in [Check::Refuted, Check::Undefined, Check::Held, Check::Vacuous, Check::Silent] {
        for view in explanation.claims.iter().filter(|view| view.verdict == verdict) {
            let claim = &view.claim;
            lines.push(format!("\n{:<8} {}", verdict.word(), claim.id));
            lines.push(match (&view.predicted, verdict) {
                (Some(predicted), _) => format!("         predicts {predicted}, where: {}", claim.hypothesis),
                (None, Check::Silent) => format!("         does not apply; it speaks where: {}", claim.hypothesis),
                (None, Check::Vacuous) => format!("         has nothing to compare here; it speaks where: {}", claim.hypothesis),
                (None, _) => format!("         says {}, where: {}", claim.statement, claim.hypothesis),
            });
            let width = view.subexpressions.iter().map(|part| part.expression.chars().count()).max().unwrap_or(0);
            lines.extend(view.subexpressions.iter().map(|part| format!("           {:<width$}  {}", part.expression, part.value)));
        }
    }
    lines.join("\n") + "\n"
}

fn to_json(explanation: &Explanation) -> Value {
    let claims: Vec<Value> = explanation
        .claims
        .iter()
        .map(|view| {
            let mut claim = json!({ "id": view.claim.id, "predicted": view.predicted, "verdict": view.verdict });
            if !view.subexpressions.is_empty() {
                claim["subexpressions"] = json!(view.subexpressions);
            }
            claim
        })
        .collect();
    let facts: serde_json::Map<String, Value> = explanation.facts.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let variables: serde_json::Map<String, Value> =
        explanation.variables.iter().map(|variable| (variable.name.clone(), variable.value.clone())).collect();
    json!({
        "parameters": explanation.parameters,
        "outcome": explanation.outcome,
        "value": explanation.value,
        "moves": explanation.moves.to_string(),
        "winning_moves": explanation.winning_moves,
        "options": explanation.options,
        "facts": facts,
        "variables": variables,
        "figure": explanation.figure,
        "claims": claims,
    })
}
