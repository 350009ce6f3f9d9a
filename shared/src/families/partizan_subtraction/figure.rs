//! Outcomes as a picture: a row of letters a ruleset, as in the paper's figures 3 and 5.

use std::collections::BTreeMap;

use crate::families::judge::split_key;
use crate::families::{Figure, FigureRow, GameBox};
use crate::sweep::KeptRecord;

use super::boxes::SubtractionBox;
use super::key;
use super::rules::Support;

/// The letters of one row by heap.
type Row = BTreeMap<u64, String>;

/// The figures of kept positions: for full and truncated support one a pair (a, b), with a row a truncation level; for other
/// pairs of sets one a box.
pub fn of_records(boxes: &[SubtractionBox], records: &mut dyn Iterator<Item = KeptRecord>) -> Vec<Figure> {
    let mut supports: BTreeMap<(u64, u64), BTreeMap<u64, Row>> = BTreeMap::new();
    let mut sets: BTreeMap<u32, Row> = BTreeMap::new();
    for record in records {
        // The outcome comes first among the quantities that were kept.
        let outcome = record.value.split(';').next().unwrap_or_default().to_owned();
        match split_key(&record.key).and_then(|(box_index, within)| Some((box_index, key::read(within)?))) {
            Some((_, (Some(Support { a, b, tau }), heap))) => {
                supports.entry((a, b)).or_default().entry(tau).or_default().insert(heap, outcome);
            }
            Some((box_index, (None, heap))) => {
                sets.entry(box_index).or_default().insert(heap, outcome);
            }
            None => {}
        }
    }
    let of_supports = supports.into_iter().map(|((a, b), rows)| {
        let rows: Vec<(String, Row)> = rows.into_iter().map(|(tau, row)| (format!("tau {tau}"), row)).collect();
        figure(&format!("(a,b) = ({a},{b}), a row a truncation level"), rows)
    });
    let of_sets = sets.into_iter().map(|(box_index, row)| {
        let title = boxes.get(box_index as usize).map(SubtractionBox::describe).unwrap_or_default();
        figure(&title, vec![("outcome".to_owned(), row)])
    });
    of_supports.chain(of_sets).collect()
}

/// A figure whose columns are all heaps from the least to the greatest that some row has; a heap that a row does not have is a dot.
fn figure(title: &str, rows: Vec<(String, Row)>) -> Figure {
    let heaps = || rows.iter().flat_map(|(_, row)| row.keys().copied());
    let (low, high) = (heaps().min().unwrap_or(0), heaps().max().unwrap_or(0));
    let letters = |row: &Row| (low..=high).map(|heap| row.get(&heap).map_or(".", String::as_str)).collect();
    Figure {
        title: format!("Outcomes, {title}, heaps {low} to {high} from left to right"),
        rows: rows.iter().map(|(label, row)| FigureRow { label: label.clone(), letters: letters(row) }).collect(),
    }
}
