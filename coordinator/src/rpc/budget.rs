//! What the results that are on their way to the driver may take in memory, over all calls together.

use std::mem::size_of;
use std::sync::{Arc, Mutex, PoisonError};

use refute_proto::v1::complete_request::Part;
use refute_proto::v1::{CompleteHeader, CompleteRequest};

/// What all calls together may take, in bytes, but for the one that has more.
const SHARED_BYTES: usize = 64 << 20;

/// What the results of one call may take, in bytes. One call at a time may go beyond what is shared, so that two large ones do
/// not keep each other from ending.
pub const CALL_BYTES: usize = 192 << 20;

/// What an item of a result takes besides its texts: two texts or a key and a number, and as much again, since lists and trees
/// have room for more items than they hold.
pub const ITEM_BYTES: usize = 2 * 2 * size_of::<String>();

/// What a text takes besides its bytes, at most: the allocator rounds up.
const TEXT_BYTES: usize = 32;

/// The budget of all calls.
#[derive(Debug, Default)]
pub struct Budget(Mutex<Used>);

#[derive(Debug, Default)]
struct Used {
    shared: usize,
    /// Whether a call has more than is shared.
    has_large: bool,
    large: usize,
}

/// Why a call gets no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It never will.
    #[error("the results of a call take at most {CALL_BYTES} bytes of memory")]
    TooLarge,
    /// Others have it at the moment.
    #[error("the results of other workers take all the memory that there is for them; come back with these")]
    Full,
}

/// What one call has of the budget. It is given back when this is dropped.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<Budget>,
    bytes: usize,
    is_large: bool,
}

impl Budget {
    /// How many bytes all calls have.
    #[cfg(test)]
    pub fn used(&self) -> usize {
        self.change(|used| used.shared + used.large)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Used) -> T) -> T {
        // Nothing that is done with the lock panics, and the numbers are right after each change.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Reservation {
    /// Nothing yet.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Self { budget: Arc::clone(budget), bytes: 0, is_large: false }
    }

    /// Takes so many bytes more.
    ///
    /// # Errors
    /// [`Refused`]; nothing is taken then.
    pub fn grow(&mut self, more: usize) -> Result<(), Refused> {
        let bytes = self.bytes.saturating_add(more);
        if bytes > CALL_BYTES {
            return Err(Refused::TooLarge);
        }
        let (before, was_large) = (self.bytes, self.is_large);
        self.is_large = self.budget.change(|used| {
            if was_large {
                used.large = bytes;
                return Ok(true);
            }
            if used.shared + more <= SHARED_BYTES {
                used.shared += more;
                return Ok(false);
            }
            if used.has_large {
                return Err(Refused::Full);
            }
            used.shared -= before;
            (used.has_large, used.large) = (true, bytes);
            Ok(true)
        })?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let (bytes, is_large) = (self.bytes, self.is_large);
        self.budget.change(|used| match is_large {
            true => (used.has_large, used.large) = (false, 0),
            false => used.shared -= bytes,
        });
    }
}

/// What a part takes in memory once it is taken in, in bytes. On the wire an empty item takes two bytes.
pub fn cost(request: &CompleteRequest) -> usize {
    let text = |bytes: usize| if bytes == 0 { 0 } else { TEXT_BYTES + bytes };
    let items = |count: usize, texts: usize| ITEM_BYTES * count + texts;
    match &request.part {
        None => 0,
        Some(Part::Header(CompleteHeader { claims, instance, sweep_id, .. })) => {
            // Four counts, and two lists of counterexamples.
            items(1 + 2 * claims.len(), text(instance.len()) + text(sweep_id.len()))
        }
        Some(Part::Counterexamples(part)) => {
            let texts = part.candidates.iter().map(|found| text(found.key.len()) + text(found.actual.len())).sum();
            items(part.candidates.len(), texts)
        }
        Some(Part::Records(part)) => {
            items(part.records.len(), part.records.iter().map(|record| text(record.key.len()) + text(record.value.len())).sum())
        }
        Some(Part::Coverage(part)) => items(part.counts.len(), part.counts.iter().map(|count| text(count.value.len())).sum()),
        Some(Part::Groups(part)) => items(part.counts.len(), part.counts.iter().map(|count| text(count.label.len())).sum()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_call_at_a_time_may_have_more_than_is_shared() {
        let budget = Arc::new(Budget::default());
        let call = || Reservation::new(&budget);
        let (mut small, mut first, mut second) = (call(), call(), call());
        small.grow(SHARED_BYTES / 2).unwrap();
        first.grow(SHARED_BYTES / 2).unwrap();
        first.grow(1).unwrap();
        assert!(first.is_large);
        // What it had is shared again.
        second.grow(SHARED_BYTES / 2).unwrap();
        assert_eq!(second.grow(1), Err(Refused::Full));
        assert_eq!(small.grow(1), Err(Refused::Full));
        first.grow(CALL_BYTES - SHARED_BYTES / 2 - 1).unwrap();
        assert_eq!(first.grow(1), Err(Refused::TooLarge));
        assert_eq!(budget.used(), SHARED_BYTES + CALL_BYTES);
        drop(first);
        assert_eq!(budget.used(), SHARED_BYTES);
        second.grow(1).unwrap();
        assert_eq!(budget.used(), SHARED_BYTES + 1);
        drop((small, second));
        assert_eq!(budget.used(), 0);
        let mut last = call();
        assert_eq!(last.grow(usize::MAX), Err(Refused::TooLarge));
        last.grow(CALL_BYTES).unwrap();
    }
}
