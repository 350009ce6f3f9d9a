//! The outcome sequences of partizan subtraction: heaps a second of one core, by kind of set.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use refute_shared::families::partizan_subtraction::{OutcomeSequence, Ruleset, SubtractionSet};
use refute_shared::value::Outcome;

const HEAPS: usize = 1 << 20;

fn set(text: &str) -> SubtractionSet {
    SubtractionSet::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("outcomes");
    group.sample_size(10);
    group.throughput(Throughput::Elements(HEAPS as u64));
    let rulesets = [
        ("intervals inside 1..=64", "1..=3", "5..=7"),
        ("any sets inside 1..=64", "1,4,6,33", "2..=9,64"),
        ("intervals up to 60000", "1..=20000", "30000..=60000"),
        ("any sets up to 1000", "1,4,600", "2..=9,1000"),
    ];
    for (name, left, right) in rulesets {
        let ruleset = Ruleset { left: set(left), right: set(right) };
        let mut outcomes = vec![Outcome::P; HEAPS];
        group.bench_function(BenchmarkId::from_parameter(name), |bench| {
            bench.iter(|| {
                OutcomeSequence::new(&ruleset).fill(&mut outcomes);
                outcomes[HEAPS - 1]
            });
        });
    }
    group.finish();
}

criterion_group!(partizan_subtraction, benches);
criterion_main!(partizan_subtraction);
