//! Everything that can be typed wrong about partizan subtraction.

use crate::mistakes::{refuse_manifests, refused};
use crate::room::Room;

/// The manifest with this box, and nothing else to its discredit.
fn with_space(space: &str) -> String {
    format!("name = \"bad\"\nfamily = \"partizan-subtraction\"\n[space]\n{space}\n")
}

#[test]
fn wrong_sets_are_refused_by_their_field() {
    let with_left = |left: &str| with_space(&format!("left = {left}\nright = \"5..=7\"\nheap = 9"));
    let with_right = |right: &str| with_space(&format!("left = [1, 2]\nright = {right}\nheap = 9"));
    let limits = "a number to remove is from 1 to 65535 (2^16 - 1)";
    refuse_manifests(&[
        (with_left("[]"), &["space.left: the set is empty", "at least one number"]),
        (with_left("\"\""), &["space.left: the set is empty", "at least one number"]),
        (with_right("[]"), &["space.right: the set is empty", "at least one number"]),
        (with_left("0"), &["space.left: 0 is not allowed", limits]),
        (with_left("[1, 0, 2]"), &["space.left: 0 is not allowed", limits]),
        (with_right("\"0..=3\""), &["space.right: 0 is not allowed", limits]),
        (with_left("-1"), &["space.left: -1 is not allowed", limits]),
        (with_left("[3, -2]"), &["space.left: -2 is not allowed", limits]),
        (with_right("\"1,-4\""), &["space.right: -4 is not allowed", limits]),
        (with_left("65536"), &["space.left: 65536 is not allowed", limits]),
        (with_right("[1, 65536]"), &["space.right: 65536 is not allowed", limits]),
        (with_right("\"1..=99999\""), &["space.right: 99999 is not allowed", limits]),
        (with_left("\"7..=2\""), &["space.left: the range 7..=2 is empty", "must not be above"]),
        (with_left("[1.5]"), &["space.left: 1.5 is not allowed"]),
        (with_left("\"one\""), &["space.left: 'one' is no set", "1,4,6 or 2..=9"]),
        (with_left("true"), &["space.left: 'true' is no set", "1,4,6 or 2..=9"]),
        (with_space("left = [1, 2]\nheap = 9"), &["space.right is missing", "right = "]),
        (with_space("right = [1, 2]\nheap = 9"), &["space.left is missing", "left = "]),
    ]);
}

#[test]
fn wrong_parameters_and_heaps_are_refused_by_their_field() {
    let with_heap = |heap: &str| with_space(&format!("a = 3\nb = 7\nheap = {heap}"));
    let limits = "from 1 to 65535 (2^16 - 1)";
    refuse_manifests(&[
        (with_space("a = 0\nb = 7\nheap = 9"), &["space.a: 0 is not allowed", limits]),
        (with_space("a = \"0..=3\"\nb = 7\nheap = 9"), &["space.a: 0..=3 is not allowed", limits]),
        (with_space("a = 3\nb = \"7..=65536\"\nheap = 9"), &["space.b: 7..=65536 is not allowed", limits]),
        (with_space("a = -3\nb = 7\nheap = 9"), &["space.a: '-3' is not a range", "1..=32"]),
        (with_space("a = 3\nb = 7\ntau = -1\nheap = 9"), &["space.tau: '-1' is not a range", "1..=32"]),
        (with_space("a = 3\nb = 7\ntau = \"4..=2\"\nheap = 9"), &["space.tau: the range 4..=2 is empty"]),
        (with_space("a = 7\nb = 3\nheap = 9"), &["space: no a in 7, b in 3", "1 <= a <= b and 0 <= tau < b"]),
        (with_space("a = 3\nb = 7\ntau = 7\nheap = 9"), &["space: no a in 3, b in 7 and tau in 7", "0 <= tau < b"]),
        (with_space("a = 1\nb = 1\nheap = 9"), &["space.b: with b = 1 there is no tau", "tau = 0 is full support"]),
        (with_space("a = 3\nheap = 9"), &["space.b is missing", "b = "]),
        (with_space("heap = 9"), &["space.b is missing", "b = "]),
        (with_space("left = 3\nright = 7"), &["space.heap is missing", "heap = \"0..=400\""]),
        (with_space("b = \"1..=500\""), &["space.heap: 41541750 rulesets are too many to leave heap out", "write a range"]),
        (with_space("a = 3\nb = 7\ntau = \"a-b\""), &["space.tau: 'a-b' is not a range"]),
        (with_space("b = 7\nquantities = [\"weight\"]"), &["space.quantities: unknown quantity 'weight'"]),
        (with_space("b = 7\nquantities = []"), &["space.quantities: [] is not allowed", "a list, such as"]),
        (with_space("a = 3\nb = 7\ntaw = 2\nheap = 9"), &["space.taw: unknown key", "did you mean 'tau'?"]),
        (with_space("a = 3\nleft = 1\nright = 1\nheap = 9"), &["space: a box has either a, b and tau, or left and right"]),
        (with_heap("\"0..=1099511627777\""), &["space.heap: ", "the largest heap of a sweep, 1099511627776 (2^40)"]),
        (with_heap("1099511627777"), &["space.heap: ", "the largest heap of a sweep, 1099511627776 (2^40)"]),
        (with_heap("\"0..=99999999999999999999\""), &["space.heap: ", "is not a range"]),
        (with_heap("-1"), &["space.heap: '-1' is not a range"]),
        (with_heap("[1, 2]"), &["space.heap: ", "is not a range"]),
        (
            with_space("a = \"1..=65535\"\nb = \"1..=65535\"\nheap = \"0..=1099511627776\""),
            &["space.heap: ", "rulesets with 1099511627777 heaps", "the limit is 2^62"],
        ),
    ]);
    let room = Room::new();
    let outcomes = with_space("a = \"1..=65535\"\nb = \"1..=65535\"\nheap = 9");
    let manifest = room.write("bad.toml", &outcomes.replace("[space]", "claims = [\"truncated-support/prop-3.3\"]\n[space]"));
    for command in ["run", "check"] {
        refused(&room, &room.refute([command, &manifest]), 2, &["run.shard_seconds: 10 cuts this space into", "the limit is 10000000"]);
    }
    let ended = room.refute(["run", "truncated-support-outcomes", "--memory", "16B"]);
    refused(&room, &ended, 2, &["--memory: a 1..=8, b 1..=16, tau 0..=15, heap 0..=400 needs 32 B", "the limit is 16 B"]);
    let ended = room.refute(["run", "figures", "--set", "space.tau=11"]);
    refused(&room, &ended, 2, &["no a in 3, b in 7 and tau in 11"]);
    let ended = room.refute(["run", "figures", "--set", "space.left=3"]);
    refused(&room, &ended, 2, &["--set space.left: unknown key"]);
}

#[test]
fn a_heap_that_cannot_be_explained_is_told_with_an_example() {
    let room = Room::new();
    let limits = "a number to remove is from 1 to 65535 (2^16 - 1)";
    let family = "1 <= a <= b <= 65535 and 0 <= tau < b";
    for (parameters, expected) in [
        ("", vec!["--left is missing"]),
        ("--left= --right 1 --heap 3", vec!["--left: the set is empty"]),
        ("--left 1 --right= --heap 3", vec!["--right: the set is empty"]),
        ("--left 0 --right 1 --heap 3", vec!["--left: 0 is not allowed", limits]),
        ("--left 1 --right 2,0 --heap 3", vec!["--right: 0 is not allowed", limits]),
        ("--left -1 --right 1 --heap 3", vec!["--left: -1 is not allowed", limits]),
        ("--left 1 --right 2,-3 --heap 3", vec!["--right: -3 is not allowed", limits]),
        ("--left 65536 --right 1 --heap 3", vec!["--left: 65536 is not allowed", limits]),
        ("--left 1 --right 2..65536 --heap 3", vec!["--right: 65536 is not allowed", limits]),
        ("--left 3..1 --right 1 --heap 3", vec!["--left: the range 3..=1 is empty"]),
        ("--left one --right 1 --heap 3", vec!["--left: 'one' is no set"]),
        ("--left 1,,2 --right 1 --heap 3", vec!["--left: '1,,2' is no set"]),
        ("--left 1 --heap 3", vec!["--right is missing"]),
        ("--right 1 --heap 3", vec!["--left is missing"]),
        ("--left 1 --right 2", vec!["--heap is missing"]),
        ("--left 1 --right 2 --heap", vec!["--heap has no value"]),
        ("--left 1 --right 2 --heap -1", vec!["--heap: '-1' is no number"]),
        ("--left 1 --right 2 --heap 1..3", vec!["--heap: '1..3' is no number"]),
        ("--left 1 --right 2 --heap 16777217", vec!["--heap: heap 16777217 is too large for the reference", "up to 16777216"]),
        ("--left 1..1000 --right 2 --heap 300000", vec!["--heap: heap 300000 is too large for the reference", "268435456"]),
        ("--left 1 --right 2 --heap 99999999999999999999", vec!["--heap: '99999999999999999999' is no number"]),
        ("--left 1 --right 2 --a 3 --heap 4", vec!["--left: a ruleset is given either by --left and --right, or by --a, --b and --tau"]),
        ("--a 3 --b 7 --right 2 --heap 4", vec!["--left: a ruleset is given either by --left and --right, or by --a, --b and --tau"]),
        ("--left 1 --right 2 --heap 3 --colour red", vec!["colour: unknown key", "left, right, a, b, tau, heap"]),
        ("--left 1 --left 2 --right 2 --heap 3", vec!["--left stands twice"]),
        ("--a 3 --b 7 --tau 2", vec!["--heap is missing"]),
        ("--a 3 --tau 2 --heap 3", vec!["--b is missing"]),
        ("--b 7 --heap 3", vec!["--a is missing"]),
        ("--a 0 --b 3 --heap 3", vec!["--a, --b, --tau: ", family]),
        ("--a -3 --b 7 --heap 3", vec!["--a: '-3' is no number"]),
        ("--a 7 --b 3 --heap 3", vec!["--a, --b, --tau: ", family]),
        ("--a 3 --b 65536 --heap 3", vec![family]),
        ("--a 3 --b 7 --tau 7 --heap 3", vec![family]),
        ("--a 3 --b 7 --tau 1..3 --heap 3", vec!["--tau: '1..3' is no number"]),
        ("--a 1 --b 18446744073709551615 --tau 18446744073709551614 --heap 3", vec![family]),
        ("1..3 5..7 26", vec!["'1..3' is no parameter"]),
    ] {
        let ended = room.refute(["explain", "partizan-subtraction"].into_iter().chain(parameters.split_whitespace()));
        refused(&room, &ended, 2, &expected);
        if !parameters.contains("--left 1 --left") {
            let by_sets = !parameters.starts_with("--a") && !parameters.starts_with("--b");
            let example = if by_sets { "--left 1..3 --right 5..7 --heap 26" } else { "--a 3 --b 7 --tau 2 --heap 10" };
            refused(&room, &ended, 2, &[&format!("refute explain partizan-subtraction {example}")]);
        }
    }
}
