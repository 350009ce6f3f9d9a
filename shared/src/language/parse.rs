//! Reads the text of an expression, from the operators that bind loosest to those that bind tightest.
//!
//! The parser recurses, and counts how deep before it does; so no text overflows the stack.

use std::sync::Arc;

use crate::text::{known, quoted};
use crate::value::Outcome;

use super::bounds::{MAX_DEPTH, MAX_LIST, MAX_NESTING};
use super::error::{Error, Problem};
use super::syntax::{
    Arithmetic, At, Change, Domain, Function, Kind, Named, Node, Quantified, Quantifier, Sign, Span, flattened, is_reserved,
    operator_in_words,
};
use super::token::{Token, tokens};

/// The tree of a text, with names that nobody has looked up yet.
///
/// Cost: O(length of the text).
///
/// # Errors
/// The first [`Error`] of the text from left to right.
pub fn parse(text: &str) -> Result<Node, Error> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0 };
    parser.whole().map_err(|error| *error)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token<'t>, Span)>,
    at: usize,
    depth: usize,
}

/// Errors are boxed, so that there is little on the stack at each level of a deep text.
type Parsed<T = Node> = Result<T, Box<Error>>;

/// The operators that group from the left, from the loosest level to the tightest.
const LEVELS: [&[Arithmetic]; 3] =
    [&[Arithmetic::Xor], &[Arithmetic::Plus, Arithmetic::Minus], &[Arithmetic::Times, Arithmetic::Quotient, Arithmetic::Remainder]];

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.peek_at(0)
    }

    /// The token so many after the next one. The last one, which is the end, is never passed.
    fn peek_at(&self, ahead: usize) -> Token<'t> {
        self.tokens.get(self.at + ahead).map_or(Token::End, |(token, _)| *token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(Span { start: self.text.len(), end: self.text.len() }, |(_, span)| *span)
    }

    /// Passes the next token, and gives its place.
    fn pass(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    /// Passes a sign if it is the next token.
    fn takes(&mut self, sign: &'static str) -> Option<Span> {
        (self.peek() == Token::Sign(sign)).then(|| self.pass())
    }

    #[cold]
    fn fail(&self, problem: Problem, span: Span) -> Box<Error> {
        Box::new(Error::new(problem, self.text, span))
    }

    #[cold]
    fn expected(&self, wanted: &'static str) -> Box<Error> {
        if self.peek() == Token::Sign("=") {
            return self.fail(Problem::Operator { found: "=", hint: "write == to compare" }, self.span());
        }
        if let Token::Word(word) = self.peek()
            && let Some((found, hint)) = operator_in_words(word)
        {
            return self.fail(Problem::Operator { found, hint }, self.span());
        }
        self.fail(Problem::Expected { wanted, found: self.peek().describe() }, self.span())
    }

    /// Goes one level deeper, for as long as `inside` takes.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_NESTING {
            return Err(self.fail(Problem::TooDeep, self.span()));
        }
        self.depth += 1;
        let parsed = inside(self);
        self.depth -= 1;
        parsed
    }

    fn node(&self, kind: Kind, span: Span) -> Parsed {
        let node = Node::new(kind, span);
        if node.depth > MAX_DEPTH { Err(self.fail(Problem::TooDeep, span)) } else { Ok(node) }
    }

    fn whole(&mut self) -> Parsed {
        let node = self.choice()?;
        match self.peek() {
            Token::End => Ok(node),
            Token::Sign("..=") => Err(self.expected("'in' before a range, as in AB in 0..=9,")),
            _ => Err(self.expected("an operator")),
        }
    }

    fn choice(&mut self) -> Parsed {
        self.deeper(|parser| {
            let condition = parser.iff()?;
            if parser.takes("?").is_none() {
                return Ok(condition);
            }
            let then = parser.choice()?;
            if parser.takes(":").is_none() {
                return Err(parser.expected("':' and what holds otherwise"));
            }
            let otherwise = parser.choice()?;
            let span = condition.span.to(otherwise.span);
            parser.node(Kind::Choice(Box::new([condition, then, otherwise])), span)
        })
    }

    fn iff(&mut self) -> Parsed {
        let (left, left_implies) = self.implies()?;
        if self.peek() != Token::Sign("<=>") {
            return Ok(left);
        }
        let sign = self.pass();
        let (right, right_implies) = self.implies()?;
        if left_implies || right_implies {
            return Err(self.fail(Problem::IffImplies, sign));
        }
        if self.peek() == Token::Sign("<=>") {
            return Err(self.fail(Problem::IffChain, self.span()));
        }
        let span = left.span.to(right.span);
        self.node(Kind::Iff(Box::new([left, right])), span)
    }

    /// An implication or what binds tighter, and whether it is an implication without brackets.
    fn implies(&mut self) -> Parsed<(Node, bool)> {
        let left = self.either()?;
        if self.takes("=>").is_none() {
            return Ok((left, false));
        }
        let (right, _) = self.deeper(Self::implies)?;
        let span = left.span.to(right.span);
        Ok((self.node(Kind::Implies(Box::new([left, right])), span)?, true))
    }

    fn either(&mut self) -> Parsed {
        let first = self.both()?;
        let operands = self.joined(first, "||", Self::both)?;
        self.several(operands, Kind::Or)
    }

    fn both(&mut self) -> Parsed {
        let first = self.comparison()?;
        let operands = self.joined(first, "&&", Self::comparison)?;
        self.several(operands, Kind::And)
    }

    fn joined(&mut self, first: Node, sign: &'static str, next: fn(&mut Self) -> Parsed) -> Parsed<Vec<Node>> {
        let mut operands = vec![first];
        while self.takes(sign).is_some() {
            operands.push(next(self)?);
        }
        Ok(operands)
    }

    /// One operand, or several of them together: `a && (b && c)` is `a && b && c`.
    fn several(&self, mut operands: Vec<Node>, kind: fn(Vec<Node>) -> Kind) -> Parsed {
        let Some(last) = operands.pop() else { return Err(self.expected("a value")) };
        let Some(first) = operands.first() else { return Ok(last) };
        let span = first.span.to(last.span);
        operands.push(last);
        let flat = operands.into_iter().flat_map(|operand| flattened(operand, &kind(Vec::new())));
        self.node(kind(flat.collect()), span)
    }

    fn comparison(&mut self) -> Parsed {
        let first = self.arithmetic(0)?;
        if self.peek() == Token::Word("in") {
            self.pass();
            let domain = self.domain()?;
            let span = first.span.to(self.tokens[self.at - 1].1);
            self.end_of_chain()?;
            return self.node(Kind::In(Box::new(first), Box::new(domain)), span);
        }
        let mut rest: Vec<(Sign, Node)> = Vec::new();
        while let Token::Sign(word) = self.peek() {
            let Some(sign) = Sign::of_word(word) else { break };
            let direction = |sign| match sign {
                Sign::Less | Sign::AtMost => Some(true),
                Sign::Greater | Sign::AtLeast => Some(false),
                Sign::Equal | Sign::Different => None,
            };
            if let Some((before, _)) = rest.first() {
                match (direction(*before), direction(sign)) {
                    (Some(one), Some(other)) if one == other => {}
                    (Some(_), Some(_)) => return Err(self.fail(Problem::ChainDirection, self.span())),
                    (None, _) => return Err(self.fail(Problem::Chain { sign: before.word() }, self.span())),
                    (_, None) => return Err(self.fail(Problem::Chain { sign: word }, self.span())),
                }
            }
            self.pass();
            rest.push((sign, self.arithmetic(0)?));
        }
        let Some((_, last)) = rest.last() else { return Ok(first) };
        let span = first.span.to(last.span);
        if self.peek() == Token::Word("in") {
            return Err(self.fail(Problem::Chain { sign: "in" }, self.span()));
        }
        self.node(Kind::Compare(Box::new(first), rest), span)
    }

    /// Nothing that compares follows.
    fn end_of_chain(&self) -> Parsed<()> {
        let goes_on = match self.peek() {
            Token::Sign(sign) => Sign::of_word(sign).is_some(),
            token => token == Token::Word("in"),
        };
        if goes_on { Err(self.fail(Problem::Chain { sign: "in" }, self.span())) } else { Ok(()) }
    }

    /// A range, or an expression for a list or a set.
    fn domain(&mut self) -> Parsed<Domain> {
        let first = self.arithmetic(0)?;
        if self.takes("..=").is_none() {
            return Ok(Domain::Elements(first));
        }
        Ok(Domain::Range(first, self.arithmetic(0)?))
    }

    /// Operators that group from the left, of a level and those that bind tighter.
    fn arithmetic(&mut self, least: usize) -> Parsed {
        let mut left = self.unary()?;
        loop {
            let (Token::Sign(word) | Token::Word(word)) = self.peek() else { return Ok(left) };
            let find = |level: usize| Some((level, *LEVELS[level].iter().find(|operator| operator.word() == word)?));
            let Some((level, operator)) = (least..LEVELS.len()).find_map(find) else { return Ok(left) };
            self.pass();
            let right = self.arithmetic(level + 1)?;
            let span = left.span.to(right.span);
            left = self.node(Kind::Arithmetic(operator, Box::new([left, right])), span)?;
        }
    }

    fn unary(&mut self) -> Parsed {
        let kind = match self.peek() {
            Token::Sign("-") => Kind::Negative,
            Token::Sign("!") => Kind::Not,
            _ => return self.power(),
        };
        let sign = self.pass();
        let operand = self.deeper(Self::unary)?;
        let span = sign.to(operand.span);
        self.node(kind(Box::new(operand)), span)
    }

    fn power(&mut self) -> Parsed {
        let base = self.indexed()?;
        if self.takes("**").is_none() {
            return Ok(base);
        }
        let exponent = self.deeper(Self::unary)?;
        let span = base.span.to(exponent.span);
        self.node(Kind::Arithmetic(Arithmetic::Power, Box::new([base, exponent])), span)
    }

    fn indexed(&mut self) -> Parsed {
        let mut node = self.primary()?;
        loop {
            if let Some(open) = self.takes("[") {
                let index = self.choice()?;
                let close = self.close(open, ']')?;
                let span = node.span.to(close);
                node = self.node(Kind::Index(Box::new([node, index])), span)?;
            } else if self.takes(".").is_some() {
                node = self.field(node)?;
            } else {
                return Ok(node);
            }
        }
    }

    /// What stands behind a dot.
    fn field(&mut self, of: Node) -> Parsed {
        let Token::Word(name) = self.peek() else { return Err(self.expected("a name, as in at(AB = 0).outcome,")) };
        if name == "at" && self.peek_at(1) == Token::Sign("(") {
            return self.at(Some(of));
        }
        if is_reserved(name) {
            return Err(self.expected("a name, as in at(AB = 0).outcome,"));
        }
        let span = of.span.to(self.pass());
        self.node(Kind::Field(Box::new(of), Named::unknown(name)), span)
    }

    /// Another position, by where it differs.
    fn at(&mut self, of: Option<Node>) -> Parsed {
        let word = self.pass();
        let open = self.pass();
        let mut changes = Vec::new();
        loop {
            let span = self.span();
            let Token::Word(name) = self.peek() else {
                return Err(self.expected("a name with '=' and its value there, as in at(AB = AB - 1),"));
            };
            self.pass();
            if self.takes("=").is_none() {
                return Err(self.expected("'=' and the value at the other position, as in at(AB = AB - 1),"));
            }
            changes.push(Change { named: Named::unknown(name), span, value: self.choice()? });
            if self.takes(",").is_none() {
                break;
            }
        }
        let close = self.close(open, ')')?;
        let span = of.as_ref().map_or(word, |of| of.span).to(close);
        self.node(Kind::At(Box::new(At { of, changes })), span)
    }

    fn close(&mut self, open: Span, close: char) -> Parsed<Span> {
        let sign = if close == ')' { ")" } else { "]" };
        match self.takes(sign) {
            Some(span) => Ok(span),
            None if self.peek() == Token::End => Err(self.fail(Problem::Bracket { close, found: "the end".to_owned() }, open)),
            None if close == ')' => Err(self.expected("an operator or ')'")),
            None => Err(self.expected("an operator or ']'")),
        }
    }

    fn primary(&mut self) -> Parsed {
        let span = self.span();
        let kind = match self.peek() {
            Token::Integer(integer) => Kind::Integer(integer),
            Token::Quoted(text) => Kind::Game(text.into()),
            Token::Word(word) => return self.word(word),
            Token::Sign("(") => {
                let open = self.pass();
                let mut node = self.choice()?;
                node.span = open.to(self.close(open, ')')?);
                return Ok(node);
            }
            Token::Sign("[") => {
                let open = self.pass();
                let elements = if self.peek() == Token::Sign("]") { Vec::new() } else { self.listed(']')? };
                let span = open.to(self.close(open, ']')?);
                return self.node(Kind::List(elements), span);
            }
            _ => return Err(self.expected("a value")),
        };
        self.pass();
        self.node(kind, span)
    }

    /// Expressions with commas between them.
    fn listed(&mut self, close: char) -> Parsed<Vec<Node>> {
        let mut elements = vec![self.choice()?];
        while self.takes(",").is_some() {
            elements.push(self.choice()?);
            if elements.len() > MAX_LIST && close == ']' {
                return Err(self.fail(Problem::TooManyElements, self.span()));
            }
        }
        Ok(elements)
    }

    fn word(&mut self, word: &'t str) -> Parsed {
        let span = self.span();
        let is_called = self.peek_at(1) == Token::Sign("(");
        let kind = match (word, Function::of_word(word), Quantifier::of_word(word)) {
            ("true" | "false", ..) => Kind::Boolean(word == "true"),
            ("in" | "xor", ..) => return Err(self.expected("a value")),
            // Elsewhere the word is a name like any other.
            ("at", ..) if is_called => return self.at(None),
            (_, function, quantifier) if is_called => {
                let ranges = matches!((self.peek_at(2), self.peek_at(3)), (Token::Word(_), Token::Word("in")));
                return match (function, quantifier) {
                    (_, Some(quantifier)) if ranges || function.is_none() => self.quantified(quantifier),
                    (Some(function), _) => self.call(function),
                    _ => {
                        let words = Function::ALL.iter().map(|one| one.word()).chain(Quantifier::ALL.iter().map(|one| one.word()));
                        let known = known(word, words);
                        Err(self.fail(Problem::UnknownFunction { name: quoted(word), known }, span))
                    }
                };
            }
            (_, Some(function), _) => {
                return Err(self.fail(Problem::FunctionAlone { name: function.word(), usage: function.usage() }, span));
            }
            (_, _, Some(quantifier)) => {
                return Err(self.fail(Problem::FunctionAlone { name: quantifier.word(), usage: quantifier.usage() }, span));
            }
            _ => Outcome::from_letter(word).map_or_else(|| Kind::Name(word.into()), Kind::Outcome),
        };
        self.pass();
        self.node(kind, span)
    }

    fn call(&mut self, function: Function) -> Parsed {
        let name = self.pass();
        let open = self.pass();
        let arguments = if self.peek() == Token::Sign(")") { Vec::new() } else { self.listed(')')? };
        let span = name.to(self.close(open, ')')?);
        self.node(Kind::Call(function, arguments), span)
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed {
        let start = self.pass();
        let open = self.pass();
        let name_span = self.span();
        let (Token::Word(name), Token::Word("in")) = (self.peek(), self.peek_at(1)) else {
            return Err(self.expected("a name with 'in' and what it ranges over, as in any(m in 0..=9, ...),"));
        };
        if is_reserved(name) {
            return Err(self.fail(Problem::Reserved { name: name.to_owned(), what: "the name of a quantifier" }, name_span));
        }
        self.pass();
        self.pass();
        let domain = self.domain()?;
        if self.takes(",").is_none() {
            return Err(self.expected("a comma and what is asked of each element"));
        }
        let body = self.choice()?;
        let span = start.to(self.close(open, ')')?);
        let name: Arc<str> = name.into();
        self.node(Kind::Quantified(Box::new(Quantified { quantifier, name, name_span, domain, body, steps: 0 })), span)
    }
}
