//! What claims say along a whole row of positions, so that big boxes are counted without a visit to each of them.
//!
//! The prediction of a single position stays the meaning of a claim; what stands here says where along a row it speaks, and the
//! tests hold the one against the other.

/// A row of positions on H1: AB (or CD) and EF are fixed, the other one of AB and CD runs, and so does BC.
///
/// The claims on H1 do not tell AB from CD, so neither does this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct H1Row {
    /// The fixed one of AB and CD.
    pub fixed: i64,
    /// EF.
    pub ef: i64,
    /// The least weight of the one that runs.
    pub first: i64,
    /// The greatest weight of the one that runs.
    pub last: i64,
}

impl H1Row {
    /// M = 2^(f(k)+1), the least power of 2 above k = EF; for k = 0 it is 2, and no claim asks.
    #[must_use]
    pub fn modulus(&self) -> i64 {
        2 << self.ef.max(1).ilog2()
    }

    /// (m, l) of the fixed one: it is M m + l with 0 <= l < M.
    #[must_use]
    pub fn fixed_parts(&self) -> (i64, i64) {
        (self.fixed / self.modulus(), self.fixed % self.modulus())
    }

    /// The multiples M m, ascending, of which M m to M m + M - 1 has a weight of the one that runs.
    pub fn blocks(&self) -> impl Iterator<Item = i64> {
        let modulus = self.modulus();
        (self.first / modulus..=self.last / modulus).map(move |m| m * modulus)
    }
}

/// Positions of a row: those with the running edge x in `from..=to` and the pivot in `low..=high`, or, where `falls`, in
/// `low - x..=high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first weight of the running edge.
    pub from: i64,
    /// The last weight of the running edge.
    pub to: i64,
    /// The least weight of the pivot, before x is taken off.
    pub low: i64,
    /// Whether x is taken off.
    pub falls: bool,
    /// The greatest weight of the pivot.
    pub high: i64,
}

/// The greatest weight of the pivot that an area without end goes up to.
pub const NO_END: i64 = i64::MAX;

impl Area {
    /// Every x in `from..=to`, and the pivot from `low` on.
    #[must_use]
    pub fn above(from: i64, to: i64, low: i64) -> Self {
        Self { from, to, low, falls: false, high: NO_END }
    }

    /// Every x in `from..=to`, and the pivot from `low - x` on.
    #[must_use]
    pub fn above_falling(from: i64, to: i64, low: i64) -> Self {
        Self { from, to, low, falls: true, high: NO_END }
    }

    /// Every x in `from..=to`, with the pivot 0.
    #[must_use]
    pub fn at_zero(from: i64, to: i64) -> Self {
        Self { from, to, low: 0, falls: false, high: 0 }
    }

    /// Whether a position is one of it.
    #[must_use]
    pub fn has(&self, x: i64, pivot: i64) -> bool {
        let low = self.low - if self.falls { x } else { 0 };
        (self.from..=self.to).contains(&x) && (low..=self.high).contains(&pivot)
    }

    /// How many positions it has with x in `first..=last` and the pivot in `low..=high`.
    ///
    /// Cost: O(1).
    #[must_use]
    pub fn positions(&self, [first, last]: [i64; 2], [low, high]: [i64; 2]) -> i64 {
        let (from, to, high) = (self.from.max(first), self.to.min(last), self.high.min(high));
        if !self.falls {
            return (to - from + 1).max(0) * (high - self.low.max(low) + 1).max(0);
        }
        // Up to x = self.low - low the lower end is above `low` and falls: each line has one position more than the one before, the
        // first of them on the line where it comes down to `high`. From there on it is `low`.
        let (start, turn) = (from.max(self.low - high), to.min(self.low - low));
        let on = |x: i64| high - (self.low - x) + 1;
        let falling = if start <= turn { (on(start) + on(turn)) * (turn - start + 1) / 2 } else { 0 };
        let flat = (to - from.max(self.low - low + 1) + 1).max(0) * (high - low + 1).max(0);
        falling + flat
    }
}

/// What a claim says along a row.
#[derive(Clone, Copy)]
pub enum Along {
    /// It says N of exactly the positions of these areas, and nothing else. The areas come with ascending x and no x in two of
    /// them; they may go beyond the row and may be empty.
    Winning(fn(&H1Row, &mut dyn FnMut(Area))),
    /// It states something about exactly the positions of these areas, which come as for the claims before, and predicts no outcome. It
    /// is right but for some of the positions that the second function gives, which are visited.
    States(fn(&H1Row, &mut dyn FnMut(Area)), fn(&H1Row, &mut dyn FnMut(i64, i64))),
    /// It is silent on all positions but these, given by x and the pivot; whether and how it speaks about one of them is for the
    /// prediction of the position to say, only that it predicts no N. One of them may come twice or be outside the row.
    Spots(fn(&H1Row, &mut dyn FnMut(i64, i64))),
}
