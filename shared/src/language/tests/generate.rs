//! Random expressions that are well typed, and random positions, from bytes: fewer and smaller bytes make simpler ones, so that a
//! failure shrinks.

use crate::language::{Role, Type, Value, Variable, Vocabulary};
use crate::value::{Games, Outcome};

/// The variables of the tests.
pub fn vocabulary() -> Vocabulary {
    use Type::{Boolean, Game, Integer, Outcome, Position};
    let list = || Type::list(Integer);
    let variables = [
        ("a", Integer, Role::Parameter),
        ("b", Integer, Role::Parameter),
        ("c", Integer, Role::Parameter),
        ("u", Integer, Role::Parameter),
        ("p", Boolean, Role::Parameter),
        ("q", Boolean, Role::Parameter),
        ("o", Outcome, Role::Parameter),
        ("g", Game, Role::Parameter),
        ("h", Game, Role::Parameter),
        ("xs", list(), Role::Parameter),
        ("ys", list(), Role::Parameter),
        ("gs", Type::list(Game), Role::Parameter),
        ("s", Type::set(Integer), Role::Parameter),
        ("z", Integer, Role::Parameter),
        ("outcome", Outcome, Role::Predicted),
        ("grundy", Integer, Role::Predicted),
        ("value", Game, Role::Predicted),
        ("options", Type::list(Position), Role::Parameter),
        ("best", Type::list(Position), Role::Solved),
    ];
    let mut variables = variables.map(|(name, of, role)| Variable::new(name, of, role, "")).to_vec();
    variables[..3].iter_mut().for_each(|variable| variable.is_set = true);
    variables[1].is_number = true;
    Vocabulary::new(variables).unwrap()
}

/// Bytes that decide what is made.
pub struct Source<'b> {
    bytes: &'b [u8],
    names: Vec<(String, Type)>,
    /// Whether what is solved may be used.
    sees_solved: bool,
    /// What was made before, to be used again.
    made: Vec<Made>,
}

/// An expression that was made, where it can stand again.
struct Made {
    of: Type,
    text: String,
    names: Vec<(String, Type)>,
    sees_solved: bool,
}

/// How long an expression may be that is used again, in bytes.
const LONGEST_AGAIN: usize = 120;

impl<'b> Source<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, names: Vec::new(), sees_solved: true, made: Vec::new() }
    }

    /// A number below `below`; 0 when the bytes are used up.
    pub fn below(&mut self, below: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % below
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    pub fn integer(&mut self) -> i64 {
        match self.below(8) {
            0..=5 => self.below(16) as i64 - 3,
            6 => self.pick(&[31, 32, 62, 63, 64, 100, 1000, 1 << 31, 1 << 32, 3037000500]),
            _ => self.pick(&[i64::MAX, i64::MIN, i64::MAX - 1, 1 << 62, -(1 << 62), -7, -1000, i64::MIN + 1]),
        }
    }

    pub fn game(&mut self, games: &mut Games) -> Value {
        let text = self.pick(&GAMES);
        Value::Game(games.parse(text).unwrap())
    }

    pub fn outcome(&mut self) -> Outcome {
        self.pick(&[Outcome::P, Outcome::N, Outcome::L, Outcome::R])
    }

    /// A statement or a prediction.
    pub fn prediction(&mut self) -> String {
        self.sees_solved = false;
        let of = self.pick(&[Type::Outcome, Type::Integer, Type::Game]);
        let text = self.text(&of, 4);
        self.sees_solved = true;
        text
    }

    pub fn says(&mut self) -> String {
        match self.below(7) {
            0 => self.text(&Type::Boolean, 5),
            1 => format!("outcome == {} <=> {}", self.pick(&["P", "N"]), self.bracketed(&Type::Boolean, 4)),
            2 => format!("{} => {}", self.bracketed(&Type::Boolean, 3), self.bracketed(&Type::Boolean, 4)),
            3 => format!("{} => {} => {}", self.bracketed(&Type::Boolean, 2), self.bracketed(&Type::Boolean, 2), self.quantified("all", 3)),
            4 if self.below(16) == 15 => self.costly(),
            _ => self.quantified("all", 4),
        }
    }

    /// A quantifier that just runs out of steps, or just does not: each element takes as many as its body has parts, also where
    /// few of them are looked at.
    fn costly(&mut self) -> String {
        let long = "a, ".repeat(900);
        let count = self.pick(&[8_700, 8_760, 8_771, 8_772, 9_000]);
        format!("any(m in b..={count} + b, m > 8699 + b && len([{long}b]) + len([{long}c]) > {})", self.below(2000) * 10)
    }

    /// A hypothesis such as people write: a few comparisons, many of them with the variable that counts.
    pub fn condition(&mut self) -> String {
        let count = 1 + self.below(3);
        let parts: Vec<String> = (0..count)
            .map(|_| match self.below(8) {
                0 => format!("a == {}", self.bracketed(&Type::Integer, 1)),
                1 => format!("{} <= a", self.bracketed(&Type::Integer, 1)),
                2 => format!("{} < a <= {}", self.below(5), self.bracketed(&Type::Integer, 1)),
                3 => format!("a in {}..={}", self.below(5), self.below(90)),
                4 => format!("a {} {}", self.pick(&["<", ">", ">="]), self.below(70)),
                5 => format!("b % {} == {}", self.bracketed(&Type::Integer, 1), self.below(3)),
                6 => self
                    .pick(&[
                        "c >= 0",
                        "a in [3, 5, 70]",
                        "a != 3",
                        "q",
                        "a < c",
                        "a <= c",
                        "1 < 2 < a",
                        "a <= 2 < grundy",
                        "grundy > 3 > a",
                    ])
                    .to_owned(),
                _ => self.bracketed(&Type::Boolean, 3),
            })
            .collect();
        parts.join(" && ")
    }

    fn bracketed(&mut self, of: &Type, depth: usize) -> String {
        format!("({})", self.text(of, depth))
    }

    fn variable(&mut self, of: &Type) -> Option<String> {
        let mut known: Vec<String> = self.names.iter().filter(|(_, known)| known == of).map(|(name, _)| name.clone()).collect();
        // Those that were bound last are the most interesting.
        known.reverse();
        let more: &[&str] = match of {
            Type::Integer => &["a", "b", "c", "u", "a", "b", "c", "grundy"],
            Type::Boolean => &["p", "q"],
            Type::Outcome => &["o", "o", "outcome"],
            Type::Game => &["g", "h", "value"],
            Type::List(element) if **element == Type::Integer => &["xs", "ys"],
            Type::List(element) if **element == Type::Game => &["gs"],
            Type::Set(_) => &["s"],
            Type::List(element) if **element == Type::Position => &["options", "options", "best"],
            Type::List(_) | Type::Position | Type::Nothing => &[],
        };
        let solved = ["outcome", "grundy", "value", "best"];
        known.extend(more.iter().filter(|name| self.sees_solved || !solved.contains(name)).map(|name| (*name).to_owned()));
        if self.below(200) == 199 && *of == Type::Integer {
            return Some("z".to_owned());
        }
        if known.is_empty() { None } else { Some(self.pick(&known)) }
    }

    /// An expression of a type, now and then one that was there before.
    pub fn text(&mut self, of: &Type, depth: usize) -> String {
        if depth == 0 || self.bytes.is_empty() {
            return self.leaf(of);
        }
        if self.below(4) == 3 {
            // The names of quantifiers inside go by how many are around, and no name stands for two things.
            let is_there = |made: &Made| made.names == self.names || self.names.starts_with(&made.names) && !made.text.contains(" in ");
            let can_stand = |made: &&Made| made.of == *of && is_there(made) && (self.sees_solved || !made.sees_solved);
            let made: Vec<String> = self.made.iter().filter(can_stand).map(|made| made.text.clone()).collect();
            if !made.is_empty() {
                return self.pick(&made);
            }
        }
        let text = self.fresh(of, depth);
        if text.len() <= LONGEST_AGAIN {
            let (names, sees_solved) = (self.names.clone(), self.sees_solved);
            self.made.push(Made { of: of.clone(), text: text.clone(), names, sees_solved });
        }
        text
    }

    fn fresh(&mut self, of: &Type, depth: usize) -> String {
        let deeper = depth - 1;
        match self.below(12) {
            0 | 1 => self.leaf(of),
            2 => {
                let parts = [self.bracketed(&Type::Boolean, deeper), self.bracketed(of, deeper), self.bracketed(of, deeper)];
                format!("{} ? {} : {}", parts[0], parts[1], parts[2])
            }
            3 => {
                let list = self.text(&Type::list(of.clone()), deeper);
                let index = if self.below(2) == 0 { self.below(3).to_string() } else { self.text(&Type::Integer, deeper) };
                format!("({list})[{index}]")
            }
            4 => self.first_of(of, deeper),
            5 if *of != Type::Position => match self.field(of, deeper) {
                Some(text) => text,
                None => self.leaf(of),
            },
            _ => match of {
                Type::Position => self.position(deeper),
                Type::Integer => self.number(deeper),
                Type::Boolean => self.truth(deeper),
                Type::Outcome => match self.below(2) {
                    0 => format!("outcome_with_far_star({})", self.text(&Type::Game, deeper)),
                    _ => format!("outcome_with_far_star({}, {})", self.text(&Type::Game, deeper), self.text(&Type::Integer, deeper)),
                },
                Type::Game => match self.below(5) {
                    0 => format!("{} + {}", self.bracketed(&Type::Game, deeper), self.bracketed(&Type::Game, deeper)),
                    1 => format!("{} - {}", self.bracketed(&Type::Game, deeper), self.bracketed(&Type::Game, deeper)),
                    2 => format!("-{}", self.bracketed(&Type::Game, deeper)),
                    3 => self.text(&Type::Integer, deeper),
                    _ => self.leaf(of),
                },
                Type::List(element) => {
                    if **element == Type::Integer && self.below(4) == 0 {
                        let of = if self.below(2) == 0 { Type::list(Type::Integer) } else { Type::set(Type::Integer) };
                        return format!("sorted({})", self.text(&of, deeper));
                    }
                    let count = self.below(4);
                    let elements: Vec<String> = (0..count).map(|_| self.text(element, deeper)).collect();
                    format!("[{}]", elements.join(", "))
                }
                Type::Set(_) | Type::Nothing => self.leaf(of),
            },
        }
    }

    /// Something of another position.
    fn field(&mut self, of: &Type, depth: usize) -> Option<String> {
        let names = std::mem::take(&mut self.names);
        let name = self.variable(of);
        self.names = names;
        Some(format!("({}).{}", self.text(&Type::Position, depth), name?))
    }

    /// Another position.
    fn position(&mut self, depth: usize) -> String {
        let mut changes = format!("{} = {}", self.pick(&["a", "c"]), self.text(&Type::Integer, depth.min(2)));
        if self.below(3) == 0 {
            changes += &format!(", b = {}", self.text(&Type::Integer, depth.min(2)));
        }
        if self.below(3) == 0 { format!("({}).at({changes})", self.text(&Type::Position, depth)) } else { format!("at({changes})") }
    }

    fn leaf(&mut self, of: &Type) -> String {
        if self.below(3) != 0
            && let Some(variable) = self.variable(of)
        {
            return variable;
        }
        match of {
            // There is no literal for the least number.
            Type::Integer => match self.integer() {
                integer @ 0.. => integer.to_string(),
                i64::MIN => "-9223372036854775807 - 1".to_owned(),
                integer => integer.to_string(),
            },
            Type::Boolean => self.pick(&["true", "false"]).to_owned(),
            Type::Outcome => self.outcome().to_string(),
            Type::Game => format!("'{}'", self.pick(&GAMES)),
            Type::List(element) => {
                let count = self.below(3);
                let elements: Vec<String> = (0..count).map(|_| self.leaf(element)).collect();
                format!("[{}]", elements.join(", "))
            }
            Type::Set(_) => "s".to_owned(),
            Type::Position => format!("at(a = {})", self.below(12)),
            Type::Nothing => "[]".to_owned(),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        match self.below(26) {
            0..=3 => format!("{} + {}", self.bracketed(&Type::Integer, depth), self.bracketed(&Type::Integer, depth)),
            4 => format!("{} - {}", self.bracketed(&Type::Integer, depth), self.bracketed(&Type::Integer, depth)),
            5 => format!("{} * {}", self.bracketed(&Type::Integer, depth), self.bracketed(&Type::Integer, depth)),
            6 => format!("{} // {}", self.bracketed(&Type::Integer, depth), self.bracketed(&Type::Integer, depth)),
            7 => format!("{} % {}", self.bracketed(&Type::Integer, depth), self.bracketed(&Type::Integer, depth)),
            8 => format!("{} % {}", self.bracketed(&Type::Integer, depth), self.pick(&[1, 2, 3, 8, 1i64 << 40])),
            9 => format!("{} // {}", self.bracketed(&Type::Integer, depth), self.pick(&[1, 2, 3, 16, 1i64 << 40])),
            10 => format!("{} ** {}", self.bracketed(&Type::Integer, depth), self.bracketed(&Type::Integer, depth)),
            11 => format!("{} xor {}", self.bracketed(&Type::Integer, depth), self.bracketed(&Type::Integer, depth)),
            12 => format!("-{}", self.bracketed(&Type::Integer, depth)),
            13 => {
                let function = self.pick(&["floor_log2", "pow2", "isqrt", "popcount", "abs"]);
                format!("{function}({})", self.text(&Type::Integer, depth))
            }
            14 => {
                let function = self.pick(&["gcd", "bit", "min", "max"]);
                format!("{function}({}, {})", self.text(&Type::Integer, depth), self.text(&Type::Integer, depth))
            }
            15 => format!("max({}, b, {})", self.text(&Type::Integer, depth), self.text(&Type::Integer, depth)),
            16 if self.below(3) == 0 => format!("len({})", self.text(&Type::list(Type::Position), depth)),
            16 | 17 => {
                let function = self.pick(&["min", "max", "mex", "sum", "len"]);
                let of = if self.below(3) == 0 { Type::set(Type::Integer) } else { Type::list(Type::Integer) };
                format!("{function}({})", self.text(&of, depth))
            }
            // A position stands for its number.
            18 if self.below(4) == 0 => format!("({}) + 1", self.text(&Type::Position, depth)),
            18 | 19 => self.quantified("count", depth),
            20 | 21 => self.quantified("sum", depth),
            _ => self.leaf(&Type::Integer),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.below(18) {
            0 | 1 => format!("{} && {}", self.bracketed(&Type::Boolean, depth), self.bracketed(&Type::Boolean, depth)),
            2 => format!("{} || {}", self.bracketed(&Type::Boolean, depth), self.bracketed(&Type::Boolean, depth)),
            3 => format!("{} => {}", self.bracketed(&Type::Boolean, depth), self.bracketed(&Type::Boolean, depth)),
            4 => format!("{} <=> {}", self.bracketed(&Type::Boolean, depth), self.bracketed(&Type::Boolean, depth)),
            5 => format!("!{}", self.bracketed(&Type::Boolean, depth)),
            6 | 7 => self.quantified("any", depth),
            8 => self.quantified("all", depth),
            9 => {
                let of = self.pick(&[Type::Integer, Type::Integer, Type::Outcome, Type::Game, Type::Boolean]);
                let domain = if of == Type::Integer { self.domain(depth, false) } else { self.bracketed(&Type::list(of.clone()), depth) };
                format!("{} in {domain}", self.bracketed(&of, depth))
            }
            10 => {
                let of =
                    self.pick(&[Type::Outcome, Type::Boolean, Type::list(Type::Integer), Type::list(Type::Game), Type::set(Type::Integer)]);
                format!("{} {} {}", self.bracketed(&of, depth), self.pick(&["==", "!="]), self.bracketed(&of, depth))
            }
            11 => match self.below(2) {
                // Each element takes as many steps as its body has parts, also where few of them are looked at.
                0 => format!("has_atomic_weight({})", self.text(&Type::Game, depth)),
                _ => format!("confused({}, {})", self.text(&Type::Game, depth), self.text(&Type::Game, depth)),
            },
            12 => {
                let signs = self.pick(&[["<", "<="], ["<=", "<"], [">", ">="], [">=", ">="]]);
                let of = self.pick(&[Type::Integer, Type::Integer, Type::Game]);
                let parts = [self.bracketed(&of, depth), self.bracketed(&of, depth), self.bracketed(&of, depth)];
                format!("{} {} {} {} {}", parts[0], signs[0], parts[1], signs[1], parts[2])
            }
            _ => {
                let of = self.pick(&[Type::Integer, Type::Integer, Type::Integer, Type::Game]);
                let sign = self.pick(&["==", "<", "<=", ">", ">=", "!="]);
                format!("{} {sign} {}", self.bracketed(&of, depth), self.bracketed(&of, depth))
            }
        }
    }

    /// A domain of whole numbers, short but for few where it is to be.
    fn domain(&mut self, depth: usize, is_short: bool) -> String {
        match self.below(6) {
            0 => format!("0..={}", self.below(6)),
            1 => {
                let (low, high) = (self.bracketed(&Type::Integer, depth.min(1)), self.bracketed(&Type::Integer, depth.min(1)));
                if is_short && self.below(40) != 39 { format!("{low}..=min({low} + 5, {high})") } else { format!("{low}..={high}") }
            }
            2 => "0..=b % 7".to_owned(),
            3 => "s".to_owned(),
            _ => self.bracketed(&Type::list(Type::Integer), depth),
        }
    }

    fn quantified(&mut self, quantifier: &str, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        let (domain, element) = match self.below(6) {
            5 => (self.bracketed(&Type::list(Type::Position), depth), Type::Position),
            0 => (self.bracketed(&Type::list(Type::Game), depth), Type::Game),
            _ => (self.domain(depth, true), Type::Integer),
        };
        let name = format!("m{}", self.names.len());
        self.names.push((name.clone(), element));
        let of = if quantifier == "sum" { Type::Integer } else { Type::Boolean };
        let body = self.text(&of, depth);
        self.names.pop();
        format!("{quantifier}({name} in {domain}, {body})")
    }

    /// The first element of something for which something holds.
    fn first_of(&mut self, of: &Type, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        let domain = if *of == Type::Integer { self.domain(depth, true) } else { self.bracketed(&Type::list(of.clone()), depth) };
        let name = format!("m{}", self.names.len());
        self.names.push((name.clone(), of.clone()));
        let body = self.text(&Type::Boolean, depth);
        self.names.pop();
        format!("first({name} in {domain}, {body})")
    }
}

/// Games of all kinds: numbers, infinitesimals, hot ones, one that is large.
const GAMES: [&str; 14] = ["0", "1", "-2", "1/2", "*", "*2", "^", "v*", "^^*", "{4|0}", "{2||1|0}", "{1|*}", "{0||0|-2}", "*50"];
