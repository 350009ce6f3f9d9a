use std::ops::Range;

use crate::claim::Prediction;
use crate::families::{Check, Collector, Pulse, SolveError, Solver, Task};
use crate::sweep::{Shard, ShardResult};
use crate::value::Outcome;

use super::boxes::{Member, SubtractionBox};
use super::claims::{Entry, Position, Says, entries};
use super::key;
use super::long_run::LongRun;
use super::rules::{Ruleset, Support};
use super::solver::OutcomeSequence;
use super::space::SubtractionSpace;

/// Heaps solved between two beats of the pulse.
const HEAPS_PER_BEAT: usize = 1 << 14;

/// Solves shards of partizan subtraction. It keeps its sequence, so that shards in ascending order solve each heap once.
pub struct SubtractionSolver {
    space: SubtractionSpace,
    walk: Option<Walk>,
}

/// The sequence of one ruleset and how far it has come.
struct Walk {
    box_index: u32,
    number: u64,
    member: Member,
    sequence: OutcomeSequence,
}

impl SubtractionSolver {
    /// A solver that has solved nothing yet.
    pub fn new(space: SubtractionSpace) -> Self {
        Self { space, walk: None }
    }

    fn walk(&mut self, box_index: u32, one: &SubtractionBox, number: u64, heap: u64) -> Option<Walk> {
        let fits = |walk: &Walk| walk.box_index == box_index && walk.number == number && walk.sequence.next_heap() <= heap;
        if let Some(walk) = self.walk.take().filter(fits) {
            return Some(walk);
        }
        let member = one.member(number)?;
        let sequence = OutcomeSequence::new(&member.ruleset);
        Some(Walk { box_index, number, member, sequence })
    }
}

impl Solver for SubtractionSolver {
    fn solve(&mut self, shard: &Shard, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let space = self.space.clone();
        let no_such_shard = || SolveError::NoSuchShard(shard.clone());
        let one = space.get(shard.box_index).filter(|one| shard.start < shard.end && shard.end <= one.units());
        let one = one.ok_or_else(no_such_shard)?;
        let needs = one.cost(shard, 0).bytes;
        if needs > u128::from(task.budget_bytes) {
            return Err(SolveError::TooLarge { needs, budget: task.budget_bytes });
        }
        let mut checker = Checker::new(shard.box_index, one.is_by_parameters(), task);
        let mut unit = shard.start;
        while unit < shard.end {
            let (number, heap) = one.unit(unit);
            let end = (heap + (shard.end - unit)).min(one.heap().high() + 1);
            let mut walk = self.walk(shard.box_index, one, number, heap).ok_or_else(no_such_shard)?;
            if heap == one.heap().low() {
                checker.collector.group(group(one, &walk.member.ruleset));
            }
            solve_heaps(&mut walk, heap..end, &mut checker, pulse)?;
            self.walk = Some(walk);
            unit += end - heap;
        }
        Ok(checker.collector.finish())
    }
}

/// What the long run of a ruleset is counted under: for a pair of sets with its period, for a box of many rulesets without.
fn group(one: &SubtractionBox, ruleset: &Ruleset) -> String {
    match LongRun::of(ruleset) {
        LongRun::Known(_, class) if one.is_by_parameters() => class.to_string(),
        found => found.to_string(),
    }
}

/// Solves the heaps of a ruleset up to a range, and checks those in it.
fn solve_heaps(walk: &mut Walk, heaps: Range<u64>, checker: &mut Checker, pulse: &mut dyn Pulse) -> Result<(), SolveError> {
    let mut buffer = [Outcome::P; HEAPS_PER_BEAT];
    while walk.sequence.next_heap() < heaps.end {
        let start = walk.sequence.next_heap();
        // It is at most the length of the buffer.
        let length = (heaps.end - start).min(HEAPS_PER_BEAT as u64) as usize;
        walk.sequence.fill(&mut buffer[..length]);
        for (heap, outcome) in (start..).zip(&buffer[..length]) {
            if heap >= heaps.start {
                checker.heap(&walk.member, heap, *outcome);
            }
        }
        if !pulse.beat(checker.collector.decided()) {
            return Err(SolveError::Stopped);
        }
    }
    Ok(())
}

/// Holds the claims of a task against heaps.
struct Checker {
    box_index: u32,
    is_by_parameters: bool,
    /// Their place in the task, and what they say.
    claims: Vec<(usize, &'static Entry)>,
    collector: Collector,
    buffer: Vec<u8>,
}

impl Checker {
    fn new(box_index: u32, is_by_parameters: bool, task: &Task) -> Self {
        let all = task.claims.iter().enumerate().filter_map(|(place, claim)| Some((place, entries().get(*claim)?)));
        Self { box_index, is_by_parameters, claims: all.collect(), collector: Collector::new(box_index, task), buffer: Vec::new() }
    }

    /// Takes in a heap of a ruleset and its outcome.
    fn heap(&mut self, member: &Member, heap: u64, outcome: Outcome) {
        self.collector.decide();
        let key = self.key(member, heap);
        if let Some(support) = member.support {
            let position = Position { support, heap };
            for index in 0..self.claims.len() {
                let (place, entry) = self.claims[index];
                self.count(place, entry, &(entry.predict)(&position), member, (heap, outcome));
            }
        }
        self.canonical(b"V", outcome.letter(), member, heap);
        self.collector.canonical(&self.buffer);
        self.collector.keep(outcome == Outcome::P, outcome.letter(), || key);
    }

    fn count(&mut self, place: usize, entry: &Entry, says: &Says, member: &Member, (heap, outcome): (u64, Outcome)) {
        if matches!(says, Prediction::Silent) {
            return;
        }
        let needed = values_of(&member.ruleset, says.needs());
        match says.check(Some(&outcome), &needed) {
            Check::Silent => {}
            Check::Held => self.collector.held(place),
            Check::Refuted => {
                self.canonical(b"R", entry.claim.id, member, heap);
                self.collector.refuted(place, self.key(member, heap), says.actual(Some(&outcome), &needed), &self.buffer);
            }
        }
    }

    /// The key of a heap: by its parameters where its box is given by them.
    fn key(&self, member: &Member, heap: u64) -> Vec<u8> {
        match member.support {
            Some(support) if self.is_by_parameters => key::of_support(self.box_index, support, heap),
            _ => key::of_sets(self.box_index, &member.ruleset, heap),
        }
    }

    /// Puts a canonical record into the buffer: what it is, the value or the claim, the ruleset and the heap. A ruleset of full
    /// or truncated support is written by its parameters, whichever way its box is given.
    fn canonical(&mut self, what: &[u8], word: &str, member: &Member, heap: u64) {
        self.buffer.clear();
        self.buffer.extend_from_slice(what);
        self.buffer.extend_from_slice(word.as_bytes());
        self.buffer.push(0);
        match member.support {
            Some(Support { a, b, tau }) => self.buffer.extend([a, b, tau].into_iter().flat_map(u64::to_be_bytes)),
            None => {
                for set in [&member.ruleset.left, &member.ruleset.right] {
                    self.buffer.extend(set.elements().iter().flat_map(|number| number.to_be_bytes()));
                    self.buffer.push(0);
                }
            }
        }
        self.buffer.extend_from_slice(&heap.to_be_bytes());
    }
}

/// The outcomes of heaps of one ruleset, in their order.
fn values_of(ruleset: &Ruleset, needs: &[Position]) -> Vec<Outcome> {
    let Some(most) = needs.iter().map(|position| position.heap).max() else { return Vec::new() };
    // A relation needs a few hundred heaps.
    let mut outcomes = vec![Outcome::P; most as usize + 1];
    OutcomeSequence::new(ruleset).fill(&mut outcomes);
    needs.iter().map(|position| outcomes[position.heap as usize]).collect()
}
