//! A box of positions on one graph, with a range of weights for each edge.

use std::sync::Arc;

use crate::families::{Entry, Room};
use crate::sweep::{ManifestError, Range};
use crate::text::grouped;
use crate::value::Play;

use super::GraphNim;
use super::claims::Subject;
use super::graph::Graph;
use super::layout::Layout;
use super::wanted::Wanted;
use super::{grundy, rules::MAX_WEIGHT};

/// The most lines that a box may have: their numbers fit 63 bits with room to add.
const MAX_LINES: u128 = 1 << 62;

/// All positions on one graph with weights in given ranges.
#[derive(Clone, Debug)]
pub struct WeightBox {
    subject: Arc<Subject>,
    ranges: Vec<Range>,
    layout: Layout,
    lines: u64,
    wanted: Wanted,
}

impl WeightBox {
    /// A box with one range an edge; the ends are at most `MAX_WEIGHT`. It takes from the room what its layout costs.
    ///
    /// # Errors
    /// [`ManifestError`] if there are more lines than can be numbered.
    pub fn new(graph: Graph, ranges: Vec<Range>, room: &mut Room) -> Result<Self, ManifestError> {
        if ranges.len() != graph.edges().len() {
            let problem = format!("{graph} has {} edges and there are {} ranges", graph.edges().len(), ranges.len());
            return Err(ManifestError::field("space.weights", problem));
        }
        let high: Option<Vec<u32>> = ranges.iter().map(|range| u32::try_from(range.high()).ok()).collect();
        let high = high.filter(|high| high.iter().all(|weight| *weight <= MAX_WEIGHT));
        let high = high.ok_or_else(|| ManifestError::field("space.weights", "a weight is at most 65535 (2^16 - 1)"))?;
        room.steps("space.weights", Layout::steps(&graph))?;
        let layout = Layout::new(&graph, &high);
        if layout.lines() > MAX_LINES {
            let problem = format!(
                "{graph} with these weights has {} lines of positions to walk, and the limit is 2^62; smaller weights or fewer edges \
                 make fewer",
                if layout.lines() == u128::MAX { "2^128 or more".to_owned() } else { grouped(layout.lines()) }
            );
            return Err(ManifestError::field("space.weights", problem));
        }
        // At most as many as the lines counted above, from 0 on.
        let lines = layout.order.iter().map(|edge| ranges[*edge].len()).product::<u128>();
        let lines = u64::try_from(lines).map_err(|_| ManifestError::field("space.weights", "too many lines"))?;
        Ok(Self { subject: Arc::new(Subject::new(graph)), ranges, layout, lines, wanted: Wanted::default() })
    }

    /// The same box, of whose positions something else is solved.
    pub fn wanting(self, wanted: Wanted) -> Self {
        Self { wanted, ..self }
    }

    /// What is solved of its positions.
    pub fn wanted(&self) -> Wanted {
        self.wanted
    }

    /// Bytes of the tables that a walk over its lines keeps.
    pub fn bytes(&self) -> u128 {
        match self.wanted {
            Wanted::Outcome(_) => self.layout.bytes(),
            Wanted::Grundy => grundy::bytes(&self.subject.graph, &self.layout),
        }
    }

    /// Steps of a walk over all its lines, and over those below.
    pub fn work(&self) -> f64 {
        match self.wanted {
            Wanted::Outcome(_) => self.layout.work(),
            Wanted::Grundy => grundy::work(&self.subject.graph, &self.layout),
        }
    }

    /// The graph as canonical records have it: with the play, unless that is normal.
    pub fn written(&self) -> Vec<u8> {
        let graph = &self.subject.graph;
        match self.wanted.play() {
            Play::Normal => graph.to_string(),
            Play::Misere => format!("{graph} {}", Play::Misere.word()),
        }
        .into_bytes()
    }

    /// The graph.
    pub fn subject(&self) -> &Arc<Subject> {
        &self.subject
    }

    /// One range an edge.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// How the solver walks it.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many lines there are: settings of all edges but the pivot.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// How many rows there are: settings of all edges but the pivot and the innermost.
    pub fn rows(&self) -> u64 {
        let in_row = self.layout.order.last().map_or(1, |across| self.ranges[*across].len());
        // A row has at least one line.
        self.lines / u64::try_from(in_row).unwrap_or(u64::MAX)
    }

    /// The first position of a row by its number.
    pub fn first_of_row(&self, number: u64) -> Vec<u32> {
        self.numbered(number.into(), self.layout.order.iter().rev().skip(1))
    }

    /// A position by its number, line by line and in the order of the pivot.
    pub fn position(&self, number: u128) -> Vec<u32> {
        self.numbered(number, std::iter::once(&self.layout.pivot).chain(self.layout.order.iter().rev()))
    }

    /// The position of a number whose digits are the weights of some edges, the last digit first; the others are at their least.
    fn numbered<'a>(&self, mut number: u128, edges: impl Iterator<Item = &'a usize>) -> Vec<u32> {
        // The ends of a weight box are at most MAX_WEIGHT.
        let mut position: Vec<u32> = self.ranges.iter().map(|range| range.low() as u32).collect();
        for edge in edges {
            let length = self.ranges[*edge].len();
            position[*edge] += (number % length) as u32;
            number /= length;
        }
        position
    }

    /// Whether a position is inside.
    pub fn contains(&self, position: &[u32]) -> bool {
        let inside = |(range, weight): (&Range, &u32)| (range.low()..=range.high()).contains(&u64::from(*weight));
        position.len() == self.ranges.len() && self.ranges.iter().zip(position).all(inside)
    }

    /// The edges of which one runs and one is fixed along a row of H1, and EF; none if the box is not walked that way.
    pub fn h1_edges(&self) -> Option<([usize; 2], usize)> {
        let (name, edges) = self.subject.named.as_ref()?;
        let [ab, bc, cd, ef] = edges[..] else { return None };
        let across = *self.layout.order.last()?;
        (*name == "H1" && self.layout.pivot == bc && (across == ab || across == cd)).then_some(([ab, cd], ef))
    }

    /// Whether the box can be counted by rows with these claims, but for those that a manifest states: each of them says what it
    /// says along a row, and the box's rows are of that kind.
    pub fn is_counted_by_rows<'a>(&self, claims: impl Iterator<Item = &'a Entry<GraphNim>>) -> bool {
        let is_h1 = self.subject.named.as_ref().is_some_and(|(name, _)| *name == "H1");
        let mut count = 0;
        let mut along_is_known = true;
        for entry in claims.filter(|entry| entry.stated().is_none()) {
            count += 1;
            along_is_known &= entry.scope.as_ref().is_some_and(|scope| scope.along.is_some());
        }
        let rows_are_known = count == 0 || !is_h1 || self.h1_edges().is_some();
        self.wanted != Wanted::Grundy && along_is_known && count <= u64::BITS && !self.layout.order.is_empty() && rows_are_known
    }
}
