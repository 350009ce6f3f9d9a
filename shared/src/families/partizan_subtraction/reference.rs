//! The reference: who wins each heap, by the definition and with nothing clever.

use crate::value::Outcome;

use super::rules::{Ruleset, SubtractionSet};

/// The most steps that the reference takes: heaps times numbers to remove.
const MAX_STEPS: u128 = 1 << 28;
/// The largest heap that it takes on.
const MAX_HEAP: u64 = 1 << 24;

/// Solves the heaps of one ruleset from 0 on, remembering who wins each.
pub struct ReferenceSolver {
    ruleset: Ruleset,
    /// Heap by heap: whether Left wins when she starts, and whether Right wins when he starts.
    wins: Vec<(bool, bool)>,
}

impl ReferenceSolver {
    /// A reference that has solved nothing yet.
    #[must_use]
    pub fn new(ruleset: Ruleset) -> Self {
        Self { ruleset, wins: Vec::new() }
    }

    /// Why a heap is too large to be solved this way, if it is.
    #[must_use]
    pub fn refuses(ruleset: &Ruleset, heap: u64) -> Option<String> {
        let numbers = (ruleset.left.elements().len() + ruleset.right.elements().len()) as u128;
        (heap > MAX_HEAP || (u128::from(heap) + 1) * numbers > MAX_STEPS).then(|| {
            format!(
                "heap {heap} is too large for the reference, which takes heaps up to {MAX_HEAP}, and heap times numbers up to {MAX_STEPS}"
            )
        })
    }

    /// The outcome of a heap: a player who starts wins iff some move leads to a heap where the other, starting, does not.
    ///
    /// The caller has asked [`ReferenceSolver::refuses`]. Cost: for each new heap the numbers that both may remove.
    pub fn outcome(&mut self, heap: u64) -> Outcome {
        // It fits: heaps are at most MAX_HEAP.
        let heap = heap as usize;
        while self.wins.len() <= heap {
            let moves = |set: &SubtractionSet, loses: fn(&(bool, bool)) -> bool| {
                let here = self.wins.len();
                set.elements().iter().any(|number| here.checked_sub(*number as usize).is_some_and(|rest| loses(&self.wins[rest])))
            };
            let left = moves(&self.ruleset.left, |(_, right_wins)| !right_wins);
            let right = moves(&self.ruleset.right, |(left_wins, _)| !left_wins);
            self.wins.push((left, right));
        }
        let (left, right) = self.wins[heap];
        Outcome::of(left, right)
    }
}
