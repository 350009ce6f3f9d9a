//! What is known about each host, and what follows from it.
//!
//! A host is the name in a worker's certificate, or the address it calls from; what a worker says about itself proves nothing. On a
//! host there are worker processes, each known by the name it chose when it started. A failure is a shard that comes back with
//! an error, or a lease that runs out. It counts against the host first, by these rules:
//!
//! 1. **Standing.** Each process counts its failures in a row: a failure adds one, up to 6, and a finished shard takes one off.
//!    All leases that a process loses in one silence are one failure. The failures of processes that were lost, or left with
//!    errors, are handed down: they count as failures of each process that was started after the other was last heard, until it
//!    has finished a shard.
//! 2. **Probation.** With 3 failures in a row a process gets one shard at a time, and after each further failure none for a
//!    pause of 1 s, 2 s, 4 s, … 60 s. A shard that it finishes ends the pause, and so many that fewer than 3 failures remain end
//!    the probation. A process whose host lost 3 others before it was started gets one shard at a time as well, without pauses,
//!    until it has outlived them: 16 finished shards a slot for each.
//! 3. **Who may try a failed shard.** Not a process in which it failed, nor one of no trust on a host on which it failed, as long
//!    as there are others. Workers on probation get no shard that failed as long as there are others; nobody waits for them,
//!    or for those that could not take the shard.
//! 4. **Last attempts.** An attempt that can condemn a shard, since at least one fewer than `max_attempts` went wrong before, is
//!    reserved for workers with more memory a slot than any that failed it, where there are none for hosts on which it has not
//!    failed, and where there are none for processes in which it has not; and among these
//!    for those with at least half the trust of the best. Workers on probation count among these, but for those that failed 6 times in
//!    a row. It is made alone: the worker that is to make it gets no other shard
//!    before it has finished what it has and this one. The trust
//!    in a process that has finished a shard since its last failure is the time since then, or since it was started, halved
//!    for each process that its host lost before it was started and that it has not outlived. In one that has finished none it is
//!    next to none, and none if there are failures in a row.
//! 5. **The verdict.** A shard is quarantined once `max_attempts` attempts went wrong and nobody is left: all hosts that are there and
//!    could take it have failed it, and so have all workers with more memory a slot than those that did. The last word is not a
//!    worker's on probation as long as others are there: those may have lost the shard beside another that killed them. It is
//!    quarantined in any case after 32 attempts ([`MOST_ATTEMPTS`]), so that one that kills its workers does not go through a fleet
//!    of thousands. Then its failures are taken off those who failed it: the shard was to blame.
//! 6. **Slow processes.** Of a sweep of which the others will have finished all before it has finished one shard, or in twice
//!    that time, a process that takes at least 4 times as long as usual gets only second votes and last attempts. The others are
//!    those that have finished shards and are not slow: nobody waits for one that may never ask.
//! 7. **Memory.** A shard that was lost, which lack of memory may be the reason of, goes to a worker with more memory a slot than any
//!    that failed it, if one is there that is neither slow nor on probation. More is at least an eighth more: machines of one kind
//!    differ by a little.
//! 8. **Suspects.** A shard that fails may kill its worker, and takes those down that run beside it: no worker has two such shards
//!    at a time. A failure of a process on probation, or of one whose host lost 2 others before it, raises no such suspicion.
//!
//! So a shard that one host can solve goes to that host before it is given up, in a fleet of up to 32 hosts; and one that nobody can
//! solve costs an attempt a host, at least `max_attempts` and at most 32, or a few more while hosts come and go. Two shards are
//! quarantined although a host could solve them: in a larger fleet one that 32 others failed, and in any fleet one that only a host
//! can solve which has failed 6 times in a row.
//!
//! What is kept grows with the workers that are there, and with at most [`MAX_IDLE`] hosts that have none.

use std::collections::{BTreeMap, BTreeSet};

use super::types::{Probation, TooManyDrained};

/// How many failures in a row put a process on probation.
const PROBATION_AFTER: u32 = 3;
/// How many lost processes put those that were started later on probation, and how many make them no witnesses.
const PROBATION_AFTER_LOST: usize = 3;
const NO_WITNESS_AFTER_LOST: usize = 2;
/// How far failures in a row are counted, so that a few finished shards end a probation however long it was.
const MOST_IN_A_ROW: u32 = 6;
const FIRST_PAUSE_MS: u64 = 1_000;
const LONGEST_PAUSE_MS: u64 = 60_000;
/// How many shards a slot of a process finishes before one lost process of its host is forgotten.
const OUTLIVED_BY: u64 = 16;
/// From how many thousandths of the usual time on a process is slow.
const SLOW: u64 = 4_000;
/// After so many failed attempts a shard is quarantined, whatever hosts are left to try it.
pub(super) const MOST_ATTEMPTS: u32 = 32;
/// How often trust is halved at most.
const MOST_LOST: usize = 32;
/// How long a host without workers is remembered.
const REMEMBER_MS: u64 = 3_600_000;
/// How many hosts without workers are remembered, those first that left last.
const MAX_IDLE: usize = 4_096;
const PRUNE_EVERY_MS: u64 = 60_000;
/// How many hosts may be drained.
const MAX_DRAINED: usize = 10_000;

/// The hosts that are or were there, and those that are drained.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts {
    hosts: BTreeMap<String, Host>,
    drained: BTreeSet<String>,
    /// When idle hosts are looked for next, and how many hosts there were the last time.
    prune_ms: u64,
    pruned: usize,
}

#[derive(Clone, Debug, Default)]
struct Host {
    /// The processes that have a worker here, by instance.
    processes: BTreeMap<String, Process>,
    /// When processes that are gone were last heard, once for each failure that they hand down; at most [`MOST_IN_A_ROW`].
    gone_ms: Vec<u64>,
    /// The pause of those to whom failures are handed down. Invariant: it has as many failures as `gone_ms`.
    gone: Standing,
    /// When the processes that were lost and are not outlived were last heard; at most [`MOST_LOST`].
    lost_ms: Vec<u64>,
    /// When its last worker left.
    idle_since_ms: u64,
}

#[derive(Clone, Debug, Default)]
struct Process {
    standing: Standing,
    /// How many workers it is registered as; more than one after a broken connection.
    registered: usize,
    started_ms: u64,
    slots: u32,
    /// Since when it has not failed.
    since_ms: u64,
    /// Shards finished since then.
    finished: u64,
    /// Errors since it last finished a shard, which it hands down when it leaves; losses are handed down at once.
    errors: u32,
    /// Whether it lost a lease and was not heard since.
    silent: bool,
    /// How long it takes for a shard lately, in thousandths of what is usual in its sweep; 0 if it has finished none.
    slowness: u64,
}

/// Where an attempt at a shard went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) host: String,
    pub(super) instance: String,
    /// What a slot of the worker had for its tables.
    pub(super) slot_bytes: u64,
    /// Whether the lease ran out; otherwise the shard came back with an error.
    pub(super) lost: bool,
    /// Whether it says something of the shard.
    pub(super) witnessed: bool,
}

/// How a process stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Account {
    pub(super) is_on_probation: bool,
    /// Whether nobody waits for it, since it failed too often in a row.
    pub(super) is_hopeless: bool,
    /// Whether it has finished a shard.
    pub(super) has_finished: bool,
    /// How long it takes for a shard, in thousandths of what is usual, if it is slow.
    pub(super) slowness: Option<u64>,
    /// How far it is trusted, by rule 4.
    pub(super) trust: u64,
}

/// Failures in a row and what follows from them.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    failures: u32,
    pause_ms: u64,
    resumes_ms: u64,
}

impl Standing {
    fn is_on_probation(self) -> bool {
        self.failures >= PROBATION_AFTER
    }

    fn fail(&mut self, now_ms: u64, given_ms: u64) {
        self.failures = (self.failures + 1).min(MOST_IN_A_ROW);
        if !self.is_on_probation() {
            return;
        }
        if self.pause_ms == 0 {
            self.pause_ms = FIRST_PAUSE_MS;
        } else if given_ms >= self.resumes_ms {
            self.pause_ms = (self.pause_ms * 2).min(LONGEST_PAUSE_MS);
        } else {
            // It was given before the pause began and says nothing new.
            return;
        }
        self.resumes_ms = now_ms.saturating_add(self.pause_ms);
    }

    /// Takes one failure off and ends the pause.
    fn finish(&mut self) {
        *self = Self { failures: self.failures.saturating_sub(1), ..Self::default() };
    }
}

impl Host {
    /// How a process stands, with what is handed down to it.
    fn standing(&self, process: &Process) -> Standing {
        let failures = match process.finished {
            0 => before(&self.gone_ms, process).count() as u32,
            _ => 0,
        };
        if failures > process.standing.failures { Standing { failures, ..self.gone } } else { process.standing }
    }

    /// How far a process is trusted, by rule 4.
    fn trust(&self, now_ms: u64, process: &Process) -> u64 {
        if process.finished == 0 {
            return u64::from(self.standing(process).failures == 0);
        }
        now_ms.saturating_sub(process.since_ms).saturating_add(2) >> before(&self.lost_ms, process).count()
    }

    /// Whether a process is on probation, and how it stands.
    fn probation(&self, process: &Process) -> Option<Probation> {
        let standing = self.standing(process);
        let Standing { failures, resumes_ms, .. } = standing;
        let lost = before(&self.lost_ms, process).count() as u32;
        let is_on_probation = standing.is_on_probation() || lost as usize >= PROBATION_AFTER_LOST;
        is_on_probation.then_some(Probation { failures, lost, resumes_ms })
    }

    /// Takes note of a failure that is handed down to those started after `heard_ms`.
    fn hand_down(&mut self, now_ms: u64, given_ms: u64, heard_ms: u64) {
        if self.gone_ms.len() >= MOST_IN_A_ROW as usize {
            self.gone_ms.remove(0);
        }
        self.gone_ms.push(heard_ms);
        self.gone.fail(now_ms, given_ms);
    }
}

/// Whether nobody waits for a process, since it failed too often in a row.
fn is_hopeless(probation: Option<Probation>) -> bool {
    probation.is_some_and(|probation| probation.failures >= MOST_IN_A_ROW)
}

/// A mean of what lately was measured, and 0 if nothing was; what is new counts an eighth.
pub(super) fn average(before: u64, new: u64) -> u64 {
    if before == 0 { new.max(1) } else { ((before.saturating_mul(7).saturating_add(new)) / 8).max(1) }
}

/// Those of some moments that were before a process was started.
fn before<'a>(moments_ms: &'a [u64], process: &Process) -> impl Iterator<Item = usize> + use<'a> {
    let started_ms = process.started_ms;
    moments_ms.iter().enumerate().filter(move |(_, at_ms)| **at_ms < started_ms).map(|(index, _)| index)
}

impl Hosts {
    /// A process registers, perhaps again.
    pub(super) fn arrive(&mut self, now_ms: u64, host: &str, instance: &str, slots: u32) {
        self.prune(now_ms);
        let arriving = self.hosts.entry(host.to_owned()).or_default();
        arriving.lost_ms.retain(|lost_ms| lost_ms.saturating_add(REMEMBER_MS) >= now_ms);
        let processes = &mut arriving.processes;
        let fresh = || Process { started_ms: now_ms, since_ms: now_ms, ..Process::default() };
        let process = processes.entry(instance.to_owned()).or_insert_with(fresh);
        process.registered += 1;
        process.slots = slots;
        process.silent = false;
    }

    /// A worker that was last heard then is gone, because it said goodbye or is forgotten.
    pub(super) fn leave(&mut self, now_ms: u64, host: &str, instance: &str, heard_ms: u64) {
        let Some(left) = self.hosts.get_mut(host) else { return };
        let Some(process) = left.processes.get_mut(instance) else { return };
        process.registered -= 1;
        if process.registered > 0 {
            return;
        }
        let errors = left.processes.remove(instance).map_or(0, |process| process.errors.min(MOST_IN_A_ROW));
        for _ in 0..errors {
            // One that comes in the same moment is started after it.
            left.hand_down(now_ms, heard_ms, heard_ms.saturating_sub(1));
        }
        left.idle_since_ms = now_ms;
    }

    fn process(&mut self, host: &str, instance: &str) -> Option<&mut Process> {
        self.hosts.get_mut(host)?.processes.get_mut(instance)
    }

    pub(super) fn hear(&mut self, host: &str, instance: &str) {
        if let Some(process) = self.process(host, instance) {
            process.silent = false;
        }
    }

    /// A process gave back a shard with an error that it was given then.
    pub(super) fn fail(&mut self, now_ms: u64, host: &str, instance: &str, given_ms: u64) {
        if let Some(process) = self.process(host, instance) {
            process.standing.fail(now_ms, given_ms);
            (process.since_ms, process.finished) = (now_ms, 0);
            process.errors = process.errors.saturating_add(1);
        }
    }

    /// A process that was last heard then lost a lease that it was given then.
    pub(super) fn lose(&mut self, now_ms: u64, host: &str, instance: &str, given_ms: u64, heard_ms: u64) {
        let Some(process) = self.process(host, instance).filter(|process| !process.silent) else { return };
        process.silent = true;
        (process.since_ms, process.finished) = (now_ms, 0);
        process.standing.fail(now_ms, given_ms);
        if let Some(host) = self.hosts.get_mut(host) {
            host.hand_down(now_ms, given_ms, heard_ms);
            if host.lost_ms.len() >= MOST_LOST {
                host.lost_ms.remove(0);
            }
            host.lost_ms.push(heard_ms);
        }
    }

    /// A result of a process was taken, which it took so long for, in thousandths of what is usual in the sweep, if that is known.
    pub(super) fn finish(&mut self, host: &str, instance: &str, slowness: Option<u64>) {
        let Some(host) = self.hosts.get_mut(host) else { return };
        let Some(process) = host.processes.get_mut(instance) else { return };
        process.standing.finish();
        process.finished += 1;
        process.errors = 0;
        process.slowness = slowness.map_or(process.slowness, |slowness| average(process.slowness, slowness));
        if let Some(index) = before(&host.gone_ms, process).last() {
            host.gone_ms.remove(index);
            host.gone.finish();
        }
        if process.finished.is_multiple_of(OUTLIVED_BY * u64::from(process.slots.max(1)))
            && let Some(index) = before(&host.lost_ms, process).last()
        {
            host.lost_ms.remove(index);
        }
    }

    /// A shard turned out to be to blame for a failure.
    pub(super) fn forgive(&mut self, failure: &Failure) {
        let Some(host) = self.hosts.get_mut(&failure.host) else { return };
        if let Some(process) = host.processes.get_mut(&failure.instance) {
            process.standing.finish();
            process.errors = process.errors.saturating_sub(1);
        }
        if failure.lost {
            host.lost_ms.pop();
            if host.gone_ms.pop().is_some() {
                host.gone.finish();
            }
        }
    }

    /// How long a process takes for a shard, in thousandths of what is usual, if it is slow.
    pub(super) fn slowness(&self, host: &str, instance: &str) -> Option<u64> {
        self.find(host, instance).map(|(_, process)| process.slowness).filter(|slowness| *slowness >= SLOW)
    }

    fn find(&self, host: &str, instance: &str) -> Option<(&Host, &Process)> {
        let host = self.hosts.get(host)?;
        Some((host, host.processes.get(instance)?))
    }

    /// All of that together, for one look at the process.
    pub(super) fn account(&self, now_ms: u64, host: &str, instance: &str) -> Account {
        let Some((host, process)) = self.find(host, instance) else { return Account::default() };
        let probation = host.probation(process);
        Account {
            is_on_probation: probation.is_some(),
            is_hopeless: is_hopeless(probation),
            has_finished: process.slowness > 0,
            slowness: Some(process.slowness).filter(|slowness| *slowness >= SLOW),
            trust: host.trust(now_ms, process),
        }
    }

    /// Whether a process is on probation, and how it stands.
    pub(super) fn probation(&self, host: &str, instance: &str) -> Option<Probation> {
        self.find(host, instance).and_then(|(host, process)| host.probation(process))
    }

    /// Whether a failure of a process says something of the shard.
    pub(super) fn is_witness(&self, host: &str, instance: &str) -> bool {
        self.find(host, instance).is_some_and(|(host, process)| {
            !host.standing(process).is_on_probation() && before(&host.lost_ms, process).count() < NO_WITNESS_AFTER_LOST
        })
    }

    /// Whether a process that has so many leases may have one more now, by rule 2.
    pub(super) fn admits(&self, now_ms: u64, host: &str, instance: &str, leases: usize) -> bool {
        !self.drained.contains(host) && self.probation(host, instance).is_none_or(|probation| leases == 0 && now_ms >= probation.resumes_ms)
    }

    /// Stops leasing to a host, and says whether that is new.
    pub(super) fn drain(&mut self, host: &str) -> Result<bool, TooManyDrained> {
        if self.drained.len() >= MAX_DRAINED && !self.drained.contains(host) {
            return Err(TooManyDrained { most: MAX_DRAINED });
        }
        Ok(self.drained.insert(host.to_owned()))
    }

    /// Leases to a host again, and says whether it was drained.
    pub(super) fn undrain(&mut self, host: &str) -> bool {
        self.drained.remove(host)
    }

    /// How many workers a host has.
    pub(super) fn workers(&self, host: &str) -> usize {
        self.hosts.get(host).map_or(0, |host| host.processes.values().map(|process| process.registered).sum())
    }

    pub(super) fn is_drained(&self, host: &str) -> bool {
        self.drained.contains(host)
    }

    pub(super) fn drained(&self) -> impl Iterator<Item = &str> {
        self.drained.iter().map(String::as_str)
    }

    /// Forgets hosts whose workers left long ago, or beside too many others. Cost: O(1), and once a minute, or when many hosts are
    /// new, O(hosts).
    fn prune(&mut self, now_ms: u64) {
        if now_ms < self.prune_ms && self.hosts.len() <= self.pruned + MAX_IDLE {
            return;
        }
        self.prune_ms = now_ms.saturating_add(PRUNE_EVERY_MS);
        let idle = self.hosts.iter().filter(|(_, host)| host.processes.is_empty());
        let mut idle: Vec<(u64, String)> = idle.map(|(name, host)| (host.idle_since_ms, name.clone())).collect();
        idle.sort_unstable();
        let too_many = idle.len().saturating_sub(MAX_IDLE);
        for (index, (since_ms, name)) in idle.into_iter().enumerate() {
            if index < too_many || since_ms.saturating_add(REMEMBER_MS) < now_ms {
                self.hosts.remove(&name);
            }
        }
        self.pruned = self.hosts.len();
    }
}
