//! What the fast evaluator reads and makes: the columns of a block, the lanes that are looked at, and the vector that an
//! expression has there.

use std::ops::Range;

use crate::language::value::{Reading, Value};
use crate::value::Outcome;

/// A variable at the positions of a block.
#[derive(Clone, Debug)]
pub enum Column<'a> {
    /// The same at all of them. What is absent is absent at all of them.
    Constant(Reading),
    /// A whole number that goes up by one from each to the next. Conditions that compare it with constants leave a window of the
    /// block in which alone something is worked out.
    Counting {
        /// At the first one.
        first: i64,
    },
    /// Whole numbers.
    Integers(&'a [i64]),
    /// True or false.
    Booleans(&'a [bool]),
    /// Outcome classes, a byte each.
    Outcomes(&'a [Outcome]),
    /// Whatever else: games, lists, values that are not there at some. The slowest kind.
    Readings(&'a [Reading]),
}

impl Column<'_> {
    /// The same whole number at all positions.
    #[must_use]
    pub fn constant(integer: i64) -> Self {
        Self::Constant(Reading::Value(Value::Integer(integer)))
    }

    /// Whether it is the same at all positions.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_))
    }
}

/// Positions side by side.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    pub(super) lanes: usize,
    pub(super) columns: &'a [Column<'a>],
}

impl<'a> Block<'a> {
    /// So many positions, with a column for each variable of the vocabulary, by index. Only those that a claim uses are looked at.
    ///
    /// # Panics
    /// If there are 2^32 positions or more, or if a column is shorter than that.
    #[must_use]
    pub fn new(lanes: usize, columns: &'a [Column<'a>]) -> Self {
        assert!(u32::try_from(lanes).is_ok(), "a block of {lanes} positions");
        for column in columns {
            let length = match column {
                Column::Constant(_) | Column::Counting { .. } => lanes,
                Column::Integers(slice) => slice.len(),
                Column::Booleans(slice) => slice.len(),
                Column::Outcomes(slice) => slice.len(),
                Column::Readings(slice) => slice.len(),
            };
            assert!(length >= lanes, "a column of {length} for {lanes} positions");
        }
        Self { lanes, columns }
    }
}

/// The lanes of a block that are looked at.
#[derive(Clone, Debug)]
pub enum Selection<'s> {
    /// Those of a range.
    Window(Range<usize>),
    /// Those with these numbers.
    Lanes(&'s [u32]),
}

impl Selection<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Window(range) => range.len(),
            Self::Lanes(lanes) => lanes.len(),
        }
    }

    /// The lane of the block that is the one of this number.
    pub fn lane(&self, index: usize) -> usize {
        match self {
            Self::Window(range) => range.start + index,
            Self::Lanes(lanes) => lanes[index] as usize,
        }
    }

    /// Does something for each of them, in order.
    pub fn each(&self, mut act: impl FnMut(usize)) {
        match self {
            Self::Window(range) => range.clone().for_each(act),
            Self::Lanes(lanes) => lanes.iter().for_each(|lane| act(*lane as usize)),
        }
    }
}

/// What an expression has at the lanes that are looked at. At lanes where nobody asked for it, it may be anything.
#[derive(Clone, Debug)]
pub enum Vector<'a> {
    /// Every lane that was asked for is dead, or there was none.
    Dead,
    /// The same whole number at all lanes.
    Integer(i64),
    /// Whole numbers of a column.
    Slice(&'a [i64]),
    /// Whole numbers that were worked out.
    Integers(Vec<i64>),
    /// True or false at all lanes.
    Boolean(bool),
    /// A byte each: 1 for true.
    Booleans(Vec<u8>),
    /// Outcome classes of a column.
    Outcomes(&'a [Outcome]),
    /// Outcome classes that were worked out.
    Classes(Vec<Outcome>),
    /// Any other value at all lanes, outcome classes among them.
    Value(Value),
    /// Any values.
    Values(Vec<Value>),
}

impl Vector<'_> {
    /// A value that is the same at all lanes.
    pub fn constant(value: Value) -> Self {
        match value {
            Value::Integer(integer) => Self::Integer(integer),
            Value::Boolean(boolean) => Self::Boolean(boolean),
            other => Self::Value(other),
        }
    }

    /// The value, if it is the same at all lanes.
    pub fn as_constant(&self) -> Option<Value> {
        match self {
            Self::Integer(integer) => Some(Value::Integer(*integer)),
            Self::Boolean(boolean) => Some(Value::Boolean(*boolean)),
            Self::Value(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// The value at a lane; of nothing some value.
    pub fn at(&self, lane: usize) -> Value {
        let found = match self {
            Self::Slice(integers) => integers.get(lane).copied().map(Value::Integer),
            Self::Integers(integers) => integers.get(lane).copied().map(Value::Integer),
            Self::Booleans(bytes) => bytes.get(lane).map(|byte| Value::Boolean(*byte != 0)),
            Self::Outcomes(outcomes) => outcomes.get(lane).copied().map(Value::Outcome),
            Self::Classes(outcomes) => outcomes.get(lane).copied().map(Value::Outcome),
            Self::Values(values) => values.get(lane).cloned(),
            constant => constant.as_constant(),
        };
        found.unwrap_or(Value::Integer(0))
    }

    /// The whole numbers, if they are.
    pub fn integers(&self) -> Option<Several<'_, i64>> {
        match self {
            Self::Integer(integer) => Some(Several::Same(*integer)),
            Self::Slice(integers) => Some(Several::Each(integers)),
            Self::Integers(integers) => Some(Several::Each(integers)),
            _ => None,
        }
    }

    /// The outcome classes, if they are.
    pub fn outcomes(&self) -> Option<Several<'_, Outcome>> {
        match self {
            Self::Value(Value::Outcome(outcome)) => Some(Several::Same(*outcome)),
            Self::Outcomes(outcomes) => Some(Several::Each(outcomes)),
            Self::Classes(outcomes) => Some(Several::Each(outcomes)),
            _ => None,
        }
    }

    /// 1 for true and 0 for false, if they are.
    pub fn bytes(&self) -> Option<Several<'_, u8>> {
        match self {
            Self::Boolean(boolean) => Some(Several::Same(u8::from(*boolean))),
            Self::Booleans(bytes) => Some(Several::Each(bytes)),
            _ => None,
        }
    }
}

/// Something plain at the lanes.
#[derive(Clone, Copy, Debug)]
pub enum Several<'v, T> {
    /// The same at all.
    Same(T),
    /// One each.
    Each(&'v [T]),
}

impl<T: Copy> Several<'_, T> {
    /// What is at a lane.
    pub fn at(self, lane: usize) -> T {
        match self {
            Self::Same(same) => same,
            Self::Each(each) => each[lane],
        }
    }

    /// Whether it is the same at all lanes.
    pub fn is_same(self) -> bool {
        matches!(self, Self::Same(_))
    }

    /// Adds what a function makes of two operands at each lane; where both are the same at all lanes, once.
    pub fn zip<M>(self, other: Several<'_, T>, out: &mut Vec<M>, mut make: impl FnMut(T, T) -> M) {
        match (self, other) {
            (Self::Same(one), Several::Same(other)) => out.push(make(one, other)),
            (Self::Same(one), Several::Each(other)) => out.extend(other.iter().map(|other| make(one, *other))),
            (Self::Each(one), Several::Same(other)) => out.extend(one.iter().map(|one| make(*one, other))),
            (Self::Each(one), Several::Each(other)) => out.extend(one.iter().zip(other).map(|(one, other)| make(*one, *other))),
        }
    }

    /// Adds at each lane what the first has where the byte is 1, and else what the second has.
    pub fn blend(self, other: Several<'_, T>, bytes: &[u8], out: &mut Vec<T>) {
        match (self, other) {
            (Self::Same(one), Several::Same(other)) => out.extend(bytes.iter().map(|byte| if *byte != 0 { one } else { other })),
            (one, other) => out.extend(bytes.iter().enumerate().map(|(lane, byte)| if *byte != 0 { one.at(lane) } else { other.at(lane) })),
        }
    }
}
