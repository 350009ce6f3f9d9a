//! Members of the family by their components.
//!
//! What play leaves of a member is one of four kinds. As long as X is there no vertex of X has gone, since removing one removes
//! X with it.
//!
//! - X and S are there: all of X's vertices, and a graph of maximum degree 2 on them whose edges uv are the hyperedges {S,u,v}.
//! - X is gone, S is there: such a graph on the vertices that are left.
//! - S is gone, and with it every hyperedge {S,u,v}; X is there with all of its vertices.
//! - Both are gone: so many vertices and no hyperedge, from which each move takes one: worth their number mod 2, and under misère
//!   play lost where that is 1.
//!
//! A move on the graph removes a vertex or an edge of one component and leaves paths in its place. So a position of the first
//! two kinds is a multiset of paths and cycles, and one byte each in a table by the numbering of these suffices. Removing an
//! edge leaves a smaller number and removing a vertex fewer vertices, so that tables are filled in ascending order.

use crate::families::SolveError;
use crate::value::{GrundyValues, Play};

use super::super::components::{Components, Numbering};
use super::worth::worth;

/// Positions solved between two beats of the pulse.
const POSITIONS_PER_BEAT: u64 = 1 << 12;

/// What all members of the family with up to so many vertices in X are worth.
pub struct Members {
    play: Play,
    numbering: Numbering,
    /// By the number of vertices: the positions with S and without X.
    without_x: Vec<Vec<u8>>,
    /// Likewise, with S and with X, for even numbers of vertices from 2 on.
    with_x: Vec<Vec<u8>>,
}

impl Members {
    /// Tables for members with up to `most` vertices in X, none of them filled yet.
    pub fn new(most: u32, play: Play) -> Self {
        Self { play, numbering: Numbering::new(most), without_x: Vec::new(), with_x: Vec::new() }
    }

    /// The bytes of the tables for members with up to so many vertices in X.
    pub fn bytes(numbering: &Numbering, most: u32) -> u128 {
        (0..=most).map(|order| u128::from(numbering.count(order)) * if order % 2 == 0 { 2 } else { 1 }).sum()
    }

    /// The graph of this number.
    pub fn graph(&self, order: u32, number: u64) -> Components {
        self.numbering.graph(order, number)
    }

    /// What the member with this graph is worth, see [`super::told`]; tables up to `order` vertices have been filled.
    pub fn worth(&self, order: u32, number: u64) -> u8 {
        self.with_x[order as usize][number as usize]
    }

    /// Fills the tables for all members with up to so many vertices in X, as far as they are not filled yet.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if `go_on` says no. Tables that were whole stay.
    pub fn fill(&mut self, most: u32, go_on: &mut dyn FnMut() -> bool) -> Result<(), SolveError> {
        while self.without_x.len() <= most as usize {
            let order = self.without_x.len() as u32;
            let (mut without, mut with) = (Vec::new(), Vec::new());
            for number in 0..self.numbering.count(order) {
                let graph = self.numbering.graph(order, number);
                let x_is_gone = self.x_is_gone(&graph, &without);
                if order >= 2 && order.is_multiple_of(2) {
                    with.push(self.x_is_there(&graph, x_is_gone, &with));
                }
                without.push(x_is_gone);
                if number % POSITIONS_PER_BEAT == 0 && !go_on() {
                    return Err(SolveError::Stopped);
                }
            }
            self.without_x.push(without);
            self.with_x.push(with);
        }
        Ok(())
    }

    /// The value with S and without X; `smaller` has those of the graphs with as many vertices and smaller numbers.
    fn x_is_gone(&self, graph: &Components, smaller: &[u8]) -> u8 {
        let mut options = GrundyValues::default();
        options.insert(isolated(self.play, graph.order()));
        graph.without_a_vertex(|rest| options.insert(self.of_fewer(&rest)));
        graph.without_an_edge(|rest| options.insert(smaller[self.numbering.number(&rest) as usize]));
        worth(self.play, &options)
    }

    /// The value with S and X, given that without X; `smaller` as above.
    fn x_is_there(&self, graph: &Components, x_is_gone: u8, smaller: &[u8]) -> u8 {
        let mut options = GrundyValues::default();
        options.insert(x_alone(self.play, graph.order()));
        options.insert(x_is_gone);
        graph.without_a_vertex(|rest| options.insert(self.of_fewer(&rest)));
        graph.without_an_edge(|rest| options.insert(smaller[self.numbering.number(&rest) as usize]));
        worth(self.play, &options)
    }

    /// The value without X of a graph whose table is filled.
    fn of_fewer(&self, graph: &Components) -> u8 {
        self.without_x[graph.order() as usize][self.numbering.number(graph) as usize]
    }
}

/// The value of vertices and no hyperedge: each move takes one.
fn isolated(play: Play, vertices: u32) -> u8 {
    u8::from((vertices % 2 == 1) == (play == Play::Normal))
}

/// The value of X and its vertices, at least one: a move takes X, or a vertex and X with it.
fn x_alone(play: Play, vertices: u32) -> u8 {
    let mut options = GrundyValues::default();
    options.insert(isolated(play, vertices));
    options.insert(isolated(play, vertices - 1));
    worth(play, &options)
}
