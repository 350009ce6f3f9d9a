//! The encoding of a configuration whose byte order is the order of size: by the sum of the weights, then lexicographically,
//! then by box.
//!
//! A position: the sum in 8 bytes; for each weight a byte 1 and the weight in 2 bytes; a byte 0; the box in 4 bytes. An edge
//! set: 8 bytes of 0, its number in 8 bytes behind a byte 2, the box in 4 bytes. All numbers are big-endian.

use super::rules::Weights;

/// What a key encodes, within its box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Configuration {
    /// A position.
    Weights(Weights),
    /// An edge set, by its number.
    EdgeSet(u64),
}

/// The key of a position.
pub fn of_weights(box_index: u32, weights: &[u32]) -> Vec<u8> {
    let sum: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    let mut key = Vec::with_capacity(13 + 3 * weights.len());
    key.extend_from_slice(&sum.to_be_bytes());
    for weight in weights {
        key.push(1);
        // Weights are at most 2^16 - 1.
        key.extend_from_slice(&(*weight as u16).to_be_bytes());
    }
    key.push(0);
    key.extend_from_slice(&box_index.to_be_bytes());
    key
}

/// The key of an edge set.
pub fn of_edge_set(box_index: u32, number: u64) -> Vec<u8> {
    let mut key = vec![0; 8];
    key.push(2);
    key.extend_from_slice(&number.to_be_bytes());
    key.extend_from_slice(&box_index.to_be_bytes());
    key
}

/// Reads a key, or nothing if it is none.
pub fn read(key: &[u8]) -> Option<(u32, Configuration)> {
    let (rest, box_index) = key.split_last_chunk::<4>()?;
    let box_index = u32::from_be_bytes(*box_index);
    let (sum, rest) = rest.split_first_chunk::<8>()?;
    let sum = u64::from_be_bytes(*sum);
    if let [2, number @ ..] = rest {
        return Some((box_index, Configuration::EdgeSet(u64::from_be_bytes(number.try_into().ok()?))));
    }
    let (end, rest) = rest.split_last()?;
    let groups = rest.chunks(3).map(|group| match group {
        [1, high, low] => Some(u32::from(u16::from_be_bytes([*high, *low]))),
        _ => None,
    });
    let weights = groups.collect::<Option<Weights>>()?;
    let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    (*end == 0 && total == sum).then_some((box_index, Configuration::Weights(weights)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_read_back(box_index: u32, weights in prop::collection::vec(0u32..=65_535, 1..16), number: u64) {
            prop_assert_eq!(read(&of_weights(box_index, &weights)), Some((box_index, Configuration::Weights(weights))));
            prop_assert_eq!(read(&of_edge_set(box_index, number)), Some((box_index, Configuration::EdgeSet(number))));
        }

        #[test]
        fn keys_order_by_sum_then_lexicographically_then_by_box(a in prop::collection::vec(0u32..4, 1..4), b in prop::collection::vec(0u32..4, 1..4), x in 0u32..3, y in 0u32..3) {
            let size = |weights: &[u32], index| (weights.iter().sum::<u32>(), weights.to_vec(), index);
            prop_assert_eq!(of_weights(x, &a).cmp(&of_weights(y, &b)), size(&a, x).cmp(&size(&b, y)));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = read(&bytes);
        }
    }
}
