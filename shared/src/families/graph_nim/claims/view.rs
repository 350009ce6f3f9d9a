//! A position of Graph Nim as the claims see it: weights in the paper's order, sums of stars, and which of the paper's graphs
//! it is on.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

use crate::claim::{Prediction, Relation};
use crate::value::{Impartial, Outcome};

use super::super::graph::{Graph, NAMED};
use super::super::moves::Moves;
use super::super::wanted::Wanted;

/// On which graphs a claim speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The graph of the paper with this name, and every graph isomorphic to it.
    Named(&'static str),
    /// Every galaxy graph.
    Galaxy,
    /// Every galaxy graph with three stars.
    ThreeStars,
    /// Graphs themselves, without weights.
    Graphs,
}

/// A graph with what claims want to know about it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The graph.
    pub graph: Graph,
    /// The paper's graph that it is isomorphic to: its name and, for each of its edges, the edge here.
    pub named: Option<(&'static str, Vec<usize>)>,
    /// Its stars, each as its edges, if it is a galaxy graph.
    pub stars: Option<Vec<Vec<usize>>>,
    /// The options of positions on it.
    pub moves: Moves,
    /// The star of each edge, by its place among them, if it is a galaxy graph.
    star_of: Option<Vec<usize>>,
}

impl Subject {
    /// Looks a graph up among the paper's.
    #[must_use]
    pub fn new(graph: Graph) -> Self {
        let (named, stars) = (graph.recognise(), graph.stars());
        let star_of = stars.as_ref().and_then(|stars| {
            (0..graph.edges().len()).map(|edge| stars.iter().position(|star| star.contains(&edge))).collect::<Option<Vec<usize>>>()
        });
        let moves = Moves::new(&graph);
        Self { graph, named, stars, moves, star_of }
    }

    /// A graph that has no weights and is not looked up.
    fn without_weights(graph: Graph) -> Self {
        let moves = Moves::default();
        Self { graph, named: None, stars: None, moves, star_of: None }
    }

    /// Whether claims of this domain speak about positions on this graph.
    #[must_use]
    pub fn is_in(&self, domain: Domain) -> bool {
        match domain {
            Domain::Named(name) => self.named.as_ref().is_some_and(|(known, _)| *known == name),
            Domain::Galaxy => self.stars.is_some(),
            Domain::ThreeStars => self.stars.as_ref().is_some_and(|stars| stars.len() == 3),
            Domain::Graphs => false,
        }
    }

    /// The sum of weights of each star, if this is a galaxy graph.
    pub fn star_sums(&self, weights: &[u32]) -> impl Iterator<Item = u64> {
        let sum = |edges: &Vec<usize>| edges.iter().map(|edge| u64::from(weights[*edge])).sum();
        self.stars.iter().flatten().map(sum)
    }

    /// A position on this graph as claims see it.
    #[must_use]
    pub fn view(self: &Arc<Self>, weights: &[u32]) -> View {
        let mut view = View::new(self);
        view.look_at(weights);
        view
    }
}

/// A position as claims see it: weights in the order that the paper writes them in, and sums of stars. Or a graph without weights,
/// of which there is one thing to say.
#[derive(Clone, Debug)]
pub struct View {
    /// The graph.
    pub subject: Arc<Subject>,
    /// All weights, in the order of the graph's edges; none for a graph without weights.
    pub weights: Vec<u32>,
    /// The weights of the paper's graph that this one is isomorphic to, in the paper's order; K3 leaves the fourth 0.
    pub named: [u64; 4],
    /// The xor of the sums of weights of the stars of a galaxy graph.
    pub stars_xor: u64,
    /// The sums of weights of its first three stars.
    pub first_stars: [u64; 3],
    /// The least weight.
    pub least: u64,
    /// The sum of all weights.
    pub sum: u64,
    /// For a graph itself, if it has four edges: how many of the paper's eleven graphs it is isomorphic to.
    pub isomorphic: Option<usize>,
    /// The sum of weights of each star of a galaxy graph.
    star_sums: Vec<u64>,
    /// What is asked of it: who looks at other positions asks the same of them.
    pub wanted: Wanted,
}

/// The paper's eleven graphs with four edges.
static WITH_FOUR_EDGES: LazyLock<Vec<Graph>> =
    LazyLock::new(|| NAMED.into_iter().filter(|(name, _)| *name != "K3").filter_map(|(name, _)| Graph::named(name)).collect());

impl View {
    /// The graph without weights, of which claims about graphs say nothing either.
    #[must_use]
    pub fn new(subject: &Arc<Subject>) -> Self {
        Self {
            subject: Arc::clone(subject),
            weights: Vec::new(),
            named: [0; 4],
            stars_xor: 0,
            first_stars: [0; 3],
            least: 0,
            sum: 0,
            isomorphic: None,
            star_sums: Vec::new(),
            wanted: Wanted::default(),
        }
    }

    /// The same, of which this is asked.
    #[must_use]
    pub fn wanting(self, wanted: Wanted) -> Self {
        Self { wanted, ..self }
    }

    /// Becomes the view of another position on the same graph.
    pub fn look_at(&mut self, weights: &[u32]) {
        let subject = &self.subject;
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        if let Some((_, edges)) = &subject.named {
            for (weight, edge) in self.named.iter_mut().zip(edges) {
                *weight = u64::from(weights[*edge]);
            }
        }
        self.star_sums.clear();
        self.star_sums.extend(subject.star_sums(weights));
        self.stars_xor = self.star_sums.iter().fold(0, |xor, sum| xor ^ sum);
        for (first, sum) in self.first_stars.iter_mut().zip(&self.star_sums) {
            *first = *sum;
        }
        self.least = weights.iter().map(|weight| u64::from(*weight)).min().unwrap_or(0);
        self.sum = weights.iter().map(|weight| u64::from(*weight)).sum();
    }

    /// Becomes the view of the position that has another weight on one edge: what [`View::look_at`] comes to, without a look at the
    /// other edges.
    pub fn change(&mut self, edge: usize, weight: u32) {
        let before = std::mem::replace(&mut self.weights[edge], weight);
        let (was, is) = (u64::from(before), u64::from(weight));
        if let Some((_, edges)) = &self.subject.named {
            for (kept, _) in self.named.iter_mut().zip(edges).filter(|(_, one)| **one == edge) {
                *kept = is;
            }
        }
        if let Some(star) = self.subject.star_of.as_ref().map(|star_of| star_of[edge]) {
            let sum = self.star_sums[star] - was + is;
            self.stars_xor ^= self.star_sums[star] ^ sum;
            self.star_sums[star] = sum;
            if let Some(first) = self.first_stars.get_mut(star) {
                *first = sum;
            }
        }
        if is <= self.least {
            self.least = is;
        } else if was == self.least {
            self.least = self.weights.iter().min().copied().map_or(0, u64::from);
        }
        self.sum = self.sum - was + is;
    }

    /// A graph without weights.
    #[must_use]
    pub fn of_graph(graph: Graph) -> Self {
        let isomorphic = || WITH_FOUR_EDGES.iter().filter(|known| graph.isomorphism(known).is_some()).count();
        let isomorphic = (graph.edges().len() == 4).then(isomorphic);
        Self { isomorphic, ..Self::new(&Arc::new(Subject::without_weights(graph))) }
    }
}

/// What a claim of this paper predicts.
pub type Says = Prediction<Infallible, Impartial>;

/// N where the hypothesis applies.
pub fn winning_if(hypothesis: bool) -> Says {
    if hypothesis { Prediction::Value(Impartial::Outcome(Outcome::N)) } else { Prediction::Silent }
}

/// P where the hypothesis applies.
pub fn losing_if(hypothesis: bool) -> Says {
    if hypothesis { Prediction::Value(Impartial::Outcome(Outcome::P)) } else { Prediction::Silent }
}

/// Where the hypothesis applies, P iff the condition holds.
pub fn losing_iff(hypothesis: bool, condition: bool) -> Says {
    match (hypothesis, condition) {
        (false, _) => Prediction::Silent,
        (true, true) => Prediction::Value(Impartial::Outcome(Outcome::P)),
        (true, false) => Prediction::Value(Impartial::Outcome(Outcome::N)),
    }
}

/// A statement about the position that no play decides, where the hypothesis applies.
pub fn states_if(hypothesis: bool, holds: bool, says: &'static str, denies: impl Into<Cow<'static, str>>) -> Says {
    if hypothesis { Prediction::Relation(Box::new(Relation::of_position(holds, says, denies))) } else { Prediction::Silent }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn subjects() -> Vec<Arc<Subject>> {
        let named = NAMED.into_iter().map(|(name, _)| Graph::named(name).unwrap());
        let others = ["AB AC DE FG FH IJ KL", "AB BC CD DE EA", "AB"].map(|edges| Graph::parse(edges.split_whitespace()).unwrap());
        named.chain(others).map(|graph| Arc::new(Subject::new(graph))).collect()
    }

    proptest! {
        /// Of graphs of the paper, of a galaxy with five stars, of one that is neither, and of a single edge.
        #[test]
        fn a_view_whose_weights_change_one_by_one_is_that_of_the_position(
            which in 0usize..15,
            start in prop::collection::vec(0u32..6, 7),
            changes in prop::collection::vec((0usize..7, prop_oneof![0u32..6, Just(65_535)]), 0..12),
        ) {
            let subjects = subjects();
            let subject = &subjects[which % subjects.len()];
            let mut weights = start[..subject.graph.edges().len()].to_vec();
            let mut view = subject.view(&weights);
            for (edge, weight) in changes {
                let edge = edge % weights.len();
                weights[edge] = weight;
                view.change(edge, weight);
                prop_assert_eq!(format!("{view:?}"), format!("{:?}", subject.view(&weights)));
            }
        }
    }
}
