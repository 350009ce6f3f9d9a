//! `refute counterexamples`: the counterexamples of a sweep, smallest first.

use clap::Args;
use refute_connect::number::{NumberError, parse_number};
use refute_shared::text::{grouped, known};
use serde_json::{Value, json};

use crate::report::{ClaimReport, Report, counterexample_lines};

use super::connection::Origin;
use super::exit::{Failure, Output};

/// The counterexamples of a sweep, smallest first, each with its witness
#[derive(Args, Debug)]
#[command(after_help = "Example: refute counterexamples four-edges-0a1b2c3d4e5f --claim four-edges/lemma-4.9.iii-printed --limit 5")]
pub struct Counterexamples {
    /// The sweep's id
    id: String,
    /// Only those to this claim
    #[arg(long, value_name = "CLAIM")]
    claim: Option<String>,
    /// At most this many per claim
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_limit, allow_negative_numbers = true)]
    limit: usize,
    /// One JSON list
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    origin: Origin,
}

fn parse_limit(text: &str) -> Result<usize, NumberError> {
    parse_number(text, 0..=usize::MAX, "number of counterexamples", "a whole number, such as 20")
}

impl Counterexamples {
    pub fn run(&self) -> Result<Output, Failure> {
        let report = self.origin.read(async |client| client.report(&self.id).await, |data| data.report(&self.id))?;
        let claims = self.claims(&report)?;
        if self.json {
            let list: Value = claims.iter().flat_map(|claim| self.to_json(claim)).collect();
            return Ok(Output::line(list));
        }
        let texts: Vec<String> = claims.iter().filter(|claim| claim.refuted > 0).map(|claim| self.text(claim)).collect();
        Ok(match texts.is_empty() {
            true if report.is_complete() => Output::line("no counterexamples"),
            // What is not decided yet is never said to be without.
            true => Output::line(format!("no counterexamples so far; the sweep is {}", report.state)),
            false => Output::records(texts.join("\n")),
        })
    }

    fn claims<'a>(&self, report: &'a Report) -> Result<Vec<&'a ClaimReport>, Failure> {
        let Some(id) = &self.claim else { return Ok(report.claims.iter().collect()) };
        let unknown = || {
            let hint = known(id, report.claims.iter().map(|claim| claim.id.as_str()));
            Failure::wrong(format!("--claim: sweep '{}' has no claim '{id}'; {hint}", report.sweep.id))
        };
        Ok(vec![report.claims.iter().find(|claim| claim.id == *id).ok_or_else(unknown)?])
    }

    fn text(&self, claim: &ClaimReport) -> String {
        let (refuted, kept) = (grouped(claim.refuted), claim.counterexamples.len());
        let shown = kept.min(self.limit);
        let mut lines = vec![format!("{}: wrong on {refuted} configurations, the smallest {shown}:", claim.id)];
        let found = claim.counterexamples.iter().take(shown).flat_map(counterexample_lines);
        lines.extend(found.map(|line| format!("  {line}")));
        if kept > shown {
            lines.push(format!("  and {} more kept (--limit)", grouped((kept - shown) as u128)));
        }
        lines.join("\n") + "\n"
    }

    fn to_json<'a>(&self, claim: &'a ClaimReport) -> impl Iterator<Item = Value> + use<'a> {
        claim.counterexamples.iter().take(self.limit).map(|found| {
            let mut value = json!(found);
            if let Some(object) = value.as_object_mut() {
                object.insert("claim".into(), json!(claim.id));
            }
            value
        })
    }
}
