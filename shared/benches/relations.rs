//! Claims that look at other positions, held against positions of H1 with weights 0..=64 on one core: positions a second, and other
//! positions a second. Shards in the middle of the box, after what the slot keeps of it has been solved.

#![allow(clippy::print_stdout)] // A bench prints its figures.

use std::time::Instant;

use refute_shared::families::{Pulse, Task};
use refute_shared::sweep::{Manifest, Record, Shard, Sweep};

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

/// A claim, and how many lines of 65 positions it is held against.
const CLAIMS: [(&str, &str, u64); 6] = [
    ("no other position", "says = \"outcome == P <=> CD == AB + 1\"", 100_000),
    ("at", "where = \"AB >= 1 && CD >= 1\"\nsays = \"at(AB = AB - 1, CD = CD - 1).outcome == N\"", 50_000),
    ("at, by a prediction's parameters", "where = \"AB >= 1\"\npredict = \"at(AB = AB - 1).sum_B < BC ? P : N\"", 50_000),
    ("options, how many", "says = \"len(options) > total\"", 50_000),
    ("options, the first that is P", "where = \"outcome == N\"\nsays = \"any(o in options, o.outcome == P)\"", 500),
    ("options, all of them", "says = \"count(o in options, o.outcome == P) >= 0\"", 100),
];

/// The options of a position of H1, by weights in the order of the edges.
fn options([ab, bc, cd, ef]: [u64; 4]) -> u64 {
    (ab + 1) * (bc + 1) - 1 + (bc + 1) * (cd + 1) - 1 - bc + ef
}

fn main() {
    for (name, claim, lines) in CLAIMS {
        let text = format!(
            "name = \"bench\"\nfamily = \"graph-nim\"\n[[claim]]\nid = \"bench/a\"\n{claim}\n[space]\ngraph = \"H1\"\nweights = \"0..=64\"\n"
        );
        let sweep = Manifest::parse(&text).and_then(Sweep::resolve).unwrap_or_else(|error| panic!("{error}"));
        let task = Task { counterexamples: 1, record: Record::None, budget_bytes: 1 << 30 };
        let mut solver = sweep.space.solver();
        let middle = sweep.space.units(0) / 2;
        let mut solve = |start: u64, end: u64| {
            let shard = Shard { box_index: 0, start, end };
            let begun = Instant::now();
            let result = solver.solve(&shard, &task, &mut GoOn).unwrap_or_else(|error| panic!("{error}"));
            (begun.elapsed().as_secs_f64(), result.tally.decided)
        };
        // The lines before, and what is kept, are solved now.
        solve(middle - 1, middle);
        let (seconds, positions) = solve(middle, middle + lines);
        println!("{name}: {:.2e} positions a second", positions as f64 / seconds);
    }
    // On the average over the box.
    let range = 0..=64u64;
    let mean = range.clone().map(|weight| options([weight, 32, 32, 32])).sum::<u64>() / 65;
    println!("a position has some {mean} options");
}
