//! The names of a stated claim along a line of positions: columns for the block evaluator, each made in the cheapest way that its
//! name allows.

use std::ops::Range;
use std::sync::Arc;

use crate::families::{Read, ReadPosition, StatedPredicate};
use crate::language::block::Column;
use crate::language::{Reading, Value};
use crate::value::{Impartial, Outcome};

use super::GraphNim;
use super::about::{About, about};
use super::claims::{Subject, View};
use super::wanted::Wanted;
use super::weight_box::WeightBox;

/// Where a claim finds the values of its names.
pub struct Sources {
    /// Each name by its index in the vocabulary.
    names: Vec<(usize, Source)>,
    /// One more than the last index.
    columns: usize,
    /// Whether Grundy values are solved.
    has_grundy: bool,
}

/// Where the values of a name come from.
enum Source {
    /// They are sums of the weights of some edges.
    Sum(Vec<usize>),
    /// They are read of each position, and depend on the weights of these edges alone.
    Read(Arc<ReadPosition<GraphNim>>, Vec<usize>),
    /// The solver, for the outcome.
    Outcome,
    /// A list of positions, which is made where it is asked for.
    Positions,
    /// The solver, for the Grundy value.
    Grundy,
}

/// Positions side by side: one edge has a weight more from each to the next.
#[derive(Clone, Copy)]
pub struct Line<'l> {
    /// The weights of the first position.
    pub weights: &'l [u32],
    /// The edge that runs.
    pub runs: usize,
}

/// What columns borrow. It is kept from line to line.
pub struct Buffers {
    view: View,
    /// Outcomes along the line.
    pub outcomes: Vec<Outcome>,
    /// Grundy values along the line, where they are solved.
    pub grundy: Vec<i64>,
    /// Stand in for values that are not to be looked at.
    some_integers: Vec<i64>,
    some_readings: Vec<Reading>,
    /// For each name that is read of each position its values, and as whole numbers as far as they are.
    read: Vec<(Vec<Reading>, Vec<i64>)>,
    weights: Vec<u32>,
}

impl Buffers {
    /// Buffers for lines of at most so many positions on a graph.
    pub fn new(subject: &Arc<Subject>, lanes: usize) -> Self {
        Self {
            view: View::new(subject),
            outcomes: vec![Outcome::N; lanes],
            grundy: vec![0; lanes],
            some_integers: vec![0; lanes],
            some_readings: vec![Reading::Absent; lanes],
            read: Vec::new(),
            weights: Vec::new(),
        }
    }
}

impl Sources {
    /// The sources of the names of a claim.
    pub fn new(stated: &StatedPredicate<GraphNim>, weights: &WeightBox) -> Self {
        let subject = weights.subject();
        let names: Vec<(usize, Source)> = stated
            .reads()
            .map(|(index, variable, read)| match (read, about(&variable.name, subject)) {
                (Read::Positions(_) | Read::Whole(_), _) => (index, Source::Positions),
                (Read::Solved { asked: Impartial::Outcome(_), .. }, _) => (index, Source::Outcome),
                (Read::Solved { asked: Impartial::Grundy(_), .. }, _) => (index, Source::Grundy),
                (Read::Position(_), About::Sum(edges)) => (index, Source::Sum(edges)),
                (Read::Position(read), About::Edges(edges)) => (index, Source::Read(Arc::clone(read), edges)),
            })
            .collect();
        let columns = names.iter().map(|(index, _)| index + 1).max().unwrap_or(0);
        Self { names, columns, has_grundy: weights.wanted() == Wanted::Grundy }
    }

    /// Whether a name, by its index, depends on the weight of an edge. What is solved depends on every one.
    pub fn depends(&self, index: usize, edge: usize) -> bool {
        let source = self.names.iter().find(|(known, _)| *known == index);
        source.is_some_and(|(_, source)| match source {
            Source::Sum(edges) | Source::Read(_, edges) => edges.contains(&edge),
            Source::Outcome | Source::Grundy | Source::Positions => true,
        })
    }

    /// Whether some name is read of each position along lines of this kind.
    pub fn reads_each(&self, runs: usize) -> bool {
        self.names.iter().any(|(_, source)| matches!(source, Source::Read(_, edges) if edges.contains(&runs)))
    }

    /// Columns for [`crate::language::block::Program::window`], which looks at no value that is not the same along the line and is
    /// not a weight or a sum: what is not known without a look at each position is stood in for. `any` may be an edge whose weight
    /// is to be taken for any, and not for that which it has.
    pub fn sketch<'b>(&self, line: &Line<'_>, any: Option<usize>, buffers: &'b mut Buffers) -> Vec<Column<'b>> {
        buffers.view.look_at(line.weights);
        let Buffers { view, outcomes, grundy, some_integers, some_readings, .. } = &*buffers;
        let mut columns = vec![Column::Constant(Reading::Absent); self.columns];
        for (index, source) in &self.names {
            let is_any = any.is_some_and(|edge| self.depends(*index, edge));
            columns[*index] = match source {
                Source::Outcome => Column::Outcomes(outcomes),
                // It is there, and nothing else is asked of a column.
                Source::Positions => Column::Constant(Value::Boolean(true).into()),
                Source::Grundy if !self.has_grundy => Column::Constant(Reading::Absent),
                Source::Grundy => Column::Integers(grundy),
                Source::Sum(_) if is_any => Column::Integers(some_integers),
                Source::Sum(edges) => sum(edges, line),
                Source::Read(_, edges) if is_any || edges.contains(&line.runs) => Column::Readings(some_readings),
                Source::Read(read, _) => Column::Constant(read(view)),
            };
        }
        columns
    }

    /// Columns for some lanes of a line; `outcomes` and `grundy` of the buffers have what is known of these.
    pub fn columns<'b>(&self, line: &Line<'_>, lanes: Range<usize>, buffers: &'b mut Buffers) -> Vec<Column<'b>> {
        let Line { weights, runs } = *line;
        buffers.weights.clear();
        buffers.weights.extend_from_slice(weights);
        // Weights are at most 2^16 - 1.
        buffers.weights[runs] += lanes.start as u32;
        if self.reads_each(runs) {
            self.read_each(runs, lanes.len(), buffers);
        }
        buffers.view.look_at(&buffers.weights);
        let Buffers { view, outcomes, grundy, read, weights, .. } = &*buffers;
        let line = Line { weights, runs };
        let mut columns = vec![Column::Constant(Reading::Absent); self.columns];
        let mut each = read.iter();
        for (index, source) in &self.names {
            columns[*index] = match source {
                Source::Outcome => Column::Outcomes(outcomes),
                // It is there, and nothing else is asked of a column.
                Source::Positions => Column::Constant(Value::Boolean(true).into()),
                Source::Grundy if !self.has_grundy => Column::Constant(Reading::Absent),
                Source::Grundy => Column::Integers(grundy),
                Source::Sum(edges) => sum(edges, &line),
                Source::Read(_, edges) if edges.contains(&runs) => match each.next() {
                    Some((readings, integers)) if readings.len() > integers.len() => Column::Readings(readings),
                    Some((_, integers)) => Column::Integers(integers),
                    None => continue,
                },
                Source::Read(read, _) => Column::Constant(read(view)),
            };
        }
        columns
    }

    /// Reads at each of some positions, from the weights of the buffers on, the names that take that.
    fn read_each(&self, runs: usize, lanes: usize, buffers: &mut Buffers) {
        let Buffers { view, read, weights, .. } = buffers;
        let reads = self.names.iter().filter_map(|(_, source)| match source {
            Source::Read(read, edges) if edges.contains(&runs) => Some(read),
            _ => None,
        });
        let reads: Vec<&Arc<ReadPosition<GraphNim>>> = reads.collect();
        read.resize_with(read.len().max(reads.len()), Default::default);
        read.iter_mut().for_each(|(readings, integers)| {
            readings.clear();
            integers.clear();
        });
        let first = weights[runs];
        for lane in 0..lanes {
            weights[runs] = first + lane as u32;
            view.look_at(weights);
            for (of, (readings, _)) in reads.iter().zip(read.iter_mut()) {
                readings.push(of(view));
            }
        }
        weights[runs] = first;
        for (readings, integers) in read {
            let integer = |reading: &Reading| if let Reading::Value(Value::Integer(integer)) = reading { Some(*integer) } else { None };
            integers.extend(readings.iter().map_while(integer));
        }
    }
}

/// The sum of the weights of some edges along a line: it goes up by one, or stays.
fn sum<'c>(edges: &[usize], line: &Line<'_>) -> Column<'c> {
    let first = edges.iter().map(|edge| i64::from(line.weights[*edge])).sum();
    if edges.contains(&line.runs) { Column::Counting { first } } else { Column::constant(first) }
}
