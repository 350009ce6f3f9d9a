//! The report as LaTeX that goes into a paper as it is: it needs no package, and pdfTeX has every character of it.

use std::fmt::Write as _;

use refute_shared::text::{grouped, plain_whole, several};

use super::model::{ClaimReport, Report, Verdict};
use super::text::{coverage_lines, parameters};

/// Counterexamples shown per claim.
const SHOWN: usize = 3;

/// The report as LaTeX: what was checked, a table of the verdicts, then claim by claim what it says and its smallest counterexamples.
#[must_use]
pub fn latex(report: &Report) -> String {
    let (head, counts) = (&report.sweep, &report.configurations);
    let mut out = format!("% {}, made by refute.\n", plain_whole(&head.id));
    // Writing to a String cannot fail, so the results of `write!` are let go throughout.
    let _ = writeln!(out, "\\paragraph{{{}: {}.}}", escaped(&head.name), escaped(&report.state));
    if let Some(reason) = &report.reason {
        let _ = writeln!(out, "{}.", escaped(reason));
    }
    let _ = writeln!(
        out,
        "Solved with the family {}, solver version {}: {} of {} configurations.",
        typed(&head.family),
        head.solver_version,
        grouped(counts.decided),
        grouped(counts.total)
    );
    if let Some(fingerprint) = &report.fingerprint {
        let _ = writeln!(out, "The fingerprint is {}.", typed(fingerprint));
    }
    write_list(&mut out, head.boxes.iter().map(|text| escaped(text)));
    let verdicts = [Verdict::Refuted, Verdict::Incomplete, Verdict::Held, Verdict::Silent];
    let ordered: Vec<&ClaimReport> =
        verdicts.iter().flat_map(|verdict| report.claims.iter().filter(|claim| claim.verdict == *verdict)).collect();
    if !ordered.is_empty() {
        out += "\n\\begin{description}\n";
        ordered.iter().for_each(|claim| write_claim(&mut out, claim));
        out += "\\end{description}\n";
    }
    if !report.coverage.is_empty() {
        out += "\n\\noindent Coverage by the claims that were not refuted:\n";
        write_list(&mut out, coverage_lines(report).iter().map(|line| escaped(line.trim())));
    }
    if !report.groups.is_empty() {
        out += "\n\\noindent Counts:\n";
        let counted = |group: &super::model::GroupReport| {
            format!("{}, {}: {}", escaped(&group.box_text), escaped(&group.label), grouped(group.count))
        };
        write_list(&mut out, report.groups.iter().map(counted));
    }
    out
}

fn write_claim(out: &mut String, claim: &ClaimReport) {
    let _ = writeln!(out, "\\item[{}] {} \\emph{{({})}}.", typed(&claim.id), escaped(&claim.source), claim.verdict.word());
    let _ = writeln!(out, "Where: {}.\nIt says: {}.", escaped(&claim.hypothesis), escaped(&claim.statement));
    let counts = [
        (claim.held, "right on"),
        (claim.refuted, "wrong on"),
        (claim.vacuous, "vacuous on"),
        (claim.undefined, "not defined on"),
        (claim.silent, "silent on"),
    ];
    let counts: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{words} {}", grouped(count))).collect();
    let _ = writeln!(out, "Of {}: {}.", several(claim.decided(), "configuration"), counts.join(", "));
    let found = claim.counterexamples.iter().take(SHOWN).map(|found| {
        let why = found.witness.as_ref().or(found.reason.as_ref()).map(|why| format!("; {}", escaped(why))).unwrap_or_default();
        format!(
            "{}: predicted {}, actual {}{why}",
            escaped(&parameters(&found.parameters)),
            escaped(&found.predicted),
            escaped(&found.actual)
        )
    });
    write_list(out, found);
    let kept = claim.counterexamples.len();
    if kept > SHOWN {
        let _ = writeln!(out, "And {} more are kept.", grouped((kept - SHOWN) as u128));
    }
}

fn write_list(out: &mut String, items: impl Iterator<Item = String>) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    *out += "\\begin{itemize}\n";
    for item in items {
        let _ = writeln!(out, "  \\item {item}");
    }
    *out += "\\end{itemize}\n";
}

/// Text in the typewriter face, which may break behind a slash.
fn typed(text: &str) -> String {
    format!("\\texttt{{{}}}", escaped(text).replace('/', "/\\allowbreak{}"))
}

/// Text on one line as TeX sets it. A character that pdfTeX lacks stands as its number.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for character in plain_whole(text).chars() {
        match character {
            '\\' => out += "\\textbackslash{}",
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', character]),
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\(<\\)",
            '>' => out += "\\(>\\)",
            '|' => out += "\\(|\\)",
            // Two of these in a row would become a dash.
            '-' => out += "-{}",
            '\u{a0}'..='\u{17f}' | '\u{20}'..='\u{7e}' => out.push(character),
            other => match symbol(other) {
                Some(symbol) => {
                    let _ = write!(out, "\\({symbol}\\)");
                }
                None => {
                    let _ = write!(out, "[U+{:04X}]", u32::from(other));
                }
            },
        }
    }
    // A hyphen within a word needs no guard.
    out.replace("-{}", "-").replace("--", "-{}-")
}

/// The command for a character of mathematics.
fn symbol(character: char) -> Option<&'static str> {
    Some(match character {
        '≤' => "\\leq",
        '≥' => "\\geq",
        '≠' => "\\neq",
        '×' => "\\times",
        '·' => "\\cdot",
        '…' => "\\ldots",
        '∞' => "\\infty",
        '⊕' => "\\oplus",
        '∈' => "\\in",
        '⇒' => "\\Rightarrow",
        '⇔' => "\\Leftrightarrow",
        '→' => "\\to",
        '↑' => "\\uparrow",
        '↓' => "\\downarrow",
        'κ' => "\\kappa",
        'τ' => "\\tau",
        '∥' => "\\parallel",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tex_takes_for_its_own_is_escaped() {
        assert_eq!(
            escaped("a_b & 100 % {1|*} ^x ~ #1 $ \\"),
            "a\\_b \\& 100 \\% \\{1\\(|\\)*\\} \\textasciicircum{}x \\textasciitilde{} \\#1 \\$ \\textbackslash{}"
        );
        assert_eq!(escaped("x--y, well-known, é ≤ 中"), "x-{}-y, well-known, é \\(\\leq\\) [U+4E2D]");
        assert_eq!(typed("four-edges/thm-4.6"), "\\texttt{four-edges/\\allowbreak{}thm-4.6}");
    }
}
