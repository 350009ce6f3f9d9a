//! One run of the coordinator: the real core, and around it what `rpc/workers.rs` and the driver's thread do.

use std::collections::{BTreeMap, BTreeSet};

use refute_coordinator::driver::{Action, Core, Delivery, DeliveryError, DriverOptions, Job, Registration, ResultKey};
use refute_coordinator::schedule::{ExpiredLease, LeaseId, ResultStanding, Schedule, SweepState, UnknownWorker, WorkerId, WorkerInfo};
use refute_worker::session::BACKLOG;

use super::calls::{Answer, Call, Process, Request};
use super::disk::Handle;
use super::scenario::{HEARTBEAT_MS, MAX_ATTEMPTS, Scenario, is_garbled};
use super::truth;

/// Who waits for an answer: a process and its call.
pub type Caller = (Process, u64);

/// Who waits to hear what becomes of a result, and what it says.
#[derive(Debug)]
pub struct Waiting {
    caller: Caller,
    /// Which of the results of the call it is.
    place: usize,
    /// Its number among all results that came in.
    arrival: u64,
    claimed: Claimed,
}

/// A result as far as the ledger cares.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claimed {
    pub shard: u64,
    pub from: Process,
    pub records_hash: u128,
}

/// What became of a result.
pub type Told = Result<bool, DeliveryError>;

pub struct RunningCore {
    core: Core<Handle, Waiting>,
    /// What is to be answered.
    pub answers: Vec<(Caller, Answer)>,
    /// The calls whose results are not all answered yet.
    open: BTreeMap<Caller, Vec<Option<Answer>>>,
    /// The results that came in and are not answered yet, each with the arrivals that wait.
    waiting: BTreeMap<Claimed, BTreeSet<u64>>,
    /// How many results came in.
    arrivals: u64,
    /// What the reference is to solve again.
    pub jobs: Vec<Job>,
    /// The results that the reference has.
    confirming: BTreeSet<ResultKey>,
    /// Whether a turn has begun that has not ended.
    in_turn: bool,
    /// Whether the last call or turn left all leases as they were.
    pub is_quiet: bool,
}

impl RunningCore {
    /// Starts on what is on disk.
    pub fn open(disk: &Handle, scenario: &Scenario) -> Self {
        disk.get_mut().start();
        let options = DriverOptions {
            lease_ttl_ms: scenario.lease_ttl_ms,
            heartbeat_every_ms: HEARTBEAT_MS,
            max_attempts: MAX_ATTEMPTS,
            resume_all: true,
        };
        Self {
            core: Core::new(disk.clone(), options).unwrap(),
            answers: Vec::new(),
            open: BTreeMap::new(),
            waiting: BTreeMap::new(),
            arrivals: 0,
            jobs: Vec::new(),
            confirming: BTreeSet::new(),
            in_turn: false,
            is_quiet: false,
        }
    }

    pub fn schedule(&self) -> &Schedule {
        self.core.schedule()
    }

    pub fn writes(&self) -> bool {
        self.core.is_writable()
    }

    /// How many results wait to be answered.
    pub fn waiting(&self) -> usize {
        self.core.waiting()
    }

    /// In how many milliseconds the thread does something even if nothing comes in.
    pub fn wait_ms(&self, now_ms: u64) -> u64 {
        if self.in_turn { 0 } else { self.core.next_timer(now_ms) }
    }

    /// Takes a call, as `rpc/workers.rs` does.
    pub fn take(&mut self, now_ms: u64, call: Call, scenario: &Scenario) {
        self.is_quiet = false;
        let caller = (call.from, call.id);
        let unknown = |_: UnknownWorker| Answer::UnknownWorker;
        let answer = match call.request {
            Request::Register { slots } => {
                let families = vec![("graph-nim".into(), scenario.solver_version)];
                let (instance, slots, backlog) = (call.from.instance(), slots as u32, BACKLOG as u32);
                let host = format!("machine {}", call.from.machine);
                let info = WorkerInfo {
                    machine: instance.clone(),
                    instance,
                    host,
                    slots,
                    backlog,
                    slot_bytes: 1 << 30,
                    families,
                    ..Default::default()
                };
                match self.core.register(now_ms, info) {
                    Ok(Registration { worker, lease_ttl_ms, .. }) => Answer::Registered { worker, lease_ttl_ms },
                    Err(error) => panic!("a handful of workers: {error}"),
                }
            }
            Request::Lease { worker, shards, number } => {
                self.lease(now_ms, WorkerId(worker), shards, number).unwrap_or(Answer::UnknownWorker)
            }
            Request::Heartbeat { worker, leases } => {
                let heard = self.core.heartbeat(now_ms, WorkerId(worker), &leases);
                heard.map_or_else(unknown, |stop| Answer::Heard { stop: stop.into_iter().map(|lease| lease.0).collect() })
            }
            Request::Release { worker, lease, error, .. } => {
                let error = (!error.is_empty()).then_some(error);
                self.core.release(now_ms, WorkerId(worker), LeaseId(lease), error).map_or_else(unknown, |()| Answer::Taken)
            }
            Request::Goodbye { worker } => self.core.deregister(WorkerId(worker)).map_or_else(unknown, |()| Answer::Taken),
            Request::Complete { worker, results } => {
                self.in_turn = true;
                self.open.insert(caller, vec![None; results.len()]);
                for (place, (_, solved)) in results.into_iter().enumerate() {
                    // As in `rpc/assemble.rs`: one that cannot be read takes no others with it.
                    if scenario.garbled && is_garbled(solved.assignment.lease_id) {
                        self.answer(caller, place, Answer::Refused("garbled".into()));
                        continue;
                    }
                    let (shard, records_hash) = (solved.assignment.shard_number, solved.result.tally.records_hash);
                    let delivery = Delivery {
                        worker: WorkerId(worker),
                        instance: call.from.instance(),
                        lease: LeaseId(solved.assignment.lease_id),
                        sweep_id: solved.assignment.sweep_id.clone(),
                        shard_number: shard,
                        result: solved.result.clone(),
                        seconds: solved.seconds,
                    };
                    let claimed = Claimed { shard, from: call.from, records_hash };
                    self.arrivals += 1;
                    self.waiting.entry(claimed.clone()).or_default().insert(self.arrivals);
                    self.core.deliver(delivery, Waiting { caller, place, arrival: self.arrivals, claimed });
                }
                return;
            }
        };
        self.is_quiet = matches!(answer, Answer::Heard { .. } | Answer::NothingToDo);
        self.answers.push((caller, answer));
    }

    fn lease(&mut self, now_ms: u64, worker: WorkerId, shards: u32, number: u64) -> Result<Answer, UnknownWorker> {
        let Some(mut grants) = self.core.ask(now_ms, worker, number)? else { return Ok(Answer::NothingToDo) };
        while (grants.len() as u32) < shards
            && let Some(leased) = self.core.lease(now_ms, worker)?
        {
            grants.push(leased.grant);
        }
        Ok(match (self.core.banned(worker).is_some(), grants.is_empty()) {
            (true, _) => Answer::Refused("no more work".into()),
            (false, true) => Answer::NothingToDo,
            (false, false) => Answer::Granted(grants),
        })
    }

    /// Answers one result; its call is answered when all of its results are.
    fn answer(&mut self, caller: Caller, place: usize, answer: Answer) {
        let results = self.open.get_mut(&caller).unwrap();
        assert!(results[place].replace(answer).is_none(), "a result is answered twice");
        if results.iter().all(Option::is_some) {
            let results = self.open.remove(&caller).into_iter().flatten().flatten().collect();
            self.answers.push((caller, Answer::Results(results)));
        }
    }

    /// The reference has solved a result's counterexamples again.
    pub fn confirmed(&mut self, job: &Job) {
        (self.in_turn, self.is_quiet) = (true, false);
        self.confirming.remove(&job.result);
        let ResultKey { sweep_id, shard_number, vote } = &job.result;
        let standing = self.schedule().result(sweep_id, *shard_number, vote);
        let others = self.schedule().has_another(sweep_id, &vote.instance);
        let confirmed = truth::confirm(&job.candidates);
        let can_ask = confirmed.is_err() && others && matches!(standing, ResultStanding::Decides { agreeing: 0 });
        self.core.confirmed(&job.result, confirmed);
        let failed = self.schedule().state(sweep_id) == Some(SweepState::Failed);
        assert!(!(can_ask && failed), "an invented counterexample fails a sweep where another worker can be asked");
    }

    /// What the thread does after a turn, except for the actions.
    pub fn tick(&mut self, now_ms: u64) -> Vec<ExpiredLease> {
        let expired = self.core.tick(now_ms);
        self.is_quiet = expired.is_empty() && self.core.is_writable();
        expired
    }

    /// Does what the core wants done, and returns what the callers of results are told.
    pub fn perform(&mut self) -> Vec<(Claimed, Told)> {
        self.in_turn = false;
        let mut told = Vec::new();
        let actions = self.core.take_actions();
        self.is_quiet &= actions.is_empty();
        for action in actions {
            match action {
                Action::Answer { caller: Waiting { caller, place, arrival, claimed }, answer } => {
                    let arrivals = self.waiting.get_mut(&claimed).unwrap();
                    arrivals.remove(&arrival);
                    if answer == Err(DeliveryError::HandedInAgain) {
                        assert!(arrivals.last() > Some(&arrival), "the later of two arrivals is put off");
                    }
                    if arrivals.is_empty() {
                        self.waiting.remove(&claimed);
                    }
                    self.answer(caller, place, heard(&answer));
                    told.push((claimed, answer));
                }
                Action::Confirm(job) => {
                    assert!(self.confirming.insert(job.result.clone()), "the reference is given the same result twice");
                    self.jobs.push(job);
                }
            }
        }
        let waiting: usize = self.waiting.values().map(BTreeSet::len).sum();
        assert_eq!(waiting, self.core.waiting(), "somebody waits for an answer that will not come");
        told
    }

    /// Somebody submits the sweep again.
    pub fn submit(&mut self, scenario: &Scenario) {
        self.core.submit(&scenario.manifest(), false, None, 0).unwrap();
    }
}

/// What a worker hears of that, as from `rpc/workers.rs`.
fn heard(told: &Told) -> Answer {
    match told {
        Ok(_) => Answer::Taken,
        Err(DeliveryError::NotWanted(reason)) => Answer::Refused(reason.clone()),
        Err(DeliveryError::NotWritten(_)) => Answer::Unreachable,
        Err(DeliveryError::HandedInAgain) => Answer::Busy,
        Err(error @ DeliveryError::Invalid { .. }) => panic!("{error}"),
    }
}
