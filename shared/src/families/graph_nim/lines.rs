//! Walks the lines of a box for what the box wants: the P-position of each, or every Grundy value.

use crate::value::{Impartial, Nimber, Outcome};

use super::graph::Graph;
use super::grundy::{GrundyRow, GrundyWalker};
use super::layout::Layout;
use super::solver::{SolvedRow, Walker};
use super::wanted::Wanted;
use super::weight_box::WeightBox;

/// Walks the lines of one box in order.
pub enum LineWalker {
    /// For outcomes.
    Losing(Walker),
    /// For Grundy values.
    Grundy(GrundyWalker),
}

/// Some lines side by side in a row, solved.
pub enum SolvedLines {
    /// The P-position of each line.
    Losing(SolvedRow),
    /// Every Grundy value.
    Grundy(GrundyRow),
}

impl LineWalker {
    /// A walker before the first line. The caller has checked that the tables of the box fit.
    pub fn new(weights: &WeightBox) -> Self {
        Self::of(&weights.subject().graph, weights.layout(), weights.wanted())
    }

    /// The same for the lines of a layout.
    pub fn of(graph: &Graph, layout: &Layout, wanted: Wanted) -> Self {
        match wanted {
            Wanted::Outcome(play) => Self::Losing(Walker::new(layout.clone(), play)),
            Wanted::Grundy => Self::Grundy(GrundyWalker::new(graph, layout)),
        }
    }

    /// The weights of the line to be solved next, in the order of the layout.
    pub fn line(&self) -> &[u32] {
        match self {
            Self::Losing(walker) => walker.line(),
            Self::Grundy(walker) => walker.line(),
        }
    }

    /// How many lines are left in the row of the line to be solved next, at least one.
    pub fn left_in_row(&self) -> u64 {
        match self {
            Self::Losing(walker) => walker.left_in_row(),
            Self::Grundy(walker) => walker.left_in_row(),
        }
    }

    /// Solves the next lines of the row, at most [`LineWalker::left_in_row`] of them, and goes to the line after them. `solved` is of
    /// the same box.
    pub fn solve(&mut self, lines: usize, solved: &mut SolvedLines) {
        match (self, solved) {
            (Self::Losing(walker), SolvedLines::Losing(solved)) => walker.solve(lines, solved),
            (Self::Grundy(walker), SolvedLines::Grundy(solved)) => walker.solve(lines, solved),
            (walker, solved) => {
                *solved = walker.empty();
                walker.solve(lines, solved);
            }
        }
    }

    /// No lines yet.
    pub fn empty(&self) -> SolvedLines {
        match self {
            Self::Losing(_) => SolvedLines::Losing(SolvedRow::default()),
            Self::Grundy(_) => SolvedLines::Grundy(GrundyRow::default()),
        }
    }
}

impl SolvedLines {
    /// How many lines there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Losing(solved) => solved.values.len(),
            Self::Grundy(solved) => solved.values.len() / solved.per_line.max(1),
        }
    }

    /// What is known of the position on a line, by its number here, with a weight of the pivot.
    #[inline]
    pub fn at(&self, line: usize, pivot: u32) -> Impartial {
        match self {
            Self::Losing(solved) => Impartial::Outcome(if solved.values[line] == pivot { Outcome::P } else { Outcome::N }),
            Self::Grundy(solved) => Impartial::Grundy(Nimber(solved.at(line, pivot))),
        }
    }
}
