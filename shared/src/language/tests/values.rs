//! What expressions come to, worked out by hand, by both evaluators.

use super::syntax::vocabulary;
use crate::language::block::{Block, Column, Machine, Program, Window};
use crate::language::walk::{evaluate, judge, subexpressions};
use crate::language::{Alone, Claim, Reading, Reason, Scope, Value, Verdict, Vocabulary};
use crate::value::{Games, Outcome};

/// AB = 5, BC = 1, CD = 7, EF = 11, x = 3, y = -7, ok, left = {1, 4, 6}, an L-position of value {4|0}.
fn position(vocabulary: &Vocabulary, games: &mut Games) -> Vec<Reading> {
    let value = games.parse("{4|0}").unwrap();
    let reading = |name: &str| match name {
        "AB" => Value::Integer(5),
        "BC" => Value::Integer(1),
        "CD" => Value::Integer(7),
        "EF" => Value::Integer(11),
        "x" => Value::Integer(3),
        "y" => Value::Integer(-7),
        "ok" => Value::Boolean(true),
        "left" => Value::set_of([6, 1, 4, 4]),
        "outcome" => Value::Outcome(Outcome::L),
        "value" => Value::Game(value),
        _ => Value::Integer(0),
    };
    vocabulary.variables().iter().map(|variable| Reading::Value(reading(&variable.name))).collect()
}

/// The verdict of a claim at that position, by both evaluators.
fn verdict(condition: Option<&str>, says: &str) -> Verdict {
    let vocabulary = vocabulary();
    let mut games = Games::new(u64::MAX);
    let position = position(&vocabulary, &mut games);
    let scope = Scope::new(&vocabulary);
    let statement = |text: &str| scope.statement(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let claim = Claim::says(condition.map(statement), statement(says));
    let plain = judge(&claim, &position, &mut games, &mut Alone);
    let columns: Vec<Column<'_>> = position.iter().cloned().map(Column::Constant).collect();
    let mut machine = Machine::new();
    let fast = Program::new(&claim).judge(&Block::new(3, &columns), &mut games, &mut Alone, &mut machine).at(2);
    assert_eq!(plain, fast, "{says}");
    plain
}

fn value(text: &str) -> Result<String, Reason> {
    let vocabulary = vocabulary();
    let mut games = Games::new(u64::MAX);
    let position = position(&vocabulary, &mut games);
    let expression = Scope::new(&vocabulary).expression(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let value = evaluate(&expression, &position, &mut games, &mut Alone)?;
    assert!(value.is_of(expression.of()), "{text} is no {}", expression.of());
    Ok(value.text(&mut games))
}

#[test]
fn expressions_have_the_values_that_the_reference_says() {
    for (text, expected) in [
        ("AB % 16 + CD // 2", "8"),
        ("y // 2", "-4"),
        ("y % 2", "1"),
        ("-7 // 7 * 7 + -7 % 7", "-7"),
        ("-x ** 2", "-9"),
        ("2 ** 3 ** 2", "512"),
        ("(-2) ** 63", "-9223372036854775808"),
        ("0 ** 0", "1"),
        ("AB xor CD xor EF", "9"),
        ("-1 xor 1", "-2"),
        ("pow2(floor_log2(EF) + 1)", "16"),
        ("isqrt(99)", "9"),
        ("isqrt(9223372036854775807)", "3037000499"),
        ("gcd(12, -18)", "6"),
        ("gcd(0, 0)", "0"),
        ("popcount(EF)", "3"),
        ("[bit(EF, 0), bit(EF, 2), bit(-1, 99), bit(5, 64)]", "[1, 0, 1, 0]"),
        ("mex([0, 1, 3, -1, 1])", "2"),
        ("mex([])", "0"),
        ("mex(left)", "0"),
        ("[min(x, y, 0), max(left), min([3, 2])]", "[-7, 6, 2]"),
        ("[abs(y), sum(left), len(left), len([[]])]", "[7, 11, 3, 1]"),
        ("sorted([3, 1, 2, 1])", "[1, 1, 2, 3]"),
        ("sorted(left) == [1, 4, 6]", "true"),
        ("[[1, 2], [3]][1][0]", "3"),
        ("count(m in 0..=AB, m % 2 == 0)", "3"),
        ("sum(m in 0..=AB, m * m)", "55"),
        ("sum(m in 3..=1, m)", "0"),
        ("first(m in left, m > 1)", "4"),
        ("any(m in left, m == 4) && !any(m in left, m == 5)", "true"),
        ("all(m in 1..=0, false)", "true"),
        ("4 in left && 4 in 0..=4 && !(5 in 0..=4) && P in [N, P]", "true"),
        ("any(i in 0..=9, all(j in 0..=i, any(k in j..=9, k == i)))", "true"),
        ("0 <= x < AB && !(0 < x < x)", "true"),
        ("outcome == L ? '{1|0||0}' : '^'", "{1|0||0}"),
        ("[value > 0, value <= 4, confused(value, 2), value == '{4|0}']", "[false, false, true, true]"),
        ("[value < 2, value >= 2, !(value < 2)]", "[false, false, true]"),
        ("'1' == 1 && 1 in ['1'] && '1/2' < 1 && '^' > 0 && confused('*', 0)", "true"),
        ("value > 9223372036854775807 || value < -9223372036854775807", "false"),
        ("[value + '*', value - value, -value, '^' + 1, 1 - '*2']", "[{4*|*}, 0, {0|-4}, 1^, 1*2]"),
        ("[has_atomic_weight('^'), has_atomic_weight(value), has_atomic_weight(0), has_atomic_weight(1)]", "[true, false, true, false]"),
        (
            "[outcome_with_far_star(0), outcome_with_far_star('^^'), outcome_with_far_star('^'), outcome_with_far_star('^', -1)]",
            "[N, L, L, N]",
        ),
        ("[outcome_with_far_star(1, -9), outcome_with_far_star('^^', -4), outcome_with_far_star(0, 2)]", "[L, R, L]"),
    ] {
        assert_eq!(value(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_has_no_value_says_why_in_either_evaluator() {
    for (text, reason) in [
        ("9223372036854775807 + BC == 0", Reason::Overflow),
        ("-9223372036854775807 - 2 == 0", Reason::Overflow),
        ("3037000500 * 3037000500 == 0", Reason::Overflow),
        ("2 ** 63 == 0", Reason::Overflow),
        ("3 ** 9223372036854775807 == 0", Reason::Overflow),
        ("pow2(63) == 0", Reason::Overflow),
        ("abs(-9223372036854775807 - 1) == 0", Reason::Overflow),
        ("-(-9223372036854775807 - 1) == 0", Reason::Overflow),
        ("gcd(-9223372036854775807 - 1, 0) == 0", Reason::Overflow),
        ("sum([9223372036854775807, 1]) == 0", Reason::Overflow),
        ("sum(m in 1..=2, 9223372036854775807) == 0", Reason::Overflow),
        ("1 // 0 == 0", Reason::Divisor),
        ("1 % y == 0", Reason::Divisor),
        ("floor_log2(0) == 0", Reason::Logarithm),
        ("isqrt(y) == 0", Reason::Root),
        ("2 ** y == 0", Reason::Exponent),
        ("pow2(-1) == 0", Reason::Exponent),
        ("popcount(y) == 0", Reason::Popcount),
        ("bit(1, y) == 0", Reason::Bit),
        ("min([]) == 0", Reason::Extreme),
        ("first(m in left, m > 9) == 0", Reason::First),
        ("[1, 2][2] == 0", Reason::Index),
        ("[1, 2][y] == 0", Reason::Index),
        ("any(m in 0..=9223372036854775807, m < 0)", Reason::Steps),
        ("'*50' + '*50' == 0", Reason::GameSize),
        ("value + 1001 == 0", Reason::GameSize),
        ("outcome_with_far_star(value, 1001) == P", Reason::GameSize),
        ("1 // 0 == floor_log2(0)", Reason::Divisor),
        ("ok && 1 // 0 == 0", Reason::Divisor),
        ("all(m in [1, 0, 2], 1 // m > 0)", Reason::Divisor),
    ] {
        assert_eq!(verdict(None, text), Verdict::Undefined(reason), "{text}");
    }
}

#[test]
fn short_circuits_do_not_look_further() {
    for text in [
        "!(!ok && 1 // 0 == 0)",
        "ok || 1 // 0 == 0",
        "ok && (!ok => 1 // 0 == 0)",
        "(ok ? 1 : 1 // 0) == 1",
        "!(5 < 3 < 1 // 0)",
        "any(m in [1, 0], 1 // m == 1)",
        "!all(m in [2, 0], 1 // m == 1)",
        "first(m in [1, 0], 1 // m == 1) == 1",
    ] {
        assert_eq!(verdict(None, text), Verdict::Held, "{text}");
    }
}

#[test]
fn a_statement_that_says_nothing_is_vacuous() {
    use Verdict::{Held, Refuted, Silent, Undefined, Vacuous};
    for (condition, says, expected) in [
        (None, "!ok => x == 4", Vacuous),
        (None, "ok => x == 3", Held),
        (None, "ok => x == 4", Refuted),
        (None, "ok => !ok => x == 4", Vacuous),
        (None, "(!ok => x == 4) && ok", Held),
        (None, "all(m in 1..=0, m == 4)", Vacuous),
        (None, "all(m in [], ok)", Vacuous),
        (None, "ok => all(m in 1..=0, m == 4)", Vacuous),
        (None, "all(m in 1..=2, all(k in 2..=m - 2, ok))", Held),
        (None, "all(m in 1..=2, m == 1)", Refuted),
        (None, "!any(m in 1..=0, ok)", Held),
        (None, "1 // 0 == 1 => ok", Undefined(Reason::Divisor)),
        (Some("x == 4"), "1 // 0 == 1", Silent),
        (Some("x // 0 == 4"), "ok", Undefined(Reason::Divisor)),
        (Some("x == 4 && x // 0 == 4"), "ok", Silent),
        (Some("x // 0 == 4 && x == 4"), "ok", Undefined(Reason::Divisor)),
        (Some("x == 3"), "!ok => ok", Vacuous),
    ] {
        assert_eq!(verdict(condition, says), expected, "where {condition:?} says {says}");
    }
}

#[test]
fn predictions_are_compared_with_the_value_of_their_type() {
    let vocabulary = vocabulary();
    let scope = Scope::new(&vocabulary);
    let mut games = Games::new(u64::MAX);
    let mut position = position(&vocabulary, &mut games);
    let mut holds =
        |text: &str, position: &[Reading]| judge(&Claim::predicts(None, scope.prediction(text).unwrap()), position, &mut games, &mut Alone);
    assert_eq!(holds("x == 3 ? L : R", &position), Verdict::Held);
    assert_eq!(holds("P", &position), Verdict::Refuted);
    assert_eq!(holds("x - 3", &position), Verdict::Held);
    assert_eq!(holds("x == 3 ? '{4|0}' : 0", &position), Verdict::Held);
    position[vocabulary.find("value").unwrap()] = Reading::Undefined(Reason::NoAtomicWeight);
    assert_eq!(holds("x == 3 ? '{4|0}' : 0", &position), Verdict::Undefined(Reason::NoAtomicWeight));
    position[vocabulary.find("x").unwrap()] = Reading::Absent;
    assert_eq!(holds("x == 3 ? L : R", &position), Verdict::Silent);
}

fn parts(text: &str) -> Vec<String> {
    let vocabulary = vocabulary();
    let mut games = Games::new(u64::MAX);
    let position = position(&vocabulary, &mut games);
    let expression = Scope::new(&vocabulary).expression(text).unwrap();
    let parts = subexpressions(&expression, &position, &mut games, &mut Alone);
    let value = |value: &Result<String, Reason>| value.clone().unwrap_or_else(|reason| format!("undefined: {reason}"));
    parts.iter().map(|part| format!("{}{}: {}", "  ".repeat(part.level), part.expression, value(&part.value))).collect()
}

#[test]
fn each_part_that_was_looked_at_is_shown_with_its_value() {
    assert_eq!(
        parts("outcome == P <=> CD == AB + 1"),
        [
            "outcome == P <=> CD == AB + 1: true",
            "  outcome == P: false",
            "    outcome: L",
            "  CD == AB + 1: false",
            "    CD: 7",
            "    AB + 1: 6",
            "      AB: 5"
        ]
    );
    assert_eq!(
        parts("x == 4 && AB == 5"),
        ["x == 4 && AB == 5: false", "  x == 4: false", "    x: 3"],
        "what was passed over is not there"
    );
    assert_eq!(parts("x > 4 ? AB : x + x"), ["x > 4 ? AB : x + x: 6", "  x > 4: false", "    x: 3", "  x + x: 6"]);
    assert_eq!(
        parts("all(m in 0..=AB, m < x || m == AB)"),
        [
            "all(m in 0..=AB, m < x || m == AB): false",
            "  AB: 5",
            "  m: 3",
            "  m < x || m == AB: false",
            "    m < x: false",
            "      x: 3",
            "    m == AB: false"
        ],
        "the offender"
    );
    assert_eq!(
        parts("any(m in left, m > 3)"),
        ["any(m in left, m > 3): true", "  left: {1, 4, 6}", "  m: 4", "  m > 3: true"],
        "the witness"
    );
    assert_eq!(parts("count(m in left, m > 3)"), ["count(m in left, m > 3): 2", "  left: {1, 4, 6}"]);
    assert_eq!(
        parts("x // (x - 3) == 1"),
        ["x // (x - 3) == 1: undefined: a divisor below 1", "  x // (x - 3): undefined: a divisor below 1", "    x: 3", "    x - 3: 0"]
    );
    assert_eq!(parts("false"), ["false: false"]);
}

#[test]
fn explaining_a_costly_expression_ends() {
    let costly = format!("any(m in 0..=9999999, m < 0 {})", "|| any(k in 0..=9, k < 0) ".repeat(200));
    let shown = parts(&costly);
    assert!(shown[0].ends_with("undefined: quantifiers that take more than 1000000 steps"));
}

/// The window of a claim with this hypothesis, and the verdicts in it.
fn window(condition: &str, columns: [Column<'_>; 6]) -> (Window, Vec<Verdict>) {
    let vocabulary = vocabulary();
    let scope = Scope::new(&vocabulary);
    let claim = Claim::says(Some(scope.statement(condition).unwrap()), scope.statement("true").unwrap());
    let (mut games, mut machine) = (Games::new(u64::MAX), Machine::new());
    let program = Program::new(&claim);
    let block = Block::new(100, &columns);
    let window = program.window(&block, &mut games, &mut machine);
    let judged = program.judge(&block, &mut games, &mut Alone, &mut machine);
    assert_eq!(judged.range(), window.lanes);
    (window, judged.verdicts.to_vec())
}

#[test]
fn stretches_without_the_hypothesis_are_not_looked_at() {
    use Verdict::{Held, Silent, Undefined};
    // AB = 21, BC counts from 10 to 109, CD is any, EF = 11, x = 3, y = 0.
    let any: Vec<i64> = (0..100).map(|lane| lane % 7 - 3).collect();
    let of = |condition: &str| {
        let [ab, ef, x, y] = [21, 11, 3, 0].map(Column::constant);
        window(condition, [ab, Column::Counting { first: 10 }, Column::Integers(&any), ef, x, y])
    };
    for (condition, lanes, is_true) in [
        ("EF >= 11 && AB % 16 == 5 && BC == 12", 2..3, true),
        ("EF >= 11 && AB % 16 == 5", 0..100, true),
        ("BC == 12 && EF >= 11", 2..3, true),
        ("BC == 12 && EF > 11", 0..0, true),
        ("EF > 11 && CD > 0", 0..0, true),
        ("CD > 0 && EF > 11", 0..0, false),
        ("CD % EF == 1 && BC < 20", 0..10, false),
        ("20 <= BC < AB + 3", 10..14, true),
        ("BC in 0..=14", 0..5, true),
        ("BC in [19, 30, 40]", 9..31, false),
        ("BC > 200", 0..0, true),
        ("BC < -200", 0..0, true),
        ("BC != 12", 0..100, false),
        ("30 > BC >= 29 > 28", 19..20, true),
        ("30 > BC >= 29 > 30", 0..0, true),
        ("CD // CD == 1 && BC == 12", 0..100, false),
        ("EF // y == 1 && BC == 12", 0..100, false),
        ("BC == 12 && EF // y == 1", 2..3, false),
        ("all(m in 0..=3, m < EF) && BC == 12", 2..3, false),
        ("BC == 12 || BC == 13", 0..100, false),
    ] {
        let found = of(condition).0;
        assert_eq!(found.lanes, lanes, "{condition}");
        assert!(found.is_true == is_true || lanes.is_empty(), "{condition}");
    }
    assert_eq!(of("EF // y == 1 && BC == 12").1, [Undefined(Reason::Divisor); 100], "what has no value is not passed over");
    assert_eq!(of("EF >= 11 && AB % 16 == 5 && BC == 12").1, [Held]);
    assert_eq!(of("BC in [19, 21]").1, [Held, Silent, Held]);
    let two = [0, 10].map(|first| Column::Counting { first });
    let [ab, bc] = two;
    let [cd, ef, x, y] = [7, 11, 3, 0].map(Column::constant);
    assert_eq!(window("AB <= 15 < BC", [ab, bc, cd, ef, x, y]).1.iter().filter(|verdict| **verdict == Held).count(), 10);
}

#[test]
fn a_condition_is_cut_where_something_begins_to_vary() {
    let vocabulary = vocabulary();
    let scope = Scope::new(&vocabulary);
    let bc = vocabulary.find("BC").unwrap();
    let split = |text: &str| {
        let (first, second) = scope.statement(text).unwrap().split(|index| index == bc);
        [first, second].map(|part| part.map_or_else(String::new, |part| part.to_string()))
    };
    assert_eq!(split("EF >= 11 && AB == 5 && BC == 1 && x == 1"), ["EF >= 11 && AB == 5", "BC == 1 && x == 1"]);
    assert_eq!(split("BC == 1"), ["", "BC == 1"]);
    assert_eq!(split("x == 1 || ok"), ["x == 1 || ok", ""]);
}
