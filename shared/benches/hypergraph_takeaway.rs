//! Take-away on hypergraphs with every claim held against it: members of the family over the number of vertices in X, and all
//! hypergraphs on five vertices.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use refute_shared::families::{Pulse, Task};
use refute_shared::sweep::{Manifest, Record, Shard, Sweep};

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

fn sweep(space: &str) -> Sweep {
    let text = format!("name = \"bench\"\nfamily = \"hypergraph-takeaway\"\n[space]\n{space}\n");
    let manifest = Manifest::parse(&text).and_then(Sweep::resolve);
    manifest.unwrap_or_else(|error| panic!("{error}"))
}

fn solve(sweep: &Sweep) -> u128 {
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let task = Task { counterexamples: 1000, record: Record::None, budget_bytes: 1 << 30 };
    let result = sweep.space.solver().solve(&shard, &task, &mut GoOn);
    result.map_or(0, |result| result.tally.decided)
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hypergraphs");
    group.sample_size(10);
    let boxes = [14, 18, 22, 26, 30].map(|most| (format!("members up to {most}"), format!("vertices = \"2..={most}\"")));
    for (name, space) in boxes.into_iter().chain([("all on 5 vertices".to_owned(), "all = { vertices = 5 }".to_owned())]) {
        let sweep = sweep(&space);
        // The sizes here are far below what 64 bits hold.
        group.throughput(Throughput::Elements(sweep.configurations() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), &sweep, |bench, sweep| bench.iter(|| solve(sweep)));
    }
    group.finish();
}

criterion_group!(hypergraph_takeaway, benches);
criterion_main!(hypergraph_takeaway);
