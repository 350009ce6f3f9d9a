//! How claims fail, ruleset by ruleset: of how many rulesets, from which heap on, and by how much.
//!
//! A ruleset is counted once, in the shard that has the first heap where the claim speaks, and the first where it is wrong. So
//! that it does not matter how a ruleset is cut, a shard that begins in the middle of one first asks about the heaps before.

use crate::claim::Check;
use crate::value::ValueError;

use super::checker::held_against;
use super::claims::{Entry, Position, entries};
use super::quantity::Value;
use super::rules::Support;
use super::solved::Solved;

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
    spoke: Option<u64>,
    failed: Option<u64>,
}

impl Census {
    /// Nothing asked yet, in a box whose heaps start with this one.
    pub fn new(claims: &[usize], first_heap: u64) -> Self {
        let is_counted = |claim: &&usize| entries().get(**claim).is_some_and(|entry| entry.census.is_some());
        let count = |claim: &usize| Count { claim: *claim, next: first_heap, spoke: None, failed: None };
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
        let kind = |what: &str, Support { .. }: &Support| format!("{}, {}: {what}", entry.claim.id, census(&position.support));
        if self.spoke.is_none() {
            self.spoke = Some(heap);
            labels.push(kind("rulesets it speaks about", &position.support));
        }
        if held.check != Check::Refuted {
            return Ok(labels);
        }
        if self.failed.is_none() {
            self.failed = Some(heap);
            let after = heap - self.spoke.unwrap_or(heap);
            labels.push(kind("rulesets where it is wrong somewhere", &position.support));
            labels.push(kind(&format!("rulesets where it is wrong first at its heap {after} from its first on"), &position.support));
        }
        if let (Some(predicted), Some(actual)) = (held.predicted.as_ref().and_then(Value::integer_weight), held.actual) {
            let by = match actual.integer_weight() {
                Some(actual) => format!("heaps where the weight is the predicted one {:+}", actual - predicted),
                None => format!("heaps where the weight is no integer ({actual})"),
            };
            labels.push(kind(&by, &position.support));
        }
        Ok(labels)
    }
}
