//! A claim of a manifest: a hypothesis, and a statement or a prediction.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::scope::{Expression, Prediction};
use super::syntax::{Kind, Named, Node, Sign};
use super::types::Type;
use super::vocabulary::Vocabulary;

/// A hypothesis together with what is said where it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    condition: Option<Expression>,
    statement: Expression,
    prediction: Option<Prediction>,
    uses: Vec<usize>,
    others: Vec<usize>,
}

impl Claim {
    /// Where the first is true (everywhere, if there is none) the second is true as well. Both are statements of one vocabulary.
    #[must_use]
    pub fn says(condition: Option<Expression>, statement: Expression) -> Self {
        Self::new(condition, statement, None)
    }

    /// Where the first is true (everywhere, if there is none) the position has the predicted value.
    #[must_use]
    pub fn predicts(condition: Option<Expression>, prediction: Prediction) -> Self {
        let (index, name) = &prediction.about;
        let tree = prediction.expression.tree();
        let actual = Node::new(Kind::Variable(Named { index: *index, name: Arc::clone(name) }), tree.span);
        let equal = Kind::Compare(Box::new(actual), vec![(Sign::Equal, tree.clone())]);
        let statement = Expression::of_tree(Node::new(equal, tree.span), Type::Boolean, prediction.has_games);
        Self::new(condition, statement, Some(prediction))
    }

    fn new(condition: Option<Expression>, statement: Expression, prediction: Option<Prediction>) -> Self {
        let all = |of: fn(&Expression) -> &[usize]| {
            let all: BTreeSet<usize> = condition.iter().chain([&statement]).flat_map(of).copied().collect();
            all.into_iter().collect()
        };
        let (uses, others) = (all(Expression::uses), all(Expression::others));
        Self { condition, statement, prediction, uses, others }
    }

    /// The hypothesis.
    #[must_use]
    pub fn condition(&self) -> Option<&Expression> {
        self.condition.as_ref()
    }

    /// The statement; for a prediction that the value equals what is predicted.
    #[must_use]
    pub fn statement(&self) -> &Expression {
        &self.statement
    }

    /// The prediction, if it is one.
    #[must_use]
    pub fn prediction(&self) -> Option<&Prediction> {
        self.prediction.as_ref()
    }

    /// The variables in it, by their index in the vocabulary, ascending. Where one of them is absent the claim is silent.
    #[must_use]
    pub fn uses(&self) -> &[usize] {
        &self.uses
    }

    /// The variables that it asks other positions for, by their index in the vocabulary, ascending.
    #[must_use]
    pub fn others(&self) -> &[usize] {
        &self.others
    }

    /// Whether it looks at other positions.
    #[must_use]
    pub fn relates(&self) -> bool {
        self.condition.iter().chain([&self.statement]).any(Expression::relates)
    }

    /// The least version of the language that reads it: what it means has been the same since.
    #[must_use]
    pub fn version(&self) -> u32 {
        if self.relates() { 2 } else { 1 }
    }

    /// Those of [`Claim::uses`] that take a solver; of a prediction also what it is about.
    #[must_use]
    pub fn solved(&self, vocabulary: &Vocabulary) -> Vec<usize> {
        vocabulary.solved(&self.uses)
    }
}
