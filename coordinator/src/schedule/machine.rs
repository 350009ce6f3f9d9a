//! The state of the schedule, and what workers and results change in it: registering, heartbeats, votes, bans and done
//! shards.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::deadlines::Deadlines;
use super::hosts::Hosts;
use super::shards::Shards;
use super::types::LANGUAGE;
use super::{
    Change, Config, LeaseId, ResultStanding, SweepEntry, SweepState, UnknownShard, UnknownSweep, UnknownWorker, Vote, WorkerId, WorkerInfo,
};

/// No shard has so many configurations. What a worker says that it has decided is cut off here, so that no sum overflows.
const MOST_DECIDED: u128 = 1 << 96;

/// The most workers that are banned.
pub(super) const MAX_BANNED: usize = 10_000;

/// The sweeps, the workers and the leases between them.
///
/// Times are monotonic milliseconds from any origin; they must not go backwards from call to call.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub(super) config: Config,
    pub(super) sweeps: BTreeMap<String, Sweep>,
    /// The sweeps of which shards may be handed out, in the order in which they go. Invariant: each open sweep under its rank.
    pub(super) open: BTreeMap<Rank, String>,
    pub(super) workers: BTreeMap<WorkerId, Worker>,
    pub(super) leases: BTreeMap<LeaseId, Lease>,
    /// How many leases each sweep has. Invariant: those of `leases`, and none is 0.
    pub(super) leased: BTreeMap<String, usize>,
    /// When each lease ends. Invariant: its keys are those of `leases`.
    pub(super) expiries: Deadlines<LeaseId>,
    /// When each worker is forgotten. Invariant: its keys are those of `workers`.
    pub(super) silences: Deadlines<WorkerId>,
    /// The workers that get no more work, by instance, and why; at most [`MAX_BANNED`].
    pub(super) banned: BTreeMap<String, String>,
    pub(super) hosts: Hosts,
    /// The shards whose last attempt waits until a worker has nothing else to do. Invariant: each is there once, and its worker
    /// is known.
    pub(super) reserved: BTreeMap<WorkerId, (String, u64)>,
    /// A worker that was found when one was looked for: the first to be looked at the next time. It decides nothing.
    pub(super) found: Cell<Option<WorkerId>>,
    /// The latest time it was given.
    pub(super) now_ms: u64,
    pub(super) changes: Vec<Change>,
    /// How many ids have been given in this run.
    ids: u64,
}

/// The place of a sweep among the open ones: those of higher priority first, and among equals the one that was added first.
pub(super) type Rank = (Reverse<i32>, usize);

#[derive(Clone, Debug)]
pub(super) struct Sweep {
    pub(super) family: String,
    pub(super) solver_version: u32,
    pub(super) language: Option<u32>,
    pub(super) bytes: u128,
    pub(super) state: SweepState,
    pub(super) reason: Option<String>,
    pub(super) priority: i32,
    /// How many sweeps had been added before it.
    pub(super) order: usize,
    pub(super) shards: Shards,
    /// Configurations decided in its leases. Invariant: the sum over them.
    pub(super) progress: u128,
    /// How long its shards take lately, in milliseconds; 0 before the first is done.
    pub(super) usual_ms: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Worker {
    pub(super) info: WorkerInfo,
    pub(super) leases: BTreeSet<LeaseId>,
    /// How many of its leases are on suspects, and on shards of which this is the last attempt. Invariant: counted over them.
    pub(super) suspects: usize,
    pub(super) last_chances: usize,
    /// Configurations decided in its leases. Invariant: the sum over them.
    pub(super) progress: u128,
    pub(super) heard_ms: u64,
    /// When it asked for a shard last.
    pub(super) asked_ms: u64,
    /// The number of its last request for shards; 0 if that has none.
    pub(super) request: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Lease {
    pub(super) worker: WorkerId,
    pub(super) sweep_id: String,
    pub(super) shard_number: u64,
    pub(super) given_ms: u64,
    /// The number of the request that it answers; 0 if that has none.
    pub(super) request: u64,
    pub(super) decided: u128,
    /// Whether a heartbeat has named it, so that its worker is known to have received it.
    pub(super) seen: bool,
    /// Whether its shard is a suspect, and whether one more failure can condemn it. Neither changes while it is leased.
    pub(super) is_suspect: bool,
    pub(super) is_last_chance: bool,
}

impl Schedule {
    /// A schedule with no sweeps and no workers.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            config,
            sweeps: BTreeMap::new(),
            open: BTreeMap::new(),
            workers: BTreeMap::new(),
            leases: BTreeMap::new(),
            leased: BTreeMap::new(),
            expiries: Deadlines::new(),
            silences: Deadlines::new(),
            banned: BTreeMap::new(),
            hosts: Hosts::default(),
            reserved: BTreeMap::new(),
            found: Cell::new(None),
            now_ms: 0,
            changes: Vec::new(),
            ids: 0,
        }
    }

    /// Adds a sweep, new or found on disk, and returns where it stands now.
    ///
    /// That can be elsewhere than the entry says: a crash may have come between the last shard's commit and the note that
    /// the sweep is complete, and a sweep noted as complete with a shard that is not done is queued again. A difference is
    /// also among [`Schedule::take_changes`]. A sweep whose id is already here is left as it is.
    pub fn add_sweep(&mut self, entry: SweepEntry) -> SweepState {
        let id = entry.id;
        let order = self.sweeps.len();
        self.sweeps.entry(id.clone()).or_insert_with(|| {
            let mut shards = Shards::new(entry.shards, entry.done, entry.quarantined, entry.replicas);
            for (instance, host, numbers) in &entry.unverified {
                shards.check(entry.replicas, instance, host, numbers);
            }
            for (number, vote) in entry.votes {
                shards.restore(number, vote);
            }
            Sweep {
                family: entry.family,
                solver_version: entry.solver_version,
                language: entry.language,
                bytes: entry.bytes,
                state: entry.state,
                reason: entry.reason,
                priority: entry.priority,
                order,
                shards,
                progress: 0,
                usual_ms: 0,
            }
        });
        self.list(&id);
        self.settle(&id);
        self.sweeps.get(&id).map_or(entry.state, |sweep| sweep.state)
    }

    /// Takes in a worker. One that registers again gets a new id; what it had under the old one expires.
    pub fn register(&mut self, now_ms: u64, info: WorkerInfo) -> WorkerId {
        let id = WorkerId(self.next_id());
        self.now_ms = now_ms;
        self.hosts.arrive(now_ms, &info.host, &info.instance, info.slots);
        self.workers.insert(id, Worker::new(info, now_ms));
        self.silences.set(id, now_ms.saturating_add(self.silence_ms()));
        id
    }

    /// Lets a worker go that says goodbye: its shards are pending again without blame.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn deregister(&mut self, worker: WorkerId) -> Result<(), UnknownWorker> {
        let leaving = self.workers.get(&worker).ok_or(UnknownWorker { worker })?;
        for lease_id in leaving.leases.clone() {
            if let Some(lease) = self.drop_lease(lease_id) {
                self.with_sweep(&lease, |sweep| sweep.shards.give_back(lease.shard_number));
            }
        }
        self.silences.remove(worker);
        self.forget(worker);
        Ok(())
    }

    /// Extends the leases that a worker names, each with the configurations it has decided so far, and returns those that
    /// it should stop working on: they were cancelled, given to somebody else, or finished by somebody else.
    ///
    /// A lease the worker has but does not name is not extended: the grant may never have reached it.
    ///
    /// # Errors
    /// [`UnknownWorker`].
    pub fn heartbeat(&mut self, now_ms: u64, worker: WorkerId, leases: &[(LeaseId, u128)]) -> Result<Vec<LeaseId>, UnknownWorker> {
        self.hear(now_ms, worker)?;
        let mut stop = Vec::new();
        for (lease_id, decided) in leases {
            match self.leases.get_mut(lease_id).filter(|lease| lease.worker == worker) {
                Some(lease) => {
                    let (before, after) = (lease.decided, (*decided).min(MOST_DECIDED));
                    lease.decided = after;
                    lease.seen = true;
                    let sweep = self.sweeps.get_mut(&lease.sweep_id).map(|sweep| &mut sweep.progress);
                    let holder = self.workers.get_mut(&worker).map(|holder| &mut holder.progress);
                    sweep.into_iter().chain(holder).for_each(|progress| *progress = *progress - before + after);
                    self.expiries.set(*lease_id, now_ms.saturating_add(self.config.lease_ttl_ms));
                }
                None => stop.push(*lease_id),
            }
        }
        Ok(stop)
    }

    /// When [`Schedule::expire`] has something to do next, if nothing is heard until then.
    #[must_use]
    pub fn next_timer(&self) -> Option<u64> {
        [self.expiries.next(), self.silences.next()].into_iter().flatten().min()
    }

    /// What a worker's result for a shard is worth now. Changes nothing: once the result is on disk, [`Schedule::mark_done`] is
    /// told, or [`Schedule::hear_vote`].
    #[must_use]
    pub fn result(&self, sweep_id: &str, shard_number: u64, vote: &Vote) -> ResultStanding {
        let Some(sweep) = self.sweeps.get(sweep_id) else { return ResultStanding::UnknownSweep };
        if shard_number >= sweep.shards.total {
            ResultStanding::NoSuchShard
        } else if self.banned.contains_key(&vote.instance) {
            ResultStanding::Banned
        } else if sweep.shards.done.contains(shard_number) {
            ResultStanding::Duplicate
        } else if matches!(sweep.state, SweepState::Cancelled | SweepState::Failed) {
            ResultStanding::SweepClosed
        } else {
            let has_another_host = || self.has_another_host(sweep, shard_number, vote);
            sweep.shards.weigh(shard_number, vote, has_another_host)
        }
    }

    /// Notes that a result is on disk that others must come to as well: its worker no longer has the shard, and the shard is
    /// pending for the others. Where too many have come to different results it is quarantined.
    ///
    /// # Errors
    /// [`UnknownShard`] if there is no such shard, or it is done; nothing is changed then.
    pub fn hear_vote(&mut self, sweep_id: &str, shard_number: u64, vote: Vote) -> Result<(), UnknownShard> {
        let sweep = self.sweeps.get_mut(sweep_id).ok_or_else(|| UnknownSweep { sweep_id: sweep_id.to_owned() })?;
        let shards = sweep.shards.total;
        if shard_number >= shards || sweep.shards.done.contains(shard_number) {
            return Err(UnknownShard::Shard { sweep_id: sweep_id.to_owned(), shard_number, shards });
        }
        let own = sweep.shards.leased.get(&shard_number).copied().filter(|lease_id| {
            let holder = self.leases.get(lease_id).and_then(|lease| self.workers.get(&lease.worker));
            holder.is_some_and(|holder| holder.info.instance == vote.instance)
        });
        if own.is_some() {
            sweep.shards.give_back(shard_number);
        }
        let too_many = sweep.shards.hear(shard_number, vote);
        let attempts = sweep.shards.votes.get(&shard_number).map_or(0, Vec::len);
        let other = if too_many { sweep.shards.quarantine(shard_number) } else { None };
        for lease_id in own.into_iter().chain(other) {
            self.drop_lease(lease_id);
        }
        if too_many {
            let error = format!("{attempts} workers came to results that differ");
            let change = Change::Quarantined { sweep_id: sweep_id.to_owned(), shard_number, attempts: attempts as u32, error };
            self.changes.push(change);
        }
        self.settle(sweep_id);
        Ok(())
    }

    /// Gives a worker no more work: others contradict one of its results. What it has goes to others without blame, and it is
    /// told so with its next heartbeat.
    ///
    /// Where `MAX_BANNED` are banned, one that is not there is forgotten; one that chooses new names is not kept out by the old ones.
    pub fn ban(&mut self, instance: &str, reason: String) {
        if self.banned.contains_key(instance) {
            return;
        }
        self.restore_ban(instance.to_owned(), reason.clone());
        let is_its_own = |worker: &Worker| worker.info.instance == instance;
        let leases: Vec<LeaseId> =
            self.workers.values().filter(|worker| is_its_own(worker)).flat_map(|worker| worker.leases.iter().copied()).collect();
        for lease_id in leases {
            if let Some(lease) = self.drop_lease(lease_id) {
                self.with_sweep(&lease, |sweep| sweep.shards.give_back(lease.shard_number));
            }
        }
        self.changes.push(Change::Banned { instance: instance.to_owned(), reason });
    }

    /// Bans a worker that was banned before a restart.
    pub fn restore_ban(&mut self, instance: String, reason: String) {
        if self.banned.len() >= MAX_BANNED {
            let there: BTreeSet<&str> = self.workers.values().map(|worker| worker.info.instance.as_str()).collect();
            // There may be as many workers as may be banned.
            let gone = self.banned.keys().find(|banned| !there.contains(banned.as_str()));
            let forgotten = gone.or_else(|| self.banned.keys().next()).cloned();
            if let Some(instance) = forgotten {
                self.banned.remove(&instance);
                self.changes.push(Change::BanForgotten { instance });
            }
        }
        self.banned.insert(instance, reason);
    }

    /// Notes that the result of a shard is on disk, and returns where the sweep stands now.
    ///
    /// The worker that has a lease on the shard loses it; a quarantined shard leaves quarantine. What is on disk is done, even if
    /// the sweep was cancelled in the meantime. Telling it twice does no harm.
    ///
    /// # Errors
    /// [`UnknownShard`] if there is no such shard; nothing is changed then.
    pub fn mark_done(&mut self, sweep_id: &str, shard_number: u64) -> Result<SweepState, UnknownShard> {
        let unknown = || UnknownSweep { sweep_id: sweep_id.to_owned() };
        let sweep = self.sweeps.get_mut(sweep_id).ok_or_else(unknown)?;
        if shard_number >= sweep.shards.total {
            return Err(UnknownShard::Shard { sweep_id: sweep_id.to_owned(), shard_number, shards: sweep.shards.total });
        }
        if let Some(lease_id) = sweep.shards.finish(shard_number) {
            self.drop_lease(lease_id);
        }
        self.settle(sweep_id);
        Ok(self.sweeps.get(sweep_id).ok_or_else(unknown)?.state)
    }

    /// What must be written down since this was last asked, in the order in which it happened.
    pub fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// Brings the state of a sweep into line with its shards.
    pub(super) fn settle(&mut self, sweep_id: &str) {
        let Some(sweep) = self.sweeps.get(sweep_id) else { return };
        let counts = sweep.shards.counts();
        let state = match sweep.state {
            ended @ (SweepState::Cancelled | SweepState::Failed) => ended,
            _ if counts.done == counts.total => SweepState::Complete,
            _ if counts.pending == 0 && counts.leased == 0 => SweepState::Incomplete,
            SweepState::Complete | SweepState::Incomplete => SweepState::Queued,
            going => going,
        };
        self.set_state(sweep_id, state, None);
    }

    pub(super) fn set_state(&mut self, sweep_id: &str, state: SweepState, reason: Option<String>) {
        let Some(sweep) = self.sweeps.get_mut(sweep_id).filter(|sweep| sweep.state != state) else { return };
        sweep.state = state;
        sweep.reason.clone_from(&reason);
        self.list(sweep_id);
        self.changes.push(Change::State { sweep_id: sweep_id.to_owned(), state, reason });
    }

    /// Brings the list of open sweeps into line with the state and the rank of one.
    pub(super) fn list(&mut self, sweep_id: &str) {
        let Some(sweep) = self.sweeps.get(sweep_id) else { return };
        match sweep.state.is_open() {
            true => drop(self.open.insert(sweep.rank(), sweep_id.to_owned())),
            false => drop(self.open.remove(&sweep.rank())),
        }
    }

    /// Takes a lease off its worker; the caller decides where its shard goes.
    pub(super) fn drop_lease(&mut self, lease_id: LeaseId) -> Option<Lease> {
        let lease = self.leases.remove(&lease_id)?;
        self.expiries.remove(lease_id);
        if let Some(count) = self.leased.get_mut(&lease.sweep_id) {
            *count -= 1;
            if *count == 0 {
                self.leased.remove(&lease.sweep_id);
            }
        }
        if let Some(worker) = self.workers.get_mut(&lease.worker) {
            worker.leases.remove(&lease_id);
            worker.suspects -= usize::from(lease.is_suspect);
            worker.last_chances -= usize::from(lease.is_last_chance);
            worker.progress -= lease.decided;
        }
        if let Some(sweep) = self.sweeps.get_mut(&lease.sweep_id) {
            sweep.progress -= lease.decided;
        }
        Some(lease)
    }

    /// Forgets a worker that has no leases.
    pub(super) fn forget(&mut self, worker: WorkerId) {
        self.reserved.remove(&worker);
        if let Some(Worker { info, heard_ms, .. }) = self.workers.remove(&worker) {
            self.hosts.leave(self.now_ms, &info.host, &info.instance, heard_ms);
        }
    }

    pub(super) fn with_sweep<T>(&mut self, lease: &Lease, change: impl FnOnce(&mut Sweep) -> T) -> Option<T> {
        self.sweeps.get_mut(&lease.sweep_id).map(change)
    }

    pub(super) fn hear(&mut self, now_ms: u64, worker: WorkerId) -> Result<(), UnknownWorker> {
        let silence_ms = self.silence_ms();
        let heard = self.workers.get_mut(&worker).ok_or(UnknownWorker { worker })?;
        heard.heard_ms = now_ms;
        self.now_ms = now_ms;
        self.hosts.hear(&heard.info.host, &heard.info.instance);
        self.silences.set(worker, now_ms.saturating_add(silence_ms));
        Ok(())
    }

    /// How long a worker may be silent: longer than twice the ttl.
    pub(super) fn silence_ms(&self) -> u64 {
        self.config.lease_ttl_ms.saturating_mul(2).saturating_add(1)
    }

    pub(super) fn next_id(&mut self) -> u64 {
        next_id(&mut self.ids, self.config.epoch)
    }
}

fn next_id(ids: &mut u64, epoch: u32) -> u64 {
    *ids += 1;
    (u64::from(epoch) << 32).wrapping_add(*ids)
}

impl Worker {
    fn new(info: WorkerInfo, now_ms: u64) -> Self {
        Self { info, leases: BTreeSet::new(), suspects: 0, last_chances: 0, progress: 0, heard_ms: now_ms, asked_ms: now_ms, request: 0 }
    }
}

impl Sweep {
    /// Its place where it is open.
    pub(super) fn rank(&self) -> Rank {
        (Reverse(self.priority), self.order)
    }

    /// Whether a worker can solve its shards.
    pub(super) fn suits(&self, info: &WorkerInfo) -> bool {
        self.fits(info) && self.is_known_to(info)
    }

    /// Whether a worker has the solver for it, and reads its language.
    pub(super) fn is_known_to(&self, info: &WorkerInfo) -> bool {
        let has = |name: &str, suits: &dyn Fn(u32) -> bool| info.families.iter().any(|(known, theirs)| known == name && suits(*theirs));
        // A version of the language reads what was written for those before.
        has(&self.family, &|theirs| theirs == self.solver_version)
            && self.language.is_none_or(|version| has(LANGUAGE, &|theirs| theirs >= version))
    }

    /// Whether its tables fit the slots of a worker.
    pub(super) fn fits(&self, info: &WorkerInfo) -> bool {
        self.bytes <= u128::from(info.slot_bytes)
    }
}
