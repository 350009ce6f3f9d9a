//! Who wins a game beside ups and stars, for games that build on each other: the fast way to integer atomic weights.
//!
//! Let G be a game, and k·up·far-star the sum of k ups (downs for k < 0) and a nimber larger than any that matters. Its
//! canonical form is {0 | (k-1)·up·far-star} for k >= 1, the mirror image for k <= -1, and for k = 0 a nimber alone (Lemma A.18
//! of *Partizan Subtraction with full and truncated support*). So who wins G + k·up·far-star follows from who wins the options
//! of G beside the same, G beside one up less or more, and G beside nothing; and for k = 0 from G beside smaller nimbers.
//!
//! **Nimbers.** For each m let A(m) say that Left, starting at G + *m, wins by a move in G, and B(m) the same of Right. Besides
//! that she wins by moving to G + *m' with m' < m where Right, starting, loses. Let l be the least m where A(m) fails, and r the
//! least where B(m) fails. If r < l, Left wins at all m: by a move in G up to r, by moving to *r after it; and so Right never
//! wins by a move in the nimber, and wins where B(m) holds. If l < r it is the other way round. If l = r, both lose at m = l,
//! G + *l = 0, and at every other m both win: below by a move in G, above by moving to *l. So both rows are those of A and B,
//! all ones, or all ones except one bit; and by induction each is constant from some m on. Rows are kept as words whose last
//! bit goes on forever, which is far star itself: **no bound has to be chosen, and every nimber beyond the row is far star.**
//! (A row changes after the words of its options only where G = *l with l beyond them.)
//!
//! **Ups.** Since k·up·far-star increases with k, Left, starting, wins for all k from some `left_from` on, and Right, starting,
//! for all k up to some `right_to`. They are at least and at most infinite; the recursion on each is worked out in [`Beside::of`].
//!
//! **Weights.** w is the weight iff Left wins beside (1-w)·up·far-star and Right beside (-1-w)·up·far-star, whoever starts:
//! 1-w >= left_from, 1-w > right_to, -1-w <= right_to, -1-w < left_from. G + k·up·far-star is never 0, since no game equals a
//! nimber larger than all that matter to it, so that at each k somebody wins starting: left_from <= right_to + 1. Here
//! left_from = right_to + 1 would give two weights, which no game has. So G has an integer weight iff left_from = right_to, and
//! then it is -left_from.
//!
//! **Infinitesimals.** Both thresholds are finite iff both stops of G are 0. If the Left stop is positive Left, starting, gets to
//! a positive number beside an infinitesimal and wins at every k; if it is negative she loses at every k. If it is 0 let G have
//! depth n: Right, answering Left's moves in G so that it stops at 0 at most, and Left's moves in the downs by a move in G of
//! that kind, wins G + k·down·far-star as second player for k >= n + 1, by induction on n (each of Left's moves costs her a down
//! or a move of depth, and when G stops at 0 there are downs left; when it stops below, he has won). So left_from >= -n, and in
//! the same way it is at most n + 1. Mirror images give right_to.

/// Beyond every number of ups: a threshold that is not there.
const INFINITE: i64 = 1 << 60;

/// Who wins a game beside ups and stars.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Bit m: Left, starting, wins beside *m. The last bit goes on forever.
    left_wins: Row,
    /// Bit m: Right, starting, wins beside *m.
    right_wins: Row,
    ups: BesideUps,
}

/// Who wins a game beside ups and a far star.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BesideUps {
    /// Left, starting, wins beside k·up·far-star iff k is at least this.
    left_from: i64,
    /// Right, starting, wins beside k·up·far-star iff k is at most this.
    right_to: i64,
}

impl Beside {
    /// A game by its options on both sides, in any form: also dominated and reversible ones.
    ///
    /// Cost: O(options) words; more where nimbers of 64 and above matter.
    #[must_use]
    pub fn of<'a>(left: impl Iterator<Item = &'a Self>, right: impl Iterator<Item = &'a Self>) -> Self {
        let (mut left_moves, mut right_moves) = (Row::zeros(), Row::zeros());
        // Left wins beside k by a move in G iff k is more than the least `right_to` of her options; and the other way round.
        let (mut least, mut greatest) = (INFINITE, -INFINITE);
        for option in left {
            left_moves.or_not(&option.right_wins);
            least = least.min(option.ups.right_to);
        }
        for option in right {
            right_moves.or_not(&option.left_wins);
            greatest = greatest.max(option.ups.left_from);
        }
        let (left_wins, right_wins) = beside_nimbers(left_moves, right_moves);
        let by_move = (beyond(least, 1), beyond(greatest, -1));
        let alone = (left_wins.bit(0), right_wins.bit(0));
        let (left_from, right_to) = match (left_wins.forever(), right_wins.forever()) {
            // Beside k <= -1 Left may also turn the downs back by one: that wins only where Right, starting, loses, and he wins
            // there, as he does beside 0. So only her moves in G count, and for k >= 1 his.
            (true, true) => (by_move.0.min(0), by_move.1.max(0)),
            // Right loses beside 0. Beside k <= -1 he may move to G alone, and wins that way iff Left, starting, loses G; or by
            // a move in G. Left wins by a move in G or by going one up, to where Right, starting, loses: beside k >= right_to.
            (true, false) => {
                let right_to = if alone.0 { by_move.1.min(-1) } else { -1 };
                (by_move.0.min(right_to).min(0), right_to)
            }
            // The mirror image. Nobody's win, both false, would be G + far-star = 0.
            (false, _) => {
                let left_from = if alone.1 { by_move.0.max(1) } else { 1 };
                (left_from, by_move.1.max(left_from).max(0))
            }
        };
        Self { left_wins, right_wins, ups: BesideUps { left_from, right_to } }
    }

    /// Who wins beside ups and a far star, which is all that is needed of a game that is no option of another.
    #[must_use]
    pub fn ups(&self) -> BesideUps {
        self.ups
    }

    /// Whether Left wins when she starts, and whether Right wins when he starts, beside the nimber *m.
    #[must_use]
    pub fn nimber(&self, size: u64) -> (bool, bool) {
        (self.left_wins.bit(size), self.right_wins.bit(size))
    }
}

impl BesideUps {
    /// Whether Left wins when she starts, and whether Right wins when he starts, beside k·up·far-star.
    #[must_use]
    pub fn far_star(&self, ups: i64) -> (bool, bool) {
        (ups >= self.left_from, ups <= self.right_to)
    }

    /// The atomic weight, if it is an integer.
    #[must_use]
    pub fn integer_weight(&self) -> Option<i64> {
        (self.is_infinitesimal() && self.left_from == self.right_to).then_some(-self.left_from)
    }

    /// Whether both stops are 0.
    #[must_use]
    pub fn is_infinitesimal(&self) -> bool {
        self.left_from.abs() < INFINITE && self.right_to.abs() < INFINITE
    }
}

/// One more or one less than a threshold, if it is finite.
fn beyond(threshold: i64, step: i64) -> i64 {
    if threshold.abs() >= INFINITE { threshold } else { threshold + step }
}

/// Who wins beside nimbers, given where each of the two has a winning move in the game.
fn beside_nimbers(left: Row, right: Row) -> (Row, Row) {
    match (left.first_zero(), right.first_zero()) {
        (None, None) => (left, right),
        (None, Some(_)) => (Row::ones(), right),
        (Some(_), None) => (left, Row::ones()),
        (Some(l), Some(r)) if r < l => (Row::ones(), right),
        (Some(l), Some(r)) if l < r => (left, Row::ones()),
        (Some(zero), Some(_)) => (Row::ones_but(zero), Row::ones_but(zero)),
    }
}

/// Bits without end: words, the lowest bit first, and the last bit of the last word goes on forever.
#[derive(Clone, Debug)]
struct Row {
    first: u64,
    rest: Vec<u64>,
}

impl Row {
    fn zeros() -> Self {
        Self { first: 0, rest: Vec::new() }
    }

    fn ones() -> Self {
        Self { first: u64::MAX, rest: Vec::new() }
    }

    /// All ones except one bit.
    fn ones_but(zero: u64) -> Self {
        let mut row = Self::ones();
        // The bit after it is there, so that it is this one that goes on.
        let words = ((zero + 1) / 64) as usize;
        row.rest.resize(words, u64::MAX);
        *row.word_mut((zero / 64) as usize) &= !(1 << (zero % 64));
        row
    }

    fn word_mut(&mut self, index: usize) -> &mut u64 {
        if index == 0 { &mut self.first } else { &mut self.rest[index - 1] }
    }

    fn last(&self) -> u64 {
        self.rest.last().copied().unwrap_or(self.first)
    }

    /// The bit that goes on forever.
    fn forever(&self) -> bool {
        self.last() >> 63 == 1
    }

    fn fill(&self) -> u64 {
        if self.forever() { u64::MAX } else { 0 }
    }

    fn bit(&self, index: u64) -> bool {
        let word = match usize::try_from(index / 64) {
            Ok(0) => self.first,
            Ok(index) => self.rest.get(index - 1).copied().unwrap_or_else(|| self.fill()),
            Err(_) => self.fill(),
        };
        word >> (index % 64) & 1 == 1
    }

    /// Takes in the bits that the other one does not have.
    fn or_not(&mut self, other: &Self) {
        let (fill, other_fill) = (self.fill(), other.fill());
        self.first |= !other.first;
        if self.rest.is_empty() && other.rest.is_empty() {
            return;
        }
        let words = self.rest.len().max(other.rest.len());
        self.rest.resize(words, fill);
        for (index, word) in self.rest.iter_mut().enumerate() {
            *word |= !other.rest.get(index).copied().unwrap_or(other_fill);
        }
    }

    /// The least bit that is off; none if all are on.
    fn first_zero(&self) -> Option<u64> {
        let mut words = std::iter::once(&self.first).chain(&self.rest).zip((0u64..).step_by(64));
        // If the last bit is off, it is in the last word, and if it is on all further ones are.
        words.find(|(word, _)| **word != u64::MAX).map(|(word, start)| start + u64::from(word.trailing_ones()))
    }
}
