//! Canonical forms and sums equal those of `golden/canonical_forms.py`, which shares no code with this program.

use super::super::{GameId, Games};

/// Canonical forms by a program that shares no code with this one; `golden/canonical_forms.py` made them.
const GOLDEN: &str = include_str!("golden/canonical_forms.txt");

/// A game with nothing but braces: options in the order of their text, and 0 for the game without options.
fn braces(games: &Games, game: GameId) -> String {
    let side = |options: &[GameId]| {
        let mut texts: Vec<String> = options.iter().map(|option| braces(games, *option)).collect();
        texts.sort();
        texts.join(",")
    };
    if game == Games::ZERO { "0".to_owned() } else { format!("{{{}|{}}}", side(games.left(game)), side(games.right(game))) }
}

#[test]
fn canonical_forms_equal_those_of_another_program_option_by_option() {
    let mut games = Games::new(u64::MAX);
    let mut count = 0;
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (value, expected) = match fields[..] {
            ["form", form, expected] => (games.parse(form).unwrap(), expected),
            ["sum", one, other, expected] => {
                let (one, other) = (games.parse(one).unwrap(), games.parse(other).unwrap());
                (games.sum(one, other).unwrap(), expected)
            }
            _ => panic!("{line}"),
        };
        assert_eq!(braces(&games, value), expected, "{line}");
        count += 1;
    }
    assert!(count >= 5000, "{count}");
}
