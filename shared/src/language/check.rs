//! Looks up the names of a tree, puts definitions in, and says of which type it is.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::text::{known, plain, quoted};
use crate::value::Games;

use super::bounds::{MAX_DEPTH, MAX_PARTS, QUOTED_STEPS};
use super::error::{Error, Problem};
use super::syntax::{
    Arithmetic, At, Domain, Function, Kind, Named, Node, Quantified, Quantifier, Sign, Span, flattened, operator_in_words,
};
use super::types::Type;
use super::vocabulary::{Reach, Vocabulary};

/// The most characters of a reason why a quoted text is no value: it may repeat that text.
const LONGEST_REASON: usize = 200;

/// A definition, checked: it has no names but variables, and those of its own quantifiers.
#[derive(Clone, Debug)]
pub struct Defined {
    /// Its name.
    pub name: Arc<str>,
    /// What is put in its place.
    pub node: Node,
    /// Of which type that is.
    pub of: Type,
    /// The variables in it, by index, also those of other positions.
    pub uses: BTreeSet<usize>,
}

/// What checking a tree needs to know, and what it finds.
pub struct Checker<'a> {
    text: &'a str,
    vocabulary: &'a Vocabulary,
    definitions: &'a [Defined],
    /// Whether what is solved must not be seen.
    predicts: bool,
    bound: Vec<(Arc<str>, Type)>,
    /// The variables that were met, by index, also those of other positions.
    pub uses: BTreeSet<usize>,
    /// The names of quantifiers that were met.
    pub quantified: BTreeSet<Arc<str>>,
    /// The quoted values that were met, each as it is printed, and where they are worked out.
    quoted: HashMap<String, Arc<str>>,
    games: Games,
}

/// Errors are boxed, so that there is little on the stack at each level of a deep tree.
type Checked<T = Type> = Result<T, Box<Error>>;

/// What helps where a number stands in place of a statement.
const COMPARE: &str = "; a number becomes a statement by comparing it, as in n != 0";
const NOT: &str = "; '!' binds tighter than comparisons: write !(a == b)";
const LIST: &str = "; a list is written as [1, 2, 3]";

impl<'a> Checker<'a> {
    /// A checker of one text.
    pub fn new(text: &'a str, vocabulary: &'a Vocabulary, definitions: &'a [Defined], predicts: bool) -> Self {
        Self {
            text,
            vocabulary,
            definitions,
            predicts,
            bound: Vec::new(),
            uses: BTreeSet::new(),
            quantified: BTreeSet::new(),
            quoted: HashMap::new(),
            games: Games::new(QUOTED_STEPS),
        }
    }

    /// A problem of the text.
    #[cold]
    pub fn fail(&self, problem: Problem, span: Span) -> Box<Error> {
        Box::new(Error::new(problem, self.text, span))
    }

    /// Resolves a tree in place, and gives its type.
    ///
    /// # Errors
    /// The first [`Error`] from left to right.
    pub fn check(&mut self, node: &mut Node) -> Checked {
        let span = node.span;
        let of = match &mut node.kind {
            Kind::Integer(_) => Type::Integer,
            Kind::Boolean(_) => Type::Boolean,
            Kind::Outcome(_) => Type::Outcome,
            Kind::Game(text) => {
                *text = self.quoted(text, span)?;
                Type::Game
            }
            Kind::Name(name) => {
                let name = Arc::clone(name);
                self.name(node, &name)?
            }
            // Both come of this checker alone, which knows their types no more; a parsed tree has none.
            Kind::Variable(variable) | Kind::Positions(variable) => {
                self.vocabulary.variables().get(variable.index).map_or(Type::Nothing, |found| found.of.clone())
            }
            Kind::Bound(_) => Type::Nothing,
            Kind::Negative(operand) => self.addend(operand)?,
            Kind::Not(operand) => self.expect(operand, &Type::Boolean, NOT)?,
            Kind::Arithmetic(operator, pair) => self.arithmetic(*operator, pair)?,
            Kind::Compare(first, rest) => self.compare(first, rest)?,
            Kind::In(element, domain) => {
                let of = self.plain(element)?;
                let within = self.domain(domain)?;
                if of.has_positions() {
                    let example = self.names().next().unwrap_or("AB").to_owned();
                    return Err(self.fail(Problem::ComparesPositions { example }, span));
                }
                self.join(&of, &within, span)?;
                Type::Boolean
            }
            Kind::And(operands) | Kind::Or(operands) => {
                operands.iter_mut().try_for_each(|operand| self.expect(operand, &Type::Boolean, COMPARE).map(drop))?;
                Type::Boolean
            }
            Kind::Implies(pair) | Kind::Iff(pair) => {
                pair.iter_mut().try_for_each(|operand| self.expect(operand, &Type::Boolean, COMPARE).map(drop))?;
                Type::Boolean
            }
            Kind::Choice(parts) => {
                let [condition, then, otherwise] = &mut **parts;
                self.expect(condition, &Type::Boolean, COMPARE)?;
                let (one, other) = (self.check(then)?, self.check(otherwise)?);
                self.join(&one, &other, then.span.to(otherwise.span))?
            }
            Kind::Call(function, arguments) => self.call(*function, arguments, span)?,
            Kind::Quantified(quantified) => self.quantified(quantified)?,
            Kind::List(elements) => {
                let mut of = Type::Nothing;
                for element in elements {
                    let next = self.check(element)?;
                    of = self.join(&of, &next, element.span)?;
                }
                Type::list(of)
            }
            Kind::Index(pair) => self.index(pair)?,
            Kind::At(at) => self.at(at)?,
            Kind::Field(of, named) => {
                self.position(of)?;
                self.field(named, Span { start: of.span.end, end: span.end })?
            }
        };
        flatten(node);
        node.measure();
        match (node.depth > MAX_DEPTH, node.parts > MAX_PARTS) {
            (true, _) => Err(self.fail(Problem::TooDeep, span)),
            (_, true) => Err(self.fail(Problem::TooManyParts, span)),
            _ => Ok(of),
        }
    }

    /// The type of an element of a list.
    fn index(&mut self, pair: &mut [Node; 2]) -> Checked {
        let [list, index] = pair;
        let of = self.check(list)?;
        self.expect(index, &Type::Integer, "")?;
        match of {
            Type::List(element) => Ok(*element),
            Type::Nothing => Ok(Type::Nothing),
            Type::Set(_) => Err(self.wrong("a list", of, "; a set has no order: write sorted(set)", list.span)),
            found => Err(self.wrong("a list", found, LIST, list.span)),
        }
    }

    /// A quoted value, as it is printed.
    fn quoted(&mut self, text: &str, span: Span) -> Checked<Arc<str>> {
        if let Some(known) = self.quoted.get(text) {
            return Ok(Arc::clone(known));
        }
        let found = match self.games.parse(text) {
            Ok(game) => self.games.text(game).ok_or_else(|| "it is too long to write out".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        let printed: Arc<str> = found.map_err(|reason| self.fail(Problem::Quoted { reason: plain(&reason, LONGEST_REASON) }, span))?.into();
        self.quoted.insert(text.to_owned(), Arc::clone(&printed));
        Ok(printed)
    }

    /// Puts in place of a name what it stands for.
    fn name(&mut self, node: &mut Node, name: &Arc<str>) -> Checked {
        let named = |index| Named { index, name: Arc::clone(name) };
        if let Some(outside) = self.bound.iter().rev().position(|(bound, _)| bound == name) {
            node.kind = Kind::Bound(named(outside));
            return Ok(self.bound[self.bound.len() - 1 - outside].1.clone());
        }
        if let Some(index) = self.vocabulary.find(name) {
            self.may_see(index, String::new(), node.span)?;
            self.uses.insert(index);
            let of = self.vocabulary.variables()[index].of.clone();
            node.kind = if of.has_positions() { Kind::Positions(named(index)) } else { Kind::Variable(named(index)) };
            return Ok(of);
        }
        if let Some(defined) = self.definitions.iter().find(|defined| defined.name == *name) {
            for index in &defined.uses {
                self.may_see(*index, format!(", which '{name}' has in it"), node.span)?;
            }
            self.uses.extend(&defined.uses);
            *node = Node { span: node.span, ..defined.node.clone() };
            return Ok(defined.of.clone());
        }
        let hint = match &**name {
            "not" => Some("write !"),
            "p" | "n" | "l" | "r" => Some("outcomes are P, N, L and R"),
            word => operator_in_words(word).map(|(_, hint)| hint),
        };
        let names =
            self.names().chain(self.definitions.iter().map(|defined| &*defined.name)).chain(self.bound.iter().map(|(bound, _)| &**bound));
        let known = self.vocabulary.why_not(name).or(hint).map_or_else(|| known(name, names), str::to_owned);
        Err(self.fail(Problem::UnknownName { name: quoted(name), known }, node.span))
    }

    fn may_see(&self, index: usize, through: String, span: Span) -> Checked<()> {
        let variable = &self.vocabulary.variables()[index];
        if !self.predicts || !variable.role.is_solved() {
            return Ok(());
        }
        Err(self.fail(Problem::Peeks { name: variable.name.clone(), through }, span))
    }

    /// The names of the vocabulary.
    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.vocabulary.variables().iter().map(|variable| variable.name.as_str())
    }

    /// A tree that has to be a position.
    fn position(&mut self, node: &mut Node) -> Checked<()> {
        match self.check(node)? {
            Type::Position | Type::Nothing => Ok(()),
            found => Err(self.wrong("another position", found, "; such as at(...), or o in options", node.span)),
        }
    }

    /// The type of something of another position.
    fn field(&mut self, named: &mut Named, span: Span) -> Checked {
        let Some(index) = self.vocabulary.find(&named.name) else {
            let known = known(&named.name, self.names());
            return Err(self.fail(Problem::UnknownName { name: quoted(&named.name), known }, span));
        };
        let variable = &self.vocabulary.variables()[index];
        if let (Reach::Whole, Some(whole)) = (variable.reach, self.vocabulary.whole()) {
            return Err(self.fail(Problem::OfWhole { name: variable.name.clone(), whole }, span));
        }
        self.may_see(index, String::new(), span)?;
        self.uses.insert(index);
        named.index = index;
        Ok(variable.of.clone())
    }

    /// Another position: its names may be set, and each is set once.
    fn at(&mut self, at: &mut At) -> Checked {
        let At { of, changes } = at;
        if let Some(of) = of {
            self.position(of)?;
        }
        let mut set = BTreeSet::new();
        for change in changes {
            let index = self.vocabulary.find(&change.named.name).filter(|index| self.vocabulary.variables()[*index].is_set);
            let Some(index) = index else {
                let names = self.vocabulary.variables().iter().filter(|variable| variable.is_set).map(|variable| variable.name.as_str());
                let names: Vec<&str> = names.collect();
                let known = match (names.is_empty(), self.vocabulary.find(&change.named.name)) {
                    (true, _) => "no name says which position it is; ask for options".to_owned(),
                    (false, Some(_)) => format!("at sets {}", names.join(", ")),
                    (false, None) => known(&change.named.name, names),
                };
                return Err(self.fail(Problem::NotSet { name: quoted(&change.named.name), known }, change.span));
            };
            if !set.insert(index) {
                return Err(self.fail(Problem::SetTwice { name: change.named.name.to_string() }, change.span));
            }
            change.named.index = index;
            self.expect(&mut change.value, &Type::Integer, "")?;
        }
        Ok(Type::Position)
    }

    /// The type of a tree. A position stands for the number that its family says, where there is one: `n >= 3` is `n.heap >= 3`.
    fn plain(&mut self, node: &mut Node) -> Checked {
        let of = self.check(node)?;
        let Some(index) = self.vocabulary.number().filter(|_| of == Type::Position) else { return Ok(of) };
        let variable = &self.vocabulary.variables()[index];
        self.may_see(index, String::new(), node.span)?;
        self.uses.insert(index);
        let span = node.span;
        let inner = std::mem::replace(node, Node::new(Kind::Boolean(false), span));
        *node = Node::new(Kind::Field(Box::new(inner), Named { index, name: variable.name.as_str().into() }), span);
        Ok(variable.of.clone())
    }

    fn wrong(&self, wanted: &'static str, found: Type, hint: &'static str, span: Span) -> Box<Error> {
        self.fail(Problem::Type { wanted, found, hint }, span)
    }

    /// Resolves a tree that has to be of a type.
    ///
    /// # Errors
    /// An [`Error`] in it, or that it is of another type, with a hint.
    pub fn expect(&mut self, node: &mut Node, wanted: &Type, hint: &'static str) -> Checked {
        let found = if matches!(wanted, Type::Integer | Type::Game) { self.plain(node)? } else { self.check(node)? };
        if found.fits(wanted) {
            return Ok(wanted.clone());
        }
        let wanted = match wanted {
            Type::Integer => "a whole number",
            Type::Boolean => "a statement (true or false)",
            Type::Outcome => "an outcome (P, N, L or R)",
            Type::Game => "a game",
            Type::Position => "a position",
            _ => "a list or a set of whole numbers",
        };
        let hint = if hint == COMPARE && found != Type::Integer { "" } else { hint };
        Err(self.wrong(wanted, found, hint, node.span))
    }

    fn join(&self, one: &Type, other: &Type, span: Span) -> Checked {
        one.join(other).ok_or_else(|| self.fail(Problem::Mismatch { one: one.clone(), other: other.clone() }, span))
    }

    /// What can be added: a whole number or a game.
    fn addend(&mut self, operand: &mut Node) -> Checked {
        match self.plain(operand)? {
            Type::Nothing => Ok(Type::Integer),
            of @ (Type::Integer | Type::Game) => Ok(of),
            found => Err(self.wrong("a whole number or a game", found, "", operand.span)),
        }
    }

    fn arithmetic(&mut self, operator: Arithmetic, pair: &mut [Node; 2]) -> Checked {
        let [left, right] = pair;
        if let Arithmetic::Plus | Arithmetic::Minus = operator {
            let (one, other) = (self.addend(left)?, self.addend(right)?);
            return self.join(&one, &other, left.span);
        }
        let hint = if operator == Arithmetic::Xor { "; of statements, a != b says that exactly one holds" } else { "" };
        self.expect(left, &Type::Integer, hint)?;
        self.expect(right, &Type::Integer, hint)
    }

    fn compare(&mut self, first: &mut Node, rest: &mut [(Sign, Node)]) -> Checked {
        let mut before = (self.plain(first)?, first.span);
        for (sign, operand) in rest {
            let of = self.plain(operand)?;
            for (of, span) in [&before, &(of.clone(), operand.span)] {
                if of.has_positions() {
                    let example = self.names().next().unwrap_or("AB").to_owned();
                    return Err(self.fail(Problem::ComparesPositions { example }, *span));
                }
            }
            if !matches!(sign, Sign::Equal | Sign::Different) {
                for (of, span) in [&before, &(of.clone(), operand.span)] {
                    if !of.fits(&Type::Game) {
                        return Err(self.fail(Problem::Order { sign: sign.word(), found: of.clone() }, *span));
                    }
                }
            }
            self.join(&before.0, &of, before.1.to(operand.span))?;
            before = (of, operand.span);
        }
        Ok(Type::Boolean)
    }

    /// The type of the elements.
    fn domain(&mut self, domain: &mut Domain) -> Checked {
        match domain {
            Domain::Range(low, high) => {
                self.expect(low, &Type::Integer, "")?;
                self.expect(high, &Type::Integer, "")
            }
            Domain::Elements(elements) => match self.check(elements)? {
                Type::List(element) | Type::Set(element) => Ok(*element),
                Type::Nothing => Ok(Type::Nothing),
                found => Err(self.wrong("a range, a list or a set", found, "; write 0..=9 or [1, 2, 3]", elements.span)),
            },
        }
    }

    fn quantified(&mut self, quantified: &mut Quantified) -> Checked {
        let Quantified { quantifier, name, name_span, domain, body, .. } = quantified;
        let what = if self.bound.iter().any(|(bound, _)| bound == name) {
            Some("the name of a quantifier around it")
        } else if self.vocabulary.find(name).is_some() {
            Some("a variable")
        } else if self.definitions.iter().any(|defined| defined.name == *name) {
            Some("defined under [let]")
        } else {
            None
        };
        if let Some(what) = what {
            return Err(self.fail(Problem::Shadow { name: quoted(name), what }, *name_span));
        }
        let element = self.domain(domain)?;
        self.quantified.insert(Arc::clone(name));
        self.bound.push((Arc::clone(name), element.clone()));
        let wanted = if *quantifier == Quantifier::Sum { Type::Integer } else { Type::Boolean };
        let of = self.expect(body, &wanted, if wanted == Type::Boolean { COMPARE } else { "" });
        self.bound.pop();
        let of = of?;
        Ok(match quantifier {
            Quantifier::Any | Quantifier::All | Quantifier::Sum => of,
            Quantifier::Count => Type::Integer,
            Quantifier::First => element,
        })
    }

    fn call(&mut self, function: Function, arguments: &mut [Node], span: Span) -> Checked {
        let usage = function.usage();
        let count = arguments.len();
        let is_right = match function {
            Function::Gcd | Function::Bit | Function::Confused => count == 2,
            Function::Min | Function::Max => count >= 1,
            Function::OutcomeWithFarStar => count == 1 || count == 2,
            _ => count == 1,
        };
        if !is_right {
            let found = crate::text::several(count as u128, "argument");
            return Err(self.fail(Problem::Arguments { name: function.word(), usage, found }, span));
        }
        match (function, arguments) {
            (Function::Min | Function::Max | Function::Mex | Function::Sum | Function::Sorted, [list]) => {
                self.integers(function, list)?;
                Ok(if function == Function::Sorted { Type::list(Type::Integer) } else { Type::Integer })
            }
            (Function::Len, [list]) => match self.check(list)? {
                Type::List(_) | Type::Set(_) | Type::Nothing => Ok(Type::Integer),
                found => Err(self.wrong("a list or a set", found, LIST, list.span)),
            },
            (Function::HasAtomicWeight, [game]) => {
                self.expect(game, &Type::Game, "")?;
                Ok(Type::Boolean)
            }
            (Function::Confused, games) => {
                games.iter_mut().try_for_each(|game| self.expect(game, &Type::Game, "").map(drop))?;
                Ok(Type::Boolean)
            }
            (Function::OutcomeWithFarStar, [game, ups @ ..]) => {
                self.expect(game, &Type::Game, "")?;
                ups.iter_mut().try_for_each(|ups| self.expect(ups, &Type::Integer, "").map(drop))?;
                Ok(Type::Outcome)
            }
            (_, numbers) => {
                for number in numbers {
                    let found = self.plain(number)?;
                    if found == Type::Game && matches!(function, Function::Min | Function::Max) {
                        return Err(self.fail(Problem::PartialOrder { function: function.word() }, number.span));
                    }
                    if !found.fits(&Type::Integer) {
                        return Err(self.wrong("a whole number", found, "", number.span));
                    }
                }
                Ok(Type::Integer)
            }
        }
    }

    /// A list or a set of whole numbers.
    fn integers(&mut self, function: Function, list: &mut Node) -> Checked<()> {
        let found = self.check(list)?;
        match found.element() {
            None if found == Type::Nothing => Ok(()),
            Some(element) if element.fits(&Type::Integer) => Ok(()),
            Some(Type::Game) if matches!(function, Function::Min | Function::Max | Function::Sorted) => {
                Err(self.fail(Problem::PartialOrder { function: function.word() }, list.span))
            }
            _ => Err(self.wrong("a list or a set of whole numbers", found, LIST, list.span)),
        }
    }
}

/// Has no conjunction stand directly in another one and no disjunction in another one, where a definition was put in.
fn flatten(node: &mut Node) {
    if let Kind::And(operands) | Kind::Or(operands) = &mut node.kind {
        let operands = std::mem::take(operands);
        let flat = operands.into_iter().flat_map(|operand| flattened(operand, &node.kind)).collect();
        node.kind = if matches!(node.kind, Kind::And(_)) { Kind::And(flat) } else { Kind::Or(flat) };
    }
}
