//! Figures 2 and 3 and the text between them, which are about graphs and not about play.

use crate::claim::{Prediction, Relation};

use super::view::{Says, View, states_if};

/// Among the graphs with four edges and no isolated vertex there are exactly the eleven of the figure, so each is isomorphic
/// to exactly one of them.
pub fn figure_2(view: &View) -> Says {
    let Some(isomorphic) = view.isomorphic else { return Prediction::Silent };
    let denies = if isomorphic == 0 { "isomorphic to none of them" } else { "isomorphic to several of them" };
    let says = "isomorphic to exactly one of the figure's eleven graphs";
    Prediction::Relation(Box::new(Relation::of_position(isomorphic == 1, says, denies)))
}

/// The paper's graph of this kind, if it is one of four edges.
fn name(view: &View) -> Option<&'static str> {
    let (name, _) = view.subject.named.as_ref()?;
    (view.isomorphic.is_some() && *name != "K3").then_some(*name)
}

/// Of the graphs of figure 2, five are galaxies.
pub fn section_4_galaxies(view: &View) -> Says {
    galaxies(view, &["G1", "H2", "H3", "I1", "I2"])
}

/// That the graphs of these names are galaxies.
pub fn galaxies(view: &View, names: &[&str]) -> Says {
    let is_meant = name(view).is_some_and(|name| names.contains(&name));
    states_if(is_meant, view.subject.stars.is_some(), "a galaxy: every component is a star", "some component is no star")
}

/// Figure 3 has the graphs of four edges that are neither galaxies nor F1, and no others.
pub fn figure_3(view: &View) -> Says {
    has_all_but(view, &["F2", "G2", "G3", "G4", "H1"])
}

/// That the graphs of these names are those that are neither galaxies nor F1.
pub fn has_all_but(view: &View, names: &[&str]) -> Says {
    let is_here = name(view).is_some_and(|name| names.contains(&name));
    let is_meant = view.subject.stars.is_none() && name(view) != Some("F1");
    let denies = if is_here { "in the figure, and a galaxy or F1" } else { "not in the figure, and neither a galaxy nor F1" };
    states_if(view.isomorphic.is_some(), is_here == is_meant, "in the figure iff it is neither a galaxy nor F1", denies)
}
