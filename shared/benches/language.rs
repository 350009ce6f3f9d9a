//! Claims of manifests against the same statements compiled in: positions a second on one core, and how many times as long the
//! language takes. Ratios between runs on one machine are what these are for.

#![allow(clippy::print_stdout)] // A bench prints its figures.

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use refute_shared::language::block::{Block, Column, Machine, Program};
use refute_shared::language::{Alone, Claim, Role, Scope, Type, Variable, Verdict, Vocabulary};
use refute_shared::value::{Games, Outcome};

/// What a position has: the weights AB, BC, CD, EF and the outcome.
type Weights = [i64; 4];

/// A statement twice: as text, and compiled in.
struct Statement {
    name: &'static str,
    condition: &'static str,
    says: &'static str,
    /// As a function, which is how predicates that are compiled in are called.
    compiled: fn(Weights, Outcome) -> Verdict,
    /// The same as part of the loop over the positions, which nobody can do for predicates from a list.
    inlined: fn(&[Positions]) -> [usize; 2],
}

/// Positions side by side: the weights of each edge, and the outcomes.
type Positions = ([Vec<i64>; 4], Vec<Outcome>);

/// How many verdicts are which: held, refuted.
fn count(blocks: &[Positions], predicate: impl Fn(Weights, Outcome) -> Verdict) -> [usize; 2] {
    let mut counts = [0; 2];
    for ([ab, bc, cd, ef], outcomes) in blocks {
        let weights = ab.iter().zip(bc).zip(cd).zip(ef);
        for ((((ab, bc), cd), ef), outcome) in weights.zip(outcomes) {
            let verdict = predicate([*ab, *bc, *cd, *ef], *outcome);
            counts[0] += usize::from(verdict == Verdict::Held);
            counts[1] += usize::from(verdict == Verdict::Refuted);
        }
    }
    counts
}

fn told(holds: bool) -> Verdict {
    if holds { Verdict::Held } else { Verdict::Refuted }
}

fn r5([ab, bc, cd, ef]: Weights, outcome: Outcome) -> Verdict {
    if ef >= 11 && ab.rem_euclid(1 << (ef.ilog2() + 1)) == 5 && bc == 1 {
        told((outcome == Outcome::P) == (cd == ab + 1))
    } else {
        Verdict::Silent
    }
}

fn galaxy([ab, bc, cd, ef]: Weights, outcome: Outcome) -> Verdict {
    let predicted = if ab ^ cd ^ ef == 0 { Outcome::P } else { Outcome::N };
    if bc == 0 { told(outcome == predicted) } else { Verdict::Silent }
}

fn lemma_4_7([ab, bc, cd, ef]: Weights, outcome: Outcome) -> Verdict {
    let speaks = ab >= 1 && bc >= 1 && cd >= 1 && ef >= 1 && ((ab <= ef && ef <= ab + bc) || (cd <= ef && ef <= bc + cd));
    if speaks { told(outcome == Outcome::N) } else { Verdict::Silent }
}

/// What has a name and is used many times.
fn shared([ab, bc, cd, ef]: Weights, outcome: Outcome) -> Verdict {
    let s = (ab * 3 + bc) % (cd + 7) + (ef ^ cd) * 2;
    told(outcome == Outcome::N || s < 40 || (s % 5 != 2 && s % 7 != 3) || (s > 90 && s - ab < 300) || s + s % (bc + 1) > 17)
}

const STATEMENTS: [Statement; 4] = [
    Statement {
        name: "r5",
        condition: "EF >= 11 && AB % M == 5 && BC == 1",
        says: "outcome == P <=> CD == AB + 1",
        compiled: r5,
        inlined: |blocks| count(blocks, r5),
    },
    Statement {
        name: "a name used 8 times",
        condition: "true",
        says: "outcome == N || S < 40 || S % 5 != 2 && S % 7 != 3 || S > 90 && S - AB < 300 || S + S % (BC + 1) > 17",
        compiled: shared,
        inlined: |blocks| count(blocks, shared),
    },
    Statement {
        name: "galaxy",
        condition: "BC == 0",
        says: "outcome == (AB xor CD xor EF == 0 ? P : N)",
        compiled: galaxy,
        inlined: |blocks| count(blocks, galaxy),
    },
    Statement {
        name: "lemma 4.7",
        condition: "AB >= 1 && BC >= 1 && CD >= 1 && EF >= 1 && (AB <= EF <= AB + BC || CD <= EF <= BC + CD)",
        says: "outcome == N",
        compiled: lemma_4_7,
        inlined: |blocks| count(blocks, lemma_4_7),
    },
];

/// Which weight differs from position to position in a block.
#[derive(Clone, Copy)]
enum Along {
    Bc,
    Ab,
    Everything,
}

const WAYS: [(&str, Along); 3] = [("along BC", Along::Bc), ("along AB", Along::Ab), ("every weight at random", Along::Everything)];

const LANES: usize = 1024;
const BLOCKS: usize = 256;

/// A statement ready to be held against blocks, and the blocks.
struct Run {
    program: Program,
    games: Games,
    machine: Machine,
    blocks: Vec<Positions>,
    along: Along,
}

impl Run {
    fn new(statement: &Statement, along: Along) -> Self {
        let edge = |name: &str| Variable::new(name, Type::Integer, Role::Parameter, "");
        let outcome = Variable::new("outcome", Type::Outcome, Role::Predicted, "");
        let vocabulary = Vocabulary::new(vec![edge("AB"), edge("BC"), edge("CD"), edge("EF"), outcome]);
        let vocabulary = vocabulary.unwrap_or_else(|error| panic!("{error}"));
        let mut scope = Scope::new(&vocabulary);
        scope.define("M", "pow2(floor_log2(EF) + 1)").unwrap_or_else(|error| panic!("{error}"));
        scope.define("S", "(AB * 3 + BC) % (CD + 7) + (EF xor CD) * 2").unwrap_or_else(|error| panic!("{error}"));
        let read = |text: &str| scope.statement(text).unwrap_or_else(|error| panic!("{error}"));
        let claim = Claim::says(Some(read(statement.condition)), read(statement.says));
        let mut state = 1u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % below) as i64
        };
        let mut block = || {
            let base = [(); 4].map(|()| random(257));
            let weights = [0, 1, 2, 3].map(|edge| {
                let weight = |lane: usize| match (along, edge) {
                    (Along::Bc, 1) | (Along::Ab, 0) => lane as i64,
                    (Along::Everything, _) => random(257),
                    _ => base[edge],
                };
                (0..LANES).map(weight).collect::<Vec<i64>>()
            });
            let outcomes = (0..LANES).map(|_| if random(9) == 0 { Outcome::P } else { Outcome::N }).collect();
            (weights, outcomes)
        };
        let blocks = (0..BLOCKS).map(|_| block()).collect();
        let (games, machine) = (Games::new(u64::MAX), Machine::new());
        Self { program: Program::new(&claim), games, machine, blocks, along }
    }

    /// How many verdicts are which: held, refuted.
    fn language(&mut self) -> [usize; 2] {
        let Self { program, games, machine, blocks, along } = self;
        let mut counts = [0; 2];
        for (weights, outcomes) in blocks {
            let column = |edge: usize| match (*along, edge) {
                (Along::Bc, 1) | (Along::Ab, 0) => Column::Counting { first: 0 },
                (Along::Everything, _) => Column::Integers(&weights[edge]),
                _ => Column::constant(weights[edge][0]),
            };
            let columns = [column(0), column(1), column(2), column(3), Column::Outcomes(outcomes)];
            for verdict in program.judge(&Block::new(LANES, &columns), games, &mut Alone, machine).verdicts {
                counts[0] += usize::from(*verdict == Verdict::Held);
                counts[1] += usize::from(*verdict == Verdict::Refuted);
            }
        }
        counts
    }
}

/// The least time of several runs, in seconds.
fn least_seconds(mut run: impl FnMut() -> [usize; 2]) -> f64 {
    let one = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..30).map(one).fold(f64::INFINITY, f64::min)
}

fn benches(criterion: &mut Criterion) {
    let positions = (LANES * BLOCKS) as u64;
    for statement in &STATEMENTS {
        for (way, along) in WAYS {
            let mut run = Run::new(statement, along);
            let compiled = |run: &Run| count(&run.blocks, black_box(statement.compiled));
            assert_eq!(run.language(), compiled(&run), "{} {way}", statement.name);
            let seconds = least_seconds(|| run.language());
            let called = least_seconds(|| compiled(&run));
            let inlined = least_seconds(|| (statement.inlined)(&run.blocks));
            println!(
                "{}, {way}: {:.2e} positions a second; compiled in and called {:.2e}, {:.2} of its time; inlined {:.2e}, {:.2} of its time",
                statement.name,
                positions as f64 / seconds,
                positions as f64 / called,
                seconds / called,
                positions as f64 / inlined,
                seconds / inlined,
            );
        }
    }
    let mut group = criterion.benchmark_group("language");
    group.sample_size(10);
    group.throughput(Throughput::Elements(positions));
    for statement in &STATEMENTS {
        for (way, along) in WAYS {
            let mut run = Run::new(statement, along);
            group.bench_function(BenchmarkId::new(statement.name, way), |bench| bench.iter(|| run.language()));
        }
    }
    group.finish();
}

criterion_group!(language, benches);
criterion_main!(language);
