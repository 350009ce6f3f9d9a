//! From the texts of a manifest to checked expressions.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::value::Games;

use super::bounds::{MAX_DEFINITIONS, MAX_DEPTH, QUOTED_STEPS};
use super::check::{Checker, Defined};
use super::error::{Error, Problem};
use super::parse::parse;
use super::print::print;
use super::syntax::{Kind, Node, Span, is_name, is_reserved};
use super::types::Type;
use super::vocabulary::{Reach, Role, Vocabulary};

/// An expression whose names are known and whose types are right, with all definitions put in.
///
/// Its `Display` is the canonical text, on which a sweep's id may depend: reading that text under the same vocabulary gives an
/// equal expression. Expressions are cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    tree: Arc<Node>,
    of: Type,
    uses: Vec<usize>,
    others: Vec<usize>,
    relates: bool,
    has_games: bool,
}

impl Expression {
    /// A checked tree, its type, and whether it has games in it.
    pub(super) fn of_tree(tree: Node, of: Type, has_games: bool) -> Self {
        let (mut uses, mut others, mut relates) = (BTreeSet::new(), BTreeSet::new(), false);
        let mut open = vec![&tree];
        while let Some(node) = open.pop() {
            match &node.kind {
                Kind::Variable(variable) => drop(uses.insert(variable.index)),
                Kind::Positions(variable) => {
                    uses.insert(variable.index);
                    relates = true;
                }
                Kind::Field(_, named) => drop(others.insert(named.index)),
                Kind::At(at) => {
                    // Where a name cannot be set since there is none, the expression is absent.
                    uses.extend(at.changes.iter().map(|change| change.named.index));
                    relates = true;
                }
                _ => {}
            }
            open.extend(node.children());
        }
        let [uses, others] = [uses, others].map(|indices| indices.into_iter().collect());
        Self { tree: Arc::new(tree), of, uses, others, relates, has_games }
    }

    /// Whether games are in it, as variables or as literals.
    #[must_use]
    pub fn has_games(&self) -> bool {
        self.has_games
    }

    /// Its type.
    #[must_use]
    pub fn of(&self) -> &Type {
        &self.of
    }

    /// The variables in it, by their index in the vocabulary, ascending.
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
        self.relates
    }

    /// Those of [`Expression::uses`] and [`Expression::others`] that take a solver.
    #[must_use]
    pub fn solved(&self, vocabulary: &Vocabulary) -> Vec<usize> {
        [vocabulary.solved(&self.uses), vocabulary.solved(&self.others)].concat()
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Node {
        &self.tree
    }

    /// Cuts a condition in two, so that it is the first `&&` the second: the first has its leading operands that use no variable
    /// for which `varies` is true, and the second the rest. A part without operands is none.
    ///
    /// So what is the same for a whole line of positions can be asked once for the line, in the same order as the whole.
    #[must_use]
    pub fn split(&self, varies: impl Fn(usize) -> bool) -> (Option<Self>, Option<Self>) {
        if self.of != Type::Boolean {
            return (None, Some(self.clone()));
        }
        let operands = match &self.tree.kind {
            Kind::And(operands) => operands.clone(),
            _ => vec![(*self.tree).clone()],
        };
        let parts: Vec<Self> = operands.into_iter().map(|node| Self::of_tree(node, Type::Boolean, self.has_games)).collect();
        let fixed = parts.iter().take_while(|part| !part.relates && !part.uses.iter().any(|index| varies(*index))).count();
        let joined = |parts: &[Self]| {
            let nodes: Vec<Node> = parts.iter().map(|part| (*part.tree).clone()).collect();
            let span = nodes.first()?.span;
            let tree = if nodes.len() == 1 { nodes.into_iter().next()? } else { Node::new(Kind::And(nodes), span) };
            Some(Self::of_tree(tree, Type::Boolean, self.has_games))
        };
        (joined(&parts[..fixed]), joined(&parts[fixed..]))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&print(&self.tree))
    }
}

/// An expression that predicts, and the variable that it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// What is predicted: an outcome, a whole number or a game. It uses nothing that takes a solver.
    pub expression: Expression,
    /// The variable of role [`Role::Predicted`] that it is about, with its name.
    pub about: (usize, Arc<str>),
    /// Whether games are in it or in what it is about.
    pub(super) has_games: bool,
}

/// The names that a text may use: the variables of a vocabulary, and definitions.
#[derive(Clone, Debug)]
pub struct Scope<'v> {
    vocabulary: &'v Vocabulary,
    definitions: Vec<Defined>,
    /// The names of quantifiers in definitions.
    quantified: BTreeSet<Arc<str>>,
}

impl<'v> Scope<'v> {
    /// The variables alone.
    #[must_use]
    pub fn new(vocabulary: &'v Vocabulary) -> Self {
        Self { vocabulary, definitions: Vec::new(), quantified: BTreeSet::new() }
    }

    /// Defines a name for an expression, which may use the names defined before. Where the name is used, the expression is put in
    /// as a whole, and evaluated there: what it would do elsewhere does not matter.
    ///
    /// # Errors
    /// [`Error`]: in the name, with the name as its text, or in the expression.
    pub fn define(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let wrong = |problem| Err(Error::new(problem, name, Span { start: 0, end: name.len() }));
        let shadow = |what| wrong(Problem::Shadow { name: name.to_owned(), what });
        if self.definitions.len() == MAX_DEFINITIONS {
            return wrong(Problem::TooManyDefinitions);
        }
        if !is_name(name) {
            return wrong(Problem::Name { name: crate::text::quoted(name) });
        }
        if is_reserved(name) {
            return wrong(Problem::Reserved { name: name.to_owned(), what: "defined" });
        }
        if self.vocabulary.find(name).is_some() {
            return shadow("a variable");
        }
        if self.definitions.iter().any(|defined| &*defined.name == name) {
            return shadow("defined");
        }
        if self.quantified.contains(name) {
            return shadow("the name of a quantifier in a definition before it");
        }
        let mut node = parse(text)?;
        let mut checker = Checker::new(text, self.vocabulary, &self.definitions, false);
        let of = checker.check(&mut node).map_err(|error| *error)?;
        let Checker { uses, quantified, .. } = checker;
        self.quantified.extend(quantified);
        self.definitions.push(Defined { name: name.into(), node, of, uses });
        Ok(())
    }

    /// An expression of a tree that the checker has taken; its definitions have quoted values as well.
    fn checked(&self, text: &str, tree: Node, of: Type, whole: Option<&'static str>) -> Result<Expression, Error> {
        let mut has_games = false;
        let mut quoted = BTreeSet::new();
        let mut open = vec![&tree];
        while let Some(node) = open.pop() {
            match &node.kind {
                Kind::Game(value) => drop(quoted.insert(value)),
                Kind::Variable(variable) | Kind::Positions(variable) => {
                    has_games |= self.vocabulary.variables()[variable.index].of.has_games();
                    self.is_of(variable.index, whole).map_err(|problem| Error::new(problem, text, node.span))?;
                }
                Kind::Field(_, named) => has_games |= self.vocabulary.variables()[named.index].of.has_games(),
                Kind::At(at) => {
                    if let (Some(whole), None) = (whole, &at.of) {
                        return Err(Error::new(Problem::AtNothing { whole }, text, node.span));
                    }
                }
                _ => {}
            }
            // In the order of the text, so that the first problem is found first.
            open.extend(node.children().into_iter().rev());
        }
        let mut games = Games::new(QUOTED_STEPS);
        if quoted.iter().any(|value| games.parse(value).is_err()) {
            return Err(Error::new(Problem::QuotedSteps, text, tree.span));
        }
        let has_games = has_games || !quoted.is_empty();
        Ok(Expression::of_tree(tree, of, has_games))
    }

    /// Whether a variable is of what a claim is about: of a whole, if that is named, else of a position.
    fn is_of(&self, index: usize, whole: Option<&'static str>) -> Result<(), Problem> {
        let variable = &self.vocabulary.variables()[index];
        match (variable.reach, whole, self.vocabulary.whole()) {
            (Reach::Position, Some(whole), _) => Err(Problem::OfPosition { name: variable.name.clone(), whole }),
            (Reach::Whole, None, Some(whole)) => Err(Problem::OfWhole { name: variable.name.clone(), whole }),
            _ => Ok(()),
        }
    }

    /// An expression of any type.
    ///
    /// # Errors
    /// [`Error`].
    pub fn expression(&self, text: &str) -> Result<Expression, Error> {
        let mut node = parse(text)?;
        let of = Checker::new(text, self.vocabulary, &self.definitions, false).check(&mut node).map_err(|error| *error)?;
        self.checked(text, node, of, None)
    }

    /// A `where` or a `says`: true or false.
    ///
    /// # Errors
    /// [`Error`].
    pub fn statement(&self, text: &str) -> Result<Expression, Error> {
        self.statement_about(text, None)
    }

    /// The same of a claim that is about a whole, if one is named, such as a ruleset.
    ///
    /// # Errors
    /// [`Error`].
    pub fn statement_about(&self, text: &str, whole: Option<&'static str>) -> Result<Expression, Error> {
        let mut node = parse(text)?;
        let of =
            Checker::new(text, self.vocabulary, &self.definitions, false).expect(&mut node, &Type::Boolean, "").map_err(|error| *error)?;
        self.checked(text, node, of, whole)
    }

    /// A `predict`: an outcome, a whole number or a game, made of nothing that takes a solver.
    ///
    /// # Errors
    /// [`Error`]; also where the vocabulary has nothing that such a prediction could be about.
    pub fn prediction(&self, text: &str) -> Result<Prediction, Error> {
        let mut node = parse(text)?;
        let mut checker = Checker::new(text, self.vocabulary, &self.definitions, true);
        let of = checker.check(&mut node).map_err(|error| *error)?;
        // It becomes one side of a comparison.
        if node.depth == MAX_DEPTH {
            return Err(*checker.fail(Problem::TooDeep, node.span));
        }
        if !matches!(of, Type::Outcome | Type::Integer | Type::Game) {
            return Err(*checker.fail(Problem::PredictionType { found: of }, node.span));
        }
        let variables = self.vocabulary.variables();
        let Some(index) = self.vocabulary.predicted(&of) else {
            let names: Vec<&str> =
                variables.iter().filter(|variable| variable.role == Role::Predicted).map(|variable| variable.name.as_str()).collect();
            let known = match self.vocabulary.why_none(&of) {
                Some(why) => why.to_owned(),
                None if names.is_empty() => "write 'says'".to_owned(),
                None => format!("they have: {}", names.join(", ")),
            };
            return Err(*checker.fail(Problem::NothingPredicted { found: of, known }, node.span));
        };
        let about = (index, variables[index].name.as_str().into());
        let expression = self.checked(text, node, of, None)?;
        let has_games = expression.has_games() || variables[index].of.has_games();
        Ok(Prediction { expression, about, has_games })
    }
}
