//! How texts are read: what binds tighter, what is refused and with which sentence.

use crate::language::bounds::{MAX_DEPTH, MAX_NESTING, MAX_TEXT};
use crate::language::{Error, Expression, Problem, Role, Scope, Type, Variable, Vocabulary};

pub fn vocabulary() -> Vocabulary {
    let integer = |name: &str| Variable::new(name, Type::Integer, Role::Parameter, "");
    let mut variables: Vec<Variable> = ["AB", "BC", "CD", "EF", "x", "y"].map(integer).to_vec();
    variables.extend([
        Variable::new("ok", Type::Boolean, Role::Parameter, ""),
        Variable::new("left", Type::set(Type::Integer), Role::Parameter, ""),
        Variable::new("outcome", Type::Outcome, Role::Predicted, ""),
        Variable::new("grundy", Type::Integer, Role::Predicted, ""),
        Variable::new("value", Type::Game, Role::Predicted, ""),
        Variable::new("stop", Type::Integer, Role::Solved, ""),
    ]);
    Vocabulary::new(variables).unwrap()
}

fn read(text: &str) -> Result<Expression, Error> {
    Scope::new(&vocabulary()).expression(text)
}

/// The sentence that refuses a text, with its place.
fn refused(text: &str) -> String {
    let error = read(text).unwrap_err();
    format!("{}:{} {}", error.line, error.column, error.problem)
}

#[test]
fn operators_bind_as_the_reference_says() {
    // Each text, and the same with all brackets.
    for (text, bracketed) in [
        ("-x ** 2", "-(x ** 2)"),
        ("2 ** 3 ** 2", "2 ** (3 ** 2)"),
        ("2 ** -x", "2 ** (-x)"),
        ("-x * y", "(-x) * y"),
        ("x - y - 1", "(x - y) - 1"),
        ("x - (y - 1)", "x - (y - 1)"),
        ("x + y * 2 // 3 % 4", "x + (((y * 2) // 3) % 4)"),
        ("x xor y + 1", "x xor (y + 1)"),
        ("x xor y == 0", "(x xor y) == 0"),
        ("0 <= x < y", "0 <= x < y"),
        ("x < y && ok || !ok", "((x < y) && ok) || (!ok)"),
        ("ok => ok => ok", "ok => (ok => ok)"),
        ("ok || ok => ok", "(ok || ok) => ok"),
        ("ok <=> ok || ok", "ok <=> (ok || ok)"),
        ("ok ? x : ok ? y : 1", "ok ? x : (ok ? y : 1)"),
        ("ok <=> ok ? 1 : 2", "(ok <=> ok) ? 1 : 2"),
        ("x in 0..=y + 1", "x in 0..=(y + 1)"),
        ("!ok == ok", "(!ok) == ok"),
        ("[1, 2][x] ** 2", "([1, 2][x]) ** 2"),
        ("x in [1, 2] && ok", "(x in [1, 2]) && ok"),
    ] {
        assert_eq!(read(text).unwrap(), read(bracketed).unwrap(), "{text}");
        assert_eq!(read(text).unwrap().to_string(), text, "the canonical text has no more brackets than it needs");
    }
    for (one, other) in [("x - y - 1", "x - (y - 1)"), ("-x ** 2", "(-x) ** 2"), ("(ok => ok) => ok", "ok => ok => ok")] {
        assert_ne!(read(one).unwrap(), read(other).unwrap());
    }
}

#[test]
fn a_canonical_text_has_one_form() {
    for (text, canonical) in [
        ("(x)+( (y*2) )", "x + y * 2"),
        ("ok&&(ok&&(x<y))", "ok && ok && x < y"),
        ("any( m in [1,2] ,m==x)", "any(m in [1, 2], m == x)"),
        ("value=='{0|*}'", "value == '^'"),
        ("value == '{1|2|}'", ""),
        ("left == left\n  && ok", "left == left && ok"),
        ("sum(m in 0..=x,m)+sum([1,2])", "sum(m in 0..=x, m) + sum([1, 2])"),
    ] {
        match read(text) {
            Ok(expression) => assert_eq!(expression.to_string(), canonical),
            Err(error) => assert!(canonical.is_empty(), "{error}"),
        }
    }
}

#[test]
fn each_mistake_has_its_place_and_its_sentence() {
    for (text, sentence) in [
        ("", "1:1 a value is expected here, and there is the end"),
        ("x +", "1:4 a value is expected here, and there is the end"),
        ("x y", "1:3 an operator is expected here, and there is 'y'"),
        ("2(x)", "1:2 an operator is expected here, and there is '('"),
        ("(x", "1:1 this bracket is not closed: ')' is expected before the end"),
        ("[x", "1:1 this bracket is not closed: ']' is expected before the end"),
        ("(x]", "1:3 an operator or ')' is expected here, and there is ']'"),
        ("x == 'v", "1:6 the quote that begins here does not end; a value is written as '*2' or '{4|0}'"),
        ("x = 1", "1:3 '=' is no operator; write == to compare"),
        ("x & y", "1:3 '&' is no operator; write &&"),
        ("x / 2", "1:3 '/' is no operator; write // for floor division"),
        ("x in 0..3", "1:7 '..' is no operator; a range has both ends: write 0..=9"),
        ("x ≤ 3", "1:3 '≤' means nothing here; write <="),
        ("x ^ y", "1:3 '^' means nothing here; write ** for a power, xor for the nim-sum"),
        ("x.", "1:3 a name, as in at(AB = 0).outcome, is expected here, and there is the end"),
        ("AB.x", "1:1 another position is expected here, and this is a whole number; such as at(...), or o in options"),
        ("at(AB == 1).x", "1:7 '=' and the value at the other position, as in at(AB = AB - 1), is expected here, and there is '=='"),
        ("at(3).x", "1:4 a name with '=' and its value there, as in at(AB = AB - 1), is expected here, and there is '3'"),
        ("at(AB = 1).x", "1:4 'AB' cannot be set here; no name says which position it is; ask for options"),
        ("x.5", "1:2 '.' means nothing here; numbers are whole, and fractions are values such as '1/2'"),
        ("1.5", "1:2 '.' means nothing here; numbers are whole, and fractions are values such as '1/2'"),
        ("x # y", "1:3 '#' means nothing here"),
        ("9223372036854775808", "1:1 a whole number has at most 64 bits: up to 9223372036854775807"),
        ("2x", "1:1 a name does not begin with a digit, and a factor is written with '*'"),
        ("0 < x > y", "1:7 comparisons in a chain run in one direction, as in 0 <= i < m; join others with &&"),
        ("x == y == 1", "1:8 '==' does not stand in a chain; join comparisons with &&, or use brackets"),
        ("0 < x == y", "1:7 '==' does not stand in a chain; join comparisons with &&, or use brackets"),
        ("x in [1] in [2]", "1:10 'in' does not stand in a chain; join comparisons with &&, or use brackets"),
        ("ok <=> ok <=> ok", "1:11 <=> does not stand in a chain; use brackets"),
        ("ok => ok <=> ok", "1:10 <=> and => do not stand side by side without brackets"),
        ("ok <=> ok => ok", "1:4 <=> and => do not stand side by side without brackets"),
        ("ok ? 1", "1:7 ':' and what holds otherwise is expected here, and there is the end"),
        ("ABB > 1", "1:1 there is no name 'ABB'; did you mean 'AB'?"),
        ("ok and ok", "1:4 'and' is no operator; write &&"),
        ("outcome == p", "1:12 there is no name 'p'; outcomes are P, N, L and R"),
        ("mod", "1:1 there is no name 'mod'; write %"),
        ("flor_log2(x)", "1:1 there is no function 'flor_log2'; did you mean 'floor_log2'?"),
        ("min", "1:1 'min' is a function; write min(m, n, ...) or min(list)"),
        ("any(ok)", "1:5 a name with 'in' and what it ranges over, as in any(m in 0..=9, ...), is expected here, and there is 'ok'"),
        ("any(m in 0..=2)", "1:15 a comma and what is asked of each element is expected here, and there is ')'"),
        ("any(P in 0..=2, ok)", "1:5 'P' is a word of the language and cannot be the name of a quantifier"),
        ("any(x in 0..=2, ok)", "1:5 'x' is a variable already, and no name stands for two things"),
        (
            "any(m in 0..=2, all(m in 0..=2, ok))",
            "1:21 'm' is the name of a quantifier around it already, and no name stands for two things",
        ),
        ("0..=2", "1:2 'in' before a range, as in AB in 0..=9, is expected here, and there is '..='"),
        ("gcd(1)", "1:1 gcd is given 1 argument; write gcd(m, n)"),
        ("value == '{1|2|3}'", "1:10 this is no value: '{1|2|3}' is no game; write for instance 0, 1/2, *3, ^^*, {4|0} or {1,{1|0}||0}"),
        ("value == '*99999'", "1:10 this is no value: the value takes more than 20000 steps to work out"),
    ] {
        assert_eq!(refused(text), sentence, "{text}");
    }
}

#[test]
fn types_that_do_not_fit_are_refused_where_they_stand() {
    for (text, sentence) in [
        (
            "x && ok",
            "1:1 a statement (true or false) is expected here, and this is a whole number; a number becomes a statement by comparing it, as in n != 0",
        ),
        ("outcome && ok", "1:1 a statement (true or false) is expected here, and this is an outcome (P, N, L or R)"),
        (
            "!x == 1",
            "1:2 a statement (true or false) is expected here, and this is a whole number; '!' binds tighter than comparisons: write !(a == b)",
        ),
        ("ok + 1", "1:1 a whole number or a game is expected here, and this is a statement (true or false)"),
        (
            "ok xor ok",
            "1:1 a whole number is expected here, and this is a statement (true or false); of statements, a != b says that exactly one holds",
        ),
        ("value * 2", "1:1 a whole number is expected here, and this is a game"),
        ("outcome == 1", "1:1 these do not go together: an outcome (P, N, L or R) and a whole number"),
        ("outcome < P", "1:1 '<' compares whole numbers or games, and this is an outcome (P, N, L or R)"),
        ("ok ? 1 : P", "1:6 these do not go together: a whole number and an outcome (P, N, L or R)"),
        ("[1, P]", "1:5 these do not go together: a whole number and an outcome (P, N, L or R)"),
        ("min(value, 1)", "1:5 games are only partially ordered: min does not take them"),
        ("max([value])", "1:5 games are only partially ordered: max does not take them"),
        ("sorted(['*'])", "1:8 games are only partially ordered: sorted does not take them"),
        (
            "mex([value])",
            "1:5 a list or a set of whole numbers is expected here, and this is a list of games; a list is written as [1, 2, 3]",
        ),
        ("left[0]", "1:1 a list is expected here, and this is a set of whole numbers; a set has no order: write sorted(set)"),
        ("x[0]", "1:1 a list is expected here, and this is a whole number; a list is written as [1, 2, 3]"),
        ("[1][ok]", "1:5 a whole number is expected here, and this is a statement (true or false)"),
        ("x in y", "1:6 a range, a list or a set is expected here, and this is a whole number; write 0..=9 or [1, 2, 3]"),
        ("P in left", "1:1 these do not go together: an outcome (P, N, L or R) and a whole number"),
        ("left == [1]", "1:1 these do not go together: a set of whole numbers and a list of whole numbers"),
        (
            "all(m in 0..=2, m)",
            "1:17 a statement (true or false) is expected here, and this is a whole number; a number becomes a statement by comparing it, as in n != 0",
        ),
        ("sum(m in 0..=2, ok)", "1:17 a whole number is expected here, and this is a statement (true or false)"),
        ("len(x)", "1:5 a list or a set is expected here, and this is a whole number; a list is written as [1, 2, 3]"),
        ("floor_log2(value)", "1:12 a whole number is expected here, and this is a game"),
        ("confused(ok, 1)", "1:10 a game is expected here, and this is a statement (true or false)"),
    ] {
        assert_eq!(refused(text), sentence, "{text}");
    }
    for text in [
        "value == 2",
        "value < x",
        "value in [1, '*']",
        "ok ? value : 1",
        "[value, 1] == [1, 2]",
        "confused(1, x)",
        "[] == [1]",
        "sum([]) == 0",
    ] {
        read(text).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn an_error_is_shown_with_a_caret_below_what_is_meant() {
    let text = "AB >= 1 &&\n\tBC == ABX xor 1";
    let error = read(text).unwrap_err();
    assert_eq!((error.line, error.column, error.offset), (2, 8, 18));
    assert_eq!(error.to_string(), "line 2, column 8: there is no name 'ABX'; did you mean 'AB'?\n   BC == ABX xor 1\n         ^^^");
    let long = format!("{}AB + wrong + {}CD", "AB + ".repeat(30), "AB + ".repeat(30));
    let error = read(&long).unwrap_err();
    let lines: Vec<&str> = error.excerpt.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 105), "{error}");
    let caret = lines[1].find('^').unwrap();
    let under: String = lines[0].chars().skip(caret).take(5).collect();
    assert_eq!((under.as_str(), lines[1].trim()), ("wrong", "^^^^^"));
}

#[test]
fn bounds_are_kept_and_said() {
    let nested = |levels: usize| format!("{}x{}", "(".repeat(levels), ")".repeat(levels));
    assert!(read(&nested(MAX_NESTING - 1)).is_ok());
    let problem = |text: &str| read(text).unwrap_err().problem;
    assert_eq!(problem(&nested(MAX_NESTING)), Problem::TooDeep);
    for deep in
        [nested(5000), "-".repeat(9000), "!".repeat(9000), "2**".repeat(3000), "ok=>".repeat(3000), "ok?1:".repeat(3000), "[".repeat(9000)]
    {
        assert_eq!(problem(&deep), Problem::TooDeep);
    }
    assert_eq!(problem(&format!("x{}", " + x".repeat(MAX_DEPTH))), Problem::TooDeep, "a long sum is a deep tree");
    // As many brackets as a tree of so many levels can be printed with.
    let deepest = format!("{}ok{}", "ok => (ok ? ok : ".repeat(MAX_DEPTH / 2 - 1), ")".repeat(MAX_DEPTH / 2 - 1));
    let tree = read(&deepest).unwrap();
    assert_eq!(tree.to_string(), deepest);
    let long = format!("ok{}", " && x < 1".repeat(1500));
    assert!(read(&long).is_ok(), "a long conjunction is not");
    assert_eq!(problem(&" ".repeat(MAX_TEXT + 1)), Problem::TooLong { bytes: MAX_TEXT + 1 });
    assert!(read(&format!("[{}1]", "1,".repeat(999))).is_ok());
    assert_eq!(problem(&format!("[{}1]", "1,".repeat(1000))), Problem::TooManyElements);
}

#[test]
fn doubling_definitions_are_stopped_before_they_grow() {
    let vocabulary = vocabulary();
    let mut scope = Scope::new(&vocabulary);
    scope.define("d0", "[x]").unwrap();
    let mut last = Ok(());
    for level in 1..60 {
        last = scope.define(&format!("d{level}"), &format!("d{} == d{} ? [1] : [2]", level - 1, level - 1));
        if last.is_err() {
            break;
        }
    }
    assert_eq!(last.unwrap_err().problem, Problem::TooManyParts);
    let mut scope = Scope::new(&vocabulary);
    for index in 0..256 {
        scope.define(&format!("d{index}"), "1").unwrap();
    }
    assert_eq!(scope.define("more", "1").unwrap_err().problem, Problem::TooManyDefinitions);
}

#[test]
fn definitions_are_put_in_as_trees_and_see_their_own_names_only() {
    let vocabulary = vocabulary();
    let mut scope = Scope::new(&vocabulary);
    scope.define("S", "x + 1").unwrap();
    assert_eq!(scope.expression("S * 2").unwrap().to_string(), "(x + 1) * 2", "as a tree, and not as a text");
    scope.define("T", "any(m in 0..=S, m == y)").unwrap();
    let inside = scope.expression("all(m in 0..=3, T || m < x)").unwrap();
    assert_eq!(inside.to_string(), "all(m in 0..=3, any(m_2 in 0..=x + 1, m_2 == y) || m < x)");
    assert_eq!(Scope::new(&vocabulary).expression(&inside.to_string()).unwrap(), inside);
    for (name, text, sentence) in [
        ("U", "m + 1", "there is no name 'm'; known: AB, BC, CD, EF, x, y, ok, left, outcome, grundy, value, stop, S, T"),
        ("x", "1", "'x' is a variable already, and no name stands for two things"),
        ("S", "1", "'S' is defined already, and no name stands for two things"),
        ("m", "1", "'m' is the name of a quantifier in a definition before it already, and no name stands for two things"),
        ("min", "1", "'min' is a word of the language and cannot be defined"),
        ("N", "1", "'N' is a word of the language and cannot be defined"),
        ("2x", "1", "'2x' is no name: a name has letters, digits and '_', and does not begin with a digit"),
        ("V", "W", "there is no name 'W'; known: AB, BC, CD, EF, x, y, ok, left, outcome, grundy, value, stop, S, T"),
    ] {
        assert_eq!(scope.define(name, text).unwrap_err().problem.to_string(), sentence);
    }
    assert_eq!(
        scope.expression("any(T in [1], ok)").unwrap_err().problem.to_string(),
        "'T' is defined under [let] already, and no name stands for two things"
    );
}

#[test]
fn a_prediction_sees_nothing_that_is_solved() {
    let vocabulary = vocabulary();
    let mut scope = Scope::new(&vocabulary);
    scope.define("good", "outcome == P").unwrap();
    scope.define("better", "good && ok").unwrap();
    scope.define("free", "x xor y").unwrap();
    let sentence = |text: &str| scope.prediction(text).unwrap_err().problem.to_string();
    let rest = "; write what is solved into 'says' or 'where'";
    assert_eq!(sentence("stop > 1 ? P : N"), format!("a prediction must not see what is solved, and stop is{rest}"));
    assert_eq!(
        sentence("better ? P : N"),
        format!("a prediction must not see what is solved, and outcome is, which 'better' has in it{rest}")
    );
    assert_eq!(sentence("ok"), "this is a statement (true or false), and a prediction is one of P, N, L, R, a whole number or a game");
    let about = |text: &str| scope.prediction(text).unwrap().about.1.to_string();
    assert_eq!([about("free == 0 ? P : N"), about("free"), about("ok ? '*' : 0")], ["outcome", "grundy", "value"]);
    let bare = Vocabulary::new(vec![
        Variable::new("n", Type::Integer, Role::Parameter, ""),
        Variable::new("value", Type::Game, Role::Predicted, ""),
    ])
    .unwrap();
    let scope = Scope::new(&bare);
    assert_eq!(scope.prediction("n").unwrap().about.1.to_string(), "value", "a whole number is a game where there is nothing else");
    let sentence = scope.prediction("P").unwrap_err().problem.to_string();
    assert_eq!(
        sentence,
        "this is an outcome (P, N, L or R), and positions of this family have no such value to compare a prediction with; they have: value"
    );
}

#[test]
fn a_vocabulary_has_no_name_twice_and_no_word_of_the_language() {
    let new = |names: &[&str]| {
        Vocabulary::new(names.iter().map(|name| Variable::new(*name, Type::Integer, Role::Predicted, "")).collect())
            .map_err(|error| error.to_string())
    };
    assert!(new(&["|V|"]).unwrap_err().starts_with("'|V|' cannot name a variable"));
    assert!(new(&["len"]).unwrap_err().starts_with("'len' cannot name a variable"));
    assert_eq!(new(&["a", "a"]).unwrap_err(), "two variables are called 'a'");
    assert_eq!(new(&["a", "b"]).unwrap_err(), "predictions of one type would be compared with 'a' and with 'b'");
}

#[test]
fn the_vocabularies_of_several_boxes_make_one() {
    let of = |name: &str, of: Type| Variable::new(name, of, Role::Parameter, "");
    let one = vec![of("AB", Type::Integer), of("BC", Type::Integer)];
    let other = vec![of("BC", Type::Integer), of("DE", Type::Integer)];
    let union = Vocabulary::union([one.clone(), other]).unwrap();
    assert_eq!(["AB", "BC", "DE", "EF"].map(|name| union.find(name)), [Some(0), Some(1), Some(2), None]);
    let error = Vocabulary::union([one, vec![of("AB", Type::Game)]]).unwrap_err();
    assert_eq!(error.to_string(), "'AB' is a whole number in one box and a game in another");
}

#[test]
fn the_reference_fits_on_a_screen_and_names_every_word() {
    use crate::language::REFERENCE;
    use crate::language::syntax::{Arithmetic, Function, Quantifier, Sign};
    assert!(REFERENCE.lines().count() <= 40);
    assert!(REFERENCE.lines().all(|line| line.chars().count() <= 80));
    let words = Function::ALL.iter().map(|one| one.word()).chain(Quantifier::ALL.iter().map(|one| one.word()));
    let signs = Arithmetic::ALL.iter().map(|one| one.word()).chain([Sign::AtMost, Sign::Equal, Sign::Different].map(Sign::word));
    for word in words.chain(signs).chain(["?", "<=>", "=>", "||", "&&", "in", "..="]) {
        assert!(REFERENCE.contains(word), "{word}");
    }
}
