//! Atomic weights by their definition: the reference.
//!
//! G has the atomic weight w iff G ~ w·up under far star, that is iff down·far-star < G - w·up < up·far-star (Definition A.17 and
//! Theorem A.16 of *Partizan Subtraction with full and truncated support*). Both ends and w·up are infinitesimal, so a game
//! with a weight is. Nothing is called a weight here that these inequalities have not confirmed of G itself.
//!
//! **Integers.** For an integer w they are (w-1)·up·far-star < G < (w+1)·up·far-star, and k·up·far-star increases with k: if w is
//! the weight, w + 1 is the least k with G < k·up·far-star. So that k is looked for.
//!
//! **Other weights** have one candidate. An all-small game has the weight {aw(G^L) - 2 | aw(G^R) + 2}, unless that is an integer
//! (Theorem A.21), and then the weight is an integer too and found as one. In any other infinitesimal G put M·up in the place of
//! each positive number among its positions and M·down in the place of each negative one: the result G_M is all-small, and if G
//! has a weight, G_M has the same for all large M, as the head of `value/weight.rs` proves together with how large an M is enough:
//! more than 6d + 6, with d the birthday of G. So if the weight of G_M is not one of G, no game is.

use std::collections::HashMap;

use crate::value::{Dyadic, GameId, Games, Order, ValueError};

/// The atomic weight of a game; nothing if it has none.
///
/// # Errors
/// [`ValueError`].
pub fn atomic_weight(games: &mut Games, game: GameId) -> Result<Option<GameId>, ValueError> {
    if !games.is_infinitesimal(game) {
        return Ok(None);
    }
    if let Some(integer) = integer_weight(games, game)? {
        return games.integer(integer).map(Some);
    }
    let candidate = candidate(games, game)?;
    let ups = times_up(games, candidate)?;
    let rest = games.difference(game, ups)?;
    Ok((is_below(games, rest, 1)? && is_above(games, rest, -1)?).then_some(candidate))
}

/// G < k·up·far-star.
fn is_below(games: &mut Games, game: GameId, ups: i64) -> Result<bool, ValueError> {
    let beside = with_far_star(games, game, ups)?;
    Ok(games.compare(game, beside)? == Order::Less)
}

/// k·up·far-star < G.
fn is_above(games: &mut Games, game: GameId, ups: i64) -> Result<bool, ValueError> {
    let beside = with_far_star(games, game, ups)?;
    Ok(games.compare(beside, game)? == Order::Less)
}

/// Ups and a nimber larger than the birthday of all that it is compared with.
fn with_far_star(games: &mut Games, game: GameId, ups: i64) -> Result<GameId, ValueError> {
    let far = u64::from(games.birthday(game)) + ups.unsigned_abs() + 3;
    games.ups(ups, far)
}

/// The integer that is the weight of an infinitesimal, if one is.
fn integer_weight(games: &mut Games, game: GameId) -> Result<Option<i64>, ValueError> {
    // An infinitesimal born on day n is between (n+1)·down·far-star and (n+1)·up·far-star: looking further ends there.
    let most = i64::from(games.birthday(game)) + 1;
    let (mut low, mut high) = (-1, 0);
    if is_below(games, game, high)? {
        while low > -most && is_below(games, game, low)? {
            (low, high) = (low * 2, low);
        }
    } else {
        (low, high) = (0, 1);
        while high < most && !is_below(games, game, high)? {
            (low, high) = (high, high * 2);
        }
    }
    // It is below `high` ups and not below `low`.
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if is_below(games, game, middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok((is_below(games, game, high)? && is_above(games, game, high - 2)?).then_some(high - 1))
}

/// The only game that can be the weight of an infinitesimal without an integer weight: that of G_M.
fn candidate(games: &mut Games, game: GameId) -> Result<GameId, ValueError> {
    let large = 6 * i64::from(games.birthday(game)) + 8;
    let (less, more) = (games.integer(-2)?, games.integer(2)?);
    // Of each position of G what stands in its place in G_M, and the weight of that.
    let number = |games: &mut Games, position: GameId| match games.as_number(position) {
        Some(number) => {
            let ups = large * number.cmp(&Dyadic::ZERO) as i64;
            Ok(Some((games.ups(ups, 0)?, games.integer(ups)?)))
        }
        None => Ok(None),
    };
    let found = by_options(games, game, number, |games, left: &[(GameId, GameId)], right| {
        let all_small = |options: &[(GameId, GameId)]| options.iter().map(|(option, _)| *option).collect::<Vec<_>>();
        let replaced = games.canonical(&all_small(left), &all_small(right))?;
        if let Some(integer) = integer_weight(games, replaced)? {
            return Ok((replaced, games.integer(integer)?));
        }
        let mut plus = |options: &[(GameId, GameId)], by: GameId| {
            options.iter().map(|(_, weight)| games.sum(*weight, by)).collect::<Result<Vec<_>, _>>()
        };
        let (left, right) = (plus(left, less)?, plus(right, more)?);
        Ok((replaced, games.canonical(&left, &right)?))
    })?;
    Ok(found.1)
}

/// The Norton product w·up: |w| ups or downs for an integer, else {w^L·up + up·up·* | w^R·up + down·down·*}.
fn times_up(games: &mut Games, weight: GameId) -> Result<GameId, ValueError> {
    let (more, less) = (games.ups(2, 1)?, games.ups(-2, 1)?);
    let integer = |games: &mut Games, position: GameId| {
        let integer = games.as_number(position).and_then(Dyadic::as_integer);
        integer.map(|integer| games.ups(integer, 0)).transpose()
    };
    by_options(games, weight, integer, |games, left: &[GameId], right| {
        let mut plus = |options: &[GameId], by: GameId| options.iter().map(|one| games.sum(*one, by)).collect::<Result<Vec<_>, _>>();
        let (left, right) = (plus(left, more)?, plus(right, less)?);
        games.canonical(&left, &right)
    })
}

/// What is said about a game: about some games outright, and about any other by what is said about its Left and its Right
/// options. It keeps a stack of its own, so that no depth of a game overflows the thread's.
fn by_options<T: Copy>(
    games: &mut Games,
    game: GameId,
    outright: impl Fn(&mut Games, GameId) -> Result<Option<T>, ValueError>,
    combined: impl Fn(&mut Games, &[T], &[T]) -> Result<T, ValueError>,
) -> Result<T, ValueError> {
    let mut known: HashMap<GameId, T> = HashMap::new();
    let mut waiting = vec![game];
    loop {
        // The game itself waits below all others, and with it the loop ends.
        let position = waiting.pop().unwrap_or(game);
        if known.contains_key(&position) {
            continue;
        }
        let found = match outright(games, position)? {
            Some(found) => found,
            None => {
                let unknown = games.left(position).iter().chain(games.right(position)).filter(|option| !known.contains_key(option));
                let unknown: Vec<GameId> = unknown.copied().collect();
                if !unknown.is_empty() {
                    waiting.push(position);
                    waiting.extend(unknown);
                    continue;
                }
                let of = |options: &[GameId]| options.iter().filter_map(|option| known.get(option).copied()).collect::<Vec<T>>();
                let (left, right) = (of(games.left(position)), of(games.right(position)));
                combined(games, &left, &right)?
            }
        };
        if position == game {
            return Ok(found);
        }
        known.insert(position, found);
    }
}
