//! Counts whole rows of positions without a visit to each of them.
//!
//! A row has at most one P-position on each of its lines. A claim that predicts N is refuted at those P-positions where it
//! speaks and right everywhere else where it speaks, and where that is a matter of areas (see [`super::areas`]). A claim that
//! predicts anything else speaks at a few spots of the row only, and those are visited; one that states something and predicts no
//! outcome may do so in areas as well, whose positions are counted. So a row costs its runs, its spots and its P-positions, and not
//! its positions.
//!
//! Claims that the manifest states are held against the row by [`super::by_blocks`]. What it hands over are the positions that they
//! predicted rightly: these belong to another class of coverage than the others of their piece.

use crate::families::Judge;
use crate::sweep::Record;
use crate::value::Outcome;

use super::GraphNim;
use super::areas::{Areas, RowRange};
use super::beside::Placed;
use super::by_blocks::Rightly;
use super::claims::{Along, Area, H1Row, View};
use super::classes::Classes;
use super::groups::LosingGroups;
use super::key::{AtWeights, losing};
use super::solver::SolvedRow;
use super::weight_box::WeightBox;

/// How many canonical records of a row are written before they are hashed.
const RECORDS_AT_A_TIME: usize = 32;

/// Holds claims against whole rows of one box.
pub struct RowCounter {
    at: OnGraph,
    groups: LosingGroups,
    /// The edge that runs along a row, and the pivot.
    across: usize,
    pivot: usize,
    pivot_low: i64,
    pivot_high: i64,
    /// On H1 the edges of which one runs and one is fixed, and EF.
    h1: Option<([usize; 2], usize)>,
    /// Claims that predict N, each by its index in the judge's list and its place in the sweep. Sets of them have a bit each by the
    /// order here.
    winning: Vec<((usize, usize), WinningAlong)>,
    /// Claims that state something, each by its index in the judge's list and its place in the sweep.
    stating: Vec<((usize, usize), WinningAlong, SpotsAlong)>,
    /// The other claims, each by its index in the judge's list.
    spotted: Vec<(usize, SpotsAlong)>,
    /// N-positions by the claims, bits as in `winning`, that predict N; without those that other claims predict rightly too.
    winning_classes: Classes,
    /// P-positions by the claims, bits by their place in the sweep, that predict P: few sets, so they are looked through.
    losing_classes: Vec<(u128, u64)>,
    areas: Areas,
    /// Spots of the row: the running edge, the pivot, the claim by its index in the judge's list.
    spots: Vec<(i64, i64, usize)>,
    /// The P-positions of the row that some claim names: their line in the row, and the claims, by their place in the sweep.
    named: Vec<(u32, u128)>,
    /// The lines of the row that have a P-position within the box, by their number in the row.
    losing: Vec<u32>,
    /// Steps taken, to know when the pulse is due.
    steps: u64,
    buffer: Vec<u8>,
}

/// The graph of a box, as claims see it and as it is written.
struct OnGraph {
    view: View,
    graph: Vec<u8>,
}

impl OnGraph {
    /// Holds some claims, by their index in the judge's list, against a position. Gives those that predicted its outcome.
    fn hold(
        &mut self,
        judge: &mut Judge<'_, GraphNim>,
        claims: impl IntoIterator<Item = usize>,
        weights: &[u32],
        outcome: Outcome,
    ) -> u128 {
        self.view.look_at(weights);
        let at = AtWeights { graph: &self.graph, weights };
        let Ok(rightly) = judge.hold(claims, &at, &self.view, &mut Placed { known: outcome.into(), kept: None });
        rightly
    }
}

type WinningAlong = fn(&H1Row, &mut dyn FnMut(Area));
type SpotsAlong = fn(&H1Row, &mut dyn FnMut(i64, i64));

impl RowCounter {
    /// A counter for a box, or none if the box, its claims or what is to be kept call for a visit to each position.
    pub fn new(weights: &WeightBox, judge: &Judge<'_, GraphNim>) -> Option<Self> {
        let claims = judge.claims();
        if judge.task().record == Record::All || !weights.is_counted_by_rows(claims.iter().map(|(_, entry)| *entry)) {
            return None;
        }
        let (mut winning, mut stating, mut spotted) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (place, entry)) in claims.iter().enumerate().filter(|(_, (_, entry))| entry.stated().is_none()) {
            match entry.scope.as_ref()?.along? {
                Along::Winning(along) => winning.push(((index, *place), along)),
                Along::States(along, visited) => stating.push(((index, *place), along, visited)),
                Along::Spots(along) => spotted.push((index, along)),
            }
        }
        let pivot = weights.layout().pivot;
        let range = weights.ranges()[pivot];
        Some(Self {
            at: OnGraph { view: View::new(weights.subject()), graph: weights.written() },
            groups: LosingGroups::new(weights),
            across: *weights.layout().order.last()?,
            pivot,
            // Weights are at most 2^16 - 1.
            pivot_low: range.low() as i64,
            pivot_high: range.high() as i64,
            h1: weights.h1_edges(),
            winning,
            stating,
            spotted,
            winning_classes: Classes::new(),
            losing_classes: vec![(0, 0)],
            areas: Areas::default(),
            spots: Vec::new(),
            named: Vec::new(),
            losing: Vec::new(),
            steps: 0,
            buffer: Vec::new(),
        })
    }

    /// Takes in lines side by side, the first of which has the weight `first` on the running edge; `position` has the weights of
    /// all other edges but the pivot. `rightly` has the positions that claims of the manifest predicted rightly, in their order. Gives
    /// the number of steps taken.
    pub fn row(
        &mut self,
        judge: &mut Judge<'_, GraphNim>,
        position: &mut [u32],
        first: u32,
        solved: &SolvedRow,
        rightly: &[Rightly],
    ) -> u64 {
        let lines = solved.values.len() as i64;
        let first = i64::from(first);
        let range = RowRange { first, last: first + lines - 1, pivot_low: self.pivot_low, pivot_high: self.pivot_high };
        self.steps = (solved.losing.len() + rightly.len()) as u64;
        judge.collector().decide_many((lines * (self.pivot_high - self.pivot_low + 1)) as u128);
        self.losing.clear();
        self.losing.extend(solved.losing.iter().filter(|line| i64::from(solved.values[**line as usize]) >= self.pivot_low));
        self.areas.clear();
        self.named.clear();
        if let Some(([one, other], ef)) = self.h1 {
            let fixed = if self.across == one { other } else { one };
            let row = H1Row { fixed: position[fixed].into(), ef: position[ef].into(), first, last: range.last };
            for (index, (_, along)) in self.winning.iter().enumerate() {
                self.areas.claim(1 << index, range, |area| along(&row, area));
            }
            self.count_statements(judge, &row, range, position);
            self.visit_spots(judge, &row, range, position, solved);
        }
        self.name_losing(rightly, solved);
        self.count_runs(judge, range, position, solved, rightly);
        self.take_losing(judge, first, position, solved);
        self.steps
    }

    /// Counts what claims state that predict no outcome: right all over their areas, but for positions that are visited.
    fn count_statements(&mut self, judge: &mut Judge<'_, GraphNim>, row: &H1Row, range: RowRange, position: &mut [u32]) {
        let Self { stating, at, across, pivot, steps, .. } = self;
        for ((index, place), along, visited) in stating {
            let (lines, pivots) = ([range.first, range.last], [range.pivot_low, range.pivot_high]);
            let mut held = 0;
            along(row, &mut |area| held += area.positions(lines, pivots));
            visited(row, &mut |x, weight| {
                if (lines[0]..=lines[1]).contains(&x) && (pivots[0]..=pivots[1]).contains(&weight) {
                    // Both are weights.
                    (position[*across], position[*pivot]) = (x as u32, weight as u32);
                    // No claim that states something looks at the outcome.
                    at.hold(judge, [*index], position, Outcome::N);
                    held -= 1;
                    *steps += 1;
                }
            });
            judge.collector().held_many(*place, held as u128);
            *steps += 1;
        }
    }

    /// Holds the claims that speak at single spots against those of the row.
    fn visit_spots(&mut self, judge: &mut Judge<'_, GraphNim>, row: &H1Row, range: RowRange, position: &mut [u32], solved: &SolvedRow) {
        let Self { spots, spotted, .. } = self;
        spots.clear();
        for (claim, along) in spotted {
            along(row, &mut |x, pivot| {
                if (range.first..=range.last).contains(&x) && (range.pivot_low..=range.pivot_high).contains(&pivot) {
                    spots.push((x, pivot, *claim));
                }
            });
        }
        spots.sort_unstable();
        spots.dedup();
        self.steps += self.spots.len() as u64;
        for spot in self.spots.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (x, pivot, _) = spot[0];
            let line = (x - range.first) as u32;
            // Both are within the box.
            (position[self.across], position[self.pivot]) = (x as u32, pivot as u32);
            let outcome = if solved.values[line as usize] == position[self.pivot] { Outcome::P } else { Outcome::N };
            let claims = spot.iter().map(|(_, _, claim)| *claim);
            let rightly = self.at.hold(judge, claims, position, outcome);
            if rightly != 0 && outcome == Outcome::P {
                self.named.push((line, rightly));
            }
        }
    }

    /// Takes in which of the P-positions are predicted by claims of the manifest.
    fn name_losing(&mut self, rightly: &[Rightly], solved: &SolvedRow) {
        let before = self.named.len();
        let losing = rightly.iter().filter(|one| solved.values[one.line as usize] == one.pivot);
        self.named.extend(losing.map(|one| (one.line, one.claims)));
        if before > 0 && before < self.named.len() {
            self.named.sort_unstable();
            self.named.dedup_by(|next, kept| {
                kept.1 |= if next.0 == kept.0 { next.1 } else { 0 };
                next.0 == kept.0
            });
        }
    }

    /// Counts the N-positions of a row by the claims that speak of them, and finds the P-positions that contradict one.
    fn count_runs(
        &mut self,
        judge: &mut Judge<'_, GraphNim>,
        range: RowRange,
        position: &mut [u32],
        solved: &SolvedRow,
        rightly: &[Rightly],
    ) {
        let Self { areas, winning, winning_classes, losing, at, across, pivot, steps, .. } = self;
        let mut next = 0;
        let mut losing_in_piece = Vec::new();
        let mut counted_in_piece = Vec::new();
        let mut rightly = rightly.iter().filter(|one| solved.values[one.line as usize] != one.pivot).peekable();
        areas.runs(range, |run| {
            *steps += 1;
            losing_in_piece.clear();
            losing_in_piece.resize(run.pieces(), 0);
            counted_in_piece.clear();
            counted_in_piece.resize(run.pieces(), 0);
            while let Some(one) = rightly.next_if(|one| range.first + i64::from(one.line) <= run.to) {
                let piece = run.piece(range.first + i64::from(one.line), one.pivot.into());
                counted_in_piece[piece] += 1;
                let claims = bits(run.claims(piece)).fold(one.claims, |all, index| all | 1 << winning[index].0.1);
                judge.collector().cover(Outcome::N.letter(), claims);
            }
            let start = next;
            while next < losing.len() && range.first + i64::from(losing[next]) <= run.to {
                let line = losing[next];
                losing_in_piece[run.piece(range.first + i64::from(line), solved.values[line as usize].into())] += 1;
                next += 1;
            }
            for (piece, (claims, positions)) in run.each().enumerate() {
                let (contradictions, counted) = (losing_in_piece[piece], counted_in_piece[piece]);
                if positions > contradictions + counted {
                    winning_classes.add(claims, (positions - contradictions - counted) as u64);
                }
                if counted > 0 {
                    // These claims were not held against the positions one by one.
                    bits(claims).for_each(|index| judge.collector().held_many(winning[index].0.1, counted as u128));
                }
                if claims == 0 || contradictions == 0 {
                    continue;
                }
                for line in &losing[start..next] {
                    let (x, value) = (range.first + i64::from(*line), solved.values[*line as usize]);
                    if run.piece(x, value.into()) == piece {
                        (position[*across], position[*pivot]) = (x as u32, value);
                        at.hold(judge, bits(claims).map(|index| winning[index].0.0), position, Outcome::P);
                    }
                }
            }
        });
    }

    /// Takes in the P-positions of a row.
    fn take_losing(&mut self, judge: &mut Judge<'_, GraphNim>, first: i64, position: &mut [u32], solved: &SolvedRow) {
        let Self { losing, named, groups, losing_classes, at, across, pivot, buffer, .. } = self;
        // The first class is that of no claim.
        losing_classes[0].1 += (losing.len() - named.len()) as u64;
        for (_, claims) in named.iter() {
            match losing_classes.iter_mut().find(|(known, _)| known == claims) {
                Some((_, count)) => *count += 1,
                None => losing_classes.push((*claims, 1)),
            }
        }
        let row = groups.row(position, *across, *pivot);
        let mut named = named.iter().map(|(line, _)| *line).peekable();
        let each = losing.iter().map(|line| {
            let pair = [first as u32 + line, solved.values[*line as usize]];
            groups.add(row, pair[0], pair[1], named.next_if_eq(line).is_some());
            pair
        });
        losing_in_row(judge, &at.graph, buffer, position, [*across, *pivot], each);
    }

    /// Hands over what was counted many at a time.
    pub fn finish(self, judge: &mut Judge<'_, GraphNim>) {
        let Self { groups, winning, winning_classes, losing_classes, .. } = self;
        let collector = judge.collector();
        winning_classes.each(|claims, count| {
            let places = bits(claims).map(|index| winning[index].0.1);
            collector.cover_many(Outcome::N.letter(), places.clone().fold(0, |all, place| all | 1 << place), count);
            // These claims were not held against the positions one by one.
            places.for_each(|place| collector.held_many(place, count));
        });
        for (claims, count) in losing_classes.into_iter().filter(|(_, count)| *count > 0) {
            collector.cover_many(Outcome::P.letter(), claims, count.into());
        }
        groups.finish(collector);
    }
}

/// Takes in the canonical records of P-positions that differ from `weights` in two edges only, for each its weights on these
/// edges; and keeps the positions if the task asks for it.
///
/// Records are written many at a time before the first of them is hashed: to read eight bytes two of which have just been written
/// is several times as slow.
fn losing_in_row(
    judge: &mut Judge<'_, GraphNim>,
    graph: &[u8],
    buffer: &mut Vec<u8>,
    weights: &mut [u32],
    edges: [usize; 2],
    mut each: impl Iterator<Item = [u32; 2]>,
) {
    buffer.clear();
    buffer.push(b'P');
    losing(AtWeights { graph, weights }, buffer);
    let length = buffer.len();
    let start = length - 2 * weights.len();
    let at = edges.map(|edge| start + 2 * edge);
    *buffer = buffer.repeat(RECORDS_AT_A_TIME);
    let keeps = judge.collector().keeps(true);
    loop {
        let mut written = 0;
        for (record, pair) in buffer.chunks_exact_mut(length).zip(each.by_ref()) {
            for (at, weight) in at.into_iter().zip(pair) {
                record[at..at + 2].copy_from_slice(&(weight as u16).to_be_bytes());
            }
            if keeps {
                edges.into_iter().zip(pair).for_each(|(edge, weight)| weights[edge] = weight);
                judge.keep(true, Outcome::P.letter(), &AtWeights { graph, weights });
            }
            written += 1;
        }
        let collector = judge.collector();
        buffer.chunks_exact(length).take(written).for_each(|record| collector.canonical(record));
        if written < RECORDS_AT_A_TIME {
            return;
        }
    }
}

/// The numbers of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}
