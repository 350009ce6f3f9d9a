//! The encoding of a configuration whose byte order is the order of size: by vertices, then by hyperedges.
//!
//! Vertices and hyperedges in 2 bytes each; a byte that says what follows; for a member of the family (1) the number of its graph
//! in 8 bytes, for a class of hypergraphs (2) its canonical form in 8 bytes, for one of a list (3) its place in 8 bytes. Numbers are
//! big-endian.

use crate::families::Configuration;

use super::hypergraph::Hypergraph;

/// Which hypergraph of its box it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InBox {
    /// The member with so many vertices in X and the graph of this number.
    Member { order: u32, number: u64 },
    /// The class of hypergraphs with so many vertices that has this canonical form.
    Class { vertices: u32, word: u32 },
    /// The hypergraph of this place in the list.
    Listed(u32),
}

const MEMBER: u8 = 1;
const CLASS: u8 = 2;
const LISTED: u8 = 3;

/// A hypergraph of a box.
pub struct Decided<'a> {
    /// The hypergraph.
    pub hypergraph: &'a Hypergraph,
    /// Which of its box it is.
    pub in_box: InBox,
}

impl Configuration for Decided<'_> {
    fn key(&self, key: &mut Vec<u8>) {
        // There are at most 64 vertices and, so that a table can hold them, few hyperedges.
        put(key, self.hypergraph.vertices() as u16, self.hypergraph.hyperedges().len() as u16, self.in_box);
    }

    /// The number of vertices in 4 bytes and each hyperedge in 8.
    fn canonical(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.hypergraph.vertices().to_be_bytes());
        bytes.extend(self.hypergraph.hyperedges().iter().flat_map(|hyperedge| hyperedge.to_be_bytes()));
    }
}

fn put(key: &mut Vec<u8>, vertices: u16, hyperedges: u16, in_box: InBox) {
    let (kind, number) = match in_box {
        InBox::Member { number, .. } => (MEMBER, number),
        InBox::Class { word, .. } => (CLASS, word.into()),
        InBox::Listed(place) => (LISTED, place.into()),
    };
    key.extend_from_slice(&vertices.to_be_bytes());
    key.extend_from_slice(&hyperedges.to_be_bytes());
    key.push(kind);
    key.extend_from_slice(&number.to_be_bytes());
}

/// Reads a key: the number of vertices and of hyperedges, and which hypergraph of its box it is; nothing if it is none.
pub fn read(key: &[u8]) -> Option<(u32, u32, InBox)> {
    let (vertices, rest) = key.split_first_chunk::<2>()?;
    let (hyperedges, rest) = rest.split_first_chunk::<2>()?;
    let (kind, rest) = rest.split_first()?;
    let number = u64::from_be_bytes(rest.try_into().ok()?);
    let vertices = u32::from(u16::from_be_bytes(*vertices));
    let in_box = match *kind {
        MEMBER => InBox::Member { order: vertices.checked_sub(1)?, number },
        CLASS => InBox::Class { vertices, word: u32::try_from(number).ok()? },
        LISTED => InBox::Listed(u32::try_from(number).ok()?),
        _ => return None,
    };
    Some((vertices, u16::from_be_bytes(*hyperedges).into(), in_box))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key([vertices, hyperedges, number]: [u16; 3]) -> Vec<u8> {
        let mut key = Vec::new();
        put(&mut key, vertices, hyperedges, InBox::Class { vertices: vertices.into(), word: number.into() });
        key
    }

    proptest! {
        #[test]
        fn keys_are_read_back_and_order_by_vertices_then_hyperedges(one in [1u16..9, 0..30, 0..3], other in [1u16..9, 0..30, 0..3]) {
            let [vertices, hyperedges, number] = one.map(u32::from);
            prop_assert_eq!(read(&key(one)), Some((vertices, hyperedges, InBox::Class { vertices, word: number })));
            prop_assert_eq!(key(one).cmp(&key(other)), one.cmp(&other));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            let _ = read(&bytes);
        }
    }
}
