//! Lists the parts of an expression that were looked at, each with its value at one position.

use std::collections::HashSet;

use crate::language::bounds::{MAX_STEPS, PARTS_A_STEP};
use crate::language::positions::Positions;
use crate::language::print::print_inside;
use crate::language::scope::Expression;
use crate::language::syntax::{Kind, Node, Quantified, Quantifier};
use crate::language::value::{Reading, Reason, Value};
use crate::text::several;
use crate::value::Games;

use super::walker::Walker;

/// A part of an expression with its value at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// How deep it stands in the expression, 0 for the whole.
    pub level: usize,
    /// Its text; of the name of a quantifier that name.
    pub expression: String,
    /// Its value as people write it, or why there is none.
    pub value: Result<String, Reason>,
}

/// How many times the steps of one evaluation an explanation may take. What would take more is left out.
const EVALUATIONS: u64 = 3;

/// Every part of an expression that was looked at, each with its value at a position: the whole first, then what it is made of.
/// Literals are left out, and so is what has been shown before.
///
/// What a short circuit passed over is not there. Of a quantifier the element is shown that decided it, where one did: the
/// witness of `any` and `first`, the offender of `all`, the one at which there was no value; then the parts of what was asked of
/// it. See [`super::evaluate`] for the arguments.
///
/// Cost: at most a few times that of evaluating the most costly expression.
#[must_use]
pub fn subexpressions(expression: &Expression, position: &[Reading], games: &mut Games, others: &mut dyn Positions) -> Vec<Part> {
    let walker = Walker::new(position, games, others);
    let mut explainer = Explainer { walker, steps: EVALUATIONS * MAX_STEPS, names: Vec::new(), parts: Vec::new(), shown: HashSet::new() };
    explainer.part(expression.tree(), 0);
    explainer.parts
}

struct Explainer<'p> {
    walker: Walker<'p>,
    /// The steps that remain.
    steps: u64,
    /// The names of the quantifiers around.
    names: Vec<String>,
    parts: Vec<Part>,
    shown: HashSet<(String, Result<String, Reason>)>,
}

type Found<T = Value> = Result<T, Reason>;

impl Explainer<'_> {
    /// Does something that takes steps; nothing once there are none left.
    fn within_steps<T>(&mut self, parts: usize, act: impl FnOnce(&mut Walker<'_>) -> Found<T>) -> Option<Found<T>> {
        self.steps = self.steps.checked_sub((parts as u64).div_ceil(PARTS_A_STEP))?;
        let allowed = MAX_STEPS.min(self.steps);
        self.walker.steps = allowed;
        let found = act(&mut self.walker);
        // A walker that has too few steps left keeps them.
        let is_out = matches!(found, Err(Reason::Steps));
        self.steps -= if is_out { allowed } else { allowed - self.walker.steps };
        (!is_out || allowed == MAX_STEPS).then_some(found)
    }

    fn value(&mut self, node: &Node) -> Option<Found> {
        self.within_steps(node.parts, |walker| walker.value(node))
    }

    fn is(&mut self, node: &Node, wanted: bool) -> bool {
        self.value(node) == Some(Ok(Value::Boolean(wanted)))
    }

    fn show(&mut self, level: usize, expression: String, value: Found) {
        let value = value.map(|value| self.text(&value));
        if (level == 0 || value.as_ref() != Ok(&expression)) && self.shown.insert((expression.clone(), value.clone())) {
            self.parts.push(Part { level, expression, value });
        }
    }

    /// A value as people write it; of a list of positions how many there are.
    fn text(&mut self, value: &Value) -> String {
        let Walker { games, others, .. } = &mut self.walker;
        match value {
            Value::Position(position) => others.text(*position),
            Value::Positions(list) => {
                others.count(*list).map_or_else(|reason| reason.to_string(), |count| several(count.into(), "position"))
            }
            Value::List(elements) if elements.iter().any(|element| matches!(element, Value::Position(_))) => {
                several(elements.len() as u128, "position")
            }
            other => other.text(games),
        }
    }

    /// Shows a part and what it is made of.
    fn part(&mut self, node: &Node, level: usize) {
        if level > 0 && matches!(node.kind, Kind::Integer(_) | Kind::Boolean(_) | Kind::Outcome(_) | Kind::Game(_)) {
            return;
        }
        let kept = self.walker.others.kept();
        let Some(value) = self.value(node) else { return };
        self.show(level, print_inside(node, &self.names), value);
        self.walker.others.release(kept);
        let below = level + 1;
        match &node.kind {
            Kind::And(operands) => self.until(operands, true, below),
            Kind::Or(operands) => self.until(operands, false, below),
            Kind::Implies(pair) => self.until(&**pair, true, below),
            Kind::Choice(parts) => {
                self.part(&parts[0], below);
                if self.is(&parts[0], true) {
                    self.part(&parts[1], below);
                } else if self.is(&parts[0], false) {
                    self.part(&parts[2], below);
                }
            }
            Kind::Quantified(quantified) => self.quantified(quantified, below),
            _ => {
                for child in node.children() {
                    self.part(child, below);
                    // What comes after a part without value was not looked at.
                    if !matches!(self.value(child), Some(Ok(_))) {
                        return;
                    }
                }
            }
        }
    }

    /// Shows operands as long as they are `wanted`, and the first that is not.
    fn until(&mut self, operands: &[Node], wanted: bool, level: usize) {
        for operand in operands {
            self.part(operand, level);
            if !self.is(operand, wanted) {
                return;
            }
        }
    }

    fn quantified(&mut self, quantified: &Quantified, level: usize) {
        let Quantified { quantifier, name, domain, body, .. } = quantified;
        domain.nodes().for_each(|node| self.part(node, level));
        let Some(Ok(elements)) = self.within_steps(0, |walker| walker.elements(domain)) else { return };
        for index in 0.. {
            let kept = self.walker.others.kept();
            let Ok(Some(element)) = self.walker.element(&elements, index) else { return };
            self.walker.bound.push(element.clone());
            let found = self.value(body);
            let decides = match (quantifier, &found) {
                (_, None | Some(Err(_))) => true,
                (Quantifier::Any | Quantifier::First, Some(Ok(value))) => *value == Value::Boolean(true),
                (Quantifier::All, Some(Ok(value))) => *value == Value::Boolean(false),
                (Quantifier::Count | Quantifier::Sum, Some(Ok(_))) => false,
            };
            if decides && found.is_some() {
                let shown = self.free_name(name);
                self.show(level, shown.clone(), Ok(element));
                self.names.push(shown);
                self.part(body, level);
                self.names.pop();
            }
            self.walker.bound.pop();
            self.walker.others.release(kept);
            if decides {
                return;
            }
        }
    }

    /// The name under which a quantifier's element is shown, as the printer has it.
    fn free_name(&self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 2u32;
        while self.names.contains(&free) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }
}
