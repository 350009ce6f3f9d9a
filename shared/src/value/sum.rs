//! Numbers, nimbers, ups, negatives and disjunctive sums of games in canonical form; sums with a number by number translation
//! (Siegel, Theorem II.3.21).

use super::{Dyadic, GameId, Games, ValueError};

impl Games {
    /// A number.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn number(&mut self, number: Dyadic) -> Result<GameId, ValueError> {
        let mut waiting = vec![number];
        while let Some(number) = waiting.last().copied() {
            let (left, right) = number.options();
            let unknown = [left, right].into_iter().flatten().find(|option| !self.numbers.contains_key(option));
            if let Some(option) = unknown {
                self.spend(1)?;
                waiting.push(option);
                continue;
            }
            let known = |option: Option<Dyadic>| option.and_then(|option| self.numbers.get(&option).copied()).into_iter().collect();
            let (left, right) = (known(left), known(right));
            let game = self.insert(left, right)?;
            self.numbers.insert(number, game);
            waiting.pop();
        }
        self.numbers.get(&number).copied().ok_or(ValueError::Number)
    }

    /// A whole number.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn integer(&mut self, number: i64) -> Result<GameId, ValueError> {
        self.number(Dyadic::integer(number).ok_or(ValueError::Number)?)
    }

    /// The nimber `*n` = {0, *, …, *(n-1) | the same}.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn nimber(&mut self, size: u64) -> Result<GameId, ValueError> {
        let mut smaller = Vec::new();
        let mut game = Self::ZERO;
        for _ in 0..size {
            smaller.push(game);
            game = self.insert(smaller.clone(), smaller.clone())?;
        }
        Ok(game)
    }

    /// n·up + *m in canonical form; downs where n is negative.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn ups(&mut self, ups: i64, nimber: u64) -> Result<GameId, ValueError> {
        let count = ups.unsigned_abs();
        // One step of the sum takes an up off and turns the nimber over in its last bit; up + * alone has two options.
        let start = if count.is_multiple_of(2) { nimber } else { nimber ^ 1 };
        let mut game = self.nimber(start)?;
        for step in 1..=count {
            let mut options = (vec![Self::ZERO], vec![game]);
            if step == 1 && game == Self::ZERO {
                options.0.push(self.nimber(1)?);
            }
            game = if ups > 0 { self.insert(options.0, options.1)? } else { self.insert(options.1, options.0)? };
        }
        Ok(game)
    }

    /// -G: the players' roles are exchanged.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn negative(&mut self, game: GameId) -> Result<GameId, ValueError> {
        let mut waiting = vec![game];
        while let Some(game) = waiting.last().copied() {
            if self.negatives.contains_key(&game) {
                waiting.pop();
                continue;
            }
            let unknown: Vec<GameId> =
                self.left(game).iter().chain(self.right(game)).filter(|option| !self.negatives.contains_key(option)).copied().collect();
            self.spend(1 + unknown.len())?;
            if !unknown.is_empty() {
                waiting.extend(unknown);
                continue;
            }
            let mirror = |options: &[GameId]| options.iter().filter_map(|option| self.negatives.get(option).copied()).collect();
            let (left, right) = (mirror(self.right(game)), mirror(self.left(game)));
            // The mirror image of a canonical form is one.
            let negative = self.insert(left, right)?;
            self.negatives.insert(game, negative);
            self.negatives.insert(negative, game);
            waiting.pop();
        }
        // It has just been put there.
        Ok(self.negatives.get(&game).copied().unwrap_or(game))
    }

    /// G + H, the disjunctive sum: a move in one of them.
    ///
    /// Where only one of the two is a number, only moves in the other count (number translation, Siegel, Theorem II.3.21).
    ///
    /// Cost: at most the number of pairs of positions, each brought to canonical form.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn sum(&mut self, one: GameId, other: GameId) -> Result<GameId, ValueError> {
        let mut waiting = vec![(one, other)];
        while let Some((one, other)) = waiting.last().copied() {
            if self.known_sum(one, other).is_some() {
                waiting.pop();
                continue;
            }
            if let (Some(x), Some(y)) = (self.as_number(one), self.as_number(other)) {
                let sum = self.number(x.plus(y).ok_or(ValueError::Number)?)?;
                self.remember_sum(one, other, sum);
                continue;
            }
            let (left, right) = (self.moves(one, other, Self::left), self.moves(one, other, Self::right));
            let unknown: Vec<(GameId, GameId)> =
                left.iter().chain(&right).filter(|(one, other)| self.known_sum(*one, *other).is_none()).copied().collect();
            self.spend(1 + left.len() + right.len())?;
            if !unknown.is_empty() {
                waiting.extend(unknown);
                continue;
            }
            let sums = |pairs: &[(GameId, GameId)]| pairs.iter().filter_map(|(x, y)| self.known_sum(*x, *y)).collect::<Vec<_>>();
            let (left, right) = (sums(&left), sums(&right));
            let sum = self.canonical(&left, &right)?;
            self.remember_sum(one, other, sum);
        }
        // It has just been put there.
        Ok(self.known_sum(one, other).unwrap_or(Self::ZERO))
    }

    /// G - H.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn difference(&mut self, one: GameId, other: GameId) -> Result<GameId, ValueError> {
        let negative = self.negative(other)?;
        self.sum(one, negative)
    }

    /// The options of a sum on one side, as pairs.
    fn moves(&self, one: GameId, other: GameId, options: fn(&Self, GameId) -> &[GameId]) -> Vec<(GameId, GameId)> {
        let mut moves = Vec::new();
        if self.as_number(one).is_none() {
            moves.extend(options(self, one).iter().map(|option| (*option, other)));
        }
        if self.as_number(other).is_none() {
            moves.extend(options(self, other).iter().map(|option| (one, *option)));
        }
        moves
    }

    fn known_sum(&self, one: GameId, other: GameId) -> Option<GameId> {
        match (one, other) {
            (Self::ZERO, game) | (game, Self::ZERO) => Some(game),
            _ => self.sums.get(&(one.min(other), one.max(other))).copied(),
        }
    }

    fn remember_sum(&mut self, one: GameId, other: GameId, sum: GameId) {
        self.sums.insert((one.min(other), one.max(other)), sum);
    }
}
