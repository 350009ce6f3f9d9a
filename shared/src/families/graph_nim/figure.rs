//! P-positions as tables: the weight of the pivot over two other edges, a table for each choice of the rest.

use std::collections::BTreeMap;

use crate::families::{Figure, FigureRow, split_key};
use crate::sweep::{KeptRecord, Range};
use crate::value::{Impartial, Nimber, Outcome, Play};

use super::boxes::BoxKind;
use super::key::{self, InBox};
use super::weight_box::WeightBox;

/// Tables drawn of one box, of the least weights of the edges that a table holds fixed.
const MOST_TABLES: usize = 16;
/// Rows and columns of a table, of the least weights.
const MOST_LINES: u64 = 64;

/// What of a box is drawn, and how.
struct Slices {
    pivot: usize,
    row: usize,
    column: usize,
    rows: Range,
    columns: Range,
    /// Tables by the weights of the other edges; a table's rows by their weight, a letter a column.
    tables: BTreeMap<Vec<u32>, Vec<Vec<char>>>,
}

/// The figures of kept P-positions: for each box on a graph with three edges or more, tables of the pivot's weight.
pub fn of_records(all: &[BoxKind], records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
    let mut boxes: BTreeMap<u32, Slices> = BTreeMap::new();
    let losing = [Impartial::Outcome(Outcome::P), Impartial::Grundy(Nimber(0))].map(|value| value.to_string());
    let is_losing = |record: &KeptRecord| losing.contains(&record.value);
    for record in records.filter(is_losing) {
        let Some((box_index, within)) = split_key(&record.key) else { continue };
        let (Some(InBox::Weights(position)), Some(BoxKind::Weights(weights))) = (key::read(within), all.get(box_index as usize)) else {
            continue;
        };
        if weights.ranges().len() < 3 || position.len() != weights.ranges().len() {
            continue;
        }
        boxes.entry(box_index).or_insert_with(|| Slices::new(weights)).draw(&position);
    }
    let figures = |(box_index, slices): (u32, Slices)| match all.get(box_index as usize) {
        Some(BoxKind::Weights(weights)) => slices.finish(weights),
        _ => Vec::new(),
    };
    boxes.into_iter().flat_map(figures).collect()
}

impl Slices {
    /// Empty tables of a box with at least three edges: columns along the solver's rows, rows along the first edge that is left.
    fn new(weights: &WeightBox) -> Self {
        let pivot = weights.layout().pivot;
        let column = weights.layout().order.last().copied().unwrap_or(0);
        let row = (0..weights.ranges().len()).find(|edge| *edge != pivot && *edge != column).unwrap_or(0);
        let shown = |edge: usize| {
            let range = weights.ranges()[edge];
            Range::new(range.low(), range.high().min(range.low() + MOST_LINES - 1)).unwrap_or(range)
        };
        let (rows, columns) = (shown(row), shown(column));
        let blank = vec![vec!['.'; columns.len() as usize]; rows.len() as usize];
        let others: Vec<usize> = (0..weights.ranges().len()).filter(|edge| ![pivot, row, column].contains(edge)).collect();
        let tables = choices(&others.iter().map(|edge| weights.ranges()[*edge]).collect::<Vec<Range>>());
        Self { pivot, row, column, rows, columns, tables: tables.into_iter().map(|fixed| (fixed, blank.clone())).collect() }
    }

    fn others(&self, edges: usize) -> impl Iterator<Item = usize> {
        let drawn = [self.pivot, self.row, self.column];
        (0..edges).filter(move |edge| !drawn.contains(edge))
    }

    fn draw(&mut self, position: &[u32]) {
        let fixed: Vec<u32> = self.others(position.len()).map(|edge| position[edge]).collect();
        let (row, column) = (u64::from(position[self.row]), u64::from(position[self.column]));
        let Some(table) = self.tables.get_mut(&fixed) else { return };
        if row <= self.rows.high() && column <= self.columns.high() {
            let digit = char::from_digit(position[self.pivot], 36).unwrap_or('+');
            table[(row - self.rows.low()) as usize][(column - self.columns.low()) as usize] = digit;
        }
    }

    fn finish(self, weights: &WeightBox) -> Vec<Figure> {
        let graph = &weights.subject().graph;
        let name = |edge: usize| graph.edge_name(edge);
        let (pivot, row, columns) = (name(self.pivot), name(self.row), self.columns);
        let others: Vec<String> = self.others(weights.ranges().len()).map(name).collect();
        let figure = |(fixed, table): (Vec<u32>, Vec<Vec<char>>)| {
            let fixed: Vec<String> = others.iter().zip(fixed).map(|(edge, weight)| format!(", {edge} = {weight}")).collect();
            let play = if weights.wanted().play() == Play::Misere { ", misère play" } else { "" };
            let (low, high, column) = (columns.low(), columns.high(), name(self.column));
            let title = format!(
                "P-positions of {graph}{}{play}: the weight of {pivot} (a to z are 10 to 35, + is more), a row a weight of {row}, {column} {low} to {high} from left to right",
                fixed.concat()
            );
            let label = |index: usize| format!("{row} {}", self.rows.low() + index as u64);
            let rows = table
                .into_iter()
                .enumerate()
                .map(|(index, letters)| FigureRow { label: label(index), letters: letters.into_iter().collect() });
            Figure { title, rows: rows.collect() }
        };
        self.tables.into_iter().map(figure).collect()
    }
}

/// The first choices of one weight in each range, in lexicographic order.
fn choices(ranges: &[Range]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for range in ranges {
        let weights: Vec<u32> = (range.low()..=range.high()).take(MOST_TABLES).map(|weight| weight as u32).collect();
        let longer = all.iter().flat_map(|chosen: &Vec<u32>| weights.iter().map(|weight| [chosen.as_slice(), &[*weight]].concat()));
        all = longer.take(MOST_TABLES).collect();
    }
    all
}
