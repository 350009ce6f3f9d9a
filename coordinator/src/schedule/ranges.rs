//! Sets of shard numbers, kept as disjoint ranges: their size grows with the number of runs and not with the number of shards.

use std::collections::BTreeMap;
use std::ops::Range;

/// A set of numbers, kept as the disjoint half-open ranges it consists of.
///
/// A sweep has millions of shards, but what is done or pending of it is a few runs of numbers. The domain is
/// `0..u64::MAX`: the greatest `u64` is in no half-open range and cannot be put in.
///
/// Invariant: no range is empty and no two touch; `len` is the sum of their lengths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeSet {
    /// The end of each range by its start.
    ends: BTreeMap<u64, u64>,
    len: u64,
}

impl RangeSet {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The ranges in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Range<u64>> {
        self.ends.iter().map(|(start, end)| *start..*end)
    }

    /// The least number.
    #[must_use]
    pub fn first(&self) -> Option<u64> {
        self.ends.first_key_value().map(|(start, _)| *start)
    }

    /// The least number that is in none of some other sets. Cost: O(ranges of all) at worst.
    #[must_use]
    pub fn first_outside<const N: usize>(&self, others: [&Self; N]) -> Option<u64> {
        self.outside(others).next()
    }

    /// The numbers that are in none of some other sets, in ascending order.
    pub fn outside<'a, const N: usize>(&'a self, others: [&'a Self; N]) -> impl Iterator<Item = u64> + use<'a, N> {
        self.ends.iter().flat_map(move |(start, end)| {
            let from = move |mut number: u64| {
                while number < *end
                    && let Some(beyond) = others.iter().find_map(|other| other.end_around(number))
                {
                    number = beyond;
                }
                (number < *end).then_some(number)
            };
            std::iter::successors(from(*start), move |number| from(number + 1))
        })
    }

    /// How many numbers of a range there are. Cost: O(log ranges), and O(ranges that it meets).
    #[must_use]
    pub fn count_within(&self, range: Range<u64>) -> u64 {
        let before = self.ends.range(..range.start).next_back();
        let within = self.ends.range(range.start..range.end.max(range.start));
        before.into_iter().chain(within).map(|(start, end)| (*end).min(range.end).saturating_sub((*start).max(range.start))).sum()
    }

    /// Where the range with this number ends, if it is in one.
    fn end_around(&self, number: u64) -> Option<u64> {
        self.ends.range(..=number).next_back().map(|(_, end)| *end).filter(|end| number < *end)
    }

    /// Whether a number is in the set. Cost: O(log ranges).
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.end_around(number).is_some()
    }

    /// Puts a number in, and says whether it is new. Cost: O(log ranges).
    pub fn insert(&mut self, number: u64) -> bool {
        self.insert_range(number..number.saturating_add(1)) == 1
    }

    /// Takes a number out, and says whether it was in. Cost: O(log ranges).
    pub fn remove(&mut self, number: u64) -> bool {
        self.remove_range(number..number.saturating_add(1)) == 1
    }

    /// Puts a range in, and says how many of its numbers are new. Cost: O(log ranges) for each range it joins.
    pub fn insert_range(&mut self, range: Range<u64>) -> u64 {
        let Range { mut start, mut end } = range;
        if start >= end {
            return 0;
        }
        let before = self.len;
        if let Some((low, high)) = self.ends.range(..start).next_back().map(|(low, high)| (*low, *high))
            && high >= start
        {
            self.cut(low, high);
            start = low;
            end = end.max(high);
        }
        // Ranges that begin within the new one or right at its end become part of it.
        while let Some((low, high)) = self.ends.range(start..=end).next().map(|(low, high)| (*low, *high)) {
            self.cut(low, high);
            end = end.max(high);
        }
        self.put(start, end);
        self.len - before
    }

    /// Takes a range out, and says how many of its numbers were in. Cost: O(log ranges) for each range it meets.
    pub fn remove_range(&mut self, range: Range<u64>) -> u64 {
        if range.start >= range.end {
            return 0;
        }
        let before = self.len;
        if let Some((low, high)) = self.ends.range(..range.start).next_back().map(|(low, high)| (*low, *high))
            && high > range.start
        {
            self.cut(low, high);
            self.put(low, range.start);
            self.put(range.end, high);
        }
        while let Some((low, high)) = self.ends.range(range.clone()).next().map(|(low, high)| (*low, *high)) {
            self.cut(low, high);
            self.put(range.end, high);
        }
        before - self.len
    }

    /// Takes out a range that is in the map as it stands.
    fn cut(&mut self, start: u64, end: u64) {
        self.ends.remove(&start);
        self.len -= end - start;
    }

    /// Puts in a range that touches no other, if it is not empty.
    fn put(&mut self, start: u64, end: u64) {
        if start < end {
            self.ends.insert(start, end);
            self.len += end - start;
        }
    }
}

impl FromIterator<Range<u64>> for RangeSet {
    fn from_iter<I: IntoIterator<Item = Range<u64>>>(ranges: I) -> Self {
        let mut set = Self::new();
        for range in ranges {
            set.insert_range(range);
        }
        set
    }
}

impl FromIterator<u64> for RangeSet {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        numbers.into_iter().map(|number| number..number.saturating_add(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Step {
        Insert(u64, u64),
        Remove(u64, u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => (0u64..60, 0u64..9).prop_map(|(start, length)| Step::Insert(start, start + length)),
            3 => (0u64..60, 0u64..9).prop_map(|(start, length)| Step::Remove(start, start + length)),
        ]
    }

    /// The runs of consecutive numbers of a set, found the slow way.
    fn runs(set: &BTreeSet<u64>) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        for number in set {
            match runs.last_mut() {
                Some(run) if run.end == *number => run.end += 1,
                _ => runs.push(*number..*number + 1),
            }
        }
        runs
    }

    proptest! {
        #[test]
        fn it_is_a_set_of_numbers(steps in prop::collection::vec(step(), 0..80)) {
            let mut set = RangeSet::new();
            let mut model = BTreeSet::new();
            for step in steps {
                match step {
                    Step::Insert(start, end) => {
                        let new = (start..end).filter(|number| model.insert(*number)).count();
                        prop_assert_eq!(set.insert_range(start..end), new as u64);
                    }
                    Step::Remove(start, end) => {
                        let old = (start..end).filter(|number| model.remove(number)).count();
                        prop_assert_eq!(set.remove_range(start..end), old as u64);
                    }
                }
                prop_assert_eq!(set.iter().collect::<Vec<_>>(), runs(&model));
                prop_assert_eq!(set.len(), model.len() as u64);
                prop_assert_eq!(set.first(), model.first().copied());
                for start in [0, 7, 30, 69] {
                    for end in [0, 8, 45, 70] {
                        let expected = model.iter().filter(|number| (start..end).contains(*number)).count();
                        prop_assert_eq!(set.count_within(start..end), expected as u64);
                    }
                }
                for number in 0..70 {
                    prop_assert_eq!(set.contains(number), model.contains(&number));
                }
            }
            prop_assert_eq!(&runs(&model).into_iter().collect::<RangeSet>(), &set);
            prop_assert_eq!(&model.into_iter().rev().collect::<RangeSet>(), &set);
        }
    }

    proptest! {
        #[test]
        fn the_least_number_outside_another_set_is_found(one in prop::collection::btree_set(0u64..40, 0..30), other in prop::collection::btree_set(0u64..40, 0..30)) {
            let set = |numbers: &BTreeSet<u64>| numbers.iter().copied().collect::<RangeSet>();
            prop_assert_eq!(set(&one).first_outside([&set(&other)]), one.difference(&other).next().copied());
            prop_assert_eq!(set(&one).outside([&set(&other)]).collect::<Vec<_>>(), one.difference(&other).copied().collect::<Vec<_>>());
            let (odd, even): (BTreeSet<u64>, BTreeSet<u64>) = other.iter().partition(|number| *number % 2 == 1);
            prop_assert_eq!(set(&one).first_outside([&set(&odd), &set(&even)]), one.difference(&other).next().copied());
        }
    }

    #[test]
    fn the_ends_of_the_domain_do_not_overflow() {
        let mut set = RangeSet::new();
        assert!(!set.insert(u64::MAX), "the greatest number is in no half-open range");
        assert!(set.insert(u64::MAX - 1));
        assert!(set.insert(0));
        assert!(!set.remove(u64::MAX));
        assert_eq!(set.insert_range(0..u64::MAX), u64::MAX - 2);
        assert_eq!(set.len(), u64::MAX);
        assert_eq!(set.remove_range(1..u64::MAX - 1), u64::MAX - 2);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0..1, u64::MAX - 1..u64::MAX]);
    }
}
