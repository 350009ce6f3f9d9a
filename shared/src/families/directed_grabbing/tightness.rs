//! How far the guarantees on grids are from tight: for each grid and each number of olives the least that Content collects, and
//! the smallest weighting on which it is no more.
//!
//! A least total is a group of the tally, of the kind that keeps the smallest number: the total above, the weighting below, so
//! that of the weightings with the least total the smallest is kept.

use crate::families::Collector;
use crate::sweep::{Group, GroupKind};
use crate::text::several;

use super::rules::{Grid, MAX_VERTICES, totals};
use super::sliced::LANES;

/// Which olives are counted.
const ALL: &str = "all";
const OFF_FIRST: &str = "off";

/// The least totals of one grid, by numbers of olives.
pub struct Tightness {
    grid: Grid,
    off_first: u64,
    /// By the number of olives in all: the least total and its weighting.
    all: Vec<Option<(u64, u64)>>,
    /// By the number of olives on cells with i, j >= 2.
    off: Vec<Option<(u64, u64)>>,
}

impl Tightness {
    /// Nothing known yet.
    pub fn new(grid: Grid) -> Self {
        let room = || vec![None; grid.vertices() + 1];
        Self { grid, off_first: grid.cells(|i, j| i >= 2 && j >= 2), all: room(), off: room() }
    }

    /// Content collects this on a weighting. Weightings come in ascending order.
    pub fn take(&mut self, olives: u64, content: u64) {
        let by_number = [(&mut self.all, olives), (&mut self.off, olives & self.off_first)];
        for (known, counted) in by_number {
            let least = &mut known[counted.count_ones() as usize];
            if least.is_none_or(|(total, _)| content < total) {
                *least = Some((content, olives));
            }
        }
    }

    /// Hands the least totals over.
    pub fn give(self, collector: &mut Collector) {
        let Grid { rows, columns } = self.grid;
        for (kind, known) in [(ALL, self.all), (OFF_FIRST, self.off)] {
            for (number, least) in known.into_iter().enumerate() {
                if let Some((content, olives)) = least {
                    let label = format!("{rows:02} {columns:02} {kind} {number:02}");
                    collector.least(label, u128::from(content) << 64 | u128::from(olives));
                }
            }
        }
    }
}

/// Whether [`Tightness::give`] may give such a number to a group of these grids.
pub fn may_count(grids: impl Iterator<Item = Grid>, group: &Group, number: u128) -> bool {
    // The upper half is a total of at most one olive a vertex, the lower half says which vertices have one.
    let (content, olives) = ((number >> 64) as u64, number as u64);
    group.kind == GroupKind::Least
        && grids.into_iter().any(|Grid { rows, columns }| {
            let vertices = rows * columns;
            let counts = group.label.strip_prefix(&format!("{rows:02} {columns:02} "));
            let count = counts.and_then(|counts| counts.strip_prefix(ALL).or_else(|| counts.strip_prefix(OFF_FIRST)));
            let is_count = count.is_some_and(|count| (0..=vertices).any(|number| count == format!(" {number:02}")));
            is_count && content <= vertices as u64 && olives.checked_shr(vertices as u32).unwrap_or(0) == 0
        })
}

/// A least total in words, and the total itself.
pub fn in_words(group: &Group, number: u128) -> (String, u128) {
    let words = Some(group).filter(|group| group.kind == GroupKind::Least).and_then(|group| {
        let [rows, columns, kind, count] = group.label.split(' ').collect::<Vec<_>>()[..] else { return None };
        let number_of = |text: &str| text.parse::<usize>().ok().filter(|number| *number <= MAX_VERTICES);
        let (rows, columns, count) = (number_of(rows)?, number_of(columns)?, number_of(count)?);
        let of = match kind {
            ALL => format!("{} in all", several(count as u128, "olive")),
            OFF_FIRST => format!("{} with i, j >= 2 (a third: {})", several(count as u128, "olive"), count.div_ceil(3)),
            _ => return None,
        };
        // The lower half is the weighting.
        let olives = number as u64;
        let cell = |cell: usize| if olives.checked_shr(cell as u32).unwrap_or(0) & 1 == 1 { '1' } else { '0' };
        let row = |row: usize| (row * columns..(row + 1) * columns).map(cell).collect::<String>();
        let grid: Vec<String> = (0..rows).map(row).collect();
        Some(format!("{rows} x {columns}, {of}, the least that Content collects, as on {}", grid.join(";")))
    });
    match words {
        Some(words) => (words, number >> 64),
        None => (group.label.clone(), number),
    }
}

/// Content's total on each weighting of a block.
pub fn contents(grid: Grid, block: u64, values: &[i8; LANES]) -> impl Iterator<Item = (u64, u64)> {
    let first = block * LANES as u64;
    (first..).zip(values).map(move |(olives, value)| {
        let sum = i64::from(olives.count_ones());
        let (alice, bob) = totals(sum, i64::from(*value));
        // Weights are not negative, and so neither is a total.
        (olives, if grid.content_is_alice() { alice } else { bob } as u64)
    })
}
