//! What is counted by rows is what a visit to every position comes to.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::subsequence;

use crate::claim::Prediction;
use crate::families::{Entry, Game, Task};
use crate::sweep::{Fingerprint, Record, Shard, ShardResult, Smallest, Sweep, Tally};
use crate::value::{Impartial, Outcome};

use super::super::GraphNim;
use super::super::areas::{Areas, RowRange};
use super::super::claims::{Along, Area, H1Row, Subject};
use super::super::graph::Graph;
use super::{GoOn, sweep, task};

/// H1 by its name, with its edges in other orders, and with other letters.
pub const H1S: [&str; 4] = ["graph = \"H1\"", "edges = \"EF CD BC AB\"", "edges = \"XY PQ QR RS\"", "edges = \"CD EF AB BC\""];

pub fn h1_claims() -> Vec<String> {
    let about_h1 = |entry: &Entry<GraphNim>| entry.scope.as_ref().is_some_and(|scope| scope.along.is_some());
    GraphNim::claims().into_iter().filter(about_h1).map(|entry| entry.claim.id.into_owned()).collect()
}

/// A range of weights: from 0 or a bit more on, and with fewer than `most` weights beyond its first.
pub fn range(most: u32) -> impl Strategy<Value = String> {
    (prop_oneof![3 => Just(0), 1 => 1..most], 0..most).prop_map(|(low, more)| format!("{low}..={}", low + more))
}

/// A box on H1: each weight from one of 0, 1, 2 or more on, none above 39.
fn h1_box() -> impl Strategy<Value = String> {
    (0..H1S.len(), [range(20), range(20), range(20), range(20)]).prop_map(|(graph, ranges)| {
        let names = Graph::parse(["AB", "BC", "CD", "EF"]).unwrap();
        let edges = match graph {
            2 => vec!["XY", "PQ", "QR", "RS"],
            _ => vec!["AB", "BC", "CD", "EF"],
        };
        assert_eq!(names.edges().len(), edges.len());
        let weights: Vec<String> = edges.iter().zip(ranges).map(|(edge, range)| format!("{edge} = \"{range}\"")).collect();
        format!("[space]\n{}\nweights = {{ {} }}\n", H1S[graph], weights.join(", "))
    })
}

/// Configurations by their keys, the smallest first.
pub type Keys = Vec<Vec<u8>>;

/// Kept configurations by their keys, the smallest first, each with what is the case there.
pub type Kept = Vec<(Vec<u8>, String)>;

/// The whole sweep solved in shards: its tally, what is kept of each claim (counterexamples, then for each claim of the manifest where
/// it is not defined), and the P-positions.
pub fn solve_whole(sweep: &Sweep, units_per_shard: u64, record: Record) -> (Tally, Vec<Kept>, Keys) {
    let mut tally = Tally::new(sweep.claims.len());
    let mut kept = vec![Smallest::new(7); 2 * sweep.claims.len()];
    let mut losing = Vec::new();
    let mut solver = sweep.space.solver();
    let boxes = (0..sweep.space.boxes()).map(|index| (index, sweep.space.units(index)));
    let step = units_per_shard.min(1 << 40) as usize;
    for (box_index, start, units) in boxes.flat_map(|(index, units)| (0..units).step_by(step).map(move |start| (index, start, units))) {
        let end = units.min(start.saturating_add(units_per_shard));
        let shard = Shard { box_index, start, end };
        let task = Task { counterexamples: 7, record, ..task(sweep) };
        let part: ShardResult = solver.solve(&shard, &task, &mut GoOn).unwrap();
        tally.merge(&part.tally).unwrap();
        for (kept, candidates) in kept.iter_mut().zip(part.counterexamples) {
            candidates.into_iter().for_each(|candidate| drop(kept.offer((candidate.key, candidate.actual))));
        }
        losing.extend(part.records.into_iter().filter(|record| record.value == "P").map(|record| record.key));
    }
    let kept = kept.into_iter().map(Smallest::into_sorted);
    losing.sort();
    (tally, kept.collect(), losing)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any box on H1, any claims about it, cut in any way: counts, coverage, groups, counterexamples, records and fingerprint.
    #[test]
    fn rows_come_to_what_positions_come_to(space in h1_box(), claims in subsequence(h1_claims(), 1..=h1_claims().len()), cut in 1u64..400) {
        let sweep = sweep(&format!("claims = {claims:?}\n{space}"));
        // To keep all positions each of them must be visited.
        let by_positions = solve_whole(&sweep, u64::MAX, Record::All);
        for units_per_shard in [u64::MAX, cut] {
            let by_rows = solve_whole(&sweep, units_per_shard, Record::Losing);
            prop_assert_eq!(&by_rows, &by_positions);
            prop_assert_eq!(Fingerprint::of(&by_rows.0, &sweep.claim_ids()), Fingerprint::of(&by_positions.0, &sweep.claim_ids()));
        }
    }

    /// The areas of any row, counted in runs and pieces, are those of a visit to each position.
    #[test]
    fn pieces_have_the_size_and_the_claims_of_their_positions(
        areas in prop::collection::vec(prop::collection::vec((0i64..12, 0i64..6, 0i64..25, any::<bool>(), prop::option::of(0i64..12)), 0..4), 0..6),
        first in 0i64..6, lines in 1i64..20, pivot_low in 0i64..4, pivots in 0i64..12,
    ) {
        let range = RowRange { first, last: first + lines - 1, pivot_low, pivot_high: pivot_low + pivots };
        // One after the other, each behind the last.
        let areas: Vec<Vec<Area>> = areas.into_iter().map(|areas| {
            let mut x = 0;
            areas.into_iter().map(|(gap, length, low, falls, high)| {
                let from = x + gap % 3;
                x = from + length;
                Area { from, to: x - 1, low, falls, high: high.unwrap_or(i64::MAX) }
            }).collect()
        }).collect();
        let speaks = |area: &Area, x: i64, pivot: i64| {
            (area.from..=area.to).contains(&x) && (area.low - if area.falls { x } else { 0 }..=area.high).contains(&pivot)
        };
        let mut counted = Areas::default();
        for (index, areas) in areas.iter().enumerate() {
            counted.claim(1 << index, range, |area| areas.iter().for_each(|one| area(*one)));
        }
        let mut next = range.first;
        let mut failed = None;
        counted.runs(range, |run| {
            assert_eq!(run.from, next);
            next = run.to + 1;
            let mut sizes = vec![0; run.pieces()];
            let claims: Vec<(u64, i64)> = run.each().collect();
            for x in run.from..=run.to {
                for pivot in range.pivot_low..=range.pivot_high {
                    let piece = run.piece(x, pivot);
                    sizes[piece] += 1;
                    let expected = (0..areas.len()).filter(|index| areas[*index].iter().any(|area| speaks(area, x, pivot)));
                    if claims[piece].0 != expected.fold(0, |all, index| all | 1 << index) {
                        failed = Some((x, pivot));
                    }
                }
            }
            assert_eq!(sizes, claims.iter().map(|(_, size)| *size).collect::<Vec<i64>>());
        });
        prop_assert_eq!((failed, next), (None, range.last + 1));
    }
}

/// Each claim's areas and spots against its prediction, position by position.
#[test]
fn along_a_row_claims_say_what_they_say_of_its_positions() {
    let subject = Arc::new(Subject::new(Graph::named("H1").unwrap()));
    for entry in GraphNim::claims() {
        let Some(along) = entry.scope.as_ref().and_then(|scope| scope.along) else { continue };
        for (fixed, ef) in (0..=36).flat_map(|fixed| (0..=19).map(move |ef| (fixed, ef))) {
            let row = H1Row { fixed, ef, first: 0, last: 40 };
            let mut speaks = vec![[false; 24]; 41];
            let mut at = |x: i64, pivots: std::ops::RangeInclusive<i64>| {
                (0..24)
                    .filter(|pivot| pivots.contains(pivot) && (0..=40).contains(&x))
                    .for_each(|pivot| speaks[x as usize][pivot as usize] = true);
            };
            match along {
                Along::Winning(areas) => areas(&row, &mut |area| {
                    (area.from..=area.to).for_each(|x| at(x, area.low - if area.falls { x } else { 0 }..=area.high));
                }),
                Along::Spots(spots) => spots(&row, &mut |x, pivot| at(x, pivot..=pivot)),
            }
            for (x, line) in speaks.iter().enumerate() {
                for (pivot, speaks) in line.iter().enumerate() {
                    for weights in [[fixed as u32, pivot as u32, x as u32, ef as u32], [x as u32, pivot as u32, fixed as u32, ef as u32]] {
                        let says = entry.predict(&subject.view(&weights)).unwrap();
                        let agrees = match (along, says) {
                            (Along::Winning(_), says) => {
                                *speaks == matches!(says, Prediction::Value(Impartial::Outcome(Outcome::N)))
                                    && *speaks != matches!(says, Prediction::Silent)
                            }
                            (Along::Spots(_), Prediction::Silent) => true,
                            (Along::Spots(_), says) => *speaks && !matches!(says, Prediction::Value(Impartial::Outcome(Outcome::N))),
                        };
                        assert!(agrees, "{} at {weights:?}", entry.claim.id);
                    }
                }
            }
        }
    }
}

/// The count of H1 that is known from elsewhere, by rows, with every claim.
#[test]
fn h1_up_to_32_by_rows_has_7971_p_positions() {
    let sweep = sweep("[space]\ngraph = \"H1\"\nweights = \"0..=32\"\n");
    let (tally, _, losing) = solve_whole(&sweep, 1000, Record::Losing);
    assert_eq!((losing.len(), GraphNim::ID), (7971, "graph-nim"));
    assert_eq!(tally.coverage.0.iter().filter(|(key, _)| key.value == "P").map(|(_, count)| count).sum::<u128>(), 7971);
}
