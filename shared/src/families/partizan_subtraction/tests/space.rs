//! Boxes of partizan subtraction: their sizes, encodings, kept values and figures, and the sentence that each bad box gets.

use crate::families::testing::assert_refused;
use crate::families::{Family, SolveError, Task};
use crate::sweep::{Record, Shard};

use super::super::PartizanSubtraction;
use super::{GoOn, sweep, task};

#[test]
fn combinations_outside_the_family_are_not_counted() {
    // For b in 1..=16 and a up to 8: min(8, b) values of a and b of tau.
    let sweep = sweep("[space]\na = \"1..=8\"\nb = \"1..=16\"\ntau = \"0..=15\"\nheap = \"0..=400\"\n");
    let rulesets: u128 = (1..=16u128).map(|b| b.min(8) * b).sum();
    assert_eq!(sweep.configurations(), rulesets * 401);
}

#[test]
fn tau_left_out_is_every_truncation_level() {
    let with = sweep("[space]\na = 3\nb = \"4..=7\"\ntau = \"1..=6\"\nheap = 5\n");
    let without = sweep("[space]\na = 3\nb = \"4..=7\"\nheap = 5\n");
    assert_eq!(with.configurations(), without.configurations());
    assert_eq!(with.configurations(), 3 + 4 + 5 + 6);
}

#[test]
fn each_bad_box_gets_a_sentence_that_names_the_key() {
    let cases = [
        ("left = []\nright = 1\nheap = 1", "space.left: the set is empty"),
        ("left = [0, 1]\nright = 1\nheap = 1", "space.left: 0 is not allowed"),
        ("left = 1\nright = [1, -2]\nheap = 1", "space.right: -2 is not allowed"),
        ("left = 1\nright = [65536]\nheap = 1", "space.right: 65536 is not allowed"),
        ("left = 1\nright = \"1..=65536\"\nheap = 1", "space.right: 65536 is not allowed"),
        ("left = \"3..=2\"\nright = 1\nheap = 1", "space.left: the range 3..=2 is empty"),
        ("left = 1\nheap = 1", "space.right is missing"),
        ("left = 1\nright = 1", "space.heap is missing"),
        ("left = 1\nright = 1\nheap = \"0..=2000000000000\"", "space.heap: 0..=2000000000000 goes above the largest heap"),
        ("left = 1\nright = 1\na = 1\nheap = 1", "space: a box has either a, b and tau, or left and right"),
        ("heap = 1", "space.b is missing"),
        ("a = 3\nheap = 1", "space.b is missing"),
        ("b = 1\nheap = 1\ntau = 0", "space: no a in 1..=b-1, b in 1 and tau in 0"),
        ("a = 2\nb = 2\ntau = \"a-b\"", "space.tau: 'a-b' is not a range"),
        ("b = \"1..=500\"", "space.heap: 41541750 rulesets are too many to leave heap out"),
        ("b = 3\nquantities = []", "space.quantities: [] is not allowed; it is a list"),
        ("b = 3\nquantities = \"outcome\"", "space.quantities: \"outcome\" is not allowed; it is a list"),
        ("b = 3\nquantities = [\"weight\"]", "space.quantities: unknown quantity 'weight'; "),
        ("a = 0\nb = 3\nheap = 1", "space.a: 0 is not allowed"),
        ("a = 1\nb = 70000\nheap = 1", "space.b: 70000 is not allowed"),
        ("a = 5\nb = \"1..=3\"\nheap = 1", "space: no a in 5, b in 1..=3"),
        ("a = 1\nb = 1\nheap = 1", "space.b: with b = 1 there is no tau"),
        ("a = 1\nb = 3\nheap = -1", "space.heap: '-1' is not a range"),
        ("a = 1\nb = 3\nheaps = 1", "space.heaps: unknown key; did you mean 'heap'?"),
        ("a = \"1..=65535\"\nb = \"1..=65535\"\nheap = \"0..=1000000000\"", "space.heap:"),
    ];
    assert_refused(&PartizanSubtraction, &cases);
}

#[test]
fn bad_encodings_are_refused() {
    for bad in [
        "",
        "{}",
        "{\"version\":2,\"boxes\":[]}",
        "{\"version\":1,\"boxes\":[]}",
        "{\"version\":1,\"boxes\":[{\"sets\":{\"left\":[],\"right\":[1],\"heap\":\"1\"}}]}",
    ] {
        assert!(PartizanSubtraction.decode(bad, &[], &[]).is_err(), "{bad}");
    }
}

#[test]
fn a_budget_below_the_tables_is_refused_before_they_are_made() {
    let sweep = sweep("[space]\nleft = 1\nright = \"1..=60000\"\nheap = 5\n");
    let task = Task { budget_bytes: 1000, ..task(&sweep) };
    let result = sweep.space.solver().solve(&Shard { box_index: 0, start: 0, end: 1 }, &task, &mut GoOn);
    assert!(matches!(result, Err(SolveError::TooLarge { budget: 1000, .. })));
}

#[test]
fn the_figure_is_the_kept_outcomes_row_by_row() {
    let sweep = sweep("[space]\na = 3\nb = 7\ntau = \"3..=5\"\nheap = \"1..=12\"\n[run]\nrecord = \"all\"\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let task = Task { record: Record::All, ..task(&sweep) };
    let mut records = sweep.space.solver().solve(&shard, &task, &mut GoOn).unwrap().records;
    records.sort();
    let figures = sweep.space.figures(&mut records.into_iter());
    assert_eq!(figures.len(), 1);
    let rows: Vec<(&str, &str)> = figures[0].rows.iter().map(|row| (row.label.as_str(), row.letters.as_str())).collect();
    assert_eq!(rows, [("tau 3", "LLLNNNRPLLNN"), ("tau 4", "LLLLNNNPLLLL"), ("tau 5", "LLLLLNNLLLLL")]);
}

#[test]
fn the_long_run_of_each_ruleset_is_counted_once() {
    let sweep = sweep("[space]\na = 3\nb = 7\ntau = \"1..=6\"\nheap = \"5..=12\"\n");
    let mut solver = sweep.space.solver();
    let mut groups = std::collections::BTreeMap::new();
    for unit in (0..sweep.space.units(0)).rev() {
        let part = super::solve(solver.as_mut(), &sweep, &Shard { box_index: 0, start: unit, end: unit + 1 });
        for ((_, group), count) in part.tally.groups.0 {
            *groups.entry(group.label).or_insert(0) += count;
        }
    }
    // Theorem 1.3: Right below tau = b - a, balanced there, Left above.
    groups.retain(|label: &String, _| !label.starts_with("truncated-support/"));
    let expected = [("strong dominance of Left", 2), ("strong dominance of Right", 3), ("weak dominance of Left", 1)];
    assert_eq!(groups, expected.map(|(label, count)| (label.to_owned(), count)).into());
}

#[test]
fn the_quantities_that_a_box_names_are_kept() {
    let sweep = sweep("[space]\na = 3\nb = 7\ntau = 4\nheap = \"4..=8\"\nquantities = [\"atomic-weight\", \"canonical-form\"]\n");
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let task = Task { record: Record::All, ..task(&sweep) };
    let records = sweep.space.solver().solve(&shard, &task, &mut GoOn).unwrap().records;
    let values: Vec<&str> = records.iter().map(|record| record.value.as_str()).collect();
    let forms = ["L; 4; none", "N; {4|0}; none", "N; {4,{4|0}||0}; none", "N; {4,{4,{4|0}||0}|||0}; none", "P; 0; 0"];
    assert_eq!(values, forms);
}

#[test]
fn a_box_without_heaps_goes_as_far_as_its_claims_want() {
    // max(R, b+1) + 6a + 2(b+1): R = 2 (1+1+1) = 6 for (1,3,1); b+1 = 4 for (1,3,2) and (2,3,1) and (2,3,2); 3 for (1,2,1).
    let sweep = sweep("[space]\nb = \"2..=3\"\n");
    assert_eq!(sweep.configurations(), [3 + 6 + 6, 6 + 6 + 8, 4 + 6 + 8, 4 + 12 + 8, 4 + 12 + 8].map(|heap| heap + 1).iter().sum::<u128>());
    assert_eq!(sweep.space.describe(0), "a 1..=b-1, b 2..=3, tau 1..=2, heap 0..=max(R, b+1)+6a+2(b+1)");
    assert_eq!(sweep.space.to_json().to_string(), r#"[{"b":"2..=3","tau":"1..=2"}]"#);
}

#[test]
fn canonical_forms_that_do_not_fit_the_budget_are_refused_before_they_are_made() {
    let sweep = sweep("[space]\na = 7\nb = 19\ntau = 5\nheap = \"0..=100000\"\nquantities = [\"canonical-form\"]\n");
    let task = Task { budget_bytes: 1 << 30, ..task(&sweep) };
    let result = sweep.space.solver().solve(&Shard { box_index: 0, start: 0, end: 100_001 }, &task, &mut GoOn);
    assert!(matches!(result, Err(SolveError::TooLarge { .. })), "{result:?}");
    // Its first heaps do, and outcomes alone do.
    assert!(sweep.space.solver().solve(&Shard { box_index: 0, start: 0, end: 100 }, &task, &mut GoOn).is_ok());
}
