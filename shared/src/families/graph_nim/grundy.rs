//! The fast way to the Grundy values on any graph: no option is looked at, and each position takes one step for each edge and end.
//!
//! Write S_v(x) for the set of the Grundy values of the options of x by moves at the vertex v, and T_v(x) for S_v(x) with the value
//! of x itself. A move at v lowers some of the edges at v and no other, so it leads to x with one of them less by one, or from there
//! on by a move at v or by none. Hence S_v(x) is the union of T_v(x - e) over the edges e at v with a weight of at least 1, and the
//! Grundy value of x is the least number in no S_v(x).
//!
//! A vertex whose edges are all edges of another vertex has no moves that the other one has not, and is left out.
//!
//! Positions are taken in lexicographic order, so that each x - e comes before x. What is known of v is kept only as far as it is
//! still needed: with d the outermost edge at v, one cell for each choice of the edges inside of d, each overwritten as d goes up. A
//! play from x has at most as many moves as the sum of its weights, so no value is above that sum, and a set is a word of 64 bits
//! for each 64 of it. On H1 with weights 0..=N these are some N^3 · N/16 bytes, and 5 · N/16 steps a position.

use super::graph::Graph;
use super::layout::Layout;

/// The Grundy values of some lines side by side in a row.
#[derive(Clone, Debug, Default)]
pub struct GrundyRow {
    /// The values of the first line, by the weight of the pivot from 0 on; then those of the next one, and so on.
    pub values: Vec<u32>,
    /// How many values a line has.
    pub per_line: usize,
}

impl GrundyRow {
    /// The value at a line, by its number in the row, and a weight of the pivot.
    #[inline]
    #[must_use]
    pub fn at(&self, line: usize, pivot: u32) -> u32 {
        self.values[line * self.per_line + pivot as usize]
    }
}

/// Walks the positions of a layout line by line and finds the Grundy value of each.
pub struct GrundyWalker {
    /// The position to be solved next, by its weights: those of the layout's order, and the pivot's behind them.
    x: Vec<u32>,
    /// For each place how many weights there are, from 0 on.
    extents: Vec<u64>,
    /// For each place the number of positions from one of its weights to the next.
    strides: Vec<usize>,
    /// For each place the number of the position to be solved next modulo the stride: which cell belongs to it.
    cells: Vec<usize>,
    vertices: Vec<Vertex>,
    /// Words of a set.
    words: usize,
    /// The sum of the weights of the position to be solved next.
    sum: u64,
    /// The values of the options of the position at hand.
    options: Vec<u64>,
}

/// What is known of a vertex.
struct Vertex {
    /// Its edges as ascending places; the first is the outermost.
    places: Vec<usize>,
    /// T_v, `words` words a cell.
    sets: Vec<u64>,
}

/// The edges at each vertex that is not left out, as ascending places in the layout's order with the pivot behind it.
fn places(graph: &Graph, layout: &Layout) -> Vec<Vec<usize>> {
    let order: Vec<usize> = layout.order.iter().copied().chain([layout.pivot]).collect();
    let at = |vertex: usize| (0..order.len()).filter(|place| graph.edges()[order[*place]].contains(&vertex)).collect();
    (0..graph.vertices()).filter(|vertex| !graph.is_covered(*vertex)).map(at).collect()
}

/// For each place how many weights there are.
fn extents(layout: &Layout) -> Vec<u64> {
    layout.extents.iter().copied().chain([u64::from(layout.pivot_high) + 1]).collect()
}

/// For each place the number of positions from one of its weights to the next.
fn strides(extents: &[u64]) -> Vec<u128> {
    let mut strides = vec![1u128; extents.len()];
    for place in (1..extents.len()).rev() {
        strides[place - 1] = strides[place].saturating_mul(extents[place].into());
    }
    strides
}

/// Words of a set of values up to the sum of the greatest weights.
fn words(extents: &[u64]) -> usize {
    let most: u64 = extents.iter().map(|extent| extent - 1).sum();
    // A graph has few edges, and weights are at most 2^16 - 1.
    (most / 64 + 1) as usize
}

/// Bytes of the tables of a walk over the positions of a layout.
///
/// Cost: O(vertices · edges).
#[must_use]
pub fn bytes(graph: &Graph, layout: &Layout) -> u128 {
    let extents = extents(layout);
    let strides = strides(&extents);
    let cells = places(graph, layout).iter().fold(0u128, |sum, places| sum.saturating_add(strides[places[0]]));
    cells.saturating_mul(8 * words(&extents) as u128)
}

/// Steps of a walk over all positions of a layout: a step unites two words.
#[must_use]
pub fn work(graph: &Graph, layout: &Layout) -> f64 {
    let extents = extents(layout);
    let each: usize = places(graph, layout).iter().map(Vec::len).sum();
    let positions: f64 = extents.iter().map(|extent| *extent as f64).product();
    positions * (2 * each * words(&extents)) as f64
}

impl GrundyWalker {
    /// A walker before the first position. The caller has checked that [`bytes`] fits.
    #[must_use]
    pub fn new(graph: &Graph, layout: &Layout) -> Self {
        let extents = extents(layout);
        let words = words(&extents);
        // A stride is a number of cells where a vertex needs a table of them, and one that is not is no larger than all positions.
        let strides: Vec<usize> = strides(&extents).into_iter().map(|stride| usize::try_from(stride).unwrap_or(usize::MAX)).collect();
        let vertex = |places: Vec<usize>| Vertex { sets: vec![0; strides[places[0]] * words], places };
        let vertices = places(graph, layout).into_iter().map(vertex).collect();
        let count = extents.len();
        Self { x: vec![0; count], extents, cells: vec![0; count], vertices, strides, words, sum: 0, options: vec![0; words] }
    }

    /// The weights of the line to be solved next, in the order of the layout.
    #[must_use]
    pub fn line(&self) -> &[u32] {
        &self.x[..self.x.len() - 1]
    }

    /// How many lines are left in the row of the line to be solved next, at least one.
    #[must_use]
    pub fn left_in_row(&self) -> u64 {
        self.line().last().map_or(1, |weight| self.extents[self.x.len() - 2] - u64::from(*weight))
    }

    /// Solves the next lines of the row, at most [`GrundyWalker::left_in_row`] of them, and goes to the line after them.
    ///
    /// Cost: for each position one step for each vertex, each of its edges, and each word of a set.
    pub fn solve(&mut self, lines: usize, solved: &mut GrundyRow) {
        // The pivot's weights are at most 2^16.
        solved.per_line = self.extents[self.x.len() - 1] as usize;
        solved.values.clear();
        for _ in 0..lines * solved.per_line {
            let value = self.value();
            solved.values.push(value);
            self.advance();
        }
    }

    /// The Grundy value of the position to be solved next, which every cell takes in.
    fn value(&mut self) -> u32 {
        let Self { x, cells, strides, vertices, words, sum, options, .. } = self;
        // Values of options are below the sum of the weights.
        let live = (*sum / 64 + 1) as usize;
        options[..live].fill(0);
        for Vertex { places, sets } in vertices.iter_mut() {
            let start = cells[places[0]] * *words;
            if x[places[0]] == 0 {
                sets[start..start + *words].fill(0);
            }
            for place in &places[1..] {
                if x[*place] > 0 {
                    let (below, here) = sets.split_at_mut(start);
                    let from = start - strides[*place] * *words;
                    here.iter_mut().zip(&below[from..from + live]).for_each(|(word, other)| *word |= other);
                }
            }
            options.iter_mut().zip(&sets[start..start + live]).for_each(|(word, other)| *word |= other);
        }
        // The sum itself is the value of no option, and its bit is in the last of these words.
        let word = options[..live].iter().position(|word| *word != u64::MAX).unwrap_or(live - 1);
        let bit = options[word].trailing_ones();
        for Vertex { places, sets } in vertices.iter_mut() {
            sets[cells[places[0]] * *words + word] |= 1 << bit;
        }
        word as u32 * 64 + bit
    }

    /// Goes to the next position.
    fn advance(&mut self) {
        for (cell, stride) in self.cells.iter_mut().zip(&self.strides) {
            *cell += 1;
            if *cell == *stride {
                *cell = 0;
            }
        }
        for place in (0..self.x.len()).rev() {
            if u64::from(self.x[place]) + 1 < self.extents[place] {
                self.x[place] += 1;
                self.sum += 1;
                return;
            }
            self.sum -= u64::from(self.x[place]);
            self.x[place] = 0;
        }
    }
}
