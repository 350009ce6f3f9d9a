//! Short games by the definitions of the paper's appendix and by nothing else: for the few sentences that are about games and not
//! about heaps. No game is simplified.

use std::collections::HashMap;

/// A game, by its place among those that were made.
pub type Id = usize;

/// Games by their options, each made once.
#[derive(Default)]
pub struct ShortGames {
    games: Vec<[Vec<Id>; 2]>,
    places: HashMap<[Vec<Id>; 2], Id>,
    at_most: HashMap<(Id, Id), bool>,
}

impl ShortGames {
    /// The game with these options of Left and of Right.
    pub fn game(&mut self, left: &[Id], right: &[Id]) -> Id {
        let options = [left, right].map(|options| {
            let mut options = options.to_vec();
            options.sort_unstable();
            options.dedup();
            options
        });
        let next = self.games.len();
        let place = *self.places.entry(options.clone()).or_insert(next);
        if place == next {
            self.games.push(options);
        }
        place
    }

    /// Left's options.
    pub fn left(&self, game: Id) -> Vec<Id> {
        self.games[game][0].clone()
    }

    /// Right's options.
    pub fn right(&self, game: Id) -> Vec<Id> {
        self.games[game][1].clone()
    }

    /// The integer k >= 0: 0 = {|}, k = {k-1|}.
    pub fn integer(&mut self, number: u32) -> Id {
        (0..number).fold(self.game(&[], &[]), |game, _| self.game(&[game], &[]))
    }

    /// The nimber *k = {0, *, ..., *(k-1)}.
    pub fn nimber(&mut self, size: u32) -> Id {
        let mut smaller = Vec::new();
        let mut game = self.game(&[], &[]);
        for _ in 0..size {
            smaller.push(game);
            game = self.game(&smaller, &smaller);
        }
        game
    }

    /// Definition A.1.
    pub fn sum(&mut self, one: Id, other: Id) -> Id {
        let [left, right] = [0, 1].map(|side| {
            let of_one: Vec<Id> = self.games[one][side].clone().into_iter().map(|option| self.sum(option, other)).collect();
            let of_other = self.games[other][side].clone().into_iter().map(|option| self.sum(one, option));
            of_one.into_iter().chain(of_other).collect::<Vec<Id>>()
        });
        self.game(&left, &right)
    }

    /// Definition A.5.
    pub fn negative(&mut self, game: Id) -> Id {
        let [left, right] = self.games[game].clone();
        let negative = |options: Vec<Id>, games: &mut Self| options.into_iter().map(|option| games.negative(option)).collect::<Vec<Id>>();
        let (left, right) = (negative(right, self), negative(left, self));
        self.game(&left, &right)
    }

    /// Whether one game is at most another, which is whether Left, starting, does not win one minus the other: no Left option of the
    /// one is at least the other, and no Right option of the other is at most the one.
    pub fn is_at_most(&mut self, one: Id, other: Id) -> bool {
        if let Some(known) = self.at_most.get(&(one, other)) {
            return *known;
        }
        let holds = !self.left(one).into_iter().any(|option| self.is_at_most(other, option))
            && !self.right(other).into_iter().any(|option| self.is_at_most(option, one));
        self.at_most.insert((one, other), holds);
        holds
    }

    /// Whether two games are equal.
    pub fn are_equal(&mut self, one: Id, other: Id) -> bool {
        self.is_at_most(one, other) && self.is_at_most(other, one)
    }

    /// Whether no option of a game is dominated by another or reversible, by Definition A.7, here and in each of its positions.
    pub fn is_canonical(&mut self, game: Id) -> bool {
        let (left, right) = (self.left(game), self.right(game));
        let is_dominated = |options: &[Id], games: &mut Self, worse: fn(&mut Self, Id, Id) -> bool| {
            options.iter().any(|one| options.iter().any(|other| one != other && worse(games, *one, *other)))
        };
        if is_dominated(&left, self, Self::is_at_most) || is_dominated(&right, self, |games, one, other| games.is_at_most(other, one)) {
            return false;
        }
        let left_reverses = left.iter().any(|option| self.right(*option).into_iter().any(|reply| self.is_at_most(reply, game)));
        let right_reverses = right.iter().any(|option| self.left(*option).into_iter().any(|reply| self.is_at_most(game, reply)));
        !left_reverses && !right_reverses && left.into_iter().chain(right).all(|option| self.is_canonical(option))
    }
}
