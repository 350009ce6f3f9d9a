//! One run of the coordinator: the real schedule, and what the driver does with results, changes and a disk that is full
//! (`driver/delivery.rs`, `driver/flush.rs`, `driver/outage.rs`), line for line where it decides anything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use refute_coordinator::schedule::{
    Change, Config, ExpiredLease, LeaseId, Opinion, ResultStanding, Schedule, UnknownWorker, WorkerId, WorkerInfo,
};

use refute_worker::session::BACKLOG;

use super::calls::{Answer, Call, Process, Request};
use super::disk::{Disk, Done, Full};
use super::random::Random;
use super::scenario::{CrashMoment, Scenario, is_garbled};

pub const SWEEP: &str = "sweep";
pub const HEARTBEAT_MS: u64 = 1_000;
pub const MAX_ATTEMPTS: u32 = 3;
const TRY_EVERY_MS: u64 = 1_000;

pub struct Coordinator {
    pub schedule: Schedule,
    ready: Vec<Ready>,
    unwritten: VecDeque<Change>,
    /// When the disk is tried again, while it cannot be written.
    outage: Option<u64>,
    /// What is to be answered.
    pub answers: Vec<(Caller, Answer)>,
    /// The calls that hand back results of which not all are answered.
    open: BTreeMap<Caller, Vec<Option<Answer>>>,
    /// What the reference is to solve again, and who waits for what it was given.
    pub to_confirm: Vec<Ready>,
    confirming: BTreeMap<(u64, Opinion), (Caller, usize)>,
    pub expired: Vec<ExpiredLease>,
    pub written: Vec<Change>,
    /// The results of which their workers are told that they are taken.
    pub acknowledged: Vec<(u64, Opinion)>,
}

/// Who waits for an answer: a process and its call.
pub type Caller = (Process, u64);

/// A result that waits to be written.
#[derive(Clone, Debug)]
pub struct Ready {
    pub caller: Caller,
    /// Which of the results of the call it is.
    pub place: usize,
    pub shard: u64,
    pub opinion: Opinion,
    pub reference: Reference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    NotAsked,
    Confirmed,
    Contradicts,
}

/// A result with which a shard is done, and whose results it contradicts.
struct Counted {
    ready: Ready,
    differed: Vec<String>,
}

/// The process was killed in the middle of its turn.
#[derive(Debug)]
pub struct Crashed;

impl Coordinator {
    /// Starts on what is on disk.
    pub fn start(disk: &mut Disk, scenario: &Scenario) -> Self {
        disk.epoch += 1;
        let mut schedule = Schedule::new(Config {
            lease_ttl_ms: scenario.lease_ttl_ms,
            heartbeat_every_ms: HEARTBEAT_MS,
            max_attempts: MAX_ATTEMPTS,
            epoch: disk.epoch,
        });
        for instance in &disk.banned {
            schedule.restore_ban(instance.clone(), "it lied".into());
        }
        schedule.add_sweep(disk.entry(scenario));
        let mut coordinator = Self {
            schedule,
            ready: Vec::new(),
            unwritten: VecDeque::new(),
            outage: None,
            answers: Vec::new(),
            open: BTreeMap::new(),
            to_confirm: Vec::new(),
            confirming: BTreeMap::new(),
            expired: Vec::new(),
            written: Vec::new(),
            acknowledged: Vec::new(),
        };
        coordinator.ban_outvoted(disk);
        coordinator.write_changes(disk);
        coordinator
    }

    pub fn writes(&self) -> bool {
        self.outage.is_none()
    }

    /// Takes a call, as `rpc/workers.rs` does.
    pub fn take(&mut self, now_ms: u64, call: Call, scenario: &Scenario) {
        let caller = (call.from, call.id);
        let unknown = |_: UnknownWorker| Answer::UnknownWorker;
        let answer = match call.request {
            Request::Register { slots } => {
                let families = vec![("family".into(), 1)];
                let (instance, slots, backlog) = (call.from.instance(), slots as u32, BACKLOG as u32);
                let info = WorkerInfo { instance, slots, backlog, slot_bytes: 1, families, ..Default::default() };
                Answer::Registered { worker: self.schedule.register(now_ms, info), lease_ttl_ms: scenario.lease_ttl_ms }
            }
            Request::Lease { worker, shards } => self.lease(now_ms, WorkerId(worker), shards).unwrap_or(Answer::UnknownWorker),
            Request::Heartbeat { worker, leases } => {
                let heard = self.schedule.heartbeat(now_ms, WorkerId(worker), &leases);
                heard.map_or_else(unknown, |stop| Answer::Heard { stop: stop.into_iter().map(|lease| lease.0).collect() })
            }
            Request::Release { worker, lease, error, .. } => {
                let error = (!error.is_empty()).then_some(error);
                self.schedule.release(now_ms, WorkerId(worker), LeaseId(lease), error).map_or_else(unknown, |_| Answer::Taken)
            }
            Request::Goodbye { worker } => self.schedule.deregister(WorkerId(worker)).map_or_else(unknown, |()| Answer::Taken),
            Request::Complete { results, .. } => {
                self.open.insert(caller, vec![None; results.len()]);
                for (place, (_, solved)) in results.into_iter().enumerate() {
                    let opinion = Opinion { instance: call.from.instance(), digest: solved.result.tally.records_hash };
                    let shard = solved.assignment.shard_number;
                    let ready = Ready { caller, place, shard, opinion, reference: Reference::NotAsked };
                    // As in `rpc/assemble.rs`: one that cannot be read takes no others with it.
                    if scenario.garbled && is_garbled(solved.assignment.lease_id) {
                        self.refuse(&ready);
                    } else {
                        self.deliver(ready, scenario);
                    }
                }
                return;
            }
        };
        self.answers.push((caller, answer));
    }

    fn lease(&mut self, now_ms: u64, worker: WorkerId, shards: u32) -> Result<Answer, UnknownWorker> {
        let mut grants = Vec::new();
        while (grants.len() as u32) < shards
            && let Some(grant) = self.schedule.lease(now_ms, worker)?
        {
            grants.push(grant);
        }
        let banned = self.schedule.worker(worker).is_some_and(|view| view.banned.is_some());
        Ok(match (banned, grants.is_empty()) {
            (true, _) => Answer::Refused("no more work".into()),
            (false, true) => Answer::NothingToDo,
            (false, false) => Answer::Granted(grants),
        })
    }

    /// Answers one result; its call is answered when all of its results are.
    fn answer(&mut self, (caller, place): (Caller, usize), answer: Answer) {
        let Some(results) = self.open.get_mut(&caller) else { return };
        assert!(results[place].replace(answer).is_none(), "a result is answered twice");
        if results.iter().all(Option::is_some) {
            let results = self.open.remove(&caller).into_iter().flatten().flatten().collect();
            self.answers.push((caller, Answer::Results(results)));
        }
    }

    fn deliver(&mut self, ready: Ready, scenario: &Scenario) {
        match self.schedule.result(SWEEP, ready.shard, &ready.opinion) {
            ResultStanding::UnknownSweep | ResultStanding::NoSuchShard | ResultStanding::SweepClosed | ResultStanding::Banned => {
                self.refuse(&ready)
            }
            ResultStanding::Decides { .. } if ready.shard >= scenario.confirmed_from || ready.opinion.digest & 1 == 1 => {
                // Its worker lost the connection and comes back with it: the reference has it already.
                match self.confirming.insert((ready.shard, ready.opinion.clone()), (ready.caller, ready.place)) {
                    Some(before) => self.answer(before, Answer::Busy),
                    None => self.to_confirm.push(ready),
                }
            }
            ResultStanding::Decides { .. } => self.ready.push(Ready { reference: Reference::Confirmed, ..ready }),
            ResultStanding::Opinion | ResultStanding::Repeated | ResultStanding::Duplicate => self.ready.push(ready),
        }
    }

    /// The reference has solved a result's counterexamples again.
    pub fn confirmed(&mut self, mut ready: Ready) {
        let waiting = self.confirming.remove(&(ready.shard, ready.opinion.clone()));
        (ready.caller, ready.place) = waiting.expect("what the reference was given, somebody waits for");
        if ready.opinion.digest & 1 == 0 {
            ready.reference = Reference::Confirmed;
            self.ready.push(ready);
            return;
        }
        let standing = self.schedule.result(SWEEP, ready.shard, &ready.opinion);
        let alone = !matches!(standing, ResultStanding::Decides { agreeing: 1.. });
        if alone && self.schedule.has_another(SWEEP, &ready.opinion.instance) {
            ready.reference = Reference::Contradicts;
            self.ready.push(ready);
            return;
        }
        // An ended sweep cannot fail, and the driver says so in its log.
        let _ = self.schedule.fail(SWEEP, "solver and reference disagree".into());
        self.refuse(&ready);
    }

    fn refuse(&mut self, ready: &Ready) {
        self.answer((ready.caller, ready.place), Answer::Refused("not wanted".into()));
    }

    /// What is done after every turn.
    pub fn tick(
        &mut self,
        now_ms: u64,
        disk: &mut Disk,
        world: (&Scenario, &mut Random),
        crash: Option<CrashMoment>,
    ) -> Result<(), Crashed> {
        let (scenario, random) = world;
        self.expired = self.schedule.expire(now_ms);
        self.heal(now_ms, disk);
        let crash = crash.filter(|_| !self.ready.is_empty());
        self.flush(disk, scenario, random, crash)?;
        self.unwritten.extend(self.schedule.take_changes());
        let decided = self.unwritten.iter().any(|change| !matches!(change, Change::State { .. }));
        if crash == Some(CrashMoment::AfterAnswer) && decided {
            return Err(Crashed);
        }
        self.write_changes(disk);
        Ok(())
    }

    /// Whether there is something to do without being called.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    fn heal(&mut self, now_ms: u64, disk: &Disk) {
        let Some(next_try_ms) = self.outage.filter(|next_try_ms| *next_try_ms <= now_ms) else { return };
        self.outage = Some(next_try_ms.max(now_ms) + TRY_EVERY_MS);
        if disk.full {
            return;
        }
        for shard in disk.done.keys() {
            let _ = self.schedule.mark_done(SWEEP, *shard);
        }
        for (shard, opinion) in disk.waiting() {
            let known = self.schedule.opinions(SWEEP, shard).iter().any(|known| known.instance == opinion.instance);
            if !known {
                let _ = self.schedule.hear_opinion(SWEEP, shard, opinion.clone());
            }
        }
        self.ban_outvoted(disk);
        self.outage = None;
    }

    /// A crash, or a disk that was full, may have come between a commit and the note of the ban.
    fn ban_outvoted(&mut self, disk: &Disk) {
        for instance in disk.outvoted() {
            self.schedule.ban(instance, "others contradict it".into());
        }
    }

    fn flush(&mut self, disk: &mut Disk, scenario: &Scenario, random: &mut Random, crash: Option<CrashMoment>) -> Result<(), Crashed> {
        if !self.writes() {
            for ready in std::mem::take(&mut self.ready) {
                self.answer((ready.caller, ready.place), Answer::Unreachable);
            }
            return Ok(());
        }
        if crash == Some(CrashMoment::BeforeCommit) {
            return Err(Crashed);
        }
        let mut batch: Vec<(u64, Done)> = Vec::new();
        let mut counted: Vec<Counted> = Vec::new();
        let mut heard: BTreeSet<Caller> = BTreeSet::new();
        for ready in std::mem::take(&mut self.ready) {
            let shard = ready.shard;
            if batch.iter().any(|(other, _)| *other == shard) {
                self.ready.push(ready);
                continue;
            }
            match (self.schedule.result(SWEEP, shard, &ready.opinion), ready.reference) {
                (ResultStanding::Decides { .. }, Reference::Confirmed) => {
                    let Opinion { instance, digest } = ready.opinion.clone();
                    let heard = self.schedule.opinions(SWEEP, shard);
                    let (agreed, differed): (Vec<_>, Vec<_>) = heard.iter().cloned().partition(|other| other.digest == digest);
                    let names = |opinions: Vec<Opinion>| opinions.into_iter().map(|opinion| opinion.instance).collect();
                    batch.push((shard, Done { instance, digest, agreed: names(agreed) }));
                    counted.push(Counted { ready, differed: names(differed) });
                }
                (ResultStanding::Decides { .. }, Reference::NotAsked) => self.deliver(ready, scenario),
                (ResultStanding::Decides { .. } | ResultStanding::Opinion, _) => {
                    heard.insert(ready.caller);
                    self.keep_opinion(ready, disk, random);
                }
                (ResultStanding::Repeated, _) => self.acknowledge(ready),
                (ResultStanding::Duplicate, _) => self.compare(ready, disk),
                (ResultStanding::UnknownSweep | ResultStanding::NoSuchShard | ResultStanding::SweepClosed | ResultStanding::Banned, _) => {
                    self.refuse(&ready)
                }
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        let of_one_call = counted.iter().any(|counted| heard.contains(&counted.ready.caller));
        if crash == Some(CrashMoment::BetweenWrites) && of_one_call {
            return Err(Crashed);
        }
        let committed = disk.commit(&batch, scenario, random);
        if crash == Some(CrashMoment::AfterCommit) {
            return Err(Crashed);
        }
        match committed {
            Ok(()) => self.counted(counted),
            Err(Full) => {
                self.outage.get_or_insert(0);
                for Counted { ready, .. } in counted {
                    self.answer((ready.caller, ready.place), Answer::Unreachable);
                }
            }
        }
        Ok(())
    }

    fn keep_opinion(&mut self, ready: Ready, disk: &mut Disk, random: &mut Random) {
        if disk.put_opinion(ready.shard, &ready.opinion, random).is_err() {
            self.outage.get_or_insert(0);
            self.answer((ready.caller, ready.place), Answer::Unreachable);
            return;
        }
        self.schedule.hear_opinion(SWEEP, ready.shard, ready.opinion.clone()).unwrap();
        self.acknowledge(ready);
    }

    fn counted(&mut self, counted: Vec<Counted>) {
        for Counted { ready, differed } in counted {
            for instance in differed {
                self.schedule.ban(&instance, "others contradict it".into());
            }
            self.schedule.mark_done(SWEEP, ready.shard).unwrap();
            self.acknowledge(ready);
        }
    }

    fn acknowledge(&mut self, ready: Ready) {
        self.answer((ready.caller, ready.place), Answer::Taken);
        self.acknowledged.push((ready.shard, ready.opinion));
    }

    fn compare(&mut self, ready: Ready, disk: &mut Disk) {
        let differs = disk.done.get(&ready.shard).filter(|first| first.digest != ready.opinion.digest);
        match differs {
            Some(first) if !first.agreed.is_empty() => self.schedule.ban(&ready.opinion.instance, "others contradict it".into()),
            Some(_) => drop(self.schedule.fail(SWEEP, "two results differ".into())),
            None => {}
        }
        self.write_changes(disk);
        if self.writes() {
            self.acknowledge(ready);
        } else {
            self.answer((ready.caller, ready.place), Answer::Unreachable);
        }
    }

    pub fn write_changes(&mut self, disk: &mut Disk) {
        self.unwritten.extend(self.schedule.take_changes());
        while self.outage.is_none()
            && let Some(change) = self.unwritten.pop_front()
        {
            // A result heard since then has brought the shard back, on disk too.
            let is_set_aside = |shard| self.schedule.quarantined(SWEEP).is_some_and(|quarantined| quarantined.contains(shard));
            if matches!(change, Change::Quarantined { shard_number, .. } if !is_set_aside(shard_number)) {
                continue;
            }
            match disk.write(&change) {
                Ok(()) => self.written.push(change),
                Err(Full) => {
                    self.outage = Some(0);
                    self.unwritten.push_front(change);
                }
            }
        }
    }

    /// How many leases each worker has, by the schedule's list of leases.
    pub fn leases_by_worker(&self) -> BTreeMap<WorkerId, usize> {
        let mut leases = BTreeMap::new();
        for lease in self.schedule.leases() {
            *leases.entry(lease.worker).or_default() += 1;
        }
        leases
    }
}
