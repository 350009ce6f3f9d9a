//! The encoding of a configuration whose byte order is the order of size: by the sum of the numeric parameters, then
//! lexicographically, then by box.
//!
//! A box by parameters, full and truncated support: the sum, a byte 1, then a, b, tau and the heap. A box of a pair of sets: the sum of all numbers
//! to remove and the heap, a byte 2, the heap; the sets are those of the box. Then the box in 4 bytes. Numbers are 8 bytes,
//! big-endian.

use super::rules::{Ruleset, Support};

/// What a key encodes, within its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Configuration {
    /// A heap of full or truncated support.
    Support(Support, u64),
    /// A heap of the box's own pair of sets.
    Heap(u64),
}

/// The key of a heap of full or truncated support.
pub fn of_support(box_index: u32, support: Support, heap: u64) -> Vec<u8> {
    let Support { a, b, tau } = support;
    let mut key = Vec::with_capacity(45);
    key.extend_from_slice(&(a + b + tau + heap).to_be_bytes());
    key.push(1);
    for number in [a, b, tau, heap] {
        key.extend_from_slice(&number.to_be_bytes());
    }
    key.extend_from_slice(&box_index.to_be_bytes());
    key
}

/// The key of a heap of a pair of sets.
pub fn of_sets(box_index: u32, ruleset: &Ruleset, heap: u64) -> Vec<u8> {
    let numbers = ruleset.left.elements().iter().chain(ruleset.right.elements());
    let sum: u64 = numbers.map(|number| u64::from(*number)).sum();
    let mut key = Vec::with_capacity(21);
    key.extend_from_slice(&(sum + heap).to_be_bytes());
    key.push(2);
    key.extend_from_slice(&heap.to_be_bytes());
    key.extend_from_slice(&box_index.to_be_bytes());
    key
}

/// Reads a key, or nothing if it is none.
pub fn read(key: &[u8]) -> Option<(u32, Configuration)> {
    let (rest, box_index) = key.split_last_chunk::<4>()?;
    let (_, rest) = rest.split_first_chunk::<8>()?;
    let (tag, numbers) = rest.split_first()?;
    let (numbers, rest) = numbers.as_chunks::<8>();
    let numbers: Vec<u64> = numbers.iter().map(|number| u64::from_be_bytes(*number)).collect();
    let configuration = match (tag, numbers[..].as_ref(), rest.is_empty()) {
        (1, [a, b, tau, heap], true) => Configuration::Support(Support { a: *a, b: *b, tau: *tau }, *heap),
        (2, [heap], true) => Configuration::Heap(*heap),
        _ => return None,
    };
    Some((u32::from_be_bytes(*box_index), configuration))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_read_back_and_order_by_sum_then_lexicographically(one in [1u64..9, 1..9, 0..9, 0..9], other in [1u64..9, 1..9, 0..9, 0..9], x in 0u32..3, y in 0u32..3) {
            let key = |index, [a, b, tau, heap]: [u64; 4]| of_support(index, Support { a, b, tau }, heap);
            let [a, b, tau, heap] = one;
            prop_assert_eq!(read(&key(x, one)), Some((x, Configuration::Support(Support { a, b, tau }, heap))));
            let size = |index: u32, numbers: [u64; 4]| (numbers.iter().sum::<u64>(), numbers, index);
            prop_assert_eq!(key(x, one).cmp(&key(y, other)), size(x, one).cmp(&size(y, other)));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(&bytes);
        }
    }
}
