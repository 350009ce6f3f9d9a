//! The solver of Graph Nim with every claim held against it: H1 over the number of weights, and the named graphs.
//! Ratios between runs on one machine are what these are for.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use refute_shared::families::{Pulse, Task};
use refute_shared::sweep::{Manifest, Record, Shard, Sweep};

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

fn sweep(graph: &str, high: u32) -> Sweep {
    let text = format!("name = \"bench\"\nfamily = \"graph-nim\"\n[space]\ngraph = \"{graph}\"\nweights = \"0..={high}\"\n");
    let manifest = Manifest::parse(&text).and_then(Sweep::resolve);
    manifest.unwrap_or_else(|error| panic!("{error}"))
}

fn solve(sweep: &Sweep, claims: &[usize]) -> u128 {
    let shard = Shard { box_index: 0, start: 0, end: sweep.space.units(0) };
    let task = Task { claims: claims.to_vec(), counterexamples: 1000, record: Record::None, budget_bytes: 1 << 30 };
    let result = sweep.space.solver().solve(&shard, &task, &mut GoOn);
    result.map_or(0, |result| result.tally.decided)
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("h1");
    group.sample_size(10);
    for high in [16, 32, 64] {
        let sweep = sweep("H1", high);
        // The sizes here are far below what 64 bits hold.
        group.throughput(Throughput::Elements(sweep.configurations() as u64));
        group.bench_with_input(BenchmarkId::new("every claim", high), &sweep, |bench, sweep| bench.iter(|| solve(sweep, &sweep.claims)));
        group.bench_with_input(BenchmarkId::new("no claim", high), &sweep, |bench, sweep| bench.iter(|| solve(sweep, &[])));
    }
    group.finish();
    let mut group = criterion.benchmark_group("weights up to 24, every claim");
    group.sample_size(10);
    for graph in ["F1", "F2", "G1", "G2", "G3", "G4", "H1", "H2", "H3", "I1", "I2"] {
        let sweep = sweep(graph, 24);
        group.throughput(Throughput::Elements(sweep.configurations() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(graph), &sweep, |bench, sweep| bench.iter(|| solve(sweep, &sweep.claims)));
    }
    group.finish();
}

criterion_group!(graph_nim, benches);
criterion_main!(graph_nim);
