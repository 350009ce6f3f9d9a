//! Which edge of a graph is the pivot, in which order the lines are walked, and what each vertex forbids: the theorem and its
//! proof are at the head of the solver.

use super::graph::Graph;

/// Graphs with more edges off the pivot than this keep their edges in the given order.
const MAX_PERMUTED: usize = 6;

/// Orders whose tables are at most this large are compared by time alone.
const SMALL_TABLES: u128 = 1 << 24;

/// Values and P-positions of a row, a number a line each, and two numbers that stand in for vertices that forbid nothing.
const BYTES_PER_LINE_OF_A_ROW: u128 = 16;

/// Steps that a row takes beside those of its lines.
const WORK_PER_ROW: f64 = 20.0;
/// Steps a line of a row that is solved as a whole.
const WORK_IN_A_ROW: f64 = 1.0;

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
    pub(super) pivot_high: u32,
    /// For each edge of `order`, how many weights it takes, from 0 on.
    pub(super) extents: Vec<u64>,
    /// For each edge of `order`, the number of lines from one of its weights to the next.
    pub(super) strides: Vec<u128>,
    pub(super) guards: Vec<Guard>,
}

/// What one vertex forbids.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guard {
    pub kind: GuardKind,
    /// Its edges off the pivot, as ascending places in `order`; the first is the outermost.
    pub edges: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuardKind {
    /// A vertex of the pivot: values from a threshold on are forbidden.
    Threshold,
    /// The only vertex off the pivot, with one edge: values below a counter are forbidden.
    Counter,
    /// A vertex off the pivot: a set of values is forbidden.
    Set,
}

impl Layout {
    /// The steps in which [`Layout::new`] finds the layout: it tries every pivot, and of a graph with few edges every order of the
    /// others. A layout of its own is some 4,000 steps.
    #[must_use]
    pub fn steps(graph: &Graph) -> u128 {
        let edges = graph.edges().len() as u128;
        let orders = if edges <= MAX_PERMUTED as u128 + 1 { (1..edges).product() } else { 0 };
        (edges + orders) * 4_000
    }

    /// The layout for a graph whose edges have weights up to `high`: the pivot with the least work a line; then, of the orders
    /// of the other edges whose tables are small or at most twice as large as need be, the one with the least work.
    #[must_use]
    pub fn new(graph: &Graph, high: &[u32]) -> Self {
        let pivots = (0..graph.edges().len()).map(|pivot| {
            let others: Vec<usize> = (0..graph.edges().len()).filter(|edge| *edge != pivot).collect();
            Self::with_order(graph, high, pivot, others)
        });
        let best = pivots.min_by(|a, b| a.work_per_line().total_cmp(&b.work_per_line()));
        // A graph has at least one edge, so there is a pivot.
        let best = best.unwrap_or_else(|| Self::with_order(graph, high, 0, Vec::new()));
        if best.order.len() > MAX_PERMUTED {
            return best;
        }
        let orders: Vec<Self> =
            permutations(&best.order).into_iter().map(|order| Self::with_order(graph, high, best.pivot, order)).collect();
        let fewest = orders.iter().map(Self::bytes).min().unwrap_or(0);
        let affordable = orders.into_iter().filter(|layout| layout.bytes() <= fewest.saturating_mul(2).max(SMALL_TABLES));
        let rank = |layout: &Self| (layout.work(), layout.bytes());
        let least = affordable.min_by(|a, b| {
            let (a, b) = (rank(a), rank(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        least.unwrap_or(best)
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

    /// How many lines stand side by side in a row: as many as the innermost edge has weights.
    #[must_use]
    pub fn row(&self) -> u64 {
        self.extents.last().copied().unwrap_or(1)
    }

    /// Bytes that a walk over the lines keeps: the tables of the vertices, and one row of values.
    #[must_use]
    pub fn bytes(&self) -> u128 {
        let cell = |guard: &Guard| if guard.kind == GuardKind::Set { 8 * self.words() as u128 } else { 4 };
        let row = u128::from(self.row()) * BYTES_PER_LINE_OF_A_ROW;
        self.guards.iter().fold(row, |sum: u128, guard| sum.saturating_add(self.strides[guard.edges[0]].saturating_mul(cell(guard))))
    }

    /// Whether a row can be solved as a whole: every vertex that forbids anything has one edge off the pivot and forbids by
    /// a number, and the innermost edge belongs to at most an end of the pivot.
    #[must_use]
    pub fn solves_rows(&self) -> bool {
        let Some(innermost) = self.order.len().checked_sub(1) else { return false };
        let runs = |guard: &Guard| guard.kind == GuardKind::Threshold && guard.edges == [innermost];
        let stands_still = |guard: &Guard| guard.kind != GuardKind::Set && guard.edges.len() == 1 && guard.edges != [innermost];
        self.guards.iter().all(|guard| runs(guard) || stands_still(guard)) && self.guards.iter().any(runs)
    }

    /// Steps of a walk over all lines.
    #[must_use]
    pub fn work(&self) -> f64 {
        let lines = self.lines() as f64;
        let per_line = if self.solves_rows() { WORK_IN_A_ROW } else { self.work_per_line() };
        lines * per_line + lines / self.row() as f64 * WORK_PER_ROW
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
    pub(super) fn words(&self) -> usize {
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
