//! How fast a count grows, over the last ten seconds: the configurations a second of a sweep or a worker.

use std::collections::VecDeque;

/// How far back a rate looks.
const WINDOW_MS: u64 = 10_000;
/// The least time between two samples.
const SPACING_MS: u64 = 200;

/// How fast a count has been growing lately.
#[derive(Clone, Debug, Default)]
pub struct Rate {
    samples: VecDeque<(u64, u128)>,
}

impl Rate {
    /// Takes in the count at a time.
    pub fn sample(&mut self, now_ms: u64, count: u128) {
        if self.samples.back().is_some_and(|(at, _)| now_ms < at + SPACING_MS) {
            return;
        }
        self.samples.push_back((now_ms, count));
        while self.samples.len() > 2 && self.samples.front().is_some_and(|(at, _)| at + WINDOW_MS < now_ms) {
            self.samples.pop_front();
        }
    }

    /// Counts a second over the last seconds; 0 before there are two samples.
    pub fn per_second(&self) -> f64 {
        let (Some((first, low)), Some((last, high))) = (self.samples.front(), self.samples.back()) else { return 0.0 };
        if last <= first { 0.0 } else { high.saturating_sub(*low) as f64 * 1000.0 / (last - first) as f64 }
    }

    /// Forgets everything, since nothing runs.
    pub fn clear(&mut self) {
        self.samples.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_the_growth_within_the_window() {
        let mut rate = Rate::default();
        assert_eq!(rate.per_second(), 0.0);
        for second in 0..=30u64 {
            rate.sample(second * 1000, if second < 20 { 0 } else { u128::from(second - 20) * 500 });
        }
        assert_eq!(rate.per_second(), 500.0);
        rate.clear();
        assert_eq!(rate.per_second(), 0.0);
    }
}
