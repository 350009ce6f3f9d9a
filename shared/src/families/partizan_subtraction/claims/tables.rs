//! The printed tables, cell by cell, and the examples and remarks beside them. The tables themselves are the files in `tables/`.

use crate::claim::Prediction;
use crate::value::{Games, Order, Outcome};

use super::super::quantity::{Form, Value, Weight};
use super::super::rules::Support;
use super::position::{Position, Question, Says, relation, weight_if};

const TABLE_1: &str = include_str!("tables/table_1.txt");
const TABLE_3: &str = include_str!("tables/table_3.txt");
const TABLE_4: &str = include_str!("tables/table_4.txt");
const TABLE_5: &str = include_str!("tables/table_5.txt");

/// Steps that reading a cell may take: a cell is a few dozen characters.
const STEPS: u64 = 1 << 20;

/// The cells of a row of a table, without its first field, which is n.
fn row(table: &'static str, n: u64) -> Option<Vec<&'static str>> {
    let mut rows = table.lines().map(|line| line.split('\t'));
    rows.find_map(|mut fields| (fields.next()?.parse() == Ok(n)).then(|| fields.collect()))
}

/// Whether a canonical form has exactly these options on each side, as far as a side is given.
fn has_options(form: &Form, left: Option<&str>, right: Option<&str>) -> bool {
    let mut games = Games::new(STEPS);
    let Ok(game) = games.parse(&form.text) else { return false };
    let sides = [(left, games.left(game).to_vec()), (right, games.right(game).to_vec())];
    sides.into_iter().all(|(cell, found)| {
        let Some(cell) = cell else { return true };
        games.parse_options(cell).is_ok_and(|mut printed| {
            printed.sort_unstable();
            printed == found
        })
    })
}

/// That a canonical form has these options.
fn options_are(position: &Position, left: Option<String>, right: Option<String>) -> Says {
    let side = |name: &str, cell: &Option<String>| cell.as_ref().map(|cell| format!("{name} options {cell}"));
    let says = [side("Left", &left), side("Right", &right)].into_iter().flatten().collect::<Vec<_>>().join("; ");
    let holds = move |values: &[Value]| {
        values.iter().all(|value| value.form().is_some_and(|form| has_options(form, left.as_deref(), right.as_deref())))
    };
    relation(vec![Question::Form(*position)], holds, says, "other options")
}

/// A column a ruleset, a row a heap: the Right options.
pub fn table_1(position: &Position) -> Says {
    let Position { support: Support { a, b, tau }, heap } = *position;
    let column = [(3, 5), (4, 7), (2, 7)].iter().position(|ruleset| *ruleset == (a, b)).filter(|_| tau == 0);
    match column.and_then(|column| row(TABLE_1, heap)?.get(column).copied()) {
        Some(cell) => options_are(position, None, Some(cell.to_owned())),
        None => Prediction::Silent,
    }
}

/// The two columns of table 2: for the ruleset and the heap, how many moves in a row Left needs to end the canonical form; Right
/// can end it at any time. F(4;3,2) is the negative of F(4;2,3), so there the players change places.
const TABLE_2: [(Support, u64, u64); 2] = [(Support { a: 3, b: 4, tau: 0 }, 10, 4), (Support { a: 2, b: 3, tau: 0 }, 4, 2)];

pub fn table_2(position: &Position) -> Says {
    let is_meant = |column: &&(Support, u64, u64)| (column.0, column.1) == (position.support, position.heap);
    let Some((_, heap, moves)) = TABLE_2.iter().find(is_meant) else { return Prediction::Silent };
    let needs = (0..=*heap).map(|heap| Question::Form(position.at(heap))).collect();
    let holds = move |values: &[Value]| {
        let forms: Vec<&Form> = values.iter().filter_map(Value::form).collect();
        left_moves_to_end(&forms, *heap) == Some(*moves) && right_can_end_any_time(&forms, *heap)
    };
    let says = format!("Left needs {moves} moves in a row to end it, Right can end it at any time");
    relation(needs, holds, says, "it ends in another number of moves in a row")
}

/// The least number of moves in a row with which Left gets to the game without options. `forms` has the heaps from 0 on.
fn left_moves_to_end(forms: &[&Form], heap: u64) -> Option<u64> {
    let mut least: Vec<Option<u64>> = Vec::new();
    for form in forms {
        let is_ended = form.left.is_empty() && form.right.is_empty();
        let moves = form.left.iter().filter_map(|option| *least.get(usize::try_from(*option).ok()?)?).min();
        least.push(if is_ended { Some(0) } else { moves.map(|moves| moves + 1) });
    }
    *least.get(usize::try_from(heap).ok()?)?
}

/// Whether Right can move to 0 now and after any number of Left's moves in a row, as long as it is not 0.
fn right_can_end_any_time(forms: &[&Form], heap: u64) -> bool {
    let mut waiting = vec![heap];
    while let Some(heap) = waiting.pop() {
        let Some(form) = usize::try_from(heap).ok().and_then(|heap| forms.get(heap)) else { return false };
        if form.least != 0 && !form.right.contains(&0) {
            return false;
        }
        waiting.extend(&form.left);
    }
    true
}

pub fn table_3(position: &Position) -> Says {
    let is_meant = position.support == Support { a: 3, b: 7, tau: 4 };
    let Some(cell) = row(TABLE_3, position.heap).and_then(|row| row.first().copied()).filter(|_| is_meant) else {
        return Prediction::Silent;
    };
    let holds = move |values: &[Value]| {
        let mut games = Games::new(STEPS);
        let printed = games.parse(cell);
        values.iter().filter_map(Value::form).all(|form| printed.is_ok() && games.parse(&form.text) == printed)
    };
    relation(vec![Question::Form(*position)], holds, cell, "another form")
}

/// The cell of table 4: whether it is red, and what it says.
fn table_4_cell(position: &Position) -> Option<(bool, &'static str)> {
    let Support { a, b, tau } = position.support;
    let column = usize::try_from(tau).ok()?.checked_sub(1).filter(|_| (a, b) == (3, 7))?;
    let cell = *row(TABLE_4, position.heap)?.get(column)?;
    Some(cell.strip_prefix("red ").map_or((false, cell), |cell| (true, cell)))
}

/// A blank says that there is no atomic weight.
pub fn table_4(position: &Position) -> Says {
    match table_4_cell(position) {
        None => Prediction::Silent,
        Some((_, "")) => Prediction::Value(Value::Weight(Weight::None)),
        Some((_, cell)) => cell.parse().map_or(Prediction::Silent, |weight| weight_if(true, weight)),
    }
}

/// The last row of table 4.
const TABLE_4_LAST: u64 = 34;

pub fn table_4_red(position: &Position) -> Says {
    if table_4_cell(position).is_none_or(|(is_red, _)| !is_red) {
        return Prediction::Silent;
    }
    let needs = (position.heap..=TABLE_4_LAST).map(|heap| Question::Outcome(position.at(heap))).collect();
    let holds = |values: &[Value]| values.iter().all(|value| value.outcome() == Some(Outcome::R));
    relation(needs, holds, "R here and in all cells below", "not R here or in some cell below")
}

pub fn table_5(position: &Position) -> Says {
    const LONG: &str = "T_1(5;5,6)";
    let is_meant = position.support == Support { a: 5, b: 6, tau: 1 };
    let meaning = TABLE_5.lines().find_map(|line| line.strip_prefix(LONG)?.strip_prefix('\t'));
    match (row(TABLE_5, position.heap).filter(|_| is_meant).as_deref(), meaning) {
        (Some([left, right]), Some(meaning)) => {
            options_are(position, Some(left.replace(LONG, meaning)), Some(right.replace(LONG, meaning)))
        }
        _ => Prediction::Silent,
    }
}

/// aw F(10;3,4) = -3 and aw F(4;3,2) = 1, and their sum is R. F(4;3,2) is the negative of F(4;2,3).
pub fn example_1(position: &Position) -> Says {
    if (position.support, position.heap) != (Support { a: 3, b: 4, tau: 0 }, 10) {
        return Prediction::Silent;
    }
    let other = Position { support: Support { a: 2, b: 3, tau: 0 }, heap: 4 };
    let holds = |values: &[Value]| match values {
        [one, other, order] => {
            let weights = (one.integer_weight(), other.integer_weight());
            let sum = order.order().map(Order::outcome_of_difference);
            weights == (Some(-3), Some(-1)) && sum == Some(Outcome::R)
        }
        _ => false,
    };
    let needs = vec![Question::Weight(*position), Question::Weight(other), Question::Order(*position, other)];
    relation(needs, holds, "weights -3 of F(10;3,4) and 1 of F(4;3,2), and R for their sum", "other weights, or the sum is not R")
}

pub fn remark_table_5(position: &Position) -> Says {
    let heap = position.heap;
    if position.support != (Support { a: 5, b: 6, tau: 1 }) || ![2, 4].contains(&heap) {
        return Prediction::Silent;
    }
    let holds = |values: &[Value]| values.iter().all(|value| value.order().is_some_and(Order::is_at_most));
    relation(vec![Question::Order(*position, position.at(heap + 1))], holds, "TS(n) <= TS(n+1)", "not TS(n) <= TS(n+1)")
}
