//! Nimbers, the values of impartial positions, and the least value that a set of options excludes.

use std::fmt;

/// The value of an impartial position: the nim-heap that it equals, by its Grundy value. Written `0`, `*`, `*2`, ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nimber(pub u32);

impl fmt::Display for Nimber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => formatter.write_str("0"),
            1 => formatter.write_str("*"),
            grundy => write!(formatter, "*{grundy}"),
        }
    }
}

/// The Grundy values of a position's options, of which the least excluded one is the position's own.
///
/// It holds values up to 255: a position with fewer than 256 options has none above that, nor do its options if they have no
/// more options than it.
#[derive(Clone, Copy, Debug, Default)]
pub struct GrundyValues([u64; 4]);

impl GrundyValues {
    /// Adds the value of an option.
    pub fn insert(&mut self, grundy: u8) {
        self.0[usize::from(grundy >> 6)] |= 1 << (grundy & 63);
    }

    /// Whether there is no option.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Whether some option has this value.
    #[must_use]
    pub fn contains(&self, grundy: u8) -> bool {
        self.0[usize::from(grundy >> 6)] >> (grundy & 63) & 1 == 1
    }

    /// The least excluded value. With all 256 present, which fewer than 256 options cannot bring about, it is 255.
    #[must_use]
    pub fn mex(&self) -> u8 {
        let word = self.0.iter().position(|word| *word != u64::MAX);
        // A word's index is at most 3 and its trailing ones at most 63.
        word.map_or(255, |index| (index as u32 * 64 + self.0[index].trailing_ones()) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nimbers_are_written_as_in_the_field() {
        assert_eq!([0, 1, 2, 17].map(|grundy| Nimber(grundy).to_string()), ["0", "*", "*2", "*17"]);
    }

    #[test]
    fn mex_is_the_least_value_that_no_option_has() {
        let mex = |values: &[u8]| {
            let mut seen = GrundyValues::default();
            values.iter().for_each(|value| seen.insert(*value));
            seen.mex()
        };
        assert_eq!(mex(&[]), 0);
        assert_eq!(mex(&[1, 2]), 0);
        assert_eq!(mex(&[2, 0, 1, 1, 4]), 3);
        let first: Vec<u8> = (0..=199).collect();
        assert_eq!(mex(&first), 200);
        assert_eq!(mex(&first[..64]), 64);
        let mut seen = GrundyValues::default();
        assert!(seen.is_empty());
        seen.insert(70);
        assert!(!seen.is_empty() && seen.contains(70) && !seen.contains(6));
    }
}
