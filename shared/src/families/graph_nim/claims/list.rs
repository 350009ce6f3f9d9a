//! Every claim of *The Game of Graph Nim on graphs with four edges* (arXiv 2509.05064) as data: its item, hypothesis and
//! statement, with its predicate.

mod g4;
mod graphs;
mod h1;
mod replies_early;
mod replies_r3;
mod replies_r4;

use crate::claim::Paper;
use crate::families::{Entry, InText, Printed};

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

/// What a claim says of the answers to moves of the first player P1, where the proof goes through cases.
const ANSWERED: &str =
    "each of these moves of P1 has the answer that the proof gives: a legal move to a P-position, or, where it cites a statement, P2 wins";

/// Every claim of the paper.
pub fn claims() -> Vec<Entry<GraphNim>> {
    let title = "The Game of Graph Nim on graphs with four edges";
    let paper = Paper::new("four-edges", title, "arXiv 2509.05064");
    let printed = [graphs::PRINTED, g4::PRINTED, h1::PRINTED].into_iter().flat_map(|list| Printed::of(&paper, list));
    let in_text = [replies_early::IN_TEXT, replies_r3::IN_TEXT, replies_r4::IN_TEXT].into_iter().flat_map(|list| InText::of(&paper, list));
    printed.chain(in_text).collect()
}
