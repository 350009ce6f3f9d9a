//! What Content can collect on a grid, by the parities of p and q. Rows i and columns j are counted from 1.

use super::super::rules::Grid;
use super::demand::{Demand, Least};

/// All olives on these cells, where the parities are right.
fn all_of(speaks: bool, grid: Grid, picks: impl Fn(usize, usize) -> bool) -> Option<Demand> {
    speaks.then(|| Demand { cells: grid.cells(picks), least: Least::All })
}

fn even(number: usize) -> bool {
    number.is_multiple_of(2)
}

fn odd(number: usize) -> bool {
    !even(number)
}

fn odd_from_3(number: usize) -> bool {
    odd(number) && number >= 3
}

pub fn c_even(grid: Grid) -> Option<Demand> {
    all_of(even(grid.columns), grid, |_, j| even(j))
}

pub fn r_even(grid: Grid) -> Option<Demand> {
    all_of(even(grid.rows), grid, |i, _| even(i))
}

pub fn c_odd_0(grid: Grid) -> Option<Demand> {
    all_of(even(grid.rows) && odd(grid.columns), grid, |i, j| (j == 1 && even(i)) || odd_from_3(j))
}

pub fn r_odd_0(grid: Grid) -> Option<Demand> {
    all_of(odd(grid.rows) && even(grid.columns), grid, |i, j| (i == 1 && even(j)) || odd_from_3(i))
}

pub fn c_odd_1(grid: Grid) -> Option<Demand> {
    all_of(odd(grid.vertices()), grid, |i, j| (j == 1 && odd(i)) || odd_from_3(j))
}

pub fn r_odd_1(grid: Grid) -> Option<Demand> {
    all_of(odd(grid.vertices()), grid, |i, j| (i == 1 && odd(j)) || odd_from_3(i))
}

pub fn r_even_c_even(grid: Grid) -> Option<Demand> {
    all_of(odd(grid.vertices()), grid, |i, j| even(i) && even(j))
}

pub fn even_even(grid: Grid) -> Option<Demand> {
    all_of(even(grid.rows) && even(grid.columns), grid, |i, j| odd_from_3(i) && odd_from_3(j))
}

pub fn even_odd(grid: Grid) -> Option<Demand> {
    all_of(even(grid.rows) && odd(grid.columns), grid, |i, j| odd_from_3(i) && even(j))
}

pub fn odd_even(grid: Grid) -> Option<Demand> {
    all_of(odd(grid.rows) && even(grid.columns), grid, |i, j| even(i) && odd_from_3(j))
}

pub fn single_inner(grid: Grid) -> Option<Demand> {
    let Grid { rows, columns } = grid;
    single(grid.cells(|i, j| 1 < i && i < rows && 1 < j && j < columns))
}

pub fn single_off_first(grid: Grid) -> Option<Demand> {
    single(off_first(grid))
}

/// It speaks only where there is such a vertex.
fn single(cells: u64) -> Option<Demand> {
    (cells != 0).then_some(Demand { cells, least: Least::Single })
}

pub fn third(grid: Grid) -> Option<Demand> {
    Some(Demand { cells: off_first(grid), least: Least::Third })
}

/// The cells with i, j >= 2.
fn off_first(grid: Grid) -> u64 {
    grid.cells(|i, j| i >= 2 && j >= 2)
}
