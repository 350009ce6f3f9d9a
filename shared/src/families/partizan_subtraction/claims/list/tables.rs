use crate::claim::Kind;

use super::super::super::quantity::{Quantities, Quantity};
use super::super::{tables, weights};
use super::{Entry, form, outcome, weight};

/// The printed tables, and the examples and remarks beside them.
pub static ENTRIES: &[Entry] = &[
    form(
        ("truncated-support/table-1", Kind::Table, "Table 1", "1"),
        tables::table_1,
        [
            "full support (tau = 0), (a,b) = (3,5), (4,7) or (2,7), n in 1..7",
            "the Right options of the canonical form are those of the cell",
        ],
    ),
    form(
        ("truncated-support/table-2", Kind::Table, "Table 2", "1"),
        tables::table_2,
        [
            "F(10;3,4), and F(4;3,2) by its negative F(4;2,3)",
            "to end the canonical form Left needs 4 moves in a row in F(10;3,4), Right 2 in F(4;3,2), and the other can end it any time",
        ],
    ),
    form(
        ("truncated-support/table-3", Kind::Table, "Table 3", "1"),
        tables::table_3,
        ["truncated support, a = 3, b = 7, tau = 4, n in 0..15", "the canonical form is that of the cell"],
    ),
    weight(
        ("truncated-support/table-4", Kind::Table, "Table 4", "1"),
        tables::table_4,
        ["truncated support, a = 3, b = 7, tau in 1..4, n in 1..34", "the atomic weight is that of the cell; none where it is blank"],
    ),
    outcome(
        ("truncated-support/table-4-red", Kind::Table, "Table 4, red cells", "1"),
        tables::table_4_red,
        ["truncated support, a = 3, b = 7, the red cells among tau in 1..4, n in 1..34", "R in the cell and in all cells below it"],
    ),
    form(
        ("truncated-support/table-5", Kind::Table, "Table 5", "5.2"),
        tables::table_5,
        ["truncated support, a = 5, b = 6, tau = 1, n in 0..14", "the options of the canonical form are those of the cells"],
    ),
    weight(
        ("truncated-support/table-4-onset", Kind::Remark, "Text on table 4", "1"),
        weights::table_4_onset,
        [
            "truncated support, a = 3, b = 7, tau < 4; about all heaps of a ruleset at once, counted at n = R",
            "R is the least n from which on the atomic weight is -floor((n-R)/a), held against n up to R + 120",
        ],
    ),
    Entry::new(
        ("truncated-support/example-1", Kind::Example, "Example beside table 2", "1"),
        tables::example_1,
        ["F(10;3,4) and F(4;3,2); counted at the former", "aw F(10;3,4) = -3, aw F(4;3,2) = 1, and their sum is R"],
        Quantity::AtomicWeight,
        Quantities::ALL,
    ),
    form(
        ("truncated-support/remark-table-5", Kind::Remark, "Text on table 5", "5.2"),
        tables::remark_table_5,
        ["truncated support, a = 5, b = 6, tau = 1, n = 2 or 4", "TS(n) <= TS(n+1)"],
    ),
];
