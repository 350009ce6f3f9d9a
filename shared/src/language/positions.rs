//! Other positions of the same game: how an expression reaches them, and all that it may ask about them.
//!
//! An expression never sees a solver. It asks a [`Positions`] which positions there are and what they have under the names of the
//! vocabulary; whoever holds a claim against a position supplies one, made of a solver's values or of the reference's.

use crate::value::Games;

use super::value::{PositionId, PositionList, Reading, Reason};

/// Positions, as far as expressions may ask about them.
///
/// Positions are kept until they are released, the last ones first; those that a claim is held against are always there. What is
/// asked must not depend on the order of questions.
pub trait Positions {
    /// The position that the claim is held against, at a lane of a block; where there is one position, at lane 0.
    fn own(&mut self, lane: usize) -> PositionId;

    /// The position that has these values under some names and is else like another one. The names are those that
    /// [`super::Variable::is_set`] says may be set.
    ///
    /// # Errors
    /// [`Reason::NoPosition`] where no position has such values, [`Reason::LargePosition`].
    fn at(&mut self, of: PositionId, changes: &[(usize, i64)]) -> Result<PositionId, Reason>;

    /// How many positions a list has.
    ///
    /// # Errors
    /// Why there is no list.
    fn count(&mut self, list: PositionList) -> Result<u64, Reason>;

    /// The position of a list at an index that is less than its [`Positions::count`].
    ///
    /// # Errors
    /// Why there is no list.
    fn element(&mut self, list: PositionList, index: u64) -> Result<PositionId, Reason>;

    /// What a position has under a name; of a list of positions a [`super::Value::Positions`].
    fn read(&mut self, of: PositionId, variable: usize, games: &mut Games) -> Reading;

    /// A position as people see it.
    fn text(&mut self, of: PositionId) -> String;

    /// How many positions are kept.
    fn kept(&self) -> usize;

    /// Releases the positions that were made since so many were kept.
    fn release(&mut self, kept: usize);
}

/// No positions at all: for expressions that ask about none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Positions for Alone {
    fn own(&mut self, _lane: usize) -> PositionId {
        PositionId(0)
    }

    fn at(&mut self, _of: PositionId, _changes: &[(usize, i64)]) -> Result<PositionId, Reason> {
        Err(Reason::NoPosition)
    }

    fn count(&mut self, _list: PositionList) -> Result<u64, Reason> {
        Err(Reason::NoPosition)
    }

    fn element(&mut self, _list: PositionList, _index: u64) -> Result<PositionId, Reason> {
        Err(Reason::NoPosition)
    }

    fn read(&mut self, _of: PositionId, _variable: usize, _games: &mut Games) -> Reading {
        Reading::Undefined(Reason::NoPosition)
    }

    fn text(&mut self, _of: PositionId) -> String {
        "a position".to_owned()
    }

    fn kept(&self) -> usize {
        0
    }

    fn release(&mut self, _kept: usize) {}
}
