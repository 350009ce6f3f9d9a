use std::collections::BTreeMap;

use super::{LeaseId, Opinion, RangeSet, ResultStanding, ShardCounts};

/// How many workers may come to different results for a shard before it is quarantined.
pub(super) const MAX_OPINIONS: usize = 5;

/// Where each shard of one sweep is.
///
/// Invariant: every number below `total` is in exactly one of `fresh`, `retry`, `awaiting`, `leased`, `done` and
/// `quarantined`, and no other number is in any; `attempts` has only shards that are pending or leased, and `suspects` is the set
/// of them. A shard in `awaiting` has opinions and one in `fresh` or `retry` has none; `voiced` has for each worker the shards of
/// `opinions` that it is heard on.
#[derive(Clone, Debug)]
pub(super) struct Shards {
    pub(super) total: u64,
    /// Pending and never leased in this run.
    pub(super) fresh: RangeSet,
    /// Pending after a lease that came to nothing.
    pub(super) retry: RangeSet,
    /// Pending after a worker has given a result, until another one comes to the same.
    pub(super) awaiting: RangeSet,
    pub(super) leased: BTreeMap<u64, LeaseId>,
    pub(super) done: RangeSet,
    pub(super) quarantined: RangeSet,
    attempts: BTreeMap<u64, Attempts>,
    suspects: RangeSet,
    replicas: usize,
    pub(super) opinions: BTreeMap<u64, Vec<Opinion>>,
    voiced: BTreeMap<String, RangeSet>,
}

/// What went wrong with a shard so far.
#[derive(Clone, Copy, Debug, Default)]
struct Attempts {
    failed: u32,
    /// A lease ended before any heartbeat had named it.
    lost_unseen: bool,
}

/// What became of a shard after an attempt that went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blamed {
    Retry,
    Quarantined { attempts: u32 },
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
            leased: BTreeMap::new(),
            done,
            quarantined,
            attempts: BTreeMap::new(),
            suspects: RangeSet::new(),
            replicas: replicas.max(1) as usize,
            opinions: BTreeMap::new(),
            voiced: BTreeMap::new(),
        }
    }

    pub(super) fn pending(&self) -> u64 {
        self.fresh.len() + self.retry.len() + self.awaiting.len()
    }

    /// The pending shard that a worker gets next: first one on which others were heard and it was not, then a retried one,
    /// each kind in ascending order. One that has a suspect gets no second one.
    fn next(&self, instance: &str, has_suspect: bool) -> Option<u64> {
        let nothing = RangeSet::new();
        let own = self.voiced.get(instance).unwrap_or(&nothing);
        let barred = if has_suspect { &self.suspects } else { &nothing };
        // No fresh shard is a suspect.
        self.awaiting.first_outside([own, barred]).or_else(|| self.retry.first_outside([barred])).or_else(|| self.fresh.first())
    }

    /// Whether there is a shard for a worker.
    pub(super) fn has_for(&self, instance: &str, has_suspect: bool) -> bool {
        self.next(instance, has_suspect).is_some()
    }

    /// Whether a shard was with a worker that was lost, or came back with an error.
    ///
    /// A shard that kills its worker takes those down that run beside it, and all are blamed alike. Retried side by side
    /// again, they would all be quarantined; so no worker has two of them at a time.
    pub(super) fn is_suspect(&self, number: u64) -> bool {
        self.suspects.contains(number)
    }

    /// The attempts at a shard, to which one is to be added: from now on it is a suspect.
    fn suspect(&mut self, number: u64) -> &mut Attempts {
        self.suspects.insert(number);
        self.attempts.entry(number).or_default()
    }

    fn clear(&mut self, number: u64) {
        self.suspects.remove(number);
        self.attempts.remove(&number);
    }

    /// Makes a shard that is nowhere pending.
    fn make_pending(&mut self, number: u64) {
        if self.opinions.contains_key(&number) {
            self.awaiting.insert(number)
        } else {
            self.retry.insert(number)
        };
    }

    /// What a result for a shard that is not done is worth.
    pub(super) fn weigh(&self, number: u64, opinion: &Opinion) -> ResultStanding {
        let heard = self.opinions.get(&number).map_or(&[][..], Vec::as_slice);
        if heard.iter().any(|other| other.instance == opinion.instance) {
            return ResultStanding::Repeated;
        }
        let agreeing = heard.iter().filter(|other| other.digest == opinion.digest).count();
        // Once there is something to compare with, one result alone is not enough any more.
        let needed = if heard.is_empty() { self.replicas } else { self.replicas.max(2) };
        if agreeing + 1 >= needed { ResultStanding::Decides { agreeing } } else { ResultStanding::Opinion }
    }

    /// Takes in a result that others must come to as well, and says whether there are too many different ones now. A shard
    /// that was quarantined is quarantined no more.
    pub(super) fn hear(&mut self, number: u64, opinion: Opinion) -> bool {
        self.voiced.entry(opinion.instance.clone()).or_default().insert(number);
        let heard = self.opinions.entry(number).or_default();
        heard.push(opinion);
        let too_many = heard.len() >= MAX_OPINIONS;
        let was_pending = self.fresh.remove(number) | self.retry.remove(number) | self.quarantined.remove(number);
        if was_pending {
            self.awaiting.insert(number);
        }
        too_many
    }

    /// Takes in an opinion found on disk. One on a shard that is done, or is none, is left out.
    pub(super) fn restore(&mut self, number: u64, opinion: Opinion) {
        if number < self.total && !self.done.contains(number) {
            let quarantined = self.quarantined.contains(number);
            self.hear(number, opinion);
            if quarantined {
                self.set_aside(number);
            }
        }
    }

    /// Sets a shard aside wherever it is pending or leased, and returns the lease on it.
    pub(super) fn set_aside(&mut self, number: u64) -> Option<LeaseId> {
        self.awaiting.remove(number);
        self.clear(number);
        self.quarantined.insert(number);
        self.leased.remove(&number)
    }

    fn forget_opinions(&mut self, number: u64) {
        for opinion in self.opinions.remove(&number).unwrap_or_default() {
            if let Some(own) = self.voiced.get_mut(&opinion.instance) {
                own.remove(number);
            }
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

    /// Hands out a pending shard to a worker.
    pub(super) fn lease(&mut self, lease_id: LeaseId, instance: &str, has_suspect: bool) -> Option<u64> {
        let number = self.next(instance, has_suspect)?;
        self.awaiting.remove(number);
        self.retry.remove(number);
        self.fresh.remove(number);
        self.leased.insert(number, lease_id);
        Some(number)
    }

    /// Makes a leased shard pending again without blame.
    pub(super) fn give_back(&mut self, number: u64) {
        if self.leased.remove(&number).is_some() {
            self.make_pending(number);
        }
    }

    /// A leased shard came back with an error, or its worker was lost while it was known to solve it.
    pub(super) fn blame(&mut self, number: u64, max_attempts: u32) -> Blamed {
        if self.leased.remove(&number).is_none() {
            return Blamed::Retry;
        }
        let attempts = self.suspect(number);
        attempts.failed += 1;
        let failed = attempts.failed;
        if failed < max_attempts {
            self.make_pending(number);
            return Blamed::Retry;
        }
        self.clear(number);
        self.quarantined.insert(number);
        Blamed::Quarantined { attempts: failed }
    }

    /// The worker of a leased shard was lost before it said that it had begun.
    ///
    /// The lease may never have reached the worker, so the first such loss is nobody's fault. A shard that kills its worker
    /// at once looks the same and must not go round for ever, so every further one counts.
    pub(super) fn lose_unseen(&mut self, number: u64, max_attempts: u32) -> Blamed {
        let attempts = self.suspect(number);
        if attempts.lost_unseen {
            return self.blame(number, max_attempts);
        }
        attempts.lost_unseen = true;
        self.give_back(number);
        Blamed::Retry
    }

    /// Marks a shard as done wherever it is, and returns the lease on it.
    pub(super) fn finish(&mut self, number: u64) -> Option<LeaseId> {
        self.forget_opinions(number);
        self.fresh.remove(number);
        self.retry.remove(number);
        self.awaiting.remove(number);
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
        for number in self.opinions.keys().filter(|number| quarantined.contains(**number)) {
            self.fresh.remove(*number);
            self.awaiting.insert(*number);
        }
        self.attempts.clear();
        self.suspects = RangeSet::new();
        !quarantined.is_empty()
    }
}
