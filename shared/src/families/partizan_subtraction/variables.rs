//! The names under which claims of a manifest find something of a heap.

use crate::families::{Around, Described, Named, whole};
use crate::language::{Reach, Reading, Reason, Type, Value as Found};
use crate::value::{Dyadic, GameId, Games, Outcome};

use super::PartizanSubtraction;
use super::claims::{Position, View};
use super::key::Heap;
use super::others;
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
    names.extend(lists());
    names.extend(of_ruleset());
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
    let heap = Named::integer("heap", "n, the size of the heap", |view: &View| Some(view.heap));
    let of_any = [
        set("left", "what Left may remove", |view| &view.ruleset.left),
        set("right", "what Right may remove", |view| &view.ruleset.right),
        is("is_full", "whether it is full support with a < b: tau = 0", Position::is_full),
        is("is_truncated", "whether it is truncated support: 1 <= a < b and 1 <= tau < b", Position::is_truncated),
        is("is_on_the_edge", "whether it is truncated support on the knife's edge: tau = b - a", Position::is_on_the_edge),
    ];
    std::iter::once(heap.set().as_number()).chain(of_any.map(|name| name.of(Reach::Both))).collect()
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
    let names = [
        number("a", "Left removes 1 to a", |position| position.support.a).set(),
        number("b", "Right removes tau+1 to b", |position| position.support.b).set(),
        number("tau", "the truncation level, 0 for full support", |position| position.support.tau).set(),
        number("kappa", "b - a", Position::kappa),
        below_kappa("beta", "beta-hat, the number of the last block, floor((b-a)/(b-a-tau))", Position::last_block),
        below_kappa("onset", "R = beta-hat (a+tau+1)", Position::onset),
    ];
    names.map(|name| name.of(Reach::Both)).into()
}

/// Other heaps.
fn lists() -> [Name; 5] {
    let meaning = |player: &str| format!("the heaps that {player} can move to, the largest first");
    let canonical = |player: &str| format!("the least heaps with the values of {player} options in the canonical form, ascending");
    [
        Named::positions(
            "left_options",
            meaning("Left"),
            |around| Some(others::count(|ruleset| &ruleset.left, around.position)),
            |around, index| others::options(|ruleset| &ruleset.left, around.position, index),
        ),
        Named::positions(
            "right_options",
            meaning("Right"),
            |around| Some(others::count(|ruleset| &ruleset.right, around.position)),
            |around, index| others::options(|ruleset| &ruleset.right, around.position, index),
        ),
        Named::solved_positions(
            "canonical_left",
            canonical("Left's"),
            FORM,
            |around| others::canonical(|form| &form.left, around).map(|heaps| heaps.len() as u64),
            |around, index| nth_heap(around, others::canonical(|form| &form.left, around), index),
        ),
        Named::solved_positions(
            "canonical_right",
            canonical("Right's"),
            FORM,
            |around| others::canonical(|form| &form.right, around).map(|heaps| heaps.len() as u64),
            |around, index| nth_heap(around, others::canonical(|form| &form.right, around), index),
        ),
        Named::positions(
            "heaps",
            "all heaps of the ruleset in the box",
            |around| others::heaps(around).map(|heaps| heaps.end() - heaps.start() + 1),
            |around, index| {
                let heaps = others::heaps(around)?;
                let heap = heaps.start().checked_add(index).filter(|heap| heap <= heaps.end())?;
                Some(around.position.at(heap))
            },
        )
        .of(Reach::Whole),
    ]
}

/// A heap of a list.
fn nth_heap(around: &Around<'_, PartizanSubtraction>, heaps: Option<&Vec<u64>>, index: u64) -> Option<Heap> {
    heaps?.get(usize::try_from(index).ok()?).map(|heap| around.position.at(*heap))
}

/// What a ruleset does in the long run.
fn of_ruleset() -> [Name; 5] {
    let dominance = "2 where Left wins every large heap, 1 where every large heap is L or no player's and L again and again, -1 and -2 likewise of Right, else 0";
    [
        Named::whole("period", Type::Integer, "the least period of the outcomes"),
        Named::whole("preperiod", Type::Integer, "the least heap from which on the outcomes have that period"),
        Named::whole("dominance", Type::Integer, dominance),
        Named::whole("is_fair", Type::Boolean, "whether both players win large heaps again and again, whoever starts"),
        Named::whole("is_ultimately_impartial", Type::Boolean, "whether large heaps are all P or N"),
    ]
}

/// What is known of the weight, where expressions may ask for it.
const WEIGHT: Value = Value::Weight(Weight::None);
/// The canonical form as expressions see it.
const GAME: Value = Value::Game(None);
/// The canonical form with its options by heaps.
const FORM: Value = Value::Named(crate::value::Name { number: Dyadic::ZERO, ups: 0, nimber: 0 });

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
