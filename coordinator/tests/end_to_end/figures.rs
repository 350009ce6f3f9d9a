//! Figures 3 and 5 of the paper on truncated support as rows of letters, and what `explain` says about one heap.

use serde_json::{Value, json};

use crate::report::check_complete;
use crate::room::Room;

/// Theorem 1.3 and Lemmas 5.5 and 5.6 for (a,b) = (3,7) by hand: what each row begins with, and what repeats from there on.
///
/// kappa = 4. For tau < 4 Right wins from R = beta (tau + 4) on: 1 · 5, 2 · 6 and 4 · 7. For tau = 4 the heaps repeat after
/// b + 1 = 8. For tau > 4 Left wins from b + 1 = 8 on.
const FIGURE_3: [(&str, &str); 6] =
    [("PLNNN", "R"), ("PLLNNNRRPNNN", "R"), ("PLLLNNNRPLLNNNRRPLNNNRRRPNNN", "R"), ("", "PLLLLNNN"), ("PLLLLLNN", "L"), ("PLLLLLLN", "L")];

/// Example 5.4: the heaps 0 to 12 of TS_4(n; 5, 11), and the rows of the levels about kappa = 6.
const FIGURE_5: [(usize, &str, &str); 3] = [(4, "PLLLLNNNNNRRP", ""), (6, "", "PLLLLLLNNNNN"), (7, "PLLLLLLLNNNN", "L")];

/// A row that begins with some letters and goes on with others forever, of so many letters.
fn row(begins: &str, repeats: &str, length: usize) -> String {
    begins.chars().chain(repeats.chars().cycle()).take(length).collect()
}

/// The rows of a figure: label and letters.
fn rows(figure: &Value) -> Vec<(&str, &str)> {
    let rows = figure["rows"].as_array().unwrap_or_else(|| panic!("{figure}"));
    rows.iter().map(|row| (row["label"].as_str().unwrap(), row["letters"].as_str().unwrap())).collect()
}

#[test]
fn the_rows_are_those_that_the_theorem_tells() {
    let room = Room::new();
    let report = room.refute(["run", "figures", "--json"]).json(1);
    check_complete(&report, 6 * 61 + 10 * 81);
    let [three, five] = report["figures"].as_array().unwrap().as_slice() else { panic!("{}", report["figures"]) };
    assert!(three["title"].as_str().unwrap().contains("(3,7)") && five["title"].as_str().unwrap().contains("(5,11)"), "{report}");
    let found = rows(three);
    assert_eq!(found.len(), 6);
    for ((tau, (label, letters)), (begins, repeats)) in (1..).zip(&found).zip(FIGURE_3) {
        assert_eq!((*label, *letters), (format!("tau {tau}").as_str(), row(begins, repeats, 61).as_str()));
    }
    let found = rows(five);
    assert_eq!(found.len(), 10);
    for (tau, begins, repeats) in FIGURE_5 {
        let (label, letters) = found[tau - 1];
        let expected = row(begins, repeats, if repeats.is_empty() { begins.len() } else { 81 });
        assert_eq!((label, letters.len()), (format!("tau {tau}").as_str(), 81));
        assert!(letters.starts_with(&expected), "{label}: {letters}, not {expected}");
    }
    // Both in the text, letter by letter and without the codes that a terminal takes for colours.
    let text = room.refute(["run", "figures"]).expect(1).to_owned();
    assert!(!text.contains('\u{1b}'), "{text:?}");
    for (label, letters) in rows(three).into_iter().chain(rows(five)) {
        // Rows that are too long for a page go on below.
        let (first, rest) = letters.split_at(letters.len().min(70));
        for part in [first, rest] {
            let is_there = |line: &str| line.trim_start().strip_prefix(label).is_some_and(|rest| rest.trim() == part);
            assert!(part.is_empty() || text.lines().any(is_there), "{label} {part}");
        }
    }
    let id = report["sweep"]["id"].as_str().unwrap();
    assert_eq!(room.refute(["report", id, "--json"]).json(1)["figures"], report["figures"]);
}

#[test]
fn figures_are_drawn_for_any_a_and_b_and_only_where_positions_are_kept() {
    let room = Room::new();
    let other = room.refute(["run", "figures", "--set", "space.a=2", "--set", "space.b=4", "--set", "space.heap=0..=9", "--json"]);
    // Both boxes are (2,4) now; tau >= 4 is outside the family. kappa = 2, so tau 1 is Right's from R = 2 · 4 on, tau 2 repeats
    // after 5 heaps, and tau 3 is Left's from 5 on.
    let report = other.json(1);
    let [figure] = report["figures"].as_array().unwrap().as_slice() else { panic!("{}", report["figures"]) };
    assert_eq!(rows(figure), [("tau 1", "PLNNRPNNRR"), ("tau 2", "PLLNNPLLNN"), ("tau 3", "PLLLNLLLLL")]);

    let manifest = "name = \"bare\"\nfamily = \"partizan-subtraction\"\n[space]\na = 3\nb = 7\nheap = \"0..=60\"\n";
    room.write("bare.toml", manifest);
    let bare = room.refute(["run", "bare.toml", "--json"]).json(1);
    assert_eq!(bare["figures"], Value::Null, "nothing is kept, so there is nothing to draw");
}

#[test]
fn an_explained_heap_has_the_documented_fields() {
    let room = Room::new();
    let explain = |parameters: &str| {
        let words = ["explain", "partizan-subtraction", "--json"].into_iter().chain(parameters.split_whitespace());
        room.refute(words).json(0)
    };
    let by_sets = explain("--left 1..3 --right 5..7 --heap 26");
    assert_eq!(by_sets["parameters"], json!({ "left": [1, 2, 3], "right": [5, 6, 7], "heap": 26 }));
    assert_eq!((&by_sets["outcome"], &by_sets["value"]), (&json!("L"), &json!("2")));
    assert_eq!(by_sets["facts"]["atomic weight"], "none: the stops 2 and 2 are not both 0, so it is no infinitesimal");
    // 26 = 3 · 8 + 2: Left moves to the heap 24, from which Right, starting, has no winning move, or to 25, which she wins.
    let moves: Vec<&Value> = by_sets["winning_moves"].as_array().unwrap().iter().map(|found| &found["to"]["heap"]).collect();
    assert_eq!(moves, [&json!(24), &json!(25)]);
    assert_eq!(rows(&by_sets["figure"]), [("outcome", row("", "PLLLLNNN", 27).as_str())]);
    let views = by_sets["claims"].as_array().unwrap();
    for view in views {
        let expected = match view["id"].as_str().unwrap() {
            "truncated-support/thm-1.3.2" => (json!("L"), json!("held")),
            "truncated-support/thm-1.4" => (json!("TS(n) = TS(n mod (b+1))"), json!("held")),
            "truncated-support/table-4" => (json!("none"), json!("held")),
            "truncated-support/table-4-red" => (json!("not R here or in some cell below"), json!("held")),
            "truncated-support/section-5.2-forms" => (json!("the canonical form of a heap up to b"), json!("held")),
            _ => (Value::Null, json!("silent")),
        };
        assert_eq!((view["predicted"].clone(), view["verdict"].clone()), expected, "{view}");
    }
    assert!(views.len() >= 40);

    // The same by its parameters, in any spelling and order.
    for same in ["--a 3 --b 7 --tau 4 --heap 26", "--heap=26 --tau=4 --b=7 --a=3", "--left 3,1,2,2 --right 5..=7 --heap 26"] {
        assert_eq!(explain(same), by_sets, "{same}");
    }
    // Without tau it is full support.
    assert_eq!(explain("--a 3 --b 7 --heap 26"), explain("--left 1..3 --right 1..7 --heap 26"));
    let refuted = explain("--a 1 --b 2 --tau 1 --heap 0");
    let printed = refuted["claims"].as_array().unwrap().iter().find(|view| view["id"] == "truncated-support/lemma-5.3.1-printed");
    assert_eq!(printed.unwrap()["verdict"], "refuted");
    // A pair of sets outside the paper's families: no claim speaks, and the rest is told all the same.
    let other = explain("--left 1,4,6 --right 2..9 --heap 14");
    assert_eq!((&other["outcome"], &other["claims"]), (&json!("R"), &json!([])));
}
