//! In which part of a block a condition may be true.
//!
//! A condition is a conjunction; its operands are looked at from left to right. One that is the same along the block is worked out
//! once: if it is false the condition is false everywhere. One that compares a counting variable with what is the same along the
//! block leaves a range of lanes, outside of which the condition is false. But where an operand has no value the condition has
//! none, whatever stands behind it; so the search ends at the first operand that has none or might have none.

use std::ops::Range;

use crate::language::syntax::{Arithmetic, Domain, Function, Kind, Node, Sign};
use crate::language::value::Value;

use super::column::Column;
use super::machine::Run;
use super::mask::Mask;

/// An operand of a condition.
#[derive(Clone, Debug)]
pub struct Conjunct {
    /// Its tree.
    pub node: Node,
    /// The variables in it, by index.
    pub uses: Vec<usize>,
    /// Whether it looks at other positions, which differ along a block like the positions themselves.
    pub relates: bool,
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

/// A block, asked for what is the same at all of its positions.
struct Asked<'w, 'r, 'a> {
    /// It has one lane, which stands for all of the block.
    run: &'w mut Run<'r, 'a>,
    mask: Mask,
}

/// The lanes of a range outside of which a condition is false everywhere. `rest` gets the operands, by index, that are not true at
/// all of these lanes, or not known to be.
///
/// `run` has one lane, which stands for all of the block.
pub fn window(conjuncts: &[Conjunct], lanes: usize, rest: &mut Vec<usize>, run: &mut Run<'_, '_>) -> Range<usize> {
    let mut window = 0..lanes;
    let mask = run.all();
    let mut asked = Asked { run, mask };
    rest.clear();
    for (index, conjunct) in conjuncts.iter().enumerate() {
        match asked.says(conjunct, lanes) {
            Says::True => {}
            Says::Within(range, is_all) => {
                window = window.start.max(range.start)..window.end.min(range.end);
                if window.is_empty() {
                    window = 0..0;
                    break;
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
    asked.run.recycle_bytes(asked.mask.lanes);
    window
}

/// A counting variable is between two numbers.
struct Bounds {
    of: Counting,
    low: i128,
    high: i128,
    /// Whether that is all that is said.
    is_all: bool,
}

impl Bounds {
    fn new(of: Counting) -> Self {
        Self { of, low: i64::MIN.into(), high: i64::MAX.into(), is_all: true }
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

/// A counting variable, by its index and its first number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Counting {
    index: usize,
    first: i64,
}

/// An operand of a chain.
enum Term {
    Counting(Counting),
    Number(i64),
}

/// The bounds of a variable; none where they are of another one.
fn bounds_of(bounds: &mut Option<Bounds>, of: Counting) -> Option<&mut Bounds> {
    let bounds = bounds.get_or_insert_with(|| Bounds::new(of));
    (bounds.of == of).then_some(bounds)
}

impl Asked<'_, '_, '_> {
    fn says(&mut self, conjunct: &Conjunct, lanes: usize) -> Says {
        if conjunct.relates {
            return Says::Perhaps;
        }
        if conjunct.uses.iter().all(|index| self.is_constant(*index)) {
            return match self.constant(&conjunct.node) {
                Some(Value::Boolean(true)) => Says::True,
                Some(Value::Boolean(false)) => Says::Within(0..0, true),
                _ => Says::Perhaps,
            };
        }
        let bounds = match &conjunct.node.kind {
            Kind::Compare(first, rest) => self.chain_bounds(first, rest),
            Kind::In(element, domain) => self.domain_bounds(element, domain),
            _ => None,
        };
        match bounds {
            Some(Bounds { of, low, high, is_all }) => {
                // The lane of a number is its distance from the first one.
                let lane = |number: i128| usize::try_from((number - i128::from(of.first)).clamp(0, lanes as i128)).unwrap_or(lanes);
                Says::Within(lane(low)..lane(high + 1), is_all)
            }
            None if self.is_total(&conjunct.node) => Says::Something,
            None => Says::Perhaps,
        }
    }

    fn term(&mut self, node: &Node) -> Option<Term> {
        if let Kind::Variable(variable) = &node.kind
            && let Some(Column::Counting { first }) = self.run.block.columns.get(variable.index)
        {
            return Some(Term::Counting(Counting { index: variable.index, first: *first }));
        }
        match self.if_constant(node)? {
            Value::Integer(integer) => Some(Term::Number(integer)),
            _ => None,
        }
    }

    fn chain_bounds(&mut self, first: &Node, rest: &[(Sign, Node)]) -> Option<Bounds> {
        let mut bounds: Option<Bounds> = None;
        let mut is_false = false;
        let mut before = self.term(first)?;
        for (sign, node) in rest {
            let next = self.term(node)?;
            match (&before, &next) {
                (Term::Counting(of), Term::Number(number)) => bounds_of(&mut bounds, *of)?.narrow(*sign, *number),
                (Term::Number(number), Term::Counting(of)) => {
                    let mirrored = match sign {
                        Sign::Less => Sign::Greater,
                        Sign::AtMost => Sign::AtLeast,
                        Sign::Greater => Sign::Less,
                        Sign::AtLeast => Sign::AtMost,
                        same => *same,
                    };
                    bounds_of(&mut bounds, *of)?.narrow(mirrored, *number);
                }
                (Term::Number(one), Term::Number(other)) => {
                    is_false |= match sign {
                        Sign::Less => one >= other,
                        Sign::AtMost => one > other,
                        Sign::Greater => one <= other,
                        Sign::AtLeast => one < other,
                        Sign::Equal => one != other,
                        Sign::Different => one == other,
                    };
                }
                (Term::Counting(_), Term::Counting(_)) => return None,
            }
            before = next;
        }
        let mut bounds = bounds?;
        if is_false {
            bounds.high = bounds.low - 1;
        }
        Some(bounds)
    }

    fn domain_bounds(&mut self, element: &Node, domain: &Domain) -> Option<Bounds> {
        let Term::Counting(of) = self.term(element)? else { return None };
        let mut bounds = Bounds::new(of);
        match domain {
            Domain::Range(low, high) => {
                let (Term::Number(low), Term::Number(high)) = (self.term(low)?, self.term(high)?) else { return None };
                (bounds.low, bounds.high) = (low.into(), high.into());
            }
            Domain::Elements(list) => {
                let list = self.if_constant(list)?;
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

    /// Whether a variable is the same along the block.
    fn is_constant(&self, index: usize) -> bool {
        self.run.block.columns.get(index).is_some_and(Column::is_constant)
    }

    /// Whether a tree is the same along the block. One with a quantifier may be and is not seen to be.
    fn uses_constants(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Variable(variable) => self.is_constant(variable.index),
            Kind::Bound(_) => false,
            _ => node.children().into_iter().all(|child| self.uses_constants(child)),
        }
    }

    /// What a tree has that is the same along the block, if it has a value.
    fn constant(&mut self, node: &Node) -> Option<Value> {
        let value = self.run.vector(node, &self.mask).as_constant();
        value.filter(|_| self.run.reason(0).is_none())
    }

    /// What a tree has, if it is the same along the block and has a value.
    fn if_constant(&mut self, node: &Node) -> Option<Value> {
        if self.uses_constants(node) { self.constant(node) } else { None }
    }

    /// Whether a tree has a value at all lanes, as far as is seen at a glance.
    fn is_total(&mut self, node: &Node) -> bool {
        if self.uses_constants(node) {
            return matches!(self.constant(node), Some(Value::Integer(_) | Value::Boolean(_) | Value::Outcome(_)));
        }
        match &node.kind {
            Kind::Variable(variable) => !matches!(self.run.block.columns.get(variable.index), Some(Column::Readings(_)) | None),
            Kind::Not(_) | Kind::And(_) | Kind::Or(_) | Kind::Implies(_) | Kind::Iff(_) | Kind::Choice(_) | Kind::Compare(..) => {
                self.are_total(node)
            }
            Kind::In(_, domain) if matches!(**domain, Domain::Range(..)) => self.are_total(node),
            Kind::Arithmetic(Arithmetic::Xor, _) => self.are_total(node),
            Kind::Call(Function::Min | Function::Max, arguments) if arguments.len() > 1 => self.are_total(node),
            // With a divisor of at least 1 there is always a quotient.
            Kind::Arithmetic(Arithmetic::Quotient | Arithmetic::Remainder, pair) => {
                matches!(self.if_constant(&pair[1]), Some(Value::Integer(1..))) && self.is_total(&pair[0])
            }
            _ => false,
        }
    }

    /// The same of all that is directly below a tree.
    fn are_total(&mut self, node: &Node) -> bool {
        node.children().into_iter().all(|child| self.is_total(child))
    }
}
