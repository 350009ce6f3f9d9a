//! What the family promises, held against the definition.

mod blocks;
mod claims;
mod quantities;
mod replies;
mod rows;
mod shifts;
mod space;
mod values;

pub use claims::refuted_when_off_by_one;

use crate::families::testing;
pub use crate::families::testing::{GoOn, solve, task};
use crate::sweep::Sweep;
use crate::value::{Outcome, Play};

use super::GraphNim;
use super::graph::{Graph, NAMED};
use super::layout::Layout;
use super::solver::{NO_VALUE, SolvedRow, Walker};

/// Spaces of this family that are small enough to be solved again by the reference, of each kind of box.
pub const SAMPLES: [&str; 6] = [
    "graph = [\"H1\", \"G4\", \"K3\", \"I1\"]\nweights = \"0..=3\"\n",
    "edges = \"AB BC CD DE EA\"\nweights = { AB = \"1..=3\", other = \"0..=2\" }\n",
    "edge_sets = { vertices = 4, edges = 2 }\n",
    "graphs = { edges = 3 }\nweights = \"0..=2\"\n",
    "graph = [\"H1\", \"G4\"]\nweights = { AB = \"1..=3\", other = \"0..=2\" }\nplay = \"misere\"\n",
    "graph = [\"H1\", \"G4\"]\nweights = { AB = \"1..=3\", other = \"0..=2\" }\nquantities = [\"grundy\"]\n",
];

fn named_graphs() -> impl Iterator<Item = Graph> {
    NAMED.into_iter().map(|(name, _)| Graph::named(name).unwrap())
}

/// Calls `visit` with every position up to `high` and its outcome by the fast solver under some play.
fn each_position(graph: &Graph, high: &[u32], (layout, play): (Layout, Play), mut visit: impl FnMut(&[u32], Outcome)) {
    let (pivot, order, lines) = (layout.pivot, layout.order.clone(), layout.lines());
    let mut walker = Walker::new(layout, play);
    let mut position = vec![0; graph.edges().len()];
    let mut solved = SolvedRow::default();
    let mut line = 0;
    while line < lines {
        for (edge, weight) in order.iter().zip(walker.line()) {
            position[*edge] = *weight;
        }
        let left = walker.left_in_row();
        line += u128::from(left);
        walker.solve(left as usize, &mut solved);
        for (index, losing) in solved.values.iter().enumerate() {
            if let Some(edge) = order.last() {
                position[*edge] = index as u32;
            }
            assert_eq!(*losing != NO_VALUE, solved.losing.contains(&(index as u32)));
            assert!(*losing == NO_VALUE || *losing <= high[pivot]);
            for weight in 0..=high[pivot] {
                position[pivot] = weight;
                visit(&position, if weight == *losing { Outcome::P } else { Outcome::N });
            }
        }
    }
}

fn sweep(rest: &str) -> Sweep {
    testing::sweep(&GraphNim, rest)
}
