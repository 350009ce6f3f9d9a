//! The fast way to the P-positions on any graph: one number a line instead of one bit a position.
//!
//! Fix an edge e = uv, the *pivot*. A *line* is a choice x of the weights of all other edges; its positions differ only in
//! the weight of e. Lowering that weight is a move, so of two positions on a line the larger one can reach the smaller one,
//! and a line has at most one P-position. Write p(x) for its weight on e, or p(x) = none.
//!
//! **Theorem.** p(x) is the least v, if any is within the box, such that (x, v) has no move to a P-position on another line.
//! *Proof.* By minimality every (x, w) with w < v has such a move and is an N-position. So no move of (x, v) leads to a
//! P-position, neither on its own line nor on another, and it is P; and a line has no second one. If no v in the box is
//! without such a move, every position of the line has one and is N. ∎
//!
//! A move to another line changes some edge off the pivot, so it picks one of:
//! - u (or v): the other edges at u go down to those of some line x', and the pivot goes down to p(x') or stays. It exists iff
//!   p(x') <= v. So v must lie below t_u(x) = min of p(x') over the lines x' below x in the edges at u: a running minimum,
//!   s_u(x) = min(p(x), min over edges d at u of s_u(x - d)) and t_u(x) = min over d of s_u(x - d).
//! - a vertex w off the pivot: the pivot stays. It exists iff p(x') = v for a line x' below x in the edges at w. So v must
//!   not lie in the set F_w(x), the union over edges d at w of F_w(x - d) and {p(x - d)}.
//!
//! **Misère play.** The position without moves is N, and nothing else changes: on each line but that of x = 0 the theorem stands as
//! it is proved, since no position there is without moves. On the line of x = 0 the position with v = 0 is N, so p(0) = 1.
//!
//! A vertex off the pivot whose edges are all edges of another vertex has no moves that the other one has not, and is left
//! out; the ends of single edges mostly are. An end of the pivot is left out only for the other end, since a vertex off the
//! pivot cannot lower it. If there is just one vertex off the pivot left and it has one edge, then F is an initial segment of the
//! numbers: each p(x) along that edge is the least number not in F, or none. So one counter does for the set. Under misère play that
//! edge d is a component of its own, or its vertex would have been left out; so where all other weights are 0 there is no threshold,
//! p(0) = 1 and p(d) = 0, and from there on F is an initial segment as before.
//!
//! Lines are walked in lexicographic order, the last edge of the layout fastest. What is known about the lines below x is kept
//! only as far as it is still needed: for a vertex whose outermost edge is d, one cell for each choice of the edges inside
//! of d, each overwritten as d goes up. On H1 with weights 0..=N that is N^2 numbers and O(1) steps a line.
//!
//! Where each of these vertices has one edge off the pivot and none needs a set (H1 is such a graph), a whole row of lines is
//! solved at once, the innermost edge d running. Only an end u of the pivot can have the edge d. Write c(x) for the counter and
//! t(x) for the least threshold of the vertices without d, which no line of the row has changed yet; then p(x) = c(x) if c(x) is
//! below t(x), below every p(x') with x' before x in the row, and within the box; else none. So one running minimum is all that
//! goes from line to line.

use crate::value::Play;

use super::layout::{Guard, GuardKind, Layout};

/// No P-position on this line.
pub const NO_VALUE: u32 = u32::MAX;

/// Some lines side by side in a row, solved.
#[derive(Clone, Debug, Default)]
pub struct SolvedRow {
    /// For each line the pivot's weight in its P-position, or [`NO_VALUE`].
    pub values: Vec<u32>,
    /// The lines that have a P-position, ascending, each by its index in `values`.
    pub losing: Vec<u32>,
}

impl SolvedRow {
    fn clear(&mut self, lines: usize) {
        // It does not matter what they hold: every value is overwritten.
        self.values.resize(lines, NO_VALUE);
        self.losing.clear();
    }
}

/// Walks the lines of a layout in order and finds the P-position of each.
pub struct Walker {
    layout: Layout,
    /// The line to be solved next, by its weights in the order of the layout.
    x: Vec<u32>,
    /// For each place the number of that line modulo the place's stride: which cell belongs to it.
    cells: Vec<usize>,
    strides: Vec<usize>,
    /// One table a guard: thresholds and counters a number a cell, sets `words` words a cell.
    numbers: Vec<Vec<u32>>,
    sets: Vec<Vec<u64>>,
    words: usize,
    solves_rows: bool,
    is_misere: bool,
    /// Stands in for thresholds and counters that a graph has not.
    spare: [Vec<u32>; 2],
}

impl Walker {
    /// A walker before the first line. The caller has checked that [`Layout::bytes`] fits and that the number of lines
    /// fits 63 bits.
    #[must_use]
    pub fn new(layout: Layout, play: Play) -> Self {
        let words = layout.words();
        // A stride is a number of cells where a vertex needs a table of them, and no larger than the number of lines.
        let strides: Vec<usize> = layout.strides.iter().map(|stride| usize::try_from(*stride).unwrap_or(usize::MAX)).collect();
        let cells = |guard: &Guard| strides[guard.edges[0]];
        let numbers = layout.guards.iter().map(|guard| if guard.kind == GuardKind::Set { vec![] } else { vec![0; cells(guard)] });
        let sets = layout.guards.iter().map(|guard| if guard.kind == GuardKind::Set { vec![0; cells(guard) * words] } else { vec![] });
        let (numbers, sets) = (numbers.collect(), sets.collect());
        let places = layout.order.len();
        let solves_rows = layout.solves_rows();
        let spare = [Vec::new(), Vec::new()];
        let is_misere = play == Play::Misere;
        Self { x: vec![0; places], cells: vec![0; places], strides, numbers, sets, words, solves_rows, is_misere, spare, layout }
    }

    /// The weights of the line to be solved next, in the order of the layout.
    #[must_use]
    pub fn line(&self) -> &[u32] {
        &self.x
    }

    /// How many lines are left in the row of the line to be solved next, at least one.
    #[must_use]
    pub fn left_in_row(&self) -> u64 {
        self.layout.row() - self.x.last().map_or(0, |weight| u64::from(*weight))
    }

    /// Solves the next lines of the row, at most [`Walker::left_in_row`] of them, and goes to the line after them.
    ///
    /// Cost: about one step a line where [`Layout::solves_rows`]; else for each line one a guard and edge, and for a set as many
    /// as it has words.
    pub fn solve(&mut self, lines: usize, solved: &mut SolvedRow) {
        solved.clear(lines);
        let mut solved_alone = 0;
        while solved_alone < lines {
            let value = match self.misere_exception() {
                Some(value) => value,
                None if self.solves_rows => break,
                None => self.value(),
            };
            self.remember(value);
            self.advance(1);
            solved.values[solved_alone] = value;
            if value != NO_VALUE {
                // A row has at most 2^16 lines.
                solved.losing.push(solved_alone as u32);
            }
            solved_alone += 1;
        }
        match lines - solved_alone {
            0 => {}
            _ if solved_alone == 0 => self.solve_together(solved),
            left => {
                // Exceptions are the first lines of a row, and there are at most two of them in a walk.
                let mut rest = SolvedRow::default();
                rest.clear(left);
                self.solve_together(&mut rest);
                solved.values[solved_alone..].copy_from_slice(&rest.values);
                solved.losing.extend(rest.losing.iter().map(|line| line + solved_alone as u32));
            }
        }
    }

    /// The value of the line to be solved next, where misère play makes an exception of it: that without weights; and with a counter
    /// that on whose edge there is a weight of 1 and nothing else, of which the counter does not know.
    fn misere_exception(&self) -> Option<u32> {
        if !self.is_misere {
            return None;
        }
        if self.x.iter().all(|weight| *weight == 0) {
            return Some(if self.layout.pivot_high == 0 { NO_VALUE } else { 1 });
        }
        let counter = self.layout.guards.iter().find(|guard| guard.kind == GuardKind::Counter)?.edges[0];
        let is_exception = self.x.iter().enumerate().all(|(place, weight)| *weight == u32::from(place == counter));
        is_exception.then_some(0)
    }

    /// Goes on by so many lines, none of which is beyond the end of the row.
    fn advance(&mut self, lines: usize) {
        for (cell, stride) in self.cells.iter_mut().zip(&self.strides) {
            *cell = cell.wrapping_add(lines);
            if *cell >= *stride {
                *cell %= *stride;
            }
        }
        let mut carry = lines as u32;
        for place in (0..self.x.len()).rev() {
            self.x[place] += carry;
            if u64::from(self.x[place]) < self.layout.extents[place] {
                break;
            }
            self.x[place] = 0;
            carry = 1;
        }
    }

    /// Solves lines of a row by one running minimum: see the head of this file.
    fn solve_together(&mut self, solved: &mut SolvedRow) {
        let lines = solved.values.len();
        let Self { layout, x, cells, numbers, spare, .. } = &mut *self;
        let has = |kind| layout.guards.iter().any(|guard| guard.kind == kind && guard.edges[0] + 1 < x.len());
        let [thresholds, counters] = spare;
        if !has(GuardKind::Threshold) {
            thresholds.clear();
            thresholds.resize(lines, NO_VALUE);
        }
        if !has(GuardKind::Counter) {
            counters.clear();
            counters.resize(lines, 0);
        }
        let mut tables = RowTables { thresholds, counters, running: NO_VALUE, bound: layout.pivot_high + 1 };
        let mut running_cell = None;
        // The innermost edge belongs to an end of the pivot, so at most one threshold and one counter are left beside it.
        for (guard, table) in layout.guards.iter().zip(numbers) {
            let edge = guard.edges[0];
            let start = cells[edge];
            let empty = if guard.kind == GuardKind::Counter { 0 } else { NO_VALUE };
            if edge + 1 == x.len() {
                tables.running = if x[edge] == 0 { empty } else { table[0] };
                running_cell = Some(&mut table[0]);
                continue;
            }
            let row = &mut table[start..start + lines];
            if x[edge] == 0 {
                row.fill(empty);
            }
            if guard.kind == GuardKind::Counter {
                tables.counters = row;
            } else {
                tables.thresholds = row;
            }
        }
        let running = tables.solve(solved);
        if let Some(cell) = running_cell {
            *cell = running;
        }
        self.advance(lines);
    }

    /// The number of the cell of a guard that belongs to the line to be solved next.
    fn cell(&self, guard: &Guard) -> usize {
        self.cells[guard.edges[0]]
    }

    /// The least number in the cells of the lines one step below, where `empty` stands for no such line.
    fn least_below(&self, index: usize, guard: &Guard, empty: u32) -> u32 {
        let cell = self.cell(guard);
        let numbers = &self.numbers[index];
        let mut least = if self.x[guard.edges[0]] > 0 { numbers[cell] } else { empty };
        for place in &guard.edges[1..] {
            if self.x[*place] > 0 {
                least = least.min(numbers[cell - self.strides[*place]]);
            }
        }
        least
    }

    /// The least value below the line's thresholds that neither a counter nor a set forbids.
    fn value(&mut self) -> u32 {
        let mut bound = self.layout.pivot_high + 1;
        let mut counter = 0;
        let mut has_sets = false;
        for index in 0..self.layout.guards.len() {
            let guard = &self.layout.guards[index];
            match guard.kind {
                GuardKind::Threshold => bound = bound.min(self.least_below(index, guard, NO_VALUE)),
                GuardKind::Counter => counter = self.least_below(index, guard, 0),
                GuardKind::Set => {
                    has_sets = true;
                    self.unite(index);
                }
            }
        }
        if !has_sets {
            return if counter < bound { counter } else { NO_VALUE };
        }
        for word in 0..self.words {
            let forbidden = self.layout.guards.iter().enumerate().filter(|(_, guard)| guard.kind == GuardKind::Set);
            let forbidden = forbidden.fold(0, |all, (index, guard)| all | self.sets[index][self.cell(guard) * self.words + word]);
            if forbidden != u64::MAX {
                let least = word as u32 * 64 + forbidden.trailing_ones();
                return if least < bound { least } else { NO_VALUE };
            }
            if (word as u32 + 1) * 64 >= bound {
                break;
            }
        }
        NO_VALUE
    }

    /// Makes a set's cell the union of the cells one step below.
    fn unite(&mut self, index: usize) {
        let guard = &self.layout.guards[index];
        let start = self.cell(guard) * self.words;
        let set = &mut self.sets[index];
        if self.x[guard.edges[0]] == 0 {
            set[start..start + self.words].fill(0);
        }
        for place in &guard.edges[1..] {
            if self.x[*place] > 0 {
                let (below, here) = set.split_at_mut(start);
                let from = start - self.strides[*place] * self.words;
                for (word, other) in here[..self.words].iter_mut().zip(&below[from..from + self.words]) {
                    *word |= other;
                }
            }
        }
    }

    /// Takes the line's own value into every cell.
    fn remember(&mut self, value: u32) {
        for index in 0..self.layout.guards.len() {
            let guard = &self.layout.guards[index];
            let cell = self.cell(guard);
            match guard.kind {
                GuardKind::Threshold => self.numbers[index][cell] = self.least_below(index, guard, NO_VALUE).min(value),
                GuardKind::Counter => {
                    let counter = self.least_below(index, guard, 0);
                    self.numbers[index][cell] = counter + u32::from(value != NO_VALUE);
                }
                GuardKind::Set if value != NO_VALUE => self.sets[index][cell * self.words + value as usize / 64] |= 1 << (value % 64),
                GuardKind::Set => {}
            }
        }
    }
}

/// What the vertices know about the lines of a row, an entry a line.
struct RowTables<'a> {
    /// The least value that an end of the pivot without the innermost edge forbids.
    thresholds: &'a mut [u32],
    /// How many values a vertex off the pivot forbids.
    counters: &'a mut [u32],
    /// The least value that the end of the pivot with the innermost edge forbids.
    running: u32,
    /// One more than the greatest weight of the pivot.
    bound: u32,
}

impl RowTables<'_> {
    /// Solves the lines from left to right, and gives the running minimum after them.
    ///
    /// Without a branch on a line's value, which nothing could foretell: one line in five has a P-position.
    fn solve(&mut self, solved: &mut SolvedRow) -> u32 {
        let lines = solved.values.len();
        solved.losing.resize(lines, 0);
        let mut found = 0;
        let mut running = self.running.min(self.bound);
        let each = solved.values.iter_mut().zip(self.thresholds.iter_mut()).zip(self.counters.iter_mut());
        for (index, ((value, threshold), counter)) in each.enumerate() {
            let candidate = if *counter < *threshold { *counter } else { NO_VALUE };
            let has_one = candidate < running;
            running = running.min(candidate);
            *value = if has_one { candidate } else { NO_VALUE };
            *threshold = (*threshold).min(*value);
            *counter += u32::from(has_one);
            // A row has at most 2^16 lines.
            solved.losing[found] = index as u32;
            found += usize::from(has_one);
        }
        solved.losing.truncate(found);
        running
    }
}
