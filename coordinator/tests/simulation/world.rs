//! Virtual time: what happens next, happens at once. The only order of events is that of the queue, so a seed tells one story.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use refute_coordinator::driver::Job;

use super::calls::{Answer, Call, Process, Request};
use super::disk::Handle;
use super::ledger::Ledger;
use super::machine::Machine;
use super::random::Random;
use super::running_core::{Caller, RunningCore};
use super::scenario::{CrashMoment, Fault, Scenario, Weather, is_garbled};

#[derive(Clone, Debug)]
pub enum Event {
    Arrive(Call),
    Answered {
        to: Process,
        call: u64,
        answer: Answer,
    },
    Timer(Process),
    /// A slot is done with a run.
    Ran {
        on: Process,
        slot: usize,
        run: u64,
        how: Run,
    },
    /// A shard kills the process that solves it.
    Die(Process),
    /// A machine starts its next process.
    Start {
        after: Process,
    },
    /// The coordinator's thread has taken its turns.
    Turn {
        epoch: u32,
    },
    /// The reference has solved what it was given.
    Confirmed {
        epoch: u32,
        job: Arc<Job>,
    },
    Restart,
    Fault(Fault),
    DiskFree,
    Calm,
}

/// An event and when it happens: the earliest is the greatest, and among those of one time the one that was put in first.
struct Queued {
    /// Its time, and below that its number.
    order: u128,
    event: Box<Event>,
}

impl PartialEq for Queued {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for Queued {}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Queued {
    fn cmp(&self, other: &Self) -> Ordering {
        other.order.cmp(&self.order)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    Solved,
    Stopped,
    Failed,
}

pub struct World {
    pub scenario: Scenario,
    pub random: Random,
    pub now_ms: u64,
    queue: BinaryHeap<Queued>,
    events: u64,
    pub machines: Vec<Machine>,
    pub disk: Handle,
    /// Nothing while the coordinator is down.
    pub core: Option<RunningCore>,
    /// When the coordinator's next turn ends.
    turn_ms: u64,
    /// In which moment the coordinator is to crash, and how long it stays down.
    crash: Option<(CrashMoment, u64)>,
    pub calls: u64,
    /// When the calls of the last second were made, and the most that there were in any second.
    last_second: VecDeque<u64>,
    pub busiest: usize,
    pub ledger: Ledger,
    pub told: bool,
}

impl World {
    pub fn new(scenario: Scenario, mut random: Random) -> Self {
        let of_the_disk = Random::new(random.next());
        let mut world = Self {
            machines: scenario.machines.iter().cloned().map(Machine::new).collect(),
            random,
            now_ms: 0,
            queue: BinaryHeap::new(),
            events: 0,
            disk: Handle::new(&scenario, of_the_disk),
            core: None,
            turn_ms: 0,
            crash: None,
            calls: 0,
            last_second: VecDeque::new(),
            busiest: 0,
            ledger: Ledger::default(),
            told: false,
            scenario,
        };
        for machine in 0..world.machines.len() {
            let at_ms = world.random.between(0, 500);
            world.at(at_ms, Event::Start { after: Process { machine, generation: 0 } });
        }
        for (at_ms, fault) in world.scenario.faults.clone() {
            world.at(at_ms, Event::Fault(fault));
        }
        world.at(0, Event::Restart);
        world.at(world.scenario.calm_ms, Event::Calm);
        world
    }

    /// Puts an event into the queue, behind those of the same time.
    pub fn at(&mut self, at_ms: u64, event: Event) {
        self.events += 1;
        let order = u128::from(at_ms.max(self.now_ms)) << 64 | u128::from(self.events);
        self.queue.push(Queued { order, event: Box::new(event) });
    }

    /// In so many milliseconds.
    pub fn soon(&mut self, low_ms: u64, high_ms: u64, event: Event) {
        let wait_ms = self.random.between(low_ms, high_ms);
        self.at(self.now_ms + wait_ms, event);
    }

    /// Lets the next event happen.
    pub fn step(&mut self) {
        let Queued { order, event } = self.queue.pop().unwrap();
        let at_ms = (order >> 64) as u64;
        self.now_ms = at_ms;
        self.disk.get_mut().now_ms = at_ms;
        if self.told {
            eprintln!("{at_ms:>8} {event:?}");
        }
        match *event {
            Event::Arrive(call) => self.arrive(call),
            event @ (Event::Answered { .. } | Event::Timer(_) | Event::Ran { .. }) => self.at_worker(event),
            Event::Die(process) => self.kill(process, 0, 2_000),
            Event::Start { after } => self.start(after),
            Event::Turn { epoch } if epoch == self.epoch() && at_ms == self.turn_ms => self.turn(),
            Event::Turn { .. } => {}
            Event::Confirmed { epoch, job } => {
                let now = self.epoch();
                if let Some(core) = self.core.as_mut().filter(|_| epoch == now) {
                    core.confirmed(&job);
                    self.after_a_turn();
                }
            }
            Event::Restart => self.restart(),
            Event::Fault(fault) => self.fault(fault),
            Event::DiskFree => self.disk.get_mut().free(),
            Event::Calm => {
                self.scenario.network = Weather::default();
                self.disk.get_mut().free();
                self.crash = None;
                for machine in &mut self.machines {
                    (machine.silent_to_ms, machine.silent_from_ms) = (0, 0);
                }
            }
        }
    }

    fn fault(&mut self, fault: Fault) {
        match fault {
            Fault::Kill { machine, down_ms } => {
                let process = self.machines[machine].process(machine);
                self.kill(process, down_ms, down_ms);
            }
            Fault::Hang { machine, for_ms } => {
                let until_ms = self.now_ms + for_ms;
                let hanging = &mut self.machines[machine];
                hanging.hung_until_ms = hanging.hung_until_ms.max(until_ms);
                hanging.trouble(hanging.hung_until_ms);
                self.ledger.note("hangs");
            }
            Fault::Drain { machine, down_ms } => self.drain(machine, down_ms),
            Fault::Silence { machines, to, from, for_ms } => {
                let until_ms = self.now_ms + for_ms;
                let hit = self.machines.iter_mut().enumerate().filter(|(number, _)| machines >> number & 1 == 1);
                for (_, machine) in hit {
                    machine.silent_to_ms = if to { until_ms } else { machine.silent_to_ms };
                    machine.silent_from_ms = if from { until_ms } else { machine.silent_from_ms };
                }
                self.ledger.note("silences");
            }
            Fault::Crash { moment: CrashMoment::Now, down_ms } => self.crash("crashes", down_ms),
            Fault::Crash { moment, down_ms } => self.crash = Some((moment, down_ms)),
            Fault::DiskFull { writes, for_ms } => {
                self.disk.get_mut().fills_after = Some(writes);
                self.ledger.note("full disks");
                self.at(self.now_ms + for_ms, Event::DiskFree);
            }
        }
    }

    fn crash(&mut self, how: &'static str, down_ms: u64) {
        if self.core.take().is_none() {
            return;
        }
        self.ledger.note(how);
        self.at(self.now_ms + down_ms, Event::Restart);
        let now_ms = self.now_ms;
        let mut broken: Vec<(Process, u64)> = Vec::new();
        for (number, machine) in self.machines.iter_mut().enumerate() {
            machine.trouble(now_ms);
            broken.extend(machine.waiting.keys().map(|call| (machine.process(number), *call)));
        }
        for (to, call) in broken {
            self.soon(1, 50, Event::Answered { to, call, answer: Answer::Unreachable });
        }
    }

    fn restart(&mut self) {
        if self.core.is_some() {
            return;
        }
        if self.disk.get().full {
            // It cannot even write that it has started.
            self.soon(1_000, 1_000, Event::Restart);
            return;
        }
        let core = RunningCore::open(&self.disk, &self.scenario);
        self.ledger.forget_losses();
        self.ledger.check_acknowledged(&core, &self.disk.get());
        self.core = Some(core);
        self.turn_ms = u64::MAX;
        self.after_a_turn();
    }

    /// The sweep is submitted again.
    pub fn reopen(&mut self) {
        let Some(core) = &mut self.core else { return };
        core.submit(&self.scenario);
        self.ledger.forget_losses();
        self.ledger.note("reopened");
    }

    /// A call reaches the coordinator, or nobody listens.
    fn arrive(&mut self, call: Call) {
        let Some(core) = &mut self.core else {
            self.soon(1, 20, Event::Answered { to: call.from, call: call.id, answer: Answer::Unreachable });
            return;
        };
        if let Request::Complete { results, .. } = &call.request {
            if results.len() > 1 {
                self.ledger.note("calls with several results");
            }
            let garbled = results.iter().filter(|(_, solved)| is_garbled(solved.assignment.lease_id)).count();
            if self.scenario.garbled && garbled > 0 {
                self.ledger.note(if garbled < results.len() { "garbled beside others" } else { "garbled" });
            }
        }
        core.take(self.now_ms, call, &self.scenario);
        self.after_a_turn();
    }

    fn epoch(&self) -> u32 {
        self.disk.get().kept.epoch
    }

    /// Sends what the coordinator has to say, checks the laws, and sets when it writes what is ready.
    fn after_a_turn(&mut self) {
        let Some(core) = &mut self.core else { return };
        let answers = std::mem::take(&mut core.answers);
        let jobs = std::mem::take(&mut core.jobs);
        for ((process, _), answer) in &answers {
            if let Answer::Granted(grants) = answer {
                grants.iter().for_each(|grant| self.ledger.granted(grant, *process, core, &self.disk.get()));
            }
        }
        if !core.is_quiet {
            self.ledger.check(core, &self.disk.get(), &self.scenario);
        }
        let spent_ms = self.random.between(0, if self.scenario.slow_disk { 400 } else { 2 });
        let due_ms = self.now_ms + core.wait_ms(self.now_ms) + spent_ms;
        let epoch = self.epoch();
        if self.turn_ms <= self.now_ms || due_ms < self.turn_ms {
            self.turn_ms = due_ms;
            self.at(due_ms, Event::Turn { epoch });
        }
        for job in jobs {
            self.soon(1, 3_000, Event::Confirmed { epoch, job: Arc::new(job) });
        }
        for (caller, answer) in answers {
            self.answer(caller, answer);
        }
    }

    /// The coordinator's thread writes what is ready and answers.
    fn turn(&mut self) {
        let Some(core) = &mut self.core else { return };
        let armed = self.crash.map(|(moment, _)| moment);
        self.disk.get_mut().begin_turn(armed);
        let expired = core.tick(self.now_ms);
        let killed = self.disk.get_mut().end_turn();
        for lease in expired {
            self.ledger.expired(self.now_ms, &lease, &self.machines, &self.scenario);
        }
        for written in std::mem::take(&mut self.disk.get_mut().written) {
            self.ledger.written(&written, &self.scenario);
        }
        let mut taken = false;
        if !killed {
            for (claimed, told) in core.perform() {
                taken |= told.is_ok();
                self.ledger.told(&claimed, &told, core, &self.disk.get(), &self.scenario);
            }
            self.ledger.check_written(core, &self.disk.get());
            self.after_a_turn();
        }
        let Some((moment, down_ms)) = self.crash else { return };
        if killed || (moment == CrashMoment::AfterAnswer && taken) {
            self.crash = None;
            self.crash(
                match moment {
                    CrashMoment::Now | CrashMoment::BeforeCommit => "crashes before a write",
                    CrashMoment::BetweenWrites => "crashes between two results of a worker",
                    CrashMoment::AfterCommit => "crashes between commit and answer",
                    CrashMoment::BeforeChange => "crashes before a ban or a shard quarantined",
                    CrashMoment::AfterAnswer => "crashes after an answer",
                },
                down_ms,
            );
        }
    }

    /// A message goes to a worker.
    fn answer(&mut self, (to, call): Caller, answer: Answer) {
        let silent = self.machines[to.machine].silent_from_ms > self.now_ms;
        if let Some(at_ms) = self.travel(to.machine, silent) {
            self.at(at_ms, Event::Answered { to, call, answer });
        } else {
            self.ledger.note("lost answers");
            self.soon(1, PATIENCE_MS, Event::Answered { to, call, answer: Answer::Unreachable });
        }
    }

    /// A call goes to the coordinator.
    pub fn send(&mut self, from: Process, request: Request) {
        self.calls += 1;
        let id = self.calls;
        self.last_second.push_back(self.now_ms);
        while self.last_second.front().is_some_and(|at_ms| at_ms + 1_000 <= self.now_ms) {
            self.last_second.pop_front();
        }
        self.busiest = self.busiest.max(self.last_second.len());
        let machine = &mut self.machines[from.machine];
        if !matches!(request, Request::Goodbye { .. }) {
            machine.waiting.insert(id, request.clone());
        }
        let silent = machine.silent_to_ms > self.now_ms;
        let arrives_ms = self.travel(from.machine, silent);
        if arrives_ms.is_none_or(|at_ms| at_ms > self.now_ms + PATIENCE_MS) {
            self.soon(
                if silent { PATIENCE_MS } else { 1 },
                PATIENCE_MS,
                Event::Answered { to: from, call: id, answer: Answer::Unreachable },
            );
        }
        if let Some(at_ms) = arrives_ms {
            self.at(at_ms, Event::Arrive(Call { id, from, request }));
        }
    }

    /// When a message arrives that is sent now, if it does.
    fn travel(&mut self, machine: usize, silent: bool) -> Option<u64> {
        let Weather { lost, late } = self.scenario.network;
        if silent || self.random.chance(lost) {
            // Its sender finds out when it has waited long enough.
            self.machines[machine].trouble(self.now_ms + PATIENCE_MS);
            return None;
        }
        let late = self.random.chance(late);
        let arrives_ms = self.now_ms + if late { self.random.between(1_000, LATEST_MS) } else { self.random.between(1, 20) };
        if late {
            self.ledger.note("late messages");
            self.machines[machine].trouble(arrives_ms);
        }
        Some(arrives_ms)
    }
}

/// How late a message can be.
pub const LATEST_MS: u64 = 15_000;

/// How long a worker waits for an answer.
const PATIENCE_MS: u64 = 10_000;
