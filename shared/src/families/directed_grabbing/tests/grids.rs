//! Grids: the sets of cells are the paper's, values in bit planes equal the lattice and the reference, and claims are counted
//! as they predict.

use proptest::prelude::*;

use crate::claim::Check;
use crate::families::judge::keyed;
use crate::families::{Game, GameBox, GameSolver, Judge, Predicate, Room, Task};
use crate::sweep::{ClaimTally, Group, Record, Shard};

use super::super::DirectedGrabbing;
use super::super::boxes::GrabbingBox;
use super::super::claims::{Demand, Least, Scope, on_grid};
use super::super::key::WeightedDigraph;
use super::super::lattice::Valuer;
use super::super::rules::{Grid, Position, totals};
use super::super::sliced::{LANES, SlicedGrid};
use super::super::sweeper::GrabbingSolver;
use super::{GoOn, counts, reference, solve, sweep, tally};

fn position(grid: Grid, olives: u64) -> Position {
    Position::of_grid(grid, (0..grid.vertices()).map(|cell| (olives >> cell & 1) as i64).collect()).unwrap()
}

fn demand(claim: &str, rows: usize, columns: usize) -> Option<Demand> {
    let entry = DirectedGrabbing::claims().into_iter().find(|entry| entry.claim.id == format!("olives/{claim}")).unwrap();
    let Some(Scope::Grids(demand)) = entry.scope else { panic!("{claim} is not about grids") };
    demand(Grid { rows, columns })
}

/// The cells of a set, row by row.
fn cells(claim: &str, rows: usize, columns: usize) -> String {
    let Some(demand) = demand(claim, rows, columns) else { return "silent".into() };
    let cell = |cell: usize| if demand.cells >> cell & 1 == 1 { '1' } else { '0' };
    (0..rows).map(|row| (row * columns..(row + 1) * columns).map(cell).collect::<String>()).collect::<Vec<_>>().join(";")
}

#[test]
fn the_sets_are_those_of_the_paper() {
    for (claim, rows, columns, expected) in [
        ("set-c-even", 2, 4, "0101;0101"),
        ("set-c-even", 3, 2, "01;01;01"),
        ("set-c-even", 2, 3, "silent"),
        ("set-r-even", 4, 3, "000;111;000;111"),
        ("set-r-even", 3, 4, "silent"),
        ("set-c-odd-0", 4, 5, "00101;10101;00101;10101"),
        ("set-c-odd-0", 2, 1, "0;1"),
        ("set-c-odd-0", 3, 3, "silent"),
        ("set-r-odd-0", 3, 4, "0101;0000;1111"),
        ("set-r-odd-0", 1, 2, "01"),
        ("set-r-odd-0", 2, 4, "silent"),
        ("set-c-odd-1", 3, 3, "101;001;101"),
        ("set-c-odd-1", 1, 1, "1"),
        ("set-r-odd-1", 3, 3, "101;000;111"),
        ("set-r-odd-1", 3, 2, "silent"),
        ("set-r-even-c-even", 5, 3, "000;010;000;010;000"),
        ("set-r-even-c-even", 1, 3, "000"),
        ("set-r-even-c-even", 4, 4, "silent"),
        ("set-even-even", 4, 4, "0000;0000;0010;0000"),
        ("set-even-even", 4, 5, "silent"),
        ("set-even-odd", 4, 5, "00000;00000;01010;00000"),
        ("set-even-odd", 3, 3, "silent"),
        ("set-odd-even", 5, 4, "0000;0010;0000;0010;0000"),
        ("set-odd-even", 4, 5, "silent"),
        ("single-vertex-inner", 4, 4, "0000;0110;0110;0000"),
        ("single-vertex-inner", 2, 5, "silent"),
        ("single-vertex-off-first", 2, 3, "000;011"),
        ("single-vertex-off-first", 1, 5, "silent"),
        ("third", 3, 3, "000;011;011"),
        ("third", 1, 3, "000"),
    ] {
        assert_eq!(cells(claim, rows, columns), expected, "{claim} on {rows} x {columns}");
    }
}

#[test]
fn a_single_olive_is_spoken_of_where_it_is_the_only_one() {
    let single = demand("single-vertex-off-first", 2, 2).unwrap();
    let spoken: Vec<u64> = (0..16).filter(|olives| single.on(*olives) == Some(1)).collect();
    assert_eq!(spoken, [0b1000]);
    let third = demand("third", 3, 3).unwrap();
    let least = |olives| third.on(olives);
    assert_eq!([least(0), least(0b0_0001_0000), least(0b1_1011_0000), least(0b1_1011_1111)], [Some(0), Some(1), Some(2), Some(2)]);
}

/// Every 0/1 weighting of every grid up to 3 x 4: the planes, the lattice and, of the larger ones, a sample by the reference.
#[test]
fn the_planes_equal_the_lattice_and_the_reference() {
    for (rows, columns) in (1..=3).flat_map(|rows| (1..=4).map(move |columns| (rows, columns))) {
        let grid = Grid { rows, columns };
        let weightings = 1u64 << grid.vertices();
        let mut sliced = SlicedGrid::new(grid).unwrap();
        let mut valuer = Valuer::default();
        for block in 0..weightings.div_ceil(LANES as u64) {
            for (olives, value) in (block * LANES as u64..weightings).zip(sliced.values(block)) {
                let position = position(grid, olives);
                assert_eq!(i64::from(value), valuer.value(&position), "{grid:?} {olives:b}");
                if weightings <= 1 << 10 || olives % 7 == 0 {
                    assert_eq!(i64::from(value), reference(&position), "{grid:?} {olives:b}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A weight raised by 1, by as much as there are cells, and in between: there numbers need a plane more.
    #[test]
    fn raised_weights_in_planes_equal_the_lattice(
        rows in 1usize..7, columns in 1usize..8, block: u64, cell: usize, lane in 0..LANES, amount: usize,
    ) {
        let grid = Grid { rows, columns };
        let (weightings, cell) = (1u64 << grid.vertices(), cell % grid.vertices());
        let olives = (block % weightings + lane as u64) % weightings;
        let (block, lane) = (olives / LANES as u64, (olives % LANES as u64) as usize);
        let (plain, mut sliced) = (position(grid, olives), SlicedGrid::new(grid).unwrap());
        for amount in [1, amount % grid.vertices() + 1, grid.vertices()] {
            let value = sliced.raised_values(block, cell, amount as u32)[lane];
            let raised = plain.with_weight(cell, plain.weights[cell] + amount as i64);
            prop_assert_eq!(i64::from(value), Valuer::default().value(&raised), "{}", amount);
        }
        sliced.values(block);
        prop_assert_eq!(i64::from(sliced.after_first_move()[lane]), Valuer::default().value(&plain.without(1)));
    }

    /// Blocks of large grids, whose numbers need 7 planes from 32 cells on.
    #[test]
    fn the_planes_equal_the_lattice_on_large_grids(rows in 1usize..7, columns in 1usize..8, block: u64, lane in 0..LANES) {
        let grid = Grid { rows, columns };
        let weightings = 1u64 << grid.vertices();
        let block = block % weightings.div_ceil(LANES as u64);
        let olives = (block * LANES as u64 + lane as u64) % weightings;
        let block = olives / LANES as u64;
        let value = SlicedGrid::new(grid).unwrap().values(block)[(olives % LANES as u64) as usize];
        prop_assert_eq!(i64::from(value), Valuer::default().value(&position(grid, olives)));
        // Transposing a grid changes nothing.
        let transposed = Grid { rows: columns, columns: rows };
        let mirrored = (0..grid.vertices()).filter(|cell| olives >> cell & 1 == 1).fold(0, |set, cell| set | 1 << (cell % columns * rows + cell / columns));
        prop_assert_eq!(i64::from(value), Valuer::default().value(&position(transposed, mirrored)));
    }
}

/// The fast count of every claim about grids equals that of its prediction, weighting by weighting.
#[test]
fn claims_are_counted_as_they_predict() {
    for (rows, columns) in [(3, 3), (1, 4), (2, 3), (1, 1), (3, 1)] {
        claims_are_counted_on(Grid { rows, columns });
    }
}

fn claims_are_counted_on(grid: Grid) {
    let Grid { rows, columns } = grid;
    let space = format!("grid = {{ rows = {rows}, columns = {columns}, weights = \"0..=1\" }}");
    let sweep = sweep(&format!("claims = [\"olives/*\"]\n[space]\n{space}\n"));
    let tally = tally(&sweep);
    let (entries, mut valuer) = (DirectedGrabbing::claims(), Valuer::default());
    let mut expected = vec![ClaimTally::default(); sweep.claims.len()];
    for position in (0..1 << grid.vertices()).map(|olives| position(grid, olives)) {
        let value = reference(&position);
        for (id, counts) in sweep.claim_ids().into_iter().zip(&mut expected) {
            let entry = entries.iter().find(|entry| entry.claim.id == id).unwrap();
            let says = entry.predict(&position).unwrap();
            let needed: Vec<i64> = says.needs().iter().map(|position| valuer.value(position)).collect();
            match says.check(Some(&value), &needed) {
                Check::Held => counts.held += 1,
                Check::Vacuous => counts.vacuous += 1,
                Check::Refuted => counts.refuted += 1,
                Check::Silent | Check::Undefined => {}
            }
        }
    }
    assert_eq!(tally.claims, expected, "{grid:?}");
}

/// More than Content can collect: every olive.
fn every_olive(grid: Grid) -> Option<Demand> {
    Some(Demand { cells: grid.cells(|_, _| true), least: Least::All })
}

/// No claim about grids is refuted on grids that are small enough for a test, so here is one that is.
#[test]
fn what_the_planes_leave_open_is_decided_by_the_prediction() {
    let grid = Grid { rows: 2, columns: 3 };
    let mut entry = DirectedGrabbing::claims().into_iter().find(|entry| entry.claim.id == "olives/set-r-even").unwrap();
    entry.scope = Some(Scope::Grids(every_olive));
    entry.predicate = Predicate::Written(|position| on_grid(position, every_olive));
    let one = GrabbingBox::parse(&"grid = { rows = 2, columns = 3, weights = \"0..=1\" }".parse().unwrap(), &mut Room::default())
        .unwrap()
        .remove(0);
    let entries = [entry];
    let task = Task { counterexamples: 64, record: Record::None, budget_bytes: 1 << 30 };
    let mut judge = Judge::new(7, &entries, |_| true, &task);
    GrabbingSolver::new(&one).solve(&one, 0..one.units(), &mut judge, &mut GoOn).unwrap();
    let result = judge.finish();
    let refuted = (0..1u64 << grid.vertices()).map(|olives| position(grid, olives)).filter(|position| {
        let (_, bob) = totals(position.sum(), reference(position));
        bob < position.sum()
    });
    let mut expected: Vec<Vec<u8>> = refuted.map(|position| keyed(7, &WeightedDigraph::Grid(grid, position.weights))).collect();
    expected.sort();
    assert!(expected.len() > 10);
    assert_eq!((result.tally.claims[0].held, result.tally.claims[0].refuted), (64 - expected.len() as u128, expected.len() as u128));
    let found: Vec<Vec<u8>> = result.counterexamples[0].iter().map(|candidate| candidate.key.clone()).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_least_totals_are_those_of_the_definition_however_the_space_is_cut() {
    let sweep = sweep("[space]\ngrid = { rows = 3, columns = \"3..=4\", weights = \"0..=1\" }\n");
    let mut whole = crate::sweep::Tally::new(sweep.claims.len());
    for unit in (0..sweep.space.units(0)).rev() {
        whole.merge(&solve(sweep.space.solver().as_mut(), &sweep, &Shard { box_index: 0, start: unit, end: unit + 1 }).tally).unwrap();
    }
    assert_eq!(whole, tally(&sweep));
    let mut shown = 0;
    for columns in [3, 4] {
        let grid = Grid { rows: 3, columns };
        let inner = grid.cells(|i, j| i >= 2 && j >= 2);
        for (kind, mask) in [("all", u64::MAX), ("off", inner)] {
            for number in 0..=(mask & ((1 << grid.vertices()) - 1)).count_ones() {
                let contents = (0..1u64 << grid.vertices()).filter(|olives| (olives & mask).count_ones() == number).map(|olives| {
                    let position = position(grid, olives);
                    let (alice, bob) = totals(position.sum(), Valuer::default().value(&position));
                    (if columns == 3 { alice } else { bob }, olives)
                });
                let (least, olives) = contents.min().unwrap();
                let group = Group::least(format!("03 0{columns} {kind} {number:02}"));
                assert_eq!(whole.groups.0.get(&(0, group.clone())), Some(&((least as u128) << 64 | u128::from(olives))), "{group:?}");
                let (words, total) = sweep.space.group_in_words(&group, whole.groups.0[&(0, group.clone())]);
                assert!(words.starts_with(&format!("3 x {columns}, {number} olive")), "{words}");
                assert_eq!(total, least as u128);
                shown += 1;
            }
        }
    }
    assert_eq!(whole.groups.0.len(), shown);
}

#[test]
fn a_least_total_is_told_with_a_grid_that_attains_it() {
    let sweep = sweep("[space]\ngrid = { rows = 2, columns = 3, weights = \"0..=1\" }\n");
    let words = |label: &str| sweep.space.group_in_words(&Group::least(label), 2 << 64 | 0b11_0001);
    let expected = "2 x 3, 1 olive in all, the least that Content collects, as on 100;011";
    assert_eq!(words("02 03 all 01"), (expected.to_owned(), 2));
    assert_eq!(words("02 03 off 04").0, "2 x 3, 4 olives with i, j >= 2 (a third: 2), the least that Content collects, as on 100;011");
    // What a worker of another kind may send is shown as it is.
    for strange in ["02 03 all", "02 99 all 01", "02 03 odd 01", "x"] {
        assert_eq!(words(strange), (strange.to_owned(), 2 << 64 | 0b11_0001));
    }
}

#[test]
fn the_sets_of_the_propositions_hold_on_small_grids() {
    let sweep = sweep("claims = [\"olives/set-*\"]\n[space]\ngrid = { rows = \"1..=3\", columns = \"1..=3\", weights = \"0..=1\" }\n");
    let tally = tally(&sweep);
    for claim in ["set-c-even", "set-r-even", "set-c-odd-0", "set-r-odd-0", "set-c-odd-1", "set-r-odd-1", "set-r-even-c-even"] {
        let (held, refuted) = counts(&sweep, &tally, claim);
        assert!(held > 0 && refuted == 0, "{claim}: {held}, {refuted}");
    }
    // q even: 1 x 2, 2 x 2 and 3 x 2.
    assert_eq!(counts(&sweep, &tally, "set-c-even").0, 4 + 16 + 64);
}
