//! Other positions for claims of a manifest that are held against blocks of positions: what [`crate::families`] has for one position
//! at a time, for all positions of a line at once and without a view of each.

use std::convert::Infallible;
use std::sync::Arc;

use crate::families::{Answers, Read, ReadPosition, StatedPredicate};
use crate::language::{PositionId, PositionList, Positions, Reading, Reason, Value};
use crate::value::{Games, Impartial, Nimber};

use super::GraphNim;
use super::about::{About, about};
use super::claims::{Subject, View};
use super::columns::Line;
use super::kept::Kept;
use super::neighbours::{edge_of, weight};
use super::position::Position;
use super::wanted::Wanted;
use super::weight_box::WeightBox;

/// What a claim asks other positions for, and sets in them.
pub struct Asked {
    /// Each variable that it asks for, by its index in the vocabulary.
    names: Vec<(usize, Source)>,
    /// The edge of each variable that may be set.
    edges: Vec<(usize, usize)>,
    /// Whether the box lacks a name that is asked for, so that the claim is silent.
    lacks: bool,
}

/// Where the value of a name comes from.
enum Source {
    Sum(Vec<usize>),
    Read(Arc<ReadPosition<GraphNim>>),
    Outcome,
    Grundy,
    Options,
}

impl Asked {
    /// What a claim asks in a box.
    pub fn new(stated: &StatedPredicate<GraphNim>, weights: &WeightBox) -> Self {
        let subject = weights.subject();
        let all = stated.all_names();
        let variables = || all.vocabulary.variables().iter().enumerate();
        let (mut names, mut lacks) = (Vec::new(), false);
        let some = subject.view(&vec![1; subject.graph.edges().len()]);
        for index in stated.program().claim().others() {
            let source = match (&all.reads[*index], about(&all.vocabulary.variables()[*index].name, subject)) {
                (Read::Position(read), about) => {
                    lacks |= read(&some) == Reading::Absent;
                    match about {
                        About::Sum(edges) => Source::Sum(edges),
                        About::Edges(_) => Source::Read(Arc::clone(read)),
                    }
                }
                (Read::Solved { asked: Impartial::Outcome(_), .. }, _) => Source::Outcome,
                (Read::Solved { asked: Impartial::Grundy(_), .. }, _) => {
                    lacks |= weights.wanted() != Wanted::Grundy;
                    Source::Grundy
                }
                (Read::Positions(_) | Read::Whole(_), _) => Source::Options,
            };
            names.push((*index, source));
        }
        let edges = variables().filter(|(_, variable)| variable.is_set);
        let edges = edges.filter_map(|(index, variable)| Some((index, edge_of(subject, &variable.name)?))).collect();
        Self { names, edges, lacks }
    }

    /// Whether the claim is silent since the box lacks a name that it asks for.
    pub fn lacks(&self) -> bool {
        self.lacks
    }
}

/// What is used from line to line.
pub struct Room {
    view: View,
    /// The weights of the positions that were made, one after the other.
    weights: Vec<u32>,
    /// Those of the position at hand.
    current: Vec<u32>,
}

impl Room {
    /// Room for positions on a graph.
    pub fn new(subject: &Arc<Subject>) -> Self {
        Self { view: View::new(subject), weights: Vec::new(), current: vec![0; subject.graph.edges().len()] }
    }
}

/// The positions around those of a line.
pub struct Beside<'a> {
    asked: &'a Asked,
    subject: &'a Subject,
    /// The first position of the block, and the edge that runs.
    line: Line<'a>,
    /// How many positions the block has: these are numbered first.
    lanes: usize,
    kept: &'a mut Kept,
    room: &'a mut Room,
}

impl<'a> Beside<'a> {
    /// The positions around some lanes, the first of which has these weights.
    pub fn new(asked: &'a Asked, subject: &'a Subject, line: Line<'a>, lanes: usize, kept: &'a mut Kept, room: &'a mut Room) -> Self {
        room.weights.clear();
        Self { asked, subject, line, lanes, kept, room }
    }

    fn edges(&self) -> usize {
        self.room.current.len()
    }

    /// Makes the position of a number the one at hand.
    fn look_at(&mut self, of: PositionId) {
        let number = of.0 as usize;
        match number.checked_sub(self.lanes) {
            None => {
                self.room.current.copy_from_slice(self.line.weights);
                // Weights are at most 2^16 - 1, and a line has at most as many positions.
                self.room.current[self.line.runs] += number as u32;
            }
            Some(made) => {
                let edges = self.edges();
                let Room { weights, current, .. } = &mut *self.room;
                current.copy_from_slice(&weights[made * edges..(made + 1) * edges]);
            }
        }
    }

    /// Keeps the position at hand.
    fn push(&mut self) -> PositionId {
        let number = self.kept();
        let Room { weights, current, .. } = &mut *self.room;
        weights.extend_from_slice(current);
        // Expressions are bounded, and so is what they make at a time.
        PositionId((self.lanes + number) as u32)
    }
}

impl Positions for Beside<'_> {
    fn own(&mut self, lane: usize) -> PositionId {
        PositionId(lane as u32)
    }

    fn at(&mut self, of: PositionId, changes: &[(usize, i64)]) -> Result<PositionId, Reason> {
        self.look_at(of);
        for (variable, value) in changes {
            let edge = self.asked.edges.iter().find(|(index, _)| index == variable).map(|(_, edge)| *edge).ok_or(Reason::NoName)?;
            self.room.current[edge] = weight(*value)?;
        }
        Ok(self.push())
    }

    fn count(&mut self, list: PositionList) -> Result<u64, Reason> {
        self.look_at(list.of);
        Ok(self.subject.moves.count(&self.room.current))
    }

    fn element(&mut self, list: PositionList, index: u64) -> Result<PositionId, Reason> {
        self.look_at(list.of);
        self.subject.moves.take(index, &mut self.room.current).ok_or(Reason::Index)?;
        Ok(self.push())
    }

    fn read(&mut self, of: PositionId, variable: usize, _games: &mut Games) -> Reading {
        self.look_at(of);
        let Some((_, source)) = self.asked.names.iter().find(|(index, _)| *index == variable) else { return Reading::Absent };
        match source {
            Source::Sum(edges) => Value::Integer(edges.iter().map(|edge| i64::from(self.room.current[*edge])).sum()).into(),
            Source::Read(read) => {
                self.room.view.look_at(&self.room.current);
                read(&self.room.view)
            }
            Source::Outcome => {
                self.kept.value(&self.room.current).map_or_else(Reading::Undefined, |value| Value::Outcome(value.outcome()).into())
            }
            Source::Grundy => match self.kept.value(&self.room.current).map(Impartial::grundy) {
                Ok(Some(Nimber(grundy))) => Value::Integer(grundy.into()).into(),
                Ok(None) => Reading::Absent,
                Err(reason) => Reading::Undefined(reason),
            },
            Source::Options => Value::Positions(PositionList { of, variable }).into(),
        }
    }

    fn text(&mut self, _of: PositionId) -> String {
        // Blocks show nothing: what was refuted is looked at again by itself.
        "a position".to_owned()
    }

    fn kept(&self) -> usize {
        self.room.weights.len() / self.edges()
    }

    fn release(&mut self, kept: usize) {
        let edges = self.edges();
        self.room.weights.truncate(kept * edges);
    }
}

/// A position of a box of which something is known, and what is kept of others.
pub struct Placed<'a> {
    /// What is known.
    pub known: Impartial,
    /// What is kept, where some claim looks at other positions.
    pub kept: Option<&'a mut Kept>,
}

impl Answers<GraphNim> for Placed<'_> {
    type Error = Infallible;

    fn own(&mut self, asked: &Impartial) -> Result<Option<Impartial>, Infallible> {
        Ok(self.known.told(*asked))
    }

    fn answer(&mut self, question: &Infallible) -> Result<Impartial, Infallible> {
        match *question {}
    }

    fn other(&mut self, position: &Position, asked: &Impartial) -> Result<Result<Impartial, Reason>, Infallible> {
        Ok(match (position, &mut self.kept) {
            (Position::Weights(_, weights, _), Some(kept)) => {
                kept.value(weights).and_then(|value| value.told(*asked).ok_or(Reason::Unknown))
            }
            _ => Err(Reason::Unknown),
        })
    }
}
