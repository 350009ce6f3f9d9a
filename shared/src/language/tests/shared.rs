//! What occurs more than once in a claim is worked out once at a lane, and comes to the same as where it is not shared.

use super::board::{Board, Place};
use super::generate::vocabulary;
use crate::language::block::{Block, Column, Machine, Program};
use crate::language::walk::judge;
use crate::language::{Claim, PositionId, PositionList, Positions, Reading, Reason, Scope, Value, Verdict};
use crate::value::Games;

/// Positions that count how many of them are asked for.
struct Counted<'v> {
    board: Board<'v>,
    made: usize,
}

impl Positions for Counted<'_> {
    fn own(&mut self, lane: usize) -> PositionId {
        self.board.own(lane)
    }
    fn at(&mut self, of: PositionId, changes: &[(usize, i64)]) -> Result<PositionId, Reason> {
        self.made += 1;
        self.board.at(of, changes)
    }
    fn count(&mut self, list: PositionList) -> Result<u64, Reason> {
        self.board.count(list)
    }
    fn element(&mut self, list: PositionList, index: u64) -> Result<PositionId, Reason> {
        self.board.element(list, index)
    }
    fn read(&mut self, of: PositionId, variable: usize, games: &mut Games) -> Reading {
        self.board.read(of, variable, games)
    }
    fn text(&mut self, of: PositionId) -> String {
        self.board.text(of)
    }
    fn kept(&self) -> usize {
        self.board.kept()
    }
    fn release(&mut self, kept: usize) {
        self.board.release(kept);
    }
}

/// The lanes of these tests: a counts from 0 on, b is 10, c 3, and p is true at every third one.
const LANES: usize = 100;

/// How many other positions a claim takes on the block, and what it comes to, which is what the plain evaluator says.
fn held(condition: &str, says: &str) -> (usize, Vec<Verdict>) {
    let vocabulary = vocabulary();
    let scope = Scope::new(&vocabulary);
    let claim = Claim::says(Some(scope.statement(condition).unwrap()), scope.statement(says).unwrap());
    let p: Vec<bool> = (0..LANES).map(|lane| lane % 3 == 0).collect();
    let columns: Vec<Column<'_>> = (0..vocabulary.variables().len())
        .map(|index| match index {
            0 => Column::Counting { first: 0 },
            1 => Column::constant(10),
            2 => Column::constant(3),
            4 => Column::Booleans(&p),
            _ => Column::Constant(Reading::Absent),
        })
        .collect();
    let places: Vec<Place> = (0..LANES).map(|lane| [lane as i64, 10, 3]).collect();
    let mut games = Games::new(u64::MAX);
    let mut counted = Counted { board: Board::new(&vocabulary, places.clone()), made: 0 };
    let mut machine = Machine::new();
    let program = Program::new(&claim);
    let judged = program.judge(&Block::new(LANES, &columns), &mut games, &mut counted, &mut machine);
    let verdicts: Vec<Verdict> = (0..LANES).map(|lane| judged.at(lane)).collect();
    for (lane, verdict) in verdicts.iter().enumerate() {
        let mut position = vec![Reading::Absent; columns.len()];
        for (index, value) in [(0, lane as i64), (1, 10), (2, 3)] {
            position[index] = Value::Integer(value).into();
        }
        position[4] = Value::Boolean(p[lane]).into();
        let plain = judge(&claim, &position, &mut games, &mut Board::new(&vocabulary, vec![places[lane]]));
        assert_eq!(*verdict, plain, "where {condition}, says {says}, lane {lane}");
    }
    (counted.made, verdicts)
}

#[test]
fn a_part_is_worked_out_once_at_each_lane_that_asks_for_it() {
    let other = "at(a = a + b).c";
    let all = format!("{other} == 7 || (p ? {other} : {other} + 1) < {other} * 2");
    assert_eq!(held("true", &all).0, LANES);
    // Where p is false nobody asks.
    let some = format!("(p => {other} < 5) && (p => {other} > 1)");
    assert_eq!(held("true", &some).0, LANES.div_ceil(3));
    // Half of the lanes ask first, and the others later.
    let halves = format!("(p ? {other} : 0) + (p ? 0 : {other}) + {other} == 6");
    assert_eq!(held("true", &halves).0, LANES);
    // The hypothesis has it as well.
    assert_eq!(held(&format!("{other} > 0"), &format!("{other} > 1 && {other} < 4")).0, LANES);
}

#[test]
fn a_part_with_the_name_of_a_quantifier_is_another_one_for_each_element() {
    let says = "any(m in 0..=2, (m + a) * 2 == 6 && (m + a) * 2 > b - 5) || all(k in 1..=3, (k + a) * 2 > 8 && any(m in 0..=k, (m + a) * 2 == 12))";
    let (_, verdicts) = held("true", says);
    assert!(verdicts.contains(&Verdict::Held) && verdicts.contains(&Verdict::Refuted));
    // Where it has the names of two, it is another one for each element of either.
    let both = "count(m in 0..=3, count(k in 0..=2, (k * m + a) % 3 == 0 && (k * m + a) % 3 < 2) == 1) % 2 == 0";
    held("true", both);
}

#[test]
fn a_part_that_is_asked_for_again_takes_its_steps_again() {
    let count = "count(m in 0..=400000, m > a)";
    assert!(held("a < 2", &format!("{count} + {count} > 0")).1[..2].iter().all(|verdict| *verdict == Verdict::Held));
    let thrice = held("a < 2", &format!("{count} + {count} + {count} > 0")).1;
    assert_eq!(thrice[..2], [Verdict::Undefined(Reason::Steps); 2]);
    // In the hypothesis and in what is said steps are counted anew.
    let both = held(&format!("a < 2 && {count} + {count} > 0"), &format!("{count} + {count} > 5")).1;
    assert_eq!(both[..2], [Verdict::Held; 2]);
}

#[test]
fn a_lane_at_which_a_shared_part_has_no_value_keeps_its_reason() {
    let says = "(100 // (a - 5)) + 1 > 0 || (100 // (a - 5)) + 1 < 0";
    let (_, verdicts) = held("true", says);
    assert_eq!(verdicts[..6], [Verdict::Undefined(Reason::Divisor); 6]);
    assert_eq!(verdicts[6], Verdict::Held);
}
