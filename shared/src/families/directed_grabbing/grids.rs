//! Every weighting of some grids: numbered, and cut into blocks that are evaluated at once.

use std::ops::Range as Units;
use std::sync::Arc;

use crate::sweep::{ManifestError, Range};
use crate::text::grouped;

use super::rules::{Grid, MAX_VERTICES};
use super::sliced::LANES;
use super::weights::{MAX_CONFIGURATIONS, WeightRange, too_many};

/// The grids with p and q in ranges, in the order of p, then q.
#[derive(Clone, Debug)]
pub struct WeightedGrids {
    /// p.
    pub rows: Range,
    /// q.
    pub columns: Range,
    /// The weights.
    pub weights: WeightRange,
    /// How many blocks of weightings there are.
    pub units: u64,
    grids: Arc<[GridUnits]>,
}

/// Where a grid's units are in its box.
#[derive(Clone, Copy, Debug)]
pub struct GridUnits {
    /// The grid.
    pub grid: Grid,
    /// Units of earlier grids.
    pub before: u64,
    /// How many weightings the grid has.
    pub weightings: u64,
}

impl GridUnits {
    /// The weightings that some units of the box, all from this grid's first on, have of this grid.
    fn within(&self, units: u64) -> u64 {
        units.saturating_sub(self.before).saturating_mul(LANES as u64).min(self.weightings)
    }
}

impl WeightedGrids {
    /// # Errors
    /// [`ManifestError`] names the key.
    pub fn new(rows: Range, columns: Range, weights: WeightRange) -> Result<Self, ManifestError> {
        for (key, range) in [("rows", rows), ("columns", columns)] {
            if range.low() < 1 || range.high() > MAX_VERTICES as u64 {
                let problem = format!("{range} is not allowed; it is a number or a range from 1 to {MAX_VERTICES}");
                return Err(ManifestError::field(format!("space.grid.{key}"), problem));
            }
        }
        let mut grids = Vec::new();
        let (mut units, mut total) = (0u64, 0u64);
        for (p, q) in (rows.low()..=rows.high()).flat_map(|p| (columns.low()..=columns.high()).map(move |q| (p, q))) {
            let grid = Grid { rows: p as usize, columns: q as usize };
            let weightings = weightings(grid, weights).map_err(|problem| ManifestError::field("space.grid", problem.to_string()))?;
            grids.push(GridUnits { grid, before: units, weightings });
            // Each grid has at most 2^42 weightings, and there are at most 64 · 64 grids.
            units += weightings.div_ceil(LANES as u64);
            total += weightings;
        }
        if total > MAX_CONFIGURATIONS {
            return Err(too_many("space.grid", "weighted grids", Some(total.into())));
        }
        Ok(Self { rows, columns, weights, units, grids: grids.into() })
    }

    /// The grid of a unit, and the number of the unit among those of the grid.
    pub fn unit(&self, unit: u64) -> (GridUnits, u64) {
        let found = self.grids[self.grids.partition_point(|grid| grid.before <= unit) - 1];
        (found, unit - found.before)
    }

    /// Whether weights are 0 and 1.
    pub fn is_olives(&self) -> bool {
        self.weights.is_olives()
    }

    /// The grids.
    pub fn grids(&self) -> impl Iterator<Item = Grid> {
        self.grids.iter().map(|units| units.grid)
    }

    /// How many weightings some units have.
    pub fn configurations(&self, units: Units<u64>) -> u64 {
        self.grids.iter().map(|grid| grid.within(units.end) - grid.within(units.start)).sum()
    }

    /// The grid of a configuration by its number, and the number of the weighting among those of the grid.
    pub fn weighting(&self, number: u64) -> Option<(Grid, u64)> {
        let mut left = number;
        for GridUnits { grid, weightings, .. } in self.grids.iter() {
            if left < *weightings {
                return Some((*grid, left));
            }
            left -= weightings;
        }
        None
    }

    /// Whether a weighted grid is one of these.
    pub fn contains(&self, grid: Grid, weights: &[i64]) -> bool {
        self.grids().any(|known| known == grid) && weights.iter().all(|weight| self.weights.contains(*weight))
    }
}

/// A grid with too many weightings, or vertices.
#[derive(Debug, thiserror::Error)]
enum OutOfReach {
    #[error("a {} x {} grid has {} vertices, and the limit is {}", .0.rows, .0.columns, .0.vertices(), MAX_VERTICES)]
    Vertices(Grid),
    #[error(
        "a {} x {} grid has {base}^{}{decimal} weightings by {weights}, and the limit is 2^42 = {}",
        grid.rows, grid.columns, grid.vertices(), grouped(MAX_CONFIGURATIONS.into())
    )]
    Weightings { grid: Grid, base: u128, decimal: String, weights: WeightRange },
}

/// How many weightings a grid has.
///
/// # Errors
/// [`OutOfReach`].
fn weightings(grid: Grid, weights: WeightRange) -> Result<u64, OutOfReach> {
    let (cells, base) = (grid.vertices(), u128::from(weights.len()));
    let exact = u32::try_from(cells).ok().and_then(|cells| base.checked_pow(cells));
    if let Some(count) = exact.and_then(|count| u64::try_from(count).ok()).filter(|count| *count <= MAX_CONFIGURATIONS)
        && cells <= MAX_VERTICES
    {
        return Ok(count);
    }
    if cells > MAX_VERTICES && base == 1 {
        return Err(OutOfReach::Vertices(grid));
    }
    let decimal = exact.map_or_else(String::new, |count| format!(" = {}", grouped(count)));
    Err(OutOfReach::Weightings { grid, base, decimal, weights })
}
