//! The fast way to the P-positions on any graph: one number a line instead of one bit a position.
//!
//! Fix an edge e = uv, the *pivot*. A *line* is a choice x of the weights of all other edges; its positions differ only in
//! the weight of e. Lowering that weight is a move, so of two positions on a line the larger one can reach the smaller one,
//! and a line has at most one P-position. Write p(x) for its weight on e, or p(x) = none.
//!
//! **Theorem.** p(x) is the least v, if any is within the box, such that (x, v) has no move to a P-position on another line.
//! *Proof.* By minimality every (x, w) with w < v has such a move and is an N-position. So no move of (x, v) leads to a
//! P-position, neither on its own line nor on another, and it is P; and a line has no second one. If no v in the box is
//! without such a move, every position of the line has one and is N. ∎
//!
//! A move to another line changes some edge off the pivot, so it picks one of:
//! - u (or v): the other edges at u go down to those of some line x', and the pivot goes down to p(x') or stays. It exists iff
//!   p(x') <= v. So v must lie below t_u(x) = min of p(x') over the lines x' below x in the edges at u: a running minimum,
//!   s_u(x) = min(p(x), min over edges d at u of s_u(x - d)) and t_u(x) = min over d of s_u(x - d).
//! - a vertex w off the pivot: the pivot stays. It exists iff p(x') = v for a line x' below x in the edges at w. So v must
//!   not lie in the set F_w(x), the union over edges d at w of F_w(x - d) and {p(x - d)}.
//!
//! A vertex off the pivot whose edges are all edges of another vertex has no moves that the other one has not, and is left
//! out; the ends of single edges mostly are. An end of the pivot is left out only for the other end, since a vertex off the
//! pivot cannot lower it. If there is just one vertex off the pivot left and it has one edge, then F is an initial segment of the
//! numbers: each p(x) along that edge is the least number not in F, or none. So one counter does for the set.
//!
//! Lines are walked in lexicographic order, the last edge of the layout fastest. What is known of the lines below x is kept
//! only as far as it is still needed: for a vertex whose outermost edge is d, one cell for each choice of the edges inside
//! of d, each overwritten as d goes up. On H1 with weights 0..=N that is N^2 numbers and O(1) steps a line.

use super::graph::Graph;

/// No P-position on this line.
pub const NO_VALUE: u32 = u32::MAX;

/// Graphs with more edges off the pivot than this keep their edges in the given order.
const MAX_PERMUTED: usize = 6;

/// Which edge is the pivot and in which order the others are walked.
///
/// It depends on the graph and the greatest weights alone, so every worker numbers the lines in the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The pivot, by its index in the graph.
    pub pivot: usize,
    /// The other edges, the outermost first.
    pub order: Vec<usize>,
    /// The greatest weight of the pivot.
    pivot_high: u32,
    /// For each edge of `order`, how many weights it takes, from 0 on.
    extents: Vec<u64>,
    /// For each edge of `order`, the number of lines from one of its weights to the next.
    strides: Vec<u128>,
    guards: Vec<Guard>,
}

/// What one vertex forbids.
#[derive(Clone, Debug, PartialEq)]
struct Guard {
    kind: GuardKind,
    /// Its edges off the pivot, as ascending places in `order`; the first is the outermost.
    edges: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GuardKind {
    /// A vertex of the pivot: values from a threshold on are forbidden.
    Threshold,
    /// The only vertex off the pivot, with one edge: values below a counter are forbidden.
    Counter,
    /// A vertex off the pivot: a set of values is forbidden.
    Set,
}

impl Layout {
    /// The layout for a graph whose edges have weights up to `high`: the pivot with the least work a line, then the order of
    /// the other edges with the fewest bytes.
    #[must_use]
    pub fn new(graph: &Graph, high: &[u32]) -> Self {
        let pivots = (0..graph.edges().len()).map(|pivot| {
            let others: Vec<usize> = (0..graph.edges().len()).filter(|edge| *edge != pivot).collect();
            Self::with_order(graph, high, pivot, others)
        });
        let best = pivots.min_by(|a, b| a.work_per_line().total_cmp(&b.work_per_line()));
        // A graph has at least one edge, so there is a pivot.
        let mut best = best.unwrap_or_else(|| Self::with_order(graph, high, 0, Vec::new()));
        if best.order.len() <= MAX_PERMUTED {
            for order in permutations(&best.order) {
                let candidate = Self::with_order(graph, high, best.pivot, order);
                if candidate.bytes() < best.bytes() {
                    best = candidate;
                }
            }
        }
        best
    }

    fn with_order(graph: &Graph, high: &[u32], pivot: usize, order: Vec<usize>) -> Self {
        let extents: Vec<u64> = order.iter().map(|edge| u64::from(high[*edge]) + 1).collect();
        let mut strides = vec![1u128; order.len()];
        for place in (0..order.len().saturating_sub(1)).rev() {
            strides[place] = strides[place + 1].saturating_mul(u128::from(extents[place + 1]));
        }
        let guards = guards(graph, pivot, &order);
        Self { pivot, order, pivot_high: high[pivot], extents, strides, guards }
    }

    /// How many lines there are from 0 up to the greatest weights.
    #[must_use]
    pub fn lines(&self) -> u128 {
        self.extents.iter().fold(1, |product: u128, extent| product.saturating_mul(u128::from(*extent)))
    }

    /// Bytes of tables that a walk over the lines keeps.
    #[must_use]
    pub fn bytes(&self) -> u128 {
        let cell = |guard: &Guard| if guard.kind == GuardKind::Set { 8 * self.words() as u128 } else { 4 };
        self.guards.iter().fold(0, |sum: u128, guard| sum.saturating_add(self.strides[guard.edges[0]].saturating_mul(cell(guard))))
    }

    /// Steps a line, to compare layouts and to estimate time.
    #[must_use]
    pub fn work_per_line(&self) -> f64 {
        let work = |guard: &Guard| match guard.kind {
            GuardKind::Counter => 1.0,
            GuardKind::Threshold => 1.0 + guard.edges.len() as f64,
            GuardKind::Set => (1.0 + guard.edges.len() as f64) * self.words() as f64,
        };
        1.0 + self.guards.iter().map(work).sum::<f64>()
    }

    /// Words of a set of values of the pivot.
    fn words(&self) -> usize {
        self.pivot_high as usize / 64 + 1
    }
}

/// What each vertex forbids, without those whose moves another vertex has too.
fn guards(graph: &Graph, pivot: usize, order: &[usize]) -> Vec<Guard> {
    let ends = graph.edges()[pivot];
    let mut guards: Vec<Guard> = (0..graph.vertices())
        .map(|vertex| {
            let edges = (0..order.len()).filter(|place| graph.edges()[order[*place]].contains(&vertex)).collect();
            let kind = if ends.contains(&vertex) { GuardKind::Threshold } else { GuardKind::Set };
            Guard { kind, edges }
        })
        .filter(|guard| !guard.edges.is_empty())
        .collect();
    // Thresholds first: of two vertices with the same edges the one at the pivot has more moves.
    guards.sort_by_key(|guard| guard.kind != GuardKind::Threshold);
    let covered = |index: usize, guard: &Guard| {
        guards.iter().enumerate().any(|(other, larger)| {
            let contained = guard.edges.iter().all(|edge| larger.edges.contains(edge));
            let has_no_more = guard.kind == GuardKind::Set || larger.kind == GuardKind::Threshold;
            let same = contained && larger.edges.len() == guard.edges.len();
            other != index && contained && has_no_more && (!same || other < index)
        })
    };
    let mut kept: Vec<Guard> =
        guards.iter().enumerate().filter(|(index, guard)| !covered(*index, guard)).map(|(_, guard)| guard.clone()).collect();
    let mut sets = kept.iter_mut().filter(|guard| guard.kind == GuardKind::Set);
    if let (Some(only), None) = (sets.next(), sets.next())
        && only.edges.len() == 1
    {
        only.kind = GuardKind::Counter;
    }
    kept
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for shorter in permutations(rest) {
        for place in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(place, *first);
            all.push(longer);
        }
    }
    all.sort_unstable();
    all
}

/// Walks the lines of a layout in order and finds the P-position of each.
pub struct Walker {
    layout: Layout,
    /// The line to be solved next, by its weights in the order of the layout.
    x: Vec<u32>,
    line: u64,
    /// One table a guard: thresholds and counters a number a cell, sets `words` words a cell.
    numbers: Vec<Vec<u32>>,
    sets: Vec<Vec<u64>>,
    words: usize,
}

impl Walker {
    /// A walker before the first line. The caller has checked that [`Layout::bytes`] fits and that the number of lines
    /// fits 63 bits.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        let words = layout.words();
        let cells = |guard: &Guard| usize::try_from(layout.strides[guard.edges[0]]).unwrap_or(usize::MAX);
        let numbers = layout.guards.iter().map(|guard| if guard.kind == GuardKind::Set { vec![] } else { vec![0; cells(guard)] });
        let sets = layout.guards.iter().map(|guard| if guard.kind == GuardKind::Set { vec![0; cells(guard) * words] } else { vec![] });
        let (numbers, sets) = (numbers.collect(), sets.collect());
        Self { x: vec![0; layout.order.len()], line: 0, numbers, sets, words, layout }
    }

    /// The weights of the line that [`Walker::step`] solves next, in the order of the layout.
    #[must_use]
    pub fn line(&self) -> &[u32] {
        &self.x
    }

    /// Solves one line, goes to the next, and gives the pivot's weight in the P-position of the line, or [`NO_VALUE`].
    ///
    /// Cost: one step a guard and edge; for a set as many as it has words.
    pub fn step(&mut self) -> u32 {
        let value = self.solve();
        self.remember(value);
        self.line += 1;
        for place in (0..self.x.len()).rev() {
            self.x[place] += 1;
            if u64::from(self.x[place]) < self.layout.extents[place] {
                break;
            }
            self.x[place] = 0;
        }
        value
    }

    fn cell(&self, guard: &Guard) -> usize {
        // Both are below the number of cells, which is an allocation's size.
        (u128::from(self.line) % self.layout.strides[guard.edges[0]]) as usize
    }

    /// The least number in the cells of the lines one step below, where `empty` stands for no such line.
    fn least_below(&self, index: usize, guard: &Guard, empty: u32) -> u32 {
        let cell = self.cell(guard);
        let numbers = &self.numbers[index];
        let mut least = if self.x[guard.edges[0]] > 0 { numbers[cell] } else { empty };
        for place in &guard.edges[1..] {
            if self.x[*place] > 0 {
                least = least.min(numbers[cell - self.layout.strides[*place] as usize]);
            }
        }
        least
    }

    /// The least value below the line's thresholds that neither a counter nor a set forbids.
    fn solve(&mut self) -> u32 {
        let mut bound = self.layout.pivot_high + 1;
        let mut counter = 0;
        let mut has_sets = false;
        for index in 0..self.layout.guards.len() {
            let guard = &self.layout.guards[index];
            match guard.kind {
                GuardKind::Threshold => bound = bound.min(self.least_below(index, guard, NO_VALUE)),
                GuardKind::Counter => counter = self.least_below(index, guard, 0),
                GuardKind::Set => {
                    has_sets = true;
                    self.unite(index);
                }
            }
        }
        if !has_sets {
            return if counter < bound { counter } else { NO_VALUE };
        }
        for word in 0..self.words {
            let forbidden = self.layout.guards.iter().enumerate().filter(|(_, guard)| guard.kind == GuardKind::Set);
            let forbidden = forbidden.fold(0, |all, (index, guard)| all | self.sets[index][self.cell(guard) * self.words + word]);
            if forbidden != u64::MAX {
                let least = word as u32 * 64 + forbidden.trailing_ones();
                return if least < bound { least } else { NO_VALUE };
            }
            if (word as u32 + 1) * 64 >= bound {
                break;
            }
        }
        NO_VALUE
    }

    /// Makes a set's cell the union of the cells one step below.
    fn unite(&mut self, index: usize) {
        let guard = &self.layout.guards[index];
        let start = self.cell(guard) * self.words;
        let set = &mut self.sets[index];
        if self.x[guard.edges[0]] == 0 {
            set[start..start + self.words].fill(0);
        }
        for place in &guard.edges[1..] {
            if self.x[*place] > 0 {
                let (below, here) = set.split_at_mut(start);
                let from = start - self.layout.strides[*place] as usize * self.words;
                for (word, other) in here[..self.words].iter_mut().zip(&below[from..from + self.words]) {
                    *word |= other;
                }
            }
        }
    }

    /// Takes the line's own value into every cell.
    fn remember(&mut self, value: u32) {
        for index in 0..self.layout.guards.len() {
            let guard = &self.layout.guards[index];
            let cell = self.cell(guard);
            match guard.kind {
                GuardKind::Threshold => self.numbers[index][cell] = self.least_below(index, guard, NO_VALUE).min(value),
                GuardKind::Counter => {
                    let counter = self.least_below(index, guard, 0);
                    self.numbers[index][cell] = counter + u32::from(value != NO_VALUE);
                }
                GuardKind::Set if value != NO_VALUE => self.sets[index][cell * self.words + value as usize / 64] |= 1 << (value % 64),
                GuardKind::Set => {}
            }
        }
    }
}
