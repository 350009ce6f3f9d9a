//! Games that build on each other, every two of them compared: the fast way to canonical forms.
//!
//! A game G that comes in has options that are here already. For a game C that is here too,
//!
//! - G <= C iff no Left option of G is at least C and no Right option of C is at most G;
//! - G >= C iff no Right option of G is at most C and no Left option of C is at least G.
//!
//! The first half of each is a union of rows of bits, the games that are at most (at least) an option. The second half asks of
//! G and an option of C, which came before C; so one pass over the games in their order answers both for all of them. If
//! G <= C <= G they are equal and G is no new game.
//!
//! Otherwise the options of its canonical form are here as well: a Left option L is reversible through a Right option of L that
//! is at most G, for which the pass has the answer, and then the Left options of that one, which are here, stand in its place;
//! and which of them dominate each other is in the rows.

use std::collections::HashMap;

use super::{GameId, Games, Order, ValueError};

/// A game of an [`Ordered`], numbered from 0 in the order in which they came: equal numbers mean equal games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueClass(u32);

impl ValueClass {
    /// Its number.
    #[must_use]
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// A store of games in canonical form that knows the order of any two of them.
///
/// For C games it takes 2 C^2 bits, and a game costs O(C · (options / 64 + options of canonical forms)) steps. Nothing recurses.
pub struct Ordered {
    games: Games,
    members: Vec<Member>,
    /// The games that came with options in a form of their own, by the classes of these options.
    forms: HashMap<Options, ValueClass>,
}

/// The Left and the Right options of a form, each list ascending.
type Options = (Box<[ValueClass]>, Box<[ValueClass]>);

struct Member {
    game: GameId,
    left: Vec<ValueClass>,
    right: Vec<ValueClass>,
    /// Bit c: game c is at most this one.
    below: Vec<u64>,
    /// Bit c: game c is at least this one.
    above: Vec<u64>,
}

impl Default for Ordered {
    fn default() -> Self {
        Self::new()
    }
}

impl Ordered {
    /// A store without games.
    #[must_use]
    pub fn new() -> Self {
        // Games come in here in canonical form and are only stored: their number is bounded by what the caller adds.
        Self { games: Games::new(u64::MAX), members: Vec::new(), forms: HashMap::new() }
    }

    /// Bytes for this many games of which each has at most so many options: an upper bound.
    #[must_use]
    pub fn bytes(games: u64, options: u64) -> u128 {
        let (games, options) = (u128::from(games), u128::from(options));
        // Two rows, each up to twice as long as needed while it grows; an option in the form it came in, in the canonical form
        // here, in the store of games and in its index; and what a game and its text take without them.
        games * (games / 2 + 64) + games * options * 24 + games * 5000
    }

    /// How many games there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The game of a number, if there is one.
    #[must_use]
    pub fn class(&self, number: usize) -> Option<ValueClass> {
        (number < self.members.len()).then_some(ValueClass(number as u32))
    }

    /// The games by themselves, for what can be asked of one game.
    #[must_use]
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// The same, to work with.
    pub fn games_mut(&mut self) -> &mut Games {
        &mut self.games
    }

    /// A game in the store of games.
    #[must_use]
    pub fn game(&self, class: ValueClass) -> GameId {
        self.members[class.number()].game
    }

    /// The Left options of the canonical form.
    #[must_use]
    pub fn left(&self, class: ValueClass) -> &[ValueClass] {
        &self.members[class.number()].left
    }

    /// The Right options of the canonical form.
    #[must_use]
    pub fn right(&self, class: ValueClass) -> &[ValueClass] {
        &self.members[class.number()].right
    }

    /// How two games compare. Cost: O(1).
    #[must_use]
    pub fn compare(&self, one: ValueClass, other: ValueClass) -> Order {
        let rows = &self.members[one.number()];
        Order::of(bit(&rows.above, other.number()), bit(&rows.below, other.number()))
    }

    /// The game with these options.
    ///
    /// # Errors
    /// [`ValueError::Number`].
    pub fn add(&mut self, mut left: Vec<ValueClass>, mut right: Vec<ValueClass>) -> Result<ValueClass, ValueError> {
        for options in [&mut left, &mut right] {
            options.sort_unstable();
            options.dedup();
        }
        let key = (left.into_boxed_slice(), right.into_boxed_slice());
        if let Some(class) = self.forms.get(&key) {
            return Ok(*class);
        }
        let class = match self.place(&key.0, &key.1) {
            Found::Known(class) => class,
            Found::New(rows) => self.insert(&key.0, &key.1, rows)?,
        };
        self.forms.insert(key, class);
        Ok(class)
    }

    /// Where a game with these options stands among all that are here.
    fn place(&self, left: &[ValueClass], right: &[ValueClass]) -> Found {
        let words = self.members.len().div_ceil(64);
        let mut rows = Rows { at_most: vec![0; words], at_least: vec![0; words] };
        // First the games that the options of G rule out.
        for option in left {
            or(&mut rows.at_most, &self.members[option.number()].below);
        }
        for option in right {
            or(&mut rows.at_least, &self.members[option.number()].above);
        }
        // Then, game by game, turned into the answers; a game's options have theirs already.
        for (number, member) in self.members.iter().enumerate() {
            let (word, mask) = (number / 64, 1 << (number % 64));
            let at_most = rows.at_most[word] & mask == 0 && !member.right.iter().any(|option| bit(&rows.at_least, option.number()));
            let at_least = rows.at_least[word] & mask == 0 && !member.left.iter().any(|option| bit(&rows.at_most, option.number()));
            if at_most && at_least {
                return Found::Known(ValueClass(number as u32));
            }
            set(&mut rows.at_most[word], mask, at_most);
            set(&mut rows.at_least[word], mask, at_least);
        }
        Found::New(rows)
    }

    /// Takes in a game that equals none of those here.
    fn insert(&mut self, left: &[ValueClass], right: &[ValueClass], rows: Rows) -> Result<ValueClass, ValueError> {
        let left = self.canonical(left, |member| (&member.right, &member.left), &rows.at_least, |member| &member.above);
        let right = self.canonical(right, |member| (&member.left, &member.right), &rows.at_most, |member| &member.below);
        let ids = |classes: &[ValueClass]| classes.iter().map(|class| self.game(*class)).collect();
        let (left_ids, right_ids) = (ids(&left), ids(&right));
        let game = self.games.insert(left_ids, right_ids)?;
        let number = self.members.len();
        for (index, member) in self.members.iter_mut().enumerate() {
            if bit(&rows.at_most, index) {
                turn_on(&mut member.below, number);
            }
            if bit(&rows.at_least, index) {
                turn_on(&mut member.above, number);
            }
        }
        let Rows { at_most: mut above, at_least: mut below } = rows;
        turn_on(&mut above, number);
        turn_on(&mut below, number);
        self.members.push(Member { game, left, right, below, above });
        // There are as many as fit the memory, far fewer than 2^32.
        Ok(ValueClass(number as u32))
    }

    /// The options of one player in the canonical form of G. `sides` has the opponent's and the player's options of a game,
    /// `reverses` the games that are good enough for the opponent to reverse through, and `better` the games that the player
    /// likes at least as well as a game.
    fn canonical(
        &self,
        options: &[ValueClass],
        sides: fn(&Member) -> (&Vec<ValueClass>, &Vec<ValueClass>),
        reverses: &[u64],
        better: fn(&Member) -> &Vec<u64>,
    ) -> Vec<ValueClass> {
        let mut waiting = options.to_vec();
        let mut kept = Vec::new();
        while let Some(option) = waiting.pop() {
            let answers = sides(&self.members[option.number()]).0;
            match answers.iter().find(|answer| bit(reverses, answer.number())) {
                Some(answer) => waiting.extend_from_slice(sides(&self.members[answer.number()]).1),
                None => kept.push(option),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        let is_dominated = |option: &ValueClass| {
            let better = better(&self.members[option.number()]);
            kept.iter().any(|other| other != option && bit(better, other.number()))
        };
        kept.iter().filter(|option| !is_dominated(option)).copied().collect()
    }
}

enum Found {
    Known(ValueClass),
    New(Rows),
}

/// Bit c: the game is at most game c; the game is at least game c.
struct Rows {
    at_most: Vec<u64>,
    at_least: Vec<u64>,
}

fn bit(row: &[u64], index: usize) -> bool {
    row.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

fn turn_on(row: &mut Vec<u64>, index: usize) {
    if row.len() <= index / 64 {
        row.resize(index / 64 + 1, 0);
    }
    row[index / 64] |= 1 << (index % 64);
}

fn set(word: &mut u64, mask: u64, is_on: bool) {
    if is_on { *word |= mask } else { *word &= !mask }
}

fn or(row: &mut [u64], other: &[u64]) {
    for (word, other) in row.iter_mut().zip(other) {
        *word |= other;
    }
}
