//! Games are printed as people write them and read back, and a text that is no game says why.

use proptest::prelude::*;

use super::super::{Games, ParseError};
use super::laws::tree;

#[test]
fn games_are_printed_as_people_write_them() {
    let mut games = Games::new(u64::MAX);
    for text in [
        "0",
        "*",
        "*3",
        "2",
        "-2",
        "1/2",
        "-7/8",
        "^",
        "v",
        "^^",
        "vv",
        "^3",
        "v4",
        "^*",
        "^^*",
        "v*2",
        "^3*2",
        "1*",
        "-1/2^",
        "2v*3",
        "{4|0}",
        "{2||1|0}",
        "{1,{1|0}||0}",
        "{4,{4|0}||0}",
        "{0||0|-1}",
        "{0,*|0,*2}",
        "{^^|vv}",
        "{1|*}",
    ] {
        let game = games.parse(text).unwrap();
        assert_eq!(games.text(game).unwrap(), text);
    }
    for (text, printed) in [
        ("{|}", "0"),
        ("{0|}", "1"),
        ("{0|0}", "*"),
        ("{0|*}", "^"),
        ("{0,*|0}", "^*"),
        ("{ 1 , {1|0} | 0 }", "{1,{1|0}||0}"),
        ("{1|0||0}", "{1|0||0}"),
        ("{0|1}", "1/2"),
        ("{1|1}", "1*"),
        ("{-3|5}", "0"),
        ("{{4|0},4|0}", "{4,{4|0}||0}"),
        ("^1", "^"),
        ("*0", "0"),
        ("{0|^*}", "^^"),
        ("{0,1|2,3}", "3/2"),
        ("{2|{1|0}}", "{2||1|0}"),
    ] {
        let game = games.parse(text).unwrap();
        assert_eq!(games.text(game).unwrap(), printed, "{text}");
    }
}

#[test]
fn what_is_no_game_says_why() {
    let mut games = Games::new(100_000);
    for (text, expected) in [
        ("", "'' is no game"),
        ("{}", "'{}' is no game"),
        ("{1|2|3}", "'{1|2|3}' is no game"),
        ("{1", "'{1' has a brace"),
        ("}1{", "'}1{' has a brace"),
        ("1/3", "'1/3' is no game"),
        ("--1", "'--1' is no game"),
        ("^v", "'^v' is no game"),
        ("^^2", "'^^2' is no game"),
        ("{1,|2}", "'' is no game"),
        ("*-1", "'*-1' is no game"),
        ("*99999999", "the value takes more than"),
        ("{1|0}+1", "'{1|0}+1' is no game"),
        ("{0|1}{0|1}", "'"),
        ("1/2305843009213693952", "'1/2305843009213693952' is no game"),
    ] {
        let error = games.parse(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let deep = format!("{}0{}", "{".repeat(5000), "|}".repeat(5000));
    assert_eq!(games.parse(&deep), Err(ParseError::Depth));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn printing_and_parsing_is_the_identity(x in tree()) {
        let mut games = Games::new(u64::MAX);
        let game = x.canonical_in(&mut games);
        if let Some(text) = games.text(game) {
            prop_assert_eq!(games.parse(&text).unwrap(), game, "{}", text);
            // Another store numbers its games otherwise and prints the same.
            let mut other = Games::new(u64::MAX);
            other.parse("{1,{1|0}||0,*2}").unwrap();
            let again = other.parse(&text).unwrap();
            prop_assert_eq!(other.text(again), Some(text));
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[0-3{}|,*^v/ -]{0,24}") {
        let _ = Games::new(100_000).parse(&text);
    }
}
