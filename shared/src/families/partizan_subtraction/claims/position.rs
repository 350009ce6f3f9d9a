use crate::claim::Prediction;
use crate::value::Outcome;

use super::super::rules::Support;

/// A heap of full (tau = 0) or truncated support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The ruleset.
    pub support: Support,
    /// The heap n.
    pub heap: u64,
}

/// What a claim of this paper predicts of a heap.
pub type Says = Prediction<Position, Outcome>;

impl Position {
    /// Whether it is one of truncated support: 1 <= a < b, 1 <= tau < b.
    pub fn is_truncated(&self) -> bool {
        self.support.tau >= 1 && self.support.a < self.support.b
    }

    /// kappa = b - a.
    pub fn kappa(&self) -> u64 {
        self.support.b - self.support.a
    }

    /// The paper's beta-hat, floor((b-a) / (b-a-tau)), where tau < kappa.
    pub fn last_block(&self) -> Option<u64> {
        let kappa = self.kappa();
        (self.support.tau < kappa).then(|| kappa / (kappa - self.support.tau))
    }

    /// R = beta-hat (a + tau + 1), where tau < kappa.
    pub fn onset(&self) -> Option<u64> {
        Some(self.last_block()? * (self.support.a + self.support.tau + 1))
    }
}

/// This outcome where the hypothesis applies.
pub fn outcome_if(hypothesis: bool, outcome: Outcome) -> Says {
    if hypothesis { Prediction::Value(outcome) } else { Prediction::Silent }
}

/// The outcome, if the claim speaks.
pub fn outcome_or_silent(outcome: Option<Outcome>) -> Says {
    outcome.map_or(Prediction::Silent, Prediction::Value)
}
