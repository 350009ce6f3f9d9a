//! Walks over one tree at one position, and gives its value, or what a claim comes to.

use std::collections::HashMap;
use std::sync::Arc;

use crate::language::bounds::MAX_STEPS;
use crate::language::claim::Claim;
use crate::language::games;
use crate::language::positions::Positions;
use crate::language::scope::Expression;
use crate::language::syntax::{Arithmetic, At, Domain, Function, Kind, Node, Quantified, Quantifier, Sign};
use crate::language::value::{PositionId, PositionList};
use crate::language::value::{Reading, Reason, Value, Verdict};
use crate::value::{Games, Order};

use super::functions;

/// The value of an expression at a position.
///
/// `position` has a reading for each variable of the vocabulary, by index; only those in [`Expression::uses`] are looked at.
/// Games are of the store `games`; the answer does not depend on what else is in it, unless it runs out of steps. Other positions
/// are those of `others`; expressions that look at none may be given [`crate::language::Alone`].
///
/// # Errors
/// The [`Reason`] that is met first from left to right; [`Reason::Unknown`] for a variable that is absent.
pub fn evaluate(expression: &Expression, position: &[Reading], games: &mut Games, others: &mut dyn Positions) -> Result<Value, Reason> {
    Walker::new(position, games, others).value(expression.tree())
}

/// The same, and how many of [`MAX_STEPS`] it took.
pub fn evaluate_counted(
    expression: &Expression,
    position: &[Reading],
    games: &mut Games,
    others: &mut dyn Positions,
) -> (Result<Value, Reason>, u64) {
    let mut walker = Walker::new(position, games, others);
    let value = walker.value(expression.tree());
    (value, MAX_STEPS - walker.steps)
}

/// What a claim comes to at a position. See [`evaluate`] for the arguments; [`Claim::uses`] says which readings are needed.
pub fn judge(claim: &Claim, position: &[Reading], games: &mut Games, others: &mut dyn Positions) -> Verdict {
    if claim.uses().iter().any(|index| matches!(position.get(*index), None | Some(Reading::Absent))) {
        return Verdict::Silent;
    }
    let is_meant = claim.condition().map_or(Ok(true), |condition| Walker::new(position, games, others).boolean(condition.tree()));
    match is_meant {
        Err(reason) => return Verdict::Undefined(reason),
        Ok(false) => return Verdict::Silent,
        Ok(true) => {}
    }
    Walker::new(position, games, others).statement(claim.statement().tree()).unwrap_or_else(Verdict::Undefined)
}

type Result<T = Value, E = Reason> = std::result::Result<T, E>;

/// Walks over one tree at one position.
pub struct Walker<'p> {
    position: &'p [Reading],
    /// The store of the position's games.
    pub games: &'p mut Games,
    /// Other positions.
    pub others: &'p mut dyn Positions,
    /// The elements that quantifiers around stand at, the innermost last.
    pub bound: Vec<Value>,
    /// How many steps may still be taken.
    pub steps: u64,
    /// The quoted values that were met.
    quoted: HashMap<Arc<str>, Value>,
}

/// What a quantifier ranges over.
pub enum Elements {
    Range(i64, i64),
    List(Arc<[Value]>),
    /// A list of positions, and how many it has.
    Positions(PositionList, u64),
}

impl Elements {
    /// Whether there is an element of this number, from 0.
    fn has(&self, index: u64) -> bool {
        match self {
            Self::Range(low, high) => low.checked_add_unsigned(index).is_some_and(|element| element <= *high),
            Self::List(elements) => index < elements.len() as u64,
            Self::Positions(_, count) => index < *count,
        }
    }
}

impl<'p> Walker<'p> {
    pub fn new(position: &'p [Reading], games: &'p mut Games, others: &'p mut dyn Positions) -> Self {
        Self { position, games, others, bound: Vec::new(), steps: MAX_STEPS, quoted: HashMap::new() }
    }

    fn spend(&mut self, steps: u64) -> Result<()> {
        self.steps = self.steps.checked_sub(steps).ok_or(Reason::Steps)?;
        Ok(())
    }

    /// What a statement that is a whole comes to.
    fn statement(&mut self, node: &Node) -> Result<Verdict> {
        let holds = match &node.kind {
            Kind::Implies(pair) => return if self.boolean(&pair[0])? { self.statement(&pair[1]) } else { Ok(Verdict::Vacuous) },
            Kind::Quantified(quantified) if quantified.quantifier == Quantifier::All => {
                let elements = self.elements(&quantified.domain)?;
                if !elements.has(0) {
                    return Ok(Verdict::Vacuous);
                }
                self.quantified(quantified, &elements)? == Value::Boolean(true)
            }
            _ => self.boolean(node)?,
        };
        Ok(if holds { Verdict::Held } else { Verdict::Refuted })
    }

    /// The value of a tree.
    pub fn value(&mut self, node: &Node) -> Result {
        Ok(match &node.kind {
            Kind::Integer(integer) => Value::Integer(*integer),
            Kind::Boolean(boolean) => Value::Boolean(*boolean),
            Kind::Outcome(outcome) => Value::Outcome(*outcome),
            Kind::Game(text) => match self.quoted.get(text) {
                Some(value) => value.clone(),
                None => {
                    let value = games::quoted(text, self.games)?;
                    self.quoted.insert(Arc::clone(text), value.clone());
                    value
                }
            },
            Kind::Variable(variable) => match self.position.get(variable.index) {
                Some(Reading::Value(value)) => value.clone(),
                Some(Reading::Undefined(reason)) => return Err(*reason),
                Some(Reading::Absent) | None => return Err(Reason::Unknown),
            },
            Kind::Positions(variable) => Value::Positions(PositionList { of: self.others.own(0), variable: variable.index }),
            Kind::Bound(bound) => self.bound.iter().rev().nth(bound.index).cloned().ok_or(Reason::Unknown)?,
            Kind::Name(_) => return Err(Reason::Unknown),
            Kind::Negative(operand) => match self.value(operand)? {
                Value::Integer(integer) => Value::Integer(integer.checked_neg().ok_or(Reason::Overflow)?),
                game => games::negative(&game, self.games)?,
            },
            Kind::Not(operand) => Value::Boolean(!self.boolean(operand)?),
            Kind::Arithmetic(operator, pair) => self.arithmetic(*operator, pair)?,
            Kind::Compare(first, rest) => Value::Boolean(self.compare(first, rest)?),
            Kind::In(element, domain) => {
                let element = self.value(element)?;
                Value::Boolean(match self.elements(domain)? {
                    Elements::Range(low, high) => matches!(element, Value::Integer(integer) if low <= integer && integer <= high),
                    Elements::List(elements) => elements.iter().any(|other| element.equals(other, self.games)),
                    // Positions are not compared.
                    Elements::Positions(..) => false,
                })
            }
            Kind::And(operands) => Value::Boolean(self.until(operands, false)?),
            Kind::Or(operands) => Value::Boolean(self.until(operands, true)?),
            Kind::Implies(pair) => Value::Boolean(!self.boolean(&pair[0])? || self.boolean(&pair[1])?),
            Kind::Iff(pair) => Value::Boolean(self.boolean(&pair[0])? == self.boolean(&pair[1])?),
            Kind::Choice(parts) => {
                let chosen = if self.boolean(&parts[0])? { &parts[1] } else { &parts[2] };
                self.value(chosen)?
            }
            Kind::Call(function, arguments) => self.call(*function, arguments)?,
            Kind::Quantified(quantified) => {
                let elements = self.elements(&quantified.domain)?;
                self.quantified(quantified, &elements)?
            }
            Kind::List(elements) => Value::List(elements.iter().map(|element| self.value(element)).collect::<Result<_>>()?),
            Kind::Index(pair) => {
                let (list, index) = (self.value(&pair[0])?, self.integer(&pair[1])?);
                let list = self.elements_of(list)?;
                let index = u64::try_from(index).map_err(|_| Reason::Index)?;
                self.element(&list, index)?.ok_or(Reason::Index)?
            }
            Kind::At(at) => Value::Position(self.at(at)?),
            Kind::Field(of, named) => {
                let kept = self.others.kept();
                let of = self.position(of)?;
                let reading = self.others.read(of, named.index, self.games);
                let value = match reading {
                    Reading::Value(value) => value,
                    Reading::Undefined(reason) => return Err(reason),
                    Reading::Absent => return Err(Reason::NoName),
                };
                if !matches!(value, Value::Positions(_)) {
                    // Nothing refers to the position any more, if it was made for this.
                    self.others.release(kept);
                }
                value
            }
        })
    }

    /// Another position.
    fn at(&mut self, At { of, changes }: &At) -> Result<PositionId> {
        let of = match of {
            Some(of) => self.position(of)?,
            None => self.others.own(0),
        };
        let changes = changes.iter().map(|change| Ok((change.named.index, self.integer(&change.value)?))).collect::<Result<Vec<_>>>()?;
        self.others.at(of, &changes)
    }

    fn position(&mut self, node: &Node) -> Result<PositionId> {
        match self.value(node)? {
            Value::Position(position) => Ok(position),
            _ => Err(Reason::Unknown),
        }
    }

    /// An element by its number, from 0; none beyond the last one.
    pub fn element(&mut self, elements: &Elements, index: u64) -> Result<Option<Value>> {
        Ok(match elements {
            _ if !elements.has(index) => None,
            Elements::Range(low, _) => low.checked_add_unsigned(index).map(Value::Integer),
            Elements::List(elements) => usize::try_from(index).ok().and_then(|index| elements.get(index).cloned()),
            Elements::Positions(list, _) => Some(Value::Position(self.others.element(*list, index)?)),
        })
    }

    /// A tree that is true or false. The checker has seen to the types, here and below.
    pub fn boolean(&mut self, node: &Node) -> Result<bool> {
        match self.value(node)? {
            Value::Boolean(boolean) => Ok(boolean),
            _ => Err(Reason::Unknown),
        }
    }

    fn integer(&mut self, node: &Node) -> Result<i64> {
        match self.value(node)? {
            Value::Integer(integer) => Ok(integer),
            _ => Err(Reason::Unknown),
        }
    }

    fn list(&mut self, node: &Node) -> Result<Arc<[Value]>> {
        match self.value(node)? {
            Value::List(elements) | Value::Set(elements) => Ok(elements),
            _ => Err(Reason::Unknown),
        }
    }

    /// A list or a set, whatever its elements are.
    fn listed(&mut self, node: &Node) -> Result<Elements> {
        let list = self.value(node)?;
        self.elements_of(list)
    }

    fn elements_of(&mut self, list: Value) -> Result<Elements> {
        Ok(match list {
            Value::List(elements) | Value::Set(elements) => Elements::List(elements),
            Value::Positions(list) => Elements::Positions(list, self.others.count(list)?),
            _ => return Err(Reason::Unknown),
        })
    }

    /// Whether some operand is `wanted`; those after it are not looked at.
    fn until(&mut self, operands: &[Node], wanted: bool) -> Result<bool> {
        for operand in operands {
            if self.boolean(operand)? == wanted {
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }

    fn arithmetic(&mut self, operator: Arithmetic, pair: &[Node; 2]) -> Result {
        let (one, other) = (self.value(&pair[0])?, self.value(&pair[1])?);
        if let (Value::Integer(one), Value::Integer(other)) = (&one, &other) {
            return functions::arithmetic(operator, *one, *other).map(Value::Integer);
        }
        let steps = games::steps_of_sum(&one, &other, self.games)?;
        self.spend(steps)?;
        let other = if operator == Arithmetic::Minus { games::negative(&other, self.games)? } else { other };
        games::sum(&one, &other, self.games)
    }

    /// A chain of comparisons: operands are looked at from left to right, until one does not hold.
    fn compare(&mut self, first: &Node, rest: &[(Sign, Node)]) -> Result<bool> {
        let mut before = self.value(first)?;
        for (sign, operand) in rest {
            let next = self.value(operand)?;
            let holds = match sign {
                Sign::Equal => before.equals(&next, self.games),
                Sign::Different => !before.equals(&next, self.games),
                _ => {
                    let order = games::compare(&before, &next, self.games)?;
                    match sign {
                        Sign::Less => order == Order::Less,
                        Sign::AtMost => order.is_at_most(),
                        Sign::Greater => order == Order::Greater,
                        _ => matches!(order, Order::Greater | Order::Equal),
                    }
                }
            };
            if !holds {
                return Ok(false);
            }
            before = next;
        }
        Ok(true)
    }

    fn call(&mut self, function: Function, arguments: &[Node]) -> Result {
        match (function, arguments) {
            (Function::Len, [list]) => {
                let length = match self.listed(list)? {
                    Elements::List(elements) => elements.len() as u64,
                    Elements::Positions(_, count) => count,
                    Elements::Range(..) => return Err(Reason::Unknown),
                };
                i64::try_from(length).map(Value::Integer).map_err(|_| Reason::Overflow)
            }
            (Function::Sorted, [list]) => {
                let mut numbers = integers(&self.list(list)?)?;
                numbers.sort_unstable();
                Ok(Value::list_of(numbers))
            }
            (Function::Min | Function::Max | Function::Mex | Function::Sum, [list]) => {
                let numbers = integers(&self.list(list)?)?;
                functions::call(function, &numbers).map(Value::Integer)
            }
            (Function::HasAtomicWeight, [game]) => {
                let game = self.value(game)?;
                let steps = games::steps_of_weight(&game, self.games)?;
                self.spend(steps)?;
                games::has_atomic_weight(&game, self.games).map(Value::Boolean)
            }
            (Function::Confused, [one, other]) => {
                let (one, other) = (self.value(one)?, self.value(other)?);
                games::compare(&one, &other, self.games).map(|order| Value::Boolean(order == Order::Confused))
            }
            (Function::OutcomeWithFarStar, [game, ups @ ..]) => {
                let game = self.value(game)?;
                let ups = ups.first().map_or(Ok(0), |ups| self.integer(ups))?;
                let steps = games::steps_of_far_star(&game, ups, self.games)?;
                self.spend(steps)?;
                games::outcome_with_far_star(&game, ups, self.games).map(Value::Outcome)
            }
            _ => {
                let numbers = arguments.iter().map(|argument| self.integer(argument)).collect::<Result<Vec<_>>>()?;
                functions::call(function, &numbers).map(Value::Integer)
            }
        }
    }

    /// What a domain has in it.
    pub fn elements(&mut self, domain: &Domain) -> Result<Elements> {
        Ok(match domain {
            Domain::Range(low, high) => Elements::Range(self.integer(low)?, self.integer(high)?),
            Domain::Elements(elements) => self.listed(elements)?,
        })
    }

    /// What a quantifier comes to over these elements.
    fn quantified(&mut self, quantified: &Quantified, elements: &Elements) -> Result {
        let mut total = 0i64;
        for index in 0.. {
            if !elements.has(index) {
                break;
            }
            self.spend(quantified.steps)?;
            let kept = self.others.kept();
            let Some(element) = self.element(elements, index)? else { break };
            self.bound.push(element);
            let found = self.value(&quantified.body);
            let element = self.bound.pop();
            if quantified.quantifier != Quantifier::First || found != Ok(Value::Boolean(true)) {
                self.others.release(kept);
            }
            match (quantified.quantifier, found?) {
                (Quantifier::Any, Value::Boolean(true)) => return Ok(Value::Boolean(true)),
                (Quantifier::All, Value::Boolean(false)) => return Ok(Value::Boolean(false)),
                (Quantifier::First, Value::Boolean(true)) => return element.ok_or(Reason::Unknown),
                (Quantifier::Count, Value::Boolean(true)) => total += 1,
                (Quantifier::Sum, Value::Integer(integer)) => total = total.checked_add(integer).ok_or(Reason::Overflow)?,
                _ => {}
            }
        }
        match quantified.quantifier {
            Quantifier::Any => Ok(Value::Boolean(false)),
            Quantifier::All => Ok(Value::Boolean(true)),
            Quantifier::First => Err(Reason::First),
            Quantifier::Count | Quantifier::Sum => Ok(Value::Integer(total)),
        }
    }
}

fn integers(elements: &[Value]) -> Result<Vec<i64>> {
    let integer = |element: &Value| match element {
        Value::Integer(integer) => Ok(*integer),
        _ => Err(Reason::Unknown),
    };
    elements.iter().map(integer).collect()
}
