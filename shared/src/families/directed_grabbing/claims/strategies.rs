//! The strategies for Content on grids, as the proofs give them: every play against a pairing strategy, and every answer to a move from a
//! good configuration. They are about play alone, and are counted at the weighting by 0.

use std::collections::BTreeSet;

use crate::claim::{Prediction, Relation};

use super::super::rules::{Grid, Position};
use super::grids;
use super::says::Says;

/// A cell (i,j), counted from 1.
pub type Cell = (usize, usize);

/// What is left of a grid: of row i the last r_i cells, r_1 <= r_2 <= … <= r_p.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Young {
    /// q.
    pub columns: usize,
    /// r_1 to r_p.
    pub left: Vec<usize>,
}

impl Young {
    /// The whole grid.
    fn whole(grid: Grid) -> Self {
        Self { columns: grid.columns, left: vec![grid.columns; grid.rows] }
    }

    /// r_i, counted from 1; r_0 = 0.
    fn row(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.left[i - 1] }
    }

    /// The next cell of a row that goes, if the row has one and it can go: the row has more left than the one before.
    fn removable(&self, i: usize) -> Option<Cell> {
        (i >= 1 && i <= self.left.len() && self.row(i) > self.row(i - 1)).then(|| (i, self.columns + 1 - self.row(i)))
    }

    /// Every cell that can go.
    fn moves(&self) -> impl Iterator<Item = Cell> + '_ {
        (1..=self.left.len()).filter_map(|i| self.removable(i))
    }

    /// What is left after a cell is removed, if it can go.
    fn without(&self, cell: Cell) -> Option<Self> {
        (self.removable(cell.0) == Some(cell)).then(|| {
            let mut next = self.clone();
            next.left[cell.0 - 1] -= 1;
            next
        })
    }
}

/// Whether the weights are all 0: there, and on grids alone, these claims speak.
fn grid_of(position: &Position) -> Option<Grid> {
    position.grid.filter(|_| position.weights.iter().all(|weight| *weight == 0))
}

/// A statement about a grid where it speaks.
fn about(position: &Position, speaks: fn(Grid) -> bool, holds: impl Fn(Grid) -> bool, says: &'static str, denies: &'static str) -> Says {
    match grid_of(position).filter(|grid| speaks(*grid)) {
        Some(grid) => Prediction::Relation(Box::new(Relation::of_position(holds(grid), says, denies))),
        None => Prediction::Silent,
    }
}

/// An answer to a move, if the strategy has one.
pub type Answer = fn(Cell) -> Option<Cell>;

/// Whether Content can play by the answers all play long and so removes every cell of a set: after each move of the opponent, who never
/// removes one of the set, there is an answer and it is legal. Where Content is Alice she begins with (1,1).
///
/// Cost: the positions that play by the answers reaches, each once.
pub fn pairing(grid: Grid, set: u64, answer: Answer) -> bool {
    let is_of_set = |(i, j): Cell| set >> ((i - 1) * grid.columns + j - 1) & 1 == 1;
    let whole = Young::whole(grid);
    let Some(first) = (if grid.content_is_alice() { whole.without((1, 1)) } else { Some(whole) }) else { return false };
    let mut seen = BTreeSet::from([first.clone()]);
    let mut waiting = vec![first];
    while let Some(young) = waiting.pop() {
        for cell in young.moves() {
            let after = answer(cell).and_then(|reply| young.without(cell)?.without(reply));
            let Some(after) = after.filter(|_| !is_of_set(cell)) else { return false };
            if seen.insert(after.clone()) {
                waiting.push(after);
            }
        }
    }
    true
}

/// The cell to the right, where the column has the right parity.
fn right(cell: Cell, is_answered: bool) -> Option<Cell> {
    is_answered.then_some((cell.0, cell.1 + 1))
}

/// The cell below.
fn below(cell: Cell, is_answered: bool) -> Option<Cell> {
    is_answered.then_some((cell.0 + 1, cell.1))
}

fn is_even(number: usize) -> bool {
    number.is_multiple_of(2)
}

const PAIRING: [&str; 2] =
    ["every answer is legal all play long and the opponent removes no cell of the set", "some move has no legal answer"];

/// A strategy that is about those grids of which a claim about its set speaks.
macro_rules! strategies {
    ($($(#[$doc:meta])* $name:ident, $speaks:ident, $set:path, $answer:expr;)*) => {
        $(
            /// The grids of which it speaks.
            pub fn $speaks(grid: Grid) -> bool {
                $set(grid).is_some()
            }

            $(#[$doc])*
            pub fn $name(position: &Position) -> Says {
                let holds = |grid: Grid| $set(grid).is_some_and(|demand| pairing(grid, demand.cells, $answer));
                about(position, $speaks, holds, PAIRING[0], PAIRING[1])
            }
        )*
    };
}

strategies! {
    /// (i,2j-1) is answered by (i,2j).
    c_even, speaks_c_even, grids::c_even, |cell| right(cell, !is_even(cell.1));
    /// (2i-1,j) is answered by (2i,j).
    r_even, speaks_r_even, grids::r_even, |cell| below(cell, !is_even(cell.0));
    /// (2i-1,1) is answered by (2i,1), and (i,2j) by (i,2j+1).
    c_odd_0, speaks_c_odd_0, grids::c_odd_0, |cell| if cell.1 == 1 { below(cell, !is_even(cell.0)) } else { right(cell, is_even(cell.1)) };
    /// (1,2j-1) is answered by (1,2j), and (2i,j) by (2i+1,j).
    r_odd_0, speaks_r_odd_0, grids::r_odd_0, |cell| if cell.0 == 1 { right(cell, !is_even(cell.1)) } else { below(cell, is_even(cell.0)) };
    /// After (1,1), (2i,1) is answered by (2i+1,1), and (i,2j) by (i,2j+1).
    c_odd_1, speaks_c_odd_1, grids::c_odd_1, |cell| if cell.1 == 1 { below(cell, is_even(cell.0)) } else { right(cell, is_even(cell.1)) };
    /// After (1,1), (1,2j) is answered by (1,2j+1), and (2i,j) by (2i+1,j).
    r_odd_1, speaks_r_odd_1, grids::r_odd_1, |cell| if cell.0 == 1 { right(cell, is_even(cell.1)) } else { below(cell, is_even(cell.0)) };
}

/// Each i_0 that makes a configuration A-good: r_(2i-1) = r_(2i) for i <= i_0, r_(2i_0+1) even, and r_i odd from 2i_0+2 on.
fn good(young: &Young) -> impl Iterator<Item = usize> + '_ {
    let rows = young.left.len();
    (0..rows.div_ceil(2)).filter(move |i0| {
        (1..=*i0).all(|i| young.row(2 * i - 1) == young.row(2 * i))
            && is_even(young.row(2 * i0 + 1))
            && (2 * i0 + 2..=rows).all(|i| !is_even(young.row(i)))
    })
}

/// The A-good configurations of a grid at odd times, each with an i_0: an even number of cells is left of an odd number.
///
/// Cost: the configurations of the grid, (p+q choose p).
pub fn good_positions(grid: Grid) -> Vec<(Young, usize)> {
    let mut all = vec![Vec::new()];
    for _ in 0..grid.rows {
        let longer = |left: Vec<usize>| {
            let from = left.last().copied().unwrap_or(0);
            (from..=grid.columns).map(move |next| left.iter().copied().chain([next]).collect::<Vec<usize>>())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    let at_odd_times = all.into_iter().filter(|left| is_even(left.iter().sum())).map(|left| Young { columns: grid.columns, left });
    at_odd_times.flat_map(|young| good(&young).map(|i0| (young.clone(), i0)).collect::<Vec<_>>()).collect()
}

/// What Alice removes after Bob removed a cell from an A-good configuration, as the four cases of the proof say; `young` is before both.
fn good_answer(young: &Young, i0: usize, (i, j): Cell) -> Option<Cell> {
    let (row, before) = (young.row(i), young.row(i - 1));
    let next_of = |i: usize| (i >= 1 && i <= young.left.len()).then(|| (i, young.columns + 1 - young.row(i)));
    match i {
        _ if i <= 2 * i0 => next_of(i + 1),
        _ if row > before + 1 => Some((i, j + 1)),
        _ if i == 2 * i0 + 1 => {
            let i3 = (0..i0).find(|i3| young.row(2 * i3 + 1) == row - 1 && young.row(2 * i3 + 2) == row - 1)?;
            next_of(2 * i3 + 1)
        }
        _ if i == 2 * i0 + 2 => next_of(i + 1),
        _ => None,
    }
}

/// The grids of which the paper's A-good configurations are: pq odd.
pub fn speaks_good(grid: Grid) -> bool {
    !is_even(grid.vertices())
}

/// After (1,1) the configuration is A-good with i_0 = 0.
pub fn good_first(position: &Position) -> Says {
    let holds = |grid: Grid| Young::whole(grid).without((1, 1)).is_some_and(|young| good(&young).any(|i0| i0 == 0));
    about(position, speaks_good, holds, "after (1,1) it is A-good with i_0 = 0", "after (1,1) it is not A-good with i_0 = 0")
}

/// No cell of an even row and an even column can go from an A-good configuration.
pub fn good_safe(position: &Position) -> Says {
    let holds = |grid: Grid| safe(grid, |(i, j)| is_even(i) && is_even(j));
    about(
        position,
        speaks_good,
        holds,
        "Bob can remove no cell of an even row and column",
        "Bob can remove a cell of an even row and column",
    )
}

/// Whether no such cell can go from an A-good configuration.
pub fn safe(grid: Grid, picks: fn(Cell) -> bool) -> bool {
    good_positions(grid).iter().all(|(young, _)| !young.moves().any(picks))
}

/// Alice's answer is legal and reaches an A-good configuration again.
pub fn good_answers(position: &Position) -> Says {
    let holds = |grid: Grid| good_answers_by(grid, |cell| cell);
    about(
        position,
        speaks_good,
        holds,
        "each answer is legal and reaches an A-good configuration",
        "some answer is not legal or reaches none",
    )
}

/// The same with other answers: what is made of the paper's.
pub fn good_answers_by(grid: Grid, other: impl Fn(Cell) -> Cell) -> bool {
    let reaches_one = |young: &Young, i0: usize, cell: Cell| {
        let after = good_answer(young, i0, cell).and_then(|reply| young.without(cell)?.without(other(reply)));
        after.is_some_and(|after| good(&after).next().is_some())
    };
    good_positions(grid).iter().all(|(young, i0)| young.moves().all(|cell| reaches_one(young, *i0, cell)))
}
