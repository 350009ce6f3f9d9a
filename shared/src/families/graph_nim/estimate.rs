//! What the claims of a manifest cost along the rows of a box, by a sample of its rows.

use std::sync::Arc;

use crate::families::StatedPredicate;
use crate::language::syntax::{Kind, Node};

use super::GraphNim;
use super::by_blocks::Sampler;
use super::weight_box::WeightBox;

/// How many rows of a box are looked at for the estimate.
const ROWS: u64 = 16;

/// Seconds of one core, measured once on a 2-core x86-64 machine: they only set the size of shards.
const SECONDS_PER_ROW: f64 = 1.5e-6;
const SECONDS_PER_BLOCK: f64 = 1e-6;
const SECONDS_PER_PART: f64 = 3e-10;
/// At a position, beside the parts of the claim: what its verdict takes, a name that is read of each position, a right prediction.
const SECONDS_PER_LANE: f64 = 1e-9;
const SECONDS_PER_READ: f64 = 5e-8;
const SECONDS_PER_PREDICTION: f64 = 1e-8;

/// So many elements of a quantifier are reckoned with.
const ELEMENTS: f64 = 32.0;

/// The seconds that a claim of the manifest takes for each row of a box, on the average of a sample.
///
/// Cost: that of some tens of windows.
pub fn seconds_per_row(weights: &WeightBox, stated: &Arc<StatedPredicate<GraphNim>>) -> f64 {
    let Some(mut sampler) = Sampler::new(weights, stated) else { return 0.0 };
    let rows = weights.rows();
    let count = rows.min(ROWS);
    let (mut blocks, mut lanes) = (0.0, 0.0);
    for sample in 0..count {
        // The middle of each of `count` equal parts.
        let number = (u128::from(rows) * u128::from(2 * sample + 1) / u128::from(2 * count)) as u64;
        let found = sampler.row(&weights.first_of_row(number));
        blocks += found.blocks;
        lanes += found.lanes;
    }
    let claim = stated.program().claim();
    let parts: f64 = claim.condition().into_iter().chain([claim.statement()]).map(|expression| parts(expression.tree())).sum();
    let read = if sampler.reads_each() { SECONDS_PER_READ } else { 0.0 };
    let prediction = if stated.predicts() { SECONDS_PER_PREDICTION } else { 0.0 };
    let per_lane = SECONDS_PER_LANE + parts * SECONDS_PER_PART + read + prediction;
    SECONDS_PER_ROW + (blocks * SECONDS_PER_BLOCK + lanes * per_lane) / count as f64
}

/// What another position takes, in parts.
const PARTS_OF_A_POSITION: f64 = 150.0;

/// The parts of a tree; those of a quantifier's body once for each element.
fn parts(node: &Node) -> f64 {
    let below: f64 = node.children().into_iter().map(parts).sum();
    match node.kind {
        Kind::Quantified(_) => 1.0 + ELEMENTS * below,
        Kind::At(_) | Kind::Field(..) => PARTS_OF_A_POSITION + below,
        _ => 1.0 + below,
    }
}
