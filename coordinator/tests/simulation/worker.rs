//! What happens at the workers.

use std::sync::Arc;

use refute_worker::assignment::{Assignment, ShardOutcome, Solved};
use refute_worker::session::{Action, DRAIN_MS, Event as Told, Moment};

use super::calls::{Answer, Process, Request};
use super::scenario::{Poison, is_garbled};
use super::world::{Event, Run, World};

impl World {
    /// Something reaches a process, unless it is gone; one that was stopped finds it when it goes on.
    pub fn at_worker(&mut self, event: Event) {
        let (Event::Answered { to: process, .. } | Event::Timer(process) | Event::Ran { on: process, .. }) = event else { return };
        let machine = &mut self.machines[process.machine];
        if machine.generation != process.generation || machine.session.is_none() {
            return;
        }
        if machine.hung_until_ms > self.now_ms {
            let until_ms = machine.hung_until_ms;
            self.at(until_ms, event);
            return;
        }
        match event {
            Event::Timer(_) if machine.timer_ms.is_some_and(|timer_ms| timer_ms <= self.now_ms) => {
                machine.timer_ms = None;
                self.tell(process, Told::Tick);
            }
            Event::Answered { call, answer, .. } => {
                let Some(request) = machine.waiting.remove(&call) else { return };
                let mut unreachable = matches!(answer, Answer::Unreachable);
                if let (Request::Complete { results, .. }, Answer::Results(answers)) = (&request, &answer) {
                    for ((_, solved), answer) in results.iter().zip(answers) {
                        if matches!(answer, Answer::Taken | Answer::Refused(_)) {
                            machine.unreported.remove(&solved.assignment.lease_id);
                        }
                        // The lease of one that could not be read is no longer named, and will run out.
                        let garbled = self.scenario.garbled && is_garbled(solved.assignment.lease_id);
                        if garbled && matches!(answer, Answer::Refused(_)) {
                            machine.trouble(self.now_ms);
                        }
                        unreachable |= matches!(answer, Answer::Unreachable);
                    }
                }
                if unreachable {
                    machine.trouble(self.now_ms);
                }
                if let Some(told) = request.event(answer) {
                    self.tell(process, told);
                }
            }
            Event::Ran { slot, run, how, .. } if machine.slots[slot].run == run => {
                let Some(assignment) = machine.slots[slot].running.take() else { return };
                if how == Run::Solved {
                    machine.unreported.insert(assignment.lease_id);
                }
                let outcome = match how {
                    Run::Solved => ShardOutcome::Solved(Arc::new(self.solve(process, assignment))),
                    Run::Stopped => ShardOutcome::Stopped,
                    Run::Failed => ShardOutcome::Failed("it cannot be solved".into()),
                };
                self.tell(process, Told::Finished { slot, outcome });
            }
            _ => {}
        }
    }

    /// What a process comes to for a shard.
    fn solve(&mut self, process: Process, assignment: Assignment) -> Solved {
        let shard = assignment.shard_number;
        let lie = self.machines[process.machine].character.lies.filter(|_| process.generation == 1);
        self.ledger.lies_told += u64::from(lie.is_some());
        let result = match lie {
            None => self.scenario.truth(shard),
            Some(lie) => self.scenario.lie(shard, process.machine, lie),
        };
        Solved { assignment, result, seconds: 1.0 }
    }

    fn tell(&mut self, process: Process, told: Told) {
        let moment = Moment { now_ms: self.now_ms, jitter: self.random.next() };
        let Some(session) = &mut self.machines[process.machine].session else { return };
        for action in session.handle(moment, told) {
            self.perform(process, action);
        }
        let machine = &mut self.machines[process.machine];
        let timer_ms = machine.session.as_ref().and_then(|session| session.next_timer());
        if let Some(timer_ms) = timer_ms.filter(|_| timer_ms != machine.timer_ms) {
            assert!(timer_ms > self.now_ms, "a session waits for what is past");
            self.at(timer_ms, Event::Timer(process));
        }
        self.machines[process.machine].timer_ms = timer_ms;
    }

    fn perform(&mut self, process: Process, action: Action) {
        let machine = &mut self.machines[process.machine];
        let request = match action {
            Action::Register => Request::Register { slots: machine.character.slots },
            Action::RequestLeases { worker_id, shards, number } => {
                let idle = machine.slots.iter().filter(|slot| slot.running.is_none()).count();
                assert!(shards as usize <= idle, "a slot that runs asks for a shard");
                Request::Lease { worker: worker_id, shards, number }
            }
            Action::Heartbeat { worker_id, leases } => {
                let names = |lease_id: &u64| leases.iter().any(|held| held.lease_id == *lease_id);
                assert!(machine.unreported.iter().all(names), "a result was dropped");
                let leases = leases.into_iter().map(|held| (refute_coordinator::schedule::LeaseId(held.lease_id), 1)).collect();
                Request::Heartbeat { worker: worker_id, leases }
            }
            Action::Deliver { worker_id, results } => Request::Complete { worker: worker_id, results },
            Action::Release { report, worker_id, lease_id, error } => {
                Request::Release { report, worker: worker_id, lease: lease_id, error }
            }
            Action::Start { slot, assignment } => return self.run(process, slot, *assignment),
            Action::Stop { slot } => {
                machine.slots[slot].run += 1;
                let run = machine.slots[slot].run;
                return self.soon(1, 50, Event::Ran { on: process, slot, run, how: Run::Stopped });
            }
            Action::Exit { worker_id } => {
                machine.die(self.now_ms);
                match worker_id {
                    Some(worker) => Request::Goodbye { worker },
                    None => return,
                }
            }
            Action::GiveUp { reason } => panic!("{} gives up: {reason}", process.instance()),
            Action::Tell(_) => return,
        };
        self.send(process, request);
    }

    fn run(&mut self, process: Process, slot: usize, assignment: Assignment) {
        let machine = &mut self.machines[process.machine];
        let poison = self.scenario.poison.get(&assignment.shard_number).copied();
        let place = &mut machine.slots[slot];
        assert!(place.running.is_none(), "a slot is given a second shard");
        place.run += 1;
        place.running = Some(assignment);
        let (run, solve_ms, fails) = (place.run, machine.character.solve_ms, machine.character.fails);
        let ran = |how| Event::Ran { on: process, slot, run, how };
        match poison {
            _ if fails => self.soon(1, 50, ran(Run::Failed)),
            None => self.soon(solve_ms / 2, solve_ms, ran(Run::Solved)),
            Some(Poison::FailsElsewhere { than }) if than == process.machine => self.soon(solve_ms / 2, solve_ms, ran(Run::Solved)),
            Some(Poison::Fails | Poison::FailsElsewhere { .. }) => self.soon(1, 2_000, ran(Run::Failed)),
            Some(Poison::Kills) => self.soon(1, 2_000, Event::Die(process)),
        }
    }

    /// kill -9.
    pub fn kill(&mut self, process: Process, low_ms: u64, high_ms: u64) {
        let machine = &mut self.machines[process.machine];
        if machine.session.is_none() || machine.generation != process.generation {
            return;
        }
        machine.die(self.now_ms);
        self.ledger.note("kills");
        self.soon(low_ms, high_ms, Event::Start { after: process });
    }

    pub fn drain(&mut self, number: usize, down_ms: u64) {
        let machine = &self.machines[number];
        if machine.session.is_none() || machine.hung_until_ms > self.now_ms {
            return;
        }
        let process = machine.process(number);
        self.ledger.note("drains");
        self.at(self.now_ms + DRAIN_MS + down_ms, Event::Start { after: process });
        self.tell(process, Told::Drain);
    }

    pub fn start(&mut self, after: Process) {
        let machine = &mut self.machines[after.machine];
        if machine.generation != after.generation {
            return;
        }
        // It was drained, and only one that was stopped itself may still be there.
        assert!(machine.session.is_none() || machine.hung_until_ms > self.now_ms, "{} does not exit", after.instance());
        machine.die(self.now_ms);
        machine.start();
        let process = machine.process(after.machine);
        self.tell(process, Told::Tick);
    }
}
