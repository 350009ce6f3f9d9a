//! Every claim of *The Game of Graph Nim on graphs with four edges* (arXiv 2509.05064) as data: its item, hypothesis and
//! statement, with its predicate.

mod g4;
mod graphs;
mod h1;

use crate::claim::Paper;
use crate::families::{Entry, Printed};

use super::super::GraphNim;
use super::rows::Along;
use super::view::Domain;

/// What a claim speaks about.
#[derive(Clone, Copy)]
pub struct Scope {
    /// On which graphs.
    pub domain: Domain,
    /// What it says along a row, where that is known; without it every position is looked at.
    pub along: Option<Along>,
}

impl Scope {
    const fn of(domain: Domain) -> Self {
        Self { domain, along: None }
    }

    /// On the paper's graph of this name.
    const fn named(graph: &'static str) -> Self {
        Self::of(Domain::Named(graph))
    }

    /// On H1, with what it says along a row.
    const fn on_h1(along: Along) -> Self {
        Self { domain: Domain::Named("H1"), along: Some(along) }
    }
}

/// Every claim of the paper.
pub fn claims() -> Vec<Entry<GraphNim>> {
    let title = "The Game of Graph Nim on graphs with four edges";
    let paper = Paper::new("four-edges", title, "arXiv 2509.05064");
    [graphs::PRINTED, g4::PRINTED, h1::PRINTED].into_iter().flat_map(|list| Printed::of(&paper, list)).collect()
}
