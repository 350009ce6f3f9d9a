//! val of many 0/1 weightings of a grid at once.
//!
//! A number of 256 weightings is kept as planes, one bit of each of the 256 numbers a plane, in two's complement. The value of a
//! set of vertices is at most the sum of their weights in absolute value: pq for 0/1 weights, and less than 2 pq where one weight
//! is raised by at most pq. So pq < 32 needs 6 planes, and 7 with a raised weight; pq < 64 needs 7 and
//! 8. Subtraction and the greater of two numbers are then a few operations on words a plane for all 256 at once, and the pass
//! over the lattice of Young diagrams is the one of [`Lattice::value`].
//!
//! - w - x = w + (not x) + 1 for w in {0, 1}: the first plane is w xor x_0 and carries w or not x_0; each later plane is the
//!   sum of not x_k and the carry. For a raised w each plane is a full adder.
//! - a < b: the borrow of a - b runs up the planes; in the last one, the sign, a and b change places.

use super::lattice::Lattice;
use super::rules::{Digraph, DigraphError, Grid};

/// Words of a plane.
const WORDS: usize = 4;
/// Weightings evaluated at once.
pub const LANES: usize = 64 * WORDS;
/// The most planes of a number.
const MAX_PLANES: usize = 8;

/// One bit of each of [`LANES`] numbers.
type Plane = [u64; WORDS];
/// The numbers.
type Number = [Plane; MAX_PLANES];
const ZERO: Number = [[0; WORDS]; MAX_PLANES];

/// Evaluates blocks of 0/1 weightings of one grid. The bit of a cell in a weighting is its place in reading order, (1,1) first.
pub struct SlicedGrid {
    lattice: Lattice,
    cells: usize,
    values: Vec<Number>,
}

impl SlicedGrid {
    /// Makes the lattice of a grid.
    ///
    /// # Errors
    /// [`DigraphError::TooMany`].
    pub fn new(grid: Grid) -> Result<Self, DigraphError> {
        let lattice = Lattice::of(&Digraph::grid(grid)?);
        let values = vec![ZERO; lattice.sets()];
        Ok(Self { lattice, cells: grid.vertices(), values })
    }

    /// val of the weightings `LANES · block`, `LANES · block + 1`, …, in their order.
    ///
    /// Cost: O(planes · moves) operations on planes.
    pub fn values(&mut self, block: u64) -> [i8; LANES] {
        let weights = self.weights(block);
        if self.cells < 32 { self.run::<6>(&weights, None) } else { self.run::<7>(&weights, None) }
    }

    /// val of the same weightings with the weight of one cell raised by so much, at most the number of cells. Cost: the same.
    pub fn raised_values(&mut self, block: u64, cell: usize, amount: u32) -> [i8; LANES] {
        let weights = self.weights(block);
        let mut raised = ZERO;
        for (bit, plane) in raised.iter_mut().enumerate() {
            *plane = [if amount >> bit & 1 == 1 { u64::MAX } else { 0 }; WORDS];
        }
        add(&mut raised, &weights[cell]);
        if self.cells < 32 { self.run::<7>(&weights, Some((cell, &raised))) } else { self.run::<8>(&weights, Some((cell, &raised))) }
    }

    /// val of what is left after the first move of the weightings evaluated last; a grid has only one.
    pub fn after_first_move(&self) -> [i8; LANES] {
        // There is the empty set at least and, since a grid has a vertex, another one.
        read::<MAX_PLANES>(&self.values[self.values.len() - 2])
    }

    fn weights(&self, block: u64) -> Vec<Plane> {
        (0..self.cells).map(|cell| cell_plane(block, cell)).collect()
    }

    fn run<const PLANES: usize>(&mut self, weights: &[Plane], raised: Option<(usize, &Number)>) -> [i8; LANES] {
        for (index, moves) in self.lattice.moves().enumerate() {
            let mut best = ZERO;
            for (number, step) in moves.iter().enumerate() {
                let (vertex, rest) = (step.vertex as usize, &self.values[step.next as usize]);
                let found = match raised {
                    Some((cell, weight)) if cell == vertex => subtracted_from_number::<PLANES>(weight, rest),
                    _ => subtracted::<PLANES>(&weights[vertex], rest),
                };
                best = if number == 0 { found } else { greater::<PLANES>(&best, &found) };
            }
            // The sign goes on in the planes that are not used, so that they can be read as well.
            for plane in PLANES..MAX_PLANES {
                best[plane] = best[PLANES - 1];
            }
            self.values[index] = best;
        }
        // The list has at least the empty set, and the last one is the whole grid.
        read::<MAX_PLANES>(&self.values[self.values.len() - 1])
    }
}

/// Adds 0 or 1 to numbers that are not negative.
fn add(number: &mut Number, bits: &Plane) {
    let mut carry = *bits;
    for plane in number {
        for word in 0..WORDS {
            let sum = plane[word] ^ carry[word];
            carry[word] &= plane[word];
            plane[word] = sum;
        }
    }
}

/// The bits of a cell in the weightings of a block.
fn cell_plane(block: u64, cell: usize) -> Plane {
    /// The bits 0 to 5 of the numbers 0 to 63.
    const LOW: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    std::array::from_fn(|word| match LOW.get(cell) {
        Some(bits) => *bits,
        None if (block * WORDS as u64 + word as u64) >> (cell - LOW.len()) & 1 == 1 => u64::MAX,
        None => 0,
    })
}

/// w - x.
#[inline(always)]
fn subtracted<const PLANES: usize>(weight: &Plane, x: &Number) -> Number {
    let mut difference = ZERO;
    for word in 0..WORDS {
        difference[0][word] = weight[word] ^ x[0][word];
        let mut carry = weight[word] | !x[0][word];
        for plane in 1..PLANES {
            let inverted = !x[plane][word];
            difference[plane][word] = inverted ^ carry;
            carry &= inverted;
        }
    }
    difference
}

/// w - x for any w.
fn subtracted_from_number<const PLANES: usize>(weight: &Number, x: &Number) -> Number {
    let mut difference = ZERO;
    for word in 0..WORDS {
        let mut carry = u64::MAX;
        for plane in 0..PLANES {
            let (w, inverted) = (weight[plane][word], !x[plane][word]);
            difference[plane][word] = w ^ inverted ^ carry;
            carry = (w & inverted) | (carry & (w ^ inverted));
        }
    }
    difference
}

/// The greater of a and b, number by number.
#[inline(always)]
fn greater<const PLANES: usize>(a: &Number, b: &Number) -> Number {
    let mut out = ZERO;
    for word in 0..WORDS {
        let mut less = 0;
        for plane in 0..PLANES - 1 {
            let (a, b) = (a[plane][word], b[plane][word]);
            less = (!a & b) | (!(a ^ b) & less);
        }
        let (sign_a, sign_b) = (a[PLANES - 1][word], b[PLANES - 1][word]);
        less = (sign_a & !sign_b) | (!(sign_a ^ sign_b) & less);
        for plane in 0..PLANES {
            let (a, b) = (a[plane][word], b[plane][word]);
            out[plane][word] = a ^ ((a ^ b) & less);
        }
    }
    out
}

/// The numbers, lane by lane.
fn read<const PLANES: usize>(planes: &Number) -> [i8; LANES] {
    std::array::from_fn(|lane| {
        let bit = |plane: usize| (planes[plane][lane / 64] >> (lane % 64) & 1) as i8;
        (0..PLANES - 1).fold(-bit(PLANES - 1) << (PLANES - 1), |number, plane| number | bit(plane) << plane)
    })
}
