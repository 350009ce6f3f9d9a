//! What is printed reads as the same again.

use proptest::prelude::*;

use super::generate::{Source, vocabulary};
use crate::language::Scope;
use crate::language::bounds::MAX_TEXT;

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
