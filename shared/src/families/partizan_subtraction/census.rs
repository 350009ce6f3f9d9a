//! How claims fail, ruleset by ruleset: of how many rulesets, from which heap on, and by how much.
//!
//! A ruleset is counted once, in the shard that has the first heap where the claim speaks, and the first where it is wrong. So
//! that it does not matter how a ruleset is cut, a shard that begins in the middle of one first asks about the heaps before.

use crate::claim::Check;
use crate::value::ValueError;

use super::checker::held_against;
use super::claims::{Entry, Position, entries};
use super::quantity::Value;
use super::solved::Solved;

/// The largest number that has a label of its own.
const MOST: u64 = 100;

/// What the claims of a task have said about one ruleset so far.
pub struct Census {
    claims: Vec<usize>,
    first_heap: u64,
    /// Only for claims whose failures are counted.
    counts: Vec<Count>,
}

#[derive(Clone, Copy)]
struct Count {
    claim: usize,
    /// Heaps before this one have been asked about.
    next: u64,
    /// The first heap that it speaks about.
    first: Option<u64>,
    is_refuted: bool,
}

impl Census {
    /// Nothing asked yet, in a box whose heaps start with this one.
    pub fn new(claims: &[usize], first_heap: u64) -> Self {
        let is_counted = |claim: &&usize| entries().get(**claim).is_some_and(|entry| entry.census.is_some());
        let count = |claim: &usize| Count { claim: *claim, next: first_heap, first: None, is_refuted: false };
        Self { claims: claims.to_vec(), first_heap, counts: claims.iter().filter(is_counted).map(count).collect() }
    }

    /// Whether it is about these claims.
    pub fn is_of(&self, claims: &[usize]) -> bool {
        self.claims == claims
    }

    /// Takes in what a claim comes to at a heap, and says under which labels that is to be counted. Heaps that have not been
    /// asked about come first.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn note(&mut self, claim: usize, position: &Position, solved: &mut Solved) -> Result<Vec<String>, ValueError> {
        let (Some(entry), Some(count)) = (entries().get(claim), self.counts.iter_mut().find(|count| count.claim == claim)) else {
            return Ok(Vec::new());
        };
        let from = count.next.max(self.first_heap);
        for heap in from..position.heap {
            count.ask(entry, &position.at(heap), solved)?;
        }
        count.ask(entry, position, solved)
    }
}

impl Count {
    fn ask(&mut self, entry: &Entry, position: &Position, solved: &mut Solved) -> Result<Vec<String>, ValueError> {
        let heap = position.heap;
        self.next = self.next.max(heap + 1);
        let held = held_against(entry, position, None, solved)?;
        let mut labels = Vec::new();
        let (Some(census), true) = (entry.census, held.check != Check::Silent) else { return Ok(labels) };
        let head = format!("{}, {}", entry.claim.id, census(&position.support));
        labels.push(format!("{head}: heaps it speaks about"));
        let first = *self.first.get_or_insert(heap);
        if first == heap {
            labels.push(format!("{head}: rulesets it speaks about"));
        }
        if held.check != Check::Refuted {
            return Ok(labels);
        }
        if !self.is_refuted {
            self.is_refuted = true;
            labels.push(format!("{head}: rulesets where it is refuted"));
            let after = capped(heap - first);
            labels.push(format!("{head}: rulesets where it is refuted first {after} heaps after the first it speaks about"));
        }
        if let (Some(predicted), Some(actual)) = (held.predicted.as_ref().and_then(Value::integer_weight), held.actual) {
            labels.push(format!("{head}: heaps where the weight is {}", difference(predicted, &actual)));
        }
        Ok(labels)
    }
}

/// The actual weight by the predicted one.
fn difference(predicted: i64, actual: &Value) -> String {
    match actual.integer_weight().map(|actual| actual - predicted) {
        Some(less) if less < 0 => format!("{} less than predicted", capped(less.unsigned_abs())),
        Some(more) => format!("{} more than predicted", capped(more.unsigned_abs())),
        None => "no integer".to_owned(),
    }
}

/// A number, but for large ones that it is large: there are not to be as many labels as heaps.
fn capped(number: u64) -> String {
    if number > MOST { format!("more than {MOST}") } else { number.to_string() }
}
