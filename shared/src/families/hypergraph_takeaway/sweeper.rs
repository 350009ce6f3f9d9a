//! Solves shards of take-away on hypergraphs: members of the family by their components, all small hypergraphs by isomorphism
//! classes, and each listed one by a table of its own.

use std::ops::Range;

use crate::families::{GameSolver, Judge, Played, Pulse, SolveError};
use crate::value::{Impartial, Outcome, Play};

use super::HypergraphTakeaway;
use super::boxes::{HypergraphBox, Kind, Unit};
use super::claims::Position;
use super::counts;
use super::hypergraph::Hypergraph;
use super::key::{Decided, InBox};
use super::member::Member;
use super::solver::{Host, Lattice, Members, Orbits, told};

/// Configurations between two beats of the pulse.
const UNITS_PER_BEAT: u64 = 1 << 12;

/// Solves shards of take-away on hypergraphs. It keeps the tables of its box, also where the pulse said stop.
pub enum HypergraphSolver {
    /// Members of the family.
    Members(Members),
    /// By the number of vertices, from 0 on.
    Orbits(Vec<Orbits>),
    /// Each hypergraph has a table of its own.
    Lattice,
}

impl GameSolver<HypergraphTakeaway> for HypergraphSolver {
    fn new(one: &HypergraphBox) -> Self {
        match one.kind() {
            Kind::Members { orders, .. } => Self::Members(Members::new(orders.last().copied().unwrap_or(0), one.play())),
            Kind::All { .. } => Self::Orbits(Vec::new()),
            Kind::Listed(_) => Self::Lattice,
        }
    }

    fn solve(
        &mut self,
        one: &HypergraphBox,
        units: Range<u64>,
        judge: &mut Judge<'_, HypergraphTakeaway>,
        pulse: &mut dyn Pulse,
    ) -> Result<(), SolveError> {
        for place in units {
            if place % UNITS_PER_BEAT == 0 {
                judge.beat(pulse)?;
            }
            let mut go_on = || pulse.beat(judge.decided());
            match (one.unit(place), one.kind(), &mut *self) {
                (Unit::Member { order, number }, Kind::Members { .. }, Self::Members(members)) => {
                    members.fill(order, &mut go_on)?;
                    let graph = members.graph(order, number);
                    let view = Position::of_member(Member::of_components(&graph));
                    let value = told(one.play(), members.worth(order, number));
                    decide(judge, &graph.member(), &view, value, InBox::Member { order, number });
                }
                (Unit::Class { vertices, number }, Kind::All { hosts, .. }, Self::Orbits(orbits)) => {
                    fill_orbits(orbits, hosts, (0..vertices as usize + 1, one.play()), &mut go_on)?;
                    let (word, byte) = orbits[vertices as usize].class(number).ok_or(SolveError::NoSuchUnit(place))?;
                    let view = Position::owning(hosts[vertices as usize].hypergraph(word));
                    if let Some(hypergraph) = &view.hypergraph {
                        decide(judge, hypergraph, &view, told(one.play(), byte), InBox::Class { vertices, word });
                    }
                }
                (Unit::Listed(number), Kind::Listed(list), Self::Lattice) => {
                    let hypergraph = &list.get(number as usize).ok_or(SolveError::NoSuchUnit(place))?.named.hypergraph;
                    let value = told(one.play(), Lattice::worth(hypergraph, one.play(), &mut go_on)?);
                    decide(judge, hypergraph, &Position::of(hypergraph), value, InBox::Listed(number));
                }
                _ => return Err(SolveError::NoSuchUnit(place)),
            }
        }
        Ok(())
    }
}

/// Takes in a hypergraph and its value.
fn decide(judge: &mut Judge<'_, HypergraphTakeaway>, hypergraph: &Hypergraph, view: &Position, value: Impartial, in_box: InBox) {
    let (at, written) = (Decided { hypergraph, in_box }, value.to_string());
    let Ok(_) = judge.decide(&at, view, &mut Played(value));
    judge.record(b'V', written.as_bytes(), &at);
    judge.keep(value.outcome() == Outcome::P, &written, &at);
    judge.collector().group(counts::label(&view.group(), value));
}

/// Solves the hosts of a range that are not solved yet, in their order.
fn fill_orbits(
    orbits: &mut Vec<Orbits>,
    hosts: &[Host],
    (wanted, play): (Range<usize>, Play),
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), SolveError> {
    for vertices in wanted.skip(orbits.len()) {
        let next = Orbits::new(hosts[vertices].clone(), orbits.last(), play, go_on)?;
        orbits.push(next);
    }
    Ok(())
}
