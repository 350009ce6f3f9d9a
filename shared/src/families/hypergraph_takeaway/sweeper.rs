use std::ops::Range;

use crate::families::{Check, Collector, Pulse, SolveError, Solver, Task};
use crate::sweep::{Shard, ShardResult};
use crate::value::Nimber;

use super::boxes::{HypergraphBox, Kind, Unit};
use super::claims::{Entry, Position, entries};
use super::hypergraph::Hypergraph;
use super::key::{self, Configuration};
use super::member::Member;
use super::solver::{Host, Lattice, Members, Orbits};
use super::space::HypergraphSpace;

/// Configurations between two beats of the pulse.
const UNITS_PER_BEAT: u64 = 1 << 12;

/// Solves shards of take-away on hypergraphs. It keeps the tables of its last box.
pub struct HypergraphSolver {
    space: HypergraphSpace,
    tables: Option<(u32, Tables)>,
}

/// What is kept of a box.
enum Tables {
    Members(Members),
    /// By the number of vertices, from 0 on.
    Orbits(Vec<Orbits>),
    /// Each hypergraph has a table of its own.
    Lattice,
}

impl HypergraphSolver {
    /// A solver that has solved nothing yet.
    pub fn new(space: HypergraphSpace) -> Self {
        Self { space, tables: None }
    }

    /// The tables of a box, as far as they are filled.
    fn tables(&mut self, box_index: u32, one: &HypergraphBox) -> Tables {
        match self.tables.take() {
            Some((index, tables)) if index == box_index => tables,
            _ => match one.kind() {
                Kind::Members { orders, .. } => Tables::Members(Members::new(orders.last().copied().unwrap_or(0))),
                Kind::All { .. } => Tables::Orbits(Vec::new()),
                Kind::Listed(_) => Tables::Lattice,
            },
        }
    }
}

impl Solver for HypergraphSolver {
    fn solve(&mut self, shard: &Shard, task: &Task, pulse: &mut dyn Pulse) -> Result<ShardResult, SolveError> {
        let space = self.space.clone();
        let one = space.get(shard.box_index).filter(|one| shard.start < shard.end && shard.end <= one.units());
        let one = one.ok_or_else(|| SolveError::NoSuchShard(shard.clone()))?;
        let needs = one.cost(shard, 0).bytes;
        if needs > u128::from(task.budget_bytes) {
            return Err(SolveError::TooLarge { needs, budget: task.budget_bytes });
        }
        let mut tables = self.tables(shard.box_index, one);
        let mut checker = Checker::new(shard.box_index, task);
        let solved = solve_units(one, &mut tables, shard, &mut checker, pulse);
        // Tables that are whole are kept, also where the pulse said stop.
        self.tables = Some((shard.box_index, tables));
        solved?;
        Ok(checker.collector.finish())
    }
}

fn solve_units(
    one: &HypergraphBox,
    tables: &mut Tables,
    shard: &Shard,
    checker: &mut Checker,
    pulse: &mut dyn Pulse,
) -> Result<(), SolveError> {
    let no_such_shard = || SolveError::NoSuchShard(shard.clone());
    for place in shard.units() {
        let mut go_on = || pulse.beat(checker.collector.decided());
        if place % UNITS_PER_BEAT == 0 && !go_on() {
            return Err(SolveError::Stopped);
        }
        match (one.unit(place), one.kind(), &mut *tables) {
            (Unit::Member { order, number }, Kind::Members { numbering, .. }, Tables::Members(members)) => {
                members.fill(order, &mut go_on)?;
                let graph = members.graph(order, number);
                let position = Position::of_member(Member::of_components(&graph), numbering.greatest_size(order));
                let grundy = members.grundy(order, number);
                checker.hypergraph(&graph.member(), &position, grundy, Configuration::Member { order, number });
            }
            (Unit::Class { vertices, number }, Kind::All { hosts, .. }, Tables::Orbits(orbits)) => {
                fill_orbits(orbits, hosts, 0..vertices as usize + 1, &mut go_on)?;
                let (word, grundy) = orbits[vertices as usize].class(number).ok_or_else(no_such_shard)?;
                checker.any(&hosts[vertices as usize].hypergraph(word), grundy, Configuration::Class { vertices, word });
            }
            (Unit::Listed(place), Kind::Listed(list), Tables::Lattice) => {
                let hypergraph = &list.get(place as usize).ok_or_else(no_such_shard)?.hypergraph;
                let grundy = Lattice::grundy(hypergraph, &mut go_on)?;
                checker.any(hypergraph, grundy, Configuration::Listed(place));
            }
            _ => return Err(no_such_shard()),
        }
    }
    Ok(())
}

/// Solves the hosts of a range that are not solved yet, in their order.
fn fill_orbits(orbits: &mut Vec<Orbits>, hosts: &[Host], wanted: Range<usize>, go_on: &mut dyn FnMut() -> bool) -> Result<(), SolveError> {
    for vertices in wanted.skip(orbits.len()) {
        let next = Orbits::new(hosts[vertices].clone(), orbits.last(), go_on)?;
        orbits.push(next);
    }
    Ok(())
}

/// Holds the claims of a task against hypergraphs.
struct Checker {
    box_index: u32,
    /// Their place in the task, and what they say.
    claims: Vec<(usize, &'static Entry)>,
    collector: Collector,
    buffer: Vec<u8>,
}

impl Checker {
    fn new(box_index: u32, task: &Task) -> Self {
        let all = task.claims.iter().enumerate().filter_map(|(place, claim)| Some((place, entries().get(*claim)?)));
        Self { box_index, claims: all.collect(), collector: Collector::new(box_index, task), buffer: Vec::new() }
    }

    /// Takes in a hypergraph that may be anything.
    fn any(&mut self, hypergraph: &Hypergraph, grundy: u8, configuration: Configuration) {
        self.hypergraph(hypergraph, &Position::of(hypergraph), grundy, configuration);
    }

    /// Takes in a hypergraph and its Grundy value.
    fn hypergraph(&mut self, hypergraph: &Hypergraph, position: &Position, grundy: u8, configuration: Configuration) {
        self.collector.decide();
        let value = Nimber(grundy.into());
        let key = key::of(self.box_index, position.vertices, position.hyperedges, configuration);
        for index in 0..self.claims.len() {
            let (place, entry) = self.claims[index];
            let says = (entry.predict)(position);
            match says.check(Some(&value), &[]) {
                Check::Silent => {}
                Check::Held => self.collector.held(place),
                Check::Refuted => {
                    self.canonical(b"R", entry.claim.id, hypergraph);
                    self.collector.refuted(place, key.clone(), says.actual(Some(&value), &[]), &self.buffer);
                }
            }
        }
        let written = value.to_string();
        self.canonical(b"V", &written, hypergraph);
        self.collector.canonical(&self.buffer);
        self.collector.group(format!("{}: value {written}", position.group()));
        self.collector.keep(grundy == 0, &written, || key);
    }

    /// Puts a canonical record into the buffer: what it is, the value or the claim, the number of vertices and the hyperedges.
    fn canonical(&mut self, what: &[u8], word: &str, hypergraph: &Hypergraph) {
        self.buffer.clear();
        self.buffer.extend_from_slice(what);
        self.buffer.extend_from_slice(word.as_bytes());
        self.buffer.push(0);
        self.buffer.extend_from_slice(&hypergraph.vertices().to_be_bytes());
        self.buffer.extend(hypergraph.hyperedges().iter().flat_map(|hyperedge| hyperedge.to_be_bytes()));
    }
}
