//! How claims fail, ruleset by ruleset: of how many rulesets, from which heap on, and by how much.
//!
//! A ruleset is counted once, in the shard that has the first heap where the claim speaks, and the first where it is wrong. So
//! that it does not matter how a ruleset is cut, a shard that begins in the middle of one first asks about the heaps before.

use crate::claim::Prediction;
use crate::families::judge::weigh;
use crate::families::{Check, Entry, Judge};
use crate::value::ValueError;

use super::PartizanSubtraction;
use super::claims::View;
use super::counts::capped;
use super::quantity::Value;
use super::solved::{AtHeap, Solved};

/// What the claims whose failures are counted have said about one ruleset so far.
pub struct Census {
    counts: Vec<Count>,
}

#[derive(Clone, Copy)]
struct Count {
    /// The claim, by its index in [`Judge::claims`].
    claim: usize,
    /// Heaps before this one have been asked about.
    next: u64,
    /// The first heap that it speaks about.
    first: Option<u64>,
    is_refuted: bool,
}

impl Census {
    /// Nothing asked yet, in a box whose heaps start with this one.
    pub fn new(claims: &[(usize, &Entry<PartizanSubtraction>)], first_heap: u64) -> Self {
        let is_counted = |claim: &usize| claims[*claim].1.scope.as_ref().is_some_and(|scope| scope.census.is_some());
        let count = |claim| Count { claim, next: first_heap, first: None, is_refuted: false };
        Self { counts: (0..claims.len()).filter(is_counted).map(count).collect() }
    }

    /// Counts what the claims come to at a heap. Heaps that have not been asked about come first.
    ///
    /// # Errors
    /// [`ValueError`].
    pub fn note(&mut self, view: &View, solved: &mut Solved, judge: &mut Judge<'_, PartizanSubtraction>) -> Result<(), ValueError> {
        for count in &mut self.counts {
            let (_, entry) = judge.claims()[count.claim];
            for heap in count.next..view.heap {
                count.ask(entry, &view.at(heap), solved)?;
            }
            for label in count.ask(entry, view, solved)? {
                judge.collector().group(label);
            }
        }
        Ok(())
    }
}

impl Count {
    /// What a claim comes to at a heap, by the labels under which that is to be counted.
    fn ask(&mut self, entry: &Entry<PartizanSubtraction>, view: &View, solved: &mut Solved) -> Result<Vec<String>, ValueError> {
        let heap = view.heap;
        self.next = self.next.max(heap + 1);
        let mut labels = Vec::new();
        let census = entry.scope.as_ref().and_then(|scope| scope.census);
        let (Some(census), Some(support)) = (census, &view.support) else { return Ok(labels) };
        let Some(says) = entry.predict(view) else { return Ok(labels) };
        let found = weigh::<PartizanSubtraction, _>(&says, &mut AtHeap { solved, heap, outcome: None, one: None })?;
        if found.check == Check::Silent {
            return Ok(labels);
        }
        let head = format!("{}, {}", entry.claim.id, census(support));
        labels.push(format!("{head}: heaps it speaks about"));
        let first = *self.first.get_or_insert(heap);
        if first == heap {
            labels.push(format!("{head}: rulesets it speaks about"));
        }
        if found.check != Check::Refuted {
            return Ok(labels);
        }
        if !self.is_refuted {
            self.is_refuted = true;
            labels.push(format!("{head}: rulesets where it is refuted"));
            let after = capped(heap - first);
            labels.push(format!("{head}: rulesets where it is refuted first {after} heaps after the first it speaks about"));
        }
        let predicted = if let Prediction::Value(value) = &says { value.integer_weight() } else { None };
        if let (Some(predicted), Some(actual)) = (predicted, found.own) {
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
