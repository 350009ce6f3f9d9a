//! Builds the report of a sweep from what is known about it.

use std::collections::BTreeMap;

use refute_shared::families::{Counterexample, Figure};
use refute_shared::sweep::{ClaimTally, CoverageKey, Fingerprint, Group, Sweep, Tally};
use refute_shared::text::{is_unprintable, plain_whole};

use super::model::{
    ClaimReport, Configurations, CoverageReport, FORMAT_VERSION, GroupReport, Kept, Report, Share, StatedText, SweepHead, Verdict,
};

/// What is known about a sweep when its report is asked for.
pub struct Findings<'a, L = Vec<Counterexample>> {
    /// The sweep's id.
    pub id: &'a str,
    /// The version of the family's solver that it is pinned to.
    pub solver_version: u32,
    /// From how many hosts results came; 0 if that was not noted.
    pub hosts: u64,
    /// Its state, one word.
    pub state: &'a str,
    /// Why it is in this state.
    pub reason: Option<String>,
    /// Its tally so far.
    pub tally: &'a Tally,
    /// The kept counterexamples of each claim, smallest first; then for each claim that the manifest states the kept configurations
    /// on which it is not defined.
    pub counterexamples: Vec<L>,
    /// Pictures of the kept positions.
    pub figures: Vec<Figure>,
    /// Time spent running, in seconds.
    pub seconds: f64,
}

/// The report of a sweep. The tally has one entry a claim of the sweep, and the counterexamples have gone through
/// [`fit_counterexample`].
#[must_use]
pub fn build<L: Kept + Default>(sweep: &Sweep, findings: Findings<'_, L>) -> Report<L> {
    let Findings { id, solver_version, hosts, state, mut reason, tally, mut counterexamples, mut figures, seconds } = findings;
    reason.iter_mut().for_each(fit);
    figures.iter_mut().flat_map(|figure| &mut figure.rows).flat_map(|row| [&mut row.label, &mut row.letters]).for_each(fit);
    let mut undefined = counterexamples.split_off(sweep.claims.len().min(counterexamples.len())).into_iter();
    let total = sweep.configurations();
    // The state says that every shard was counted; the sum in closed form says it again, independently.
    let complete = state == "complete" && tally.decided == total;
    let claims: Vec<ClaimReport<L>> = sweep
        .claims
        .iter()
        .zip(counterexamples)
        .enumerate()
        .map(|(index, (claim, counterexamples))| {
            let counts = tally.claims[index];
            ClaimReport {
                id: claim.id.clone().into_owned(),
                source: claim.source.line(),
                kind: claim.kind.word().to_owned(),
                hypothesis: claim.hypothesis.clone().into_owned(),
                statement: claim.statement.clone().into_owned(),
                held: counts.held,
                vacuous: counts.vacuous,
                undefined: counts.undefined,
                refuted: counts.refuted,
                silent: tally.silent(index),
                verdict: verdict(complete, &counts, &counterexamples),
                counterexamples,
                undefined_at: undefined.next().unwrap_or_default(),
                stated: claim.stated.as_deref().map(StatedText::of),
            }
        })
        .collect();
    let fingerprint = complete.then(|| Fingerprint::of(tally, &sweep.claim_ids()).to_string());
    Report {
        format_version: FORMAT_VERSION,
        sweep: SweepHead {
            id: id.to_owned(),
            name: sweep.manifest.name.clone(),
            family: sweep.family.id().to_owned(),
            space: sweep.space.to_json(),
            boxes: (0..sweep.space.boxes()).map(|index| sweep.space.describe(index)).collect(),
            solver_version,
            replicas: sweep.options().replicas,
            hosts,
        },
        state: if state == "complete" && !complete { "incomplete".to_owned() } else { state.to_owned() },
        reason,
        configurations: Configurations { total, decided: tally.decided },
        fingerprint,
        seconds,
        coverage: coverage(sweep, tally, &claims),
        groups: groups(sweep, tally),
        figures,
        claims,
    }
}

/// Puts a text on one line without commands to a terminal. What a worker hands in may have any, and renderers write it as it is.
fn fit(text: &mut String) {
    if text.contains(is_unprintable) {
        *text = plain_whole(text);
    }
}

/// Puts the texts of a counterexample on one line each.
pub fn fit_counterexample(found: &mut Counterexample) {
    let Counterexample { predicted, actual, witness, reason, subexpressions, .. } = found;
    [predicted, actual].into_iter().chain(witness).chain(reason).for_each(fit);
    subexpressions.iter_mut().for_each(|part| fit(&mut part.value));
}

fn groups(sweep: &Sweep, tally: &Tally) -> Vec<GroupReport> {
    let report = |((box_index, group), number): (&(u32, Group), &u128)| {
        let (mut label, count) = sweep.space.group_in_words(group, *number);
        fit(&mut label);
        GroupReport { box_text: sweep.space.describe(*box_index), label, count }
    };
    // A worker may name a box that there is not; the coordinator shows what it can.
    tally.groups.0.iter().filter(|((box_index, _), _)| *box_index < sweep.space.boxes()).map(report).collect()
}

fn verdict(complete: bool, counts: &ClaimTally, counterexamples: &impl Kept) -> Verdict {
    if counterexamples.is_confirmed() {
        Verdict::Refuted
    } else if !complete || counts.refuted > 0 || counts.undefined > 0 {
        Verdict::Incomplete
    } else if counts.held == 0 {
        Verdict::Silent
    } else {
        Verdict::Held
    }
}

/// Of the positions of each outcome in each box, those that some claim predicted rightly which this sweep does not refute. A
/// claim with unconfirmed counterexamples does not count either.
fn coverage<L>(sweep: &Sweep, tally: &Tally, claims: &[ClaimReport<L>]) -> Vec<CoverageReport> {
    // A sweep has at most 128 claims, a bit each.
    let trusted = claims.iter().enumerate().filter(|(_, claim)| claim.refuted == 0).fold(0u128, |bits, (index, _)| bits | 1 << index);
    let mut boxes: BTreeMap<u32, (Share, Share)> = BTreeMap::new();
    for (CoverageKey { box_index, value, claims }, count) in &tally.coverage.0 {
        let (p, n) = boxes.entry(*box_index).or_default();
        let share = match value.as_str() {
            "P" => p,
            "N" => n,
            _ => continue,
        };
        share.predicted += if claims & trusted == 0 { 0 } else { *count };
        share.total += count;
    }
    let boxes = boxes.into_iter().filter(|(index, (p, n))| *index < sweep.space.boxes() && p.total + n.total > 0);
    boxes.map(|(index, (p, n))| CoverageReport { box_text: sweep.space.describe(index), p, n }).collect()
}

#[cfg(test)]
mod tests {
    use refute_shared::families::FigureRow;
    use refute_shared::sweep::{Coverage, Groups, Manifest};
    use serde_json::json;

    use super::*;

    fn sweep() -> Sweep {
        let text = "name = \"t\"\nfamily = \"graph-nim\"\nclaims = [\"four-edges/thm-5.1\", \"four-edges/lemma-6.1\"]\n[space]\ngraph = \"K3\"\nweights = \"1..=2\"\n";
        Sweep::resolve(Manifest::parse(text).unwrap()).unwrap()
    }

    fn example(confirmed: bool) -> Counterexample {
        Counterexample {
            parameters: json!({"graph": "K3", "weights": [1, 1, 1]}),
            predicted: "P".into(),
            actual: "N".into(),
            confirmed,
            witness: None,
            reason: None,
            subexpressions: Vec::new(),
        }
    }

    fn report(state: &str, decided: u128, counts: [(u128, u128); 2], counterexamples: [Vec<Counterexample>; 2]) -> Report {
        let claims = counts.map(|(held, refuted)| ClaimTally::of(held, refuted)).to_vec();
        let key = |claims| CoverageKey { box_index: 0, value: "P".into(), claims };
        let coverage = Coverage([(key(0b00), 1), (key(0b01), 2), (key(0b10), 4), (key(0b11), 8)].into());
        let tally = Tally { decided, claims, coverage, ..Tally::new(2) };
        let findings = Findings {
            id: "t-0",
            hosts: 1,
            solver_version: 1,
            state,
            reason: None,
            tally: &tally,
            counterexamples: counterexamples.to_vec(),
            figures: vec![],
            seconds: 1.0,
        };
        build(&sweep(), findings)
    }

    #[test]
    fn what_is_not_complete_is_never_held() {
        for state in ["queued", "running", "paused", "incomplete", "cancelled", "failed"] {
            let report = report(state, 5, [(5, 0), (0, 0)], [vec![], vec![]]);
            assert_eq!(report.claims[0].verdict, Verdict::Incomplete, "{state}");
            assert_eq!(report.claims[1].verdict, Verdict::Incomplete, "{state}");
            assert_eq!(report.fingerprint, None);
        }
        let short = report("complete", 7, [(7, 0), (0, 0)], [vec![], vec![]]);
        assert_eq!((short.state.as_str(), short.claims[0].verdict), ("incomplete", Verdict::Incomplete));
    }

    #[test]
    fn what_workers_say_stands_on_one_line_without_commands_to_a_terminal() {
        let text = "N\n\nHELD  all\u{1b}[2J";
        let mut found = Counterexample { actual: text.into(), reason: Some(text.into()), ..example(false) };
        fit_counterexample(&mut found);
        let (sweep, label) = (sweep(), Group::decode(text));
        let tally = Tally { decided: 8, groups: Groups([((0, label), 1)].into()), ..Tally::new(2) };
        let row = FigureRow { label: text.into(), letters: text.into() };
        let findings = Findings {
            id: "t-0",
            hosts: 1,
            solver_version: 1,
            state: "running",
            reason: Some(text.into()),
            tally: &tally,
            counterexamples: vec![vec![found], vec![]],
            figures: vec![Figure { title: "t".into(), rows: vec![row] }],
            seconds: 1.0,
        };
        let report = build(&sweep, findings);
        let fitted = "N\\n\\nHELD  all\\u{1b}[2J";
        assert_eq!((report.reason.as_deref(), report.groups[0].label.as_str()), (Some(fitted), fitted));
        for page in [crate::report::text(&report, crate::report::Style { columns: 1_000, colour: false }), crate::report::markdown(&report)]
        {
            assert!(!page.contains('\u{1b}') && !page.lines().any(|line| line.starts_with("HELD")), "{page}");
            assert!(page.matches("HELD  all").count() >= 3, "{page}");
        }
    }

    #[test]
    fn a_complete_sweep_tells_held_from_silent() {
        let report = report("complete", 8, [(8, 0), (0, 0)], [vec![], vec![]]);
        assert_eq!(report.claims[0].verdict, Verdict::Held);
        assert_eq!(report.claims[1].verdict, Verdict::Silent);
        assert!(report.fingerprint.is_some());
    }

    #[test]
    fn what_is_vacuous_does_not_hold_and_what_is_undefined_is_not_complete() {
        let found = |counts: ClaimTally, counterexamples: &[Counterexample]| verdict(true, &counts, &counterexamples.to_vec());
        assert_eq!(found(ClaimTally { vacuous: 8, ..ClaimTally::default() }, &[]), Verdict::Silent);
        assert_eq!(found(ClaimTally { held: 1, vacuous: 7, ..ClaimTally::default() }, &[]), Verdict::Held);
        assert_eq!(found(ClaimTally { held: 7, undefined: 1, ..ClaimTally::default() }, &[]), Verdict::Incomplete);
        let refuted = ClaimTally { undefined: 1, refuted: 1, ..ClaimTally::default() };
        assert_eq!(found(refuted, &[example(true)]), Verdict::Refuted);
        assert_eq!(found(refuted, &[example(false)]), Verdict::Incomplete);
    }

    #[test]
    fn refuted_needs_a_confirmed_counterexample_and_then_holds_in_any_state() {
        let running = report("running", 3, [(2, 1), (0, 0)], [vec![example(true)], vec![]]);
        assert_eq!(running.claims[0].verdict, Verdict::Refuted);
        let unconfirmed = report("complete", 8, [(7, 1), (0, 0)], [vec![example(false)], vec![]]);
        assert_eq!(unconfirmed.claims[0].verdict, Verdict::Incomplete);
    }

    #[test]
    fn refuted_claims_do_not_count_as_deciding_anything() {
        let all = report("complete", 8, [(8, 0), (8, 0)], [vec![], vec![]]);
        assert_eq!(all.coverage[0].p, Share { predicted: 14, total: 15 });
        let without_second = report("complete", 8, [(8, 0), (7, 1)], [vec![], vec![example(true)]]);
        assert_eq!(without_second.coverage[0].p, Share { predicted: 10, total: 15 });
    }
}
