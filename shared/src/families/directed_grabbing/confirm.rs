use crate::claim::Prediction;
use crate::families::legacy::{Check, Confirmation, Counterexample, Reference};

use super::claims::{Entry, Says, entries};
use super::key::{self, Configuration};
use super::notation::play_in_words;
use super::reference::ReferenceSolver;
use super::rules::Position;
use super::space::GrabbingSpace;

/// Confirms counterexamples with the reference solver.
pub struct GrabbingReference {
    space: GrabbingSpace,
}

impl GrabbingReference {
    /// A reference over these boxes.
    pub fn new(space: GrabbingSpace) -> Self {
        Self { space }
    }

    /// The configuration of a key, if it is one of this space.
    fn configuration(&self, key: &[u8]) -> Option<Configuration> {
        let (box_index, configuration) = key::read(key)?;
        self.space.get(box_index)?.contains(&configuration).then_some(configuration)
    }
}

/// The values of the positions that a prediction needs, by the reference.
///
/// # Errors
/// A sentence, where one of them is too large for it.
pub fn needed(says: &Says) -> Result<Vec<i64>, String> {
    says.needs().iter().map(|position| ReferenceSolver::new(position).value()).collect()
}

impl Reference for GrabbingReference {
    fn confirm(&mut self, claim: usize, key: &[u8], actual: &str) -> Confirmation {
        let found = self.configuration(key).and_then(|configuration| Some((configuration.position().ok()?, configuration)));
        let (Some(entry), Some((position, configuration))) = (entries().get(claim), found) else {
            return Confirmation::Disagrees(format!("no configuration of this space: claim {claim}, key {key:?}"));
        };
        confirm(entry, &configuration, &position, actual)
    }

    fn value(&mut self, key: &[u8]) -> Option<String> {
        let position = self.configuration(key)?.position().ok()?;
        ReferenceSolver::new(&position).value().ok().map(|value| value.to_string())
    }
}

fn confirm(entry: &Entry, configuration: &Configuration, position: &Position, actual: &str) -> Confirmation {
    let notation = configuration.notation();
    let parameters = notation.parameters(position, position.graph.all());
    let says = entry.predict(position);
    let stands = |actual: String, confirmed, witness, reason| {
        let predicted = says.predicted();
        Confirmation::Stands(Counterexample { parameters: parameters.clone(), predicted, actual, confirmed, witness, reason })
    };
    let mut solver = ReferenceSolver::new(position);
    let (value, needed) = match (solver.value(), needed(&says)) {
        (Ok(value), Ok(needed)) => (value, needed),
        (Err(reason), _) | (_, Err(reason)) => return stands(actual.to_owned(), false, None, Some(reason)),
    };
    let found = says.actual(Some(&value), &needed);
    if says.check(Some(&value), &needed) != Check::Refuted || found != actual {
        let (claim, predicted) = (entry.claim.id, says.predicted());
        return Confirmation::Disagrees(format!(
            "{claim} at {parameters}: the solver says {actual}, the reference {found}, the claim '{predicted}'"
        ));
    }
    let about_play = matches!(says, Prediction::Value(_)) || !needed.is_empty();
    let play = solver.play().ok().filter(|_| about_play);
    let witness = play.map(|play| format!("val is {value}; an optimal play: {}", play_in_words(&notation, position, &play)));
    stands(found, true, witness, None)
}
