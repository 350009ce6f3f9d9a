use std::collections::HashMap;

use serde_json::{Value, json};

use crate::claim::Prediction;
use crate::families::{Check, Confirmation, Counterexample, Reference};
use crate::value::Outcome;

use super::boxes::{Member, SubtractionBox};
use super::claims::{Entry, Position, entries};
use super::key::{self, Configuration};
use super::reference::ReferenceSolver;
use super::rules::{Ruleset, SubtractionSet};
use super::space::SubtractionSpace;

/// How many rulesets keep their solved heaps.
const MAX_SOLVERS: usize = 64;

/// Confirms counterexamples with the reference solver.
pub struct SubtractionReference {
    space: SubtractionSpace,
    solvers: HashMap<Ruleset, ReferenceSolver>,
}

impl SubtractionReference {
    /// A reference that has solved nothing yet.
    pub fn new(space: SubtractionSpace) -> Self {
        Self { space, solvers: HashMap::new() }
    }

    fn solver(&mut self, ruleset: &Ruleset) -> &mut ReferenceSolver {
        if self.solvers.len() >= MAX_SOLVERS && !self.solvers.contains_key(ruleset) {
            self.solvers.clear();
        }
        self.solvers.entry(ruleset.clone()).or_insert_with(|| ReferenceSolver::new(ruleset.clone()))
    }

    fn confirm_heap(&mut self, entry: &Entry, one: &SubtractionBox, member: &Member, heap: u64, actual: &str) -> Confirmation {
        let Some(support) = member.support else {
            return Confirmation::Disagrees(format!("{} is about full and truncated support alone", entry.claim.id));
        };
        let says = (entry.predict)(&Position { support, heap });
        let parameters = parameters(one, member, heap);
        let farthest = says.needs().iter().map(|position| position.heap).max().unwrap_or(0).max(heap);
        let stands = |actual: String, confirmed, witness, reason| {
            let predicted = says.predicted();
            Confirmation::Stands(Counterexample { parameters: parameters.clone(), predicted, actual, confirmed, witness, reason })
        };
        if let Some(reason) = ReferenceSolver::refuses(&member.ruleset, farthest) {
            return stands(actual.to_owned(), false, None, Some(reason));
        }
        let solver = self.solver(&member.ruleset);
        let outcome = solver.outcome(heap);
        let needed: Vec<Outcome> = says.needs().iter().map(|position| solver.outcome(position.heap)).collect();
        let found = says.actual(Some(&outcome), &needed);
        if says.check(Some(&outcome), &needed) != Check::Refuted || found != actual {
            let (claim, predicted) = (entry.claim.id, says.predicted());
            return Confirmation::Disagrees(format!(
                "{claim} at {parameters}: the solver says {actual}, the reference {found}, the claim '{predicted}'"
            ));
        }
        let about_play = matches!(says, Prediction::Value(_));
        let witness = about_play.then(|| witness(solver, &member.ruleset, heap));
        stands(found, true, witness, None)
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
        let (member, heap) = member(space.get(box_index)?, configuration);
        let ruleset = member?.ruleset;
        ReferenceSolver::refuses(&ruleset, heap).is_none().then(|| self.solver(&ruleset).outcome(heap).to_string())
    }
}

/// The ruleset and the heap of a configuration; no ruleset if the configuration is outside the box.
fn member(one: &SubtractionBox, configuration: Configuration) -> (Option<Member>, u64) {
    let (member, heap) = match configuration {
        Configuration::Support(support, heap) => (one.member_of(support), heap),
        Configuration::Heap(heap) => (one.own_member(), heap),
    };
    (member.filter(|_| (one.heap().low()..=one.heap().high()).contains(&heap)), heap)
}

/// A heap as reports show it: by a, b and tau where its box is given by them, else by the sets.
fn parameters(one: &SubtractionBox, member: &Member, heap: u64) -> Value {
    match member.support {
        Some(support) if one.is_by_parameters() => json!({ "a": support.a, "b": support.b, "tau": support.tau, "heap": heap }),
        _ => of_sets(&member.ruleset, heap),
    }
}

/// A heap of a pair of sets as reports show it.
pub fn of_sets(ruleset: &Ruleset, heap: u64) -> Value {
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
