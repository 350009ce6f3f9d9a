//! The fast way to the outcomes of a ruleset, heap by heap from 0 on.
//!
//! Left wins heap n when she starts iff some s in her set, s <= n, leads to a heap n - s where Right loses when he starts; and
//! the other way round. So all that is needed is, for each player, which of the last heaps that player loses when starting.
//!
//! - Sets inside 1..=64: these heaps are the bits of one word, heap n - s at bit s - 1, and a heap is two ANDs and two shifts.
//! - Intervals: Left's options are the heaps n - high to n - low. She wins iff the largest heap up to n - low where Right
//!   loses is at least n - high, and that largest heap is kept up as n grows. A heap is O(1), whatever the size of the sets.
//! - Any other sets: as the first, on as many words as the greatest number needs.
//!
//! Heaps below 0 do not exist, which is the same as heaps where nobody loses: their bits are off, and no largest heap is there.

use crate::value::Outcome;

use super::rules::{Ruleset, SubtractionSet};

/// The outcomes of the heaps 0, 1, 2, … of a ruleset, in this order.
pub struct OutcomeSequence {
    engine: Engine,
    next: u64,
}

enum Engine {
    Word(Word),
    Intervals(Box<Intervals>),
    Words(Box<Words>),
}

impl OutcomeSequence {
    /// The sequence before heap 0.
    #[must_use]
    pub fn new(ruleset: &Ruleset) -> Self {
        let engine = if ruleset.reach() <= u64::BITS {
            Engine::Word(Word::new(ruleset))
        } else if ruleset.left.is_interval() && ruleset.right.is_interval() {
            Engine::Intervals(Box::new(Intervals::new(ruleset)))
        } else {
            Engine::Words(Box::new(Words::new(ruleset)))
        };
        Self { engine, next: 0 }
    }

    /// The heap whose outcome comes next.
    #[must_use]
    pub fn next_heap(&self) -> u64 {
        self.next
    }

    /// The outcomes of the next heaps, as many as `outcomes` holds.
    pub fn fill(&mut self, outcomes: &mut [Outcome]) {
        self.next += outcomes.len() as u64;
        match &mut self.engine {
            Engine::Word(word) => outcomes.iter_mut().for_each(|outcome| *outcome = word.step()),
            Engine::Intervals(intervals) => outcomes.iter_mut().for_each(|outcome| *outcome = intervals.step()),
            Engine::Words(words) => outcomes.iter_mut().for_each(|outcome| *outcome = words.step()),
        }
    }

    /// Bytes of tables that a ruleset needs.
    #[must_use]
    pub fn bytes(ruleset: &Ruleset) -> u64 {
        if ruleset.reach() <= u64::BITS { 0 } else { 2 * u64::from(ruleset.reach()) }
    }
}

/// Both sets inside 1..=64. Bit s - 1 of a history is heap n - s.
struct Word {
    left: u64,
    right: u64,
    left_loses: u64,
    right_loses: u64,
}

impl Word {
    fn new(ruleset: &Ruleset) -> Self {
        let mask = |set: &SubtractionSet| set.elements().iter().fold(0u64, |mask, number| mask | 1 << (number - 1));
        Self { left: mask(&ruleset.left), right: mask(&ruleset.right), left_loses: 0, right_loses: 0 }
    }

    #[inline]
    fn step(&mut self) -> Outcome {
        let left_wins = self.left & self.right_loses != 0;
        let right_wins = self.right & self.left_loses != 0;
        self.left_loses = self.left_loses << 1 | u64::from(!left_wins);
        self.right_loses = self.right_loses << 1 | u64::from(!right_wins);
        Outcome::of(left_wins, right_wins)
    }
}

/// Both sets intervals.
struct Intervals {
    heap: u64,
    left: Window,
    right: Window,
}

/// The options of one player as a window of heaps, and the largest heap in it or below it where the opponent loses.
struct Window {
    low: u64,
    high: u64,
    /// One more than that heap; 0 if there is none.
    latest: u64,
    /// For the last heaps, whether the opponent loses there when starting: heap h at h mod the length, a power of 2 above `low`.
    opponent_loses: Vec<bool>,
}

impl Window {
    fn new(set: &SubtractionSet) -> Self {
        let (low, high) = set.ends();
        let length = (low as usize + 1).next_power_of_two();
        Self { low: low.into(), high: high.into(), latest: 0, opponent_loses: vec![false; length] }
    }

    #[inline]
    fn wins(&mut self, heap: u64) -> bool {
        let mask = self.opponent_loses.len() as u64 - 1;
        if heap >= self.low {
            let entering = heap - self.low;
            if self.opponent_loses[(entering & mask) as usize] {
                self.latest = entering + 1;
            }
        }
        // The window's lower end is heap - high, so one more than a heap in it is above heap - high.
        self.latest != 0 && self.latest + self.high > heap
    }

    #[inline]
    fn note(&mut self, heap: u64, opponent_loses: bool) {
        let mask = self.opponent_loses.len() as u64 - 1;
        self.opponent_loses[(heap & mask) as usize] = opponent_loses;
    }
}

impl Intervals {
    fn new(ruleset: &Ruleset) -> Self {
        Self { heap: 0, left: Window::new(&ruleset.left), right: Window::new(&ruleset.right) }
    }

    #[inline]
    fn step(&mut self) -> Outcome {
        let left_wins = self.left.wins(self.heap);
        let right_wins = self.right.wins(self.heap);
        self.left.note(self.heap, !right_wins);
        self.right.note(self.heap, !left_wins);
        self.heap += 1;
        Outcome::of(left_wins, right_wins)
    }
}

/// Any sets: histories and masks of several words, the lowest first.
struct Words {
    left: Vec<u64>,
    right: Vec<u64>,
    left_loses: Vec<u64>,
    right_loses: Vec<u64>,
}

impl Words {
    fn new(ruleset: &Ruleset) -> Self {
        let words = ruleset.reach().div_ceil(u64::BITS) as usize;
        let mask = |set: &SubtractionSet| {
            let mut mask = vec![0u64; words];
            for number in set.elements() {
                mask[(number - 1) as usize / 64] |= 1 << ((number - 1) % 64);
            }
            mask
        };
        Self { left: mask(&ruleset.left), right: mask(&ruleset.right), left_loses: vec![0; words], right_loses: vec![0; words] }
    }

    fn step(&mut self) -> Outcome {
        let meet = |mask: &[u64], history: &[u64]| mask.iter().zip(history).any(|(mask, history)| mask & history != 0);
        let left_wins = meet(&self.left, &self.right_loses);
        let right_wins = meet(&self.right, &self.left_loses);
        push(&mut self.left_loses, !left_wins);
        push(&mut self.right_loses, !right_wins);
        Outcome::of(left_wins, right_wins)
    }
}

/// Shifts a history by one heap.
fn push(history: &mut [u64], bit: bool) {
    let mut carry = u64::from(bit);
    for word in history {
        let next = *word >> 63;
        *word = *word << 1 | carry;
        carry = next;
    }
}
