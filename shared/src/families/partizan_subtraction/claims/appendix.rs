//! The claims of appendix A: sentences about single games, and Lemmas A.18 and A.20 about ups, nimbers and a far star.

use crate::claim::{Prediction, Relation};
use crate::value::{Order, Outcome};

use super::super::quantity::{Value, far_star};
use super::super::rules::Support;
use super::position::{Position, Question, Says, relation, weight_if};
use super::short_games::{Id, ShortGames};

/// Where a sentence is counted that is about no heap: the heaps of F(n;1,1).
fn is_counted_here(position: &Position) -> bool {
    position.support == Support { a: 1, b: 1, tau: 0 }
}

/// A sentence about games, held against the definitions: it speaks at heap 0 of F(n;1,1).
fn about_games(position: &Position, holds: impl FnOnce(&mut ShortGames) -> bool, says: &'static str, denies: &'static str) -> Says {
    if !is_counted_here(position) || position.heap != 0 {
        return Prediction::Silent;
    }
    Prediction::Relation(Box::new(Relation::of_position(holds(&mut ShortGames::default()), says, denies)))
}

/// Two games that are 0 without being written so.
pub fn text_on_a_6(position: &Position) -> Says {
    let holds = |games: &mut ShortGames| {
        let (zero, one, star) = (games.integer(0), games.integer(1), games.nimber(1));
        let minus_one = games.negative(one);
        let (stars, switch) = (games.sum(star, star), games.game(&[minus_one], &[one]));
        games.are_equal(stars, zero) && games.are_equal(switch, zero) && games.left(stars).contains(&star) && games.left(zero).is_empty()
    };
    about_games(position, holds, "* + * = {-1|1} = 0, and * + * has the option *", "another value")
}

/// Up, {0|*}.
fn up(games: &mut ShortGames) -> Id {
    let (zero, star) = (games.integer(0), games.nimber(1));
    games.game(&[zero], &[star])
}

pub fn example_a_8(position: &Position) -> Says {
    about_games(position, |games| is_example_a_8(games, 1), "^* = {^,*|^,0}, and {0,*|0} is its canonical form", "another form")
}

/// Whether up + * is {up,*|up,0} as it comes and {0,*|0} in canonical form; `star` is 1 for *.
pub fn is_example_a_8(games: &mut ShortGames, star: u32) -> bool {
    let (up, star, zero) = (up(games), games.nimber(star), games.integer(0));
    let sum = games.sum(up, star);
    let printed = games.game(&[up, star], &[up, zero]);
    let form = games.game(&[zero, star], &[zero]);
    // The option * + * is written as 0: it has that value.
    let stars = games.sum(star, star);
    let as_it_comes = games.game(&[up, star], &[up, stars]);
    sum == as_it_comes && games.are_equal(sum, printed) && games.are_equal(sum, form) && games.is_canonical(form)
}

/// {{2|0}|0} is an infinitesimal and not all-small. It is held against the dyadics 1, 1/2, ..., 1/256: it is born on day 4, and so
/// are its stops, which then are 0 or at least 1/8 away from it.
pub fn text_on_a_14(position: &Position) -> Says {
    let holds = |games: &mut ShortGames| {
        let (zero, two) = (games.integer(0), games.integer(2));
        let switch = games.game(&[two], &[zero]);
        let one = games.game(&[switch], &[zero]);
        let mut dyadic = games.integer(1);
        let mut is_between = true;
        for _ in 0..=8 {
            let negative = games.negative(dyadic);
            is_between &= games.is_at_most(negative, one) && !games.is_at_most(one, negative);
            is_between &= games.is_at_most(one, dyadic) && !games.is_at_most(dyadic, one);
            dyadic = games.game(&[zero], &[dyadic]);
        }
        // Its position 2 has a move for Left and none for Right.
        is_between && !games.left(two).is_empty() && games.right(two).is_empty()
    };
    about_games(position, holds, "{{2|0}|0} is infinitesimal and not all-small", "not infinitesimal, or all-small")
}

/// Lemma A.18 for n the heap, n >= 1, both halves, as it is printed: the far star of the option is the far star of the sum.
pub fn lemma_a_18_printed(position: &Position) -> Says {
    ups_lead_to(position, 1, 0)
}

/// The same with the star that an up leaves behind: it turns the last bit of the far star over, which is a far star again.
pub fn lemma_a_18(position: &Position) -> Says {
    ups_lead_to(position, 1, 1)
}

/// That n ups and a far star are {0 | n-step ups and the far star beside a nimber}, and the same of downs.
pub fn ups_lead_to(position: &Position, step: i64, nimber: u64) -> Says {
    let n = i64::try_from(position.heap).unwrap_or(i64::MAX);
    if !is_counted_here(position) || n == 0 {
        return Prediction::Silent;
    }
    let star = far_star(n) ^ nimber;
    let needs = [1, -1].map(|sign| Question::UpsLeadTo(sign * n, sign * (n - step), star)).to_vec();
    let holds = |values: &[Value]| values.iter().all(|value| value.order() == Some(Order::Equal));
    let says = "n ups and a far star are {0 | n-1 ups and a far star}, and downs the mirror image";
    relation(needs, holds, says, "not {0 | n-1 ups and a far star}")
}

/// The nimbers among the heaps: full support, n <= a.
fn is_nimber(position: &Position) -> bool {
    let Support { a, tau, .. } = position.support;
    tau == 0 && position.heap <= a
}

pub fn lemma_a_20(position: &Position) -> Says {
    weight_if(is_nimber(position), 0)
}

/// The displayed inequality as it is printed, with down on both sides.
pub fn lemma_a_20_printed(position: &Position) -> Says {
    between(position, [1, 1], "down and a far star < *n < down and a far star")
}

/// The same with up on the right, which the proof shows.
pub fn lemma_a_20_proof(position: &Position) -> Says {
    between(position, [1, -1], "down and a far star < *n < up and a far star")
}

/// down·far-star < *n says that *n is L beside so many ups and a far star, the first number; and *n < k·up·far-star that it is R beside
/// -k of them, the second.
fn between(position: &Position, ups: [i64; 2], says: &'static str) -> Says {
    if !is_nimber(position) {
        return Prediction::Silent;
    }
    let needs = ups.map(|ups| Question::BesideFarStar(*position, ups)).to_vec();
    let holds = |values: &[Value]| values.iter().map(Value::outcome).eq([Some(Outcome::L), Some(Outcome::R)]);
    relation(needs, holds, says, "one of the inequalities fails")
}
