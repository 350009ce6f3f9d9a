//! The areas of a row in which claims speak, cut so that each piece is plain to count.
//!
//! An *area* is a run of lines with an interval of the pivot, whose lower end is constant or falls by 1 from line to line. All
//! ends of areas cut the row into *runs* of lines, and so does each line at which a falling end meets a constant one. Within a
//! run the same areas are met on every line, and their ends stand in the same order: two falling ends keep their distance, two
//! constant ones as well, and a falling end is above a constant one before they meet and not above it from then on. So the
//! pivot's range falls apart into the same *pieces* on each line of a run, and their sizes add up as arithmetic series.

use super::claims::Area;

/// A row's lines and the pivot's range, both ends included.
#[derive(Clone, Copy, Debug)]
pub struct RowRange {
    pub first: i64,
    pub last: i64,
    pub pivot_low: i64,
    pub pivot_high: i64,
}

/// From this weight of the pivot on (less x, where it falls) a claim begins or ceases to speak.
#[derive(Clone, Copy, Debug)]
struct Step {
    at: i64,
    /// 1 where it falls, else 0.
    fall: i64,
    claim: u64,
}

impl Step {
    #[inline]
    fn on(&self, x: i64) -> i64 {
        self.at - self.fall * x
    }

    /// The sum over the lines of a run.
    fn sum(&self, from: i64, to: i64) -> i64 {
        let lines = to - from + 1;
        // The sum of x over the run is a whole number.
        lines * self.at - self.fall * ((from + to) * lines / 2)
    }
}

/// The areas of one row, by claim.
#[derive(Default)]
pub struct Areas {
    areas: Vec<Area>,
    /// For each claim with areas in the row its bit and its areas, ascending, those passed left out.
    claims: Vec<(u64, std::ops::Range<usize>)>,
    /// A bit a line: a run begins there.
    cuts: Vec<u64>,
    /// The constant ends in the row.
    constant: Vec<i64>,
    steps: Vec<Step>,
}

/// A run of lines and its pieces.
pub struct Run<'a> {
    pub from: i64,
    pub to: i64,
    range: RowRange,
    whole: u64,
    steps: &'a [Step],
}

impl Run<'_> {
    /// How many pieces each line has, some of them perhaps empty.
    pub fn pieces(&self) -> usize {
        self.steps.len() + 1
    }

    /// The piece of a position of this run.
    #[inline]
    pub fn piece(&self, x: i64, pivot: i64) -> usize {
        let mut piece = 0;
        while piece < self.steps.len() && self.steps[piece].on(x) <= pivot {
            piece += 1;
        }
        piece
    }

    /// The claims that speak in a piece.
    pub fn claims(&self, piece: usize) -> u64 {
        self.steps[..piece].iter().fold(self.whole, |claims, step| claims ^ step.claim)
    }

    /// The claims that speak in each piece, and how many positions it has in the whole run; the first piece is the lowest.
    pub fn each(&self) -> impl Iterator<Item = (u64, i64)> {
        let lines = self.to - self.from + 1;
        let mut claims = self.whole;
        let mut below = lines * self.range.pivot_low;
        (0..self.pieces()).map(move |piece| {
            let here = claims;
            let end = self.steps.get(piece).map_or(lines * (self.range.pivot_high + 1), |step| {
                claims ^= step.claim;
                step.sum(self.from, self.to)
            });
            (here, end - std::mem::replace(&mut below, end))
        })
    }
}

impl Areas {
    /// Forgets the last row.
    pub fn clear(&mut self) {
        self.areas.clear();
        self.claims.clear();
    }

    /// Takes in the areas of a claim.
    pub fn claim(&mut self, bit: u64, range: RowRange, fill: impl FnOnce(&mut dyn FnMut(Area))) {
        let start = self.areas.len();
        let areas = &mut self.areas;
        fill(&mut |area| {
            let (from, to) = (area.from.max(range.first), area.to.min(range.last));
            if from <= to {
                debug_assert!(areas.len() == start || areas.last().is_some_and(|before| before.to < from));
                areas.push(Area { from, to, ..area });
            }
        });
        if self.areas.len() > start {
            self.claims.push((bit, start..self.areas.len()));
        }
    }

    /// Cuts the row, and calls `visit` with each run from left to right.
    pub fn runs(&mut self, range: RowRange, mut visit: impl FnMut(&Run<'_>)) {
        self.cut(range);
        let mut from = range.first;
        while from <= range.last {
            let to = self.next_cut(from - range.first + 1).map_or(range.last, |cut| range.first + cut - 1);
            let whole = self.steps(range, from);
            visit(&Run { from, to, range, whole, steps: &self.steps });
            from = to + 1;
        }
    }

    fn cut(&mut self, range: RowRange) {
        self.cuts.clear();
        self.cuts.resize((range.last - range.first) as usize / 64 + 1, 0);
        self.constant.clear();
        self.constant.extend([range.pivot_low, range.pivot_high + 1]);
        for area in &self.areas {
            for end in [(!area.falls).then_some(area.low), area.high.checked_add(1)].into_iter().flatten() {
                if end > range.pivot_low && end <= range.pivot_high && !self.constant.contains(&end) {
                    self.constant.push(end);
                }
            }
        }
        let cuts = &mut self.cuts;
        let mut cut = |x: i64| {
            let line = x - range.first;
            cuts[line as usize / 64] |= 1 << (line % 64);
        };
        for area in &self.areas {
            cut(area.from);
            if area.to < range.last {
                cut(area.to + 1);
            }
            if area.falls {
                // It has come down to a constant end from the line x = low - end on.
                self.constant.iter().map(|end| area.low - end).filter(|x| area.from < *x && *x <= area.to).for_each(&mut cut);
            }
        }
    }

    /// The first cut at this line of the row or after it, counted from 0.
    fn next_cut(&self, line: i64) -> Option<i64> {
        let mut word = line as usize / 64;
        let mut bits = self.cuts.get(word)? & (u64::MAX << (line % 64));
        while bits == 0 {
            word += 1;
            bits = *self.cuts.get(word)?;
        }
        Some(word as i64 * 64 + i64::from(bits.trailing_zeros()))
    }

    /// Finds the steps of the run that begins at x, in their order, and gives the claims that speak below the first one.
    fn steps(&mut self, range: RowRange, x: i64) -> u64 {
        self.steps.clear();
        let mut whole = 0;
        for (claim, left) in &mut self.claims {
            while left.start < left.end && self.areas[left.start].to < x {
                left.start += 1;
            }
            let Some(area) = self.areas[left.clone()].first().filter(|area| area.from <= x) else { continue };
            let begin = Step { at: area.low, fall: area.falls.into(), claim: *claim };
            let end = Step { at: area.high.saturating_add(1), fall: 0, claim: *claim };
            let begins = begin.on(x).max(range.pivot_low);
            // One that falls may be empty on the first line of a run and not on the next.
            let ends = end.at.min(range.pivot_high + 1);
            if begins > ends || (begins == ends && !area.falls) {
                continue;
            }
            if begins == range.pivot_low {
                whole |= *claim;
            } else {
                self.steps.push(begin);
            }
            if end.at <= range.pivot_high {
                self.steps.push(end);
            }
        }
        self.sort_steps(x);
        whole
    }

    /// Sorts the steps of the run that begins at x by insertion: there are few. Where a falling end meets a constant one it stands
    /// below it on the following lines.
    fn sort_steps(&mut self, x: i64) {
        let key = |step: &Step| (step.on(x), 1 - step.fall);
        for index in 1..self.steps.len() {
            let mut place = index;
            while place > 0 && key(&self.steps[place - 1]) > key(&self.steps[place]) {
                self.steps.swap(place - 1, place);
                place -= 1;
            }
        }
    }
}
