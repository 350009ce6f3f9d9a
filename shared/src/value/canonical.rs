//! Brings a game to canonical form: leaves out dominated options and bypasses reversible ones (Siegel, Theorems II.2.4 and
//! II.2.5).

use super::games::SCRATCH;
use super::{GameId, Games, ValueError};

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Games {
    /// The game {left | right} in canonical form: dominated options are left out and reversible ones bypassed, until there are
    /// none (Siegel, Theorems II.2.4 and II.2.5).
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn canonical(&mut self, left: &[GameId], right: &[GameId]) -> Result<GameId, ValueError> {
        // Leaving out dominated options first changes no value, and there is less to compare with.
        let left = self.undominated(left.to_vec(), Side::Left)?;
        let right = self.undominated(right.to_vec(), Side::Right)?;
        self.scratch_order.clear();
        self.scratch = [left, right];
        // Bypassing changes no value, so that all options can be held against the same form.
        let left = self.bypassed(Side::Left)?;
        let right = self.bypassed(Side::Right)?;
        let left = self.undominated(left, Side::Left)?;
        let right = self.undominated(right, Side::Right)?;
        self.insert(left, right)
    }

    /// The options without those that another one dominates, each once.
    fn undominated(&mut self, mut options: Vec<GameId>, side: Side) -> Result<Vec<GameId>, ValueError> {
        options.sort_unstable();
        options.dedup();
        let mut kept = Vec::with_capacity(options.len());
        for option in &options {
            self.spend(options.len())?;
            let mut is_dominated = false;
            for other in options.iter().filter(|other| *other != option) {
                is_dominated |= match side {
                    Side::Left => self.at_most(*option, *other)?,
                    Side::Right => self.at_most(*other, *option)?,
                };
                if is_dominated {
                    break;
                }
            }
            if !is_dominated {
                kept.push(*option);
            }
        }
        Ok(kept)
    }

    /// The options of the form at hand, each reversible one replaced by what it leads to, until none is reversible.
    ///
    /// A Left option G^L is reversible through G^LR <= G, and then the Left options of G^LR stand in its place.
    fn bypassed(&mut self, side: Side) -> Result<Vec<GameId>, ValueError> {
        let mut waiting = self.options(SCRATCH, side).to_vec();
        let mut kept = Vec::new();
        while let Some(option) = waiting.pop() {
            let answers = self.options(option, side.other()).to_vec();
            self.spend(1 + answers.len())?;
            let mut through = None;
            for answer in answers {
                let reverses = match side {
                    Side::Left => self.at_most(answer, SCRATCH)?,
                    Side::Right => self.at_most(SCRATCH, answer)?,
                };
                if reverses {
                    through = Some(answer);
                    break;
                }
            }
            match through {
                Some(answer) => waiting.extend_from_slice(self.options(answer, side).to_vec().as_slice()),
                None => kept.push(option),
            }
        }
        Ok(kept)
    }

    fn options(&self, game: GameId, side: Side) -> &[GameId] {
        match side {
            Side::Left => self.left(game),
            Side::Right => self.right(game),
        }
    }
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}
