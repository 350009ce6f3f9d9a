//! What is known of a position of an impartial game, and how the game is played: who wins when no move is left.

use std::fmt;

use super::{Nimber, Outcome};

/// Who wins when no move is left. Source: J. H. Conway, *On Numbers and Games*, chapters 11 and 12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Play {
    /// Who cannot move loses.
    #[default]
    Normal,
    /// Who cannot move wins. Grundy values do not tell who wins a sum here, and positions have outcomes only.
    Misere,
}

impl Play {
    /// The word for it in manifests.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Misere => "misere",
        }
    }

    /// The play of a word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Normal, Self::Misere].into_iter().find(|play| play.word() == word)
    }

    /// The outcome of a position without moves.
    #[must_use]
    pub fn at_the_end(self) -> Outcome {
        match self {
            Self::Normal => Outcome::P,
            Self::Misere => Outcome::N,
        }
    }
}

/// What is known of a position of an impartial game: under normal play its Grundy value where that was asked for, and else its
/// outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impartial {
    /// The outcome, P or N.
    Outcome(Outcome),
    /// The Grundy value, under normal play.
    Grundy(Nimber),
}

impl Impartial {
    /// The outcome: under normal play P where the Grundy value is 0.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Outcome(outcome) => outcome,
            Self::Grundy(Nimber(0)) => Outcome::P,
            Self::Grundy(_) => Outcome::N,
        }
    }

    /// The Grundy value, if it is known.
    #[must_use]
    pub fn grundy(self) -> Option<Nimber> {
        if let Self::Grundy(grundy) = self { Some(grundy) } else { None }
    }

    /// What this says of the kind that `asked` is of; none if it does not say so much.
    #[must_use]
    pub fn told(self, asked: Self) -> Option<Self> {
        match asked {
            Self::Outcome(_) => Some(Self::Outcome(self.outcome())),
            Self::Grundy(_) => self.grundy().map(Self::Grundy),
        }
    }
}

impl From<Outcome> for Impartial {
    fn from(outcome: Outcome) -> Self {
        Self::Outcome(outcome)
    }
}

impl From<Nimber> for Impartial {
    fn from(grundy: Nimber) -> Self {
        Self::Grundy(grundy)
    }
}

impl fmt::Display for Impartial {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => outcome.fmt(formatter),
            Self::Grundy(grundy) => grundy.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grundy_value_tells_the_outcome_and_not_the_other_way_round() {
        let [zero, three] = [Nimber(0), Nimber(3)].map(Impartial::Grundy);
        let [outcome, grundy] = [Impartial::Outcome(Outcome::N), Impartial::Grundy(Nimber(7))];
        assert_eq!([zero.told(outcome), three.told(outcome)], [Outcome::P, Outcome::N].map(|outcome| Some(outcome.into())));
        assert_eq!([zero.told(grundy), three.told(grundy)], [Some(zero), Some(three)]);
        assert_eq!([outcome.told(outcome), outcome.told(grundy)], [Some(outcome), None]);
        assert_eq!([zero.to_string(), three.to_string(), outcome.to_string()], ["0", "*3", "N"]);
    }

    #[test]
    fn each_play_has_its_word() {
        for play in [Play::Normal, Play::Misere] {
            assert_eq!(Play::of_word(play.word()), Some(play));
        }
        assert_eq!(Play::of_word("misère"), None);
    }
}
