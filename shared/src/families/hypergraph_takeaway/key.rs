//! The encoding of a configuration whose byte order is the order of size: by vertices, then by hyperedges.
//!
//! Vertices and hyperedges in 2 bytes each; a byte that says what follows; for a member of the family (1) the number of its graph
//! in 8 bytes, for a class of hypergraphs (2) its canonical form in 8 bytes, for one of a list (3) its place in 8 bytes; then the box in
//! 4 bytes. Numbers are big-endian.

/// What a key encodes, within its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Configuration {
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

/// The key of a configuration with so many vertices and hyperedges.
pub fn of(box_index: u32, vertices: u32, hyperedges: u32, configuration: Configuration) -> Vec<u8> {
    let (kind, number) = match configuration {
        Configuration::Member { number, .. } => (MEMBER, number),
        Configuration::Class { word, .. } => (CLASS, word.into()),
        Configuration::Listed(place) => (LISTED, place.into()),
    };
    let mut key = Vec::with_capacity(17);
    // There are at most 64 vertices and, so that a table can hold them, few hyperedges.
    key.extend_from_slice(&(vertices as u16).to_be_bytes());
    key.extend_from_slice(&(hyperedges as u16).to_be_bytes());
    key.push(kind);
    key.extend_from_slice(&number.to_be_bytes());
    key.extend_from_slice(&box_index.to_be_bytes());
    key
}

/// Reads a key: the box, the number of vertices and of hyperedges, and the configuration; nothing if it is none.
pub fn read(key: &[u8]) -> Option<(u32, u32, u32, Configuration)> {
    let (vertices, rest) = key.split_first_chunk::<2>()?;
    let (hyperedges, rest) = rest.split_first_chunk::<2>()?;
    let (kind, rest) = rest.split_first()?;
    let (number, rest) = rest.split_first_chunk::<8>()?;
    let box_index = u32::from_be_bytes(rest.try_into().ok()?);
    let vertices = u32::from(u16::from_be_bytes(*vertices));
    let number = u64::from_be_bytes(*number);
    let configuration = match *kind {
        MEMBER => Configuration::Member { order: vertices.checked_sub(1)?, number },
        CLASS => Configuration::Class { vertices, word: u32::try_from(number).ok()? },
        LISTED => Configuration::Listed(u32::try_from(number).ok()?),
        _ => return None,
    };
    Some((box_index, vertices, u16::from_be_bytes(*hyperedges).into(), configuration))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_read_back_and_order_by_vertices_then_hyperedges(one in [1u32..9, 0..30, 0..3], other in [1u32..9, 0..30, 0..3]) {
            let key = |[vertices, hyperedges, number]: [u32; 3]| of(number, vertices, hyperedges, Configuration::Class { vertices, word: number });
            let [vertices, hyperedges, number] = one;
            prop_assert_eq!(read(&key(one)), Some((number, vertices, hyperedges, Configuration::Class { vertices, word: number })));
            prop_assert_eq!(key(one).cmp(&key(other)), one.cmp(&other));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            let _ = read(&bytes);
        }
    }
}
