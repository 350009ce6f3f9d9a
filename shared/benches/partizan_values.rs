//! Canonical forms and atomic weights of heaps of partizan subtraction, as a worker solves them.

use criterion::{Criterion, criterion_group, criterion_main};
use refute_shared::families::{Pulse, Space, Task};
use refute_shared::sweep::{Manifest, Record, Shard, Sweep};

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

/// Solves a whole box and returns how many configurations that were.
fn solve(space: &dyn Space, task: &Task) -> u128 {
    let shard = Shard { box_index: 0, start: 0, end: space.units(0) };
    let result = space.solver().solve(&shard, task, &mut GoOn);
    result.map(|result| result.tally.decided).unwrap_or_else(|error| panic!("{error}"))
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("values");
    group.sample_size(10);
    let forms = "quantities = [\"canonical-form\"]";
    let both = "quantities = [\"canonical-form\", \"atomic-weight\"]";
    let weights = "quantities = [\"atomic-weight\"]";
    for (name, space) in [
        ("canonical forms, 1..=7 and 6..=19, heaps to 200", format!("left = \"1..=7\"\nright = \"6..=19\"\nheap = \"0..=200\"\n{forms}")),
        ("canonical forms, full support (7,19), heaps to 1000", format!("a = 7\nb = 19\ntau = 0\nheap = \"0..=1000\"\n{forms}")),
        ("both, a = 7, b = 19, every tau, heaps to 1000", format!("a = 7\nb = 19\ntau = \"0..=18\"\nheap = \"0..=1000\"\n{both}")),
        (
            "atomic weights, 1..=7 and 6..=19, heaps to 100000",
            format!("left = \"1..=7\"\nright = \"6..=19\"\nheap = \"0..=100000\"\n{weights}"),
        ),
    ] {
        let text = format!("name = \"bench\"\nfamily = \"partizan-subtraction\"\n[space]\n{space}\n");
        let sweep = Manifest::parse(&text).and_then(Sweep::resolve).unwrap_or_else(|error| panic!("{error}"));
        // The same space without claims.
        let space = sweep.family.decode(&sweep.space.encode(), &[], &[]).unwrap_or_else(|error| panic!("{error}"));
        let task = Task { counterexamples: 1, record: Record::None, budget_bytes: 1 << 32 };
        group.bench_function(name, |bench| bench.iter(|| solve(space.as_ref(), &task)));
    }
    group.finish();
}

criterion_group!(partizan_values, benches);
criterion_main!(partizan_values);
