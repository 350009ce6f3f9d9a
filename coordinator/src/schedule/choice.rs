//! Who may try a shard that failed, or that its host was heard on; the rules stand at the head of `hosts.rs`.

use std::cell::{LazyCell, OnceCell};

use super::Vote;
use super::hosts::{Account, Failure};
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

/// The workers that may be there for a shard, looked at once for all questions of one call. What it says follows from the schedule
/// alone, so that nothing changes while it is there.
pub(super) struct Fleet<'a> {
    schedule: &'a Schedule,
    standings: OnceCell<Vec<Standing<'a>>>,
}

/// A worker that asks for shards and may be given some, and how it stands.
#[derive(Clone, Copy)]
struct Standing<'a> {
    worker: &'a Worker,
    account: Account,
}

/// The workers that could take shards of a sweep.
pub(super) struct Others<'f, 'a> {
    fleet: &'f Fleet<'a>,
    sweep: &'a Sweep,
    suited: OnceCell<Vec<Standing<'a>>>,
}

impl<'a> Fleet<'a> {
    pub(super) fn new(schedule: &'a Schedule) -> Self {
        Self { schedule, standings: OnceCell::new() }
    }

    /// Those for a sweep. Cost: O(1) until something is asked that takes a look at each of them.
    pub(super) fn of(&self, sweep: &'a Sweep) -> Others<'_, 'a> {
        Others { fleet: self, sweep, suited: OnceCell::new() }
    }

    fn standings(&self) -> &[Standing<'a>] {
        self.standings.get_or_init(|| {
            let Schedule { workers, hosts, now_ms, .. } = self.schedule;
            let there = workers.values().filter(|worker| self.schedule.may_be_given_some(worker));
            there.map(|worker| Standing { worker, account: hosts.account(*now_ms, &worker.info.host, &worker.info.instance) }).collect()
        })
    }
}

impl<'a> Others<'_, 'a> {
    /// Those that could take some shard of the sweep if they ask, as they did lately.
    fn suited(&self) -> &[Standing<'a>] {
        self.suited.get_or_init(|| {
            let standings = self.fleet.standings().iter();
            standings.filter(|standing| self.sweep.suits(&standing.worker.info)).copied().collect()
        })
    }

    /// Whether a worker may have a pending shard, by rules 3, 4 and 7; and if its host was heard on the shard, whether no other
    /// host is there to be asked.
    pub(super) fn may_have(&self, number: u64, asking: &Worker) -> bool {
        let (schedule, sweep) = (self.fleet.schedule, self.sweep);
        // Those that are not asked for a vote keep nobody waiting either.
        let is_asked_elsewhere = LazyCell::new(|| schedule.has_host_besides(sweep, number, None));
        let is_barred = |worker: &Worker| sweep.shards.is_heard_on(number, &worker.info.host) && *is_asked_elsewhere;
        if is_barred(asking) {
            return false;
        }
        let (is_last_chance, failures) = (sweep.shards.is_last_chance(number), sweep.shards.failures(number));
        let counts = |account: &Account| if is_last_chance { !account.is_hopeless } else { !account.is_on_probation };
        let own_account = schedule.hosts.account(schedule.now_ms, &asking.info.host, &asking.info.instance);
        let own = nearness(failures, asking, || own_account.trust > 0);
        let is_for_more_memory = own > Nearness::MoreMemory && failures.iter().any(|failure| failure.lost);
        if !is_last_chance && counts(&own_account) && own < Nearness::Same && !is_for_more_memory {
            // Whoever else is there.
            return true;
        }
        if is_for_more_memory && !is_last_chance && counts(&own_account) && own < Nearness::Same {
            // Most often nobody has more.
            let most = failures.iter().map(|failure| failure.slot_bytes).max().unwrap_or(u64::MAX);
            if !schedule.workers.values().any(|worker| has_more(worker.info.slot_bytes, most)) {
                return true;
            }
        }
        let is_another = |other: &&Standing<'_>| {
            let worker = other.worker;
            worker.info.instance != asking.info.instance
                && counts(&other.account)
                && (is_last_chance || other.account.slowness.is_none())
                && !sweep.shards.is_heard(number, &worker.info.instance)
                && !is_barred(worker)
        };
        let others = || self.suited().iter().filter(is_another);
        let nearness = |other: &Standing<'_>| nearness(failures, other.worker, || other.account.trust > 0);
        let all = || self.suited().iter().filter(|other| !sweep.shards.is_heard(number, &other.worker.info.instance));
        match others().map(nearness).min() {
            // There is no other that counts.
            None if is_last_chance => {
                let has_failed = |other: &Worker| sweep.shards.has_failed_in(number, &other.info.instance);
                let is_untried = all().any(|other| !has_failed(other.worker));
                (!is_untried || !has_failed(asking)) && is_fit(&own_account, all())
            }
            None => true,
            Some(_) if !counts(&own_account) && !failures.is_empty() => false,
            Some(Nearness::Same) => true,
            Some(Nearness::MoreMemory) if is_for_more_memory => false,
            Some(_) if !is_last_chance => own < Nearness::Same,
            Some(least) if own == least => is_fit(&own_account, others().filter(|other| nearness(other) == least)),
            Some(least) => own < least,
        }
    }

    /// Whether the others will have finished all of the sweep before a slow worker has finished one of its shards, by rule 6.
    /// Cost: O(1), and O(workers) for a slow one.
    pub(super) fn would_finish_before(&self, asking: &Worker) -> bool {
        let hosts = &self.fleet.schedule.hosts;
        let Some(own) = hosts.slowness(&asking.info.host, &asking.info.instance) else { return false };
        let is_quick = |account: &Account| account.has_finished && account.slowness.is_none() && !account.is_on_probation;
        let others = self.suited().iter().filter(|other| is_quick(&other.account));
        let slots = others.map(|other| u64::from(other.worker.info.slots)).sum::<u64>();
        // In thousandths of the usual time: twice one shard of its own, since shards differ, and all that is pending divided among
        // the slots of the others.
        slots > 0 && own.saturating_mul(2).saturating_mul(slots) > self.sweep.shards.pending().saturating_mul(1_000)
    }
}

/// Whether a worker has at least half the trust of the best of others.
fn is_fit<'w, 'a: 'w>(own: &Account, others: impl Iterator<Item = &'w Standing<'a>>) -> bool {
    let best = others.map(|other| other.account.trust).max().unwrap_or(0);
    own.trust.saturating_mul(2) >= best
}

impl Schedule {
    /// Whether somebody is left who could solve a shard that failed, by rule 5; it failed last in a worker that was on probation or was
    /// not.
    pub(super) fn has_hope(&self, sweep: &Sweep, number: u64, on_probation: bool) -> bool {
        self.has_able(sweep, number, |other| {
            let account = self.hosts.account(self.now_ms, &other.info.host, &other.info.instance);
            let is_untried = nearness(sweep.shards.failures(number), other, || account.trust > 0) <= Nearness::AnotherHost;
            (is_untried && !account.is_hopeless) || (on_probation && !account.is_on_probation)
        })
    }

    /// Whether there is a host that neither this vote on a shard nor an earlier one comes from, and that could give another.
    pub(super) fn has_another_host(&self, sweep: &Sweep, number: u64, vote: &Vote) -> bool {
        self.has_host_besides(sweep, number, Some(&vote.host))
    }

    fn has_host_besides(&self, sweep: &Sweep, number: u64, host: Option<&str>) -> bool {
        self.has_able(sweep, number, |other| {
            let theirs = other.info.host.as_str();
            host != Some(theirs)
                && !sweep.shards.is_heard_on(number, theirs)
                && nearness(sweep.shards.failures(number), other, || false) <= Nearness::AnotherHost
                && !self.is_on_probation(other)
        })
    }

    /// Whether some worker that could take a shard if it asks is of a kind. Mostly it is the one that was found the last time.
    fn has_able(&self, sweep: &Sweep, number: u64, is_of_kind: impl Fn(&Worker) -> bool) -> bool {
        let is_able = |worker: &Worker| {
            is_of_kind(worker)
                && sweep.suits(&worker.info)
                && !sweep.shards.is_heard(number, &worker.info.instance)
                && self.may_be_given_some(worker)
        };
        let before = self.found.get().filter(|found| self.workers.get(found).is_some_and(is_able));
        let found = before.or_else(|| self.workers.iter().find(|(_, worker)| is_able(worker)).map(|(id, _)| *id));
        self.found.set(found.or(self.found.get()));
        found.is_some()
    }

    /// Whether a worker may be given shards if it asks, as it did lately.
    fn may_be_given_some(&self, worker: &Worker) -> bool {
        let (host, instance) = (&worker.info.host, &worker.info.instance);
        worker.info.slots > 0 && self.asks(worker) && !self.banned.contains_key(instance) && !self.hosts.is_drained(host)
    }

    /// Whether a worker is at work, or asked for some lately.
    pub(super) fn asks(&self, worker: &Worker) -> bool {
        !worker.leases.is_empty() || self.now_ms <= worker.asked_ms.saturating_add(self.silence_ms())
    }

    fn is_on_probation(&self, worker: &Worker) -> bool {
        self.hosts.probation(&worker.info.host, &worker.info.instance).is_some()
    }
}

/// How near a worker, trusted or not, is to the failures of a shard.
fn nearness(failures: &[Failure], worker: &Worker, is_trusted: impl FnOnce() -> bool) -> Nearness {
    let (host, instance) = (&worker.info.host, &worker.info.instance);
    let has_failed_here = || failures.iter().filter(|failure| failure.host == *host);
    if failures.iter().map(|failure| failure.slot_bytes).max().is_some_and(|most| has_more(worker.info.slot_bytes, most)) {
        Nearness::MoreMemory
    } else if has_failed_here().next().is_none() {
        Nearness::AnotherHost
    } else if has_failed_here().all(|failure| failure.instance != *instance) && is_trusted() {
        Nearness::AnotherProcess
    } else {
        Nearness::Same
    }
}

/// Whether a slot has more memory than another, by rule 7.
fn has_more(slot_bytes: u64, than: u64) -> bool {
    slot_bytes > than.saturating_add(than / 8)
}
