//! Who may try a shard that failed, or that its host was heard on; the rules stand at the head of `hosts.rs`.

use std::cell::LazyCell;

use super::Vote;
use super::machine::{Schedule, Sweep, Worker};

/// How near a worker is to a shard's failures; the lower, the better it can tell whether the shard or a host is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// All that failed it had less memory a slot.
    MoreMemory,
    /// The shard did not fail on its host.
    AnotherHost,
    /// It did, and not in its process, which is trusted.
    AnotherProcess,
    Same,
}

impl Schedule {
    /// Whether a worker may have a pending shard, by rules 3, 4 and 7; and if its host was heard on the shard, whether no other
    /// host is there to be asked.
    pub(super) fn may_have(&self, sweep: &Sweep, number: u64, asking: &Worker) -> bool {
        // Those that are not asked for a vote keep nobody waiting either.
        let is_asked_elsewhere = LazyCell::new(|| self.has_host_besides(sweep, number, None));
        let is_barred = |worker: &Worker| sweep.shards.is_heard_on(number, &worker.info.host) && *is_asked_elsewhere;
        if is_barred(asking) {
            return false;
        }
        let (is_last_chance, failures) = (sweep.shards.is_last_chance(number), sweep.shards.failures(number));
        let counts = |worker: &Worker| if is_last_chance { !self.is_hopeless(worker) } else { !self.is_on_probation(worker) };
        let others = || {
            let others = self.able(sweep, Some(number)).filter(|other| other.info.instance != asking.info.instance);
            others.filter(|other| counts(other) && !is_barred(other) && (is_last_chance || self.slowness(other).is_none()))
        };
        let own = self.nearness(sweep, number, asking);
        match others().map(|other| self.nearness(sweep, number, other)).min() {
            // There is no other that counts.
            None if is_last_chance => {
                let has_failed = |other: &Worker| sweep.shards.has_failed_in(number, &other.info.instance);
                let is_untried = self.able(sweep, Some(number)).any(|other| !has_failed(other));
                (!is_untried || !has_failed(asking)) && self.is_fit(asking, self.able(sweep, Some(number)))
            }
            None => true,
            Some(_) if !counts(asking) && !failures.is_empty() => false,
            Some(Nearness::Same) => true,
            Some(Nearness::MoreMemory) if failures.iter().any(|failure| failure.lost) && own > Nearness::MoreMemory => false,
            Some(_) if !is_last_chance => own < Nearness::Same,
            Some(least) if own == least => self.is_fit(asking, others().filter(|other| self.nearness(sweep, number, other) == least)),
            Some(least) => own < least,
        }
    }

    /// Whether a worker has at least half the trust of the best of others.
    fn is_fit<'a>(&self, asking: &Worker, others: impl Iterator<Item = &'a Worker>) -> bool {
        let best = others.map(|other| self.trust(other)).max().unwrap_or(0);
        self.trust(asking).saturating_mul(2) >= best
    }

    /// Whether somebody is left who could solve a shard that failed, by rule 5; it failed last in a worker that was on probation or was
    /// not.
    pub(super) fn has_hope(&self, sweep: &Sweep, number: u64, on_probation: bool) -> bool {
        let is_untried = |other: &Worker| self.nearness(sweep, number, other) <= Nearness::AnotherHost && !self.is_hopeless(other);
        let is_better = |other: &Worker| on_probation && !self.is_on_probation(other);
        self.able(sweep, Some(number)).any(|other| is_untried(other) || is_better(other))
    }

    /// Whether there is a host that neither this vote on a shard nor an earlier one comes from, and that could give another.
    pub(super) fn has_another_host(&self, sweep: &Sweep, number: u64, vote: &Vote) -> bool {
        self.has_host_besides(sweep, number, Some(&vote.host))
    }

    fn has_host_besides(&self, sweep: &Sweep, number: u64, host: Option<&str>) -> bool {
        let is_new = |other: &Worker| {
            let theirs = other.info.host.as_str();
            host != Some(theirs) && !sweep.shards.is_heard_on(number, theirs)
        };
        self.able(sweep, Some(number))
            .any(|other| is_new(other) && !self.is_on_probation(other) && self.nearness(sweep, number, other) <= Nearness::AnotherHost)
    }

    /// The workers that could take a shard, or some shard of a sweep, if they ask, as they did lately.
    pub(super) fn able<'a>(&'a self, sweep: &'a Sweep, number: Option<u64>) -> impl Iterator<Item = &'a Worker> {
        self.workers.values().filter(move |worker| {
            let (host, instance) = (&worker.info.host, &worker.info.instance);
            sweep.suits(&worker.info)
                && self.asks(worker)
                && worker.info.slots > 0
                && !self.banned.contains_key(instance)
                && !self.hosts.is_drained(host)
                && !number.is_some_and(|number| sweep.shards.is_heard(number, instance))
        })
    }

    /// Whether a worker is at work, or asked for some lately.
    pub(super) fn asks(&self, worker: &Worker) -> bool {
        !worker.leases.is_empty() || self.now_ms <= worker.asked_ms.saturating_add(self.silence_ms())
    }

    /// Whether a worker has finished shards, and is not slow. One that has finished none may never ask for any.
    pub(super) fn is_known_as_quick(&self, worker: &Worker) -> bool {
        self.hosts.has_finished(&worker.info.host, &worker.info.instance) && self.slowness(worker).is_none()
    }

    /// How slow a worker is, if it is.
    pub(super) fn slowness(&self, worker: &Worker) -> Option<u64> {
        self.hosts.slowness(&worker.info.host, &worker.info.instance)
    }

    pub(super) fn is_on_probation(&self, worker: &Worker) -> bool {
        self.hosts.probation(&worker.info.host, &worker.info.instance).is_some()
    }

    /// Whether nobody waits for a worker any more.
    fn is_hopeless(&self, worker: &Worker) -> bool {
        self.hosts.is_hopeless(&worker.info.host, &worker.info.instance)
    }

    fn trust(&self, worker: &Worker) -> u64 {
        self.hosts.trust(self.now_ms, &worker.info.host, &worker.info.instance)
    }

    fn nearness(&self, sweep: &Sweep, number: u64, worker: &Worker) -> Nearness {
        let (host, instance) = (&worker.info.host, &worker.info.instance);
        let failures = sweep.shards.failures(number);
        if failures.iter().map(|failure| failure.slot_bytes).max().is_some_and(|most| has_more(worker.info.slot_bytes, most)) {
            Nearness::MoreMemory
        } else if failures.iter().all(|failure| failure.host != *host) {
            Nearness::AnotherHost
        } else if failures.iter().all(|failure| failure.host != *host || failure.instance != *instance)
            && self.hosts.trust(self.now_ms, host, instance) > 0
        {
            Nearness::AnotherProcess
        } else {
            Nearness::Same
        }
    }
}

/// Whether a slot has more memory than another, by rule 7.
fn has_more(slot_bytes: u64, than: u64) -> bool {
    slot_bytes > than.saturating_add(than / 8)
}
