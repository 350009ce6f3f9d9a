//! Some of the lanes of a block, a byte each.

/// Some of the lanes of a block: a byte each, 1 for those that are meant.
#[derive(Clone, Debug)]
pub struct Mask {
    /// The bytes.
    pub lanes: Vec<u8>,
    /// How many are meant.
    pub count: usize,
}

impl Mask {
    /// The lanes of these bytes, each 0 or 1.
    pub fn of(lanes: Vec<u8>) -> Self {
        // Bytes are summed 255 at a time so that the sums of bytes do not overflow and a compiler can sum many at once.
        let count = lanes.chunks(255).map(|chunk| usize::from(chunk.iter().sum::<u8>())).sum();
        Self { lanes, count }
    }

    /// Those that are meant, by number.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.lanes.iter().enumerate().filter(|(_, lane)| **lane != 0).map(|(index, _)| index)
    }
}
