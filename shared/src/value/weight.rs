//! Atomic weights by their definition.
//!
//! G has the atomic weight w iff G ~ w·up under far star, that is iff down·far-star < G - w·up < up·far-star (Definition A.17 and
//! Theorem A.16 of *Partizan Subtraction with full and truncated support*; Winning Ways, chapter 8). Here that is what decides,
//! and the rest of this file finds the only w that it can be.
//!
//! **All-small games.** Theorem A.21 tells w from the weights of the options.
//!
//! **Other games.** Since w·up is all-small, G has to be an infinitesimal: between all negative and all positive numbers. Let
//! G_M be G with M·up in place of each positive number among its positions, and M·down in place of each negative one. Beside
//! an all-small X and a far star the one who owns such a number has won, and if M exceeds all that X can move, so has the one
//! who owns M·up; nobody has to move in a number (number avoidance), and every other move of G is one of G_M. So G and G_M
//! have the same outcomes beside X and far star, and with X = -w·up and one up more or less the definition says: G ~ w·up iff
//! G_M ~ w·up, for all large M. Now G_M is all-small, so that it has a weight w_M by Theorem A.21, and G has the weight w iff
//! w_M = w for all large M.
//!
//! The recursion makes w_M from the integers 0, M and -M, adding 2 or -2 at each of at most d levels, d the birthday of G, and
//! taking least and greatest integers next to such; so its integers are c, M + c and -M + c with |c| <= 3d + 3, and when M is
//! more than twice that, any two of them compare as they do for every larger M. So w_M is the same expression in M from there
//! on: either it has no M in it, or it differs from w_(M+1).

use std::collections::HashMap;

use super::{Dyadic, GameId, Games, Order, ValueError};

impl Games {
    /// The atomic weight of a game, which is a game; nothing if it has none.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn atomic_weight(&mut self, game: GameId) -> Result<Option<GameId>, ValueError> {
        if !self.is_infinitesimal(game) {
            return Ok(None);
        }
        let large = 8 * (i64::from(self.birthday(game)) + 4);
        let weight = self.weight_with(game, large)?;
        if !self.is_all_small(game) && self.weight_with(game, large + 1)? != weight {
            return Ok(None);
        }
        Ok(self.has_atomic_weight(game, weight)?.then_some(weight))
    }

    /// Whether G ~ w·up under far star: the definition.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn has_atomic_weight(&mut self, game: GameId, weight: GameId) -> Result<bool, ValueError> {
        // For an integer w the same without a sum: (w-1)·up·far-star < G < (w+1)·up·far-star.
        let integer = self.as_number(weight).and_then(Dyadic::as_integer);
        let (game, ups) = match integer {
            Some(integer) => (game, integer),
            None => {
                let ups = self.times_up(weight)?;
                (self.difference(game, ups)?, 0)
            }
        };
        // Larger than the birthday of the sum: that of n ups is n + 1.
        let far = u64::from(self.birthday(game)) + ups.unsigned_abs() + 4;
        let (below, above) = (self.ups(ups - 1, far)?, self.ups(ups + 1, far)?);
        Ok(self.compare(below, game)? == Order::Less && self.compare(game, above)? == Order::Less)
    }

    /// The Norton product w·up: |w| ups or downs for an integer, else {w^L·up + up·up·* | w^R·up + down·down·*}.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn times_up(&mut self, weight: GameId) -> Result<GameId, ValueError> {
        let mut products: HashMap<GameId, GameId> = HashMap::new();
        let beside = (self.ups(2, 1)?, self.ups(-2, 1)?);
        let mut waiting = vec![weight];
        while let Some(weight) = waiting.last().copied() {
            self.spend(1)?;
            if let Some(integer) = self.as_number(weight).and_then(Dyadic::as_integer) {
                products.insert(weight, self.ups(integer, 0)?);
                waiting.pop();
                continue;
            }
            let (left, right) = (self.left(weight).to_vec(), self.right(weight).to_vec());
            match left.iter().chain(&right).find(|option| !products.contains_key(option)) {
                Some(option) => waiting.push(*option),
                None => {
                    let left = self.shifted(&left, &products, beside.0)?;
                    let right = self.shifted(&right, &products, beside.1)?;
                    products.insert(weight, self.canonical(&left, &right)?);
                    waiting.pop();
                }
            }
        }
        Ok(products.get(&weight).copied().unwrap_or(Self::ZERO))
    }

    /// What a map has for each option, plus a game.
    fn shifted(&mut self, options: &[GameId], map: &HashMap<GameId, GameId>, by: GameId) -> Result<Vec<GameId>, ValueError> {
        options.iter().filter_map(|option| map.get(option).copied()).map(|found| self.sum(found, by)).collect()
    }

    /// The atomic weight by Theorem A.21, where M·up stands in place of every positive number and M·down of every negative one.
    fn weight_with(&mut self, game: GameId, large: i64) -> Result<GameId, ValueError> {
        let mut weights: HashMap<GameId, GameId> = HashMap::new();
        let far_star = self.nimber(u64::from(self.birthday(game)) + 1)?;
        let two = (self.integer(-2)?, self.integer(2)?);
        let mut waiting = vec![game];
        while let Some(position) = waiting.last().copied() {
            self.spend(1)?;
            if let Some(number) = self.as_number(position) {
                let weight = self.integer(large * number.signum())?;
                weights.insert(position, weight);
                waiting.pop();
                continue;
            }
            let (left, right) = (self.left(position).to_vec(), self.right(position).to_vec());
            match left.iter().chain(&right).find(|option| !weights.contains_key(option)) {
                Some(option) => waiting.push(*option),
                None => {
                    let left = self.shifted(&left, &weights, two.0)?;
                    let right = self.shifted(&right, &weights, two.1)?;
                    let weight = self.theorem_a_21(position, &left, &right, far_star)?;
                    weights.insert(position, weight);
                    waiting.pop();
                }
            }
        }
        Ok(weights.get(&game).copied().unwrap_or(Self::ZERO))
    }

    /// The weight of a position, given those of its options less 2 on Left's side and plus 2 on Right's.
    fn theorem_a_21(&mut self, position: GameId, left: &[GameId], right: &[GameId], far_star: GameId) -> Result<GameId, ValueError> {
        let weight = self.canonical(left, right)?;
        if self.as_number(weight).and_then(Dyadic::as_integer).is_none() {
            return Ok(weight);
        }
        match self.compare(position, far_star)? {
            Order::Confused | Order::Equal => Ok(Self::ZERO),
            Order::Less => {
                let bounds = left.iter().map(|option| self.least_integer_not_at_most(*option)).collect::<Result<Vec<_>, _>>()?;
                self.integer(bounds.into_iter().max().unwrap_or(0))
            }
            Order::Greater => {
                let negatives = right.iter().map(|option| self.negative(*option)).collect::<Result<Vec<_>, _>>()?;
                let bounds = negatives.into_iter().map(|option| self.least_integer_not_at_most(option)).collect::<Result<Vec<_>, _>>()?;
                self.integer(-bounds.into_iter().max().unwrap_or(0))
            }
        }
    }

    /// The least integer x with G less than or confused with x: not x <= G.
    ///
    /// x < RS(G) gives x <= G, and x <= G gives x <= RS(G); so it is the first integer from RS(G) on, or the one after.
    fn least_integer_not_at_most(&mut self, game: GameId) -> Result<i64, ValueError> {
        let first = self.stops(game).1.ceiling();
        let integer = self.integer(first)?;
        Ok(if self.at_most(integer, game)? { first + 1 } else { first })
    }
}
