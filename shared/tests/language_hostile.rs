//! Texts that nobody writes on purpose: no text makes the language panic, hang or take much memory.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use refute_shared::language::block::{Block, Column, Machine, Program};
use refute_shared::language::walk::{judge, subexpressions};
use refute_shared::language::{Alone, Claim, Reading, Role, Scope, Type, Value, Variable, Verdict, Vocabulary};
use refute_shared::value::{Games, Outcome};

fn vocabulary() -> Vocabulary {
    let integer = |name: &str| Variable::new(name, Type::Integer, Role::Parameter, "");
    let mut variables: Vec<Variable> = ["AB", "BC", "CD", "EF"].map(integer).to_vec();
    variables.push(Variable::new("left", Type::set(Type::Integer), Role::Parameter, ""));
    variables.push(Variable::new("outcome", Type::Outcome, Role::Predicted, ""));
    variables.push(Variable::new("value", Type::Game, Role::Predicted, ""));
    Vocabulary::new(variables).unwrap()
}

/// What costs much: millions of steps, games with many positions.
const COSTLY: [&str; 4] = [
    "count(m in 0..=9999999, m xor AB > m) > pow2(floor_log2(EF) + 1)",
    "all(i in 0..=999999, all(j in 0..=999999, all(k in 0..=999999, i + j + k != CD)))",
    "'*60' + '*15' - '^20*3' == '{0,*|*2,^}' - value",
    "any(m in 0..=999999, has_atomic_weight(value + '{1||0|-3}') && m < 0)",
];

/// What people write.
const SEEDS: [&str; 20] = [
    "EF >= 11 && AB % M == 5 && BC == 1",
    "outcome == P <=> CD == AB + 1",
    "AB xor CD xor EF == 0 ? P : N",
    "all(m in 0..=AB, any(k in 0..=m, k * k == m) => m % 4 <= 1)",
    "first(m in [1, 2, 3], m > AB) + sum(k in 0..=CD, k ** 2)",
    "value == '{4|0}' || confused(value, '*2') || value + '^' > 0",
    "outcome_with_far_star(value + '*3', AB) == L && has_atomic_weight(value)",
    "[[0, 1], [2, 3]][AB % 2][CD % 2] in left",
    "min(AB, BC, CD) <= max(left) < len(sorted(left)) + mex(left)",
    "!(0 <= bit(AB, CD) < gcd(BC, EF)) => isqrt(abs(AB - CD)) == popcount(EF)",
    "2 ** AB ** CD // 3 - -9223372036854775807",
    "AB in 0..=BC && CD in [1, 2, AB] && P in [N, P, L, R]",
    "any(m in left, any(k in left, m < k && all(l in left, l <= m || l >= k)))",
    "((((((((AB))))))))",
    "----AB == - - - -1 && !!!(true)",
    "[AB, AB, AB, AB, AB, AB, AB, AB] == [1, 2, 3, 4, 5, 6, 7, 8]",
    "sum(m in [AB, BC], [m, m + 1, m + 2][m % 3])",
    "AB == 1 ? BC == 2 ? CD : EF : AB == 2 ? 3 : 4",
    "true => false => (true <=> AB == 9223372036854775807)",
    "first(g in ['*', '^', value], g > 0) == value",
];

/// Pieces that texts are made of.
const PIECES: [&str; 60] = [
    "AB",
    "BC",
    "CD",
    "EF",
    "left",
    "outcome",
    "value",
    "M",
    "m",
    "P",
    "N",
    "0",
    "1",
    "3",
    "9223372036854775807",
    "9223372036854775808",
    "'*2'",
    "'{4|0}'",
    "'",
    "true",
    "false",
    "(",
    ")",
    "[",
    "]",
    ",",
    "?",
    ":",
    "<=>",
    "=>",
    "||",
    "&&",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    " in ",
    "0..=",
    "..=",
    " xor ",
    "+",
    "-",
    "*",
    "//",
    "%",
    "!",
    "**",
    "any(m in 0..=AB, ",
    "all(k in left, ",
    "sum(",
    "count(i in [1], ",
    "first(",
    "min(",
    "sorted(",
    "has_atomic_weight(",
    "é",
    "≤",
    "\u{0}\n\t",
];

/// A random number generator: xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn seed(&mut self) -> String {
        if self.below(200) == 0 { self.pick(&COSTLY).to_owned() } else { self.pick(&SEEDS).to_owned() }
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        text.floor_char_boundary(self.below(text.len() + 1))
    }

    fn text(&mut self) -> String {
        match self.below(10) {
            // Pieces in any order.
            0 => (0..self.below(40)).map(|_| self.pick(&PIECES)).collect(),
            // Any characters.
            1 => (0..self.below(60)).map(|_| char::from_u32(self.below(0x2500) as u32).unwrap_or('?')).collect(),
            // One piece very often.
            2 => {
                let (piece, times) = (self.pick(&PIECES), self.below(4000));
                format!("{}{}{}", self.pick(&PIECES), piece.repeat(times), self.pick(&PIECES))
            }
            // Brackets that fit.
            3 => {
                let (levels, seed) = (self.below(200), self.seed());
                let (open, close) = if self.below(2) == 0 { ("(", ")") } else { ("[", "][0]") };
                format!("{}{seed}{}", open.repeat(levels), close.repeat(levels))
            }
            // What people write, combined.
            4 => format!("({}) {} ({})", self.seed(), self.pick(&["&&", "||", "=>", "<=>", "+", "==", "**", "xor"]), self.seed()),
            _ => {
                let mut text = self.seed();
                for _ in 0..=self.below(5) {
                    self.mutate(&mut text);
                }
                text
            }
        }
    }

    fn mutate(&mut self, text: &mut String) {
        let (one, other) = (self.place(text), self.place(text));
        let (start, end) = (one.min(other), one.max(other));
        match self.below(6) {
            0 => text.replace_range(start..end, ""),
            1 => text.insert_str(start, self.pick(&PIECES)),
            2 => text.replace_range(start..end, self.pick(&PIECES)),
            3 => {
                let part = text[start..end].repeat(1 + self.below(8));
                text.insert_str(end, &part);
            }
            4 => {
                let other = self.seed();
                let cut = self.place(&other);
                text.replace_range(start.., &other[cut..]);
            }
            _ => {
                let part = text[start..end].to_owned();
                let place = self.place(text);
                text.insert_str(place, &part);
            }
        }
        text.truncate(text.floor_char_boundary(20_000));
    }
}

/// What became of the texts.
#[derive(Debug, Default)]
struct Found {
    read: u64,
    refused: u64,
    undefined: u64,
    slowest: (Duration, String),
}

/// Reads so many texts, and works out those that are well formed with both evaluators.
fn hold(texts: u64, seed: u64) -> Found {
    let vocabulary = vocabulary();
    let mut random = Random(seed);
    let mut found = Found::default();
    let mut machine = Machine::new();
    let mut games = Games::new(u64::MAX);
    for _ in 0..texts {
        let text = random.text();
        let start = Instant::now();
        one(&text, &vocabulary, &mut random, &mut games, &mut machine, &mut found);
        if start.elapsed() > found.slowest.0 {
            found.slowest = (start.elapsed(), text);
        }
        // As everyone who keeps a store for long has to.
        if games.count() > 10_000 {
            games = Games::new(u64::MAX);
        }
    }
    found
}

fn one(text: &str, vocabulary: &Vocabulary, random: &mut Random, games: &mut Games, machine: &mut Machine, found: &mut Found) {
    let mut scope = Scope::new(vocabulary);
    scope.define("M", "pow2(floor_log2(EF) + 1)").unwrap();
    // Each sentence is written, too.
    let refused = |error: &dyn std::error::Error| assert!(!error.to_string().is_empty());
    if let Err(error) = scope.define("D", text) {
        refused(&error);
    }
    let claim = match (scope.statement(text), scope.prediction(text)) {
        (Ok(statement), _) => Claim::says(scope.statement("AB >= 0").ok(), statement),
        (_, Ok(prediction)) => Claim::predicts(None, prediction),
        (Err(one), Err(other)) => {
            found.refused += 1;
            refused(&one);
            return refused(&other);
        }
    };
    found.read += 1;
    let printed = claim.statement().to_string();
    if printed.len() < 8000 {
        assert_eq!(&Scope::new(vocabulary).statement(&printed).unwrap(), claim.statement(), "{text}");
    }
    let lanes = 1 + random.below(5);
    let integers: [Vec<i64>; 3] = [(); 3].map(|()| (0..lanes).map(|_| random.below(20) as i64 - 2).collect());
    let outcomes: Vec<Outcome> = (0..lanes).map(|_| if random.below(2) == 0 { Outcome::P } else { Outcome::N }).collect();
    let value = Reading::Value(Value::Game(games.parse(random.pick(&["0", "*", "{4|0}", "^*", "{2||1|0}"])).unwrap()));
    let left = Reading::Value(Value::set_of([1, 3, 4]));
    let columns = [
        Column::Counting { first: 0 },
        Column::Integers(&integers[0]),
        Column::Integers(&integers[1]),
        Column::Integers(&integers[2]),
        Column::Constant(left.clone()),
        Column::Outcomes(&outcomes),
        Column::Constant(value.clone()),
    ];
    let verdict = Program::new(&claim).judge(&Block::new(lanes, &columns), games, &mut Alone, machine).at(0);
    let weights = [0, integers[0][0], integers[1][0], integers[2][0]].map(|weight| Reading::Value(Value::Integer(weight)));
    let position: Vec<Reading> = weights.into_iter().chain([left, Reading::Value(Value::Outcome(outcomes[0])), value]).collect();
    assert_eq!(judge(&claim, &position, games, &mut Alone), verdict, "{text}");
    found.undefined += u64::from(matches!(verdict, Verdict::Undefined(_)));
    if random.below(4) == 0 {
        assert!(!subexpressions(claim.statement(), &position, games, &mut Alone).is_empty());
    }
}

/// The most memory that this process has had, in KiB.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn random_and_mutated_texts_are_refused_or_worked_out() {
    let found = hold(4_000, 1);
    assert!(found.read > 200 && found.refused > 2_000 && found.undefined > 0, "{found:?}");
}

/// The deepest text of a form that is read: what stands before it, what is repeated, what is in the middle, what closes it.
fn deepest([before, start, middle, end]: [&str; 4]) -> String {
    let text = |levels: usize| format!("{before}{}{middle}{}", start.repeat(levels), end.repeat(levels));
    let vocabulary = vocabulary();
    let reads = |levels: &usize| Scope::new(&vocabulary).statement(&text(*levels)).is_ok();
    let levels = (1..400).take_while(reads).last();
    assert!(levels.is_some_and(|levels| levels >= 30), "{} is read {levels:?} levels deep", text(1));
    levels.map(text).unwrap()
}

/// The deepest expressions there are, of each kind, are read and worked out on half of the stack that a thread has; deeper ones
/// are refused on it.
#[test]
fn the_deepest_expressions_fit_on_a_stack_of_one_mib() {
    let run = || {
        let forms = [
            ["", "(", "true", ")"],
            ["", "!", "true", ""],
            ["", "true => (true ? AB < 9 : ", "true", ")"],
            ["1 == ", "(AB == 1 ? 2 : 1 + ", "AB", ")"],
            ["", "(", "AB == 1", ") <=> true"],
            ["1 == ", "[", "1", "][0]"],
            ["1 == ", "min(2, ", "1", ")"],
            ["1 == ", "2 ** -(1 * ", "1", ")"],
            ["'*' == ", "value + -(", "value", ")"],
        ];
        let mut texts: Vec<String> = forms.into_iter().map(deepest).collect();
        texts.push(nested_quantifiers());
        let mut random = Random(5);
        let (mut games, mut machine, mut found) = (Games::new(u64::MAX), Machine::new(), Found::default());
        for text in &texts {
            for _ in 0..8 {
                one(text, &vocabulary(), &mut random, &mut games, &mut machine, &mut found);
            }
        }
        assert_eq!((found.read, found.refused), (80, 0));
        for start in ["(", "!", "-", "[", "true => ", "true ? true : ", "2 ** ", "min(", "any(m in [1], "] {
            one(&start.repeat(3000), &vocabulary(), &mut random, &mut games, &mut machine, &mut found);
        }
        assert_eq!((found.read, found.refused), (80, 9));
    };
    std::thread::Builder::new().stack_size(1024 * 1024).spawn(run).unwrap().join().unwrap();
}

/// Quantifiers inside one another, as many as are read.
fn nested_quantifiers() -> String {
    let levels = 48;
    let starts: String = (0..levels).map(|level| format!("all(m{level} in 1..=1, AB > m{level} || ")).collect();
    format!("{starts}true{}", ")".repeat(levels))
}

/// A million texts, for a release build:
/// `cargo test --release -p refute-shared --test language_hostile -- --ignored --nocapture`.
#[test]
#[ignore = "some minutes"]
fn a_million_random_and_mutated_texts_take_little_memory() {
    let before = peak_kib();
    let found = hold(1_000_000, 17);
    let more = peak_kib().saturating_sub(before);
    println!("{} read, {} refused, {} undefined; {} KiB more than before", found.read, found.refused, found.undefined, more);
    println!("slowest, {:?}: {}", found.slowest.0, found.slowest.1.chars().take(300).collect::<String>());
    assert!(more < 64 * 1024, "{more} KiB");
}
