//! Confirms counterexamples: each is judged again on values of the reference alone.

use crate::claim::{Check, Prediction};
use crate::language::{Reading, Reason};
use serde_json::Value;

use super::judge::{split_key, weigh};
use super::{Answers, Confirmation, Counterexample, Entry, Game, GameBox, GameReference, GameSpace, Predicate, Reference, TooLarge};

/// The reference of a family, asked about the configurations of one space.
pub struct Confirmer<G: Game> {
    space: GameSpace<G>,
    reference: G::Reference,
}

/// The reference at one position.
pub struct AtPosition<'a, G: Game> {
    /// The reference.
    pub reference: &'a mut G::Reference,
    /// The position.
    pub position: &'a G::Position,
    /// The box, where claims are about a whole of its positions.
    pub one: Option<&'a G::Box>,
}

impl<G: Game> Answers<G> for AtPosition<'_, G> {
    type Error = TooLarge;

    fn own(&mut self, predicted: &G::Value) -> Result<Option<G::Value>, TooLarge> {
        self.reference.own(self.position, predicted)
    }

    fn answer(&mut self, question: &G::Question) -> Result<G::Value, TooLarge> {
        self.reference.answer(question)
    }

    fn other(&mut self, position: &G::Position, asked: &G::Value) -> Result<Result<G::Value, Reason>, TooLarge> {
        Ok(self.reference.own(position, asked)?.ok_or(Reason::Unknown))
    }

    fn position(&self) -> Option<G::Position> {
        Some(self.position.clone())
    }

    fn one(&self) -> Option<&G::Box> {
        self.one
    }

    fn whole(&mut self, name: &str) -> Result<Reading, TooLarge> {
        match self.one {
            Some(one) => self.reference.whole(one, self.position, name),
            None => Ok(Reading::Absent),
        }
    }
}

impl<G: Game> Confirmer<G> {
    /// A confirmer that has solved nothing yet.
    pub(super) fn new(space: GameSpace<G>) -> Self {
        Self { space, reference: G::Reference::default() }
    }

    fn confirm_position(
        &mut self,
        entry: &Entry<G>,
        (one, position): (&G::Box, &G::Position),
        view: &G::View,
        actual: &str,
    ) -> Confirmation {
        let parameters = G::to_json(position);
        let Some(says) = entry.predict(view) else { return self.confirm_stated(entry, (one, position), view, (Check::Refuted, actual)) };
        let predicted = says.predicted();
        let weighed = match weigh(&says, &mut AtPosition::<G> { reference: &mut self.reference, position, one: None }) {
            Ok(weighed) => weighed,
            Err(TooLarge(reason)) => {
                let (actual, reason) = (actual.to_owned(), Some(reason));
                return Confirmation::Stands(Counterexample {
                    parameters,
                    predicted,
                    actual,
                    confirmed: false,
                    witness: None,
                    reason,
                    subexpressions: Vec::new(),
                });
            }
        };
        let found = says.actual(weighed.own.as_ref(), &weighed.needed);
        if weighed.check != Check::Refuted || found != actual {
            let claim = &entry.claim.id;
            return Confirmation::Disagrees(format!(
                "{claim} at {parameters}: the solver says {actual}, the reference {found}, the claim '{predicted}'"
            ));
        }
        let witness = if is_about_play(&says) { self.reference.witness(position, &says) } else { None };
        let subexpressions = Vec::new();
        Confirmation::Stands(Counterexample {
            parameters,
            predicted,
            actual: found,
            confirmed: true,
            witness,
            reason: None,
            subexpressions,
        })
    }

    /// Holds a claim that the manifest states against a position again: that it is refuted there, or not defined.
    fn confirm_stated(
        &mut self,
        entry: &Entry<G>,
        (one, position): (&G::Box, &G::Position),
        view: &G::View,
        (check, actual): (Check, &str),
    ) -> Confirmation {
        let Predicate::Stated(stated) = &entry.predicate else {
            return Confirmation::Disagrees(format!("{} is defined everywhere", entry.claim.id));
        };
        let parameters = if stated.is_about_whole() { G::whole_to_json(one, position) } else { G::to_json(position) };
        let unconfirmed = |parameters: Value, reason: String| {
            let (predicted, actual, subexpressions) = (String::new(), actual.to_owned(), Vec::new());
            let (confirmed, witness, reason) = (false, None, Some(reason));
            Confirmation::Stands(Counterexample { parameters, predicted, actual, confirmed, witness, reason, subexpressions })
        };
        // What is too large for the solver is so for the box that it solves, and the reference knows of no such bound.
        if (check == Check::Undefined || stated.is_printed()) && actual.ends_with(&Reason::LargePosition.to_string()) {
            return unconfirmed(parameters, Reason::LargePosition.to_string());
        }
        let mut answers = AtPosition::<G> { reference: &mut self.reference, position, one: Some(one) };
        let found = stated.find(view, &mut answers).and_then(|found| Ok((found, stated.parts(view, &mut answers)?)));
        let (found, subexpressions) = match found {
            Ok(found) => found,
            Err(TooLarge(reason)) => return unconfirmed(parameters, reason),
        };
        if found.check != check || found.actual != actual {
            let claim = &entry.claim.id;
            return Confirmation::Disagrees(format!(
                "{claim} at {parameters}: the solver says {} ({actual}), the reference {} ({})",
                check.word(),
                found.check.word(),
                found.actual
            ));
        }
        let witness = found.own.map(Prediction::Value).filter(|_| check == Check::Refuted);
        let witness = witness.and_then(|says| self.reference.witness(position, &says));
        let (predicted, actual) = (found.predicted, found.actual);
        Confirmation::Stands(Counterexample { parameters, predicted, actual, confirmed: true, witness, reason: None, subexpressions })
    }
}

/// Whether any value decides what a prediction comes to.
fn is_about_play<P, V: PartialEq + std::fmt::Display>(says: &Prediction<P, V>) -> bool {
    matches!(says, Prediction::Value(_)) || !says.needs().is_empty()
}

impl<G: Game> Reference for Confirmer<G> {
    fn confirm(&mut self, claim: usize, key: &[u8], actual: &str) -> Confirmation {
        let space = self.space.clone();
        let found = split_key(key).and_then(|(index, within)| {
            let one = space.get(index)?;
            Some((index, one, one.position(within)?))
        });
        // Behind the claims stand those again that the manifest states, for what is not defined.
        let (place, check) = match claim.checked_sub(space.entries().len()) {
            Some(place) => (place, Check::Undefined),
            None => (claim, Check::Refuted),
        };
        let (Some(entry), Some((box_index, one, position))) = (space.entries().get(place), found) else {
            return Confirmation::Disagrees(format!("no configuration of this space: claim {claim}, key {key:?}"));
        };
        match G::view(&position).filter(|_| entry.can_speak(one)) {
            Some(view) if check == Check::Undefined => self.confirm_stated(entry, (one, &position), &view, (check, actual)),
            Some(view) => self.confirm_position(entry, (one, &position), &view, actual),
            None => Confirmation::Disagrees(format!("{} cannot speak about box {box_index}", entry.claim.id)),
        }
    }

    fn value(&mut self, key: &[u8]) -> Option<String> {
        let (box_index, within) = split_key(key)?;
        let one = self.space.get(box_index)?;
        let position = one.position(within)?;
        self.reference.kept(one, &position)
    }
}
