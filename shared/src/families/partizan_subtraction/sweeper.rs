use std::ops::Range;
use std::sync::Arc;

use crate::families::legacy::{Pulse, SolveError, Solver, Task};
use crate::sweep::{Shard, ShardResult};
use crate::value::Outcome;

use super::boxes::{Member, SubtractionBox};
use super::census::Census;
use super::checker::Checker;
use super::claims::solves;
use super::long_run::LongRun;
use super::quantity::Quantities;
use super::rules::Ruleset;
use super::solved::Solved;
use super::solver::OutcomeSequence;
use super::space::SubtractionSpace;

/// Heaps solved between two beats of the pulse, where it is outcomes alone.
const HEAPS_PER_BEAT: usize = 1 << 14;
/// The same where canonical forms or atomic weights are solved too.
const VALUES_PER_BEAT: usize = 1 << 4;

/// Solves shards of partizan subtraction. It keeps what it has solved of its ruleset, so that shards in ascending order solve
/// each heap once.
pub struct SubtractionSolver {
    space: SubtractionSpace,
    walk: Option<Walk>,
}

/// One ruleset and how far it has been solved.
pub struct Walk {
    box_index: u32,
    number: u64,
    pub member: Member,
    sequence: OutcomeSequence,
    pub solved: Solved,
    /// What it has been held against, for those claims whose failures are counted ruleset by ruleset.
    pub census: Census,
}

impl SubtractionSolver {
    /// A solver that has solved nothing yet.
    pub fn new(space: SubtractionSpace) -> Self {
        Self { space, walk: None }
    }

    fn walk(&mut self, box_index: u32, one: &SubtractionBox, number: u64, heap: u64, claims: &[usize]) -> Option<Walk> {
        let fits = |walk: &Walk| {
            let is_same = walk.box_index == box_index && walk.number == number && walk.census.is_of(claims);
            is_same && walk.sequence.next_heap() <= heap
        };
        if let Some(walk) = self.walk.take().filter(fits) {
            return Some(walk);
        }
        let member = one.member(number)?;
        let sequence = OutcomeSequence::new(&member.ruleset);
        let solved = Solved::new(Arc::clone(&member.ruleset), member.support);
        let census = Census::new(claims, *one.heaps(number).start());
        Some(Walk { box_index, number, member, sequence, solved, census })
    }
}

impl Solver for SubtractionSolver {
    fn solve(&mut self, shard: &Shard, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let space = self.space.clone();
        let no_such_shard = || SolveError::NoSuchShard(shard.clone());
        let one = space.get(shard.box_index).filter(|one| shard.start < shard.end && shard.end <= one.units());
        let one = one.ok_or_else(no_such_shard)?;
        let needs = one.cost(shard, &task.claims).bytes;
        if needs > u128::from(task.budget_bytes) {
            return Err(SolveError::TooLarge { needs, budget: task.budget_bytes });
        }
        let quantities = one.quantities().and(solves(&task.claims));
        let mut checker = Checker::new(shard.box_index, one, quantities, task);
        let mut unit = shard.start;
        while unit < shard.end {
            let (number, heap) = one.unit(unit);
            let heaps = one.heaps(number);
            let end = (heap + (shard.end - unit)).min(heaps.end() + 1);
            let mut walk = self.walk(shard.box_index, one, number, heap, &task.claims).ok_or_else(no_such_shard)?;
            if heap == *heaps.start() {
                checker.collector.group(group(one, &walk.member.ruleset));
            }
            solve_heaps(&mut walk, heap..end, quantities, &mut checker, pulse)?;
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
fn solve_heaps(
    walk: &mut Walk,
    heaps: Range<u64>,
    quantities: Quantities,
    checker: &mut Checker,
    pulse: &mut dyn Pulse,
) -> Result<(), SolveError> {
    let mut buffer = [Outcome::P; HEAPS_PER_BEAT];
    let most = if quantities == Quantities::OUTCOME { HEAPS_PER_BEAT } else { VALUES_PER_BEAT };
    while walk.sequence.next_heap() < heaps.end {
        let start = walk.sequence.next_heap();
        // It is at most the length of the buffer.
        let length = (heaps.end - start).min(most as u64) as usize;
        walk.sequence.fill(&mut buffer[..length]);
        walk.solved.extend_to(start + length as u64 - 1, quantities)?;
        for (heap, outcome) in (start..).zip(&buffer[..length]) {
            if heap >= heaps.start {
                checker.heap(walk, heap, *outcome)?;
            }
        }
        if !pulse.beat(checker.collector.decided()) {
            return Err(SolveError::Stopped);
        }
    }
    Ok(())
}
