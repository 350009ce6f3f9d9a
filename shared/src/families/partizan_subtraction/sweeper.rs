//! Solves shards of partizan subtraction heap by heap, and keeps what it has solved of a ruleset for the shard that comes next.

use std::ops::Range;
use std::sync::Arc;

use crate::families::{GameSolver, Judge, Pulse, SolveError};
use crate::value::{Outcome, ValueError};

use super::PartizanSubtraction;
use super::boxes::SubtractionBox;
use super::census::Census;
use super::claims::View;
use super::key::Heap;
use super::long_run::LongRun;
use super::needs::solves;
use super::quantity::{Quantities, Quantity, Value};
use super::rules::Ruleset;
use super::solved::{AtHeap, Solved};
use super::solver::OutcomeSequence;

/// Heaps solved between two beats of the pulse, where it is outcomes alone.
const HEAPS_PER_BEAT: usize = 1 << 14;
/// The same where canonical forms or atomic weights are solved too.
const VALUES_PER_BEAT: usize = 1 << 4;

/// Solves shards of partizan subtraction. It keeps what it has solved of its ruleset, so that shards in ascending order solve
/// each heap once.
pub struct SubtractionSolver {
    walk: Option<Walk>,
}

/// One ruleset and how far it has been solved.
struct Walk {
    number: u64,
    /// The heap at hand.
    at: Heap,
    /// The same as claims see it.
    view: View,
    sequence: OutcomeSequence,
    solved: Solved,
    /// The last heap of the ruleset in the box.
    last: u64,
    /// What it has been held against, for those claims whose failures are counted ruleset by ruleset.
    census: Census,
}

impl SubtractionSolver {
    fn walk(&mut self, one: &SubtractionBox, number: u64, heap: u64, judge: &Judge<'_, PartizanSubtraction>) -> Option<Walk> {
        let fits = |walk: &Walk| walk.number == number && walk.sequence.next_heap() <= heap;
        if let Some(walk) = self.walk.take().filter(fits) {
            return Some(walk);
        }
        let at = one.heap(number, heap)?;
        let sequence = OutcomeSequence::new(&at.ruleset);
        let solved = Solved::new(Arc::clone(&at.ruleset), at.support);
        let census = Census::new(judge.claims(), *one.heaps(number).start());
        let view = View { ruleset: Arc::clone(&at.ruleset), support: at.support, heap };
        let last = *one.heaps(number).end();
        Some(Walk { number, at, view, sequence, solved, last, census })
    }
}

impl GameSolver<PartizanSubtraction> for SubtractionSolver {
    fn new(_one: &SubtractionBox) -> Self {
        Self { walk: None }
    }

    fn solve(
        &mut self,
        one: &SubtractionBox,
        units: Range<u64>,
        judge: &mut Judge<'_, PartizanSubtraction>,
        pulse: &mut dyn Pulse,
    ) -> Result<(), SolveError> {
        let kept = one.quantities();
        let solved = kept.and(solves(judge.sweep()));
        let mut unit = units.start;
        while unit < units.end {
            let (number, heap) = one.unit(unit);
            let heaps = one.heaps(number);
            let end = (heap + (units.end - unit)).min(heaps.end() + 1);
            let mut walk = self.walk(one, number, heap, judge).ok_or(SolveError::NoSuchUnit(unit))?;
            if heap == *heaps.start() {
                judge.collector().group(group(one, &walk.at.ruleset));
            }
            solve_heaps(&mut walk, one, heap..end, [solved, kept], judge, pulse)?;
            self.walk = Some(walk);
            unit += end - heap;
        }
        Ok(())
    }
}

/// What the long run of a ruleset is counted under: for a pair of sets with its period, for a box of many rulesets without.
fn group(one: &SubtractionBox, ruleset: &Ruleset) -> String {
    match LongRun::of(ruleset) {
        LongRun::Known(_, class) if one.is_by_parameters() => class.to_string(),
        found => found.to_string(),
    }
}

/// Solves the heaps of a ruleset up to a range, and decides those in it.
fn solve_heaps(
    walk: &mut Walk,
    one: &SubtractionBox,
    heaps: Range<u64>,
    [solved, kept]: [Quantities; 2],
    judge: &mut Judge<'_, PartizanSubtraction>,
    pulse: &mut dyn Pulse,
) -> Result<(), SolveError> {
    let mut buffer = [Outcome::P; HEAPS_PER_BEAT];
    let most = if solved == Quantities::OUTCOME { HEAPS_PER_BEAT } else { VALUES_PER_BEAT };
    while walk.sequence.next_heap() < heaps.end {
        let start = walk.sequence.next_heap();
        // It is at most the length of the buffer.
        let length = (heaps.end - start).min(most as u64) as usize;
        walk.sequence.fill(&mut buffer[..length]);
        walk.solved.extend_to(start + length as u64 - 1, solved)?;
        for (heap, outcome) in (start..).zip(&buffer[..length]) {
            if heap >= heaps.start {
                (walk.at.size, walk.view.heap) = (heap, heap);
                decide(walk, one, *outcome, [solved, kept], judge)?;
            }
        }
        judge.beat(pulse)?;
    }
    Ok(())
}

/// Takes in the heap at hand and its outcome: holds the claims against it, and writes what is solved and keeps what is kept.
fn decide(
    Walk { at, view, solved, census, last, .. }: &mut Walk,
    one: &SubtractionBox,
    outcome: Outcome,
    [written, kept]: [Quantities; 2],
    judge: &mut Judge<'_, PartizanSubtraction>,
) -> Result<(), ValueError> {
    let heap = at.size;
    judge.decide(at, view, &mut AtHeap { solved, heap, outcome: Some(outcome), one: Some(one) })?;
    if heap == *last {
        judge.hold_whole(at, view, &mut AtHeap { solved, heap, outcome: Some(outcome), one: Some(one) })?;
    }
    census.note(view, solved, judge)?;
    judge.record(b'V', outcome.letter().as_bytes(), at);
    if written.canonical_form {
        judge.record(b'F', &solved.digest(heap)?.to_be_bytes(), at);
    }
    if written.atomic_weight {
        judge.record(b'W', solved.value(heap, Quantity::AtomicWeight)?.to_string().as_bytes(), at);
    }
    let is_losing = outcome == Outcome::P;
    if judge.collector().keeps(is_losing) {
        let values = kept.iter().map(|quantity| solved.value(heap, quantity)).collect::<Result<Vec<_>, _>>()?;
        judge.keep(is_losing, &Value::joined(&values), at);
    }
    Ok(())
}
