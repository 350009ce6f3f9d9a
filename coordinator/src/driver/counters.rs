//! Counters and histograms of one run of the coordinator, for the metrics: shards done, leases that came to nothing, results by
//! outcome, and how long leases and commits take.

/// What has happened in this run of the coordinator, counted. Numbers only grow.
#[derive(Clone, Debug)]
pub struct Counters {
    /// Shards whose result was written and counts.
    pub shards_done: u64,
    /// Configurations of these shards.
    pub configurations_decided: u128,
    /// Leases that came to nothing, by [`Retry`].
    retries: [u64; Retry::ALL.len()],
    /// Results that came in, by [`ResultOutcome`].
    results: [u64; ResultOutcome::ALL.len()],
    /// Seconds from a lease to its result.
    pub lease_seconds: Histogram,
    /// Seconds that a batch of results took to be on disk.
    pub commit_seconds: Histogram,
    /// Results in such a batch.
    pub commit_results: Histogram,
}

/// Why a shard that was leased goes to another worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Its worker was silent.
    Lost,
    /// Its worker could not solve it.
    Error,
    /// Its worker was told to stop.
    Returned,
}

impl Retry {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Lost, Self::Error, Self::Returned];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        ["lost", "error", "returned"][self as usize]
    }
}

/// What became of a result that came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOutcome {
    /// The shard is done with it.
    Counted,
    /// It was written, and another worker must still agree.
    Vote,
    /// Its worker had handed it in before.
    Repeated,
    /// The shard was done: it was compared.
    Duplicate,
    /// It was not taken.
    Refused,
}

impl ResultOutcome {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Counted, Self::Vote, Self::Repeated, Self::Duplicate, Self::Refused];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        ["counted", "vote", "repeated", "duplicate", "refused"][self as usize]
    }
}

impl Default for Counters {
    fn default() -> Self {
        const LEASE_SECONDS: &[f64] = &[0.01, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1_800.0, 7_200.0];
        const COMMIT_SECONDS: &[f64] = &[0.000_25, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0];
        const COMMIT_RESULTS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 1_024.0];
        Self {
            shards_done: 0,
            configurations_decided: 0,
            retries: Default::default(),
            results: Default::default(),
            lease_seconds: Histogram::new(LEASE_SECONDS),
            commit_seconds: Histogram::new(COMMIT_SECONDS),
            commit_results: Histogram::new(COMMIT_RESULTS),
        }
    }
}

impl Counters {
    /// Counts leases that came to nothing.
    pub fn count_retries(&mut self, why: Retry, leases: u64) {
        self.retries[why as usize] += leases;
    }

    /// How many leases came to nothing for this reason.
    #[must_use]
    pub fn retries(&self, why: Retry) -> u64 {
        self.retries[why as usize]
    }

    /// Counts a result.
    pub fn count_result(&mut self, outcome: ResultOutcome) {
        self.results[outcome as usize] += 1;
    }

    /// How many results came to this.
    #[must_use]
    pub fn results(&self, outcome: ResultOutcome) -> u64 {
        self.results[outcome as usize]
    }
}

/// How many of some values were at most so large.
#[derive(Clone, Debug)]
pub struct Histogram {
    bounds: &'static [f64],
    /// For each bound those above the bound before it, and last those above all.
    counts: Vec<u64>,
    sum: f64,
}

impl Histogram {
    /// A histogram with these bounds, in ascending order.
    #[must_use]
    pub fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, counts: vec![0; bounds.len() + 1], sum: 0.0 }
    }

    /// Counts a value.
    pub fn observe(&mut self, value: f64) {
        self.counts[self.bounds.partition_point(|bound| *bound < value)] += 1;
        self.sum += value;
    }

    /// The sum of the values.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Each bound with how many values lie between the one before it and itself; the last one is infinite.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        self.bounds.iter().copied().chain([f64::INFINITY]).zip(self.counts.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_counted_at_the_least_bound_that_it_does_not_pass() {
        let mut histogram = Histogram::new(&[1.0, 2.0]);
        for value in [0.5, 1.0, 1.5, 2.0, 2.5, 1e9] {
            histogram.observe(value);
        }
        assert_eq!(histogram.buckets().collect::<Vec<_>>(), [(1.0, 2), (2.0, 2), (f64::INFINITY, 2)]);
        assert_eq!(histogram.sum(), 1e9 + 7.5);
    }

    #[test]
    fn each_is_counted_under_its_own_word() {
        let mut counters = Counters::default();
        for (index, outcome) in ResultOutcome::ALL.into_iter().enumerate() {
            (0..=index).for_each(|_| counters.count_result(outcome));
        }
        assert_eq!(ResultOutcome::ALL.map(|outcome| counters.results(outcome)), [1, 2, 3, 4, 5]);
        assert_eq!(ResultOutcome::ALL.map(ResultOutcome::word), ["counted", "vote", "repeated", "duplicate", "refused"]);
        for (why, leases) in Retry::ALL.into_iter().zip([7, 8, 9]) {
            counters.count_retries(why, leases);
        }
        assert_eq!(Retry::ALL.map(|why| (why.word(), counters.retries(why))), [("lost", 7), ("error", 8), ("returned", 9)]);
    }
}
