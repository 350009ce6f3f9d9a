//! The four outcome classes under normal play: L, R, N and P.

use std::fmt;

/// The outcome class of a position under normal play: who wins when both play perfectly. Impartial positions are N or P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Left wins, whoever starts.
    L,
    /// Right wins, whoever starts.
    R,
    /// The next player, who is about to move, wins.
    N,
    /// The previous player wins: every option is an N-position.
    P,
}

impl Outcome {
    /// The outcome class, given whether Left wins when she starts and whether Right wins when he starts.
    #[must_use]
    pub fn of(left_wins: bool, right_wins: bool) -> Self {
        match (left_wins, right_wins) {
            (true, true) => Self::N,
            (true, false) => Self::L,
            (false, true) => Self::R,
            (false, false) => Self::P,
        }
    }

    /// The outcome class of this letter.
    #[must_use]
    pub fn from_letter(letter: &str) -> Option<Self> {
        [Self::L, Self::R, Self::N, Self::P].into_iter().find(|outcome| outcome.letter() == letter)
    }

    /// The outcome class as people in the field write it, one letter.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Self::L => "L",
            Self::R => "R",
            Self::N => "N",
            Self::P => "P",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.letter())
    }
}
