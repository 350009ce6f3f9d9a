//! The report as Markdown.

use std::fmt::Write as _;

use refute_shared::text::{grouped, plain_whole};

use super::figure::plain_figure_lines;
use super::model::{ClaimReport, Report};
use super::text::{coverage_lines, parameters};

/// Counterexamples shown a claim.
const SHOWN: usize = 3;

/// The report as Markdown: a table of the claims, then the counterexamples of those that have some.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let head = &report.sweep;
    let counts = &report.configurations;
    let mut out = format!("# {}: {}\n\n", escaped(&head.id), report.state);
    // Writing to a String cannot fail, so the results of `write!` are let go throughout.
    if let Some(reason) = &report.reason {
        let _ = writeln!(out, "{}\n", escaped(reason));
    }
    let _ = writeln!(out, "- family: {}, solver version {}", head.family, head.solver_version);
    for text in &head.boxes {
        let _ = writeln!(out, "- box: {}", escaped(text));
    }
    let _ = writeln!(out, "- configurations decided: {} of {}", grouped(counts.decided), grouped(counts.total));
    if let Some(fingerprint) = &report.fingerprint {
        let _ = writeln!(out, "- fingerprint: `{fingerprint}`");
    }
    out += "\n| verdict | claim | source | where | says | right | vacuous | not defined | wrong |\n| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n";
    for claim in &report.claims {
        let cells = [claim.verdict.word(), &claim.id, &claim.source, &claim.hypothesis, &claim.statement].map(escaped);
        let counts = [claim.held, claim.vacuous, claim.undefined, claim.refuted].map(grouped);
        let _ = writeln!(out, "| {} | {} |", cells.join(" | "), counts.join(" | "));
    }
    for claim in report.claims.iter().filter(|claim| !claim.counterexamples.is_empty()) {
        write_counterexamples(&mut out, claim);
    }
    if !report.coverage.is_empty() {
        out += "\n## What the claims decide together, those refuted here left out\n\n";
        coverage_lines(report).iter().for_each(|line| out += &format!("- {}\n", escaped(line.trim())));
    }
    if !report.groups.is_empty() {
        out += "\n## Counts\n\n| box | what | how many |\n| --- | --- | ---: |\n";
        for group in &report.groups {
            let _ = writeln!(out, "| {} | {} | {} |", escaped(&group.box_text), escaped(&group.label), grouped(group.count));
        }
    }
    for figure in &report.figures {
        let _ = writeln!(out, "\n```\n{}\n```", plain_figure_lines(figure).join("\n"));
    }
    out
}

fn write_counterexamples(out: &mut String, claim: &ClaimReport) {
    let _ = writeln!(out, "\n## Counterexamples to {}\n", claim.id);
    for found in claim.counterexamples.iter().take(SHOWN) {
        let why = found.witness.as_ref().or(found.reason.as_ref()).map(|why| format!(" ({why})")).unwrap_or_default();
        let text = format!("{}: predicted {}, actual {}{why}", parameters(&found.parameters), found.predicted, found.actual);
        let _ = writeln!(out, "- {}", escaped(&text));
    }
    if claim.counterexamples.len() > SHOWN {
        let _ = writeln!(out, "- and {} more kept", grouped((claim.counterexamples.len() - SHOWN) as u128));
    }
}

/// Text on one line with the characters escaped that Markdown takes for its own.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in plain_whole(text).chars() {
        if matches!(character, '|' | '*' | '_' | '<' | '`' | '\\' | '[') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_markdown_takes_for_its_own_is_escaped() {
        assert_eq!(escaped("a|b*c_d<e"), "a\\|b\\*c\\_d\\<e");
        assert_eq!(escaped("a\n# b\u{1b}[2J"), "a\\\\n# b\\\\u{1b}\\[2J");
    }
}
