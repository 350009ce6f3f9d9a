//! Figure 2, which is about graphs and not about play.

use crate::claim::{Prediction, Relation};

use super::view::{Says, View};

/// Among the graphs with four edges and no isolated vertex there are exactly the eleven of the figure, so each is isomorphic
/// to exactly one of them.
pub fn figure_2(view: &View) -> Says {
    let Some(isomorphic) = view.isomorphic else { return Prediction::Silent };
    let denies = if isomorphic == 0 { "isomorphic to none of them" } else { "isomorphic to several of them" };
    let says = "isomorphic to exactly one of the figure's eleven graphs";
    Prediction::Relation(Box::new(Relation::of_position(isomorphic == 1, says, denies)))
}
