//! Section 4.2 along a row of H1: where each claim of [`super::h1`] speaks. See [`super::rows`].

use super::rows::{Area, H1Row};

pub fn lemma_4_7(row: &H1Row, area: &mut dyn FnMut(Area)) {
    let (a, k) = (row.fixed, row.ef);
    if a == 0 || k == 0 {
        return;
    }
    // At x <= k it wants BC >= k - x, at a <= k BC >= k - a; the greater of x and a wants less.
    let turn = if a <= k {
        area(Area::above(1, a, (k - a).max(1)));
        a + 1
    } else {
        1
    };
    area(Area::above_falling(turn, k - 1, k));
    if turn <= k {
        area(Area::above(k, k, 1));
    }
    if a <= k {
        area(Area::above(k + 1, row.last, (k - a).max(1)));
    }
}

pub fn theorem_4_8_1(row: &H1Row, area: &mut dyn FnMut(Area)) {
    let balanced = row.fixed ^ row.ef;
    if row.fixed > 0 && row.ef > 0 && balanced > 0 {
        area(Area::above(balanced, balanced, 1));
    }
}

/// Write y = a xor k, so that a xor x xor k = y xor x. Above y the top bit in which x differs from y is on in x, so the claim
/// speaks. Below y that bit is on in y and off in x; so it is on in just one of a and k, and the claim speaks iff it is a.
pub fn theorem_4_8_2(row: &H1Row, area: &mut dyn FnMut(Area)) {
    let (a, k) = (row.fixed, row.ef);
    if a == 0 || k == 0 {
        return;
    }
    let y = a ^ k;
    let top = if y > 0 { y.ilog2() + 1 } else { 0 };
    for bit in (0..top).rev().map(|place| 1 << place).filter(|bit| y & bit != 0 && a & bit != 0) {
        // The x that agree with y above this bit and have it off.
        let from = y & !(2 * bit - 1);
        area(Area::above(from.max(1), from + bit - 1, 0));
    }
    area(Area::above(y + 1, row.last, 0));
}

pub fn lemma_4_9_i(row: &H1Row, area: &mut dyn FnMut(Area)) {
    let start = row.fixed - row.fixed_parts().1;
    if row.ef > 0 {
        area(Area::above(row.first, start - 1, 0));
        area(Area::above(start + row.modulus(), row.last, 0));
    }
}

pub fn lemma_4_9_ii(row: &H1Row, area: &mut dyn FnMut(Area)) {
    if row.ef > 0 && row.fixed_parts().1 >= row.ef {
        row.blocks().for_each(|block| area(Area::above(block + row.ef, block + row.modulus() - 1, 0)));
    }
}

/// Where BC has to be as the alternative, for the x in one line: min(l1,l2) = 0 there.
type Alternative = fn(i64) -> Area;

pub fn lemma_4_9_iii_printed(row: &H1Row, area: &mut dyn FnMut(Area)) {
    lemma_4_9_iii(row, area, |x| Area::at_zero(x, x));
}

pub fn lemma_4_9_iii_proof(row: &H1Row, area: &mut dyn FnMut(Area)) {
    lemma_4_9_iii(row, area, |x| Area::above(x, x, 1));
}

fn lemma_4_9_iii(row: &H1Row, area: &mut dyn FnMut(Area), alternative: Alternative) {
    let (k, l) = (row.ef, row.fixed_parts().1);
    if k == 0 {
        return;
    }
    for block in row.blocks() {
        if l == k {
            area(alternative(block));
            area(Area::above(block + 1, block + row.modulus() - 1, 0));
        } else {
            area(if l > 0 { Area::above(block + k, block + k, 0) } else { alternative(block + k) });
        }
    }
}

pub fn lemma_4_11_a(row: &H1Row, area: &mut dyn FnMut(Area)) {
    let (k, l) = (row.ef, row.fixed_parts().1);
    if k == 0 {
        return;
    }
    // BC > k - min(l1,l2), and the residue of x is x - block.
    for block in row.blocks() {
        let end = block + row.modulus() - 1;
        if l < k {
            area(Area::above_falling(block, block + l, block + k + 1));
            area(Area::above(block + l + 1, end, k - l + 1));
        } else {
            area(Area::above_falling(block, block + k - 1, block + k + 1));
        }
    }
}

pub fn lemma_4_11_b(row: &H1Row, area: &mut dyn FnMut(Area)) {
    area(Area::above(row.first, row.last, row.ef + 1));
}

pub fn remark_4_12_printed(row: &H1Row, area: &mut dyn FnMut(Area)) {
    if row.ef == 0 {
        area(Area::above(row.first, row.last, 0));
    }
}

pub fn remark_4_12_proof(row: &H1Row, area: &mut dyn FnMut(Area)) {
    if row.ef == 0 {
        area(Area::above(row.first, row.last, 1));
    }
}

/// The move of section 7.3: where part (iii) of Lemma 4.9 speaks as its proof has it, and m1 = m2.
pub fn lemma_4_9_iii_move(row: &H1Row, area: &mut dyn FnMut(Area)) {
    within_block(row, area, lemma_4_9_iii_proof);
}

/// The move of section 7.5: where the first part of Lemma 4.11 speaks, and m1 = m2.
pub fn lemma_4_11_a_move(row: &H1Row, area: &mut dyn FnMut(Area)) {
    within_block(row, area, lemma_4_11_a);
}

/// The areas of a claim that come block by block, those of the fixed one's block alone: m1 = m2.
fn within_block(row: &H1Row, area: &mut dyn FnMut(Area), areas: fn(&H1Row, &mut dyn FnMut(Area))) {
    let start = row.fixed_parts().0 * row.modulus();
    let block = H1Row { first: row.first.max(start), last: row.last.min(start + row.modulus() - 1), ..*row };
    if block.first <= block.last {
        areas(&block, area);
    }
}

/// Remark 4.12's move removes nothing where AB = CD and BC = EF = 0.
pub fn remark_4_12_no_move(row: &H1Row, spot: &mut dyn FnMut(i64, i64)) {
    if row.ef == 0 {
        spot(row.fixed, 0);
    }
}

/// None: the claim is right wherever it speaks.
pub fn nowhere(_row: &H1Row, _spot: &mut dyn FnMut(i64, i64)) {}

/// Every (x, s) for which {a, x} = {M m + r, M m + k + shift - s} for some m >= 0, with s in `from..=to`.
fn pairs(row: &H1Row, r: i64, shift: i64, [from, to]: [i64; 2], spot: &mut dyn FnMut(i64, i64)) {
    let (a, k, modulus) = (row.fixed, row.ef, row.modulus());
    if a == 0 || k == 0 {
        return;
    }
    if a >= r && (a - r) % modulus == 0 {
        // The fixed one carries r, so M m = a - r; only such s as lead into the row.
        let sum = a - r + k + shift;
        for s in from.max(sum - row.last)..=to.min(sum - row.first) {
            spot(sum - s, s);
        }
    }
    // The running one carries r: s = k + shift - a + M m, which is in the range for a few m only.
    let least = from - (k + shift - a);
    let mut start = if least > 0 { (least + modulus - 1) / modulus * modulus } else { 0 };
    while start - least <= to - from && start + r <= row.last {
        spot(start + r, start + k + shift - a);
        start += modulus;
    }
}

pub fn theorem_4_10_1(row: &H1Row, spot: &mut dyn FnMut(i64, i64)) {
    for r in [0, 1, 3] {
        pairs(row, r, -r, [1, row.ef - 2 * r], spot);
    }
}

pub fn theorem_4_10_2(row: &H1Row, spot: &mut dyn FnMut(i64, i64)) {
    for r in [2, 4] {
        pairs(row, r, r, [1, r - 1], spot);
    }
}

pub fn theorem_4_10_3(row: &H1Row, spot: &mut dyn FnMut(i64, i64)) {
    for r in [2, 4] {
        pairs(row, r, -r, [1, r - 1], spot);
    }
}

pub fn theorem_4_10_4(row: &H1Row, spot: &mut dyn FnMut(i64, i64)) {
    for r in [2, 4] {
        pairs(row, r, -r, [r, row.ef - 2 * r], spot);
    }
}

/// The example's positions, for the claim that it is P and for the one on the theorem's reach.
pub fn example_h1(row: &H1Row, spot: &mut dyn FnMut(i64, i64)) {
    match row.fixed % 16 {
        5 if row.ef == 11 => spot(row.fixed + 1, 1),
        6 if row.ef == 11 => spot(row.fixed - 1, 1),
        _ => {}
    }
}
