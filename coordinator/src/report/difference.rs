//! Two reports beside each other: what agrees, which verdicts changed, and which counts differ.

use std::fmt::Write as _;

use refute_shared::text::{grouped, several};
use serde::Serialize;

use super::layout::fitted;
use super::model::{ClaimReport, Report, Verdict};
use super::text::parameters;

/// What two reports say of the same things in different ways. In each pair the first report comes first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The ids of the sweeps.
    pub sweeps: [String; 2],
    /// Whether the reports agree on all that is compared here.
    pub same: bool,
    /// The parts of the head that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub head: Vec<Pair>,
    /// The claims that only one of them has.
    pub only: [Vec<String>; 2],
    /// How many claims both have and agree on.
    pub agreed: usize,
    /// The claims that both have and do not agree on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimDifference>,
    /// The counts besides claims that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Pair>,
}

/// Something with a value in each report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// What it is.
    pub what: String,
    /// Its values, none in a report that does not have it.
    pub values: [Option<String>; 2],
}

/// A claim on which two reports do not agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimDifference {
    /// The claim.
    pub id: String,
    /// What it came to.
    pub verdicts: [Verdict; 2],
    /// The texts and counts that differ.
    pub parts: Vec<Pair>,
}

/// Holds two reports against each other. How long they took, on how many hosts, and which workers agreed is not compared; nor is how
/// many counterexamples are kept, beyond the smallest one.
#[must_use]
pub fn difference(first: &Report, second: &Report) -> Difference {
    let reports = [first, second];
    let head = head(reports);
    let lacks = |of: &Report, id: &str| !of.claims.iter().any(|claim| claim.id == id);
    let only = [(first, second), (second, first)].map(|(has, other)| {
        let only = has.claims.iter().filter(|claim| lacks(other, &claim.id));
        only.map(|claim| claim.id.clone()).collect::<Vec<_>>()
    });
    let (mut agreed, mut claims) = (0, Vec::new());
    for one in &first.claims {
        let Some(other) = second.claims.iter().find(|claim| claim.id == one.id) else { continue };
        let parts = parts([one, other]);
        match parts.is_empty() && one.verdict == other.verdict {
            true => agreed += 1,
            false => claims.push(ClaimDifference { id: one.id.clone(), verdicts: [one.verdict, other.verdict], parts }),
        }
    }
    let counts = counts(reports);
    let same = head.is_empty() && only.iter().all(Vec::is_empty) && claims.is_empty() && counts.is_empty();
    Difference { sweeps: reports.map(|report| report.sweep.id.clone()), same, head, only, agreed, claims, counts }
}

/// The pairs whose values differ.
fn differing(pairs: impl IntoIterator<Item = (&'static str, [Option<String>; 2])>) -> Vec<Pair> {
    let pairs = pairs.into_iter().filter(|(_, [first, second])| first != second);
    pairs.map(|(what, values)| Pair { what: what.to_owned(), values }).collect()
}

fn head(reports: [&Report; 2]) -> Vec<Pair> {
    let of = |read: fn(&Report) -> String| reports.map(|report| Some(read(report)));
    differing([
        ("family", of(|report| report.sweep.family.clone())),
        ("solver version", of(|report| report.sweep.solver_version.to_string())),
        ("boxes", of(|report| report.sweep.boxes.join("; "))),
        ("state", of(|report| report.state.clone())),
        ("configurations", of(|report| grouped(report.configurations.total))),
        ("configurations decided", of(|report| grouped(report.configurations.decided))),
        ("fingerprint", reports.map(|report| report.fingerprint.clone())),
    ])
}

/// The texts and counts of a claim that differ.
fn parts(claims: [&ClaimReport; 2]) -> Vec<Pair> {
    let of = |read: fn(&ClaimReport) -> String| claims.map(|claim| Some(read(claim)));
    let smallest = claims.map(|claim| claim.counterexamples.first().map(|found| parameters(&found.parameters)));
    differing([
        ("where", of(|claim| claim.hypothesis.clone())),
        ("says", of(|claim| claim.statement.clone())),
        ("right", of(|claim| grouped(claim.held))),
        ("vacuous", of(|claim| grouped(claim.vacuous))),
        ("not defined", of(|claim| grouped(claim.undefined))),
        ("wrong", of(|claim| grouped(claim.refuted))),
        ("silent", of(|claim| grouped(claim.silent))),
        ("smallest counterexample", smallest),
    ])
}

/// The counts besides claims that differ.
fn counts(reports: [&Report; 2]) -> Vec<Pair> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for group in reports.iter().flat_map(|report| &report.groups) {
        let name = (group.box_text.as_str(), group.label.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let value = |report: &Report, (box_text, label): (&str, &str)| {
        let found = report.groups.iter().find(|group| group.box_text == box_text && group.label == label);
        found.map(|group| grouped(group.count))
    };
    let pairs =
        names.into_iter().map(|name| Pair { what: format!("{}: {}", name.0, name.1), values: reports.map(|report| value(report, name)) });
    pairs.filter(|pair| pair.values[0] != pair.values[1]).collect()
}

/// The difference for people, in so many columns.
#[must_use]
pub fn difference_text(difference: &Difference, columns: usize) -> String {
    let Difference { sweeps: [first, second], same, head, only, agreed, claims, counts } = difference;
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `write!` are let go throughout.
    let _ = match same {
        true => writeln!(out, "{first} and {second} agree"),
        false => writeln!(out, "{first} and {second} differ"),
    };
    write_pairs(&mut out, "  ", head);
    let _ = writeln!(out, "  {} alike", several(*agreed as u128, "claim"));
    for (id, only) in [first, second].into_iter().zip(only).filter(|(_, only)| !only.is_empty()) {
        let _ = writeln!(out, "  only in {id}: {}", only.join(", "));
    }
    for ClaimDifference { id, verdicts: [one, other], parts } in claims {
        let verdicts = if one == other { format!("{} in both", one.word()) } else { format!("{}, then {}", one.word(), other.word()) };
        let _ = writeln!(out, "\n{id}: {verdicts}");
        write_pairs(&mut out, "  ", parts);
    }
    if !counts.is_empty() {
        out += "\nCounts\n";
        write_pairs(&mut out, "  ", counts);
    }
    fitted(&out, columns)
}

fn write_pairs(out: &mut String, indent: &str, pairs: &[Pair]) {
    for Pair { what, values } in pairs {
        let [first, second] = values.each_ref().map(|value| value.as_deref().unwrap_or("none"));
        let _ = writeln!(out, "{indent}{what}: {first}, then {second}");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claim(id: &str, held: u32, refuted: u32, verdict: &str, weights: &[u32]) -> serde_json::Value {
        let found = json!({ "parameters": { "weights": weights }, "predicted": "N", "actual": "P", "confirmed": true, "witness": null, "reason": null });
        let found = if refuted > 0 { json!([found]) } else { json!([]) };
        json!({ "id": id, "source": "s", "kind": "lemma", "hypothesis": "h", "statement": "P", "held": held.to_string(),
            "refuted": refuted.to_string(), "silent": "0", "verdict": verdict, "counterexamples": found })
    }

    fn report(id: &str, fingerprint: &str, claims: Vec<serde_json::Value>) -> Report {
        let json = json!({
            "format_version": 2,
            "sweep": { "id": id, "name": "h1", "family": "graph-nim", "space": [], "boxes": ["H1, weights 0..=6"], "solver_version": 2 },
            "state": "complete",
            "configurations": { "total": "2401", "decided": "2401" },
            "fingerprint": fingerprint,
            "seconds": id.len() as f64,
            "claims": claims,
            "groups": [{ "box": "b", "label": "l", "count": if fingerprint == "aa" { "1" } else { "1000" } }],
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_report_agrees_with_itself_however_long_it_took() {
        let claims = || vec![claim("a", 2, 0, "held", &[]), claim("b", 1, 1, "refuted", &[1, 2])];
        let found = difference(&report("one", "aa", claims()), &report("other", "aa", claims()));
        assert!(found.same && found.agreed == 2, "{found:?}");
        assert_eq!(difference_text(&found, 80), "one and other agree\n  2 claims alike\n");
    }

    #[test]
    fn what_differs_is_named_with_both_values() {
        let first =
            report("one", "aa", vec![claim("a", 2, 0, "held", &[]), claim("b", 1, 1, "refuted", &[1, 2]), claim("c", 2, 0, "held", &[])]);
        let second =
            report("other", "bb", vec![claim("a", 2, 0, "held", &[]), claim("b", 2, 0, "held", &[]), claim("d", 2, 0, "held", &[])]);
        let found = difference(&first, &second);
        assert!(!found.same);
        let expected = "one and other differ
  fingerprint: aa, then bb
  1 claim alike
  only in one: c
  only in other: d

b: refuted, then held
  right: 1, then 2
  wrong: 1, then 0
  smallest counterexample: weights 1 2, then none

Counts
  b: l: 1, then 1,000
";
        assert_eq!(difference_text(&found, 80), expected);
        assert_eq!(serde_json::to_value(&found).unwrap()["claims"][0]["verdicts"], json!(["refuted", "held"]));
    }
}
