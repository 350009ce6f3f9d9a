//! Unions of weighted directed paths up to reordering of the paths: numbered, each once.
//!
//! A union is a partition of its number of vertices, which gives the lengths, and for each length a multiset of weighted paths
//! of that length. There are C(N + m - 1, m) multisets of m out of N things; adding 0, 1, …, m-1 to their ascending numbers
//! makes them sets of m out of N + m - 1, and these are numbered by the combinatorial number system: d_1 < … < d_m has the
//! number C(d_1, 1) + … + C(d_m, m).

use std::cmp::Reverse;
use std::sync::Arc;

use crate::sweep::Range;

use super::weights::WeightRange;

/// The unions of directed paths with numbers of vertices and weights in ranges, numbered from 0: in the order of the number of
/// vertices, then of their lengths.
#[derive(Clone, Debug)]
pub struct PathUnions {
    /// How many vertices there may be in all.
    pub vertices: Range,
    /// The weights.
    pub weights: WeightRange,
    shapes: Arc<[Shape]>,
    count: u64,
}

/// The unions whose paths have these lengths.
#[derive(Clone, Debug)]
struct Shape {
    /// Each length with the number of paths that have it, longest first.
    parts: Vec<(usize, usize)>,
    /// Unions of earlier shapes.
    before: u64,
}

impl PathUnions {
    /// Numbers the unions; or says how many there are, where they are more than `limit` (nothing if more than 2^127).
    ///
    /// # Errors
    /// Their number.
    pub fn new(vertices: Range, weights: WeightRange, limit: u64) -> Result<Self, Option<u128>> {
        let mut shapes = Vec::new();
        let mut total = 0u128;
        for count in vertices.low()..=vertices.high() {
            for parts in partitions(count as usize) {
                // What is above the limit is refused below, so here it does not matter.
                shapes.push(Shape { before: u64::try_from(total).unwrap_or(u64::MAX), parts });
                let size = shapes[shapes.len() - 1].size(weights);
                total = size.and_then(|size| total.checked_add(size)).ok_or(None)?;
            }
        }
        let count = u64::try_from(total).ok().filter(|count| *count <= limit).ok_or(Some(total))?;
        Ok(Self { vertices, weights, shapes: shapes.into(), count })
    }

    /// How many unions there are, at least one.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The union of this number, below the count: the weights of each path from its sink on, longest path first, then in
    /// lexicographic order.
    pub fn get(&self, number: u64) -> Vec<Vec<i64>> {
        let shape = &self.shapes[self.shapes.partition_point(|shape| shape.before <= number) - 1];
        let mut rest = u128::from(number - shape.before);
        let mut paths = Vec::new();
        for (length, copies) in &shape.parts {
            let choices = paths_of_length(self.weights, *length).unwrap_or(1);
            let size = multisets(choices, *copies).unwrap_or(1);
            let chosen = multiset(rest % size, choices, *copies);
            rest /= size;
            // Each is below the number of paths, which is below the count.
            paths.extend(chosen.map(|path| self.weights.weighting(path as u64, *length)));
        }
        paths.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        paths
    }

    /// Whether a list of paths is a union of these, written as [`PathUnions::get`] does.
    pub fn contains(&self, paths: &[Vec<i64>]) -> bool {
        let vertices: usize = paths.iter().map(Vec::len).sum();
        (self.vertices.low()..=self.vertices.high()).contains(&(vertices as u64))
            && paths.iter().all(|path| !path.is_empty() && path.iter().all(|weight| self.weights.contains(*weight)))
            && paths.is_sorted_by(|a, b| order(a) <= order(b))
    }

    /// The most sets of vertices that can be left of one union: with a path a vertex.
    pub fn most_sets(&self) -> u128 {
        1 << self.vertices.high()
    }
}

fn order(path: &Vec<i64>) -> (Reverse<usize>, &Vec<i64>) {
    (Reverse(path.len()), path)
}

impl Shape {
    fn size(&self, weights: WeightRange) -> Option<u128> {
        self.parts.iter().try_fold(1u128, |size, (length, copies)| {
            let choices = paths_of_length(weights, *length)?;
            size.checked_mul(multisets(choices, *copies)?)
        })
    }
}

fn paths_of_length(weights: WeightRange, length: usize) -> Option<u128> {
    u128::from(weights.len()).checked_pow(u32::try_from(length).ok()?)
}

/// The partitions of a number, each as its parts with their multiplicities, greatest first.
fn partitions(number: usize) -> Vec<Vec<(usize, usize)>> {
    fn extend(left: usize, most: usize, parts: &mut Vec<(usize, usize)>, found: &mut Vec<Vec<(usize, usize)>>) {
        if left == 0 {
            found.push(parts.clone());
            return;
        }
        for part in (1..=most.min(left)).rev() {
            for copies in (1..=left / part).rev() {
                parts.push((part, copies));
                extend(left - part * copies, part - 1, parts, found);
                parts.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(number, number, &mut Vec::new(), &mut found);
    found
}

/// C(n, k), if it is not too large.
fn binomial(n: u128, k: usize) -> Option<u128> {
    if u128::try_from(k).ok()? > n {
        return Some(0);
    }
    (0..k as u128).try_fold(1u128, |product, index| Some(product.checked_mul(n - index)? / (index + 1)))
}

/// How many multisets of `copies` out of `choices` things there are.
fn multisets(choices: u128, copies: usize) -> Option<u128> {
    binomial(choices.checked_add(copies as u128)?.checked_sub(1)?, copies)
}

/// The multiset of this number. Cost: O(copies² log choices).
fn multiset(mut number: u128, choices: u128, copies: usize) -> impl Iterator<Item = u128> {
    (1..=copies).rev().map(move |place| {
        // The greatest d with C(d, place) <= number: C(place - 1, place) = 0, and that of `above` is more.
        let (mut d, mut above) = (place as u128 - 1, choices + copies as u128);
        while above - d > 1 {
            let middle = d + (above - d) / 2;
            if binomial(middle, place).is_some_and(|below| below <= number) { d = middle } else { above = middle }
        }
        number -= binomial(d, place).unwrap_or(0);
        d - (place as u128 - 1)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every union of paths with so many vertices by brute force: every list of paths, sorted.
    fn by_brute_force(vertices: usize, weights: WeightRange) -> BTreeSet<Vec<Vec<i64>>> {
        if vertices == 0 {
            return BTreeSet::from([Vec::new()]);
        }
        let mut found = BTreeSet::new();
        for length in 1..=vertices {
            for number in 0..weights.len().pow(length as u32) {
                for rest in by_brute_force(vertices - length, weights) {
                    let mut paths = rest;
                    paths.push(weights.weighting(number, length));
                    paths.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
                    found.insert(paths);
                }
            }
        }
        found
    }

    #[test]
    fn every_union_is_numbered_once() {
        for (text, most) in [("0..=1", 6), ("-1..=1", 5), ("3", 7), ("0..=3", 4)] {
            let weights = WeightRange::parse(text).unwrap();
            for vertices in 0..=most {
                let unions = PathUnions::new(Range::new(vertices, vertices).unwrap(), weights, 1 << 40).unwrap();
                let listed: Vec<_> = (0..unions.count()).map(|number| unions.get(number)).collect();
                assert!(listed.iter().all(|paths| unions.contains(paths)));
                let distinct: BTreeSet<_> = listed.iter().cloned().collect();
                assert_eq!(distinct.len(), listed.len(), "{text}, {vertices} vertices");
                assert_eq!(distinct, by_brute_force(vertices as usize, weights), "{text}, {vertices} vertices");
            }
        }
    }

    #[test]
    fn too_many_unions_are_counted_and_not_numbered() {
        let range = |low, high| Range::new(low, high).unwrap();
        let weights = |text| WeightRange::parse(text).unwrap();
        // One path of two vertices, or two paths of one: 4² + C(5, 2).
        assert_eq!(PathUnions::new(range(2, 2), weights("0..=3"), 25).err(), Some(Some(26)));
        assert!(PathUnions::new(range(2, 2), weights("0..=3"), 26).is_ok());
        assert_eq!(PathUnions::new(range(12, 12), weights("-1000000000..=1000000000"), 1 << 40).err(), Some(None));
    }
}
