//! The names under which claims of a manifest find something of a heap.

use crate::families::{Described, Named, whole};
use crate::language::{Reading, Reason, Type, Value as Found};
use crate::value::{Dyadic, GameId, Games, Outcome};

use super::PartizanSubtraction;
use super::claims::{Position, View};
use super::quantity::{Value, Weight};
use super::rules::SubtractionSet;

type Name = Named<PartizanSubtraction>;

/// The names that heaps have.
pub fn names(of: Described<'_, PartizanSubtraction>) -> Vec<Name> {
    let has_support = match of {
        Described::Family => true,
        Described::Box(one) => one.heap(0, 0).is_some_and(|heap| heap.support.is_some()),
        Described::Position(heap) => heap.support.is_some(),
    };
    let mut names = of_any();
    if has_support {
        names.extend(of_supports());
    }
    names.extend(solved());
    names.extend(of_game());
    names
}

fn of_any() -> Vec<Name> {
    let set = |name: &str, meaning: &str, read: fn(&View) -> &SubtractionSet| {
        Named::position(name, Type::set(Type::Integer), meaning, move |view: &View| {
            Found::set_of(read(view).elements().iter().map(|element| i64::from(*element))).into()
        })
    };
    let is = |name: &str, meaning: &str, read: fn(&Position) -> bool| {
        Named::boolean(name, meaning, move |view: &View| Some(view.position().as_ref().is_some_and(read)))
    };
    vec![
        Named::integer("heap", "n, the size of the heap", |view: &View| Some(view.heap)),
        set("left", "what Left may remove", |view| &view.ruleset.left),
        set("right", "what Right may remove", |view| &view.ruleset.right),
        is("is_full", "whether it is full support with a < b: tau = 0", Position::is_full),
        is("is_truncated", "whether it is truncated support: 1 <= a < b and 1 <= tau < b", Position::is_truncated),
        is("is_on_the_edge", "whether it is truncated support on the knife's edge: tau = b - a", Position::is_on_the_edge),
    ]
}

/// What full and truncated support have and other pairs of sets do not.
fn of_supports() -> Vec<Name> {
    let number = |name: &str, meaning: &str, read: fn(&Position) -> u64| {
        let meaning = format!("{meaning}; of full and truncated support");
        Named::integer(name, meaning, move |view: &View| view.position().as_ref().map(read))
    };
    let below_kappa = |name: &str, meaning: &str, read: fn(&Position) -> Option<u64>| {
        let meaning = format!("{meaning}; not defined where tau >= b - a");
        Named::position(name, Type::Integer, meaning, move |view: &View| match view.position().as_ref().map(read) {
            None => Reading::Absent,
            Some(None) => Reading::Undefined(Reason::Unknown),
            Some(Some(number)) => whole(number),
        })
    };
    vec![
        number("a", "Left removes 1 to a", |position| position.support.a),
        number("b", "Right removes tau+1 to b", |position| position.support.b),
        number("tau", "the truncation level, 0 for full support", |position| position.support.tau),
        number("kappa", "b - a", Position::kappa),
        below_kappa("beta", "beta-hat, the number of the last block, floor((b-a)/(b-a-tau))", Position::last_block),
        below_kappa("onset", "R = beta-hat (a+tau+1)", Position::onset),
    ]
}

/// What is known of the weight, where expressions may ask for it.
const WEIGHT: Value = Value::Weight(Weight::None);
/// The canonical form as expressions see it.
const GAME: Value = Value::Game(None);

fn solved() -> Vec<Name> {
    vec![
        Named::predicted("outcome", Type::Outcome, "P, N, L or R", Value::Outcome(Outcome::P), |_: &View, value: &Value, _| {
            value.outcome().map_or(Reading::Absent, |outcome| Found::Outcome(outcome).into())
        }),
        Named::predicted("value", Type::Game, "the canonical form", GAME, |_: &View, value: &Value, games| {
            with_game(value, games, |_, game| Found::Game(game).into())
        }),
        Named::solved("atomic_weight", Type::Game, "the atomic weight; not defined where there is none", WEIGHT, |_, value, games| {
            weight(value, games)
        }),
        Named::solved("has_weight", Type::Boolean, "whether it has an atomic weight", WEIGHT, |_: &View, value: &Value, _| match value {
            Value::Weight(weight) => Found::Boolean(*weight != Weight::None).into(),
            _ => Reading::Absent,
        }),
    ]
}

/// What follows from the canonical form.
fn of_game() -> Vec<Name> {
    let options = Type::list(Type::Game);
    vec![
        Named::solved("left_stop", Type::Game, "the Left stop, a number", GAME, |_: &View, value: &Value, games| {
            with_game(value, games, |games, game| number(games, games.stops(game).0))
        }),
        Named::solved("right_stop", Type::Game, "the Right stop, a number", GAME, |_: &View, value: &Value, games| {
            with_game(value, games, |games, game| number(games, games.stops(game).1))
        }),
        Named::solved("birthday", Type::Integer, "the birthday", GAME, |_: &View, value: &Value, games| {
            with_game(value, games, |games, game| whole(games.birthday(game)))
        }),
        Named::solved("is_number", Type::Boolean, "whether the value is a number", GAME, |_: &View, value: &Value, games| {
            with_game(value, games, |games, game| Found::Boolean(games.as_number(game).is_some()).into())
        }),
        Named::solved("is_infinitesimal", Type::Boolean, "whether both stops are 0", GAME, |_: &View, value: &Value, games| {
            with_game(value, games, |games, game| Found::Boolean(games.is_infinitesimal(game)).into())
        }),
        Named::solved("is_all_small", Type::Boolean, "whether in every position both can move or neither", GAME, |_, value, games| {
            with_game(value, games, |games, game| Found::Boolean(games.is_all_small(game)).into())
        }),
        Named::solved("left_options", options.clone(), "Left's options in the canonical form", GAME, |_: &View, value: &Value, games| {
            with_game(value, games, |games, game| list(games.left(game)))
        }),
        Named::solved("right_options", options, "Right's options in the canonical form", GAME, |_: &View, value: &Value, games| {
            with_game(value, games, |games, game| list(games.right(game)))
        }),
    ]
}

/// Reads something of the canonical form.
fn with_game(value: &Value, games: &mut Games, read: impl FnOnce(&mut Games, GameId) -> Reading) -> Reading {
    let Value::Game(shape) = value else { return Reading::Absent };
    let game = shape.as_ref().map(|shape| games.of_shape(shape));
    match game {
        Some(Ok(game)) => read(games, game),
        Some(Err(_)) | None => Reading::Undefined(Reason::GameSize),
    }
}

fn number(games: &mut Games, number: Dyadic) -> Reading {
    games.number(number).map_or(Reading::Undefined(Reason::GameSize), |game| Found::Game(game).into())
}

fn list(options: &[GameId]) -> Reading {
    Found::List(options.iter().copied().map(Found::Game).collect()).into()
}

fn weight(value: &Value, games: &mut Games) -> Reading {
    match value {
        Value::Weight(Weight::Integer(integer)) => whole(*integer),
        Value::Weight(Weight::Game(text)) => {
            games.parse(text).map_or(Reading::Undefined(Reason::GameSize), |game| Found::Game(game).into())
        }
        Value::Weight(Weight::None) => Reading::Undefined(Reason::NoAtomicWeight),
        _ => Reading::Absent,
    }
}
