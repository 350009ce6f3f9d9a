//! Other positions for claims of a manifest: made of what a family knows of its positions, and of the values of a solver or of the
//! reference.

use std::cell::OnceCell;

use crate::language::{PositionId, PositionList, Positions, Reading, Reason, Value};
use crate::value::Games;

use super::names::{Around, Names, Read};
use super::{Answers, Game};

/// The positions around one that a claim is held against.
pub struct Others<'a, G: Game, A: Answers<G> + ?Sized> {
    names: &'a Names<G>,
    answers: &'a mut A,
    /// The first is the position itself.
    places: Vec<Place<G>>,
    /// The first value that could not be worked out: what was found since means nothing.
    error: Option<A::Error>,
}

/// A position, and how claims see it.
struct Place<G: Game> {
    position: G::Position,
    view: OnceCell<Option<G::View>>,
}

impl<G: Game> Place<G> {
    fn new(position: G::Position) -> Self {
        Self { position, view: OnceCell::new() }
    }

    fn view(&self) -> Option<&G::View> {
        self.view.get_or_init(|| G::view(&self.position)).as_ref()
    }
}

impl<'a, G: Game, A: Answers<G> + ?Sized> Others<'a, G, A> {
    /// The positions around one as claims see it.
    pub fn new(names: &'a Names<G>, view: &G::View, answers: &'a mut A) -> Self {
        let own = answers.position().or_else(|| G::position(view));
        Self { names, answers, places: own.map(Place::new).into_iter().collect(), error: None }
    }

    /// What was found with it, unless some value could not be worked out.
    ///
    /// # Errors
    /// The first value that could not.
    pub fn finish<T>(self, found: T) -> Result<T, A::Error> {
        self.error.map_or(Ok(found), Err)
    }

    fn place(&self, of: PositionId) -> Result<&Place<G>, Reason> {
        self.places.get(of.0 as usize).ok_or(Reason::NoPosition)
    }

    fn push(&mut self, position: G::Position) -> PositionId {
        self.places.push(Place::new(position));
        // An expression has far fewer positions at a time.
        PositionId((self.places.len() - 1) as u32)
    }

    /// A value of a position; without one, why.
    fn value(&mut self, of: PositionId, asked: &G::Value) -> Result<G::Value, Reason> {
        let place = self.places.get(of.0 as usize).ok_or(Reason::NoPosition)?;
        let found = match of.0 {
            0 => self.answers.own(asked).map(|value| value.ok_or(Reason::Unknown)),
            _ => self.answers.other(&place.position, asked),
        };
        found.unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            Err(Reason::Unknown)
        })
    }

    /// Asks a list of positions something.
    fn listed<T>(
        &mut self,
        list: PositionList,
        ask: impl FnOnce(&super::names::Listed<G>, &Around<'_, G>) -> Option<T>,
    ) -> Result<T, Reason> {
        let names = self.names;
        let Some(Read::Positions(listed)) = names.reads.get(list.variable) else { return Err(Reason::NoName) };
        let answer = listed.asked.as_ref().map(|asked| self.value(list.of, asked)).transpose()?;
        let around = Around { position: &self.place(list.of)?.position, one: self.answers.one(), answer };
        ask(listed, &around).ok_or(Reason::NoName)
    }
}

impl<G: Game, A: Answers<G> + ?Sized> Positions for Others<'_, G, A> {
    fn own(&mut self, _lane: usize) -> PositionId {
        PositionId(0)
    }

    fn at(&mut self, of: PositionId, changes: &[(usize, i64)]) -> Result<PositionId, Reason> {
        let variables = self.names.vocabulary.variables();
        let named = changes.iter().map(|(index, value)| Some((variables.get(*index)?.name.as_str(), *value)));
        let named = named.collect::<Option<Vec<_>>>().ok_or(Reason::NoPosition)?;
        let position = G::at(&self.place(of)?.position, &named)?;
        Ok(self.push(position))
    }

    fn count(&mut self, list: PositionList) -> Result<u64, Reason> {
        self.listed(list, |listed, around| (listed.count)(around))
    }

    fn element(&mut self, list: PositionList, index: u64) -> Result<PositionId, Reason> {
        let position = self.listed(list, |listed, around| (listed.element)(around, index))?;
        Ok(self.push(position))
    }

    fn read(&mut self, of: PositionId, variable: usize, games: &mut Games) -> Reading {
        let names = self.names;
        match names.reads.get(variable) {
            Some(Read::Position(read)) => match self.place(of).map(Place::view) {
                Ok(Some(view)) => read(view),
                Ok(None) => Reading::Absent,
                Err(reason) => Reading::Undefined(reason),
            },
            Some(Read::Solved { asked, read }) => match (self.value(of, asked), self.place(of).map(Place::view)) {
                (Ok(value), Ok(Some(view))) => read(view, &value, games),
                (Ok(_), Ok(None)) => Reading::Absent,
                (Err(reason), _) | (_, Err(reason)) => Reading::Undefined(reason),
            },
            Some(Read::Positions(_)) => {
                let list = PositionList { of, variable };
                match self.count(list) {
                    Ok(_) => Value::Positions(list).into(),
                    Err(Reason::NoName) => Reading::Absent,
                    Err(reason) => Reading::Undefined(reason),
                }
            }
            Some(Read::Whole(_)) | None => Reading::Absent,
        }
    }

    fn text(&mut self, of: PositionId) -> String {
        let Ok(place) = self.place(of) else { return "a position".to_owned() };
        // By the names that say which position it is, where there are any.
        let mut shown = Vec::new();
        for (variable, read) in self.names.vocabulary.variables().iter().zip(&self.names.reads) {
            let (true, Read::Position(read), Some(view)) = (variable.is_set, read, place.view()) else { continue };
            if let Reading::Value(Value::Integer(integer)) = read(view) {
                shown.push(format!("{} = {integer}", variable.name));
            }
        }
        if shown.is_empty() { G::to_json(&place.position).to_string() } else { shown.join(", ") }
    }

    fn kept(&self) -> usize {
        self.places.len()
    }

    fn release(&mut self, kept: usize) {
        // The position itself stays.
        self.places.truncate(kept.max(1));
    }
}
