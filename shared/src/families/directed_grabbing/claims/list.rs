//! Every claim of *Directed Grabbing Games or How to Politely Grab the Maximum Number of Olives in a Reception* as data: its
//! item, hypothesis and statement, with its predicate.

use crate::claim::{Kind, Paper, Prediction};
use crate::families::{Entry, Printed};

use super::super::DirectedGrabbing;
use super::super::rules::{Digraph, Grid, Position};
use super::demand::{Demand, on_grid};
use super::{algorithm, grids, lemmas, reductions};

/// What a claim of this paper predicts of a position: val, or a relation between the val of some positions.
pub type Says = Prediction<Position, i64>;

/// What a claim speaks about.
#[derive(Clone, Copy)]
pub enum Scope {
    /// Any position whose digraph lets its hypothesis hold with some weights: whether a digraph does. On others it is silent.
    Digraphs(fn(&Digraph) -> bool),
    /// Grids of certain sizes: what it says that Content collects there, whatever the weights.
    Grids(fn(Grid) -> Option<Demand>),
}

/// Every claim of the paper.
pub fn claims() -> Vec<Entry<DirectedGrabbing>> {
    let title = "Directed Grabbing Games or How to Politely Grab the Maximum Number of Olives in a Reception";
    Printed::of(&Paper::new("olives", title, "Directed Grabbing Games"), PRINTED)
}

/// The id of Lemma 1.
pub const LEMMA_1: &str = "olives/lemma-1";
/// The id of Lemma 2.
pub const LEMMA_2: &str = "olives/lemma-2";

static PRINTED: &[Printed<DirectedGrabbing>] = &[
    Printed {
        id: LEMMA_1,
        kind: Kind::Lemma,
        item: "Lemma 1",
        section: "on acyclic digraphs",
        hypothesis: "D has a vertex; held against each vertex x and two amounts d: 1, and one beyond which w(x) outweighs all else",
        statement: "raising one weight by d >= 0 changes val by between -d and +d",
        scope: Scope::Digraphs(lemmas::has_vertex),
        predict: lemmas::lemma_1,
    },
    Printed {
        id: LEMMA_2,
        kind: Kind::Lemma,
        item: "Lemma 2",
        section: "on acyclic digraphs",
        hypothesis: "some sink x has w(x) >= w(v) for every vertex v of D",
        statement: "some optimal play starts with x",
        scope: Scope::Digraphs(lemmas::has_vertex),
        predict: lemmas::lemma_2,
    },
    Printed {
        id: "olives/reduction-1",
        kind: Kind::Lemma,
        item: "First reduction",
        section: "on unions of directed paths",
        hypothesis: "x a source whose only out-neighbour is y, y's only in-neighbour is x, w(x) >= w(y)",
        statement: "val(D) = val(D-{x,y}) + s (w(x)-w(y)), s = -1 for |V| even and +1 for |V| odd",
        scope: Scope::Digraphs(reductions::has_pendant_source),
        predict: reductions::reduction_1,
    },
    Printed {
        id: "olives/reduction-2",
        kind: Kind::Lemma,
        item: "Second reduction",
        section: "on unions of directed paths",
        hypothesis: "a component of D is a path v_p -> ... -> v_1, 2 <= i <= p-1, w(v_(i-1)) <= w(v_i), and w(v_j) <= w(v_i) for all j >= i",
        statement: "replacing v_(i-1), v_i, v_(i+1) by one vertex of weight w(v_(i-1)) + w(v_(i+1)) - w(v_i) leaves val unchanged",
        scope: Scope::Digraphs(reductions::has_long_path),
        predict: reductions::reduction_2,
    },
    Printed {
        id: "olives/reduction-2-local",
        kind: Kind::Open,
        item: "Second reduction under a weaker hypothesis",
        section: "on unions of directed paths",
        hypothesis: "a component of D is a path v_p -> ... -> v_1, 2 <= i <= p-1, w(v_(i-1)) <= w(v_i) >= w(v_(i+1))",
        statement: "replacing v_(i-1), v_i, v_(i+1) by one vertex of weight w(v_(i-1)) + w(v_(i+1)) - w(v_i) leaves val unchanged",
        scope: Scope::Digraphs(reductions::has_long_path),
        predict: reductions::reduction_2_local,
    },
    Printed {
        id: "olives/algorithm-smallest",
        kind: Kind::Theorem,
        item: "The algorithm with the smallest index, as printed",
        section: "on unions of directed paths",
        hypothesis: "D a union of directed paths; on each path the smallest i >= 2 with w(v_i) >= w(v_(i-1))",
        statement: "first reduction if i = p, else the second without checking its hypothesis; repeat; then the greatest weight in turn: gives val",
        scope: Scope::Digraphs(algorithm::is_union_of_paths),
        predict: algorithm::algorithm_smallest,
    },
    Printed {
        id: "olives/algorithm-largest",
        kind: Kind::Theorem,
        item: "The algorithm with the largest index",
        section: "on unions of directed paths",
        hypothesis: "D a union of directed paths; on each path the largest i >= 2 with w(v_i) >= w(v_(i-1))",
        statement: "first reduction if i = p, else the second without checking its hypothesis; repeat; then the greatest weight in turn: gives val",
        scope: Scope::Digraphs(algorithm::is_union_of_paths),
        predict: algorithm::algorithm_largest,
    },
    Printed {
        id: "olives/sum-identity-printed",
        kind: Kind::Identity,
        item: "Proof of the second reduction",
        section: "on unions of directed paths",
        hypothesis: "the second reduction applies at some i and gives D*",
        statement: "the sum over D = (the sum over D*) - 2 w(v_i)",
        scope: Scope::Digraphs(reductions::has_long_path),
        predict: reductions::sum_identity_printed,
    },
    Printed {
        id: "olives/set-c-even",
        kind: Kind::Proposition,
        item: "Bob's set C_even",
        section: "on grids",
        hypothesis: "q even; the set is {j even}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::c_even),
        predict: |position| on_grid(position, grids::c_even),
    },
    Printed {
        id: "olives/set-r-even",
        kind: Kind::Proposition,
        item: "Bob's set R_even",
        section: "on grids",
        hypothesis: "p even; the set is {i even}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::r_even),
        predict: |position| on_grid(position, grids::r_even),
    },
    Printed {
        id: "olives/set-c-odd-0",
        kind: Kind::Proposition,
        item: "Bob's set C_odd^0",
        section: "on grids",
        hypothesis: "p even, q odd; the set is {(2i,1)} and {(i,2j+1), j >= 1}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::c_odd_0),
        predict: |position| on_grid(position, grids::c_odd_0),
    },
    Printed {
        id: "olives/set-r-odd-0",
        kind: Kind::Proposition,
        item: "Bob's set R_odd^0",
        section: "on grids",
        hypothesis: "p odd, q even; the set is {(1,2j)} and {(2i+1,j), i >= 1}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::r_odd_0),
        predict: |position| on_grid(position, grids::r_odd_0),
    },
    Printed {
        id: "olives/set-c-odd-1",
        kind: Kind::Proposition,
        item: "Alice's set C_odd^1",
        section: "on grids",
        hypothesis: "pq odd; the set is {(odd,1)} and {(i,2j+1), j >= 1}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::c_odd_1),
        predict: |position| on_grid(position, grids::c_odd_1),
    },
    Printed {
        id: "olives/set-r-odd-1",
        kind: Kind::Proposition,
        item: "Alice's set R_odd^1",
        section: "on grids",
        hypothesis: "pq odd; the set is {(1,odd)} and {(2i+1,j), i >= 1}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::r_odd_1),
        predict: |position| on_grid(position, grids::r_odd_1),
    },
    Printed {
        id: "olives/set-r-even-c-even",
        kind: Kind::Proposition,
        item: "Alice's set of even rows and columns",
        section: "on grids",
        hypothesis: "pq odd; the set is {i even and j even}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::r_even_c_even),
        predict: |position| on_grid(position, grids::r_even_c_even),
    },
    Printed {
        id: "olives/set-even-even",
        kind: Kind::Open,
        item: "Bob's set on even by even grids",
        section: "on grids",
        hypothesis: "p, q even; the set is {i, j odd, >= 3}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::even_even),
        predict: |position| on_grid(position, grids::even_even),
    },
    Printed {
        id: "olives/set-even-odd",
        kind: Kind::Open,
        item: "Bob's set on even by odd grids",
        section: "on grids",
        hypothesis: "p even, q odd; the set is {i odd >= 3, j even}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::even_odd),
        predict: |position| on_grid(position, grids::even_odd),
    },
    Printed {
        id: "olives/set-odd-even",
        kind: Kind::Open,
        item: "Bob's set on odd by even grids",
        section: "on grids",
        hypothesis: "p odd, q even; the set is {i even, j odd >= 3}",
        statement: "Content collects at least the olives on the set",
        scope: Scope::Grids(grids::odd_even),
        predict: |position| on_grid(position, grids::odd_even),
    },
    Printed {
        id: "olives/single-vertex-inner",
        kind: Kind::Corollary,
        item: "Single vertices off every outer row and column",
        section: "on grids",
        hypothesis: "one olive in all, on (i,j) with 1 < i < p and 1 < j < q",
        statement: "Content collects it",
        scope: Scope::Grids(grids::single_inner),
        predict: |position| on_grid(position, grids::single_inner),
    },
    Printed {
        id: "olives/single-vertex-off-first",
        kind: Kind::Corollary,
        item: "Single vertices off row 1 and column 1",
        section: "on grids",
        hypothesis: "one olive in all, on (i,j) with i, j >= 2",
        statement: "Content collects it",
        scope: Scope::Grids(grids::single_off_first),
        predict: |position| on_grid(position, grids::single_off_first),
    },
    Printed {
        id: "olives/third",
        kind: Kind::Theorem,
        item: "Content's third",
        section: "on grids",
        hypothesis: "weights 0 and 1; m = the number of olives on cells with i, j >= 2",
        statement: "Content collects at least ceil(m/3)",
        scope: Scope::Grids(grids::third),
        predict: |position| on_grid(position, grids::third),
    },
];
