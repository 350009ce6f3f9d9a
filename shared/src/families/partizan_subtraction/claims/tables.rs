//! The printed tables, cell by cell, and the examples and remarks beside them. The tables themselves are the files in `tables/`.

use crate::claim::Prediction;
use crate::value::{Order, Outcome};

use super::super::quantity::{Form, Value, Weight};
use super::super::rules::Support;
use super::moves::needs_moves;
use super::position::{Position, Question, Says, relation, weight_if};
use super::printed::{Printed, are_options};

const TABLE_1: &str = include_str!("tables/table_1.txt");
const TABLE_3: &str = include_str!("tables/table_3.txt");
const TABLE_4: &str = include_str!("tables/table_4.txt");
const TABLE_5: &str = include_str!("tables/table_5.txt");

/// The cells of a row of a table, without its first field, which is n.
fn row(table: &'static str, n: u64) -> Option<Vec<&'static str>> {
    let mut rows = table.lines().map(|line| line.split('\t'));
    rows.find_map(|mut fields| (fields.next()?.parse() == Ok(n)).then(|| fields.collect()))
}

/// The canonical forms of the heaps up to this one: every option of the last is one of them.
fn forms_up_to(position: &Position) -> Vec<Question> {
    (0..=position.heap).map(|heap| Question::Form(position.at(heap))).collect()
}

/// That a canonical form has exactly the options of the cells, each as it is printed, as far as a side is given.
fn options_are(position: &Position, left: Option<String>, right: Option<String>) -> Says {
    let side = |name: &str, cell: &Option<String>| cell.as_ref().map(|cell| format!("{name} options {cell}"));
    let says = [side("Left", &left), side("Right", &right)].into_iter().flatten().collect::<Vec<_>>().join("; ");
    let holds = move |values: &[Value]| {
        let forms: Vec<&Form> = values.iter().filter_map(Value::form).collect();
        let Some(form) = forms.last() else { return false };
        let is_printed = |cell: &Option<String>, heaps: &[u64]| {
            cell.as_ref().is_none_or(|cell| Printed::options(cell).is_some_and(|printed| are_options(&printed, &forms, heaps)))
        };
        is_printed(&left, &form.left) && is_printed(&right, &form.right)
    };
    relation(forms_up_to(position), holds, says, "other options")
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
    needs_moves(&position.at(*heap), *moves)
}

pub fn table_3(position: &Position) -> Says {
    let is_meant = position.support == Support { a: 3, b: 7, tau: 4 };
    let Some(cell) = row(TABLE_3, position.heap).and_then(|row| row.first().copied()).filter(|_| is_meant) else {
        return Prediction::Silent;
    };
    let heap = position.heap;
    let holds = move |values: &[Value]| {
        let forms: Vec<&Form> = values.iter().filter_map(Value::form).collect();
        Printed::game(cell).is_some_and(|printed| printed.is_form(&forms, heap))
    };
    relation(forms_up_to(position), holds, cell, "another form")
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

/// A cell is red iff it and all cells below it are R.
pub fn table_4_red(position: &Position) -> Says {
    let Some((is_red, _)) = table_4_cell(position) else { return Prediction::Silent };
    let needs = (position.heap..=TABLE_4_LAST).map(|heap| Question::Outcome(position.at(heap))).collect();
    let holds = move |values: &[Value]| is_red == values.iter().all(|value| value.outcome() == Some(Outcome::R));
    let [all, some] = ["R here and in all cells below", "not R here or in some cell below"];
    let [says, denies] = if is_red { [all, some] } else { [some, all] };
    relation(needs, holds, says, denies)
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

/// aw F(10;3,4) = -3, aw F(4;3,2) = 1 and aw of their sum = -2, and the sum is R. F(4;3,2) is the negative of F(4;2,3).
pub fn example_1(position: &Position) -> Says {
    if (position.support, position.heap) != (Support { a: 3, b: 4, tau: 0 }, 10) {
        return Prediction::Silent;
    }
    let other = Position { support: Support { a: 2, b: 3, tau: 0 }, heap: 4 };
    let holds = |values: &[Value]| match values {
        [one, other, sum, order] => {
            let weights = [one, other, sum].map(Value::integer_weight);
            weights == [Some(-3), Some(-1), Some(-2)] && order.order().map(Order::outcome_of_difference) == Some(Outcome::R)
        }
        _ => false,
    };
    let [one, minus_other] = [*position, other].map(Question::Weight);
    let needs = vec![one, minus_other, Question::WeightOfDifference(*position, other), Question::Order(*position, other)];
    let says = "weights -3 of F(10;3,4), 1 of F(4;3,2) and -2 of their sum, which is R";
    relation(needs, holds, says, "other weights, or the sum is not R")
}

pub fn remark_table_5(position: &Position) -> Says {
    let heap = position.heap;
    if position.support != (Support { a: 5, b: 6, tau: 1 }) || ![2, 4].contains(&heap) {
        return Prediction::Silent;
    }
    let holds = |values: &[Value]| values.iter().all(|value| value.order().is_some_and(Order::is_at_most));
    relation(vec![Question::Order(*position, position.at(heap + 1))], holds, "TS(n) <= TS(n+1)", "not TS(n) <= TS(n+1)")
}
