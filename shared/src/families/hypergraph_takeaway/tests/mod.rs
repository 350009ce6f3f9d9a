//! What the family promises, held against the definition.

mod claims;
mod misere;
mod space;
mod values;

pub use claims::refuted_when_off_by_one;

use crate::families::testing;
pub use crate::families::testing::{GoOn, solve, task};
use crate::sweep::{Shard, Sweep};

use super::HypergraphTakeaway;

/// Spaces of this family that are small enough to be solved again by the reference, one of each kind of box and play.
pub const SAMPLES: [&str; 7] = [
    "vertices = \"2..=8\"\n",
    "all = { vertices = \"0..=4\" }\n",
    "all = { vertices = \"3..=5\" }\nuniform = 3\n",
    "edges = [\"abcd,Sab,Sbc,Sac\", \"ab,bc,cd,da,e\", \"abc,ade,bdf,cef\"]\n",
    "vertices = \"2..=8\"\nplay = \"misere\"\n",
    "all = { vertices = \"0..=4\" }\nplay = \"misere\"\n",
    "edges = [\"abcd,Sab,Sbc,Sac\", \"ab,bc,cd,da,e\", \"abc,ade,bdf,cef\"]\nplay = \"misere\"\n",
];

fn sweep(rest: &str) -> Sweep {
    testing::sweep(&HypergraphTakeaway, rest)
}

/// A box as a whole.
fn whole(sweep: &Sweep, box_index: u32) -> Shard {
    Shard { box_index, start: 0, end: sweep.space.units(box_index) }
}
