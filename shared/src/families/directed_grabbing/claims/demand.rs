//! What a claim about grids demands for Content, as a set of cells and how the least total depends on the olives there, and the
//! prediction that follows for any weighting.

use crate::claim::{Prediction, Relation};

use super::super::rules::{Grid, Position, content_total};
use super::says::Says;

/// What a claim about a grid says that Content, the player of the last move, collects at least, weighting by weighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The cells whose olives count, a bit each in reading order.
    pub cells: u64,
    /// How the least total depends on them.
    pub least: Least,
}

/// How the least total depends on the olives on the cells of a [`Demand`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// All of them: "Content can remove every vertex of the set" is the game with an olive on each of them, and a player who can do
    /// that collects at least the weight on the set, whatever stands elsewhere. It speaks where no weight is negative.
    All,
    /// A third of them, rounded up. It speaks where weights are 0 and 1.
    Third,
    /// "Content can remove any given vertex of the set" is, vertex by vertex, the game with one olive, on that vertex: it speaks
    /// where there is one olive in all, and that on one of the cells.
    Single,
}

impl Demand {
    /// The least total of Content on a 0/1 weighting, a bit a cell in reading order; none where it is silent.
    #[must_use]
    pub fn on(self, olives: u64) -> Option<u32> {
        let here = (olives & self.cells).count_ones();
        match self.least {
            Least::All => Some(here),
            Least::Third => Some(here.div_ceil(3)),
            Least::Single => (here == 1 && olives.is_power_of_two()).then_some(1),
        }
    }

    /// Whether it demands nothing, on whatever weighting it speaks: there is no cell whose olives count.
    #[must_use]
    pub fn is_vacuous(self) -> bool {
        self.cells == 0
    }

    /// The least total of Content on any weighting, in reading order; none where it is silent.
    fn on_weights(self, weights: &[i64]) -> Option<i64> {
        if weights.iter().all(|weight| matches!(weight, 0 | 1)) {
            let olives = weights.iter().rev().fold(0, |bits, weight| bits << 1 | u64::from(*weight == 1));
            return self.on(olives).map(i64::from);
        }
        let speaks = self.least == Least::All && weights.iter().all(|weight| *weight >= 0);
        let here = weights.iter().enumerate().filter(|(cell, _)| self.cells >> cell & 1 == 1).map(|(_, weight)| weight);
        speaks.then(|| here.sum())
    }

    /// What it says about a grid with weights.
    fn predict(self, grid: Grid, position: &Position) -> Says {
        let Some(least) = self.on_weights(&position.weights) else { return Prediction::Silent };
        if self.is_vacuous() {
            return Prediction::Vacuous;
        }
        let sum = position.sum();
        let holds = move |values: &[i64]| {
            let [value] = values else { return false };
            content_total(grid, sum, *value) >= least
        };
        let content = if grid.content_is_alice() { "Alice" } else { "Bob" };
        Prediction::Relation(Box::new(Relation {
            needs: vec![position.clone()],
            holds: Box::new(holds),
            says: format!("Content, {content}, collects at least {least}").into(),
            denies: format!("Content, {content}, collects less than {least}").into(),
        }))
    }
}

/// What a claim says about a position, given what it demands of a grid: it is silent on what was given otherwise and on grids of
/// which it demands nothing.
pub fn on_grid(position: &Position, demand: fn(Grid) -> Option<Demand>) -> Says {
    let demand = position.grid.and_then(|grid| Some((grid, demand(grid)?)));
    demand.map_or(Prediction::Silent, |(grid, demand)| demand.predict(grid, position))
}
