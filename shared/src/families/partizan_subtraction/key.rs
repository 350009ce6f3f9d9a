//! A heap as it is written down.
//!
//! The byte order of keys is the order of size: by the sum of the numeric parameters, then lexicographically. A box by parameters,
//! full and truncated support: the sum, a byte 1, then a, b, tau and the heap. A box of a pair of sets: the sum of all numbers to
//! remove and the heap, a byte 2, the heap; the sets are those of the box. Numbers are 8 bytes, big-endian.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::families::Configuration;

use super::rules::{Ruleset, Support};

const BY_PARAMETERS: u8 = 1;
const BY_SETS: u8 = 2;

/// A heap of a ruleset.
#[derive(Clone, Debug)]
pub struct Heap {
    /// What both players may remove.
    pub ruleset: Arc<Ruleset>,
    /// The parameters that make the ruleset one of full or truncated support, if it is one.
    pub support: Option<Support>,
    /// Whether it is shown by these parameters, as its box is given, and not by the sets.
    pub is_by_parameters: bool,
    /// The heap itself.
    pub size: u64,
}

impl Heap {
    /// Another heap of the same ruleset.
    pub fn at(&self, size: u64) -> Self {
        Self { size, ..self.clone() }
    }

    /// As reports show it.
    pub fn to_json(&self) -> Json {
        match self.support {
            Some(Support { a, b, tau }) if self.is_by_parameters => json!({ "a": a, "b": b, "tau": tau, "heap": self.size }),
            _ => json!({ "left": self.ruleset.left.elements(), "right": self.ruleset.right.elements(), "heap": self.size }),
        }
    }
}

impl Configuration for Heap {
    fn key(&self, key: &mut Vec<u8>) {
        match self.support {
            Some(Support { a, b, tau }) if self.is_by_parameters => put(key, BY_PARAMETERS, a + b + tau, &[a, b, tau, self.size]),
            _ => {
                let numbers = self.ruleset.left.elements().iter().chain(self.ruleset.right.elements());
                put(key, BY_SETS, numbers.map(|number| u64::from(*number)).sum(), &[self.size]);
            }
        }
    }

    /// A ruleset of full or truncated support is written by its parameters, whichever way its box is given.
    fn canonical(&self, bytes: &mut Vec<u8>) {
        match self.support {
            Some(Support { a, b, tau }) => bytes.extend([a, b, tau].into_iter().flat_map(u64::to_be_bytes)),
            None => {
                for set in [&self.ruleset.left, &self.ruleset.right] {
                    bytes.extend(set.elements().iter().flat_map(|number| number.to_be_bytes()));
                    bytes.push(0);
                }
            }
        }
        bytes.extend_from_slice(&self.size.to_be_bytes());
    }
}

/// Appends a key; the last number is the heap.
fn put(key: &mut Vec<u8>, kind: u8, sum: u64, numbers: &[u64]) {
    key.extend_from_slice(&(sum + numbers.last().unwrap_or(&0)).to_be_bytes());
    key.push(kind);
    key.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
}

/// Reads a key: the parameters of its ruleset, where it is written by them, and the heap; nothing if it is none.
pub fn read(key: &[u8]) -> Option<(Option<Support>, u64)> {
    let (_, rest) = key.split_first_chunk::<8>()?;
    let (kind, numbers) = rest.split_first()?;
    let (numbers, rest) = numbers.as_chunks::<8>();
    let numbers: Vec<u64> = numbers.iter().map(|number| u64::from_be_bytes(*number)).collect();
    match (*kind, &numbers[..], rest.is_empty()) {
        (BY_PARAMETERS, [a, b, tau, heap], true) => Some((Some(Support { a: *a, b: *b, tau: *tau }), *heap)),
        (BY_SETS, [heap], true) => Some((None, *heap)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key([a, b, tau, heap]: [u64; 4]) -> Vec<u8> {
        let mut key = Vec::new();
        put(&mut key, BY_PARAMETERS, a + b + tau, &[a, b, tau, heap]);
        key
    }

    proptest! {
        #[test]
        fn keys_are_read_back_and_order_by_sum_then_lexicographically(one in [1u64..9, 1..9, 0..9, 0..9], other in [1u64..9, 1..9, 0..9, 0..9]) {
            let [a, b, tau, heap] = one;
            prop_assert_eq!(read(&key(one)), Some((Some(Support { a, b, tau }), heap)));
            let size = |numbers: [u64; 4]| (numbers.iter().sum::<u64>(), numbers);
            prop_assert_eq!(key(one).cmp(&key(other)), size(one).cmp(&size(other)));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(&bytes);
        }
    }
}
