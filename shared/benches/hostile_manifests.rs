//! How long it takes to refuse small manifests that ask for very much, and to accept those that just stay within the bounds; it fails
//! where one takes longer than [`BOUND`].

// Its figures are for the person who started it.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use refute_shared::families::MAX_BOXES;
use refute_shared::sweep::{Manifest, Plan, Sweep};

/// The most that reading, resolving and cutting one may take on one core.
const BOUND: Duration = Duration::from_millis(2_500);

fn manifest(family: &str, count: usize, table: &str) -> String {
    format!("name = \"hostile\"\nfamily = \"{family}\"\n{}", format!("[[space]]\n{table}\n").repeat(count))
}

/// The most memory that the process has had so far, as Linux says it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or("unknown").trim().to_owned()
}

/// A hypergraph on so many vertices with a hyperedge of two for each of them.
fn cycle(vertices: u8) -> String {
    let letter = |place: u8| char::from(b'a' + place % vertices);
    (0..vertices).map(|place| format!("{}{}", letter(place), letter(place + 1))).collect::<Vec<_>>().join(",")
}

fn main() {
    let names = |count: usize| format!("graph = \"{}\"\nweights = 1", "H1 ".repeat(count));
    let list = |count: usize, one: &str| format!("edges = [{}]", format!("\"{one}\",").repeat(count));
    let edge = "b = \"1..=65535\"\nheap = 1\ntau = \"b-a\"\na = 1";
    let stars = format!("claims = [\"{}!\"]\n", "*".repeat(127));
    let cases = [
        ("127 stars in a pattern", stars + &manifest("graph-nim", 1, &names(1))),
        ("graphs = { edges = 6 }, 100 times", manifest("graph-nim", 100, "graphs = { edges = 6 }\nweights = 1")),
        ("graphs = { edges = 6 }, 14 times", manifest("graph-nim", 14, "graphs = { edges = 6 }\nweights = 1")),
        ("a graph of 7 edges, as often as there may be", manifest("graph-nim", 350, "edges = \"AB BC CD DE EF FG GH\"\nweights = 1")),
        ("300,000 names of graphs", manifest("graph-nim", 1, &names(300_000))),
        ("as many as there may be", manifest("graph-nim", 1, &names(MAX_BOXES))),
        ("b = \"1..=230\", 30 times", manifest("partizan-subtraction", 30, "b = \"1..=230\"")),
        ("b = \"1..=230\", once", manifest("partizan-subtraction", 1, "b = \"1..=230\"")),
        ("b = \"1..=65535\" on the knife's edge, 2,000 times", manifest("partizan-subtraction", 2_000, edge)),
        ("the same, 64 times", manifest("partizan-subtraction", 64, edge)),
        (
            "50,000 ranges 1..=65535 in a set",
            manifest("partizan-subtraction", 1, &format!("left = \"{}1\"\nright = 1\nheap = 1", "1..=65535,".repeat(50_000))),
        ),
        ("12,000 hypergraphs of 16 hyperedges", manifest("hypergraph-takeaway", 1, &list(12_000, &cycle(16)))),
        ("as many as there may be", manifest("hypergraph-takeaway", 1, &list(963, &cycle(16)))),
        ("every member up to 62 vertices, 8 times", manifest("hypergraph-takeaway", 8, "vertices = \"2..=62\"")),
        ("all 2-uniform hypergraphs on 7 vertices, 190 times", manifest("hypergraph-takeaway", 190, "all = { vertices = 7 }\nuniform = 2")),
        (
            "every digraph with 6 vertices, 1,000 times",
            manifest("directed-grabbing", 1_000, "dags = { vertices = \"0..=6\", weights = 0 }"),
        ),
        (
            "paths with 12 vertices, 1,000 times",
            manifest("directed-grabbing", 1_000, "paths = { vertices = \"0..=12\", weights = \"0..=1\" }"),
        ),
        (
            "grids, 1,000 times",
            manifest("directed-grabbing", 1_000, "grid = { rows = \"1..=6\", columns = \"1..=7\", weights = \"0..=1\" }"),
        ),
    ];
    let mut is_slow = false;
    for (name, text) in cases {
        let start = Instant::now();
        let resolved = Manifest::parse(&text).and_then(Sweep::resolve);
        let cut = resolved.map(|sweep| (Plan::new(&*sweep.space, sweep.options()).map(|plan| plan.shards()), sweep.space.encode().len()));
        let took = start.elapsed();
        let what = match cut {
            Ok((Ok(shards), _)) => format!("{shards} shards"),
            Ok((Err(error), _)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        println!("{:>9.1} ms, peak {:>9}, {:>7} bytes: {name}: {what}", took.as_secs_f64() * 1e3, peak(), text.len());
        is_slow |= took > BOUND;
    }
    assert!(!is_slow, "some took longer than {BOUND:?}");
}
