//! Claims of a manifest that look at other positions, or are about a whole: laws of play, what the reference says, what is not there.

use std::collections::BTreeSet;

use crate::sweep::{ClaimTally, Record, Shard, ShardResult, Sweep};

use super::testing::{GoOn, refusal, sweep, task};
use super::{Confirmation, Task, find};

fn manifest(claims: &[&str], space: &str) -> String {
    let claims: Vec<String> = (0..).zip(claims).map(|(number, text)| format!("[[claim]]\nid = \"mine/c{number}\"\n{text}\n")).collect();
    format!("{}\n[space]\n{space}\n", claims.concat())
}

fn solve_as(sweep: &Sweep, record: Record) -> ShardResult {
    let whole = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    sweep.space.solver().solve(&whole, &Task { record, ..task(sweep) }, &mut GoOn).unwrap()
}

fn tallies(family: &str, claims: &[&str], space: &str) -> Vec<ClaimTally> {
    let sweep = sweep(find(family).unwrap(), &manifest(claims, space));
    let result = solve_as(&sweep, Record::None);
    // Position by position it is the same.
    assert_eq!(solve_as(&sweep, Record::All).tally.claims, result.tally.claims, "{family}: {claims:?}");
    result.tally.claims
}

/// A claim that holds wherever it speaks, and speaks somewhere.
fn assert_held(family: &str, says: &str, space: &str) {
    let found = tallies(family, &[&format!("says = \"{says}\"")], space)[0];
    assert!(
        found.held > 0 && found == ClaimTally { held: found.held, vacuous: found.vacuous, ..ClaimTally::default() },
        "{says}: {found:?}"
    );
}

#[test]
fn options_are_those_of_the_rules_under_misere_play_and_with_grundy_values() {
    let misere = "outcome == N <=> count(o in options, o.outcome in [P, N]) == 0 || any(o in options, o.outcome == P)";
    for graph in ["H1", "G4", "F1", "I1"] {
        assert_held("graph-nim", misere, &format!("graph = \"{graph}\"\nweights = \"0..=3\"\nplay = \"misere\""));
        let says = "all(g in 0..=grundy - 1, any(o in options, o.grundy == g)) && all(o in options, o.grundy != grundy && (o.grundy == 0 <=> o.outcome == P))";
        assert_held("graph-nim", says, &format!("graph = \"{graph}\"\nweights = \"0..=3\"\nquantities = [\"grundy\"]"));
    }
    // Beyond the box as well.
    assert_held(
        "graph-nim",
        "at(AB = AB + 1).grundy == AB + BC + 1 && at(BC = BC + 5).outcome == N",
        "edges = \"AB BC\"\nweights = \"0..=6\"\nquantities = [\"grundy\"]",
    );
    for space in ["vertices = \"2..=6\"", "all = { vertices = \"1..=4\" }", "edges = [\"abcd,Sab,Sbc\", \"ab,c\"]"] {
        assert_held("hypergraph-takeaway", misere, &format!("{space}\nplay = \"misere\""));
    }
}

#[test]
fn options_are_those_of_the_rules_in_each_family() {
    for graph in ["H1", "G4", "F1", "I1"] {
        assert_held(
            "graph-nim",
            "outcome == P <=> all(o in options, o.outcome == N)",
            &format!("graph = \"{graph}\"\nweights = \"0..=3\""),
        );
    }
    for space in ["vertices = \"2..=6\"", "all = { vertices = \"1..=4\" }", "edges = [\"abcd,Sab,Sbc\", \"ab,c\"]"] {
        let says = "all(g in 0..=grundy - 1, any(o in options, o.grundy == g)) && all(o in options, o.grundy != grundy)";
        assert_held("hypergraph-takeaway", &format!("vertices >= 0 && {says}"), space);
    }
    let says = "vertices >= 1 && any(o in options, val == total - o.total - o.val) && all(o in options, val >= total - o.total - o.val)";
    assert_held("directed-grabbing", says, "paths = { vertices = \"1..=4\", weights = \"0..=2\" }");
    assert_held("directed-grabbing", says, "grid = { rows = \"1..=2\", columns = \"1..=3\", weights = \"0..=1\" }");
    let says = "(outcome in [L, N] <=> any(o in left_options, o.outcome in [L, P])) \
        && (outcome in [R, N] <=> any(o in right_options, o.outcome in [R, P])) \
        && all(o in left_options, !(o.value >= value)) && all(o in right_options, !(o.value <= value)) \
        && all(o in canonical_left, any(p in left_options, p.value == o.value) || !(o.value >= value)) \
        && all(o in canonical_right, o.heap < heap)";
    assert_held("partizan-subtraction", says, "left = [1, 4]\nright = [2, 3]\nheap = \"0..=20\"");
    assert_held("partizan-subtraction", says, "a = \"1..=2\"\nb = \"2..=4\"\ntau = \"0..=2\"\nheap = \"0..=12\"");
}

#[test]
fn other_positions_have_the_values_that_the_reference_gives_them_inside_a_box_and_beyond() {
    let space = "graph = \"H1\"\nweights = \"0..=4\"";
    // H1 is the same with its ends exchanged.
    assert_held("graph-nim", "at(AB = CD, CD = AB).outcome == outcome && at(AB = CD).at(CD = AB).sum_B == CD + BC", space);
    for says in ["at(AB = AB + 2, EF = EF + 3).outcome == N", "!any(d in 0..=AB, at(AB = d, BC = BC + 2).outcome == P)"] {
        let sweep = sweep(find("graph-nim").unwrap(), &manifest(&[&format!("says = \"{says}\"")], space));
        let result = solve_as(&sweep, Record::None);
        let found = result.tally.claims[0];
        assert!(found.refuted > 0 && found.held > 0, "{says}: {found:?}");
        let mut reference = sweep.space.reference();
        for candidate in &result.counterexamples[0] {
            let confirmed = reference.confirm(0, &candidate.key, &candidate.actual);
            let Confirmation::Stands(counterexample) = confirmed else { panic!("{says}: {confirmed:?}") };
            assert!(counterexample.confirmed);
            // The other positions are shown with their values.
            assert!(
                counterexample.subexpressions.iter().any(|part| part.value.starts_with("AB = ")),
                "{:?}",
                counterexample.subexpressions
            );
        }
    }
}

#[test]
fn what_is_no_position_and_what_is_too_large_is_not_defined_and_says_why() {
    let space = "graph = \"H1\"\nweights = \"0..=4\"";
    let claims = [
        "says = \"at(AB = AB - 1).outcome in [P, N]\"",
        "says = \"at(AB = 60000, CD = 60000).outcome == N\"",
        "says = \"at(AB = 70000).AB > 0\"",
    ];
    let sweep_of = sweep(find("graph-nim").unwrap(), &manifest(&claims, space));
    let result = solve_as(&sweep_of, Record::None);
    let [no_position, too_large, beyond] = result.tally.claims[..] else { panic!() };
    assert_eq!((no_position.undefined, no_position.held), (125, 500));
    assert_eq!((too_large.undefined, beyond.undefined), (625, 625));
    let reasons = ["another position that is none", "another position that is too large to be solved here"];
    for (claim, reason, confirmed) in [(0, reasons[0], true), (1, reasons[1], false), (2, reasons[1], false)] {
        let candidate = &result.counterexamples[3 + claim][0];
        assert_eq!(candidate.actual, reason);
        let Confirmation::Stands(found) = sweep_of.space.reference().confirm(3 + claim, &candidate.key, &candidate.actual) else {
            panic!()
        };
        assert_eq!((found.confirmed, found.reason.is_some()), (confirmed, !confirmed), "{reason}");
    }
    // A heap beyond what a slot has room for; and outside the family.
    let heaps = "a = 2\nb = 4\ntau = 1\nheap = \"0..=9\"";
    let found = tallies(
        "partizan-subtraction",
        &[
            "says = \"at(heap = heap + 100000).outcome == R\"",
            "says = \"at(tau = b).heap == heap\"",
            "says = \"at(heap = heap + 500).outcome == R\"",
        ],
        heaps,
    );
    assert_eq!(found.iter().map(|tally| tally.undefined).collect::<Vec<_>>(), [10, 10, 0]);
    assert_eq!(found[2].held, 10);
}

#[test]
fn where_the_reference_cannot_hold_another_position_a_counterexample_is_not_confirmed() {
    let space = "graph = \"H1\"\nweights = \"0..=1\"";
    let sweep =
        sweep(find("graph-nim").unwrap(), &manifest(&["says = \"at(AB = 100, BC = 100, CD = 100, EF = 100).outcome == P\""], space));
    let result = solve_as(&sweep, Record::None);
    assert_eq!(result.tally.claims[0].refuted, 16);
    let candidate = &result.counterexamples[0][0];
    let Confirmation::Stands(found) = sweep.space.reference().confirm(0, &candidate.key, &candidate.actual) else { panic!() };
    assert!(!found.confirmed && found.reason.unwrap().contains("too large for the reference"));
}

#[test]
fn where_positions_lack_a_name_that_others_are_asked_for_a_claim_is_silent() {
    let space = "[[space]]\ngraph = [\"H1\", \"I2\"]\nweights = \"0..=1\"\n";
    let claims = "[[claim]]\nid = \"mine/a\"\nsays = \"all(o in options, o.GH <= total)\"\n[[claim]]\nid = \"mine/b\"\nsays = \"at(GH = 0).AB == AB\"\n";
    let sweep = sweep(find("graph-nim").unwrap(), &format!("{claims}{space}"));
    for record in [Record::None, Record::All] {
        for (box_index, spoke) in [(0, 0), (1, 16)] {
            let whole = Shard { box_index, start: 0, end: sweep.space.units(box_index) };
            let result = sweep.space.solver().solve(&whole, &Task { record, ..task(&sweep) }, &mut GoOn).unwrap();
            for tally in &result.tally.claims {
                assert_eq!(tally.held + tally.vacuous, spoke, "{box_index}: {tally:?}");
            }
        }
    }
    let lacking: BTreeSet<String> =
        sweep.space.stated_names().into_iter().filter(|(_, boxes)| *boxes == [0]).map(|(name, _)| name.name).collect();
    assert_eq!(lacking, BTreeSet::from(["GH".to_owned()]));
}

#[test]
fn a_prediction_sees_no_solver_through_another_position() {
    let refused = |text: &str| {
        refusal(find("partizan-subtraction").unwrap(), &manifest(&[text], "a = 2\nb = 4\ntau = 1\nheap = \"0..=9\"")).unwrap_or_default()
    };
    for text in [
        "predict = \"at(heap = heap - 3).outcome\"",
        "predict = \"any(o in left_options, o.value == 0) ? P : N\"",
        "predict = \"len(canonical_left) == 1 ? P : N\"",
        "predict = \"canonical_left[0].heap == 1 ? P : N\"",
    ] {
        assert!(refused(text).contains("a prediction must not see what is solved"), "{text}: {}", refused(text));
    }
    let text = "[let]\nbefore = \"at(heap = heap - 3).outcome\"\n[[claim]]\nid = \"mine/a\"\npredict = \"before\"\n[space]\na = 2\nb = 4\nheap = \"0..=9\"\n";
    let refused = refusal(find("partizan-subtraction").unwrap(), text).unwrap_or_default();
    assert!(refused.contains("outcome is, which 'before' has in it"), "{refused}");
    // What the rules alone say may be used.
    assert_eq!(
        refusal(
            find("graph-nim").unwrap(),
            &manifest(&["predict = \"len(options) == 0 ? P : at(AB = 0).total == 0 ? N : P\""], "graph = \"H1\"\nweights = \"0..=1\"")
        ),
        None
    );
}

#[test]
fn a_claim_about_rulesets_is_judged_once_for_each_however_they_are_cut() {
    let claims = [
        "per = \"ruleset\"\nsays = \"is_truncated => tau < kappa => dominance == -2 && period == 1 && preperiod <= onset\"",
        "per = \"ruleset\"\nwhere = \"is_truncated && tau == kappa\"\nsays = \"period == b + 1 && all(n in heaps, n % period == 0 <=> n.outcome == P)\"",
        "per = \"ruleset\"\nwhere = \"is_full\"\nsays = \"all(n in heaps, n >= 1 => n.atomic_weight <= 0)\"",
        "per = \"ruleset\"\nsays = \"len(heaps) == 13 && heaps[12].heap == 12 && heaps[0].at(heap = 5).left_options[0] == 4\"",
        "says = \"heap >= 0\"",
    ];
    let space = "a = \"1..=3\"\nb = \"2..=5\"\ntau = \"0..=4\"\nheap = \"0..=12\"";
    let sweep = sweep(find("partizan-subtraction").unwrap(), &manifest(&claims, space));
    let whole = solve_as(&sweep, Record::None);
    let rulesets = u128::from(sweep.space.units(0) / 13);
    for (claim, tally) in whole.tally.claims.iter().take(4).enumerate() {
        let spoke = tally.held + tally.vacuous + tally.refuted + tally.undefined;
        assert!(tally.refuted == 0 && tally.undefined == 0 && tally.held > 0 && spoke <= rulesets, "{claim}: {tally:?}");
    }
    assert_eq!(whole.tally.claims[3].held, rulesets);
    assert_eq!(whole.tally.claims[4].held, rulesets * 13);
    let mut sum = vec![ClaimTally::default(); 5];
    let mut start = 0;
    for length in [1, 5, 20, 12, 13, 1000].into_iter().cycle() {
        let end = (start + length).min(sweep.space.units(0));
        let part = sweep.space.solver().solve(&Shard { box_index: 0, start, end }, &task(&sweep), &mut GoOn).unwrap();
        for (sum, part) in sum.iter_mut().zip(&part.tally.claims) {
            (sum.held, sum.vacuous) = (sum.held + part.held, sum.vacuous + part.vacuous);
        }
        start = end;
        if start == sweep.space.units(0) {
            break;
        }
    }
    assert_eq!(sum, whole.tally.claims);
}

#[test]
fn a_claim_about_a_graph_is_judged_once_a_box_with_the_number_of_its_p_positions() {
    // H1 with weights 0..=13 has 731 P-positions.
    let claims = [
        "per = \"graph\"\nsays = \"is_H1 && edges == 4 && p_positions == 731\"",
        "per = \"graph\"\nwhere = \"is_H1\"\nsays = \"p_positions == 730\"",
        "per = \"graph\"\nwhere = \"is_G4\"\nsays = \"p_positions == 731\"",
        "says = \"total >= 0\"",
    ];
    let sweep = sweep(find("graph-nim").unwrap(), &manifest(&claims, "graph = \"H1\"\nweights = \"0..=13\""));
    let units = sweep.space.units(0);
    let mut solver = sweep.space.solver();
    let mut sum = vec![ClaimTally::default(); 4];
    for (start, end) in [(0, 1), (1, units / 2), (units / 2, units)] {
        let result = solver.solve(&Shard { box_index: 0, start, end }, &task(&sweep), &mut GoOn).unwrap();
        for (sum, one) in sum.iter_mut().zip(&result.tally.claims) {
            (sum.held, sum.refuted) = (sum.held + one.held, sum.refuted + one.refuted);
        }
        if let Some(found) = result.counterexamples[1].first() {
            let confirmed = sweep.space.reference().confirm(1, &found.key, &found.actual);
            let Confirmation::Stands(found) = confirmed else { panic!("{confirmed:?}") };
            assert!(found.confirmed && found.actual == "false: p_positions = 731", "{found:?}");
            assert!(found.parameters["weights"]["AB"].is_string() || found.parameters["weights"].is_object(), "{found:?}");
        }
    }
    assert_eq!((sum[0].held, sum[0].refuted, sum[1].refuted, sum[2].held + sum[2].refuted, sum[3].held), (1, 0, 1, 0, 14u128.pow(4)));
    for space in [
        "graph = \"G4\"\nweights = { DE = \"2..=6\", other = \"1..=4\" }",
        "graph = \"H1\"\nweights = \"1..=4\"\nplay = \"misere\"",
        "edges = \"AB BC CD\"\nweights = \"0..=5\"\nquantities = [\"grundy\"]",
        "edges = \"AB\"\nweights = \"0..=5\"",
    ] {
        let says = "per = \"graph\"\nsays = \"p_positions == count(p in positions, p.outcome == P) && len(positions) >= 6\"";
        let found = tallies("graph-nim", &[says], space)[0];
        assert_eq!((found.held, found.refuted, found.undefined), (1, 0, 0), "{space}");
    }
    let wrong = |claim: &str| refusal(find("graph-nim").unwrap(), &manifest(&[claim], "graph = \"H1\"\nweights = \"0..=2\"")).unwrap();
    for (claim, expected) in [
        ("per = \"graph\"\nsays = \"AB >= 0\"", "'AB' is of a position, and this claim is about a graph"),
        ("says = \"p_positions == 1\"", "'p_positions' is of a graph, and this claim is about positions"),
        ("per = \"ruleset\"\nsays = \"true\"", "'ruleset' is not known; it is \"position\", which may be left out, or \"graph\""),
        ("per = \"graph\"\npredict = \"P\"", "is about a position, and this claim is about a graph; write says"),
    ] {
        assert!(wrong(claim).contains(expected), "{claim}: {}", wrong(claim));
    }
}

#[test]
fn a_ruleset_that_refutes_is_shown_without_a_heap_and_confirmed() {
    let claims = ["per = \"ruleset\"\nsays = \"period == 8 && is_fair\""];
    let sweep = sweep(find("partizan-subtraction").unwrap(), &manifest(&claims, "left = [1, 4]\nright = [2, 3]\nheap = \"0..=40\""));
    let result = solve_as(&sweep, Record::None);
    assert_eq!(result.tally.claims[0].refuted, 1);
    let candidate = &result.counterexamples[0][0];
    let confirmed = sweep.space.reference().confirm(0, &candidate.key, &candidate.actual);
    let Confirmation::Stands(found) = confirmed else { panic!("{confirmed:?}") };
    assert!(found.confirmed);
    assert_eq!(found.parameters, serde_json::json!({ "left": [1, 4], "right": [2, 3], "heaps": "0..=40" }));
}

#[test]
fn names_stand_where_they_mean_something() {
    let family = find("partizan-subtraction").unwrap();
    let space = "a = 2\nb = 4\nheap = \"0..=9\"";
    for (claim, expected) in [
        ("per = \"ruleset\"\nsays = \"heap >= 0\"", "'heap' is of a position, and this claim is about a ruleset"),
        ("per = \"ruleset\"\nsays = \"at(heap = 3).outcome == P\"", "a claim about a ruleset has no position of its own"),
        ("per = \"ruleset\"\nsays = \"len(left_options) == 0\"", "'left_options' is of a position"),
        ("says = \"period == 1\"", "'period' is of a ruleset, and this claim is about positions"),
        ("says = \"len(heaps) == 1\"", "'heaps' is of a ruleset"),
        ("per = \"ruleset\"\nsays = \"all(n in heaps, n.period == 1)\"", "'period' is of a ruleset"),
        ("per = \"ruleset\"\npredict = \"P\"", "is about a position, and this claim is about a ruleset; write says"),
        ("per = \"graph\"\nsays = \"true\"", "'graph' is not known; it is \"position\", which may be left out, or \"ruleset\""),
        ("says = \"at(outcome = 1).heap == 1\"", "'outcome' cannot be set here; at sets heap, a, b, tau"),
        ("says = \"at(haep = 1).heap == 1\"", "'haep' cannot be set here; did you mean 'heap'?"),
        ("says = \"at(heap = 1, heap = 2).heap == 1\"", "'heap' is set twice"),
        ("says = \"left_options == right_options\"", "positions are not compared; compare what they have"),
        ("says = \"heap.outcome == P\"", "another position is expected here, and this is a whole number"),
        ("says = \"at(heap = 1).outcom == P\"", "there is no name 'outcom'; did you mean 'outcome'?"),
    ] {
        let found = refusal(family, &manifest(&[claim], space)).unwrap_or_default();
        assert!(found.contains(expected), "{claim}\n{found}");
    }
    let found = refusal(find("hypergraph-takeaway").unwrap(), &manifest(&["says = \"at(vertices = 1).edges == 0\""], "vertices = 2"))
        .unwrap_or_default();
    assert!(found.contains("no name says which position it is; ask for options"), "{found}");
}

#[test]
fn a_sweep_is_pinned_to_the_version_of_the_language_that_its_claims_take() {
    let language = |family: &str, claim: &str, space: &str| sweep(find(family).unwrap(), &manifest(&[claim], space)).language();
    let graph = "graph = \"H1\"\nweights = \"0..=1\"";
    assert_eq!(language("graph-nim", "says = \"any(m in 0..=AB, m == CD) => outcome == N\"", graph), Some(1));
    assert_eq!(language("graph-nim", "says = \"at(AB = 0).AB == 0\"", graph), Some(2));
    assert_eq!(language("graph-nim", "says = \"len(options) >= 0\"", graph), Some(2));
    assert_eq!(language("partizan-subtraction", "per = \"ruleset\"\nsays = \"a <= b\"", "a = 2\nb = 4\nheap = \"0..=9\""), Some(2));
    assert_eq!(sweep(find("graph-nim").unwrap(), &format!("[space]\n{graph}\n")).language(), None);
}

#[test]
fn what_a_box_of_graph_nim_keeps_is_said_and_costs_memory() {
    let of = |claim: &str| sweep(find("graph-nim").unwrap(), &manifest(&[claim], "graph = \"H1\"\nweights = \"0..=64\""));
    let (alone, relates) = (of("says = \"outcome == N\""), of("says = \"at(AB = 0).outcome == N\""));
    assert_eq!(alone.space.keeps(0), None);
    assert_eq!(
        relates.space.keeps(0).unwrap(),
        "the P-position of each of its 274,625 lines, 2 bytes each, since claims look at other positions: 536.4 KiB"
    );
    let bytes = |sweep: &Sweep| sweep.space.cost(&Shard { box_index: 0, start: 0, end: 1 }).bytes;
    assert!(bytes(&relates) >= bytes(&alone) + 2 * 274_625);
    let shard = Shard { box_index: 0, start: 0, end: 1 };
    let small = Task { budget_bytes: 500_000, ..task(&relates) };
    assert!(matches!(relates.space.solver().solve(&shard, &small, &mut GoOn), Err(super::SolveError::TooLarge { .. })));
}
