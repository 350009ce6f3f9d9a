//! Where each shard of one sweep is, which attempts at it failed and who has given a result for it, and so which of them a
//! worker gets next.

use std::collections::BTreeMap;
use std::ops::Range;

use super::hosts::{Failure, MOST_ATTEMPTS};
use super::{LeaseId, RangeSet, ResultStanding, ShardCounts, Vote};

/// How many workers may come to different results for a shard before it is quarantined.
pub(super) const MAX_VOTES: usize = 5;
/// How many shards of a kind are looked at for one that a worker may have where that depends on who else is there.
const LOOKED_AT: usize = 8;

/// Where each shard of one sweep is.
///
/// Invariant: every number below `total` is in exactly one of `fresh`, `retry`, `awaiting`, `checking`, `leased`, `done` and
/// `quarantined`, and no other number is in any; `attempts` has only shards that are pending or leased, and `suspects` those of them
/// on which a failure casts suspicion. A shard in `awaiting` has votes and one in `fresh` or `retry` has none; `voted_by` has for each
/// worker, and `voted_from` for each host, the shards of `votes` that it voted on; `failed` has the shards of `attempts` that failed,
/// `failed_on` for each host those that it failed, `lost` those of them that were lost, and `last_chance` those that one more failure
/// can condemn.
#[derive(Clone, Debug)]
pub(super) struct Shards {
    pub(super) total: u64,
    /// Pending and never leased in this run.
    pub(super) fresh: RangeSet,
    /// Pending after a lease that came to nothing.
    pub(super) retry: RangeSet,
    /// Pending after a worker has given a result, until another one agrees.
    pub(super) awaiting: RangeSet,
    /// Pending although a result counts, until another worker agrees.
    pub(super) checking: RangeSet,
    /// Those that are not done although a result counts.
    counted: RangeSet,
    pub(super) leased: BTreeMap<u64, LeaseId>,
    pub(super) done: RangeSet,
    pub(super) quarantined: RangeSet,
    attempts: BTreeMap<u64, Attempts>,
    suspects: RangeSet,
    replicas: usize,
    pub(super) votes: BTreeMap<u64, Vec<Vote>>,
    voted_by: BTreeMap<String, RangeSet>,
    voted_from: BTreeMap<String, RangeSet>,
    failed_on: BTreeMap<String, RangeSet>,
    failed: RangeSet,
    lost: RangeSet,
    last_chance: RangeSet,
}

/// Who asks for a shard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asking<'a> {
    pub(super) instance: &'a str,
    pub(super) host: &'a str,
    /// Whether it has a suspect, and so gets no second one.
    pub(super) has_suspect: bool,
    pub(super) on_probation: bool,
    /// Whether others will have finished all before it has finished one, so that it gets only what waits for it.
    pub(super) is_too_slow: bool,
}

/// What went wrong with a shard so far.
#[derive(Clone, Debug, Default)]
struct Attempts {
    failed: u32,
    /// Where, at most [`MOST_ATTEMPTS`].
    failures: Vec<Failure>,
    /// A lease ended before any heartbeat had named it.
    lost_unseen: bool,
}

impl Shards {
    /// Everything that is neither done nor quarantined is pending. Numbers that are no shards are left out.
    pub(super) fn new(total: u64, mut done: RangeSet, mut quarantined: RangeSet, replicas: u32) -> Self {
        done.remove_range(total..u64::MAX);
        quarantined.remove_range(total..u64::MAX);
        let mut fresh: RangeSet = std::iter::once(0..total).collect();
        for range in done.iter() {
            quarantined.remove_range(range.clone());
            fresh.remove_range(range);
        }
        for range in quarantined.iter() {
            fresh.remove_range(range);
        }
        Self {
            total,
            fresh,
            retry: RangeSet::new(),
            awaiting: RangeSet::new(),
            checking: RangeSet::new(),
            counted: RangeSet::new(),
            leased: BTreeMap::new(),
            done,
            quarantined,
            attempts: BTreeMap::new(),
            suspects: RangeSet::new(),
            replicas: replicas.max(1) as usize,
            votes: BTreeMap::new(),
            voted_by: BTreeMap::new(),
            voted_from: BTreeMap::new(),
            failed_on: BTreeMap::new(),
            failed: RangeSet::new(),
            lost: RangeSet::new(),
            last_chance: RangeSet::new(),
        }
    }

    pub(super) fn is_pending(&self, number: u64) -> bool {
        [&self.retry, &self.awaiting, &self.checking, &self.fresh].into_iter().any(|place| place.contains(number))
    }

    pub(super) fn pending(&self) -> u64 {
        self.fresh.len() + self.retry.len() + self.awaiting.len() + self.checking.len()
    }

    /// The pending shard that a worker gets next: first one on which another host was heard and it was not, then a retried one,
    /// each kind in ascending order, then a fresh one. One that has a suspect gets no second one. What it may not have for sure,
    /// since its host was heard on the shard or failed it, since the shard was lost, or since this may be the last attempt, is left to
    /// `may_have`.
    pub(super) fn next(&self, asking: Asking<'_>, may_have: impl Fn(u64) -> bool) -> Option<u64> {
        let nothing = RangeSet::new();
        let own = self.voted_by.get(asking.instance).unwrap_or(&nothing);
        let heard = self.voted_from.get(asking.host).unwrap_or(&nothing);
        let failed_here = self.failed_on.get(asking.host).unwrap_or(&nothing);
        let failed = if asking.on_probation { &self.failed } else { failed_here };
        let barred = if asking.has_suspect { &self.suspects } else { &nothing };
        let (lost, last) = (&self.lost, &self.last_chance);
        let looked_at = |shards: &RangeSet| shards.outside([own, barred]).take(LOOKED_AT).find(|number| may_have(*number));
        // No fresh shard is a suspect.
        (self.awaiting.first_outside([own, heard, failed, lost, last, barred]))
            .or_else(|| self.retry.first_outside([failed, lost, last, barred]).filter(|_| !asking.is_too_slow))
            .or_else(|| looked_at(&self.awaiting))
            .or_else(|| looked_at(if asking.is_too_slow { last } else { &self.retry }).filter(|number| self.retry.contains(*number)))
            .or_else(|| self.fresh.first().filter(|_| !asking.is_too_slow))
            .or_else(|| self.checking.first_outside([own, heard, failed, lost, last, barred]))
            .or_else(|| looked_at(&self.checking))
    }

    /// Whether a shard was with a worker that was lost, or came back with an error.
    ///
    /// A shard that kills its worker takes those down that run beside it, and all are blamed alike. Retried side by side
    /// again, they would all be quarantined; so no worker has two of them at a time.
    pub(super) fn is_suspect(&self, number: u64) -> bool {
        self.suspects.contains(number)
    }

    /// Forgets what went wrong with a shard, and returns where.
    fn clear(&mut self, number: u64) -> Vec<Failure> {
        self.suspects.remove(number);
        self.last_chance.remove(number);
        self.failed.remove(number);
        self.lost.remove(number);
        let failures = self.attempts.remove(&number).map(|attempts| attempts.failures).unwrap_or_default();
        for failure in &failures {
            remove_from(&mut self.failed_on, &failure.host, number);
        }
        failures
    }

    /// Where attempts at a shard went wrong.
    pub(super) fn failures(&self, number: u64) -> &[Failure] {
        self.attempts.get(&number).map_or(&[], |attempts| &attempts.failures)
    }

    /// Whether a shard failed in a process.
    pub(super) fn has_failed_in(&self, number: u64, instance: &str) -> bool {
        self.failures(number).iter().any(|failure| failure.instance == instance)
    }

    /// Whether one more failure can condemn a shard.
    pub(super) fn is_last_chance(&self, number: u64) -> bool {
        self.last_chance.contains(number)
    }

    /// Makes a shard that is nowhere pending.
    fn make_pending(&mut self, number: u64) {
        if self.counted.contains(number) {
            self.checking.insert(number);
            return;
        }
        if self.votes.contains_key(&number) {
            self.awaiting.insert(number)
        } else {
            self.retry.insert(number)
        };
    }

    /// From now on so many workers must agree, and these shards have the result of one, on this host.
    pub(super) fn check(&mut self, replicas: u32, instance: &str, host: &str, numbers: &RangeSet) {
        self.replicas = replicas.max(1) as usize;
        for range in numbers.iter() {
            for number in range.filter(|number| *number < self.total) {
                if self.done.remove(number) {
                    self.checking.insert(number);
                    self.counted.insert(number);
                    for (voted_by, name) in [(&mut self.voted_by, instance), (&mut self.voted_from, host)] {
                        if !name.is_empty() {
                            voted_by.entry(name.to_owned()).or_default().insert(number);
                        }
                    }
                }
            }
        }
    }

    /// Whether a worker, or a host, has given a result for a shard.
    pub(super) fn is_heard(&self, number: u64, instance: &str) -> bool {
        self.has_result(number) && self.voted_by.get(instance).is_some_and(|own| own.contains(number))
    }

    /// Whether anybody has given a result for a shard that is not done.
    fn has_result(&self, number: u64) -> bool {
        self.votes.contains_key(&number) || self.counted.contains(number)
    }

    pub(super) fn is_heard_on(&self, number: u64, host: &str) -> bool {
        self.has_result(number) && self.voted_from.get(host).is_some_and(|own| own.contains(number))
    }

    /// What a result for a shard that is not done is worth, if there may be another host that could be asked.
    pub(super) fn weigh(&self, number: u64, vote: &Vote, has_another_host: impl FnOnce() -> bool) -> ResultStanding {
        let heard = self.votes.get(&number).map_or(&[][..], Vec::as_slice);
        if self.is_heard(number, &vote.instance) {
            return ResultStanding::Repeated;
        }
        if self.counted.contains(number) {
            return ResultStanding::Checks;
        }
        let agree = || heard.iter().filter(|other| other.digest == vote.digest);
        let agreeing = agree().count();
        // Once there is something to compare with, one result alone is not enough any more.
        let needed = if heard.is_empty() { self.replicas } else { self.replicas.max(2) };
        // Nor are several of one host, if another host is there to be asked. There is an end to asking.
        let from_one_host = agreeing > 0 && agree().all(|other| is_of(other, &vote.host)) && heard.len() + 1 < MAX_VOTES;
        if agreeing + 1 < needed || (from_one_host && has_another_host()) {
            return ResultStanding::Vote;
        }
        ResultStanding::Decides { agreeing }
    }

    /// Takes in a result that others must come to as well, and says whether there are too many different ones now. A shard
    /// that was quarantined leaves quarantine.
    pub(super) fn hear(&mut self, number: u64, vote: Vote) -> bool {
        self.voted_by.entry(vote.instance.clone()).or_default().insert(number);
        if !vote.host.is_empty() {
            self.voted_from.entry(vote.host.clone()).or_default().insert(number);
        }
        let heard = self.votes.entry(number).or_default();
        heard.push(vote);
        let too_many = heard.len() >= MAX_VOTES;
        let was_pending = self.fresh.remove(number) | self.retry.remove(number) | self.quarantined.remove(number);
        if was_pending {
            self.awaiting.insert(number);
        }
        too_many
    }

    /// Takes in a vote found on disk. One on a shard that is done, or is none, is left out.
    pub(super) fn restore(&mut self, number: u64, vote: Vote) {
        if number < self.total && !self.done.contains(number) {
            let quarantined = self.quarantined.contains(number);
            self.hear(number, vote);
            if quarantined {
                self.quarantine(number);
            }
        }
    }

    /// Sets a shard aside wherever it is pending or leased, and returns the lease on it.
    pub(super) fn quarantine(&mut self, number: u64) -> Option<LeaseId> {
        self.awaiting.remove(number);
        self.clear(number);
        self.quarantined.insert(number);
        self.leased.remove(&number)
    }

    fn forget_votes(&mut self, number: u64) {
        if self.counted.remove(number) {
            for own in self.voted_by.values_mut().chain(self.voted_from.values_mut()) {
                own.remove(number);
            }
        }
        for vote in self.votes.remove(&number).unwrap_or_default() {
            remove_from(&mut self.voted_by, &vote.instance, number);
            remove_from(&mut self.voted_from, &vote.host, number);
        }
    }

    pub(super) fn counts(&self) -> ShardCounts {
        ShardCounts {
            total: self.total,
            done: self.done.len(),
            leased: self.leased.len() as u64,
            quarantined: self.quarantined.len(),
            pending: self.pending(),
        }
    }

    /// The same of a run of the shards. Cost: O(runs of shards that it meets).
    pub(super) fn counts_within(&self, range: Range<u64>) -> ShardCounts {
        let total = range.end - range.start;
        let leased = self.leased.range(range.clone()).count() as u64;
        let (done, quarantined) = (self.done.count_within(range.clone()), self.quarantined.count_within(range));
        // Every shard is in one place alone.
        ShardCounts { total, done, leased, quarantined, pending: total - done - leased - quarantined }
    }

    /// Hands out a pending shard.
    pub(super) fn lease(&mut self, lease_id: LeaseId, number: u64) {
        self.checking.remove(number);
        self.awaiting.remove(number);
        self.retry.remove(number);
        self.fresh.remove(number);
        self.leased.insert(number, lease_id);
    }

    /// Makes a leased shard pending again without blame.
    pub(super) fn give_back(&mut self, number: u64) {
        if self.leased.remove(&number).is_some() {
            self.make_pending(number);
        }
    }

    /// A leased shard came back with an error, or its worker was lost while it was known to solve it: it is pending again.
    /// Returns how many attempts went wrong so far.
    pub(super) fn blame(&mut self, number: u64, failure: Failure, max_attempts: u32) -> u32 {
        if self.leased.remove(&number).is_none() {
            return 0;
        }
        if failure.witnessed {
            self.suspects.insert(number);
        }
        self.failed.insert(number);
        if failure.lost {
            self.lost.insert(number);
        }
        let attempts = self.attempts.entry(number).or_default();
        attempts.failed = attempts.failed.saturating_add(1);
        let failed = attempts.failed;
        if attempts.failures.len() < MOST_ATTEMPTS as usize {
            attempts.failures.push(failure.clone());
            self.failed_on.entry(failure.host).or_default().insert(number);
        }
        if failed.saturating_add(1) >= max_attempts {
            self.last_chance.insert(number);
        }
        self.make_pending(number);
        failed
    }

    /// The worker of a leased shard was lost before it said that it had begun. Returns how many attempts went wrong so far.
    ///
    /// The lease may never have reached the worker, so the first such loss is not the shard's fault. A shard that kills its
    /// worker at once looks the same and must not go round forever, so every further one counts.
    pub(super) fn lose_unseen(&mut self, number: u64, failure: Failure, max_attempts: u32) -> u32 {
        if failure.witnessed {
            self.suspects.insert(number);
        }
        let attempts = self.attempts.entry(number).or_default();
        if attempts.lost_unseen {
            return self.blame(number, failure, max_attempts);
        }
        attempts.lost_unseen = true;
        let failed = attempts.failed;
        self.give_back(number);
        failed
    }

    /// Sets a pending shard aside that failed too often, and returns where it failed.
    pub(super) fn condemn(&mut self, number: u64) -> Vec<Failure> {
        self.checking.remove(number);
        self.awaiting.remove(number);
        self.retry.remove(number);
        self.quarantined.insert(number);
        self.clear(number)
    }

    /// Marks a shard as done wherever it is, and returns the lease on it.
    pub(super) fn finish(&mut self, number: u64) -> Option<LeaseId> {
        self.forget_votes(number);
        self.fresh.remove(number);
        self.retry.remove(number);
        self.awaiting.remove(number);
        self.checking.remove(number);
        self.quarantined.remove(number);
        self.clear(number);
        self.done.insert(number);
        self.leased.remove(&number)
    }

    /// Makes every leased shard pending again, and returns the leases.
    pub(super) fn give_back_all(&mut self) -> Vec<LeaseId> {
        let leased = std::mem::take(&mut self.leased);
        for number in leased.keys() {
            self.make_pending(*number);
        }
        leased.into_values().collect()
    }

    /// Makes quarantined shards pending again with all their attempts before them, and says whether there were any.
    pub(super) fn clear_quarantine(&mut self) -> bool {
        let quarantined = std::mem::take(&mut self.quarantined);
        for range in quarantined.iter() {
            self.fresh.insert_range(range);
        }
        for number in self.votes.keys().filter(|number| quarantined.contains(**number)) {
            self.fresh.remove(*number);
            self.awaiting.insert(*number);
        }
        for number in self.counted.iter().flatten().filter(|number| quarantined.contains(*number)) {
            self.fresh.remove(number);
            self.checking.insert(number);
        }
        self.attempts.clear();
        self.failed_on.clear();
        self.failed = RangeSet::new();
        self.lost = RangeSet::new();
        self.suspects = RangeSet::new();
        self.last_chance = RangeSet::new();
        !quarantined.is_empty()
    }
}

/// Whether a vote came from a host. Older votes do not say where they came from.
pub(super) fn is_of(vote: &Vote, host: &str) -> bool {
    !host.is_empty() && vote.host == host
}

fn remove_from(sets: &mut BTreeMap<String, RangeSet>, name: &str, number: u64) {
    if let Some(set) = sets.get_mut(name) {
        set.remove(number);
        if set.is_empty() {
            sets.remove(name);
        }
    }
}
