use std::sync::LazyLock;

use crate::claim::{Kind, Prediction};
use crate::families::legacy::{Claim, Paper, Place};

use super::super::rules::{Digraph, Grid, Position};
use super::demand::Demand;
use super::{algorithm, grids, lemmas, reductions};

static PAPER: Paper = Paper {
    key: "olives",
    title: "Directed Grabbing Games or How to Politely Grab the Maximum Number of Olives in a Reception",
    cite: "Directed Grabbing Games",
};

/// What a claim of this paper predicts of a position: val, or a relation between the val of some positions.
pub type Says = Prediction<Position, i64>;

/// A claim with its predicate.
pub struct Entry {
    /// The claim as data.
    pub claim: Claim,
    /// What it is about.
    pub predicate: Predicate,
}

/// What a claim is about.
#[derive(Clone, Copy)]
pub enum Predicate {
    /// Any position whose digraph lets its hypothesis hold with some weights.
    Digraph {
        /// Whether the digraph does; on others it is silent.
        applies: fn(&Digraph) -> bool,
        /// What it says.
        predict: fn(&Position) -> Says,
    },
    /// Grids of certain sizes, whatever the weights.
    Grid(fn(Grid) -> Option<Demand>),
}

impl Entry {
    /// What it says of a position.
    pub fn predict(&self, position: &Position) -> Says {
        match self.predicate {
            Predicate::Digraph { applies, predict } if applies(&position.graph) => predict(position),
            Predicate::Digraph { .. } => Prediction::Silent,
            Predicate::Grid(demand) => {
                let demand = position.grid.and_then(|grid| Some((grid, demand(grid)?)));
                demand.map_or(Prediction::Silent, |(grid, demand)| demand.predict(grid, position))
            }
        }
    }
}

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| ENTRIES.iter().map(|entry| entry.claim).collect());

/// The claims as data, in the order of [`entries`].
#[must_use]
pub fn claims() -> &'static [Claim] {
    &CLAIMS
}

/// Every claim of the paper.
#[must_use]
pub fn entries() -> &'static [Entry] {
    ENTRIES
}

const fn digraph(place: Place, applies: fn(&Digraph) -> bool, predict: fn(&Position) -> Says, words: [&'static str; 2]) -> Entry {
    Entry { claim: Claim::new(&PAPER, place, words), predicate: Predicate::Digraph { applies, predict } }
}

const fn grid(place: Place, demand: fn(Grid) -> Option<Demand>, words: [&'static str; 2]) -> Entry {
    Entry { claim: Claim::new(&PAPER, place, words), predicate: Predicate::Grid(demand) }
}

/// The id of Lemma 1.
pub const LEMMA_1: &str = "olives/lemma-1";
/// The id of Lemma 2.
pub const LEMMA_2: &str = "olives/lemma-2";

const SET: &str = "Content collects at least the olives on the set";
const ONE: &str = "Content collects it";

static ENTRIES: &[Entry] = &[
    digraph(
        (LEMMA_1, Kind::Lemma, "Lemma 1", "on acyclic digraphs"),
        lemmas::has_vertex,
        lemmas::lemma_1,
        [
            "D has a vertex; held against each vertex x and two amounts d: 1, and one beyond which w(x) outweighs all else",
            "raising one weight by d >= 0 changes val by between -d and +d",
        ],
    ),
    digraph(
        (LEMMA_2, Kind::Lemma, "Lemma 2", "on acyclic digraphs"),
        lemmas::has_vertex,
        lemmas::lemma_2,
        ["some sink x has w(x) >= w(v) for every vertex v of D", "some optimal play starts with x"],
    ),
    digraph(
        ("olives/reduction-1", Kind::Lemma, "First reduction", "on unions of directed paths"),
        reductions::has_pendant_source,
        reductions::reduction_1,
        [
            "x a source whose only out-neighbour is y, y's only in-neighbour is x, w(x) >= w(y)",
            "val(D) = val(D-{x,y}) + s (w(x)-w(y)), s = -1 for |V| even and +1 for |V| odd",
        ],
    ),
    digraph(
        ("olives/reduction-2", Kind::Lemma, "Second reduction", "on unions of directed paths"),
        reductions::has_long_path,
        reductions::reduction_2,
        [
            "a component of D is a path v_p -> ... -> v_1, 2 <= i <= p-1, w(v_(i-1)) <= w(v_i), and w(v_j) <= w(v_i) for all j >= i",
            "replacing v_(i-1), v_i, v_(i+1) by one vertex of weight w(v_(i-1)) + w(v_(i+1)) - w(v_i) leaves val unchanged",
        ],
    ),
    digraph(
        ("olives/reduction-2-local", Kind::Open, "Second reduction under a weaker hypothesis", "on unions of directed paths"),
        reductions::has_long_path,
        reductions::reduction_2_local,
        [
            "a component of D is a path v_p -> ... -> v_1, 2 <= i <= p-1, w(v_(i-1)) <= w(v_i) >= w(v_(i+1))",
            "replacing v_(i-1), v_i, v_(i+1) by one vertex of weight w(v_(i-1)) + w(v_(i+1)) - w(v_i) leaves val unchanged",
        ],
    ),
    digraph(
        ("olives/algorithm-smallest", Kind::Theorem, "The algorithm with the smallest index, as printed", "on unions of directed paths"),
        algorithm::is_union_of_paths,
        algorithm::algorithm_smallest,
        [
            "D a union of directed paths; on each path the smallest i >= 2 with w(v_i) >= w(v_(i-1))",
            "first reduction if i = p, else the second without checking its hypothesis; repeat; then the greatest weight in turn: gives val",
        ],
    ),
    digraph(
        ("olives/algorithm-largest", Kind::Theorem, "The algorithm with the largest index", "on unions of directed paths"),
        algorithm::is_union_of_paths,
        algorithm::algorithm_largest,
        [
            "D a union of directed paths; on each path the largest i >= 2 with w(v_i) >= w(v_(i-1))",
            "first reduction if i = p, else the second without checking its hypothesis; repeat; then the greatest weight in turn: gives val",
        ],
    ),
    digraph(
        ("olives/sum-identity-printed", Kind::Identity, "Proof of the second reduction", "on unions of directed paths"),
        reductions::has_long_path,
        reductions::sum_identity_printed,
        ["the second reduction applies at some i and gives D*", "the sum over D = (the sum over D*) - 2 w(v_i)"],
    ),
    grid(("olives/set-c-even", Kind::Proposition, "Bob's set C_even", "on grids"), grids::c_even, ["q even; the set is {j even}", SET]),
    grid(("olives/set-r-even", Kind::Proposition, "Bob's set R_even", "on grids"), grids::r_even, ["p even; the set is {i even}", SET]),
    grid(
        ("olives/set-c-odd-0", Kind::Proposition, "Bob's set C_odd^0", "on grids"),
        grids::c_odd_0,
        ["p even, q odd; the set is {(2i,1)} and {(i,2j+1), j >= 1}", SET],
    ),
    grid(
        ("olives/set-r-odd-0", Kind::Proposition, "Bob's set R_odd^0", "on grids"),
        grids::r_odd_0,
        ["p odd, q even; the set is {(1,2j)} and {(2i+1,j), i >= 1}", SET],
    ),
    grid(
        ("olives/set-c-odd-1", Kind::Proposition, "Alice's set C_odd^1", "on grids"),
        grids::c_odd_1,
        ["pq odd; the set is {(odd,1)} and {(i,2j+1), j >= 1}", SET],
    ),
    grid(
        ("olives/set-r-odd-1", Kind::Proposition, "Alice's set R_odd^1", "on grids"),
        grids::r_odd_1,
        ["pq odd; the set is {(1,odd)} and {(2i+1,j), i >= 1}", SET],
    ),
    grid(
        ("olives/set-r-even-c-even", Kind::Proposition, "Alice's set of even rows and columns", "on grids"),
        grids::r_even_c_even,
        ["pq odd; the set is {i even and j even}", SET],
    ),
    grid(
        ("olives/set-even-even", Kind::Open, "Bob's set on even by even grids", "on grids"),
        grids::even_even,
        ["p, q even; the set is {i, j odd, >= 3}", SET],
    ),
    grid(
        ("olives/set-even-odd", Kind::Open, "Bob's set on even by odd grids", "on grids"),
        grids::even_odd,
        ["p even, q odd; the set is {i odd >= 3, j even}", SET],
    ),
    grid(
        ("olives/set-odd-even", Kind::Open, "Bob's set on odd by even grids", "on grids"),
        grids::odd_even,
        ["p odd, q even; the set is {i even, j odd >= 3}", SET],
    ),
    grid(
        ("olives/single-vertex-inner", Kind::Corollary, "Single vertices off every outer row and column", "on grids"),
        grids::single_inner,
        ["one olive in all, on (i,j) with 1 < i < p and 1 < j < q", ONE],
    ),
    grid(
        ("olives/single-vertex-off-first", Kind::Corollary, "Single vertices off row 1 and column 1", "on grids"),
        grids::single_off_first,
        ["one olive in all, on (i,j) with i, j >= 2", ONE],
    ),
    grid(
        ("olives/third", Kind::Theorem, "Content's third", "on grids"),
        grids::third,
        ["weights 0 and 1; m = the number of olives on cells with i, j >= 2", "Content collects at least ceil(m/3)"],
    ),
];
