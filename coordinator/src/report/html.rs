//! The report as one HTML file that needs nothing else: no script, no font, no picture from elsewhere.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use refute_shared::families::{Counterexample, Figure};
use refute_shared::text::{duration, grouped, several};

use super::model::{ClaimReport, Report, Share, Verdict};
use super::text::{parameters, who};

/// The order in which verdicts are shown.
const VERDICTS: [Verdict; 4] = [Verdict::Refuted, Verdict::Incomplete, Verdict::Held, Verdict::Silent];

/// Counterexamples shown per claim; the JSON report and exports have all that are kept.
const SHOWN: usize = 20;

/// The report as an HTML document.
#[must_use]
pub fn html_page(report: &Report) -> String {
    let head = &report.sweep;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (head.id) }
                style { (PreEscaped(include_str!("report.css"))) }
            }
            body {
                main {
                    h1 { (head.name) ": " (report.state) }
                    (summary(report))
                    (table_of_claims(report))
                    @for verdict in VERDICTS {
                        @for claim in report.claims.iter().filter(|claim| claim.verdict == verdict) { (of_claim(claim)) }
                    }
                    (coverage(report))
                    (counts(report))
                    @for figure in &report.figures { (of_figure(figure)) }
                }
            }
        }
    };
    page.into_string()
}

fn summary(report: &Report) -> Markup {
    let (head, counts) = (&report.sweep, &report.configurations);
    let share = if counts.decided == counts.total { "all" } else { "not all" };
    html! {
        @if let Some(reason) = &report.reason { p.reason { (reason) } }
        dl {
            dt { "Sweep" } dd { code { (head.id) } }
            dt { "Family" } dd { (head.family) ", solver version " (head.solver_version) }
            dt { "Boxes" } dd { ul { @for text in &head.boxes { li { (text) } } } }
            dt { "Configurations decided" } dd { (grouped(counts.decided)) " of " (grouped(counts.total)) " (" (share) ")" }
            dt { "Time" } dd { (duration(report.seconds)) }
            @if let Some(who) = who(head.replicas, head.hosts) { dt { "Workers" } dd { (who) } }
            @if let Some(fingerprint) = &report.fingerprint { dt { "Fingerprint" } dd { code { (fingerprint) } } }
            dt { "Claims" }
            dd {
                @if report.claims.is_empty() { "none" }
                ul.verdicts {
                    @for verdict in VERDICTS {
                        @let count = report.count(verdict);
                        @if count > 0 { li { (badge(verdict)) " " (count) } }
                    }
                }
            }
        }
    }
}

fn badge(verdict: Verdict) -> Markup {
    html! { span class=(format!("verdict {}", verdict.word())) { (verdict.word()) } }
}

fn table_of_claims(report: &Report) -> Markup {
    let numbers = |claim: &ClaimReport| [claim.held, claim.vacuous, claim.undefined, claim.refuted, claim.silent].map(grouped);
    html! {
        @if !report.claims.is_empty() {
            h2 { "Claims" }
            div.scroll tabindex="0" role="region" aria-label="Claims" {
                table {
                    thead { tr {
                        th scope="col" { "Verdict" } th scope="col" { "Claim" } th scope="col" { "Source" }
                        @for name in ["Right", "Vacuous", "Not defined", "Wrong", "Silent"] { th.number scope="col" { (name) } }
                    } }
                    tbody {
                        @for verdict in VERDICTS {
                            @for claim in report.claims.iter().filter(|claim| claim.verdict == verdict) {
                                tr {
                                    td { (badge(claim.verdict)) }
                                    td { a href=(format!("#{}", claim.id)) { (claim.id) } }
                                    td { (claim.source) }
                                    @for number in numbers(claim) { td.number { (number) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn of_claim(claim: &ClaimReport) -> Markup {
    let kept = claim.counterexamples.len();
    html! {
        section id=(claim.id) {
            h3 { (badge(claim.verdict)) " " (claim.id) }
            p { (claim.source) " (" (claim.kind) ")" }
            dl {
                dt { "Where" } dd { (claim.hypothesis) }
                dt { "Says" } dd { (claim.statement) }
            }
            @if kept > 0 {
                p { (several(claim.refuted, "counterexample")) @if claim.refuted > SHOWN.min(kept) as u128 { ", the smallest " (SHOWN.min(kept)) } ":" }
                ol { @for found in claim.counterexamples.iter().take(SHOWN) { (of_counterexample(found)) } }
            }
            @if !claim.undefined_at.is_empty() {
                p { "Not defined on " (grouped(claim.undefined)) ", the smallest:" }
                ul { @for found in claim.undefined_at.iter().take(SHOWN) { li { (parameters(&found.parameters)) ": " (found.actual) } } }
            }
        }
    }
}

fn of_counterexample(found: &Counterexample) -> Markup {
    html! {
        li {
            strong { (parameters(&found.parameters)) } ": predicted " (found.predicted) ", actual " (found.actual)
            @if let Some(witness) = &found.witness { br; (witness) }
            @if let Some(reason) = &found.reason { br; "not confirmed: " (reason) }
            @if !found.subexpressions.is_empty() {
                details {
                    summary { "Each part of the claim here" }
                    table { tbody { @for part in &found.subexpressions { tr { td { code { (part.expression) } } td { (part.value) } } } } }
                }
            }
        }
    }
}

fn coverage(report: &Report) -> Markup {
    let share = |share: Share| match share.total {
        0 => "none".to_owned(),
        // Rounded down, so that 100 % means all of them.
        total => format!(
            "{} of {} ({}.{} %)",
            grouped(share.predicted),
            grouped(total),
            share.predicted * 100 / total,
            share.predicted * 1000 / total % 10
        ),
    };
    html! {
        @if !report.coverage.is_empty() {
            h2 { "Coverage by the claims that were not refuted" }
            div.scroll tabindex="0" role="region" aria-label="Coverage" {
                table {
                    thead { tr { th scope="col" { "Box" } th.number scope="col" { "P-positions" } th.number scope="col" { "N-positions" } } }
                    tbody { @for of_box in &report.coverage {
                        tr { td { (of_box.box_text) } td.number { (share(of_box.p)) } td.number { (share(of_box.n)) } }
                    } }
                }
            }
        }
    }
}

fn counts(report: &Report) -> Markup {
    html! {
        @if !report.groups.is_empty() {
            h2 { "Counts" }
            div.scroll tabindex="0" role="region" aria-label="Counts" {
                table {
                    thead { tr { th scope="col" { "Box" } th scope="col" { "What" } th.number scope="col" { "How many" } } }
                    tbody { @for group in &report.groups {
                        tr { td { (group.box_text) } td { (group.label) } td.number { (grouped(group.count)) } }
                    } }
                }
            }
        }
    }
}

fn of_figure(figure: &Figure) -> Markup {
    let class = |letter: char| matches!(letter, 'L' | 'R' | 'N' | 'P').then(|| letter.to_string());
    html! {
        figure {
            figcaption { (figure.title) }
            div.scroll tabindex="0" role="region" aria-label=(figure.title) {
                table.grid { tbody { @for row in &figure.rows {
                    tr { th scope="row" { (row.label) } @for letter in row.letters.chars() { td class=[class(letter)] { (letter) } } }
                } } }
            }
        }
    }
}
