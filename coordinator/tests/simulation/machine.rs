//! A machine with a worker on it: the real session, slots that solve, and calls that wait for their answers.

use std::collections::{BTreeMap, BTreeSet};

use refute_worker::session::Session;

use super::calls::{Process, Request};
use super::scenario::Character;

pub struct Machine {
    pub character: Character,
    /// How many processes it has had.
    pub generation: u32,
    /// Nothing while no process runs.
    pub session: Option<Session>,
    pub slots: Vec<Slot>,
    /// The leases whose results the coordinator has neither taken nor refused.
    pub unreported: BTreeSet<u64>,
    /// The calls that have not been answered.
    pub waiting: BTreeMap<u64, Request>,
    /// When the session wants to be told the time.
    pub timer_ms: Option<u64>,
    /// Until when it does nothing, if it was stopped.
    pub hung_until_ms: u64,
    /// Until when nothing gets to the coordinator, and nothing from it.
    pub silent_to_ms: u64,
    pub silent_from_ms: u64,
    /// The last time at which something befell it that may cost it leases.
    pub trouble_ms: Option<u64>,
}

/// What a slot really does, whatever its session believes.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// The run on it, to be told from earlier ones, and whether it goes on.
    pub run: u64,
    pub running: Option<refute_worker::assignment::Assignment>,
}

impl Machine {
    pub fn new(character: Character) -> Self {
        Self {
            character,
            generation: 0,
            session: None,
            slots: Vec::new(),
            unreported: BTreeSet::new(),
            waiting: BTreeMap::new(),
            timer_ms: None,
            hung_until_ms: 0,
            silent_to_ms: 0,
            silent_from_ms: 0,
            trouble_ms: None,
        }
    }

    pub fn start(&mut self) {
        self.generation += 1;
        self.session = Some(Session::new(self.character.slots));
        self.slots = vec![Slot::default(); self.character.slots];
        self.unreported.clear();
        self.waiting.clear();
        self.timer_ms = None;
    }

    /// The process is gone, with all that it knew.
    pub fn die(&mut self, now_ms: u64) {
        self.session = None;
        self.waiting.clear();
        self.hung_until_ms = 0;
        self.trouble(now_ms);
    }

    /// Something happened, or will go on until that time, for which leases may run out.
    pub fn trouble(&mut self, at_ms: u64) {
        self.trouble_ms = self.trouble_ms.max(Some(at_ms));
    }

    pub fn process(&self, machine: usize) -> Process {
        Process { machine, generation: self.generation }
    }
}
