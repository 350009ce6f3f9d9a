//! What the family promises, held against the definition.

mod claims;
mod space;
mod values;

pub use claims::refuted_when_off_by_one;

use crate::families::{Pulse, Solver, Task};
use crate::sweep::{Manifest, Record, Shard, ShardResult, Sweep};

use super::rules::{Ruleset, SubtractionSet};

/// Spaces of this family that are small enough to be solved again by the reference, one of each kind of box.
pub const SAMPLES: [&str; 2] =
    ["a = \"1..=3\"\nb = \"1..=5\"\ntau = \"0..=4\"\nheap = \"0..=30\"\n", "left = [1, 4, 6]\nright = \"2..=9\"\nheap = \"0..=60\"\n"];

struct GoOn;

impl Pulse for GoOn {
    fn beat(&mut self, _decided: u128) -> bool {
        true
    }
}

fn set(text: &str) -> SubtractionSet {
    SubtractionSet::parse(text).unwrap()
}

fn ruleset(left: &str, right: &str) -> Ruleset {
    Ruleset { left: set(left), right: set(right) }
}

/// Every set of numbers from 1 to `most`.
fn sets(most: u64) -> Vec<SubtractionSet> {
    (1u64..1 << most).map(|bits| SubtractionSet::new((1..=most).filter(|number| bits >> (number - 1) & 1 == 1)).unwrap()).collect()
}

fn sweep(space: &str) -> Sweep {
    Sweep::resolve(Manifest::parse(&format!("name = \"test\"\nfamily = \"partizan-subtraction\"\n{space}")).unwrap()).unwrap()
}

fn task(sweep: &Sweep) -> Task {
    Task { claims: sweep.claims.clone(), counterexamples: 10, record: Record::None, budget_bytes: 1 << 30 }
}

fn solve(solver: &mut dyn Solver, sweep: &Sweep, shard: &Shard) -> ShardResult {
    solver.solve(shard, &task(sweep), &mut GoOn).unwrap()
}
