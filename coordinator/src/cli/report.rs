//! `refute report`: the report of a sweep, as text, JSON, Markdown, LaTeX or HTML.

use clap::{Args, ValueEnum};
use refute_shared::text::known;

use crate::report::{Report, claim_text, html_page, latex, markdown, text};

use super::connection::Origin;
use super::exit::{Failure, Output, of_report, style};

/// The report of a sweep, whole or on one claim
#[derive(Args, Debug)]
#[command(after_help = "Example: refute report four-edges-0a1b2c3d4e5f --claim four-edges/thm-4.10.2")]
pub struct ReportCommand {
    /// The sweep's id
    id: String,
    /// Only this claim, with more of its counterexamples
    #[arg(long, value_name = "CLAIM")]
    claim: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Markdown,
    /// LaTeX without any package, for a paper
    Latex,
    /// One HTML file that needs nothing else
    Html,
}

impl ReportCommand {
    pub fn run(&self) -> Result<Output, Failure> {
        let mut report = self.origin.read(async |client| client.report(&self.id).await, |data| data.report(&self.id))?;
        // The exit code is about the sweep, also where one claim is shown.
        let code = of_report(&report);
        if let Some(id) = &self.claim {
            keep_only(&mut report, id)?;
        }
        let format = if self.json { Format::Json } else { self.format };
        let text = match format {
            Format::Json => json(&report)?,
            Format::Markdown => markdown(&report),
            Format::Latex => latex(&report),
            Format::Html => html_page(&report),
            Format::Text if self.claim.is_some() => report.claims.iter().map(|claim| claim_text(&report, claim, style())).collect(),
            Format::Text => text(&report, style()),
        };
        Ok(Output { text, code })
    }
}

fn keep_only(report: &mut Report, id: &str) -> Result<(), Failure> {
    if !report.claims.iter().any(|claim| claim.id == id) {
        let hint = known(id, report.claims.iter().map(|claim| claim.id.as_str()));
        return Err(Failure::wrong(format!("--claim: sweep '{}' has no claim '{id}'; {hint}", report.sweep.id)));
    }
    report.claims.retain(|claim| claim.id == id);
    Ok(())
}

/// The report as one JSON object.
///
/// # Errors
/// [`Failure`] if it has no JSON.
pub fn json(report: &Report) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(report).map_err(Failure::not_done)? + "\n")
}
