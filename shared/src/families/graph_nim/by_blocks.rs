//! Holds the claims that a manifest states against whole rows of positions.
//!
//! A row is a rectangle: lines side by side, and the pivot's weights on each of them. Each side is asked for the part outside of
//! which the hypothesis is false whatever the other weight is; what is the same all over the row is asked on the way, and makes the
//! part empty where it is false. What is left of the rectangle is held against the claim in blocks, along the pivot or across the
//! lines. So a hypothesis with `BC == 1` costs a position a line, and one with `EF >= 11` nothing where EF is 10.

use std::ops::Range;
use std::sync::Arc;

use crate::families::{Judge, Pulse, SolveError, StatedPredicate, keep_small, keyed};
use crate::language::block::{Block, Machine};
use crate::language::bounds::LANES;
use crate::language::{Alone, Verdict};
use crate::value::{Games, Outcome};

use super::GraphNim;
use super::beside::{Asked, Beside, Placed, Room};
use super::claims::View;
use super::columns::{Buffers, Line, Sources};
use super::kept::Kept;
use super::key::AtWeights;
use super::lines::SolvedLines;
use super::solver::SolvedRow;
use super::weight_box::WeightBox;

/// Lanes between two beats of the pulse.
const LANES_PER_BEAT: usize = 1 << 16;

/// Of a rectangle that is less than this many times as long as broad, the hypothesis says along which side it is cut into blocks.
const LONG: usize = 2;

/// How many blocks of a row are looked at for an estimate.
const BLOCKS: usize = 8;

/// A position of a row whose outcome some of the claims predicted rightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rightly {
    /// The line, by its number in the row.
    pub line: u32,
    /// The weight of the pivot.
    pub pivot: u32,
    /// These claims, a bit each by their place in the sweep.
    pub claims: u128,
}

/// Holds the claims that a manifest states against the rows of one box.
pub struct BlockCounter {
    claims: Vec<Held>,
    at: Place,
    machine: Machine,
    games: Games,
    rightly: Vec<Rightly>,
    /// Lanes looked at since the last beat.
    lanes: usize,
}

/// A claim that is held against rows.
struct Held {
    /// Its index in the judge's list.
    index: usize,
    /// Its place in the sweep.
    place: usize,
    stated: Arc<StatedPredicate<GraphNim>>,
    sources: Sources,
    /// What it asks other positions for, if it looks at any.
    asked: Option<Asked>,
    /// Whether blocks run across the lines where neither side of a rectangle is much longer.
    prefers_across: bool,
}

/// The box, and what is used from row to row.
struct Place {
    across: usize,
    pivot: usize,
    pivot_low: u32,
    pivots: usize,
    /// The graph as it is written.
    graph: Vec<u8>,
    view: View,
    buffers: Buffers,
    /// Where other positions are made.
    room: Room,
}

/// A row that has been solved.
struct Row<'r> {
    position: &'r mut [u32],
    /// The weight of the edge `across` on its first line.
    first: u32,
    solved: &'r SolvedLines,
    /// What is kept of the box, where some claim looks at other positions.
    kept: Option<&'r mut Kept>,
}

impl BlockCounter {
    /// A counter for the claims of a judge that a manifest states, with rows of at most so many lines; none if there are no such
    /// claims, or no rows since there is one edge.
    pub fn new(weights: &WeightBox, judge: &Judge<'_, GraphNim>, most_lines: u64) -> Option<Self> {
        let stated = judge.claims().iter().enumerate().filter_map(|(index, (place, entry))| Some((index, *place, entry.stated()?)));
        let place = Place::new(weights, most_lines)?;
        let stated = stated.filter(|(_, _, stated)| !stated.is_about_whole());
        let claims: Vec<Held> = stated.map(|(index, sweep, stated)| Held::new(index, sweep, stated, weights, &place)).collect();
        // Where the graph lacks a name that other positions are asked for, a claim is silent.
        let claims: Vec<Held> = claims.into_iter().filter(|claim| !claim.asked.as_ref().is_some_and(Asked::lacks)).collect();
        let games = Games::new(u64::MAX);
        (!claims.is_empty()).then(|| Self { claims, at: place, machine: Machine::new(), games, rightly: Vec::new(), lanes: 0 })
    }

    /// Takes in lines side by side: see [`super::by_rows::RowCounter::row`]. Gives the positions whose outcome is predicted rightly,
    /// line by line and in the order of the pivot.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if the pulse says so.
    pub fn row(
        &mut self,
        judge: &mut Judge<'_, GraphNim>,
        pulse: &mut dyn Pulse,
        position: &mut [u32],
        first: u32,
        (solved, kept): (&SolvedLines, Option<&mut Kept>),
    ) -> Result<&[Rightly], SolveError> {
        self.rightly.clear();
        let mut row = Row { position, first, solved, kept };
        // The claims are looked at while their counter works.
        let claims = std::mem::take(&mut self.claims);
        let held = claims.iter().try_for_each(|claim| self.hold(claim, judge, pulse, &mut row));
        self.claims = claims;
        held?;
        self.rightly.sort_unstable();
        self.rightly.dedup_by(|next, kept| {
            let is_same = (next.line, next.pivot) == (kept.line, kept.pivot);
            kept.claims |= if is_same { next.claims } else { 0 };
            is_same
        });
        Ok(&self.rightly)
    }

    /// Holds a claim against a row.
    fn hold(&mut self, claim: &Held, judge: &mut Judge<'_, GraphNim>, pulse: &mut dyn Pulse, row: &mut Row<'_>) -> Result<(), SolveError> {
        let Place { across, pivot, pivot_low, .. } = self.at;
        let lines = row.solved.count();
        (row.position[across], row.position[pivot]) = (row.first, pivot_low);
        let Some((lines, pivots)) = claim.rectangle(row.position, lines, &mut self.at, &mut self.games, &mut self.machine) else {
            return Ok(());
        };
        if claim.runs_across(lines.len(), pivots.len()) {
            for weight in pivots {
                (row.position[across], row.position[pivot]) = (row.first, pivot_low + weight as u32);
                self.hold_line(claim, judge, pulse, row, (across, lines.clone()))?;
            }
        } else {
            for line in lines {
                (row.position[across], row.position[pivot]) = (row.first + line as u32, pivot_low);
                self.hold_line(claim, judge, pulse, row, (pivot, pivots.clone()))?;
            }
        }
        Ok(())
    }

    /// Holds a claim against some lanes of a line, given by the edge that runs along it, whose first position is that of the row.
    fn hold_line(
        &mut self,
        claim: &Held,
        judge: &mut Judge<'_, GraphNim>,
        pulse: &mut dyn Pulse,
        row: &mut Row<'_>,
        (runs, lanes): (usize, Range<usize>),
    ) -> Result<(), SolveError> {
        let most = claim.stated.program().lanes();
        for start in lanes.clone().step_by(most) {
            let mut part = start..lanes.end.min(start + most);
            let line = Line { weights: row.position, runs };
            if claim.sources.reads_each(runs) {
                // What takes a look at each position is not asked for where the rest of the hypothesis is false.
                part = claim.window_within(&line, part, &mut self.at.buffers, &mut self.games, &mut self.machine);
            }
            if !part.is_empty() {
                self.hold_block(claim, judge, row, (runs, part.clone()));
            }
            self.lanes += part.len();
            if self.lanes >= LANES_PER_BEAT || most < LANES {
                self.lanes = 0;
                judge.beat(pulse)?;
            }
        }
        keep_small(&mut self.games);
        Ok(())
    }

    /// Holds a claim against a block of positions.
    fn hold_block(&mut self, claim: &Held, judge: &mut Judge<'_, GraphNim>, row: &mut Row<'_>, (runs, lanes): (usize, Range<usize>)) {
        let Self { at, machine, games, rightly, .. } = self;
        at.fill_solved(row, runs, lanes.clone());
        let line = Line { weights: row.position, runs };
        let columns = claim.sources.columns(&line, lanes.clone(), &mut at.buffers);
        let block = Block::new(lanes.len(), &columns);
        let judged = match (&claim.asked, row.kept.as_deref_mut()) {
            (Some(asked), Some(kept)) => {
                let mut first = row.position.to_vec();
                // Weights are at most 2^16 - 1.
                first[runs] += lanes.start as u32;
                let subject = Arc::clone(&at.view.subject);
                let mut beside = Beside::new(asked, &subject, Line { weights: &first, runs }, lanes.len(), kept, &mut at.room);
                claim.stated.program().judge(&block, games, &mut beside, machine)
            }
            _ => claim.stated.program().judge(&block, games, &mut Alone, machine),
        };
        let count = |wanted: fn(&Verdict) -> bool| judged.verdicts.iter().filter(|verdict| wanted(verdict)).count() as u128;
        let [held, vacuous] = [count(|verdict| *verdict == Verdict::Held), count(|verdict| *verdict == Verdict::Vacuous)];
        judge.collector().held_many(claim.place, held);
        judge.collector().vacuous_many(claim.place, vacuous);
        let start = (row.position[runs] as usize + lanes.start + judged.first) as u32;
        let each = || (start..).zip(judged.verdicts.iter());
        let before = row.position[runs];
        if held > 0 && claim.stated.predicts() {
            let claims = 1 << claim.place;
            let (line, pivot) = (row.position[at.across] - row.first, row.position[at.pivot]);
            let at_weight = |weight| if runs == at.pivot { (line, weight) } else { (weight - row.first, pivot) };
            let right = each().filter(|(_, verdict)| **verdict == Verdict::Held).map(|(weight, _)| at_weight(weight));
            rightly.extend(right.map(|(line, pivot)| Rightly { line, pivot, claims }));
        }
        if held + vacuous < judged.verdicts.len() as u128 {
            // A paper's claim is wrong where it is not defined.
            let is_printed = claim.stated.is_printed();
            let undefined = count(|verdict| matches!(verdict, Verdict::Undefined(_)));
            let box_index = judge.box_index();
            let reasons = each().filter_map(|(weight, verdict)| match verdict {
                Verdict::Undefined(reason) => {
                    row.position[runs] = weight;
                    Some((keyed(box_index, &AtWeights { graph: &at.graph, weights: row.position }), reason.to_string()))
                }
                _ => None,
            });
            if !is_printed {
                judge.collector().undefined_many(claim.place, undefined, reasons);
            }
            let is_wrong = |verdict: &Verdict| *verdict == Verdict::Refuted || (is_printed && matches!(verdict, Verdict::Undefined(_)));
            for (weight, _) in each().filter(|(_, verdict)| is_wrong(verdict)) {
                row.position[runs] = weight;
                at.hold(claim, judge, row);
            }
        }
        row.position[runs] = before;
    }
}

/// Finds out how much of a row a claim is held against, and counts nothing.
pub struct Sampler {
    claim: Held,
    at: Place,
    lines: usize,
    machine: Machine,
    games: Games,
}

/// How much of a row a claim is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// Blocks of positions.
    pub blocks: f64,
    /// Positions of these blocks at which the hypothesis is not known to be false.
    pub lanes: f64,
}

impl Sampler {
    /// A sampler for a claim on the rows of a box; none if it has no rows.
    pub fn new(weights: &WeightBox, stated: &Arc<StatedPredicate<GraphNim>>) -> Option<Self> {
        let at = Place::new(weights, u64::MAX)?;
        let lines = weights.ranges()[at.across].len() as usize;
        let claim = Held::new(0, 0, stated, weights, &at);
        Some(Self { claim, at, lines, machine: Machine::new(), games: Games::new(u64::MAX) })
    }

    /// Whether something is read of each position.
    pub fn reads_each(&self) -> bool {
        [self.at.across, self.at.pivot].into_iter().any(|edge| self.claim.sources.reads_each(edge))
    }

    /// What there is in the row with this first position, by a sample of its blocks.
    pub fn row(&mut self, first: &[u32]) -> Sampled {
        let Self { claim, at, lines, machine, games } = self;
        let Some((lines, pivots)) = claim.rectangle(first, *lines, at, games, machine) else {
            return Sampled { blocks: 0.0, lanes: 0.0 };
        };
        let (runs, along, other, others) = if claim.runs_across(lines.len(), pivots.len()) {
            (at.across, lines, at.pivot, pivots)
        } else {
            (at.pivot, pivots, at.across, lines)
        };
        let count = others.len().min(BLOCKS);
        let mut position = first.to_vec();
        let sampled = (0..count).map(|sample| {
            // The middle of each of `count` equal parts.
            position[other] = first[other] + (others.start + others.len() * (2 * sample + 1) / (2 * count)) as u32;
            let line = Line { weights: &position, runs };
            claim.window_within(&line, along.clone(), &mut at.buffers, games, machine).len()
        });
        let lanes = sampled.sum::<usize>() as f64 / count as f64;
        let parts = along.len().div_ceil(claim.stated.program().lanes());
        Sampled { blocks: (others.len() * parts) as f64, lanes: lanes * others.len() as f64 }
    }
}

impl Held {
    fn new(index: usize, place: usize, stated: &Arc<StatedPredicate<GraphNim>>, weights: &WeightBox, at: &Place) -> Self {
        let sources = Sources::new(stated, weights);
        // What comes first and is the same across the lines leaves whole lines of that direction out.
        let first = stated.program().claim().condition().and_then(|condition| condition.split(|name| sources.depends(name, at.across)).0);
        let prefers_across = first.is_some_and(|first| first.uses().iter().any(|name| sources.depends(*name, at.pivot)));
        let asked = stated.relates().then(|| Asked::new(stated, weights));
        Self { index, place, stated: Arc::clone(stated), sources, asked, prefers_across }
    }

    /// Whether blocks run across the lines in a rectangle of this size.
    fn runs_across(&self, lines: usize, pivots: usize) -> bool {
        lines > pivots * LONG || (pivots <= lines * LONG && self.prefers_across)
    }

    /// The lines of a row and the weights of the pivot, from the least on, outside of which the claim is silent; none if it is so
    /// everywhere. The row's first position is given, and how many lines it has.
    fn rectangle(
        &self,
        position: &[u32],
        lines: usize,
        at: &mut Place,
        games: &mut Games,
        machine: &mut Machine,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let mut side = |runs: usize, lanes: usize, any: usize| {
            let line = Line { weights: position, runs };
            let columns = self.sources.sketch(&line, Some(any), &mut at.buffers);
            let window = self.stated.program().window(&Block::new(lanes, &columns), games, machine).lanes;
            (!window.is_empty()).then_some(window)
        };
        let pivots = side(at.pivot, at.pivots, at.across)?;
        Some((side(at.across, lines, at.pivot)?, pivots))
    }

    /// The part of some lanes of a line outside of which the claim is silent, as far as that is known without a look at each.
    fn window_within(
        &self,
        line: &Line<'_>,
        lanes: Range<usize>,
        buffers: &mut Buffers,
        games: &mut Games,
        machine: &mut Machine,
    ) -> Range<usize> {
        let columns = self.sources.sketch(line, None, buffers);
        let window = self.stated.program().window(&Block::new(lanes.end, &columns), games, machine).lanes;
        let (start, end) = (window.start.max(lanes.start), window.end.min(lanes.end));
        start..end.max(start)
    }
}

impl Place {
    fn new(weights: &WeightBox, most_lines: u64) -> Option<Self> {
        let layout = weights.layout();
        let range = weights.ranges()[layout.pivot];
        // Weights are at most 2^16 - 1, so a line has at most 2^16 positions, and a row as many lines.
        let pivots = range.len() as usize;
        let lanes = pivots.max(layout.row().min(most_lines) as usize);
        Some(Self {
            across: *layout.order.last()?,
            pivot: layout.pivot,
            pivot_low: range.low() as u32,
            pivots,
            graph: weights.written(),
            view: View::new(weights.subject()),
            buffers: Buffers::new(weights.subject(), lanes),
            room: Room::new(weights.subject()),
        })
    }

    /// What is known of some lanes of a line, at the heads of the buffers.
    fn fill_solved(&mut self, row: &Row<'_>, runs: usize, lanes: Range<usize>) {
        match row.solved {
            SolvedLines::Losing(solved) => self.fill_outcomes(solved, row, runs, lanes),
            SolvedLines::Grundy(solved) => {
                let (line, pivot) = ((row.position[self.across] - row.first) as usize, row.position[self.pivot]);
                let Buffers { outcomes, grundy, .. } = &mut self.buffers;
                for ((lane, outcome), grundy) in lanes.zip(outcomes).zip(grundy) {
                    let value = if runs == self.pivot { solved.at(line, pivot + lane as u32) } else { solved.at(lane, pivot) };
                    *grundy = value.into();
                    *outcome = if value == 0 { Outcome::P } else { Outcome::N };
                }
            }
        }
    }

    /// The outcomes of some lanes of a line of which the P-positions are known, at the head of the buffer.
    fn fill_outcomes(&mut self, solved: &SolvedRow, row: &Row<'_>, runs: usize, lanes: Range<usize>) {
        let outcomes = &mut self.buffers.outcomes[..lanes.len()];
        if runs == self.pivot {
            outcomes.fill(Outcome::N);
            let losing = solved.values[(row.position[self.across] - row.first) as usize];
            let lane = losing.checked_sub(self.pivot_low).and_then(|lane| (lane as usize).checked_sub(lanes.start));
            if let Some(outcome) = lane.and_then(|lane| outcomes.get_mut(lane)) {
                *outcome = Outcome::P;
            }
        } else {
            let weight = row.position[self.pivot];
            for (outcome, losing) in outcomes.iter_mut().zip(&solved.values[lanes]) {
                *outcome = if *losing == weight { Outcome::P } else { Outcome::N };
            }
        }
    }

    /// Holds a claim against a single position of a row.
    #[cold]
    fn hold(&mut self, claim: &Held, judge: &mut Judge<'_, GraphNim>, row: &mut Row<'_>) {
        let line = (row.position[self.across] - row.first) as usize;
        let known = row.solved.at(line, row.position[self.pivot]);
        self.view.look_at(row.position);
        let at = AtWeights { graph: &self.graph, weights: row.position };
        let Ok(_) = judge.hold([claim.index], &at, &self.view, &mut Placed { known, kept: row.kept.as_deref_mut() });
    }
}
