//! What the family promises, held against the definition.

mod claims;
mod definitions;
mod forms;
mod space;
mod values;

pub use claims::refuted_when_off_by_one;

use crate::families::testing;
pub use crate::families::testing::{GoOn, solve, task};
use crate::sweep::Sweep;

use super::PartizanSubtraction;
use super::rules::{Ruleset, SubtractionSet};

/// Spaces of this family that are small enough to be solved again by the reference, one of each kind of box.
pub const SAMPLES: [&str; 4] = [
    "a = \"1..=3\"\nb = \"1..=5\"\ntau = \"0..=4\"\nheap = \"0..=30\"\nquantities = [\"canonical-form\", \"atomic-weight\"]\n",
    "left = [1, 4, 6]\nright = \"2..=9\"\nheap = \"0..=60\"\n",
    "left = [1, 4, 6]\nright = \"1..=4\"\nheap = \"3..=40\"\nquantities = [\"outcome\", \"canonical-form\", \"atomic-weight\"]\n",
    "b = \"4..=5\"\ntau = \"b-a\"\n",
];

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

fn sweep(rest: &str) -> Sweep {
    testing::sweep(&PartizanSubtraction, rest)
}
