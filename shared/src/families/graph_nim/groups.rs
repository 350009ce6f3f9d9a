//! P-positions counted by what a reader asks about them, besides the claims: how many have all weights at least 1, and on H1
//! how those that no claim names spread over the smaller residue.

use crate::families::Collector;
use crate::sweep::{Group, GroupKind};

use super::weight_box::WeightBox;

/// Residues up to this one are counted one by one, larger ones from a power of 2 to the next.
const SINGLE_RESIDUES: u32 = 16;
/// One group a residue up to [`SINGLE_RESIDUES`], then one for each power of 2.
const RESIDUE_GROUPS: usize = SINGLE_RESIDUES as usize + 17;

const POSITIVE: &str = "P-positions with all weights at least 1";
const UNNAMED_WITH_ZERO: &str = "P-positions that no claim names, with a weight of 0";
const UNNAMED: &str = "P-positions that no claim names, all weights at least 1, min(l1,l2) = ";

/// Counts of P-positions of one box.
pub struct LosingGroups {
    /// Whether some position of the box has a weight of 0; if not, all weights are positive and there is nothing to tell.
    has_zeros: bool,
    /// The edges AB, BC, CD, EF of H1.
    h1: Option<[usize; 4]>,
    /// A shard's P-positions are found one by one, so 64 bits hold their number.
    positive: u64,
    unnamed_with_zero: u64,
    unnamed: [u64; RESIDUE_GROUPS],
}

/// What P-positions of a row have in common.
#[derive(Clone, Copy, Debug)]
pub struct GroupRow {
    /// Whether all weights but two, x and the pivot, are at least 1.
    positive: bool,
    /// M - 1 and the residue of the fixed one of AB and CD.
    mask: u32,
    residue: u32,
}

impl LosingGroups {
    /// No P-positions yet.
    pub fn new(weights: &WeightBox) -> Self {
        let named = weights.subject().named.as_ref().filter(|(name, _)| *name == "H1");
        Self {
            has_zeros: weights.ranges().iter().any(|range| range.low() == 0),
            h1: named.and_then(|(_, edges)| edges.as_slice().try_into().ok()),
            positive: 0,
            unnamed_with_zero: 0,
            unnamed: [0; RESIDUE_GROUPS],
        }
    }

    /// The row through a position in the direction of `x`, an edge, and the pivot. On H1 x is AB or CD.
    pub fn row(&self, position: &[u32], x: usize, pivot: usize) -> GroupRow {
        let positive = position.iter().enumerate().all(|(edge, weight)| edge == x || edge == pivot || *weight > 0);
        let (mut mask, mut residue) = (0, 0);
        if let Some([ab, _, cd, ef]) = self.h1 {
            mask = (2 << position[ef].max(1).ilog2()) - 1;
            residue = position[if x == ab { cd } else { ab }] & mask;
        }
        GroupRow { positive, mask, residue }
    }

    /// Takes in a P-position of a row. `named` says whether some claim predicts P there.
    #[inline]
    pub fn add(&mut self, row: GroupRow, x: u32, pivot: u32, named: bool) {
        let positive = row.positive && x > 0 && pivot > 0;
        self.positive += u64::from(positive);
        if self.h1.is_none() || named {
            return;
        }
        if positive {
            self.unnamed[group(row.residue.min(x & row.mask))] += 1;
        } else {
            self.unnamed_with_zero += 1;
        }
    }

    /// Takes in a single P-position.
    pub fn position(&mut self, position: &[u32], pivot: usize, named: bool) {
        // Any edge but the pivot will do for x, and on H1 one of AB and CD.
        let others = (0..position.len()).find(|edge| *edge != pivot);
        let x = self.h1.map(|[ab, _, cd, _]| if ab == pivot { cd } else { ab }).or(others);
        let Some(x) = x else { return };
        let row = self.row(position, x, pivot);
        self.add(row, position[x], position[pivot], named);
    }

    /// Hands the counts over.
    pub fn finish(self, collector: &mut Collector) {
        if self.has_zeros {
            collector.group_many(POSITIVE.to_owned(), self.positive.into());
        }
        if self.h1.is_none() {
            return;
        }
        if self.has_zeros {
            collector.group_many(UNNAMED_WITH_ZERO.to_owned(), self.unnamed_with_zero.into());
        }
        for (index, count) in self.unnamed.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            collector.group_many(format!("{UNNAMED}{}", residues(index)), count.into());
        }
    }
}

/// Whether this is a group that [`LosingGroups::finish`] gives a number to, in some box.
pub fn is_one(group: &Group) -> bool {
    let is_residue = |text: &str| (0..RESIDUE_GROUPS).any(|index| residues(index) == text);
    let is_known =
        [POSITIVE, UNNAMED_WITH_ZERO].contains(&group.label.as_str()) || group.label.strip_prefix(UNNAMED).is_some_and(is_residue);
    group.kind == GroupKind::Sum && is_known
}

/// The group of a residue.
fn group(residue: u32) -> usize {
    let group = if residue <= SINGLE_RESIDUES { residue } else { SINGLE_RESIDUES + (residue - 1).ilog2() - SINGLE_RESIDUES.ilog2() + 1 };
    group as usize
}

/// The residues of a group, in figures of equal length, so that their order as text is their order.
fn residues(group: usize) -> String {
    let group = group as u32;
    if group <= SINGLE_RESIDUES {
        return format!("{group:>5}");
    }
    let low = SINGLE_RESIDUES << (group - SINGLE_RESIDUES - 1);
    format!("{:>5} to {}", low + 1, 2 * low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_residue_is_in_the_group_that_says_so() {
        for residue in 0..=65_535 {
            let text = residues(group(residue));
            let ends: Vec<u32> = text.split(" to ").map(|end| end.trim().parse().unwrap()).collect();
            assert!(ends[0] <= residue && residue <= ends[ends.len() - 1], "{residue}: {text}");
        }
        assert_eq!(group(65_535) + 1, RESIDUE_GROUPS - 4);
    }
}
