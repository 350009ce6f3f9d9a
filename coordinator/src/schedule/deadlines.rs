//! Deadlines by key, of which those that are due are taken earliest first.

use std::collections::{BTreeMap, BTreeSet};

/// Moments at which something is due, each under a key. Setting, removing and taking cost O(log keys).
///
/// Invariant: `order` holds exactly the pairs of `due_ms`, turned round.
#[derive(Clone, Debug)]
pub(super) struct Deadlines<K: Ord + Copy> {
    due_ms: BTreeMap<K, u64>,
    order: BTreeSet<(u64, K)>,
}

impl<K: Ord + Copy> Deadlines<K> {
    pub(super) fn new() -> Self {
        Self { due_ms: BTreeMap::new(), order: BTreeSet::new() }
    }

    /// Sets or moves the moment of a key.
    pub(super) fn set(&mut self, key: K, at_ms: u64) {
        self.remove(key);
        self.due_ms.insert(key, at_ms);
        self.order.insert((at_ms, key));
    }

    pub(super) fn remove(&mut self, key: K) {
        if let Some(at_ms) = self.due_ms.remove(&key) {
            self.order.remove(&(at_ms, key));
        }
    }

    /// The moment of a key.
    pub(super) fn get(&self, key: K) -> Option<u64> {
        self.due_ms.get(&key).copied()
    }

    /// The earliest moment.
    pub(super) fn next(&self) -> Option<u64> {
        self.order.first().map(|(at_ms, _)| *at_ms)
    }

    /// Takes one key that is due, the earliest first.
    pub(super) fn pop_due(&mut self, now_ms: u64) -> Option<K> {
        let (at_ms, key) = *self.order.first()?;
        if at_ms > now_ms {
            return None;
        }
        self.remove(key);
        Some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_that_is_moved_or_removed_does_not_come() {
        let mut deadlines = Deadlines::new();
        deadlines.set('a', 10);
        deadlines.set('b', 20);
        deadlines.set('c', 15);
        deadlines.set('a', 30);
        deadlines.remove('c');
        assert_eq!((deadlines.next(), deadlines.get('a'), deadlines.get('c')), (Some(20), Some(30), None));
        assert_eq!(deadlines.pop_due(19), None);
        assert_eq!(deadlines.pop_due(20), Some('b'));
        assert_eq!(deadlines.pop_due(29), None);
        assert_eq!(deadlines.pop_due(99), Some('a'));
        assert_eq!((deadlines.pop_due(99), deadlines.next()), (None, None));
    }
}
