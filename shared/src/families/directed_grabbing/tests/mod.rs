//! What the family promises, held against the definition.

mod claims;
mod explain;
mod grids;
mod rules;
mod space;
mod values;

pub use claims::refuted_when_off_by_one;

use crate::families::testing;
pub use crate::families::testing::{GoOn, solve, task};
use crate::sweep::{Range, Shard, Sweep, Tally};

use super::DirectedGrabbing;
use super::multisets::PathUnions;
use super::reference::ReferenceSolver;
use super::rules::Position;
use super::weights::WeightRange;

/// Spaces of this family that are small enough to be solved again by the reference, one of each kind of box.
pub const SAMPLES: [&str; 5] = [
    "paths = { vertices = \"0..=4\", weights = \"-1..=1\" }\n",
    "grid = { rows = \"1..=3\", columns = \"1..=3\", weights = \"0..=1\" }\n",
    "grid = { rows = 3, columns = 4, weights = \"0..=1\" }\n",
    "grid = { rows = \"1..=2\", columns = \"2..=3\", weights = \"-1..=1\" }\n",
    "dags = { vertices = \"0..=3\", weights = \"0..=2\" }\n",
];

fn sweep(rest: &str) -> Sweep {
    testing::sweep(&DirectedGrabbing, rest)
}

/// The counts of the one box of a sweep.
fn tally(sweep: &Sweep) -> Tally {
    solve(sweep.space.solver().as_mut(), sweep, &Shard { box_index: 0, start: 0, end: sweep.space.units(0) }).tally
}

/// Held and refuted of a claim of a sweep.
fn counts(sweep: &Sweep, tally: &Tally, claim: &str) -> (u128, u128) {
    let place = sweep.claim_ids().iter().position(|id| *id == format!("olives/{claim}")).unwrap();
    (tally.claims[place].held, tally.claims[place].refuted)
}

/// Every union of paths with so many vertices and such weights.
fn unions(vertices: u64, weights: &str) -> impl Iterator<Item = Vec<Vec<i64>>> {
    let range = Range::new(0, vertices).unwrap();
    let unions = PathUnions::new(range, WeightRange::parse(weights).unwrap(), 1 << 30).unwrap();
    (0..unions.count()).map(move |number| unions.get(number))
}

fn reference(position: &Position) -> i64 {
    ReferenceSolver::new(position).value().unwrap()
}
