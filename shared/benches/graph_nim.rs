//! The solver of Graph Nim with every claim held against it: H1 over the number of weights, and the named graphs; and lines
//! alone over N and E.
//! Ratios between runs on one machine are what these are for.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use refute_shared::families::{Pulse, Space, Task};
use refute_shared::sweep::{Manifest, Record, Shard, Sweep};

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

fn sweep_of(space: &str) -> Sweep {
    let manifest = Manifest::parse(&format!("name = \"bench\"\nfamily = \"graph-nim\"\n[space]\n{space}\n")).and_then(Sweep::resolve);
    manifest.unwrap_or_else(|error| panic!("{error}"))
}

/// The same space without claims.
fn bare(sweep: &Sweep) -> Box<dyn Space> {
    sweep.family.decode(&sweep.space.encode(), &[], &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn sweep(graph: &str, high: u32) -> Sweep {
    sweep_of(&format!("graph = \"{graph}\"\nweights = \"0..={high}\""))
}

/// Solves the whole box of a space.
fn solve(space: &dyn Space) -> u128 {
    let shard = Shard { box_index: 0, start: 0, end: space.units(0) };
    let task = Task { counterexamples: 1000, record: Record::None, budget_bytes: 1 << 30 };
    let result = space.solver().solve(&shard, &task, &mut GoOn);
    result.map_or(0, |result| result.tally.decided)
}

/// Positions solved and P-positions counted, no claim held against them; the throughput is in lines, of which a graph with E
/// edges and weights 0..=N has (N+1)^(E-1). So the time of a line is what to compare: by N on G4, where a line has a set of
/// N+1 bits; and by E on paths with weights up to 8.
fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lines");
    group.sample_size(10);
    for high in [31, 63, 127] {
        let sweep = sweep("G4", high);
        group.throughput(Throughput::Elements(sweep.configurations() as u64 / u64::from(high + 1)));
        group.bench_with_input(BenchmarkId::new("G4, by N", high), &sweep, |bench, sweep| {
            let bare = bare(sweep);
            bench.iter(|| solve(bare.as_ref()));
        });
    }
    for edges in 2..=6 {
        let path: Vec<String> = (b'A'..).take(edges).map(|v| [v, v + 1].map(char::from).iter().collect()).collect();
        let sweep = sweep_of(&format!("edges = \"{}\"\nweights = \"0..=8\"", path.join(" ")));
        group.throughput(Throughput::Elements(sweep.configurations() as u64 / 9));
        group.bench_with_input(BenchmarkId::new("paths, by E", edges), &sweep, |bench, sweep| {
            let bare = bare(sweep);
            bench.iter(|| solve(bare.as_ref()));
        });
    }
    group.finish();
}

/// Grundy values of H1, and its outcomes under misère play; no claim held against them.
fn quantities(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("h1, no claim");
    group.sample_size(10);
    let boxes = [16, 32, 48].map(|high| (high, "quantities = [\"grundy\"]")).into_iter();
    for (high, key) in boxes.chain([128, 256].map(|high| (high, "play = \"misere\""))) {
        let sweep = sweep_of(&format!("graph = \"H1\"\nweights = \"0..={high}\"\n{key}"));
        group.throughput(Throughput::Elements(sweep.configurations() as u64));
        group.bench_with_input(BenchmarkId::new(key, high), &sweep, |bench, sweep| {
            let bare = bare(sweep);
            bench.iter(|| solve(bare.as_ref()));
        });
    }
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("h1");
    group.sample_size(10);
    for high in [32, 64, 128, 256] {
        let sweep = sweep("H1", high);
        // The sizes here are far below what 64 bits hold.
        group.throughput(Throughput::Elements(sweep.configurations() as u64));
        group.bench_with_input(BenchmarkId::new("every claim", high), &sweep, |bench, sweep| bench.iter(|| solve(sweep.space.as_ref())));
        group.bench_with_input(BenchmarkId::new("no claim", high), &sweep, |bench, sweep| {
            let bare = bare(sweep);
            bench.iter(|| solve(bare.as_ref()));
        });
    }
    group.finish();
    lines(criterion);
    quantities(criterion);
    let mut group = criterion.benchmark_group("weights up to 24, every claim");
    group.sample_size(10);
    for graph in ["F1", "F2", "G1", "G2", "G3", "G4", "H1", "H2", "H3", "I1", "I2"] {
        let sweep = sweep(graph, 24);
        group.throughput(Throughput::Elements(sweep.configurations() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(graph), &sweep, |bench, sweep| bench.iter(|| solve(sweep.space.as_ref())));
    }
    group.finish();
}

criterion_group!(graph_nim, benches);
criterion_main!(graph_nim);
