//! The tree of an expression: what the parser makes, the checker resolves, and both evaluators read.

use std::sync::Arc;

use crate::value::Outcome;

use super::bounds::PARTS_A_STEP;

/// A place in a text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where it has ended.
    pub end: usize,
}

impl Span {
    /// From the beginning of one to the end of another.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A part of an expression, with all that is below it.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it stands, in the text that was parsed. What was put in for a definition has the place of its name.
    pub span: Span,
    /// How many parts it has, itself included; a quoted value counts one more for each 8 bytes.
    pub parts: usize,
    /// How many levels it has.
    pub depth: usize,
    /// Its number among the parts that occur more than once in a program of the fast evaluator; else 0.
    pub shared: u32,
}

/// Nodes are equal if they mean the same: places and the names of bound variables do not matter.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Node {}

/// A name together with what it stands for.
#[derive(Clone, Debug)]
pub struct Named {
    /// Of a variable its index in the vocabulary; of a bound name how many quantifiers stand between, 0 for the innermost.
    pub index: usize,
    /// How it is written.
    pub name: Arc<str>,
}

impl Named {
    /// The index of a name that the checker has not looked up yet.
    pub const UNKNOWN: usize = usize::MAX;

    /// A name that the checker has not looked up yet.
    #[must_use]
    pub fn unknown(name: &str) -> Self {
        Self { index: Self::UNKNOWN, name: name.into() }
    }
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Named {}

/// What a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Integer(i64),
    Boolean(bool),
    Outcome(Outcome),
    /// A quoted value. Once checked, as [`crate::value::Games`] prints it.
    Game(Arc<str>),
    /// A name that the checker has not looked up yet.
    Name(Arc<str>),
    Variable(Named),
    /// A variable that is a list of positions.
    Positions(Named),
    /// The name of a quantifier around it.
    Bound(Named),
    Negative(Box<Node>),
    Not(Box<Node>),
    Arithmetic(Arithmetic, Box<[Node; 2]>),
    /// A first operand, and each further one with the sign before it.
    Compare(Box<Node>, Vec<(Sign, Node)>),
    In(Box<Node>, Box<Domain>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Implies(Box<[Node; 2]>),
    Iff(Box<[Node; 2]>),
    /// Condition, then, otherwise.
    Choice(Box<[Node; 3]>),
    Call(Function, Vec<Node>),
    Quantified(Box<Quantified>),
    List(Vec<Node>),
    /// A list and an index, from 0.
    Index(Box<[Node; 2]>),
    /// Another position of the same game.
    At(Box<At>),
    /// Something of another position, under the name that it has for the position itself.
    Field(Box<Node>, Named),
}

/// Another position: the one that has other values under some names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The position from which it differs; none where that is the one that the claim is held against.
    pub of: Option<Node>,
    /// Where it differs, each name once.
    pub changes: Vec<Change>,
}

/// A name, and its value at another position.
#[derive(Clone, Debug)]
pub struct Change {
    /// The name. Its index is [`Named::UNKNOWN`] until the checker has looked it up.
    pub named: Named,
    /// Where it stands.
    pub span: Span,
    /// Its value there.
    pub value: Node,
}

impl PartialEq for Change {
    fn eq(&self, other: &Self) -> bool {
        self.named == other.named && self.value == other.value
    }
}

impl Eq for Change {}

/// A quantifier with its name, what that ranges over, and what is asked of each element.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Quantified {
    pub quantifier: Quantifier,
    pub name: Arc<str>,
    pub name_span: Span,
    pub domain: Domain,
    pub body: Node,
    /// How many steps each element takes; see [`super::bounds::MAX_STEPS`].
    pub steps: u64,
}

impl PartialEq for Quantified {
    fn eq(&self, other: &Self) -> bool {
        self.quantifier == other.quantifier && self.domain == other.domain && self.body == other.body
    }
}

impl Eq for Quantified {}

/// What a quantifier ranges over, and what `in` looks into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The whole numbers from the first to the second, both included; none if the second is less.
    Range(Node, Node),
    /// The elements of a list or a set.
    Elements(Node),
}

impl Domain {
    /// The expressions in it.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        let (first, second) = match self {
            Self::Range(low, high) => (low, Some(high)),
            Self::Elements(elements) => (elements, None),
        };
        std::iter::once(first).chain(second)
    }

    fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        let (first, second) = match self {
            Self::Range(low, high) => (low, Some(high)),
            Self::Elements(elements) => (elements, None),
        };
        std::iter::once(first).chain(second)
    }
}

impl Node {
    /// A node of what is below it. Cost: O(number of its children).
    #[must_use]
    pub fn new(kind: Kind, span: Span) -> Self {
        let mut node = Self { kind, span, parts: 1, depth: 1, shared: 0 };
        node.measure();
        node
    }

    /// Counts its parts, levels and steps anew, from what is below it.
    pub fn measure(&mut self) {
        let own = if let Kind::Game(text) = &self.kind { 1 + text.len() / 8 } else { 1 };
        let (mut parts, mut depth) = (own, 0);
        for child in self.children() {
            parts += child.parts;
            depth = depth.max(child.depth);
        }
        (self.parts, self.depth) = (parts, depth + 1);
        if let Kind::Quantified(quantified) = &mut self.kind {
            quantified.steps = (quantified.body.parts_outside_bodies() as u64).div_ceil(PARTS_A_STEP);
        }
    }

    /// The parts directly below it, from left to right.
    #[must_use]
    pub fn children(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Integer(_) | Kind::Boolean(_) | Kind::Outcome(_) | Kind::Game(_) => Vec::new(),
            Kind::Name(_) | Kind::Variable(_) | Kind::Positions(_) | Kind::Bound(_) => Vec::new(),
            Kind::Negative(operand) | Kind::Not(operand) | Kind::Field(operand, _) => vec![operand],
            Kind::At(at) => at.of.iter().chain(at.changes.iter().map(|change| &change.value)).collect(),
            Kind::Arithmetic(_, pair) | Kind::Implies(pair) | Kind::Iff(pair) | Kind::Index(pair) => pair.iter().collect(),
            Kind::Compare(first, rest) => std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)).collect(),
            Kind::In(element, domain) => std::iter::once(&**element).chain(domain.nodes()).collect(),
            Kind::And(operands) | Kind::Or(operands) | Kind::Call(_, operands) | Kind::List(operands) => operands.iter().collect(),
            Kind::Choice(parts) => parts.iter().collect(),
            Kind::Quantified(quantified) => quantified.domain.nodes().chain([&quantified.body]).collect(),
        }
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.kind {
            Kind::Integer(_) | Kind::Boolean(_) | Kind::Outcome(_) | Kind::Game(_) => Vec::new(),
            Kind::Name(_) | Kind::Variable(_) | Kind::Positions(_) | Kind::Bound(_) => Vec::new(),
            Kind::Negative(operand) | Kind::Not(operand) | Kind::Field(operand, _) => vec![operand],
            Kind::At(at) => at.of.iter_mut().chain(at.changes.iter_mut().map(|change| &mut change.value)).collect(),
            Kind::Arithmetic(_, pair) | Kind::Implies(pair) | Kind::Iff(pair) | Kind::Index(pair) => pair.iter_mut().collect(),
            Kind::Compare(first, rest) => std::iter::once(&mut **first).chain(rest.iter_mut().map(|(_, operand)| operand)).collect(),
            Kind::In(element, domain) => std::iter::once(&mut **element).chain(domain.nodes_mut()).collect(),
            Kind::And(operands) | Kind::Or(operands) | Kind::Call(_, operands) | Kind::List(operands) => operands.iter_mut().collect(),
            Kind::Choice(parts) => parts.iter_mut().collect(),
            Kind::Quantified(quantified) => {
                let Quantified { domain, body, .. } = &mut **quantified;
                domain.nodes_mut().chain([body]).collect()
            }
        }
    }

    /// The parts of a quantifier's body that are worked out for each of its elements: bodies of quantifiers inside count by
    /// themselves.
    fn parts_outside_bodies(&self) -> usize {
        let inner = |node: &Node| match &node.kind {
            Kind::Quantified(quantified) => quantified.body.parts,
            _ => 0,
        };
        let mut parts = self.parts - inner(self);
        let mut open = self.children();
        if let Kind::Quantified(_) = self.kind {
            open.pop();
        }
        while let Some(node) = open.pop() {
            parts -= inner(node);
            open.extend(node.children());
            if let Kind::Quantified(_) = node.kind {
                open.pop();
            }
        }
        parts
    }
}

/// What a conjunction or a disjunction has in place of an operand: the operand, or if that is of the same kind, its operands.
#[must_use]
pub fn flattened(operand: Node, kind: &Kind) -> Vec<Node> {
    match (operand.kind, kind) {
        (Kind::And(inner), Kind::And(_)) | (Kind::Or(inner), Kind::Or(_)) => inner,
        (other, _) => vec![Node { kind: other, ..operand }],
    }
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($variant:ident $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// How it is written.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The one that is written so.
            #[must_use]
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.word() == word)
            }
        }
    };
}

words! {
    /// Operators on whole numbers; sums and differences are of games as well.
    Arithmetic {
        Xor "xor",
        Plus "+",
        Minus "-",
        Times "*",
        Quotient "//",
        Remainder "%",
        Power "**",
    }
}

words! {
    /// Signs between what is compared.
    Sign {
        Less "<",
        AtMost "<=",
        Greater ">",
        AtLeast ">=",
        Equal "==",
        Different "!=",
    }
}

words! {
    /// What is asked of the elements of a range or a list.
    Quantifier {
        Any "any",
        All "all",
        Count "count",
        Sum "sum",
        First "first",
    }
}

words! {
    /// Functions.
    Function {
        FloorLog2 "floor_log2",
        Pow2 "pow2",
        Isqrt "isqrt",
        Gcd "gcd",
        Popcount "popcount",
        Bit "bit",
        Mex "mex",
        Min "min",
        Max "max",
        Abs "abs",
        Sum "sum",
        Sorted "sorted",
        Len "len",
        HasAtomicWeight "has_atomic_weight",
        Confused "confused",
        OutcomeWithFarStar "outcome_with_far_star",
    }
}

impl Quantifier {
    /// How it is used, as an example.
    #[must_use]
    pub fn usage(self) -> &'static str {
        match self {
            Self::Any => "any(m in 0..=9, statement)",
            Self::All => "all(m in 0..=9, statement)",
            Self::Count => "count(m in 0..=9, statement)",
            Self::Sum => "sum(m in 0..=9, number)",
            Self::First => "first(m in 0..=9, statement)",
        }
    }
}

impl Function {
    /// How it is used, as an example.
    #[must_use]
    pub fn usage(self) -> &'static str {
        match self {
            Self::FloorLog2 => "floor_log2(n)",
            Self::Pow2 => "pow2(n)",
            Self::Isqrt => "isqrt(n)",
            Self::Gcd => "gcd(m, n)",
            Self::Popcount => "popcount(n)",
            Self::Bit => "bit(n, i)",
            Self::Mex => "mex(list)",
            Self::Min => "min(m, n, ...) or min(list)",
            Self::Max => "max(m, n, ...) or max(list)",
            Self::Abs => "abs(n)",
            Self::Sum => "sum(list) or sum(m in 0..=9, number)",
            Self::Sorted => "sorted(list)",
            Self::Len => "len(list)",
            Self::HasAtomicWeight => "has_atomic_weight(game)",
            Self::Confused => "confused(game, game)",
            Self::OutcomeWithFarStar => "outcome_with_far_star(game) or outcome_with_far_star(game, ups)",
        }
    }
}

/// A word that elsewhere stands for an operator, and what to write here.
#[must_use]
pub fn operator_in_words(word: &str) -> Option<(&'static str, &'static str)> {
    const WORDS: [(&str, &str); 6] =
        [("and", "write &&"), ("or", "write ||"), ("mod", "write %"), ("div", "write //"), ("iff", "write <=>"), ("implies", "write =>")];
    WORDS.into_iter().find(|(known, _)| *known == word)
}

/// Whether a word has a meaning of its own, so that nothing else can be called so.
#[must_use]
pub fn is_reserved(word: &str) -> bool {
    matches!(word, "P" | "N" | "L" | "R" | "true" | "false" | "in" | "xor")
        || Function::of_word(word).is_some()
        || Quantifier::of_word(word).is_some()
}

/// Whether a text has the form of a name: a letter or `_`, then letters, digits and `_`.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
