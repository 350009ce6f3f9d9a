//! Keeps the smallest of all items that are offered, in bounded memory and in whatever order they come.

use std::collections::BinaryHeap;

/// The smallest `limit` items of all that were offered, in bounded memory.
///
/// Merging and offering in any order gives the same set, so it does not matter how a sweep was cut into shards.
#[derive(Clone, Debug)]
pub struct Smallest<T: Ord> {
    limit: usize,
    heap: BinaryHeap<T>,
}

/// What became of an item that was offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer<T> {
    /// It is larger than all that are kept.
    Dropped,
    /// It is kept, and so is all that was kept before.
    Kept,
    /// It is kept in place of this one.
    Displaced(T),
}

impl<T: Ord> Smallest<T> {
    /// Keeps at most `limit` items.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    /// Whether an item would be kept if it were offered now. Items equal to one that is kept are not looked for.
    #[must_use]
    pub fn would_keep(&self, item: &T) -> bool {
        self.heap.len() < self.limit || self.heap.peek().is_some_and(|largest| item < largest)
    }

    /// Offers an item. Cost: O(log limit).
    pub fn offer(&mut self, item: T) -> Offer<T> {
        if !self.would_keep(&item) {
            return Offer::Dropped;
        }
        let displaced = if self.heap.len() == self.limit { self.heap.pop() } else { None };
        self.heap.push(item);
        displaced.map_or(Offer::Kept, Offer::Displaced)
    }

    /// How many are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The kept items, smallest first. Cost: O(limit log limit).
    #[must_use]
    pub fn into_sorted(self) -> Vec<T> {
        self.heap.into_sorted_vec()
    }

    /// The kept items in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.heap.iter()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_smallest_are_kept_in_whatever_order_they_come(mut items in prop::collection::vec(0u32..500, 0..200), limit in 0usize..20) {
            let mut kept = Smallest::new(limit);
            for item in &items {
                kept.offer(*item);
            }
            items.sort_unstable();
            items.truncate(limit);
            prop_assert_eq!(kept.into_sorted(), items);
        }
    }
}
