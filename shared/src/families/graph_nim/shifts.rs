//! Shifts: vectors d of weights such that w is a P-position exactly when w + d is.
//!
//! **Theorem.** Let f and g be edges without a common vertex, z an end of f and z' one of g, M >= 1, and B a set of weights of
//! the other edges that has with each r every smaller one. Write (x, y, r) for a position with weights x on f and y on g. If
//! 1. for every y < M and every r in B that is 0 on the edges at z, some x < M makes (x, y, r) a P-position, and
//! 2. for every x < M and every r in B that is 0 on the edges at z', some y < M makes (x, y, r) a P-position,
//!
//! then for all x, y >= 0 and r in B: (x, y, r) is P iff (x + M, y + M, r) is, and it is N if x div M differs from y div M.
//!
//! *Proof.* Call the positions with x div M = i, y div M = j the block (i, j). We show for m = 0, 1, … that the block (m, m) is
//! block (0, 0) moved by m M, and that the blocks (i, m) and (m, i) with i > m are all N.
//! A move changes edges at one vertex, so not both x and y. A move that leaves block (m, m) leads to a block (i, m) or (m, i)
//! with i < m, whose positions are N by what was shown for i. So whether a position of block (m, m) is P depends on the moves
//! inside of the block alone, and these are the moves inside of block (0, 0), which no move leaves.
//! Let (x, y, r) be in block (i, m), i > m. Let r' be r with 0 on the edges at z; it is in B. By 1 there is an x' < M such that
//! (x', y - m M, r') is P; so (x' + m M, y, r') is P, and a move at z leads there, for x' + m M < x. Blocks (m, i) in the same
//! way, by 2. ∎
//!
//! An edge from z to z' is 0 in both conditions, so B may leave it unbounded. With the other edges bounded the conditions are
//! finite, and [`proved`] checks them on a table. Shifts of other kinds are looked for on a table and only *seen* there.

use std::collections::HashSet;

use crate::value::Play;

use super::graph::Graph;
use super::layout::Layout;
use super::rules::Weights;
use super::solver::{NO_VALUE, SolvedRow, Walker};

/// The most positions of a table.
const MOST_POSITIONS: u64 = 1 << 20;
/// The most weights of one edge of a table.
const MOST_WEIGHTS: u64 = 256;
/// The most edges of a graph whose shifts are looked for.
const MOST_EDGES: usize = 6;

/// A shift that the theorem proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedShift {
    /// The two edges that are shifted.
    pub edges: [usize; 2],
    /// By how much, at least 1 and as little as the theorem allows.
    pub by: u32,
    /// The edges that have to stay within a bound, each with its bound.
    pub bounds: Vec<(usize, u32)>,
}

/// A shift that holds wherever both positions are inside of a table, and that is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenShift {
    /// The edges that are shifted, all by the same.
    pub edges: Vec<usize>,
    /// By how much: the least that does.
    pub by: u32,
    /// The greatest weight of the table.
    pub up_to: u32,
}

/// The shifts of two edges that the theorem proves with every other edge at most as heavy as in `weights`.
///
/// Cost: for each pair of edges without a common vertex a table of at most 2^20 positions; larger shifts than fit there are not
/// found, and none on graphs with more than 6 edges.
#[must_use]
pub fn proved(graph: &Graph, weights: &[u32]) -> Vec<ProvedShift> {
    let edges = graph.edges();
    if edges.len() > MOST_EDGES {
        return Vec::new();
    }
    let pairs = (0..edges.len()).flat_map(|f| (f + 1..edges.len()).map(move |g| [f, g]));
    let apart = pairs.filter(|[f, g]| !edges[*f].iter().any(|vertex| edges[*g].contains(vertex)));
    apart.filter_map(|pair| proved_of_pair(graph, weights, pair)).collect()
}

fn proved_of_pair(graph: &Graph, weights: &[u32], [f, g]: [usize; 2]) -> Option<ProvedShift> {
    let others: Vec<usize> = (0..weights.len()).filter(|edge| ![f, g].contains(edge)).collect();
    let rest = others.iter().fold(1u64, |product, edge| product.saturating_mul(u64::from(weights[*edge]) + 1));
    let side = (MOST_POSITIONS / rest).isqrt().min(MOST_WEIGHTS);
    if side == 0 {
        return None;
    }
    let mut high = weights.to_vec();
    (high[f], high[g]) = (side as u32 - 1, side as u32 - 1);
    let losing = losing_positions(graph, &high);
    let mut best: Option<ProvedShift> = None;
    for [z, other] in graph.edges()[f].into_iter().flat_map(|z| graph.edges()[g].map(|other| [z, other])) {
        let free = others.iter().copied().find(|edge| graph.edges()[*edge].contains(&z) && graph.edges()[*edge].contains(&other));
        let answers = [answers(graph, &high, &losing, [f, g], z), answers(graph, &high, &losing, [g, f], other)];
        let Some(by) = least_shift(&answers) else { continue };
        let bounds: Vec<(usize, u32)> = others.iter().filter(|edge| Some(**edge) != free).map(|edge| (*edge, weights[*edge])).collect();
        let is_better = |known: &ProvedShift| (by, bounds.len()) < (known.by, known.bounds.len());
        if best.as_ref().is_none_or(is_better) {
            best = Some(ProvedShift { edges: [f, g], by, bounds });
        }
    }
    best
}

/// For each weight of `fixed` the least x such that for every r that is 0 on the edges at z the `moved` edge has a weight of at
/// most x in some P-position; none if there is an r without any.
fn answers(graph: &Graph, high: &[u32], losing: &[Weights], [moved, fixed]: [usize; 2], z: usize) -> Vec<Option<u32>> {
    let choices = (0..high.len()).filter(|edge| *edge != moved && *edge != fixed && !graph.edges()[*edge].contains(&z));
    let choices: Vec<usize> = choices.collect();
    let size = choices.iter().fold(1, |product, edge| product * (high[*edge] as usize + 1));
    let mut least = vec![vec![NO_VALUE; size]; high[fixed] as usize + 1];
    let at_z = |edge: &usize| *edge != moved && graph.edges()[*edge].contains(&z);
    for position in losing.iter().filter(|position| (0..high.len()).filter(at_z).all(|edge| position[edge] == 0)) {
        let index = choices.iter().fold(0, |index, edge| index * (high[*edge] as usize + 1) + position[*edge] as usize);
        let known = &mut least[position[fixed] as usize][index];
        *known = (*known).min(position[moved]);
    }
    least.into_iter().map(|of_all| of_all.into_iter().max().filter(|x| *x != NO_VALUE)).collect()
}

/// The least M for which both conditions of the theorem hold.
fn least_shift(answers: &[Vec<Option<u32>>; 2]) -> Option<u32> {
    let holds = |by: u32| answers.iter().all(|answers| answers[..by as usize].iter().all(|x| x.is_some_and(|x| x < by)));
    (1..=answers[0].len() as u32).find(|by| holds(*by))
}

/// The shifts by the same weight on several edges that are seen on a table of all weights up to some bound.
///
/// A shift on edges that all share a vertex is a move, and moves no P-position to one, so no such edges are tried. Nothing is
/// given where no P-position is moved at all, nor for a set of edges with a part that has been given. Cost: a table of at most
/// 2^20 positions, looked through once for each set of edges and each shift up to an eighth of the bound.
#[must_use]
pub fn seen(graph: &Graph) -> Vec<SeenShift> {
    let edges = graph.edges().len();
    if edges > MOST_EDGES {
        return Vec::new();
    }
    let fits = |side: &u64| (0..edges).try_fold(1u64, |product, _| product.checked_mul(*side)).is_some_and(|all| all <= MOST_POSITIONS);
    let side = (1..=64).rev().find(fits).unwrap_or(1) as u32;
    let losing: HashSet<Weights> = losing_positions(graph, &vec![side - 1; edges]).into_iter().collect();
    let sets = (1u32..1 << edges).map(|set| (0..edges).filter(|edge| set >> edge & 1 == 1).collect::<Vec<usize>>());
    let mut sets: Vec<Vec<usize>> = sets.collect();
    sets.sort_by_key(Vec::len);
    let spread =
        sets.into_iter().filter(|set| !(0..graph.vertices()).any(|vertex| set.iter().all(|edge| graph.incident(vertex).contains(edge))));
    let mut found: Vec<SeenShift> = Vec::new();
    for set in spread {
        let is_minimal = !found.iter().any(|known| known.edges.iter().all(|edge| set.contains(edge)));
        if let Some(by) = (1..=side / 8).filter(|_| is_minimal).find(|by| is_shift(&losing, &set, *by, side)) {
            found.push(SeenShift { edges: set, by, up_to: side - 1 });
        }
    }
    found
}

/// Whether every P-position that stays inside of the table goes to one, every one that comes from inside comes from one, and
/// there are any.
fn is_shift(losing: &HashSet<Weights>, set: &[usize], by: u32, side: u32) -> bool {
    let moved = |position: &Weights, up: bool| -> Option<Weights> {
        let mut moved = position.clone();
        for edge in set {
            moved[*edge] = if up { Some(moved[*edge] + by).filter(|weight| *weight < side) } else { moved[*edge].checked_sub(by) }?;
        }
        Some(moved)
    };
    let mut images = losing.iter().flat_map(|position| [moved(position, true), moved(position, false)]).flatten().peekable();
    images.peek().is_some() && images.all(|position| losing.contains(&position))
}

/// Every P-position with weights up to `high`.
fn losing_positions(graph: &Graph, high: &[u32]) -> Vec<Weights> {
    let layout = Layout::new(graph, high);
    let (pivot, order, lines) = (layout.pivot, layout.order.clone(), layout.lines());
    let mut walker = Walker::new(layout, Play::Normal);
    let mut solved = SolvedRow::default();
    let mut position = vec![0; high.len()];
    let mut losing = Vec::new();
    let mut line = 0;
    while line < lines {
        for (edge, weight) in order.iter().zip(walker.line()) {
            position[*edge] = *weight;
        }
        let left = walker.left_in_row();
        line += u128::from(left);
        // A row has at most 2^16 lines.
        walker.solve(left as usize, &mut solved);
        for index in &solved.losing {
            order.last().into_iter().for_each(|edge| position[*edge] = *index);
            position[pivot] = solved.values[*index as usize];
            losing.push(position.clone());
        }
    }
    losing
}
