//! The triangle, the square and the other graphs that have a theorem each.

use super::view::{Says, View, losing_iff, winning_if};

/// Theorem 4.2, on F1.
pub fn theorem_4_2(view: &View) -> Says {
    let [ab, bc, cd, da] = view.named;
    losing_iff(view.least >= 1, ab == cd && bc == da)
}

/// Theorem 4.3, on F2.
pub fn theorem_4_3(view: &View) -> Says {
    let [ab, bc, cd, db] = view.named;
    losing_iff(view.least >= 1, bc == db && cd == ab + bc)
}

/// Theorem 4.4, on G2 and on G3.
pub fn theorem_4_4(view: &View) -> Says {
    winning_if(view.least >= 1)
}

/// Theorem 5.1, on K3.
pub fn theorem_5_1(view: &View) -> Says {
    let [ab, bc, ca, _] = view.named;
    losing_iff(view.least >= 1, ab == bc && bc == ca)
}
