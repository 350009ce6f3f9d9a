//! val of a union of directed paths in O(n log q), n vertices in q paths.
//!
//! Every step below is one of two reductions, and the paper proves both:
//! - Reduction 1: where the source v_p of a path has w(v_p) >= w(v_{p-1}), the two go, and val is that of the rest plus
//!   s (w(v_p) - w(v_{p-1})), s = -1 if n is even and +1 if n is odd. The player who does not make the last move never needs to
//!   remove v_{p-1}: the other one cannot be made to, except at the end, and the player who removes it hands over v_p.
//! - Reduction 2: where 2 <= i <= p-1, w(v_{i-1}) <= w(v_i), and w(v_j) <= w(v_i) for all j >= i, the vertices v_{i-1}, v_i,
//!   v_{i+1} may be replaced by one of weight w(v_{i-1}) - w(v_i) + w(v_{i+1}).
//!
//! On each path take the **largest** i >= 2 with w(v_i) >= w(v_{i-1}). Behind it weights fall strictly, w(v_i) > w(v_{i+1}) > …,
//! so the hypothesis of reduction 2 holds by the choice of i where i < p, and that of reduction 1 where i = p. (With the smallest
//! i, as the paper prints it, a greater weight may stand behind v_i, and then reduction 2 says nothing.) A path without such an i
//! falls strictly from its sink on. If all do, the sink of greatest weight has the greatest weight of all, so by Lemma 2 some
//! optimal play starts with it, and so on: the players take all weights in descending order.
//!
//! A path is read from its source to its sink, and what has been read is kept as a stack that rises strictly to its top, which
//! is the vertex nearest to the sink. A vertex above the top is pushed. Else the top is the v_i of the largest i: if it is alone
//! reduction 1 applies, else the fused vertex is compared with the new top in the same way. Each step removes two vertices from
//! the path, so that all stacks take O(n), and n keeps its parity, so that s is the same throughout. Merging q falling lists by
//! a heap of their heads takes O(n log q).
//!
//! Sweeps do not use this: they check the reductions, and so walk the lattice of what can be left, which rests on the rules alone.

use std::collections::BinaryHeap;

/// val of a union of directed paths, each given by its weights from the sink v_1 on.
///
/// The sum of all absolute values must fit into an `i64`. Cost: O(n log q) time, O(n) memory.
#[must_use]
pub fn value_of_paths(paths: &[Vec<i64>]) -> i64 {
    let vertices: usize = paths.iter().map(Vec::len).sum();
    let sign = if vertices.is_multiple_of(2) { -1 } else { 1 };
    let mut value = 0;
    let mut reduced: Vec<Vec<i64>> = Vec::with_capacity(paths.len());
    for path in paths {
        let (stack, term) = reduce(path);
        value += sign * term;
        reduced.push(stack);
    }
    value + value_of_falling(reduced)
}

/// The path after all reductions, from its source on, rising strictly; and the sum of w(v_p) - w(v_{p-1}) over the uses of
/// reduction 1.
fn reduce(path: &[i64]) -> (Vec<i64>, i64) {
    let mut stack: Vec<i64> = Vec::with_capacity(path.len());
    let mut term = 0;
    for weight in path.iter().rev() {
        let mut fused = Some(*weight);
        while let Some(weight) = fused {
            match stack[..] {
                [.., top] if top < weight => break,
                [] => break,
                [top] => {
                    term += top - weight;
                    fused = None;
                    stack.clear();
                }
                [.., behind, top] => {
                    fused = Some(weight - top + behind);
                    stack.truncate(stack.len() - 2);
                }
            }
        }
        stack.extend(fused);
    }
    (stack, term)
}

/// val of paths that fall strictly from the sink on: everybody takes the greatest weight that is left. Each path is given from
/// its source on.
fn value_of_falling(mut paths: Vec<Vec<i64>>) -> i64 {
    let mut heads: BinaryHeap<(i64, usize)> =
        paths.iter_mut().enumerate().filter_map(|(index, path)| path.pop().map(|weight| (weight, index))).collect();
    let (mut value, mut sign) = (0, 1);
    while let Some(mut head) = heads.peek_mut() {
        let (weight, index) = *head;
        value += sign * weight;
        sign = -sign;
        match paths[index].pop() {
            Some(next) => head.0 = next,
            None => drop(std::collections::binary_heap::PeekMut::pop(head)),
        }
    }
    value
}
