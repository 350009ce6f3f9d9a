//! What a claim on directed grabbing speaks about: digraphs, or grids of certain sizes.

use super::super::rules::{Digraph, Grid};
use super::demand::Demand;

/// What a claim speaks about.
#[derive(Clone, Copy)]
pub enum Scope {
    /// Any position whose digraph lets its hypothesis hold with some weights: whether a digraph does. On others it is silent.
    Digraphs(fn(&Digraph) -> bool),
    /// Play on grids of certain sizes, whatever stands there: it speaks at the weighting by 0 alone.
    Play(fn(Grid) -> bool),
    /// Grids of certain sizes: what it says that Content collects there, whatever the weights.
    Grids(fn(Grid) -> Option<Demand>),
}
