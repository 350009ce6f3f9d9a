//! Positions for tests: three numbers a, b and c, and everything else follows from them.

use crate::language::{PositionId, PositionList, Positions, Reading, Reason, Type, Value, Vocabulary};
use crate::value::{Games, Outcome};

/// A position, by a, b and c.
pub type Place = [i64; 3];

/// The positions around some, side by side.
pub struct Board<'v> {
    vocabulary: &'v Vocabulary,
    own: Vec<Place>,
    made: Vec<Place>,
    /// The most positions that were made at a time.
    pub most: usize,
}

/// The largest number that a position may have.
const LARGEST: i64 = 1_000_000;

impl<'v> Board<'v> {
    /// The positions around these.
    pub fn new(vocabulary: &'v Vocabulary, own: Vec<Place>) -> Self {
        Self { vocabulary, own, made: Vec::new(), most: 0 }
    }

    fn place(&self, of: PositionId) -> Place {
        let number = of.0 as usize;
        match number.checked_sub(self.own.len()) {
            None => self.own[number],
            Some(made) => self.made[made],
        }
    }

    fn push(&mut self, place: Place) -> PositionId {
        self.made.push(place);
        self.most = self.most.max(self.made.len());
        PositionId((self.own.len() + self.made.len() - 1) as u32)
    }

    fn name(&self, variable: usize) -> &'v str {
        &self.vocabulary.variables()[variable].name
    }
}

/// A small number that depends on all of a position.
fn mixed([a, b, c]: Place) -> i64 {
    a.wrapping_mul(7).wrapping_add(b.wrapping_mul(3)).wrapping_add(c).rem_euclid(101)
}

impl Positions for Board<'_> {
    fn own(&mut self, lane: usize) -> PositionId {
        PositionId(lane as u32)
    }

    fn at(&mut self, of: PositionId, changes: &[(usize, i64)]) -> Result<PositionId, Reason> {
        let mut place = self.place(of);
        for (variable, value) in changes {
            let index = ["a", "b", "c"].iter().position(|name| *name == self.name(*variable)).ok_or(Reason::NoName)?;
            match *value {
                -9..=LARGEST => place[index] = *value,
                ..-9 => return Err(Reason::NoPosition),
                _ => return Err(Reason::LargePosition),
            }
        }
        Ok(self.push(place))
    }

    fn count(&mut self, list: PositionList) -> Result<u64, Reason> {
        let place = self.place(list.of);
        match (self.name(list.variable), mixed(place)) {
            ("options", mixed) => Ok(mixed as u64 % 4),
            (_, mixed @ 0..=80) => Ok(mixed as u64 % 3),
            _ => Err(Reason::GameSize),
        }
    }

    fn element(&mut self, list: PositionList, index: u64) -> Result<PositionId, Reason> {
        let [a, b, c] = self.place(list.of);
        let index = index as i64;
        let place = if self.name(list.variable) == "options" { [a / 2, b / 2 - index, c] } else { [index, a % 10, b % 10] };
        Ok(self.push(place))
    }

    fn read(&mut self, of: PositionId, variable: usize, games: &mut Games) -> Reading {
        let place = self.place(of);
        let ([a, b, c], mixed) = (place, mixed(place));
        let outcome = [Outcome::P, Outcome::N, Outcome::L, Outcome::R][mixed as usize % 4];
        let of_type = &self.vocabulary.variables()[variable].of;
        match (self.name(variable), of_type) {
            (_, _) if mixed == 100 => Reading::Undefined(Reason::NoAtomicWeight),
            ("a", _) => Value::Integer(a).into(),
            ("b", _) => Value::Integer(b).into(),
            ("c", _) => Value::Integer(c).into(),
            ("z", _) => Reading::Absent,
            ("best", _) if mixed > 95 => Reading::Absent,
            (_, Type::Integer) => Value::Integer(mixed - 5).into(),
            (_, Type::Boolean) => Value::Boolean(mixed % 3 == 0).into(),
            (_, Type::Outcome) => Value::Outcome(outcome).into(),
            (_, Type::Game) => Value::Game(games.parse(["0", "*", "^", "{2|-1}", "3"][mixed as usize % 5]).unwrap()).into(),
            (_, Type::Set(_)) => Value::set_of([a % 7, mixed]).into(),
            (_, Type::List(element)) if **element == Type::Position => Value::Positions(PositionList { of, variable }).into(),
            (_, Type::List(element)) if **element == Type::Integer => Value::list_of([a % 5, mixed % 9]).into(),
            (_, Type::List(_)) => Value::List([Value::Game(games.parse("*").unwrap())].into()).into(),
            _ => Reading::Absent,
        }
    }

    fn text(&mut self, of: PositionId) -> String {
        let [a, b, c] = self.place(of);
        format!("a = {a}, b = {b}, c = {c}")
    }

    fn kept(&self) -> usize {
        self.made.len()
    }

    fn release(&mut self, kept: usize) {
        self.made.truncate(kept);
    }
}
