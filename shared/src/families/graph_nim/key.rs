//! The encoding of a configuration whose byte order is the order of size: by the sum of the weights, then lexicographically.
//!
//! A position: the sum in 8 bytes; for each weight a byte 1 and the weight in 2 bytes; a byte 0. An edge set: 8 bytes of 0, its
//! number in 8 bytes behind a byte 2. All numbers are big-endian.

use crate::families::Configuration;

use super::rules::Weights;

/// What a key encodes, within its box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InBox {
    /// A position.
    Weights(Weights),
    /// An edge set, by its number.
    EdgeSet(u64),
}

/// A position on a graph.
#[derive(Clone, Copy)]
pub struct AtWeights<'a> {
    /// The graph as it is written.
    pub graph: &'a [u8],
    /// One weight per edge.
    pub weights: &'a [u32],
}

impl Configuration for AtWeights<'_> {
    fn key(&self, key: &mut Vec<u8>) {
        let sum: u64 = self.weights.iter().map(|weight| u64::from(*weight)).sum();
        key.extend_from_slice(&sum.to_be_bytes());
        for weight in self.weights {
            key.push(1);
            // Weights are at most 2^16 - 1.
            key.extend_from_slice(&(*weight as u16).to_be_bytes());
        }
        key.push(0);
    }

    /// The graph, a byte 0, and the key.
    fn canonical(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.graph);
        bytes.push(0);
        self.key(bytes);
    }
}

/// A set of edges, by its number in its box.
#[derive(Clone, Copy)]
pub struct AtEdgeSet(pub u64);

impl Configuration for AtEdgeSet {
    fn key(&self, key: &mut Vec<u8>) {
        key.extend_from_slice(&[0; 8]);
        key.push(2);
        key.extend_from_slice(&self.0.to_be_bytes());
    }

    /// No graph, a byte 0, and the key.
    fn canonical(&self, bytes: &mut Vec<u8>) {
        bytes.push(0);
        self.key(bytes);
    }
}

/// The part of a P-position's canonical record after its letter: a byte 0, the graph, a byte 0, and each weight in 2 bytes.
pub fn losing(position: AtWeights<'_>, bytes: &mut Vec<u8>) {
    bytes.push(0);
    bytes.extend_from_slice(position.graph);
    bytes.push(0);
    // Weights are at most 2^16 - 1.
    bytes.extend(position.weights.iter().flat_map(|weight| (*weight as u16).to_be_bytes()));
}

/// Reads a key, or nothing if it is none.
pub fn read(key: &[u8]) -> Option<InBox> {
    let (sum, rest) = key.split_first_chunk::<8>()?;
    let sum = u64::from_be_bytes(*sum);
    if let [2, number @ ..] = rest {
        return Some(InBox::EdgeSet(u64::from_be_bytes(number.try_into().ok()?)));
    }
    let (end, rest) = rest.split_last()?;
    let groups = rest.chunks(3).map(|group| match group {
        [1, high, low] => Some(u32::from(u16::from_be_bytes([*high, *low]))),
        _ => None,
    });
    let weights = groups.collect::<Option<Weights>>()?;
    let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    (*end == 0 && total == sum).then_some(InBox::Weights(weights))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(configuration: impl Configuration) -> Vec<u8> {
        let mut key = Vec::new();
        configuration.key(&mut key);
        key
    }

    proptest! {
        #[test]
        fn keys_are_read_back(weights in prop::collection::vec(0u32..=65_535, 1..16), number: u64) {
            prop_assert_eq!(read(&key(AtWeights { graph: b"", weights: &weights })), Some(InBox::Weights(weights)));
            prop_assert_eq!(read(&key(AtEdgeSet(number))), Some(InBox::EdgeSet(number)));
        }

        #[test]
        fn keys_order_by_sum_then_lexicographically(a in prop::collection::vec(0u32..4, 1..4), b in prop::collection::vec(0u32..4, 1..4)) {
            let size = |weights: &[u32]| (weights.iter().sum::<u32>(), weights.to_vec());
            let key = |weights: &[u32]| key(AtWeights { graph: b"", weights });
            prop_assert_eq!(key(&a).cmp(&key(&b)), size(&a).cmp(&size(&b)));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = read(&bytes);
        }
    }
}
