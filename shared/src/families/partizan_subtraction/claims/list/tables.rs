//! Tables 1 to 5 as claims, and the example and the text beside them.

use crate::claim::Kind;
use crate::families::Printed;

use super::super::super::PartizanSubtraction;
use super::super::{tables, weights};
use super::Scope;

/// The printed tables, and the examples and remarks beside them.
pub static PRINTED: &[Printed<PartizanSubtraction>] = &[
    Printed {
        id: "truncated-support/table-1",
        kind: Kind::Table,
        item: "Table 1",
        section: "1",
        hypothesis: "full support (tau = 0), (a,b) = (3,5), (4,7) or (2,7), n in 1..7",
        statement: "the Right options of the canonical form are those of the cell, each as it is printed",
        scope: Scope::FORM,
        predict: |view| view.says(tables::table_1),
    },
    Printed {
        id: "truncated-support/table-2",
        kind: Kind::Table,
        item: "Table 2",
        section: "1",
        hypothesis: "F(10;3,4), and F(4;3,2) by its negative F(4;2,3)",
        statement: "to end the canonical form Left needs 4 moves in a row in F(10;3,4), Right 2 in F(4;3,2), and the other can end it any time",
        scope: Scope::FORM,
        predict: |view| view.says(tables::table_2),
    },
    Printed {
        id: "truncated-support/table-3",
        kind: Kind::Table,
        item: "Table 3",
        section: "1",
        hypothesis: "truncated support, a = 3, b = 7, tau = 4, n in 0..15",
        statement: "the canonical form is the cell, option by option as it is printed",
        scope: Scope::FORM,
        predict: |view| view.says(tables::table_3),
    },
    Printed {
        id: "truncated-support/table-4",
        kind: Kind::Table,
        item: "Table 4",
        section: "1",
        hypothesis: "truncated support, a = 3, b = 7, tau in 1..4, n in 1..34",
        statement: "the atomic weight is that of the cell; none where it is blank",
        scope: Scope::WEIGHT,
        predict: |view| view.says(tables::table_4),
    },
    Printed {
        id: "truncated-support/table-4-red",
        kind: Kind::Table,
        item: "Table 4, red cells",
        section: "1",
        hypothesis: "truncated support, a = 3, b = 7, tau in 1..4, n in 1..34",
        statement: "the cell is red iff it and all cells below it are R",
        scope: Scope::OUTCOME,
        predict: |view| view.says(tables::table_4_red),
    },
    Printed {
        id: "truncated-support/table-5",
        kind: Kind::Table,
        item: "Table 5",
        section: "5.2",
        hypothesis: "truncated support, a = 5, b = 6, tau = 1, n in 0..14",
        statement: "the options of the canonical form are those of the cells, each as it is printed",
        scope: Scope::FORM,
        predict: |view| view.says(tables::table_5),
    },
    Printed {
        id: "truncated-support/table-4-onset",
        kind: Kind::Remark,
        item: "Text on table 4",
        section: "1",
        hypothesis: "truncated support, a = 3, b = 7, tau < 4; about all heaps of a ruleset at once, counted at n = R",
        statement: "the pattern begins at R, as we read it: R is the least n from which on the atomic weight is -floor((n-R)/a), the floor taken below R too, held against n up to R + 120",
        scope: Scope::WEIGHT,
        predict: |view| view.says(weights::table_4_onset),
    },
    Printed {
        id: "truncated-support/example-1",
        kind: Kind::Example,
        item: "Example beside table 2",
        section: "1",
        hypothesis: "F(10;3,4) and F(4;3,2); counted at the former",
        statement: "aw F(10;3,4) = -3, aw F(4;3,2) = 1, aw of their sum = -2, and their sum is R",
        scope: Scope::ALL,
        predict: |view| view.says(tables::example_1),
    },
    Printed {
        id: "truncated-support/remark-table-5",
        kind: Kind::Remark,
        item: "Text on table 5",
        section: "5.2",
        hypothesis: "truncated support, a = 5, b = 6, tau = 1, n = 2 or 4",
        statement: "TS(n) <= TS(n+1)",
        scope: Scope::FORM,
        predict: |view| view.says(tables::remark_table_5),
    },
];
