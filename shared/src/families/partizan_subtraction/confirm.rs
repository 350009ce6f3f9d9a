use serde_json::{Value as Json, json};

use crate::claim::Prediction;
use crate::families::legacy::{Check, Confirmation, Counterexample, Reference};
use crate::value::Outcome;

use super::boxes::{Member, SubtractionBox};
use super::checker::held_against;
use super::claims::{Entry, Position, entries};
use super::key::{self, Configuration};
use super::quantity::{Quantity, Value};
use super::reference::ReferenceSolver;
use super::reference_values::ReferenceValues;
use super::rules::{Ruleset, SubtractionSet};
use super::space::SubtractionSpace;

/// Confirms counterexamples with the reference.
pub struct SubtractionReference {
    space: SubtractionSpace,
    values: ReferenceValues,
}

impl SubtractionReference {
    /// A reference that has solved nothing yet.
    pub fn new(space: SubtractionSpace) -> Self {
        Self { space, values: ReferenceValues::new() }
    }

    fn confirm_heap(&mut self, entry: &Entry, one: &SubtractionBox, member: &Member, heap: u64, actual: &str) -> Confirmation {
        let Some(support) = member.support else {
            return Confirmation::Disagrees(format!("{} is about full and truncated support alone", entry.claim.id));
        };
        let position = Position { support, heap };
        let parameters = parameters(one, member, heap);
        let held = match held_against(entry, &position, None, &mut self.values) {
            Ok(held) => held,
            Err(error) => {
                let (predicted, actual) = ((entry.predict)(&position).predicted(), actual.to_owned());
                let reason = Some(format!("heap {heap} is too large for the reference: {error}"));
                return Confirmation::Stands(Counterexample { parameters, predicted, actual, confirmed: false, witness: None, reason });
            }
        };
        let (predicted, found) = (held.says.predicted(), held.says.actual(held.actual.as_ref(), &held.needed));
        if held.check != Check::Refuted || found != actual {
            let claim = entry.claim.id;
            return Confirmation::Disagrees(format!(
                "{claim} at {parameters}: the solver says {actual}, the reference {found}, the claim '{predicted}'"
            ));
        }
        // A line of play says why an outcome is what it is.
        let is_about_play = matches!(held.says, Prediction::Value(Value::Outcome(_)));
        let witness = is_about_play.then(|| witness(&mut ReferenceSolver::new((*member.ruleset).clone()), &member.ruleset, heap));
        Confirmation::Stands(Counterexample { parameters, predicted, actual: found, confirmed: true, witness, reason: None })
    }
}

impl Reference for SubtractionReference {
    fn confirm(&mut self, claim: usize, key: &[u8], actual: &str) -> Confirmation {
        let space = self.space.clone();
        let found = key::read(key).and_then(|(index, configuration)| Some((space.get(index)?, configuration)));
        let (Some(entry), Some((one, configuration))) = (entries().get(claim), found) else {
            return Confirmation::Disagrees(format!("no configuration of this space: claim {claim}, key {key:?}"));
        };
        let (member, heap) = member(one, configuration);
        match member {
            Some(member) => self.confirm_heap(entry, one, &member, heap, actual),
            None => Confirmation::Disagrees(format!("{} at {configuration:?}: outside its box", entry.claim.id)),
        }
    }

    fn value(&mut self, key: &[u8]) -> Option<String> {
        let space = self.space.clone();
        let (box_index, configuration) = key::read(key)?;
        let one = space.get(box_index)?;
        let (member, heap) = member(one, configuration);
        let ruleset = member?.ruleset;
        let mut value = |quantity: Quantity| self.values.value(&ruleset, heap, quantity).ok();
        let values = one.quantities().iter().map(&mut value).collect::<Option<Vec<_>>>()?;
        Some(Value::joined(&values))
    }
}

/// The ruleset and the heap of a configuration; no ruleset if the configuration is outside the box.
fn member(one: &SubtractionBox, configuration: Configuration) -> (Option<Member>, u64) {
    let (member, heap) = match configuration {
        Configuration::Support(support, heap) => (one.member_of(support), heap),
        Configuration::Heap(heap) => (one.own_member(), heap),
    };
    (member.filter(|(_, heaps)| heaps.contains(&heap)).map(|(member, _)| member), heap)
}

/// A heap as reports show it: by a, b and tau where its box is given by them, else by the sets.
fn parameters(one: &SubtractionBox, member: &Member, heap: u64) -> Json {
    match member.support {
        Some(support) if one.is_by_parameters() => json!({ "a": support.a, "b": support.b, "tau": support.tau, "heap": heap }),
        _ => of_sets(&member.ruleset, heap),
    }
}

/// A heap of a pair of sets as reports show it.
pub fn of_sets(ruleset: &Ruleset, heap: u64) -> Json {
    json!({ "left": ruleset.left.elements(), "right": ruleset.right.elements(), "heap": heap })
}

/// The heaps that a player who starts moves to and wins, smallest first.
pub fn winning_options(solver: &mut ReferenceSolver, set: &SubtractionSet, heap: u64, opponent_wins: [Outcome; 2]) -> Vec<u64> {
    let rests = set.elements().iter().rev().filter_map(|number| heap.checked_sub(u64::from(*number)));
    rests.filter(|rest| !opponent_wins.contains(&solver.outcome(*rest))).collect()
}

/// Why a heap has its outcome: for each player who starts, a winning move or that there is none.
fn witness(solver: &mut ReferenceSolver, ruleset: &Ruleset, heap: u64) -> String {
    let mut says =
        |player: &str, set: &SubtractionSet, opponent_wins| match (winning_options(solver, set, heap, opponent_wins).first(), set.ends().0)
        {
            (Some(rest), _) => format!("{player}, starting, removes {} to heap {rest} and wins", heap - rest),
            (None, least) if u64::from(least) > heap => format!("{player}, starting, has no move"),
            (None, _) => format!("{player}, starting, loses: each move is answered"),
        };
    let left = says("Left", &ruleset.left, [Outcome::R, Outcome::N]);
    let right = says("Right", &ruleset.right, [Outcome::L, Outcome::N]);
    format!("{left}; {right}")
}
