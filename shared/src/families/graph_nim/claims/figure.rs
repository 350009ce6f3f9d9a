//! Figure 2, which is about graphs and not about play.

use crate::claim::{Prediction, Relation};

use super::super::graph::{Graph, NAMED};
use super::view::Says;

/// Among the graphs with four edges and no isolated vertex there are exactly the eleven of the figure, so each is isomorphic
/// to exactly one of them.
pub fn figure_2(graph: &Graph) -> Says {
    if graph.edges().len() != 4 {
        return Prediction::Silent;
    }
    let four = NAMED.into_iter().filter(|(name, _)| *name != "K3");
    let isomorphic = four.filter(|(name, _)| Graph::named(name).is_some_and(|known| graph.isomorphism(&known).is_some())).count();
    let denies = if isomorphic == 0 { "isomorphic to none of them" } else { "isomorphic to several of them" };
    let says = "isomorphic to exactly one of the figure's eleven graphs";
    Prediction::Relation(Box::new(Relation::of_position(isomorphic == 1, says, denies)))
}
