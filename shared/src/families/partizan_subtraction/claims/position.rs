//! A heap as the claims see it: those of the paper one of full or truncated support, with the paper's kappa, beta-hat and R, and the questions that a
//! relation asks about heaps.

use std::borrow::Cow;
use std::sync::Arc;

use crate::claim::{Prediction, Relation};
use crate::value::{Name, Outcome};

use super::super::quantity::{Value, Weight};
use super::super::rules::{Ruleset, Support};

/// A heap of full (tau = 0) or truncated support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The ruleset.
    pub support: Support,
    /// The heap n.
    pub heap: u64,
}

/// A heap of any ruleset.
#[derive(Clone, Debug)]
pub struct View {
    /// What both players may remove.
    pub ruleset: Arc<Ruleset>,
    /// The parameters of full or truncated support, if it is such a ruleset.
    pub support: Option<Support>,
    /// The heap n.
    pub heap: u64,
}

/// What a relation wants to know about heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The outcome of a heap.
    Outcome(Position),
    /// The canonical form of a heap.
    Form(Position),
    /// The atomic weight of a heap.
    Weight(Position),
    /// How two heaps compare, which may be of different rulesets.
    Order(Position, Position),
    /// How a heap compares with the game that has these heaps of the same ruleset as Left's and as Right's options.
    OrderWithOptions(Position, Vec<u64>, Vec<u64>),
    /// The outcome of a heap beside so many ups and a far star.
    BesideFarStar(Position, i64),
    /// The atomic weight of a heap minus another one, which may be of different rulesets.
    WeightOfDifference(Position, Position),
    /// How the sum of so many ups (downs where it is negative) and a far star compares with the game that has 0 for Left and the second
    /// number of ups and this nimber for Right, and for downs the players the other way round.
    UpsLeadTo(i64, i64, u64),
}

/// What a claim of this paper predicts of a heap.
pub type Says = Prediction<Question, Value>;

impl View {
    /// Another heap of the same ruleset.
    pub fn at(&self, heap: u64) -> Self {
        Self { heap, ..self.clone() }
    }

    /// The heap as one of full or truncated support, if it is.
    pub fn position(&self) -> Option<Position> {
        self.support.map(|support| Position { support, heap: self.heap })
    }

    /// What a claim about full or truncated support says about it: nothing where it is neither.
    pub fn says(&self, predict: fn(&Position) -> Says) -> Says {
        self.position().map_or(Prediction::Silent, |position| predict(&position))
    }
}

impl Question {
    /// The largest heap that it is about.
    pub fn largest_heap(&self) -> u64 {
        match self {
            Self::Order(one, other) | Self::WeightOfDifference(one, other) => one.heap.max(other.heap),
            Self::UpsLeadTo(ups, ..) => ups.unsigned_abs(),
            Self::Outcome(one) | Self::Form(one) | Self::Weight(one) | Self::BesideFarStar(one, _) => one.heap,
            Self::OrderWithOptions(one, left, right) => left.iter().chain(right).fold(one.heap, |largest, heap| largest.max(*heap)),
        }
    }
}

impl Position {
    /// Another heap of the same ruleset.
    pub fn at(self, heap: u64) -> Self {
        Self { heap, ..self }
    }

    /// Whether it is one of full support with a < b.
    pub fn is_full(&self) -> bool {
        self.support.tau == 0 && self.support.a < self.support.b
    }

    /// Whether it is one of truncated support: 1 <= a < b, 1 <= tau < b.
    pub fn is_truncated(&self) -> bool {
        self.support.tau >= 1 && self.support.a < self.support.b
    }

    /// Whether it is one of truncated support on the knife's edge, tau = kappa.
    pub fn is_on_the_edge(&self) -> bool {
        self.is_truncated() && self.support.tau == self.kappa()
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
    if hypothesis { Prediction::Value(Value::Outcome(outcome)) } else { Prediction::Silent }
}

/// The outcome, if the claim speaks.
pub fn outcome_or_silent(outcome: Option<Outcome>) -> Says {
    outcome.map_or(Prediction::Silent, |outcome| Prediction::Value(Value::Outcome(outcome)))
}

/// The nimber of this size where the hypothesis applies.
pub fn nimber_if(hypothesis: bool, size: u64) -> Says {
    if hypothesis { Prediction::Value(Value::Named(Name::nimber(size))) } else { Prediction::Silent }
}

/// This integer for an atomic weight where the hypothesis applies.
pub fn weight_if(hypothesis: bool, weight: i64) -> Says {
    if hypothesis { Prediction::Value(Value::Weight(Weight::Integer(weight))) } else { Prediction::Silent }
}

/// A relation on the answers to questions.
pub fn relation(
    needs: Vec<Question>,
    holds: impl Fn(&[Value]) -> bool + 'static,
    says: impl Into<Cow<'static, str>>,
    denies: impl Into<Cow<'static, str>>,
) -> Says {
    Prediction::Relation(Box::new(Relation { needs, holds: Box::new(holds), says: says.into(), denies: denies.into() }))
}
