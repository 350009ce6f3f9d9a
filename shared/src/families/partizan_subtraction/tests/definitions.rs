//! What claims work out by the definitions alone, held against the engine and against the way that reports take.

use crate::value::{Games, Outcome};

use super::super::claims::{ShortGames, long_run};
use super::super::period::find;

/// Every game born by day 2, the definitions against the engine.
#[test]
fn the_definitions_and_the_engine_agree_on_the_games_of_day_2() {
    let (mut plain, mut engine) = (ShortGames::default(), Games::new(u64::MAX));
    let zero = (plain.game(&[], &[]), engine.canonical(&[], &[]).unwrap());
    let mut day = vec![zero];
    for _ in 0..2 {
        let of = |set: usize| (0..day.len()).filter(move |place| set >> place & 1 == 1);
        let mut next = Vec::new();
        for (left, right) in (0..1 << day.len()).flat_map(|left| (0..1 << day.len()).map(move |right| (left, right))) {
            let plain_options = [left, right].map(|set| of(set).map(|place| day[place].0).collect::<Vec<_>>());
            let options = [left, right].map(|set| of(set).map(|place| day[place].1).collect::<Vec<_>>());
            let game = plain.game(&plain_options[0], &plain_options[1]);
            next.push((game, engine.canonical(&options[0], &options[1]).unwrap()));
        }
        day = next;
    }
    assert_eq!(day.len(), 256);
    for (one, first) in &day {
        let sides = (engine.left(*first).len(), engine.right(*first).len());
        let is_as_short = (plain.left(*one).len(), plain.right(*one).len()) == sides;
        assert!(is_as_short || !plain.is_canonical(*one));
        let negative = plain.negative(*one);
        let nothing = plain.sum(*one, negative);
        assert!(plain.are_equal(nothing, zero.0));
        for (other, second) in &day {
            assert_eq!(plain.is_at_most(*one, *other), engine.at_most(*first, *second).unwrap());
        }
    }
    // Each value has one canonical form, and they are as many as the engine tells apart.
    let values: std::collections::BTreeSet<String> = day.iter().map(|(_, game)| engine.text(*game).unwrap()).collect();
    let canonical = day.iter().filter(|(one, _)| plain.is_canonical(*one)).count();
    assert_eq!((values.len(), canonical), (22, 22));
}

fn outcomes(letters: &str) -> Vec<Outcome> {
    letters.chars().map(|letter| Outcome::from_letter(&letter.to_string()).unwrap()).collect()
}

#[test]
fn what_stands_between_two_equal_windows_is_the_long_run() {
    for (letters, window, expected) in [
        ("PLLNRNPNPNPNP", 3, Some("PN")),
        ("RRRR", 3, Some("R")),
        ("RRR", 3, None),
        ("PLNR", 2, None),
        ("PLNPLNPLN", 3, Some("PLN")),
        ("LLRLLR", 2, Some("RLL")),
    ] {
        let sequence = outcomes(letters);
        assert_eq!(long_run(&sequence, window).map(<[Outcome]>::to_vec), expected.map(outcomes), "{letters}");
        // The way that the report takes comes to a period of the same outcomes, where it sees one.
        if let (Some(found), Some(here)) = (find(&sequence, window), long_run(&sequence, window)) {
            let period = &sequence[found.preperiod..found.preperiod + found.period];
            assert!(period.iter().all(|outcome| here.contains(outcome)) && here.iter().all(|outcome| period.contains(outcome)));
        }
    }
}
