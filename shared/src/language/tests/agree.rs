//! The two evaluators come to the same, whatever the expression and the position.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::board::{Board, Place};
use super::generate::{Source, vocabulary};
use crate::language::block::{Block, Column, Machine, Program};
use crate::language::syntax::{Kind, Node};
use crate::language::walk::{judge, subexpressions};
use crate::language::{Claim, Error, Expression, Positions, Problem, Reading, Reason, Scope, Type, Value, Verdict, Vocabulary};
use crate::value::{Games, Outcome};

/// What was met, and how often.
#[derive(Default)]
struct Coverage(BTreeMap<String, usize>);

impl Coverage {
    fn add(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    fn tree(&mut self, node: &Node) {
        self.add(match &node.kind {
            Kind::Arithmetic(operator, _) => operator.word().to_owned(),
            Kind::Compare(_, rest) => format!("{}{}", rest[0].0.word(), if rest.len() > 1 { " chain" } else { "" }),
            Kind::Call(function, _) => format!("{}()", function.word()),
            Kind::Quantified(quantified) => format!("{} quantifier", quantified.quantifier.word()),
            other => format!("{other:?}").split(['(', ' ']).next().unwrap().to_owned(),
        });
        node.children().into_iter().for_each(|child| self.tree(child));
    }
}

/// Random positions side by side: each column, and the readings of each lane.
struct Lanes {
    integers: Vec<i64>,
    booleans: Vec<bool>,
    outcomes: Vec<Outcome>,
    readings: Vec<Vec<Reading>>,
    first: i64,
    constants: Vec<Reading>,
    lanes: usize,
}

impl Lanes {
    fn new(source: &mut Source<'_>, games: &mut Games) -> Self {
        let lanes = match source.below(8) {
            0 => 65 + source.below(40),
            1 => 1,
            _ => 1 + source.below(6),
        };
        let list = |source: &mut Source<'_>| Value::list_of((0..source.below(4)).map(|_| source.integer()).collect::<Vec<_>>());
        let reasons = [Reason::NoAtomicWeight, Reason::Unknown, Reason::GameSize];
        let mut readings = Vec::new();
        for column in 0..6 {
            let each = (0..lanes).map(|_| match (source.below(30), column) {
                (29, _) => Reading::Undefined(source.pick(&reasons)),
                (28, 0) => Reading::Absent,
                (_, 0) => Reading::Value(Value::Integer(source.integer())),
                (_, 1 | 2 | 5) => Reading::Value(source.game(games)),
                (_, 3) => Reading::Value(list(source)),
                _ => Reading::Value(Value::List((0..source.below(3)).map(|_| source.game(games)).collect())),
            });
            readings.push(each.collect());
        }
        let constants = vec![
            Value::Integer(source.integer()).into(),
            Value::Boolean(source.below(2) == 1).into(),
            list(source).into(),
            Value::set_of((0..source.below(5)).map(|_| source.integer()).collect::<Vec<_>>()).into(),
            if source.below(2) == 0 { Reading::Absent } else { Reading::Value(Value::Integer(3)) },
        ];
        Self {
            integers: (0..lanes).map(|_| source.integer()).collect(),
            booleans: (0..lanes).map(|_| source.below(2) == 1).collect(),
            outcomes: (0..lanes).map(|_| source.outcome()).collect(),
            readings,
            first: source.below(4) as i64,
            constants,
            lanes,
        }
    }

    /// A column for each variable, in the order of the vocabulary.
    fn columns(&self) -> Vec<Column<'_>> {
        let readings = |index: usize| Column::Readings(&self.readings[index]);
        let constant = |index: usize| Column::Constant(self.constants[index].clone());
        vec![
            Column::Counting { first: self.first },
            Column::Integers(&self.integers),
            constant(0),
            readings(0),
            Column::Booleans(&self.booleans),
            constant(1),
            Column::Outcomes(&self.outcomes),
            readings(1),
            readings(2),
            readings(3),
            constant(2),
            readings(4),
            constant(3),
            constant(4),
            Column::Outcomes(&self.outcomes),
            Column::Counting { first: 0 },
            readings(5),
            Column::Constant(Value::Boolean(true).into()),
            Column::Constant(Value::Boolean(true).into()),
        ]
    }

    /// The numbers of the position at a lane, where they are.
    fn place(&self, lane: usize) -> Place {
        let small = |reading: &Reading| if let Reading::Value(Value::Integer(integer)) = reading { integer % 1_000 } else { 0 };
        let readings = self.at(lane);
        [0, 1, 2].map(|index| small(&readings[index]))
    }

    /// The position at a lane.
    fn at(&self, lane: usize) -> Vec<Reading> {
        let reading = |column: &Column<'_>| match column {
            Column::Constant(reading) => reading.clone(),
            Column::Counting { first } => Value::Integer(first + lane as i64).into(),
            Column::Integers(integers) => Value::Integer(integers[lane]).into(),
            Column::Booleans(booleans) => Value::Boolean(booleans[lane]).into(),
            Column::Outcomes(outcomes) => Value::Outcome(outcomes[lane]).into(),
            Column::Readings(readings) => readings[lane].clone(),
        };
        self.columns().iter().map(reading).collect()
    }
}

fn claim(source: &mut Source<'_>, vocabulary: &Vocabulary) -> Claim {
    let scope = Scope::new(vocabulary);
    let checked = |text: &str, found: Result<Expression, Error>| found.unwrap_or_else(|error| panic!("{text}\n{error}"));
    let condition = match source.below(4) {
        0 => None,
        _ => {
            let text = source.condition();
            Some(checked(&text, scope.statement(&text)))
        }
    };
    if source.below(4) == 3 {
        let text = source.prediction();
        let prediction = match scope.prediction(&text) {
            // An element of an empty list is well typed and predicts nothing.
            Err(Error { problem: Problem::PredictionType { found: Type::Nothing }, .. }) => scope.prediction("N"),
            found => found,
        };
        return Claim::predicts(condition, prediction.unwrap_or_else(|error| panic!("{text}\n{error}")));
    }
    let text = source.says();
    Claim::says(condition, checked(&text, scope.statement(&text)))
}

/// Everything that a test of this many cases has to meet.
const WANTED: &str = "Integer Boolean Outcome Game Variable Bound Negative Not In And Or Implies Iff Choice List Index Positions At Field \
    xor + - * // % ** < <= > >= == != floor_log2() pow2() isqrt() gcd() popcount() bit() mex() min() max() abs() sum() sorted() len() \
    has_atomic_weight() confused() outcome_with_far_star()";

#[test]
fn the_evaluators_agree_on_random_expressions_at_random_positions() {
    let vocabulary = vocabulary();
    let coverage = RefCell::new(Coverage::default());
    let config = ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() };
    let bytes = prop::collection::vec(any::<u8>(), 0..300);
    let machine = RefCell::new(Machine::new());
    let run = TestRunner::new(config).run(&(bytes.clone(), bytes), |(expression, positions)| {
        let mut games = Games::new(u64::MAX);
        let mut source = Source::new(&expression);
        let claim = claim(&mut source, &vocabulary);
        let positions = Lanes::new(&mut Source::new(&positions), &mut games);
        let mut coverage = coverage.borrow_mut();
        claim.condition().into_iter().chain([claim.statement()]).for_each(|part| coverage.tree(part.tree()));
        let columns = positions.columns();
        let program = Program::new(&claim);
        let mut machine = machine.borrow_mut();
        let places: Vec<Place> = (0..positions.lanes).map(|lane| positions.place(lane)).collect();
        let mut board = Board::new(&vocabulary, places.clone());
        let judged = program.judge(&Block::new(positions.lanes, &columns), &mut games, &mut board, &mut machine);
        if judged.range().len() < positions.lanes {
            coverage.add("stretch skipped");
        }
        assert_eq!(board.kept(), 0, "what was made for a block is released");
        let fast: Vec<Verdict> = (0..positions.lanes).map(|lane| judged.at(lane)).collect();
        for (lane, fast) in fast.into_iter().enumerate() {
            let position = positions.at(lane);
            let mut board = Board::new(&vocabulary, vec![places[lane]]);
            let plain = judge(&claim, &position, &mut games, &mut board);
            coverage.add(format!("{plain:?}"));
            prop_assert_eq!(
                plain,
                fast,
                "where {}\nsays {}\nlane {} of {}: {:?}",
                claim.condition().map_or("true".to_owned(), ToString::to_string),
                claim.statement(),
                lane,
                positions.lanes,
                position
            );
            if lane == 0 && plain == Verdict::Refuted {
                let parts = subexpressions(claim.statement(), &position, &mut games, &mut board);
                prop_assert_eq!(parts[0].value.as_deref(), Ok("false"));
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    all_is_met(&coverage.into_inner().0);
}

/// Every operator, function, quantifier, verdict and reason was met.
fn all_is_met(coverage: &BTreeMap<String, usize>) {
    let missing: Vec<&str> = WANTED.split_whitespace().filter(|what| !coverage.contains_key(*what)).collect();
    assert!(missing.is_empty(), "never met: {missing:?}; met: {coverage:#?}");
    for what in ["any", "all", "count", "sum", "first"].map(|word| format!("{word} quantifier")) {
        assert!(coverage.contains_key(&what), "{what}: {coverage:#?}");
    }
    for what in ["< chain", "<= chain", "> chain", ">= chain", "stretch skipped", "Silent", "Held", "Vacuous", "Refuted"] {
        assert!(coverage.contains_key(what), "{what}: {coverage:#?}");
    }
    let reasons = [
        Reason::Overflow,
        Reason::Divisor,
        Reason::Logarithm,
        Reason::Root,
        Reason::Exponent,
        Reason::Popcount,
        Reason::Bit,
        Reason::Extreme,
        Reason::First,
        Reason::Index,
        Reason::NoAtomicWeight,
        Reason::Steps,
        Reason::GameSize,
        Reason::NoPosition,
        Reason::LargePosition,
        Reason::NoName,
        Reason::Unknown,
    ];
    for reason in reasons {
        assert!(coverage.contains_key(&format!("Undefined({reason:?})")), "{reason:?}: {coverage:#?}");
    }
}
