use std::fmt;

/// The outcome class of an impartial position under normal play: who wins when both play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The next player, who is about to move, wins.
    N,
    /// The previous player wins: every option is an N-position.
    P,
}

impl Outcome {
    /// The outcome class as people in the field write it, one letter.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
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
