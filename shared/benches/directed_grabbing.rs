//! Directed grabbing: blocks of 0/1 weightings of a grid a second of one core, and vertices of unions of paths a second, which
//! falls with log q for q paths.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use refute_shared::families::directed_grabbing::{Grid, LANES, SlicedGrid, value_of_paths};

/// Weights that look random, by a linear congruential generator.
fn weights(count: usize) -> Vec<i64> {
    let mut state = 1u64;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 44) as i64
    };
    (0..count).map(next).collect()
}

fn grids(criterion: &mut Criterion) {
    const BLOCKS: u64 = 64;
    let mut group = criterion.benchmark_group("0/1 weightings of a grid");
    group.sample_size(10);
    group.throughput(Throughput::Elements(BLOCKS * LANES as u64));
    for (rows, columns) in [(4, 4), (4, 5), (5, 5), (6, 6)] {
        let mut grid = SlicedGrid::new(Grid { rows, columns }).unwrap_or_else(|error| panic!("{error}"));
        group.bench_function(BenchmarkId::from_parameter(format!("{rows} x {columns}")), |bench| {
            bench.iter(|| (0..BLOCKS).map(|block| i64::from(grid.values(block)[7])).sum::<i64>());
        });
    }
    group.finish();
}

fn paths(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("unions of paths");
    group.sample_size(10);
    for vertices in [10_000, 100_000, 1_000_000] {
        for count in [10, 1_000, vertices / 2] {
            // Rising from the source, so that nothing is reduced and all q lists are merged; and as they come.
            let falling: Vec<Vec<i64>> = weights(vertices).chunks(vertices / count).map(sorted).collect();
            let random: Vec<Vec<i64>> = weights(vertices).chunks(vertices / count).map(<[i64]>::to_vec).collect();
            group.throughput(Throughput::Elements(vertices as u64));
            for (name, union) in [("falling", &falling), ("random", &random)] {
                group.bench_function(BenchmarkId::new(name, format!("{vertices} vertices, {count} paths")), |bench| {
                    bench.iter(|| value_of_paths(union));
                });
            }
        }
    }
    group.finish();
}

fn sorted(path: &[i64]) -> Vec<i64> {
    let mut path = path.to_vec();
    path.sort_unstable_by(|a, b| b.cmp(a));
    path.dedup();
    path
}

criterion_group!(directed_grabbing, grids, paths);
criterion_main!(directed_grabbing);
