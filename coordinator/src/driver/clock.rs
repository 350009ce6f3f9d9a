//! The coordinator's two clocks: monotonic time, by which leases live, and wall time, for display only.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The monotonic clock, by which leases live.
pub struct Clock {
    start: Instant,
}

impl Clock {
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }

    /// Milliseconds since this clock was made, never going back.
    pub fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Wall time in milliseconds since 1970, for display only; 0 where the machine's clock stands before that.
#[must_use]
pub fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
