//! What expressions ask of games, bounded by the games' own sizes: so the answers are the same in every store of games.

use std::collections::HashSet;

use crate::value::{Dyadic, GameId, Games, Order, Outcome, ValueError};

use super::bounds::{MAX_FAR_STAR, MAX_GAME_POSITIONS, MAX_WHOLE_GAME, SQUARES_A_STEP};
use super::value::{Reason, Value};

impl From<ValueError> for Reason {
    fn from(_: ValueError) -> Self {
        Self::GameSize
    }
}

/// The game of a quoted value that the checker has taken.
///
/// # Errors
/// [`Reason::GameSize`] where the store has no steps left.
pub fn quoted(text: &str, games: &mut Games) -> Result<Value, Reason> {
    games.parse(text).map(Value::Game).map_err(|_| Reason::GameSize)
}

/// How two values that are games or whole numbers compare.
///
/// # Errors
/// [`Reason::GameSize`]; [`Reason::Unknown`] for other values.
pub fn compare(one: &Value, other: &Value, games: &mut Games) -> Result<Order, Reason> {
    match (one, other) {
        (Value::Integer(one), Value::Integer(other)) => Ok(Order::of(one <= other, one >= other)),
        (Value::Game(one), Value::Game(other)) => Ok(games.compare(*one, *other)?),
        (Value::Game(game), Value::Integer(integer)) => with_integer(*game, *integer, games),
        (Value::Integer(integer), Value::Game(game)) => Ok(match with_integer(*game, *integer, games)? {
            Order::Less => Order::Greater,
            Order::Greater => Order::Less,
            same => same,
        }),
        _ => Err(Reason::Unknown),
    }
}

/// How a game compares with a whole number.
///
/// A number above both stops is above the game and one below both is below it (Siegel, Theorem II.3.15); so only what is near
/// the stops is made a game, and a number is compared as one.
fn with_integer(game: GameId, integer: i64, games: &mut Games) -> Result<Order, Reason> {
    // No game here has a stop as large as the numbers that a Dyadic does not hold.
    let Some(number) = Dyadic::integer(integer) else { return Ok(if integer > 0 { Order::Less } else { Order::Greater }) };
    let (left, right) = games.as_number(game).map_or_else(|| games.stops(game), |own| (own, own));
    if number > left {
        return Ok(Order::Less);
    }
    if number < right {
        return Ok(Order::Greater);
    }
    if games.as_number(game).is_some() {
        return Ok(Order::Equal);
    }
    let integer = games.number(number)?;
    Ok(games.compare(game, integer)?)
}

/// The game of a value, if it is not too large.
fn game(value: &Value, games: &mut Games) -> Result<GameId, Reason> {
    match value {
        Value::Game(game) => Ok(*game),
        Value::Integer(integer) if integer.unsigned_abs() <= MAX_WHOLE_GAME.unsigned_abs() => Ok(games.integer(*integer)?),
        Value::Integer(_) => Err(Reason::GameSize),
        _ => Err(Reason::Unknown),
    }
}

/// How many positions a value has as a game, itself included.
///
/// # Errors
/// [`Reason::GameSize`] for more than so many.
fn positions(value: &Value, most: usize, games: &Games) -> Result<usize, Reason> {
    let game = match value {
        Value::Game(game) => *game,
        // n = {n-1 | }.
        Value::Integer(integer) => {
            let positions = usize::try_from(integer.unsigned_abs()).unwrap_or(usize::MAX).saturating_add(1);
            let fits = positions <= most && integer.unsigned_abs() <= MAX_WHOLE_GAME.unsigned_abs();
            return if fits { Ok(positions) } else { Err(Reason::GameSize) };
        }
        _ => return Err(Reason::Unknown),
    };
    let mut seen = HashSet::from([game]);
    let mut open = vec![game];
    while let Some(game) = open.pop() {
        for option in games.left(game).iter().chain(games.right(game)) {
            if seen.insert(*option) {
                open.push(*option);
            }
        }
        if seen.len() > most {
            return Err(Reason::GameSize);
        }
    }
    Ok(seen.len())
}

fn steps(positions: u64) -> u64 {
    1 + positions * positions / SQUARES_A_STEP
}

/// How many steps [`sum`] takes; none where both are whole numbers, which is no sum of games.
///
/// # Errors
/// [`Reason::GameSize`].
pub fn steps_of_sum(one: &Value, other: &Value, games: &Games) -> Result<u64, Reason> {
    if let (Value::Integer(_), Value::Integer(_)) = (one, other) {
        return Ok(0);
    }
    let first = positions(one, MAX_GAME_POSITIONS, games)?;
    let second = positions(other, MAX_GAME_POSITIONS / first, games)?;
    Ok(steps(first as u64 * second as u64))
}

/// How many steps [`has_atomic_weight`] takes.
///
/// # Errors
/// [`Reason::GameSize`].
pub fn steps_of_weight(value: &Value, games: &Games) -> Result<u64, Reason> {
    match value {
        Value::Integer(_) => Ok(1),
        game => Ok(steps(positions(game, MAX_GAME_POSITIONS, games)? as u64)),
    }
}

/// How many steps [`outcome_with_far_star`] takes.
///
/// # Errors
/// [`Reason::GameSize`].
pub fn steps_of_far_star(value: &Value, ups: i64, games: &Games) -> Result<u64, Reason> {
    if ups.unsigned_abs() > MAX_WHOLE_GAME.unsigned_abs() {
        return Err(Reason::GameSize);
    }
    let positions = if let Value::Integer(_) = value { 1 } else { positions(value, MAX_GAME_POSITIONS, games)? };
    Ok(steps(positions as u64 + far_star(value, ups, games)?))
}

/// A nimber larger than the birthday of a game with so many ups, which is at most that of the game and one more than the ups.
fn far_star(value: &Value, ups: i64, games: &Games) -> Result<u64, Reason> {
    let birthday = if let Value::Game(game) = value { games.birthday(*game) } else { 0 };
    let far = u64::from(birthday) + ups.unsigned_abs() + 4;
    if far > MAX_FAR_STAR { Err(Reason::GameSize) } else { Ok(far) }
}

/// The sum of two values of which at least one is a game; [`steps_of_sum`] has seen that it is not too large.
///
/// # Errors
/// [`Reason::GameSize`].
pub fn sum(one: &Value, other: &Value, games: &mut Games) -> Result<Value, Reason> {
    let (one, other) = (game(one, games)?, game(other, games)?);
    Ok(Value::Game(games.sum(one, other)?))
}

/// The negative of a game.
///
/// # Errors
/// [`Reason::GameSize`].
pub fn negative(value: &Value, games: &mut Games) -> Result<Value, Reason> {
    let game = game(value, games)?;
    Ok(Value::Game(games.negative(game)?))
}

/// Whether a game has an atomic weight; [`steps_of_weight`] has seen that it is not too large.
///
/// # Errors
/// [`Reason::GameSize`].
pub fn has_atomic_weight(value: &Value, games: &mut Games) -> Result<bool, Reason> {
    // A whole number is an infinitesimal only if it is 0, and then it weighs 0.
    if let Value::Integer(integer) = value {
        return Ok(*integer == 0);
    }
    let game = game(value, games)?;
    Ok(games.atomic_weight(game)?.is_some())
}

/// The outcome of a game beside so many ups (downs, where negative) and a nimber that is larger than all that matter;
/// [`steps_of_far_star`] has seen that it is not too large.
///
/// # Errors
/// [`Reason::GameSize`].
pub fn outcome_with_far_star(value: &Value, ups: i64, games: &mut Games) -> Result<Outcome, Reason> {
    // Beside an infinitesimal a whole number other than 0 decides.
    match value {
        Value::Integer(1..) => return Ok(Outcome::L),
        Value::Integer(..=-1) => return Ok(Outcome::R),
        _ => {}
    }
    let far = far_star(value, ups, games)?;
    let game = game(value, games)?;
    // A star is its own negative.
    let beside = games.ups(-ups, far)?;
    Ok(games.compare(game, beside)?.outcome_of_difference())
}
