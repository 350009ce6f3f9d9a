//! The numbers of a coordinator as text. Pure.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, NoLabelSet, prometheus_text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use crate::driver::{Histogram, Metrics, ResultOutcome, Retry};
use crate::schedule::SweepState;

/// The metrics in the text format of Prometheus, version 0.0.4.
///
/// # Errors
/// Never, as long as memory lasts: the signature is that of writing text.
pub fn text(metrics: Metrics) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Numbers(metrics)));
    let mut text = String::new();
    prometheus_text::encode(&mut text, &registry)?;
    Ok(text)
}

#[derive(Debug)]
struct Numbers(Metrics);

impl Collector for Numbers {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut page = Page(encoder);
        self.sweeps(&mut page)?;
        self.leases(&mut page)?;
        self.results(&mut page)?;
        self.workers(&mut page)?;
        self.data(&mut page)
    }
}

impl Numbers {
    fn sweeps(&self, page: &mut Page<'_>) -> fmt::Result {
        let state = |state: SweepState| ([("state", state.word())], self.0.states.get(&state).copied().unwrap_or_default());
        page.gauges("refute_sweeps", "Sweeps by state", SweepState::ALL.map(state))?;
        let shards = self.0.sweeps.iter().flat_map(|sweep| {
            let counts = sweep.shards;
            let places =
                [("pending", counts.pending), ("leased", counts.leased), ("done", counts.done), ("quarantined", counts.quarantined)];
            places.map(|(place, count)| ([("sweep", sweep.id.as_str()), ("state", place)], count))
        });
        page.gauges("refute_shards", "Shards by where they are, of sweeps that go on or ended in this run, at most 100", shards)?;
        let refuted = self.0.sweeps.iter().map(|sweep| ([("sweep", sweep.id.as_str())], sweep.claims_refuted));
        page.gauges("refute_claims_refuted", "Claims with a confirmed counterexample, of the same sweeps", refuted)
    }

    fn leases(&self, page: &mut Page<'_>) -> fmt::Result {
        page.gauge("refute_shards_waiting", "Shards that could be handed out now", self.0.waiting)?;
        page.gauge("refute_shards_leased", "Shards that workers have", self.0.leased)?;
        let oldest = self.0.oldest_lease_ms.unwrap_or_default() as f64 / 1000.0;
        page.gauge("refute_oldest_lease_age_seconds", "Since the oldest lease was given; 0 where there is none", oldest)?;
        page.histogram("refute_lease_seconds", "From a lease to its result", &self.0.counters.lease_seconds)?;
        let retries = Retry::ALL.map(|why| ([("reason", why.word())], self.0.counters.retries(why)));
        page.counters("refute_shard_retries", "Leases that came to nothing", retries)
    }

    fn results(&self, page: &mut Page<'_>) -> fmt::Result {
        let counters = &self.0.counters;
        page.counter("refute_shards_done", "Shards whose result counts", counters.shards_done)?;
        page.counter("refute_configurations_decided", "Configurations of these shards", counters.configurations_decided as f64)?;
        let results = ResultOutcome::ALL.map(|outcome| ([("standing", outcome.word())], counters.results(outcome)));
        page.counters("refute_results", "Results that came in, by what became of them", results)?;
        page.histogram("refute_commit_seconds", "Until a batch of results was on disk", &counters.commit_seconds)?;
        page.histogram("refute_commit_results", "Results in such a batch", &counters.commit_results)
    }

    fn workers(&self, page: &mut Page<'_>) -> fmt::Result {
        page.gauge("refute_workers", "Workers that are there", self.0.workers)?;
        page.gauge("refute_workers_banned", "Those of them that get no more work, since others contradict them", self.0.banned)?;
        let slots = [("busy", self.0.busy), ("free", self.0.free)].map(|(state, count)| ([("state", state)], count));
        page.gauges("refute_worker_slots", "Slots of workers, those that are free only of workers that get work", slots)
    }

    fn data(&self, page: &mut Page<'_>) -> fmt::Result {
        let writable = u64::from(self.0.is_writable);
        page.gauge("refute_data_directory_writable", "1 while results can be written, 0 while they wait at the workers", writable)?;
        let bytes = self.0.bytes.iter().map(|(what, bytes)| ([("what", *what)], *bytes));
        page.gauges("refute_rocksdb_bytes", "What the database takes, on disk and in memory", bytes)?;
        let build = [([("version", env!("CARGO_PKG_VERSION"))], 1)];
        page.gauges("refute_build_info", "The version that runs", build)
    }
}

/// A page of metrics that is being written. Names are given without the `_total` of counters, which is added.
struct Page<'a>(DescriptorEncoder<'a>);

impl Page<'_> {
    fn gauge(&mut self, name: &str, help: &str, value: impl EncodeGaugeValue) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&value)
    }

    fn counter(&mut self, name: &str, help: &str, value: impl EncodeCounterValue) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Counter)?.encode_counter::<NoLabelSet, _, u64>(&value, None)
    }

    fn gauges<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = ([(&'l str, &'l str); N], u64)>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        values.into_iter().try_for_each(|(labels, value)| metric.encode_family(&labels)?.encode_gauge(&value))
    }

    fn counters<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = ([(&'l str, &'l str); N], u64)>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        let mut one = |(labels, value)| metric.encode_family(&labels)?.encode_counter::<NoLabelSet, _, u64>(&value, None);
        values.into_iter().try_for_each(&mut one)
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) -> fmt::Result {
        let buckets: Vec<(f64, u64)> = histogram.buckets().collect();
        let count = buckets.iter().map(|(_, count)| count).sum();
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        metric.encode_histogram::<NoLabelSet>(histogram.sum(), count, &buckets, None)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::driver::{Counters, SweepMetrics};
    use crate::schedule::ShardCounts;

    #[test]
    fn the_page_says_of_each_number_what_it_is() {
        let mut counters = Counters::default();
        (counters.shards_done, counters.configurations_decided) = (7, 1 << 70);
        counters.count_retries(Retry::Error, 2);
        counters.count_result(ResultOutcome::Vote);
        counters.lease_seconds.observe(2.0);
        counters.commit_seconds.observe(0.004);
        counters.commit_results.observe(7.0);
        let shards = ShardCounts { total: 20, done: 7, leased: 3, quarantined: 1, pending: 9 };
        let page = text(Metrics {
            sweeps: vec![SweepMetrics { id: "h1-0a1b2c3d4e5f".into(), shards, claims_refuted: 2 }],
            states: BTreeMap::from([(SweepState::Running, 1)]),
            waiting: 9,
            leased: 3,
            oldest_lease_ms: Some(1_250),
            workers: 3,
            banned: 1,
            busy: 3,
            free: 2,
            is_writable: true,
            bytes: vec![("live_sst", 123), ("wal", 45)],
            counters,
        });
        insta::with_settings!({ filters => [(env!("CARGO_PKG_VERSION"), "VERSION")] }, { insta::assert_snapshot!(page.unwrap()) });
    }
}
