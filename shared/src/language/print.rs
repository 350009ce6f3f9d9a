//! Writes a tree as text, in the one way that every tree has: single spaces, and brackets only where they are needed.
//!
//! Reading that text gives the tree again. Where a definition was put in, a quantifier may come to stand inside another one of
//! the same name; then the inner one gets a number, since no name stands for two things.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::syntax::{Arithmetic, Domain, Kind, Node, Quantified, is_reserved};

/// The text of a tree.
#[must_use]
pub fn print(node: &Node) -> String {
    print_inside(node, &[])
}

/// The text of a tree that stands inside quantifiers with these names, the outermost first.
#[must_use]
pub fn print_inside(node: &Node, bound: &[String]) -> String {
    let mut taken = BTreeSet::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if let Kind::Variable(named) | Kind::Positions(named) = &node.kind {
            taken.insert(named.name.to_string());
        }
        open.extend(node.children());
    }
    let mut printer = Printer { out: String::new(), bound: bound.to_vec(), taken };
    printer.node(node, CHOICE);
    printer.out
}

/// How tightly things bind, from the loosest.
const CHOICE: u8 = 0;
const IFF: u8 = 1;
const IMPLIES: u8 = 2;
const OR: u8 = 3;
const AND: u8 = 4;
const COMPARISON: u8 = 5;
const XOR: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const UNARY: u8 = 9;
const POWER: u8 = 10;
const PRIMARY: u8 = 11;

fn level(kind: &Kind) -> u8 {
    match kind {
        Kind::Choice(_) => CHOICE,
        Kind::Iff(_) => IFF,
        Kind::Implies(_) => IMPLIES,
        Kind::Or(_) => OR,
        Kind::And(_) => AND,
        Kind::Compare(..) | Kind::In(..) => COMPARISON,
        Kind::Arithmetic(operator, _) => match operator {
            Arithmetic::Xor => XOR,
            Arithmetic::Plus | Arithmetic::Minus => SUM,
            Arithmetic::Times | Arithmetic::Quotient | Arithmetic::Remainder => PRODUCT,
            Arithmetic::Power => POWER,
        },
        Kind::Negative(_) | Kind::Not(_) => UNARY,
        _ => PRIMARY,
    }
}

struct Printer {
    out: String,
    /// The names of the quantifiers around, the innermost last.
    bound: Vec<String>,
    taken: BTreeSet<String>,
}

impl Printer {
    /// Writes a tree in a place for what binds at least so tightly.
    fn node(&mut self, node: &Node, least: u8) {
        let own = level(&node.kind);
        if own < least {
            self.out.push('(');
        }
        self.bare(node, own);
        if own < least {
            self.out.push(')');
        }
    }

    fn joined(&mut self, nodes: &[Node], between: &str, least: u8) {
        for (index, node) in nodes.iter().enumerate() {
            if index > 0 {
                self.out.push_str(between);
            }
            self.node(node, least);
        }
    }

    fn pair(&mut self, pair: &[Node; 2], between: &str, least: [u8; 2]) {
        self.node(&pair[0], least[0]);
        self.out.push_str(between);
        self.node(&pair[1], least[1]);
    }

    fn bare(&mut self, node: &Node, own: u8) {
        match &node.kind {
            Kind::Integer(integer) => self.show(integer),
            Kind::Boolean(boolean) => self.show(boolean),
            Kind::Outcome(outcome) => self.show(outcome),
            Kind::Game(text) => self.show(&format_args!("'{text}'")),
            Kind::Name(name) => self.out.push_str(name),
            Kind::Variable(variable) | Kind::Positions(variable) => self.out.push_str(&variable.name),
            Kind::Bound(bound) => {
                let name = self.bound.iter().rev().nth(bound.index).map_or(&*bound.name, String::as_str);
                self.out.push_str(name);
            }
            Kind::Negative(operand) => {
                self.out.push('-');
                self.node(operand, UNARY);
            }
            Kind::Not(operand) => {
                self.out.push('!');
                self.node(operand, UNARY);
            }
            Kind::Arithmetic(Arithmetic::Power, pair) => self.pair(pair, " ** ", [PRIMARY, UNARY]),
            Kind::Arithmetic(operator, pair) => self.pair(pair, &format!(" {} ", operator.word()), [own, own + 1]),
            Kind::Compare(first, rest) => {
                self.node(first, XOR);
                for (sign, operand) in rest {
                    self.show(&format_args!(" {} ", sign.word()));
                    self.node(operand, XOR);
                }
            }
            Kind::In(element, domain) => {
                self.node(element, XOR);
                self.out.push_str(" in ");
                self.domain(domain);
            }
            Kind::And(operands) => self.joined(operands, " && ", COMPARISON),
            Kind::Or(operands) => self.joined(operands, " || ", AND),
            Kind::Implies(pair) => self.pair(pair, " => ", [OR, IMPLIES]),
            Kind::Iff(pair) => self.pair(pair, " <=> ", [OR, OR]),
            Kind::Choice(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.node(condition, IFF);
                self.out.push_str(" ? ");
                self.node(then, CHOICE);
                self.out.push_str(" : ");
                self.node(otherwise, CHOICE);
            }
            Kind::Call(function, arguments) => {
                self.out.push_str(function.word());
                self.out.push('(');
                self.joined(arguments, ", ", CHOICE);
                self.out.push(')');
            }
            Kind::Quantified(quantified) => self.quantified(quantified),
            Kind::List(elements) => {
                self.out.push('[');
                self.joined(elements, ", ", CHOICE);
                self.out.push(']');
            }
            Kind::At(at) => {
                if let Some(of) = &at.of {
                    self.node(of, PRIMARY);
                    self.out.push('.');
                }
                self.out.push_str("at(");
                for (index, change) in at.changes.iter().enumerate() {
                    let before = if index > 0 { ", " } else { "" };
                    self.show(&format_args!("{before}{} = ", change.named.name));
                    self.node(&change.value, CHOICE);
                }
                self.out.push(')');
            }
            Kind::Field(of, named) => {
                self.node(of, PRIMARY);
                self.show(&format_args!(".{}", named.name));
            }
            Kind::Index(pair) => {
                self.node(&pair[0], PRIMARY);
                self.out.push('[');
                self.node(&pair[1], CHOICE);
                self.out.push(']');
            }
        }
    }

    fn show(&mut self, shown: &dyn std::fmt::Display) {
        // Writing into a String does not fail.
        let _ = write!(self.out, "{shown}");
    }

    fn domain(&mut self, domain: &Domain) {
        match domain {
            Domain::Range(low, high) => {
                self.node(low, XOR);
                self.out.push_str("..=");
                self.node(high, XOR);
            }
            Domain::Elements(elements) => self.node(elements, XOR),
        }
    }

    fn quantified(&mut self, quantified: &Quantified) {
        let Quantified { quantifier, name, domain, body, .. } = quantified;
        let name = self.free_name(name);
        self.show(&format_args!("{}({name} in ", quantifier.word()));
        self.domain(domain);
        self.out.push_str(", ");
        self.bound.push(name);
        self.node(body, CHOICE);
        self.bound.pop();
        self.out.push(')');
    }

    /// A name that nothing else has here: the name itself, or with a number.
    fn free_name(&self, name: &str) -> String {
        let is_free = |name: &str| !self.bound.iter().any(|bound| bound == name) && !self.taken.contains(name) && !is_reserved(name);
        let mut free = name.to_owned();
        let mut number = 2u32;
        while !is_free(&free) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }
}
