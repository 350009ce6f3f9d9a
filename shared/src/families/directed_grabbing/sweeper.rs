use crate::claim::Prediction;
use crate::families::legacy::{Check, Collector, Pulse, SolveError, Solver, Task};
use crate::sweep::{Record, Shard, ShardResult};

use super::boxes::GrabbingBox;
use super::claims::{Entry, entries};
use super::grid_sweep::GridSweep;
use super::key::Configuration;
use super::lattice::Valuer;
use super::rules::Position;
use super::space::GrabbingSpace;

/// Moves evaluated between two beats of the pulse: a lattice of a sweep has fewer than 2^16 of them.
const MOVES_PER_BEAT: u64 = 1 << 14;

/// Solves shards of directed grabbing. It keeps the lattices of the digraphs that it has seen.
pub struct GrabbingSolver {
    space: GrabbingSpace,
    valuer: Valuer,
    grids: GridSweep,
}

impl GrabbingSolver {
    /// A solver that has solved nothing yet.
    pub fn new(space: GrabbingSpace) -> Self {
        Self { space, valuer: Valuer::default(), grids: GridSweep::default() }
    }
}

impl Solver for GrabbingSolver {
    fn solve(&mut self, shard: &Shard, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let no_such_shard = || SolveError::NoSuchShard(shard.clone());
        let one = self.space.get(shard.box_index).filter(|one| shard.start < shard.end && shard.end <= one.units());
        let one = one.ok_or_else(no_such_shard)?;
        let needs = one.cost(shard, 0, 0).bytes;
        if needs > u128::from(task.budget_bytes) {
            return Err(SolveError::TooLarge { needs, budget: task.budget_bytes });
        }
        let mut checker = Checker::new(shard.box_index, task, &mut self.valuer);
        match one {
            GrabbingBox::Grids(grids) if grids.is_olives() => self.grids.solve(grids, shard, &mut checker, pulse)?,
            one => {
                for configuration in shard.units().flat_map(|unit| one.unit(unit)) {
                    checker.configuration(&configuration).ok_or_else(no_such_shard)?;
                    checker.beat(pulse)?;
                }
            }
        }
        pulse.beat(checker.collector.decided()).then(|| checker.collector.finish()).ok_or(SolveError::Stopped)
    }
}

/// Holds the claims of a task against configurations.
pub struct Checker<'a> {
    box_index: u32,
    /// Their place in the task, and what they say.
    pub claims: Vec<(usize, &'static Entry)>,
    pub collector: Collector,
    valuer: &'a mut Valuer,
    /// The value of [`Valuer::moves`] at the last beat.
    moves: u64,
    buffer: Vec<u8>,
    /// Whether the task keeps any solved position.
    keeps: bool,
}

impl<'a> Checker<'a> {
    fn new(box_index: u32, task: &Task, valuer: &'a mut Valuer) -> Self {
        let all = task.claims.iter().enumerate().filter_map(|(place, claim)| Some((place, entries().get(*claim)?)));
        let (claims, moves) = (all.collect(), valuer.moves());
        let keeps = task.record != Record::None;
        Self { box_index, claims, collector: crate::families::legacy::collector(box_index, task), valuer, moves, buffer: Vec::new(), keeps }
    }

    /// Beats the pulse if it is time to.
    pub fn beat(&mut self, pulse: &mut dyn Pulse) -> Result<(), SolveError> {
        if self.valuer.moves() - self.moves >= MOVES_PER_BEAT {
            self.moves = self.valuer.moves();
            if !pulse.beat(self.collector.decided()) {
                return Err(SolveError::Stopped);
            }
        }
        Ok(())
    }

    /// Solves a configuration and takes it in; nothing if it is none.
    fn configuration(&mut self, configuration: &Configuration) -> Option<()> {
        let position = configuration.position().ok()?;
        let value = self.valuer.value(&position);
        self.collector.decide();
        for index in 0..self.claims.len() {
            let (place, entry) = self.claims[index];
            self.count(place, entry, configuration, &position, value);
        }
        let bytes = configuration.bytes();
        self.canonical(b"V", &value.to_be_bytes(), &bytes);
        let box_index = self.box_index;
        self.keep(value, || configuration.key(box_index));
        Some(())
    }

    /// Holds a claim against a position of this value.
    pub fn count(&mut self, place: usize, entry: &Entry, configuration: &Configuration, position: &Position, value: i64) {
        let says = entry.predict(position);
        if matches!(says, Prediction::Silent) {
            return;
        }
        let needed: Vec<i64> = says.needs().iter().map(|position| self.valuer.value(position)).collect();
        match says.check(Some(&value), &needed) {
            Check::Silent => {}
            Check::Held => self.collector.held(place),
            Check::Refuted => {
                let actual = says.actual(Some(&value), &needed);
                self.buffer.clear();
                self.buffer.push(b'R');
                self.buffer.extend_from_slice(entry.claim.id.as_bytes());
                self.buffer.push(0);
                self.buffer.extend_from_slice(&configuration.bytes());
                self.collector.refuted(place, configuration.key(self.box_index), actual, &self.buffer);
            }
        }
    }

    /// Takes a canonical record into the fingerprint: what it is, a word of it, and the configuration.
    pub fn canonical(&mut self, what: &[u8], word: &[u8], configuration: &[u8]) {
        self.buffer.clear();
        for part in [what, word, configuration] {
            self.buffer.extend_from_slice(part);
        }
        self.collector.canonical(&self.buffer);
    }

    /// Keeps a solved position if the task asks for it. Alice loses where val is negative.
    pub fn keep(&mut self, value: i64, key: impl FnOnce() -> Vec<u8>) {
        if self.keeps {
            self.collector.keep(value < 0, &value.to_string(), key);
        }
    }

    /// The box.
    pub fn box_index(&self) -> u32 {
        self.box_index
    }
}
