//! The report as text for people.

use std::fmt::Write as _;

use refute_shared::families::Counterexample;
use refute_shared::text::{duration, grouped, several};
use serde_json::Value;

use super::figure::figure_lines;
use super::layout::{Style, cut, fitted};
use super::model::{ClaimReport, CoverageReport, Report, Share, Verdict};

/// Counterexamples shown a claim in the whole report.
const SHOWN: usize = 3;
/// Counterexamples shown where a report is about one claim.
const SHOWN_ALONE: usize = 20;
/// Where the text of a claim begins.
const INDENT: &str = "            ";

/// The whole report for people: the sweep, claim by claim with the refuted ones first, what the claims decide together, counts
/// and figures. It fits into the columns of the style.
#[must_use]
pub fn text(report: &Report, style: Style) -> String {
    let mut out = head(report);
    let order = [Verdict::Refuted, Verdict::Incomplete, Verdict::Held, Verdict::Silent];
    for verdict in order {
        for claim in report.claims.iter().filter(|claim| claim.verdict == verdict) {
            out.push('\n');
            write_claim(&mut out, claim, SHOWN, Some(&report.sweep.id));
        }
    }
    let mut section = |lines: Vec<String>| {
        if !lines.is_empty() {
            out += &format!("\n{}\n", lines.join("\n"));
        }
    };
    section(coverage_section(report, style.columns));
    section(group_section(report));
    for figure in &report.figures {
        section(figure_lines(figure, style));
    }
    fitted(&out, style.columns)
}

/// The report on one claim, with more of its counterexamples.
#[must_use]
pub fn claim_text(report: &Report, claim: &ClaimReport, style: Style) -> String {
    let mut out = head(report);
    out.push('\n');
    write_claim(&mut out, claim, SHOWN_ALONE, None);
    fitted(&out, style.columns)
}

/// By how many workers each shard is solved, and on how many hosts, unless it is one on one.
#[must_use]
pub fn who(replicas: u32, hosts: u64) -> Option<String> {
    let hosts_text = several(hosts.into(), "host");
    match (replicas, hosts) {
        (..=1, ..=1) => None,
        (..=1, _) => Some(format!("results from {hosts_text}")),
        (_, 0) => Some(format!("replicas = {replicas}: {replicas} workers must come to the same result")),
        _ => Some(format!("replicas = {replicas}: {replicas} workers must come to the same result; results from {hosts_text}")),
    }
}

// Writing to a String cannot fail, so the results of `write!` are let go throughout.

fn head(report: &Report) -> String {
    let mut out = String::new();
    let head = &report.sweep;
    let _ = writeln!(out, "{}: {}", head.id, report.state);
    if let Some(reason) = &report.reason {
        let _ = writeln!(out, "  {reason}");
    }
    let _ = writeln!(out, "  {}, solver version {}", head.family, head.solver_version);
    for line in cut(head.boxes.iter().map(|text| format!("  box: {text}")).collect()) {
        let _ = writeln!(out, "{line}");
    }
    if let Some(who) = who(head.replicas, head.hosts) {
        let _ = writeln!(out, "  {who}");
    }
    let counts = &report.configurations;
    let share = if counts.decided == counts.total { "all" } else { "not all" };
    let _ = writeln!(
        out,
        "  {} of {} configurations decided ({share}), {}",
        grouped(counts.decided),
        grouped(counts.total),
        duration(report.seconds)
    );
    if let Some(fingerprint) = &report.fingerprint {
        let _ = writeln!(out, "  fingerprint {fingerprint}");
    }
    let verdicts = [Verdict::Refuted, Verdict::Incomplete, Verdict::Held, Verdict::Silent];
    let counted = verdicts.map(|verdict| (report.count(verdict), verdict)).into_iter().filter(|(count, _)| *count > 0);
    let counted: Vec<String> = counted.map(|(count, verdict)| format!("{count} {}", verdict.word())).collect();
    let _ = match report.claims.len() {
        0 => writeln!(out, "  no claims: none was named and none can speak about this space"),
        count => writeln!(out, "  {}: {}", several(count as u128, "claim"), counted.join(", ")),
    };
    out
}

fn write_claim(out: &mut String, claim: &ClaimReport, shown: usize, id: Option<&str>) {
    let _ = writeln!(out, "{:<11} {}", claim.verdict.word().to_uppercase(), claim.id);
    let _ = writeln!(out, "{INDENT}{} ({})", claim.source, claim.kind);
    let _ = writeln!(out, "{INDENT}where:   {}", claim.hypothesis);
    let _ = writeln!(out, "{INDENT}says:    {}", claim.statement);
    let spoke = claim.held + claim.refuted;
    if spoke == 0 {
        let rest = apart(claim);
        let _ = writeln!(out, "{INDENT}spoke on none of the {} configurations decided{rest}", grouped(claim.decided()));
        return;
    }
    let _ = writeln!(
        out,
        "{INDENT}spoke on {}: right on {}, wrong on {}{}",
        several(spoke, claim.stated.as_ref().and_then(|stated| stated.per.as_deref()).unwrap_or("configuration")),
        grouped(claim.held),
        grouped(claim.refuted),
        apart(claim)
    );
    for line in claim.counterexamples.iter().take(shown).flat_map(counterexample_lines) {
        let _ = writeln!(out, "{INDENT}  {line}");
    }
    let kept = claim.counterexamples.len();
    if kept > shown {
        let more = grouped((kept - shown) as u128);
        let _ = match id {
            Some(id) => writeln!(out, "{INDENT}  and {more} more kept: refute report {id} --claim {}", claim.id),
            None => writeln!(out, "{INDENT}  and {more} more kept: --format json has them all"),
        };
    }
    for found in claim.undefined_at.iter().take(shown) {
        let _ = writeln!(out, "{INDENT}  not defined at {}: {}", parameters(&found.parameters), found.actual);
    }
    if claim.verdict == Verdict::Incomplete && claim.refuted > 0 {
        let _ = writeln!(out, "{INDENT}no counterexample is small enough for the reference to confirm, so this is not called refuted");
    }
}

/// On how many configurations a claim is true because it has nothing to compare, and on how many it is not defined.
fn apart(claim: &ClaimReport) -> String {
    let counts = [(claim.vacuous, "vacuous on"), (claim.undefined, "not defined on")].into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, words)| format!("; {words} {}", grouped(count))).collect()
}

/// A counterexample on a few lines, the first with its parameters.
#[must_use]
pub fn counterexample_lines(found: &Counterexample) -> Vec<String> {
    let mut lines = vec![format!("{}: predicted {}, actual {}", parameters(&found.parameters), found.predicted, found.actual)];
    let width = found.subexpressions.iter().map(|part| part.expression.chars().count()).max().unwrap_or(0);
    lines.extend(found.subexpressions.iter().map(|part| format!("  {:<width$}  {}", part.expression, part.value)));
    lines.extend(found.witness.as_ref().map(|witness| format!("  {witness}")));
    lines.extend(found.reason.as_ref().map(|reason| format!("  not confirmed: {reason}")));
    lines
}

/// Parameters on one line: `graph H1, weights 5 1 6 11`.
#[must_use]
pub fn parameters(value: &Value) -> String {
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let entry = |(key, value): (&String, &Value)| match value {
        Value::Array(items) => format!("{key} {}", items.iter().map(plain).collect::<Vec<_>>().join(" ")),
        other => format!("{key} {}", plain(other)),
    };
    match value {
        Value::Object(map) => map.iter().map(entry).collect::<Vec<_>>().join(", "),
        other => plain(other),
    }
}

fn coverage_section(report: &Report, columns: usize) -> Vec<String> {
    if report.coverage.is_empty() {
        return Vec::new();
    }
    let title = "What the claims decide together, those refuted here left out".to_owned();
    let mut lines = coverage_lines(report);
    if lines.iter().any(|line| line.chars().count() > columns) {
        // Too wide for a table: what is decided of a box stands below it.
        lines = report.coverage.iter().map(|coverage| format!("  {}\n    {}", coverage.box_text, shares(coverage))).collect();
    }
    [title].into_iter().chain(cut(lines)).collect()
}

/// How much of each box the claims decide, a line a box.
pub fn coverage_lines(report: &Report) -> Vec<String> {
    let width = report.coverage.iter().map(|coverage| coverage.box_text.chars().count()).max().unwrap_or(0);
    report.coverage.iter().map(|coverage| format!("  {:<width$}  {}", coverage.box_text, shares(coverage))).collect()
}

fn shares(coverage: &CoverageReport) -> String {
    format!("{}; {}", share("P", coverage.p), share("N", coverage.n))
}

/// What the family counts apart from its claims, box by box.
fn group_section(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for of_box in report.groups.chunk_by(|group, next| group.box_text == next.box_text) {
        lines.push(format!("Counts in {}", of_box[0].box_text));
        lines.extend(cut(of_box.iter().map(|group| format!("  {}: {}", group.label, grouped(group.count))).collect()));
    }
    lines
}

fn share(outcome: &str, share: Share) -> String {
    let Share { predicted, total } = share;
    if total == 0 {
        return format!("no {outcome}-positions");
    }
    // Rounded down, so that 100 % means all of them.
    let permille = predicted * 1000 / total;
    format!("{} of {} {outcome}-positions ({}.{} %)", grouped(predicted), grouped(total), permille / 10, permille % 10)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A report with something of everything: long words and sentences, a table that is too long, and a figure.
    fn report() -> Report {
        let claim = |id: &str, verdict: &str, refuted: &str, counterexamples: Value| {
            json!({
                "id": id,
                "source": "Lemma 4.9 (iii), as printed, section 4.2, arXiv 2509.05064",
                "kind": "lemma",
                "hypothesis": "H1, k = EF at least 1, AB, BC, CD at least 0, k in {l1,l2}, and min(l1,l2) > 0 or BC = 0; AB = M m1 + l1",
                "statement": "N",
                "held": "493",
                "refuted": refuted,
                "silent": "1890",
                "verdict": verdict,
                "counterexamples": counterexamples,
            })
        };
        let found = json!([{
            "parameters": { "graph": "H1", "weights": [0, 0, 1, 1] },
            "predicted": "N",
            "actual": "P",
            "confirmed": true,
            "witness": "each of the 4 moves is answered: all of them lead to N-positions",
        }]);
        let group = |number: u32| json!({ "box": "H1, weights 0..=6", "label": format!("P-positions with EF = {number}"), "count": "1" });
        let report = json!({
            "format_version": 1,
            "sweep": { "id": "h1-0a1b2c3d4e5f", "name": "h1", "family": "graph-nim", "space": [], "boxes": ["H1, weights 0..=6"],
                "solver_version": 2, "replicas": 2, "hosts": 2 },
            "state": "complete",
            "configurations": { "total": "2401", "decided": "2401" },
            "fingerprint": "44b1d09a12a936a6f05d19e1cb09afc2",
            "seconds": 203.4,
            "claims": [claim("four-edges/lemma-4.9.iii-printed", "refuted", "18", found), claim("four-edges/lemma-4.7", "held", "0", json!([]))],
            "coverage": [{ "box": "H1, weights 0..=6", "P": { "predicted": "33", "total": "112" }, "N": { "predicted": "1957", "total": "2289" } }],
            "groups": (0..42).map(group).collect::<Vec<_>>(),
            "figures": [{ "title": "Outcomes, (a,b) = (3,7), a row a truncation level, heaps 0 to 44 from left to right",
                "rows": [{ "label": "tau 1", "letters": "PLNNNRRRR".repeat(5) }, { "label": "tau 10", "letters": "PLLNNNRRP".repeat(5) }] }],
        });
        serde_json::from_value(report).unwrap()
    }

    #[test]
    fn a_report_fits_into_its_columns() {
        for columns in [40, 80] {
            let text = text(&report(), Style { columns, colour: false });
            assert!(text.lines().all(|line| line.chars().count() <= columns), "{text}");
            insta::assert_snapshot!(format!("report_in_{columns}_columns"), text);
        }
    }

    #[test]
    fn no_word_is_lost_where_lines_are_broken() {
        let words = |columns: usize| {
            let style = Style { columns, colour: false };
            let found = Report { figures: Vec::new(), ..report() };
            let text = text(&found, style) + &claim_text(&found, &found.claims[0], style);
            text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let all = words(10_000);
        for columns in 20..200 {
            assert_eq!(words(columns), all, "{columns}");
        }
    }
}
