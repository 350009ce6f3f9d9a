//! The partial order of games by their options, with every comparison made once and without recursion.

use std::cmp::Ordering;

use super::games::SCRATCH;
use super::{GameId, Games, Outcome, ValueError};

/// How two games compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The first is less: Left likes the second better.
    Less,
    /// They are equal.
    Equal,
    /// The first is greater.
    Greater,
    /// Neither is at most the other.
    Confused,
}

impl Order {
    /// The order, given whether the first is at most the second, and whether it is at least the second.
    #[must_use]
    pub fn of(at_most: bool, at_least: bool) -> Self {
        match (at_most, at_least) {
            (true, true) => Self::Equal,
            (true, false) => Self::Less,
            (false, true) => Self::Greater,
            (false, false) => Self::Confused,
        }
    }

    /// Whether the first is at most the second.
    #[must_use]
    pub fn is_at_most(self) -> bool {
        matches!(self, Self::Less | Self::Equal)
    }

    /// The outcome class of the first minus the second.
    #[must_use]
    pub fn outcome_of_difference(self) -> Outcome {
        match self {
            Self::Less => Outcome::R,
            Self::Equal => Outcome::P,
            Self::Greater => Outcome::L,
            Self::Confused => Outcome::N,
        }
    }

    /// The sign as the field writes it.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::Equal => "=",
            Self::Greater => ">",
            Self::Confused => "||",
        }
    }
}

/// A comparison that waits for the answers of others.
struct Frame {
    less: GameId,
    more: GameId,
    /// How many of the Left options of `less`, and then of the Right options of `more`, have been looked at.
    seen: usize,
}

impl Games {
    /// How two games compare.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn compare(&mut self, one: GameId, other: GameId) -> Result<Order, ValueError> {
        Ok(Order::of(self.at_most(one, other)?, self.at_most(other, one)?))
    }

    /// Whether G <= H: no Left option of G is at least H, and no Right option of H is at most G.
    ///
    /// Cost: at most the number of pairs of positions of the two, each once.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn at_most(&mut self, less: GameId, more: GameId) -> Result<bool, ValueError> {
        if let Some(known) = self.known(less, more) {
            return Ok(known);
        }
        let mut stack = vec![Frame { less, more, seen: 0 }];
        let mut answer = true;
        while let Some(frame) = stack.last_mut() {
            let Frame { less, more, seen } = *frame;
            let left = self.left(less);
            let question = match left.get(seen) {
                Some(option) => Some((more, *option)),
                None => self.right(more).get(seen - left.len()).map(|option| (*option, less)),
            };
            let known = question.map(|(less, more)| self.known(less, more));
            answer = match (question, known.flatten()) {
                (None, _) => true,
                (_, Some(true)) => false,
                (_, Some(false)) => {
                    frame.seen += 1;
                    continue;
                }
                (Some((less, more)), None) => {
                    self.spend(1)?;
                    stack.push(Frame { less, more, seen: 0 });
                    continue;
                }
            };
            self.remember(less, more, answer);
            stack.pop();
        }
        Ok(answer)
    }

    fn known(&self, less: GameId, more: GameId) -> Option<bool> {
        if less == more {
            return Some(true);
        }
        if less == SCRATCH || more == SCRATCH {
            return self.scratch_order.get(&(less, more)).copied();
        }
        match (self.as_number(less), self.as_number(more)) {
            (Some(less), Some(more)) => Some(less.cmp(&more) != Ordering::Greater),
            _ => self.order.get(&(less, more)).copied(),
        }
    }

    fn remember(&mut self, less: GameId, more: GameId, answer: bool) {
        let memo = if less == SCRATCH || more == SCRATCH { &mut self.scratch_order } else { &mut self.order };
        memo.insert((less, more), answer);
    }
}
