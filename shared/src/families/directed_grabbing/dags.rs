//! Every acyclic digraph with few vertices, up to isomorphism.
//!
//! The vertices of an acyclic digraph can be numbered so that every arc leads from a greater number to a smaller one. So each
//! digraph is a set of pairs u > v, a bit each, and taking for each class the smallest such number meets every class once. Two of
//! them are isomorphic iff a permutation of the vertices takes one into the other.

use std::sync::{Arc, OnceLock};

use crate::sweep::Range;

use super::rules::{Digraph, DigraphError, members};
use super::weights::WeightRange;

/// The most vertices: with 6 there are 5,984 digraphs.
pub const MAX_DAG_VERTICES: usize = 6;

/// The bit of the arc from u to v < u.
fn arc(u: usize, v: usize) -> usize {
    u * (u - 1) / 2 + v
}

/// The number of a digraph whose arcs all lead to smaller vertices.
pub fn code(graph: &Digraph) -> u64 {
    let arcs = graph.out().iter().enumerate().flat_map(|(u, out)| members(*out).map(move |v| arc(u, v)));
    arcs.fold(0, |code, bit| code | 1 << bit)
}

/// The digraph of this number.
///
/// # Errors
/// [`DigraphError::TooMany`].
pub fn digraph(vertices: usize, code: u64) -> Result<Digraph, DigraphError> {
    let out = |u: usize| (0..u).filter(|v| code >> arc(u, *v) & 1 == 1).fold(0, |set, v| set | 1 << v);
    Digraph::new((0..vertices).map(out).collect())
}

/// One digraph of each class, in the order of their number of arcs. Made once: O(2^(n(n-1)/2) + classes · n! · n²).
pub fn digraphs(vertices: usize) -> &'static [Digraph] {
    static LISTS: [OnceLock<Vec<Digraph>>; MAX_DAG_VERTICES + 1] = [const { OnceLock::new() }; MAX_DAG_VERTICES + 1];
    LISTS[vertices].get_or_init(|| representatives(vertices))
}

fn representatives(vertices: usize) -> Vec<Digraph> {
    let permutations = permutations(vertices);
    let pairs: Vec<(usize, usize)> = (1..vertices).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let mut seen = vec![false; 1 << pairs.len()];
    let mut codes = Vec::new();
    for code in 0..seen.len() {
        if seen[code] {
            continue;
        }
        codes.push(code as u64);
        for permutation in &permutations {
            let arcs = pairs.iter().filter(|(u, v)| code >> arc(*u, *v) & 1 == 1).map(|(u, v)| (permutation[*u], permutation[*v]));
            let image = arcs.clone().all(|(u, v)| u > v).then(|| arcs.fold(0, |code, (u, v)| code | 1 << arc(u, v)));
            if let Some(image) = image {
                seen[image] = true;
            }
        }
    }
    codes.sort_by_key(|code| code.count_ones());
    codes.into_iter().filter_map(|code| digraph(vertices, code).ok()).collect()
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for item in 0..count {
        let grow = |shorter: Vec<usize>| {
            (0..=shorter.len()).map(move |place| {
                let mut longer = shorter.clone();
                longer.insert(place, item);
                longer
            })
        };
        all = all.into_iter().flat_map(grow).collect();
    }
    all
}

/// Every acyclic digraph with its number of vertices in a range, one of each class, each with every weighting of its vertices
/// as they are numbered: where a digraph has symmetries, weightings that they take into each other are all there.
#[derive(Clone, Debug)]
pub struct WeightedDags {
    /// How many vertices there may be.
    pub vertices: Range,
    /// The weights.
    pub weights: WeightRange,
    /// For each number of vertices, the weighted digraphs with fewer.
    before: Arc<[u64]>,
    count: u64,
}

impl WeightedDags {
    /// Numbers the weighted digraphs; or says how many there are, where they are more than `limit`.
    ///
    /// # Errors
    /// Their number, if it is below 2^127.
    pub fn new(vertices: Range, weights: WeightRange, limit: u64) -> Result<Self, Option<u128>> {
        let mut before = Vec::new();
        let mut total = 0u128;
        for count in vertices.low()..=vertices.high() {
            before.push(u64::try_from(total).unwrap_or(u64::MAX));
            let weightings = u128::from(weights.len()).checked_pow(count as u32).ok_or(None)?;
            let here = weightings.checked_mul(digraphs(count as usize).len() as u128).ok_or(None)?;
            total = total.checked_add(here).ok_or(None)?;
        }
        let count = u64::try_from(total).ok().filter(|count| *count <= limit).ok_or(Some(total))?;
        Ok(Self { vertices, weights, before: before.into(), count })
    }

    /// How many weighted digraphs there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The weighted digraph of this number, below the count.
    pub fn get(&self, number: u64) -> (&'static Digraph, Vec<i64>) {
        let index = self.before.partition_point(|before| *before <= number) - 1;
        let vertices = (self.vertices.low() as usize) + index;
        let rest = number - self.before[index];
        // It is at most the count.
        let weightings = self.weights.len().pow(vertices as u32);
        (&digraphs(vertices)[(rest / weightings) as usize], self.weights.weighting(rest % weightings, vertices))
    }

    /// Whether the digraph of this code is one of these, with such weights.
    pub fn contains(&self, code: u64, weights: &[i64]) -> bool {
        let in_range = (self.vertices.low()..=self.vertices.high()).contains(&(weights.len() as u64));
        in_range
            && weights.iter().all(|weight| self.weights.contains(*weight))
            && digraphs(weights.len()).iter().any(|graph| self::code(graph) == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OEIS A003087: acyclic digraphs with n unlabelled vertices.
    #[test]
    fn there_are_as_many_as_the_literature_counts() {
        for (vertices, count) in [1, 1, 2, 6, 31, 302].into_iter().enumerate() {
            assert_eq!(digraphs(vertices).len(), count, "{vertices} vertices");
        }
    }

    #[test]
    fn every_weighted_digraph_is_numbered_once() {
        let weights = WeightRange::parse("-1..=1").unwrap();
        let dags = WeightedDags::new(Range::new(0, 3).unwrap(), weights, 1 << 40).unwrap();
        assert_eq!(dags.count(), 1 + 3 + 2 * 9 + 6 * 27);
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..dags.count() {
            let (graph, weights) = dags.get(number);
            assert!(dags.contains(code(graph), &weights));
            assert!(seen.insert((graph.out().to_vec(), weights)));
        }
        assert!(!dags.contains(0, &[2]));
        assert!(!dags.contains(0, &[0, 0, 0, 0]));
        assert_eq!(WeightedDags::new(Range::new(0, 3).unwrap(), weights, 183).err(), Some(Some(184)));
    }
}
