//! What is printed reads as the same again.

use proptest::prelude::*;

use super::generate::{Source, vocabulary};
use crate::language::Scope;
use crate::language::bounds::MAX_TEXT;

/// Every operator, with `#` for an operand that is a whole number and `$` for a statement.
const NUMBERS: [&str; 16] = [
    "# xor #",
    "# + #",
    "# - #",
    "# * #",
    "# // #",
    "# % #",
    "# ** #",
    "-#",
    "$ ? # : #",
    "[#, #][#]",
    "min(#, #)",
    "first(m in [#], $)",
    "sum(m in #..=#, #)",
    "a",
    "7",
    "[#][0]",
];
const STATEMENTS: [&str; 14] = [
    "# < # < #",
    "# == #",
    "# in #..=#",
    "# in [#]",
    "$ == $",
    "!$",
    "$ && $",
    "$ || $",
    "$ => $",
    "$ <=> $",
    "$ ? $ : $",
    "any(m in s, $)",
    "all(m in #..=#, $)",
    "p",
];

/// A template with every operand, in brackets, a simple one, but for the one of this number.
fn filled(template: &str, place: usize, with: &str) -> String {
    let mut number = 0;
    let letters = template.chars().map(|letter| {
        let simple = match letter {
            '#' => "(b)",
            '$' => "(q)",
            other => return other.to_string(),
        };
        number += 1;
        if number - 1 == place { format!("({with})") } else { simple.to_owned() }
    });
    letters.collect()
}

#[test]
fn every_operator_inside_every_other_prints_as_what_it_is() {
    let vocabulary = vocabulary();
    let scope = Scope::new(&vocabulary);
    let mut seen = 0;
    for outer in NUMBERS.into_iter().chain(STATEMENTS) {
        for (place, kind) in outer.chars().filter(|letter| "#$".contains(*letter)).enumerate() {
            for inner in if kind == '#' { &NUMBERS[..] } else { &STATEMENTS[..] } {
                // No name stands for two things.
                let inner = filled(inner, usize::MAX, "").replace("m in", "k in");
                let text = filled(outer, place, &inner);
                let expression = scope.expression(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
                let printed = expression.to_string();
                let again = scope.expression(&printed).unwrap_or_else(|error| panic!("{text} is printed as {printed}\n{error}"));
                assert_eq!(again, expression, "{text} is printed as {printed}");
                seen += 1;
            }
        }
    }
    assert!(seen > 700, "{seen}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_reading_is_the_identity(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let vocabulary = vocabulary();
        let scope = Scope::new(&vocabulary);
        let expression = scope.statement(&Source::new(&bytes).says()).unwrap();
        let text = expression.to_string();
        let again = scope.statement(&text).map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
        prop_assert_eq!(&again, &expression, "{}", text);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn definitions_inside_definitions_print_as_something_that_reads(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let vocabulary = vocabulary();
        let mut source = Source::new(&bytes);
        let mut scope = Scope::new(&vocabulary);
        scope.define("D", &source.says()).unwrap();
        scope.define("E", &format!("any(k in 0..=2, D || k == 1) && all(m0 in 0..=1, D => m0 < 2 && ({}))", source.condition())).unwrap_or(());
        let Ok(expression) = scope.statement("any(j in 0..=3, E && j > 2) || D") else { return Ok(()) };
        let text = expression.to_string();
        if text.len() > MAX_TEXT {
            return Ok(());
        }
        let again = Scope::new(&vocabulary).statement(&text).map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
        prop_assert_eq!(again, expression, "{}", text);
    }
}
