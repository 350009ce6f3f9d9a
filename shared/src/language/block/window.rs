//! In which part of a block a condition may be true.
//!
//! A condition is a conjunction; its operands are looked at from left to right. One that is the same along the block is worked out
//! once: if it is false the condition is false everywhere. One that compares a counting variable with what is the same along the
//! block leaves a range of lanes, outside of which the condition is false. But where an operand has no value the condition has
//! none, whatever stands behind it; so the search ends at the first operand that has none or might have none.

use std::ops::Range;

use crate::language::syntax::{Arithmetic, Domain, Function, Kind, Node, Sign};
use crate::language::value::Value;

use super::column::{Block, Column};
use super::machine::Run;
use super::mask::Mask;

/// An operand of a condition.
#[derive(Clone, Debug)]
pub struct Conjunct {
    /// Its tree.
    pub node: Node,
    /// The variables in it, by index.
    pub uses: Vec<usize>,
}

/// What an operand says about a block.
enum Says {
    /// True at all lanes.
    True,
    /// False outside of these lanes; whether it is true at all of them.
    Within(Range<usize>, bool),
    /// Something, and it has a value at all lanes.
    Something,
    /// Perhaps nothing at some lanes.
    Perhaps,
}

/// The lanes of a range outside of which a condition is false everywhere. `rest` gets the operands, by index, that are not true at
/// all of these lanes, or not known to be.
///
/// `run` has one lane, which stands for all of the block.
pub fn window(conjuncts: &[Conjunct], lanes: usize, rest: &mut Vec<usize>, run: &mut Run<'_, '_>) -> Range<usize> {
    let mut window = 0..lanes;
    rest.clear();
    for (index, conjunct) in conjuncts.iter().enumerate() {
        match says(conjunct, lanes, run) {
            Says::True => {}
            Says::Within(range, is_all) => {
                window = window.start.max(range.start)..window.end.min(range.end);
                if window.is_empty() {
                    return 0..0;
                }
                if !is_all {
                    rest.push(index);
                }
            }
            Says::Something => rest.push(index),
            Says::Perhaps => {
                rest.extend(index..conjuncts.len());
                break;
            }
        }
    }
    window
}

fn says(conjunct: &Conjunct, lanes: usize, run: &mut Run<'_, '_>) -> Says {
    let is_constant = |index: &usize| is_constant(*index, &run.block);
    if conjunct.uses.iter().all(is_constant) {
        return match constant(&conjunct.node, run) {
            Some(Value::Boolean(true)) => Says::True,
            Some(Value::Boolean(false)) => Says::Within(0..0, true),
            _ => Says::Perhaps,
        };
    }
    let bounds = match &conjunct.node.kind {
        Kind::Compare(first, rest) => chain_bounds(first, rest, run),
        Kind::In(element, domain) => domain_bounds(element, domain, run),
        _ => None,
    };
    match bounds {
        Some(Bounds { first, low, high, is_all }) => {
            // The lane of a number is its distance from the first one.
            let lane = |number: i128| usize::try_from((number - i128::from(first)).clamp(0, lanes as i128)).unwrap_or(lanes);
            Says::Within(lane(low)..lane(high + 1), is_all)
        }
        None if is_total(&conjunct.node, run) => Says::Something,
        None => Says::Perhaps,
    }
}

/// A counting variable, by its first number, is between two numbers.
struct Bounds {
    first: i64,
    low: i128,
    high: i128,
    /// Whether that is all that is said.
    is_all: bool,
}

impl Bounds {
    fn new(first: i64) -> Self {
        Self { first, low: i64::MIN.into(), high: i64::MAX.into(), is_all: true }
    }

    /// The variable stands on the left of a sign and a number.
    fn narrow(&mut self, sign: Sign, number: i64) {
        let number = i128::from(number);
        let (low, high) = match sign {
            Sign::Less => (self.low, number - 1),
            Sign::AtMost => (self.low, number),
            Sign::Greater => (number + 1, self.high),
            Sign::AtLeast => (number, self.high),
            Sign::Equal => (number, number),
            Sign::Different => {
                self.is_all = false;
                return;
            }
        };
        (self.low, self.high) = (self.low.max(low), self.high.min(high));
    }
}

/// An operand of a chain: the counting variable or a number.
enum Operand {
    Counting(i64),
    Number(i64),
}

fn operand(node: &Node, run: &mut Run<'_, '_>) -> Option<Operand> {
    if let Kind::Variable(variable) = &node.kind
        && let Some(Column::Counting { first }) = run.block.columns.get(variable.index)
    {
        return Some(Operand::Counting(*first));
    }
    match uses_constants(node, &run.block).then(|| constant(node, run))?? {
        Value::Integer(integer) => Some(Operand::Number(integer)),
        _ => None,
    }
}

fn chain_bounds(first: &Node, rest: &[(Sign, Node)], run: &mut Run<'_, '_>) -> Option<Bounds> {
    let mut bounds: Option<Bounds> = None;
    let mut is_false = false;
    let mut before = operand(first, run)?;
    for (sign, node) in rest {
        let next = operand(node, run)?;
        match (&before, &next) {
            (Operand::Counting(first), Operand::Number(number)) => {
                bounds.get_or_insert_with(|| Bounds::new(*first)).narrow(*sign, *number);
            }
            (Operand::Number(number), Operand::Counting(first)) => {
                let mirrored = match sign {
                    Sign::Less => Sign::Greater,
                    Sign::AtMost => Sign::AtLeast,
                    Sign::Greater => Sign::Less,
                    Sign::AtLeast => Sign::AtMost,
                    same => *same,
                };
                bounds.get_or_insert_with(|| Bounds::new(*first)).narrow(mirrored, *number);
            }
            (Operand::Number(one), Operand::Number(other)) => {
                is_false |= match sign {
                    Sign::Less => one >= other,
                    Sign::AtMost => one > other,
                    Sign::Greater => one <= other,
                    Sign::AtLeast => one < other,
                    Sign::Equal => one != other,
                    Sign::Different => one == other,
                };
            }
            (Operand::Counting(_), Operand::Counting(_)) => return None,
        }
        before = next;
    }
    let mut bounds = bounds?;
    if is_false {
        bounds.high = bounds.low - 1;
    }
    Some(bounds)
}

fn domain_bounds(element: &Node, domain: &Domain, run: &mut Run<'_, '_>) -> Option<Bounds> {
    let Operand::Counting(first) = operand(element, run)? else { return None };
    let mut bounds = Bounds::new(first);
    match domain {
        Domain::Range(low, high) => {
            let (Operand::Number(low), Operand::Number(high)) = (operand(low, run)?, operand(high, run)?) else { return None };
            (bounds.low, bounds.high) = (low.into(), high.into());
        }
        Domain::Elements(list) => {
            let list = uses_constants(list, &run.block).then(|| constant(list, run))??;
            let (Value::List(elements) | Value::Set(elements)) = list else { return None };
            let number = |element: &Value| if let Value::Integer(integer) = element { Some(*integer) } else { None };
            let numbers = elements.iter().map(number).collect::<Option<Vec<i64>>>()?;
            bounds.is_all = false;
            (bounds.low, bounds.high) = match (numbers.iter().min(), numbers.iter().max()) {
                (Some(low), Some(high)) => ((*low).into(), (*high).into()),
                _ => (0, -1),
            };
        }
    }
    Some(bounds)
}

/// Whether a variable is the same along a block.
fn is_constant(index: usize, block: &Block<'_>) -> bool {
    block.columns.get(index).is_some_and(Column::is_constant)
}

/// Whether a tree is the same along a block. Names of quantifiers around it are not.
fn uses_constants(node: &Node, block: &Block<'_>) -> bool {
    match &node.kind {
        Kind::Variable(variable) => is_constant(variable.index, block),
        Kind::Bound(_) => false,
        // The names of quantifiers inside are not told from those around.
        _ => node.children().into_iter().all(|child| uses_constants(child, block)),
    }
}

/// What a tree has that is the same along the block, if it has a value.
fn constant(node: &Node, run: &mut Run<'_, '_>) -> Option<Value> {
    let mask = Mask { lanes: vec![1], count: 1 };
    let value = run.vector(node, &mask).as_constant();
    value.filter(|_| run.reason(0).is_none())
}

/// Whether a tree has a value at all lanes, as far as is seen at a glance.
fn is_total(node: &Node, run: &mut Run<'_, '_>) -> bool {
    if uses_constants(node, &run.block) {
        return matches!(constant(node, run), Some(Value::Integer(_) | Value::Boolean(_) | Value::Outcome(_)));
    }
    let mut all = |nodes: Vec<&Node>| nodes.into_iter().all(|node| is_total(node, run));
    match &node.kind {
        Kind::Variable(variable) => !matches!(run.block.columns.get(variable.index), Some(Column::Readings(_)) | None),
        Kind::Not(_) | Kind::And(_) | Kind::Or(_) | Kind::Implies(_) | Kind::Iff(_) | Kind::Choice(_) | Kind::Compare(..) => {
            all(node.children())
        }
        Kind::In(_, domain) if matches!(**domain, Domain::Range(..)) => all(node.children()),
        Kind::Arithmetic(Arithmetic::Xor, _) => all(node.children()),
        Kind::Call(Function::Min | Function::Max, arguments) if arguments.len() > 1 => all(node.children()),
        // With a divisor of at least 1 there is always a quotient.
        Kind::Arithmetic(Arithmetic::Quotient | Arithmetic::Remainder, pair) => {
            let is_positive = uses_constants(&pair[1], &run.block) && matches!(constant(&pair[1], run), Some(Value::Integer(1..)));
            is_positive && is_total(&pair[0], run)
        }
        _ => false,
    }
}
