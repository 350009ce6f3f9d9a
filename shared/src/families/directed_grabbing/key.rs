//! The encoding of a configuration whose byte order is the order of size: by the sum of the weights, then by the number of
//! vertices, then lexicographically.
//!
//! The sum in 8 bytes; the number of vertices in a byte; a byte for the kind; the configuration. Paths and grids are lists of
//! lists of weights: before each weight a byte 1, after each list a byte 0, and after all of them another, so that bytes compare
//! as the lists do. A digraph is its number of arcs in a byte, its code in 8 bytes, and its weights. Weights and sums are 8 bytes,
//! big-endian, with the sign bit turned over.

use crate::families::Configuration;

use super::dags;
use super::notation::{Notation, Written};
use super::rules::{DigraphError, Grid, Position};

/// A configuration of some box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightedDigraph {
    /// A union of paths, each from its sink on.
    Paths(Vec<Vec<i64>>),
    /// A grid, its weights in reading order.
    Grid(Grid, Vec<i64>),
    /// An acyclic digraph by its code.
    Dag {
        /// The digraph's code.
        code: u64,
        /// The weights.
        weights: Vec<i64>,
    },
}

const PATHS: u8 = 1;
const GRID: u8 = 2;
const DAG: u8 = 3;

fn number_bytes(number: i64) -> [u8; 8] {
    (number as u64 ^ 1 << 63).to_be_bytes()
}

fn number_of(bytes: [u8; 8]) -> i64 {
    (u64::from_be_bytes(bytes) ^ 1 << 63) as i64
}

impl Configuration for WeightedDigraph {
    fn key(&self, bytes: &mut Vec<u8>) {
        let (kind, sum, vertices) = match self {
            Self::Paths(paths) => (PATHS, paths.iter().flatten().sum(), paths.iter().map(Vec::len).sum()),
            Self::Grid(_, weights) => (GRID, weights.iter().sum(), weights.len()),
            Self::Dag { weights, .. } => (DAG, weights.iter().sum(), weights.len()),
        };
        bytes.extend_from_slice(&number_bytes(sum));
        // There are at most 64 vertices.
        bytes.extend_from_slice(&[vertices as u8, kind]);
        match self {
            Self::Paths(paths) => put_lists(bytes, paths.iter().map(Vec::as_slice)),
            Self::Grid(grid, weights) => put_lists(bytes, weights.chunks(grid.columns)),
            Self::Dag { code, weights } => {
                // There are fewer than 64 arcs.
                bytes.push(code.count_ones() as u8);
                bytes.extend_from_slice(&code.to_be_bytes());
                bytes.extend(weights.iter().flat_map(|weight| number_bytes(*weight)));
            }
        }
    }
}

impl WeightedDigraph {
    /// The configuration as a position.
    ///
    /// # Errors
    /// [`DigraphError`].
    pub fn position(&self) -> Result<Position, DigraphError> {
        match self {
            Self::Paths(paths) => Position::of_paths(paths),
            Self::Grid(grid, weights) => Position::of_grid(*grid, weights.clone()),
            Self::Dag { code, weights } => {
                Ok(Position { graph: dags::digraph(weights.len(), *code)?, weights: weights.clone(), grid: None })
            }
        }
    }

    /// The position with the way it is written.
    ///
    /// # Errors
    /// [`DigraphError`].
    pub fn written(&self) -> Result<Written, DigraphError> {
        let notation = match self {
            Self::Paths(paths) => Notation::Paths(paths.iter().map(Vec::len).collect()),
            Self::Grid(grid, _) => Notation::Grid(*grid),
            Self::Dag { weights, .. } => Notation::letters(weights.len()),
        };
        Ok(Written { position: self.position()?, notation })
    }
}

fn put_lists<'a>(bytes: &mut Vec<u8>, lists: impl Iterator<Item = &'a [i64]>) {
    for list in lists {
        for weight in list {
            bytes.push(1);
            bytes.extend_from_slice(&number_bytes(*weight));
        }
        bytes.push(0);
    }
    bytes.push(0);
}

/// Reads a key, or nothing if it is none.
pub fn read(key: &[u8]) -> Option<WeightedDigraph> {
    // The sum and the number of vertices are not looked at: who reads a key compares it with that of what follows.
    let (_, rest) = key.split_first_chunk::<9>()?;
    let (kind, rest) = rest.split_first()?;
    Some(match *kind {
        PATHS => WeightedDigraph::Paths(lists(rest)?),
        GRID => {
            let rows = lists(rest)?;
            let columns = rows.first()?.len();
            let is_grid = rows.iter().all(|row| row.len() == columns);
            is_grid.then(|| WeightedDigraph::Grid(Grid { rows: rows.len(), columns }, rows.concat()))?
        }
        DAG => {
            let (_, rest) = rest.split_first()?;
            let (code, rest) = rest.split_first_chunk::<8>()?;
            let (weights, end) = rest.as_chunks::<8>();
            end.is_empty().then(|| WeightedDigraph::Dag {
                code: u64::from_be_bytes(*code),
                weights: weights.iter().map(|weight| number_of(*weight)).collect(),
            })?
        }
        _ => return None,
    })
}

fn lists(mut bytes: &[u8]) -> Option<Vec<Vec<i64>>> {
    let mut lists = Vec::new();
    let mut list = Vec::new();
    loop {
        let (mark, rest) = bytes.split_first()?;
        bytes = rest;
        match mark {
            0 if list.is_empty() => return bytes.is_empty().then_some(lists),
            0 => lists.push(std::mem::take(&mut list)),
            1 => {
                let (weight, rest) = bytes.split_first_chunk::<8>()?;
                list.push(number_of(*weight));
                bytes = rest;
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn paths() -> impl Strategy<Value = Vec<Vec<i64>>> {
        prop::collection::vec(prop::collection::vec(-2i64..3, 1..4), 0..4)
    }

    fn key(one: &WeightedDigraph) -> Vec<u8> {
        let mut key = Vec::new();
        one.key(&mut key);
        key
    }

    proptest! {
        #[test]
        fn keys_are_read_back_and_order_by_sum_then_vertices_then_lexicographically(one in paths(), other in paths()) {
            let key = |paths: &Vec<Vec<i64>>| key(&WeightedDigraph::Paths(paths.clone()));
            prop_assert_eq!(read(&key(&one)), Some(WeightedDigraph::Paths(one.clone())));
            let size = |paths: &Vec<Vec<i64>>| (paths.iter().flatten().sum::<i64>(), paths.iter().flatten().count(), paths.clone());
            prop_assert_eq!(key(&one).cmp(&key(&other)), size(&one).cmp(&size(&other)));
        }

        #[test]
        fn grids_and_digraphs_are_read_back(rows in 1usize..4, columns in 1usize..4, weights in prop::collection::vec(-2i64..3, 9), code in 0u64..64) {
            let grid = WeightedDigraph::Grid(Grid { rows, columns }, weights[..rows * columns].to_vec());
            prop_assert_eq!(read(&key(&grid)), Some(grid));
            let dag = WeightedDigraph::Dag { code, weights: weights[..4].to_vec() };
            prop_assert_eq!(read(&key(&dag)), Some(dag));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(prop_oneof![0u8..4, any::<u8>()], 0..60)) {
            let _ = read(&bytes);
        }
    }
}
