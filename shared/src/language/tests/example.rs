//! What the head of the language's module shows, which nobody would run otherwise.

use crate::language::block::{Block, Column, Machine, Program};
use crate::language::walk::{judge, subexpressions};
use crate::language::{Alone, Claim, Reading, Role, Scope, Type, Value, Variable, Verdict, Vocabulary};
use crate::value::{Games, Outcome};

#[test]
fn the_example_of_the_documentation_is_right() {
    let edge = |name: &str| Variable::new(name, Type::Integer, Role::Parameter, format!("the weight of edge {name}"));
    let outcome = Variable::new("outcome", Type::Outcome, Role::Predicted, "the outcome class");
    let vocabulary = Vocabulary::new(vec![edge("AB"), edge("BC"), edge("CD"), edge("EF"), outcome]).unwrap();

    let mut scope = Scope::new(&vocabulary);
    scope.define("M", "pow2(floor_log2(EF) + 1)").unwrap();
    let condition = scope.statement("EF >= 11 && AB % M == 5 && BC == 1").unwrap();
    let statement = scope.statement("outcome == P <=> CD == AB + 1").unwrap();
    let claim = Claim::says(Some(condition), statement);
    assert_eq!(claim.solved(&vocabulary), [4], "it takes a solver for 'outcome'");

    let mut games = Games::new(u64::MAX);
    let weights = [5, 1, 7, 11].map(|weight| Reading::Value(Value::Integer(weight)));
    let position: Vec<Reading> = weights.into_iter().chain([Reading::Value(Value::Outcome(Outcome::P))]).collect();
    assert_eq!(judge(&claim, &position, &mut games, &mut Alone), Verdict::Refuted);
    let parts = subexpressions(claim.statement(), &position, &mut games, &mut Alone);
    let shown: Vec<String> = parts.iter().map(|part| format!("{} = {}", part.expression, part.value.as_ref().unwrap())).collect();
    assert_eq!(
        shown,
        [
            "outcome == P <=> CD == AB + 1 = false",
            "outcome == P = true",
            "outcome = P",
            "CD == AB + 1 = false",
            "CD = 7",
            "AB + 1 = 6",
            "AB = 5"
        ]
    );

    let program = Program::new(&claim);
    let outcomes = [Outcome::N, Outcome::P, Outcome::N, Outcome::N];
    let [ab, cd, ef] = [5, 7, 11].map(Column::constant);
    let columns = [ab, Column::Counting { first: 0 }, cd, ef, Column::Outcomes(&outcomes)];
    let block = Block::new(4, &columns);
    let mut machine = Machine::new();
    assert_eq!(program.window(&block, &mut games, &mut machine).lanes, 1..2);
    let judged = program.judge(&block, &mut games, &mut Alone, &mut machine);
    assert_eq!((judged.first, judged.verdicts), (1, &[Verdict::Refuted][..]));
}
