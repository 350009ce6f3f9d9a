//! Solves shards of take-away on hypergraphs: members of the family by their components, all small hypergraphs by isomorphism
//! classes, and each listed one by a table of its own.

use std::convert::Infallible;
use std::ops::Range;

use crate::families::{Answers, GameSolver, Judge, Pulse, SolveError};
use crate::language::Reason;
use crate::value::{Impartial, Outcome, Play};

use super::HypergraphTakeaway;
use super::boxes::{HypergraphBox, Kind, Unit};
use super::claims::Position;
use super::counts;
use super::hypergraph::Hypergraph;
use super::key::{Decided, InBox};
use super::member::Member;
use super::placed::Placed;
use super::solver::{Host, Lattice, Members, Orbits, Sums, told};

/// Configurations between two beats of the pulse.
const UNITS_PER_BEAT: u64 = 1 << 12;

/// Solves shards of take-away on hypergraphs. It keeps the tables of its box, also where the pulse said stop.
pub struct HypergraphSolver {
    tables: Tables,
    /// Values of other positions, for claims of a manifest that look at them.
    sums: Sums,
}

/// The tables of a box.
enum Tables {
    /// Members of the family.
    Members(Members),
    /// By the number of vertices, from 0 on.
    Orbits(Vec<Orbits>),
    /// Each hypergraph has a table of its own.
    Lattice,
}

impl GameSolver<HypergraphTakeaway> for HypergraphSolver {
    fn new(one: &HypergraphBox) -> Self {
        let tables = match one.kind() {
            Kind::Members { orders, .. } => Tables::Members(Members::new(orders.last().copied().unwrap_or(0), one.play())),
            Kind::All { .. } => Tables::Orbits(Vec::new()),
            Kind::Listed(_) => Tables::Lattice,
        };
        Self { tables, sums: Sums::default() }
    }

    fn solve(
        &mut self,
        one: &HypergraphBox,
        units: Range<u64>,
        judge: &mut Judge<'_, HypergraphTakeaway>,
        pulse: &mut dyn Pulse,
    ) -> Result<(), SolveError> {
        let Self { tables, sums } = self;
        let relates = judge.claims().iter().any(|(_, entry)| entry.relates());
        for place in units {
            if place % UNITS_PER_BEAT == 0 {
                judge.beat(pulse)?;
            }
            let mut go_on = || pulse.beat(judge.decided());
            match (one.unit(place), one.kind(), &mut *tables) {
                (Unit::Member { order, number }, Kind::Members { numbering, .. }, Tables::Members(members)) => {
                    members.fill(order, &mut go_on)?;
                    let graph = members.graph(order, number);
                    let hypergraph = graph.member();
                    let mut view = Position::of_member(Member::of_components(&graph), numbering.greatest_size(order));
                    view.play = one.play();
                    // Whoever looks at options needs the hypergraph itself.
                    view.hypergraph = relates.then(|| hypergraph.clone());
                    let value = told(one.play(), members.worth(order, number));
                    decide(judge, sums, &hypergraph, &view, value, InBox::Member { order, number });
                }
                (Unit::Class { vertices, number }, Kind::All { hosts, .. }, Tables::Orbits(orbits)) => {
                    fill_orbits(orbits, hosts, (0..vertices as usize + 1, one.play()), &mut go_on)?;
                    let (word, byte) = orbits[vertices as usize].class(number).ok_or(SolveError::NoSuchUnit(place))?;
                    let view = Position { play: one.play(), ..Position::owning(hosts[vertices as usize].hypergraph(word)) };
                    if let Some(hypergraph) = &view.hypergraph {
                        decide(judge, sums, hypergraph, &view, told(one.play(), byte), InBox::Class { vertices, word });
                    }
                }
                (Unit::Listed(number), Kind::Listed(list), Tables::Lattice) => {
                    let hypergraph = &list.get(number as usize).ok_or(SolveError::NoSuchUnit(place))?.named.hypergraph;
                    let value = told(one.play(), Lattice::worth(hypergraph, one.play(), &mut go_on)?);
                    let view = Position { play: one.play(), ..Position::of(hypergraph) };
                    decide(judge, sums, hypergraph, &view, value, InBox::Listed(number));
                }
                _ => return Err(SolveError::NoSuchUnit(place)),
            }
        }
        Ok(())
    }
}

/// Takes in a hypergraph and its value.
fn decide(
    judge: &mut Judge<'_, HypergraphTakeaway>,
    sums: &mut Sums,
    hypergraph: &Hypergraph,
    view: &Position,
    value: Impartial,
    in_box: InBox,
) {
    let written = value.to_string();
    let losing = value.outcome() == Outcome::P;
    let Ok(()) = judge.solved_among(&Decided { hypergraph, in_box }, view, (&written, losing), &mut Among { value, sums });
    judge.collector().group(counts::label(&view.group(), value));
}

/// A hypergraph of which the value is known, and the way to others.
struct Among<'a> {
    value: Impartial,
    sums: &'a mut Sums,
}

impl Answers<HypergraphTakeaway> for Among<'_> {
    type Error = Infallible;

    fn own(&mut self, asked: &Impartial) -> Result<Option<Impartial>, Infallible> {
        Ok(self.value.told(*asked))
    }

    fn answer(&mut self, question: &Infallible) -> Result<Impartial, Infallible> {
        match *question {}
    }

    fn other(&mut self, position: &Placed, asked: &Impartial) -> Result<Result<Impartial, Reason>, Infallible> {
        let Some(value) = self.sums.value(&position.named.hypergraph, position.play) else { return Ok(Err(Reason::LargePosition)) };
        Ok(value.told(*asked).ok_or(Reason::Unknown))
    }
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
