//! The store of short games: each canonical form once, with its name, stops and birthday, and a limit on the steps spent.

use std::collections::HashMap;

use super::{Dyadic, Name, Outcome, ValueError};

/// A short game of a [`Games`]: equal ids mean equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub(super) u32);

/// Short games, each in canonical form and each once. Whatever is made of games here is here too.
///
/// Every operation is memoised, works with a stack of its own, so that no depth of games overflows the thread's, and takes
/// *steps*, comparisons and options looked at. When the steps are used up, operations return [`ValueError::Steps`]. A step
/// takes at most about 150 bytes.
pub struct Games {
    nodes: Vec<Node>,
    /// The options of all nodes, one after the other.
    options: Vec<GameId>,
    /// The games by their options.
    index: HashMap<Options, GameId>,
    /// Whether the first is at most the second.
    pub(super) order: HashMap<(GameId, GameId), bool>,
    /// The same where one of them is the form that is being brought to its canonical form.
    pub(super) scratch_order: HashMap<(GameId, GameId), bool>,
    pub(super) scratch: [Vec<GameId>; 2],
    pub(super) negatives: HashMap<GameId, GameId>,
    pub(super) sums: HashMap<(GameId, GameId), GameId>,
    pub(super) numbers: HashMap<Dyadic, GameId>,
    pub(super) texts: HashMap<GameId, Option<super::text::Text>>,
    /// How many steps were allowed at the last time that some were, and how many of them remain.
    allowed: u64,
    remaining: u64,
}

/// The Left and the Right options of a game, each list ascending.
type Options = (Box<[GameId]>, Box<[GameId]>);

/// A game in canonical form.
#[derive(Clone, Copy, Debug)]
struct Node {
    left: (u32, u32),
    right: (u32, u32),
    birthday: u32,
    is_all_small: bool,
    name: Option<Name>,
    left_stop: Dyadic,
    right_stop: Dyadic,
}

/// The id of the form that is being brought to its canonical form: no game has it.
pub(super) const SCRATCH: GameId = GameId(u32::MAX);

impl Games {
    /// Zero: neither player has an option. It is in every store.
    pub const ZERO: GameId = GameId(0);

    /// A store that holds zero alone, with so many steps to spend.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        let zero = Node {
            left: (0, 0),
            right: (0, 0),
            birthday: 0,
            is_all_small: true,
            name: Some(Name::nimber(0)),
            left_stop: Dyadic::ZERO,
            right_stop: Dyadic::ZERO,
        };
        Self {
            nodes: vec![zero],
            options: Vec::new(),
            index: HashMap::from([((Box::default(), Box::default()), Self::ZERO)]),
            order: HashMap::new(),
            scratch_order: HashMap::new(),
            scratch: [Vec::new(), Vec::new()],
            negatives: HashMap::new(),
            sums: HashMap::new(),
            numbers: HashMap::new(),
            texts: HashMap::new(),
            allowed: limit,
            remaining: limit,
        }
    }

    /// From now on it may spend so many steps.
    pub fn allow(&mut self, steps: u64) {
        (self.allowed, self.remaining) = (steps, steps);
    }

    /// How many games it holds.
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Spends steps.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), ValueError> {
        // A store that is allowed u64::MAX steps never runs out of them.
        let remaining = self.remaining.checked_sub(steps as u64);
        self.remaining = remaining.unwrap_or(0);
        if remaining.is_some() { Ok(()) } else { Err(self.out_of_steps()) }
    }

    fn out_of_steps(&self) -> ValueError {
        ValueError::Steps { limit: self.allowed }
    }

    fn node(&self, game: GameId) -> &Node {
        &self.nodes[game.0 as usize]
    }

    /// The Left options of the canonical form, in ascending order of id.
    #[must_use]
    pub fn left(&self, game: GameId) -> &[GameId] {
        if game == SCRATCH {
            return &self.scratch[0];
        }
        let (start, end) = self.node(game).left;
        &self.options[start as usize..end as usize]
    }

    /// The Right options of the canonical form, in ascending order of id.
    #[must_use]
    pub fn right(&self, game: GameId) -> &[GameId] {
        if game == SCRATCH {
            return &self.scratch[1];
        }
        let (start, end) = self.node(game).right;
        &self.options[start as usize..end as usize]
    }

    /// The height of the canonical form.
    #[must_use]
    pub fn birthday(&self, game: GameId) -> u32 {
        self.node(game).birthday
    }

    /// Whether in every position of the canonical form both players have a move or neither.
    #[must_use]
    pub fn is_all_small(&self, game: GameId) -> bool {
        self.node(game).is_all_small
    }

    /// How many games there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // Zero is always there.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How people write it without braces, if they do.
    #[must_use]
    pub fn name(&self, game: GameId) -> Option<Name> {
        self.node(game).name
    }

    /// The number that it is, if it is one.
    #[must_use]
    pub fn as_number(&self, game: GameId) -> Option<Dyadic> {
        self.node(game).name.and_then(Name::as_number)
    }

    /// The nimber that it is, if it is one; zero is `*0`.
    #[must_use]
    pub fn as_nimber(&self, game: GameId) -> Option<u64> {
        self.node(game).name.and_then(Name::as_nimber)
    }

    /// The Left stop and the Right stop: the number that play leads to when Left starts, and when Right does.
    #[must_use]
    pub fn stops(&self, game: GameId) -> (Dyadic, Dyadic) {
        (self.node(game).left_stop, self.node(game).right_stop)
    }

    /// Whether it is between all negative and all positive numbers: both stops are 0. Zero is.
    #[must_use]
    pub fn is_infinitesimal(&self, game: GameId) -> bool {
        self.stops(game) == (Dyadic::ZERO, Dyadic::ZERO)
    }

    /// The outcome class.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn outcome(&mut self, game: GameId) -> Result<Outcome, ValueError> {
        let left_wins = !self.at_most(game, Self::ZERO)?;
        let right_wins = !self.at_most(Self::ZERO, game)?;
        Ok(Outcome::of(left_wins, right_wins))
    }

    /// The game with these options, which are known to make a canonical form.
    ///
    /// # Errors
    /// [`ValueError`].
    pub(super) fn insert(&mut self, mut left: Vec<GameId>, mut right: Vec<GameId>) -> Result<GameId, ValueError> {
        left.sort_unstable();
        right.sort_unstable();
        let key = (left.into_boxed_slice(), right.into_boxed_slice());
        if let Some(game) = self.index.get(&key) {
            return Ok(*game);
        }
        self.spend(1 + key.0.len() + key.1.len())?;
        let node = self.describe(&key.0, &key.1)?;
        // A node costs a step, and the limit of steps is the limit of nodes and options alike.
        let game = GameId(u32::try_from(self.nodes.len()).map_err(|_| self.out_of_steps())?);
        self.options.extend(key.0.iter().chain(key.1.iter()));
        self.nodes.push(node);
        self.index.insert(key, game);
        Ok(game)
    }

    fn describe(&self, left: &[GameId], right: &[GameId]) -> Result<Node, ValueError> {
        let names = |options: &[GameId]| options.iter().map(|option| self.name(*option)).collect::<Vec<_>>();
        let name = Name::of_options(&names(left), &names(right))?;
        let all = || left.iter().chain(right);
        let position = |length: usize| u32::try_from(length).map_err(|_| self.out_of_steps());
        let start = position(self.options.len())?;
        let (middle, end) = (position(self.options.len() + left.len())?, position(self.options.len() + left.len() + right.len())?);
        // A canonical form that is no number has options on both sides.
        let number = name.and_then(Name::as_number);
        let left_stop = left.iter().map(|option| self.node(*option).right_stop).max();
        let right_stop = right.iter().map(|option| self.node(*option).left_stop).min();
        Ok(Node {
            left: (start, middle),
            right: (middle, end),
            birthday: 1 + all().map(|option| self.birthday(*option)).max().unwrap_or(0),
            is_all_small: left.is_empty() == right.is_empty() && all().all(|option| self.is_all_small(*option)),
            name,
            left_stop: number.or(left_stop).unwrap_or(Dyadic::ZERO),
            right_stop: number.or(right_stop).unwrap_or(Dyadic::ZERO),
        })
    }
}
