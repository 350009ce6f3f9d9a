//! Both ways to an atomic weight agree on every game born by day 3, known weights are found, and weights add up.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;

use super::super::{Beside, GameId, Games, Outcome};
use super::births::next_day;
use super::laws::tree;

fn born_by(games: &mut Games, days: u32) -> BTreeSet<GameId> {
    let mut born = BTreeSet::from([Games::ZERO]);
    for _ in 0..days {
        born = next_day(games, &born.into_iter().collect::<Vec<_>>());
    }
    born
}

/// A game beside ups and stars, by its canonical form.
fn beside(games: &Games, game: GameId, known: &mut HashMap<GameId, Beside>) -> Beside {
    if let Some(found) = known.get(&game) {
        return found.clone();
    }
    let options = |options: &[GameId], known: &mut HashMap<GameId, Beside>| -> Vec<Beside> {
        options.iter().map(|option| beside(games, *option, known)).collect()
    };
    let (left, right) = (options(games.left(game), known), options(games.right(game), known));
    let found = Beside::of(left.iter(), right.iter());
    known.insert(game, found.clone());
    found
}

fn weight(games: &mut Games, text: &str) -> Option<String> {
    let game = games.parse(text).unwrap();
    let weight = games.atomic_weight(game).unwrap()?;
    games.text(weight)
}

#[test]
fn known_weights_are_found() {
    let mut games = Games::new(u64::MAX);
    let cases = [
        ("0", Some("0")),
        ("^", Some("1")),
        ("v", Some("-1")),
        ("^^*", Some("2")),
        ("^*", Some("1")),
        ("*", Some("0")),
        ("*7", Some("0")),
        // Tiny-1 and tiny-5 are not all-small.
        ("{0||0|-1}", Some("0")),
        ("{0||0|-5}", Some("0")),
        ("{^^|vv}", Some("*")),
        ("{0|v3,vv*}", Some("-3/2")),
        ("{2|0}", None),
        ("1", None),
        ("{1|-1}", None),
        ("1*", None),
    ];
    for (text, expected) in cases {
        assert_eq!(weight(&mut games, text).as_deref(), expected, "{text}");
    }
    // A sum with tiny-2 has the weight of the rest, even where that is no integer.
    let (game, tiny) = (games.parse("{^^|vv}").unwrap(), games.parse("{0||0|-2}").unwrap());
    let sum = games.sum(game, tiny).unwrap();
    let weight = games.atomic_weight(sum).unwrap();
    assert_eq!(weight.and_then(|weight| games.text(weight)).as_deref(), Some("*"));
    assert!(!games.is_all_small(sum));
}

/// The plays beside ups and stars against the definition, on every game born by day 3; and the definition against itself with a
/// larger far star, which changes nothing.
#[test]
fn both_ways_to_a_weight_agree_on_every_game_born_by_day_3() {
    let mut games = Games::new(u64::MAX);
    let born = born_by(&mut games, 3);
    let mut known = HashMap::new();
    let (mut integers, mut others, mut none) = (0, 0, 0);
    for game in born {
        let found = beside(&games, game, &mut known);
        assert_eq!(found.ups().is_infinitesimal(), games.is_infinitesimal(game));
        let weight = games.atomic_weight(game).unwrap();
        let integer = weight.and_then(|weight| games.as_number(weight)).and_then(super::super::Dyadic::as_integer);
        assert_eq!(found.ups().integer_weight(), integer, "{:?}", games.text(game));
        match (weight, integer) {
            (None, _) => none += 1,
            (_, Some(_)) => integers += 1,
            _ => others += 1,
        }
    }
    assert!(integers > 100 && none > 1000 && others == 0, "{integers} {others} {none}");
}

fn outcome((left_wins, right_wins): (bool, bool)) -> Outcome {
    Outcome::of(left_wins, right_wins)
}

/// What is played beside a game against the sum itself: each nimber, and ups with far stars of several sizes.
#[test]
fn plays_beside_ups_and_stars_equal_the_outcomes_of_the_sums() {
    let mut games = Games::new(u64::MAX);
    let mut known = HashMap::new();
    let born: Vec<GameId> = born_by(&mut games, 3).into_iter().step_by(7).collect();
    for game in born {
        let found = beside(&games, game, &mut known);
        for size in 0..=6 {
            let nimber = games.nimber(size).unwrap();
            let sum = games.sum(game, nimber).unwrap();
            assert_eq!(outcome(found.nimber(size)), games.outcome(sum).unwrap());
        }
        for (ups, larger) in (-4i64..=4).flat_map(|ups| [(ups, 1), (ups, 2), (ups, 9)]) {
            // Larger than the birthday of the sum of both, where n ups have the birthday n + 1.
            let far = u64::from(games.birthday(game)) + ups.unsigned_abs() + 1 + larger;
            let far = games.ups(ups, far).unwrap();
            let sum = games.sum(game, far).unwrap();
            assert_eq!(outcome(found.ups().far_star(ups)), games.outcome(sum).unwrap(), "{:?} beside {ups} ups", games.text(game));
        }
    }
}

/// A game that is itself a nimber moves the least far star on; rows of more than one word.
#[test]
fn nimbers_of_any_size_are_told_from_far_star() {
    let mut heaps: Vec<Beside> = Vec::new();
    for size in 0..200u64 {
        let heap = Beside::of(heaps.iter(), heaps.iter());
        for other in 0..260 {
            let expected = if other == size { (false, false) } else { (true, true) };
            assert_eq!(heap.nimber(other), expected, "*{size} + *{other}");
        }
        assert_eq!(heap.ups().far_star(0), (true, true));
        assert_eq!(heap.ups().integer_weight(), Some(0));
        heaps.push(heap);
    }
    // {*100 | } is 0, and {*100 | *100} too.
    for heap in [Beside::of(heaps[100..101].iter(), [].iter()), Beside::of(heaps[100..101].iter(), heaps[100..101].iter())] {
        assert_eq!((heap.nimber(100), heap.nimber(0)), ((true, true), (false, false)));
    }
}

/// The Norton product has the weight that it was made of, for every game born by day 2 and some by day 3.
#[test]
fn a_norton_product_has_its_factor_as_weight() {
    let mut games = Games::new(u64::MAX);
    let mut weights: Vec<GameId> = born_by(&mut games, 2).into_iter().collect();
    weights.extend(born_by(&mut games, 3).into_iter().step_by(97));
    for weight in weights {
        let product = games.times_up(weight).unwrap();
        assert!(games.is_all_small(product));
        assert_eq!(games.atomic_weight(product).unwrap(), Some(weight), "{:?}", games.text(weight));
    }
}

/// Lemma A.19 on pairs of games born by day 3, and on {^^ | vv} and the like, whose weights are no integers.
#[test]
fn weights_of_atomic_games_add_up() {
    let mut games = Games::new(u64::MAX);
    let mut atomic = Vec::new();
    for game in born_by(&mut games, 3) {
        if let Some(weight) = games.atomic_weight(game).unwrap() {
            atomic.push((game, weight));
        }
    }
    let mut sample: Vec<(GameId, GameId)> = atomic.into_iter().step_by(9).collect();
    for text in ["{^^|vv}", "{0|v3,vv*}", "{^3*,^^|0}", "{^4|0||v}", "{^^,{1|0}|vv}"] {
        let game = games.parse(text).unwrap();
        if let Some(weight) = games.atomic_weight(game).unwrap() {
            assert!(games.has_atomic_weight(game, weight).unwrap(), "{text}");
            sample.push((game, weight));
        }
    }
    assert!(sample.iter().any(|(_, weight)| games.as_number(*weight).is_none()));
    for (one, one_weight) in &sample {
        for (two, two_weight) in &sample {
            let (sum, expected) = (games.sum(*one, *two).unwrap(), games.sum(*one_weight, *two_weight).unwrap());
            assert_eq!(games.atomic_weight(sum).unwrap(), Some(expected), "{:?} + {:?}", games.text(*one), games.text(*two));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn weights_add_up_and_turn_over(x in tree(), y in tree()) {
        let mut games = Games::new(u64::MAX);
        let (g, h) = (x.canonical_in(&mut games), y.canonical_in(&mut games));
        let (one, two) = (games.atomic_weight(g).unwrap(), games.atomic_weight(h).unwrap());
        let negative = games.negative(g).unwrap();
        let expected = one.map(|one| games.negative(one).unwrap());
        prop_assert_eq!(games.atomic_weight(negative).unwrap(), expected);
        if let (Some(one), Some(two)) = (one, two) {
            let (sum, expected) = (games.sum(g, h).unwrap(), games.sum(one, two).unwrap());
            prop_assert_eq!(games.atomic_weight(sum).unwrap(), Some(expected));
        }
        if games.is_all_small(g) {
            prop_assert!(one.is_some());
        }
    }
}
